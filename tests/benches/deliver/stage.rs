//! Discord with people, a model, and whoever answers.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::post;
use kaiwa_emulator::{Emulator, Ready, World};
use kaiwa_runtime::Tasks;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Barrier;
use tokio_util::sync::CancellationToken;

use crate::PATIENCE;
use crate::model::{BenchModel, NUMBER, Script, answer};
use crate::relay::RelayOrders;
use crate::watch::{Seen, watch};

/// What a guild of a world may have.
const CHANNELS_PER_GUILD: usize = 100;
const PEOPLE: usize = 100;

/// Discord with people, and a model.
pub(crate) struct BenchStage {
    pub(crate) emulator: Emulator,
    ready: Ready,
    /// The channels, by their number.
    channels: Vec<String>,
    script: Script,
    /// Where the model is.
    model: String,
    pub(crate) seen: Arc<Mutex<Seen>>,
    data: TempDir,
    ending: CancellationToken,
    /// What is told to be a bot.
    pub(crate) program: PathBuf,
}

impl BenchStage {
    pub(crate) async fn set(channels: usize, limits: &str, script: Script) -> Self {
        let together = limits == "off";
        let ending = CancellationToken::new();
        let world = World::from_toml(&world(channels, limits)).expect("a world");
        let listener = listen().await;
        let emulator = Emulator::new(world);
        emulator.announce(listener.local_addr().expect("an address"));
        let ready = emulator.ready();
        let serving = emulator
            .clone()
            .serve(listener, Router::new(), ending.clone());
        let tasks = Tasks::new();
        tasks.spawn("emulator", serving);
        let names = (0..channels).map(|number| {
            let guild = &ready.guilds[number / CHANNELS_PER_GUILD];
            guild.channels[&room(number)].clone()
        });
        let names: Vec<String> = names.collect();
        let seen = Arc::new(Mutex::new(Seen::default()));
        tasks.spawn(
            "watch",
            watch(
                emulator.clone(),
                names.clone(),
                ready.bot.id.clone(),
                seen.clone(),
            ),
        );

        let listener = listen().await;
        let model = listener.local_addr().expect("an address");
        let model = format!("http://{model}/v1");
        let together = together.then(|| Arc::new(Barrier::new(channels)));
        let app = Router::new()
            .route("/v1/chat/completions", post(answer))
            .with_state(Arc::new(BenchModel {
                seen: seen.clone(),
                script,
                channels,
                together,
            }));
        let stopping = ending.clone().cancelled_owned();
        tasks.spawn("model", async move {
            let _ = axum::serve(listener, app)
                .with_graceful_shutdown(stopping)
                .await;
        });
        let data = tempfile::tempdir().expect("a folder");
        let pace = match limits {
            "off" => "requests_per_second = 1000000\n",
            _ => "",
        };
        let config = format!(
            "[discord]\napi_url = \"{}\"\n{pace}\
             [models]\nchat = \"mine/understudy\"\n[vendors.mine]\nbase_url = \"{model}\"\n\
             [limits]\nuser_questions = \"off\"\nuser_turns = 20\nguild_turns = 500\n\
             [web]\nlisten = \"127.0.0.1:0\"\n",
            ready.api_url
        );
        fs::write(data.path().join("kaiwa.toml"), config).expect("a file");
        Self {
            emulator,
            ready,
            channels: names,
            script,
            model,
            seen,
            data,
            ending,
            program: std::env::current_exe().expect("a program"),
        }
    }

    /// Adds to what the next bot is told.
    pub(crate) fn configure(&self, more: &str) {
        let path = self.data.path().join("kaiwa.toml");
        let config = fs::read_to_string(&path).expect("a file");
        fs::write(path, config + more).expect("a file");
    }

    /// A bot that is online.
    pub(crate) async fn bot(&self) -> BotProcess {
        let (bot, mut online) = self.spawn();
        let online = tokio::time::timeout(PATIENCE, online.recv());
        online.await.expect("a bot that connects");
        bot
    }

