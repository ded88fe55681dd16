//! The last touches, on one message at a time.

use kaiwa_domain::{Outgoing, SeededDice};

use super::clean::clean;
use super::dialect::dialect;
use super::explain::{Change, Lineage, Reason};
use super::humanize::Humanizer;
use super::pack::{Packed, Shape, pack_whole};
use super::settings::{Degree, DeliverySettings, Vocabulary};

/// Cleans, rewrites and humanizes messages.
#[derive(Clone, Debug)]
pub(super) struct Finishing {
    shape: Shape,
    dialect: bool,
    vocabulary: Option<Vocabulary>,
    humanizer: Option<(Humanizer, SeededDice)>,
    explain: bool,
    /// Where the next message begins in the text.
    next: usize,
    changes: Vec<Change>,
}

impl Finishing {
    pub(super) fn new(settings: DeliverySettings) -> Self {
        let seed = settings
            .humanize
            .filter(|_| settings.degree == Degree::Sentences);
        let humanizer = seed.map(|seed| {
            let names = [&settings.speech.own_names, &settings.speech.other_names];
            let humanizer = Humanizer::new(names.into_iter().flatten());
            (humanizer, SeededDice::new(seed))
        });
        Self {
            shape: Shape::of(&settings),
            dialect: settings.dialect,
            vocabulary: settings.vocabulary,
            humanizer,
            explain: settings.explain,
            next: 0,
            changes: Vec::new(),
        }
    }

    /// Whether it leaves every message as it is.
    pub(super) const fn is_idle(&self) -> bool {
        self.vocabulary.is_none() && !self.dialect && self.humanizer.is_none()
    }

    /// Finishes one message, which may become several.
    pub(super) fn finish(&mut self, packed: Packed<'_>, out: &mut Vec<Outgoing>) {
        match packed {
            Packed::Say(text) => {
                let messages = self.touch(text.into_owned());
                out.extend(messages.into_iter().map(Outgoing::Say));
            }
            Packed::Other(other) => {
                self.next += 1 + match &*other {
                    Outgoing::File(file) => file.text().len(),
                    other => other.source().len(),
                };
                out.push(*other);
            }
        }
    }

    /// Finishes one message of text.
    pub(super) fn touch(&mut self, message: String) -> Vec<String> {
        let at = self.next;
        self.next += message.len() + 1;
        if self.is_idle() {
            return vec![message];
        }
        let (shape, explain) = (self.shape, self.explain);
        let lineage = explain.then(|| Lineage::written(at, &format!("{message}\n")));
        let mut touched = Touched {
            messages: vec![message],
            changed: false,
            lineage,
        };
        if let Some(vocabulary) = &self.vocabulary {
            touched.by(|text| clean(text, vocabulary).split());
        }
        if self.dialect {
            touched.by(|text| dialect(text).split());
        }
        if touched.changed {
            touched.by(|text| fit(shape, text, explain));
        }
        if let Some((humanizer, dice)) = &mut self.humanizer {
            // This makes no message longer.
            touched.by(|text| humanizer.humanize(text, dice).split());
        }
        let changes = touched.lineage.into_iter().flat_map(Lineage::into_changes);
        self.changes.extend(changes);
        touched.messages
    }

    /// What was done to the messages of the text, which is over.
    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        self.next = 0;
        std::mem::take(&mut self.changes)
    }
}

/// What a message became, and what was done to it for that, if that is wanted.
struct Touched {
    messages: Vec<String>,
    changed: bool,
    lineage: Option<Lineage>,
}

impl Touched {
    /// Makes of each message what `stage` makes of it.
    fn by(&mut self, mut stage: impl FnMut(&str) -> (Vec<String>, Vec<Change>)) {
        let (mut all, mut at) = (Vec::new(), 0);
        for message in std::mem::take(&mut self.messages) {
            let (messages, mut changes) = stage(&message);
            for change in &mut changes {
                change.at += at;
            }
            at += message.len() + 1;
            if messages.is_empty() {
                changes.push(Change::new(at - 1, Reason::Spacing, "\n", ""));
            }
            all.extend(changes);
            self.messages.extend(messages);
        }
        self.changed |= !all.is_empty();
        if let Some(lineage) = &mut self.lineage {
            lineage.apply(&all);
        }
    }
}

/// Cuts a message that may have become too long.
fn fit(shape: Shape, text: &str, explain: bool) -> (Vec<String>, Vec<Change>) {
    let (said, mut changes) = pack_whole(text, shape, explain);
    // The last message ends as the text did.
    let mut ends = changes.iter_mut().rev();
    if let Some(last) = ends.find(|change| change.reason.ends_message()) {
        last.reason = Reason::Spacing;
    }
    (said.into_iter().map(String::from).collect(), changes)
}
