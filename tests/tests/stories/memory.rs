//! What the bot remembers, of whom, and who hears of it.

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::model::ModelRequest;
use kaiwa_e2e::story::Story;

const TEA: &str = "general";
const READING: &str = "Reading Room/general";

/// What the model is told, all of it.
fn request(call: &ModelRequest) -> String {
    call.request().to_string()
}

/// Ben asks something in a channel, and is answered.
async fn ben_asks(story: &mut Story, channel: &str, question: &str) -> String {
    story
        .ben()
        .says(channel, &format!("@Kaiwa {question}"))
        .await;
    let call = story.model.is_told(question).await;
    let told = request(&call);
    call.answers("Hm.").await;
    story.sees(channel, "Hm.").await;
    told
}

#[tokio::test]
async fn a_fact_is_known_in_every_channel_of_its_guild_and_over_a_restart() {
    let mut story = Story::without_bot().await;
    story
        .operator_teaches("Tea House", Some("Ben"), "He is allergic to walnuts.")
        .await;
    story
        .operator_teaches("Tea House", None, "The password club meets on Fridays.")
        .await;
    story.bot_starts().await;
    for channel in [TEA, "random"] {
        let told = ben_asks(&mut story, channel, "which cake for me?").await;
        let about = "About Ben: He is allergic to walnuts.";
        assert!(told.contains(about), "{told}");
        assert!(told.contains("meets on Fridays"), "{told}");
    }
    // Nobody else's question brings it up, unless they talk about it.
    story.ada().says(TEA, "@Kaiwa which cake for me?").await;
    let call = story.model.is_told("which cake for me?").await;
    assert!(!request(&call).contains("walnuts"));
    call.answers("Any.").await;
    story.sees(TEA, "Any.").await;
    story.ada().says(TEA, "@Kaiwa any walnuts left?").await;
    let call = story.model.is_told("any walnuts left?").await;
    assert!(request(&call).contains("He is allergic to walnuts."));
    call.answers("Two.").await;
    story.sees(TEA, "Two.").await;

    story.noor().says(READING, "@Kaiwa walnuts? Fridays?").await;
    let call = story.model.is_told("walnuts? Fridays?").await;
    for strange in ["allergic", "password club"] {
        assert!(!request(&call).contains(strange), "{strange}");
    }
    call.answers("No idea.").await;
    story.sees(READING, "No idea.").await;

    story.bot_stops().await;
    story.operator_makes_forget("Tea House", "walnuts").await;
    story.bot_starts().await;
    let told = ben_asks(&mut story, TEA, "and now?").await;
    assert!(!told.contains("He is allergic"), "{told}");
    assert!(told.contains("meets on Fridays"), "{told}");
}

#[tokio::test]
async fn what_is_known_in_private_is_not_told_elsewhere() {
    let mut story = Story::without_bot().await;
    story
        .operator_teaches_in_whispers_of("Ben", "He plans a surprise for Ada.")
        .await;
    story
        .operator_teaches("Tea House/random", Some("Ben"), "He is getting a raise.")
        .await;
    story.bot_starts().await;
    let told = ben_asks(&mut story, TEA, "a surprise? a raise?").await;
    assert!(
        !told.contains("He plans") && !told.contains("getting a raise"),
        "{told}"
    );
    let told = ben_asks(&mut story, "random", "a surprise? a raise?").await;
    assert!(!told.contains("He plans"), "{told}");
    assert!(told.contains("getting a raise"), "{told}");

    let asked = story.ben().whispers("a surprise? a raise?").await;
    let call = story.model.is_told("a surprise? a raise?").await;
    let told = request(&call);
    assert!(told.contains("He plans a surprise"), "{told}");
    assert!(!told.contains("getting a raise"), "{told}");
    call.answers("Psst.").await;
    story.sees(&asked.channel, "Psst.").await;
}

#[tokio::test]
async fn what_the_model_notes_down_is_known_in_that_channel_and_over_a_restart() {
    let mut story = Story::begin().await;
    story.ben().says(TEA, "@Kaiwa book a table").await;
    let call = story.model.is_told("book a table").await;
    call.answers("For how many?<details>Ben wants a table by the window.</details>")
        .await;
    story.sees(TEA, "For how many?").await;
    assert!(
        !story.transcript(TEA).contains("window"),
        "notes are not shown"
    );

    let told = ben_asks(&mut story, "random", "and here?").await;
    assert!(!told.contains("by the window"), "{told}");
    story.bot_stops().await;
    story.bot_starts().await;
    let told = ben_asks(&mut story, TEA, "for two").await;
    assert!(told.contains("Ben wants a table by the window."), "{told}");
}

#[tokio::test]
async fn notes_are_asked_for_where_they_are_kept() {
    let mut story = Story::begin().await;
    let asks_for_notes = |told: &str| told.contains("<details>");
    assert!(asks_for_notes(&ben_asks(&mut story, TEA, "one?").await));
    for (key, value, expected) in [
        (SettingKey::TakeNotes, "off", false),
        (SettingKey::TakeNotes, "on", true),
        (SettingKey::MemoryEnabled, "off", false),
    ] {
        story.sets("Tea House", key, value).await;
        let told = ben_asks(&mut story, TEA, &format!("{key} {value}?")).await;
        assert_eq!(asks_for_notes(&told), expected, "{key} {value}: {told}");
    }
}

#[tokio::test]
async fn where_memory_is_off_nothing_is_remembered() {
    let mut story = Story::without_bot().await;
    story
        .operator_teaches("Tea House", None, "The club meets on Fridays.")
        .await;
    story.bot_starts().await;
    let (off, on) = ("off", "on");
    story
        .sets("Tea House", SettingKey::MemoryEnabled, off)
        .await;
    story.ben().says(TEA, "@Kaiwa when is the club?").await;
    let call = story.model.is_told("when is the club?").await;
    assert!(!request(&call).contains("Fridays"));
    call.answers("Who knows?<details>Ben asked for the club.</details>")
        .await;
    story.sees(TEA, "Who knows?").await;

    story.sets("Tea House", SettingKey::MemoryEnabled, on).await;
    let told = ben_asks(&mut story, TEA, "when, then?").await;
    assert!(told.contains("Fridays"), "{told}");
    assert!(!told.contains("Ben asked for the club."), "{told}");
}

#[tokio::test]
async fn whoever_opted_out_is_not_read() {
    let mut story = Story::begin().await;
    story.ada().says(TEA, "the key is under the mat").await;
    story.opts_out("Ada").await;
    story.ada().says(TEA, "@Kaiwa where is it?").await;
    let told = ben_asks(&mut story, TEA, "what was said?").await;
    assert!(!told.contains("under the mat"), "{told}");
    assert!(!told.contains("where is it?"), "{told}");
    assert_eq!(story.transcript(TEA).matches("Kaiwa: ").count(), 1);

    story.bot_stops().await;
    story.bot_starts().await;
    story.ada().says(TEA, "@Kaiwa hello?").await;
    let told = ben_asks(&mut story, TEA, "and now?").await;
    assert!(!told.contains("hello?"), "{told}");
}
