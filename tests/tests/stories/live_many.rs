//! Many answers that grow in place at once, under Discord's limits.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use kaiwa_domain::Persona;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::model::ModelRequest;
use kaiwa_e2e::story::{SharedTime, Story};

const STREAMS: usize = 20;

/// How finely time passes.
const STEP: Duration = Duration::from_millis(100);

/// How long the answers grow, one word every 600 ms.
const MINUTE: usize = 60_000 / 100;
const STEPS_A_WORD: usize = 6;

/// One guild with a channel and a person for each stream.
pub(super) fn world() -> String {
    let mut text = "limits = \"discord\"\n[guild]\nname = \"Tea House\"\n".to_owned();
    text.push_str("[bot]\nname = \"Kaiwa\"\nroles = [\"Masks\"]\n");
    text.push_str("[[roles]]\nname = \"Masks\"\npermissions = [\"manage_webhooks\"]\n");
    for number in 0..STREAMS {
        let _ = writeln!(text, "[[users]]\nname = \"P{number}\"");
        let _ = writeln!(text, "[[channels]]\nname = \"c{number}\"");
    }
    text
}

/// Lets time pass until something has happened.
pub(super) async fn meanwhile<T>(time: &SharedTime, event: impl Future<Output = T>) -> T {
    let passes = async {
        loop {
            time.passes(STEP).await;
        }
    };
    tokio::select! {
        happened = event => happened,
        () = passes => unreachable!("time does not end"),
    }
}

#[tokio::test]
async fn twenty_answers_grow_for_a_minute_and_each_has_its_share() {
    twenty_grow("@Kaiwa", "Kaiwa").await;
}

/// Each by the webhook of its channel.
#[tokio::test]
async fn twenty_answers_of_a_persona_grow_for_a_minute_and_each_has_its_share() {
    twenty_grow("Mina,", "Mina").await;
}

/// Whoever is called so, and shown under this name, counts in all channels.
async fn twenty_grow(call: &str, name: &str) {
    let question = format!("{call} count");
    let live = [(SettingKey::Degree, "4")];
    let mut story = Story::under_limits(&world(), &live).await;
    let time = story.time();
    meanwhile(&time, story.bot_starts()).await;
    if name != "Kaiwa" {
        let persona = Persona {
            name: name.to_owned(),
            ..Persona::default()
        };
        story.has_persona("Tea House", persona).await;
    }
    for number in 0..STREAMS {
        let person = story.somebody(&format!("P{number}"));
        person.says(&format!("c{number}"), &question).await;
    }
    let mut answers: Vec<ModelRequest> = Vec::new();
    for _ in 0..STREAMS {
        answers.push(meanwhile(&time, story.model.is_told(&question)).await);
    }
    let mut words = 0;
    for step in 0..MINUTE {
        if step % STEPS_A_WORD == 0 {
            words += 1;
            for answer in &mut answers {
                answer.says(&format!("word{words} ")).await;
            }
        }
        time.passes(STEP).await;
        // The log of what happened is kept up.
        story.events("READY");
    }
    let refused = story.refused_as_too_many();
    for answer in answers {
        answer.answers("The end.").await;
    }
    meanwhile(&time, story.bot_is_done()).await;
    assert_eq!((refused, story.refused_as_too_many()), (0, 0));

    let mut edits: BTreeMap<String, usize> = BTreeMap::new();
    for changed in story.events("MESSAGE_UPDATE") {
        let channel = changed["channel_id"].as_str().unwrap();
        *edits.entry(channel.to_owned()).or_default() += 1;
    }
    assert_eq!(edits.len(), STREAMS, "{edits:?}");
    let all: usize = edits.values().sum();
    let fewest = edits.values().copied().min().unwrap();
    // Three quarters of what it would be if all had the same.
    assert!(fewest * STREAMS * 4 >= all * 3, "{edits:?}");
    assert!(fewest >= 10, "{edits:?}");
    for number in 0..STREAMS {
        let said = story.transcript(&format!("c{number}"));
        let said = said.replace(&format!("\n{name}: "), " ");
        let whole: String = (1..=words).map(|n| format!("word{n} ")).collect();
        assert!(
            said.ends_with(&format!("count {whole}The end.\n")),
            "{said}"
        );
    }
}
