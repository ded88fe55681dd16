//! Events as sessions keep and send them.

use std::{sync::Arc, time::Duration};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::time::Instant;

/// An event with its number, to be sent.
#[derive(Clone, Debug)]
pub(crate) struct NumberedEvent {
    pub(crate) seq: u64,
    pub(super) event: SessionEvent,
}

impl NumberedEvent {
    pub(crate) fn frame(&self) -> Utf8Bytes {
        let (name, payload) = (self.event.name, &self.event.payload);
        format!(r#"{{"t":"{name}","s":{},"op":0,"d":{payload}}}"#, self.seq).into()
    }
}

/// An event as a session keeps it. Sessions that may see the same share it.
#[derive(Clone, Debug)]
pub(super) struct SessionEvent {
    pub(super) name: &'static str,
    pub(super) payload: Arc<str>,
    /// Not sent before; absent when there was no delay.
    pub(super) due: Option<Instant>,
}

/// What is wrong with the events of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventTrouble {
    /// So many of the next events come twice.
    pub(crate) duplicate: u32,
    /// So many of the next events come after the one that follows them.
    pub(crate) reorder: u32,
    /// Every event comes so much later.
    pub(crate) delay: Duration,
}

impl EventTrouble {
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A payload as it is kept.
pub(crate) fn written(name: &str, payload: &impl Serialize) -> Option<Arc<str>> {
    match serde_json::to_string(payload) {
        Ok(payload) => Some(payload.into()),
        Err(error) => {
            tracing::error!(name, "an event could not be written: {error}");
            None
        }
    }
}
