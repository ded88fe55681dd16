//! Discord in a box from the command line: the same again, kept, recorded, and
//! over TLS.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kaiwa_emulator::World;
use rustls::pki_types::{CertificateDer, pem::PemObject};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::home::Home;
use crate::terminal::{PATIENCE, Running, kaiwa};

fn tls(name: &str) -> PathBuf {
    let emulator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../emulator/tests/emulator/tls");
    emulator.join(name)
}

/// A client that trusts the tests' authority alone.
fn client() -> reqwest::Client {
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_file(tls("ca.pem")).unwrap();
    roots.add(authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = reqwest::Client::builder().tls_backend_preconfigured(config);
    client.no_proxy().build().unwrap()
}

/// An emulator that runs, and what it said when it was ready.
struct Emulating {
    running: Running,
    ready: Value,
}

impl Emulating {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let args = [&["emulate"], args].concat();
        let mut running = Running::start(kaiwa(folder, &args));
        let ready = serde_json::from_str(&running.prints("api_url")).unwrap();
        Self { running, ready }
    }

    async fn say(&self, content: &str) -> Value {
        said(&self.ready, content).await
    }
}

/// The first user says something in general.
async fn said(ready: &Value, content: &str) -> Value {
    let api = ready["api_url"].as_str().unwrap();
    let general = ready["channels"]["general"].as_str().unwrap();
    let request = client()
        .post(format!("{api}/channels/{general}/messages"))
        .header(
            "authorization",
            ready["users"][0]["token"].as_str().unwrap(),
        )
        .json(&json!({ "content": content }));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

/// Who said what in general.
async fn transcript(ready: &Value) -> Vec<(String, String)> {
    let root = ready["page_url"].as_str().unwrap();
    let general = ready["channels"]["general"].as_str().unwrap();
    let url = format!("{root}emulator/transcript/{general}");
    let said: Vec<Value> = client()
        .get(url)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    said.iter()
        .map(|it| (text(&it["author"]), text(&it["content"])))
        .collect()
}

/// Asks until the answer is yes.
async fn until<F: Future<Output = bool>>(what: &str, mut done: impl FnMut() -> F) {
    let asking = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let asked = tokio::time::timeout(PATIENCE, asking).await;
    assert!(asked.is_ok(), "waited too long for {what}");
}

#[test]
fn the_example_world_can_be_used() {
    let here = TempDir::new().unwrap();
    let output = kaiwa(here.path(), &["emulate", "--example-world"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    World::from_toml(&printed).unwrap();
    std::fs::write(here.path().join("world.toml"), printed).unwrap();
    let running = Emulating::start(here.path(), &["--world", "world.toml"]);
    assert!(running.ready["channels"]["quay"].is_string());
    running.running.stop();
}

/// Nobody else's machine reaches it, unless that is asked for.
#[tokio::test]
async fn it_listens_where_it_is_told_to_and_else_at_home() {
    for (args, host) in [
        (&[][..], "http://127.0.0.1:"),
        (&["--listen", "127.0.0.2"][..], "http://127.0.0.2:"),
    ] {
        let here = TempDir::new().unwrap();
        let running = Emulating::start(here.path(), args);
        let api = running.ready["api_url"].as_str().unwrap();
        assert!(api.starts_with(host), "{api}");
        running.say("hello").await;
        running.running.stop();
    }
}

#[tokio::test]
async fn a_seed_makes_two_runs_the_same() {
    let here = TempDir::new().unwrap();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let running = Emulating::start(here.path(), &["--seed", "11"]);
        let api = running.ready["api_url"].as_str().unwrap();
        let port = api.split(['/', ':']).nth(4).unwrap();
        let ready = running.ready.to_string().replace(port, "PORT");
        let message = running.say("hello").await;
        runs.push((ready, message["id"].clone(), message["timestamp"].clone()));
        running.running.stop();
    }
    assert_eq!(runs[0], runs[1]);
}

#[tokio::test]
async fn what_was_said_survives_a_kill() {
    let here = TempDir::new().unwrap();
    let file = here.path().join("world.json");
    let args = ["--snapshot", "world.json"];
    let mut running = Emulating::start(here.path(), &args);
    running.say("kept").await;
    until("the file", || async {
        std::fs::read_to_string(&file).is_ok_and(|it| it.contains("kept"))
    })
    .await;
    running.running.child.kill().unwrap();
    running.running.child.wait().unwrap();

    let running = Emulating::start(here.path(), &args);
    assert_eq!(
        transcript(&running.ready).await,
        [("Ada".into(), "kept".into())]
    );
    running.say("at the end").await;
    running.running.stop();
    let running = Emulating::start(here.path(), &args);
    assert_eq!(transcript(&running.ready).await.len(), 2);
    std::fs::write(&file, "{}").unwrap();
    let refused = kaiwa(here.path(), &["emulate", "--snapshot", "world.json"])
        .output()
        .unwrap();
    assert_eq!(
        refused.status.code(),
        Some(2),
        "nothing is overwritten silently"
    );
}

#[tokio::test]
async fn the_playground_keeps_its_world_over_a_kill() {
    let here = TempDir::new().unwrap();
    let start = || {
        let args = [
            "play",
            "--no-open",
            "--port",
            "0",
            "--data",
            "d",
            "--model",
            "understudy",
        ];
        let mut command = kaiwa(here.path(), &args);
        command.env("KAIWA_UNDERSTUDY_PACE_MS", "0");
        let mut running = Running::start(command);
        let line = running.prints("Kaiwa is ready:");
        let url = line.split_whitespace().last().unwrap().to_owned();
        (running, url)
    };
    let world = |url: String| async move {
        let answer = client()
            .get(format!("{url}emulator/world"))
            .send()
            .await
            .unwrap();
        answer.json::<Value>().await.unwrap()
    };
    let (mut running, url) = start();
    let ready = world(url).await;
    let bot = ready["bot"]["id"].as_str().unwrap();
    said(&ready, &format!("<@{bot}> hello")).await;
    until("the answer", || async {
        transcript(&ready).await.len() > 1
    })
    .await;
    let file = here.path().join("d/world.json");
    let kept = || async {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let told = transcript(&ready).await;
        told.iter()
            .all(|(_, said)| text.contains(&json!(said).to_string()))
    };
    until("the file", kept).await;
    let before = transcript(&ready).await;
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    let (running, url) = start();
    let after = transcript(&world(url).await).await;
    assert_eq!(after[..before.len()], before[..]);
    running.stop();
}

#[tokio::test]
async fn a_recording_is_replayed() {
    let here = TempDir::new().unwrap();
    let running = Emulating::start(here.path(), &["--seed", "3", "--record", "run.jsonl"]);
    running.say("one").await;
    running.say("two").await;
    running.running.stop();
    let replay = |args: &[&str]| {
        let args = [&["emulate", "--replay", "run.jsonl"], args].concat();
        let output = kaiwa(here.path(), &args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (
            output.status.code(),
            said,
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (code, said, printed) = replay(&["--seed", "3"]);
    assert_eq!((code, printed.as_str()), (Some(0), ""), "{said}");
    assert!(
        said.contains("2 requests made again, 0 left out, 0 answers differ"),
        "{said}"
    );
    let (code, _, printed) = replay(&["--seed", "4"]);
    assert_eq!((code, printed.lines().count()), (Some(1), 2), "{printed}");
}

#[tokio::test]
async fn the_bot_answers_over_tls_when_it_trusts_the_authority() {
    let home = Home::new();
    let here = home.folder.path();
    let [certificate, key] = ["cert.pem", "key.pem"].map(|name| tls(name).display().to_string());
    let emulating = Emulating::start(here, &["--tls", &certificate, &key]);
    let api_url = emulating.ready["api_url"].as_str().unwrap();
    assert!(api_url.starts_with("https://"));
    let mut config = std::fs::read_to_string(here.join("kaiwa.toml")).unwrap();
    config = config.replace(&home.api_url, api_url);
    std::fs::write(here.join("kaiwa.toml"), &config).unwrap();
    let refused = home.command(&["doctor"]).output().unwrap();
    assert!(!refused.status.success(), "nobody signed this certificate");

    std::fs::copy(tls("ca.pem"), here.join("ca.pem")).unwrap();
    let trusting = config.replace("[discord]\n", "[discord]\nextra_ca = \"ca.pem\"\n");
    std::fs::write(here.join("kaiwa.toml"), trusting).unwrap();
    let mut bot = Running::start(home.command(&["run", "--data", "d"]));
    bot.prints("is online");
    let name = emulating.ready["bot"]["id"].as_str().unwrap();
    emulating.say(&format!("<@{name}> hello")).await;
    until("the answer", || async {
        transcript(&emulating.ready).await.len() > 1
    })
    .await;
    bot.stop();

    // The variable alone does the same.
    std::fs::write(here.join("kaiwa.toml"), &config).unwrap();
    let mut command = home.command(&["run", "--data", "e"]);
    command.env("SSL_CERT_FILE", tls("ca.pem"));
    let mut bot = Running::start(command);
    bot.prints("is online");
    bot.stop();
}
