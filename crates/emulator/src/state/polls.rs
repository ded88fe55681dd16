//! Polls that run out by themselves.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use jiff::Timestamp;
use tokio::sync::Notify;

use super::EmulatorState;
use crate::{
    limits,
    realm::{Message, MessageKind},
    snowflake::Snowflake,
};

/// When polls run out, the next one first, with their channels and messages.
#[derive(Debug, Default)]
pub(crate) struct OpenPolls {
    ends: BTreeSet<(Timestamp, Snowflake, Snowflake)>,
    added: Arc<Notify>,
}

impl OpenPolls {
    pub(crate) fn add(&mut self, channel: Snowflake, message: &Message) {
        if let Some(end) = message.poll_end()
            && self.ends.len() < limits::OPEN_POLLS
        {
            self.ends.insert((end, channel, message.id));
            self.added.notify_one();
        }
    }

    /// Somebody ended it.
    pub(crate) fn remove(&mut self, message: Snowflake) {
        self.ends.retain(|(_, _, known)| *known != message);
    }

    /// When the next one runs out.
    pub(crate) fn next(&self) -> Option<Timestamp> {
        self.ends.first().map(|(end, _, _)| *end)
    }

    /// Takes one that has run out, as its channel and message.
    pub(crate) fn take(&mut self, now: Timestamp) -> Option<(Snowflake, Snowflake)> {
        self.next().filter(|end| *end <= now)?;
        let (_, channel, message) = self.ends.pop_first()?;
        Some((channel, message))
    }

    /// Told when there is another one.
    pub(crate) fn added(&self) -> Arc<Notify> {
        Arc::clone(&self.added)
    }
}

impl EmulatorState {
    /// Looks for polls whose end no message has told yet.
    pub(crate) fn find_polls(&mut self) {
        for channel in self.realm.channels.values() {
            let results = channel.messages.iter();
            let results = results.filter(|it| it.kind == MessageKind::PollResult);
            let told: HashSet<Snowflake> = results
                .filter_map(|it| it.reference.as_ref()?.message)
                .collect();
            for message in &channel.messages {
                if !told.contains(&message.id) {
                    self.polls.add(channel.id, message);
                }
            }
        }
    }
}
