//! How personas appear: under which name, with which picture, for how long.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use axum::http::Method;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Notice, Persona, PictureId, Rights, Sprite};
use kaiwa_e2e::story::{GRACE, SentMessage, Story};
use kaiwa_emulator::{FaultSpan, Requests, RestFault};
use serde_json::Value;

const UPLOAD: &str = "POST /applications/{application}/emojis";

/// A red square, and something that tells it from others.
fn picture(tag: &str) -> Vec<u8> {
    [RED, tag.as_bytes()].concat()
}

/// The smallest PNG.
const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

fn sprite(name: &str, is_identity: bool) -> Sprite {
    Sprite {
        name: name.to_owned(),
        picture: PictureId::of(&picture(name)),
        usage: format!("when {name}"),
        is_identity,
    }
}

/// Mina with her pictures, and Tom with his.
async fn tea_house(degree: &str) -> Story {
    let story = Story::begin_with(&[(SettingKey::Degree, degree)]).await;
    let mina = Persona {
        name: "Mina".to_owned(),
        avatar: Some(PictureId::of(&picture("usual"))),
        sprites: vec![sprite("cross", false), sprite("Old Nan", true)],
        ..Persona::default()
    };
    let pictures = ["usual", "cross", "Old Nan"].map(picture);
    story.has_portrayed("Tea House", mina, &pictures).await;
    let tom = Persona {
        name: "Tom".to_owned(),
        avatar: Some(PictureId::of(&picture("tom"))),
        ..Persona::default()
    };
    let pictures = [picture("tom")];
    story.has_portrayed("Tea House", tom, &pictures).await;
    story
}

/// The name and the picture that a message is shown with.
async fn appearance(story: &Story, message: &SentMessage) -> (String, Option<Vec<u8>>) {
    let shown = story.message(message).await;
    let author = &shown["author"];
    let name = author["username"].as_str().unwrap().to_owned();
    let (id, hash) = (&author["id"], &author["avatar"]);
    let picture = match (id, hash) {
        (Value::String(id), Value::String(hash)) => {
            let mut url: url::Url = story.ready().api_url.parse().unwrap();
            url.set_path(&format!("cdn/avatars/{id}/{hash}.png"));
            let answer = kaiwa_e2e::http().get(url).send().await.unwrap();
            assert!(answer.status().is_success(), "{answer:?}");
            Some(answer.bytes().await.unwrap().to_vec())
        }
        _ => None,
    };
    (name, picture)
}

/// Without letters that only look like others.
fn plain(name: &str) -> String {
    let double = |c| match c {
        'а' => 'a',
        'і' => 'i',
        'М' => 'M',
        other => other,
    };
    name.chars().map(double).collect()
}

#[tokio::test]
async fn a_persona_is_seen_in_the_look_that_it_speaks_in() {
    let mut story = tea_house("1").await;
    story.ada().says("general", "Mina, more tea?").await;
    let call = story.model.is_told("more tea?").await;
    let told = call.request().to_string();
    assert!(told.contains("- cross: when cross"), "{told}");
    call.answers(
        "Hello.\nMina (cross): No!\nNever.\nMina: Well.\nMina (Old Nan): Child.\nMina (bored): So.",
    )
    .await;
    let mut seen = Vec::new();
    for text in ["Hello.", "No!", "Never.", "Well.", "Child.", "So."] {
        let message = story.sees("general", text).await;
        seen.push(appearance(&story, &message).await);
    }
    story.bot_is_done().await;
    let names: Vec<String> = seen.iter().map(|(name, _)| plain(name)).collect();
    let expect = ["Mina", "Mina", "Mina", "Mina", "Old Nan (Mina)", "Mina"];
    assert_eq!(names, expect);
    let pictures: Vec<Vec<u8>> = seen.iter().map(|it| it.1.clone().unwrap()).collect();
    let expect = ["usual", "cross", "cross", "usual", "Old Nan", "usual"];
    assert_eq!(pictures, expect.map(picture));
    // Discord draws messages of one name together, with the picture of the first.
    for pair in seen.windows(2) {
        assert_eq!(pair[0].0 == pair[1].0, pair[0].1 == pair[1].1, "{pair:?}");
    }
    assert_eq!(story.requests(UPLOAD), 3);

    // The next process knows the pictures, and who spoke in which look.
    story.bot_stops().await;
    story.bot_starts().await;
    story.ada().says("general", "Mina, again?").await;
    let call = story.model.is_told("again?").await;
    let told = call.request().to_string();
    let said = "Hello.\\nMina (cross): No!\\nNever.\\nMina: Well.\\nMina (Old Nan): Child.";
    assert!(told.contains(said), "{told}");
    call.answers("Yes.").await;
    let message = story.sees("general", "Yes.").await;
    let (_, shown) = appearance(&story, &message).await;
    assert_eq!(shown, Some(picture("usual")));
    assert_eq!(story.requests(UPLOAD), 3);
}

