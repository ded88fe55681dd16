//! Texts that are there.

use std::borrow::Cow;

use super::explain::{Change, Trace};
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
    let (mut messages, packed) = pack_whole(text, Shape::of(settings), settings.explain);
    let mut finishing = Finishing::new(DeliverySettings {
        vocabulary: None,
        ..settings.clone()
    });
    if !finishing.is_idle() {
        let said = messages.into_iter().map(Cow::into_owned);
        let finished = said.flat_map(|message| finishing.touch(message));
        messages = finished.map(Cow::Owned).collect();
    }
    trace.finish([packed, finishing.take_changes()]);
    Chunked {
        messages,
        explained: trace.explained,
    }
}

/// Packs messages that wait to be sent into as few as fit `max` UTF-16 units
/// each, in their order. What is not quoted stays so.
pub fn merge(waiting: &[String], max: usize) -> Vec<String> {
    let mut merged: Vec<String> = Vec::new();
    for message in waiting {
        match merged.last_mut() {
            Some(last) if !is_open(last) && units(last) + 1 + units(message) <= max => {
                last.push('\n');
                last.push_str(message);
            }
            _ => merged.push(message.clone()),
        }
    }
    merged
}

/// Whether whatever stands below a message becomes part of a quote in it, as
/// far as the text tells: one that reaches to the end of its message.
fn is_open(message: &str) -> bool {
    let mut lines = message.lines();
    lines.any(|line| line.trim_start_matches(' ').starts_with(">>> "))
}
