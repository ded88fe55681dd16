//! The buttons below answers, through the whole bot: to stop one that runs
//! long, to have another, to read the text of a table.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Notice, Persona};
use kaiwa_e2e::model::ModelRequest;
use kaiwa_e2e::soon;
use kaiwa_e2e::story::{GRACE, Screen, SentMessage, Story};
use serde_json::{Value, json};

/// When an answer runs long.
const LONG: Duration = Duration::from_secs(15);

/// How long the buttons of a whole answer last.
const LASTS: Duration = Duration::from_secs(15 * 60);

/// The labels below a message.
fn labels(message: &Value) -> Vec<&str> {
    let rows = message["components"].as_array().into_iter().flatten();
    let buttons = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
    buttons.filter_map(|it| it["label"].as_str()).collect()
}

/// Waits until there are these buttons below a message, whose words stayed.
async fn dressed(screen: &mut Screen, message: &SentMessage, wanted: &[&str]) -> Value {
    let (id, text) = (message.id.clone(), message.text.clone());
    let fits = |it: &Value| it["id"] == *id && labels(it) == wanted;
    let seen = screen.sees("MESSAGE_UPDATE", fits).await;
    assert_eq!(seen["content"], text);
    seen
}

/// What somebody alone is told for their click.
async fn told(screen: &mut Screen) -> Value {
    let fits = |it: &Value| {
        let flags = it["flags"].as_u64().unwrap_or(0);
        flags & 64 != 0 && flags & 128 == 0
    };
    screen.sees("MESSAGE_UPDATE", fits).await
}

/// The model says a line, begins the next with "…" and thinks.
async fn line(story: &mut Story, answer: &mut ModelRequest, text: &str) -> SentMessage {
    answer.says(&format!("{text}\n… ")).await;
    let said = story.sees_something("general", text).await;
    assert_eq!(said.text.trim_start_matches("… "), text);
    said
}

/// Ada asks, and reads the first line of an answer that runs long.
async fn runs_long(story: &mut Story, screen: &mut Screen) -> (ModelRequest, SentMessage, Value) {
    story.ada().says("general", "@Kaiwa tell me").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tell me").await;
    let first = line(story, &mut answer, "Once.").await;
    story.clock.skip(LONG).await;
    let below = dressed(screen, &first, &["Stop"]).await;
    (answer, first, below)
}

#[tokio::test]
async fn an_answer_that_runs_long_has_a_button_until_it_ends() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    let (mut answer, first, _) = runs_long(&mut story, &mut screen).await;
    // It follows the answer.
    let second = line(&mut story, &mut answer, "Upon a time.").await;
    story.clock.skip(LONG).await;
    dressed(&mut screen, &second, &["Stop"]).await;
    dressed(&mut screen, &first, &[]).await;
    answer.answers("The end.").await;
    dressed(&mut screen, &second, &[]).await;
    story.bot_is_done().await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa tell me\nKaiwa: Once.\nKaiwa: … Upon a time.\nKaiwa: … The end.\n"
    );
    for message in [first, second] {
        assert!(labels(&story.message(&message).await).is_empty());
    }
}

#[tokio::test]
async fn a_short_answer_has_none() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hello").await;
    let answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.answers("Hi.\nHello.\nHi there.").await;
    story.sees("general", "Hi.").await;
    story.bot_is_done().await;
    assert_eq!(
        story.requests("PATCH /channels/{channel}/messages/{message}"),
        0
    );
}

#[tokio::test]
async fn who_asked_stops_an_answer_with_it_and_others_do_not() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    let (answer, first, below) = runs_long(&mut story, &mut screen).await;
    let mut bens = story.screen_of("Ben").await;
    story.ben().presses(&below, "Stop").await;
    let read = told(&mut bens).await;
    assert_eq!(
        read["content"],
        "Only the person who asked can decide that."
    );

    story.ada().presses(&below, "Stop").await;
    answer.is_cancelled().await;
    let read = told(&mut screen).await;
    assert_eq!(read["content"], "Stopped.");
    story.bot_is_done().await;
    assert!(labels(&story.message(&first).await).is_empty());
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa tell me\nKaiwa: Once.\n"
    );
}

/// Ada owns the guild.
#[tokio::test]
async fn moderators_stop_an_answer_with_it() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story.ben().says("general", "@Kaiwa tell me").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa tell me").await;
    let first = line(&mut story, &mut answer, "Once.").await;
    story.clock.skip(LONG).await;
    let below = dressed(&mut screen, &first, &["Stop"]).await;
    story.ada().presses(&below, "Stop").await;
    answer.is_cancelled().await;
    let read = told(&mut screen).await;
    assert_eq!(read["content"], "Stopped.");
}

