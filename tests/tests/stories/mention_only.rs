//! A bot without the Message Content Intent: it reads what is said to it, and
//! says nothing about what it cannot read.

use kaiwa_domain::Notice;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

#[tokio::test]
async fn mentions_replies_and_direct_messages_are_answered() {
    let mut story = Story::begin_mention_only(&[]).await;
    story.ben().says("general", "a secret of ours").await;
    story.ben().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ben: @Kaiwa hello").await;
    let told = call.request().to_string();
    assert!(!told.contains("secret"), "Discord does not show it");
    assert_eq!(call.told(), ["Ben: @Kaiwa hello"], "nor is it made up");
    call.answers("Hello, Ben.").await;
    let hello = story.sees("general", "Hello, Ben.").await;
    story.bot_is_done().await;

    story.ada().replies(&hello, "and me?").await;
    let call = story.model.is_told("and me?").await;
    assert!(
        call.last()
            .starts_with("Ada: [Replying to Kaiwa: \"Hello, Ben.\"]"),
        "{}",
        call.last()
    );
    call.answers("Hello, Ada.").await;
    story.sees("general", "Hello, Ada.").await;
    story.bot_is_done().await;

    let whisper = story.noor().whispers("psst").await;
    story.model.is_told("psst").await.answers("Yes?").await;
    story.sees(&whisper.channel, "Yes?").await;
}

#[tokio::test]
async fn what_cannot_be_read_is_ignored_with_a_reason() {
    let settings = [
        (SettingKey::AlwaysReply, "on"),
        (SettingKey::JoinIn, "on"),
        (SettingKey::TriggerWords, "kettle"),
    ];
    let mut story = Story::begin_mention_only(&settings).await;
    let chatter = story.ben().says("general", "kettle, anybody?").await;
    let decided = story.decided_on(&chatter).await;
    assert_eq!(decided, ("ignored".into(), "unreadable".into()));
    story.ben().says("general", "@Kaiwa still there?").await;
    let call = story.model.is_asked("Ben: @Kaiwa still there?").await;
    assert_eq!(call.told().len(), 1, "{:?}", call.told());
    call.answers("Still here.").await;
    story.sees("general", "Still here.").await;
    story.bot_is_done().await;
    let transcript = story.transcript("general");
    assert_eq!(transcript.matches("Kaiwa: ").count(), 1, "{transcript}");
}

/// Nobody is left to wonder why a question that was meant for the bot is not
/// answered, and a reply to something that cannot be read quotes nothing.
#[tokio::test]
async fn a_reply_without_a_ping_is_told_that_it_cannot_be_read() {
    let mut story = Story::begin_mention_only(&[]).await;
    let chatter = story.ben().says("general", "nobody reads this").await;
    story.ada().replies(&chatter, "@Kaiwa is he right?").await;
    let call = story.model.is_told("is he right?").await;
    assert_eq!(call.last(), "Ada: [Replying to Ben] @Kaiwa is he right?");
    call.answers("Who knows.").await;
    let said = story.sees("general", "Who knows.").await;
    story.bot_is_done().await;

    let quiet = story.ada().replies_without_ping(&said, "you should").await;
    let told = story.sees("general", Notice::CannotRead.text()).await;
    assert_eq!(told.replies_to, Some(quiet.id.clone()));
    let decided = story.decided_on(&quiet).await;
    assert_eq!(decided, ("refused".into(), "unreadable".into()));
}
