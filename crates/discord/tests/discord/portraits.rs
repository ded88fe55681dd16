//! Pictures of personas that nobody uses, against the emulator.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_domain::port::{Chat, Clock, PersonaChange, Personas};
use kaiwa_domain::{ChatError, Effect, EmojiId, Identity, Persona, PersonaId, PictureId, Portrait};
use kaiwa_emulator::World;
use serde_json::{Value, json};

use super::rest::show;
use super::webhooks::Stage;

const DAY: Duration = Duration::from_secs(24 * 3600);
const UPLOAD: &str = "POST /applications/{application}/emojis";

/// The smallest PNG, and something that tells it from others.
fn picture(tag: &str) -> Vec<u8> {
    const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";
    [RED, tag.as_bytes()].concat()
}

impl Stage {
    /// Somebody of this name, with a picture of it.
    async fn has(&self, name: &str) -> PersonaId {
        let pictures = [picture(name)];
        let persona = Persona {
            name: name.to_owned(),
            avatar: Some(PictureId::of(&pictures[0])),
            ..Persona::default()
        };
        let change = PersonaChange {
            scope: self.home(),
            persona: &persona,
            pictures: &pictures,
            by: None,
            at: self.realm.clock.now(),
        };
        self.store.add_persona(&change).await.unwrap()
    }

    /// Mira and Theo have spoken, each with a picture.
    async fn has_both_shown(&self) -> [PersonaId; 2] {
        let both = [
            ("Mira", self.has("Mira").await),
            ("Theo", self.has("Theo").await),
        ];
        for (index, (name, who)) in (0..).zip(both) {
            show(&self.rest, &self.portrayed(index, name, who))
                .await
                .unwrap();
        }
        both.map(|(_, who)| who)
    }

    /// What somebody says with the picture of their name.
    fn portrayed(&self, index: u16, name: &str, of: PersonaId) -> Effect {
        let picture = PictureId::of(&picture(name));
        Effect {
            identity: Identity::new(name, Some(Portrait { of, picture })),
            ..self.line(index, name)
        }
    }

    async fn emoji(&self) -> Vec<Value> {
        let application = &self.realm.ready.bot.application_id;
        let url = format!(
            "{}/applications/{application}/emojis",
            self.realm.ready.api_url
        );
        let token = format!("Bot {}", self.realm.ready.bot.token);
        let request = reqwest::Client::new()
            .get(url)
            .header("authorization", token);
        let there: Value = request.send().await.unwrap().json().await.unwrap();
        there["items"].as_array().unwrap().clone()
    }

    /// Whose pictures are at Discord, of those with these names; anything else
    /// by its own.
    async fn pictures(&self, names: &[&str]) -> Vec<String> {
        let known = |emoji: &Value| {
            let called = emoji["name"].as_str().unwrap();
            let named = |name: &&&str| PictureId::of(&picture(name)).to_string() == called;
            names
                .iter()
                .find(named)
                .map_or(called, |name| *name)
                .to_owned()
        };
        let mut there: Vec<String> = self.emoji().await.iter().map(known).collect();
        there.sort();
        there
    }

    fn uploads(&self) -> u64 {
        let requests = self.realm.emulator.counts().requests;
        requests.get(UPLOAD).copied().unwrap_or(0)
    }

    /// It is so long after the last picture was uploaded.
    async fn is_later(&self, by: Duration) {
        let emoji = self.emoji().await;
        let id = |it: &Value| it["id"].as_str().unwrap().parse::<EmojiId>().unwrap();
        let last = emoji.iter().map(|it| id(it).created_at()).max().unwrap();
        let behind = last.since(self.realm.clock.now());
        self.realm.clock.advance(behind + by);
    }
}

