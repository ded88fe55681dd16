//! The newest messages of each channel, as the gateway brings them.
//!
//! A channel in which nothing was missed needs no request to be read, and one in
//! which nothing was ever said needs none either. What was said before the first
//! event is fetched once; from then on the window is kept
//! by events: what is edited changes, what is deleted goes, whatever order they
//! come in. When events were lost, all of it is forgotten.
//!
//! Everything is bounded: the messages of a channel, the channels, the bytes.

mod message;
mod outrun;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::port::{Chat, History};
use kaiwa_domain::{
    AuthorKind, ChannelId, ChannelKind, ChatError, Effect, Event, GuildSnapshot, Me, Message,
    MessageId, Moment, PersonaId, Reaction, Scope, TurnId, UserId,
};

use message::{bytes, posted};
use outrun::OutrunChanges;

/// How many messages of a channel are kept; as many as Discord gives at once.
pub(crate) const MESSAGES: usize = 100;

/// How many channels are kept. The least recently used are forgotten.
const CHANNELS: usize = 2048;

/// How many channels are remembered as empty.
const EMPTY: usize = 16_384;

/// How many bytes all of them may have.
const BYTES: usize = 64 << 20;

/// How many reactions of a message are counted.
const REACTIONS: usize = 20;

/// The newest messages of channels. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct MessageWindow(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    channels: HashMap<ChannelId, ChannelWindow>,
    /// Nothing was said there before this session.
    empty: HashMap<ChannelId, Scope>,
    changes: OutrunChanges,
    bytes: usize,
    uses: u64,
}

#[derive(Debug)]
struct ChannelWindow {
    scope: Scope,
    /// In the order of their ids.
    messages: Vec<KeptMessage>,
    /// Everything from this message on is known.
    from: MessageId,
    /// There is nothing before it.
    whole: bool,
    bytes: usize,
    last_use: u64,
}

/// A message, and what is on record of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeptMessage {
    pub(crate) message: Arc<Message>,
    /// The answer of ours that it is part of.
    pub(crate) own: Option<OwnMessage>,
}

/// What is on record of a message of ours that was posted by this process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnMessage {
    pub(crate) persona: PersonaId,
    pub(crate) look: Option<Arc<str>>,
    pub(crate) turn: TurnId,
    pub(crate) is_notice: bool,
}

impl MessageWindow {
    /// Takes in what an event says of messages. What is said by those who are
    /// `hidden` is not kept.
    pub fn note(&self, event: &Event, now: Moment, hidden: impl Fn(UserId) -> bool) {
        let mut state = self.lock();
        state.changes.expire(now);
        match event {
            Event::Message(message) if !hidden(message.author.id) => {
                state.add(message.clone(), None);
            }
            Event::Edited(message) if !hidden(message.author.id) => state.edit(message, now),
            Event::Message(message) | Event::Edited(message) => {
                state.changes.forget_edit(message);
                state.delete(message.scope, message.channel, &[message.id]);
            }
            Event::Deleted {
                scope,
                channel,
                messages,
            } => {
                state.changes.delete(*scope, messages, now);
                state.delete(*scope, *channel, messages);
            }
            Event::Reacted(reaction) => state.react(reaction),
            Event::ChannelGone { channel, .. } => state.forget(*channel),
            Event::GuildGone { scope } => {
                state.changes.forget(*scope);
                state.forget_all(|it| it == *scope);
            }
            Event::Ready { resumed: false, .. } => state.forget_all(|_| true),
            Event::Guild(guild) if guild.is_new_session => {
                state.forget_all(|scope| scope == guild.scope);
                state.note_empty(guild);
            }
            Event::Ready { .. }
            | Event::Disconnected { .. }
            | Event::Unreacted { .. }
            | Event::Guild(_)
            | Event::Channel { .. }
            | Event::Emoji { .. }
            | Event::Stickers { .. }
            | Event::MemberJoined(_)
            | Event::MemberUpdated(_)
            | Event::MemberLeft { .. }
            | Event::Interaction(_)
            | Event::Again(_)
            | Event::Scheduled(_) => {}
        }
    }

