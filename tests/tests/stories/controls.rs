//! Commands, buttons and forms, through the whole bot.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use kaiwa_e2e::story::Story;
use serde_json::json;

#[tokio::test]
async fn slash_stop_is_heard_while_the_bot_speaks() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("one\ntwo").await;
    story.sees("general", "one").await;
    story.ada().uses("general", "stop", json!({})).await;
    answer.is_cancelled().await;
    let told = screen.sees_answer().await;
    assert_eq!(told["content"], "Stopped.");
    // Only she sees it.
    assert_eq!(told["flags"].as_u64().unwrap() & 64, 64);
    story.bot_is_done().await;
    let said = story.transcript("general");
    assert!(said.trim_end().ends_with("one"), "{said}");
}

#[tokio::test]
async fn there_is_nothing_to_stop_for_somebody_else() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("one\ntwo").await;
    story.sees("general", "one").await;
    story.ben().uses("general", "stop", json!({})).await;
    let told = screen.sees_answer().await;
    assert_eq!(told["content"], "You are not waiting for an answer here.");
    let everybody = json!({"everybody": true});
    story.ben().uses("general", "stop", everybody.clone()).await;
    let told = screen.sees_answer().await;
    assert_eq!(
        told["content"],
        "You need the permission Manage Messages for that."
    );
    // Ada owns the guild.
    story.ada().uses("general", "stop", everybody).await;
    answer.is_cancelled().await;
}

#[tokio::test]
async fn help_names_every_command() {
    let story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    story.ben().uses("general", "help", json!({})).await;
    let told = screen.sees_answer().await;
    let text = told["content"].as_str().unwrap();
    let commands = story.ben().commands("general").await;
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands.iter().filter(|command| *command != "help") {
        assert!(text.contains(&format!("`/{command}")), "{command}: {text}");
    }
    assert!(text.contains("opt-out"), "{text}");
    assert!(text.chars().count() <= 2000, "{text}");
}

#[tokio::test]
async fn why_tells_what_was_decided() {
    let story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    story.ada().says("general", "nice tea today").await;
    story.ben().uses("general", "why", json!({})).await;
    let told = screen.sees_answer().await;
    let text = told["content"].as_str().unwrap();
    assert!(text.contains("ignored (not_addressed)"), "{text}");
}

#[tokio::test]
async fn refresh_draws_a_line_below_what_was_said() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story
        .ada()
        .says("general", "@Kaiwa the kettle is blue")
        .await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa the kettle is blue").await;
    answer.says("Noted.").await;
    answer.ends().await;
    story.sees("general", "Noted.").await;
    story.bot_is_done().await;
    story.ada().uses("general", "refresh", json!({})).await;
    screen.sees_answer().await;
    story.ada().says("general", "@Kaiwa what colour?").await;
    let answer = story.model.is_asked("Ada: @Kaiwa what colour?").await;
    let told = answer.request().to_string();
    assert!(!told.contains("kettle is blue"), "{told}");
}

#[tokio::test]
async fn regenerate_asks_the_last_question_again() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", "regenerate", json!({})).await;
    let told = screen.sees_answer().await;
    assert_eq!(
        told["content"],
        "You have not asked me anything here lately."
    );
    story.ada().says("general", "@Kaiwa tea?").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tea?").await;
    answer.says("Green.").await;
    answer.ends().await;
    story.sees("general", "Green.").await;
    story.bot_is_done().await;
    story.ada().uses("general", "regenerate", json!({})).await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tea?").await;
    answer.says("Black.").await;
    answer.ends().await;
    story.sees("general", "Black.").await;
}

#[tokio::test]
async fn status_tells_how_things_stand() {
    let story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", "status", json!({})).await;
    let told = screen.sees_answer().await;
    let text = told["content"].as_str().unwrap();
    assert!(text.starts_with("Model: "), "{text}");
    assert!(text.contains("Waiting in this channel: 0"), "{text}");
}

#[tokio::test]
async fn who_opts_out_by_command_is_not_read_and_can_come_back() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    story
        .ben()
        .uses("general", "privacy opt-out", json!({}))
        .await;
    screen.sees_answer().await;
    story.ben().says("general", "@Kaiwa hello?").await;
    story
        .ben()
        .uses("general", "privacy opt-in", json!({}))
        .await;
    let told = screen.sees_answer().await;
    assert_eq!(told["content"], "I read what you write again.");
    story.ben().says("general", "@Kaiwa hello now?").await;
    let answer = story.model.is_asked("Ben: @Kaiwa hello now?").await;
    assert!(!answer.request().to_string().contains("hello?\\n"));
}

#[tokio::test]
async fn erasing_asks_for_a_word_in_a_form() {
    let story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    for (word, expected) in [
        ("no", "Nothing was deleted: type \"erase\" to confirm."),
        ("erase", "Deleted "),
    ] {
        story
            .ben()
            .uses("general", "privacy erase", json!({}))
            .await;
        let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
        let fields = [("confirmation", word)];
        story.ben().fills_in("general", &form, &fields).await;
        let told = screen.sees_answer().await;
        let text = told["content"].as_str().unwrap();
        assert!(text.starts_with(expected), "{text}");
    }
}

#[tokio::test]
async fn commands_are_registered_by_difference() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", "status", json!({})).await;
    screen.sees_answer().await;
    let made = |story: &Story| story.requests("PUT /applications/{application}/commands");
    assert_eq!(made(&story), 1, "one request for all commands");
    story.bot_stops().await;
    story.bot_starts().await;
    story.ada().uses("general", "status", json!({})).await;
    screen.sees_answer().await;
    assert_eq!(made(&story), 1);
}

#[tokio::test]
async fn who_uses_commands_too_often_is_told_so() {
    let story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    for _ in 0..20 {
        story.ben().uses("general", "why", json!({})).await;
        screen.sees_answer().await;
    }
    story.ben().uses("general", "why", json!({})).await;
    let told = screen.sees_answer().await;
    let text = told["content"].as_str().unwrap();
    assert!(text.starts_with("Slow down"), "{text}");
}
