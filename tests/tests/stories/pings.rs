//! Whom an answer pings: nobody whom the asker could not.

#![allow(clippy::unwrap_used, reason = "a story fails by panicking")]

use std::time::Duration;

use kaiwa_domain::Persona;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::{SentMessage, Story};
use serde_json::{Value, json};

/// A bot that may ping everybody, for people who may not all.
const SQUARE: &str = r#"
limits = "off"
[guild]
name = "Square"
owner = "Olga"
[bot]
name = "Kaiwa"
roles = ["Machines"]
[[roles]]
name = "Machines"
permissions = ["mention_everyone", "manage_webhooks"]
[[roles]]
name = "Heralds"
permissions = ["mention_everyone"]
[[roles]]
name = "Crew"
[[roles]]
name = "Guests"
mentionable = true
[[users]]
name = "Olga"
[[users]]
name = "Hal"
roles = ["Heralds"]
[[users]]
name = "Pip"
[[channels]]
name = "general"
"#;

async fn square() -> Story {
    let mut story = Story::in_written_world(SQUARE).await;
    story.bot_starts().await;
    story
}

/// What the bot posts when `asker` gets `answer`.
async fn answered(story: &mut Story, asker: &str, answer: &str) -> SentMessage {
    let question = format!("@Kaiwa for {asker}");
    story.somebody(asker).says("general", &question).await;
    let call = story.model.is_asked(&format!("{asker}: {question}")).await;
    call.answers(answer).await;
    story.sees_something("general", answer).await
}

#[tokio::test]
async fn everybody_is_pinged_for_nobody() {
    let mut story = square().await;
    let said = answered(&mut story, "Pip", "Come, @everyone!").await;
    assert_eq!(said.pings, [""; 0]);
    let said = answered(&mut story, "Hal", "Come, @everyone!").await;
    assert_eq!(said.pings, [""; 0]);
}

#[tokio::test]
async fn roles_are_pinged_if_anybody_may_or_the_asker_may() {
    let mut story = square().await;
    let (crew, guests) = (story.role("Crew"), story.role("Guests"));
    let both = format!("Come, <@&{crew}> and <@&{guests}>.");
    let said = answered(&mut story, "Pip", &both).await;
    assert_eq!(said.pings, std::slice::from_ref(&guests));
    let said = answered(&mut story, "Hal", &both).await;
    assert_eq!(said.pings, [crew, guests]);
}

#[tokio::test]
async fn people_are_pinged_and_the_asker_is_not() {
    let mut story = square().await;
    let olga = story.id_of("Olga");
    let said = answered(&mut story, "Pip", &format!("Ask <@{olga}>.")).await;
    assert!(said.replies_to.is_some());
    assert_eq!(said.pings, [olga]);
}

#[tokio::test]
async fn the_first_message_replies_and_pings_where_that_is_set() {
    let mut story = Story::begin_with(&[(SettingKey::PingAsker, "on")]).await;
    let question = story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.answers("One.\nTwo.").await;
    let first = story.sees("general", "One.").await;
    assert_eq!(first.replies_to, Some(question.id));
    assert_eq!(first.pings, [story.id_of("Ada")]);
    let second = story.sees("general", "Two.").await;
    assert_eq!((second.replies_to, second.pings), (None, Vec::new()));
}

/// How an answer is asked for, and by whom it is said.
const VOICES: [(&str, &str); 2] = [("@Kaiwa", "Kaiwa"), ("Mina,", "Mina")];

