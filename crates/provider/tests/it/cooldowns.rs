//! What is remembered between answers, and over a change of routes.

use std::time::Duration;

use futures_util::StreamExt;
use kaiwa_domain::Delta;
use kaiwa_domain::port::ChatModel;

use crate::house::{Act, House};
use crate::stage::{brief, collect, show};

const HELLO: Act = Act::Say("hello");
const BUSY: Act = Act::Status(429, "{}");
const BROKEN: Act = Act::Status(500, "{}");
const SECOND: Duration = Duration::from_secs(1);

/// Asks along a route that is made anew each time.
async fn ask(house: &House, usual: &[&str]) -> (String, String) {
    let seen = collect(house.router(usual, &[]).answer(brief())).await;
    (house.log(), show(&seen))
}

#[tokio::test]
async fn a_key_rests() {
    let later = Act::Later(429, "90");
    for (act, rest) in [
        (BUSY, 60),
        (later, 90),
        (Act::Status(401, "{}"), 300),
        (Act::Status(402, "{}"), 300),
    ] {
        let script = [act.clone(), HELLO, HELLO, HELLO];
        let house = House::new(&[("a", &script), ("b", &[HELLO])]).await;
        assert_eq!(ask(&house, &["a:k,l"]).await.0, "a:k a:l", "{act:?}");
        house.clock.advance(SECOND * (rest - 1));
        // Known by its hash, wherever it stands now.
        assert_eq!(ask(&house, &["a:k,m"]).await.0, "a:m", "{act:?}");
        assert_eq!(ask(&house, &["b:k"]).await.0, "b:k", "another model");
        house.clock.advance(SECOND);
        assert_eq!(ask(&house, &["a:k,l"]).await.0, "a:k", "{act:?}");
    }
}

#[tokio::test]
async fn with_every_key_at_rest_nothing_is_asked() {
    let house = House::new(&[("a", &[Act::Status(401, "{}"), BUSY]), ("b", &[HELLO])]).await;
    let (asked, seen) = ask(&house, &["a:k,l"]).await;
    assert_eq!(asked, "a:k a:l");
    assert_eq!(seen, "error Busy { retry_after: None }");
    let (asked, seen) = ask(&house, &["a:l,k"]).await;
    assert_eq!(asked, "");
    assert_eq!(seen, "error Unauthorized { status: 401 }");
    assert_eq!(ask(&house, &["a:k,l", "b"]).await.0, "b");
}

#[tokio::test]
async fn a_model_that_keeps_failing_is_left_alone() {
    let mut script = vec![BROKEN; 7];
    script.extend([HELLO, HELLO]);
    let spare = [HELLO, HELLO, HELLO, HELLO];
    let house = House::new(&[("a", &script), ("b", &spare)]).await;
    let usual: &[&str] = &["a", "b"];
    assert_eq!(ask(&house, usual).await.0, "a a a b");
    // The fifth failure in a row ends it, in the middle of the retries.
    assert_eq!(ask(&house, usual).await.0, "a a b");
    assert_eq!(ask(&house, usual).await.0, "b");
    house.clock.advance(SECOND * 30);
    // One call tries it, and fails.
    assert_eq!(ask(&house, usual).await.0, "a b");
    // Alone it is tried all the same, once.
    let (asked, seen) = ask(&house, &["a"]).await;
    assert_eq!(asked, "a");
    assert!(seen.starts_with("error Failed"), "{seen}");
    house.clock.advance(SECOND * 30);
    assert_eq!(ask(&house, usual).await.0, "a");
    assert_eq!(ask(&house, usual).await.0, "a");
}

#[tokio::test]
async fn a_server_that_is_back_answers_its_first_question() {
    let mut script = vec![BROKEN; 6];
    script.extend([HELLO, HELLO]);
    let house = House::new(&[("a", &script)]).await;
    ask(&house, &["a"]).await;
    ask(&house, &["a"]).await;
    house.act("a", &[HELLO, HELLO]);
    for _ in 0..2 {
        let (asked, seen) = ask(&house, &["a"]).await;
        assert_eq!((&*asked, &*seen), ("a", "text hello\nfinish Stop"));
    }
}

#[tokio::test]
async fn of_several_that_are_out_of_order_the_first_that_failed_is_tried() {
    let script: &[(&str, &[Act])] = &[("a", &[BROKEN; 9]), ("b", &[BROKEN; 9])];
    let house = House::new(script).await;
    for model in ["b", "b", "a", "a"] {
        ask(&house, &[model]).await;
        house.clock.advance(SECOND);
    }
    house.log();
    house.act("b", &[HELLO]);
    let (asked, seen) = ask(&house, &["a", "b"]).await;
    assert_eq!((&*asked, &*seen), ("b", "text hello\nfinish Stop"));
    // One that works is asked before any that does not.
    let house = House::new(&[("a", &[BROKEN; 9]), ("b", &[HELLO; 9])]).await;
    ask(&house, &["a"]).await;
    ask(&house, &["a"]).await;
    assert_eq!(ask(&house, &["a", "b"]).await.0, "b");
}

#[tokio::test]
async fn a_model_that_answers_again_is_there_for_all() {
    let mut script = vec![BROKEN; 5];
    let endless = "data: {\"choices\":[{\"delta\":{\"content\":\"blah\"}}]}\n\n";
    script.extend([Act::Endless(endless), HELLO]);
    let house = House::new(&[("a", &script)]).await;
    ask(&house, &["a"]).await;
    ask(&house, &["a"]).await;
    house.clock.advance(SECOND * 30);
    let mut long = house.router(&["a"], &[]).answer(brief());
    assert!(matches!(long.next().await, Some(Ok(Delta::Text(_)))));
    assert_eq!(ask(&house, &["a"]).await.1, "text hello\nfinish Stop");
}

#[tokio::test]
async fn refusals_do_not_break_a_model() {
    let refused = Act::Status(404, "{}");
    let script = [0; 8].map(|_| refused.clone());
    let house = House::new(&[("a", &script)]).await;
    for _ in 0..8 {
        assert_eq!(ask(&house, &["a"]).await.0, "a");
    }
}
