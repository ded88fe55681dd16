//! How much memory a frame of the gateway takes at its peak, measured in a
//! process of its own.

use std::io::Write;
use std::process::Command;

use super::peer::Server;

/// Tells a process to take the frame.
const TAKE: &str = "KAIWA_TAKE_A_LARGE_FRAME";

/// The most that a bot may have that was sent a few kilobytes.
const PEAK_BYTES: u64 = 64_000_000;

/// A frame that is small and unpacks to hundreds of megabytes of nothing.
fn bomb() -> Vec<u8> {
    let mut packed = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    let blank = vec![b' '; 1 << 20];
    for _ in 0..400 {
        packed.write_all(&blank).unwrap();
    }
    packed.flush().unwrap();
    packed.get_ref().clone()
}

/// The other process: a bot that is sent the frame, and says the most memory
/// that it ever had. In this one it does nothing.
#[tokio::test]
async fn takes_a_large_frame() {
    if std::env::var_os(TAKE).is_none() {
        return;
    }
    let bomb = bomb();
    assert!(bomb.len() < 50_000, "{} bytes", bomb.len());
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.send_binary(bomb).await;
    peer.message(2, "still there").await;
    assert_eq!(bot.next_text().await, "still there");
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("peak:{}:", peak.unwrap().trim().trim_end_matches(" kB"));
}

#[test]
fn a_small_frame_takes_little_memory() {
    if !cfg!(target_os = "linux") {
        eprintln!("SKIPPED: peak memory is read from /proc, which this system does not have");
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory::takes_a_large_frame", "--nocapture"])
        .env(TAKE, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let told = printed.split(':').collect::<Vec<_>>();
    let at = told
        .iter()
        .position(|part| part.ends_with("peak"))
        .expect(&printed);
    let kilobytes: u64 = told[at + 1].parse().unwrap();
    println!("{} MB", kilobytes / 1000);
    assert!(kilobytes * 1024 < PEAK_BYTES, "{} MB", kilobytes / 1000);
}
