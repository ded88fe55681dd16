//! Edits that come twice, late, or in another order than they were made.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{SettingsStore, Store};
use kaiwa_domain::settings::{SettingKey, SettingPlace, StoredSetting};
use kaiwa_domain::{Event, Message, Timestamp};

use super::dispatching::{dispatch, take, world};
use super::world::World;
use crate::Tasks;
use crate::dispatch::Dispatch;

/// A world in which whatever is edited in time is answered again.
async fn attentive() -> World {
    let world = world(false);
    let setting = StoredSetting {
        scope: world.question.scope,
        place: SettingPlace::Guild,
        name: SettingKey::EditedQuestion.name().to_owned(),
        value: "regenerate".to_owned(),
        changed_by: None,
        changed_at: Timestamp::from_millis(0),
    };
    world.store.set(&setting).await.unwrap();
    world
}

/// The question as it was edited so many seconds after it was asked.
fn edited(world: &World, after: i64) -> Event {
    let asked = world.question.id.created_at().as_millis();
    Event::Edited(Message {
        text: format!("<@1> count, edited after {after} s"),
        edited_at: Some(Timestamp::from_millis(asked + after * 1000)),
        ..world.question.clone()
    })
}

fn asked(world: &World) -> Event {
    Event::Message(world.question.clone())
}

fn deleted(world: &World) -> Event {
    Event::Deleted {
        scope: world.question.scope,
        channel: world.question.channel,
        messages: vec![world.question.id],
    }
}

/// Another process, which knows what is journalled.
fn process(world: &World) -> (Dispatch, Tasks) {
    dispatch(&Arc::new(world.bot()))
}

/// How often the question was admitted.
async fn takes(world: &World) -> u16 {
    let question = &world.question;
    let latest = world.store.latest_turn(question.scope, question.id).await;
    latest.unwrap().map_or(0, |turn| turn.id.take + 1)
}

#[tokio::test]
async fn an_edit_that_comes_after_a_newer_one_is_passed_over() {
    let world = attentive().await;
    let (mut dispatch, _tasks) = process(&world);
    for (event, expect) in [
        (asked(&world), 1),
        (edited(&world, 20), 2),
        (edited(&world, 10), 2),
        (edited(&world, 20), 2),
        (edited(&world, 30), 3),
    ] {
        take(&mut dispatch, event).await;
        assert_eq!(takes(&world).await, expect);
    }
}

#[tokio::test]
async fn an_edit_that_comes_after_the_deletion_is_passed_over() {
    let world = attentive().await;
    let (mut dispatch, _tasks) = process(&world);
    for event in [asked(&world), deleted(&world), edited(&world, 10)] {
        take(&mut dispatch, event).await;
        assert_eq!(takes(&world).await, 1);
    }
}

/// The question was the edited one from the start.
#[tokio::test]
async fn an_edit_that_came_first_asks_nothing_when_it_comes_again() {
    let world = attentive().await;
    let (mut dispatch, _tasks) = process(&world);
    take(&mut dispatch, edited(&world, 10)).await;
    assert_eq!(takes(&world).await, 0);
    for event in [asked(&world), edited(&world, 10)] {
        take(&mut dispatch, event).await;
        assert_eq!(takes(&world).await, 1);
    }
    let (mut dispatch, _tasks) = process(&world);
    for event in [edited(&world, 10), asked(&world), edited(&world, 10)] {
        take(&mut dispatch, event).await;
        assert_eq!(takes(&world).await, 1);
    }
    take(&mut dispatch, edited(&world, 20)).await;
    assert_eq!(takes(&world).await, 2, "another edit is another question");
}

/// As where a channel is read after a restart, and the edit is replayed.
#[tokio::test]
async fn a_question_that_comes_again_as_it_is_now_is_no_answer_to_its_edit() {
    let world = attentive().await;
    let (mut dispatch, _tasks) = process(&world);
    take(&mut dispatch, asked(&world)).await;
    let (mut dispatch, _tasks) = process(&world);
    let Event::Edited(read) = edited(&world, 10) else {
        unreachable!("it is an edit");
    };
    for (event, expect) in [
        (Event::Message(read), 1),
        (edited(&world, 10), 2),
        (edited(&world, 10), 2),
    ] {
        take(&mut dispatch, event).await;
        assert_eq!(takes(&world).await, expect);
    }
}

#[tokio::test]
async fn an_edit_is_in_time_by_when_it_was_made() {
    const MINUTE: Duration = Duration::from_secs(60);
    for (after, heard, again) in [
        (59, MINUTE, true),
        (59, 5 * MINUTE, true),
        (61, 2 * MINUTE, false),
        // Our clock may be behind.
        (61, Duration::ZERO, false),
        // Nobody waits for that any more.
        (59, 12 * MINUTE, false),
    ] {
        let world = attentive().await;
        let (mut dispatch, _tasks) = process(&world);
        take(&mut dispatch, asked(&world)).await;
        // What is answered already is not stopped.
        let (mut dispatch, _tasks) = process(&world);
        world.clock.advance(heard);
        take(&mut dispatch, edited(&world, after)).await;
        let expect = if again { 2 } else { 1 };
        assert_eq!(takes(&world).await, expect, "{after} s, heard {heard:?}");
    }
}

/// Signs come and go below whatever people say.
#[tokio::test]
async fn a_sign_that_goes_where_nothing_was_asked_is_not_written_down() {
    let world = attentive().await;
    let (mut dispatch, _tasks) = process(&world);
    let gone = |emoji: Option<&str>| Event::Unreacted {
        scope: world.question.scope,
        message: world.question.id,
        user: None,
        emoji: emoji.map(str::to_owned),
    };
    for (event, expect) in [
        (gone(None), 0),
        (gone(Some("\u{1f501}")), 0),
        (asked(&world), 0),
        (gone(Some("\u{1f44d}")), 0),
        (gone(Some("\u{1f501}")), 1),
        (gone(None), 2),
    ] {
        take(&mut dispatch, event).await;
        assert_eq!(world.store.withdrawals(), expect);
    }
}
