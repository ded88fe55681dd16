//! How does it read best?
//!
//! ```text
//! capture → prefill → voice → segment → pack → clean → dialect → humanize → Outgoing
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

mod capture;
pub mod clean;
pub mod dialect;
pub mod edit;
pub mod explain;
pub mod humanize;
pub mod scan;
pub mod typing;

mod finishing;
mod pack;
mod segment;
mod sentence;
mod settings;
mod so_far;
mod whole;
mod window;

use kaiwa_domain::Outgoing;

use capture::{Capture, Visible};
use clean::{Prefill, Voice};
use explain::{Change, Trace};
use finishing::Finishing;
use pack::{Packer, Shape};
pub use scan::BlockKind;
pub use segment::{TextBlock, blocks};
pub use settings::{Degree, DeliverySettings, Speech, SpeechLook, Vocabulary};
pub use so_far::LiveView;
pub use whole::{Chunked, chunk, merge};

/// Turns a streamed answer into messages.
///
/// After [`finish`](Self::finish) it is ready for the rest of the answer, as
/// after a tool call.
#[derive(Debug)]
pub struct Deliverer {
    capture: Capture,
    spoken: Spoken,
    finishing: Finishing,
    trace: Trace,
    /// The looks of the messages that were given out.
    looks: Vec<Option<usize>>,
}

/// What the reader may see, on its way to messages.
#[derive(Debug)]
struct Spoken {
    prefill: Prefill,
    voice: Voice,
    packer: Packer<'static>,
    /// The echo of the prefill, which was taken out.
    echo: Option<Change>,
    /// Whether messages wait for the end.
    whole: bool,
    /// Whether anything was given out, so that the text is no thought.
    shown: bool,
}

impl Deliverer {
    /// A deliverer for one answer.
    pub fn new(settings: DeliverySettings) -> Self {
        let speech = &settings.speech;
        let shape = Shape {
            live: true,
            tables: settings.tables,
            attach_code_above: settings.attach_code_above,
            ..Shape::of(&settings)
        };
        Self {
            capture: Capture::default(),
            spoken: Spoken {
                prefill: Prefill::new(&speech.prefill),
                voice: Voice::new(speech),
                packer: Packer::new(shape, settings.explain),
                echo: None,
                whole: settings.degree == Degree::Whole,
                shown: false,
            },
            looks: Vec::new(),
            trace: Trace::new(settings.explain),
            finishing: Finishing::new(settings),
        }
    }

    /// A deliverer for an answer whose last message is shown [so
    /// far](Self::view): at degree 0 too, messages are given out as soon as
    /// they are whole.
    pub fn live(settings: DeliverySettings) -> Self {
        let mut live = Self::new(settings);
        live.spoken.whole = false;
        live
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, text: &str) -> Vec<Outgoing> {
        self.trace.wrote(text);
        self.capture.push(text, &mut self.spoken);
        self.give_out(false)
    }

    /// The text is over: gives out what is left.
    pub fn finish(&mut self) -> Vec<Outgoing> {
        self.capture.finish(&mut self.spoken);
        self.spoken.finish();
        let out = self.give_out(true);
        let spoken = &mut self.spoken;
        self.trace.finish([
            self.capture.take_removals(),
            spoken.echo.take().into_iter().collect(),
            spoken.voice.take_removals(),
            spoken.packer.take_changes(),
            self.finishing.take_changes(),
        ]);
        out
    }

    /// Enough time has passed: gives out what is held for the sake of a better
    /// cut, up to the last complete line.
    pub fn release(&mut self) -> Vec<Outgoing> {
        self.spoken.packer.release();
        self.give_out(false)
    }

    /// Whether somebody else began to speak in the answer: nothing more will
    /// be shown, so the model may be stopped.
    pub fn ended(&self) -> bool {
        self.capture.ended() || self.spoken.voice.ended()
    }

    /// In which of the [looks](Speech::looks) each message was said that was
    /// given out since the last call.
    pub fn take_looks(&mut self) -> Vec<Option<usize>> {
        std::mem::take(&mut self.looks)
    }

    /// The answer goes on in a look that was put on before. Nothing may have
    /// been pushed yet.
    pub fn resume_in(&mut self, look: usize) {
        let Spoken { voice, packer, .. } = &mut self.spoken;
        voice.resume_in(look, packer);
    }

    /// The look in which the text is said that was not given out yet, of an
    /// answer that is shown [so far](Self::view).
    pub const fn look(&self) -> Option<usize> {
        self.spoken.packer.look()
    }

    /// The thoughts that were taken out since the last call.
    pub fn take_thoughts(&mut self) -> Vec<String> {
        std::mem::take(&mut self.capture.thoughts)
    }

    /// The notes for memory that were taken out since the last call.
    pub fn take_details(&mut self) -> Vec<String> {
        std::mem::take(&mut self.capture.details)
    }

    /// What was done up to the last [`finish`](Self::finish), since the last
    /// call, if the settings ask for it.
    pub fn take_explained(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.trace.explained)
    }

    fn give_out(&mut self, last: bool) -> Vec<Outgoing> {
        let mut out = Vec::new();
        let given = self.looks.len();
        let spoken = &mut self.spoken;
        if (last || !spoken.whole) && spoken.packer.has_ready() {
            spoken.shown = true;
            for (packed, look) in spoken.packer.ready() {
                self.finishing.finish(packed, &mut out);
                self.looks.resize(given + out.len(), look);
            }
        }
        out
    }
}

impl Spoken {
    /// The text is over.
    fn finish(&mut self) {
        self.speak("", true);
        self.voice.finish(&mut self.packer);
        self.packer.finish();
    }

    fn speak(&mut self, text: &str, last: bool) {
        if self.prefill.is_settled() {
            return self.voice.push(text, &mut self.packer);
        }
        let mut seen = String::new();
        self.echo = self.prefill.push(text, last, &mut seen);
        self.voice.push(&seen, &mut self.packer);
    }
}

impl Visible for Spoken {
    fn show(&mut self, text: &str) {
        self.speak(text, false);
    }

    fn take_back(&mut self) -> Option<String> {
        if self.shown || !self.whole && self.packer.has_ready() {
            return None;
        }
        self.voice.finish(&mut self.packer);
        self.voice.restart();
        Some(self.packer.take_back())
    }

    fn is_code(&mut self, next: &str, last: bool) -> Option<bool> {
        let held = match self.prefill.is_settled() {
            true => &self.voice.held,
            false => &self.prefill.held,
        };
        self.packer.text.is_code(held, next, last)
    }
}

/// What stands after `key` in a table of pairs of characters.
fn paired(table: &str, key: char) -> Option<char> {
    let mut signs = table.chars();
    let mut pairs = std::iter::from_fn(|| Some((signs.next()?, signs.next()?)));
    pairs.find_map(|(sign, other)| (sign == key).then_some(other))
}

/// What stands after `key` in a table of words and what they stand for.
fn lookup(table: &'static str, key: &str) -> Option<&'static str> {
    let mut words = table.split(' ');
    let mut pairs = std::iter::from_fn(|| Some((words.next()?, words.next()?)));
    pairs.find_map(|(word, value)| (word == key).then_some(value))
}

#[cfg(test)]
mod tests;
