//! The messages of a channel: posted, found and taken away.

use std::time::Duration;

use super::{Channel, Message, MessageKind, Nonce};
use crate::{
    limits,
    snowflake::{Snowflake, now},
};

impl Channel {
    pub(super) fn place(&self, id: Snowflake) -> Result<usize, usize> {
        self.messages
            .binary_search_by_key(&id, |message| message.id)
    }

    pub(crate) fn message(&self, id: Snowflake) -> Option<&Message> {
        self.messages.get(self.place(id).ok()?)
    }

    pub(crate) fn message_mut(&mut self, id: Snowflake) -> Option<&mut Message> {
        let place = self.place(id).ok()?;
        self.messages.get_mut(place)
    }

    pub(crate) fn post(&mut self, mut message: Message) {
        self.last_message = Some(message.id);
        if let Some(nonce) = &message.nonce {
            self.nonces
                .push_back((message.author, nonce.clone(), message.id));
        }
        while self.nonces.len() > limits::NONCES_PER_CHANNEL {
            self.nonces.pop_front();
        }
        // A thread counts all but what it begins with.
        let counts = message.kind != MessageKind::ThreadStarter && message.id != self.id;
        if let Some(thread) = self.thread_mut() {
            thread.messages += usize::from(counts);
            thread.sent += usize::from(counts);
            message.position = Some(if counts { thread.sent } else { 0 });
        }
        self.messages.push_back(message);
        while self.messages.len() > limits::MESSAGES_PER_CHANNEL {
            self.messages.pop_front();
        }
    }

    pub(crate) fn remove(&mut self, id: Snowflake) -> bool {
        let Ok(place) = self.place(id) else {
            return false;
        };
        if let Some(thread) = self.thread_mut() {
            thread.messages = thread.messages.saturating_sub(1);
        }
        self.messages.remove(place).is_some()
    }

    /// The message that an author already sent with a nonce, if that was a
    /// few minutes ago at most.
    pub(crate) fn sent_with(&self, author: Snowflake, nonce: &Nonce) -> Option<Snowflake> {
        let (_, _, id) = self
            .nonces
            .iter()
            .rev()
            .find(|(who, theirs, _)| *who == author && theirs == nonce)?;
        let age = Duration::try_from(now().duration_since(id.timestamp())).unwrap_or_default();
        (age <= limits::NONCE_REMEMBERED).then_some(*id)
    }

    /// Up to `limit` messages before an id (all when `None`), newest first.
    pub(crate) fn before(&self, id: Option<Snowflake>, limit: usize) -> Vec<&Message> {
        let end = id.map_or(self.messages.len(), |id| {
            self.place(id).unwrap_or_else(|at| at)
        });
        self.messages
            .range(end.saturating_sub(limit)..end)
            .rev()
            .collect()
    }

    /// The `limit` messages that follow an id most closely, newest first.
    pub(crate) fn after(&self, id: Snowflake, limit: usize) -> Vec<&Message> {
        let start = self.place(id).map_or_else(|at| at, |at| at + 1);
        let end = (start + limit).min(self.messages.len());
        self.messages.range(start..end).rev().collect()
    }

    /// Messages on both sides of an id and the message itself, newest first.
    pub(crate) fn around(&self, id: Snowflake, limit: usize) -> Vec<&Message> {
        let mut page = self.after(id, limit / 2);
        page.extend(self.message(id));
        let rest = limit - page.len().min(limit);
        page.extend(self.before(Some(id), rest.min(limit.div_ceil(2))));
        page.truncate(limit);
        page
    }
}
