//! No memory is readable on disk, keys are never made up, and what is begun is
//! finished, whenever it is cut short.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::Poll;

use kaiwa_domain::port::{Erasure, Memories, Recall, Snapshots, Store, Webhooks};
use kaiwa_domain::{
    Audience, ChannelId, DataSubject, ExportCell, FactSource, GuildId, MessageId, NewFact, Note,
    PersonaId, PromptSection, PromptSnapshot, Scope, Timestamp, Turn, TurnId, TurnState, UserId,
    WebhookHandle, WebhookId,
};
use kaiwa_store::{OpenError, Sqlite};
use tempfile::TempDir;

const CANARY: &str = "canary-kiwi-7281";
const HOME: Scope = Scope::Guild(GuildId::new(7));
const ADA: UserId = UserId::new(30);
const CHANNEL: ChannelId = ChannelId::new(20);
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn new_folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaiwa.db");
    (folder, path)
}

fn fact(text: &str) -> NewFact {
    NewFact {
        scope: HOME,
        about: Some(ADA),
        audience: Audience::Scope,
        author: None,
        source: FactSource::Operator,
        channel: None,
        message: None,
        text: text.to_owned(),
        learned_at: NOW,
        expires_at: None,
    }
}

fn turn() -> TurnId {
    TurnId::of_message(MessageId::new(1))
}

/// A fact, a note and a snapshot with the canary in each.
async fn fill(store: &Sqlite) {
    store.remember(&fact(CANARY)).await.unwrap();
    let note = Note {
        scope: HOME,
        channel: CHANNEL,
        persona: kaiwa_domain::PersonaId::MAIN,
        people: vec![ADA],
        text: format!("noted {CANARY}"),
        at: NOW,
        expires_at: Timestamp::from_millis(i64::MAX),
    };
    store.take_note(&note).await.unwrap();
    let snapshot = PromptSnapshot {
        turn: turn(),
        scope: HOME,
        channel: CHANNEL,
        people: vec![ADA],
        at: NOW,
        sections: vec![PromptSection {
            title: "memory".to_owned(),
            text: format!("told {CANARY}"),
            tokens: 3,
        }],
    };
    store.save_snapshot(&snapshot).await.unwrap();
}

/// How many of the three can be read.
async fn count_readable(store: &Sqlite) -> usize {
    let facts = store.facts(HOME).await.unwrap();
    let notes = store.notes(HOME, CHANNEL, NOW).await.unwrap();
    let told = store.snapshot(turn()).await.unwrap();
    facts.iter().filter(|it| it.learned.text == CANARY).count()
        + notes.iter().filter(|it| it.text.contains(CANARY)).count()
        + told.map_or(0, |it| usize::from(it.sections[0].text.contains(CANARY)))
}

/// The files of a folder that hold these bytes.
fn holding(folder: &Path, bytes: &[u8]) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let holding = files.filter(|entry| {
        let content = fs::read(entry.path()).unwrap();
        content.windows(bytes.len()).any(|window| window == bytes)
    });
    holding
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

#[tokio::test]
async fn no_memory_reaches_the_disk_as_it_is() {
    let (folder, path) = new_folder();
    let store = Sqlite::open(&path).await.unwrap();
    fill(&store).await;
    let recall = Recall {
        scope: HOME,
        channel: CHANNEL,
        asker: ADA,
        query: CANARY,
        limit: 5,
        now: NOW,
    };
    assert_eq!(store.recall(&recall).await.unwrap().len(), 1);
    // The control: what is not sealed is found.
    let asked = Turn {
        id: turn(),
        scope: HOME,
        channel: CHANNEL,
        asker: ADA,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: NOW,
    };
    store.admit(&asked, Some("control-plum-1")).await.unwrap();
    let nowhere: Vec<String> = Vec::new();
    assert_eq!(holding(folder.path(), CANARY.as_bytes()), nowhere);
    assert_eq!(holding(folder.path(), b"control-plum-1"), ["kaiwa.db-wal"]);
    store.close().await.unwrap();
    assert_eq!(holding(folder.path(), CANARY.as_bytes()), nowhere);
    assert_eq!(holding(folder.path(), b"control-plum-1"), ["kaiwa.db"]);

    // What is erased is not in the file any more, either.
    let store = Sqlite::open(&path).await.unwrap();
    store.erase(DataSubject::User(ADA), NOW).await.unwrap();
    assert_eq!(holding(folder.path(), b"control-plum-1"), nowhere);
    store.close().await.unwrap();
    assert_eq!(holding(folder.path(), b"control-plum-1"), nowhere);
}

