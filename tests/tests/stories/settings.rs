//! Who decides how the bot behaves, and from when on that counts.

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

const TEA: &str = "general";
const READING: &str = "Reading Room/general";
const ANSWER: &str = "One cup.\nTwo cups.";
/// What it looks like at degree 0, which cuts nothing.
const WHOLE: &str = "One cup.\n\nTwo cups.";

#[tokio::test]
async fn two_guilds_with_different_settings_side_by_side() {
    let mut story = Story::begin().await;
    let (tea, reading) = ("Tea House", "Reading Room");
    story.sets(tea, SettingKey::Degree, "0").await;
    story
        .sets(tea, SettingKey::Personality, "You are a teapot.")
        .await;
    story
        .sets(reading, SettingKey::Personality, "You are a book.")
        .await;

    story.ben().says(TEA, "@Kaiwa who are you?").await;
    let in_tea = story.model.is_asked("Ben: @Kaiwa who are you?").await;
    story.noor().says(READING, "@Kaiwa who are you?").await;
    let in_reading = story.model.is_asked("Noor: @Kaiwa who are you?").await;
    for (call, own, strange) in [
        (&in_tea, "You are a teapot.", "a book"),
        (&in_reading, "You are a book.", "a teapot"),
    ] {
        let prompt = call.system();
        assert!(prompt.contains(own), "{own} is not in {prompt}");
        assert!(!prompt.contains(strange), "{strange} is in {prompt}");
        assert!(!prompt.contains("You are kind."), "{prompt}");
    }
    // One whole and one line by line, as the operator has it.
    in_reading.answers(ANSWER).await;
    in_tea.answers(ANSWER).await;
    story.sees(TEA, WHOLE).await;
    story.sees(READING, "One cup.").await;
    story.sees(READING, "Two cups.").await;
}

#[tokio::test]
async fn a_channel_overrides_its_guild() {
    let mut story = Story::begin().await;
    story.sets("Tea House", SettingKey::Degree, "0").await;
    story
        .sets("Tea House/general", SettingKey::Degree, "1")
        .await;

    story.ada().says("random", "@Kaiwa how many?").await;
    let call = story.model.is_asked("Ada: @Kaiwa how many?").await;
    call.answers(ANSWER).await;
    story.sees("random", WHOLE).await;

    story.ada().says(TEA, "@Kaiwa how many?").await;
    let call = story.model.is_asked("Ada: @Kaiwa how many?").await;
    call.answers(ANSWER).await;
    story.sees(TEA, "One cup.").await;
    story.sees(TEA, "Two cups.").await;
}

#[tokio::test]
async fn a_change_while_an_answer_runs_affects_the_next_answer_only() {
    let mut story = Story::begin().await;
    story.ada().says(TEA, "@Kaiwa how many?").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa how many?").await;
    call.says("One cup.\nTwo").await;
    story.sees(TEA, "One cup.").await;

    story.sets("Tea House", SettingKey::Degree, "0").await;
    story.sets("Tea House", SettingKey::Messages, "1").await;
    call.says(" cups.\nThree cups.\nFour").await;
    story.sees(TEA, "Two cups.").await;
    story.sees(TEA, "Three cups.").await;
    call.says(" cups.").await;
    call.ends().await;
    story.sees(TEA, "Four cups.").await;

    story.ada().says(TEA, "@Kaiwa and now?").await;
    let call = story.model.is_asked("Ada: @Kaiwa and now?").await;
    let answer = "One cup.\nTwo cups.\nThree cups.\nFour cups.";
    assert_eq!(call.told(), [answer, "Ada: @Kaiwa and now?"]);
    call.answers(ANSWER).await;
    story.sees(TEA, WHOLE).await;
}

#[tokio::test]
async fn the_operator_still_decides_where_nobody_else_does() {
    let mut story = Story::begin().await;
    story
        .sets("Tea House", SettingKey::Personality, "You are a teapot.")
        .await;
    story.operator_sets(SettingKey::Personality, "You are new.");
    story.operator_sets(SettingKey::Degree, "0");

    story.noor().says(READING, "@Kaiwa how many?").await;
    let call = story.model.is_asked("Noor: @Kaiwa how many?").await;
    assert!(call.system().contains("You are new."), "{}", call.system());
    call.answers(ANSWER).await;
    story.sees(READING, WHOLE).await;

    story.ben().says(TEA, "@Kaiwa how many?").await;
    let call = story.model.is_asked("Ben: @Kaiwa how many?").await;
    let prompt = call.system();
    assert!(prompt.contains("You are a teapot."), "{prompt}");
    call.answers(ANSWER).await;
    story.sees(TEA, WHOLE).await;
}

#[tokio::test]
async fn direct_messages_have_settings_of_their_own() {
    let mut story = Story::begin().await;
    story.sets("Tea House", SettingKey::Degree, "3").await;
    story
        .sets_for_whispers_of("Ada", SettingKey::Degree, "0")
        .await;

    let asked = story.ada().whispers("how many?").await;
    let call = story.model.is_asked("Ada: how many?").await;
    assert!(call.system().contains("You are kind."), "{}", call.system());
    call.answers(ANSWER).await;
    story.sees(&asked.channel, WHOLE).await;

    let asked = story.ben().whispers("how many?").await;
    let call = story.model.is_asked("Ben: how many?").await;
    call.answers(ANSWER).await;
    story.sees(&asked.channel, "One cup.").await;
    story.sees(&asked.channel, "Two cups.").await;
}

#[tokio::test]
async fn settings_outlive_the_process() {
    let mut story = Story::begin().await;
    story.sets("Tea House", SettingKey::Degree, "0").await;
    story.bot_stops().await;
    story.bot_starts().await;
    story.ada().says(TEA, "@Kaiwa how many?").await;
    let call = story.model.is_asked("Ada: @Kaiwa how many?").await;
    call.answers(ANSWER).await;
    story.sees(TEA, WHOLE).await;
}

/// The gate asks the guild how old a question may be.
#[tokio::test]
async fn each_guild_decides_how_old_a_question_may_be() {
    let mut story = Story::begin().await;
    story
        .sets("Tea House", SettingKey::AnswerWithin, "10s")
        .await;
    // By the bot's clock, whatever is said now was said a minute ago.
    story.clock.skip(Duration::from_secs(55)).await;
    story.ada().says(TEA, "@Kaiwa is it too late?").await;
    story.ada().says(READING, "@Kaiwa is it too late?").await;
    let call = story
        .model
        .is_asked("Countess: @Kaiwa is it too late?")
        .await;
    call.answers("No.").await;
    story.sees(READING, "No.").await;
    assert_eq!(story.transcript(TEA), "Ada: @Kaiwa is it too late?\n");
}
