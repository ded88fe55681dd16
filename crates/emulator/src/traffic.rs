//! What goes over the wire: REST requests with their answers, what is asked of
//! `/emulator`, and gateway frames, one JSON line each.
//!
//! Tokens are replaced and long bodies left out. A history is kept for whoever
//! looks later, a feed serves those who look now, and a file can take it all.

mod observe;
mod replay;

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, LineWriter, Write},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::extract::ws::Utf8Bytes;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast;

use crate::{Emulator, limits, snowflake::rfc3339};

pub(crate) use observe::{feed, observe};
pub use replay::{Difference, Recording, RecordingError, Replayed};

/// What stands in for a secret.
const TOKEN: &str = "[token]";

/// Everything that watches one emulator's wire.
#[derive(Debug)]
pub(crate) struct Traffic {
    on: AtomicBool,
    kept: Mutex<KeptTraffic>,
    feed: broadcast::Sender<Arc<str>>,
}

#[derive(Debug, Default)]
struct KeptTraffic {
    number: u64,
    history: VecDeque<KeptEntry>,
    bytes: usize,
    file: Option<LineWriter<File>>,
}

/// Frames are kept as they went: a client's frames are many, and whoever looks
/// is seldom there.
#[derive(Debug)]
enum KeptEntry {
    Written(Arc<str>),
    Frame {
        number: u64,
        at: Timestamp,
        note: FrameNote,
    },
}

impl KeptEntry {
    fn len(&self) -> usize {
        match self {
            Self::Written(line) => line.len(),
            Self::Frame { note, .. } => note.frame.len(),
        }
    }

    fn line(&self) -> Arc<str> {
        match self {
            Self::Written(line) => Arc::clone(line),
            Self::Frame { number, at, note } => written(note.entry(), *number, *at),
        }
    }
}

fn written(mut entry: Map<String, Value>, number: u64, at: Timestamp) -> Arc<str> {
    entry.insert("at".into(), json!(rfc3339(at)));
    entry.insert("n".into(), json!(number));
    Value::Object(entry).to_string().into()
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            on: AtomicBool::new(false),
            kept: Mutex::default(),
            feed: broadcast::Sender::new(limits::TRAFFIC_ENTRIES),
        }
    }
}

impl Traffic {
    /// Whether anybody looks, now or later.
    pub(crate) fn on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// Whether a file takes it all.
    pub(crate) fn recorded(&self) -> bool {
        self.on() && self.kept().file.is_some()
    }

    fn kept(&self) -> MutexGuard<'_, KeptTraffic> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, entry: Map<String, Value>, at: Timestamp) {
        let mut kept = self.kept();
        kept.number += 1;
        let line = written(entry, kept.number, at);
        self.show(&mut kept, line);
    }

    fn add_frame(&self, note: FrameNote, at: Timestamp) {
        let mut kept = self.kept();
        kept.number += 1;
        let number = kept.number;
        if kept.file.is_some() || self.feed.receiver_count() > 0 {
            self.show(&mut kept, written(note.entry(), number, at));
        } else {
            kept.keep(KeptEntry::Frame { number, at, note });
        }
    }

    /// Keeps a line, and gives it to those who look just now.
    fn show(&self, kept: &mut KeptTraffic, line: Arc<str>) {
        if let Some(file) = &mut kept.file
            && let Err(error) = writeln!(file, "{line}")
        {
            tracing::error!("the recording ends here: {error}");
            kept.file = None;
        }
        kept.keep(KeptEntry::Written(Arc::clone(&line)));
        // Nobody may look just now.
        let _ = self.feed.send(line);
    }

    /// What was kept, and what is to come.
    fn subscribe(&self) -> (Vec<Arc<str>>, broadcast::Receiver<Arc<str>>) {
        let kept = self.kept();
        let history = kept.history.iter().map(KeptEntry::line).collect();
        (history, self.feed.subscribe())
    }
}

impl KeptTraffic {
    fn keep(&mut self, entry: KeptEntry) {
        self.bytes += entry.len();
        self.history.push_back(entry);
        while self.history.len() > limits::TRAFFIC_ENTRIES || self.bytes > limits::TRAFFIC_BYTES {
            let oldest = self.history.pop_front();
            self.bytes -= oldest.map_or(self.bytes, |entry| entry.len());
        }
    }
}

