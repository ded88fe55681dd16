//! "Stop" means stop: nothing more is said, and the model is let go. And who
//! says more before they are answered gets one answer to everything.

use kaiwa_e2e::story::Story;
use kaiwa_pipeline::deliver::Degree;

#[tokio::test]
async fn the_asker_stops_an_answer_in_the_middle() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa tell me a story").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tell me a story").await;
    answer.says("Once upon a time\nthere was a kettle").await;
    story.sees("general", "Once upon a time").await;

    story.ada().says("general", "stop, I get it").await;
    answer.is_cancelled().await;
    story.bot_stops().await;
    let transcript = story.transcript("general");
    assert_eq!(
        transcript,
        "Ada: @Kaiwa tell me a story\nKaiwa: Once upon a time\nAda: stop, I get it\n"
    );
}

#[tokio::test]
async fn text_that_is_held_is_not_said_after_a_stop() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa go on").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa go on").await;
    // The open bracket holds the second line back.
    answer.says("First.\nSecond (and\n").await;
    story.sees("general", "First.").await;

    story.ada().says("general", "Stop!").await;
    answer.is_cancelled().await;
    story.bot_stops().await;
    assert!(!story.transcript("general").contains("Second"));
}

#[tokio::test]
async fn messages_that_wait_their_turn_are_not_said_after_a_stop() {
    let mut story = Story::begin_at(Degree::Typed).await;
    story.ada().says("general", "@Kaiwa go on").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa go on").await;
    answer.says("First.\nSecond.\nThird.\n").await;
    story.sees("general", "First.").await;

    story.ada().says("general", "enough").await;
    answer.is_cancelled().await;
    story.bot_stops().await;
    assert!(!story.transcript("general").contains("Second"));
}

#[tokio::test]
async fn only_the_asker_stops_an_answer_and_only_here() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    story.ben().says("general", "stop").await;
    story.ada().says("random", "stop").await;
    story.ada().says("general", "the bus stop is here").await;
    answer.says("Hello!").await;
    answer.ends().await;
    story.sees("general", "Hello!").await;
}

#[tokio::test]
async fn a_question_that_waits_is_stopped_too_and_the_next_is_answered() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa one").await;
    answer.says("One\nand").await;
    story.sees("general", "One").await;
    story.ada().says("general", "@Kaiwa two").await;
    story.ada().says("general", "@Kaiwa stop").await;
    answer.is_cancelled().await;

    story.ada().says("general", "@Kaiwa three").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa three").await;
    answer.says("Three.").await;
    answer.ends().await;
    story.sees("general", "Three.").await;
}

#[tokio::test]
async fn with_nothing_to_stop_it_is_a_message_like_any_other() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa stop").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa stop").await;
    answer.says("Stop what?").await;
    answer.ends().await;
    story.sees("general", "Stop what?").await;
}

#[tokio::test]
async fn who_says_more_gets_one_answer_to_everything() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa what is tea?").await;
    let first = story.model.is_asked("Ada: @Kaiwa what is tea?").await;
    story.ada().says("general", "@Kaiwa the green one").await;
    first.is_cancelled().await;

    let mut answer = story.model.is_asked("Ada: @Kaiwa the green one").await;
    assert_eq!(answer.told()[0], "Ada: @Kaiwa what is tea?");
    answer.says("A leaf in hot water.").await;
    answer.ends().await;
    story.sees("general", "A leaf in hot water.").await;
}

#[tokio::test]
async fn an_answer_that_has_begun_is_finished_before_the_next() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa what is tea?").await;
    let mut first = story.model.is_asked("Ada: @Kaiwa what is tea?").await;
    first.says("A leaf.\nIn hot").await;
    story.sees("general", "A leaf.").await;
    story.ben().says("general", "@Kaiwa and coffee?").await;
    first.says(" water.").await;
    first.ends().await;
    story.sees("general", "In hot water.").await;

    let mut second = story.model.is_asked("Ben: @Kaiwa and coffee?").await;
    second.says("A bean.").await;
    second.ends().await;
    story.sees("general", "A bean.").await;
}
