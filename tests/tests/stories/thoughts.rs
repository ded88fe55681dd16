//! What the model thought, told in a channel of the server's choice.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Persona, Rights};
use kaiwa_e2e::story::{SentMessage, Story};
use serde_json::{Value, json};

/// A tea house where people read in `random` what was thought.
async fn logged() -> Story {
    let mut story = Story::without_bot().await;
    // What a million tokens cost, in millionths of a dollar.
    story.gets_price(1_000_000, 2_000_000);
    story.bot_starts().await;
    tells_in(&story, "random").await;
    story
}

async fn tells_in(story: &Story, channel: &str) {
    let id = story.channel_id(channel);
    story.sets("Tea House", SettingKey::ThoughtLog, &id).await;
}

/// The model thinks, and answers.
async fn answers(story: &mut Story, question: &str, thought: &str, text: &str) {
    let mut call = story.model.is_told(question).await;
    call.thinks(thought).await;
    call.says(text).await;
    call.spends(1000, 500).await;
    call.ends().await;
}

/// The next page of the log.
async fn page(story: &mut Story) -> (SentMessage, Value) {
    let told = story.sees_something("random", "thoughts").await;
    assert_eq!(told.text, "");
    let whole = story.message(&told).await;
    let page = whole["embeds"][0].clone();
    (told, page)
}

#[tokio::test]
async fn what_was_thought_is_told_with_a_link_the_model_the_seconds_and_the_cost() {
    let mut story = logged().await;
    let ada = story.id_of("Ada");
    story.ada().says("general", "@Kaiwa tea or coffee?").await;
    let thought = format!("Ask <@{ada}> and @everyone. ");
    let text = "<think>Or both.</think>Tea.";
    answers(&mut story, "tea or coffee?", &thought, text).await;
    let answer = story.sees("general", "Tea.").await;
    let (told, page) = page(&mut story).await;
    assert_eq!(page["title"], "💭 Kaiwa");
    assert_eq!(page["description"], format!("{thought}Or both."));
    let guild = &story.ready().guild_id;
    let link = format!(
        "https://discord.com/channels/{guild}/{}/{}",
        story.channel_id("general"),
        answer.id
    );
    assert_eq!(page["url"], *link);
    let footer = page["footer"]["text"].as_str().unwrap();
    assert!(footer.ends_with(" s · $0.002"), "{footer}");
    let model = format!("{} · ", story.model.base_url());
    assert!(footer.starts_with(&model), "{footer}");
    let seen = story.message(&told).await;
    assert_eq!(seen["mentions"], json!([]), "it pings nobody");
    assert_eq!(seen["mention_everyone"], false);
    story.bot_is_done().await;

    // The model does not take it for its words.
    story.ada().says("random", "@Kaiwa what is this?").await;
    let call = story.model.is_told("what is this?").await;
    assert!(!call.request().to_string().contains("Or both."));
    call.answers("A log.").await;
    story.sees("random", "A log.").await;
}

