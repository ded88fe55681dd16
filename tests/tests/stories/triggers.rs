//! Turns that answer something else than a message.

use kaiwa_e2e::story::Story;

#[tokio::test]
async fn what_is_due_is_done_in_its_channel_and_replies_to_nothing() {
    let mut story = Story::begin().await;
    story.is_due(7, "general", "Say good morning.").await;
    let mut call = story.model.is_told("Say good morning.").await;
    assert!(
        call.last().contains("set for this moment"),
        "{}",
        call.last()
    );
    call.says("Good morning!\nSlept well?").await;
    call.ends().await;
    let first = story.sees("general", "Good morning!").await;
    assert_eq!(first.replies_to, None);
    story.sees("general", "Slept well?").await;
}

#[tokio::test]
async fn what_is_due_survives_a_restart_and_is_done_once() {
    let mut story = Story::begin().await;
    story.is_due(7, "general", "Say good morning.").await;
    let call = story.model.is_told("Say good morning.").await;
    story.bot_stops().await;
    call.stays_silent();

    story.bot_starts().await;
    let mut call = story.model.is_told("Say good morning.").await;
    call.says("Good morning!").await;
    call.ends().await;
    story.sees("general", "Good morning!").await;
}

#[tokio::test]
async fn each_occurrence_is_its_own_turn_and_comes_once() {
    let mut story = Story::begin().await;
    let due = story.is_due(7, "general", "Ring the bell.").await;
    let mut call = story.model.is_told("Ring the bell.").await;
    call.says("Ding.").await;
    call.ends().await;
    story.sees("general", "Ding.").await;

    story
        .is_due_again(7, due, "general", "Ring the bell.")
        .await;
    story.is_due(8, "general", "Ring the other bell.").await;
    let mut call = story.model.is_told("Ring the other bell.").await;
    call.says("Dong.").await;
    call.ends().await;
    story.sees("general", "Dong.").await;
    assert_eq!(story.transcript("general"), "Kaiwa: Ding.\nKaiwa: Dong.\n");
}