    /// Whether a message that comes now was deleted before.
    pub(crate) fn is_deleted(&self, message: &Message) -> bool {
        self.lock().changes.is_deleted(message)
    }

    /// Whether an edit that comes now says nothing of what a message is: it is
    /// gone, or was edited again.
    pub(crate) fn is_outdated(&self, edited: &Message) -> bool {
        self.is_deleted(edited) || self.newest(edited.clone()).edited_at > edited.edited_at
    }

    /// A message as it is now, if it was edited before it came.
    pub(crate) fn newest(&self, message: Message) -> Message {
        let state = self.lock();
        let channel = state.channels.get(&message.channel);
        let channel = channel.filter(|it| it.scope == message.scope);
        let kept = channel.and_then(|it| Some(&it.messages[it.find(message.id).ok()?].message));
        match kept {
            Some(kept) if kept.edited_at > message.edited_at => Message::clone(kept),
            _ => state.changes.newest(message),
        }
    }

    /// Forgets every message, and says how many bytes that was. What is needed
    /// is fetched again.
    pub(crate) fn forget_everything(&self) -> usize {
        let mut state = self.lock();
        let changes = std::mem::take(&mut state.changes);
        let without = State {
            changes,
            ..State::default()
        };
        std::mem::replace(&mut *state, without).bytes
    }

    /// Takes in what was just posted, which the gateway will bring only in a
    /// while, and puts it on record.
    pub(crate) fn posted(&self, me: &Me, effect: &Effect, messages: &[MessageId]) {
        let own = OwnMessage {
            persona: effect.persona,
            look: effect
                .identity
                .as_ref()
                .and_then(|it| it.look().map(Arc::from)),
            turn: effect.turn,
            is_notice: effect.body.is_notice(),
        };
        let mut state = self.lock();
        for (part, id) in messages.iter().enumerate() {
            let mut message = posted(me, effect, *id);
            if messages.len() > 1 {
                // The gateway will tell which of them says what.
                message.text.clear();
            }
            if part > 0 {
                message.reply = None;
            }
            state.add(message, Some(own.clone()));
        }
    }

    /// Whether something else was said in a channel after a message, by people
    /// or in answer to them, as far as is known.
    pub(crate) fn is_overtaken(
        &self,
        (scope, channel): (Scope, ChannelId),
        message: MessageId,
    ) -> bool {
        let state = self.lock();
        let channel = state.channels.get(&channel);
        let channel = channel.filter(|it| it.scope == scope);
        let said = channel.into_iter().flat_map(|it| it.messages.iter().rev());
        let mut later = said.take_while(|it| it.message.id > message);
        later.any(|it| match &it.own {
            Some(own) => !own.is_notice && own.turn.trigger.message() != Some(message),
            None => it.message.author.kind == AuthorKind::Human,
        })
    }

    /// The newest messages of a channel, oldest first, so many of them before
    /// `until` if there are. What is missing is fetched.
    pub(crate) async fn read(
        &self,
        chat: &dyn Chat,
        (scope, channel): (Scope, ChannelId),
        until: MessageId,
        wanted: usize,
    ) -> Result<Vec<KeptMessage>, ChatError> {
        let (known, missing) = self.lock().known(scope, channel, until, wanted);
        let Some(missing) = missing else {
            return Ok(known);
        };
        let limit = MESSAGES.saturating_sub(known.len()).max(1);
        let limit = u16::try_from(limit).unwrap_or(u16::MAX);
        let point = History::Before(missing);
        let fetched = match chat.history(scope, channel, point, limit).await {
            Ok(fetched) => fetched,
            Err(_) if !known.is_empty() => return Ok(known),
            Err(error) => return Err(error),
        };
        let mut state = self.lock();
        let older = state.fill(scope, channel, missing, fetched, usize::from(limit));
        let mut messages = older;
        messages.extend(known);
        Ok(messages)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, message: Message, own: Option<OwnMessage>) {
        if self.changes.is_deleted(&message) {
            return;
        }
        let message = self.changes.newest(message);
        self.uses += 1;
        let (id, scope) = (message.id, message.scope);
        let whole = self.empty.remove(&message.channel) == Some(scope);
        let channel = self.channels.entry(message.channel);
        let channel = channel.or_insert_with(|| ChannelWindow {
            scope,
            messages: Vec::new(),
            from: id,
            whole,
            bytes: 0,
            last_use: 0,
        });
        channel.last_use = self.uses;
        // What was said before the window begins is no part of it.
        if channel.scope != scope || id < channel.from {
            return;
        }
        let before = channel.bytes;
        channel.put(message, own);
        self.bytes = self.bytes + channel.bytes - before;
        self.trim();
    }

