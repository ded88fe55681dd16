//! Personas on the page, in a real browser: who speaks is seen by name and
//! picture, also while they write.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Persona, PictureId, Sprite};
use kaiwa_e2e::browser::page::Page;
use kaiwa_e2e::story::Story;
use serde_json::json;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");

/// The smallest PNG: one red pixel.
const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

/// The same, and something that tells it from others.
fn picture(tag: &str) -> Vec<u8> {
    [RED, tag.as_bytes()].concat()
}

/// The time between two edits.
const CADENCE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn personas_are_seen_by_name_and_picture_while_they_write() {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    for name in ["Mina", "Tom"] {
        let picture = picture(name);
        let persona = Persona {
            name: name.to_owned(),
            avatar: Some(PictureId::of(&picture)),
            ..Persona::default()
        };
        story.has_portrayed("Tea House", persona, &[picture]).await;
    }
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    page.shows("[data-testid=channel-general][aria-current=page]")
        .await;
    story
        .ben()
        .says("general", "Mina and Tom, good morning")
        .await;
    for name in ["Mina", "Tom"] {
        let mut call = story.model.is_told("good morning").await;
        call.says("Good ").await;
        let message = page.sees(name, "Good").await;
        call.says("morning ").await;
        story.clock.skip(CADENCE).await;
        page.says_in(&message, "Good morning").await;
        call.says("to you.").await;
        call.ends().await;
        page.says_in(&message, "Good morning to you.").await;
        page.shows(&format!("{message} .portrait.seen")).await;
    }
    story.bot_is_done().await;
    let seen = "return [...document.querySelectorAll('article')].map((it) => [it.dataset.author, it.querySelector('.portrait.seen')?.getAttribute('src')])";
    let seen = page.browser.run(seen).await;
    let said = seen.as_array().map(Vec::as_slice).unwrap_or_default();
    let [_, mina, tom] = said else {
        panic!("one question and two answers: {seen}");
    };
    assert_eq!((&mina[0], &tom[0]), (&json!("Mina"), &json!("Tom")));
    assert!(mina[1].is_string() && mina[1] != tom[1], "{seen}");
    page.keeps_picture(PICTURES, "personas.png").await;
    page.has_no_complaints().await;
}

/// A persona that puts on another look for a line is seen in it beside that
/// line, and as usual beside the others.
#[tokio::test]
async fn a_sprite_is_seen_beside_what_is_said_in_it() {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "1")]).await;
    let mina = Persona {
        name: "Mina".to_owned(),
        avatar: Some(PictureId::of(&picture("usual"))),
        sprites: vec![Sprite {
            name: "cross".to_owned(),
            picture: PictureId::of(&picture("cross")),
            usage: "when she is cross".to_owned(),
            is_identity: false,
        }],
        ..Persona::default()
    };
    let pictures = ["usual", "cross"].map(picture);
    story.has_portrayed("Tea House", mina, &pictures).await;
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    page.shows("[data-testid=channel-general][aria-current=page]")
        .await;
    story.ben().says("general", "Mina, more tea?").await;
    let call = story.model.is_told("more tea?").await;
    call.answers("Hello.\nMina (cross): No!\nMina: Well.").await;
    for (text, look) in [("Hello.", "usual"), ("No!", "cross"), ("Well.", "usual")] {
        let said = story.sees("general", text).await;
        let message = format!("article[data-id=\"{}\"]", said.id);
        page.says_in(&message, text).await;
        let portrait = format!("{message} .portrait.seen");
        page.shows(&portrait).await;
        let find = format!("return document.querySelector('{portrait}').src");
        let address = page.browser.run(&find).await;
        let shown = kaiwa_e2e::http().get(address.as_str().unwrap_or_default());
        let shown = shown.send().await.expect("an answer").bytes().await;
        assert_eq!(shown.expect("a picture"), picture(look), "{text}");
    }
    story.bot_is_done().await;
    page.keeps_picture(PICTURES, "sprites.png").await;
    page.has_no_complaints().await;
}
