//! Those who listen.

use std::{
    fmt,
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

/// How long what was sent may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whoever is silent for longer is closed.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// How many of the clients tell how late events come.
const WATCHES: u64 = 10;

/// Connected clients. Some tell how late events come, all tell how many came.
pub(crate) struct Audience {
    pub(crate) clients: u64,
    heard: Arc<Heard>,
    delays: Mutex<mpsc::Receiver<u64>>,
    leave: CancellationToken,
    tasks: JoinSet<()>,
}

/// What the clients tell together.
#[derive(Default)]
struct Heard {
    events: AtomicU64,
    /// Clients whose connection ended before they left.
    closed: AtomicU64,
}

/// Why there are no figures.
#[derive(Debug)]
pub(crate) struct Stalled {
    what: &'static str,
    came: u64,
    of: u64,
    closed: u64,
}

impl fmt::Display for Stalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            came,
            of,
            closed,
        } = self;
        write!(
            f,
            "{came} of {of} {what} came within {PATIENCE:?}, and {closed} clients were closed"
        )
    }
}

/// Lets senders go on while not too much is on its way.
#[derive(Clone)]
pub(crate) struct Passage {
    /// How many clients a message reaches.
    reach: u64,
    most: u64,
    begun: Arc<AtomicU64>,
    sent: Arc<AtomicU64>,
    before: u64,
    heard: Arc<Heard>,
}

impl Passage {
    /// Waits for room for one more message. Says whether there is some.
    pub(crate) async fn free(&self) -> bool {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let free = async {
            while number > self.came() / self.reach + self.most {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
        };
        timeout(PATIENCE, free).await.is_ok()
    }

    /// One more message was sent.
    pub(crate) fn sent(&self) {
        self.sent.fetch_add(1, Ordering::Relaxed);
    }

    fn came(&self) -> u64 {
        self.heard.events.load(Ordering::Relaxed) - self.before
    }
}

struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    heard: Arc<Heard>,
    ready: mpsc::Sender<()>,
    delays: Option<mpsc::Sender<u64>>,
}

impl Client {
    async fn listen(mut self, target: Target, leave: CancellationToken) {
        let mut beat = tokio::time::interval(HEARTBEAT);
        loop {
            tokio::select! {
                () = leave.cancelled() => break,
                _ = beat.tick() => {
                    let beat = Message::text(r#"{"op":1,"d":null}"#);
                    let _ = self.socket.send(beat).await;
                }
                message = self.socket.next() => match message {
                    Some(Ok(Message::Text(text))) => self.hear(&text, &target),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => {
                        self.heard.closed.fetch_add(1, Ordering::Relaxed);
                        return;
                    }
                },
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

    fn hear(&self, text: &str, target: &Target) {
        if text.starts_with(r#"{"t":"GUILD_CREATE""#) {
            let _ = self.ready.try_send(());
        }
        if !text.starts_with(r#"{"t":"MESSAGE_CREATE""#) {
            return;
        }
        self.heard.events.fetch_add(1, Ordering::Relaxed);
        if let Some(delays) = &self.delays {
            let (_, rest) = text.split_once(r#""content":""#).unwrap();
            let due: u64 = rest.split('"').next().unwrap().parse().unwrap();
            let now = u64::try_from(target.begun.elapsed().as_micros()).unwrap();
            let _ = delays.try_send(now.saturating_sub(due));
        }
    }
}

impl Audience {
    pub(crate) async fn connect(target: &Target, clients: u64) -> Result<Self, Stalled> {
        let heard = Arc::new(Heard::default());
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
            // Not the same person each time, who would see the same rooms.
            let watches = number % (clients.div_ceil(WATCHES) + 1) == 0;
            let client = Client {
                socket,
                heard: heard.clone(),
                ready: ready.clone(),
                delays: watches.then(|| tell.clone()),
            };
            tasks.spawn(client.listen(target.clone(), leave.clone()));
        }
        for came in 0..clients {
            if timeout(PATIENCE, waiting.recv()).await.is_err() {
                return Err(Stalled {
                    what: "clients",
                    came,
                    of: clients,
                    closed: heard.closed.load(Ordering::Relaxed),
                });
            }
        }
        Ok(Self {
            clients,
            heard,
            delays: Mutex::new(delays),
            leave,
            tasks,
        })
    }

    /// Room for so many messages at a time, of which each reaches so many.
    pub(crate) fn passage(&self, most: u64, reach: u64) -> Passage {
        Passage {
            reach,
            most,
            begun: Arc::default(),
            sent: Arc::default(),
            before: self.heard.events.load(Ordering::Relaxed),
            heard: self.heard.clone(),
        }
    }

    /// Waits until everything that was sent has come, and says how many
    /// messages that were.
    pub(crate) async fn has_all(&self, passage: &Passage) -> Result<u64, Stalled> {
        let sent = passage.sent.load(Ordering::Relaxed);
        let of = sent * passage.reach;
        let waiting = async {
            while passage.came() < of {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        match timeout(PATIENCE, waiting).await {
            Ok(()) => Ok(sent),
            Err(_) => Err(Stalled {
                what: "events",
                came: passage.came(),
                of,
                closed: self.heard.closed.load(Ordering::Relaxed),
            }),
        }
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
        let _ = timeout(PATIENCE, self.tasks.join_all()).await;
    }
}
