//! What goes wrong on Discord's side, by the numbers of the list of failures.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_domain::Rights;
use kaiwa_e2e::story::Story;
use kaiwa_emulator::{Cut, FaultSpan, PrecedingRequest, Requests, RestFault};
use serde_json::json;

use super::live_many::meanwhile;

fn posts_are_limited(story: &Story, path: &str, retry_after: Duration) {
    let requests = Requests {
        method: Some(Method::POST),
        path_part: path.into(),
        user_id: Some(story.ready().bot.id.clone()),
        skip: 0,
    };
    let limit = RestFault::Limit {
        retry_after,
        global: false,
    };
    story.faults().rest(requests, limit, FaultSpan::Next(1));
}

/// The channel takes nothing for a while: what is written meanwhile is said
/// together, after as long as Discord asked for.
#[tokio::test]
async fn f10_a_limited_route_makes_an_answer_slower_and_loses_nothing() {
    const POSTS: &str = "POST /channels/{channel}/messages";
    let wait = Duration::from_secs(7);
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    posts_are_limited(&story, "/messages", wait);
    let before = story.requests(POSTS);
    answer.says("o.\nThree.\nFour.\nFive.\nSi").await;
    story.clock.sleeps(7_000..=7_000).await;
    answer.answers("x.").await;
    assert_eq!(
        story.requests(POSTS),
        before + 1,
        "nothing is tried meanwhile"
    );
    // In another channel nobody has to wait.
    story.ben().says("random", "@Kaiwa hello").await;
    let elsewhere = story.model.is_told("Ben: @Kaiwa hello").await;
    elsewhere.answers("Hello.").await;
    story.sees("random", "Hello.").await;
    story.clock.skip(wait).await;
    story.bot_is_done().await;
    let said = story.transcript("general");
    let messages = said.matches("Kaiwa: ").count();
    let said = said.replace("\nKaiwa: ", "\n");
    assert_eq!(
        said,
        "Ada: @Kaiwa count\nOne.\nTwo.\nThree.\nFour.\nFive.\nSix.\n"
    );
    assert!(messages < 6, "{messages} messages");
    assert_eq!(story.refused_as_too_many(), 1);
}

/// Where typing is limited it is left out, and no word waits for it.
#[tokio::test]
async fn f10_typing_that_is_limited_is_left_out() {
    const TYPING: &str = "POST /channels/{channel}/typing";
    let mut story = Story::begin().await;
    posts_are_limited(&story, "/typing", Duration::from_secs(30));
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    answer.answers("o.").await;
    story.sees("general", "Two.").await;
    story.bot_is_done().await;
    assert_eq!(story.requests(TYPING), 1, "it is not tried again");
    assert_eq!(story.refused_as_too_many(), 1);
}

/// What the headers say is kept to before Discord has to refuse anything.
#[tokio::test]
async fn f10_an_answer_of_many_lines_keeps_within_the_limits_of_its_channel() {
    let limits = tea_house("limits = \"discord\"");
    let mut story = Story::under_limits(&limits, &[]).await;
    let time = story.time();
    meanwhile(&time, story.bot_starts()).await;
    story.ada().says("general", "@Kaiwa count").await;
    let answer = meanwhile(&time, story.model.is_told("count")).await;
    let lines: Vec<String> = (1..=20).map(|n| format!("Line {n}.")).collect();
    meanwhile(&time, answer.answers(&lines.join("\n"))).await;
    meanwhile(&time, story.bot_is_done()).await;
    let said = story.transcript("general");
    let messages = said.matches("Kaiwa: ").count();
    let said = said.replace("\nKaiwa: ", "\n");
    assert_eq!(said, format!("Ada: @Kaiwa count\n{}\n", lines.join("\n")));
    assert!((2..20).contains(&messages), "{messages} messages");
    assert_eq!(story.refused_as_too_many(), 0);
}

/// A token that Discord no longer takes ends the bot with a word about it; it
/// tries nothing again.
#[tokio::test]
async fn f45_a_token_that_is_refused_ends_the_bot() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    let requests = Requests {
        method: None,
        path_part: "/channels/".into(),
        user_id: Some(story.ready().bot.id.clone()),
        skip: 0,
    };
    let dead = RestFault::Fail {
        status: StatusCode::UNAUTHORIZED,
        body: json!({"message": "401: Unauthorized", "code": 0}),
    };
    story
        .faults()
        .rest(requests, dead, FaultSpan::Next(u32::MAX));
    let before = story.all_requests();
    answer.says("o.\nThree.\n").await;
    let why = story.bot_gives_up().await;
    assert!(why.contains("create a new one and start again"), "{why}");
    let after = story.all_requests();
    assert!(after - before <= 3, "{} requests", after - before);
    story.clock.passes(Duration::from_secs(3600));
    story.bot_stops().await;
    assert!(story.all_requests() - after <= 1, "no more is tried");
    assert_eq!(story.identifies(), 1);
}

