//! What Discord refuses for reasons of its own: threads that were closed,
//! people who left, rights that are missing. Beside [`codes`](super::codes),
//! which gives each code by itself.

use std::time::Duration;

use kaiwa_domain::Rights;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;
use serde_json::json;

const POSTS: &str = "POST /channels/{channel}/messages";
const EDITS: &str = "PATCH /channels/{channel}/messages/{message}";

#[tokio::test]
async fn in_a_thread_that_is_locked_the_answer_ends() {
    let mut story = Story::begin().await;
    let thread = story.ada().opens_thread("general", "Teas").await;
    story.ada().says(&thread, "@Kaiwa count").await;
    let mut call = story.model.is_told("@Kaiwa count").await;
    call.says("One.\nTw").await;
    story.sees(&thread, "One.").await;
    story.ada().marks_thread(&thread, "locked", true).await;
    let before = story.requests(POSTS);
    call.says("o.\nThree.\nFour.\n").await;
    call.is_cancelled().await;
    story.bot_is_done().await;
    assert_eq!(story.requests(POSTS) - before, 1, "it is tried once");
    assert_eq!(
        story.transcript(&thread),
        "Ada: @Kaiwa count\nKaiwa: One.\n"
    );

    story.ada().marks_thread(&thread, "locked", false).await;
    story.ada().says(&thread, "@Kaiwa again").await;
    let call = story.model.is_told("@Kaiwa again").await;
    call.answers("Five.").await;
    story.sees(&thread, "Five.").await;
}

/// A post opens an archived thread again; an edit does not, so that what grows
/// goes on in another message.
#[tokio::test]
async fn a_thread_that_is_archived_is_opened_by_the_rest_of_the_answer() {
    for (degree, grows) in [("1", false), ("4", true)] {
        let mut story = Story::begin_with(&[(SettingKey::Degree, degree)]).await;
        let thread = story.ada().opens_thread("general", "Teas").await;
        story.ada().says(&thread, "@Kaiwa count").await;
        let mut call = story.model.is_told("@Kaiwa count").await;
        call.says(if grows { "One " } else { "One\nt" }).await;
        story.sees(&thread, "One").await;
        story.ada().marks_thread(&thread, "archived", true).await;
        if grows {
            call.says("two ").await;
            story.clock.skip(Duration::from_secs(1)).await;
            story.sees(&thread, "One two").await;
            call.answers("three.").await;
        } else {
            call.answers("wo.").await;
            story.sees(&thread, "two.").await;
        }
        story.bot_is_done().await;
        let said = story.transcript(&thread);
        let expected = match grows {
            true => "Ada: @Kaiwa count\nKaiwa: One two three.\n",
            false => "Ada: @Kaiwa count\nKaiwa: One\nKaiwa: two.\n",
        };
        assert_eq!(said, expected);
        assert!(story.requests(EDITS) <= 2, "it is tried once");
    }
}

/// Who may say nothing more in a channel still tidies up what is up there.
#[tokio::test]
async fn a_button_does_not_outlive_its_answer_where_the_bot_may_no_longer_speak() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa tell me").await;
    let mut answer = story.model.is_told("tell me").await;
    answer.says("Once.\n… ").await;
    let first = story.sees("general", "Once.").await;
    story.clock.skip(Duration::from_secs(15)).await;
    let below = |there: bool| {
        let id = first.id.clone();
        move |it: &serde_json::Value| {
            let components = it["components"].as_array();
            it["id"] == *id && components.is_some_and(|rows| rows.is_empty() != there)
        }
    };
    screen.sees("MESSAGE_UPDATE", below(true)).await;
    let speaks = Rights::SEND_MESSAGES;
    story.ada().forbids("general", "Kaiwa", speaks).await;
    answer.answers("Twice.").await;
    story.bot_is_done().await;
    screen.sees("MESSAGE_UPDATE", below(false)).await;
    assert!(!story.transcript("general").contains("Twice."));
}

/// Who shares no server with the bot any more takes no messages from it.
#[tokio::test]
async fn who_takes_no_messages_any_more_is_reminded_once_and_no_more() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ben").await;
    let whispers = story.ben().direct_messages().await;
    let tea = json!({"when": "in 5 minutes", "text": "tea"});
    story.ben().uses(&whispers, "remind", tea).await;
    let told = screen.sees_answer().await;
    let text = told["content"].as_str().unwrap_or_default();
    assert!(text.starts_with("I will remind you"), "{text}");
    story.controls_are_done().await;
    story.ben().leaves_guild("Tea House").await;
    let before = story.requests(POSTS);
    story.time().passes(Duration::from_secs(300)).await;
    kaiwa_e2e::soon("a try", async {
        while story.requests(POSTS) == before {
            tokio::task::yield_now().await;
        }
    })
    .await;
    story.bot_is_done().await;
    story.time().passes(Duration::from_secs(3600)).await;
    story.bot_is_done().await;
    assert_eq!(story.requests(POSTS) - before, 1, "it is tried once");
    assert!(!story.transcript(&whispers).contains('⏰'));

    // Whoever else asks is answered.
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.answers("Hi.").await;
    story.sees("general", "Hi.").await;
}

#[tokio::test]
async fn who_may_not_read_what_was_said_answers_without_a_reply() {
    let mut story = Story::begin().await;
    let reads = Rights::READ_MESSAGE_HISTORY;
    story.ada().forbids("general", "Kaiwa", reads).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_told("Ada: @Kaiwa hello").await;
    call.answers("Hi.\nHow are you?").await;
    let first = story.sees("general", "Hi.").await;
    assert_eq!(first.replies_to, None);
    story.sees("general", "How are you?").await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general").matches("Hi.").count(), 1);
}

/// Discord took the post, its answer was lost, and somebody deletes what stands
/// there before it is tried again: they want silence.
#[tokio::test]
async fn what_was_deleted_before_it_was_known_to_stand_is_not_said_again() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let call = story.model.is_asked("Ada: @Kaiwa count").await;
    story.answer_to_next_post_is_lost();
    call.answers("One.\nTwo.\nThree.").await;
    let first = story.sees_something("general", "One.").await;
    story.ada().deletes(&first).await;
    let before = story.requests(POSTS);
    story.clock.skip_any(500..=2_000).await;
    story.bot_is_done().await;
    assert_eq!(story.requests(POSTS) - before, 1, "it is tried once more");
    assert_eq!(story.transcript("general"), "Ada: @Kaiwa count\n");
}
