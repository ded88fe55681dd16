//! The last touches, on one message at a time.

use std::borrow::Cow;

use kaiwa_domain::{Outgoing, SeededDice};

use super::clean::clean;
use super::dialect::dialect;
use super::edit::{Edited, Rules};
use super::explain::{Change, Lineage, Strand, Trace};
use super::humanize::Humanizer;
use super::pack::{Chunker, Packed, Shape, units};
use super::settings::{Degree, DeliverySettings, Vocabulary};

/// Cleans, rewrites and humanizes messages.
#[derive(Clone, Debug)]
pub(super) struct Finishing {
    shape: Shape,
    rules: Rules,
    dialect: bool,
    vocabulary: Option<Vocabulary>,
    humanizer: Option<(Humanizer, SeededDice)>,
}

impl Finishing {
    pub(super) fn new(shape: Shape, settings: DeliverySettings) -> Self {
        let names: Vec<String> = settings
            .speech
            .own_names
            .into_iter()
            .chain(settings.speech.other_names)
            .collect();
        let humanizer = settings
            .humanize
            .filter(|_| settings.degree == Degree::Sentences)
            .map(|seed| {
                (
                    Humanizer::new(&names, settings.rules),
                    SeededDice::new(seed),
                )
            });
        Self {
            shape: Shape {
                live: false,
                drops_stops: false,
                tables: false,
                ..shape
            },
            rules: settings.rules,
            dialect: settings.dialect,
            vocabulary: settings.vocabulary,
            humanizer,
        }
    }

    /// Whether it leaves every message as it is.
    pub(super) const fn is_idle(&self) -> bool {
        self.vocabulary.is_none() && !self.dialect && self.humanizer.is_none()
    }

    /// Finishes one message, which may become several.
    pub(super) fn finish(
        &mut self,
        packed: Packed<'_>,
        trace: &mut Option<Trace>,
        out: &mut Vec<Outgoing>,
    ) {
        let text = match packed {
            Packed::Say(text) => text.into_owned(),
            Packed::Other(other) => {
                if let Some(trace) = trace {
                    let source = match &*other {
                        Outgoing::Say(text) => text,
                        Outgoing::Table(table) => table.source(),
                        Outgoing::File(file) => file.text(),
                    };
                    trace.touched(source, Lineage::default(), true);
                }
                out.push(*other);
                return;
            }
        };
        let cut = trace.is_some().then(|| text.clone());
        let mut sink = Sink {
            done: trace.is_some().then(Lineage::default),
            out,
        };
        let before = sink.out.len();
        let mut edited = Edited {
            text,
            changes: Vec::new(),
        };
        let mut lineage = cut.as_deref().map(|text| Lineage::written(0, text));
        let mut changed = false;
        let mut note = |edited: &Edited| {
            changed |= !edited.changes.is_empty();
            if let Some(lineage) = &mut lineage {
                lineage.apply(&edited.changes);
            }
        };
        if let Some(vocabulary) = &self.vocabulary {
            edited = clean(&edited.text, vocabulary.glossary(), self.rules);
            note(&edited);
        }
        if self.dialect {
            edited = dialect(&edited.text, self.rules);
            note(&edited);
        }
        if changed {
            self.chunk(&edited.text, lineage, &mut sink, Self::humanize);
        } else {
            self.humanize(edited.text, lineage, &mut sink);
        }
        let sent = sink.out.len() - before;
        if let (Some(trace), Some(text), Some(mut done)) = (trace, cut, sink.done) {
            if done.ends() == sent {
                done.open_end();
            }
            trace.touched(&text, done, sent > 0);
        }
    }

    /// Cuts a message that was changed, and goes on with what becomes of it.
    fn chunk(
        &mut self,
        text: &str,
        lineage: Option<Lineage>,
        sink: &mut Sink<'_>,
        next: fn(&mut Self, String, Option<Lineage>, &mut Sink<'_>),
    ) {
        let mut chunker = Chunker::whole(self.shape, lineage.is_some(), text);
        let changes = chunker.take_changes();
        let said = chunker.ready().filter_map(Packed::into_said);
        let messages = said.map(Cow::into_owned).collect();
        sink.follow(lineage, changes, messages, |text, lineage, sink| {
            next(self, text, lineage, sink);
        });
    }

    fn humanize(&mut self, text: String, mut lineage: Option<Lineage>, sink: &mut Sink<'_>) {
        let Some((humanizer, dice)) = &mut self.humanizer else {
            sink.say(text, lineage);
            return;
        };
        let humanized = humanizer.humanize(&text, dice);
        if humanized.changes.is_empty() {
            sink.say(text, lineage);
            return;
        }
        let mut changes = humanized.changes.clone();
        for change in &mut changes {
            if change.reason.ends_message() {
                change.inserted.clear();
            }
        }
        let end = lineage.as_mut().and_then(Lineage::take_end);
        let pieces = humanized.pieces().map(str::to_owned).collect();
        sink.follow(lineage, changes, pieces, |text, lineage, sink| {
            if units(&text) <= self.shape.max {
                sink.say(text, lineage);
            } else {
                self.chunk(&text, lineage, sink, |_, text, lineage, sink| {
                    sink.say(text, lineage);
                });
            }
        });
        sink.put_end(end);
    }
}

/// Where finished messages go, with their history if it is wanted.
struct Sink<'a> {
    done: Option<Lineage>,
    out: &'a mut Vec<Outgoing>,
}

impl Sink<'_> {
    /// Goes on with each of the messages that a text became.
    fn follow(
        &mut self,
        lineage: Option<Lineage>,
        mut changes: Vec<Change>,
        messages: Vec<String>,
        mut next: impl FnMut(String, Option<Lineage>, &mut Self),
    ) {
        let Some(lineage) = lineage else {
            for message in messages {
                next(message, None, self);
            }
            return;
        };
        changes.sort_by_key(|change| change.at);
        for Strand { lineage, message } in lineage.cut(&changes, &messages) {
            match message.and_then(|at| messages.get(at)) {
                Some(message) => next(message.clone(), Some(lineage), self),
                None => self.keep(lineage),
            }
        }
    }

    fn say(&mut self, text: String, lineage: Option<Lineage>) {
        self.out.push(Outgoing::Say(text));
        lineage.into_iter().for_each(|lineage| self.keep(lineage));
    }

    fn keep(&mut self, lineage: Lineage) {
        if let Some(done) = &mut self.done {
            done.append(lineage);
        }
    }

    fn put_end(&mut self, end: Option<Change>) {
        if let Some(done) = &mut self.done {
            done.put_end(end);
        }
    }
}
