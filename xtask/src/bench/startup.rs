//! From process start to a connected bot and to a page.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::figure::percentile;
use super::running::{PATIENCE, TimedChild};
use super::{Figure, empty_folder, kaiwa};

const RUNS: usize = 20;

/// In milliseconds.
const AIM: f64 = 300.0;

pub(super) fn measure() -> Result<Vec<Figure>, String> {
    let (mut ready, mut page) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let (bot_online, page_served) = one_start()?;
        ready.push(bot_online);
        page.push(page_served);
    }
    let mut figures = Vec::new();
    for (what, times) in [("READY", &ready), ("page served", &page)] {
        for (name, percent) in [("median", 50), ("p95", 95)] {
            let millis = percentile(times, percent).as_secs_f64() * 1000.0;
            let what = format!("process start to {what}, {name} of {RUNS}");
            figures.push(Figure::new(what, millis, "ms").below(AIM));
        }
    }
    Ok(figures)
}

/// The first start of a newcomer: there is no database.
fn one_start() -> Result<(Duration, Duration), String> {
    let data = empty_folder("start")?;
    let address = free_address()?;
    let mut command = kaiwa();
    command
        .current_dir(&data)
        .args(["play", "--no-open", "--model", "understudy", "--port"])
        .arg(address.port().to_string())
        .args(["--data", "data"]);
    let play = TimedChild::start(&mut command)?;
    let begun = play.begun();
    let poll = thread::spawn(move || page_served(address, begun));
    let (online, _) = play.says("the bot is online")?;
    let served = poll.join().map_err(|_| "polling the page crashed")??;
    Ok((online, served))
}

/// An address that nobody listens at. Asking for any port would tell us the
/// address only after the page is up.
fn free_address() -> Result<SocketAddr, String> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map_err(|error| format!("no port is free: {error}"))
}

/// Asks for the page until it comes.
fn page_served(address: SocketAddr, begun: Instant) -> Result<Duration, String> {
    while begun.elapsed() < PATIENCE {
        if get(address).is_ok_and(|head| head.starts_with(b"HTTP/1.1 200 ")) {
            return Ok(begun.elapsed());
        }
        thread::sleep(Duration::from_millis(1));
    }
    Err("the page was never served".into())
}

fn get(address: SocketAddr) -> std::io::Result<[u8; 13]> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut head = [0; 13];
    stream.read_exact(&mut head)?;
    Ok(head)
}
