//! A gateway whose side of the talk the test leads.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::any;
use kaiwa_discord::{Access, Gateway, GatewayAddress, GatewayError};
use kaiwa_domain::port::{Inbound, Pending, Session, Sessions};
use kaiwa_domain::{Event, Me, StoreError, UserId};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::clock::ManualClock;
use super::fake::TOKEN;

/// A gateway server, and what outlives the bots that talk to it.
pub struct Server {
    pub clock: Arc<ManualClock>,
    pub sessions: Arc<SavedSessions>,
    port: u16,
    sockets: mpsc::Receiver<WebSocket>,
}

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (arrivals, sockets) = mpsc::channel(8);
        let app = Router::new()
            .route("/gateway/", any(upgrade))
            .with_state(arrivals);
        TaskTracker::new().spawn(async move { axum::serve(listener, app).await });
        Self {
            clock: Arc::new(ManualClock::new()),
            sessions: Arc::default(),
            port,
            sockets,
        }
    }

    pub fn url(&self) -> String {
        format!("ws://127.0.0.1:{}/gateway", self.port)
    }

    /// Starts a bot that talks to this server.
    pub fn bot(&self) -> ListeningBot {
        self.bot_with_room(64)
    }

    /// Starts a bot that holds `room` events for the test to take.
    pub fn bot_with_room(&self, room: usize) -> ListeningBot {
        self.bot_with(room, 1000, Duration::ZERO)
    }

    /// The same for a bot that may start so many of a thousand sessions until
    /// `reset_after` is over.
    pub fn bot_with(&self, room: usize, remaining: u32, reset_after: Duration) -> ListeningBot {
        let mut access = Access::discord(TOKEN.into());
        access.gateway_url = Some(self.url().parse().unwrap());
        let address = GatewayAddress {
            url: "wss://unused.invalid".to_owned(),
            shards: 1,
            max_concurrency: 0,
            remaining,
            total: 1000,
            reset_after,
        };
        let me = Me {
            id: UserId::new(9),
            name: "from-rest".to_owned(),
        };
        ListeningBot::start(&access, &address, me, &self.sessions, &self.clock, room)
    }

    /// The next connection, greeted.
    pub async fn accept(&mut self) -> Peer {
        let mut peer = Peer(self.sockets.recv().await.unwrap());
        let hello = json!({"op": 10, "d": {"heartbeat_interval": 600_000}});
        peer.send(&hello).await;
        peer
    }

    /// The next connection, with a new session whose READY is event 1.
    pub async fn accept_new_session(&mut self) -> Peer {
        let mut peer = self.accept().await;
        assert_eq!(peer.receive().await["op"], 2, "an IDENTIFY");
        peer.ready(&self.url()).await;
        peer
    }
}

async fn upgrade(
    State(arrivals): State<mpsc::Sender<WebSocket>>,
    ws: WebSocketUpgrade,
) -> Response {
    ws.on_upgrade(async move |socket| {
        let _ = arrivals.send(socket).await;
    })
}

/// A bot under test.
pub struct ListeningBot {
    pub events: mpsc::Receiver<Inbound>,
    /// The shards whose connections wait for room.
    pub paused: watch::Receiver<BTreeSet<u32>>,
    pub shutdown: CancellationToken,
    pub task: JoinHandle<Result<(), GatewayError>>,
}

impl ListeningBot {
    pub fn start(
        access: &Access,
        address: &GatewayAddress,
        me: Me,
        sessions: &Arc<SavedSessions>,
        clock: &Arc<ManualClock>,
        room: usize,
    ) -> Self {
        let gateway = Gateway::new(access, address, me, sessions.clone(), clock.clone());
        let gateway = gateway.unwrap();
        let paused = gateway.paused();
        let shard = gateway.shards().remove(0);
        let (sender, events) = mpsc::channel(room);
        let shutdown = CancellationToken::new();
        let task = TaskTracker::new().spawn(shard.run(sender, shutdown.clone()));
        Self {
            events,
            paused,
            shutdown,
            task,
        }
    }

    /// The next event, guilds aside.
    pub async fn next(&mut self) -> Inbound {
        loop {
            let inbound = self.events.recv().await.expect("an event");
            match inbound.event {
                Event::Guild(_) => inbound.ack.acknowledge(),
                _ => return inbound,
            }
        }
    }

    /// The next event must say who we are.
    pub async fn next_ready(&mut self) -> String {
        match self.next().await.event {
            Event::Ready { me, .. } => me.name,
            other => panic!("not ready but {other:?}"),
        }
    }

