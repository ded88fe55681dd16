//! Several personas in one conversation: who answers, as whom, and for how
//! long.

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{LoreEntry, Persona};
use kaiwa_e2e::story::Story;

fn persona(name: &str, personality: &str) -> Persona {
    Persona {
        name: name.to_owned(),
        personality: personality.to_owned(),
        ..Persona::default()
    }
}

/// Mina, who knows of a ferry, and Tom.
async fn tea_house() -> Story {
    let story = Story::begin().await;
    let mina = Persona {
        triggers: vec!["landlady".to_owned()],
        dialogues: vec!["{{user}}: busy?\n{{char}}: Never too busy for tea.".to_owned()],
        lore: vec![LoreEntry {
            keys: vec!["ferry".to_owned()],
            text: "The ferry comes at eight.".to_owned(),
            always: false,
        }],
        ..persona("Mina", "{{char}} keeps the tea house.")
    };
    story.has_persona("Tea House", mina).await;
    story
        .has_persona("Tea House", persona("Tom", "A cat."))
        .await;
    story
}

/// A model that begins its lines with its own name, as it was told that.
#[tokio::test]
async fn the_label_of_an_odd_name_is_not_shown() {
    for label in ["NieR:2B", "NieR·2B"] {
        let mut story = Story::begin().await;
        let odd = Persona {
            name: "NieR:2B".to_owned(),
            triggers: vec!["nier".to_owned()],
            ..Persona::default()
        };
        story.has_persona("Tea House", odd).await;
        story.ada().says("general", "nier, are you there?").await;
        let call = story.model.is_told("are you there?").await;
        call.answers(&format!("{label}: Always.")).await;
        story.sees("general", "Always.").await;
    }
}

#[tokio::test]
async fn a_persona_answers_who_names_it_as_itself() {
    let mut story = tea_house().await;
    story.ada().says("general", "Mina, are you there?").await;
    let call = story.model.is_told("are you there?").await;
    let told = call.request().to_string();
    assert!(told.contains("Mina keeps the tea house."), "{told}");
    assert!(told.contains("You are Mina"), "{told}");
    assert!(told.contains("Mina: Never too busy for tea."), "{told}");
    assert!(!told.contains("ferry"), "nobody talks of it: {told}");
    call.answers("Always.").await;
    let said = story.sees("general", "Always.").await;
    story.bot_is_done().await;
    let seen = story.transcript("general");
    assert!(seen.contains("Mina: Always."), "under her own name: {seen}");

    // A reply is for whoever is replied to.
    story.ada().replies(&said, "when is the ferry?").await;
    let call = story.model.is_told("when is the ferry?").await;
    let told = call.request().to_string();
    assert!(told.contains("Mina keeps the tea house."), "{told}");
    assert!(told.contains("The ferry comes at eight."), "{told}");
    call.answers("At eight.").await;
    story.sees("general", "At eight.").await;
    story.bot_is_done().await;

    // The bot itself is not her, and knows who said what.
    story.ada().says("general", "@Kaiwa who was that?").await;
    let call = story.model.is_told("who was that?").await;
    let told = call.request().to_string();
    assert!(!told.contains("keeps the tea house"), "{told}");
    assert!(told.contains("Mina: At eight."), "{told}");
    call.answers("That was the host.").await;
    story.sees("general", "That was the host.").await;
}

/// Somebody else spoke after the question.
async fn says_whom_it_answers(story: &mut Story) {
    let line = story.sees_something("general", "a link").await;
    assert!(line.text.starts_with("-# ↪ https://"), "{}", line.text);
}

/// Between the question and its answer the persona answered somebody else.
#[tokio::test]
async fn who_waited_for_another_answer_is_told_that_this_one_is_theirs() {
    let mut story = tea_house().await;
    story.ada().says("general", "Mina, one?").await;
    let first = story.model.is_told("one?").await;
    story.ben().says("general", "Mina, two?").await;
    first.answers("First.").await;
    says_whom_it_answers(&mut story).await;
    story.sees("general", "First.").await;
    let second = story.model.is_told("two?").await;
    second.answers("Second.").await;
    says_whom_it_answers(&mut story).await;
    story.sees("general", "Second.").await;
    story.bot_is_done().await;
    story.ada().says("general", "Mina, three?").await;
    let third = story.model.is_told("three?").await;
    third.answers("Third.").await;
    story.sees("general", "Third.").await;
}

