//! How does it read best?
//!
//! ```text
//! capture → prefill → voice → chunk → clean → dialect → humanize → Outgoing
//! ```
//!
//! [`Deliverer`] takes an answer as it streams in and gives messages out as
//! soon as they are worth reading. It promises:
//!
//! 1. *Conservation*: the changes it [explains](Explanation) lead from what
//!    the model wrote to exactly what is sent.
//! 2. *Order*: text leaves in the order it was written.
//! 3. *Limit*: no message exceeds the limit, counted in UTF-16 units.
//! 4. *Atoms*: no cut in a grapheme, address, tag, code, link or table row
//!    that fits a message.
//! 5. *Balance*: a code block or an emphasis that is cut is closed and opened
//!    again.
//! 6. *Progress*: a hold is bounded in length, and [`Deliverer::release`]
//!    bounds it in time.
//! 7. *Linearity*: work is proportional to the text, whatever it is.
//! 8. *Delta invariance*: how the text was cut into deltas does not matter.
//! 9. *Determinism*: chance comes from a seed.

pub mod capture;
pub mod clean;
pub mod dialect;
pub mod edit;
pub mod explain;
pub mod humanize;
pub mod scan;
pub mod typing;

mod chunk;
mod finishing;
mod sentence;
mod settings;
mod table;
mod trace;
mod verbatim;

use kaiwa_domain::Outgoing;

use capture::Capture;
use chunk::{Chunker, Shape};
use clean::{Prefill, Voice};
use edit::Removal;
use explain::{Explanation, Journal};
use finishing::Finishing;
pub use settings::{Degree, Settings, Vocabulary};
use trace::Trace;

/// Turns a streamed answer into messages.
///
/// After [`finish`](Self::finish) it is ready for the rest of the answer, as
/// after a tool call.
#[derive(Debug)]
pub struct Deliverer {
    capture: Capture,
    prefill: Prefill,
    voice: Voice,
    chunker: Chunker,
    finishing: Finishing,
    trace: Option<Trace>,
    removed: Vec<Removal>,
    /// Whether messages wait for the end.
    whole: bool,
    /// Text on its way through the stages.
    seen: String,
    said: String,
}

impl Default for Deliverer {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Deliverer {
    /// A deliverer for one answer.
    pub fn new(settings: Settings) -> Self {
        let rules = settings.rules;
        let shape = Shape {
            degree: settings.degree,
            max: settings.max,
            live: true,
            tables: settings.tables,
        };
        Self {
            capture: Capture::new(rules),
            prefill: Prefill::new(&settings.prefill, rules),
            voice: Voice::new(rules, &settings.own_names, &settings.other_names),
            chunker: Chunker::new(shape, Journal::new(settings.explain)),
            trace: settings.explain.then(Trace::default),
            whole: settings.degree == Degree::Whole,
            finishing: Finishing::new(shape, settings),
            removed: Vec::new(),
            seen: String::new(),
            said: String::new(),
        }
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, text: &str) -> Vec<Outgoing> {
        self.seen.clear();
        self.said.clear();
        self.capture.push(text, &mut self.seen);
        if !self.prefill.is_settled() {
            let seen = std::mem::take(&mut self.seen);
            let echo = self.prefill.push(&seen, &mut self.seen);
            self.note_echo(echo);
        }
        self.voice.push(&self.seen, &mut self.said);
        self.chunker.push(&self.said);
        if self.whole || !self.chunker.has_ready() {
            return Vec::new();
        }
        self.give_out()
    }

    /// The text is over: gives out what is left.
    pub fn finish(&mut self) -> Vec<Outgoing> {
        self.seen.clear();
        self.said.clear();
        self.capture.finish(&mut self.seen);
        let seen = std::mem::take(&mut self.seen);
        let echo = self.prefill.push(&seen, &mut self.seen);
        self.note_echo(echo);
        let echo = self.prefill.finish(&mut self.seen);
        self.note_echo(echo);
        self.voice.push(&self.seen, &mut self.said);
        self.voice.finish(&mut self.said);
        self.chunker.push(&self.said);
        self.chunker.finish();
        self.give_out()
    }

    /// Enough time has passed: gives out what is held for the sake of a better
    /// cut, up to the last complete line.
    pub fn release(&mut self) -> Vec<Outgoing> {
        self.chunker.release();
        if self.whole {
            return Vec::new();
        }
        self.give_out()
    }

