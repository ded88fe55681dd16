//! Reminders: set in words and by command, told once, over restarts.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use kaiwa_domain::Rights;
use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);

/// What somebody is shown for a command.
async fn reads(story: &Story, name: &str, command: &str, options: Value) -> String {
    let mut screen = story.screen_of(name).await;
    let person = match name {
        "Ada" => story.ada(),
        _ => story.ben(),
    };
    person.uses("general", command, options).await;
    let told = screen.sees_answer().await;
    // Nobody else sees it.
    assert_eq!(told["flags"].as_u64().unwrap() & 64, 64);
    told["content"].as_str().unwrap().to_owned()
}

fn mention(story: &Story, name: &str) -> String {
    let user = story.ready().users.iter().find(|it| it.name == name);
    format!("<@{}>", user.unwrap().id)
}

#[tokio::test]
async fn a_reminder_by_command_comes_in_time_and_once() {
    let mut story = Story::begin().await;
    let ada = mention(&story, "Ada");
    let tea = json!({"when": "in 5 minutes", "text": "tea"});
    let told = reads(&story, "Ada", "remind", tea).await;
    assert!(told.starts_with("I will remind you <t:"), "{told}");
    let listed = reads(&story, "Ada", "reminders list", json!({})).await;
    assert!(
        listed.contains("#1 <t:") && listed.ends_with(": tea"),
        "{listed}"
    );
    let none = reads(&story, "Ben", "reminders list", json!({})).await;
    assert_eq!(none, "You have not set any reminders here.");
    story.bot_is_done().await;
    story.clock.passes(5 * MINUTE);
    story.sees("general", &format!("⏰ {ada} tea")).await;
    story.bot_is_done().await;
    let none = reads(&story, "Ada", "reminders list", json!({})).await;
    assert_eq!(none, "You have not set any reminders here.");
    let said = story.transcript("general");
    assert_eq!(said.matches('⏰').count(), 1, "{said}");
}

/// Nobody speaks through us where they could not.
#[tokio::test]
async fn who_may_no_longer_write_is_not_reminded_there() {
    let mut story = Story::begin().await;
    let writes = Rights::SEND_MESSAGES;
    let tea = json!({"when": "in 5 minutes", "text": "tea"});
    let told = reads(&story, "Ben", "remind", tea.clone()).await;
    assert!(told.starts_with("I will remind you"), "{told}");
    story.bot_is_done().await;
    story.ada().forbids("general", "Ben", writes).await;
    story.clock.passes(5 * MINUTE);
    // What is due is done in order.
    let told = reads(&story, "Ada", "remind", tea).await;
    assert!(told.starts_with("I will remind you"), "{told}");
    story.bot_is_done().await;
    story.clock.passes(5 * MINUTE);
    let ada = mention(&story, "Ada");
    story.sees("general", &format!("⏰ {ada} tea")).await;
    story.bot_is_done().await;
    let said = story.transcript("general");
    assert_eq!(said.matches('⏰').count(), 1, "{said}");
}

#[tokio::test]
async fn the_model_sets_a_reminder_for_who_asks() {
    let mut story = Story::begin().await;
    let ben = mention(&story, "Ben");
    let asked = "@Kaiwa remind me of the tea in 5 minutes";
    story.ben().says("general", asked).await;
    let call = story.model.is_asked(&format!("Ben: {asked}")).await;
    let arguments = r#"{"when": "in 5 minutes", "text": "the tea"}"#;
    call.waits_for(&[("remind", arguments)]).await;
    let call = story.model.is_told("| set for ").await;
    call.answers("I will.").await;
    story.sees("general", "I will.").await;
    story.bot_is_done().await;
    story.clock.passes(5 * MINUTE);
    story.sees("general", &format!("⏰ {ben} the tea")).await;
}

#[tokio::test]
async fn what_came_due_while_the_bot_was_away_is_told_late() {
    let mut story = Story::begin().await;
    let ada = mention(&story, "Ada");
    let tea = json!({"when": "in 1 minute", "text": "tea"});
    reads(&story, "Ada", "remind", tea).await;
    story.bot_stops().await;
    story.clock.passes(5 * MINUTE);
    story.bot_starts().await;
    let said = story.sees_something("general", "⏰").await;
    let late = format!("⏰ {ada} tea\n-# This was due <t:");
    assert!(said.text.starts_with(&late), "{}", said.text);
    story.bot_is_done().await;
    story.bot_stops().await;
    story.bot_starts().await;
    let none = reads(&story, "Ada", "reminders list", json!({})).await;
    assert_eq!(none, "You have not set any reminders here.");
    let said = story.transcript("general");
    assert_eq!(said.matches('⏰').count(), 1, "{said}");
}

