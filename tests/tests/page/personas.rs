//! Personas on the page, in a real browser: who speaks is seen by name and
//! picture, also while they write.

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Persona, PictureId};
use kaiwa_e2e::browser::page::Page;
use kaiwa_e2e::story::Story;
use serde_json::json;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");

/// The smallest PNG: one red pixel.
const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

/// The time between two edits.
const CADENCE: Duration = Duration::from_millis(1200);

#[tokio::test]
async fn personas_are_seen_by_name_and_picture_while_they_write() {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    for name in ["Mina", "Tom"] {
        let picture = [RED, name.as_bytes()].concat();
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
