//! REST and gateway together, against the emulator: a second reading of
//! Discord's documentation.

use std::sync::Arc;

use axum::Router;
use axum::http::{Method, StatusCode};
use kaiwa_discord::{Access, GatewayError, Rest};
use kaiwa_domain::port::{Chat, History};
use kaiwa_domain::{
    AuthorKind, ChannelId, ChatError, Disposition, Effect, EffectBody, EffectState, Event,
    MessageId, Outgoing, PersonaId, Scope, Table, Timestamp, TurnId,
};
use kaiwa_emulator::{Cut, Emulator, Ready, ReadyUser, World};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::clock::ManualClock;
use super::peer::{ListeningBot, SavedSessions};
use super::rest::show;
use super::tables::{Stencil, picture};

/// The emulator, and a client that talks to it.
pub struct Realm {
    pub emulator: Emulator,
    pub ready: Ready,
    access: Access,
    pub rest: Rest,
    sessions: Arc<SavedSessions>,
    pub clock: Arc<ManualClock>,
}

impl Realm {
    async fn start() -> Self {
        Self::of(World::default()).await
    }

    pub async fn of(world: World) -> Self {
        // For the human's client.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let emulator = Emulator::new(world);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        emulator.announce(listener.local_addr().unwrap());
        let served = emulator.clone();
        TaskTracker::new().spawn(async move {
            let stop = CancellationToken::new();
            served.serve(listener, Router::new(), stop).await
        });
        let ready = emulator.ready();
        let mut access = Access::discord(ready.bot.token.as_str().into());
        // The clock stands still, and a second would never be over.
        access.requests_per_second = u64::MAX;
        access.api_url = ready.api_url.parse().unwrap();
        access.gateway_url = Some(ready.gateway_url.parse().unwrap());
        let clock = Arc::new(ManualClock::new());
        Self {
            rest: Rest::new(&access, clock.clone()).unwrap(),
            emulator,
            ready,
            access,
            sessions: Arc::default(),
            clock,
        }
    }

    async fn bot(&self) -> ListeningBot {
        let me = self.rest.me().await.unwrap();
        let mut address = self.rest.gateway().await.unwrap();
        // No five seconds between sessions.
        address.max_concurrency = 0;
        ListeningBot::start(&self.access, &address, me, &self.sessions, &self.clock, 64)
    }

    pub fn general(&self) -> ChannelId {
        self.ready.channels["general"].parse().unwrap()
    }

    /// The first human says something in #general.
    async fn say(&self, text: &str) {
        let url = format!(
            "{}/channels/{}/messages",
            self.ready.api_url,
            self.general()
        );
        let response = reqwest::Client::new()
            .post(url)
            .header("authorization", &self.ready.users[0].token)
            .json(&json!({ "content": text }))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
    }

    fn user(&self, name: &str) -> &ReadyUser {
        let mut users = self.ready.users.iter();
        users.find(|user| user.name == name).unwrap()
    }

    /// What somebody does by REST, with what they are told.
    pub async fn does(&self, name: &str, method: Method, path: &str, body: Value) -> Value {
        let request = reqwest::Client::new()
            .request(method, format!("{}/{path}", self.ready.api_url))
            .header("authorization", &self.user(name).token);
        let response = request.json(&body).send().await.unwrap();
        assert!(response.status().is_success(), "{response:?}");
        response.json().await.unwrap_or_default()
    }

    fn post(&self, index: u16) -> Effect {
        self.shown(index, None, Outgoing::Say(format!("answer {index}")))
    }

    pub fn shown(&self, index: u16, reply_to: Option<MessageId>, outgoing: Outgoing) -> Effect {
        Effect {
            turn: TurnId::of_message(MessageId::new(1)),
            index,
            scope: Scope::Guild(self.ready.guild_id.parse().unwrap()),
            channel: self.general(),
            persona: PersonaId::MAIN,
            identity: None,
            body: EffectBody::Say { outgoing, reply_to },
            state: EffectState::Queued,
            queued_at: Timestamp::from_millis(0),
            pings: kaiwa_domain::Pings::default(),
        }
    }

    /// The id of a message that our bot has just posted.
    pub fn posted(&self, channel: ChannelId) -> String {
        let body = json!({ "content": "to be deleted" });
        let posted = self
            .emulator
            .post(&self.ready.bot.id, &channel.to_string(), body);
        posted.map_or_else(
            |_| "1".to_owned(),
            |it| it["id"].as_str().unwrap().to_owned(),
        )
    }

    fn said(&self) -> Vec<String> {
        let transcript = self.emulator.transcript(&self.general().to_string());
        transcript.into_iter().map(|(_, text)| text).collect()
    }
}

