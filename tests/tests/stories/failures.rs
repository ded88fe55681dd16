//! What a person sees when the model fails, one failure after the other.

use std::ops::RangeInclusive;
use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use kaiwa_domain::Notice;
use kaiwa_e2e::model::{GatedModel, ModelRequest};
use kaiwa_e2e::story::{FIRST_TOKEN, IDLE, Story};
use kaiwa_provider::FIRST_WORD_WITHIN;

/// How long after a message the bot is seen typing again.
const TYPES_AGAIN: Duration = Duration::from_millis(300);

/// Skips a sleep that began before the bot was seen typing again, or after.
async fn skip_rest_of(story: &Story, sleep: Duration) {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let rest = millis(sleep - TYPES_AGAIN)..=millis(sleep);
    story.clock.skip_any(rest).await;
}

/// How long a whole turn may take.
const WALL: Duration = Duration::from_secs(15 * 60);

/// The pauses before a model that fails is asked again, in milliseconds.
const PAUSES: RangeInclusive<u64> = 250..=2000;

/// How often a model that fails is asked again.
const RETRIES: usize = 2;

/// Ada asks, the model is asked.
async fn asked() -> (Story, ModelRequest) {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    (story, call)
}

/// Ada asks a bot that has another model to fall back on.
async fn asked_with_fallback() -> Story {
    let mut story = Story::without_bot().await;
    story.gets_fallback().await;
    story.bot_starts().await;
    story.ada().says("general", "@Kaiwa hello").await;
    story
}

/// The other model answers, and nobody notices.
async fn falls_back(story: &mut Story) {
    let call = story.fallback().is_asked("Ada: @Kaiwa hello").await;
    call.answers("Hello!").await;
    story.sees("general", "Hello!").await;
    story.typing_has_ended("general");
    story.bot_stops().await;
    let expected = "Ada: @Kaiwa hello\nKaiwa: Hello!\n";
    assert_eq!(story.transcript("general"), expected);
}

/// The model is asked as often as it is worth it, and fails each time.
async fn fails_every_time(story: &mut Story, fail: impl Fn(ModelRequest)) {
    for attempt in 0..=RETRIES {
        fail(story.model.is_asked("Ada: @Kaiwa hello").await);
        if attempt < RETRIES {
            story.clock.skip_any(PAUSES).await;
        }
    }
}

async fn is_explained(story: &mut Story, notice: Notice) {
    story.sees("general", notice.text()).await;
    story.typing_has_ended("general");
}

/// A 429 that names a time.
fn is_busy(call: ModelRequest, wait: &'static str) {
    call.replies((
        StatusCode::TOO_MANY_REQUESTS,
        [(RETRY_AFTER, wait)],
        r#"{"error": {"message": "slow down"}}"#,
    ));
}

/// Messages are as old as Discord's clock says, not as this machine's does.
#[tokio::test]
async fn a_bot_whose_clock_is_fast_answers_all_the_same() {
    let mut story = Story::begin_ahead(Duration::from_secs(11 * 60)).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.answers("Hello Ada!").await;
    story.sees("general", "Hello Ada!").await;
}

#[tokio::test]
async fn f1_a_busy_model_is_waited_for_if_that_is_short() {
    let (mut story, call) = asked().await;
    is_busy(call, "7");
    story.clock.skip(Duration::from_secs(7)).await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.answers("Hello!").await;
    story.sees("general", "Hello!").await;
}

#[tokio::test]
async fn f1_a_busy_model_is_passed_over() {
    for wait in [None, Some("60")] {
        let mut story = asked_with_fallback().await;
        let call = story.model.is_asked("Ada: @Kaiwa hello").await;
        match wait {
            Some(wait) => is_busy(call, wait),
            None => call.fails(429),
        }
        falls_back(&mut story).await;
    }
}

#[tokio::test]
async fn f1_a_busy_model_is_explained() {
    let (mut story, call) = asked().await;
    is_busy(call, "60");
    is_explained(&mut story, Notice::ModelBusy).await;
}

#[tokio::test]
async fn f2_a_broken_server_is_tried_again() {
    let (mut story, call) = asked().await;
    call.fails(503);
    story.clock.skip_any(PAUSES).await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.answers("Hello!").await;
    story.sees("general", "Hello!").await;
}

