//! The last touches, on one message at a time.

use unicode_segmentation::UnicodeSegmentation;

use kaiwa_domain::{Outgoing, SeededDice};

use super::chunk::{Chunker, Piece, Shape, units};
use super::clean::clean;
use super::dialect::dialect;
use super::edit::Rules;
use super::explain::Journal;
use super::humanize::Humanizer;
use super::settings::{Degree, Settings, Vocabulary};
use super::trace::Trace;

/// Cleans, rewrites and humanizes messages.
#[derive(Debug)]
pub(super) struct Finishing {
    shape: Shape,
    rules: Rules,
    dialect: bool,
    vocabulary: Option<Vocabulary>,
    humanizer: Option<(Humanizer, SeededDice)>,
}

impl Finishing {
    pub(super) fn new(shape: Shape, settings: Settings) -> Self {
        let names: Vec<String> = settings
            .own_names
            .into_iter()
            .chain(settings.other_names)
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
                tables: false,
                ..shape
            },
            rules: settings.rules,
            dialect: settings.dialect,
            vocabulary: settings.vocabulary,
            humanizer,
        }
    }

    /// Finishes one message, which may become several.
    pub(super) fn finish(
        &mut self,
        piece: Piece,
        trace: &mut Option<Trace>,
        out: &mut Vec<Outgoing>,
    ) {
        let mut text = match piece.outgoing {
            Outgoing::Say(text) => text,
            table @ Outgoing::Table(_) => {
                out.push(table);
                return;
            }
        };
        let mut changed = false;
        if let Some(vocabulary) = &self.vocabulary {
            let edited = clean(&text, vocabulary.glossary(), self.rules);
            changed |= note(trace, piece.at, &edited.edits, &text);
            text = edited.text;
        }
        if self.dialect {
            let edited = dialect(&text, self.rules);
            changed |= note(trace, piece.at, &edited.edits, &text);
            text = edited.text;
        }
        if !changed {
            self.humanize(piece.at, text, trace, out);
            return;
        }
        for text in self.chunk(&text) {
            self.humanize(piece.at, text, trace, out);
        }
    }

    /// Cuts a message that was changed.
    fn chunk(&self, text: &str) -> Vec<String> {
        let mut chunker = Chunker::new(self.shape, Journal::default());
        chunker.push(text);
        chunker.finish();
        chunker
            .ready()
            .filter_map(|piece| match piece.outgoing {
                Outgoing::Say(text) => Some(text),
                Outgoing::Table(_) => None,
            })
            .collect()
    }

    fn humanize(
        &mut self,
        at: usize,
        text: String,
        trace: &mut Option<Trace>,
        out: &mut Vec<Outgoing>,
    ) {
        let max = self.shape.max;
        let Some((humanizer, dice)) = &mut self.humanizer else {
            say(max, text, out);
            return;
        };
        let humanized = humanizer.humanize(&text, dice);
        if !note(trace, at, &humanized.edits, &text) {
            say(max, text, out);
            return;
        }
        for piece in humanized.pieces() {
            if units(piece) <= max {
                say(max, piece.to_owned(), out);
            } else {
                let pieces = self.chunk(piece);
                pieces.into_iter().for_each(|piece| say(max, piece, out));
            }
        }
    }
}

/// The last word on the limit: whatever went before, nothing longer leaves.
fn say(max: usize, text: String, out: &mut Vec<Outgoing>) {
    if units(&text) <= max {
        out.push(Outgoing::Say(text));
        return;
    }
    let mut message = String::new();
    let mut length = 0;
    for grapheme in text.graphemes(true) {
        let size = units(grapheme);
        if length + size > max {
            give_out(&mut message, out);
            length = 0;
        }
        message.push_str(grapheme);
        length += size;
    }
    give_out(&mut message, out);
}

fn give_out(message: &mut String, out: &mut Vec<Outgoing>) {
    if !message.trim().is_empty() {
        out.push(Outgoing::Say(message.trim().to_owned()));
    }
    message.clear();
}

/// Explains edits; says whether there are any.
fn note(trace: &mut Option<Trace>, at: usize, edits: &[super::edit::Edit], text: &str) -> bool {
    if let Some(trace) = trace {
        trace.edited(at, edits, text);
    }
    !edits.is_empty()
}
