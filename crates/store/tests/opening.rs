//! What happens when an SQLite file cannot be opened: one sentence that says
//! what to do, and a file that is as it was.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

use std::fs;
use std::path::{Path, PathBuf};

use kaiwa_domain::port::{Progress, Store};
use kaiwa_domain::{
    ChannelId, Effect, EffectBody, EffectState, Ending, GuildId, MessageId, Outgoing, PersonaId,
    Pings, Scope, StoreError, Timestamp, Turn, TurnId, TurnState, UserId,
};
use kaiwa_store::{OpenError, Sqlite};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

/// A folder with a database that holds one open turn, closed.
async fn with_one_turn() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaiwa.db");
    let store = Sqlite::open(&path).await.unwrap();
    let turn = Turn {
        id: TurnId::of_message(MessageId::new(1)),
        scope: Scope::Guild(GuildId::new(1)),
        channel: ChannelId::new(1),
        asker: UserId::new(1),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(1),
    };
    store.admit(&turn, None).await.unwrap();
    store.close().await.unwrap();
    (folder, path)
}

async fn raw(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path);
    options.create_if_missing(true).connect().await.unwrap()
}

/// Opening fails with this sentence (`PATH` stands for the file) and changes
/// no byte of the file.
async fn check_refused(path: &Path, expected: &str) {
    let before = fs::read(path).unwrap();
    let error = Sqlite::open(path).await.unwrap_err();
    let said = error
        .to_string()
        .replace(&path.display().to_string(), "PATH");
    assert_eq!(said, expected);
    assert!(fs::read(path).unwrap() == before, "the file changed");
}

async fn count_open(path: &Path) -> usize {
    let store = Sqlite::open(path).await.unwrap();
    let open = store
        .unfinished(Scope::Guild(GuildId::new(1)))
        .await
        .unwrap();
    store.close().await.unwrap();
    open.len()
}

#[tokio::test]
async fn a_second_instance_is_refused_until_the_first_is_gone() {
    let (_folder, path) = with_one_turn().await;
    let in_use = "another Kaiwa is using PATH: stop it or choose another data folder with --data";

    let first = Sqlite::open(&path).await.unwrap();
    check_refused(&path, in_use).await;
    first.close().await.unwrap();
    assert_eq!(count_open(&path).await, 1, "after a close");

    let first = Sqlite::open(&path).await.unwrap();
    drop(first);
    assert_eq!(count_open(&path).await, 1, "after a drop");
}

/// Where the file system does not keep its locks, as it is after somebody
/// deleted the lock file.
#[tokio::test]
async fn who_opened_it_earlier_begins_nothing_any_more() {
    let (_folder, path) = with_one_turn().await;
    let scope = Scope::Guild(GuildId::new(1));
    let turn = TurnId::of_message(MessageId::new(1));
    let line = |index| Effect {
        turn,
        index,
        scope,
        channel: ChannelId::new(1),
        persona: PersonaId::MAIN,
        identity: None,
        body: EffectBody::Say {
            outgoing: Outgoing::Say(format!("line {index}")),
            reply_to: None,
        },
        state: EffectState::Queued,
        queued_at: Timestamp::from_millis(1),
        pings: Pings::default(),
    };
    let queue = async |store: &Sqlite, index| {
        let line = [line(index)];
        store.queue(scope, turn, &line, Progress::Speaking).await
    };
    let first = Sqlite::open(&path).await.unwrap();
    for index in 0..2 {
        queue(&first, index).await.unwrap();
    }
    assert_eq!(first.start(scope, turn, 0, 1).await, Ok(true));
    first.probe().await.unwrap();

    fs::remove_file(path.with_file_name("kaiwa.db.lock")).unwrap();
    let second = Sqlite::open(&path).await.unwrap();
    let other = Turn {
        id: TurnId::of_message(MessageId::new(2)),
        scope,
        channel: ChannelId::new(1),
        asker: UserId::new(1),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(1),
    };
    // Also on the connections that take the place of those that failed.
    for _ in 0..2 {
        let refused = [
            queue(&first, 2).await,
            first.start(scope, turn, 1, 1).await.map(drop),
            first.admit(&other, None).await.map(drop),
            first.probe().await,
        ];
        for refused in refused {
            let superseded = matches!(refused, Err(StoreError::Superseded { .. }));
            assert!(superseded, "{refused:?}");
        }
    }
    // What was on its way when it happened is written down.
    let messages = [MessageId::new(9)];
    let at = Timestamp::from_millis(2);
    first.done(&line(0), &messages, at).await.unwrap();

    second.probe().await.unwrap();
    queue(&second, 2).await.unwrap();
    assert_eq!(second.start(scope, turn, 1, 1).await, Ok(true));
    assert_eq!(second.shown(scope, turn, 0).await, Ok(Some(messages[0])));
}