#[tokio::test]
async fn f2_a_broken_server_is_passed_over() {
    let mut story = asked_with_fallback().await;
    fails_every_time(&mut story, |call| call.fails(500)).await;
    falls_back(&mut story).await;
}

#[tokio::test]
async fn f2_a_broken_server_is_explained() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    fails_every_time(&mut story, |call| call.fails(500)).await;
    is_explained(&mut story, Notice::ModelUnreachable).await;
}

#[tokio::test]
async fn f2_a_server_that_is_not_there_is_explained() {
    let mut story = Story::without_bot().await;
    story.model = GatedModel::nowhere();
    story.bot_starts().await;
    story.ada().says("general", "@Kaiwa hello").await;
    for _ in 0..RETRIES {
        story.clock.skip_any(PAUSES).await;
    }
    is_explained(&mut story, Notice::ModelUnreachable).await;
}

#[tokio::test]
async fn f3_a_refused_key_is_passed_over() {
    for status in [401, 402, 403] {
        let mut story = asked_with_fallback().await;
        let call = story.model.is_asked("Ada: @Kaiwa hello").await;
        call.fails(status);
        falls_back(&mut story).await;
    }
}

#[tokio::test]
async fn f3_a_refused_key_is_explained_without_details() {
    for status in [401, 402, 403] {
        let (mut story, call) = asked().await;
        call.fails_saying(status, "key sk-secret is bad");
        is_explained(&mut story, Notice::ModelMisconfigured).await;
    }
}

#[tokio::test]
async fn f4_a_conversation_that_is_too_long_is_shortened_once() {
    let long = "This model's maximum context length is 8192 tokens";
    let mut story = Story::begin().await;
    for n in 1..=4 {
        story.ben().says("general", &format!("{n}")).await;
    }
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    assert_eq!(call.told().len(), 5);
    call.fails_saying(400, long);
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    assert!(call.told().len() < 5, "{:?}", call.told());
    call.answers("Hello!").await;
    story.sees("general", "Hello!").await;

    story.ada().says("general", "@Kaiwa again").await;
    for _ in 0..2 {
        let call = story.model.is_asked("Ada: @Kaiwa again").await;
        call.fails_saying(400, long);
    }
    is_explained(&mut story, Notice::ModelMisconfigured).await;
}

#[tokio::test]
async fn f5_a_model_that_says_nothing_is_passed_over() {
    let mut story = asked_with_fallback().await;
    let mut call = story.model.is_asked("Ada: @Kaiwa hello").await;
    // A sign of life is no progress.
    call.sends(": still here\n\n").await;
    story.clock.skip(FIRST_TOKEN).await;
    call.is_cancelled().await;
    falls_back(&mut story).await;
}

#[tokio::test]
async fn f5_a_model_that_says_nothing_is_given_up() {
    let (mut story, call) = asked().await;
    story.clock.skip(FIRST_TOKEN).await;
    call.stays_silent();
    let pause = story.clock.skip_any(PAUSES).await;
    // Once more, for what is left of what people bear.
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    let left = (FIRST_WORD_WITHIN - FIRST_TOKEN - pause).as_millis() as u64;
    story.clock.skip_any(left - 900..=left).await;
    call.stays_silent();
    story.clock.skip_any(PAUSES).await;
    is_explained(&mut story, Notice::ModelSilent).await;
}

#[tokio::test]
async fn f5_whoever_asks_behind_a_silent_model_is_not_held_for_long() {
    let (mut story, call) = asked().await;
    story.ben().says("general", "@Kaiwa and me?").await;
    story.clock.skip(FIRST_TOKEN).await;
    call.stays_silent();
    let pause = story.clock.skip_any(PAUSES).await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    let left = (FIRST_WORD_WITHIN - FIRST_TOKEN - pause).as_millis() as u64;
    story.clock.skip_any(left - 900..=left).await;
    call.stays_silent();
    story.clock.skip_any(PAUSES).await;
    is_explained(&mut story, Notice::ModelSilent).await;
    let call = story.model.is_asked("Ben: @Kaiwa and me?").await;
    call.answers("Of course.").await;
    story.sees("general", "Of course.").await;
}