#[tokio::test]
async fn a_message_is_heard_and_answered() {
    let realm = Realm::start().await;
    let mut bot = realm.bot().await;
    bot.next_ready().await;
    realm.say("hello").await;
    let Event::Message(message) = bot.next().await.event else {
        panic!("no message");
    };
    assert_eq!(message.text, "hello");
    assert_eq!(message.author.kind, AuthorKind::Human);
    assert_eq!(message.author.name, realm.ready.users[0].name);
    realm.rest.typing(message.channel).await.unwrap();
    let outgoing = Outgoing::Say("answer 0".to_owned());
    let reply = realm.shown(0, Some(message.id), outgoing);
    let answer = show(&realm.rest, &reply).await.unwrap();
    assert_eq!(realm.said(), ["hello", "answer 0"]);
    let after = History::After(message.id);
    let history = realm
        .rest
        .history(message.scope, message.channel, after, 10);
    let history = history.await.unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].id, answer);
    assert_eq!(history[0].author.kind, AuthorKind::Bot);
    assert_eq!(history[0].reply.as_ref().unwrap().to, message.id);
}

#[tokio::test]
async fn the_portal_and_the_guilds_can_be_read() {
    let realm = Realm::start().await;
    let application = realm.rest.application().await.unwrap();
    assert_eq!(application.id.to_string(), realm.ready.bot.application_id);
    assert!(application.message_content);
    let guilds = realm.rest.guilds().await.unwrap();
    let mut known = realm.ready.guilds.iter();
    assert!(known.all(|it| guilds.iter().any(|guild| guild.guild.to_string() == it.id)));
    assert_eq!(guilds.len(), realm.ready.guilds.len());
}

#[tokio::test]
async fn an_answer_lost_on_the_way_is_not_posted_twice() {
    let realm = Realm::start().await;
    let faults = realm.emulator.faults();
    faults.swallow_next(Method::POST, "/messages", 1);
    let post = realm.post(0);
    let error = show(&realm.rest, &post).await.unwrap_err();
    assert!(matches!(error, ChatError::Unknown { .. }), "{error}");
    assert_eq!(error.disposition(), Disposition::RetrySame);
    show(&realm.rest, &post).await.unwrap();
    show(&realm.rest, &realm.post(1)).await.unwrap();
    assert_eq!(realm.said(), ["answer 0", "answer 1"]);
}

#[tokio::test]
async fn discords_own_words_become_actions() {
    let realm = Realm::start().await;
    let nowhere = Effect {
        channel: ChannelId::new(1),
        ..realm.post(0)
    };
    let error = show(&realm.rest, &nowhere).await.unwrap_err();
    assert!(
        matches!(error, ChatError::Refused { code: 10003, .. }),
        "{error}"
    );
    assert_eq!(error.disposition(), Disposition::StopTurn);
    let blocked = json!({"code": 200_000, "message": "blocked"});
    let faults = realm.emulator.faults();
    faults.fail_next(
        Method::POST,
        "/messages",
        StatusCode::BAD_REQUEST,
        blocked,
        1,
    );
    let error = show(&realm.rest, &realm.post(0)).await.unwrap_err();
    assert_eq!(error.disposition(), Disposition::GiveUp);
    let bad_token = Access {
        token: "nobody".into(),
        ..realm.access.clone()
    };
    let rest = Rest::new(&bad_token, realm.clock.clone()).unwrap();
    let error = rest.me().await.unwrap_err();
    assert_eq!(error.disposition(), Disposition::Halt);
}

#[tokio::test]
async fn cuts_of_every_kind_lose_and_double_nothing() {
    for cut in [Cut::Abrupt, Cut::Close(4000), Cut::Reconnect] {
        let realm = Realm::start().await;
        let mut bot = realm.bot().await;
        bot.next_ready().await;
        realm.say("one").await;
        assert_eq!(bot.next_text().await, "one");
        let faults = realm.emulator.faults();
        assert_eq!(faults.cut_gateway(&realm.ready.bot.id, cut), 1);
        realm.say("two").await;
        realm.say("three").await;
        let mut heard = Vec::new();
        while heard.len() < 2 {
            let inbound = bot.next().await;
            inbound.ack.acknowledge();
            if let Event::Message(message) = inbound.event {
                heard.push(message.text);
            }
        }
        assert_eq!(heard, ["two", "three"]);
        assert_eq!(realm.emulator.counts().identifies, 1);
    }
}

#[tokio::test]
async fn a_restart_resumes_and_replays_what_was_not_dealt_with() {
    let realm = Realm::start().await;
    let mut bot = realm.bot().await;
    bot.next_ready().await;
    realm.say("dealt with").await;
    assert_eq!(bot.next_text().await, "dealt with");
    realm.say("still in hand").await;
    drop(bot.next().await);
    bot.shutdown.cancel();
    assert_eq!(bot.task.await.unwrap(), Ok(()));
    realm.say("while away").await;
    let mut bot = realm.bot().await;
    bot.next_ready().await;
    assert_eq!(bot.next_text().await, "still in hand");
    assert_eq!(bot.next_text().await, "while away");
    let counts = realm.emulator.counts();
    assert_eq!((counts.identifies, counts.resumes), (1, 1));
}

