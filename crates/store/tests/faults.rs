//! The store heals itself: after a write that the disk failed, the next one
//! works, nothing that was acknowledged is lost, and nothing appears by halves.
//!
//! The faults are real: `fault.c` is preloaded into a process of its own, and
//! makes one system call after the other fail. That process ends by `abort`, so
//! what it was told is written must be on disk. For a power cut, the shim keeps
//! what was synced, and nothing else.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "this file is tests"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kaiwa_domain::port::{Admission, Backups, Pending, Progress, Store};
use kaiwa_domain::{
    ChannelId, Effect, EffectBody, EffectState, Ending, GuildId, MessageId, Outgoing, PersonaId,
    Scope, StoreError, Timestamp, Turn, TurnId, TurnState, UserId,
};
use kaiwa_store::Sqlite;
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

const HOME: Scope = Scope::Guild(GuildId::new(7));
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// Which folder a process that is to be failed works in, and with which error.
const FOLDER: &str = "FAULT_FOLDER";
const ERRNO: &str = "FAULT_ERRNO";
/// The same folder, for a process whose backups fail.
const COPIED: &str = "FAULT_COPIED";

/// Where the shim keeps what was synced.
const PLATTER: &str = "FAULT_PLATTER";
/// How many answers are written at once when the power goes.
const AT_ONCE: u64 = 50;

fn turn(message: u64) -> Turn {
    Turn {
        id: TurnId::of_message(MessageId::new(message)),
        scope: HOME,
        channel: ChannelId::new(20),
        asker: UserId::new(30),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: NOW,
    }
}

/// Two effects of a turn, the second longer than a page.
fn effects(turn: &Turn) -> [Effect; 2] {
    let said = |index, text: String| Effect {
        turn: turn.id,
        index,
        scope: HOME,
        channel: turn.channel,
        persona: turn.persona,
        identity: None,
        body: EffectBody::Say {
            outgoing: Outgoing::Say(text),
            reply_to: None,
        },
        state: EffectState::Queued,
        queued_at: NOW,
        pings: kaiwa_domain::Pings::default(),
    };
    [said(0, "short".into()), said(1, "long ".repeat(2_000))]
}

/// Makes a call that may fail once. The same store must do it the next time.
async fn insist<'a, T>(
    failures: &mut u32,
    call: impl Fn() -> Pending<'a, Result<T, StoreError>>,
) -> T {
    match call().await {
        Ok(done) => done,
        Err(error) => {
            assert!(error.is_retryable(), "{error}");
            *failures += 1;
            call().await.expect("the next write works")
        }
    }
}

/// Everything that is written for one turn.
async fn write(store: &Sqlite, message: u64) -> u32 {
    let turn = &turn(message);
    let effects = &effects(turn);
    let mut failures = 0;
    let admitted = insist(&mut failures, || store.admit(turn, None)).await;
    assert_eq!(admitted, Admission::New, "turn {message}");
    insist(&mut failures, || store.begin(HOME, turn.id)).await;
    let queue = || store.queue(HOME, turn.id, effects, Progress::Speaking);
    insist(&mut failures, queue).await;
    insist(&mut failures, || store.start(HOME, turn.id, 0, 1)).await;
    let sent = &[MessageId::new(1_000 + message)];
    insist(&mut failures, || store.done(&effects[0], sent, NOW)).await;
    insist(&mut failures, || store.probe()).await;
    failures
}

/// What a store must say about the turn with this number.
fn is_whole(store: &[kaiwa_domain::port::UnfinishedTurn], message: u64) {
    let turn = turn(message);
    let found = store.iter().find(|it| it.turn.id == turn.id);
    let found = found.unwrap_or_else(|| panic!("turn {message} is lost"));
    let [first, second] = effects(&turn);
    let done = EffectState::Done {
        message: Some(MessageId::new(1_000 + message)),
    };
    let first = Effect {
        state: done,
        ..first
    };
    assert_eq!(found.turn.state, TurnState::Speaking);
    assert_eq!(found.effects, [first, second], "turn {message}");
}

fn database(folder: &Path) -> PathBuf {
    folder.join("kaiwa.db")
}

