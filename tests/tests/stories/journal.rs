//! The database fails for a while: nothing is said that is not written down, and
//! nothing that was asked is lost.

use std::time::Duration;

use kaiwa_e2e::story::Story;

/// How long a connection stays open from which the bot takes nothing.
const UNREAD: Duration = Duration::from_secs(10);

/// More than the bot holds, of which nobody wants anything.
const CHATTER: usize = 600;

/// Ada's question cannot be written down, and nothing that comes behind it is
/// heard until the bot lets its connection go.
async fn talks_until_paused(story: &mut Story) {
    story.ada().says("general", "@Kaiwa one").await;
    let chatter = |number| format!("chatter {number}");
    story
        .crowd_writes(&["Mika"], "random", CHATTER, chatter)
        .await;
    story.ben().says("general", "@Kaiwa two").await;
    story
        .crowd_writes(&["Mika"], "random", CHATTER, chatter)
        .await;
    story.somebody("Mika").says("general", "@Kaiwa three").await;
    story.clock.skip(UNREAD).await;
    assert!(!story.is_paused().await.connected());
    story.ada().says("random", "@Kaiwa four").await;
}

/// Answers all that was asked, and sees that it is answered once and in order.
async fn is_answered(story: &mut Story) {
    for _ in 0..4 {
        let call = story.model.is_told(": @Kaiwa ").await;
        let asked = call.last();
        let word = asked.rsplit(' ').next().unwrap_or_default();
        call.answers(&format!("Answer {word}.")).await;
    }
    for word in ["one", "two", "three"] {
        story.sees("general", &format!("Answer {word}.")).await;
    }
    story.sees("random", "Answer four.").await;
    story.bot_is_done().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa one\nBen: @Kaiwa two\nMika: @Kaiwa three\n\
         Kaiwa: Answer one.\nKaiwa: Answer two.\nKaiwa: Answer three.\n"
    );
    assert_eq!(story.transcript("random").matches("Kaiwa: ").count(), 1);
}

#[tokio::test]
async fn what_is_said_while_the_database_is_locked_is_answered_later() {
    let mut story = Story::begin().await;
    story.bot_is_done().await;
    let Some(lock) = story.database_is_locked().await else {
        return;
    };
    talks_until_paused(&mut story).await;
    story.database_is_free(lock, is_answered).await;
    assert!(story.is_connected().await.journal.is_none());
    let sessions = (story.identifies(), story.resumes());
    assert_eq!(sessions, (1, 1), "Discord has kept the session");
}

#[tokio::test]
async fn what_discord_has_not_kept_meanwhile_is_read() {
    let mut story = Story::begin().await;
    story.bot_is_done().await;
    let Some(lock) = story.database_is_locked().await else {
        return;
    };
    talks_until_paused(&mut story).await;
    story.faults().drop_sessions();
    story.database_is_free(lock, is_answered).await;
    assert_eq!((story.identifies(), story.resumes()), (2, 0));
}

/// What cannot be recorded is not sent, or a crash would send it again.
#[tokio::test]
async fn an_answer_pauses_while_the_database_is_locked() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa count").await;
    call.says("One.\nTw").await;
    story.sees("general", "One.").await;
    let Some(lock) = story.database_is_locked().await else {
        return;
    };
    call.says("o.\nThree.\n").await;
    story.ben().says("random", "@Kaiwa are you there?").await;
    story.journal_fails().await;
    let said = |story: &Story| story.transcript("general");
    assert_eq!(said(&story), "Ada: @Kaiwa count\nKaiwa: One.\n");

    let goes_on = async |story: &mut Story| {
        let answer = story.model.is_told("are you there?").await;
        answer.answers("I am.").await;
        story.sees("random", "I am.").await;
        call.says("Four.").await;
        call.ends().await;
        // What waited may have become one message.
        while !said(story).contains("Four.") {
            story.sees_something("general", "Four.").await;
        }
    };
    story.database_is_free(lock, goes_on).await;
    story.bot_is_done().await;
    let said = said(&story).replace('\n', " ");
    assert_eq!(
        said.replace("Kaiwa: ", ""),
        "Ada: @Kaiwa count One. Two. Three. Four. "
    );
}
