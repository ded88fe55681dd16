//! What is remembered on request: taught, shown, undone and forgotten.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

/// What somebody is shown for a command.
async fn reads(story: &Story, name: &str, command: &str, options: Value) -> Value {
    let mut screen = story.screen_of(name).await;
    let person = match name {
        "Ada" => story.ada(),
        _ => story.ben(),
    };
    person.uses("general", command, options).await;
    let told = screen.sees_answer().await;
    // Nobody else sees it.
    assert_eq!(told["flags"].as_u64().unwrap() & 64, 64);
    told
}

fn text(told: &Value) -> &str {
    told["content"].as_str().unwrap()
}

#[tokio::test]
async fn a_fact_is_taught_shown_and_forgotten_by_command() {
    let story = Story::begin().await;
    let nothing = reads(&story, "Ben", "memory show", json!({})).await;
    assert_eq!(text(&nothing), "I remember nothing of you here.");
    let fact = json!({"fact": "I take no sugar"});
    let told = reads(&story, "Ben", "memory add", fact.clone()).await;
    assert_eq!(text(&told), "💡 I will remember: I take no sugar (#1)");
    // The same again is the same fact.
    let again = reads(&story, "Ben", "memory add", fact).await;
    assert!(text(&again).ends_with("(#1)"), "{again}");
    let shown = reads(&story, "Ben", "memory show", json!({})).await;
    assert!(text(&shown).contains("#1 I take no sugar"), "{shown}");
    // It is not for others to see or to take back.
    let others = reads(&story, "Ada", "memory show", json!({})).await;
    assert_eq!(text(&others), "I remember nothing of you here.");
    let number = json!({"fact": "1"});
    let others = reads(&story, "Ada", "memory forget", number.clone()).await;
    assert!(
        text(&others).starts_with("There is no such thing"),
        "{others}"
    );
    let forgotten = reads(&story, "Ben", "memory forget", number).await;
    assert_eq!(text(&forgotten), "Forgotten.");
    let nothing = reads(&story, "Ben", "memory show", json!({})).await;
    assert_eq!(text(&nothing), "I remember nothing of you here.");
}

#[tokio::test]
async fn what_is_known_of_the_server_is_for_those_who_run_it() {
    let story = Story::begin().await;
    let fact = json!({"fact": "Tea is at four", "about": "server"});
    let refused = reads(&story, "Ben", "memory add", fact.clone()).await;
    let needs = "You need the permission Manage Server for that.";
    assert_eq!(text(&refused), needs);
    // Ada owns the guild.
    let told = reads(&story, "Ada", "memory add", fact).await;
    assert!(text(&told).contains("Tea is at four (#1)"), "{told}");
    let shown = reads(&story, "Ben", "memory show", json!({})).await;
    assert!(text(&shown).contains("#1 Tea is at four"), "{shown}");
    let refused = reads(&story, "Ben", "memory forget", json!({"fact": "1"})).await;
    assert_eq!(text(&refused), needs);
    let forgotten = reads(&story, "Ada", "memory forget", json!({"fact": "#1"})).await;
    assert_eq!(text(&forgotten), "Forgotten.");
}

#[tokio::test]
async fn what_was_just_learned_can_be_undone() {
    let story = Story::begin().await;
    let fact = json!({"fact": "I like oolong"});
    let told = reads(&story, "Ben", "memory add", fact).await;
    let mut screen = story.screen_of("Ben").await;
    story.ben().presses(&told, "Undo").await;
    let undone = screen.sees_answer().await;
    assert!(text(&undone).contains("Forgotten."), "{undone}");
    let nothing = reads(&story, "Ben", "memory show", json!({})).await;
    assert_eq!(text(&nothing), "I remember nothing of you here.");
}

#[tokio::test]
async fn the_model_remembers_recalls_and_forgets_for_who_asks() {
    let mut story = Story::begin().await;
    story.ben().says("general", "@Kaiwa I like oolong").await;
    let call = story.model.is_asked("Ben: @Kaiwa I like oolong").await;
    let fact = r#"{"fact": "Ben likes oolong"}"#;
    call.waits_for(&[("remember_this_fact", fact)]).await;
    let call = story.model.is_told("| remembered as #1").await;
    call.answers("Noted.").await;
    let learned = story.sees_something("general", "what was learned").await;
    let next = story.sees_something("general", "the answer").await;
    let said = [learned.text, next.text];
    let line = "💡 I will remember: Ben likes oolong (#1)".to_owned();
    assert!(
        said.contains(&"Noted.".to_owned()) && said.contains(&line),
        "{said:?}"
    );
    story.bot_is_done().await;

    story.ben().says("general", "@Kaiwa what do I like?").await;
    let call = story.model.is_told("what do I like?").await;
    call.waits_for(&[("recall", r#"{"query": "oolong"}"#)])
        .await;
    let call = story.model.is_told("| #1 Ben likes oolong (about <@").await;
    call.waits_for(&[("forget", r#"{"fact": "1"}"#)]).await;
    let call = story.model.is_told("| forgotten").await;
    call.answers("Gone.").await;
    story.sees("general", "Gone.").await;
    let nothing = reads(&story, "Ben", "memory show", json!({})).await;
    assert_eq!(text(&nothing), "I remember nothing of you here.");
}

/// Small models call again and again what they have just called.
#[tokio::test]
async fn what_a_model_says_again_is_learned_once() {
    let mut story = Story::begin().await;
    story.ben().says("general", "@Kaiwa I like oolong").await;
    let fact: &[(&str, &str)] = &[("remember_this_fact", r#"{"fact": "Ben likes oolong"}"#)];
    let call = story.model.is_asked("Ben: @Kaiwa I like oolong").await;
    call.waits_for(fact).await;
    let call = story.model.is_told("| remembered as #1").await;
    call.waits_for(fact).await;
    let call = story.model.is_told("| That was done already.").await;
    call.waits_for(&[("forget", r#"{"fact": "1"}"#)]).await;
    let call = story.model.is_told("| forgotten").await;
    call.answers("Noted, and gone.").await;
    story.bot_is_done().await;
    let said = story.transcript("general");
    assert_eq!(said.matches("💡 I will remember").count(), 1, "{said}");
}

#[tokio::test]
async fn people_get_what_is_kept_about_them_as_a_file() {
    let story = Story::begin().await;
    for (name, fact) in [("Ben", "I take no sugar"), ("Ada", "I take three")] {
        reads(&story, name, "memory add", json!({"fact": fact})).await;
    }
    for (command, file) in [
        ("memory export", "kaiwa-memory.json"),
        ("privacy export", "kaiwa-data.json"),
    ] {
        let told = reads(&story, "Ben", command, json!({})).await;
        assert!(text(&told).starts_with("Here is what I keep"), "{told}");
        let attached = &told["attachments"][0];
        assert_eq!(attached["filename"], file);
        let read = story.reads(attached["url"].as_str().unwrap()).await;
        assert!(read.contains("I take no sugar"), "{read}");
        assert!(!read.contains("I take three"), "{read}");
        let document: Value = serde_json::from_str(&read).unwrap();
        let turns = &document["tables"]["turn"];
        assert_eq!(turns.is_array(), command == "privacy export", "{read}");
    }
}