/// A database as the version before the outbox of effects left it.
#[tokio::test]
async fn an_older_schema_is_brought_up_to_date_with_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaiwa.db");
    let mut connection = raw(&path).await;
    let steps = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite"));
    let mut first = Migrator::new(steps).await.unwrap();
    first.migrations.to_mut().truncate(4);
    first
        .run_direct(None, &mut connection, false)
        .await
        .unwrap();
    sqlx::raw_sql(
        "INSERT INTO turn (scope, trigger, take, channel, asker, state, attempt, ending, notice, admitted_at) VALUES
            ('guild:1', 1, 0, 4, 5, 'speaking', 2, NULL, NULL, 10),
            ('guild:1', 2, 1, 4, 5, 'ended', 1, 'failed', 'answer_cut', 20),
            ('guild:1', -1, 0, 4, 5, 'ended', 1, 'done', NULL, 30),
            ('dm:7', 1, 0, 4, 7, 'thinking', 3, NULL, NULL, 40);
         INSERT INTO inbox (scope, message_id, channel_id, author_id, received_at, turn) VALUES
            ('guild:1', 1, 4, 5, 10, '1-0');
         INSERT INTO outbox (scope, trigger, take, idx, channel, reply_to, kind, body, state, attempt, sent_message_id, code, queued_at) VALUES
            ('guild:1', 1, 0, 0, 4, 1, 'say', 'hello \"Ada\"', 'sent', 1, 90, NULL, 11),
            ('guild:1', 1, 0, 1, 4, NULL, 'table', '| a | b |' || char(10) || '|---|---|' || char(10) || '| 1 | 2 |', 'started', 2, NULL, NULL, 12),
            ('guild:1', 1, 0, 2, 4, NULL, 'file', 'a.rs' || char(10) || 'fn a() {}', 'queued', 0, NULL, NULL, 13),
            ('guild:1', 2, 1, 0, 4, -1, 'say', 'late', 'queued', 0, NULL, NULL, 21),
            ('guild:1', -1, 0, 0, 4, NULL, 'say', 'refused', 'refused', 1, NULL, 50013, 31),
            ('guild:1', -1, 0, 1, 4, NULL, 'say', 'gone', 'abandoned', 1, NULL, NULL, 32);
         INSERT INTO expense (scope, trigger, take, channel, user, role, model, input, cached, output, thinking, estimated, cost, at)
            VALUES ('guild:1', 1, 0, 4, 5, 'chat', 'tea/green', 1, 0, 2, 0, 0, 3, 14);
         INSERT INTO session (shard, session_id, sequence, resume_url, shards) VALUES (0, 'abc', 9, 'ws://x', 1);",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();

    let store = Sqlite::open(&path).await.unwrap();
    let guild = Scope::Guild(GuildId::new(1));
    let unfinished = store.unfinished(guild).await.unwrap();
    let [speaking, ended] = &unfinished[..] else {
        panic!("{unfinished:?}");
    };
    assert_eq!(speaking.turn.state, TurnState::Speaking);
    assert_eq!(speaking.turn.asker, UserId::new(5));
    let shown: Vec<(Outgoing, Option<u64>, EffectState)> = unfinished
        .iter()
        .flat_map(|it| it.effects.clone())
        .map(|effect| match effect.body {
            EffectBody::Say { outgoing, reply_to } => {
                (outgoing, reply_to.map(MessageId::get), effect.state)
            }
            other => panic!("there was no such thing: {other:?}"),
        })
        .collect();
    let message = Some(MessageId::new(90));
    let table = kaiwa_domain::Table::parse("| a | b |\n|---|---|\n| 1 | 2 |").unwrap();
    let file = kaiwa_domain::File::new("a.rs", "fn a() {}").unwrap();
    assert_eq!(
        shown,
        [
            (
                Outgoing::Say("hello \"Ada\"".into()),
                Some(1),
                EffectState::Done { message }
            ),
            (
                Outgoing::Table(table),
                None,
                EffectState::Started { attempt: 2 }
            ),
            (Outgoing::File(file), None, EffectState::Queued),
            (
                Outgoing::Say("late".into()),
                Some(u64::MAX),
                EffectState::Queued
            ),
        ]
    );
    // Queued posts of a turn that had ended were never sent before.
    assert!(matches!(
        ended.turn.state,
        TurnState::Ended(Ending::Failed(_))
    ));
    let dm = Scope::Dm(UserId::new(7));
    let thinking = &store.unfinished(dm).await.unwrap()[0].turn;
    assert_eq!(thinking.state, TurnState::Thinking { attempt: 3 });
    let said = [MessageId::new(90)];
    assert_eq!(store.speakers(guild, &said).await.unwrap().len(), 1);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let (_folder, path) = with_one_turn().await;
    let mut connection = raw(&path).await;
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'from the future', TRUE, x'00', 0)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    connection.close().await.unwrap();

    check_refused(
        &path,
        "PATH was last used by a newer Kaiwa (schema 9999): update Kaiwa or choose another data folder with --data",
    )
    .await;
}

