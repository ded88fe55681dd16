//! The binary as a person meets it: what it prints, and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot set its stage fails"
)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tempfile::TempDir;

/// A step that takes longer than this is stuck.
const PATIENCE: Duration = Duration::from_secs(20);

fn kaiwa(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kaiwa"));
    command.current_dir(folder).args(args);
    command.env_remove("DISCORD_TOKEN").stdin(Stdio::null());
    command
}

/// The command fails, and the last line it prints is `expected`, in which `…`
/// stands for anything.
fn check_failure(folder: &Path, args: &[&str], expected: &str) {
    let output = kaiwa(folder, args).output().unwrap();
    assert_failure(&output, expected);
}

fn assert_failure(output: &Output, expected: &str) {
    let printed = String::from_utf8_lossy(&output.stderr);
    let last = printed.lines().last().unwrap_or_default();
    assert!(!output.status.success(), "{printed}");
    assert!(matches(last, expected), "\n  got {last}\n want {expected}");
}

fn matches(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            Some(_) => rest.find(part),
            None => rest.ends_with(part).then(|| rest.len() - part.len()),
        };
        match at {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || pattern.ends_with('…')
}

#[test]
fn what_cannot_start_says_what_to_do() {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    let write = |name: &str, text: &[u8]| fs::write(here.join(name), text).unwrap();
    write("empty.toml", b"");
    write(
        "unknown.toml",
        b"[provider]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\ntemperature = 1\n",
    );
    write(
        "silent.toml",
        b"[provider]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n",
    );
    write("latin1.toml", b"# caf\xe9\n");
    write("persona.toml", b"[personality]\nfile = \"nobody.md\"\n");
    write("world.toml", b"planet = \"Mars\"\n");
    write("file", b"");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();

    let cases: &[(&[&str], &str)] = &[
        (
            &["run"],
            "kaiwa: kaiwa.toml: there is no such file; make one from config.example.toml, or name another with --config",
        ),
        (
            &["run", "--config", "empty.toml"],
            "kaiwa: no model: add [provider] with base_url and model to empty.toml, as config.example.toml shows, or try `kaiwa play`",
        ),
        (
            &["run", "--config", "unknown.toml"],
            "kaiwa: unknown.toml:4: provider.temperature: unknown key; allowed here: base_url, model, key_env, first_token_timeout, idle_timeout",
        ),
        (
            &["run", "--config", "latin1.toml"],
            "kaiwa: latin1.toml:1: not UTF-8 text; save it as UTF-8",
        ),
        (
            &["run", "--config", "persona.toml"],
            "kaiwa: persona.toml:2: personality.file: …nobody.md…",
        ),
        (
            &["run", "--config", "silent.toml"],
            "kaiwa: no bot token: set DISCORD_TOKEN in the environment (create one at the developer portal under Bot)",
        ),
        (
            &["play", "--no-open", "--port", &port],
            "kaiwa: 127.0.0.1:… is taken: stop the other program or choose another with --port…",
        ),
        (
            &[
                "play",
                "--no-open",
                "--port",
                "0",
                "--model",
                "understudy",
                "--data",
                "file",
            ],
            "kaiwa: cannot make the data folder file: choose another with --data or storage.data…",
        ),
        (
            &["play", "--no-open", "--port", "0", "--config", "nope.toml"],
            "kaiwa: nope.toml: there is no such file…",
        ),
        (
            &["emulate", "--world", "nope.toml"],
            "kaiwa: nope.toml: there is no such file",
        ),
        (
            &["emulate", "--world", "latin1.toml"],
            "kaiwa: latin1.toml: not UTF-8 text (line 1)",
        ),
        (
            &["emulate", "--world", "world.toml"],
            "kaiwa: world.toml: line 1: `planet`: unknown field…",
        ),
        (
            &["doctor", "--config", "silent.toml"],
            "kaiwa: 2 problems found",
        ),
    ];
    for (args, expected) in cases {
        check_failure(here, args, expected);
    }
}