    fn edit(&mut self, message: &Message, now: Moment) {
        if self.changes.is_deleted(message) {
            return;
        }
        let channel = self.channels.get_mut(&message.channel);
        let channel = channel.filter(|it| it.scope == message.scope);
        let Some(channel) = channel.filter(|it| it.find(message.id).is_ok()) else {
            self.changes.edit(message, now);
            return;
        };
        let before = channel.bytes;
        channel.put(message.clone(), None);
        self.bytes = self.bytes + channel.bytes - before;
        self.trim();
    }

    fn delete(&mut self, scope: Scope, channel: ChannelId, messages: &[MessageId]) {
        let Some(channel) = self.channels.get_mut(&channel) else {
            return;
        };
        if channel.scope == scope {
            let before = channel.bytes;
            channel.retain(|kept| !messages.contains(&kept.message.id));
            self.bytes = self.bytes + channel.bytes - before;
        }
    }

    fn react(&mut self, reaction: &Reaction) {
        // An emoji that is gone has no name by which it could be shown.
        if reaction.emoji.is_empty() {
            return;
        }
        let Some(channel) = self.channels.get_mut(&reaction.channel) else {
            return;
        };
        let Ok(place) = channel.find(reaction.message) else {
            return;
        };
        if channel.scope != reaction.scope {
            return;
        }
        let message = Arc::make_mut(&mut channel.messages[place].message);
        let reactions = &mut message.reactions;
        let counted = reactions
            .iter()
            .position(|(emoji, _)| *emoji == reaction.emoji);
        match counted {
            Some(place) => reactions[place].1 = reactions[place].1.saturating_add(1),
            None if reactions.len() < REACTIONS => reactions.push((reaction.emoji.clone(), 1)),
            None => {}
        }
    }

    /// What is known of the messages of a channel, and before which message
    /// something is missing, if anything is.
    fn known(
        &mut self,
        scope: Scope,
        channel: ChannelId,
        until: MessageId,
        wanted: usize,
    ) -> (Vec<KeptMessage>, Option<MessageId>) {
        self.uses += 1;
        let channel = self.channels.get_mut(&channel);
        let Some(channel) = channel.filter(|channel| channel.scope == scope) else {
            return (Vec::new(), Some(until));
        };
        channel.last_use = self.uses;
        if until < channel.from {
            return (Vec::new(), Some(until));
        }
        let before = channel.messages.iter();
        let before = before.filter(|kept| kept.message.id < until).count();
        let enough = channel.whole || before >= wanted || channel.messages.len() >= MESSAGES;
        let missing = (!enough).then_some(channel.from);
        (channel.messages.clone(), missing)
    }

