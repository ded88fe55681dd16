//! Where webhooks run short: a channel takes so many of them, and so much of
//! what they say.

#![allow(clippy::unwrap_used, reason = "a story fails by panicking")]

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Notice, Persona};
use kaiwa_e2e::story::Story;

use super::live_many::{meanwhile, world};

/// As many webhooks as a channel takes.
const FULL: usize = 15;

fn mina() -> Persona {
    Persona {
        name: "Mina".to_owned(),
        ..Persona::default()
    }
}

/// Ada asks Mina, and the bot answers for her, or she does.
async fn is_answered(story: &mut Story, number: usize, as_mina: bool) {
    let question = format!("Mina, cup {number}?");
    story.ada().says("general", &question).await;
    let call = story.model.is_told(&question).await;
    call.answers("Yes.").await;
    let said = story.sees_something("general", "Yes.").await;
    let author = story.message(&said).await["author"]["username"].clone();
    let expected = match as_mina {
        true => ("Mina", "Yes."),
        false => ("Kaiwa", "**Mina:** Yes."),
    };
    assert_eq!(
        (author.as_str().unwrap(), &*said.text),
        expected,
        "{number}"
    );
}

#[tokio::test]
async fn where_others_have_all_webhooks_people_are_told_once_and_making_room_helps_at_once() {
    const ASKED: &str = "GET /channels/{channel}/webhooks";
    let mut story = Story::begin().await;
    story.has_persona("Tea House", mina()).await;
    let mut theirs = Vec::new();
    for number in 0..FULL {
        let name = format!("Owl {number}");
        theirs.push(story.ada().makes_webhook("general", &name).await);
    }
    is_answered(&mut story, 0, false).await;
    story.sees("general", &Notice::NoWebhook.shown()).await;
    story.bot_is_done().await;
    is_answered(&mut story, 1, false).await;
    story.bot_is_done().await;
    assert_eq!(story.requests(ASKED), 1, "Discord was asked once");
    let notice = Notice::NoWebhook.shown();
    assert_eq!(story.transcript("general").matches(&*notice).count(), 1);

    story.ada().deletes_webhook(&theirs[0]).await;
    is_answered(&mut story, 2, true).await;
    is_answered(&mut story, 3, true).await;
}

/// It was made by an earlier installation, whose database is lost.
#[tokio::test]
async fn where_all_webhooks_are_taken_one_of_ours_is_used_again() {
    const MADE: &str = "POST /channels/{channel}/webhooks";
    let mut story = Story::begin().await;
    story.has_persona("Tea House", mina()).await;
    for number in 1..FULL {
        let name = format!("Owl {number}");
        story.ada().makes_webhook("general", &name).await;
    }
    story.bot_makes_webhook("general").await;
    let made = story.requests(MADE);
    is_answered(&mut story, 0, true).await;
    story.bot_is_done().await;
    assert_eq!(story.requests(MADE), made);
    assert_eq!(story.webhook_tokens("general").await.len(), FULL);
}

/// More than a channel takes in a minute.
const LINES: usize = 45;

/// What a webhook says is counted for it, and once more with all that the
/// webhooks of its channel say, of which Discord tells nothing before it is
/// used up. Lines that wait become one message.
async fn a_persona_counts(pause: Duration) {
    let mut story = Story::under_limits(&world(), &[(SettingKey::Degree, "1")]).await;
    let time = story.time();
    meanwhile(&time, story.bot_starts()).await;
    story.has_persona("Tea House", mina()).await;
    story.somebody("P0").says("c0", "Mina, count").await;
    let mut answer = meanwhile(&time, story.model.is_told("count")).await;
    let lines: Vec<String> = (1..=LINES).map(|n| format!("Line {n}.")).collect();
    for line in &lines {
        meanwhile(&time, answer.says(&format!("{line}\n"))).await;
        if !pause.is_zero() {
            time.passes(pause).await;
        }
    }
    meanwhile(&time, answer.ends()).await;
    meanwhile(&time, story.bot_is_done()).await;
    let said = story.transcript("c0");
    let messages = said.matches("Mina: ").count();
    let said = said.replace("\nMina: ", "\n");
    assert_eq!(said, format!("P0: Mina, count\n{}\n", lines.join("\n")));
    assert!((2..LINES).contains(&messages), "{messages} messages");
    assert_eq!(story.refused_as_too_many(), 0);
}

#[tokio::test]
async fn a_persona_that_says_much_at_once_keeps_within_the_limits() {
    a_persona_counts(Duration::ZERO).await;
}

/// Slower than its webhook alone would take it.
#[tokio::test]
async fn a_persona_that_says_a_line_every_moment_keeps_within_the_limits() {
    a_persona_counts(Duration::from_millis(600)).await;
}