#[test]
fn an_unreachable_model_stops_run() {
    let folder = TempDir::new().unwrap();
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let config = format!("[provider]\nbase_url = \"http://{free}/v1\"\nmodel = \"m\"\n");
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    let output = kaiwa(folder.path(), &["run"])
        .env("DISCORD_TOKEN", "canary")
        .output()
        .unwrap();
    assert_failure(
        &output,
        "kaiwa: no connection to the model at …; start the model's server or correct provider.base_url",
    );
}

/// A command that is still running, line by line.
struct Running {
    child: Child,
    lines: Receiver<String>,
    seen: String,
}

impl Running {
    /// Starts a command and reads its standard error and output.
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let stdout: Box<dyn std::io::Read + Send> = Box::new(child.stdout.take().unwrap());
        let stderr: Box<dyn std::io::Read + Send> = Box::new(child.stderr.take().unwrap());
        for stream in [stdout, stderr] {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        Self {
            child,
            lines,
            seen: String::new(),
        }
    }

    /// Waits for a line that contains `text`.
    fn prints(&mut self, text: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.seen.push_str(&line);
                    self.seen.push('\n');
                    if line.contains(text) {
                        return line;
                    }
                }
                Err(_) => panic!("still waiting for {text:?} after:\n{}", self.seen),
            }
        }
    }

    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", name, &pid])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Asks it to stop, and checks that it stops well.
    #[cfg(unix)]
    fn stop(mut self) -> String {
        self.signal("INT");
        let status = self.child.wait().unwrap();
        self.seen.extend(self.lines.iter().map(|line| line + "\n"));
        assert!(status.success(), "{status}:\n{}", self.seen);
        std::mem::take(&mut self.seen)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with a `kaiwa.toml` that points at a running emulator and
/// understudy, and the bot's token.
#[cfg(unix)]
struct Home {
    folder: TempDir,
    token: String,
    understudy: String,
    api_url: String,
    _servers: [Running; 2],
}

#[cfg(unix)]
impl Home {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut emulator = Running::start(kaiwa(folder.path(), &["emulate"]));
        let line = emulator.prints("api_url");
        let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
        let mut understudy = Running::start(kaiwa(
            folder.path(),
            &["understudy", "--port", "0", "--pace", "0"],
        ));
        let home = Self {
            token: ready["bot"]["token"].as_str().unwrap().to_owned(),
            api_url: ready["api_url"].as_str().unwrap().to_owned(),
            understudy: understudy.prints("http://"),
            folder,
            _servers: [emulator, understudy],
        };
        home.configure("");
        home
    }

    fn configure(&self, more: &str) {
        let config = format!(
            "[discord]\napi_url = \"{}\"\n[provider]\nbase_url = \"{}\"\nmodel = \"understudy\"\n[web]\nlisten = \"127.0.0.1:0\"\n{more}",
            self.api_url, self.understudy
        );
        fs::write(self.folder.path().join("kaiwa.toml"), config).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = kaiwa(self.folder.path(), args);
        command.env("DISCORD_TOKEN", &self.token);
        command
    }
}

#[cfg(unix)]
#[test]
fn run_prints_the_invite_reloads_and_stops() {
    let home = Home::new();
    let mut run = Running::start(home.command(&["run"]));
    run.prints("oauth2/authorize?client_id=");
    run.prints("Kaiwa is online");

    home.configure("[context]\nmessages = \"many\"\n");
    run.signal("HUP");
    run.prints("kaiwa.toml:9: context.messages: expected a whole number, found a string");
    run.prints("the last good configuration stays");

    home.configure("[context]\nmessages = 5\n");
    run.prints("configuration reloaded");

    let second = home.command(&["run"]).output().unwrap();
    assert_failure(
        &second,
        "kaiwa: another Kaiwa is using …kaiwa.db: stop it or choose another data folder with --data",
    );

    let printed = run.stop();
    assert!(!printed.contains(&home.token), "the token was printed");
}

