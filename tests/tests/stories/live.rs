//! Degree 4: an answer is shown while it is written, in a message that is
//! edited as it grows.

use std::time::Duration;

use axum::http::Method;
use kaiwa_domain::Notice;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::model::ModelRequest;
use kaiwa_e2e::story::{GRACE, SentMessage, Story};
use kaiwa_emulator::{FaultSpan, Requests, RestFault};
use kaiwa_pipeline::deliver::Degree;

/// The time between two edits.
const CADENCE: Duration = Duration::from_secs(1);

const EDIT: &str = "PATCH /channels/{channel}/messages/{message}";

async fn begin() -> Story {
    Story::begin_with(&[(SettingKey::Degree, "4")]).await
}

/// Ada asks, and sees the first word.
async fn begun(story: &mut Story) -> (ModelRequest, SentMessage) {
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("One ").await;
    let message = story.sees("general", "One").await;
    (answer, message)
}

#[tokio::test]
async fn an_answer_grows_in_one_message() {
    let mut story = begin().await;
    let question = story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("One ").await;
    let message = story.sees("general", "One").await;
    assert_eq!(message.replies_to, Some(question.id));
    answer.says("**two ").await;
    story.clock.skip(CADENCE).await;
    story.sees_edit(&message, "One **two").await;
    answer.says("and** three.\nFour.").await;
    answer.ends().await;
    story
        .sees_edit(&message, "One **two and** three.\n\nFour.")
        .await;
    story.bot_is_done().await;
    let seen = ["One", "One **two", "One **two and** three.\n\nFour."];
    assert_eq!(story.versions(&message), seen);
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa hello\nKaiwa: One **two and** three.\n\nFour.\n"
    );
}

#[tokio::test]
async fn without_time_passing_nothing_is_edited_but_the_end() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    for word in ["two ", "three ", "four "] {
        answer.says(word).await;
    }
    answer.ends().await;
    story.sees_edit(&message, "One two three four").await;
    story.bot_is_done().await;
    assert_eq!(story.versions(&message), ["One", "One two three four"]);
    assert_eq!(story.requests(EDIT), 1);
}

/// What stands in the channel once an answer of some pages was given.
async fn pages(mut story: Story) -> String {
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    let prose: String = (0..120).map(|n| format!("Words and {n} more. ")).collect();
    let code: String = (0..150).map(|n| format!("let line_{n} = {n};\n")).collect();
    for piece in [&prose, "\n```rs\n", &code, "```\n- a\n- b\n\n", &prose] {
        for part in piece.as_bytes().chunks(97) {
            answer.says(&String::from_utf8_lossy(part)).await;
        }
    }
    answer.ends().await;
    story.sees_something("general", "something").await;
    story.bot_is_done().await;
    story.transcript("general")
}

#[tokio::test]
async fn past_the_limit_the_next_message_grows_and_all_is_as_at_degree_0() {
    let whole = pages(Story::begin_at(Degree::Whole).await).await;
    let live = pages(begin().await).await;
    assert!(whole.matches("Kaiwa: ").count() > 3);
    assert_eq!(live, whole);
}

#[tokio::test]
async fn what_is_stopped_is_closed_and_marked() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    answer.says("```\ntwo").await;
    story.clock.skip(CADENCE).await;
    story.sees_edit(&message, "One ```\ntwo\n```").await;
    story.ada().says("general", "stop").await;
    answer.is_cancelled().await;
    let mark = Notice::StoppedHere.text();
    let end = format!("One ```\ntwo\n```\n{mark}");
    story.sees_edit(&message, &end).await;
    story.bot_is_done().await;
    assert!(story.transcript("general").ends_with("Ada: stop\n"));
}

#[tokio::test]
async fn whoever_deletes_the_message_ends_the_answer() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    story.ada().deletes(&message).await;
    answer.says("two ").await;
    story.clock.skip(CADENCE).await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general"), "Ada: @Kaiwa hello\n");
}

#[tokio::test]
async fn a_restart_goes_on_in_the_same_message() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    answer.says("```\ntwo").await;
    story.clock.skip(CADENCE).await;
    story.sees_edit(&message, "One ```\ntwo\n```").await;
    let stopped = story.bot_is_asked_to_stop();
    story.clock.skip(GRACE).await;
    let mark = Notice::Restarting.text();
    let left = format!("One ```\ntwo\n```\n{mark}");
    story.sees_edit(&message, &left).await;
    stopped.await;
    drop(answer);

    story.bot_starts().await;
    let mut rest = story.model.is_told("Continue your answer").await;
    rest.says("\nthree\n```\nFour.").await;
    rest.ends().await;
    story
        .sees_edit(&message, "One ```\ntwo\nthree\n```\nFour.")
        .await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general").matches("Kaiwa: ").count(), 1);
}

