//! What Kaiwa does, as conversations. Each story runs the whole bot over real
//! sockets; the model says what the story makes it say, when it says so.

use kaiwa_e2e::story::{GRACE, Story};
use std::time::Duration;

#[tokio::test]
async fn a_mention_is_answered_line_by_line() {
    let mut story = Story::begin().await;
    let question = story.ada().says("general", "@Kaiwa hello").await;
    story.sees_typing("general").await;

    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("Hello ").await.says("Ada!\nHow ").await;
    let first = story.sees("general", "Hello Ada!").await;
    assert_eq!(first.replies_to, Some(question.id));

    answer.says("are you?").await;
    answer.ends().await;
    let second = story.sees("general", "How are you?").await;
    assert_eq!(second.replies_to, None);
    story.typing_has_ended("general");
}

#[tokio::test]
async fn the_model_is_told_who_said_what() {
    let mut story = Story::begin().await;
    story.ben().says("general", "I like green tea.").await;
    story
        .ada()
        .says("general", "@Kaiwa what does Ben like?")
        .await;

    let mut answer = story
        .model
        .is_asked("Ada: @Kaiwa what does Ben like?")
        .await;
    assert_eq!(answer.told()[0], "Ben: I like green tea.");
    assert!(
        answer.system().starts_with("You are kind."),
        "{}",
        answer.system()
    );
    assert!(answer.system().contains("You are Kaiwa"));
    answer.says("Green tea.").await;
    answer.ends().await;
    story.sees("general", "Green tea.").await;

    story.ben().says("general", "@Kaiwa right").await;
    let answer = story.model.is_asked("Ben: @Kaiwa right").await;
    assert_eq!(answer.told()[2], "Green tea.");
}

#[tokio::test]
async fn a_reply_needs_no_mention() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hi").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hi").await;
    answer.says("Hi!").await;
    answer.ends().await;
    let greeting = story.sees("general", "Hi!").await;

    story.ben().replies(&greeting, "and me?").await;
    let asked = "Ben: [Replying to Kaiwa: \"Hi!\"] and me?";
    let mut answer = story.model.is_asked(asked).await;
    answer.says("You too.").await;
    answer.ends().await;
    story.sees("general", "You too.").await;
}

#[tokio::test]
async fn a_direct_message_needs_no_mention() {
    let mut story = Story::begin().await;
    let whisper = story.ada().whispers("psst").await;
    let mut answer = story.model.is_asked("Ada: psst").await;
    assert!(answer.system().contains("private"));
    answer.says("Yes?").await;
    answer.ends().await;
    let reply = story.sees(&whisper.channel, "Yes?").await;
    assert_eq!(reply.replies_to, None);
}

#[tokio::test]
async fn chatter_is_left_alone() {
    let mut story = Story::begin().await;
    let chatter = story.ada().says("general", "Kaiwa is a nice name").await;
    story.ben().replies(&chatter, "it is").await;
    story.ada().says("general", "@Kaiwa agreed?").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa agreed?").await;
    answer.says("Agreed.").await;
    answer.ends().await;
    story.sees("general", "Agreed.").await;
    assert_eq!(
        story.transcript("general"),
        "Ada: Kaiwa is a nice name\nBen: it is\nAda: @Kaiwa agreed?\nKaiwa: Agreed.\n"
    );
}

#[tokio::test]
async fn two_channels_are_answered_at_the_same_time() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut one = story.model.is_asked("Ada: @Kaiwa one").await;
    one.says("slowly…\nt").await;
    story.sees("general", "slowly…").await;

    story.ben().says("random", "@Kaiwa two").await;
    let mut two = story.model.is_asked("Ben: @Kaiwa two").await;
    two.says("quick").await;
    two.ends().await;
    story.sees("random", "quick").await;

    one.says("here").await;
    one.ends().await;
    story.sees("general", "there").await;
}

#[tokio::test]
async fn two_messages_in_one_channel_are_answered_in_order() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut one = story.model.is_asked("Ada: @Kaiwa one").await;
    story.ben().says("general", "@Kaiwa two").await;
    one.says("first").await;
    one.ends().await;
    story.sees("general", "first").await;

    let mut two = story.model.is_asked("Ben: @Kaiwa two").await;
    assert_eq!(
        two.told(),
        ["Ada: @Kaiwa one", "first", "Ben: @Kaiwa two"],
        "what was answered meanwhile is known"
    );
    two.says("second").await;
    two.ends().await;
    story.sees("general", "second").await;
}

