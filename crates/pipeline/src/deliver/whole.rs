//! Texts that are there.

use std::borrow::Cow;

use kaiwa_domain::Outgoing;

use super::dialect::dialect;
use super::explain::{Change, Stage, Trace};
use super::finishing::Finishing;
use super::pack::{self, Chunker, Packed, Shape};
use super::settings::DeliverySettings;

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
    let mut trace = settings.explain.then(Trace::default);
    if let Some(trace) = &mut trace {
        trace.wrote(text);
    }
    let messages = if settings.dialect {
        let rewritten = dialect(text, settings.rules);
        if let Some(trace) = &mut trace {
            trace.changed(Stage::Dialect, &rewritten.changes);
        }
        let messages = cut(&rewritten.text, settings, &mut trace).into_iter();
        let owned = messages.map(|message| Cow::Owned(message.into_owned()));
        owned.collect()
    } else {
        cut(text, settings, &mut trace)
    };
    if let Some(trace) = &mut trace {
        trace.finish();
    }
    Chunked {
        messages,
        explained: trace.as_mut().map(Trace::take).unwrap_or_default(),
    }
}

fn cut<'t>(
    text: &'t str,
    settings: &DeliverySettings,
    trace: &mut Option<Trace>,
) -> Vec<Cow<'t, str>> {
    let shape = Shape {
        degree: settings.degree,
        max: settings.max,
        live: false,
        drops_stops: false,
        tables: false,
    };
    let mut chunker = Chunker::whole(shape, settings.explain, text);
    if let Some(trace) = trace {
        trace.changed(Stage::Pack, &chunker.take_changes());
    }
    let mut finishing = Finishing::new(
        shape,
        DeliverySettings {
            vocabulary: None,
            dialect: false,
            ..settings.clone()
        },
    );
    if trace.is_none() && finishing.is_idle() {
        return chunker.ready().filter_map(Packed::into_said).collect();
    }
    let mut out = Vec::new();
    for packed in chunker.ready() {
        finishing.finish(packed, trace, &mut out);
    }
    let said = |outgoing| match outgoing {
        Outgoing::Say(text) => Some(Cow::Owned(text)),
        Outgoing::Table(_) | Outgoing::File(_) => None,
    };
    out.into_iter().filter_map(said).collect()
}

/// Packs messages that wait to be sent into as few as fit `max` UTF-16 units
/// each, in their order.
pub fn merge(waiting: &[String], max: usize) -> Vec<String> {
    pack::merge(waiting, max)
}