#[tokio::test]
async fn a_persona_has_its_name_there_and_endless_thoughts_an_end() {
    let mut story = logged().await;
    let mina = Persona {
        name: "Mina".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    story.ada().says("general", "Mina, think hard!").await;
    let endless = "Round and round. ".repeat(2000);
    answers(&mut story, "think hard!", &endless, "Done.").await;
    story.sees("general", "Done.").await;
    let mut last = String::new();
    for _ in 0..3 {
        let (_, page) = page(&mut story).await;
        assert_eq!(page["title"], "💭 Mina");
        last = page["description"].as_str().unwrap().to_owned();
        assert!(last.encode_utf16().count() <= 4096);
    }
    assert!(last.ends_with('…'), "{last}");
    story.bot_is_done().await;
    story.ada().says("general", "Mina, more?").await;
    answers(&mut story, "more?", "No.", "No more.").await;
    story.sees("general", "No more.").await;
    let (_, page) = page(&mut story).await;
    assert_eq!(page["description"], "No.", "nothing came in between");
}

#[tokio::test]
async fn thoughts_of_what_not_everybody_reads_are_not_told() {
    let mut story = logged().await;
    let view = Rights::VIEW_CHANNEL;
    // Hidden from one person.
    story.ada().forbids("code", "Ben", view).await;
    // Hidden from all but a few.
    story.ada().allows("staff", "Kaiwa", view).await;
    let thread = story.ada().opens_private_thread("general", "us two").await;
    let secret = "A secret.";
    for channel in ["code", "staff", thread.as_str()] {
        story.ada().says(channel, "@Kaiwa what is it?").await;
        answers(&mut story, "what is it?", secret, "It is this.").await;
        story.sees(channel, "It is this.").await;
        story.bot_is_done().await;
    }
    // Between two.
    let general = story.channel_id("random");
    story
        .sets_for_whispers_of("Ada", SettingKey::ThoughtLog, &general)
        .await;
    let whisper = story.ada().whispers("what is it?").await;
    answers(&mut story, "what is it?", secret, "It is this.").await;
    story.sees_something(&whisper.channel, "It is this.").await;
    story.bot_is_done().await;

    // What everybody reads comes next.
    story.ada().says("general", "@Kaiwa and now?").await;
    answers(&mut story, "and now?", "In the open.", "Now.").await;
    story.sees("general", "Now.").await;
    let (_, told) = page(&mut story).await;
    assert_eq!(told["description"], "In the open.");
    story.bot_is_done().await;

    // From now on nobody but a few reads that either.
    story.ada().allows("general", "Kaiwa", view).await;
    story.ada().hides("general").await;
    // Overwrites are remembered for a moment.
    story.lets_pass(Duration::from_secs(3)).await;
    // A channel of another guild is no place for thoughts of this one.
    let elsewhere = story.channel_id("Reading Room/general");
    story.ada().says("general", "@Kaiwa hidden?").await;
    answers(&mut story, "hidden?", secret, "Yes.").await;
    story.sees("general", "Yes.").await;
    story.bot_is_done().await;
    let place = "Tea House/random";
    story.sets(place, SettingKey::ThoughtLog, &elsewhere).await;
    story.ada().says("random", "@Kaiwa far away?").await;
    answers(&mut story, "far away?", secret, "Yes.").await;
    story.sees("random", "Yes.").await;
    story.bot_is_done().await;
    story.sets(place, SettingKey::ThoughtLog, "none").await;
    story.ada().says("random", "@Kaiwa off?").await;
    answers(&mut story, "off?", secret, "Off.").await;
    story.sees("random", "Off.").await;
    story.bot_stops().await;
    for channel in ["random", "Reading Room/general"] {
        let said = story.transcript(channel);
        assert!(!said.contains(secret), "{channel}: {said}");
    }
    let pages = story.events("MESSAGE_CREATE");
    let pages = pages
        .iter()
        .filter(|it| it["embeds"][0]["title"].is_string());
    assert_eq!(pages.count(), 1);
}

#[tokio::test]
async fn nobody_is_told_without_a_channel() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa tea?").await;
    answers(&mut story, "tea?", "Hm.", "Tea.").await;
    story.sees("general", "Tea.").await;
    story.bot_is_done().await;
    tells_in(&story, "random").await;
    story.ada().says("general", "@Kaiwa cake?").await;
    answers(&mut story, "cake?", "Sweet.", "Cake.").await;
    story.sees("general", "Cake.").await;
    let (_, told) = page(&mut story).await;
    assert_eq!(told["description"], "Sweet.", "and nothing before it");
}

#[tokio::test]
async fn thoughts_are_told_once_over_a_restart() {
    let mut story = logged().await;
    let path = format!("channels/{}/messages", story.channel_id("random"));
    let held = story.faults().hold(axum::http::Method::POST, &path);
    story.ada().says("general", "@Kaiwa tea?").await;
    answers(&mut story, "tea?", "Hm.", "Tea.").await;
    story.sees("general", "Tea.").await;
    held.arrived(1).await;
    let stopped = story.bot_is_asked_to_stop();
    held.release();
    stopped.await;
    story.bot_starts().await;
    let (_, told) = page(&mut story).await;
    assert_eq!(told["description"], "Hm.");
    story.ada().says("general", "@Kaiwa cake?").await;
    answers(&mut story, "cake?", "Sweet.", "Cake.").await;
    story.sees("general", "Cake.").await;
    let (_, told) = page(&mut story).await;
    assert_eq!(told["description"], "Sweet.", "nothing came twice");
}