#[tokio::test]
async fn another_persona_is_copied_for_a_line_and_people_never_are() {
    let mut story = tea_house("1").await;
    story.ada().says("general", "Mina, play the cat!").await;
    let call = story.model.is_told("play the cat!").await;
    call.answers("Mina (tom): Meow.\nLike that.\nMina (Ada): Hello, I am Ada.")
        .await;
    let mut seen = Vec::new();
    for text in ["Meow.", "Like that.", "Hello, I am Ada."] {
        let message = story.sees("general", text).await;
        seen.push(appearance(&story, &message).await);
    }
    let expect = [
        ("Tom (Mina)".to_owned(), Some(picture("tom"))),
        ("Mina".to_owned(), Some(picture("usual"))),
        ("Mina".to_owned(), Some(picture("usual"))),
    ];
    assert_eq!(seen, expect);
    // The cat did not say it.
    story.bot_is_done().await;
    story.ada().says("general", "Tom, what was that?").await;
    let call = story.model.is_told("what was that?").await;
    let told = call.request().to_string();
    assert!(told.contains("Mina (Tom): Meow."), "{told}");
    call.answers("Not me.").await;
    story.sees("general", "Not me.").await;
}

#[tokio::test]
async fn code_changes_no_look_and_neither_does_the_bot_without_one() {
    let mut story = tea_house("0").await;
    story
        .ada()
        .says("general", "Mina, how is it written?")
        .await;
    let call = story.model.is_told("how is it written?").await;
    let code = "```\nMina (cross): No!\n```";
    call.answers(code).await;
    let message = story.sees("general", code).await;
    assert_eq!(appearance(&story, &message).await.0, "Mina");
    story.bot_is_done().await;

    // The bot itself speaks as itself, and by a webhook only when it plays.
    story.ada().says("general", "@Kaiwa play Tom!").await;
    let call = story.model.is_told("play Tom!").await;
    call.answers("Kaiwa (Tom): Meow.\nDone.").await;
    let first = story.sees("general", "Meow.").await;
    let second = story.sees("general", "Done.").await;
    assert_eq!(appearance(&story, &first).await.0, "Tom (Kaiwa)");
    assert_eq!(
        appearance(&story, &second).await,
        ("Kaiwa".to_owned(), None)
    );
}

