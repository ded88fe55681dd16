//! Keys, filters and budgets, as a person meets them.

use kaiwa_domain::Notice;
use kaiwa_e2e::model::ModelRequest;
use kaiwa_e2e::story::Story;

#[tokio::test]
async fn a_key_that_is_refused_gives_way_to_the_next() {
    let mut story = Story::without_bot().await;
    story.gets_keys(&["bad", "good"]);
    story.bot_starts().await;
    for (question, keys) in [("one", &["bad", "good"][..]), ("two", &["good"])] {
        let question = format!("@Kaiwa {question}");
        story.ada().says("general", &question).await;
        for &key in keys {
            let call = story.model.is_asked(&format!("Ada: {question}")).await;
            assert_eq!(call.key(), Some(key));
            match key {
                "bad" => call.fails(401),
                _ => call.answers("Here.").await,
            }
        }
        story.sees("general", "Here.").await;
    }
}

/// A story in which a vendor's filter refused Ada's question, and another model
/// was asked.
async fn filtered() -> (Story, ModelRequest) {
    let mut story = Story::without_bot().await;
    story.gets_uncensored().await;
    story.bot_starts().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.fails_saying(400, "Content Exists Risk");
    let call = story.uncensored().is_asked("Ada: @Kaiwa hello").await;
    (story, call)
}

#[tokio::test]
async fn what_a_filter_refuses_goes_to_a_model_that_is_less_easily_shocked() {
    let (mut story, call) = filtered().await;
    call.answers("Hello!").await;
    story.sees("general", "Hello!").await;
}

#[tokio::test]
async fn what_every_filter_refuses_is_declined_in_character() {
    let (mut story, call) = filtered().await;
    call.fails_saying(400, "Content Exists Risk");
    let call = story.model.is_told("Decline in one short sentence").await;
    assert!(!call.told().join(" ").contains("hello"));
    call.answers("Not over this counter.").await;
    story.sees("general", "Not over this counter.").await;
}

#[tokio::test]
async fn who_has_spent_their_share_is_told_and_others_are_answered() {
    let mut story = Story::without_bot().await;
    story.gets_budget(20_000);
    story.bot_starts().await;
    story.ada().says("general", "@Kaiwa more").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa more").await;
    call.spends(15_000, 4_000).await;
    call.answers("There.").await;
    story.sees("general", "There.").await;
    story.bot_stops().await;
    story.bot_starts().await;

    story.ada().says("general", "@Kaiwa still more").await;
    story.sees("general", Notice::OverBudget.text()).await;
    story.ben().says("general", "@Kaiwa and me?").await;
    let call = story.model.is_asked("Ben: @Kaiwa and me?").await;
    call.answers("Of course.").await;
    story.sees("general", "Of course.").await;
}

#[tokio::test]
async fn a_question_that_alone_is_too_large_is_told_so() {
    let mut story = Story::without_bot().await;
    story.gets_budget(300);
    story.bot_starts().await;
    story.ada().says("general", "@Kaiwa hello").await;
    story.sees("general", Notice::QuestionTooLarge.text()).await;
}
