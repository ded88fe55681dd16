//! Copies of the database: whole, few, private, and what is said of them when
//! it is damaged.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

use std::fs;
use std::path::{Path, PathBuf};

use futures_util::FutureExt;
use kaiwa_domain::port::{Backups, Store};
use kaiwa_domain::{
    ChannelId, GuildId, MessageId, PersonaId, Scope, StoreError, Timestamp, Turn, TurnId,
    TurnState, UserId,
};
use kaiwa_store::Sqlite;
use tempfile::TempDir;

const HOME: Scope = Scope::Guild(GuildId::new(7));
const HOUR: i64 = 3600 * 1000;

/// So many hours after the first of February 2027.
fn hours(hours: i64) -> Timestamp {
    Timestamp::from_millis(1_801_440_000_000 + hours * HOUR)
}

async fn open() -> (TempDir, PathBuf, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaiwa.db");
    let store = Sqlite::open(&path).await.unwrap();
    (folder, path, store)
}

async fn ask(store: &Sqlite, message: u64) {
    let turn = Turn {
        id: TurnId::of_message(MessageId::new(message)),
        scope: HOME,
        channel: ChannelId::new(1),
        asker: UserId::new(1),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: hours(0),
    };
    store.admit(&turn, None).await.unwrap();
}

fn listed(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_has_what_there_was_and_can_be_brought_back() {
    let (folder, path, store) = open().await;
    ask(&store, 1).await;
    assert_eq!(store.back_up(3, hours(0)).await, Ok(true));
    ask(&store, 2).await;
    store.close().await.unwrap();

    let backups = folder.path().join("backups");
    let name = "kaiwa-20270201T000000Z.db";
    assert_eq!(listed(&backups), [name]);
    #[cfg(unix)]
    for (path, expect) in [(&backups, 0o700), (&backups.join(name), 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, expect, "{}", path.display());
    }
    fs::copy(backups.join(name), &path).unwrap();
    let store = Sqlite::open(&path).await.unwrap();
    let found = store.unfinished(HOME).await.unwrap();
    let found: Vec<TurnId> = found.iter().map(|it| it.turn.id).collect();
    assert_eq!(found, [TurnId::of_message(MessageId::new(1))]);
    assert_eq!(store.examine().await, Ok(()));
    store.close().await.unwrap();
}

#[tokio::test]
async fn there_is_one_a_day_and_the_newest_are_kept() {
    let (folder, _, store) = open().await;
    let backups = folder.path().join("backups");
    // At which hour, how many are kept, whether one is made, which are there.
    let table: [(i64, u16, bool, &[&str]); 9] = [
        (0, 3, true, &["0201T00"]),
        (23, 3, false, &["0201T00"]),
        (24, 3, true, &["0201T00", "0202T00"]),
        (49, 3, true, &["0201T00", "0202T00", "0203T01"]),
        (73, 3, true, &["0202T00", "0203T01", "0204T01"]),
        (97, 2, true, &["0204T01", "0205T01"]),
        // The clock was wrong by a year, and is put right.
        (24 * 365, 2, true, &["0205T01", "0201T00"]),
        (122, 2, true, &["0205T01", "0206T02"]),
        (123, 2, false, &["0205T01", "0206T02"]),
    ];
    fs::create_dir(&backups).unwrap();
    fs::write(backups.join("kaiwa-notes.db"), "mine").unwrap();
    for (hour, keep, is_made, expect) in table {
        let made = store.back_up(keep, hours(hour)).await;
        assert_eq!(made, Ok(is_made), "hour {hour}");
        let there = listed(&backups);
        let there: Vec<&str> = there
            .iter()
            .filter(|name| *name != "kaiwa-notes.db")
            .map(|name| &name["kaiwa-2027".len()..][..7])
            .collect();
        assert_eq!(there, expect, "hour {hour}");
    }
    assert!(backups.join("kaiwa-notes.db").exists(), "it is not ours");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&backups).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_backup_that_failed_or_was_cut_short() {
    let (folder, _, store) = open().await;
    let backups = folder.path().join("backups");
    // No folder can be made where a file is.
    fs::write(&backups, "").unwrap();
    let failed = store.back_up(3, hours(0)).await;
    assert!(
        matches!(failed, Err(StoreError::Blocked { .. })),
        "{failed:?}"
    );
    fs::remove_file(&backups).unwrap();

    // What an earlier process left goes.
    fs::create_dir(&backups).unwrap();
    fs::write(backups.join("kaiwa.db.part"), "half").unwrap();
    fs::write(backups.join("kaiwa.db.part-journal"), "half").unwrap();
    assert_eq!(store.back_up(3, hours(0)).await, Ok(true));
    let first = "kaiwa-20270201T000000Z.db";
    assert_eq!(listed(&backups), [first]);

    // What is dropped leaves nothing.
    let mut polls = 1;
    loop {
        let mut copying = store.back_up(3, hours(24));
        let mut ended = None;
        for _ in 0..polls {
            ended = ended.or_else(|| (&mut copying).now_or_never());
            tokio::task::yield_now().await;
        }
        drop(copying);
        // The thread that copied hears of it in its own time.
        while listed(&backups).iter().any(|name| name.contains(".part")) {
            std::thread::yield_now();
        }
        match listed(&backups).as_slice() {
            [_] => assert_eq!(ended, None),
            [_, second] => break assert_eq!(second, "kaiwa-20270202T000000Z.db"),
            more => panic!("{more:?}"),
        }
        polls *= 2;
    }
}

#[tokio::test]
async fn what_is_damaged_is_found_while_it_is_in_use_and_refused_at_the_start() {
    let (folder, path, store) = open().await;
    for message in 1..200 {
        ask(&store, message).await;
    }
    for hour in [0, 24] {
        assert_eq!(store.back_up(3, hours(hour)).await, Ok(true));
    }
    store.close().await.unwrap();
    let whole = fs::read(&path).unwrap();
    let mut torn = whole.clone();
    torn[7 * 4096..8 * 4096].fill(0xa5);
    let mut headless = whole;
    headless[..16].fill(0);
    let backup = folder.path().join("backups/kaiwa-20270202T000000Z.db");
    for (bytes, reason) in [
        (torn, "*** in database main"),
        (headless, "its first bytes"),
    ] {
        fs::write(&path, &bytes).unwrap();
        let refused = Sqlite::open(&path).await.unwrap_err().to_string();
        let advice = format!(
            "): bring its last backup, {1}, back with `kaiwa restore`, or move it, {0}-wal and {0}-shm away to start afresh",
            path.display(),
            backup.display()
        );
        let begins = format!("{} is damaged ({reason}", path.display());
        assert!(refused.starts_with(&begins), "{refused}");
        assert!(refused.ends_with(&advice), "{refused}");
        assert!(fs::read(&path).unwrap() == bytes, "the file changed");
    }

    // A page breaks under a bot that runs.
    fs::copy(&backup, &path).unwrap();
    let store = Sqlite::open(&path).await.unwrap();
    assert_eq!(store.examine().await, Ok(()));
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &[0xa5; 4096], 7 * 4096).unwrap();
    let found = store.examine().await;
    assert!(
        matches!(found, Err(StoreError::Damaged { .. })),
        "{found:?}"
    );
}