#[tokio::test]
async fn a_missing_or_wrong_key_is_named_and_none_is_made() {
    let (folder, path) = new_folder();
    let key = folder.path().join("memory.key");
    Sqlite::open(&path).await.unwrap().close().await.unwrap();

    // Nothing is sealed yet: another key will do.
    fs::remove_file(&key).unwrap();
    let store = Sqlite::open(&path).await.unwrap();
    fill(&store).await;
    store.close().await.unwrap();
    let whole = fs::read(&path).unwrap();
    let right = fs::read(&key).unwrap();

    fs::remove_file(&key).unwrap();
    let refused = Sqlite::open(&path).await.unwrap_err();
    let (path_, database) = (key.clone(), path.clone());
    let missing = OpenError::KeyMissing {
        path: path_,
        database,
    };
    assert_eq!(refused, missing);
    assert!(refused.to_string().contains("memory.key"), "{refused}");
    assert!(!key.exists(), "no key is made up");

    let (other_folder, other) = new_folder();
    Sqlite::open(&other).await.unwrap().close().await.unwrap();
    let another = other_folder.path().join("memory.key");
    fs::copy(&another, &key).unwrap();
    let refused = Sqlite::open(&path).await.unwrap_err();
    assert!(matches!(refused, OpenError::KeyWrong { .. }), "{refused}");
    assert_eq!(fs::read(&key).unwrap(), fs::read(&another).unwrap());

    for garbled in ["", "1 00", "not a key at all"] {
        fs::write(&key, garbled).unwrap();
        let refused = Sqlite::open(&path).await.unwrap_err();
        let unreadable = matches!(refused, OpenError::KeyUnreadable { .. });
        assert!(unreadable, "{garbled:?}: {refused}");
    }
    assert_eq!(fs::read(&path).unwrap(), whole, "refusing changes nothing");

    fs::write(&key, right).unwrap();
    let store = Sqlite::open(&path).await.unwrap();
    assert_eq!(count_readable(&store).await, 3);
}

/// Polls a future so often and drops it. True if it was done by then.
async fn run_for<T>(polls: usize, future: impl Future<Output = T>) -> bool {
    let mut future = pin!(future);
    let mut left = polls;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        future.as_mut().poll(context).map(|_| true)
    })
    .await
}

#[tokio::test]
async fn a_change_of_keys_that_is_cut_short_anywhere_loses_nothing() {
    let mut polls = 0;
    loop {
        let (folder, path) = new_folder();
        let store = Sqlite::open(&path).await.unwrap();
        fill(&store).await;
        let key = || fs::read_to_string(folder.path().join("memory.key")).unwrap();
        let before = key();
        let done = run_for(polls, store.rotate_key()).await;
        // Another process takes over from what is on disk.
        let _ = store.close().await;
        drop(store);
        let store = Sqlite::open(&path).await.unwrap();
        assert_eq!(count_readable(&store).await, 3, "after {polls} polls");
        let keys = key().lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(keys, 1, "after {polls} polls");
        assert!(!done || key() != before);
        if done {
            assert!(polls > 10, "it was cut in few places only");
            assert!(store.rotate_key().await.unwrap() == 3);
            return;
        }
        polls += 1;
    }
}

#[tokio::test]
async fn the_old_key_opens_nothing_once_keys_have_changed() {
    let (folder, path) = new_folder();
    let key = folder.path().join("memory.key");
    let store = Sqlite::open(&path).await.unwrap();
    fill(&store).await;
    let old = fs::read(&key).unwrap();
    assert_eq!(store.rotate_key().await, Ok(3));
    assert_eq!(count_readable(&store).await, 3);
    store.close().await.unwrap();
    fs::write(&key, old).unwrap();
    let refused = Sqlite::open(&path).await.unwrap_err();
    assert!(matches!(refused, OpenError::KeyWrong { .. }), "{refused}");
}

