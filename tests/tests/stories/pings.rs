//! Whom an answer pings: nobody whom the asker could not.

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::{SentMessage, Story};

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
permissions = ["mention_everyone"]
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
