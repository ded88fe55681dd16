//! What people do in a conversation besides talking: each action, asked for in
//! words and by command.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use kaiwa_domain::{Notice, Rights};
use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

/// What Ada is shown for a command.
async fn ada_reads(story: &Story, command: &str, options: Value) -> String {
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", command, options).await;
    let told = screen.sees_answer().await;
    told["content"].as_str().unwrap().to_owned()
}

/// Ben has the model do something that he may not do any more. Then it is not
/// even told of it.
async fn ben_is_denied(story: &mut Story, right: Rights, action: &str, arguments: &str) {
    for whom in ["Ben", "Kaiwa"] {
        story.ada().allows("random", whom, right).await;
    }
    story.ben().says("random", "@Kaiwa do it").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa do it").await;
    assert!(call.tools().contains(&action), "{:?}", call.tools());
    story.ada().forbids("random", "Ben", right).await;
    call.says("Sure.").await;
    call.waits_for(&[(action, arguments)]).await;
    story.sees("random", "Sure.").await;
    story.sees("random", Notice::ActionDenied.text()).await;
    story.ben().says("random", "@Kaiwa again").await;
    let call = story.model.is_asked("Ben: @Kaiwa again").await;
    assert!(!call.tools().contains(&action), "{:?}", call.tools());
    call.answers("No.").await;
    story.sees("random", "No.").await;
}

/// What the model is told when it uses an action for Ada.
async fn model_reads(story: &mut Story, action: &str, arguments: &str) -> String {
    let asked = format!("@Kaiwa use {action}");
    // Commands are answered elsewhere.
    story.ada().says("random", &asked).await;
    let call = story.model.is_asked(&format!("Ada: {asked}")).await;
    call.waits_for(&[(action, arguments)]).await;
    let call = story.model.is_told("").await;
    let told = call.last();
    call.answers("Done.").await;
    story.sees("random", "Done.").await;
    told
}

