//! Gathers text for messages.
//!
//! ```text
//! attach → display → chunk
//! ```
//!
//! Long code leaves as a file, formulas of several lines become one piece, and
//! what is left is cut into messages.

use super::attach::{Attach, Passage};
use super::dialect::{Display, Portion};
use super::edit::Rule;
use super::explain::{Change, Reason, Stage, Trace};
use super::pack::{Chunker, Packed, Shape};
use super::settings::{Degree, DeliverySettings, LongCode};

use kaiwa_domain::Outgoing;

/// Turns the visible text of an answer into messages.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    attach: Option<Attach>,
    display: Option<Display>,
    chunker: Chunker<'static>,
    /// Whether messages wait for the end, or for a file.
    whole: bool,
    /// Files, and the messages before them.
    ready: Vec<Packed<'static>>,
    /// The text that may still turn out to be a thought: all of it, until
    /// something is given out.
    unshown: Option<String>,
    /// How much text was gathered.
    taken: usize,
}

impl Gather {
    pub(super) fn new(shape: Shape, settings: &DeliverySettings) -> Self {
        Self {
            attach: match settings.long_code {
                LongCode::Split => None,
                LongCode::Attach { above } => Some(Attach::new(above)),
            },
            display: settings
                .dialect
                .then(|| Display::new(settings.rules))
                .flatten(),
            chunker: Chunker::new(shape, settings.explain),
            whole: shape.degree == Degree::Whole,
            ready: Vec::new(),
            unshown: Some(String::new()),
            taken: 0,
        }
    }

    /// Takes the next piece of text.
    #[inline]
    pub(super) fn push(&mut self, text: &str, trace: &mut Option<Trace>) {
        match &mut self.attach {
            None => self.write(text, trace),
            Some(attach) => {
                let passages = attach.push(text);
                self.take_passages(passages, trace);
            }
        }
    }

    /// The text is over: everything becomes messages.
    pub(super) fn finish(&mut self, trace: &mut Option<Trace>) {
        if let Some(attach) = &mut self.attach {
            let passages = attach.finish();
            self.take_passages(passages, trace);
        }
        self.finish_chunks(trace);
        if let Some(unshown) = &mut self.unshown {
            unshown.clear();
        }
    }

    /// Gives up what is held for the sake of a better cut.
    pub(super) fn release(&mut self) {
        if let Some(held) = self.display.as_mut().map(Display::release) {
            self.cut(&held);
        }
        self.chunker.release();
    }

    /// Whether a message is to be given out.
    #[inline]
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty() || !self.whole && self.chunker.has_ready()
    }

    /// The messages to be given out.
    pub(super) fn take_ready(&mut self) -> Vec<Packed<'static>> {
        let mut ready = std::mem::take(&mut self.ready);
        if !self.whole {
            ready.extend(self.chunker.ready());
        }
        if !ready.is_empty() {
            self.unshown = None;
        }
        ready
    }

    /// What was gathered so far and `rest` was a thought, unless something of
    /// it is to be given out.
    pub(super) fn take_back(&mut self, rest: &str, trace: &mut Option<Trace>) -> Option<Change> {
        if self.unshown.is_none() || self.has_ready() {
            return None;
        }
        let formula = self.display.as_mut().map(Display::release);
        let code = self.attach.as_mut().map(Attach::release);
        for held in [formula.as_deref(), code.as_deref(), Some(rest)] {
            self.cut(held.unwrap_or(""));
        }
        self.display.as_mut().map(Display::finish);
        let at = self.chunker.skip(0);
        let thought = self.unshown.replace(String::new()).unwrap_or_default();
        let removal = Change::removal(at, Rule::Thought, &thought);
        if let Some(trace) = trace {
            trace.changed(Stage::Pack, std::slice::from_ref(&removal));
        }
        Some(removal)
    }

    /// The full stop that was dropped, since it stood alone at the end.
    pub(super) const fn take_dropped(&mut self) -> Option<String> {
        self.chunker.take_dropped()
    }

    fn take_passages(&mut self, passages: Vec<Passage>, trace: &mut Option<Trace>) {
        for passage in passages {
            match passage {
                Passage::Text(text) => self.write(&text, trace),
                Passage::Hold => self.chunker.release(),
                Passage::Fence(fence) => {
                    let at = self.pass_over(fence.len());
                    if let Some(trace) = trace {
                        let fence = Change::new(at, Reason::Unfenced, &fence, "");
                        trace.changed(Stage::Pack, &[fence]);
                    }
                }
                Passage::File {
                    opening,
                    file,
                    closing,
                } => {
                    self.finish_chunks(trace);
                    let at = self.pass_over(opening.len() + file.text().len() + closing.len());
                    if let Some(trace) = trace {
                        trace.attached(at, [&opening, file.text(), &closing]);
                    }
                    let file = Outgoing::File(file);
                    self.ready.push(Packed::Other(Box::new(file)));
                }
            }
        }
    }

    /// Takes text that becomes no file, with its longer formulas made
    /// readable.
    fn write(&mut self, text: &str, trace: &mut Option<Trace>) {
        match &mut self.display {
            None => self.cut(text),
            Some(display) => {
                let portions = display.push(text);
                self.take_portions(portions, trace);
            }
        }
    }

    fn take_portions(&mut self, portions: Vec<Portion>, trace: &mut Option<Trace>) {
        for portion in portions {
            match portion {
                Portion::Text(text) => self.cut(&text),
                Portion::Formula(source, shown) => {
                    let at = self.taken;
                    if let Some(trace) = trace {
                        let rule = Reason::Rule(Rule::Formula);
                        trace.changed(Stage::Dialect, &[Change::new(at, rule, &source, &shown)]);
                    }
                    self.cut(&shown);
                    self.taken = at + source.len();
                }
            }
        }
    }

    fn cut(&mut self, text: &str) {
        if let Some(unshown) = &mut self.unshown {
            unshown.push_str(text);
        }
        self.taken += text.len();
        self.chunker.push(text);
    }

    /// Makes messages of everything, and waits with them for nothing.
    fn finish_chunks(&mut self, trace: &mut Option<Trace>) {
        if let Some(display) = &mut self.display {
            let portions = display.finish();
            self.take_portions(portions, trace);
        }
        self.chunker.finish();
        self.ready.extend(self.chunker.ready());
        if let Some(trace) = trace {
            trace.changed(Stage::Pack, &self.chunker.take_changes());
        }
    }

    /// Leaves out so many bytes of the text; says where they begin.
    fn pass_over(&mut self, bytes: usize) -> usize {
        self.taken += bytes;
        self.chunker.skip(bytes)
    }
}
