//! What a shard has brought and nobody has taken yet.
//!
//! While there is room the connection is read and heartbeats flow; then Discord
//! has to wait. Events are counted, and their size as they came, so that
//! neither many of them nor large ones fill the memory.

use std::collections::VecDeque;

use kaiwa_domain::port::Inbound;

/// How many events are held, and how many bytes. The last one may be larger
/// than what is left.
const EVENTS_MAX: usize = 1024;
const BYTES_MAX: usize = 8 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct HeldEvents {
    /// In the order in which they came, with their size.
    events: VecDeque<(Inbound, usize)>,
    bytes: usize,
}

impl HeldEvents {
    /// Holds an event that was `bytes` long when it came.
    pub(super) fn push(&mut self, inbound: Inbound, bytes: usize) {
        self.events.push_back((inbound, bytes));
        self.bytes += bytes;
    }

    /// The first of them, which is no longer held.
    pub(super) fn pop(&mut self) -> Option<Inbound> {
        let (inbound, bytes) = self.events.pop_front()?;
        self.bytes -= bytes;
        Some(inbound)
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether nothing more is to be read.
    pub(super) fn is_full(&self) -> bool {
        self.events.len() >= EVENTS_MAX || self.bytes >= BYTES_MAX
    }
}
