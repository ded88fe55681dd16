//! What a thousand answers that nobody wanted to the end leave behind. Alone in
//! its process, so that it can count.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, future};
use kaiwa_domain::port::{Answer, ChatModel, Clock, Ledger, Pending};
use kaiwa_domain::{
    Bill, Brief, ChannelId, Delta, Expense, GuildId, Line, MessageId, Moment, Payer, Role, Scope,
    Spender, Spent, StoreError, Timestamp, TurnId, UserId,
};
use kaiwa_provider::{
    Budget, Candidate, Endpoint, FIRST_WORD_WITHIN, ModelPool, ModelRoute, Router, Vendor,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use url::Url;

/// Time stands still, so whoever pauses is never done.
struct Standstill;

impl Clock for Standstill {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn moment(&self) -> Moment {
        Moment::default()
    }

    fn sleep(&self, _: Duration) -> Pending<'static, ()> {
        Box::pin(future::pending())
    }
}

#[derive(Default)]
struct Tally(AtomicUsize);

impl Ledger for Tally {
    fn record<'a>(&'a self, _: &'a Expense) -> Pending<'a, Result<(), StoreError>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(future::ready(Ok(())))
    }

    fn spent(&self, _: Scope, _: Spender, _: Timestamp) -> Pending<'_, Result<Spent, StoreError>> {
        Box::pin(future::ready(Ok(Spent::default())))
    }

    fn bills(&self, _: TurnId) -> Pending<'_, Result<Vec<Bill>, StoreError>> {
        Box::pin(future::ready(Ok(Vec::new())))
    }
}

/// A server that counts its connections.
struct Server {
    base: Url,
    open: watch::Sender<usize>,
    /// Told of each question.
    asked: Mutex<mpsc::Receiver<()>>,
    _tasks: JoinSet<()>,
}

impl Server {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let open = watch::Sender::new(0);
        let (tell, asked) = mpsc::channel(1);
        let mut tasks = JoinSet::new();
        let count = open.clone();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                tokio::select! {
                    Some(ended) = connections.join_next() => ended.unwrap(),
                    accepted = listener.accept() => {
                        let (stream, _) = accepted.unwrap();
                        count.send_modify(|open| *open += 1);
                        let (count, tell) = (count.clone(), tell.clone());
                        connections.spawn(async move {
                            serve(stream, tell).await;
                            count.send_modify(|open| *open -= 1);
                        });
                    }
                }
            }
        });
        Self {
            base: base.parse().unwrap(),
            open,
            asked: Mutex::new(asked),
            _tasks: tasks,
        }
    }

    fn router(&self, pool: &ModelPool, model: &str) -> Router {
        let vendor = Vendor::at(&self.base);
        let candidate = Candidate {
            name: format!("server/{model}"),
            endpoint: Endpoint::at(vendor, self.base.clone(), model.to_owned()),
            keys: Vec::new(),
            price: None,
            context: None,
        };
        let route = ModelRoute {
            role: Role::Chat,
            candidates: vec![candidate],
            on_censored: Vec::new(),
            budget: Budget::default(),
            first_word_within: FIRST_WORD_WITHIN,
        };
        pool.route(route).unwrap()
    }
}

/// Reads a question, does as the model's name says, and waits for the end.
async fn serve(mut stream: TcpStream, tell: mpsc::Sender<()>) {
    let mut question = Vec::new();
    let is_whole = |question: &[u8]| {
        let text = String::from_utf8_lossy(question).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.parse::<usize>().unwrap())
        });
        (body.len() >= length?).then(|| body.to_owned())
    };
    let body = loop {
        match is_whole(&question) {
            Some(body) => break body,
            None => match stream.read_buf(&mut question).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            },
        }
    };
    if body.contains("\"hangs\"") {
        tell.send(()).await.unwrap();
    } else if body.contains("\"speaks\"") {
        let event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
        let reply = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{event}\r\n",
            event.len()
        );
        let _ = stream.write_all(reply.as_bytes()).await;
    } else {
        let reply =
            "HTTP/1.1 429 Busy\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let _ = stream.write_all(reply.as_bytes()).await;
        return;
    }
    while !matches!(stream.read_buf(&mut question).await, Ok(0) | Err(_)) {}
}

