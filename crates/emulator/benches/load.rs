//! A load for `kaiwa emulate` in another process: `cargo xtask bench emulator`
//! starts both and reads the line of JSON that this one prints.
//!
//! The environment names the emulator's ready line (`EMULATOR_READY`) and its
//! process (`EMULATOR_PID`).
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a stopwatch that cannot measure has nothing to say"
)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
    task::JoinSet,
    time::{interval, timeout},
};
use tokio_tungstenite::{connect_async, tungstenite::Message};

/// What the emulator is asked, all at once, at full speed.
const SENDERS: usize = 8;
const FULL_SPEED: Duration = Duration::from_secs(4);
const STEADY: Duration = Duration::from_secs(5);
const STEADY_PER_SECOND: u64 = 1000;
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone)]
struct Target {
    address: String,
    gateway: String,
    channel: String,
    tokens: Arc<Vec<String>>,
    begun: Instant,
}

#[tokio::main]
async fn main() {
    let Ok(ready) = std::env::var("EMULATOR_READY") else {
        return;
    };
    let ready: Value = serde_json::from_str(&ready).unwrap();
    let pid: u32 = std::env::var("EMULATOR_PID").unwrap().parse().unwrap();
    let api = ready["api_url"].as_str().unwrap();
    let users = ready["users"].as_array().unwrap().iter();
    let target = Target {
        address: api.split('/').nth(2).unwrap().to_owned(),
        gateway: ready["gateway_url"].as_str().unwrap().to_owned(),
        channel: ready["channels"]["general"].as_str().unwrap().to_owned(),
        tokens: Arc::new(
            users
                .map(|user| user["token"].as_str().unwrap().to_owned())
                .collect(),
        ),
        begun: Instant::now(),
    };
    let mut found = json!({});
    for clients in [1, 100, 1000] {
        let before = anonymous_kib(pid);
        let audience = Audience::connect(&target, clients).await;
        let kib = anonymous_kib(pid).saturating_sub(before) as f64 / clients as f64;
        let rate = full_speed(&target, &audience).await;
        let mut row = json!({ "per_second": rate, "kib_per_client": kib });
        if clients < 1000 {
            let mut delays = steady(&target, &audience).await;
            delays.sort_unstable();
            for (name, rank) in [("p50", 0.50), ("p99", 0.99)] {
                let place = ((delays.len() as f64 * rank) as usize).min(delays.len() - 1);
                row[name] = json!(delays[place] as f64 / 1000.0);
            }
        }
        found[clients.to_string()] = row;
        drop(audience);
    }
    println!("{found}");
}

/// Connected clients. The first tells how late events come, all tell how many
/// came.
struct Audience {
    clients: usize,
    received: Arc<AtomicU64>,
    delays: tokio::sync::Mutex<mpsc::Receiver<u64>>,
    _tasks: JoinSet<()>,
}

