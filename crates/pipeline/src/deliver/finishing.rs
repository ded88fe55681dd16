//! The last touches, on one message at a time.

use kaiwa_domain::{Outgoing, SeededDice};

use super::clean::clean;
use super::dialect::dialect;
use super::edit::{Edited, Rules};
use super::explain::{Change, Reason, Stage, Trace};
use super::humanize::Humanizer;
use super::pack::{Packed, Shape, pack_whole};
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
        match packed {
            Packed::Say(text) => {
                let messages = self.touch(text.into_owned(), trace);
                out.extend(messages.into_iter().map(Outgoing::Say));
            }
            Packed::Other(other) => {
                trace.passed(match &*other {
                    Outgoing::Say(text) => text,
                    Outgoing::Table(table) => table.source(),
                    Outgoing::File(file) => file.text(),
                    Outgoing::Rest(text) => text,
                    Outgoing::Sticker(sticker) => &sticker.name,
                });
                out.push(*other);
            }
        }
    }

    /// Finishes one message of text.
    pub(super) fn touch(&mut self, mut text: String, trace: &mut Trace) -> Vec<String> {
        let rules = self.rules;
        let mut changed = false;
        let mut edit = |stage, with: &dyn Fn(&str) -> Edited| {
            let edited = with(&text);
            changed |= !edited.changes.is_empty();
            trace.touched(stage, &text, edited.changes, true);
            text = edited.text;
        };
        if let Some(vocabulary) = &self.vocabulary {
            edit(Stage::Clean, &|text| clean(text, vocabulary, rules));
        }
        if self.dialect {
            edit(Stage::Rewrite, &|text| dialect(text, rules));
        }
        let shape = self.shape;
        let texts = split(Stage::Fit, vec![text], trace, |text, explain| {
            changed.then(|| chunk(shape, text, explain))
        });
        let Some((humanizer, dice)) = &mut self.humanizer else {
            return texts;
        };
        // This makes no message longer.
        split(Stage::Humanize, texts, trace, |text, _| {
            let humanized = humanizer.humanize(text, dice);
            let messages = humanized.messages().into_iter().map(str::to_owned);
            Some((messages.collect(), humanized.changes))
        })
    }
}

/// What a text becomes, and what is done to it for that.
type Split = (Vec<String>, Vec<Change>);

fn chunk(shape: Shape, text: &str, explain: bool) -> Split {
    let (said, mut changes) = pack_whole(text, shape, explain);
    // The last message ends as the text did.
    let mut ends = changes.iter_mut().rev();
    if let Some(last) = ends.find(|change| change.reason.ends_message()) {
        last.reason = Reason::Spacing;
    }
    (said.into_iter().map(String::from).collect(), changes)
}

/// Makes of each text what `into` makes of it, if anything.
fn split(
    stage: Stage,
    texts: Vec<String>,
    trace: &mut Trace,
    mut into: impl FnMut(&str, bool) -> Option<Split>,
) -> Vec<String> {
    let mut all = Vec::new();
    for text in texts {
        match into(&text, trace.is_on()) {
            Some((messages, changes)) => {
                trace.touched(stage, &text, changes, !messages.is_empty());
                all.extend(messages);
            }
            None => {
                trace.touched(stage, &text, Vec::new(), true);
                all.push(text);
            }
        }
    }
    all
}
