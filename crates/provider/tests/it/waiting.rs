//! How long people wait for the first word, whoever is asked for it.

use std::time::Duration;

use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{Brief, ChannelId, GuildId, MessageId, Payer, Role, Scope, TurnId, UserId};
use kaiwa_provider::{Endpoint, FIRST_WORD_WITHIN, Vendor};

use crate::log::Log;
use crate::scripted_server::{Behaviour, ScriptedServer, thought};
use crate::test_server::{FIRST_TOKEN, brief, collect, show};

const HELLO: Behaviour = Behaviour::Say("hello");
const SILENCE: Behaviour = Behaviour::Silence;
const GREETED: &str = "text hello\nfinish Stop";

fn asked(turn: u64) -> Brief {
    Brief {
        payer: Some(Payer {
            turn: TurnId::of_message(MessageId::new(turn)),
            scope: Scope::Guild(GuildId::new(1)),
            channel: ChannelId::new(1),
            user: UserId::new(1),
        }),
        ..brief()
    }
}

/// What was seen, and how many seconds each silent model was waited for.
struct Heard {
    asked: String,
    seen: String,
    waits: Vec<u64>,
}

async fn ask(server: &ScriptedServer, role: Role, usual: &[&str], turn: u64) -> Heard {
    let mut route = server.route(usual, &[]);
    (route.role, route.first_word_within) = (role, FIRST_WORD_WITHIN);
    let router = server.pool.route(route).unwrap();
    let log = Log::new();
    // Who is waited for longer than the clock goes is waited for for ever.
    let answer = collect(router.answer(asked(turn)));
    let answer = tokio::time::timeout(Duration::from_secs(20), answer).await;
    let seen = show(&answer.unwrap());
    let waits = log
        .lines("the model was silent for ")
        .into_iter()
        .map(|line| {
            let (_, waited) = line.split_once("silent for ").unwrap();
            let digits = waited.split(|c: char| !c.is_ascii_digit()).next();
            digits.unwrap().parse().unwrap()
        });
    Heard {
        asked: server.log(),
        waits: waits.collect(),
        seen,
    }
}

#[tokio::test]
async fn silence_ends_when_people_have_had_enough() {
    // The models in order, of which the last may speak.
    for (models, last, asked, waits) in [
        // Asked once more, for as long as there is patience.
        (&["a"][..], Behaviour::Silence, "a a", &[30, 14][..]),
        (&["a", "b"], HELLO, "a b", &[30]),
        (&["a", "b"], Behaviour::Silence, "a b", &[30, 15]),
        (&["a", "b", "c"], HELLO, "a b c", &[25, 10]),
        (&["a", "b", "c", "d"], HELLO, "a b c d", &[15, 10, 10]),
    ] {
        let script: Vec<_> = models
            .iter()
            .map(|model| match *model == models[models.len() - 1] {
                true => (*model, vec![last.clone(); 3]),
                false => (*model, vec![Behaviour::Silence; 3]),
            })
            .collect();
        let script: Vec<_> = script
            .iter()
            .map(|(model, acts)| (*model, &acts[..]))
            .collect();
        let server = ScriptedServer::new(&script).await;
        // The pause before a retry is part of the patience.
        let round_up = |wait: &u64| if *wait == 14 { 15 } else { *wait };
        server.silences(&waits.iter().map(round_up).collect::<Vec<_>>());
        let heard = ask(&server, Role::Chat, models, 1).await;
        assert_eq!(heard.asked, asked, "{models:?}");
        assert_eq!(heard.waits, waits, "{models:?}");
        match last {
            Behaviour::Silence => assert!(heard.seen.starts_with("error Silent"), "{}", heard.seen),
            _ => assert_eq!(heard.seen, GREETED),
        }
    }
}

#[tokio::test]
async fn a_turn_has_one_patience_whoever_it_asks() {
    let silent: &[Behaviour] = &[SILENCE; 3];
    let server = ScriptedServer::new(&[("r", silent), ("v", silent), ("a", silent)]).await;
    // Who has another to answer in its place leaves something.
    server.silences(&[30, 15]);
    let reasoned = ask(&server, Role::Reasoner, &["r"], 1).await;
    assert_eq!((&*reasoned.asked, &*reasoned.waits), ("r", &[30][..]));
    let answered = ask(&server, Role::Chat, &["a"], 1).await;
    assert_eq!((&*answered.asked, &*answered.waits), ("a", &[14][..]));
    assert!(answered.seen.starts_with("error Silent"));
    // Nothing is left of it.
    assert_eq!(ask(&server, Role::Chat, &["a"], 1).await.asked, "");
    // Another turn has its own.
    server.silences(&[30]);
    server.act("a", &[Behaviour::Silence, HELLO]);
    assert_eq!(ask(&server, Role::Chat, &["a"], 2).await.seen, GREETED);
    // Once something was heard, it begins anew.
    server.silences(&[30]);
    server.act("a", &[Behaviour::Silence, HELLO]);
    assert_eq!(ask(&server, Role::Chat, &["a"], 2).await.seen, GREETED);
}

#[tokio::test]
async fn who_thinks_is_not_silent() {
    // A thought, and then three attempts that are too slow for one patience.
    let server = ScriptedServer::new(&[(
        "a",
        &[
            Behaviour::Break(thought("hm")),
            Behaviour::Silence,
            Behaviour::Say("hello"),
        ],
    )])
    .await;
    server.silences(&[30]);
    let heard = ask(&server, Role::Chat, &["a"], 1).await;
    assert_eq!(heard.asked, "a a a");
    assert!(heard.seen.ends_with(GREETED), "{}", heard.seen);
}

#[tokio::test]
async fn the_operator_hears_that_we_wait() {
    let server = ScriptedServer::new(&[("a", &[Behaviour::SlowSilence])]).await;
    let log = Log::new();
    let mut route = server.route(&["a"], &[]);
    route.first_word_within = FIRST_TOKEN;
    let router = server.pool.route(route).unwrap();
    let seen = show(&collect(router.answer(asked(7))).await);
    assert!(seen.starts_with("error Silent"), "{seen}");
    let lines = log.lines("still waiting for the model");
    assert_eq!(lines.len(), 1, "{lines:#?}");
    for words in ["INFO", "model=\"test/a\"", "turn=7-0", "waited=15s"] {
        assert!(lines[0].contains(words), "{words} in {}", lines[0]);
    }
}

#[test]
fn who_is_far_is_asked_again_sooner() {
    fn check(url: &str, seconds: u64) {
        let url = url.parse().unwrap();
        let endpoint = Endpoint::at(Vendor::at(&url), url, "m".to_owned());
        assert_eq!(endpoint.first_token_timeout, Duration::from_secs(seconds));
    }
    check("https://api.openai.com/v1", 30);
    check("http://192.168.1.2:8080/v1", 30);
    check("http://127.0.0.1:11434", 45);
    check("http://localhost:8080", 45);
    check("http://[::1]:8080", 45);
}