/// An event that comes after a later one is dealt with all the same, once.
#[tokio::test]
async fn f19_events_out_of_order_are_each_answered_once() {
    let mut story = Story::begin().await;
    let bot = story.ready().bot.id.clone();
    assert_eq!(story.faults().reorder_events(&bot, 1), 1);
    story.ada().says("general", "@Kaiwa first").await;
    story.ben().says("general", "just talking").await;
    let answer = story.model.is_told("Ada: @Kaiwa first").await;
    answer.answers("Yes.").await;
    story.sees("general", "Yes.").await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general").matches("Kaiwa: ").count(), 1);
}

/// A world with the channels of a story, and something to say about the gateway.
fn tea_house(gateway: &str) -> String {
    format!(
        "{gateway}\n[guild]\nname = \"Tea House\"\n[bot]\nname = \"Kaiwa\"\n\
         [[users]]\nname = \"Ada\"\n[[users]]\nname = \"Ben\"\n[[channels]]\nname = \"general\"\n"
    )
}

/// A connection on which nothing moves any more, heartbeats included, is given
/// up and resumed on another.
#[tokio::test]
async fn f14_a_connection_without_heartbeats_is_replaced() {
    let mut story = Story::in_written_world(&tea_house("heartbeat_ms = 250")).await;
    story.bot_starts().await;
    let bot = story.ready().bot.id.clone();
    assert_eq!(story.faults().stall_gateway(&bot), 1);
    story.ada().says("general", "@Kaiwa are you there?").await;
    let answer = story.model.is_told("are you there?").await;
    answer.answers("I am.").await;
    story.sees("general", "I am.").await;
    assert_eq!((story.identifies(), story.resumes()), (1, 1));
}

/// Discord says in more than one way that a session is over.
#[tokio::test]
async fn f16_a_session_that_discord_closed_as_invalid_is_begun_anew() {
    for code in [4007, 4009] {
        let mut story = Story::begin().await;
        story.faults().drop_sessions();
        let bot = story.ready().bot.id.clone();
        let cut = story.faults().cut_gateway(&bot, Cut::Close(code));
        assert_eq!(cut, 1);
        story.ada().says("general", "@Kaiwa are you there?").await;
        let answer = story.model.is_told("are you there?").await;
        answer.answers("I am.").await;
        story.sees("general", "I am.").await;
        assert_eq!((story.identifies(), story.resumes()), (2, 0), "{code}");
    }
}

/// After ten minutes nobody waits for an answer any more.
#[tokio::test]
async fn f16_what_was_asked_too_long_ago_stays_unanswered() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let answer = story.model.is_told("@Kaiwa one").await;
    answer.answers("1").await;
    story.sees("general", "1").await;
    story.bot_stops().await;
    story.ada().says("general", "@Kaiwa two").await;
    story.time().passes(Duration::from_secs(11 * 60)).await;
    story.ben().says("general", "@Kaiwa three").await;
    story.faults().drop_sessions();
    story.bot_starts().await;
    let answer = story.model.is_told("Ben: @Kaiwa three").await;
    answer.answers("3").await;
    story.sees("general", "3").await;
    story.bot_is_done().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa one\nKaiwa: 1\nAda: @Kaiwa two\nBen: @Kaiwa three\nKaiwa: 3\n"
    );
    assert_eq!(story.identifies(), 2);
}

/// Discord resets the token of a bot that starts more sessions than it may.
#[tokio::test]
async fn f17_no_session_is_started_beyond_the_allowance() {
    let gateway = "session_starts = 1\nheartbeat_ms = 100";
    let mut story = Story::in_written_world(&tea_house(gateway)).await;
    story.bot_starts().await;
    assert_eq!(story.identifies(), 1);
    story.faults().refuse_resumes(1);
    story.gateway_breaks();
    // It connects, keeps the connection alive for longer than it has to wait
    // between two sessions, and waits for the next day.
    story.hears_heartbeats(60).await;
    assert_eq!(story.identifies(), 1);
}