#[tokio::test]
async fn a_forgotten_session_is_replaced() {
    let realm = Realm::start().await;
    let mut bot = realm.bot().await;
    bot.next_ready().await;
    let faults = realm.emulator.faults();
    faults.drop_sessions();
    faults.cut_gateway(&realm.ready.bot.id, Cut::Abrupt);
    bot.next_ready().await;
    realm.say("hello again").await;
    assert_eq!(bot.next_text().await, "hello again");
    assert_eq!(realm.emulator.counts().identifies, 2);
}

#[tokio::test]
async fn a_bad_token_and_a_forbidden_intent_are_told_apart() {
    let realm = Realm::start().await;
    let me = realm.rest.me().await.unwrap();
    let address = realm.rest.gateway().await.unwrap();
    let bad_token = Access {
        token: "nobody".into(),
        ..realm.access.clone()
    };
    let bot = ListeningBot::start(&bad_token, &address, me, &realm.sessions, &realm.clock, 1);
    assert_eq!(bot.task.await.unwrap(), Err(GatewayError::TokenRefused));

    let world = r#"
        limits = "off"
        guild.name = "Closed House"
        bot = { name = "Kaiwa", intents = [] }
        users = [{ name = "Ada" }]
        channels = [{ name = "general" }]
    "#;
    let mut realm = Realm::of(World::from_toml(world).unwrap()).await;
    let refused = realm.bot().await.task.await.unwrap().unwrap_err();
    let expected = GatewayError::IntentsRefused {
        which: "the Message Content Intent",
        setting: "discord.message_content",
    };
    assert_eq!(refused, expected);
    realm.access.message_content = false;
    realm.bot().await.next_ready().await;
}

/// Noor comes by Ada's invite, gets a nickname, and leaves.
#[tokio::test]
async fn who_joins_changes_and_leaves_is_heard_of_if_asked_for() {
    for asked_for in [true, false] {
        let mut realm = Realm::start().await;
        realm.access.guild_members = asked_for;
        let mut bot = realm.bot().await;
        bot.next_ready().await;
        let guild = realm.ready.guild_id.clone();
        let invited = realm
            .does(
                "Ada",
                Method::POST,
                &format!("channels/{}/invites", realm.general()),
                json!({}),
            )
            .await;
        let code = invited["code"].as_str().unwrap();
        realm
            .does("Noor", Method::POST, &format!("invites/{code}"), json!({}))
            .await;
        let noor = realm.user("Noor").id.clone();
        let member = format!("guilds/{guild}/members/{noor}");
        realm
            .does("Ada", Method::PATCH, &member, json!({"nick": "Reader"}))
            .await;
        let left = format!("users/@me/guilds/{guild}");
        realm.does("Noor", Method::DELETE, &left, json!({})).await;
        realm.say("who was that?").await;

        let mut heard = Vec::new();
        loop {
            match bot.next().await.event {
                Event::MemberJoined(it) => {
                    assert_eq!(it.id, noor.parse().unwrap());
                    assert!(it.join().is_some());
                    heard.push(format!("{} joined", it.name));
                }
                Event::MemberUpdated(it) => heard.push(format!("{} changed", it.name)),
                Event::MemberLeft { name, .. } => heard.push(format!("{name} left")),
                Event::Message(message) if message.text == "who was that?" => break,
                _ => {}
            }
        }
        let expected: &[&str] = match asked_for {
            true => &["Noor joined", "Reader changed", "Noor left"],
            false => &[],
        };
        assert_eq!(heard, expected);
    }
}

#[tokio::test]
async fn a_picture_of_a_table_arrives_whole() {
    let realm = Realm::start().await;
    let table = Table::parse("| a | b |\n|---|---|\n| 1 | 2 |").unwrap();
    let painted = picture(&table);
    let rest = realm
        .rest
        .clone()
        .with_painter(Arc::new(Stencil(Ok(painted.clone()))));
    let post = realm.shown(0, None, Outgoing::Table(table.clone()));
    let id = show(&rest, &post).await.unwrap();
    assert_eq!(show(&rest, &post).await, Ok(id), "the nonce is heeded");

    let url = format!(
        "{}/channels/{}/messages/{id}",
        realm.ready.api_url,
        realm.general()
    );
    let client = reqwest::Client::new();
    let answer = client
        .get(url)
        .header("authorization", &realm.ready.users[0].token)
        .send();
    let message: serde_json::Value = answer.await.unwrap().json().await.unwrap();
    let file = &message["attachments"][0];
    assert_eq!(file["filename"], "table.png");
    assert_eq!(file["content_type"], "image/png");
    assert_eq!(file["description"], table.alt());
    assert_eq!((&file["width"], &file["height"]), (&json!(3), &json!(2)));
    let served = client
        .get(file["url"].as_str().unwrap())
        .send()
        .await
        .unwrap();
    assert_eq!(served.bytes().await.unwrap(), painted.png);

    let seen = rest.message(post.scope, post.channel, id).await.unwrap();
    let described = seen.unwrap().attachments[0].description.clone();
    assert_eq!(described, Some(table.alt()));
}