#[tokio::test]
async fn what_recurs_comes_again() {
    let mut story = Story::begin().await;
    let line = format!("⏰ {} stretch", mention(&story, "Ada"));
    let stretch = json!({"when": "every 2 hours", "text": "stretch"});
    let told = reads(&story, "Ada", "remind", stretch).await;
    let again = "I will remind you again and again";
    assert!(told.starts_with(again), "{told}");
    for _ in 0..3 {
        story.bot_is_done().await;
        story.clock.passes(120 * MINUTE);
        story.sees("general", &line).await;
    }
}

#[tokio::test]
async fn what_was_taken_back_does_not_come() {
    let story = Story::begin().await;
    let tea = json!({"when": "in 5 minutes", "text": "tea"});
    reads(&story, "Ada", "remind", tea).await;
    // It is hers alone.
    let number = json!({"reminder": "1"});
    let theirs = reads(&story, "Ben", "reminders delete", number.clone()).await;
    assert_eq!(theirs, "You have no such reminder here.");
    let gone = reads(&story, "Ada", "reminders delete", number).await;
    assert_eq!(gone, "I will not remind you of that.");
    story.bot_is_done().await;
    story.clock.passes(6 * MINUTE);
    let none = reads(&story, "Ada", "reminders list", json!({})).await;
    assert_eq!(none, "You have not set any reminders here.");
    let said = story.transcript("general");
    assert!(!said.contains('⏰'), "{said}");
}

#[tokio::test]
async fn a_stop_does_not_take_a_reminder_along() {
    let mut story = Story::begin().await;
    let line = format!("⏰ {} tea", mention(&story, "Ada"));
    reads(
        &story,
        "Ada",
        "remind",
        json!({"when": "10s", "text": "tea"}),
    )
    .await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("one\ntwo").await;
    story.sees("general", "one").await;
    // Due while she is being answered: it waits for its turn.
    story.clock.passes(Duration::from_secs(10));
    reads(&story, "Ada", "stop", json!({})).await;
    answer.is_cancelled().await;
    story.sees("general", &line).await;
}

#[tokio::test]
async fn what_is_to_be_answered_is_answered_when_it_is_due() {
    let mut story = Story::begin().await;
    let task = json!({"when": "in 10 minutes", "text": "wish us a good night", "answer": true});
    reads(&story, "Ada", "remind", task).await;
    story.bot_is_done().await;
    story.clock.passes(10 * MINUTE);
    let call = story.model.is_told("wish us a good night").await;
    call.answers("Good night!").await;
    story.sees("general", "Good night!").await;
}

#[tokio::test]
async fn what_cannot_be_set_is_refused_with_a_reason() {
    let story = Story::begin().await;
    for (options, expected) in [
        (
            json!({"when": "soon", "text": "tea"}),
            "when: write it like",
        ),
        (
            json!({"when": "2020-01-01", "text": "tea"}),
            "when: that has been",
        ),
        (
            json!({"when": "every 5 minutes", "text": "tea"}),
            "when: nothing is repeated more often",
        ),
        (json!({"when": "1h", "text": " "}), "text: write something"),
        (
            json!({"when": "1h", "text": "tea", "zone": "Mars"}),
            "zone: no time zone is called",
        ),
    ] {
        let told = reads(&story, "Ada", "remind", options).await;
        assert!(told.starts_with("That does not fit: "), "{told}");
        assert!(told.contains(expected), "{told}");
    }
}

#[tokio::test]
async fn nobody_has_more_reminders_than_fit() {
    let mut story = Story::begin().await;
    let mut told = String::new();
    for round in 0..6 {
        let asked = format!("@Kaiwa some more {round}");
        story.ada().says("general", &asked).await;
        let call = story.model.is_asked(&format!("Ada: {asked}")).await;
        let wanted: Vec<String> = (0..5)
            .map(|number| format!(r#"{{"when": "1h", "text": "tea {round} {number}"}}"#))
            .collect();
        let calls: Vec<(&str, &str)> = wanted.iter().map(|it| ("remind", it.as_str())).collect();
        call.waits_for(&calls).await;
        let call = story.model.is_told("").await;
        told = call.last();
        call.answers("Done.").await;
        story.sees("general", "Done.").await;
        story.bot_is_done().await;
    }
    assert!(told.contains("they have 25 reminders already"), "{told}");
}
