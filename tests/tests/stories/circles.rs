//! An answer that went in circles does not draw the next one after it.

use kaiwa_domain::Notice;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

#[tokio::test]
async fn an_answer_in_circles_is_shown_to_the_model_with_one_round() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa how is the tea?").await;
    let mut answer = story.model.is_told("how is the tea?").await;
    answer.says("Good.\nI really like it. ").await;
    story.sees("general", "Good.").await;
    answer.says(&"I really like it. ".repeat(120)).await;
    answer.is_cancelled().await;
    loop {
        let said = story
            .sees_something("general", "that it goes in circles")
            .await;
        if said.text.contains(Notice::AnswerLooped.text()) {
            break;
        }
    }
    story.bot_is_done().await;
    let asks = |text: &'static str| format!("@Kaiwa {text}");
    story.ada().says("general", &asks("and the cake?")).await;
    let call = story.model.is_told("and the cake?").await;
    let told = call.request().to_string();
    assert_eq!(told.matches("I really like it").count(), 1, "{told}");
    call.answers("Dry.").await;
    story.sees("general", "Dry.").await;
    story.bot_is_done().await;

    story.operator_sets(SettingKey::ShortenCircles, "off");
    story.ada().says("general", &asks("and the cups?")).await;
    let call = story.model.is_told("and the cups?").await;
    let told = call.request().to_string();
    assert!(told.matches("I really like it").count() > 40, "{told}");
    call.answers("Blue.").await;
    story.sees("general", "Blue.").await;
}