#[tokio::test]
async fn f2_a_server_that_is_back_answers_its_first_question() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    fails_every_time(&mut story, |call| call.fails(500)).await;
    is_explained(&mut story, Notice::ModelUnreachable).await;
    story.ada().says("general", "@Kaiwa hello").await;
    for _ in 0..2 {
        let call = story.model.is_asked("Ada: @Kaiwa hello").await;
        call.fails(500);
        story.clock.skip_any(PAUSES).await;
    }
    is_explained(&mut story, Notice::ModelUnreachable).await;
    story.ada().says("general", "@Kaiwa back?").await;
    let call = story.model.is_asked("Ada: @Kaiwa back?").await;
    call.answers("Back.").await;
    story.sees("general", "Back.").await;
}

#[tokio::test]
async fn f5_a_model_that_stalls_is_asked_to_go_on() {
    let (mut story, mut call) = asked().await;
    story.sees_typing("general").await;
    call.says("So far\nso ").await;
    story.sees("general", "So far").await;
    call.says("good").await;
    story.clock.skip(TYPES_AGAIN).await;
    story.sees_typing("general").await;
    skip_rest_of(&story, IDLE).await;
    let rest = story.model.is_told("Continue your answer").await;
    call.is_cancelled().await;
    rest.answers(", so far.").await;
    story.sees("general", "so good, so far.").await;
    story.typing_has_ended("general");
}

#[tokio::test]
async fn f5_a_turn_ends_however_slowly_the_model_talks() {
    let (mut story, mut call) = asked().await;
    story.sees_typing("general").await;
    call.says("One.\nTw").await;
    story.sees("general", "One.").await;
    call.says("o").await;
    // It types again a moment after it knows that its post is up.
    story.clock.skip(TYPES_AGAIN).await;
    story.sees_typing("general").await;
    skip_rest_of(&story, WALL).await;
    story.sees("general", "Two").await;
    is_explained(&mut story, Notice::AnswerCut).await;
    call.is_cancelled().await;
}

#[tokio::test]
async fn f6_an_answer_that_breaks_off_unseen_begins_anew() {
    let (mut story, mut call) = asked().await;
    call.says("Once upon").await;
    call.hangs_up();
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.answers("Twice upon a time.").await;
    story.sees("general", "Twice upon a time.").await;
}

#[tokio::test]
async fn f6_an_answer_that_breaks_off_before_eyes_is_continued() {
    let (mut story, mut call) = asked().await;
    call.says("One cup.\nTwo cups of gre").await;
    story.sees("general", "One cup.").await;
    call.hangs_up();
    let rest = story
        .model
        .is_told("exactly after: \"One cup.\\nTwo cups of gre\"")
        .await;
    assert_eq!(rest.told()[1], "One cup.\nTwo cups of gre");
    rest.answers("Two cups of green tea.").await;
    story.sees("general", "Two cups of green tea.").await;
    story.bot_stops().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa hello\nKaiwa: One cup.\nKaiwa: Two cups of green tea.\n"
    );
}

#[tokio::test]
async fn f6_an_answer_that_breaks_off_again_is_marked() {
    let (mut story, mut call) = asked().await;
    call.says("```\none\n```\nTwo ").await;
    story.sees("general", "```\none\n```").await;
    call.hangs_up();
    let mut rest = story.model.is_told("Continue your answer").await;
    rest.says("cups").await;
    rest.hangs_up();
    story.sees("general", "Two cups").await;
    is_explained(&mut story, Notice::AnswerCut).await;
}

#[tokio::test]
async fn f6_an_answer_never_restarts_from_the_top() {
    let (mut story, mut call) = asked().await;
    call.says("There are two kinds of tea.\nGreen and").await;
    story.sees("general", "There are two kinds of tea.").await;
    call.hangs_up();
    let rest = story.model.is_told("Continue your answer").await;
    rest.answers("There are two kinds of tea.\nGreen and black.")
        .await;
    story.sees("general", "Green and black.").await;
}

#[tokio::test]
async fn f7_garbage_is_survived() {
    let (mut story, mut call) = asked().await;
    call.sends("data: {\"half\": \n\nevent: unknown\ndata: {}\n\n\u{1}\u{2}\n\n")
        .await;
    call.says("Still ").await.says("here.").await;
    let end = r#"data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}"#;
    // No [DONE], and the line is closed.
    call.sends(&format!("{end}\n\n")).await;
    call.hangs_up();
    story.sees("general", "Still here.").await;
    story.bot_stops().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa hello\nKaiwa: Still here.\n"
    );
}

