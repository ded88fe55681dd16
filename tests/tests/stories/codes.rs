//! What Discord refuses, code by code, through the whole bot.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Notice, Persona, Rights};
use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

/// What becomes of an answer of two lines.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Becomes {
    /// Nothing of it is said, and nothing is tried again.
    Silence,
    /// It is said at once, without the reply.
    SaidWithoutReply,
    /// It is said after a wait, in as few messages as possible.
    SaidAfter(Duration),
    /// It is said after the pause before another try.
    SaidAfterPause,
    /// People are told that it cannot be said.
    Blocked,
}

fn fails(story: &Story, method: Method, path: &str, status: u16, body: Value, times: u32) {
    let status = StatusCode::from_u16(status).unwrap();
    story.faults().fail_next(method, path, status, body, times);
}

/// Discord refuses the first post of an answer like this.
async fn check(status: u16, body: Value, becomes: Becomes) {
    let mut story = Story::begin().await;
    let question = story.ada().says("general", "@Kaiwa count").await;
    let call = story.model.is_asked("Ada: @Kaiwa count").await;
    fails(&story, Method::POST, "/messages", status, body.clone(), 1);
    call.answers("One.\nTwo.").await;
    let asked = "Ada: @Kaiwa count\n";
    match becomes {
        Becomes::Silence => {
            story.bot_is_done().await;
            assert_eq!(story.transcript("general"), asked, "{body}");
            return;
        }
        Becomes::Blocked => {
            story.sees("general", Notice::AnswerBlocked.text()).await;
            story.bot_is_done().await;
            let transcript = story.transcript("general");
            assert_eq!(transcript.matches("Kaiwa:").count(), 1, "{body}");
            return;
        }
        Becomes::SaidAfter(_) => drop(story.clock.skip_any(1_400..=1_600).await),
        Becomes::SaidAfterPause => drop(story.clock.skip_any(1_001..=1_126).await),
        Becomes::SaidWithoutReply => {}
    }
    let first = story.sees_something("general", "One.").await;
    let replies = (becomes != Becomes::SaidWithoutReply).then_some(question.id);
    assert_eq!(first.replies_to, replies, "{body}");
    story.bot_is_done().await;
    let said = story.transcript("general").replace("\nKaiwa: ", "\n");
    assert_eq!(said, "Ada: @Kaiwa count\nOne.\nTwo.\n", "{body}");
}

#[tokio::test]
async fn each_code_that_refuses_a_post_has_its_action() {
    use Becomes::{Blocked, SaidAfter, SaidAfterPause, SaidWithoutReply, Silence};
    let wait = SaidAfter(Duration::from_millis(1500));
    for (status, code, becomes) in [
        (404, 10003, Silence),
        (404, 10004, Silence),
        (404, 10008, Silence),
        (400, 20016, wait),
        (400, 20028, wait),
        (400, 20029, wait),
        (413, 40005, Blocked),
        (400, 40062, SaidAfterPause),
        (403, 50001, Silence),
        (403, 50007, Silence),
        (403, 50013, Silence),
        // Its words alone pass.
        (400, 50035, SaidWithoutReply),
        (400, 50083, Silence),
        (503, 130_000, SaidAfterPause),
        (502, 0, SaidAfterPause),
        (400, 160_002, SaidWithoutReply),
        (400, 160_005, Silence),
        (400, 200_000, Blocked),
        (400, 240_000, Blocked),
    ] {
        let mut body = json!({"code": code, "message": "no"});
        if let SaidAfter(wait) = becomes {
            body["retry_after"] = wait.as_secs_f64().into();
        }
        check(status, body, becomes).await;
    }
    let reference = json!({"code": 50035, "errors": {"message_reference": {"_errors": []}}});
    check(400, reference, SaidWithoutReply).await;
}

/// A body that is refused is tried once as words alone, and no more.
#[tokio::test]
async fn words_that_discord_does_not_take_either_are_given_up() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa count").await;
    let call = story.model.is_asked("Ada: @Kaiwa count").await;
    let body = json!({"code": 50035, "message": "Invalid Form Body"});
    fails(&story, Method::POST, "/messages", 400, body, 2);
    call.answers("One.\nTwo.").await;
    story.sees("general", Notice::AnswerBlocked.text()).await;
    story.bot_is_done().await;
    assert!(!story.transcript("general").contains("Two."));
}

