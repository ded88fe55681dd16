//! A raid: ten thousand messages as fast as Discord would bring them, and
//! somebody with an honest question behind them.
//!
//! The bot is a process of its own, so that what it remembers can be weighed:
//! this very program, told to be `kaiwa run`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::panic,
    reason = "a test that cannot set its stage fails"
)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use kaiwa_e2e::story::{SentMessage, Story};
use kaiwa_runtime::Tasks;
use kaiwa_understudy::StreamPace;
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

/// How many messages a raid has.
const RAID: usize = 10_000;

/// Within this time after a raid an honest question is answered, or its author
/// is told that it is not. (The raid itself takes most of it: the bot reads it
/// to the end first.)
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// The most that the bot may have grown by after three raids, in KiB of memory.
const GROWTH_KIB: u64 = 24 * 1024;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("run") {
        return kaiwa::main();
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(honest_questions_are_heard_behind_raids());
    ExitCode::SUCCESS
}

async fn honest_questions_are_heard_behind_raids() {
    let mut story = Story::without_bot().await;
    let mut bot = BotProcess::start(&story).await;
    let dms = story.ben().direct_messages().await;
    let calm = [
        story.ada().says("general", "@Kaiwa hello").await,
        story.ada().whispers("hello").await,
    ];
    let slowest = heard(&mut story, &calm).await;
    let before = bot.memory_kib();
    println!("calm: {before} KiB, answered within {slowest:?}");

    for (raid, channel) in [("a channel", "general"), ("direct messages", &*dms)] {
        let took = raids(&mut story, channel).await;
        let questions = [
            story.ada().says("general", "@Kaiwa here?").await,
            story.ada().says("random", "@Kaiwa there?").await,
            story.ada().whispers("and here?").await,
        ];
        let slowest = heard(&mut story, &questions).await;
        bot.is_within(before, raid);
        println!("{raid}: written in {took:?}, heard within {slowest:?}");
    }
    // Another one adds nothing, and another server hears of none.
    raids(&mut story, "general").await;
    let elsewhere = story.noor();
    let elsewhere = elsewhere
        .says("Reading Room/general", "@Kaiwa hello?")
        .await;
    heard(&mut story, &[elsewhere]).await;
    bot.is_within(before, "a channel again");
    assert_eq!(story.identifies(), 1, "the connection was kept");
    let transcript = story.transcript("general");
    let said = transcript.matches("\nKaiwa: ").count();
    assert!(said < 100, "a raid is answered with a raid: {said}");
    bot.stop();
}

/// Ten thousand messages, and how long it took to write them.
async fn raids(story: &mut Story, channel: &str) -> Duration {
    let began = Instant::now();
    let people: &[&str] = match channel {
        "general" => &["Ben", "Mika"],
        _ => &["Ben"],
    };
    let spam = |number| format!("@Kaiwa spam {number}");
    story.crowd_writes(people, channel, RAID, spam).await;
    began.elapsed()
}

/// Waits until something was said to each of the questions, and says how long
/// the slowest took.
async fn heard(story: &mut Story, questions: &[SentMessage]) -> Duration {
    let began = Instant::now();
    for question in questions {
        let heard = timeout(ANSWERED_WITHIN, story.sees_answer_to(question));
        let said = heard
            .await
            .unwrap_or_else(|_| panic!("{question:?} is not heard"));
        println!(
            "  {:?} -> {:?} after {:?}",
            question.text,
            said.text,
            began.elapsed()
        );
    }
    began.elapsed()
}

/// The bot in a process of its own.
struct BotProcess(Child);

impl BotProcess {
    async fn start(story: &Story) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let model = listener.local_addr().unwrap();
        let pace = StreamPace::new(Duration::ZERO);
        let serving = kaiwa_understudy::serve(listener, pace, CancellationToken::new());
        Tasks::new().spawn("understudy", serving);
        let ready = story.ready();
        let folder = story.folder();
        let config = format!(
            "[discord]\napi_url = \"{}\"\n[models]\nchat = \"mine/understudy\"\n\
             [vendors.mine]\nbase_url = \"http://{model}/v1\"\n[web]\nlisten = \"127.0.0.1:0\"\n",
            ready.api_url
        );
        fs::write(folder.join("kaiwa.toml"), config).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("run")
            .current_dir(folder)
            .env("DISCORD_TOKEN", &ready.bot.token)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (online, is_online) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let mut online = Some(online);
            for line in lines.map_while(Result::ok) {
                if line.contains("is online")
                    && let Some(online) = online.take()
                {
                    let _ = online.send(());
                }
            }
        });
        let child = Self(child);
        timeout(Duration::from_secs(20), is_online)
            .await
            .unwrap()
            .unwrap();
        child
    }

    /// How much memory it takes, in KiB; nothing where that cannot be told.
    fn memory_kib(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// It has not grown beyond bounds.
    fn is_within(&self, before: u64, raid: &str) {
        let now = self.memory_kib();
        println!("{raid}: {now} KiB");
        let growth = now.saturating_sub(before);
        assert!(growth < GROWTH_KIB, "{raid}: grew by {growth} KiB");
    }

    fn stop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.stop();
    }
}