/// The time between two edits.
const CADENCE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn what_a_persona_says_grows_as_the_bots_own_words_do() {
    let mut story = tea_house("4").await;
    story.ada().says("general", "Mina, more tea?").await;
    let mut call = story.model.is_told("more tea?").await;
    call.says("One ").await;
    let first = story.sees("general", "One").await;
    call.says("two ").await;
    story.clock.skip(CADENCE).await;
    story.sees_edit(&first, "One two").await;
    // Another look is another message, and the one before is complete.
    call.says("three.\nMina (cross): No ").await;
    story.sees_edit(&first, "One two three.").await;
    story.clock.skip(CADENCE).await;
    call.says("more ").await;
    story.clock.skip(CADENCE).await;
    let second = story.sees_something("general", "No more").await;
    call.says("tea!").await;
    call.ends().await;
    story.sees_edit(&second, "No more tea!").await;
    story.bot_is_done().await;
    assert_eq!(story.versions(&first), ["One", "One two", "One two three."]);
    let (first, second) = (
        appearance(&story, &first).await,
        appearance(&story, &second).await,
    );
    assert_eq!(first, ("Mina".to_owned(), Some(picture("usual"))));
    assert_eq!(second.1, Some(picture("cross")));
    assert_ne!(second.0, "Mina");
    // All of it by the webhook.
    assert_eq!(
        story.requests("PATCH /channels/{channel}/messages/{message}"),
        0
    );
}

#[tokio::test]
async fn a_persona_that_grows_goes_on_after_a_restart_in_its_look() {
    let mut story = tea_house("4").await;
    story.ada().says("general", "Mina, more tea?").await;
    let mut call = story.model.is_told("more tea?").await;
    call.says("Mina (cross): No ").await;
    let message = story.sees("general", "No").await;
    let stopped = story.bot_is_asked_to_stop();
    story.clock.skip(GRACE).await;
    stopped.await;
    drop(call);
    story.bot_starts().await;
    let mut call = story.model.is_told("Continue your answer").await;
    call.says("more!\nEver.").await;
    call.ends().await;
    story.sees_edit(&message, "No more!\n\nEver.").await;
    story.bot_is_done().await;
    let (_, shown) = appearance(&story, &message).await;
    assert_eq!(shown, Some(picture("cross")));
}

#[tokio::test]
async fn what_is_stopped_is_closed_under_the_same_name() {
    let mut story = tea_house("4").await;
    story.operator_sets(SettingKey::StopLine, "off");
    story.ada().says("general", "Mina, tell me a story").await;
    let mut call = story.model.is_told("tell me a story").await;
    call.says("Once **upon ").await;
    let message = story.sees_something("general", "Once").await;
    story.ada().says("general", "stop").await;
    call.is_cancelled().await;
    story.bot_is_done().await;
    let last = story.versions(&message).pop().unwrap();
    assert!(last.starts_with("Once") && last.contains('\n'), "{last}");
    assert_eq!(appearance(&story, &message).await.0, "Mina");
}

#[tokio::test]
async fn a_persona_says_which_question_it_answers_if_others_spoke_meanwhile() {
    for degree in ["1", "4"] {
        let mut story = tea_house(degree).await;
        let question = story.ada().says("general", "Mina, more tea?").await;
        let call = story.model.is_told("more tea?").await;
        call.answers("Gladly.").await;
        // Nobody else has spoken.
        story.sees("general", "Gladly.").await;
        story.bot_is_done().await;

        let next = story.ada().says("general", "Mina, and cake?").await;
        let call = story.model.is_told("and cake?").await;
        story.ben().says("general", "what a day").await;
        call.answers("Always.").await;
        let line = story.sees_something("general", "a line").await;
        assert!(line.text.starts_with("-# ↪ https://"), "{}", line.text);
        assert!(line.text.ends_with(&next.id), "{}", line.text);
        assert!(!line.text.contains(&question.id), "{}", line.text);
        assert_eq!(appearance(&story, &line).await.0, "Mina");
        story.sees("general", "Always.").await;
        story.bot_is_done().await;
        // The model does not take it for her words.
        story.ada().says("general", "Mina, thanks").await;
        let call = story.model.is_told("thanks").await;
        assert!(!call.request().to_string().contains('↪'));
        call.answers("Sure.").await;
        story.sees("general", "Sure.").await;
    }
}

