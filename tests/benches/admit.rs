//! How fast the gate decides, and how soon a stop is silence.
//!
//! Decisions are those of one core, without anything around them. A stop is
//! measured through the whole bot over real sockets, from just before the
//! message is sent to the moment at which the model's connection is closed; no
//! line of the answer may appear after that. Prints lines for
//! `cargo xtask bench admit`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a stopwatch, run by hand"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS;
use kaiwa_domain::{
    Author, AuthorKind, ChannelId, ChannelSnapshot, GuildId, Me, Mention, Message, MessageId,
    Moment, Question, Scope, Timestamp, UserId,
};
use kaiwa_e2e::story::Story;
use kaiwa_pipeline::admit::stop::stop_request;
use kaiwa_pipeline::admit::{AdmitRules, AdmitState, Gate, Load, TriggerWords};

const DECISIONS: u64 = 400_000;
const ROUNDS: usize = 5;
const STOPS: usize = 200;
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

const CHATTER: [&str; 4] = [
    "did anybody see the game last night?",
    "lol no way",
    "I think the kettle is still on, somebody should look after it before it boils over",
    "今日はいい天気ですね",
];

#[tokio::main]
async fn main() {
    println!("| what the gate decides on | decisions a second, one core |");
    println!("|---|---|");
    let plain = rules(&[]);
    let words = rules(&["kaiwa", "kettle bot", "会話", "kai", "k-chan"]);
    for (what, rules, mention) in [
        ("chatter", &plain, false),
        ("chatter, five trigger words", &words, false),
        ("a mention", &plain, true),
    ] {
        println!("| {what} | {} |", grouped(decide(rules, mention)));
    }
    println!("| chatter, is it a stop? | {} |", grouped(judge_stops()));
    println!();
    let mut times = stops().await;
    times.sort_unstable();
    println!("| from a stop to silence | ms |");
    println!("|---|---|");
    for (name, at) in [("p50", 50), ("p90", 90), ("p99", 99)] {
        let time = times[(times.len() - 1) * at / 100];
        println!("| {name} of {STOPS} | {:.1} |", time.as_secs_f64() * 1000.0);
    }
}

fn rules(words: &[&str]) -> AdmitRules {
    AdmitRules {
        answer_within: Duration::from_secs(600),
        words: TriggerWords::new(words),
        own_threads: true,
        user_turns: 5,
        guild_turns: 50,
        channel_queue: 20,
        ..AdmitRules::default()
    }
}

fn message(number: u64, mention: bool) -> Message {
    let sent = (NOW.as_millis() - SNOWFLAKE_EPOCH_MS).cast_unsigned() << 22;
    let author = Author {
        id: UserId::new(1000 + number % 50),
        name: "Ada".into(),
        kind: AuthorKind::Human,
        roles: Vec::new(),
    };
    let text = CHATTER[usize::try_from(number).unwrap_or(0) % CHATTER.len()];
    let mut message = Message::new(
        MessageId::new(sent + number),
        Scope::Guild(GuildId::new(3)),
        ChannelId::new(4),
        author,
        text.to_owned(),
    );
    if mention {
        message.mentions = vec![Mention {
            id: UserId::new(1),
            name: "Kaiwa".into(),
        }];
    }
    message
}

/// Decisions a second, the best of a few rounds.
fn decide(rules: &AdmitRules, mention: bool) -> u64 {
    let me = Me {
        id: UserId::new(1),
        name: "Kaiwa".into(),
    };
    let channel = ChannelSnapshot::new(ChannelId::new(4));
    let gate = Gate {
        me: &me,
        my_roles: &[],
        rules,
        channel: Some(&channel),
        replied_to: None,
        alters: &[],
        opted_out: false,
        reads_all: true,
    };
    best(|| {
        let mut state = AdmitState::default();
        let messages: Vec<Question> = (0..DECISIONS)
            .map(|number| Question::Message(message(number, mention)))
            .collect();
        let begun = Instant::now();
        for question in messages {
            let decision = state.admit(&gate, NOW, Moment::default(), Load::default(), question);
            black_box(&decision);
        }
        begun.elapsed()
    })
}

fn judge_stops() -> u64 {
    best(|| {
        let begun = Instant::now();
        for number in 0..DECISIONS {
            let text = CHATTER[usize::try_from(number).unwrap_or(0) % CHATTER.len()];
            black_box(stop_request(black_box(text), "Kaiwa", true));
        }
        begun.elapsed()
    })
}

fn best(mut round: impl FnMut() -> Duration) -> u64 {
    let rounds = (0..ROUNDS).map(|_| round());
    let shortest = rounds.min().unwrap_or(Duration::MAX);
    (DECISIONS as f64 / shortest.as_secs_f64()) as u64
}

/// How long each of many stops took.
async fn stops() -> Vec<Duration> {
    let mut story = Story::begin().await;
    let mut times = Vec::with_capacity(STOPS);
    for number in 0..STOPS {
        story.ada().says("general", "@Kaiwa count").await;
        let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
        let first = format!("one {number}");
        answer.says(&format!("{first}\ntwo\nthree\nfour\n")).await;
        // What was on the wire at the last stop comes first.
        while story.sees_something("general", &first).await.text != first {}
        let begun = Instant::now();
        story.ada().says("general", "stop").await;
        answer.is_cancelled().await;
        times.push(begun.elapsed());
        story.bot_is_done().await;
    }
    times
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