#[tokio::test]
async fn f7_a_page_instead_of_an_answer_is_explained() {
    let page = ([(CONTENT_TYPE, "text/html")], "<html>Please log in</html>");
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    fails_every_time(&mut story, |call| call.replies(page.clone())).await;
    is_explained(&mut story, Notice::ModelMisconfigured).await;
}

#[tokio::test]
async fn f8_an_empty_answer_is_asked_for_once_more() {
    let (mut story, call) = asked().await;
    call.ends().await;
    let call = story.model.is_told("Your answer was empty").await;
    call.answers("Hello!").await;
    story.sees("general", "Hello!").await;

    story.ada().says("general", "@Kaiwa well?").await;
    story.model.is_asked("Ada: @Kaiwa well?").await.ends().await;
    let call = story.model.is_told("Your answer was empty").await;
    call.answers(" \n").await;
    is_explained(&mut story, Notice::ModelEmpty).await;
}

#[tokio::test]
async fn f8_an_answer_of_which_nothing_can_be_shown_is_no_silence() {
    let (mut story, call) = asked().await;
    call.answers("Kaiwa:").await;
    is_explained(&mut story, Notice::ModelEmpty).await;
}

#[tokio::test]
async fn f8_a_model_that_only_wants_what_is_not_there_is_explained() {
    let (mut story, call) = asked().await;
    call.waits_for(&[("brew", "{}")]).await;
    let call = story.model.is_told("no tool called").await;
    call.waits_for(&[("brew", "{}")]).await;
    let call = story.model.is_told("no more tools").await;
    call.ends().await;
    let call = story.model.is_told("Your answer was empty").await;
    call.ends().await;
    is_explained(&mut story, Notice::ModelEmpty).await;
}

#[tokio::test]
async fn f8_an_answer_that_goes_in_circles_is_cut() {
    let (mut story, mut call) = asked().await;
    call.says("Well.\nIt ").await;
    story.sees("general", "Well.").await;
    for _ in 0..300 {
        call.says("goes on and ").await;
    }
    let circle = story.sees_something("general", "the circle").await;
    assert!(circle.text.starts_with("It goes on and goes"), "{circle:?}");
    is_explained(&mut story, Notice::AnswerLooped).await;
    call.is_cancelled().await;
}

#[tokio::test]
async fn f9_an_endless_answer_ends_in_a_file() {
    let (mut story, mut call) = asked().await;
    for n in 0..70 {
        call.says(&format!("Line {n}.\n")).await;
    }
    for n in 0..64 {
        story.sees("general", &format!("Line {n}.")).await;
    }
    call.says("The end.").await;
    call.ends().await;
    let last = story.sees("general", Notice::AnswerAttached.text()).await;
    let (name, url) = last.file.expect("a file");
    assert_eq!(name, "answer.md");
    let rest: String = (64..70).map(|n| format!("Line {n}.\n")).collect();
    assert_eq!(story.reads(&url).await, rest + "The end.\n");
}

#[tokio::test]
async fn f9_an_endless_line_is_shortened() {
    let (mut story, mut call) = asked().await;
    let mut said = 0;
    for n in 0..4000 {
        call.says(&format!("{n} and ")).await;
    }
    loop {
        let message = story.sees_something("general", "more").await;
        if message.text == Notice::AnswerShortened.text() {
            break;
        }
        said += message.text.len();
    }
    assert!((30_000..=32 * 1024).contains(&said), "{said}");
    call.is_cancelled().await;
}

#[tokio::test]
async fn what_a_vendor_censors_is_declined_in_character() {
    let (mut story, call) = asked().await;
    call.fails_saying(400, "Content Exists Risk");
    let call = story.model.is_told("Decline in one short sentence").await;
    assert_eq!(call.told().len(), 1, "the question is not repeated");
    assert!(call.system().starts_with("You are kind."));
    call.answers("I'd rather pour you some tea.").await;
    story.sees("general", "I'd rather pour you some tea.").await;

    story.ada().says("general", "@Kaiwa again").await;
    let call = story.model.is_asked("Ada: @Kaiwa again").await;
    call.fails_saying(400, "Content Exists Risk");
    let call = story.model.is_told("Decline in one short sentence").await;
    call.fails(404);
    is_explained(&mut story, Notice::ModelRefused).await;
}
