//! Many answers at once, from the question to Discord.
//!
//! The bot is a process of its own (this program, told to be `kaiwa run`);
//! Discord, the model and the people are in this one. With Discord's limits on:
//! when the first text of each answer is up, when the last one has ended, and
//! whether anything was lost or refused. With limits off: how long after the
//! delta that ends a line it is posted. Then how soon a bot that was killed
//! goes on, and what one more answer under way takes in memory; and how often
//! answers that grow in place for a minute are edited. Prints tables for `cargo xtask bench deliver`; with `KAIWA_BENCH_QUICK` set, small ones.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a stopwatch, run by hand"
)]

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::stream;
use kaiwa_emulator::{Emulator, Ready, World};
use kaiwa_runtime::Tasks;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Barrier;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

/// What a guild of a world may have.
const CHANNELS_PER_GUILD: usize = 100;
const PEOPLE: usize = 100;

/// One word every 50 ms.
const BEAT: Duration = Duration::from_millis(50);

/// What an answer is made of.
#[derive(Clone, Copy)]
struct Script {
    lines: usize,
    /// In each line.
    words: usize,
}

impl Script {
    /// How long the model takes for a line.
    fn line(self) -> Duration {
        BEAT * u32::try_from(self.words).unwrap_or(u32::MAX)
    }
}

/// 200 words in ten seconds.
const FIVE_LINES: Script = Script {
    lines: 5,
    words: 40,
};
/// The same words in lines that are soon over, for a stream that is alone.
const MANY_LINES: Script = Script {
    lines: 20,
    words: 10,
};

/// A minute of words, of which a message holds a quarter.
const MINUTE: Script = Script {
    lines: 30,
    words: 40,
};

/// How long after one question the next is asked, where streams are measured.
const ASKING: Duration = Duration::from_millis(5);

/// Nothing takes longer, or it is lost.
const PATIENCE: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("run") {
        return kaiwa::main();
    }
    let quick = std::env::var_os("KAIWA_BENCH_QUICK").is_some();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let crowds: &[usize] = if quick { &[20] } else { &[100, 1000] };
        limited(crowds).await;
        let streams: &[usize] = if quick { &[1, 20] } else { &[1, 100, 1000] };
        unlimited(streams).await;
        restart(if quick { 60 } else { 100 }).await;
        live(20, if quick { FIVE_LINES } else { MINUTE }).await;
    });
    ExitCode::SUCCESS
}

