//! The write-ahead log, while many write and nobody pauses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

use std::fs;

use futures_util::future::{FutureExt, join_all};
use kaiwa_domain::port::Store;
use kaiwa_domain::{
    ChannelId, GuildId, MessageId, PersonaId, Scope, Timestamp, Turn, TurnId, TurnState, UserId,
};
use kaiwa_store::Sqlite;

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_begins_anew_while_everybody_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaiwa.db");
    let store = Sqlite::open(&path).await.unwrap();
    for round in 0..100 {
        let turns: Vec<Turn> = (1..=100).map(|it| turn(round * 100 + it)).collect();
        join_all(turns.iter().map(|turn| store.admit(turn, None))).await;
    }
    let log = fs::metadata(folder.path().join("kaiwa.db-wal")).unwrap();
    // Ten thousand commits, each of which adds several pages of 4 KiB.
    assert!(log.len() < 40 << 20, "{} bytes", log.len());
    assert!(store.unfinished(HOME).await.unwrap().len() == 10_000);
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