#[tokio::test]
async fn several_who_are_named_answer_in_order() {
    let mut story = tea_house().await;
    story
        .ada()
        .says("general", "tom and landlady, how are you?")
        .await;
    let first = story.model.is_told("how are you?").await;
    assert!(first.request().to_string().contains("A cat."));
    // Another question waits until both have answered.
    story.ben().says("general", "@Kaiwa what time is it?").await;
    first.answers("Sleepy.").await;
    says_whom_it_answers(&mut story).await;
    story.sees("general", "Sleepy.").await;
    let second = story.model.is_told("how are you?").await;
    let told = second.request().to_string();
    assert!(told.contains("Mina keeps the tea house."), "{told}");
    assert!(told.contains("Tom: Sleepy."), "{told}");
    second.answers("Well, thank you.").await;
    says_whom_it_answers(&mut story).await;
    story.sees("general", "Well, thank you.").await;
    let third = story.model.is_told("what time is it?").await;
    third.answers("Noon.").await;
    story.sees("general", "Noon.").await;
    story.bot_is_done().await;
}

#[tokio::test]
async fn a_channel_has_its_own_speaker() {
    let mut story = tea_house().await;
    let here = SettingKey::DefaultPersona;
    story.sets("Tea House/general", here, "mina").await;
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_told("hello").await;
    let told = call.request().to_string();
    assert!(told.contains("Mina keeps the tea house."), "{told}");
    call.answers("Welcome.").await;
    story.sees("general", "Welcome.").await;
}

#[tokio::test]
async fn personas_answer_each_other_so_often_and_no_more() {
    let mut story = tea_house().await;
    story
        .ada()
        .says("general", "Mina, what does the cat think?")
        .await;
    let call = story.model.is_told("what does the cat think?").await;
    call.answers("Ask Tom.").await;
    story.sees("general", "Ask Tom.").await;
    let call = story.model.is_told("Mina: Ask Tom.").await;
    let told = call.request().to_string();
    assert!(told.contains("A cat."), "{told}");
    assert!(told.contains("what does the cat think?"), "{told}");
    call.answers("Mina knows.").await;
    story.sees("general", "Mina knows.").await;
    let call = story.model.is_told("Tom: Mina knows.").await;
    assert!(call.request().to_string().contains("keeps the tea house"));
    call.answers("Oh, Tom. Tom, Tom.").await;
    story.sees("general", "Oh, Tom. Tom, Tom.").await;
    // Two answers to each other are as many as there are.
    story.bot_is_done().await;
    story.ada().says("general", "@Kaiwa are they done?").await;
    let call = story.model.is_told("are they done?").await;
    call.answers("Yes.").await;
    story.sees("general", "Yes.").await;
}

#[tokio::test]
async fn personas_keep_to_themselves_where_they_should() {
    let mut story = tea_house().await;
    story.sets("Tea House", SettingKey::CascadeLimit, "0").await;
    story.ada().says("general", "Mina, hello").await;
    let call = story.model.is_told("hello").await;
    call.answers("Tom and I say hello.").await;
    story.sees("general", "Tom and I say hello.").await;
    story.bot_is_done().await;
    story.ada().says("general", "@Kaiwa quiet here").await;
    let call = story.model.is_told("quiet here").await;
    call.answers("It is.").await;
    story.sees("general", "It is.").await;
}

#[tokio::test]
async fn a_stop_ends_the_whole_scene() {
    let mut story = tea_house().await;
    story.operator_sets(SettingKey::StopLine, "off");
    story
        .ada()
        .says("general", "Mina and Tom, tell me a story")
        .await;
    let mut call = story.model.is_told("tell me a story").await;
    call.says("Once there was a cat.\nIt slept").await;
    story.sees("general", "Once there was a cat.").await;
    story.ada().says("general", "stop").await;
    call.is_cancelled().await;
    story.bot_is_done().await;
    story.ada().says("general", "@Kaiwa thanks").await;
    let call = story.model.is_told("thanks").await;
    call.answers("Sure.").await;
    story.sees("general", "Sure.").await;
}

#[tokio::test]
async fn a_scene_goes_on_after_a_restart() {
    let mut story = tea_house().await;
    story
        .ada()
        .says("general", "Mina and Tom, good morning")
        .await;
    let call = story.model.is_told("good morning").await;
    story.bot_stops().await;
    drop(call);
    story.bot_starts().await;
    let call = story.model.is_told("good morning").await;
    assert!(call.request().to_string().contains("keeps the tea house"));
    call.answers("Morning.").await;
    story.sees("general", "Morning.").await;
    let call = story.model.is_told("good morning").await;
    assert!(call.request().to_string().contains("A cat."));
    call.answers("Meow.").await;
    story.sees("general", "Meow.").await;
    story.bot_is_done().await;
}