/// A name or a picture that Discord does not take does not cost the words.
#[tokio::test]
async fn a_persona_whose_looks_are_refused_is_quoted() {
    let mut story = Story::begin().await;
    let mina = Persona {
        name: "Mina".to_owned(),
        personality: "She keeps the tea house.".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    story.ada().says("general", "Mina, hello").await;
    let call = story.model.is_told("Mina, hello").await;
    let body = json!({"code": 50035, "message": "Invalid Form Body"});
    fails(&story, Method::POST, "/webhooks/", 400, body, 1);
    call.answers("Hello.").await;
    let said = story.sees_something("general", "Hello.").await;
    assert!(said.text.ends_with("Hello."), "{}", said.text);
    story.bot_is_done().await;
    assert_eq!(story.transcript("general").matches("Hello.").count(), 1);
}

const TABLE: &str = "| tea | price |\n|---|---|\n| Assam | 3 |\n| Oolong | 5 |\n";

#[tokio::test]
async fn a_picture_that_is_too_large_becomes_text() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa what is there?").await;
    let call = story.model.is_asked("Ada: @Kaiwa what is there?").await;
    let body = json!({"code": 40005, "message": "Request entity too large"});
    fails(&story, Method::POST, "/messages", 413, body, 1);
    call.answers(TABLE).await;
    let said = story.sees_something("general", "a table").await;
    assert!(said.picture.is_none());
    assert!(said.text.contains("Oolong"), "{}", said.text);
}

/// The webhook is gone, or its token is: another speaks for the persona, and if
/// that is gone too, the bot itself.
#[tokio::test]
async fn a_dead_webhook_is_replaced_once() {
    for (status, code) in [(404, 10015), (401, 50027)] {
        for times in [1, 2] {
            let mut story = Story::begin().await;
            let mina = Persona {
                name: "Mina".to_owned(),
                personality: "She keeps the tea house.".to_owned(),
                ..Persona::default()
            };
            story.has_persona("Tea House", mina).await;
            story.ada().says("general", "Mina, hello").await;
            let call = story.model.is_told("Mina, hello").await;
            let body = json!({"code": code, "message": "no"});
            fails(&story, Method::POST, "/webhooks/", status, body, times);
            call.answers("Hello.").await;
            story.sees_something("general", "Hello.").await;
            story.bot_is_done().await;
            let said = story.transcript("general");
            let by = match times {
                1 => "Mina: Hello.\n",
                _ => "Kaiwa: **Mina:** Hello.\n",
            };
            assert!(said.ends_with(by), "{code} {times}: {said}");
        }
    }
}