#[tokio::test]
async fn the_token_of_a_webhook_is_sealed_and_shown_in_no_export() {
    let (folder, path) = new_folder();
    let store = Sqlite::open(&path).await.unwrap();
    let webhook = WebhookHandle::new(WebhookId::new(u64::MAX), CANARY.to_owned());
    let channel = ChannelId::new(u64::MAX - 1);
    let kept = store.keep_webhook(HOME, channel, &webhook, NOW);
    kept.await.unwrap();
    store.rotate_key().await.unwrap();
    assert_eq!(store.webhook(HOME, channel).await, Ok(Some(webhook)));
    let Scope::Guild(home) = HOME else {
        panic!("not a guild");
    };
    let export = store.export(DataSubject::Guild(home)).await.unwrap();
    assert!(!export.tables.is_empty());
    assert!(!format!("{export:?}").contains(CANARY));
    store.close().await.unwrap();
    assert!(holding(folder.path(), CANARY.as_bytes()).is_empty());
    fs::remove_file(folder.path().join("memory.key")).unwrap();
    let missing = Sqlite::open(&path).await;
    assert!(matches!(missing, Err(OpenError::KeyMissing { .. })));
}

#[tokio::test]
async fn an_erasure_that_is_cut_short_anywhere_is_finished_or_never_began() {
    let (mut polls, mut begun) = (0, 0);
    loop {
        let (_folder, path) = new_folder();
        let store = Sqlite::open(&path).await.unwrap();
        fill(&store).await;
        let done = run_for(polls, store.erase(DataSubject::User(ADA), NOW)).await;
        let _ = store.close().await;
        drop(store);
        let store = Sqlite::open(&path).await.unwrap();
        let left = count_readable(&store).await;
        assert!(
            left == 0 || left == 3,
            "{left} are left after {polls} polls"
        );
        assert!(!done || left == 0);
        begun += usize::from(left == 0 && !done);
        if done {
            assert!(begun > 10, "it was cut in few places only");
            return;
        }
        polls += 1;
    }
}

/// Otherwise a turn, which waits for a moment only, would never know anything
/// in a scope with many facts.
#[tokio::test]
async fn a_search_that_is_cut_short_goes_on_where_it_was() {
    let (_folder, path) = new_folder();
    let store = Sqlite::open(&path).await.unwrap();
    for number in 0..400 {
        let mut fact = fact(&format!("{CANARY} {number}"));
        fact.about = None;
        store.remember(&fact).await.unwrap();
    }
    let recall = Recall {
        scope: HOME,
        channel: CHANNEL,
        asker: ADA,
        query: "kiwi",
        limit: 500,
        now: NOW,
    };
    let mut rounds = 0;
    while !run_for(100, store.recall(&recall)).await {
        rounds += 1;
        assert!(rounds < 100, "it begins anew each time");
    }
    assert!(rounds > 1, "it was not cut short");
    assert_eq!(store.recall(&recall).await.unwrap().len(), 400);
}

#[tokio::test]
async fn an_export_shows_what_is_sealed() {
    let (_folder, path) = new_folder();
    let store = Sqlite::open(&path).await.unwrap();
    fill(&store).await;
    for subject in [DataSubject::User(ADA), DataSubject::Guild(GuildId::new(7))] {
        let export = store.export(subject).await.unwrap();
        let names: Vec<_> = export.tables.iter().map(|table| &*table.name).collect();
        assert_eq!(names, ["fact", "note", "snapshot"]);
        for table in &export.tables {
            let [row] = &*table.rows else {
                panic!("{table:?}");
            };
            assert_eq!(row.len(), table.columns.len());
            let shown =
                |cell: &ExportCell| matches!(cell, ExportCell::Text(text) if text.contains(CANARY));
            assert!(row.iter().any(shown), "{table:?}");
        }
    }
    let nobody = DataSubject::User(UserId::new(1));
    assert!(store.export(nobody).await.unwrap().tables.is_empty());
}
