//! Reader and normaliser, in MB/s on one core.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use kaiwa_provider::{Format, hear};
use serde_json::{Value, json};

use crate::peer;

/// How many bytes arrive at a time, as a network would have it.
const PIECE: usize = 1400;

/// How often everything is read; the quickest time counts.
const PASSES: usize = 7;

/// Recordings of one format.
struct Shelf {
    name: String,
    format: Format,
    recordings: Vec<Vec<u8>>,
}

pub(crate) fn measure(folder: Option<&Path>) {
    let mut shelves = vec![spoken(), tool_calls()];
    shelves.extend(folder.into_iter().flat_map(recorded));
    println!("### Reading, beside eventsource-stream and serde_json\n");
    println!("| answers | format | size | ours | peer | ratio | aim |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for shelf in &shelves {
        let bytes: usize = shelf.recordings.iter().map(Vec::len).sum();
        let (ours, theirs) = race(shelf);
        println!(
            "| {} | {} | {:.0} KB | {:.0} MB/s | {:.0} MB/s | {:.1}× | 2× |",
            shelf.name,
            shelf.format,
            bytes as f64 / 1e3,
            speed(bytes, ours),
            speed(bytes, theirs),
            theirs.as_secs_f64() / ours.as_secs_f64(),
        );
    }
}

/// The quickest passes of both, taken in turns.
fn race(shelf: &Shelf) -> (Duration, Duration) {
    let mut quickest = (Duration::MAX, Duration::MAX);
    for _ in 0..PASSES {
        let start = Instant::now();
        for recording in &shelf.recordings {
            let mut deltas = 0;
            hear(shelf.format, recording.chunks(PIECE), |delta| {
                black_box(&delta);
                deltas += 1;
            });
            black_box(deltas);
        }
        quickest.0 = quickest.0.min(start.elapsed());
        let start = Instant::now();
        for recording in &shelf.recordings {
            black_box(peer::read(shelf.format, recording, PIECE));
        }
        quickest.1 = quickest.1.min(start.elapsed());
    }
    quickest
}

fn speed(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

/// The recordings of a study, by format. NDJSON is left out: the peer reads
/// events alone.
fn recorded(folder: &Path) -> Vec<Shelf> {
    let index = std::fs::read(folder.join("index.json")).expect("an index");
    let index: Vec<Value> = serde_json::from_slice(&index).expect("a list");
    let formats = Format::ALL
        .into_iter()
        .filter(|&format| format != Format::OllamaChat);
    formats
        .map(|format| {
            let of_format = index.iter().filter(|row| row["api"] == format.name());
            let events = of_format.filter(|row| row["content_type"] == "text/event-stream");
            let files = events.filter_map(|row| row["file"].as_str());
            Shelf {
                name: "recorded (shared)".to_owned(),
                format,
                recordings: files
                    .filter_map(|file| std::fs::read(folder.join(file)).ok())
                    .collect(),
            }
        })
        .collect()
}

fn shelf(name: &str, chunks: impl Iterator<Item = Value>) -> Shelf {
    let mut recording = String::new();
    for chunk in chunks {
        recording.push_str(&format!("data: {chunk}\n\n"));
    }
    recording.push_str("data: [DONE]\n\n");
    Shelf {
        name: name.to_owned(),
        format: Format::OpenAiChat,
        recordings: vec![recording.into_bytes()],
    }
}

fn chunk(delta: Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-0123456789abcdef", "object": "chat.completion.chunk", "created": 1_763_200_000,
        "model": "tea-1", "service_tier": "default", "system_fingerprint": "fp_0123456789",
        "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
    })
}

fn spoken() -> Shelf {
    let words = ["The ", "kettle ", "sings, ", "and \"tea\" ", "is 茶.\n"];
    let deltas = (0..4000).map(|n| chunk(json!({"content": words[n % words.len()]}), None));
    shelf(
        "prose (own)",
        deltas.chain([chunk(json!({}), Some("stop"))]),
    )
}

fn tool_calls() -> Shelf {
    let deltas = (0..4000).map(|n| {
        let call = match n % 40 {
            0 => json!({"index": n / 40, "id": format!("call_{n}"), "type": "function", "function": {"name": "brew", "arguments": ""}}),
            1 => json!({"index": n / 40, "function": {"arguments": "{\"tea\":\""}}),
            39 => json!({"index": n / 40, "function": {"arguments": "\"}"}}),
            _ => json!({"index": n / 40, "function": {"arguments": "leaf "}}),
        };
        chunk(json!({"tool_calls": [call]}), None)
    });
    shelf(
        "tool calls (own)",
        deltas.chain([chunk(json!({}), Some("tool_calls"))]),
    )
}
