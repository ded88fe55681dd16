//! Nothing that was admitted ends without a word, whatever is out of order:
//! Discord, the question, the session, or the process itself.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_domain::Notice;
use kaiwa_e2e::story::{GRACE, Story};
use kaiwa_emulator::{FaultSpan, Requests, RestFault};
use kaiwa_pipeline::deliver::Degree;
use serde_json::json;

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// How long the bot waits between tries to post.
const PAUSES: [u64; 11] = [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15];

fn posts_fail(story: &Story, times: u32) {
    let body = json!({"message": "down", "code": 0});
    let status = StatusCode::SERVICE_UNAVAILABLE;
    story
        .faults()
        .fail_next(Method::POST, "/messages", status, body, times);
}

/// The bot waits for its next try, a little longer than this.
async fn next_try(story: &Story, pause: u64) -> Duration {
    let range = pause * 1_000 + 1..=pause * 1_125 + 1;
    story.clock.skip_any(range).await
}

/// The bot reads the question again, and meets this.
fn question_fails(story: &Story, status: StatusCode, code: u32, times: u32) {
    let requests = Requests {
        method: Some(Method::GET),
        path_part: "/messages/".into(),
        user_id: None,
        skip: 0,
    };
    let fault = RestFault::Fail {
        status,
        body: json!({"message": "no", "code": code}),
    };
    story.faults().rest(requests, fault, FaultSpan::Next(times));
}

#[tokio::test]
async fn an_outage_in_mid_answer_delays_it_and_loses_nothing() {
    // Five seconds, thirty, and two minutes.
    for tries in [3, 5, 11] {
        let mut story = Story::begin().await;
        story.ada().says("general", "@Kaiwa count").await;
        let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
        call.says("One.\nTw").await;
        story.sees("general", "One.").await;
        posts_fail(&story, tries as u32);
        call.says("o.\nThree.").await;
        call.ends().await;
        for pause in &PAUSES[..tries] {
            next_try(&story, *pause).await;
        }
        story.sees("general", "Two.").await;
        story.sees("general", "Three.").await;
        assert_eq!(
            story.transcript("general"),
            "Ada: @Kaiwa count\nKaiwa: One.\nKaiwa: Two.\nKaiwa: Three.\n"
        );
    }
}

#[tokio::test]
async fn a_long_limit_holds_every_line_back_and_drops_none() {
    for wait in [59, 61, 293] {
        let mut story = Story::begin().await;
        story.ada().says("general", "@Kaiwa count").await;
        let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
        let requests = Requests {
            method: Some(Method::POST),
            path_part: "/messages".into(),
            user_id: None,
            skip: 0,
        };
        let limit = RestFault::Limit {
            retry_after: secs(wait),
            global: true,
        };
        story.faults().rest(requests, limit, FaultSpan::Next(1));
        call.says("One.\nTwo.").await;
        call.ends().await;
        story.clock.skip(secs(wait)).await;
        // What came while the first line waited may have joined it.
        let first = story.sees_something("general", "One.").await;
        if first.text != "One.\nTwo." {
            assert_eq!(first.text, "One.");
            story.sees("general", "Two.").await;
        }
    }
}

#[tokio::test]
async fn what_cannot_be_sent_for_ten_minutes_is_given_up_with_a_word() {
    let mut story = Story::begin().await;
    let question = story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    posts_fail(&story, 200);
    call.says("One.\nTwo.").await;
    call.ends().await;
    let mut waited = Duration::ZERO;
    for pause in [1, 2, 4, 8] {
        waited += next_try(&story, pause).await;
    }
    // The real time that passes counts too, so that the last try may come
    // sooner than the pauses alone would have it. Then the notice is tried, which
    // is not given up so soon.
    let (long, first) = (15_001..=16_876, 1_001..=1_126);
    while story
        .clock
        .falls_asleep(&[long.clone(), first.clone()])
        .await
        > secs(2)
    {
        waited += next_try(&story, 15).await;
    }
    assert!((secs(400)..secs(617)).contains(&waited), "{waited:?}");
    story.faults().clear();
    next_try(&story, 1).await;
    let notice = story.sees("general", Notice::TooLate.text()).await;
    assert_eq!(notice.replies_to, Some(question.id));
    assert!(!story.transcript("general").contains("One."));
}