#[tokio::test]
async fn where_there_may_be_no_webhook_people_are_told_once() {
    const ASKED: &str = "GET /channels/{channel}/webhooks";
    let mut story = tea_house("1").await;
    // Manage Webhooks
    let rights = Rights::from_bits(1 << 29);
    story.ada().forbids("general", "Kaiwa", rights).await;
    for (number, question) in ["Mina, tea?", "Mina, cake?"].into_iter().enumerate() {
        story.ada().says("general", question).await;
        let call = story.model.is_told(question).await;
        story.ben().says("general", "hm").await;
        call.answers("Yes.").await;
        // The bot speaks for her, and replies.
        let said = story.sees("general", "**Mina:** Yes.").await;
        assert!(said.replies_to.is_some());
        if number == 0 {
            story.sees("general", &Notice::NoWebhook.shown()).await;
        }
        story.bot_is_done().await;
    }
    // Discord was asked once.
    assert_eq!(story.requests(ASKED), 1);
    let notice = Notice::NoWebhook.shown();
    assert_eq!(story.transcript("general").matches(&*notice).count(), 1);

    // Whoever gives the right back need not wait.
    story.ada().allows("general", "Kaiwa", rights).await;
    story.ada().says("general", "Mina, and now?").await;
    let call = story.model.is_told("and now?").await;
    call.answers("Here I am.").await;
    let said = story.sees("general", "Here I am.").await;
    assert_eq!(appearance(&story, &said).await.0, "Mina");
}

/// The address of the picture of the guild's sticker.
fn sticker(story: &Story) -> String {
    let guild = story.ready().guilds.first().unwrap();
    format!("/cdn/stickers/{}.png", guild.stickers["Cheers"])
}

