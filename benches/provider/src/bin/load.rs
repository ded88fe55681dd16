//! A server that answers every request with 20 deltas a second, each of which
//! is the time in four characters. Prints its address and goes on until its
//! standard input is closed; an answer lasts as long as it is told.
//!
//! ```text
//! load SECONDS
//! ```

use std::time::{Duration, SystemTime};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, MissedTickBehavior};

const EVERY: Duration = Duration::from_millis(50);

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

const LAST: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let seconds: u64 = std::env::args()
        .nth(1)
        .and_then(|arg| arg.parse().ok())
        .expect("seconds");
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket
        .bind(([127, 0, 0, 1], 0).into())
        .expect("a free port");
    let listener: TcpListener = socket.listen(8192).expect("a listener");
    println!("{}", listener.local_addr().expect("an address"));
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut place = 0u32;
    loop {
        let Ok((peer, _)) = listener.accept().await else {
            eprintln!("load: too few file descriptors");
            continue;
        };
        place = place.wrapping_add(1);
        // Spread over the interval, as people are.
        let offset = EVERY * (place % 997) / 997;
        tokio::spawn(answer(peer, until, offset));
    }
}

async fn answer(mut peer: TcpStream, until: Instant, offset: Duration) {
    let mut request = [0; 4096];
    let _ = peer.set_nodelay(true);
    if peer.read(&mut request).await.is_err() || peer.write_all(HEAD).await.is_err() {
        return;
    }
    let mut ticks = tokio::time::interval_at(Instant::now() + offset, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut frame = Vec::new();
    while Instant::now() < until {
        ticks.tick().await;
        frame.clear();
        let chunk = format!(
            "data: {{\"id\":\"chatcmpl-0123456789\",\"object\":\"chat.completion.chunk\",\"created\":1763200000,\"model\":\"load\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{}\"}},\"finish_reason\":null}}]}}\n\n",
            stamp()
        );
        frame.extend_from_slice(format!("{:x}\r\n{chunk}\r\n", chunk.len()).as_bytes());
        if peer.write_all(&frame).await.is_err() {
            return;
        }
    }
    let last = format!("{:x}\r\n{LAST}\r\n0\r\n\r\n", LAST.len());
    let _ = peer.write_all(last.as_bytes()).await;
}

/// The time in microseconds as four digits of six bits. Backslash is the one
/// digit that JSON minds; it is not among `0` to `o` but for 92, so it is
/// escaped.
fn stamp() -> String {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let micros = (since.as_micros() as u32) & 0xff_ffff;
    let digits = [18, 12, 6, 0].map(|shift| char::from(b'0' + ((micros >> shift) & 63) as u8));
    digits.iter().collect::<String>().replace('\\', "\\\\")
}
