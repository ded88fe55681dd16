//! What people see of the answers, and when.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kaiwa_emulator::Emulator;
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;

use crate::model::Script;

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) begun: Option<Instant>,
    /// By the number of the channel.
    pub(crate) answers: HashMap<usize, SeenAnswer>,
    /// When the model said which word of which answer, where it begins a line;
    /// the word after the last is the end.
    pub(crate) said: HashMap<(usize, usize), Instant>,
    /// When lines were up, and how long after their last delta.
    pub(crate) added: Vec<(Instant, Duration)>,
}

#[derive(Default)]
pub(crate) struct SeenAnswer {
    pub(crate) first: Option<Duration>,
    pub(crate) last: Duration,
    pub(crate) messages: usize,
    /// How often a message changed.
    pub(crate) edits: usize,
    /// What its messages show, with their ids.
    pub(crate) shown: Vec<(String, String)>,
}

impl SeenAnswer {
    fn change(&mut self, id: &str, text: &str, since: Duration) {
        let message = self.shown.iter_mut().find(|(shown, _)| shown == id);
        if let Some((_, shown)) = message.filter(|(_, shown)| shown != text) {
            text.clone_into(shown);
            self.edits += 1;
            self.last = since;
        }
    }

    /// Whether the last word is there. It is asked often, and takes no time from
    /// what is measured.
    pub(crate) fn has_end(&self, script: Script) -> bool {
        let end = format!("w{}", script.lines * script.words - 1);
        self.shown
            .last()
            .is_some_and(|(_, text)| text.trim_end().ends_with(&end))
    }

    /// Whether every word is there, once and in order.
    pub(crate) fn is_whole(&self, script: Script) -> bool {
        let words = self.shown.iter().flat_map(|(_, it)| it.split_whitespace());
        words
            .filter_map(|word| word.strip_prefix('w'))
            .map(|word| word.parse().ok())
            .eq((0..script.lines * script.words).map(Some))
    }
}

/// Notes what the bot says.
pub(crate) async fn watch(
    emulator: Emulator,
    channels: Vec<String>,
    bot: String,
    seen: Arc<Mutex<Seen>>,
) {
    let numbers: HashMap<String, usize> = channels.into_iter().zip(0..).collect();
    let mut events = emulator.watch();
    loop {
        let event: Value = match events.recv().await {
            Ok(event) => event,
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        let (what, message) = (&event["t"], &event["d"]);
        let new = what == "MESSAGE_CREATE";
        if !(new || what == "MESSAGE_UPDATE") || message["author"]["id"] != bot {
            continue;
        }
        let channel = message["channel_id"].as_str().unwrap_or_default();
        let Some(number) = numbers.get(channel).copied() else {
            continue;
        };
        let now = Instant::now();
        let mut seen = seen.lock().expect("not poisoned");
        let since = seen.begun.map_or(Duration::ZERO, |begun| now - begun);
        let id = message["id"].as_str().unwrap_or_default();
        let text = message["content"].as_str().unwrap_or_default();
        if !new {
            let answer = seen.answers.entry(number).or_default();
            answer.change(id, text, since);
            continue;
        }
        let last = text
            .rsplit('w')
            .next()
            .and_then(|word| word.trim().parse::<usize>().ok());
        // A line is known to be over when the next one begins, or the answer ends.
        let ended = last.and_then(|word| seen.said.get(&(number, word + 1)).copied());
        seen.added.extend(ended.map(|ended| (now, now - ended)));
        let answer = seen.answers.entry(number).or_default();
        answer.first.get_or_insert(since);
        answer.last = since;
        answer.messages += 1;
        answer.shown.push((id.to_owned(), text.to_owned()));
    }
}
