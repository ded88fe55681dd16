//! Streams that real servers sent, where they are at hand.

use std::fs;
use std::path::Path;

use kaiwa_domain::{Delta, ModelError};
use serde::Deserialize;

use crate::stage::{Stage, collect};

#[derive(Deserialize)]
struct Recording {
    api: String,
    file: String,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    text: String,
    thinking: String,
    refusal: String,
    tool_calls: Option<Vec<Call>>,
    error: Option<serde_json::Value>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Call {
    name: String,
    arguments: String,
}

#[tokio::test]
async fn recorded_streams_are_understood() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/streams");
    let Ok(index) = fs::read(folder.join("index.json")) else {
        println!("SKIPPED: no recorded streams beside the project");
        return;
    };
    let index: Vec<Recording> = serde_json::from_slice(&index).unwrap();
    let mut seen = 0;
    for recording in index.iter().filter(|row| row.api == "openai-chat") {
        let bytes = fs::read(folder.join(&recording.file)).unwrap();
        for size in [bytes.len(), 1021] {
            let (stage, script) = Stage::streaming().await;
            let act = async {
                for piece in bytes.chunks(size) {
                    script.say_if_heard(piece.to_vec()).await;
                }
                drop(script);
            };
            let (answer, ()) = tokio::join!(collect(stage.ask()), act);
            check(recording, &answer);
        }
        seen += 1;
    }
    assert!(seen > 0);
}

fn check(recording: &Recording, answer: &[Result<Delta, ModelError>]) {
    let file = &recording.file;
    let (mut text, mut thought, mut refusal) = (String::new(), String::new(), String::new());
    let (mut calls, mut finished, mut failed) = (Vec::new(), false, false);
    for delta in answer {
        match delta {
            Ok(Delta::Text(words)) => text += words,
            Ok(Delta::Thought(words)) => thought += words,
            Ok(Delta::Refusal(words)) => refusal += words,
            Ok(Delta::ToolCall(call)) => calls.push(Call {
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            }),
            Ok(Delta::Usage(_)) => {}
            Ok(Delta::Finish(_)) => finished = true,
            Err(_) => failed = true,
        }
    }
    let expected = &recording.expected;
    assert_eq!(text, expected.text, "{file}");
    assert_eq!(thought, expected.thinking, "{file}");
    assert_eq!(refusal, expected.refusal, "{file}");
    assert_eq!(
        failed,
        expected.error.is_some(),
        "{file}: {:?}",
        answer.last()
    );
    assert_eq!(finished, !failed, "{file}");
    if let Some(expected) = &expected.tool_calls
        && !failed
    {
        assert_eq!(&calls, expected, "{file}");
    }
}