#[tokio::test]
async fn a_line_that_discord_refuses_ends_the_answer_with_a_word() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    call.says("One.\nT").await;
    story.sees("general", "One.").await;
    let body = json!({"code": 200_000, "message": "blocked by AutoMod"});
    let status = StatusCode::BAD_REQUEST;
    story
        .faults()
        .fail_next(Method::POST, "/messages", status, body, 1);
    call.says("wo.\nThree.\nFour.\n").await;
    story.sees("general", Notice::AnswerBlocked.text()).await;
    call.is_cancelled().await;
    assert!(!story.transcript("general").contains("Three."));
}

/// A bot that has begun to think, or to speak, and was stopped there.
async fn left(spoken: bool) -> Story {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    if spoken {
        call.says("One.\nTw").await;
        story.sees("general", "One.").await;
        let stopped = story.bot_is_asked_to_stop();
        story.clock.skip(GRACE).await;
        story.sees("general", Notice::Restarting.text()).await;
        stopped.await;
    } else {
        story.bot_stops().await;
    }
    story
}

#[tokio::test]
async fn a_question_that_cannot_be_read_again_is_owned_up_to() {
    for (status, code, spoken, notice) in [
        (StatusCode::FORBIDDEN, 50001, false, Notice::QuestionLost),
        (StatusCode::FORBIDDEN, 50013, false, Notice::QuestionLost),
        (StatusCode::FORBIDDEN, 50001, true, Notice::AnswerCut),
        (StatusCode::NOT_FOUND, 10008, true, Notice::AnswerCut),
    ] {
        let mut story = left(spoken).await;
        question_fails(&story, status, code, 1);
        story.bot_starts().await;
        story.sees("general", notice.text()).await;
    }
}

#[tokio::test]
async fn a_question_that_was_deleted_before_we_spoke_is_dropped() {
    let mut story = left(false).await;
    question_fails(&story, StatusCode::NOT_FOUND, 10008, 1);
    story.bot_starts().await;
    story.ben().says("general", "@Kaiwa and me?").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa and me?").await;
    call.says("You.").await;
    call.ends().await;
    story.sees("general", "You.").await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa count\nBen: @Kaiwa and me?\nKaiwa: You.\n"
    );
}

#[tokio::test]
async fn a_question_that_cannot_be_read_now_is_read_later() {
    for spoken in [false, true] {
        let mut story = left(spoken).await;
        // Three requests each: the second and third after short pauses.
        question_fails(&story, StatusCode::SERVICE_UNAVAILABLE, 0, 6);
        story.bot_starts().await;
        for pause in [500, 2_000, 1_000, 500, 2_000, 2_000] {
            story.clock.skip(Duration::from_millis(pause)).await;
        }
        let words = if spoken {
            "Continue your answer"
        } else {
            "count"
        };
        let mut call = story.model.is_told(words).await;
        call.says("Here you are.").await;
        call.ends().await;
        story.sees("general", "Here you are.").await;
    }
}

#[tokio::test]
async fn what_was_queued_goes_out_after_the_start_without_the_question() {
    // Whole answers are queued once everything is said.
    let mut story = Story::begin_at(Degree::Whole).await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    posts_fail(&story, 1);
    call.says("One.\nTwo.").await;
    call.ends().await;
    story.clock.sleeps(1_001..=1_126).await;
    let stopped = story.bot_is_asked_to_stop();
    story.clock.skip(GRACE).await;
    stopped.await;
    question_fails(&story, StatusCode::FORBIDDEN, 50001, 1);
    story.bot_starts().await;
    story.sees("general", "One.\n\nTwo.").await;
}

