//! A chat network in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS;
use kaiwa_domain::port::{Chat, Clock, History, OnWire, Pending, ResponseFile, Responses};
use kaiwa_domain::{
    Acknowledgement, Attachment, Author, AuthorKind, Button, ChannelId, ChatError, Disposition,
    Effect, EffectBody, GuildId, InteractionId, LiveMessage, Me, Message, MessageId, Nonce, Notice,
    Outgoing, Reply, ResponseHandle, RetireTarget, Scope, SlashCommand, Timestamp, UserId,
    WebhookId,
};

use crate::{lock, pause};

/// How long a nonce is remembered.
const NONCES_LAST: Duration = Duration::from_secs(120);

/// Channels, and what was said in them. Clones share them.
#[derive(Clone)]
pub struct MemoryChat {
    me: Me,
    clock: Arc<dyn Clock>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    messages: Vec<Message>,
    nonces: HashMap<Nonce, (MessageId, Timestamp)>,
    reactions: Vec<(MessageId, String)>,
    buttons: HashMap<MessageId, Vec<Button>>,
    /// The label of every button that was ever put below a message.
    dressings: Vec<String>,
    files: HashMap<String, Vec<u8>>,
    typed: usize,
    acknowledged: Vec<(InteractionId, Acknowledgement)>,
    last: u64,
    refusing: Option<ChatError>,
    /// How many polls a post waits for limits.
    waits: usize,
    hidden: bool,
    /// The guilds that we are in, if that is told.
    guilds: Option<Vec<GuildId>>,
    /// How many posts were on the wire.
    begun: usize,
    /// How many messages are being read, and how many were at once.
    reading: usize,
    most_read: usize,
}

impl MemoryChat {
    /// What says everything that is said under an identity.
    pub const WEBHOOK: WebhookId = WebhookId::new(77);

    /// An empty network on which we are `me`.
    pub fn new(me: Me, clock: Arc<dyn Clock>) -> Self {
        Self {
            me,
            clock,
            state: Arc::default(),
        }
    }

    /// How many posts were on the wire so far.
    pub fn begun(&self) -> usize {
        lock(&self.state).begun
    }

    /// How many messages were read at once, at most.
    pub fn most_read(&self) -> usize {
        lock(&self.state).most_read
    }

    /// Somebody says something now; its id is given.
    pub fn say(&self, mut message: Message) -> Message {
        let mut state = lock(&self.state);
        message.id = state.next_id(self.clock.now());
        state.messages.push(message.clone());
        message
    }

    /// How interactions were acknowledged, in order.
    pub fn acknowledged(&self) -> Vec<(InteractionId, Acknowledgement)> {
        lock(&self.state).acknowledged.clone()
    }

    /// A file that can be fetched.
    pub fn keep_file(&self, url: &str, bytes: Vec<u8>) {
        lock(&self.state).files.insert(url.to_owned(), bytes);
    }

    /// Every post fails like this from here on; none ends that.
    pub fn refuse(&self, error: Option<ChatError>) {
        lock(&self.state).refusing = error;
    }

    /// Every post has to wait for the network's limits, for so many polls.
    pub fn limit(&self, polls: usize) {
        lock(&self.state).waits = polls;
    }

    /// Nothing that was said can be read from here on.
    pub fn hide_history(&self) {
        lock(&self.state).hidden = true;
    }

    /// We are in these guilds, or nobody tells.
    pub fn put_guilds(&self, guilds: Option<Vec<GuildId>>) {
        lock(&self.state).guilds = guilds;
    }

    /// What was said in a channel under identities: each name and text.
    pub fn said_under_names(&self, channel: ChannelId) -> Vec<(String, String)> {
        let state = lock(&self.state);
        let here = state.messages.iter().filter(|it| it.channel == channel);
        here.filter(|it| it.author.kind == AuthorKind::Webhook)
            .map(|it| (it.author.name.clone(), it.text.clone()))
            .collect()
    }

    /// What we said in a channel: each text, and what it replies to.
    pub fn said(&self, channel: ChannelId) -> Vec<(String, Option<MessageId>)> {
        let state = lock(&self.state);
        let ours = state.messages.iter().filter(|it| it.channel == channel);
        ours.filter(|it| self.me.is(it.author.id))
            .map(|it| (it.text.clone(), it.reply.as_ref().map(|reply| reply.to)))
            .collect()
    }

    /// The labels of the buttons below each of our messages in a channel.
    pub fn buttons(&self, channel: ChannelId) -> Vec<Vec<String>> {
        let state = lock(&self.state);
        let ours = state.messages.iter().filter(|it| it.channel == channel);
        let ours = ours.filter(|it| self.me.is(it.author.id));
        let labels = ours.map(|it| {
            let buttons = state.buttons.get(&it.id).into_iter().flatten();
            buttons.map(|button| button.label.clone()).collect()
        });
        labels.collect()
    }