#[tokio::test]
async fn arithmetic_is_exact_for_people_and_model() {
    let mut story = Story::begin().await;
    let sum = json!({"expression": "0.1 + 0.2"});
    assert_eq!(
        ada_reads(&story, "calculate", sum).await,
        "`0.1 + 0.2` = 0.3"
    );
    let zero = json!({"expression": "1/0"});
    let refused = ada_reads(&story, "calculate", zero).await;
    let named = "That does not fit: expression: ";
    assert!(refused.starts_with(named), "{refused}");
    assert!(refused.contains("divided by zero"), "{refused}");
    let told = model_reads(&mut story, "calculate", r#"{"expression": "2^64"}"#).await;
    assert!(told.contains("| 18446744073709551616"), "{told}");
}

#[tokio::test]
async fn chance_stays_within_what_was_asked() {
    let mut story = Story::begin().await;
    let choice = ada_reads(&story, "random", json!({"choices": "tea, tea"})).await;
    assert_eq!(choice, "🎲 tea");
    let dice = ada_reads(&story, "random", json!({"dice": "2d6"})).await;
    assert!(dice.contains(" + ") && dice.contains(" = "), "{dice}");
    let refused = ada_reads(&story, "random", json!({"dice": "tea"})).await;
    assert!(refused.contains("dice: write dice like 2d6"), "{refused}");
    let told = model_reads(&mut story, "random", r#"{"from": 7, "to": 7}"#).await;
    assert!(told.contains("| 7"), "{told}");
}

#[tokio::test]
async fn the_time_elsewhere_is_told() {
    let story = Story::begin().await;
    let tokyo = ada_reads(&story, "now", json!({"zone": "Asia/Tokyo"})).await;
    assert!(tokyo.ends_with("(Asia/Tokyo, UTC+09:00)"), "{tokyo}");
    let nowhere = ada_reads(&story, "now", json!({"zone": "Mars"})).await;
    assert!(nowhere.contains("no time zone is called"), "{nowhere}");
}

#[tokio::test]
async fn people_learn_who_somebody_is() {
    let mut story = Story::begin().await;
    let id_of = |name: &str| {
        let user = story.ready().users.iter().find(|it| it.name == name);
        user.unwrap().id.clone()
    };
    let (ben, noor) = (id_of("Ben"), id_of("Noor"));
    let told = ada_reads(&story, "user_info", json!({"user": ben})).await;
    assert!(told.starts_with("**Ben** ("), "{told}");
    assert!(told.contains("Joined: <t:"), "{told}");
    let own = ada_reads(&story, "user_info", json!({})).await;
    assert!(own.starts_with("**Ada** ("), "{own}");
    let picture = ada_reads(&story, "avatar", json!({"user": ben})).await;
    assert!(
        picture.starts_with("The picture of **Ben**: http"),
        "{picture}"
    );
    // Noor is somewhere else.
    let asked = format!(r#"{{"user": "<@{noor}>"}}"#);
    let told = model_reads(&mut story, "user_info", &asked).await;
    assert!(told.contains("| nobody here has that id"), "{told}");
}

#[tokio::test]
async fn a_message_is_pinned_for_who_may() {
    let mut story = Story::begin().await;
    let pins = "PUT /channels/{channel}/messages/pins/{message}";
    let lacking = ada_reads(&story, "pin", json!({"message": "5"})).await;
    assert_eq!(lacking, "I need the permission Pin Messages for that.");
    let ada = story.ada();
    ada.allows("general", "Kaiwa", Rights::PIN_MESSAGES).await;
    ada.allows("random", "Kaiwa", Rights::PIN_MESSAGES).await;
    // What was asked of Discord a moment ago is not asked again.
    story.clock.passes(Duration::from_secs(3));
    let recipe = story.ada().says("random", "water first").await;
    story.ada().replies(&recipe, "@Kaiwa pin that").await;
    let mut call = story.model.is_told("pin that").await;
    call.says("Of course.").await;
    call.waits_for(&[("pin", "{}")]).await;
    story.sees("random", "Of course.").await;
    // Discord says so too.
    story.sees("random", "").await;
    story.bot_is_done().await;
    assert_eq!(story.requests(pins), 1);

    let recipe = story.ben().says("general", "leaves last").await;
    let named = json!({"message": recipe.id});
    assert_eq!(ada_reads(&story, "pin", named).await, "📌 Pinned.");
    let down = json!({"message": recipe.id, "remove": true});
    assert_eq!(ada_reads(&story, "pin", down).await, "Taken down.");
    let elsewhere = json!({"message": "https://discord.com/channels/1/2/3"});
    let refused = ada_reads(&story, "pin", elsewhere).await;
    assert!(refused.contains("it is in another channel"), "{refused}");
    let unsaid = ada_reads(&story, "pin", json!({})).await;
    assert!(unsaid.contains("message: say which"), "{unsaid}");

    ben_is_denied(&mut story, Rights::PIN_MESSAGES, "pin", "{}").await;
    assert_eq!(story.requests(pins), 2);
}

#[tokio::test]
async fn a_thread_begins_at_the_question_or_by_command() {
    let mut story = Story::begin().await;
    story
        .ada()
        .says("general", "@Kaiwa open a thread on tea")
        .await;
    let mut call = story.model.is_told("open a thread on tea").await;
    call.says("Here you go.").await;
    call.waits_for(&[("create_thread", r#"{"title": "Tea"}"#)])
        .await;
    story.sees("general", "Here you go.").await;
    story.bot_is_done().await;
    let at_message = "POST /channels/{channel}/messages/{message}/threads";
    assert_eq!(story.requests(at_message), 1);
    let told = ada_reads(&story, "thread", json!({"title": "Coffee"})).await;
    assert!(told.starts_with("Here it is: <#"), "{told}");
    let title = r#"{"title": "Milk"}"#;
    let right = Rights::CREATE_PUBLIC_THREADS;
    ben_is_denied(&mut story, right, "create_thread", title).await;
}

#[tokio::test]
async fn a_poll_is_held_once() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa ask them").await;
    let mut call = story.model.is_told("ask them").await;
    call.says("Gladly.").await;
    call.waits_for(&[("poll", r#"{"question": "Tea?", "answers": "yes, no"}"#)])
        .await;
    story.sees("general", "Gladly.").await;
    let poll = story.sees_something("general", "a poll").await;
    assert_eq!(poll.text, "");
    story.bot_is_done().await;
    let again = json!({"question": "Milk?", "answers": "yes, no, maybe", "runs": "3d"});
    assert_eq!(ada_reads(&story, "poll", again).await, "The poll is up.");
    let few = json!({"question": "Milk?", "answers": "yes"});
    let refused = ada_reads(&story, "poll", few).await;
    assert!(refused.contains("answers: give 2 to 10"), "{refused}");
    let asked = r#"{"question": "Milk?", "answers": "yes, no"}"#;
    ben_is_denied(&mut story, Rights::SEND_POLLS, "poll", asked).await;
}

#[tokio::test]
async fn a_sticker_is_sent_by_its_name() {
    let mut story = Story::begin().await;
    let guild = story.ready().guilds.first().unwrap();
    let name = guild.stickers.keys().next().unwrap().clone();
    story.ada().says("random", "@Kaiwa a sticker").await;
    let mut call = story.model.is_told("a sticker").await;
    call.says("Here.").await;
    let arguments = json!({"sticker": name}).to_string();
    call.waits_for(&[("sticker", &arguments)]).await;
    story.sees("random", "Here.").await;
    story.sees("random", "").await;
    let named = json!({"sticker": name});
    assert_eq!(ada_reads(&story, "sticker", named).await, "Sent.");
    let told = ada_reads(&story, "sticker", json!({"sticker": "no such one"})).await;
    assert_eq!(told, "This server has no sticker of that name.");
}

#[tokio::test]
async fn a_reaction_by_command_goes_where_it_was_sent() {
    let mut story = Story::begin().await;
    let message = story.ben().says("general", "tea is ready").await;
    let options = json!({"emoji": "🍵", "message": message.id});
    assert_eq!(ada_reads(&story, "react", options).await, "Done.");
    story.sees_reaction(&message, "🍵").await;
}