    /// The next event must be a message, and is dealt with.
    pub async fn next_text(&mut self) -> String {
        let inbound = self.next().await;
        inbound.ack.acknowledge();
        match inbound.event {
            Event::Message(message) => message.text,
            other => panic!("no message but {other:?}"),
        }
    }

    /// Stops the bot while the server listens for its goodbye.
    pub async fn stop(self, mut peer: Peer) -> u16 {
        self.shutdown.cancel();
        let code = peer.closed().await;
        assert_eq!(self.task.await.unwrap(), Ok(()));
        code
    }
}

/// The server's end of a connection.
pub struct Peer(WebSocket);

impl Peer {
    pub async fn send_binary(&mut self, frame: Vec<u8>) {
        self.0.send(Message::Binary(frame.into())).await.unwrap();
    }

    pub async fn send(&mut self, payload: &Value) {
        let text = payload.to_string();
        self.0.send(Message::Text(text.into())).await.unwrap();
    }

    pub async fn dispatch(&mut self, kind: &str, sequence: u64, payload: Value) {
        self.send(&json!({"op": 0, "t": kind, "s": sequence, "d": payload}))
            .await;
    }

    pub async fn ready(&mut self, resume_url: &str) {
        self.ready_in(resume_url, &[]).await;
    }

    /// The same for a bot that is in these guilds.
    pub async fn ready_in(&mut self, resume_url: &str, guilds: &[&str]) {
        let guilds = guilds.iter();
        let guilds: Vec<Value> = guilds
            .map(|id| json!({"id": id, "unavailable": true}))
            .collect();
        let ready = json!({
            "v": 10, "session_id": "session-1", "resume_gateway_url": resume_url,
            "user": {"id": "9", "username": "kaiwa", "bot": true}, "guilds": guilds,
        });
        self.dispatch("READY", 1, ready).await;
    }

    pub async fn guild(&mut self, sequence: u64, id: &str) {
        self.dispatch("GUILD_CREATE", sequence, json!({"id": id}))
            .await;
    }

    pub async fn message(&mut self, sequence: u64, text: &str) {
        let message = json!({
            "id": (100 + sequence).to_string(), "channel_id": "5", "guild_id": "3", "type": 0,
            "content": text, "author": {"id": "4", "username": "ann"},
        });
        self.dispatch("MESSAGE_CREATE", sequence, message).await;
    }

    /// What the bot sends next.
    pub async fn receive(&mut self) -> Value {
        match self.0.recv().await.unwrap().unwrap() {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("no text but {other:?}"),
        }
    }

    /// Closes with a code, and waits until the bot has seen it.
    pub async fn close(mut self, code: u16) {
        let frame = CloseFrame {
            code,
            reason: "".into(),
        };
        self.0.send(Message::Close(Some(frame))).await.unwrap();
        while let Some(Ok(_)) = self.0.recv().await {}
    }

    /// Waits for the bot to close, and returns its code.
    pub async fn closed(&mut self) -> u16 {
        let mut code = 0;
        while let Some(Ok(message)) = self.0.recv().await {
            if let Message::Close(Some(frame)) = message {
                code = frame.code;
            }
        }
        code
    }
}

/// Sessions that outlive a bot.
#[derive(Default)]
pub struct SavedSessions {
    rows: Mutex<HashMap<u32, Session>>,
    /// Whether saving takes for ever, as it may where the database is locked.
    pub stuck: AtomicBool,
    saves: watch::Sender<u64>,
}

impl SavedSessions {
    pub fn get(&self) -> Option<Session> {
        self.rows.lock().unwrap().get(&0).cloned()
    }

    pub fn put(&self, session: Session) {
        self.rows.lock().unwrap().insert(0, session);
    }

    /// Waits until a session with this sequence is saved.
    pub async fn reaches(&self, sequence: u64) {
        let mut saves = self.saves.subscribe();
        saves
            .wait_for(|_| {
                self.get()
                    .is_some_and(|session| session.sequence == sequence)
            })
            .await
            .unwrap();
    }
}

impl Sessions for SavedSessions {
    fn load(&self, shard: u32) -> Pending<'_, Result<Option<Session>, StoreError>> {
        let session = self.rows.lock().unwrap().get(&shard).cloned();
        Box::pin(async move { Ok(session) })
    }

    fn save(&self, shard: u32, session: Option<Session>) -> Pending<'_, Result<(), StoreError>> {
        if self.stuck.load(Ordering::Relaxed) {
            return Box::pin(std::future::pending());
        }
        let mut rows = self.rows.lock().unwrap();
        match session {
            Some(session) => rows.insert(shard, session),
            None => rows.remove(&shard),
        };
        drop(rows);
        self.saves.send_modify(|count| *count += 1);
        Box::pin(async { Ok(()) })
    }
}