impl Emulator {
    /// Keeps the latest of what goes over the wire for `GET /emulator/traffic`.
    pub fn keep_traffic(&self) {
        self.traffic().on.store(true, Ordering::Relaxed);
    }

    /// Writes all that goes over the wire to a file, as JSON lines. The file is
    /// made anew.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn record(&self, path: &Path) -> io::Result<()> {
        let mut file = LineWriter::new(File::create(path)?);
        let begin = json!({
            "kind": "begin",
            "version": 1,
            "seed": self.clock().seed(),
        });
        writeln!(file, "{begin}")?;
        self.traffic().kept().file = Some(file);
        self.keep_traffic();
        Ok(())
    }

    /// Notes one gateway frame.
    pub(crate) fn note_frame(&self, note: FrameNote) {
        self.traffic().add_frame(note, self.clock().now());
    }

    fn note(&self, entry: Value) {
        if let Value::Object(entry) = entry {
            self.traffic().add(entry, self.clock().now());
        }
    }
}

/// One gateway frame, as it went.
#[derive(Debug)]
pub(crate) struct FrameNote {
    pub(crate) connection: u64,
    pub(crate) session: Option<String>,
    /// `in` or `out`, as the emulator sees it.
    pub(crate) direction: &'static str,
    pub(crate) frame: Utf8Bytes,
}

impl FrameNote {
    fn entry(&self) -> Map<String, Value> {
        let frame = match serde_json::from_str(&self.frame) {
            Ok(frame) if self.frame.len() <= limits::TRAFFIC_BODY => without_tokens(frame),
            _ => left_out(self.frame.len()),
        };
        let mut entry = Map::new();
        entry.insert("kind".into(), json!("gateway"));
        entry.insert("connection".into(), json!(self.connection));
        entry.insert("session".into(), json!(self.session));
        entry.insert("direction".into(), json!(self.direction));
        entry.insert("frame".into(), frame);
        entry
    }
}

fn left_out(bytes: usize) -> Value {
    json!({ "left_out": bytes })
}

/// The same with every token replaced, wherever it stands.
fn without_tokens(mut value: Value) -> Value {
    fn hide(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(text) if key == "token" => TOKEN.clone_into(text),
                        value => hide(value),
                    }
                }
            }
            Value::Array(values) => values.iter_mut().for_each(hide),
            _ => {}
        }
    }
    hide(&mut value);
    value
}

/// Webhooks and interactions carry theirs in the path.
fn path_without_token(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    let owner = parts
        .iter()
        .position(|part| matches!(*part, "webhooks" | "interactions"));
    if let Some(owner) = owner
        && let Some(token) = parts.get_mut(owner + 2)
    {
        let (_, query) = token.split_once('?').unwrap_or((token, ""));
        let whole = match query {
            "" => TOKEN.to_owned(),
            query => format!("{TOKEN}?{query}"),
        };
        parts.splice(owner + 2..=owner + 2, [whole.as_str()]);
        return parts.join("/");
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_replaced_wherever_they_stand() {
        let before =
            json!({ "op": 2, "d": { "token": "s", "a": [{ "token": "t" }] }, "tokens": 3 });
        let after =
            json!({ "op": 2, "d": { "token": TOKEN, "a": [{ "token": TOKEN }] }, "tokens": 3 });
        assert_eq!(without_tokens(before), after);
        for (path, expect) in [
            (
                "/api/v10/channels/1/messages",
                "/api/v10/channels/1/messages",
            ),
            ("/api/v10/webhooks/1/abc", "/api/v10/webhooks/1/[token]"),
            (
                "/api/v10/webhooks/1/abc?wait=true",
                "/api/v10/webhooks/1/[token]?wait=true",
            ),
            ("/api/v10/webhooks/1", "/api/v10/webhooks/1"),
            (
                "/api/v10/interactions/1/abc/callback",
                "/api/v10/interactions/1/[token]/callback",
            ),
        ] {
            assert_eq!(path_without_token(path), expect);
        }
    }
}
