//! Images, as conversations through the whole bot.

use kaiwa_domain::Notice;
use kaiwa_e2e::story::Story;

/// The smallest PNG: one red pixel.
const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

const JPEG: &str = "data:image/jpeg;base64,";

async fn seeing() -> Story {
    let mut story = Story::without_bot().await;
    story.gets_vision().await;
    story.bot_starts().await;
    story
}

#[tokio::test]
async fn an_image_is_looked_at() {
    let mut story = seeing().await;
    let ada = story.ada();
    ada.shows("general", "@Kaiwa what is it?", "red.png", RED)
        .await;
    let call = story.vision().is_asked("Ada: @Kaiwa what is it?").await;
    let [image] = call.images()[..] else {
        panic!("not one image: {:?}", call.images());
    };
    assert!(image.starts_with(JPEG), "{image}");
    call.answers("A red dot.").await;
    story.sees("general", "A red dot.").await;
}

#[tokio::test]
async fn the_image_of_the_message_replied_to_is_looked_at() {
    let mut story = seeing().await;
    let photo = story.ben().shows("general", "my cat", "cat.png", RED).await;
    story.ada().replies(&photo, "@Kaiwa how old is it?").await;
    let asked = "Ada: [Replying to Ben: \"my cat\"] @Kaiwa how old is it?";
    let call = story.vision().is_asked(asked).await;
    assert_eq!(call.images().len(), 1);
    call.answers("Very.").await;
    story.sees("general", "Very.").await;
}

#[tokio::test]
async fn a_model_that_cannot_see_is_told_that_there_was_an_image() {
    let mut story = Story::begin().await;
    let ada = story.ada();
    ada.shows("general", "@Kaiwa what is it?", "red.png", RED)
        .await;
    let call = story.model.is_told("nobody here can look at images").await;
    assert!(call.images().is_empty());
    call.answers("I can't see it.").await;
    story.sees("general", "I can't see it.").await;
}

#[tokio::test]
async fn an_image_that_is_broken_is_told_of() {
    let mut story = seeing().await;
    let ada = story.ada();
    ada.shows("general", "@Kaiwa what is it?", "red.png", &RED[..40])
        .await;
    let call = story.model.is_told("it cannot be read").await;
    call.answers("It won't open.").await;
    story.sees("general", "It won't open.").await;
}

#[tokio::test]
async fn if_the_model_that_sees_fails_the_other_answers_and_is_told() {
    let mut story = seeing().await;
    let ada = story.ada();
    ada.shows("general", "@Kaiwa what is it?", "red.png", RED)
        .await;
    let call = story.vision().is_asked("Ada: @Kaiwa what is it?").await;
    call.fails_saying(400, "no");
    let call = story
        .model
        .is_told("nobody could look at it just now")
        .await;
    assert!(call.images().is_empty());
    call.answers("My eyes are closed.").await;
    let said = story.sees("general", "My eyes are closed.").await;
    assert!(Notice::ALL.iter().all(|notice| notice.text() != said.text));
}
