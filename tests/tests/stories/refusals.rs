//! What was decided stays decided.

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

/// Whoever is told once that they ask too often asks the rest in vain, also if
/// the bot is restarted meanwhile and reads what was said before.
#[tokio::test]
async fn what_was_refused_without_a_word_is_not_answered_after_a_restart() {
    let mut story = Story::begin_with(&[(SettingKey::UserQuestions, "1")]).await;
    let dms = story.ada().direct_messages().await;
    for channel in ["general", &dms] {
        story.ada().says(channel, "@Kaiwa one").await;
        if channel == "general" {
            story.model.is_told("one").await.answers("One.").await;
            story.sees(channel, "One.").await;
            story.bot_is_done().await;
            let second = story.ada().says(channel, "@Kaiwa two").await;
            let told = story.sees_something(channel, "that it was refused").await;
            assert_eq!(told.replies_to, Some(second.id));
        }
        let third = story.ada().says(channel, "@Kaiwa three").await;
        let decided = story.decided_on(&third).await;
        assert_eq!(decided, ("refused".into(), "slow_down".into()));
    }
    story.bot_stops().await;
    // This one was not seen by anybody, and is answered.
    story
        .ben()
        .says("general", "@Kaiwa while you were away")
        .await;
    story.bot_starts().await;
    let call = story.model.is_told("while you were away").await;
    call.answers("I was.").await;
    story.sees("general", "I was.").await;
    story.bot_is_done().await;
    let said = |channel: &str| story.transcript(channel).matches("Kaiwa: ").count();
    assert_eq!(said("general"), 3, "{}", story.transcript("general"));
    assert_eq!(said(&dms), 0, "{}", story.transcript(&dms));
}