fn brief(number: u64) -> Brief {
    Brief {
        lines: vec![Line::user("tea? ".repeat(200))],
        payer: Some(Payer {
            turn: TurnId::of_message(MessageId::new(number)),
            scope: Scope::Guild(GuildId::new(1)),
            channel: ChannelId::new(2),
            user: UserId::new(number % 7),
        }),
        ..Brief::default()
    }
}

/// Begins an answer and brings it to a moment that its number decides: before
/// the headers, in the middle, or in the pause before a retry.
async fn begin(server: &Server, pool: &ModelPool, number: u64) -> Answer {
    let model = ["hangs", "speaks", "stalls"][usize::try_from(number % 3).unwrap()];
    let mut answer = server.router(pool, model).answer(brief(number));
    match model {
        "hangs" => {
            let asked = future::poll_fn(|context| server.asked.lock().unwrap().poll_recv(context));
            tokio::select! {
                said = answer.next() => panic!("{said:?}"),
                told = asked => told.unwrap(),
            }
        }
        "speaks" => {
            let said = answer.next().await;
            assert!(matches!(said, Some(Ok(Delta::Text(_)))), "{said:?}");
        }
        _ => {
            let said = answer.next().await;
            assert!(matches!(said, Some(Ok(Delta::Spent(_)))), "{said:?}");
            assert!(answer.next().now_or_never().is_none());
        }
    }
    answer
}

/// A thousand answers, fifty at a time, each dropped in the middle.
async fn cancel_a_thousand(server: &Server, pool: &ModelPool) {
    let mut window = VecDeque::new();
    for number in 0..1000 {
        window.push_back(begin(server, pool, number).await);
        if window.len() > 50 {
            window.pop_front();
        }
    }
    drop(window);
    pool.settle().await;
}

fn sockets() -> usize {
    let links = std::fs::read_dir("/proc/self/fd").unwrap();
    let targets = links.filter_map(|link| std::fs::read_link(link.unwrap().path()).ok());
    targets
        .filter(|target| target.to_string_lossy().starts_with("socket:"))
        .count()
}

/// Kilobytes of memory in use.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.unwrap().split_whitespace().nth(1);
    number.unwrap().parse().unwrap()
}

/// Completes when nothing is left but what was there before.
async fn is_back_to(server: &Server, tasks: usize, open_sockets: usize) {
    let metrics = Handle::current().metrics();
    let wait = async {
        let mut open = server.open.subscribe();
        open.wait_for(|open| *open == 0).await.unwrap();
        while metrics.num_alive_tasks() > tasks || sockets() > open_sockets {
            tokio::task::yield_now().await;
        }
    };
    if tokio::time::timeout(Duration::from_secs(60), wait)
        .await
        .is_err()
    {
        let (now, open) = (metrics.num_alive_tasks(), sockets());
        panic!("{now} tasks instead of {tasks}, {open} sockets instead of {open_sockets}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_thousand_dropped_answers_leave_nothing_behind() {
    let server = Server::new().await;
    let ledger = Arc::new(Tally::default());
    let pool = ModelPool::new(Arc::new(Standstill), Some(ledger.clone()));
    let (tasks, open) = (Handle::current().metrics().num_alive_tasks(), sockets());

    cancel_a_thousand(&server, &pool).await;
    is_back_to(&server, tasks, open).await;
    let after_one = resident();
    for _ in 0..2 {
        cancel_a_thousand(&server, &pool).await;
    }
    is_back_to(&server, tasks, open).await;
    // Each was paid for, the dropped ones too.
    assert_eq!(ledger.0.load(Ordering::SeqCst), 3000);
    let grown = resident().saturating_sub(after_one);
    println!("2000 more answers: {grown} KiB more");
    assert!(grown < 2048, "{grown} KiB for 2000 dropped answers");
}