    pub(crate) fn spawn(&self) -> (BotProcess, tokio::sync::mpsc::Receiver<()>) {
        let mut child = Command::new(&self.program)
            .arg("run")
            .current_dir(self.data.path())
            .env("DISCORD_TOKEN", &self.ready.bot.token)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let (online, is_online) = tokio::sync::mpsc::channel(1);
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if line.contains("is online") {
                    let _ = online.try_send(());
                }
            }
        });
        (BotProcess(child), is_online)
    }

    /// Has the relay answer in every channel, without being asked.
    pub(crate) fn relay(&self) -> BotProcess {
        self.seen.lock().expect("not poisoned").begun = Some(Instant::now());
        let mut child = Command::new(std::env::current_exe().expect("a program"))
            .arg("relay")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a process");
        let orders = RelayOrders {
            discord: self.ready.api_url.clone(),
            token: self.ready.bot.token.clone(),
            model: self.model.clone(),
            channels: self.channels.clone(),
        };
        let told = child.stdin.take().expect("a pipe");
        serde_json::to_writer(told, &orders).expect("it listens");
        BotProcess(child)
    }

    /// Asks in every channel, evenly within some time.
    pub(crate) async fn ask_everywhere(&self, within: Duration) {
        let begun = Instant::now();
        self.seen.lock().expect("not poisoned").begun = Some(begun);
        let pause = within / u32::try_from(self.channels.len()).unwrap_or(u32::MAX);
        for (number, channel) in self.channels.iter().enumerate() {
            let due = begun + pause * u32::try_from(number).unwrap_or(u32::MAX);
            tokio::time::sleep_until(due.into()).await;
            let person = &self.ready.users[number % self.ready.users.len()];
            let text = format!("<@{}> {NUMBER}{number}.", self.ready.bot.id);
            let asked = self
                .emulator
                .post(&person.id, channel, json!({ "content": text }));
            asked.expect("a question");
        }
    }

    /// When lines were up, and how long after their last delta.
    pub(crate) fn added(&self) -> Vec<(Instant, Duration)> {
        self.seen.lock().expect("not poisoned").added.clone()
    }

    pub(crate) fn messages(&self) -> usize {
        let seen = self.seen.lock().expect("not poisoned");
        seen.answers.values().map(|it| it.messages).sum()
    }

    /// In how many channels the model has ended its first line.
    pub(crate) fn first_lines(&self) -> usize {
        let seen = self.seen.lock().expect("not poisoned");
        let ended = |(_, word): &&(usize, usize)| *word == self.script.words;
        seen.said.keys().filter(ended).count()
    }

    /// How often the bot has asked for a message to be posted.
    pub(crate) fn posts(&self) -> u64 {
        let requests = self.emulator.counts().requests;
        let posts = requests.get("POST /channels/{channel}/messages");
        posts.copied().unwrap_or(0)
    }

    /// Waits until every answer is whole, and says when the last one was.
    pub(crate) async fn ended(&self) -> Duration {
        let begun = Instant::now();
        let mut open: Vec<usize> = (0..self.channels.len()).collect();
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let seen = self.seen.lock().expect("not poisoned");
            open.retain(|number| {
                let answer = seen.answers.get(number);
                !answer.is_some_and(|it| it.has_end(self.script) && it.is_whole(self.script))
            });
            if open.is_empty() || begun.elapsed() > PATIENCE {
                return seen
                    .answers
                    .values()
                    .map(|it| it.last)
                    .max()
                    .unwrap_or(PATIENCE);
            }
        }
    }
}

impl Drop for BenchStage {
    fn drop(&mut self) {
        self.ending.cancel();
    }
}

/// A world with so many empty channels.
fn world(channels: usize, limits: &str) -> String {
    let mut text =
        format!("limits = \"{limits}\"\n[guild]\nname = \"G0\"\n[bot]\nname = \"Kaiwa\"\n");
    for (guild, first) in (0..channels).step_by(CHANNELS_PER_GUILD).enumerate() {
        let (people, rooms) = match guild {
            0 => ("users", "channels"),
            _ => ("guilds.members", "guilds.channels"),
        };
        if guild > 0 {
            let _ = writeln!(text, "[[guilds]]\nname = \"G{guild}\"");
        }
        for person in 0..PEOPLE {
            let _ = writeln!(text, "[[{people}]]\nname = \"P{person}\"");
        }
        for number in first..channels.min(first + CHANNELS_PER_GUILD) {
            let _ = writeln!(text, "[[{rooms}]]\nname = \"{}\"", room(number));
        }
    }
    text
}

fn room(number: usize) -> String {
    format!("c{number}")
}

pub(crate) struct BotProcess(Child);

impl BotProcess {
    pub(crate) fn memory_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.expect("a free port")
}