    /// The labels of all buttons that were put below messages that were up, in
    /// order.
    pub fn dressings(&self) -> Vec<String> {
        lock(&self.state).dressings.clone()
    }

    /// Our reactions, in order.
    pub fn reactions(&self) -> Vec<(MessageId, String)> {
        lock(&self.state).reactions.clone()
    }

    /// How often typing was shown.
    pub fn typed(&self) -> usize {
        lock(&self.state).typed
    }

    fn show(&self, effect: &Effect) -> MessageId {
        let now = self.clock.now();
        let mut state = lock(&self.state);
        if let EffectBody::Retire {
            target: RetireTarget::Message(target),
            text,
        } = &effect.body
        {
            let retired = state.messages.iter_mut().find(|it| it.id == *target);
            if let Some(retired) = retired {
                retired.text.clone_from(text);
            }
            return *target;
        }
        if let EffectBody::Live(LiveMessage {
            message: Some(target),
            text,
            complete,
            ..
        }) = &effect.body
        {
            if *complete && text.is_empty() {
                state.messages.retain(|it| it.id != *target);
            }
            if let Some(edited) = state.messages.iter_mut().find(|it| it.id == *target) {
                edited.text.clone_from(text);
            }
            return *target;
        }
        // Webhooks know no nonces.
        if effect.identity.is_none()
            && let Some((message, at)) = state.nonces.get(&effect.nonce())
            && now.since(*at) <= NONCES_LAST
        {
            return *message;
        }
        let id = state.next_id(now);
        state.nonces.insert(effect.nonce(), (id, now));
        let reply = effect.body.reply_to().filter(|_| effect.identity.is_none());
        let reply = reply.map(|to| Reply {
            to,
            target: state.find(to).map(Box::new),
        });
        let author = match &effect.identity {
            None => Author {
                id: self.me.id,
                name: self.me.name.clone(),
                kind: AuthorKind::Bot,
                roles: Vec::new(),
            },
            Some(identity) => Author {
                id: UserId::new(Self::WEBHOOK.get()),
                name: identity.name().to_owned(),
                kind: AuthorKind::Webhook,
                roles: Vec::new(),
            },
        };
        let text = text_of(&effect.body);
        state.messages.push(Message {
            reply,
            ..Message::new(id, effect.scope, effect.channel, author, text)
        });
        id
    }
}

impl State {
    /// Ids carry their time, and each is above the one before.
    fn next_id(&mut self, now: Timestamp) -> MessageId {
        let at = (now.as_millis() - SNOWFLAKE_EPOCH_MS).cast_unsigned() << 22;
        self.last = at.max(self.last + 1);
        MessageId::new(self.last)
    }

    fn find(&self, id: MessageId) -> Option<Message> {
        self.messages.iter().find(|it| it.id == id).cloned()
    }
}

fn text_of(body: &EffectBody) -> String {
    match body {
        EffectBody::Say { outgoing, .. } => match outgoing {
            Outgoing::Say(text) => text.clone(),
            Outgoing::Table(table) => format!("[{}]", table.alt()),
            Outgoing::File(file) => format!("[{}]", file.alt()),
            Outgoing::Rest(_) => Notice::AnswerAttached.text().to_owned(),
            Outgoing::Sticker(sticker) => format!("[{}]", sticker.name),
        },
        EffectBody::Notify { notice, .. } => notice.shown().into_owned(),
        EffectBody::Live(live) => live.first.clone(),
        EffectBody::Act { .. }
        | EffectBody::Delete { .. }
        | EffectBody::Dress { .. }
        | EffectBody::Undress { .. } => String::new(),
        EffectBody::Thoughts(page) => page.text.clone(),
        EffectBody::Respond { text, .. }
        | EffectBody::Offer { text, .. }
        | EffectBody::Report { text }
        | EffectBody::Point { text }
        | EffectBody::Progress { text, .. }
        | EffectBody::Retire { text, .. } => text.clone(),
    }
}

fn not_found() -> ChatError {
    ChatError::Refused {
        code: 404,
        message: "not found".to_owned(),
        disposition: Disposition::GiveUp,
    }
}

/// The last of some messages.
fn newest<'a>(messages: impl Iterator<Item = &'a Message>, limit: usize) -> Vec<Message> {
    let messages: Vec<&Message> = messages.collect();
    let first = messages.len().saturating_sub(limit);
    messages[first..].iter().copied().cloned().collect()
}

impl Responses for MemoryChat {
    fn acknowledge<'a>(
        &'a self,
        interaction: InteractionId,
        _: &'a ResponseHandle,
        acknowledgement: &'a Acknowledgement,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            pause().await;
            let acknowledged = (interaction, acknowledgement.clone());
            lock(&self.state).acknowledged.push(acknowledged);
            pause().await;
            Ok(())
        })
    }

    fn respond<'a>(
        &'a self,
        _: &'a ResponseHandle,
        effect: &'a Effect,
        _: Option<&'a ResponseFile>,
    ) -> Pending<'a, Result<MessageId, ChatError>> {
        Box::pin(async move {
            pause().await;
            let message = self.show(effect);
            pause().await;
            Ok(message)
        })
    }

    fn register<'a>(&'a self, _: &'a [SlashCommand]) -> Pending<'a, Result<usize, ChatError>> {
        Box::pin(std::future::ready(Ok(0)))
    }
}

