//! Which requests are made, in which order, and what the caller sees of it.

use std::time::Duration;

use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{Delta, Line, ModelError};
use kaiwa_provider::EndpointError;

use crate::scripted_server::{Behaviour, ScriptedServer, finish, text, thought};
use crate::test_server::{brief, collect, show};

const CENSORED: Behaviour =
    Behaviour::Status(400, r#"{"error":{"message":"Content Exists Risk"}}"#);
const TOO_LONG: Behaviour = Behaviour::Status(
    400,
    r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
);
const BUSY: Behaviour = Behaviour::Status(429, "{}");
const BROKEN: Behaviour = Behaviour::Status(500, "{}");
const HELLO: Behaviour = Behaviour::Say("hello");

/// A story: who may be asked, what they do, who was asked and what was seen.
struct Story<'a> {
    usual: &'a [&'a str],
    on_censored: &'a [&'a str],
    script: &'a [(&'a str, &'a [Behaviour])],
    asked: &'a str,
    seen: &'a str,
}

impl Story<'_> {
    async fn check(self) {
        let server = ScriptedServer::new(self.script).await;
        let router = server.router(self.usual, self.on_censored);
        let seen = collect(router.answer(brief())).await;
        let story = format!("{:?} {:?}", self.usual, self.script);
        assert_eq!(server.log(), self.asked, "{story}");
        assert_eq!(show(&seen), self.seen, "{story}");
    }
}

async fn check(usual: &[&str], script: &[(&str, &[Behaviour])], asked: &str, seen: &str) {
    let story = Story {
        usual,
        on_censored: &[],
        script,
        asked,
        seen,
    };
    story.check().await;
}

const GREETED: &str = "text hello\nfinish Stop";

