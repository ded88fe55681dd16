//! What was done, told to moderators in a channel of their own.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use kaiwa_domain::Rights;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;
use serde_json::json;

/// A court whose moderators read in the hall what was done.
async fn logged() -> Story {
    let story = Story::at_court().await;
    let hall = story.channel_id("hall");
    story
        .sets("Court", SettingKey::ActionLogChannel, &hall)
        .await;
    story
}

#[tokio::test]
async fn moderators_read_what_was_done_and_what_was_not_allowed() {
    let mut story = logged().await;
    let (gus, pip, general) = (
        story.id_of("Gus"),
        story.id_of("Pip"),
        story.channel_id("general"),
    );
    let mut screen = story.screen_of("Gus").await;
    let options = json!({"user": pip, "reason": "tea"});
    let person = story.somebody("Gus");
    person
        .uses_and_approves(&mut screen, "general", "kick", options)
        .await;
    let line = story.sees_something("hall", "what was done").await;
    let about = format!("✅ **kick** for <@{gus}> in <#{general}> `");
    assert!(line.text.starts_with(&about), "{}", line.text);
    assert!(line.text.contains(&pip), "{}", line.text);
    let seen = story.events("MESSAGE_CREATE");
    let seen = seen.iter().find(|it| it["id"] == *line.id).unwrap();
    assert_eq!(seen["mentions"], json!([]), "it pings nobody");

    // What the bot may not do is told as well.
    let olga = story.somebody("Olga");
    olga.forbids("general", "Kaiwa", Rights::MANAGE_CHANNELS)
        .await;
    let gus = story.somebody("Gus");
    gus.uses("general", "slowmode", json!({"wait": "10s"}))
        .await;
    screen.sees_answer().await;
    let line = story.sees_something("hall", "what was not allowed").await;
    assert!(line.text.starts_with("⛔ **slowmode** "), "{}", line.text);

    let mut caras = story.screen_of("Cara").await;
    let cara = story.somebody("Cara");
    // What only she sees concerns nobody else.
    cara.uses("general", "privacy opt-out", json!({})).await;
    caras.sees_answer().await;
    // What all see does.
    cara.uses("general", "refresh", json!({})).await;
    caras.sees_answer().await;
    let line = story.sees_something("hall", "what was done").await;
    assert!(line.text.starts_with("✅ **refresh** for"), "{}", line.text);
}

#[tokio::test]
async fn what_was_done_is_told_once_over_a_restart() {
    let mut story = logged().await;
    let mut screen = story.screen_of("Gus").await;
    let held = story.faults().hold(axum::http::Method::POST, "/messages");
    let gus = story.somebody("Gus");
    gus.uses("general", "slowmode", json!({"wait": "10s"}))
        .await;
    screen.sees_answer().await;
    held.arrived(1).await;
    let stopped = story.bot_is_asked_to_stop();
    held.release();
    stopped.await;
    story.bot_starts().await;
    let line = story.sees_something("hall", "what was done").await;
    assert!(line.text.contains("**slowmode**"), "{}", line.text);
    // Another one comes after it: nothing came in between.
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    gus.uses("general", "slowmode", json!({"wait": "0s"})).await;
    screen.sees_answer().await;
    let next = story.sees_something("hall", "what was done").await;
    assert!(next.text.contains("0s"), "{}", next.text);
}

#[tokio::test]
async fn without_a_channel_nobody_is_told() {
    let mut story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    gus.uses("general", "slowmode", json!({"wait": "10s"}))
        .await;
    screen.sees_answer().await;
    // From now on they are.
    let hall = story.channel_id("hall");
    story
        .sets("Court", SettingKey::ActionLogChannel, &hall)
        .await;
    let gus = story.somebody("Gus");
    gus.uses("general", "slowmode", json!({"wait": "0s"})).await;
    screen.sees_answer().await;
    let line = story.sees_something("hall", "what was done").await;
    assert!(line.text.contains("0s"), "{}", line.text);
}

/// Whoever sets the channel of one guild must not reach into another.
#[tokio::test]
async fn another_guild_reads_nothing_of_what_was_done() {
    let mut story = Story::begin().await;
    let strange = story.channel_id("Reading Room/general");
    story
        .sets("Tea House", SettingKey::ActionLogChannel, &strange)
        .await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", "refresh", json!({})).await;
    screen.sees_answer().await;
    let ours = story.channel_id("random");
    story
        .sets("Tea House", SettingKey::ActionLogChannel, &ours)
        .await;
    story.ada().uses("general", "refresh", json!({})).await;
    screen.sees_answer().await;
    let line = story.sees_something("random", "what was done").await;
    assert!(line.text.starts_with("✅ **refresh**"), "{}", line.text);
    assert_eq!(story.transcript("Reading Room/general"), "");
}
