//! How does it read best?
//!
//! ```text
//! capture → prefill → voice → attach → segment → pack → clean → dialect → humanize → Outgoing
//! ```
//!
//! [`Deliverer`] takes an answer as it streams in and gives messages out as
//! soon as they are worth reading. It promises:
//!
//! 1. *Conservation*: the changes it [explains](Change) lead from what
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

mod attach;
mod finishing;
mod gather;
mod pack;
mod segment;
mod sentence;
mod settings;
mod verbatim;
mod whole;

use kaiwa_domain::Outgoing;

use capture::Capture;
use clean::{Prefill, Voice};
use edit::{Rule, Shift};
use explain::{Change, Stage, Trace};
use finishing::Finishing;
use gather::Gather;
use pack::Shape;
pub use segment::{BlockKind, TextBlock, blocks};
pub use settings::{Degree, DeliverySettings, LongCode, Speech, Vocabulary};
pub use whole::{Chunked, chunk, merge};

/// Turns a streamed answer into messages.
///
/// After [`finish`](Self::finish) it is ready for the rest of the answer, as
/// after a tool call.
#[derive(Debug)]
pub struct Deliverer {
    capture: Capture,
    prefill: Prefill,
    voice: Voice,
    gather: Gather,
    finishing: Finishing,
    trace: Option<Trace>,
    removed: Vec<Change>,
    /// From what was captured back to what was written.
    shift: Shift,
    /// Text on its way through the stages.
    seen: String,
    said: String,
}

impl Default for Deliverer {
    fn default() -> Self {
        Self::new(DeliverySettings::default())
    }
}

impl Deliverer {
    /// A deliverer for one answer.
    pub fn new(settings: DeliverySettings) -> Self {
        let rules = settings.rules;
        let shape = Shape {
            degree: settings.degree,
            max: settings.max,
            live: true,
            drops_stops: rules.has(Rule::StrayStop),
            tables: settings.tables,
        };
        Self {
            capture: Capture::new(rules),
            prefill: Prefill::new(&settings.speech.prefill, rules),
            voice: Voice::new(
                rules,
                &settings.speech.own_names,
                &settings.speech.other_names,
            ),
            gather: Gather::new(shape, &settings),
            trace: settings.explain.then(Trace::default),
            finishing: Finishing::new(shape, settings),
            removed: Vec::new(),
            shift: Shift::default(),
            seen: String::new(),
            said: String::new(),
        }
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, text: &str) -> Vec<Outgoing> {
        if let Some(trace) = &mut self.trace {
            trace.wrote(text);
        }
        self.seen.clear();
        self.capture.push(text, &mut self.seen);
        self.pass_on();
        self.give_out()
    }

    /// The text is over: gives out what is left.
    pub fn finish(&mut self) -> Vec<Outgoing> {
        self.seen.clear();
        self.capture.finish(&mut self.seen);
        self.pass_on();
        self.seen.clear();
        let echo = self.prefill.finish(&mut self.seen);
        self.note_echo(echo);
        self.said.clear();
        self.voice.push(&self.seen, &mut self.said);
        self.voice.finish(&mut self.said);
        self.gather.push(&self.said, &mut self.trace);
        self.gather.finish(&mut self.trace);
        let out = self.give_out();
        self.collect();
        if let Some(trace) = &mut self.trace {
            trace.finish();
        }
        out
    }

    /// Enough time has passed: gives out what is held for the sake of a better
    /// cut, up to the last complete line.
    pub fn release(&mut self) -> Vec<Outgoing> {
        self.gather.release();
        self.give_out()
    }

    /// What would be shown if the text ended here, for a message that is edited
    /// in place; of what was given out already, nothing. Nothing changes.
    pub fn so_far(&self) -> Vec<Outgoing> {
        let (mut gather, mut finishing) = (self.gather.clone(), self.finishing.clone());
        let mut out = Vec::new();
        gather.finish(&mut None);
        for packed in gather.take_ready() {
            finishing.finish(packed, &mut None, &mut out);
        }
        out
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

    /// Everything that was taken out since the last call, complete once the
    /// text is over; offsets count in what the stage that removed it was given.
    pub fn take_removed(&mut self) -> Vec<Change> {
        self.collect();
        std::mem::take(&mut self.removed)
    }

    /// What was done up to the last [`finish`](Self::finish), since the last
    /// call, if the settings ask for it.
    pub fn take_explained(&mut self) -> Vec<Change> {
        self.trace.as_mut().map(Trace::take).unwrap_or_default()
    }

    fn note_echo(&mut self, echo: Option<Change>) {
        if let Some(echo) = echo {
            if let Some(trace) = &mut self.trace {
                trace.changed(Stage::Prefill, std::slice::from_ref(&echo));
            }
            self.removed.push(echo);
        }
    }

    /// Gathers what the stages removed and explained, in the order of the
    /// text.
    fn collect(&mut self) {
        let captured = self.capture.take_removals();
        let voiced = self.voice.take_removals();
        if let Some(trace) = &mut self.trace {
            trace.changed(Stage::Capture, &captured);
            trace.changed(Stage::Voice, &voiced);
        }
        captured
            .iter()
            .for_each(|removal| self.shift.removed(removal));
        let mut removed: Vec<(usize, Change)> = captured
            .into_iter()
            .map(|removal| (removal.at, removal))
            .collect();
        removed.extend(voiced.into_iter().map(|removal| {
            let at = self.shift.back(removal.at);
            (at, removal)
        }));
        removed.sort_by_key(|&(at, _)| at);
        self.removed
            .extend(removed.into_iter().map(|(_, removal)| removal));
        if let Some(text) = self.gather.take_dropped() {
            self.removed
                .push(Change::removal(0, Rule::StrayStop, &text));
        }
    }

    /// Passes on what is visible, and takes back what was a thought after all.
    fn pass_on(&mut self) {
        let mut passed = 0;
        for stray in self.capture.take_strays() {
            let rest = self.seen.split_off(stray - passed);
            passed = stray;
            self.speak();
            self.take_back();
            self.seen = rest;
        }
        self.speak();
    }

    fn speak(&mut self) {
        if !self.prefill.is_settled() {
            let seen = std::mem::take(&mut self.seen);
            let echo = self.prefill.push(&seen, &mut self.seen);
            self.note_echo(echo);
        }
        self.said.clear();
        self.voice.push(&self.seen, &mut self.said);
        self.gather.push(&self.said, &mut self.trace);
    }

    /// A thought was closed that was never opened: what was not shown yet was
    /// that thought.
    fn take_back(&mut self) {
        self.said.clear();
        let mut voice = self.voice.clone();
        voice.finish(&mut self.said);
        let Some(thought) = self.gather.take_back(&self.said, &mut self.trace) else {
            return;
        };
        voice.restart();
        self.voice = voice;
        self.collect();
        self.capture.think(&thought.removed);
        self.removed.push(thought);
    }

    fn give_out(&mut self) -> Vec<Outgoing> {
        let mut out = Vec::new();
        if self.gather.has_ready() {
            for piece in self.gather.take_ready() {
                self.finishing.finish(piece, &mut self.trace, &mut out);
            }
        }
        out
    }
}

/// What stands after `key` in a table of words and what they stand for.
fn lookup(table: &'static str, key: &str) -> Option<&'static str> {
    let mut words = table.split(' ');
    let mut pairs = std::iter::from_fn(|| Some((words.next()?, words.next()?)));
    pairs.find_map(|(word, value)| (word == key).then_some(value))
}

#[cfg(test)]
mod tests;