    /// Whether somebody else began to speak in the answer: nothing more will
    /// be shown, so the model may be stopped.
    pub fn ended(&self) -> bool {
        self.capture.ended() || self.voice.ended()
    }

    /// The thoughts that were taken out since the last call.
    pub fn take_thoughts(&mut self) -> Vec<String> {
        self.capture.take_thoughts()
    }

    /// The notes for memory that were taken out since the last call.
    pub fn take_details(&mut self) -> Vec<String> {
        self.capture.take_details()
    }

    /// Everything that was taken out since the last call; offsets count in
    /// what the stage that removed it was given.
    pub fn take_removed(&mut self) -> Vec<Removal> {
        self.collect();
        std::mem::take(&mut self.removed)
    }

    /// What was done since the last call, if the settings ask for it.
    pub fn take_explained(&mut self) -> Vec<Explanation> {
        self.collect();
        self.trace.as_mut().map(Trace::take).unwrap_or_default()
    }

    fn note_echo(&mut self, echo: Option<Removal>) {
        if let Some(echo) = echo {
            if let Some(trace) = &mut self.trace {
                trace.removed(trace::Stage::Prefill, &echo);
            }
            self.removed.push(echo);
        }
    }

    /// Gathers what the stages removed and explained.
    fn collect(&mut self) {
        for (stage, removals) in [
            (trace::Stage::Capture, self.capture.take_removals()),
            (trace::Stage::Voice, self.voice.take_removals()),
        ] {
            if let Some(trace) = &mut self.trace {
                for removal in &removals {
                    trace.removed(stage, removal);
                }
            }
            self.removed.extend(removals);
        }
        if let Some(trace) = &mut self.trace {
            trace.chunked(self.chunker.explained());
        }
    }

    fn give_out(&mut self) -> Vec<Outgoing> {
        self.collect();
        let mut out = Vec::new();
        for piece in self.chunker.ready() {
            self.finishing.finish(piece, &mut self.trace, &mut out);
        }
        out
    }
}

/// A whole text as messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chunked {
    /// The messages.
    pub messages: Vec<String>,
    /// What was done, if the settings ask for it.
    pub explained: Vec<Explanation>,
}

/// How much of a whole text is taken at a time, in bytes: what is worked on
/// stays in the fastest memory, and cuts between deltas do not matter.
const PIECE: usize = 16 << 10;

/// Cuts a whole text into messages. Nothing is taken out of it: of the
/// settings, degree, limit, dialect, humanizer and explanation count.
pub fn chunk(text: &str, settings: &Settings) -> Chunked {
    let shape = Shape {
        degree: settings.degree,
        max: settings.max,
        live: false,
        tables: false,
    };
    let mut trace = settings.explain.then(Trace::default);
    let mut finishing = Finishing::new(
        shape,
        Settings {
            vocabulary: None,
            dialect: false,
            ..settings.clone()
        },
    );
    let rewritten = settings
        .dialect
        .then(|| dialect::dialect(text, settings.rules));
    if let (Some(trace), Some(rewritten)) = (&mut trace, &rewritten) {
        trace.edited(0, &rewritten.edits, text);
    }
    let text = rewritten.as_ref().map_or(text, |edited| &edited.text);
    let mut chunker = Chunker::new(shape, Journal::new(settings.explain));
    let mut messages = Vec::new();
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        chunker.push(piece);
        rest = after;
        // What was done to a message is told after how all were cut.
        if trace.is_none() {
            for piece in chunker.settled() {
                finishing.finish(piece, &mut trace, &mut out);
            }
            messages.extend(out.drain(..).filter_map(said));
        }
    }
    chunker.finish();
    if let Some(trace) = &mut trace {
        trace.chunked(chunker.explained());
    }
    for piece in chunker.ready() {
        finishing.finish(piece, &mut trace, &mut out);
    }
    messages.extend(out.into_iter().filter_map(said));
    Chunked {
        messages,
        explained: trace.map(|mut trace| trace.take()).unwrap_or_default(),
    }
}

fn said(outgoing: Outgoing) -> Option<String> {
    match outgoing {
        Outgoing::Say(text) => Some(text),
        Outgoing::Table(_) => None,
    }
}

#[cfg(test)]
mod tests;
