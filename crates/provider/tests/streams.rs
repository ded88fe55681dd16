//! Streams that real servers sent, where they are at hand.
//!
//! Each is heard whole, byte by byte and in random pieces. What came of it is
//! kept as a hash in `streams.results.jsonl`, so that a change shows as a
//! diff; `UPDATE_EXPECT=1` writes the file anew.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kaiwa_provider::{Format, Replay};
use serde::Deserialize;
use serde_json::{Value, json};

/// Recordings whose expectation is not what we want, and why.
const DOUBTFUL: [(&str, &str); 2] = [
    ("vllm/chat-tool_call-text-c414f98a.sse", THINK_TAGS),
    ("vllm/chat-tool_call-text-e35415dc.sse", THINK_TAGS),
];

const THINK_TAGS: &str =
    "the expected text holds the think tags, which we take for thoughts unless told not to";

#[derive(Deserialize)]
struct Recording {
    api: String,
    file: String,
    expected: Value,
}

#[test]
fn recorded_streams_are_understood() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../../shared/streams");
    let Ok(index) = fs::read(folder.join("index.json")) else {
        println!("SKIPPED: no recorded streams beside the project");
        return;
    };
    let index: Vec<Recording> = serde_json::from_slice(&index).unwrap();
    let mut results = String::new();
    let mut failed = Vec::new();
    for recording in &index {
        let file = &recording.file;
        let format: Format = recording.api.parse().unwrap();
        let bytes = fs::read(folder.join(file)).unwrap();
        let whole = Replay::of(format, [bytes.as_slice()], false);
        assert_eq!(
            Replay::of(format, bytes.chunks(1), false),
            whole,
            "{file} byte by byte"
        );
        for seed in 1..=3 {
            let pieces = Pieces {
                bytes: &bytes,
                seed,
            };
            assert_eq!(
                Replay::of(format, pieces, false),
                whole,
                "{file} in pieces, seed {seed}"
            );
        }
        let doubt = DOUBTFUL.iter().find(|(doubtful, _)| doubtful == file);
        let as_expected = match doubt {
            None => check(recording, &whole.result),
            Some(_) => check(
                recording,
                &Replay::of(format, [bytes.as_slice()], true).result,
            ),
        };
        let verdict = match (&as_expected, doubt) {
            (Ok(()), None) => "pass",
            (Ok(()), Some(_)) => "doubtful",
            (Err(_), _) => "fail",
        };
        if let Err(difference) = as_expected {
            failed.push(format!("{file}: {difference}"));
        }
        let hash = format!("{:016x}", hash(whole.result.to_string().as_bytes()));
        let line = json!({"file": file, "verdict": verdict, "hash": hash});
        writeln!(results, "{line}").unwrap();
    }
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        index.len(),
        failed.join("\n")
    );
    let kept = here.join("tests/streams.results.jsonl");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&kept, &results).unwrap();
    }
    let kept = fs::read_to_string(kept).unwrap_or_default();
    assert!(
        kept == results,
        "what came of the streams has changed; see UPDATE_EXPECT=1"
    );
}

/// Whether the result is the expected one.
fn check(recording: &Recording, result: &Value) -> Result<(), String> {
    let expected = &recording.expected;
    for name in [
        "text",
        "thinking",
        "refusal",
        "finish_reason",
        "terminated",
        "error",
    ] {
        if result[name] != expected[name] {
            return Err(format!(
                "{name} is {}, not {}",
                result[name], expected[name]
            ));
        }
    }
    if !expected["tool_calls"].is_null() && result["tool_calls"] != expected["tool_calls"] {
        return Err(format!(
            "calls {}, not {}",
            result["tool_calls"], expected["tool_calls"]
        ));
    }
    if result["error"].is_null() == (result["finish"] == "error") && expected["terminated"] == true
    {
        return Err(format!(
            "finish {} with error {}",
            result["finish"], result["error"]
        ));
    }
    Ok(())
}

/// Pieces of random size, the same for the same seed.
struct Pieces<'a> {
    bytes: &'a [u8],
    seed: u64,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.bytes.is_empty() {
            return None;
        }
        self.seed = hash(&self.seed.to_le_bytes());
        let size = usize::try_from(self.seed % 97).unwrap() + 1;
        let (piece, rest) = self.bytes.split_at(size.min(self.bytes.len()));
        self.bytes = rest;
        Some(piece)
    }
}

/// FNV-1a: stable over releases, which the standard library's is not.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