impl Audience {
    async fn connect(target: &Target, clients: usize) -> Self {
        let received = Arc::new(AtomicU64::new(0));
        let (tell, delays) = mpsc::channel(100_000);
        let mut tasks = JoinSet::new();
        let (ready, mut waiting) = mpsc::channel(clients);
        for client in 0..clients {
            let url = format!("{}/?v=10&encoding=json", target.gateway);
            let (mut socket, _) = connect_async(url).await.unwrap();
            let token = &target.tokens[client % target.tokens.len()];
            let identify = json!({ "op": 2, "d": { "token": token, "properties": {} } });
            socket
                .send(Message::text(identify.to_string()))
                .await
                .unwrap();
            let (received, ready, begun) = (received.clone(), ready.clone(), target.begun);
            let tell = (client == 0).then(|| tell.clone());
            tasks.spawn(async move {
                while let Some(Ok(message)) = socket.next().await {
                    let Message::Text(text) = message else {
                        continue;
                    };
                    if text.starts_with(r#"{"t":"GUILD_CREATE""#) {
                        let _ = ready.try_send(());
                    }
                    if !text.starts_with(r#"{"t":"MESSAGE_CREATE""#) {
                        continue;
                    }
                    received.fetch_add(1, Ordering::Relaxed);
                    if let Some(tell) = &tell {
                        let (_, rest) = text.split_once(r#""content":""#).unwrap();
                        let sent: u64 = rest.split('"').next().unwrap().parse().unwrap();
                        let now = u64::try_from(begun.elapsed().as_micros()).unwrap();
                        let _ = tell.try_send(now.saturating_sub(sent));
                    }
                }
            });
        }
        for _ in 0..clients {
            timeout(PATIENCE, waiting.recv()).await.unwrap();
        }
        Self {
            clients,
            received,
            delays: tokio::sync::Mutex::new(delays),
            _tasks: tasks,
        }
    }

    async fn has(&self, messages: u64) {
        let all = messages * self.clients as u64;
        let waiting = async {
            while self.received.load(Ordering::Relaxed) < all {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(PATIENCE, waiting).await.unwrap();
        self.received.store(0, Ordering::Relaxed);
    }

    async fn delays(&self) -> Vec<u64> {
        let mut delays = self.delays.lock().await;
        let mut all = Vec::new();
        while let Ok(delay) = delays.try_recv() {
            all.push(delay);
        }
        all
    }
}

/// A connection that posts one message after the other.
struct Sender {
    stream: TcpStream,
    target: Target,
    token: String,
    answer: Vec<u8>,
}

impl Sender {
    async fn new(target: &Target, number: usize) -> Self {
        let stream = TcpStream::connect(&target.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            target: target.clone(),
            token: target.tokens[number % target.tokens.len()].clone(),
            answer: Vec::new(),
        }
    }

    async fn post(&mut self) {
        let sent = self.target.begun.elapsed().as_micros();
        let body = format!(r#"{{"content":"{sent}"}}"#);
        let Target {
            channel, address, ..
        } = &self.target;
        let request = format!(
            "POST /api/v10/channels/{channel}/messages HTTP/1.1\r\nhost: {address}\r\nauthorization: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.answer.clear();
        loop {
            assert_ne!(self.stream.read_buf(&mut self.answer).await.unwrap(), 0);
            let text = String::from_utf8_lossy(&self.answer);
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            assert!(head.starts_with("HTTP/1.1 200"), "{text}");
            let length = head.split_once("content-length: ").unwrap().1;
            let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
            if body.len() >= length {
                return;
            }
        }
    }
}

/// Messages in a second, from many, until the last client has the last.
async fn full_speed(target: &Target, audience: &Audience) -> f64 {
    let begun = Instant::now();
    let mut senders = JoinSet::new();
    for number in 0..SENDERS {
        let mut sender = Sender::new(target, number).await;
        senders.spawn(async move {
            let mut sent = 0;
            while begun.elapsed() < FULL_SPEED {
                sender.post().await;
                sent += 1;
            }
            sent
        });
    }
    let sent: u64 = senders.join_all().await.into_iter().sum();
    audience.has(sent).await;
    audience.delays().await;
    sent as f64 / begun.elapsed().as_secs_f64()
}

/// Delays in microseconds at a thousand messages in a second.
async fn steady(target: &Target, audience: &Audience) -> Vec<u64> {
    let mut senders = JoinSet::new();
    let each = STEADY_PER_SECOND / SENDERS as u64;
    for number in 0..SENDERS {
        let mut sender = Sender::new(target, number).await;
        senders.spawn(async move {
            let mut tick = interval(Duration::from_secs(1) / u32::try_from(each).unwrap());
            let sends = each * STEADY.as_secs();
            for _ in 0..sends {
                tick.tick().await;
                sender.post().await;
            }
            sends
        });
    }
    let sent: u64 = senders.join_all().await.into_iter().sum();
    audience.has(sent).await;
    audience.delays().await
}

/// Memory that no file backs.
fn anonymous_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}