    /// Keeps what was fetched, if it joins what is known, and tells it.
    fn fill(
        &mut self,
        scope: Scope,
        channel: ChannelId,
        before: MessageId,
        fetched: Vec<Message>,
        limit: usize,
    ) -> Vec<KeptMessage> {
        let is_all = fetched.len() < limit;
        let fetched = fetched.into_iter();
        let changes = &self.changes;
        let fetched = fetched.filter(|message| message.id < before && message.scope == scope);
        let fetched: Vec<KeptMessage> = fetched
            .filter(|message| !changes.is_deleted(message))
            .map(|message| KeptMessage {
                message: Arc::new(changes.newest(message)),
                own: None,
            })
            .collect();
        let channel = self.channels.get_mut(&channel);
        if let Some(channel) = channel.filter(|it| it.scope == scope && it.from == before) {
            channel.whole |= is_all;
            let oldest = fetched.first().map(|kept| kept.message.id);
            channel.from = oldest.unwrap_or(channel.from);
            channel.messages.splice(0..0, fetched.iter().cloned());
            channel.bytes = channel.messages.iter().map(KeptMessage::bytes).sum();
            channel.trim();
            self.recount();
            self.trim();
        }
        fetched
    }

    /// Takes in which text channels have no messages.
    fn note_empty(&mut self, guild: &GuildSnapshot) {
        let text = guild
            .channels
            .iter()
            .filter(|it| it.kind == ChannelKind::Text);
        let empty = text.filter(|channel| channel.last_message.is_none());
        let room = EMPTY.saturating_sub(self.empty.len());
        self.empty
            .extend(empty.take(room).map(|channel| (channel.id, guild.scope)));
    }

    fn forget(&mut self, channel: ChannelId) {
        self.empty.remove(&channel);
        let forgotten = self.channels.remove(&channel);
        self.bytes -= forgotten.map_or(0, |channel| channel.bytes);
    }

    fn forget_all(&mut self, of: impl Fn(Scope) -> bool) {
        self.channels.retain(|_, channel| !of(channel.scope));
        self.empty.retain(|_, scope| !of(*scope));
        self.recount();
    }

    fn recount(&mut self) {
        self.bytes = self.channels.values().map(|channel| channel.bytes).sum();
    }

    /// Forgets the channels that were used least recently, half of them at a
    /// time, while there is too much.
    fn trim(&mut self) {
        while self.channels.len() > CHANNELS || (self.bytes > BYTES && self.channels.len() > 1) {
            let mut uses: Vec<u64> = self.channels.values().map(|it| it.last_use).collect();
            let middle = uses.len() / 2;
            let (_, median, _) = uses.select_nth_unstable(middle);
            let median = *median;
            self.channels
                .retain(|_, channel| channel.last_use >= median);
            self.recount();
        }
    }
}

impl ChannelWindow {
    fn find(&self, id: MessageId) -> Result<usize, usize> {
        self.messages
            .binary_search_by_key(&id, |kept| kept.message.id)
    }

    /// Puts a message in its place, unless what stands there is newer. What is
    /// on record of it stays.
    fn put(&mut self, mut message: Message, own: Option<OwnMessage>) {
        match self.find(message.id) {
            Ok(place) => {
                let kept = &mut self.messages[place];
                if own.is_none() && message.edited_at >= kept.message.edited_at {
                    let before = kept.bytes();
                    // Discord tells reactions only of what is fetched.
                    if message.reactions.is_empty() {
                        message.reactions.clone_from(&kept.message.reactions);
                    }
                    kept.message = Arc::new(message);
                    self.bytes = self.bytes + kept.bytes() - before;
                }
                kept.own = own.or(kept.own.take());
            }
            Err(place) => {
                let kept = KeptMessage {
                    message: Arc::new(message),
                    own,
                };
                self.bytes += kept.bytes();
                self.messages.insert(place, kept);
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        let more = self.messages.len().saturating_sub(MESSAGES);
        if more > 0 {
            self.messages.drain(..more);
            self.bytes = self.messages.iter().map(KeptMessage::bytes).sum();
            self.whole = false;
            self.from = self.messages.first().map_or(self.from, |it| it.message.id);
        }
    }

    fn retain(&mut self, keep: impl Fn(&KeptMessage) -> bool) {
        self.messages.retain(keep);
        self.bytes = self.messages.iter().map(KeptMessage::bytes).sum();
    }
}

impl KeptMessage {
    fn bytes(&self) -> usize {
        bytes(&self.message)
    }
}

#[cfg(test)]
mod tests;