#[tokio::test]
async fn a_model_that_fails_is_retried_twice_and_then_left() {
    check(&["a:k"], &[("a", &[HELLO])], "a:k", GREETED).await;
    let (two, three) = ([BROKEN, BROKEN, HELLO], [BROKEN, BROKEN, BROKEN, HELLO]);
    check(&["a:k", "b"], &[("a", &two)], "a:k a:k a:k", GREETED).await;
    let script: &[(&str, &[Behaviour])] = &[("a", &three), ("b", &[HELLO])];
    check(&["a:k", "b:l"], script, "a:k a:k a:k b:l", GREETED).await;
    for act in [
        Behaviour::Status(503, "overloaded"),
        Behaviour::Page,
        Behaviour::Silence,
        Behaviour::Events("data: nonsense\n\n".repeat(40)),
        Behaviour::Events(String::new()),
        Behaviour::Break(String::new()),
        Behaviour::Break(": still here\n\n".to_owned()),
        Behaviour::Events("data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n".to_owned()),
    ] {
        let script = [act.clone(), act.clone(), HELLO];
        let script: &[(&str, &[Behaviour])] = &[("a", &script)];
        let server = ScriptedServer::new(script).await;
        let seen = collect(server.router(&["a"], &[]).answer(brief())).await;
        assert_eq!(server.log(), "a a a", "{act:?}");
        let spoken = |item: &Result<Delta, ModelError>| !matches!(item, Ok(Delta::Heartbeat));
        let seen: Vec<_> = seen.into_iter().filter(spoken).collect();
        assert_eq!(show(&seen), GREETED, "{act:?}");

        let script = [act.clone(), act.clone(), act.clone(), HELLO];
        let server = ScriptedServer::new(&[("a", &script), ("b", &[HELLO])]).await;
        collect(server.router(&["a", "b"], &[]).answer(brief())).await;
        // Who is silent has cost time enough.
        let asked = match act {
            Behaviour::Silence => "a b",
            _ => "a a a b",
        };
        assert_eq!(server.log(), asked, "{act:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_left_for_the_next() {
    let server = ScriptedServer::new(&[("b", &[HELLO])]).await;
    let mut route = server.route(&["a", "b"], &[]);
    // A port that was free a moment ago.
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = format!("http://{}/v1", port.local_addr().unwrap());
    drop(port);
    route.candidates[0].endpoint.base_url = nowhere.parse().unwrap();
    let router = server.pool.route(route.clone()).unwrap();
    let seen = collect(router.answer(brief())).await;
    assert_eq!(show(&seen), GREETED);
    assert_eq!(server.log(), "b");
    assert_eq!(server.clock.pauses().len(), 2);

    route.candidates.truncate(1);
    let router = server.pool.route(route).unwrap();
    let seen = show(&collect(router.answer(brief())).await);
    assert!(seen.starts_with("error Unreachable"), "{seen}");
}

#[tokio::test]
async fn a_busy_server_is_waited_for_if_it_does_not_take_long() {
    let soon = [Behaviour::Later(429, "3"), HELLO];
    check(&["a:k,l"], &[("a", &soon)], "a:k a:k", GREETED).await;
    let late = [Behaviour::Later(429, "9"), HELLO];
    check(&["a:k,l"], &[("a", &late)], "a:k a:l", GREETED).await;
    check(&["a:k,l"], &[("a", &[BUSY, HELLO])], "a:k a:l", GREETED).await;
    let script: &[(&str, &[Behaviour])] = &[("a", &[BUSY, BUSY]), ("b", &[HELLO])];
    check(&["a:k,l", "b"], script, "a:k a:l b", GREETED).await;
    let script: &[(&str, &[Behaviour])] = &[("a", &[BUSY])];
    check(&["a:k"], script, "a:k", "error Busy { retry_after: None }").await;
    // It may say so three times, and no more.
    let soon = [0; 4].map(|_| Behaviour::Later(429, "1"));
    let script: &[(&str, &[Behaviour])] = &[("a", &soon), ("b", &[HELLO])];
    check(&["a:k", "b"], script, "a:k a:k a:k b", GREETED).await;
}

#[tokio::test]
async fn waits_are_as_long_as_they_should_be() {
    let server = ScriptedServer::new(&[("a", &[Behaviour::Later(429, "8"), BROKEN, HELLO])]).await;
    collect(server.router(&["a"], &[]).answer(brief())).await;
    let pauses = server.clock.pauses();
    assert_eq!(pauses[0], Duration::from_secs(8));
    let second = Duration::from_secs(1);
    assert!((second..second * 2).contains(&pauses[1]), "{pauses:?}");
    assert_eq!(pauses.len(), 2);
}

#[tokio::test]
async fn a_key_that_is_refused_gives_way_to_the_next() {
    for refused in [
        Behaviour::Status(401, "{}"),
        Behaviour::Status(402, "{}"),
        Behaviour::Status(403, "{}"),
        Behaviour::Status(429, r#"{"error":{"code":"insufficient_quota"}}"#),
        Behaviour::Events("data: {\"error\":{\"code\":\"insufficient_quota\"}}\n\n".to_owned()),
    ] {
        let script = [refused.clone(), HELLO];
        check(&["a:k,l"], &[("a", &script)], "a:k a:l", GREETED).await;
        let twice = [refused.clone(), refused];
        let script: &[(&str, &[Behaviour])] = &[("a", &twice), ("b", &[HELLO])];
        check(&["a:k,l", "b:m"], script, "a:k a:l b:m", GREETED).await;
    }
    let script: &[(&str, &[Behaviour])] = &[("a", &[Behaviour::Status(401, "{}")])];
    check(
        &["a:k"],
        script,
        "a:k",
        "error Unauthorized { status: 401 }",
    )
    .await;
}

#[tokio::test]
async fn a_question_that_a_model_rejects_goes_to_the_next() {
    let script: &[(&str, &[Behaviour])] =
        &[("a", &[Behaviour::Status(404, "{}")]), ("b", &[HELLO])];
    check(&["a:k,l", "b"], script, "a:k b", GREETED).await;
}

#[tokio::test]
async fn what_failed_before_it_was_shown_is_asked_again_unseen() {
    let mused = thought("hm");
    let seen = "thought hm\nanew\ntext hello\nfinish Stop";
    for act in [
        Behaviour::Stall(mused.clone()),
        Behaviour::Break(mused.clone()),
    ] {
        check(&["a"], &[("a", &[act, HELLO])], "a a", seen).await;
    }
    // What was passed on of the last attempt stays.
    let broken = [Behaviour::Break(mused.clone()), BROKEN, BROKEN];
    let server = ScriptedServer::new(&[("a", &broken)]).await;
    let seen = show(&collect(server.router(&["a"], &[]).answer(brief())).await);
    assert!(seen.starts_with("thought hm\nanew\nerror Failed"), "{seen}");
}

#[tokio::test]
async fn what_was_shown_is_never_asked_again() {
    for act in [
        Behaviour::Stall(text("hi")),
        Behaviour::Break(text("hi")),
        Behaviour::Events(text("hi")),
        Behaviour::Events(text("hi") + "data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n"),
        Behaviour::Events(text("hi") + &"data: nonsense\n\n".repeat(40)),
    ] {
        let server = ScriptedServer::new(&[("a", &[act.clone(), HELLO]), ("b", &[HELLO])]).await;
        let seen = show(&collect(server.router(&["a:k,l", "b"], &["b"]).answer(brief())).await);
        assert_eq!(server.log(), "a:k", "{act:?}");
        assert!(seen.starts_with("text hi\nerror "), "{act:?}: {seen}");
        assert_eq!(seen.lines().count(), 2, "{seen}");
    }
}

#[tokio::test]
async fn a_cut_anywhere_shows_each_word_once() {
    let whole = thought("hm") + &text("one") + &text("two") + &finish("stop");
    for cut in 0..whole.len() {
        let script = [Behaviour::Break(whole[..cut].to_owned()), HELLO];
        let server = ScriptedServer::new(&[("a", &script)]).await;
        let seen = show(&collect(server.router(&["a"], &[]).answer(brief())).await);
        let expected = match server.log().as_str() {
            "a a" => seen.replace("thought hm\nanew\n", "") == GREETED,
            _ => {
                let words = seen.trim_start_matches("thought hm\n");
                words.starts_with("text one\nerror Cut")
                    || words.starts_with("text one\ntext two\nerror Cut")
                    || words == "text one\ntext two\nfinish Stop"
            }
        };
        assert!(expected, "cut at {cut}: {seen}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_ended() {
    let endless = "data: {\"choices\":[{\"delta\":{\"content\":\"blah blah blah blah blah blah blah blah blah blah blah blah\"}}]}\n\n";
    let server = ScriptedServer::new(&[("a", &[Behaviour::Endless(endless), HELLO])]).await;
    let seen = collect(server.router(&["a"], &[]).answer(brief())).await;
    let Some(Err(ModelError::Excessive { reason })) = seen.last() else {
        panic!("{:?}", seen.last());
    };
    assert_eq!(reason, "the answer does not end");
    assert_eq!(server.log(), "a");
}

#[tokio::test]
async fn a_censored_question_goes_to_those_who_take_it() {
    let withheld = Behaviour::Events(thought("hm") + &finish("content_filter"));
    let refused = "error Censored { message: \"Content Exists Risk\" }";
    let greeted_anew = "thought hm\nanew\ntext hello\nfinish Stop";
    // The one that is asked first, and the two who are less easily shocked.
    let check_all =
        async |a: &Behaviour, c: &[Behaviour], d: &[Behaviour], asked: &str, seen: &str| {
            let story = Story {
                usual: &["a:k1,k2", "b"],
                on_censored: &["c", "d"],
                script: &[("a", std::slice::from_ref(a)), ("c", c), ("d", d)],
                asked,
                seen,
            };
            story.check().await;
        };
    check_all(&CENSORED, &[HELLO], &[], "a:k1 c", GREETED).await;
    check_all(&withheld, &[HELLO], &[], "a:k1 c", greeted_anew).await;
    check_all(&CENSORED, &[CENSORED], &[HELLO], "a:k1 c d", GREETED).await;
    check_all(&CENSORED, &[CENSORED], &[CENSORED], "a:k1 c d", refused).await;
    check_all(&CENSORED, &[BROKEN; 3], &[HELLO], "a:k1 c c c d", GREETED).await;
    let no_key = [Behaviour::Status(401, "")];
    check_all(&CENSORED, &[BUSY], &no_key, "a:k1 c d", refused).await;
    // With nobody to go to, what happened is told.
    check(&["a", "b"], &[("a", &[CENSORED])], "a", refused).await;
    let seen = "thought hm\nfinish Refused";
    check(&["a", "b"], &[("a", &[withheld])], "a", seen).await;
    // Words of refusal are words.
    let declined = Behaviour::Events(text("I would rather not") + &finish("content_filter"));
    let story = Story {
        usual: &["a"],
        on_censored: &["c"],
        script: &[("a", &[declined])],
        asked: "a",
        seen: "text I would rather not\nfinish Refused",
    };
    story.check().await;
}

/// The last words of each line that the model was told, system text aside.
fn told(body: &serde_json::Value) -> String {
    let messages = body["messages"].as_array().unwrap();
    let last = |message: &serde_json::Value| {
        let words = message["content"].as_str().unwrap();
        words.rsplit(' ').next().unwrap().to_owned()
    };
    messages
        .iter()
        .skip(1)
        .map(last)
        .collect::<Vec<_>>()
        .join(" ")
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_shrunk_once() {
    let mut long = brief();
    let line = |number: u32| match number % 2 {
        1 => Line::user(format!("Ada: {number}")),
        _ => Line::assistant(number.to_string()),
    };
    long.lines = (1..=9).map(line).collect();
    let ask = async |script: &[(&str, &[Behaviour])], context: Option<u32>| {
        let server = ScriptedServer::new(script).await;
        let mut route = server.route(&["a", "b"], &[]);
        route.candidates[0].context = context;
        let router = server.pool.route(route).unwrap();
        let seen = show(&collect(router.answer(long.clone())).await);
        let asked = server.asked().into_iter();
        let told = asked.map(|asked| format!("{}: {}", asked.model, told(&asked.body)));
        (told.collect::<Vec<_>>(), seen)
    };
    let (whole, half) = ("1 2 3 4 5 6 7 8 9", "6 7 8 9");
    let (asked, seen) = ask(&[("a", &[TOO_LONG, HELLO])], None).await;
    assert_eq!(asked, [format!("a: {whole}"), format!("a: {half}")]);
    assert_eq!(seen, GREETED);

    let (asked, seen) = ask(&[("a", &[TOO_LONG, TOO_LONG]), ("b", &[TOO_LONG])], None).await;
    let halves = [
        format!("a: {whole}"),
        format!("a: {half}"),
        format!("b: {half}"),
    ];
    assert_eq!(asked, halves);
    assert!(seen.starts_with("error TooLong"), "{seen}");

    // A model that is known to be too small is not even asked.
    let (asked, seen) = ask(&[("a", &[HELLO])], Some(30)).await;
    assert_eq!(asked, [format!("a: {half}")]);
    assert_eq!(seen, GREETED);
}

#[tokio::test]
async fn calls_are_counted() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let broken = [BROKEN; 3];
    let script = names.map(|name| (name, broken.as_slice()));
    let server = ScriptedServer::new(&script).await;
    let seen = show(&collect(server.router(&names, &[]).answer(brief())).await);
    assert_eq!(server.log(), "a a a b b b c c c d d d");
    assert!(seen.starts_with("error Failed"), "{seen}");
}

#[tokio::test]
async fn a_route_leads_somewhere() {
    let server = ScriptedServer::new(&[]).await;
    let nowhere = server.pool.route(server.route(&[], &["c"]));
    let error = EndpointError::NoCandidate { role: "chat" };
    assert_eq!(nowhere.err(), Some(error));
    let mut route = server.route(&["a"], &["c"]);
    route.on_censored[0].endpoint.model = String::new();
    let nameless = server.pool.route(route);
    assert_eq!(nameless.err(), Some(EndpointError::NoModel));
}
