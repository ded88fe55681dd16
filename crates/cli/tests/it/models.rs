//! What operators are told of their models.

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::home::Home;
use crate::server::{Reply, Server};
use crate::terminal::{Running, assert_failure, kaiwa};

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn doctor_checks_every_model_with_every_key() {
    let home = Home::new();
    let server = Server::start(|request| match request.header("authorization") {
        Some("Bearer sk-good") => Reply::json(200, r#"{"data":[{"id":"tea"}]}"#),
        _ => Reply::json(401, "{}"),
    });
    let config = format!(
        "[discord]\napi_url = \"{}\"\n[models]\nchat = [\"mine/understudy\", \"mine/nobody\"]\nvision = \"one/tea\"\nreasoner = \"two/tea\"\nclassifier = \"openai/gpt-5\"\nsummarizer = \"mine/understudy\"\n[vendors.mine]\nbase_url = \"{}\"\n[vendors.one]\nbase_url = \"{}\"\nkey_env = \"GOOD\"\n[vendors.two]\nbase_url = \"{}\"\nkey_env = [\"GOOD\", \"BAD\"]\n",
        home.api_url, home.understudy, server.base_url, server.base_url
    );
    fs::write(home.folder.path().join("kaiwa.toml"), config).unwrap();
    let mut doctor = home.command(&["doctor"]);
    doctor.env("GOOD", "sk-good").env("BAD", "sk-bad");
    let output = doctor.output().unwrap();
    assert_failure(&output, "kaiwa: 3 problems found");
    let printed = stdout(&output);
    let models: Vec<String> = printed
        .lines()
        .filter(|line| line.contains("models."))
        .map(|line| {
            line.replace(&server.base_url, "URL")
                .replace(&home.understudy, "UNDERSTUDY")
        })
        .collect();
    assert_eq!(
        models,
        [
            "✓ models.chat: mine/understudy at UNDERSTUDY",
            "✗ models.chat: mine at UNDERSTUDY has no model \"nobody\"; it has: understudy",
            "✗ models.reasoner: two at URL refused the key (HTTP 401): check BAD",
            "✓ models.vision: one/tea at URL",
            "✗ models.classifier: no key for openai: set OPENAI_API_KEY in the environment, or set key_env in [vendors.openai] to the name of another variable, or to [] if no key is wanted",
        ]
    );
    for secret in ["sk-good", "sk-bad"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

#[cfg(unix)]
#[test]
fn a_price_that_nobody_knows_is_told_wherever_dollars_are_limited() {
    let home = Home::new();
    let finding = "budget: the price of mine/understudy is not known, so it is never asked";
    let output = home.command(&["doctor"]).output().unwrap();
    assert!(!stdout(&output).contains("budget"), "no limit is set");

    home.configure("[budget]\nuser_dollars_per_day = 1\n");
    let output = home.command(&["doctor"]).output().unwrap();
    assert_failure(&output, "kaiwa: 1 problem found");
    assert!(stdout(&output).contains(&format!("✗ {finding}")));
    let list = home.command(&["provider", "list"]).output().unwrap();
    assert!(stdout(&list).contains("price unknown: it is never asked"));
    let mut run = Running::start(home.command(&["run"]));
    let line = run.prints("the price of mine/understudy is not known");
    assert!(line.contains("WARN"), "{line}");
    run.prints("Kaiwa is online");
    run.stop();

    home.configure("[budget]\nuser_dollars_per_day = 1\nunknown_price = \"free\"\n");
    let output = home.command(&["doctor"]).output().unwrap();
    assert!(output.status.success());
    assert!(stdout(&output).contains("no limit in dollars ever stops it"));
}

#[test]
fn the_list_knows_keys_and_the_file() {
    let folder = TempDir::new().unwrap();
    let config = "[vendors.groq]\nkey_env = [\"ONE\", \"TWO\"]\n[vendors.attic]\nbase_url = \"http://attic\"\n[vendors.attic.models.qwen3]\nvision = true\n";
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    let mut list = kaiwa(folder.path(), &["provider", "list"]);
    list.env("ONE", "sk-1").env("OPENAI_API_KEY", "sk-2");
    let output = list.output().unwrap();
    assert!(output.status.success());
    let printed = stdout(&output);
    for line in [
        "openai: OpenAI at https://api.openai.com/v1, openai-responses, OPENAI_API_KEY is set",
        "groq: Groq at https://api.groq.com/openai/v1, openai-chat, ONE is set, TWO is not set",
        "ollama: Ollama at http://127.0.0.1:11434/, ollama-chat, no key needed",
        "attic: your own at http://attic/, openai-chat, no key needed",
    ] {
        assert!(printed.lines().any(|it| it == line), "{line} in\n{printed}");
    }
    let qwen = printed.lines().find(|line| line.contains("attic/qwen3"));
    assert!(qwen.unwrap().contains("tools vision"), "{qwen:?}");
    assert!(!printed.contains("sk-"), "{printed}");
}

#[test]
fn play_takes_the_model_it_is_given() {
    let folder = TempDir::new().unwrap();
    let args = ["understudy", "--port", "0", "--pace", "0"];
    let mut understudy = Running::start(kaiwa(folder.path(), &args));
    let base_url = understudy.prints("http://");
    let config = format!("[vendors.mine]\nbase_url = \"{base_url}\"\n");
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    let args = ["play", "--no-open", "--port", "0", "--model"];
    let play = |model| kaiwa(folder.path(), &[&args[..], &[model]].concat());
    let mut playing = Running::start(play("mine/understudy"));
    playing.prints(&format!("the model: mine/understudy at {base_url}"));
    playing.prints("Kaiwa is ready");
    playing.stop();
    assert_failure(
        &play("mine/nobody").output().unwrap(),
        "kaiwa: mine at http://… has no model \"nobody\"; it has: understudy",
    );
}

#[test]
fn an_edit_of_the_models_is_used_or_refused() {
    let home = Home::new();
    let mut run = Running::start(home.command(&["run"]));
    run.prints("Kaiwa is online");
    let path = home.folder.path().join("kaiwa.toml");
    let config = fs::read_to_string(&path).unwrap();
    let edit = |from: &str, to: &str| {
        assert!(config.contains(from));
        fs::write(&path, config.replace(from, to)).unwrap();
    };
    edit("\"mine/understudy\"", "\"openai/gpt-5\"");
    run.signal("HUP");
    run.prints("kaiwa.toml:4: models.chat: no key for openai: set OPENAI_API_KEY");
    edit("chat = \"mine/understudy\"\n", "");
    run.signal("HUP");
    run.prints("kaiwa.toml: models.chat is gone; the last good configuration stays");
    edit("\"mine/understudy\"", "\"mine/other\"");
    run.signal("HUP");
    run.prints("configuration reloaded");
    run.stop();
}

/// A local server whose models are `listed`, of which only `tea` chats; and a
/// folder in which nothing else on this machine is found.
fn local_server(listed: &str) -> (Server, TempDir) {
    let list = format!(r#"{{"data":[{listed}]}}"#);
    let server = Server::start(move |request| match request.line.as_str() {
        "GET /v1/models" => Reply::json(200, &list),
        _ if request.body.contains("\"tea\"") => Reply::chat("green"),
        _ => Reply::json(400, r#"{"error":{"message":"it does not support chat"}}"#),
    });
    let folder = TempDir::new().unwrap();
    let absent = ["\"llama.cpp\"", "vllm", "ollama"]
        .map(|vendor| format!("[vendors.{vendor}]\nbase_url = \"http://127.0.0.1:9/v1\"\n"));
    let config = format!(
        "{}[vendors.lmstudio]\nbase_url = \"{}\"\nformat = \"openai-chat\"\n",
        absent.concat(),
        server.base_url
    );
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    (server, folder)
}

/// The models that were asked something, in order.
fn asked(server: &Server) -> Vec<String> {
    let questions = server.requests().into_iter();
    questions
        .filter(|request| request.line.starts_with("POST"))
        .map(|request| {
            let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
            body["model"].as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn of_the_models_on_this_machine_one_that_chats_is_taken() {
    // By its name; and where the name says nothing, by trying.
    for (listed, expect) in [
        (
            r#"{"id":"text-embedding-nomic"},{"id":"bge-m3:latest"},{"id":"tea"}"#,
            &["tea"][..],
        ),
        (r#"{"id":"mystery"},{"id":"tea"}"#, &["mystery", "tea"]),
    ] {
        let (server, folder) = local_server(listed);
        let output = kaiwa(folder.path(), &["ask", "Which tea?"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(stdout(&output), "green\n", "{said}");
        assert!(said.contains("lmstudio/tea: "), "{said}");
        assert_eq!(asked(&server), expect, "{listed}");

        let (server, folder) = local_server(listed);
        let args = ["play", "--no-open", "--port", "0"];
        let mut playing = Running::start(kaiwa(folder.path(), &args));
        playing.prints("the model: lmstudio/tea at http://");
        playing.prints("Kaiwa is ready");
        playing.stop();
        assert_eq!(asked(&server), expect, "{listed}");
    }
}

#[test]
fn where_no_model_on_this_machine_chats_the_script_plays() {
    let (_server, folder) = local_server(r#"{"id":"bge-m3"}"#);
    let args = ["play", "--no-open", "--port", "0"];
    let mut playing = Running::start(kaiwa(folder.path(), &args));
    playing.prints("lmstudio/bge-m3 was tried and does not answer: ");
    playing.prints("the model: the understudy");
    playing.prints("Kaiwa is ready");
    playing.stop();
}
