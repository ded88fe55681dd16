//! Silence, stalls, cuts and leaving early. Time moves by hand.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use kaiwa_domain::port::Answer;
use kaiwa_domain::{Delta, Finish, ModelError};

use crate::hand_clock::HandClock;
use crate::test_server::{FIRST_TOKEN, IDLE, TestServer, collect, show};

const WORD: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
const FINISH: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const STILL_HERE: &str = ": still here\n\n";
const MOMENT: Duration = Duration::from_millis(1);

/// What is said next, heartbeats and pieces aside.
async fn heard(answer: &mut Answer) -> Option<Result<Delta, ModelError>> {
    loop {
        match answer.next().await {
            Some(Ok(Delta::Heartbeat | Delta::ToolPiece(_))) => {}
            said => return said,
        }
    }
}

/// More is waited for, and time passes.
fn waits(answer: &mut Answer, clock: &HandClock, time: Duration) {
    let said = answer.next().now_or_never();
    assert!(said.is_none(), "{said:?}");
    clock.advance(time);
}

fn silent(waited: Duration) -> Option<Result<Delta, ModelError>> {
    Some(Err(ModelError::Silent { waited }))
}

fn word() -> Option<Result<Delta, ModelError>> {
    Some(Ok(Delta::Text("a".to_owned())))
}

#[tokio::test]
async fn no_status_line_is_silence() {
    let mut server = TestServer::new(None).await;
    let clock = server.clock.clone();
    let mut answer = server.ask();
    let wait = async {
        server.request().await;
        clock.advance(FIRST_TOKEN);
    };
    let (said, ()) = tokio::join!(heard(&mut answer), wait);
    assert_eq!(said, silent(FIRST_TOKEN));
    assert_eq!(heard(&mut answer).await, None);
}

#[tokio::test]
async fn keep_alives_are_no_first_token() {
    let (server, script) = TestServer::streaming().await;
    let mut answer = server.ask();
    let mut waited = Duration::ZERO;
    while waited < FIRST_TOKEN {
        let (said, ()) = tokio::join!(answer.next(), script.say(STILL_HERE));
        assert_eq!(said, Some(Ok(Delta::Heartbeat)));
        waits(&mut answer, &server.clock, IDLE / 2);
        waited += IDLE / 2;
    }
    assert_eq!(heard(&mut answer).await, silent(FIRST_TOKEN));
}

#[tokio::test]
async fn a_keep_alive_starts_the_idle_time_anew() {
    let (server, script) = TestServer::streaming().await;
    let clock = &server.clock;
    let mut answer = server.ask();
    for (piece, expected) in [
        (WORD, word()),
        (STILL_HERE, Some(Ok(Delta::Heartbeat))),
        (WORD, word()),
    ] {
        let (said, ()) = tokio::join!(answer.next(), script.say(piece));
        assert_eq!(said, expected);
        waits(&mut answer, clock, IDLE - MOMENT);
    }
    clock.advance(MOMENT);
    assert_eq!(heard(&mut answer).await, silent(IDLE));
    assert_eq!(heard(&mut answer).await, None);
    script.client_left().await;
}

#[tokio::test]
async fn a_first_token_ends_the_first_wait() {
    let (server, script) = TestServer::streaming().await;
    let clock = &server.clock;
    let mut answer = server.ask();
    let part_of_a_call = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"brew\"}}]}}]}\n\n";
    let (said, ()) = tokio::join!(answer.next(), script.say(part_of_a_call));
    assert!(matches!(said, Some(Ok(Delta::ToolPiece(_)))), "{said:?}");
    for _ in 0..4 {
        waits(&mut answer, clock, IDLE - MOMENT);
        let (said, ()) = tokio::join!(answer.next(), script.say(STILL_HERE));
        assert_eq!(said, Some(Ok(Delta::Heartbeat)));
    }
    let end = async {
        script.say(FINISH).await;
        drop(script);
    };
    let (said, ()) = tokio::join!(heard(&mut answer), end);
    let Some(Ok(Delta::ToolCall(call))) = said else {
        panic!("{said:?}");
    };
    assert_eq!(call.name, "brew");
}

#[tokio::test]
async fn a_stall_after_the_last_word_loses_nothing() {
    let (server, script) = TestServer::streaming().await;
    let mut answer = server.ask();
    let wait = async {
        script.say(FINISH).await;
        server.clock.slept(IDLE, 1).await;
        server.clock.advance(IDLE);
    };
    let (said, ()) = tokio::join!(heard(&mut answer), wait);
    assert_eq!(
        said,
        Some(Ok(Delta::Finish {
            finish: Finish::Stop,
            word: "stop".to_owned(),
        }))
    );
    assert_eq!(heard(&mut answer).await, None);
}

#[tokio::test]
async fn a_slow_listener_is_not_the_models_silence() {
    let (server, script) = TestServer::streaming().await;
    let mut answer = server.ask();
    let (said, ()) = tokio::join!(heard(&mut answer), script.say(WORD));
    assert_eq!(said, word());
    server.clock.advance(IDLE * 9);
    let (said, ()) = tokio::join!(heard(&mut answer), script.say(WORD));
    assert_eq!(said, word());
}

#[tokio::test]
async fn a_broken_connection_cuts_the_answer() {
    let (server, script) = TestServer::streaming().await;
    let act = async {
        script.say(WORD).await;
        script.break_off().await;
    };
    let (said, ()) = tokio::join!(collect(server.ask()), act);
    let said = show(&said);
    assert!(said.starts_with("text a\nerror Cut"), "{said}");

    let (server, script) = TestServer::streaming().await;
    let act = async {
        script.say([WORD, FINISH].concat()).await;
        script.break_off().await;
    };
    let (said, ()) = tokio::join!(collect(server.ask()), act);
    assert_eq!(show(&said), "text a\nfinish Stop");
}

#[tokio::test]
async fn nothing_is_sent_until_the_answer_is_wanted() {
    let (mut server, _script) = TestServer::streaming().await;
    drop(server.ask());
    let mut answer = server.ask();
    tokio::select! {
        _ = heard(&mut answer) => panic!("the server said nothing"),
        _ = server.request() => {}
    }
    drop(answer);
    assert!(server.no_request());
}

#[tokio::test]
async fn dropping_the_answer_closes_the_connection() {
    let (server, script) = TestServer::streaming().await;
    let mut answer = server.ask();
    let (said, ()) = tokio::join!(heard(&mut answer), script.say(WORD));
    assert_eq!(said, word());
    drop(answer);
    script.client_left().await;
}

#[tokio::test]
async fn dropping_the_question_closes_the_connection() {
    let mut server = TestServer::new(None).await;
    let mut answer = server.ask();
    tokio::select! {
        _ = heard(&mut answer) => panic!("the server said nothing"),
        _ = server.request() => {}
    }
    drop(answer);
    server.client_left().await;
}
