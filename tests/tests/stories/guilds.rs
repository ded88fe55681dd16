//! Two guilds and one bot: what is said in one is not known in the other.

use kaiwa_e2e::story::Story;

const TEA: &str = "general";
const READING: &str = "Reading Room/general";

#[tokio::test]
async fn a_guild_hears_nothing_of_another() {
    let mut story = Story::begin().await;
    story.ben().says(TEA, "the oolong is in the cellar").await;
    story.noor().says(READING, "chapter nine is the best").await;

    let asked = story.noor().says(READING, "@Kaiwa what do you know?").await;
    let call = story.model.is_asked("Noor: @Kaiwa what do you know?").await;
    assert_eq!(call.told()[0], "Noor: chapter nine is the best");
    let prompt = call.request().to_string();
    for strange in ["oolong", "Ben", "Tea House"] {
        assert!(!prompt.contains(strange), "{strange} is in {prompt}");
    }
    call.answers("I know chapter nine.").await;
    let said = story.sees(READING, "I know chapter nine.").await;
    assert_eq!(said.replies_to, Some(asked.id));

    story.ben().says(TEA, "@Kaiwa what do you know?").await;
    let call = story.model.is_asked("Ben: @Kaiwa what do you know?").await;
    assert_eq!(call.told()[0], "Ben: the oolong is in the cellar");
    let prompt = call.request().to_string();
    for strange in ["chapter nine", "Noor", "Reading Room"] {
        assert!(!prompt.contains(strange), "{strange} is in {prompt}");
    }
    call.answers("I know of the oolong.").await;
    story.sees(TEA, "I know of the oolong.").await;
}

/// Ada is in both guilds, in one of them under another name.
#[tokio::test]
async fn one_person_asks_in_two_guilds_at_once() {
    let mut story = Story::begin().await;
    story.ada().says(TEA, "@Kaiwa how much tea is left?").await;
    let tea = story
        .model
        .is_asked("Ada: @Kaiwa how much tea is left?")
        .await;
    story
        .ada()
        .says(READING, "@Kaiwa how many pages are left?")
        .await;
    let pages = story
        .model
        .is_asked("Countess: @Kaiwa how many pages are left?")
        .await;
    assert_eq!((tea.told().len(), pages.told().len()), (1, 1));

    // The second is answered while the first is still being thought about.
    pages.answers("Ninety.").await;
    story.sees(READING, "Ninety.").await;
    tea.answers("Two cups.").await;
    story.sees(TEA, "Two cups.").await;
    assert!(!story.transcript(TEA).contains("Ninety"));
    assert!(!story.transcript(READING).contains("Two cups"));
}

/// "stop" is meant for the answer in its own channel, whoever says it where.
#[tokio::test]
async fn a_stop_in_one_guild_stops_nothing_in_another() {
    let mut story = Story::begin().await;
    story.ada().says(TEA, "@Kaiwa count the cups").await;
    let mut tea = story.model.is_asked("Ada: @Kaiwa count the cups").await;
    tea.says("One.\nTw").await;
    story.sees(TEA, "One.").await;
    story.ada().says(READING, "@Kaiwa stop").await;
    tea.says("o.").await;
    tea.ends().await;
    story.sees(TEA, "Two.").await;
}

#[tokio::test]
async fn somebody_comes_asks_and_leaves() {
    let mut story = Story::begin().await;
    let code = story.ada().invites_to(TEA).await;
    story.noor().joins_by(&code).await;
    story.noor().says(TEA, "@Kaiwa am I welcome?").await;
    let call = story.model.is_asked("Noor: @Kaiwa am I welcome?").await;
    call.answers("You are.").await;
    story.sees(TEA, "You are.").await;
    story.noor().leaves().await;
    story.ada().says(TEA, "@Kaiwa who was that?").await;
    let call = story.model.is_asked("Ada: @Kaiwa who was that?").await;
    call.answers("Noor, from next door.").await;
    story.sees(TEA, "Noor, from next door.").await;
}