#[tokio::test]
async fn typing_is_renewed_while_the_model_thinks() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa think").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa think").await;
    story.sees_typing("general").await;
    story.clock.skip(Duration::from_secs(8)).await;
    story.sees_typing("general").await;
    story.clock.skip(Duration::from_secs(8)).await;
    story.sees_typing("general").await;
    call.says("Done thinking.\nAnd").await;
    story.sees("general", "Done thinking.").await;
    story.typing_has_ended("general");
    call.says(" more.").await;
    story.clock.skip(Duration::from_millis(300)).await;
    story.sees_typing("general").await;
    call.ends().await;
    story.sees("general", "And more.").await;
    story.typing_has_ended("general");
}

#[tokio::test]
async fn a_shutdown_lets_an_answer_finish() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa go on").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa go on").await;
    call.says("One.\nTw").await;
    story.sees("general", "One.").await;
    let stopped = story.bot_is_asked_to_stop();
    call.says("o.").await;
    call.ends().await;
    story.sees("general", "Two.").await;
    stopped.await;
}

#[tokio::test]
async fn an_answer_that_a_shutdown_cuts_is_marked_and_goes_on_after_the_start() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa go on for ever").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa go on for ever").await;
    call.says("One.\nTw").await;
    story.sees("general", "One.").await;
    let stopped = story.bot_is_asked_to_stop();
    story.clock.skip(GRACE).await;
    let mark = "*(I'm being restarted and will go on in a moment)*";
    story.sees("general", mark).await;
    stopped.await;
    call.is_cancelled().await;

    story.bot_starts().await;
    let mut call = story.model.is_told("Continue your answer exactly").await;
    let said = call.told()[1].clone();
    assert_eq!(said.trim(), "One.", "the mark is no part of the answer");
    call.says("Two.").await;
    call.ends().await;
    story.sees("general", "Two.").await;
    assert_eq!(
        story.transcript("general"),
        format!("Ada: @Kaiwa go on for ever\nKaiwa: One.\nKaiwa: {mark}\nKaiwa: Two.\n")
    );
}

#[tokio::test]
async fn a_question_left_unanswered_is_answered_after_the_restart() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa wait for it").await;
    let first = story.model.is_asked("Ada: @Kaiwa wait for it").await;
    story.bot_stops().await;
    first.stays_silent();

    story.bot_starts().await;
    let mut second = story.model.is_asked("Ada: @Kaiwa wait for it").await;
    second.says("Here it is.").await;
    second.ends().await;
    story.sees("general", "Here it is.").await;
}

#[tokio::test]
async fn a_broken_gateway_is_resumed_without_loss_or_double() {
    let mut story = Story::begin().await;
    story.gateway_breaks();
    story.ada().says("general", "@Kaiwa still there?").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa still there?").await;
    call.says("Yes.").await;
    call.ends().await;
    story.sees("general", "Yes.").await;
    assert_eq!((story.identifies(), story.resumes()), (1, 1));
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa still there?\nKaiwa: Yes.\n"
    );
}

#[tokio::test]
async fn a_restart_resumes_and_answers_what_came_meanwhile() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa one").await;
    call.says("1").await;
    call.ends().await;
    story.sees("general", "1").await;

    story.bot_stops().await;
    story.ada().says("general", "@Kaiwa two").await;
    story.bot_starts().await;
    let mut call = story.model.is_asked("Ada: @Kaiwa two").await;
    call.says("2").await;
    call.ends().await;
    story.sees("general", "2").await;
    assert_eq!((story.identifies(), story.resumes()), (1, 1));
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa one\nKaiwa: 1\nAda: @Kaiwa two\nKaiwa: 2\n"
    );
}

#[tokio::test]
async fn a_post_whose_answer_is_lost_appears_once() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa hello").await;
    story.answer_to_next_post_is_lost();
    call.says("Hello!\n").await.says("Again.").await;
    call.ends().await;
    story.sees("general", "Hello!").await;
    story.clock.skip_any(1_001..=1_126).await;
    story.sees("general", "Again.").await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa hello\nKaiwa: Hello!\nKaiwa: Again.\n"
    );
}
