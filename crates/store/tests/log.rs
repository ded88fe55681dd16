//! The write-ahead log, while many write and nobody pauses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

use std::fs::File;
use std::io::Read;
use std::path::Path;

use futures_util::future::{FutureExt, join_all};
use kaiwa_domain::port::Store;
use kaiwa_domain::{
    ChannelId, GuildId, MessageId, PersonaId, Scope, Timestamp, Turn, TurnId, TurnState, UserId,
};
use kaiwa_store::Sqlite;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, query_scalar};

const HOME: Scope = Scope::Guild(GuildId::new(1));

fn turn(number: u64) -> Turn {
    Turn {
        id: TurnId::of_message(MessageId::new(number)),
        scope: HOME,
        channel: ChannelId::new(number),
        asker: UserId::new(1),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(1),
    }
}

/// How often a log has begun anew, by its header, and how many bytes it has.
///
/// See [SQLite/The WAL File Format](https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
fn log(path: &Path) -> (u32, u64) {
    let mut header = [0; 16];
    let mut file = File::open(path).unwrap();
    file.read_exact(&mut header).unwrap();
    let begun = u32::from_be_bytes(header[12..].try_into().unwrap());
    (begun, file.metadata().unwrap().len())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_begins_anew_while_everybody_writes() {
    // From 64 MiB on the engine would do it itself, within a commit.
    const TOO_LONG: u64 = 60 << 20;
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("kaiwa.db")).await.unwrap();
    let path = folder.path().join("kaiwa.db-wal");
    store.admit(&turn(1), None).await.unwrap();
    let (first, _) = log(&path);
    let mut written: u64 = 1;
    loop {
        let turns: Vec<Turn> = (1..=100).map(|it| turn(written + it)).collect();
        written += 100;
        join_all(turns.iter().map(|turn| store.admit(turn, None))).await;
        let (begun, bytes) = log(&path);
        if begun >= first + 2 {
            break;
        }
        assert!(bytes < TOO_LONG, "{bytes} bytes after {written} commits");
    }
    let kept = store.unfinished(HOME).await.unwrap().len() as u64;
    assert_eq!(kept, written);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_gives_up_in_the_middle_of_a_write_leaves_nothing_and_holds_up_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("kaiwa.db")).await.unwrap();
    store.admit(&turn(1), None).await.unwrap();
    for polls in 0..40 {
        // Dropped after so many steps, wherever that is.
        let mut probe = store.probe();
        for _ in 0..polls {
            if (&mut probe).now_or_never().is_some() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(probe);
        store.admit(&turn(polls + 2), None).await.unwrap();
    }
    assert_eq!(store.unfinished(HOME).await.unwrap().len(), 41);
    store.close().await.unwrap();
    assert!(store.probe().await.is_err(), "closed");
}

/// Before 3.51.3 a commit that begins the log anew while another connection
/// folds it may [damage the database](https://www.sqlite.org/wal.html#walresetbug).
#[tokio::test]
async fn the_engine_may_be_folded_beside_who_writes() {
    let mut connection = SqliteConnectOptions::new().connect().await.unwrap();
    let version: String = query_scalar("SELECT sqlite_version()")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    let parts = version.split('.').map(|part| part.parse().unwrap());
    let parts: Vec<u32> = parts.collect();
    assert!(parts >= vec![3, 51, 3], "{version}");
}
