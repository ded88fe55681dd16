//! Texts that are there.

use std::borrow::Cow;

use super::dialect::dialect;
use super::explain::{Change, Stage, Trace};
use super::finishing::Finishing;
use super::pack::{Shape, pack_whole};
use super::settings::DeliverySettings;
use super::window::units;

/// A whole text as messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chunked<'t> {
    /// The messages: parts of the text wherever nothing was changed.
    pub messages: Vec<Cow<'t, str>>,
    /// What was done, if the settings ask for it.
    pub explained: Vec<Change>,
}

/// Cuts a whole text into messages. Nothing is taken out of it: of the
/// settings, degree, limit, dialect, humanizer and explanation count.
pub fn chunk<'t>(text: &'t str, settings: &DeliverySettings) -> Chunked<'t> {
    let mut trace = Trace::new(settings.explain);
    trace.wrote(text);
    let messages = if settings.dialect {
        let rewritten = dialect(text, settings.rules);
        trace.changed(Stage::Dialect, rewritten.changes);
        let messages = cut(&rewritten.text, settings, &mut trace).into_iter();
        let owned = messages.map(|message| Cow::Owned(message.into_owned()));
        owned.collect()
    } else {
        cut(text, settings, &mut trace)
    };
    trace.finish();
    Chunked {
        messages,
        explained: trace.take(),
    }
}

fn cut<'t>(text: &'t str, settings: &DeliverySettings, trace: &mut Trace) -> Vec<Cow<'t, str>> {
    let (said, changes) = pack_whole(text, Shape::of(settings), settings.explain);
    trace.changed(Stage::Pack, changes);
    let mut finishing = Finishing::new(DeliverySettings {
        vocabulary: None,
        dialect: false,
        ..settings.clone()
    });
    if !settings.explain && finishing.is_idle() {
        return said;
    }
    let finished = said
        .into_iter()
        .flat_map(|text| finishing.touch(text.into_owned(), trace));
    finished.map(Cow::Owned).collect()
}

/// Packs messages that wait to be sent into as few as fit `max` UTF-16 units
/// each, in their order.
pub fn merge(waiting: &[String], max: usize) -> Vec<String> {
    let mut merged: Vec<String> = Vec::new();
    for message in waiting {
        match merged.last_mut() {
            Some(last) if units(last) + 1 + units(message) <= max => {
                last.push('\n');
                last.push_str(message);
            }
            _ => merged.push(message.clone()),
        }
    }
    merged
}