#[tokio::test]
async fn a_schema_of_another_build_is_refused() {
    let (_folder, path) = with_one_turn().await;
    let mut connection = raw(&path).await;
    sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 1")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();

    check_refused(
        &path,
        "PATH was made by another build of Kaiwa (schema 1 differs): use that build or choose another data folder with --data",
    )
    .await;
}

#[tokio::test]
async fn other_files_are_not_taken_over() {
    let refused =
        "PATH is not a Kaiwa database: move it away or choose another data folder with --data";
    let folder = tempfile::tempdir().unwrap();

    let path = folder.path().join("short");
    fs::write(&path, "hi").unwrap();
    check_refused(&path, refused).await;

    let path = folder.path().join("garbage");
    fs::write(&path, "a letter to grandmother\n".repeat(1000)).unwrap();
    check_refused(&path, refused).await;

    let path = folder.path().join("foreign.db");
    let mut connection = raw(&path).await;
    sqlx::query("CREATE TABLE recipe (name TEXT)")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    check_refused(&path, refused).await;
}

#[tokio::test]
async fn a_damaged_database_is_refused() {
    // Everything but the first page; then one page that nothing reads at start.
    for damage in [4096.., 7 * 4096..] {
        let (_folder, path) = with_one_turn().await;
        let mut bytes = fs::read(&path).unwrap();
        bytes[damage.clone()].fill(0xa5);
        fs::write(&path, &bytes).unwrap();

        let error = Sqlite::open(&path).await.unwrap_err();
        let told = matches!(error, OpenError::Corrupt { .. });
        assert!(told, "{damage:?}: {error:?}");
        assert!(!error.to_string().contains('\n'), "{error}");
        assert!(fs::read(&path).unwrap() == bytes, "the file changed");
    }
}

