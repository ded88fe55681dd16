//! No secret leaves the places where it is used: with keys and tokens that can
//! be told from everything else, a conversation is held that uses them all, and
//! logs, prompts, pages, exports and the database are searched for them.
//!
//! Every other story is searched too when it ends, and here is shown that it
//! fails if something is found.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use axum::http::{Method, StatusCode};
use kaiwa_domain::Persona;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::canary::Canary;
use kaiwa_e2e::log::CapturedLog;
use kaiwa_e2e::story::Story;
use serde_json::json;

const KEY: &str = "sk-canary-0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn no_secret_is_in_a_log_a_prompt_a_page_an_export_or_the_database() {
    let (log, _guard) = CapturedLog::capture();
    let mut story = Story::without_bot().await;
    story.gets_keys(&[KEY]);
    story.bot_starts().await;
    story.operator_sets(SettingKey::RegenerateButton, "on");
    let mina = Persona {
        name: "Mina".to_owned(),
        personality: "She keeps the tea house.".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    let mut prompts = String::new();

    // The webhook, and its loss.
    for words in ["Mina, hello", "Mina, once more"] {
        story.ada().says("general", words).await;
        let call = story.model.is_told(words).await;
        assert_eq!(call.key(), Some(KEY), "the canary is in use");
        prompts.push_str(&call.request().to_string());
        let body = json!({"code": 10015, "message": "Unknown Webhook"});
        let gone = StatusCode::NOT_FOUND;
        story
            .faults()
            .fail_next(Method::POST, "/webhooks/", gone, body, 1);
        call.answers("Hello.").await;
        story.sees("general", "Hello.").await;
        story.bot_is_done().await;
    }
    let mut secrets = story.webhook_tokens("general").await;
    assert!(!secrets.is_empty(), "there is a webhook");

    // A control, whose token answers it, and what Discord and the model refuse.
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", "status", json!({})).await;
    let status = screen.sees_answer().await;
    story
        .ada()
        .uses("general", "privacy export", json!({}))
        .await;
    let export = screen.sees_answer().await;
    let url = export["attachments"][0]["url"].as_str().unwrap();
    let export = story.reads(url).await;
    story.ada().says("general", "@Kaiwa hello").await;
    story.next_post_is_forbidden();
    let call = story.model.is_told("@Kaiwa hello").await;
    prompts.push_str(&call.request().to_string());
    call.fails_saying(401, &format!("bad key {KEY}"));
    story.bot_is_done().await;
    story.controls_are_done().await;
    let page = story.reads(&story.ready().page_url.clone()).await;
    story.bot_stops().await;

    secrets.push(KEY.to_owned());
    secrets.push(story.ready().bot.token.clone());
    let log = log.text();
    assert!(log.contains("turn ended"), "something was logged");
    let mut canary = Canary::new(secrets);
    canary.search("the log", log.as_bytes());
    canary.search("a prompt", prompts.as_bytes());
    canary.search("the page", page.as_bytes());
    canary.search("the status", status.to_string().as_bytes());
    canary.search("the export", export.as_bytes());
    canary.search_files(story.folder());
    canary.assert_silent();
}

/// A story in which a question was answered, and the key with which the model
/// was asked.
async fn story_with_key() -> (Story, String) {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_told("hello").await;
    let key = call.key().unwrap().to_owned();
    call.answers("Hi.").await;
    story.bot_is_done().await;
    (story, key)
}

#[tokio::test]
#[should_panic(expected = "is in the log")]
async fn a_story_in_which_a_secret_is_logged_fails() {
    let story = Story::begin().await;
    tracing::debug!(token = story.ready().bot.token, "careless");
}

#[tokio::test]
#[should_panic(expected = "is in the log of another thread")]
async fn a_story_in_which_a_secret_is_logged_elsewhere_fails() {
    let (_story, key) = story_with_key().await;
    // No other story has the same: what is logged elsewhere is logged for all.
    let careless = std::thread::spawn(move || tracing::debug!(key, "careless"));
    careless.join().unwrap();
}

#[tokio::test]
#[should_panic(expected = "is in a prompt")]
async fn a_story_in_which_a_model_is_told_a_secret_fails() {
    let mut story = Story::begin().await;
    let token = story.ready().bot.token.clone();
    let leak = format!("@Kaiwa {token}");
    story.ada().says("general", &leak).await;
    let call = story.model.is_told(&token).await;
    call.answers("Hm.").await;
    story.bot_is_done().await;
}

#[tokio::test]
#[should_panic(expected = "left-over")]
async fn a_story_in_which_a_secret_is_written_down_fails() {
    let (story, key) = story_with_key().await;
    std::fs::write(story.folder().join("left-over"), key).unwrap();
}