/// Fails one call after the other, in a process that has the shim.
#[test]
fn the_process_that_is_failed() {
    let (Some(folder), Some(errno)) = (std::env::var_os(FOLDER), std::env::var_os(ERRNO)) else {
        return;
    };
    let (folder, errno) = (PathBuf::from(folder), errno.into_string().unwrap());
    let control = folder.join("control");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = Sqlite::open(&database(&folder)).await.unwrap();
        let mut failed = 0;
        for nth in 1.. {
            fs::write(&control, format!("{nth} {errno}")).unwrap();
            failed += write(&store, nth).await;
            is_whole(&store.unfinished(HOME).await.unwrap(), nth);
            if control.exists() {
                // All the calls that there are have failed once.
                println!("acknowledged {nth} failed {failed}");
                std::process::abort();
            }
        }
    });
}

/// Everything that is written before the first line of an answer is sent.
async fn start(store: &Sqlite, message: u64) {
    let turn = &turn(message);
    let effects = &effects(turn);
    store.admit(turn, None).await.unwrap();
    store.begin(HOME, turn.id).await.unwrap();
    let queued = store.queue(HOME, turn.id, effects, Progress::Speaking);
    queued.await.unwrap();
    store.start(HOME, turn.id, 0, 1).await.unwrap();
}

/// Everything that is written for an answer of one line.
async fn finish(store: &Sqlite, message: u64) {
    let turn = &turn(message);
    let [line, _] = &effects(turn);
    let sent = &[MessageId::new(1_000 + message)];
    store.admit(turn, None).await.unwrap();
    store.begin(HOME, turn.id).await.unwrap();
    let lines = std::slice::from_ref(line);
    let queued = store.queue(HOME, turn.id, lines, Progress::Settling);
    queued.await.unwrap();
    store.start(HOME, turn.id, 0, 1).await.unwrap();
    store.done(line, sent, NOW).await.unwrap();
    let ended = Progress::Ended(Ending::Done);
    store.queue(HOME, turn.id, &[], ended).await.unwrap();
}

/// Writes answers side by side until the power goes, in a process that has the
/// shim.
#[test]
fn the_process_that_loses_power() {
    let (Some(folder), Some(_)) = (std::env::var_os(FOLDER), std::env::var_os(PLATTER)) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = Sqlite::open(&database(Path::new(&folder))).await.unwrap();
        let finished = (1..=AT_ONCE).map(|message| finish(&store, message));
        futures_util::future::join_all(finished).await;
        let started = (1..=AT_ONCE).map(|message| start(&store, AT_ONCE + message));
        futures_util::future::join_all(started).await;
        println!("written");
        std::process::abort();
    });
}

/// Compiles the shim, if there is a compiler.
fn shim(folder: &Path) -> Option<PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fault.c");
    let library = folder.join("fault.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([library.as_os_str(), OsStr::new(source), OsStr::new("-ldl")])
        .output();
    match compiled {
        Ok(output) if output.status.success() => Some(library),
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            eprintln!("SKIPPED: faults of the disk are not tested without a C compiler: {error}");
            None
        }
    }
}

/// Runs a test in a process whose disk fails: its name, the variable that tells
/// it where to work, and what it says before it counts what it did and what
/// failed.
#[cfg(target_os = "linux")]
fn failing(
    [test, variable, did]: [&str; 3],
    folder: &Path,
    library: &Path,
    errno: i32,
) -> (u64, u64) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(variable, folder)
        .env(ERRNO, errno.to_string())
        .env("FAULT_CONTROL", folder.join("control"))
        .env("LD_PRELOAD", library)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    let counts = said.lines().find_map(|it| it.split_once(did));
    let counts = counts.and_then(|(_, counts)| counts.split_once(" failed "));
    let Some((done, failed)) = counts else {
        let errors = String::from_utf8_lossy(&child.stderr);
        panic!("it broke: {said}\n{errors}");
    };
    (done.parse().unwrap(), failed.parse().unwrap())
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn every_write_that_the_disk_fails_is_healed_by_the_next() {
    for errno in [ENOSPC, EIO] {
        let folder = tempfile::tempdir().unwrap();
        let Some(library) = shim(folder.path()) else {
            return;
        };
        let process = ["the_process_that_is_failed", FOLDER, "acknowledged "];
        let (turns, failed) = failing(process, folder.path(), &library, errno);
        assert!(
            turns > 20 && failed > 10,
            "errno {errno}: {turns}, {failed}"
        );

        let store = Sqlite::open(&database(folder.path())).await.unwrap();
        let kept = store.unfinished(HOME).await.unwrap();
        assert_eq!(kept.len() as u64, turns);
        for message in 1..=turns {
            is_whole(&kept, message);
        }
        store.close().await.unwrap();
    }
}

