//! A bot's home on a Discord of its own.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::terminal::{Running, kaiwa};

/// A folder with a `kaiwa.toml` that points at a running emulator and
/// understudy, and the bot's token.
pub(crate) struct Home {
    pub(crate) folder: TempDir,
    pub(crate) token: String,
    pub(crate) understudy: String,
    pub(crate) api_url: String,
    /// What the emulator says of its world.
    pub(crate) world: serde_json::Value,
    _servers: [Running; 2],
}

impl Home {
    pub(crate) fn new() -> Self {
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
            world: ready,
            _servers: [emulator, understudy],
        };
        home.configure("");
        home
    }

    pub(crate) fn configure(&self, more: &str) {
        let config = format!(
            "[discord]\napi_url = \"{}\"\n[models]\nchat = \"mine/understudy\"\n[vendors.mine]\nbase_url = \"{}\"\n[web]\nlisten = \"127.0.0.1:0\"\n{more}",
            self.api_url, self.understudy
        );
        fs::write(self.folder.path().join("kaiwa.toml"), config).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = kaiwa(self.folder.path(), args);
        command.env("DISCORD_TOKEN", &self.token);
        command
    }
}

/// One request without anything around it: the status and the body.
pub(crate) fn request(method: &str, url: &str, token: &str, body: &str) -> (u16, Value) {
    let (host, path) = url
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('/'))
        .unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "{method} /{path} HTTP/1.1\r\nhost: {host}\r\nauthorization: {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let start = body.find(['{', '[']).unwrap_or(0);
    let end = body.rfind(['}', ']']).map_or(0, |end| end + 1);
    (status, serde_json::from_str(&body[start..end]).unwrap())
}
