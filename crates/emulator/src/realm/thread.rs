//! Threads: channels that hang on another one and borrow its permissions.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Channel, ChannelKind, Guild, Realm, UserAccount};
use crate::{
    limits,
    snowflake::{Snowflake, now},
};

/// A thread, or a post of a forum.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub(crate) guild: Snowflake,
    /// The channel it hangs on.
    pub(crate) parent: Snowflake,
    pub(crate) kind: ThreadKind,
    pub(crate) name: String,
    pub(crate) owner: Snowflake,
    /// Whether a forum holds it.
    pub(crate) post: bool,
    /// In the order they joined.
    pub(crate) members: Vec<ThreadMember>,
    pub(crate) archived: bool,
    /// When `archived` last changed.
    pub(crate) archive_changed: Timestamp,
    /// Minutes without a message after which it is archived.
    pub(crate) auto_archive: u64,
    pub(crate) locked: bool,
    pub(crate) invitable: bool,
    pub(crate) slow_mode: u64,
    /// Tags of the forum that a post has.
    pub(crate) tags: Vec<Snowflake>,
    /// Whether a post stands first in its forum.
    pub(crate) pinned: bool,
    /// Messages written in it, the deleted ones left out.
    pub(crate) messages: usize,
    /// Messages ever written in it.
    pub(crate) sent: usize,
    pub(crate) created: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ThreadKind {
    Announcement,
    Public,
    Private,
}

impl ThreadKind {
    /// Discord Docs/Channel, Channel Types.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Announcement => 10,
            Self::Public => 11,
            Self::Private => 12,
        }
    }
}

/// Who takes part in a thread, and since when.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ThreadMember {
    pub(crate) person: Snowflake,
    pub(crate) joined: Timestamp,
}

impl Thread {
    pub(crate) fn member(&self, person: Snowflake) -> Option<&ThreadMember> {
        self.members.iter().find(|member| member.person == person)
    }

    /// Says whether the person is new in it.
    pub(crate) fn join(&mut self, person: Snowflake) -> bool {
        let new = self.member(person).is_none() && self.members.len() < limits::THREAD_MEMBERS;
        if new {
            self.members.push(ThreadMember {
                person,
                joined: now(),
            });
        }
        new
    }

    /// Says whether the person was in it.
    pub(crate) fn leave(&mut self, person: Snowflake) -> bool {
        let before = self.members.len();
        self.members.retain(|member| member.person != person);
        self.members.len() < before
    }

    /// One that is archived no longer stands first.
    pub(crate) fn archive(&mut self, archived: bool) {
        if self.archived != archived {
            self.archived = archived;
            self.archive_changed = now();
            self.pinned &= !archived;
        }
    }
}

impl Channel {
    /// When a thread is archived, if nobody writes in it. Posts that stand first
    /// never are.
    pub(crate) fn archives_at(&self) -> Option<Timestamp> {
        let thread = self.thread()?;
        if thread.archived || thread.pinned {
            return None;
        }
        let written = self.last_message.map(Snowflake::timestamp);
        let last = written.map_or(thread.archive_changed, |it| it.max(thread.archive_changed));
        let minutes = i64::try_from(thread.auto_archive).ok()?;
        last.checked_add(SignedDuration::from_mins(minutes)).ok()
    }
}

impl Realm {
    /// The threads of a guild that are not archived and that a person may
    /// see, oldest first.
    pub(crate) fn active_threads(&self, guild: &Guild, person: &UserAccount) -> Vec<&Channel> {
        self.channels
            .values()
            .filter(|channel| channel.guild() == Some(guild.id))
            .filter(|channel| channel.thread().is_some_and(|thread| !thread.archived))
            .filter(|channel| self.may_see(person, channel))
            .collect()
    }

    /// The channel that a thread hangs on, or the channel itself.
    pub(crate) fn parent<'a>(&'a self, channel: &'a Channel) -> Option<&'a Channel> {
        match channel.thread() {
            Some(thread) => self.channels.get(&thread.parent),
            None => Some(channel),
        }
    }

    /// Adds a thread. When a guild has too many, the oldest archived ones are
    /// forgotten.
    pub(crate) fn open_thread(&mut self, id: Snowflake, thread: Thread) {
        let guild = thread.guild;
        let mut theirs = self
            .channels
            .values()
            .filter(|it| it.guild() == Some(guild));
        let archived: Vec<Snowflake> = theirs
            .by_ref()
            .filter(|it| it.thread().is_some_and(|thread| thread.archived))
            .map(|it| it.id)
            .collect();
        let surplus = (archived.len() + 1).saturating_sub(limits::ARCHIVED_THREADS);
        for id in archived.into_iter().take(surplus) {
            self.channels.remove(&id);
        }
        let channel = Channel::new(id, ChannelKind::Thread(thread));
        self.channels.insert(id, channel);
    }
}