/// The same square, with a persona, and answers cut as a setting has it.
async fn masked_square(degree: &str) -> Story {
    let mut story = Story::in_written_world(SQUARE).await;
    story.operator_wants(&[(SettingKey::Degree, degree)]);
    story.bot_starts().await;
    let mina = Persona {
        name: "Mina".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Square", mina).await;
    story
}

/// How what names everybody is shown: so that it names nobody.
fn shown(text: &str) -> String {
    text.replace('@', "@\u{200b}").replace("<@\u{200b}", "<@")
}

/// Everybody, two roles and a person, as a text names them; and whom that may
/// ping for somebody who may ping all of them, or not.
fn everything(story: &Story) -> (String, [Vec<String>; 2]) {
    let (crew, guests) = (story.role("Crew"), story.role("Guests"));
    let olga = story.id_of("Olga");
    let text = format!("@everyone, @here, <@&{crew}>, <@&{guests}>, <@{olga}>");
    let all = vec![olga.clone(), crew, guests.clone()];
    (text, [all, vec![olga, guests]])
}

#[tokio::test]
async fn whoever_speaks_and_however_nobody_is_pinged_whom_the_asker_could_not() {
    for degree in ["1", "4"] {
        let mut story = masked_square(degree).await;
        let (everything, [all, open]) = everything(&story);
        let mut asked = 0;
        for (call, name) in VOICES {
            for (asker, expected) in [("Hal", &all), ("Pip", &open)] {
                // At once, and after words that name nobody.
                for before in ["", "Come "] {
                    asked += 1;
                    let question = format!("{call} {asked}!");
                    story.somebody(asker).says("general", &question).await;
                    let mut answer = story.model.is_told(&question).await;
                    let text = format!("{before}{everything}.");
                    let said = if before.is_empty() || degree == "1" {
                        answer.answers(&text).await;
                        story.sees("general", &shown(&text)).await
                    } else {
                        answer.says(before).await;
                        let said = story.sees("general", before.trim_end()).await;
                        assert_eq!(said.pings, [""; 0]);
                        answer.answers(&text[before.len()..]).await;
                        story.sees_edit(&said, &shown(&text)).await;
                        said
                    };
                    story.bot_is_done().await;
                    let author = story.message(&said).await["author"].clone();
                    assert_eq!(author["username"], *name);
                    let pinged = story.pings_of(&said).await;
                    assert_eq!(&pinged, expected, "{name} {degree} {asker} {before:?}");
                }
            }
        }
    }
}

/// How many rows of buttons are below a message.
fn buttons(message: &Value) -> usize {
    message["components"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn a_button_that_comes_and_goes_leaves_whom_a_message_mentions() {
    /// When an answer runs long.
    const LONG: Duration = Duration::from_secs(15);
    for (call, name) in VOICES {
        let mut story = masked_square("1").await;
        let (everything, [all, _]) = everything(&story);
        let question = format!("{call} call them");
        story.somebody("Hal").says("general", &question).await;
        let mut answer = story.model.is_told(&question).await;
        answer.says(&format!("{everything}\n… ")).await;
        let everything = shown(&everything);
        let said = story.sees("general", &everything).await;
        assert_eq!(said.pings, all);
        story.clock.skip(LONG).await;
        let mut rows = Vec::new();
        rows.push(buttons(&story.sees_edit(&said, &everything).await));
        assert_eq!(story.pings_of(&said).await, all, "{name}, dressed");
        answer.answers("and more.").await;
        rows.push(buttons(&story.sees_edit(&said, &everything).await));
        assert_eq!(story.pings_of(&said).await, all, "{name}, undressed");
        assert_eq!(rows, [1, 0]);
        story.bot_is_done().await;
    }
}

#[tokio::test]
async fn what_answers_a_command_pings_people_alone() {
    let story = square().await;
    let (everything, _) = everything(&story);
    let mut screen = story.screen_of("Hal").await;
    let choices = json!({"choices": format!("{everything}; {everything}")});
    story
        .somebody("Hal")
        .uses("general", "random", choices)
        .await;
    let answer = screen.sees_answer().await;
    assert!(answer["content"].as_str().unwrap().contains("@everyone"));
    assert_eq!(answer["mention_everyone"], false);
    assert_eq!(answer["mention_roles"], json!([]));
    assert_eq!(answer["mentions"][0]["id"], *story.id_of("Olga"));
}