#[tokio::test]
async fn so_many_messages_are_long_too_and_both_can_be_off() {
    let settings = [
        (SettingKey::StopAfter, "off"),
        (SettingKey::StopMessages, "2"),
    ];
    let mut story = Story::begin_with(&settings).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa tell me").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tell me").await;
    line(&mut story, &mut answer, "One.").await;
    let second = line(&mut story, &mut answer, "Two.").await;
    dressed(&mut screen, &second, &["Stop"]).await;
    answer.answers("Three.").await;
    dressed(&mut screen, &second, &[]).await;
    story.sees("general", "… Three.").await;

    story
        .sets("Tea House", SettingKey::StopMessages, "off")
        .await;
    story.ada().says("general", "@Kaiwa more").await;
    let answer = story.model.is_asked("Ada: @Kaiwa more").await;
    let before = story.requests("PATCH /channels/{channel}/messages/{message}");
    answer.answers("Three.\nFour.\nFive.\nSix.").await;
    story.sees("general", "Three.").await;
    story.bot_is_done().await;
    let after = story.requests("PATCH /channels/{channel}/messages/{message}");
    assert_eq!(before, after);
}

/// A message that is edited as it grows keeps its button while it does.
#[tokio::test]
async fn an_answer_that_grows_is_stopped_with_it() {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa tell me").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tell me").await;
    answer.says("One ").await;
    let message = story.sees("general", "One").await;
    story.clock.skip(LONG).await;
    dressed(&mut screen, &message, &["Stop"]).await;
    answer.says("two ").await;
    story.clock.skip(Duration::from_secs(1)).await;
    let edited = story.sees_edit(&message, "One two").await;
    assert_eq!(labels(&edited), ["Stop"]);
    story.ada().presses(&edited, "Stop").await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    let end = story.message(&message).await;
    let mark = Notice::StoppedHere.text();
    assert_eq!(end["content"], format!("One two\n{mark}"));
    assert!(labels(&end).is_empty());
}

/// What a persona says by a webhook is changed by the webhook.
#[tokio::test]
async fn the_words_of_a_persona_have_buttons_too() {
    let mut story = Story::begin_with(&[(SettingKey::RegenerateButton, "on")]).await;
    let mina = Persona {
        name: "Mina".to_owned(),
        personality: "She keeps the tea house.".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "Mina, tell me").await;
    let mut answer = story.model.is_told("tell me").await;
    let first = line(&mut story, &mut answer, "Once.").await;
    story.clock.skip(LONG).await;
    dressed(&mut screen, &first, &["Stop"]).await;
    answer.answers("The end.").await;
    let end = story.sees("general", "… The end.").await;
    let whole = dressed(&mut screen, &end, &["Regenerate"]).await;
    story.bot_is_done().await;
    story.ada().presses(&whole, "Regenerate").await;
    let again = story.model.is_told("tell me").await;
    assert!(
        again
            .request()
            .to_string()
            .contains("She keeps the tea house.")
    );
    again.answers("Twice.").await;
    let second = story.sees("general", "Twice.").await;
    dressed(&mut screen, &second, &["Regenerate"]).await;
    story.bot_is_done().await;
    let seen = story.transcript("general");
    assert!(
        seen.ends_with("Mina: Once.\nMina: … The end.\nMina: Twice.\n"),
        "{seen}"
    );
    assert!(labels(&story.message(&first).await).is_empty());
}

#[tokio::test]
async fn another_answer_is_a_click_away_after_a_restart_too_until_the_button_goes() {
    let mut story = Story::begin_with(&[(SettingKey::RegenerateButton, "on")]).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa hello").await;
    let answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.answers("Hi.\nHello.").await;
    story.sees("general", "Hi.").await;
    let last = story.sees("general", "Hello.").await;
    let below = dressed(&mut screen, &last, &["Regenerate"]).await;
    story.bot_is_done().await;
    story.bot_stops().await;
    story.bot_starts().await;

    let mut bens = story.screen_of("Ben").await;
    story.ben().presses(&below, "Regenerate").await;
    let read = told(&mut bens).await;
    assert_eq!(
        read["content"],
        "Only the person who asked can decide that."
    );
    story.ada().presses(&below, "Regenerate").await;
    let answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.answers("Good day.").await;
    let other = story.sees("general", "Good day.").await;
    dressed(&mut screen, &other, &["Regenerate"]).await;
    story.bot_is_done().await;

    // The clock takes them away, and the words stay.
    story.clock.passes(LASTS);
    dressed(&mut screen, &last, &[]).await;
    dressed(&mut screen, &other, &[]).await;
}

