//! The last touches, on one message at a time.

use kaiwa_domain::{Outgoing, SeededDice};

use super::clean::clean;
use super::dialect::dialect;
use super::edit::{Edited, Rules};
use super::explain::{Change, Lineage, Trace};
use super::humanize::Humanizer;
use super::pack::{Chunker, Packed, Shape};
use super::settings::{Degree, DeliverySettings, Vocabulary};
use super::window::units;

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
    pub(super) fn new(settings: DeliverySettings) -> Self {
        let seed = settings
            .humanize
            .filter(|_| settings.degree == Degree::Sentences);
        let humanizer = seed.map(|seed| {
            let names = [&settings.speech.own_names, &settings.speech.other_names];
            let humanizer = Humanizer::new(names.into_iter().flatten(), settings.rules);
            (humanizer, SeededDice::new(seed))
        });
        Self {
            shape: Shape::of(&settings),
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
        trace: &mut Trace,
        out: &mut Vec<Outgoing>,
    ) {
        let text = match packed {
            Packed::Say(text) => text.into_owned(),
            Packed::Other(other) => {
                let source = match &*other {
                    Outgoing::Say(text) => text,
                    Outgoing::Table(table) => table.source(),
                    Outgoing::File(file) => file.text(),
                };
                trace.touched(source, Lineage::default(), true);
                out.push(*other);
                return;
            }
        };
        let before = out.len();
        let cut = trace.is_on().then(|| text.clone());
        let pieces = self.touch(Piece {
            lineage: cut.as_deref().map(|text| Lineage::written(0, text)),
            text: Some(text),
        });
        let mut done = Lineage::default();
        for piece in pieces {
            out.extend(piece.text.map(Outgoing::Say));
            piece.lineage.into_iter().for_each(|it| done.append(it));
        }
        let sent = out.len() - before;
        if let Some(text) = cut {
            if done.ends() == sent {
                done.open_end();
            }
            trace.touched(&text, done, sent > 0);
        }
    }

    fn touch(&mut self, mut piece: Piece) -> Vec<Piece> {
        let mut changed = false;
        if let Some(vocabulary) = &self.vocabulary {
            changed |= piece.edit(|text| clean(text, vocabulary, self.rules));
        }
        if self.dialect {
            changed |= piece.edit(|text| dialect(text, self.rules));
        }
        let shape = self.shape;
        let mut pieces = vec![piece];
        if changed {
            pieces = split(pieces, |text, explain| Some(chunk(shape, text, explain)));
        }
        let Some((humanizer, dice)) = &mut self.humanizer else {
            return pieces;
        };
        let pieces = split(pieces, |text, _| {
            let mut humanized = humanizer.humanize(text, dice);
            let pieces: Vec<String> = humanized.pieces().map(str::to_owned).collect();
            let breaks = humanized.changes.iter_mut();
            breaks
                .filter(|change| change.reason.ends_message())
                .for_each(|change| change.inserted.clear());
            (!humanized.changes.is_empty()).then_some((pieces, humanized.changes))
        });
        split(pieces, |text, explain| {
            (units(text) > shape.max).then(|| chunk(shape, text, explain))
        })
    }
}

/// What a text becomes, and what is done to it for that.
type Split = (Vec<String>, Vec<Change>);

fn chunk(shape: Shape, text: &str, explain: bool) -> Split {
    let mut chunker = Chunker::whole(shape, explain, text);
    let changes = chunker.take_changes();
    let said = chunker.ready().filter_map(Packed::into_said);
    (said.map(String::from).collect(), changes)
}

/// A part of a message, with its history if that is wanted. Without a text,
/// nothing of it is sent.
struct Piece {
    text: Option<String>,
    lineage: Option<Lineage>,
}

impl Piece {
    /// Changes the text; says whether it did.
    fn edit(&mut self, edit: impl FnOnce(&str) -> Edited) -> bool {
        let edited = edit(self.text.as_deref().unwrap_or(""));
        if let Some(lineage) = &mut self.lineage {
            lineage.apply(&edited.changes);
        }
        self.text = Some(edited.text);
        !edited.changes.is_empty()
    }
}

/// Makes of each piece what `into` makes of its text, if anything.
fn split(pieces: Vec<Piece>, mut into: impl FnMut(&str, bool) -> Option<Split>) -> Vec<Piece> {
    let mut all = Vec::new();
    for mut piece in pieces {
        let made = piece.text.as_deref();
        let Some((messages, mut changes)) =
            made.and_then(|text| into(text, piece.lineage.is_some()))
        else {
            all.push(piece);
            continue;
        };
        let Some(mut lineage) = piece.lineage.take() else {
            all.extend(messages.into_iter().map(|message| Piece {
                text: Some(message),
                lineage: None,
            }));
            continue;
        };
        let end = lineage.take_end();
        changes.sort_by_key(|change| change.at);
        let mut strands = lineage.cut(&changes, &messages);
        if let (Some(_), Some((last, _))) = (&end, strands.last_mut()) {
            last.take_end();
            last.put_end(end);
        }
        all.extend(strands.into_iter().map(|(lineage, at)| Piece {
            text: at.map(|at| messages[at].clone()),
            lineage: Some(lineage),
        }));
    }
    all
}
