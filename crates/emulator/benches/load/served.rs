//! The emulator in a process of its own.

use std::{
    fmt::Write,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::Router;
use kaiwa_emulator::{Emulator, World};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Tells this program to be the emulator, with so many guilds.
pub(crate) const GUILDS: &str = "EMULATOR_BENCH_GUILDS";

/// Enough people that clients are not all the same one.
const PEOPLE: usize = 100;
/// Channels that a tenth of the people see each, beside the one for all.
const ROOMS: usize = 10;

/// Where to send what, and as whom.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) address: String,
    pub(crate) gateway: String,
    /// What everybody sees.
    pub(crate) channel: String,
    /// What those see whose number ends like the room's.
    pub(crate) rooms: Arc<Vec<String>>,
    pub(crate) tokens: Arc<Vec<String>>,
    /// What messages count their time from.
    pub(crate) begun: Instant,
}

/// Ends with the value.
pub(crate) struct Served {
    child: Child,
    pub(crate) target: Target,
}

impl Served {
    pub(crate) fn start(guilds: usize) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .env(GUILDS, guilds.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut ready)
            .unwrap();
        let ready: Value = serde_json::from_str(&ready).unwrap();
        let api = ready["api_url"].as_str().unwrap();
        let users = ready["users"].as_array().unwrap().iter();
        let tokens = users.map(|user| user["token"].as_str().unwrap().to_owned());
        let channel = |name: &str| ready["channels"][name].as_str().unwrap().to_owned();
        let target = Target {
            address: api.split('/').nth(2).unwrap().to_owned(),
            gateway: ready["gateway_url"].as_str().unwrap().to_owned(),
            channel: channel("general"),
            rooms: Arc::new(
                (0..ROOMS)
                    .map(|it| channel(&format!("room-{it}")))
                    .collect(),
            ),
            tokens: Arc::new(tokens.collect()),
            begun: Instant::now(),
        };
        Self { child, target }
    }

    /// Processor time that it took so far. It does not depend on who else wants
    /// the processors.
    pub(crate) fn processor_time(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(path).unwrap_or_default();
        let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
        let mut ticks = fields.split_whitespace().skip(11);
        let mut tick = || ticks.next().and_then(|it| it.parse().ok()).unwrap_or(0);
        let (user, system): (u64, u64) = (tick(), tick());
        // A hundredth of a second on every Linux.
        Duration::from_millis(10 * (user + system))
    }

    /// Memory that no file backs.
    pub(crate) fn anonymous_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix("RssAnon:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.unwrap_or(0)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Is the emulator, as `kaiwa emulate` is, until killed.
pub(crate) async fn serve(guilds: usize) {
    let emulator = Emulator::new(World::from_toml(&world(guilds)).unwrap());
    emulator.keep_traffic();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    emulator.announce(listener.local_addr().unwrap());
    println!("{}", serde_json::to_string(&emulator.ready()).unwrap());
    let never = CancellationToken::new();
    emulator
        .serve(listener, Router::new(), never)
        .await
        .unwrap();
}

fn world(guilds: usize) -> String {
    let mut world =
        "limits = \"off\"\n[guild]\nname = \"First\"\n[bot]\nname = \"Bot\"\n".to_owned();
    for guild in 0..guilds {
        let (of, people) = match guild {
            0 => ("", "users"),
            _ => ("guilds.", "members"),
        };
        if guild > 0 {
            let _ = write!(world, "[[guilds]]\nname = \"Guild {guild}\"\n");
        }
        for room in 0..ROOMS {
            let _ = write!(world, "[[{of}roles]]\nname = \"role {room}\"\n");
        }
        for number in 0..PEOPLE {
            let role = number % ROOMS;
            let _ = write!(
                world,
                "[[{of}{people}]]\nname = \"person {number}\"\nroles = [\"role {role}\"]\n"
            );
        }
        let _ = write!(world, "[[{of}channels]]\nname = \"general\"\n");
        for room in 0..ROOMS {
            let _ = write!(
                world,
                "[[{of}channels]]\nname = \"room-{room}\"\n\
                 [[{of}channels.overwrites]]\nrole = \"@everyone\"\ndeny = [\"view_channel\"]\n\
                 [[{of}channels.overwrites]]\nrole = \"role {room}\"\nallow = [\"view_channel\"]\n"
            );
        }
    }
    world
}
