//! Those who listen.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::{
    net::TcpStream,
    sync::{Mutex, mpsc},
    task::JoinSet,
    time::timeout,
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{
        Message,
        protocol::{CloseFrame, frame::coding::CloseCode},
    },
};
use tokio_util::sync::CancellationToken;

use super::served::Target;

/// How long anything may take before it is taken for lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many of the clients tell how late events come.
const WATCHES: u64 = 10;

/// Connected clients. Some tell how late events come, all tell how many came.
pub(crate) struct Audience {
    clients: u64,
    received: Arc<AtomicU64>,
    delays: Mutex<mpsc::Receiver<u64>>,
    leave: CancellationToken,
    tasks: JoinSet<()>,
}

/// Lets senders go on while not too much is on its way.
#[derive(Clone)]
pub(crate) struct Passage {
    clients: u64,
    most: u64,
    sent: Arc<AtomicU64>,
    received: Arc<AtomicU64>,
}

impl Passage {
    /// Waits for room for one more message.
    pub(crate) async fn free(&self) {
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        let free = async {
            while number > self.received.load(Ordering::Relaxed) / self.clients + self.most {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
        };
        timeout(PATIENCE, free).await.unwrap();
    }

    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    received: Arc<AtomicU64>,
    ready: mpsc::Sender<()>,
    delays: Option<mpsc::Sender<u64>>,
}

impl Client {
    async fn listen(mut self, target: Target, leave: CancellationToken) {
        while let Some(Some(Ok(message))) = leave.run_until_cancelled(self.socket.next()).await {
            let Message::Text(text) = message else {
                continue;
            };
            if text.starts_with(r#"{"t":"GUILD_CREATE""#) {
                let _ = self.ready.try_send(());
            }
            if !text.starts_with(r#"{"t":"MESSAGE_CREATE""#) {
                continue;
            }
            self.received.fetch_add(1, Ordering::Relaxed);
            if let Some(delays) = &self.delays {
                let (_, rest) = text.split_once(r#""content":""#).unwrap();
                let due: u64 = rest.split('"').next().unwrap().parse().unwrap();
                let now = u64::try_from(target.begun.elapsed().as_micros()).unwrap();
                let _ = delays.try_send(now.saturating_sub(due));
            }
        }
        // A session that is not given up would go on to collect events.
        let goodbye = CloseFrame {
            code: CloseCode::Normal,
            reason: "".into(),
        };
        let _ = self.socket.send(Message::Close(Some(goodbye))).await;
        while let Some(Ok(_)) = self.socket.next().await {}
    }
}

impl Audience {
    pub(crate) async fn connect(target: &Target, clients: u64) -> Self {
        let received = Arc::new(AtomicU64::new(0));
        let leave = CancellationToken::new();
        let (tell, delays) = mpsc::channel(100_000);
        let (ready, mut waiting) = mpsc::channel(usize::try_from(clients).unwrap());
        let mut tasks = JoinSet::new();
        for number in 0..clients {
            let url = format!("{}/?v=10&encoding=json", target.gateway);
            let (mut socket, _) = connect_async(url).await.unwrap();
            let person = usize::try_from(number).unwrap() % target.tokens.len();
            let identify = json!({ "token": target.tokens[person], "properties": {} });
            let identify = json!({ "op": 2, "d": identify }).to_string();
            socket.send(Message::text(identify)).await.unwrap();
            let watches = number % clients.div_ceil(WATCHES) == 0;
            let client = Client {
                socket,
                received: received.clone(),
                ready: ready.clone(),
                delays: watches.then(|| tell.clone()),
            };
            tasks.spawn(client.listen(target.clone(), leave.clone()));
        }
        for _ in 0..clients {
            timeout(PATIENCE, waiting.recv()).await.unwrap();
        }
        Self {
            clients,
            received,
            delays: Mutex::new(delays),
            leave,
            tasks,
        }
    }

    /// Room for so many messages at a time.
    pub(crate) fn passage(&self, most: u64) -> Passage {
        Passage {
            clients: self.clients,
            most,
            sent: Arc::default(),
            received: self.received.clone(),
        }
    }

    /// Waits until everybody has so many messages, and begins to count anew.
    pub(crate) async fn has(&self, messages: u64) {
        let all = messages * self.clients;
        let waiting = async {
            while self.received.load(Ordering::Relaxed) < all {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(PATIENCE, waiting).await.unwrap();
        self.received.store(0, Ordering::Relaxed);
    }

    /// What was told of delays since the last time.
    pub(crate) async fn delays(&self) -> Vec<u64> {
        let mut delays = self.delays.lock().await;
        let mut all = Vec::new();
        while let Ok(delay) = delays.try_recv() {
            all.push(delay);
        }
        all
    }

    /// Everybody says goodbye.
    pub(crate) async fn leave(self) {
        self.leave.cancel();
        timeout(PATIENCE, self.tasks.join_all()).await.unwrap();
    }
}
