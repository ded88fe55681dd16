//! Chromium, driven over WebDriver: plain HTTP, and only the commands that the
//! tests need.

pub mod node_bot;
pub mod page;
pub mod play;

use std::ffi::OsString;
use std::fmt;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::soon;

/// How long a page may take to become what a test waits for.
const PATIENCE: Duration = Duration::from_secs(15);

/// Under which key WebDriver sends the id of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// WebDriver's error code for an element that is not in the page any more.
const GONE: &str = "stale element reference";

/// How often a page is looked over that is drawn anew meanwhile.
const LOOKS: u32 = 20;

/// How browsers that [`Browser`] can drive are called.
const CHROMIUMS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

const FLAGS: [&str; 10] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
];

/// How often a driver is started. It asks for a free port of IPv6 and ends if
/// somebody has the same of IPv4.
const DRIVER_TRIES: u32 = 5;

/// A browser with one empty tab and no past. Dropping it closes it.
pub struct Browser {
    http: reqwest::Client,
    port: u16,
    session: String,
    _driver: Child,
    // A driver whose output nobody holds open would die of its next word.
    _output: Lines<BufReader<ChildStdout>>,
    _folder: TempDir,
}

impl Browser {
    /// Starts a browser. Where there is none, says so loudly and gives none,
    /// unless the environment demands one.
    pub async fn start() -> Option<Self> {
        let chromium = CHROMIUMS.iter().find_map(|name| on_path(name));
        let (Some(chromium), Some(driver)) = (chromium, on_path("chromedriver")) else {
            skip();
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let mut tries = 1;
        let (driver, output, port) = loop {
            let (started, mut output) = start_driver(&driver, folder.path());
            match soon("chromedriver's port", port(&mut output)).await {
                Some(port) => break (started, output, port),
                None => assert!(tries < DRIVER_TRIES, "chromedriver ends before it is ready"),
            }
            tries += 1;
        };
        let mut browser = Self {
            http: crate::http(),
            port,
            session: format!("http://127.0.0.1:{port}/session"),
            _driver: driver,
            _output: output,
            _folder: folder,
        };
        let id = browser.open_session(&chromium.to_string_lossy()).await;
        browser.session = format!("{}/{id}", browser.session);
        Some(browser)
    }

    async fn open_session(&self, chromium: &str) -> String {
        let profile = format!("--user-data-dir={}/profile", self._folder.path().display());
        let flags: Vec<&str> = FLAGS.into_iter().chain([profile.as_str()]).collect();
        let wanted = json!({
            "timeouts": {"script": 2 * PATIENCE.as_millis() as u64},
            "goog:chromeOptions": {"binary": chromium, "args": flags},
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let body = json!({"capabilities": {"alwaysMatch": wanted}});
        let session = self.post("", &body).await;
        session["sessionId"].as_str().expect("a session").to_owned()
    }

    /// Opens an address and waits until the document is loaded.
    pub async fn open(&self, url: &str) {
        self.post("/url", &json!({"url": url})).await;
    }

    /// Runs a script in the page, and gives what it returns.
    pub async fn run(&self, script: &str) -> Value {
        let body = json!({"script": script, "args": []});
        self.post("/execute/sync", &body).await
    }

    /// Waits until a JavaScript expression is true, or a promise of truth.
    ///
    /// # Panics
    /// If it stays false; `what` says what is missing.
    pub async fn until(&self, what: &str, condition: &str) {
        let script = format!(
            "const [done] = arguments;
            const end = Date.now() + {patience};
            const look = async () => {{
              if (await ({condition})) done(true);
              else if (Date.now() > end) done(false);
              else setTimeout(look, 15);
            }};
            look();",
            patience = PATIENCE.as_millis()
        );
        let body = json!({"script": script, "args": []});
        let happened = self.post("/execute/async", &body).await;
        if happened != true {
            let page = self.run("return document.body.innerText").await;
            panic!(
                "still waiting for {what}; the page says:\n{}",
                page.as_str().unwrap_or_default()
            );
        }
    }

    /// Every element that a selector names.
    async fn find_all(&self, css: &str) -> Vec<String> {
        let body = json!({"using": "css selector", "value": css});
        let found = self.post("/elements", &body).await;
        let ids = found.as_array().into_iter().flatten();
        ids.filter_map(|element| element[ELEMENT].as_str())
            .map(str::to_owned)
            .collect()
    }

    /// Moves the pointer onto the first element that a selector names and
    /// clicks. Something else in front of it is an error, as it is for people.
    pub async fn click(&self, css: &str) {
        let found = self.find_all(css).await;
        let element = found.first().unwrap_or_else(|| panic!("there is no {css}"));
        self.post(&format!("/element/{element}/click"), &json!({}))
            .await;
    }

    /// The markup of every visible element that a selector names and a screen
    /// reader has no name for. What the page draws anew meanwhile is looked at
    /// again.
    ///
    /// # Panics
    /// If the page never stays as it is for long enough.
    pub async fn nameless(&self, css: &str) -> Vec<String> {
        for _ in 0..LOOKS {
            if let Some(found) = self.nameless_now(css).await {
                return found;
            }
        }
        panic!("the page is drawn anew all the time");
    }

    /// What [`nameless`](Self::nameless) gives, unless an element went away.
    async fn nameless_now(&self, css: &str) -> Option<Vec<String>> {
        let mut found = Vec::new();
        for element in self.find_all(css).await {
            let ask = async |what: &str| {
                let path = format!("/element/{element}/{what}");
                match self.command(Method::GET, &path, None).await {
                    Ok(value) => Some(value),
                    Err(refusal) if refusal.error == GONE => None,
                    Err(refusal) => panic!("{refusal}"),
                }
            };
            if ask("displayed").await? == true && ask("computedlabel").await? == "" {
                found.push(ask("property/outerHTML").await?.to_string());
            }
        }
        Some(found)
    }

    /// Presses keys one after the other, into whatever has the focus.
    pub async fn press(&self, keys: &str) {
        let steps: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|step| json!({"type": step, "value": key})))
            .collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": steps});
        self.post("/actions", &json!({"actions": [keyboard]})).await;
    }

    /// Gives the page the size and the manners of a screen: `phone` is one
    /// that is touched.
    pub async fn screen(&self, width: u32, height: u32, phone: bool) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
        let touch = json!({"enabled": phone});
        for (command, params) in [
            ("Emulation.setDeviceMetricsOverride", size),
            ("Emulation.setTouchEmulationEnabled", touch),
        ] {
            let body = json!({"cmd": command, "params": params});
            self.post("/goog/cdp/execute", &body).await;
        }
    }