#[tokio::test]
async fn deploys_in_a_row_cost_no_attempts() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa wait").await;
    for _ in 0..8 {
        let call = story.model.is_asked("Ada: @Kaiwa wait").await;
        story.bot_stops().await;
        call.stays_silent();
        story.bot_starts().await;
    }
    let mut call = story.model.is_asked("Ada: @Kaiwa wait").await;
    call.says("At last.").await;
    call.ends().await;
    story.sees("general", "At last.").await;
}

#[tokio::test]
async fn what_was_asked_while_the_bot_was_away_is_answered_though_the_session_is_gone() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa one").await;
    call.says("1").await;
    call.ends().await;
    story.sees("general", "1").await;

    story.bot_stops().await;
    story.ada().says("general", "@Kaiwa two").await;
    // In a channel where nobody ever asked anything, and in private.
    story.ben().says("random", "@Kaiwa three").await;
    story.faults().drop_sessions();
    story.bot_starts().await;
    let mut asked = Vec::new();
    for _ in 0..2 {
        let mut call = story.model.is_told("@Kaiwa").await;
        asked.push(call.last());
        call.says("Yes.").await;
        call.ends().await;
    }
    asked.sort();
    assert_eq!(asked, ["Ada: @Kaiwa two", "Ben: @Kaiwa three"]);
    story.sees("general", "Yes.").await;
    story.sees("random", "Yes.").await;
    assert_eq!(story.identifies(), 2);
}

#[tokio::test]
async fn a_deaf_gateway_is_found_and_reconnected() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa one").await;
    call.says("1").await;
    call.ends().await;
    story.sees("general", "1").await;

    let bot = story.ready().bot.id.clone();
    assert_eq!(story.faults().deafen_gateway(&bot), 1);
    story.ada().says("general", "@Kaiwa do you hear me?").await;
    // It is looked for every 55 seconds, once nothing came for five minutes.
    for _ in 0..6 {
        story.clock.skip(secs(55)).await;
    }
    let mut call = story.model.is_asked("Ada: @Kaiwa do you hear me?").await;
    call.says("Now I do.").await;
    call.ends().await;
    story.sees("general", "Now I do.").await;
}

#[tokio::test]
async fn a_stop_reaches_a_line_that_waits_for_discord() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    call.says("One.\nT").await;
    story.sees("general", "One.").await;
    let requests = Requests {
        method: Some(Method::POST),
        path_part: "/messages".into(),
        user_id: Some(story.ready().bot.id.clone()),
        skip: 0,
    };
    let limit = RestFault::Limit {
        retry_after: secs(5),
        global: true,
    };
    story.faults().rest(requests, limit, FaultSpan::Next(1));
    call.says("wo.\nThree.\n").await;
    story.clock.sleeps(5_000..=5_000).await;
    story.ada().says("general", "stop").await;
    call.is_cancelled().await;
    // Whoever still waited for the limit would go on now.
    story.clock.passes(secs(6));
    story.bot_stops().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa count\nKaiwa: One.\nAda: stop\n"
    );
}

#[tokio::test]
async fn a_stop_holds_over_a_restart_and_is_no_question_when_it_comes_again() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    call.says("One.\nTw").await;
    story.sees("general", "One.").await;
    story.ada().says("general", "@Kaiwa stop").await;
    call.is_cancelled().await;
    story.bot_stops().await;

    // The session is gone, so everything is read again by REST.
    story.faults().drop_sessions();
    story.bot_starts().await;
    story.ben().says("general", "@Kaiwa and me?").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa and me?").await;
    call.says("You.").await;
    call.ends().await;
    story.sees("general", "You.").await;
}

#[tokio::test]
async fn of_two_equal_lines_each_is_its_own() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa clap").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa clap").await;
    call.says("Clap.\nC").await;
    story.sees("general", "Clap.").await;
    // The second is not taken, for longer than Discord remembers nonces; then
    // the channel is read, and the first must not pass for it.
    posts_fail(&story, 11);
    call.says("lap.").await;
    call.ends().await;
    for pause in PAUSES {
        next_try(&story, pause).await;
    }
    story.sees("general", "Clap.").await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa clap\nKaiwa: Clap.\nKaiwa: Clap.\n"
    );
}