/// Fails one call after the other of backups, in a process that has the shim.
#[test]
fn the_process_whose_backups_fail() {
    let (Some(folder), Some(errno)) = (std::env::var_os(COPIED), std::env::var_os(ERRNO)) else {
        return;
    };
    let (folder, errno) = (PathBuf::from(folder), errno.into_string().unwrap());
    let control = folder.join("control");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = Sqlite::open(&database(&folder)).await.unwrap();
        start(&store, 1).await;
        let (mut made, mut failed) = (0, 0);
        for nth in 1.. {
            fs::write(&control, format!("{nth} {errno}")).unwrap();
            let day = Timestamp::from_millis(NOW.as_millis() + nth * 24 * 3600 * 1000);
            match store.back_up(1000, day).await {
                Ok(is_made) => made += usize::from(is_made),
                Err(error) => {
                    assert!(error.is_retryable(), "{error}");
                    failed += 1;
                }
            }
            let there = fs::read_dir(folder.join("backups")).unwrap();
            let names = there.map(|it| it.unwrap().file_name().into_string().unwrap());
            let names: Vec<String> = names.collect();
            assert!(names.iter().all(|name| name.ends_with("Z.db")), "{names:?}");
            assert_eq!(names.len(), made);
            if control.exists() {
                println!("made {made} failed {failed}");
                std::process::abort();
            }
        }
    });
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_backup_that_the_disk_fails_leaves_nothing() {
    for errno in [ENOSPC, EIO] {
        let folder = tempfile::tempdir().unwrap();
        let Some(library) = shim(folder.path()) else {
            return;
        };
        let process = ["the_process_whose_backups_fail", COPIED, "made "];
        let (made, failed) = failing(process, folder.path(), &library, errno);
        assert!(made > 0 && failed > 5, "errno {errno}: {made}, {failed}");

        let last = kaiwa_store::last_backup(&database(folder.path())).unwrap();
        fs::remove_file(folder.path().join("kaiwa.db-wal")).unwrap();
        fs::copy(last, database(folder.path())).unwrap();
        let store = Sqlite::open(&database(folder.path())).await.unwrap();
        assert_eq!(store.unfinished(HOME).await.unwrap().len(), 1);
        store.close().await.unwrap();
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_power_cut_takes_nothing_that_was_started_or_ended() {
    for _ in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let platter = tempfile::tempdir().unwrap();
        let Some(library) = shim(folder.path()) else {
            return;
        };
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_process_that_loses_power", "--nocapture"])
            .env(FOLDER, folder.path())
            .env(PLATTER, platter.path())
            .env("LD_PRELOAD", library)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        let errors = String::from_utf8_lossy(&child.stderr);
        assert!(said.contains("written"), "{said}\n{errors}");
        let key = "memory.key";
        fs::copy(folder.path().join(key), platter.path().join(key)).unwrap();

        let store = Sqlite::open(&database(platter.path())).await.unwrap();
        let kept = store.unfinished(HOME).await.unwrap();
        for message in 1..=AT_ONCE {
            let found = kept.iter().find(|it| it.turn.id == turn(message).id);
            assert_eq!(found, None, "what has ended stays so");
        }
        for message in AT_ONCE + 1..=2 * AT_ONCE {
            let found = kept.iter().find(|it| it.turn.id == turn(message).id);
            let state = found.expect("what was started is known").effects[0].state;
            assert_eq!(state, EffectState::Started { attempt: 1 }, "turn {message}");
        }
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_write_that_another_program_blocks_works_once_it_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&database(folder.path())).await.unwrap();
    write(&store, 1).await;

    let options = SqliteConnectOptions::new().filename(database(folder.path()));
    let mut other = options.connect().await.unwrap();
    let begin = sqlx::query("BEGIN EXCLUSIVE");
    begin.execute(&mut other).await.unwrap();
    let blocked = store.admit(&turn(2), None).await.unwrap_err();
    assert!(matches!(blocked, StoreError::Transient { .. }), "{blocked}");
    let rollback = sqlx::query("ROLLBACK");
    rollback.execute(&mut other).await.unwrap();

    assert_eq!(store.admit(&turn(2), None).await, Ok(Admission::New));
    write(&store, 3).await;
    let kept = store.unfinished(HOME).await.unwrap();
    is_whole(&kept, 1);
    is_whole(&kept, 3);
    store.close().await.unwrap();
}
