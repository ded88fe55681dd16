//! Events that come in another order than they happened, or twice: Discord
//! promises neither that a message comes before what is done to it, nor that
//! anything comes only once.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

/// The next event comes after the one that follows it.
fn next_event_comes_late(story: &Story) {
    let bot = &story.ready().bot.id;
    assert_eq!(story.faults().reorder_events(bot, 1), 1);
}

#[tokio::test]
async fn f19_a_question_that_comes_after_its_deletion_is_not_answered() {
    let mut story = Story::begin().await;
    next_event_comes_late(&story);
    let question = story.ben().says("general", "@Kaiwa my secret?").await;
    story.ben().deletes(&question).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    let told = answer.told().join("\n");
    assert!(!told.contains("secret"), "it is kept by nobody: {told}");
    answer.answers("Hello.").await;
    story.sees("general", "Hello.").await;
    story.bot_is_done().await;
    let said = story.transcript("general");
    assert_eq!(said, "Ada: @Kaiwa hello\nKaiwa: Hello.\n");
}

/// Whoever takes a stop back again has stopped all the same.
#[tokio::test]
async fn f19_a_stop_that_comes_after_its_deletion_counts() {
    let mut story = Story::begin().await;
    story.ben().says("general", "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    next_event_comes_late(&story);
    let stop = story.ben().says("general", "stop").await;
    story.ben().deletes(&stop).await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
}

#[tokio::test]
async fn f19_a_question_that_comes_after_its_edit_is_the_edited_one() {
    let mut story = Story::begin().await;
    next_event_comes_late(&story);
    let question = story.ben().says("general", "@Kaiwa what is tee?").await;
    story.ben().edits(&question, "@Kaiwa what is tea?").await;
    let answer = story.model.is_asked("Ben: @Kaiwa what is tea?").await;
    answer.answers("A leaf.").await;
    let said = story.sees("general", "A leaf.").await;
    assert_eq!(said.replies_to.as_ref(), Some(&question.id));

    // What is only overheard is known as it is now, too.
    next_event_comes_late(&story);
    let chatter = story.ben().says("general", "I like milc").await;
    story.ben().edits(&chatter, "I like milk").await;
    story
        .ada()
        .says("general", "@Kaiwa what does Ben like?")
        .await;
    let answer = story.model.is_told("what does Ben like?").await;
    let told = answer.told().join("\n");
    assert!(told.contains("milk") && !told.contains("milc"), "{told}");
    assert!(!told.contains("tee?"), "{told}");
    answer.answers("Milk.").await;
    story.sees("general", "Milk.").await;
    story.bot_is_done().await;
}

/// Every event comes twice, and all of them again after a restart.
async fn where_all_repeats() -> Story {
    let story = Story::begin_with(&[(SettingKey::EditedQuestion, "regenerate")]).await;
    let bot = &story.ready().bot.id;
    assert_eq!(story.faults().duplicate_events(bot, 10_000), 1);
    story
}

/// Nothing is answered but what is asked now.
async fn is_quiet(story: &mut Story) {
    story.ada().says("general", "@Kaiwa is that all?").await;
    let call = story.model.is_asked("Ada: @Kaiwa is that all?").await;
    call.answers("That is all.").await;
    story.sees("general", "That is all.").await;
    story.bot_is_done().await;
}

#[tokio::test]
async fn f18_an_edit_that_comes_again_is_answered_once() {
    let mut story = where_all_repeats().await;
    let question = story.ben().says("general", "@Kaiwa one").await;
    let answer = story.model.is_asked("Ben: @Kaiwa one").await;
    answer.answers("1").await;
    story.sees("general", "1").await;
    story.bot_is_done().await;
    story.ben().edits(&question, "@Kaiwa two").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa two").await;
    answer.says("2\nan").await;
    story.sees("general", "2").await;
    answer.answers("d more").await;
    story.sees("general", "and more").await;
    story.bot_is_done().await;
    is_quiet(&mut story).await;

    story.bot_hears_everything_again().await;
    is_quiet(&mut story).await;
    let said = story.transcript("general");
    assert_eq!(said.matches("Kaiwa: ").count(), 5, "{said}");
    // Another edit is another question.
    story.ben().edits(&question, "@Kaiwa three").await;
    let answer = story.model.is_asked("Ben: @Kaiwa three").await;
    answer.answers("3").await;
    story.sees("general", "3").await;
    story.bot_is_done().await;
}

#[tokio::test]
async fn f18_a_sign_for_another_take_that_comes_again_gives_one() {
    let mut story = where_all_repeats().await;
    story.ben().says("general", "@Kaiwa a joke").await;
    let answer = story.model.is_asked("Ben: @Kaiwa a joke").await;
    answer.answers("Knock knock.").await;
    let first = story.sees("general", "Knock knock.").await;
    story.bot_is_done().await;
    story.ben().reacts(&first, "🔁").await;
    let answer = story.model.is_asked("Ben: @Kaiwa a joke").await;
    answer.answers("A kettle walks into a bar.").await;
    story.sees("general", "A kettle walks into a bar.").await;
    story.bot_is_done().await;
    is_quiet(&mut story).await;

    story.bot_hears_everything_again().await;
    is_quiet(&mut story).await;
    // Who takes the sign off and puts it there anew wants another.
    story.ben().unreacts(&first, "🔁").await;
    story.ben().reacts(&first, "🔁").await;
    let answer = story.model.is_asked("Ben: @Kaiwa a joke").await;
    answer.answers("Why did the cup cross the table?").await;
    story
        .sees("general", "Why did the cup cross the table?")
        .await;
    story.bot_is_done().await;
    is_quiet(&mut story).await;
}
