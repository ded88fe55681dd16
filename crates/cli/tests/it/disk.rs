//! A disk that is full for a while: `/healthz` says so, and once there is room
//! the question that was asked meanwhile is answered, without a restart.

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

#[test]
fn a_full_disk_is_told_and_survived() {
    let home = Home::new();
    let Some(library) = shim(home.folder.path()) else {
        return;
    };
    let control = home.folder.path().join("control");
    let mut command = home.command(&["run"]);
    command
        .env("LD_PRELOAD", library)
        .env("FAULT_CONTROL", &control);
    let mut run = Running::start(command);
    let line = run.prints("health and metrics at http://");
    let (_, address) = line.split_once("http://").unwrap();
    let health = format!("http://{}/healthz", address.trim());
    // What is told has to pass from one task to another.
    let settles = |status: &str| {
        let mut last = Value::Null;
        for _ in 0..500 {
            let (code, body) = request("GET", &health, "", "");
            if body["status"] == status {
                return (code, body);
            }
            last = body;
        }
        panic!("never {status}, but {last}");
    };
    run.prints("Kaiwa is online");
    let (code, body) = settles("ok");
    assert_eq!((code, &body["journal"]["ok"]), (200, &json!(true)));

    fs::write(&control, "0 28").unwrap();
    let world = &home.world;
    let channel = world["channels"]["general"].as_str().unwrap();
    let messages = format!("{}/channels/{channel}/messages", home.api_url);
    let token = world["users"][0]["token"].as_str().unwrap();
    let text = format!("<@{}> hello", world["bot"]["id"].as_str().unwrap());
    let asked = json!({ "content": text }).to_string();
    assert_eq!(request("POST", &messages, token, &asked).0, 200);
    run.prints("the journal cannot be written");
    let (code, body) = settles("degraded");
    assert_eq!((code, &body["gateway"]["ok"]), (503, &json!(true)));
    let reason = body["journal"]["reason"].as_str().unwrap();
    assert!(reason.contains("the disk is full"), "{reason}");

    fs::remove_file(&control).unwrap();
    run.prints("turn ended");
    assert_eq!(settles("ok").0, 200);
    let (_, said) = request("GET", &messages, token, "");
    let said = said.as_array().unwrap();
    let answered = said.iter().any(|it| it["author"]["bot"] == true);
    assert!(answered, "{said:?}");
    run.stop();
}
