//! Personas under their own names, against the emulator.

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use kaiwa_discord::Rest;
use kaiwa_domain::port::{Clock, Webhooks};
use kaiwa_domain::{ChannelId, ChatError, Effect, Identity, Outgoing, Scope};
use kaiwa_emulator::World;
use kaiwa_twins::{MemoryStore, StillClock};
use serde_json::{Value, json};

use super::rest::show;
use super::secrets::Log;
use super::tables::{Stencil, picture};
use super::whole::Realm;

/// The emulator, a client that keeps its webhooks, and where it does.
pub struct Stage {
    pub realm: Realm,
    pub rest: Rest,
    pub store: Arc<MemoryStore>,
}

impl Stage {
    async fn start() -> Self {
        Self::of(World::default()).await
    }

    pub async fn of(world: World) -> Self {
        let realm = Realm::of(world).await;
        let clock: Arc<dyn Clock> = Arc::new(StillClock::new(realm.clock.now()));
        let store = Arc::new(MemoryStore::new(clock));
        let rest = realm
            .rest
            .clone()
            .with_webhooks(store.clone(), store.clone());
        Self { realm, rest, store }
    }

    /// The same after a restart.
    pub fn restarted(&self) -> Rest {
        self.realm
            .rest
            .clone()
            .with_webhooks(self.store.clone(), self.store.clone())
    }

    pub fn home(&self) -> Scope {
        Scope::Guild(self.realm.ready.guild_id.parse().unwrap())
    }

    pub fn line(&self, index: u16, name: &str) -> Effect {
        let outgoing = Outgoing::Say(format!("line {index}"));
        Effect {
            identity: Identity::new(name, None),
            ..self.realm.shown(index, None, outgoing)
        }
    }

    /// Who said what in a channel.
    pub fn said(&self, channel: ChannelId) -> Vec<(String, String)> {
        self.realm.emulator.transcript(&channel.to_string())
    }

    async fn webhooks(&self) -> Vec<Value> {
        let path = format!("channels/{}/webhooks", self.realm.general());
        let there = self.realm.does("Ada", Method::GET, &path, Value::Null);
        there.await.as_array().unwrap().clone()
    }

    async fn delete_webhooks(&self) {
        for webhook in self.webhooks().await {
            let path = format!("webhooks/{}", webhook["id"].as_str().unwrap());
            self.realm
                .does("Ada", Method::DELETE, &path, Value::Null)
                .await;
        }
    }
}

fn lines(of: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    of.iter().map(owned).collect()
}

#[tokio::test]
async fn one_webhook_of_a_channel_speaks_for_everybody() {
    let stage = Stage::start().await;
    show(&stage.rest, &stage.line(0, "Mira")).await.unwrap();
    show(&stage.rest, &stage.line(1, "Theo")).await.unwrap();
    // It is found again from the store, and without it from Discord.
    show(&stage.restarted(), &stage.line(2, "Mira"))
        .await
        .unwrap();
    let made = stage.store.webhook(stage.home(), stage.realm.general());
    let made = made.await.unwrap().unwrap();
    let forgotten = stage
        .store
        .forget_webhook(stage.home(), made.id(), stage.realm.clock.now());
    forgotten.await.unwrap();
    show(&stage.restarted(), &stage.line(3, "Mira"))
        .await
        .unwrap();
    let expected = [
        ("Mira", "line 0"),
        ("Theo", "line 1"),
        ("Mira", "line 2"),
        ("Mira", "line 3"),
    ];
    assert_eq!(stage.said(stage.realm.general()), lines(&expected));
    assert_eq!(stage.webhooks().await.len(), 1);
}

#[tokio::test]
async fn a_webhook_of_others_is_not_ours() {
    let stage = Stage::start().await;
    let path = format!("channels/{}/webhooks", stage.realm.general());
    let theirs = json!({ "name": "Kaiwa" });
    stage.realm.does("Ada", Method::POST, &path, theirs).await;
    show(&stage.rest, &stage.line(0, "Mira")).await.unwrap();
    assert_eq!(stage.webhooks().await.len(), 2);
}

#[tokio::test]
async fn a_thread_is_spoken_in_by_the_webhook_of_its_channel() {
    let stage = Stage::start().await;
    let path = format!("channels/{}/threads", stage.realm.general());
    let thread = json!({ "name": "aside", "type": 11 });
    let thread = stage.realm.does("Ada", Method::POST, &path, thread).await;
    let thread: ChannelId = thread["id"].as_str().unwrap().parse().unwrap();
    let aside = Effect {
        channel: thread,
        ..stage.line(0, "Mira")
    };
    show(&stage.rest, &aside).await.unwrap();
    assert_eq!(stage.said(thread), lines(&[("Mira", "line 0")]));
    assert_eq!(stage.webhooks().await.len(), 1);
}