#[tokio::test]
async fn a_database_locked_by_another_program_is_refused() {
    let (_folder, path) = with_one_turn().await;
    let mut connection = raw(&path).await;
    sqlx::raw_sql("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        .execute(&mut connection)
        .await
        .unwrap();

    check_refused(
        &path,
        "another program has locked PATH: close it (a database browser or a backup?) and start again",
    )
    .await;
    connection.close().await.unwrap();
    assert_eq!(count_open(&path).await, 1);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let not_a_folder = folder.path().join("data");
    fs::write(&not_a_folder, "").unwrap();
    for below in ["kaiwa.db", "deeper/kaiwa.db"] {
        let error = Sqlite::open(&not_a_folder.join(below)).await.unwrap_err();
        assert!(matches!(error, OpenError::NotWritable { .. }), "{error:?}");
        let said = error.to_string();
        let start = format!("cannot write {}", not_a_folder.display());
        assert!(said.starts_with(&start), "{said}");
        let advice = ": make it writable or choose another data folder with --data";
        assert!(said.ends_with(advice), "{said}");
    }
}

#[tokio::test]
async fn a_folder_in_place_of_the_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = Sqlite::open(folder.path()).await.unwrap_err();
    assert!(matches!(error, OpenError::NotWritable { .. }), "{error:?}");
}

#[tokio::test]
async fn missing_folders_are_made_and_any_name_will_do() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["new/deep/kaiwa.db", "a b%20c?d#e.db", "会話.db"] {
        let path = folder.path().join(name);
        Sqlite::open(&path).await.unwrap().close().await.unwrap();
        assert!(path.is_file(), "{name}");
    }
}

#[tokio::test]
async fn closing_leaves_one_whole_file() {
    let (folder, path) = with_one_turn().await;
    let moved = folder.path().join("elsewhere.db");
    fs::copy(&path, &moved).unwrap();
    assert_eq!(count_open(&moved).await, 1);
}

/// What the bot remembers is nobody else's business.
#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;

    fn modes(folder: &Path) -> Vec<(String, u32)> {
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let files = fs::read_dir(folder).unwrap().map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, mode(&entry.path()))
        });
        let mut modes: Vec<_> = files.collect();
        modes.push((".".to_owned(), mode(folder)));
        modes.sort();
        modes
    }
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("data");
    let path = folder.join("kaiwa.db");
    let expect = [
        (".", 0o700),
        ("kaiwa.db", 0o600),
        ("kaiwa.db-shm", 0o600),
        ("kaiwa.db-wal", 0o600),
        ("kaiwa.db.lock", 0o600),
        ("memory.key", 0o600),
    ]
    .map(|(name, mode)| (name.to_owned(), mode));

    let store = Sqlite::open(&path).await.unwrap();
    assert_eq!(modes(&folder), expect, "a new one");

    // As an earlier version left it that was killed. A folder that is there
    // already may be shared on purpose.
    let former = outside.path().join("former");
    fs::create_dir(&former).unwrap();
    for (name, _) in &expect[1..] {
        let copy = former.join(name);
        fs::copy(folder.join(name), &copy).unwrap();
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(&former, fs::Permissions::from_mode(0o750)).unwrap();
    store.close().await.unwrap();
    let store = Sqlite::open(&former.join("kaiwa.db")).await.unwrap();
    let mut expect = expect;
    expect[0].1 = 0o750;
    assert_eq!(modes(&former), expect, "one of an earlier version");
    store.close().await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_that_was_moved_or_replaced_is_noticed() {
    async fn check(what: &str, change: impl Fn(&Path, &Path), expect: bool) {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("data");
        let path = folder.join("kaiwa.db");
        let store = Sqlite::open(&path).await.unwrap();
        assert!(store.is_in_place(), "{what}: before");
        change(&folder, &path);
        assert_eq!(store.is_in_place(), expect, "{what}");
        drop(store);
    }
    check("nothing happens", |_, _| (), true).await;
    check(
        "made read-only",
        |_, path| {
            let mut permissions = fs::metadata(path).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(path, permissions).unwrap();
        },
        true,
    )
    .await;
    check(
        "folder removed",
        |folder, _| fs::remove_dir_all(folder).unwrap(),
        false,
    )
    .await;
    check(
        "file removed",
        |_, path| fs::remove_file(path).unwrap(),
        false,
    )
    .await;
    check(
        "folder moved away",
        |folder, _| fs::rename(folder, folder.with_extension("old")).unwrap(),
        false,
    )
    .await;
    check(
        "replaced by a copy",
        |folder, path| {
            let copy = folder.join("copy");
            fs::copy(path, &copy).unwrap();
            fs::rename(copy, path).unwrap();
        },
        false,
    )
    .await;
}