#[cfg(unix)]
#[test]
fn doctor_finds_everything_in_order_or_says_what_is_not() {
    let home = Home::new();
    let output = home.command(&["doctor"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}");
    for line in [
        "✓ configuration: kaiwa.toml",
        "✓ database: ",
        "✓ model: understudy at http://",
        "✓ token: you are Kaiwa",
        "✓ intents: everything asked for is allowed",
        "✓ gateway: ",
        "✓ guilds: Tea House: every permission is there",
        "everything is in order",
    ] {
        assert!(
            printed.lines().any(|it| it.starts_with(line)),
            "{line:?} is not in\n{printed}"
        );
    }

    let refused = home
        .command(&["run"])
        .env("DISCORD_TOKEN", "wrong")
        .output()
        .unwrap();
    assert_failure(
        &refused,
        "kaiwa: Discord refused the token: check DISCORD_TOKEN and create a new one under Bot in the developer portal",
    );
    let output = home
        .command(&["doctor"])
        .env("DISCORD_TOKEN", "wrong")
        .output()
        .unwrap();
    assert_failure(&output, "kaiwa: 1 problem found");
}

#[cfg(unix)]
#[test]
fn missing_intents_are_named() {
    let mut home = Home::new();
    let world = "[guild]\nname = \"Tea House\"\nowner = \"Ada\"\n[bot]\nname = \"Kaiwa\"\nintents = []\n[[users]]\nname = \"Ada\"\n[[channels]]\nname = \"general\"\n";
    fs::write(home.folder.path().join("world.toml"), world).unwrap();
    let mut strict = Running::start(kaiwa(
        home.folder.path(),
        &["emulate", "--world", "world.toml"],
    ));
    let ready: serde_json::Value = serde_json::from_str(&strict.prints("api_url")).unwrap();
    home.api_url = ready["api_url"].as_str().unwrap().to_owned();
    home.token = ready["bot"]["token"].as_str().unwrap().to_owned();
    home.configure("");

    let output = home.command(&["run"]).output().unwrap();
    assert_failure(
        &output,
        "kaiwa: Discord refused the Message Content Intent: turn it on under Bot at … or set discord.message_content = false",
    );
    let output = home.command(&["doctor"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("✗ intents: the Message Content Intent is off"),
        "{printed}"
    );
}

#[cfg(unix)]
#[test]
fn play_starts_and_stops_cleanly() {
    let folder = TempDir::new().unwrap();
    let args = [
        "play",
        "--no-open",
        "--port",
        "0",
        "--model",
        "understudy",
        "--data",
        "mine",
    ];
    let mut play = Running::start(kaiwa(folder.path(), &args));
    play.prints("the understudy, a script");
    play.prints("Kaiwa is ready:  http://127.0.0.1:");
    play.prints("Ctrl-C stops it.");
    let printed = play.stop();
    assert!(printed.contains("stopping…"), "{printed}");
    assert!(folder.path().join("mine/kaiwa.db").exists());
}

#[test]
fn a_recorded_answer_is_heard_again() {
    let folder = TempDir::new().unwrap();
    let stream = concat!(
        "data: {\"choices\":[{\"delta\":{\"content\":\"<think>hm</think>茶\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    );
    fs::write(folder.path().join("tea.sse"), stream).unwrap();
    let replay = |more: &[&str]| {
        let args = [
            &["provider", "replay", "--format", "openai-chat", "tea.sse"],
            more,
        ]
        .concat();
        let output = kaiwa(folder.path(), &args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = replay(&[]);
    assert_eq!(whole.lines().count(), 4, "{whole}");
    let last: serde_json::Value = serde_json::from_str(whole.lines().last().unwrap()).unwrap();
    let expect = serde_json::json!({
        "text": "茶", "thinking": "hm", "tool_calls": [], "refusal": "", "finish_reason": "stop",
        "finish": "stop", "usage": null, "error": null, "terminated": true,
    });
    assert_eq!(last, expect);
    assert_eq!(replay(&["--pieces", "7"]), whole);
    assert!(replay(&["--verbatim"]).contains("<think>hm</think>茶"));
    check_failure(
        folder.path(),
        &["provider", "replay", "--format", "openai-chat", "no.sse"],
        "kaiwa: cannot read no.sse: …",
    );
}
