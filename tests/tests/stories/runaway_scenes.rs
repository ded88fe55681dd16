//! Personas that never stop naming each other do stop, after as many answers
//! as are allowed and not one less.

use std::time::Duration;

use kaiwa_domain::Persona;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

/// How long two who have answered each other too often say nothing more.
const A_WHILE: Duration = Duration::from_secs(10 * 60 + 1);

/// Where personas may answer each other as often as can be allowed.
async fn tea_house(names: &[&str]) -> Story {
    // A message that is sent when the clock was moved on is an old one.
    let story = Story::begin_with(&[(SettingKey::AnswerWithin, "1h")]).await;
    for name in names {
        let persona = Persona {
            name: (*name).to_owned(),
            personality: "Talkative.".to_owned(),
            ..Persona::default()
        };
        story.has_persona("Tea House", persona).await;
    }
    let limit = SettingKey::CascadeLimit;
    story.sets("Tea House", limit, "10").await;
    story
}

/// Ada asks, and each answer is `words`: there are exactly so many.
async fn is_answered(story: &mut Story, question: &str, words: &str, times: usize) {
    let before = story.transcript("general").matches(words).count();
    story.ada().says("general", question).await;
    for _ in 0..times {
        let call = story.model.is_told("").await;
        call.answers(words).await;
        story.sees("general", words).await;
    }
    story.bot_is_done().await;
    // Nobody else was asked in the meantime.
    story.ada().says("general", "@Kaiwa are they done?").await;
    let call = story.model.is_told("are they done?").await;
    call.answers("They are.").await;
    story.sees("general", "They are.").await;
    story.bot_is_done().await;
    let after = story.transcript("general").matches(words).count();
    assert_eq!(after - before, times);
}

/// A pair has eight answers in ten minutes, whoever asks how often.
#[tokio::test]
async fn two_who_always_name_each_other_have_so_many_answers() {
    let mut story = tea_house(&["Mina", "Tom"]).await;
    let words = "No, Mina! No, Tom!";
    is_answered(&mut story, "Mina, begin", words, 1 + 8).await;
    is_answered(&mut story, "Tom, go on", words, 1).await;
    story.clock.passes(A_WHILE);
    is_answered(&mut story, "Tom, once more", words, 1 + 8).await;
}

/// A message has ten, however many there are to answer each other.
#[tokio::test]
async fn several_who_name_all_have_so_many_answers_together() {
    let mut story = tea_house(&["Mina", "Tom", "Zoe", "Kim"]).await;
    let words = "Mina, Tom, Zoe, Kim: what now?";
    is_answered(&mut story, "Zoe, begin", words, 1 + 10).await;
    is_answered(&mut story, "Kim and Tom, go on", words, 2 + 10).await;
}
