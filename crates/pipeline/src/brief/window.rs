//! Which of a channel's messages the model is shown.
//!
//! The newest that matter, oldest first. Messages of one answer are one entry.
//! Who said something is told by its record, never by a name.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::{Me, Message, MessageId, PersonaId, RoleId, Scope, Timestamp, TurnId, UserId};

/// A message of the channel, and what is on record of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// The message.
    pub message: Arc<Message>,
    /// The persona that said it, unless somebody else did.
    pub by: Option<PersonaId>,
    /// What the model calls the look in which it did, if not its usual one.
    pub look: Option<Arc<str>>,
    /// The turn that it is part of, if that is known.
    pub turn: Option<TurnId>,
    /// Whether it is a notice: what the bot says about its answers, and not the
    /// persona's words.
    pub is_notice: bool,
}

/// Which messages count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowRules<'a> {
    /// How many entries at most.
    pub messages: usize,
    /// How old they may be.
    pub age: Duration,
    /// Whether only what was said to and by the bot counts.
    pub directed: bool,
    /// How many of the newest count all the same.
    pub around: usize,
    /// What is older than this is forgotten.
    pub since: Option<Timestamp>,
    /// The conversation begins after this message.
    pub after: Option<MessageId>,
    /// Own messages with one of these texts are left out, and what they answer.
    pub skip: &'a [String],
    /// Whether own answers that end in circles are cut after the first round.
    pub shorten_circles: bool,
    /// Messages that wait for their own turn.
    pub pending: &'a [MessageId],
}

/// Whom messages may be for.
pub(super) struct Addressee<'a> {
    pub(super) me: &'a Me,
    pub(super) my_roles: &'a [RoleId],
    pub(super) asker: UserId,
    pub(super) scope: Scope,
    pub(super) now: Timestamp,
}

/// One entry of the window: a message, or the messages of one answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WindowEntry<'a> {
    pub(super) messages: Vec<&'a Spoken>,
}

impl<'a> WindowEntry<'a> {
    fn first(&self) -> &'a Spoken {
        self.messages[0]
    }

    /// The persona that said it.
    pub(super) fn by(&self) -> Option<PersonaId> {
        self.first().by
    }

    /// Whether this person said it.
    pub(super) fn is_by(&self, user: UserId) -> bool {
        self.by().is_none() && self.first().message.author.id == user
    }

    fn last_id(&self) -> MessageId {
        self.messages[self.messages.len() - 1].message.id
    }
}

/// The entries that count, oldest first.
pub(super) fn select<'a>(
    history: &'a [Spoken],
    rules: &WindowRules<'_>,
    to: &Addressee<'_>,
) -> Vec<WindowEntry<'a>> {
    let heard = history.iter().filter(|spoken| {
        let id = spoken.message.id;
        let too_old = rules.since.is_some_and(|since| id.created_at() < since);
        let before = rules.after.is_some_and(|after| id <= after);
        !spoken.is_notice && !too_old && !before && !rules.pending.contains(&id)
    });
    let mut entries = grouped(heard);
    leave_out(&mut entries, rules.skip);

    let directed = directed(&entries, to);
    let exchange = last_exchange(&entries, &directed, to.asker);
    let newest = entries.len().saturating_sub(rules.around);
    let is_fresh =
        |entry: &WindowEntry<'_>| to.now.since(entry.last_id().created_at()) <= rules.age;
    let mut kept: Vec<bool> = entries
        .iter()
        .enumerate()
        .map(|(place, entry)| {
            let relevant = !rules.directed || directed[place] || place >= newest;
            (relevant && is_fresh(entry)) || exchange.contains(&place)
        })
        .collect();
    let mut room = rules.messages;
    for kept in kept.iter_mut().rev().filter(|kept| **kept) {
        *kept = room > 0;
        room = room.saturating_sub(1);
    }
    let entries = entries.into_iter().zip(kept);
    entries
        .filter_map(|(entry, kept)| kept.then_some(entry))
        .collect()
}