    /// The page as a PNG.
    pub async fn screenshot(&self) -> Vec<u8> {
        let png = self.command(Method::GET, "/screenshot", None).await;
        let png = png.unwrap_or_else(|refusal| panic!("{refusal}"));
        from_base64(png.as_str().unwrap_or_default())
    }

    /// What the browser's console has held against the page since last asked.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({"type": "browser"})).await;
        let entries = log.as_array().into_iter().flatten();
        entries
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| entry["message"].to_string())
            .collect()
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.command(Method::POST, path, Some(body)).await;
        answer.unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    async fn command(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, DriverRefusal> {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.session))
            .timeout(3 * PATIENCE);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.expect("an answer of chromedriver");
        let refused = !response.status().is_success();
        let mut answer: Value = response.json().await.expect("JSON of chromedriver");
        let mut value = answer["value"].take();
        if refused {
            return Err(DriverRefusal {
                path: path.to_owned(),
                error: value["error"].as_str().unwrap_or_default().to_owned(),
                message: value["message"].take(),
            });
        }
        Ok(value)
    }
}

/// A command that the driver did not carry out.
struct DriverRefusal {
    path: String,
    /// One of WebDriver's error codes.
    error: String,
    message: Value,
}

impl fmt::Display for DriverRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path, self.error, self.message)
    }
}

impl Drop for Browser {
    /// Asks the driver to close the browser, which killing it would leave
    /// behind, and waits until it has.
    fn drop(&mut self) {
        let Ok(mut line) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) else {
            return;
        };
        let path = self.session.split_once("/session").map(|(_, id)| id);
        let request = format!(
            "DELETE /session{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            path.unwrap_or_default(),
            self.port
        );
        let _ = line.set_read_timeout(Some(Duration::from_secs(5)));
        let _ = line.write_all(request.as_bytes());
        let _ = line.read(&mut [0; 64]);
    }
}

fn start_driver(program: &Path, folder: &Path) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut driver = Command::new(program)
        .arg("--port=0")
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("chromedriver starts");
    let stdout = driver.stdout.take().expect("its output");
    (driver, BufReader::new(stdout).lines())
}

/// The port that the driver says it has, unless it ends before.
async fn port(output: &mut Lines<BufReader<ChildStdout>>) -> Option<u16> {
    while let Ok(Some(line)) = output.next_line().await {
        let port = line.split_once("started successfully on port ");
        if let Some((_, port)) = port {
            let port = port.trim_end_matches('.').parse();
            return Some(port.expect("a port"));
        }
    }
    None
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path: OsString = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// Says that there is no browser, past the test harness, which would hide the
/// words of a test that passes.
fn skip() {
    const WORDS: &str = "SKIPPED: the browser test needs chromium and chromedriver \
        (Debian: apt-get install chromium chromium-driver)";
    let is = |name: &str, value: &str| std::env::var_os(name).is_some_and(|it| it == value);
    assert!(
        !(is("CI", "true") && is("KAIWA_REQUIRE_BROWSER", "1")),
        "{WORDS}"
    );
    let line = "═".repeat(WORDS.len() + 4);
    let _ = writeln!(std::io::stderr(), "\n╔{line}╗\n║  {WORDS}  ║\n╚{line}╝");
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held) = (0_u32, 0);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for digit in text.bytes() {
        let Some(value) = DIGITS.iter().position(|known| *known == digit) else {
            break;
        };
        bits = bits << 6 | value as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