#[tokio::test]
async fn what_grew_before_a_restart_grows_on_whatever_is_set_meanwhile() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    answer.says("two.\n\nThree. ").await;
    story.clock.skip(CADENCE).await;
    story.sees_edit(&message, "One two.\n\nThree.").await;
    story
        .sets("Tea House/general", SettingKey::Degree, "1")
        .await;
    let stopped = story.bot_is_asked_to_stop();
    story.clock.skip(GRACE).await;
    stopped.await;
    drop(answer);

    story.bot_starts().await;
    let mut rest = story.model.is_told("Continue your answer").await;
    rest.says("\n\nFour.\n\nFive.").await;
    rest.ends().await;
    story.bot_is_done().await;
    let said = "Ada: @Kaiwa hello\nKaiwa: One two.\n\nThree.\n\nFour.\n\nFive.\n";
    assert_eq!(story.transcript("general"), said);
}

#[tokio::test]
async fn a_message_whose_creation_went_unanswered_is_there_once() {
    let mut story = begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    story.answer_to_next_post_is_lost();
    answer.says("One ").await;
    let message = story.sees("general", "One").await;
    answer.says("two.").await;
    answer.ends().await;
    story.clock.skip_any(1001..=1130).await;
    story.sees_edit(&message, "One two.").await;
    story.bot_is_done().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa hello\nKaiwa: One two.\n"
    );
}

#[tokio::test]
async fn what_turns_out_to_be_a_table_was_never_text() {
    let mut story = begin().await;
    story.ada().says("general", "@Kaiwa compare").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa compare").await;
    for line in [
        "| tea | min",
        "utes |\n",
        "|---|---:|\n",
        "| green | 2 |\n",
        "\nEnjoy.",
    ] {
        answer.says(line).await;
    }
    answer.ends().await;
    let table = story.sees("general", "").await;
    assert!(table.picture.expect("a picture").contains("minutes"));
    story.sees_something("general", "Enjoy.").await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general").matches("Kaiwa: ").count(), 2);
    assert!(story.transcript("general").ends_with("Kaiwa: Enjoy.\n"));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_whole_and_marked() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    answer.says("two **three").await;
    answer.hangs_up();
    let mut rest = story.model.is_told("Continue your answer").await;
    rest.says("** four").await;
    rest.hangs_up();
    story.sees_edit(&message, "One two **three** four").await;
    story.sees("general", Notice::AnswerCut.text()).await;
    story.bot_is_done().await;
    assert!(story.requests(EDIT) <= 2, "{}", story.requests(EDIT));
}

#[tokio::test]
async fn a_stop_ends_a_typing_pause_at_once() {
    let mut story = Story::begin_at(Degree::Typed).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("One line.\nAnother.\nAnd more.\n").await;
    story.sees("general", "One line.").await;
    story.clock.sleeps(750..=2250).await;
    story.ada().says("general", "stop").await;
    answer.is_cancelled().await;
    // The clock has not moved.
    story.bot_is_done().await;
    assert!(
        story
            .transcript("general")
            .ends_with("Kaiwa: One line.\nAda: stop\n")
    );
}

#[tokio::test]
async fn a_text_that_waits_for_discord_is_overtaken_by_a_newer_one() {
    let mut story = begin().await;
    let (mut answer, message) = begun(&mut story).await;
    let edits = Requests {
        method: Some(Method::PATCH),
        path_part: "/messages/".into(),
        user_id: None,
        skip: 0,
    };
    let limit = RestFault::Limit {
        retry_after: Duration::from_secs(13),
        global: false,
    };
    story.faults().rest(edits, limit, FaultSpan::Next(1));
    answer.says("two ").await;
    story.clock.skip(CADENCE).await;
    story.clock.sleeps(12_900..=14_000).await;
    answer.says("three ").await;
    story.clock.skip(CADENCE).await;
    // It waits in the place of the other for what is left.
    story.clock.falls_asleep(&[11_900..=12_100]).await;
    story.clock.passes(Duration::from_secs(13));
    story.sees_edit(&message, "One two three").await;
    answer.says("four.").await;
    answer.ends().await;
    story.sees_edit(&message, "One two three four.").await;
    story.bot_is_done().await;
    let seen = ["One", "One two three", "One two three four."];
    assert_eq!(story.versions(&message), seen);
    assert_eq!(story.requests(EDIT), 3, "one was refused");
}