#[tokio::test]
async fn a_persona_has_a_model_of_its_own() {
    let mut story = Story::without_bot().await;
    story.gets_model_for_personas().await;
    story.bot_starts().await;
    let with = |name: &str, model: &str| Persona {
        model: Some(model.to_owned()),
        ..persona(name, "Kind.")
    };
    story.has_persona("Tea House", with("Mina", "own")).await;
    story.has_persona("Tea House", with("Tom", "no such")).await;
    story.ada().says("general", "Mina, who thinks?").await;
    let call = story.own_model().is_told("who thinks?").await;
    call.answers("I do.").await;
    story.sees("general", "I do.").await;
    story.bot_is_done().await;
    // One that it may not have is as none, and the bot keeps its own.
    for question in ["Tom, who thinks?", "@Kaiwa who thinks?"] {
        story.ada().says("general", question).await;
        let call = story.model.is_told("who thinks?").await;
        call.answers("The other one.").await;
        story.sees("general", "The other one.").await;
        story.bot_is_done().await;
    }
}

#[tokio::test]
async fn what_a_persona_notes_down_it_knows_alone() {
    let mut story = tea_house().await;
    story.ada().says("general", "Mina, with milk").await;
    let call = story.model.is_told("with milk").await;
    call.answers("Gladly.<details>The milk is in the blue jug.</details>")
        .await;
    story.sees("general", "Gladly.").await;
    story.bot_is_done().await;
    for (name, knows) in [("Tom", false), ("@Kaiwa", false), ("Mina", true)] {
        let question = format!("{name}, where is it?");
        story.ada().says("general", &question).await;
        let call = story.model.is_told("where is it?").await;
        let told = call.request().to_string();
        assert_eq!(told.contains("blue jug"), knows, "{name}: {told}");
        call.answers("There.").await;
        story.sees("general", "There.").await;
        story.bot_is_done().await;
    }
}

#[tokio::test]
async fn a_persona_speaks_by_its_own_degree() {
    const CADENCE: Duration = Duration::from_secs(1);
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    let at = |name: &str, degree| Persona {
        degree: Some(degree),
        ..persona(name, "Kind.")
    };
    story.has_persona("Tea House", at("Mina", 0)).await;
    story.has_persona("Tea House", at("Tom", 1)).await;
    story.has_persona("Tea House", at("Zoe", 4)).await;
    story.ada().says("general", "Mina, count!").await;
    story.model.is_told("count!").await.answers("1.\n2.").await;
    let whole = story.sees("general", "1.\n\n2.").await;
    story.bot_is_done().await;
    assert_eq!(story.versions(&whole).len(), 1);
    story.ada().says("general", "Tom, count!").await;
    story.model.is_told("count!").await.answers("1.\n2.").await;
    story.sees("general", "1.").await;
    story.sees("general", "2.").await;
    story.bot_is_done().await;
    // It is live where nobody else is.
    story.sets("Tea House", SettingKey::Degree, "1").await;
    story.ada().says("general", "Zoe, count!").await;
    let mut call = story.model.is_told("count!").await;
    call.says("One ").await;
    let live = story.sees("general", "One").await;
    call.says("two ").await;
    story.clock.skip(CADENCE).await;
    story.sees_edit(&live, "One two").await;
    call.ends().await;
    story.bot_is_done().await;
    assert_eq!(story.versions(&live), ["One", "One two"]);
}

#[tokio::test]
async fn a_persona_hears_its_triggers_as_words_of_their_own() {
    let mut story = tea_house().await;
    let heard = story.ada().says("general", "Landlady! more tea?").await;
    let call = story.model.is_told("more tea?").await;
    assert!(call.request().to_string().contains("keeps the tea house"));
    call.answers("Coming.").await;
    story.sees("general", "Coming.").await;
    story.bot_is_done().await;
    let unheard = story.ada().says("general", "landladyship is hard").await;
    assert_eq!(story.decided_on(&heard).await.0, "admitted");
    assert_ne!(story.decided_on(&unheard).await.0, "admitted");
}

#[tokio::test]
async fn personas_answer_each_other_also_where_answers_grow() {
    let mut story = tea_house().await;
    story.sets("Tea House", SettingKey::Degree, "4").await;
    story.ada().says("general", "Mina, who sleeps?").await;
    let call = story.model.is_told("who sleeps?").await;
    call.answers("Tom does.").await;
    story.sees("general", "Tom does.").await;
    let call = story.model.is_told("Mina: Tom does.").await;
    assert!(call.request().to_string().contains("A cat."));
    call.answers("Purr.").await;
    story.sees("general", "Purr.").await;
    story.bot_is_done().await;
}