/// So many answers at once, under Discord's limits.
async fn limited(crowds: &[usize]) {
    println!(
        "| answers at once, limits on | first text p50 | p99 | slowest to median | all ended | messages | 429s | lost |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut grown = Vec::new();
    for &channels in crowds {
        let stage = BenchStage::set(channels, "discord", FIVE_LINES).await;
        let bot = stage.bot().await;
        let idle = bot.memory_kib();
        stage.ask_everywhere(Duration::ZERO).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        grown.push((channels, bot.memory_kib().saturating_sub(idle)));
        let ended = stage.ended().await;
        let seen = stage.seen.lock().expect("not poisoned");
        let first: Vec<Duration> = seen.answers.values().filter_map(|it| it.first).collect();
        let whole = seen.answers.values().filter(|it| it.is_whole(FIVE_LINES));
        let lost = channels - whole.count();
        let messages: usize = seen.answers.values().map(|it| it.messages).sum();
        let (p50, p99) = (percentile(&first, 50), percentile(&first, 99));
        let slowest = percentile(&first, 100).as_secs_f64() / p50.as_secs_f64();
        println!(
            "| {channels} | {:.1} s | {:.1} s | {slowest:.1}× | {:.1} s | {messages} | {} | {lost} |",
            p50.as_secs_f64(),
            p99.as_secs_f64(),
            ended.as_secs_f64(),
            stage.emulator.counts().rate_limited,
        );
    }
    println!();
    println!(
        "Aims for 100: first text p50 ≤ 3.2 s, p99 ≤ 4.5 s, all ended ≤ 12 s, no 429, none lost; for 1,000: slowest at most 2× the median."
    );
    println!();
    memory(&grown);
}

/// What one more answer takes. The first of them also fill caches and pools
/// that stay, so that it is told by the difference of two crowds.
fn memory(grown: &[(usize, u64)]) {
    let (few, many) = match grown {
        [few, .., many] => (*few, *many),
        [one] => ((0, 0), *one),
        [] => return,
    };
    let kib = many.1.saturating_sub(few.1) as f64 / (many.0 - few.0) as f64;
    println!(
        "| memory of one more answer under way, from {} to {} | |",
        few.0, many.0
    );
    println!("|---|---:|");
    println!("| resident | {:.0} kB |", kib * 1.024);
    println!();
    println!("Aim: below 100 kB.");
    println!();
}

/// From the delta that ends a line to its message, with nothing in the way, once
/// all streams are there. Their lines end evenly, not all at the same moment.
async fn unlimited(streams: &[usize]) {
    println!("| streams, limits off | messages | delta to message p50 | p99 |");
    println!("|---:|---:|---:|---:|");
    for &channels in streams {
        let script = match channels {
            1 => MANY_LINES,
            _ => FIVE_LINES,
        };
        let stage = BenchStage::set(channels, "off", script).await;
        let _bot = stage.bot().await;
        stage
            .ask_everywhere(ASKING * u32::try_from(channels).unwrap_or(u32::MAX))
            .await;
        stage.ended().await;
        let seen = stage.seen.lock().expect("not poisoned");
        let added = &seen.added;
        println!(
            "| {channels} | {} | {:.1} ms | {:.1} ms |",
            added.len(),
            percentile(added, 50).as_secs_f64() * 1000.0,
            percentile(added, 99).as_secs_f64() * 1000.0,
        );
    }
    println!();
    let syncs = syncs();
    println!(
        "Aim: p99 below 2 ms at 1,000 streams. A line is on the disk before it is sent; a sync of 4 kB alone takes {:.1} ms here at the median, and {:.1} ms at p99.",
        percentile(&syncs, 50).as_secs_f64() * 1000.0,
        percentile(&syncs, 99).as_secs_f64() * 1000.0,
    );
    println!();
}

/// How long the disk takes for what every line waits for.
fn syncs() -> Vec<Duration> {
    let mut file = tempfile::tempfile().expect("a file");
    let mut sync = || {
        file.write_all(&[0; 4096]).expect("room on the disk");
        let begun = Instant::now();
        file.sync_data().expect("a sync");
        begun.elapsed()
    };
    (0..500).map(|_| sync()).collect()
}

/// A bot is killed while lines wait for Discord's limits, and started again.
async fn restart(channels: usize) {
    let stage = BenchStage::set(channels, "discord", FIVE_LINES).await;
    let bot = stage.bot().await;
    stage.ask_everywhere(Duration::ZERO).await;
    // By then all first lines are written, and most wait.
    while stage.messages() < channels / 5 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    drop(bot);
    // What Discord had taken by then is seen.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let (messages, posts) = (stage.messages(), stage.posts());
    let begun = Instant::now();
    let _bot = stage.spawn();
    let mut first_post = None;
    while stage.messages() == messages && begun.elapsed() < PATIENCE {
        if stage.posts() > posts {
            first_post.get_or_insert_with(|| begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let first_post = first_post.unwrap_or_else(|| begun.elapsed());
    println!("| from the start of a bot that was killed | |");
    println!("|---|---:|");
    println!(
        "| first send that was left over | {:.0} ms |",
        millis(first_post)
    );
    println!(
        "| first message that was not there before | {:.0} ms |",
        millis(begun.elapsed())
    );
    println!();
    println!("Aim: first send below 1,000 ms.");
    println!();
}

/// So many answers that grow in place at once, in one guild, under Discord's
/// limits.
async fn live(channels: usize, script: Script) {
    let stage = BenchStage::set(channels, "discord", script).await;
    stage.configure("[delivery]\ndegree = 4\n");
    let _bot = stage.bot().await;
    stage.ask_everywhere(Duration::ZERO).await;
    let ended = stage.ended().await;
    let seen = stage.seen.lock().expect("not poisoned");
    let whole = seen.answers.values().filter(|it| it.is_whole(script));
    let lost = channels - whole.count();
    let edits = || seen.answers.values().map(|it| it.edits);
    let mean = edits().sum::<usize>() as f64 / channels as f64;
    println!(
        "| live answers at once, limits on | edits of one, mean | fewest | most | all ended | 429s | lost |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    println!(
        "| {channels} | {mean:.0} | {} | {} | {:.1} s | {} | {lost} |",
        edits().min().unwrap_or(0),
        edits().max().unwrap_or(0),
        ended.as_secs_f64(),
        stage.emulator.counts().rate_limited,
    );
    println!();
    println!("Aim: no 429, none lost, and the fewest no fewer than half the mean.");
}

/// Discord with people, and a model.
struct BenchStage {
    emulator: Emulator,
    ready: Ready,
    /// The channels, by their number.
    channels: Vec<String>,
    script: Script,
    seen: Arc<Mutex<Seen>>,
    data: TempDir,
    ending: CancellationToken,
}

#[derive(Default)]
struct Seen {
    begun: Option<Instant>,
    /// By the number of the channel.
    answers: HashMap<usize, SeenAnswer>,
    /// When the model said which word of which answer, where it begins a line;
    /// the word after the last is the end.
    said: HashMap<(usize, usize), Instant>,
    added: Vec<Duration>,
}

#[derive(Default)]
struct SeenAnswer {
    first: Option<Duration>,
    last: Duration,
    messages: usize,
    /// How often a message changed.
    edits: usize,
    /// What its messages show, with their ids.
    shown: Vec<(String, String)>,
}

impl SeenAnswer {
    fn change(&mut self, id: &str, text: &str, since: Duration) {
        let message = self.shown.iter_mut().find(|(shown, _)| shown == id);
        if let Some((_, shown)) = message.filter(|(_, shown)| shown != text) {
            text.clone_into(shown);
            self.edits += 1;
            self.last = since;
        }
    }

    /// Whether the last word is there. It is asked often, and takes no time from
    /// what is measured.
    fn has_end(&self, script: Script) -> bool {
        let end = format!("w{}", script.lines * script.words - 1);
        self.shown
            .last()
            .is_some_and(|(_, text)| text.trim_end().ends_with(&end))
    }

    /// Whether every word is there, once and in order.
    fn is_whole(&self, script: Script) -> bool {
        let words = self.shown.iter().flat_map(|(_, it)| it.split_whitespace());
        words
            .filter_map(|word| word.strip_prefix('w'))
            .map(|word| word.parse().ok())
            .eq((0..script.lines * script.words).map(Some))
    }
}

impl BenchStage {
    async fn set(channels: usize, limits: &str, script: Script) -> Self {
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
        let per_second = if limits == "off" { 1_000_000 } else { 50 };
        let config = format!(
            "[discord]\napi_url = \"{}\"\nrequests_per_second = {per_second}\n\
             [models]\nchat = \"mine/understudy\"\n[vendors.mine]\nbase_url = \"http://{model}/v1\"\n\
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
            seen,
            data,
            ending,
        }
    }

    /// Adds to what the next bot is told.
    fn configure(&self, more: &str) {
        let path = self.data.path().join("kaiwa.toml");
        let config = fs::read_to_string(&path).expect("a file");
        fs::write(path, config + more).expect("a file");
    }

    /// A bot that is online.
    async fn bot(&self) -> BotProcess {
        let (bot, mut online) = self.spawn();
        let online = tokio::time::timeout(PATIENCE, online.recv());
        online.await.expect("a bot that connects");
        bot
    }

    fn spawn(&self) -> (BotProcess, tokio::sync::mpsc::Receiver<()>) {
        let mut child = Command::new(std::env::current_exe().expect("a program"))
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

    /// Asks in every channel, evenly within some time.
    async fn ask_everywhere(&self, within: Duration) {
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

    fn messages(&self) -> usize {
        let seen = self.seen.lock().expect("not poisoned");
        seen.answers.values().map(|it| it.messages).sum()
    }

    /// How often the bot has asked for a message to be posted.
    fn posts(&self) -> u64 {
        let requests = self.emulator.counts().requests;
        let posts = requests.get("POST /channels/{channel}/messages");
        posts.copied().unwrap_or(0)
    }

    /// Waits until every answer is whole, and says when the last one was.
    async fn ended(&self) -> Duration {
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

/// Notes what the bot says.
async fn watch(emulator: Emulator, channels: Vec<String>, bot: String, seen: Arc<Mutex<Seen>>) {
    let numbers: HashMap<String, usize> = channels.into_iter().zip(0..).collect();
    let mut events = emulator.watch();
    loop {
        let event: Value = match events.recv().await {
            Ok(event) => event,
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        let (what, message) = (&event["t"], &event["d"]);
        let new = what == "MESSAGE_CREATE";
        if !(new || what == "MESSAGE_UPDATE") || message["author"]["id"] != bot {
            continue;
        }
        let channel = message["channel_id"].as_str().unwrap_or_default();
        let Some(number) = numbers.get(channel).copied() else {
            continue;
        };
        let now = Instant::now();
        let mut seen = seen.lock().expect("not poisoned");
        let since = seen.begun.map_or(Duration::ZERO, |begun| now - begun);
        let id = message["id"].as_str().unwrap_or_default();
        let text = message["content"].as_str().unwrap_or_default();
        if !new {
            let answer = seen.answers.entry(number).or_default();
            answer.change(id, text, since);
            continue;
        }
        let last = text
            .rsplit('w')
            .next()
            .and_then(|word| word.trim().parse::<usize>().ok());
        // A line is known to be over when the next one begins, or the answer ends.
        let ended = last.and_then(|word| seen.said.get(&(number, word + 1)).copied());
        seen.added.extend(ended.map(|ended| now - ended));
        let answer = seen.answers.entry(number).or_default();
        answer.first.get_or_insert(since);
        answer.last = since;
        answer.messages += 1;
        answer.shown.push((id.to_owned(), text.to_owned()));
    }
}

/// Stands before the number of a question, and nowhere else in a request.
const NUMBER: &str = "question-number-";

/// What the model knows.
struct BenchModel {
    seen: Arc<Mutex<Seen>>,
    script: Script,
    channels: usize,
    /// Where streams are measured, none begins before all were asked for, and
    /// their lines end evenly: how a crowd is admitted is another question.
    together: Option<Arc<Barrier>>,
}

/// The model: says which word it is at, and notes when a line has begun.
async fn answer(State(model): State<Arc<BenchModel>>, body: Bytes) -> Response {
    let script = model.script;
    let body = String::from_utf8_lossy(&body).into_owned();
    let asked = body.rsplit(NUMBER).next().unwrap_or_default();
    let number: usize = asked
        .split(|sign: char| !sign.is_ascii_digit())
        .next()
        .and_then(|digits| digits.parse().ok())
        .expect("a question with a number");
    if let Some(together) = &model.together {
        together.wait().await;
    }
    let first = match model.together {
        Some(_) => {
            script.line() * u32::try_from(number).unwrap_or(u32::MAX)
                / u32::try_from(model.channels).unwrap_or(u32::MAX)
        }
        None => Duration::ZERO,
    };
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + first, BEAT);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
    let words = stream::unfold((0, beat), move |(word, mut beat)| {
        let model = Arc::clone(&model);
        async move {
            let all = script.lines * script.words;
            if word > all {
                return None;
            }
            beat.tick().await;
            if word % script.words == 0 {
                let mut seen = model.seen.lock().expect("not poisoned");
                seen.said.insert((number, word), Instant::now());
            }
            let chunk = if word == all {
                let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
                format!("data: {end}\n\ndata: [DONE]\n\n")
            } else {
                let ends = word % script.words == script.words - 1;
                let text = format!("w{word}{}", if ends { "\n" } else { " " });
                let delta = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
                format!("data: {delta}\n\n")
            };
            Some((Ok::<_, Infallible>(chunk), (word + 1, beat)))
        }
    });
    let body = Body::from_stream(words);
    ([("content-type", "text/event-stream")], body).into_response()
}

struct BotProcess(Child);

impl BotProcess {
    fn memory_kib(&self) -> u64 {
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

/// The measurement below which so many percent lie.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let rank = (times.len() * percent).div_ceil(100).max(1);
    times.get(rank - 1).copied().unwrap_or_default()
}
