//! The last touches, on one message at a time.

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
        let Some((humanizer, dice)) = &mut self.humanizer else {
            out.push(Outgoing::Say(text));
            return;
        };
        let humanized = humanizer.humanize(&text, dice);
        if !note(trace, at, &humanized.edits, &text) {
            out.push(Outgoing::Say(text));
            return;
        }
        for piece in humanized.pieces() {
            if units(piece) <= self.shape.max {
                out.push(Outgoing::Say(piece.to_owned()));
            } else {
                let pieces = self.chunk(piece);
                out.extend(pieces.into_iter().map(Outgoing::Say));
            }
        }
    }
}

/// Explains edits; says whether there are any.
fn note(trace: &mut Option<Trace>, at: usize, edits: &[super::edit::Edit], text: &str) -> bool {
    if let Some(trace) = trace {
        trace.edited(at, edits, text);
    }
    !edits.is_empty()
}