/// What a model calls to have it sent.
const CHEERS: (&str, &str) = ("sticker", r#"{"sticker": "cheers"}"#);

#[tokio::test]
async fn a_sticker_follows_the_words_as_who_spoke_last() {
    let mut story = tea_house("1").await;
    let address = sticker(&story);
    story.ada().says("general", "Mina, cheers!").await;
    let mut call = story.model.is_told("cheers!").await;
    let told = call.system().to_owned();
    assert!(
        told.contains("one after your reply now and then: Cheers"),
        "{told}"
    );
    call.says("Cheers!\nMina (Old Nan): Child.").await;
    call.waits_for(&[CHEERS]).await;
    story.sees("general", "Cheers!").await;
    story.sees("general", "Child.").await;
    // A webhook can send no stickers: its picture is shown.
    let shown = story.sees_something("general", "a picture").await;
    assert!(shown.text.ends_with(&address), "{}", shown.text);
    assert!(
        kaiwa_e2e::http()
            .get(&shown.text)
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    let expect = ("Old Nan (Mina)".to_owned(), Some(picture("Old Nan")));
    assert_eq!(appearance(&story, &shown).await, expect);
    story.bot_is_done().await;

    // The bot itself sends the sticker, also where it has to speak for others.
    // Manage Webhooks
    let rights = Rights::from_bits(1 << 29);
    story.ada().forbids("code", "Kaiwa", rights).await;
    for (channel, question, text) in [
        ("general", "@Kaiwa cheers!", "Cheers!"),
        ("code", "Tom, cheers!", "**Tom:** Cheers!"),
    ] {
        story.ada().says(channel, question).await;
        let mut call = story.model.is_told("cheers!").await;
        call.says("Cheers!").await;
        call.waits_for(&[CHEERS]).await;
        story.sees(channel, text).await;
        let shown = story.sees(channel, "").await;
        let shown = story.message(&shown).await;
        assert_eq!(shown["sticker_items"][0]["name"], "Cheers");
        story.bot_is_done().await;
    }
}

#[tokio::test]
async fn a_sticker_is_not_sent_twice() {
    let mut story = tea_house("1").await;
    let address = sticker(&story);
    story.ada().says("general", "Mina, cheers!").await;
    let mut call = story.model.is_told("cheers!").await;
    call.says("Cheers!\nAnd more").await;
    story.sees("general", "Cheers!").await;
    // Discord takes what follows, and says so to nobody.
    story.faults().swallow_next(Method::POST, "/webhooks/", 2);
    call.waits_for(&[CHEERS]).await;
    story.sees("general", "And more").await;
    story.clock.skip_any(500..=2_000).await;
    story.sees_something("general", "a picture").await;
    story.clock.skip_any(500..=2_000).await;
    story.bot_is_done().await;
    let seen = story.transcript("general");
    assert_eq!(seen.matches(&address).count(), 1, "{seen}");
    assert_eq!(seen.matches("And more").count(), 1, "{seen}");
}

#[tokio::test]
async fn names_are_made_such_as_discord_takes() {
    let mut story = tea_house("1").await;
    let long = "An Innkeeper of Many Names ".repeat(3);
    for name in ["Discordia", "Clyde", long.trim()] {
        let persona = Persona {
            name: name.to_owned(),
            triggers: vec![format!("n{}", name.len())],
            ..Persona::default()
        };
        story.has_persona("Tea House", persona).await;
        story
            .ada()
            .says("general", &format!("n{}, hello", name.len()))
            .await;
        let call = story.model.is_told("hello").await;
        call.answers(&format!("{name} (Tom): Meow.\nHello.")).await;
        let copied = story.sees("general", "Meow.").await;
        let said = story.sees("general", "Hello.").await;
        let (copied, said) = (
            appearance(&story, &copied).await.0,
            appearance(&story, &said).await.0,
        );
        assert!(copied.starts_with("Tom ("), "{copied}");
        for shown in [copied, said] {
            let plain = shown.to_lowercase();
            assert!(
                !plain.contains("discord") && !plain.contains("clyde"),
                "{shown}"
            );
            assert!(shown.encode_utf16().count() <= 80, "{shown}");
            assert_ne!(shown, "Kaiwa");
        }
        story.bot_is_done().await;
    }
}

/// Somebody deletes the webhook between two answers. Discord tells, so nothing
/// is tried that must fail, and nobody looks twice.
#[tokio::test]
async fn a_webhook_that_is_deleted_is_made_anew_before_it_is_missed() {
    const MADE: &str = "POST /channels/{channel}/webhooks";
    const ASKED: &str = "GET /channels/{channel}/webhooks";
    const SAID: &str = "POST /webhooks/{webhook}/{token}";
    let mut story = tea_house("1").await;
    // What was made, asked and said, after each answer. The story itself asks
    // once, to delete it.
    let expected = [(1, 1, 1), (1, 1, 2), (2, 4, 3), (2, 4, 4)];
    for (round, counts) in expected.into_iter().enumerate() {
        if round == 2 {
            story.webhooks_are_deleted("general").await;
        }
        story.ada().says("general", "Mina, tea?").await;
        let call = story.model.is_told("tea?").await;
        call.answers(&format!("Cup {round}.")).await;
        let said = story.sees("general", &format!("Cup {round}.")).await;
        assert_eq!(appearance(&story, &said).await.0, "Mina");
        story.bot_is_done().await;
        let seen = (
            story.requests(MADE),
            story.requests(ASKED),
            story.requests(SAID),
        );
        assert_eq!(seen, counts, "round {round}");
    }
}

#[tokio::test]
async fn one_webhook_speaks_for_all_in_a_channel_and_its_threads_over_restarts() {
    const MADE: &str = "POST /channels/{channel}/webhooks";
    const ASKED: &str = "GET /channels/{channel}/webhooks";
    let mut story = tea_house("1").await;
    let thread = story.ada().opens_thread("general", "a pot").await;
    for (channel, name) in [("general", "Mina"), (&thread, "Tom"), ("general", "Tom")] {
        story.ada().says(channel, &format!("{name}, tea?")).await;
        let call = story.model.is_told("tea?").await;
        call.answers("Yes.").await;
        let said = story.sees(channel, "Yes.").await;
        assert_eq!(appearance(&story, &said).await.0, name);
        story.bot_is_done().await;
        story.bot_stops().await;
        story.bot_starts().await;
    }
    assert_eq!((story.requests(MADE), story.requests(ASKED)), (1, 1));
    let tokens = story.webhook_tokens("general").await;
    assert_eq!(tokens.len(), 1);
    // It is kept, and not to be read.
    let mut files = std::fs::read_dir(story.folder()).unwrap();
    let leaks = files.any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        let token = tokens[0].as_bytes();
        bytes.windows(token.len()).any(|it| it == token)
    });
    assert!(!leaks);
}

