//! How long it takes to write a brief, by the number of messages in view.
//! Prints rows of a table, which `cargo xtask bench admit` reads.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::cast_precision_loss,
    reason = "a stopwatch, run by hand"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS;
use kaiwa_domain::{
    Author, AuthorKind, ChannelId, GuildId, Me, Message, MessageId, Persona, PersonaId, Question,
    Scope, Timestamp, UserId,
};
use kaiwa_pipeline::brief::{
    BriefPlace, Now, Room, Sources, Spoken, Template, WindowRules, compose,
};

/// What people say, over and over.
const SAID: [&str; 5] = [
    "hey, did anybody try the new oolong from the shop at the corner?",
    "<@1> what do you think about it?\nI found it a bit bitter, but maybe I let it steep too long",
    "日本のお茶が好きです。<:matcha:123456789012345678>",
    "lol",
    "It depends on the water: **80 °C** and two minutes are enough. See https://example.com/tea?x=1",
];

const MINUTE: u64 = 60_000 << 22;
const NOW: u64 = 1_000_000;

fn spoken(n: u64) -> Spoken {
    let ours = n % 5 == 4;
    let user = if ours { 1 } else { 2 + n % 7 };
    let author = Author {
        id: UserId::new(user),
        name: format!("Person {user}"),
        kind: AuthorKind::Human,
        roles: Vec::new(),
    };
    let text = SAID[(n % 5) as usize].to_owned();
    let id = MessageId::new((NOW - 1) * MINUTE + n);
    let scope = Scope::Guild(GuildId::new(3));
    Spoken {
        message: Arc::new(Message::new(id, scope, ChannelId::new(4), author, text)),
        by: ours.then_some(PersonaId::MAIN),
        look: None,
        turn: None,
        is_notice: false,
    }
}

fn main() {
    let me = Me {
        id: UserId::new(1),
        name: "Kaiwa".into(),
    };
    let persona = Persona {
        id: PersonaId::MAIN,
        name: "Kaiwa".into(),
        personality: "You are friendly, brief and honest. ".repeat(20),
        ..Persona::default()
    };
    let template = Template::default();
    for count in [0, 10, 25, 50, 100, 200] {
        let history: Vec<Spoken> = (0..count).map(spoken).collect();
        let question = Message {
            id: MessageId::new(NOW * MINUTE),
            ..(*spoken(1).message).clone()
        };
        let question = Question::Message(question);
        let sources = Sources {
            me: &me,
            persona: &persona,
            cast: &[],
            place: BriefPlace {
                guild: None,
                channel: None,
                channel_name: &|_| None,
                server_note: None,
                channel_note: None,
            },
            now: Now {
                at: Timestamp::from_millis(SNOWFLAKE_EPOCH_MS + (NOW * 60_000) as i64),
                date: "Sunday, 15 November 2026",
                time: "18:30",
                zone: "UTC",
                write: &|seconds| seconds.to_string(),
            },
            version: "0",
            history: &history,
            question: &question,
            files: &[],
            window: WindowRules {
                messages: 200,
                age: Duration::from_secs(1800),
                directed: false,
                around: 8,
                since: None,
                after: None,
                skip: &[],
                shorten_circles: true,
                pending: &[],
            },
            room: Room {
                conversation: 60_000,
                context: Some(128_000),
            },
            emoji: 30,
            memory: &[],
            done: &[],
            notes: true,
            tools: &[],
            search_rounds: 3,
            prefill: "",
            template: &template,
        };
        let mut times: Vec<Duration> = (0..300)
            .map(|_| {
                let start = Instant::now();
                black_box(compose(black_box(&sources)));
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let micros = |rank: usize| times[rank].as_nanos() as f64 / 1000.0;
        println!("{count}\t{:.1}\t{:.1}", micros(150), micros(297));
    }
}
