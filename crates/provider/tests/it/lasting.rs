//! How long an answer may take. Time moves by hand.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use kaiwa_domain::port::{Answer, ChatModel};
use kaiwa_domain::{Delta, ModelError, Role};
use kaiwa_provider::{Budget, Candidate, FIRST_WORD_WITHIN, ModelPool, ModelRoute};

use crate::scripted_server::{text, thought};
use crate::test_server::{ReplyBody, TestServer, brief};

const STEP: Duration = Duration::from_secs(9);
const PATIENCE: Duration = Duration::from_secs(300);
const LONGEST: Duration = Duration::from_secs(900);

/// An answer of a model that speaks by the script.
async fn begin() -> (TestServer, ReplyBody, Answer) {
    let (server, script) = TestServer::streaming().await;
    let candidate = Candidate {
        name: "test/tea".to_owned(),
        endpoint: server.endpoint(),
        keys: Vec::new(),
        price: None,
        context: None,
    };
    let route = ModelRoute {
        role: Role::Chat,
        candidates: vec![candidate],
        on_censored: Vec::new(),
        budget: Budget::default(),
        first_word_within: FIRST_WORD_WITHIN,
    };
    let pool = ModelPool::new(server.clock.clone(), None);
    let answer = pool.route(route).unwrap().answer(brief());
    (server, script, answer)
}

/// Hears a piece every few seconds, until there is an error or time is up.
/// Says when that was.
async fn hear(
    server: &TestServer,
    script: &ReplyBody,
    answer: &mut Answer,
    piece: &str,
) -> Result<(), (Duration, ModelError)> {
    let mut passed = Duration::ZERO;
    loop {
        let (said, ()) = tokio::join!(next(answer), script.say(piece.to_owned()));
        said.map_err(|error| (passed, error))?;
        // More is waited for, time passes, and whether that was too long shows
        // at once.
        for step in [Duration::ZERO, STEP] {
            server.clock.advance(step);
            passed += step;
            if let Some(said) = next(answer).now_or_never() {
                return said.map_err(|error| (passed, error));
            }
        }
        if passed > LONGEST {
            return Ok(());
        }
    }
}

async fn next(answer: &mut Answer) -> Result<(), ModelError> {
    loop {
        match answer.next().await.unwrap()? {
            Delta::Spent(_) | Delta::Heartbeat => {}
            _ => return Ok(()),
        }
    }
}

#[tokio::test]
async fn thoughts_alone_are_not_waited_for_forever() {
    let (server, script, mut answer) = begin().await;
    let heard = hear(&server, &script, &mut answer, &thought("hm")).await;
    let silent = ModelError::Silent { waited: PATIENCE };
    // The first moment that is not before the end of the patience.
    let late = STEP * 34;
    assert!(late >= PATIENCE && late - STEP < PATIENCE);
    assert_eq!(heard, Err((late, silent)));
    assert!(answer.next().await.is_none());
    script.client_left().await;
}

#[tokio::test]
async fn what_is_shown_renews_the_patience_up_to_a_limit() {
    let (server, script, mut answer) = begin().await;
    let heard = hear(&server, &script, &mut answer, &text("more")).await;
    let Err((LONGEST, ModelError::Excessive { reason })) = heard else {
        panic!("{heard:?}");
    };
    assert_eq!(reason, "the answer took longer than 15 minutes");
    script.client_left().await;
}

#[tokio::test]
async fn whoever_shows_it_may_take_time() {
    let (server, script, mut answer) = begin().await;
    for _ in 0..2 {
        let (said, ()) = tokio::join!(next(&mut answer), script.say(text("more")));
        assert_eq!(said, Ok(()));
        // Nobody asks for more until what was said is shown.
        server.clock.advance(PATIENCE + STEP);
    }
    let (said, ()) = tokio::join!(next(&mut answer), script.say(text("more")));
    assert_eq!(said, Ok(()));
}
