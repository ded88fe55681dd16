//! Deletions and edits that came before what they change.
//!
//! Discord promises no order of events, and what is read by REST may be
//! overtaken by them. For a while it is remembered what is gone and what a
//! message says now, so that nothing takes a message for what it was.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use kaiwa_domain::{Message, MessageId, Moment, Scope};

/// For how long: later than this no message comes.
const REMEMBERED: Duration = Duration::from_secs(10 * 60);

/// How many messages are known as deleted.
const DELETED: usize = 4096;

/// How many are known as they are after an edit.
const EDITED: usize = 256;

#[derive(Debug, Default)]
pub(super) struct OutrunChanges {
    deleted: Outrun<()>,
    edited: Outrun<Message>,
}

impl OutrunChanges {
    pub(super) fn delete(&mut self, scope: Scope, messages: &[MessageId], now: Moment) {
        for message in messages.iter().map(|it| (scope, *it)) {
            self.edited.by_message.remove(&message);
            self.deleted.put(message, (), DELETED, now);
        }
    }

    /// What a message says now, unless something newer is known.
    pub(super) fn edit(&mut self, message: &Message, now: Moment) {
        let known = self.edited.by_message.get(&key(message));
        if known.is_none_or(|known| known.edited_at <= message.edited_at) {
            self.edited.put(key(message), message.clone(), EDITED, now);
        }
    }

    pub(super) fn forget_edit(&mut self, message: &Message) {
        self.edited.by_message.remove(&key(message));
    }

    pub(super) fn is_deleted(&self, message: &Message) -> bool {
        self.deleted.by_message.contains_key(&key(message))
    }

    /// A message as it is now.
    pub(super) fn newest(&self, message: Message) -> Message {
        match self.edited.by_message.get(&key(&message)) {
            Some(edited) if edited.edited_at > message.edited_at => edited.clone(),
            _ => message,
        }
    }
}

type Key = (Scope, MessageId);

const fn key(message: &Message) -> Key {
    (message.scope, message.id)
}

/// What is known of messages, in the order in which it came.
#[derive(Debug)]
struct Outrun<T> {
    by_message: HashMap<Key, T>,
    order: VecDeque<(Moment, Key)>,
}

impl<T> Default for Outrun<T> {
    fn default() -> Self {
        Self {
            by_message: HashMap::new(),
            order: VecDeque::new(),
        }
    }
}

impl<T> Outrun<T> {
    fn put(&mut self, message: Key, known: T, most: usize, now: Moment) {
        if self.by_message.insert(message, known).is_none() {
            self.order.push_back((now, message));
        }
        let is_over = |at: Moment| now.since(at) > REMEMBERED;
        while let Some((at, oldest)) = self.order.front().copied()
            && (self.order.len() > most || is_over(at))
        {
            self.order.pop_front();
            self.by_message.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{Author, AuthorKind, ChannelId, GuildId, Timestamp, UserId};

    const SCOPE: Scope = Scope::Guild(GuildId::new(3));

    fn said(id: u64, text: &str, edited: Option<i64>) -> Message {
        let author = Author {
            id: UserId::new(2),
            name: "Ada".into(),
            kind: AuthorKind::Human,
            roles: Vec::new(),
        };
        Message {
            edited_at: edited.map(Timestamp::from_millis),
            ..Message::new(
                MessageId::new(id),
                SCOPE,
                ChannelId::new(4),
                author,
                text.into(),
            )
        }
    }

    fn at(seconds: u64) -> Moment {
        Moment::new(Duration::from_secs(seconds))
    }

    fn deletes(changes: &mut OutrunChanges, id: u64, now: Moment) {
        changes.delete(SCOPE, &[MessageId::new(id)], now);
    }

    fn is_deleted(changes: &OutrunChanges, id: u64) -> bool {
        changes.is_deleted(&said(id, "", None))
    }

    #[test]
    fn the_newest_edit_counts_in_whatever_order_they_come() {
        let mut changes = OutrunChanges::default();
        changes.edit(&said(1, "second", Some(20)), at(0));
        changes.edit(&said(1, "first", Some(10)), at(0));
        assert_eq!(changes.newest(said(1, "", None)).text, "second");
        assert_eq!(changes.newest(said(1, "third", Some(30))).text, "third");
        assert_eq!(changes.newest(said(2, "other", None)).text, "other");
        let elsewhere = Message {
            scope: Scope::Guild(GuildId::new(9)),
            ..said(1, "elsewhere", None)
        };
        assert_eq!(changes.newest(elsewhere.clone()).text, "elsewhere");
        deletes(&mut changes, 1, at(0));
        assert!(is_deleted(&changes, 1) && !is_deleted(&changes, 2));
        assert!(!changes.is_deleted(&elsewhere));
        let newest = changes.newest(said(1, "first", None));
        assert_eq!(newest.text, "first", "what is deleted is not kept");
    }

    #[test]
    fn it_is_remembered_for_a_while_and_bounded() {
        let mut changes = OutrunChanges::default();
        deletes(&mut changes, 1, at(0));
        deletes(&mut changes, 2, at(600));
        assert!(is_deleted(&changes, 1));
        deletes(&mut changes, 3, at(601));
        assert!(!is_deleted(&changes, 1) && is_deleted(&changes, 2));
        for id in 10..10_000 {
            deletes(&mut changes, id, at(601));
            changes.edit(&said(id + 10_000, "text", Some(1)), at(601));
            // Who edits often takes one place.
            changes.edit(&said(20_000, "text", Some(id.cast_signed())), at(601));
        }
        let (deleted, edited) = (&changes.deleted, &changes.edited);
        assert_eq!(deleted.by_message.len(), DELETED);
        assert_eq!(deleted.order.len(), DELETED);
        assert!(edited.by_message.len() <= EDITED && edited.order.len() <= EDITED);
    }
}