#[tokio::test]
async fn the_picture_of_a_persona_that_was_deleted_is_taken_down_in_time() {
    const DAY: Duration = Duration::from_secs(24 * 3600);
    const DELETE: &str = "DELETE /applications/{application}/emojis/{emoji}";
    let mut story = Story::begin_with(&[(SettingKey::Degree, "1")]).await;
    let portrayed = |name: &str| Persona {
        name: name.to_owned(),
        avatar: Some(PictureId::of(&picture(name))),
        ..Persona::default()
    };
    let mut ids = Vec::new();
    for name in ["Mina", "Tom"] {
        let pictures = [picture(name)];
        let added = story.has_portrayed("Tea House", portrayed(name), &pictures);
        ids.push(added.await);
        story.ada().says("general", &format!("{name}, hello")).await;
        let call = story.model.is_told("hello").await;
        call.answers(&format!("I am {name}.")).await;
        story.sees("general", &format!("I am {name}.")).await;
        story.bot_is_done().await;
    }
    story.loses_persona("Tea House", ids[0]).await;
    story.clock.skip(Duration::from_secs(617)).await;
    story.clock.passes(31 * DAY);
    // What was said with it is on record until old rows are deleted.
    for _ in 0..66 {
        story.clock.skip(Duration::from_secs(55)).await;
    }
    assert_eq!(story.requests(DELETE), 0);
    story.clock.passes(DAY);
    kaiwa_e2e::soon("a picture to go", async {
        while story.requests(DELETE) == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    story.bot_stops().await;
    assert_eq!((story.requests(DELETE), story.requests(UPLOAD)), (1, 2));
}

/// Discord lets nobody upload for a while: the words do not wait for that.
#[tokio::test]
async fn a_picture_that_takes_long_is_done_without_for_a_minute() {
    let mut story = tea_house("1").await;
    let uploads = Requests {
        method: Some(Method::POST),
        path_part: "/emojis".into(),
        ..Requests::default()
    };
    let limit = RestFault::Limit {
        retry_after: Duration::from_secs(50),
        global: false,
    };
    story.faults().rest(uploads, limit, FaultSpan::Next(1));
    let mut shown = Vec::new();
    for (number, pause) in [(1, 0), (2, 0), (3, 60)] {
        story.time().passes(Duration::from_secs(pause)).await;
        story
            .ada()
            .says("general", &format!("Mina, {number}?"))
            .await;
        let call = story.model.is_told(&format!("Mina, {number}?")).await;
        call.answers(&format!("{number}.")).await;
        if number == 1 {
            kaiwa_e2e::soon("an upload", async {
                while story.requests(UPLOAD) == 0 {
                    tokio::task::yield_now().await;
                }
            })
            .await;
            story.clock.skip(Duration::from_secs(5)).await;
        }
        let said = story.sees("general", &format!("{number}.")).await;
        shown.push(appearance(&story, &said).await.1.is_some());
        story.bot_is_done().await;
    }
    assert_eq!(shown, [false, false, true]);
    assert_eq!(story.requests(UPLOAD), 2);
}
