//! Deletions and edits that came before what they change.
//!
//! Discord promises no order of events, and what is read by REST may be
//! overtaken by them. For a while it is remembered what is gone and what a
//! message says now, so that nothing takes a message for what it was.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use kaiwa_domain::{Message, MessageId, Moment, Scope};

use super::message::bytes;

/// For how long: later than this no message comes.
const REMEMBERED: Duration = Duration::from_secs(10 * 60);

/// How many messages are known as deleted.
const DELETED: usize = 4096;

/// How many are known as they are after an edit, and how many bytes they have.
const EDITED: usize = 256;
const EDITED_BYTES: usize = 2 << 20;

#[derive(Debug)]
pub(super) struct OutrunChanges {
    deleted: Outrun<()>,
    edited: Outrun<Message>,
}

impl Default for OutrunChanges {
    fn default() -> Self {
        Self {
            deleted: Outrun::bounded(DELETED, 0),
            edited: Outrun::bounded(EDITED, EDITED_BYTES),
        }
    }
}

impl OutrunChanges {
    /// Forgets what nothing can outrun any more.
    pub(super) fn expire(&mut self, now: Moment) {
        self.deleted.expire(now);
        self.edited.expire(now);
    }

    /// Forgets what was in a guild.
    pub(super) fn forget(&mut self, scope: Scope) {
        self.deleted.forget_scope(scope);
        self.edited.forget_scope(scope);
    }

    pub(super) fn delete(&mut self, scope: Scope, messages: &[MessageId], now: Moment) {
        for message in messages.iter().map(|it| (scope, *it)) {
            self.edited.forget(message);
            self.deleted.put(message, (), 0, now);
        }
    }

    /// What a message says now, unless something newer is known.
    pub(super) fn edit(&mut self, message: &Message, now: Moment) {
        let known = self.edited.get(message);
        if known.is_none_or(|known| known.edited_at <= message.edited_at) {
            let size = bytes(message);
            self.edited.put(key(message), message.clone(), size, now);
        }
    }

    pub(super) fn forget_edit(&mut self, message: &Message) {
        self.edited.forget(key(message));
    }

    pub(super) fn is_deleted(&self, message: &Message) -> bool {
        self.deleted.get(message).is_some()
    }

    /// A message as it is now.
    pub(super) fn newest(&self, message: Message) -> Message {
        match self.edited.get(&message) {
            Some(edited) if edited.edited_at > message.edited_at => edited.clone(),
            _ => message,
        }
    }
}

type Key = (Scope, MessageId);

const fn key(message: &Message) -> Key {
    (message.scope, message.id)
}

/// What is known of messages: so much of it, and for so long.
#[derive(Debug)]
struct Outrun<T> {
    by_message: HashMap<Key, Outran<T>>,
    /// In the order in which it came.
    order: VecDeque<(Moment, Key)>,
    bytes: usize,
    most: usize,
    most_bytes: usize,
}

#[derive(Debug)]
struct Outran<T> {
    known: T,
    bytes: usize,
}

impl<T> Outrun<T> {
    fn bounded(most: usize, most_bytes: usize) -> Self {
        Self {
            by_message: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
            most,
            most_bytes,
        }
    }

    fn get(&self, message: &Message) -> Option<&T> {
        self.by_message.get(&key(message)).map(|it| &it.known)
    }

    fn put(&mut self, message: Key, known: T, bytes: usize, now: Moment) {
        self.forget(message);
        self.order.push_back((now, message));
        self.by_message.insert(message, Outran { known, bytes });
        self.bytes += bytes;
        while self.order.len() > self.most || self.bytes > self.most_bytes {
            self.forget_oldest();
        }
    }

    fn forget(&mut self, message: Key) {
        if self.remove(message) {
            self.order.retain(|(_, of)| *of != message);
        }
    }

    fn forget_scope(&mut self, scope: Scope) {
        let order = std::mem::take(&mut self.order);
        for (at, message) in order {
            if message.0 == scope {
                self.remove(message);
            } else {
                self.order.push_back((at, message));
            }
        }
    }

    fn expire(&mut self, now: Moment) {
        while let Some((at, _)) = self.order.front()
            && now.since(*at) > REMEMBERED
        {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, oldest)) = self.order.pop_front() {
            self.remove(oldest);
        }
    }

    fn remove(&mut self, message: Key) -> bool {
        let removed = self.by_message.remove(&message);
        self.bytes -= removed.as_ref().map_or(0, |it| it.bytes);
        removed.is_some()
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
        changes.expire(now);
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
        assert_eq!(
            (edited.by_message.len(), edited.order.len()),
            (EDITED, EDITED)
        );
        // Nothing has to happen for it to be forgotten.
        changes.expire(at(1202));
        let edited = &changes.edited;
        assert!(changes.deleted.by_message.is_empty() && edited.by_message.is_empty());
        assert!(edited.order.is_empty() && edited.bytes == 0);
    }

    #[test]
    fn what_long_messages_say_is_bounded_too() {
        let mut changes = OutrunChanges::default();
        let long = "x".repeat(EDITED_BYTES / 10);
        for id in 0..20 {
            changes.edit(&said(id, &long, Some(1)), at(0));
            assert!(changes.edited.bytes <= EDITED_BYTES);
        }
        let kept = changes.edited.by_message.len();
        assert!((8..10).contains(&kept), "{kept}");
        assert_eq!(changes.newest(said(19, "", None)).text, long);
        changes.forget_edit(&said(19, "", None));
        assert_eq!(changes.edited.order.len(), kept - 1);
    }

    #[test]
    fn a_guild_that_is_left_is_forgotten() {
        let mut changes = OutrunChanges::default();
        let there = Message {
            scope: Scope::Guild(GuildId::new(9)),
            ..said(3, "there", Some(1))
        };
        deletes(&mut changes, 1, at(0));
        changes.edit(&said(2, "here", Some(1)), at(0));
        changes.edit(&there, at(0));
        changes.forget(SCOPE);
        assert!(!is_deleted(&changes, 1));
        assert_eq!(changes.newest(said(2, "", None)).text, "");
        let unedited = Message {
            edited_at: None,
            ..there
        };
        assert_eq!(
            changes.newest(unedited).edited_at,
            Some(Timestamp::from_millis(1))
        );
    }
}