/// The entries of messages: those of one turn, or of ours one after the other
/// up to the next reply, are one.
fn grouped<'a>(history: impl Iterator<Item = &'a Spoken>) -> Vec<WindowEntry<'a>> {
    let mut entries: Vec<WindowEntry<'a>> = Vec::new();
    let mut turns: HashMap<(TurnId, PersonaId), usize> = HashMap::new();
    for spoken in history {
        let place = spoken.by.and_then(|by| match spoken.turn {
            Some(turn) => turns.get(&(turn, by)).copied(),
            None => {
                let last = entries.len().checked_sub(1)?;
                let first = entries[last].first();
                let follows = first.by == Some(by) && first.turn.is_none();
                (follows && spoken.message.reply.is_none()).then_some(last)
            }
        });
        match place {
            Some(place) => entries[place].messages.push(spoken),
            None => {
                if let (Some(by), Some(turn)) = (spoken.by, spoken.turn) {
                    turns.insert((turn, by), entries.len());
                }
                entries.push(WindowEntry {
                    messages: vec![spoken],
                });
            }
        }
    }
    entries
}

/// Leaves out own entries that hold one of the texts, and what they answer: the
/// message they reply to, or else the one before them.
fn leave_out(entries: &mut Vec<WindowEntry<'_>>, patterns: &[String]) {
    if patterns.is_empty() {
        return;
    }
    let patterns: Vec<String> = patterns.iter().map(|it| it.to_lowercase()).collect();
    let mut out = BTreeSet::new();
    let mut led: HashSet<MessageId> = HashSet::new();
    for (place, entry) in entries.iter().enumerate() {
        let is_bad = entry.by().is_some()
            && entry.messages.iter().any(|spoken| {
                let text = spoken.message.text.to_lowercase();
                patterns.iter().any(|pattern| text.contains(pattern))
            });
        if !is_bad {
            continue;
        }
        out.insert(place);
        match &entry.first().message.reply {
            Some(reply) => drop(led.insert(reply.to)),
            None => {
                let before = entries[..place].iter().rposition(|it| it.by().is_none());
                out.extend(before);
            }
        }
    }
    let mut place = 0;
    entries.retain(|entry| {
        let is_out = out.contains(&place) || led.contains(&entry.first().message.id);
        place += 1;
        !is_out
    });
}

/// Which entries were said to or by the bot, or lead up to such.
fn directed(entries: &[WindowEntry<'_>], to: &Addressee<'_>) -> Vec<bool> {
    let own: HashSet<MessageId> = entries
        .iter()
        .filter(|entry| entry.by().is_some())
        .flat_map(|entry| entry.messages.iter().map(|spoken| spoken.message.id))
        .collect();
    let mut wanted: HashSet<MessageId> = HashSet::new();
    let mut directed = vec![false; entries.len()];
    for (place, entry) in entries.iter().enumerate().rev() {
        let message = &entry.first().message;
        let reply = message.reply.as_ref();
        directed[place] = matches!(to.scope, Scope::Dm(_))
            || entry.by().is_some()
            || wanted.contains(&message.id)
            || message.mentions.iter().any(|it| to.me.is(it.id))
            || message
                .mention_roles
                .iter()
                .any(|it| to.my_roles.contains(it))
            || reply.is_some_and(|it| {
                own.contains(&it.to) || it.author().is_some_and(|id| to.me.is(id))
            });
        if directed[place] {
            wanted.extend(reply.map(|reply| reply.to));
        }
    }
    directed
}

/// The last question of the asker and what was answered.
fn last_exchange(entries: &[WindowEntry<'_>], directed: &[bool], asker: UserId) -> Vec<usize> {
    let asked = entries
        .iter()
        .zip(directed)
        .rposition(|(entry, directed)| *directed && entry.is_by(asker));
    let Some(asked) = asked else {
        return Vec::new();
    };
    let question = entries[asked].first().message.id;
    let after = asked + 1..entries.len();
    let replies = |place: &usize| {
        let reply = entries[*place].first().message.reply.as_ref();
        entries[*place].by().is_some() && reply.is_some_and(|reply| reply.to == question)
    };
    let answer = after.clone().find(replies);
    let answer = answer.or_else(|| {
        let next = after.start;
        (next < entries.len() && entries[next].by().is_some()).then_some(next)
    });
    std::iter::once(asked).chain(answer).collect()
}
