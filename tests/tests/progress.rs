//! What takes long is told in a line, which changes and disappears.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use kaiwa_domain::When;
use kaiwa_e2e::log::CapturedLog;
use kaiwa_e2e::story::{SentMessage, Story};
use kaiwa_e2e::tool::{GatedTool, Use};

/// How long something may take before people are told.
const MOMENT: Duration = Duration::from_secs(2);
const LINE: &str = "-# Working on it …";
const DIG: (&str, &str) = ("dig", r#"{"for": "gold"}"#);

/// Ada asks, and the model digs for longer than a moment.
async fn digging() -> (Story, GatedTool, Use, SentMessage) {
    let (mut story, mut tool) = Story::begin_with_tool("dig", When::InLoop).await;
    story.ada().says("general", "@Kaiwa dig").await;
    let call = story.model.is_asked("Ada: @Kaiwa dig").await;
    call.waits_for(&[DIG]).await;
    let used = tool.is_used().await;
    story.clock.skip(MOMENT).await;
    let line = story.sees("general", LINE).await;
    (story, tool, used, line)
}

#[tokio::test]
async fn a_line_tells_what_takes_long_and_disappears() {
    let (mut story, _, used, line) = digging().await;
    // It is no answer: who is typing goes on.
    story.sees_typing("general").await;
    assert!(line.replies_to.is_none(), "it pings nobody");
    used.returns("Found some.");
    let call = story.model.is_told("| Found some.").await;
    call.answers("Here is gold.").await;
    let answer = story.sees("general", "Here is gold.").await;
    assert!(answer.replies_to.is_some(), "it is the first answer");
    story.bot_is_done().await;
    let said = story.transcript("general");
    assert!(!said.contains(LINE), "{said}");

    // Nobody takes it for something that was said.
    story.ada().says("general", "@Kaiwa more").await;
    let call = story.model.is_asked("Ada: @Kaiwa more").await;
    assert!(
        !call.told().join("\n").contains("Working"),
        "{:?}",
        call.told()
    );
}

#[tokio::test]
async fn what_takes_longer_than_five_seconds_is_logged() {
    for (seconds, logged) in [(4, false), (6, true)] {
        let (log, _guard) = CapturedLog::capture();
        let (mut story, mut tool) = Story::begin_with_tool("dig", When::InLoop).await;
        story.ada().says("general", "@Kaiwa dig").await;
        let call = story.model.is_asked("Ada: @Kaiwa dig").await;
        call.waits_for(&[DIG]).await;
        let used = tool.is_used().await;
        story.clock.passes(Duration::from_secs(seconds));
        used.returns("Found some.");
        let call = story.model.is_told("| Found some.").await;
        call.answers("Here is gold.").await;
        story.bot_is_done().await;
        let log = log.text();
        let slow = log.lines().find(|it| it.contains("an action was slow"));
        assert_eq!(
            slow.is_some_and(|it| it.contains("WARN") && it.contains("\"dig\"")),
            logged,
            "{seconds} s: {slow:?}"
        );
    }
}

#[tokio::test]
async fn what_is_quick_needs_no_line() {
    let (mut story, mut tool) = Story::begin_with_tool("dig", When::InLoop).await;
    story.ada().says("general", "@Kaiwa dig").await;
    let call = story.model.is_asked("Ada: @Kaiwa dig").await;
    call.waits_for(&[DIG]).await;
    tool.is_used().await.returns("Found some.");
    let call = story.model.is_told("| Found some.").await;
    story.clock.passes(MOMENT);
    call.answers("Here is gold.").await;
    story.sees("general", "Here is gold.").await;
    story.bot_is_done().await;
    let said = story.events("MESSAGE_CREATE");
    assert!(said.iter().all(|it| it["content"] != LINE), "{said:?}");
}

#[tokio::test]
async fn the_line_changes_with_what_is_going_on() {
    let pdf = env!("CARGO_BIN_EXE_read_pdf");
    let mut story = Story::without_bot().await;
    let mut tool = story.gets_tool("dig", When::InLoop);
    // An engine that takes the question and does not answer.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    story.gets_web(&[silent.local_addr().unwrap()], pdf, None);
    story.bot_starts().await;
    story.ada().says("general", "@Kaiwa look").await;
    let call = story.model.is_asked("Ada: @Kaiwa look").await;
    let search = ("web_search", r#"{"query": "tea <@1> *now*"}"#);
    call.waits_for(&[search, DIG]).await;
    let used = tool.is_used().await;
    story.clock.skip(MOMENT).await;
    let searching = r"-# Searching the web for tea \<\@1\> \*now\* …";
    let line = story.sees("general", &format!("{searching}\n{LINE}")).await;
    used.returns("Found some.");
    // What is over is told no more.
    let changed = story.sees_changed(&line).await;
    assert_eq!(changed, searching);
    drop(silent);
}

#[tokio::test]
async fn a_stop_takes_the_line_away() {
    let (mut story, _, used, line) = digging().await;
    story.ada().says("general", "stop").await;
    used.is_cancelled().await;
    story.sees_gone(&line).await;
    story.bot_is_done().await;
    assert!(!story.transcript("general").contains(LINE));
}

#[tokio::test]
async fn a_process_that_leaves_takes_the_line_away_and_the_next_one_goes_on() {
    let (mut story, mut tool, used, line) = digging().await;
    story.bot_stops().await;
    story.sees_gone(&line).await;
    drop(used);
    story.bot_starts().await;
    let call = story.model.is_asked("Ada: @Kaiwa dig").await;
    call.waits_for(&[DIG]).await;
    tool.is_used().await.returns("Found some.");
    let call = story.model.is_told("| Found some.").await;
    call.answers("Here is gold.").await;
    story.sees("general", "Here is gold.").await;
    story.bot_is_done().await;
    assert!(!story.transcript("general").contains(LINE));
}

#[tokio::test]
async fn an_answer_does_not_depend_on_the_line() {
    let (mut story, mut tool) = Story::begin_with_tool("dig", When::InLoop).await;
    story.ada().says("general", "@Kaiwa dig").await;
    let call = story.model.is_asked("Ada: @Kaiwa dig").await;
    call.waits_for(&[DIG]).await;
    let used = tool.is_used().await;
    let body = serde_json::json!({"code": 50035, "message": "Invalid Form Body"});
    let status = axum::http::StatusCode::BAD_REQUEST;
    story
        .faults()
        .fail_next(axum::http::Method::POST, "/messages", status, body, 2);
    story.clock.skip(MOMENT).await;
    // The question was the first post, and what is refused is tried once more.
    kaiwa_e2e::soon("the line to be refused", async {
        while story.requests("POST /channels/{channel}/messages") < 3 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    used.returns("Found some.");
    let call = story.model.is_told("| Found some.").await;
    call.answers("Here is gold.").await;
    story.sees("general", "Here is gold.").await;
}