/// Who deletes a part of an answer has read enough of it, over a restart too.
#[tokio::test]
async fn f22_who_deletes_a_part_of_an_answer_ends_it() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTwo.\nTh").await;
    let first = story.sees("general", "One.").await;
    story.sees("general", "Two.").await;
    story.ada().deletes(&first).await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    story.bot_stops().await;
    story.bot_starts().await;
    // What others say, and delete, ends nothing.
    let chatter = story.ben().says("general", "so many numbers").await;
    story.ada().says("general", "@Kaiwa again").await;
    let mut answer = story.model.is_told("Ada: @Kaiwa again").await;
    answer.says("Four.\nFi").await;
    story.sees("general", "Four.").await;
    story.ben().deletes(&chatter).await;
    answer.says("ve.").await;
    answer.ends().await;
    story.sees("general", "Five.").await;
    story.bot_is_done().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa count\nKaiwa: Two.\nAda: @Kaiwa again\nKaiwa: Four.\nKaiwa: Five.\n"
    );
}

/// Nobody wants the answer to a question that was taken back.
#[tokio::test]
async fn f21_a_question_that_is_deleted_ends_its_answer() {
    let mut story = Story::begin().await;
    let question = story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    story.ada().deletes(&question).await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general"), "Kaiwa: One.\n");
}

/// Somebody does this just before the bot's next post.
fn before_next_post(story: &Story, method: Method, path: String) {
    let requests = Requests {
        method: Some(Method::POST),
        path_part: "/messages".into(),
        user_id: Some(story.ready().bot.id.clone()),
        skip: 0,
    };
    let preceding = PrecedingRequest {
        user_id: story.person_id("Ada"),
        method,
        path,
        body: serde_json::Value::Null,
    };
    let fault = RestFault::First(preceding);
    story.faults().rest(requests, fault, FaultSpan::Next(1));
}

#[tokio::test]
async fn f23_a_channel_that_is_deleted_ends_its_answers_and_no_others() {
    let mut story = Story::begin().await;
    let channel = story.channel_id("general");
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    before_next_post(&story, Method::DELETE, format!("/channels/{channel}"));
    answer.says("o.\nThree.\n").await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    story.ada().says("random", "@Kaiwa are you there?").await;
    let answer = story.model.is_told("are you there?").await;
    answer.answers("I am.").await;
    story.sees("random", "I am.").await;
}

/// Who waits there for their turn gets none either.
#[tokio::test]
async fn f23_a_question_that_waits_in_a_place_that_is_gone_is_not_answered() {
    for in_thread in [false, true] {
        let mut story = Story::begin().await;
        let place = match in_thread {
            true => story.ada().opens_thread("general", "a pot").await,
            false => story.channel_id("general"),
        };
        story.ada().says(&place, "@Kaiwa count").await;
        let mut answer = story.model.is_told("Ada: @Kaiwa count").await;
        answer.says("One.\nTw").await;
        story.sees(&place, "One.").await;
        let waiting = story.ben().says(&place, "@Kaiwa and me?").await;
        story.decided_on(&waiting).await;
        story.ada().deletes_channel(&place).await;
        answer.is_cancelled().await;
        story.bot_is_done().await;
        story.ada().says("random", "@Kaiwa are you there?").await;
        let answer = story.model.is_told("are you there?").await;
        answer.answers("I am.").await;
        story.sees("random", "I am.").await;
    }
}

#[tokio::test]
async fn f23_no_model_is_asked_on_for_a_place_that_is_gone() {
    for whole_guild in [false, true] {
        let mut story = Story::begin().await;
        story.ada().says("general", "@Kaiwa count").await;
        let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
        answer.says("One.\nTw").await;
        story.sees("general", "One.").await;
        match whole_guild {
            false => story.ada().deletes_channel("general").await,
            true => story.ada().kicks_bot().await,
        }
        answer.is_cancelled().await;
        story.bot_is_done().await;
    }
}

#[tokio::test]
async fn f24_who_loses_the_right_to_speak_falls_silent_until_it_is_back() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    let posts = |story: &Story| story.requests("POST /channels/{channel}/messages");
    let before = posts(&story);
    let silent = Rights::SEND_MESSAGES;
    story.ada().forbids("general", "Kaiwa", silent).await;
    answer.says("o.\nThree.\n").await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    assert!(!story.transcript("general").contains("Two."));
    // Each that is refused brings Discord nearer to shutting us out.
    story.ben().says("general", "@Kaiwa and me?").await;
    let mut answer = story.model.is_told("and me?").await;
    answer.says("You.\nToo.\n").await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    let people = 1;
    assert_eq!(posts(&story) - before - people, 1, "refused once");
    story.ada().allows("general", "Kaiwa", silent).await;
    story.ada().says("general", "@Kaiwa and now?").await;
    let answer = story.model.is_told("and now?").await;
    answer.answers("Now I may.").await;
    story.sees("general", "Now I may.").await;
}
