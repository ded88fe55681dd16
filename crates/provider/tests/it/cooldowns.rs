//! What is remembered between answers, and over a change of routes.

use std::time::Duration;

use futures_util::StreamExt;
use kaiwa_domain::Delta;
use kaiwa_domain::port::ChatModel;

use crate::scripted_server::{Behaviour, ScriptedServer};
use crate::test_server::{brief, collect, show};

const HELLO: Behaviour = Behaviour::Say("hello");
const BUSY: Behaviour = Behaviour::Status(429, "{}");
const BROKEN: Behaviour = Behaviour::Status(500, "{}");
const SECOND: Duration = Duration::from_secs(1);

/// Asks along a route that is made anew each time.
async fn ask(server: &ScriptedServer, usual: &[&str]) -> (String, String) {
    let seen = collect(server.router(usual, &[]).answer(brief())).await;
    (server.log(), show(&seen))
}

#[tokio::test]
async fn a_key_rests() {
    let later = Behaviour::Later(429, "90");
    for (act, rest) in [
        (BUSY, 60),
        (later, 90),
        (Behaviour::Status(401, "{}"), 300),
        (Behaviour::Status(402, "{}"), 300),
    ] {
        let script = [act.clone(), HELLO, HELLO, HELLO];
        let server = ScriptedServer::new(&[("a", &script), ("b", &[HELLO])]).await;
        assert_eq!(ask(&server, &["a:k,l"]).await.0, "a:k a:l", "{act:?}");
        server.clock.advance(SECOND * (rest - 1));
        // Known by its hash, wherever it stands now.
        assert_eq!(ask(&server, &["a:k,m"]).await.0, "a:m", "{act:?}");
        assert_eq!(ask(&server, &["b:k"]).await.0, "b:k", "another model");
        server.clock.advance(SECOND);
        assert_eq!(ask(&server, &["a:k,l"]).await.0, "a:k", "{act:?}");
    }
}

#[tokio::test]
async fn with_every_key_at_rest_nothing_is_asked() {
    let server = ScriptedServer::new(&[
        ("a", &[Behaviour::Status(401, "{}"), BUSY]),
        ("b", &[HELLO]),
    ])
    .await;
    let (asked, seen) = ask(&server, &["a:k,l"]).await;
    assert_eq!(asked, "a:k a:l");
    assert_eq!(seen, "error Busy { retry_after: None }");
    let (asked, seen) = ask(&server, &["a:l,k"]).await;
    assert_eq!(asked, "");
    assert_eq!(seen, "error Unauthorized { status: 401 }");
    assert_eq!(ask(&server, &["a:k,l", "b"]).await.0, "b");
}

#[tokio::test]
async fn a_model_that_keeps_failing_is_left_alone() {
    let mut script = vec![BROKEN; 7];
    script.extend([HELLO, HELLO]);
    let spare = [HELLO, HELLO, HELLO, HELLO];
    let server = ScriptedServer::new(&[("a", &script), ("b", &spare)]).await;
    let usual: &[&str] = &["a", "b"];
    assert_eq!(ask(&server, usual).await.0, "a a a b");
    // The fifth failure in a row ends it, in the middle of the retries.
    assert_eq!(ask(&server, usual).await.0, "a a b");
    assert_eq!(ask(&server, usual).await.0, "b");
    server.clock.advance(SECOND * 30);
    // One call tries it, and fails.
    assert_eq!(ask(&server, usual).await.0, "a b");
    // Alone it is tried all the same, once.
    let (asked, seen) = ask(&server, &["a"]).await;
    assert_eq!(asked, "a");
    assert!(seen.starts_with("error Failed"), "{seen}");
    server.clock.advance(SECOND * 30);
    assert_eq!(ask(&server, usual).await.0, "a");
    assert_eq!(ask(&server, usual).await.0, "a");
}

#[tokio::test]
async fn a_server_that_is_back_answers_its_first_question() {
    let mut script = vec![BROKEN; 6];
    script.extend([HELLO, HELLO]);
    let server = ScriptedServer::new(&[("a", &script)]).await;
    ask(&server, &["a"]).await;
    ask(&server, &["a"]).await;
    server.act("a", &[HELLO, HELLO]);
    for _ in 0..2 {
        let (asked, seen) = ask(&server, &["a"]).await;
        assert_eq!((&*asked, &*seen), ("a", "text hello\nfinish Stop"));
    }
}

#[tokio::test]
async fn of_several_that_are_out_of_order_the_first_that_failed_is_tried() {
    let script: &[(&str, &[Behaviour])] = &[("a", &[BROKEN; 9]), ("b", &[BROKEN; 9])];
    let server = ScriptedServer::new(script).await;
    for model in ["b", "b", "a", "a"] {
        ask(&server, &[model]).await;
        server.clock.advance(SECOND);
    }
    server.log();
    server.act("b", &[HELLO]);
    let (asked, seen) = ask(&server, &["a", "b"]).await;
    assert_eq!((&*asked, &*seen), ("b", "text hello\nfinish Stop"));
    // One that works is asked before any that does not.
    let server = ScriptedServer::new(&[("a", &[BROKEN; 9]), ("b", &[HELLO; 9])]).await;
    ask(&server, &["a"]).await;
    ask(&server, &["a"]).await;
    assert_eq!(ask(&server, &["a", "b"]).await.0, "b");
}

#[tokio::test]
async fn a_model_that_answers_again_is_there_for_all() {
    let mut script = vec![BROKEN; 5];
    let endless = "data: {\"choices\":[{\"delta\":{\"content\":\"blah\"}}]}\n\n";
    script.extend([Behaviour::Endless(endless), HELLO]);
    let server = ScriptedServer::new(&[("a", &script)]).await;
    ask(&server, &["a"]).await;
    ask(&server, &["a"]).await;
    server.clock.advance(SECOND * 30);
    let mut long = server.router(&["a"], &[]).answer(brief());
    assert!(matches!(long.next().await, Some(Ok(Delta::Text(_)))));
    assert_eq!(ask(&server, &["a"]).await.1, "text hello\nfinish Stop");
}

#[tokio::test]
async fn refusals_do_not_break_a_model() {
    let refused = Behaviour::Status(404, "{}");
    let script = [0; 8].map(|_| refused.clone());
    let server = ScriptedServer::new(&[("a", &script)]).await;
    for _ in 0..8 {
        assert_eq!(ask(&server, &["a"]).await.0, "a");
    }
}