#[tokio::test]
async fn a_picture_that_nobody_uses_any_more_is_taken_down() {
    let stage = Stage::of(World::default().without_limits()).await;
    let names = ["Mira", "Theo"];
    let [_, theo] = stage.has_both_shown().await;
    // An emoji that the operator made is none of ours.
    let application = &stage.realm.ready.bot.application_id;
    let path = format!(
        "{}/applications/{application}/emojis",
        stage.realm.ready.api_url
    );
    let token = format!("Bot {}", stage.realm.ready.bot.token);
    let image = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
    let made = reqwest::Client::new()
        .post(path)
        .header("authorization", token);
    let made = made
        .json(&json!({ "name": "kettle", "image": image }))
        .send();
    assert!(made.await.unwrap().status().is_success());
    let all = ["Mira", "Theo", "kettle"];

    stage
        .store
        .delete_persona(stage.home(), theo)
        .await
        .unwrap();
    stage.is_later(29 * DAY).await;
    assert_eq!(stage.rest.sweep_portraits().await, Ok(0), "it is young");
    assert_eq!(stage.pictures(&names).await, all);
    stage.is_later(31 * DAY).await;

    // What Discord does not take now is taken later, also by another process.
    let faults = stage.realm.emulator.faults();
    let refused = json!({ "code": 0, "message": "no" });
    faults.fail_next(
        Method::DELETE,
        "/emojis/",
        StatusCode::FORBIDDEN,
        refused,
        1,
    );
    let failed = stage.rest.sweep_portraits().await;
    assert!(
        matches!(failed, Err(ChatError::Refused { .. })),
        "{failed:?}"
    );
    assert_eq!(stage.pictures(&names).await, all);
    assert_eq!(stage.restarted().sweep_portraits().await, Ok(1));
    assert_eq!(stage.pictures(&names).await, ["Mira", "kettle"]);
    assert_eq!(stage.rest.sweep_portraits().await, Ok(0));

    // Who comes back has a picture again.
    let theo = stage.has("Theo").await;
    for index in 2..4 {
        show(&stage.rest, &stage.portrayed(index, "Theo", theo))
            .await
            .unwrap();
    }
    assert_eq!(stage.pictures(&names).await, all);
    assert_eq!(
        stage.uploads(),
        4,
        "those of Mira, Theo and the operator, and Theo's"
    );
    let last = stage.said(stage.realm.general()).pop();
    assert_eq!(last, Some(("Theo".to_owned(), "line 3".to_owned())));
}

#[tokio::test]
async fn when_all_places_are_taken_those_that_nobody_uses_are_given_away() {
    let stage = Stage::of(World::default().without_limits()).await;
    let names = ["Mira", "Theo", "Noor"];
    let [mira, _] = stage.has_both_shown().await;
    let full = |times| {
        let full = json!({ "code": 30008, "message": "Maximum number of emojis reached" });
        let faults = stage.realm.emulator.faults();
        faults.fail_next(
            Method::POST,
            "/emojis",
            StatusCode::BAD_REQUEST,
            full,
            times,
        );
    };

    // All are used: nothing goes, and Discord is not asked with every message.
    stage.is_later(31 * DAY).await;
    full(1);
    let noor = stage.has("Noor").await;
    for index in 2..4 {
        show(&stage.rest, &stage.portrayed(index, "Noor", noor))
            .await
            .unwrap();
    }
    assert_eq!(stage.pictures(&names).await, ["Mira", "Theo"]);
    assert_eq!(stage.uploads(), 3);

    stage
        .store
        .delete_persona(stage.home(), mira)
        .await
        .unwrap();
    full(1);
    let fresh = stage.restarted();
    show(&fresh, &stage.portrayed(4, "Noor", noor))
        .await
        .unwrap();
    assert_eq!(stage.pictures(&names).await, ["Noor", "Theo"]);
    assert_eq!(stage.said(stage.realm.general()).len(), 5);

    // The next day what was refused is tried again.
    assert_eq!(stage.rest.sweep_portraits().await, Ok(0));
    show(&stage.rest, &stage.portrayed(5, "Noor", noor))
        .await
        .unwrap();
    assert_eq!(
        stage.pictures(&names).await,
        ["Noor", "Theo"],
        "found, not twice"
    );
}