/// An old message takes only so many edits. Its buttons stay then, and say that
/// they are over; the words are not said again, and nobody tries for ever.
#[tokio::test]
async fn buttons_of_a_message_that_takes_no_more_edits_stay() {
    let settings = [
        (SettingKey::RegenerateButton, "on"),
        (SettingKey::ButtonsLast, "1m"),
    ];
    let mut story = Story::begin_with(&settings).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa hello").await;
    let answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.answers("Hello.").await;
    let last = story.sees("general", "Hello.").await;
    let below = dressed(&mut screen, &last, &["Regenerate"]).await;
    story.bot_is_done().await;
    let edits = |story: &Story| story.requests("PATCH /channels/{channel}/messages/{message}");
    assert_eq!(edits(&story), 1);

    let body = json!({"code": 30046, "message": "Maximum number of edits reached"});
    let (method, status) = (Method::PATCH, StatusCode::BAD_REQUEST);
    let faults = story.faults();
    faults.fail_next(method, "/channels/", status, body, 9);
    story.clock.passes(Duration::from_secs(60));
    soon("the button to be tried", async {
        while edits(&story) < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    story.controls_are_done().await;
    story.bot_stops().await;
    story.bot_starts().await;
    story.ada().presses(&below, "Regenerate").await;
    let read = told(&mut screen).await;
    assert_eq!(read["content"], "This button no longer works.");
    assert_eq!(edits(&story), 2);
    let seen = story.transcript("general");
    assert_eq!(seen, "Ada: @Kaiwa hello\nKaiwa: Hello.\n");
}

/// The process that put the button there is gone; the next one takes it away
/// when it has finished the answer.
#[tokio::test]
async fn a_button_does_not_outlive_its_answer_over_a_restart() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    let (answer, first, below) = runs_long(&mut story, &mut screen).await;
    let leaving = story.bot_is_asked_to_stop();
    story.clock.skip(GRACE).await;
    leaving.await;
    answer.is_cancelled().await;
    story.sees("general", Notice::Restarting.text()).await;
    assert!(labels(&story.message(&first).await).is_empty());
    story.bot_starts().await;
    let mut answer = story.model.is_told("Once.").await;
    let next = line(&mut story, &mut answer, "Upon a time.").await;
    story.clock.skip(LONG).await;
    let again = dressed(&mut screen, &next, &["Stop"]).await;
    // The name of the answer is the same.
    let custom = |it: &Value| it["components"][0]["components"][0]["custom_id"].clone();
    assert_eq!(custom(&again), custom(&below));
    story.ada().presses(&again, "Stop").await;
    answer.is_cancelled().await;
    story.bot_is_done().await;
    assert!(labels(&story.message(&next).await).is_empty());
}

const TABLE: &str = "| tea | price |\n|---|---|\n| Assam | 3 |\n| Oolong | 5 |\n";

#[tokio::test]
async fn the_text_of_a_table_is_a_click_away() {
    let mut story = Story::begin_with(&[(SettingKey::RegenerateButton, "on")]).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa what is there?").await;
    let answer = story.model.is_asked("Ada: @Kaiwa what is there?").await;
    answer.answers(&format!("This:\n\n{TABLE}\nEnjoy.")).await;
    story.sees("general", "This:").await;
    let table = story.sees("general", "").await;
    let below = dressed(&mut screen, &table, &["Show source"]).await;
    let enjoy = story.sees("general", "Enjoy.").await;
    dressed(&mut screen, &enjoy, &["Regenerate"]).await;
    story.bot_is_done().await;
    let mut bens = story.screen_of("Ben").await;
    story.ben().presses(&below, "Show source").await;
    let read = told(&mut bens).await;
    assert_eq!(read["content"], format!("```md\n{}\n```", TABLE.trim_end()));
    // The picture stayed.
    let seen = story.message(&table).await;
    assert_eq!(seen["attachments"].as_array().map(Vec::len), Some(1));

    story
        .sets("Tea House", SettingKey::SourceButton, "off")
        .await;
    story.ada().says("general", "@Kaiwa once more").await;
    let answer = story.model.is_asked("Ada: @Kaiwa once more").await;
    answer.answers(TABLE).await;
    let table = story.sees("general", "").await;
    dressed(&mut screen, &table, &["Regenerate"]).await;
}

/// The picture and the button of a persona's table are its webhook's.
#[tokio::test]
async fn the_table_of_a_persona_tells_its_text_after_a_restart_until_the_button_goes() {
    let mut story = Story::begin().await;
    let yuki = Persona {
        name: "Yuki".into(),
        triggers: vec!["yuki".into()],
        ..Persona::default()
    };
    story.has_persona("Tea House", yuki).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "yuki, what is there?").await;
    let answer = story.model.is_told("what is there?").await;
    answer.answers(TABLE).await;
    let table = story.sees("general", "").await;
    let below = dressed(&mut screen, &table, &["Show source"]).await;
    assert!(below["webhook_id"].is_string(), "{below}");
    story.bot_is_done().await;
    story.bot_stops().await;
    story.bot_starts().await;

    let mut bens = story.screen_of("Ben").await;
    story.ben().presses(&below, "Show source").await;
    let read = told(&mut bens).await;
    assert_eq!(read["content"], format!("```md\n{}\n```", TABLE.trim_end()));

    story.clock.passes(LASTS);
    dressed(&mut screen, &table, &[]).await;
    let seen = story.message(&table).await;
    assert_eq!(seen["attachments"].as_array().map(Vec::len), Some(1));
}
