//! A server that answers every request with 20 deltas a second, each of which
//! is the time in four characters. Prints its address; answers last as long as
//! it is told. One thread writes in turn to everybody, so that as little as
//! possible of the machine goes into the load.
//!
//! ```text
//! load SECONDS
//! ```

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kaiwa_bench_provider::stamp;

const EVERY: Duration = Duration::from_millis(50);

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

const CHUNK: &str = "data: {\"id\":\"chatcmpl-0123456789\",\"object\":\"chat.completion.chunk\",\"created\":1763200000,\"model\":\"load\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"TIME\"},\"finish_reason\":null}]}\n\n";

const LAST: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn main() {
    let seconds = std::env::args().nth(1).and_then(|arg| arg.parse().ok());
    let until = Instant::now() + Duration::from_secs(seconds.expect("seconds"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    println!("{}", listener.local_addr().expect("an address"));
    let arrived = Arc::new(Mutex::new(Vec::new()));
    let door = Arc::clone(&arrived);
    std::thread::spawn(move || {
        loop {
            match listener.accept() {
                Ok((peer, _)) => door.lock().expect("a lock").extend(greet(peer)),
                Err(error) => eprintln!("load: {error}"),
            }
        }
    });
    speak(&arrived, until);
}

/// Takes the request and begins the answer.
fn greet(mut peer: TcpStream) -> Option<TcpStream> {
    let mut request = [0; 4096];
    peer.set_nodelay(true).ok()?;
    let _ = peer.read(&mut request).ok()?;
    peer.write_all(HEAD).ok()?;
    peer.set_nonblocking(true).ok()?;
    Some(peer)
}

fn speak(arrived: &Mutex<Vec<TcpStream>>, until: Instant) {
    let mut frame = framed(CHUNK);
    let text = b"TIME";
    let hole = frame.windows(text.len()).position(|it| it == text);
    let hole = hole.expect("a hole for the time");
    let mut peers: Vec<TcpStream> = Vec::new();
    while Instant::now() < until {
        let begun = Instant::now();
        peers.append(&mut arrived.lock().expect("a lock"));
        let count = peers.len().max(1) as u32;
        for (place, peer) in peers.iter_mut().enumerate() {
            // Spread over the interval, as people are.
            let due = begun + EVERY * place as u32 / count;
            wait_until(due);
            frame[hole..hole + 4].copy_from_slice(&stamp::write(stamp::micros()));
            let _ = peer.write(&frame);
        }
        wait_until(begun + EVERY);
    }
    let mut last = framed(LAST);
    last.extend_from_slice(b"0\r\n\r\n");
    for peer in &mut peers {
        let _ = peer.write(&last);
    }
}

fn framed(chunk: &str) -> Vec<u8> {
    format!("{:x}\r\n{chunk}\r\n", chunk.len()).into_bytes()
}

fn wait_until(due: Instant) {
    let left = due.saturating_duration_since(Instant::now());
    // A shorter sleep lasts longer than it should.
    if left > Duration::from_micros(300) {
        std::thread::sleep(left);
    }
}