/// Discord has as many webhooks in the channel as it allows.
#[tokio::test]
async fn without_a_webhook_the_bot_speaks_for_a_persona() {
    let mut story = Story::begin().await;
    let mina = Persona {
        name: "Mina".to_owned(),
        personality: "She keeps the tea house.".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    let body = json!({"code": 30007, "message": "Maximum number of webhooks reached"});
    fails(&story, Method::POST, "/webhooks", 400, body, 1);
    story.ada().says("general", "Mina, hello").await;
    let call = story.model.is_told("Mina, hello").await;
    call.answers("Hello.").await;
    story.sees("general", "**Mina:** Hello.").await;
}

/// Discord takes no more edits of an old message: another takes its place.
#[tokio::test]
async fn an_answer_that_takes_no_more_edits_goes_on_in_another_message() {
    let body = json!({"code": 30046, "message": "Maximum number of edits reached"});
    for (question, name) in [("@Kaiwa count", "Kaiwa"), ("Mina, count", "Mina")] {
        let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
        let mina = Persona {
            name: "Mina".to_owned(),
            ..Persona::default()
        };
        story.has_persona("Tea House", mina).await;
        story.ada().says("general", question).await;
        let mut call = story.model.is_told("count").await;
        call.says("One ").await;
        let first = story.sees("general", "One").await;
        fails(&story, Method::PATCH, "/messages/", 400, body.clone(), 1);
        call.says("two ").await;
        story.clock.skip(Duration::from_secs(1)).await;
        let second = story.sees("general", "One two").await;
        story.sees_gone(&first).await;
        // It grows on there.
        call.says("three ").await;
        story.clock.skip(Duration::from_secs(1)).await;
        story.sees_edit(&second, "One two three").await;
        // And so it is at the end.
        fails(&story, Method::PATCH, "/messages/", 400, body.clone(), 1);
        call.answers("four.").await;
        let third = story.sees("general", "One two three four.").await;
        story.sees_gone(&second).await;
        story.bot_is_done().await;
        let seen = story.transcript("general");
        assert!(
            seen.ends_with(&format!("{name}: {}\n", third.text)),
            "{seen}"
        );
        assert_eq!(seen.matches("One").count(), 1, "{seen}");
    }
}

fn mina() -> Persona {
    Persona {
        name: "Mina".to_owned(),
        ..Persona::default()
    }
}

/// Of what takes the place of a message there is one, though Discord's answer
/// was lost: webhooks have no nonces.
#[tokio::test]
async fn what_takes_a_place_stands_there_once() {
    let body = json!({"code": 30046, "message": "Maximum number of edits reached"});
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    story.has_persona("Tea House", mina()).await;
    story.ada().says("general", "Mina, count").await;
    let mut call = story.model.is_told("count").await;
    call.says("One ").await;
    let first = story.sees("general", "One").await;
    fails(&story, Method::PATCH, "/messages/", 400, body, 2);
    story.faults().swallow_next(Method::POST, "/webhooks/", 1);
    call.says("two ").await;
    story.clock.skip(Duration::from_secs(1)).await;
    let second = story.sees("general", "One two").await;
    call.answers("three.").await;
    story.sees_edit(&second, "One two three.").await;
    story.sees_gone(&first).await;
    story.bot_is_done().await;
    let seen = story.transcript("general");
    assert_eq!(seen, "Ada: Mina, count\nMina: One two three.\n");
}

/// What a deleted webhook said cannot be edited: another says it all.
#[tokio::test]
async fn a_persona_whose_webhook_is_deleted_says_it_all_anew() {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    let tidies = Rights::MANAGE_MESSAGES;
    story.ada().allows("general", "Kaiwa", tidies).await;
    story.has_persona("Tea House", mina()).await;
    story.ada().says("general", "Mina, count").await;
    let mut call = story.model.is_told("count").await;
    call.says("One ").await;
    let first = story.sees("general", "One").await;
    story.webhooks_are_deleted("general").await;
    call.says("two ").await;
    story.clock.skip(Duration::from_secs(1)).await;
    let second = story.sees("general", "One two").await;
    story.sees_gone(&first).await;
    call.answers("three.").await;
    story.sees_edit(&second, "One two three.").await;
    story.bot_is_done().await;
    let seen = story.transcript("general");
    assert_eq!(seen, "Ada: Mina, count\nMina: One two three.\n");
}

/// Slow mode that lasts longer than an answer may take ends it, and nobody
/// waits for that hour.
#[tokio::test]
async fn what_would_have_to_wait_too_long_is_given_up_at_once() {
    let mut story = Story::begin().await;
    let body = json!({"code": 20016, "message": "slow mode", "retry_after": 3600.0});
    story.ada().says("general", "@Kaiwa count").await;
    let call = story.model.is_asked("Ada: @Kaiwa count").await;
    fails(&story, Method::POST, "/messages", 429, body, 1);
    call.answers("One.").await;
    story.bot_is_done().await;
    assert_eq!(story.transcript("general"), "Ada: @Kaiwa count\n");
}

/// An edit that Discord does not take ends an answer that grows with a word.
#[tokio::test]
async fn an_edit_that_is_refused_is_told() {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa hello").await;
    call.says("One ").await;
    story.sees("general", "One").await;
    let body = json!({"code": 200_000, "message": "Message was blocked by automatic moderation"});
    fails(&story, Method::PATCH, "/messages/", 400, body, 1);
    call.answers("two.").await;
    story.sees("general", Notice::AnswerBlocked.text()).await;
}

/// A text that Discord does not take as it is may pass as words alone.
#[tokio::test]
async fn an_edit_whose_body_is_refused_is_made_once_more_as_words_alone() {
    let body = json!({"code": 50035, "message": "Invalid Form Body"});
    for (question, name) in [("@Kaiwa count", "Kaiwa"), ("Mina, count", "Mina")] {
        let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
        story.has_persona("Tea House", mina()).await;
        story.ada().says("general", question).await;
        let mut call = story.model.is_told("count").await;
        call.says("One ").await;
        let first = story.sees("general", "One").await;
        fails(&story, Method::PATCH, "/messages/", 400, body.clone(), 1);
        call.answers("two.").await;
        story.sees_edit(&first, "One two.").await;
        story.bot_is_done().await;
        let seen = story.transcript("general");
        assert_eq!(seen, format!("Ada: {question}\n{name}: One two.\n"));
    }
}

/// Whose first words the bot had to say is changed by the bot, and no webhook is
/// asked with every edit.
#[tokio::test]
async fn what_the_bot_says_for_a_persona_it_also_edits() {
    const BY_WEBHOOK: &str = "PATCH /webhooks/{webhook}/{token}/messages/{message}";
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    story.has_persona("Tea House", mina()).await;
    story.ada().says("general", "Mina, count").await;
    let mut call = story.model.is_told("count").await;
    let body = json!({"code": 50035, "message": "Invalid Form Body"});
    fails(&story, Method::POST, "/webhooks/", 400, body, 1);
    call.says("One ").await;
    let first = story.sees_something("general", "One").await;
    assert_eq!(first.text, "**Mina:** One");
    let mut text = first.text.clone();
    for word in [" two", " three", " four"] {
        call.says(&format!("{} ", word.trim())).await;
        story.clock.skip(Duration::from_secs(1)).await;
        text += word;
        story.sees_edit(&first, &text).await;
    }
    call.ends().await;
    story.bot_is_done().await;
    assert_eq!(story.requests(BY_WEBHOOK), 1, "it is asked once");
}

/// What a webhook said that is gone can be changed by nobody: none is made for
/// its buttons, and none is asked again.
#[tokio::test]
async fn a_webhook_that_is_gone_gets_no_buttons_and_no_other_is_made_for_them() {
    const MADE: &str = "POST /channels/{channel}/webhooks";
    const BY_WEBHOOK: &str = "PATCH /webhooks/{webhook}/{token}/messages/{message}";
    const EDITS: &str = "PATCH /channels/{channel}/messages/{message}";
    let mut story = Story::begin().await;
    story.has_persona("Tea House", mina()).await;
    story.ada().says("general", "Mina, count").await;
    let mut call = story.model.is_told("count").await;
    call.says("One.\n… ").await;
    story.sees("general", "One.").await;
    let made = story.requests(MADE);
    story.webhooks_are_deleted("general").await;
    story.clock.skip(Duration::from_secs(15)).await;
    kaiwa_e2e::soon("a try", async {
        while story.requests(EDITS) == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(story.requests(MADE), made, "none is made for a button");
    call.answers("Two.").await;
    story.sees("general", "… Two.").await;
    story.bot_is_done().await;
    let asked = story.requests(BY_WEBHOOK);
    assert_eq!(asked, 2, "once for the button, and once to take it away");
    assert_eq!(story.requests(MADE), made + 1, "what is said needs one");
}

/// That an interaction has been acknowledged already is no reason to fall
/// silent, nor to answer it twice: Discord tells of it twice here.
#[tokio::test]
async fn an_interaction_that_was_acknowledged_already_is_answered_once() {
    const TOLD: &str = "POST /interactions/{interaction}/{token}/callback";
    const ANSWERED: &str = "PATCH /webhooks/{webhook}/{token}/messages/{message}";
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    let bot = &story.ready().bot.id;
    assert_eq!(story.faults().duplicate_events(bot, 1), 1);
    story.ada().uses("general", "status", json!({})).await;
    let told = screen.sees_answer().await;
    assert!(
        told["content"].as_str().unwrap().contains("Model"),
        "{told}"
    );
    story.controls_are_done().await;
    assert_eq!((story.requests(TOLD), story.requests(ANSWERED)), (2, 1));
    assert_eq!(story.transcript("general"), "", "nobody else hears of it");

    // It is tried there first though nobody knows who acknowledged it.
    let body = json!({"code": 40060, "message": "already acknowledged"});
    fails(&story, Method::POST, "/callback", 400, body, 1);
    let title = json!({"title": "Tea"});
    story.ada().uses("general", "thread", title).await;
    let begins = format!("<@{}> ", story.person_id("Ada"));
    loop {
        let said = story.sees_something("general", "what came of it").await;
        if said.text.starts_with(&begins) {
            break;
        }
    }
    assert_eq!((story.requests(TOLD), story.requests(ANSWERED)), (3, 2));
}

/// Who used a command hears what came of it, though the interaction is gone;
/// what is for them alone is not told to everybody.
#[tokio::test]
async fn an_answer_to_an_interaction_that_is_gone_is_said_in_the_channel() {
    let gone = [
        (Method::PATCH, "/messages/@original", 404, 10062),
        (Method::PATCH, "/messages/@original", 404, 10015),
        (Method::PATCH, "/messages/@original", 401, 50027),
        (Method::POST, "/callback", 404, 10062),
    ];
    for (method, path, status, code) in gone {
        let mut story = Story::begin().await;
        let ada = story.person_id("Ada");
        let body = json!({"code": code, "message": "no"});
        fails(&story, method.clone(), path, status, body.clone(), 1);
        let title = json!({"title": "Tea"});
        story.ada().uses("general", "thread", title).await;
        // Discord itself tells of the thread too.
        let begins = format!("<@{ada}> ");
        loop {
            let said = story.sees_something("general", "what came of it").await;
            if said.text.starts_with(&begins) {
                break;
            }
        }
        story.controls_are_done().await;

        let before = story.transcript("general");
        fails(&story, method, path, status, body, 1);
        story.ada().uses("general", "status", json!({})).await;
        story.controls_are_done().await;
        assert_eq!(story.transcript("general"), before, "{code}");
    }
}
