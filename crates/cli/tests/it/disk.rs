//! A disk that is full for a while: `/healthz` says so, and once there is room
//! all is said that was asked or begun meanwhile, without a restart.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::home::{Home, request};
use crate::terminal::Running;

/// What is preloaded to make the disk full.
fn shim(folder: &Path) -> Option<PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/tests/fault.c");
    let library = folder.join("fault.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]);
    compiler.arg(&library).args([source, "-ldl"]);
    match compiler.output() {
        Ok(output) if output.status.success() => Some(library),
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            eprintln!("SKIPPED: a full disk is not tested without a C compiler: {error}");
            None
        }
    }
}

/// A bot whose disk becomes full on request.
struct Bot {
    home: Home,
    run: Running,
    health: String,
    control: PathBuf,
}

impl Bot {
    /// None where there is no C compiler.
    fn start() -> Option<Self> {
        let home = Home::new();
        let library = shim(home.folder.path())?;
        let control = home.folder.path().join("control");
        let mut command = home.command(&["run"]);
        command
            .env("LD_PRELOAD", library)
            .env("FAULT_CONTROL", &control);
        let mut run = Running::start(command);
        let line = run.prints("health and metrics at http://");
        let (_, address) = line.split_once("http://").unwrap();
        let health = format!("http://{}/healthz", address.trim());
        run.prints("Kaiwa is online");
        Some(Self {
            home,
            run,
            health,
            control,
        })
    }

    fn disk_is_full(&self) {
        fs::write(&self.control, "0 28").unwrap();
    }

    fn disk_has_room(&self) {
        fs::remove_file(&self.control).unwrap();
    }

    /// What `/healthz` says, once it is `status`: what is told has to pass from
    /// one task to another.
    fn settles(&self, status: &str) -> (u16, Value) {
        let mut last = Value::Null;
        for _ in 0..500 {
            let (code, body) = request("GET", &self.health, "", "");
            if body["status"] == status {
                return (code, body);
            }
            last = body;
        }
        panic!("never {status}, but {last}");
    }

    fn messages(&self) -> String {
        let channel = self.home.world["channels"]["general"].as_str().unwrap();
        format!("{}/channels/{channel}/messages", self.home.api_url)
    }

    fn token(&self) -> &str {
        self.home.world["users"][0]["token"].as_str().unwrap()
    }

    /// Somebody mentions the bot.
    fn is_asked(&self, text: &str) {
        let bot = self.home.world["bot"]["id"].as_str().unwrap();
        let asked = json!({ "content": format!("<@{bot}> {text}") }).to_string();
        let (status, _) = request("POST", &self.messages(), self.token(), &asked);
        assert_eq!(status, 200);
    }

    /// Discord has the bot wait before it takes anything after the first line.
    fn second_line_waits(&self) {
        let (origin, _) = self.home.api_url.split_once("/api").unwrap();
        let me = &self.home.world["bot"]["id"];
        let limit = json!({ "limit": { "retry_after": 0.3, "global": false } });
        let rest = json!({ "method": "POST", "path": "/messages", "user_id": me,
            "skip": 1, "times": 1, "fault": limit });
        let fault = json!({ "rest": rest }).to_string();
        let faults = format!("{origin}/emulator/faults");
        assert_eq!(request("POST", &faults, "", &fault).0, 200);
    }

    /// What the bot has said, in order.
    fn said(&self) -> Vec<String> {
        let (_, messages) = request("GET", &self.messages(), self.token(), "");
        let newest_first = messages.as_array().unwrap().iter().rev();
        let said = newest_first.filter(|it| it["author"]["bot"] == true);
        said.map(|it| it["content"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[test]
fn a_full_disk_is_told_and_survived() {
    let Some(mut bot) = Bot::start() else {
        return;
    };
    let (code, body) = bot.settles("ok");
    assert_eq!((code, &body["journal"]["ok"]), (200, &json!(true)));

    bot.disk_is_full();
    bot.is_asked("hello");
    bot.run.prints("the journal cannot be written");
    let (code, body) = bot.settles("degraded");
    assert_eq!((code, &body["gateway"]["ok"]), (503, &json!(true)));
    let reason = body["journal"]["reason"].as_str().unwrap();
    assert!(reason.contains("the disk is full"), "{reason}");

    bot.disk_has_room();
    bot.run.prints("turn ended");
    assert_eq!(bot.settles("ok").0, 200);
    assert!(!bot.said().is_empty());
    bot.run.stop();
}

/// What cannot be recorded is not sent, or a crash would send it again.
#[test]
fn an_answer_pauses_while_the_disk_is_full() {
    let Some(mut bot) = Bot::start() else {
        return;
    };
    bot.second_line_waits();
    bot.is_asked("count to 50");
    assert!((0..5_000).any(|_| !bot.said().is_empty()), "silence");
    bot.disk_is_full();
    // What was recorded before and waited is there long before the fifth try.
    for _ in 0..5 {
        bot.run.prints("the journal cannot be written");
    }
    let begun = bot.said();
    bot.run.prints("the journal cannot be written");
    assert_eq!(bot.said(), begun, "nothing is said that is not recorded");
    assert!(!begun.concat().contains("50"), "{begun:?}");

    bot.disk_has_room();
    bot.run.prints("turn ended");
    let all: Vec<String> = (1..=50).map(|number: u32| number.to_string()).collect();
    assert_eq!(bot.said().join("\n"), all.join("\n"), "once and in order");
    bot.run.stop();
}