impl Chat for MemoryChat {
    fn our_guilds(&self) -> Pending<'_, Result<Vec<GuildId>, ChatError>> {
        Box::pin(async move {
            pause().await;
            let guilds = lock(&self.state).guilds.clone();
            guilds.ok_or_else(|| ChatError::Unknown {
                reason: "nobody tells".to_owned(),
            })
        })
    }

    fn edit_pace(&self, _: ChannelId) -> Duration {
        Duration::from_secs(1)
    }

    fn post<'a>(
        &'a self,
        effect: &'a Effect,
        wire: &'a OnWire,
    ) -> Pending<'a, Result<Vec<MessageId>, ChatError>> {
        Box::pin(async move {
            pause().await;
            let waits = lock(&self.state).waits;
            for _ in 0..waits {
                wire.wait();
                pause().await;
            }
            if !wire.begin() {
                return Err(ChatError::Withdrawn);
            }
            lock(&self.state).begun += 1;
            pause().await;
            let refused = lock(&self.state).refusing.clone();
            if let Some(error) = refused {
                wire.end();
                return Err(error);
            }
            let message = self.show(effect);
            pause().await;
            wire.end();
            Ok(vec![message])
        })
    }

    fn change<'a>(
        &'a self,
        effect: &'a Effect,
        message: MessageId,
        wire: &'a OnWire,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            pause().await;
            if !wire.begin() {
                return Err(ChatError::Withdrawn);
            }
            pause().await;
            {
                let mut state = lock(&self.state);
                if let Some(error) = state.refusing.clone() {
                    wire.end();
                    return Err(error);
                }
                match &effect.body {
                    EffectBody::Delete { .. } => state.messages.retain(|it| it.id != message),
                    EffectBody::Dress { buttons, .. } => {
                        let labels = buttons.iter().map(|button| button.label.clone());
                        state.dressings.extend(labels);
                        state.buttons.insert(message, buttons.clone());
                    }
                    EffectBody::Undress { .. } => {
                        state.buttons.remove(&message);
                    }
                    body => {
                        let changed = state.messages.iter_mut().find(|it| it.id == message);
                        if let Some(changed) = changed {
                            changed.text = text_of(body);
                        }
                    }
                }
            }
            pause().await;
            wire.end();
            Ok(())
        })
    }

    fn typing(&self, _: ChannelId) -> Pending<'_, Result<(), ChatError>> {
        Box::pin(async move {
            pause().await;
            lock(&self.state).typed += 1;
            pause().await;
            Ok(())
        })
    }

    fn download<'a>(
        &'a self,
        attachment: &'a Attachment,
        max: usize,
    ) -> Pending<'a, Result<Vec<u8>, ChatError>> {
        Box::pin(async move {
            pause().await;
            let file = lock(&self.state).files.get(&attachment.url).cloned();
            file.filter(|file| file.len() <= max).ok_or_else(not_found)
        })
    }

    fn react<'a>(
        &'a self,
        _: ChannelId,
        message: MessageId,
        emoji: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            pause().await;
            let reaction = (message, emoji.to_owned());
            {
                let mut state = lock(&self.state);
                if !state.reactions.contains(&reaction) {
                    state.reactions.push(reaction);
                }
            }
            pause().await;
            Ok(())
        })
    }

    fn history(
        &self,
        scope: Scope,
        channel: ChannelId,
        point: History,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Message>, ChatError>> {
        Box::pin(async move {
            pause().await;
            let state = lock(&self.state);
            if state.hidden {
                return Err(not_found());
            }
            let here = state
                .messages
                .iter()
                .filter(|it| it.scope == scope && it.channel == channel);
            let limit = usize::from(limit);
            Ok(match point {
                History::After(id) => here.filter(|it| it.id > id).take(limit).cloned().collect(),
                History::Before(id) => newest(here.filter(|it| it.id < id), limit),
                History::Latest => newest(here, limit),
            })
        })
    }

    fn message(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
    ) -> Pending<'_, Result<Option<Message>, ChatError>> {
        Box::pin(async move {
            let reading = lock(&self.state).reading + 1;
            lock(&self.state).reading = reading;
            pause().await;
            let mut state = lock(&self.state);
            state.reading -= 1;
            state.most_read = state.most_read.max(reading);
            let found = state
                .messages
                .iter()
                .find(|it| it.id == message && it.scope == scope && it.channel == channel);
            Ok(found.cloned())
        })
    }
}