#[tokio::test]
async fn a_webhook_that_is_gone_is_made_anew_once() {
    let stage = Stage::start().await;
    show(&stage.rest, &stage.line(0, "Mira")).await.unwrap();
    stage.delete_webhooks().await;
    show(&stage.rest, &stage.line(1, "Mira")).await.unwrap();
    assert_eq!(stage.webhooks().await.len(), 1);

    // It never works: the line is said in our own voice.
    let gone = json!({ "code": 50027, "message": "Invalid Webhook Token" });
    let faults = stage.realm.emulator.faults();
    let refused = StatusCode::UNAUTHORIZED;
    faults.fail_next(Method::POST, "/webhooks/", refused, gone, 2);
    show(&stage.rest, &stage.line(2, "Mira")).await.unwrap();
    let own = stage.realm.ready.bot.name.clone();
    let expected = [
        ("Mira", "line 0"),
        ("Mira", "line 1"),
        (own.as_str(), "**Mira:** line 2"),
    ];
    assert_eq!(stage.said(stage.realm.general()), lines(&expected));
}

#[tokio::test]
async fn where_there_can_be_no_webhook_we_speak_for_them_and_it_is_noted() {
    for (status, code) in [(400, 30007), (403, 50013)] {
        let stage = Stage::start().await;
        let refused = json!({ "code": code, "message": "no" });
        let faults = stage.realm.emulator.faults();
        let status = StatusCode::from_u16(status).unwrap();
        let part = format!("/channels/{}/webhooks", stage.realm.general());
        faults.fail_next(Method::POST, &part, status, refused, 1);
        show(&stage.rest, &stage.line(0, "Mira")).await.unwrap();
        // Discord is not asked again for a while.
        show(&stage.rest, &stage.line(1, "Mira")).await.unwrap();
        let own = stage.realm.ready.bot.name.clone();
        let expected = [
            (own.as_str(), "**Mira:** line 0"),
            (own.as_str(), "**Mira:** line 1"),
        ];
        assert_eq!(stage.said(stage.realm.general()), lines(&expected));
        assert!(stage.webhooks().await.is_empty());
        let (home, here) = (stage.home(), stage.realm.general());
        let untold = || stage.store.take_refusal(home, here);
        assert_eq!(untold().await, Ok(Some(code)));
        assert_eq!(untold().await, Ok(None));
    }
}

#[tokio::test]
async fn what_became_of_a_lost_answer_is_unknown_and_not_tried_again() {
    let stage = Stage::start().await;
    show(&stage.rest, &stage.line(0, "Mira")).await.unwrap();
    let faults = stage.realm.emulator.faults();
    faults.swallow_next(Method::POST, "/webhooks/", 1);
    let lost = show(&stage.rest, &stage.line(1, "Mira")).await;
    assert!(matches!(lost, Err(ChatError::Unknown { .. })), "{lost:?}");
    assert_eq!(stage.said(stage.realm.general()).len(), 2);
}

#[tokio::test]
async fn a_table_is_one_message_whatever_it_looks_like() {
    let stage = Stage::start().await;
    let row = format!("| 1 | {} |\n", "cell ".repeat(20));
    let source = format!("| a | b |\n|---|---|\n{}", row.repeat(30));
    let table = kaiwa_domain::Table::parse(&source).unwrap();
    let shown = Effect {
        identity: Identity::new("Mira", None),
        ..stage.realm.shown(0, None, Outgoing::Table(table.clone()))
    };
    // As text it is longer than a message.
    show(&stage.rest, &shown).await.unwrap();
    let painter = Stencil(Ok(picture(&table)));
    let painted = stage.rest.clone().with_painter(Arc::new(painter));
    show(&painted, &shown).await.unwrap();
    let channel = stage.realm.general().to_string();
    let there = stage.realm.emulator.messages(&channel).unwrap();
    assert_eq!(there.len(), 2, "{there:?}");
}

#[tokio::test]
async fn no_token_of_a_webhook_is_in_any_log() {
    let (log, _guard) = Log::capture();
    let stage = Stage::start().await;
    show(&stage.rest, &stage.line(0, "Mira")).await.unwrap();
    let faults = stage.realm.emulator.faults();
    faults.swallow_next(Method::POST, "/webhooks/", 1);
    let _ = show(&stage.rest, &stage.line(1, "Mira")).await;
    stage.delete_webhooks().await;
    let _ = show(&stage.rest, &stage.line(2, "Mira")).await;
    let webhook = stage.store.webhook(stage.home(), stage.realm.general());
    let webhook = webhook.await.unwrap().unwrap();
    let log = log.text();
    assert!(log.contains("POST /webhooks/{webhook}/{token}"), "{log}");
    assert!(!log.contains(webhook.token()), "{log}");
}
