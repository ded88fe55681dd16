//! The one place that changes: the realm, who listens to it, and what was
//! asked of it.

mod guild;
mod pictures;
mod polls;
mod sight;

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    ops::{Deref, DerefMut},
    sync::{Arc, MutexGuard},
};

use axum::body::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, broadcast, mpsc, watch};

use crate::{
    buckets::Buckets,
    clock::{ClockScope, EmulatorClock},
    faults::Cut,
    gateway::{
        ConnectionId, GatewaySessions, Intents, SessionStarts, Subscription, VoiceStates, written,
    },
    limits,
    realm::{Channel, Message, Realm},
    rest::InvalidRequests,
    snowflake::Snowflake,
    wire::{self, MessageView, Viewer},
    world::WorldPlan,
};

pub(crate) use pictures::{PictureKind, Pictures, StoredPicture};
pub(crate) use polls::OpenPolls;
pub(crate) use sight::ChannelSight;

/// The state, held by one at a time, and the emulator's time while it is.
pub(crate) struct StateGuard<'a> {
    state: MutexGuard<'a, EmulatorState>,
    _time: ClockScope,
}

impl<'a> StateGuard<'a> {
    pub(crate) fn new(state: MutexGuard<'a, EmulatorState>, clock: &EmulatorClock) -> Self {
        Self {
            state,
            _time: clock.enter(),
        }
    }
}

impl Deref for StateGuard<'_> {
    type Target = EmulatorState;

    fn deref(&self) -> &EmulatorState {
        &self.state
    }
}

impl DerefMut for StateGuard<'_> {
    fn deref_mut(&mut self) -> &mut EmulatorState {
        self.state.touched = true;
        &mut self.state
    }
}

#[derive(Debug)]
pub(crate) struct EmulatorState {
    pub(crate) realm: Realm,
    pub(crate) sessions: GatewaySessions,
    pub(crate) connections: HashMap<ConnectionId, Connected>,
    pub(crate) starts: SessionStarts,
    pub(crate) voice: VoiceStates,
    pub(crate) buckets: Buckets,
    pub(crate) invalid: InvalidRequests,
    pub(crate) files: Files,
    pub(crate) pictures: Pictures,
    pub(crate) polls: OpenPolls,
    pub(crate) counts: Counts,
    pub(crate) watchers: broadcast::Sender<Value>,
    /// Something may have changed since the last snapshot.
    pub(crate) touched: bool,
    /// Where attachments were served when the snapshot was taken.
    pub(crate) moved_from: Option<String>,
}

/// A websocket, who identified on it, and how to disturb it.
#[derive(Debug)]
pub(crate) struct Connected {
    pub(crate) person: Option<Snowflake>,
    pub(crate) cuts: mpsc::Sender<Cut>,
    /// No event is sent while this holds.
    pub(crate) deaf: bool,
    /// Nothing is read or sent while this holds.
    pub(crate) stalled: bool,
    pub(crate) wake: Arc<Notify>,
}

/// What clients asked for since the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// REST requests by route, such as `POST /channels/{channel}/messages`,
    /// those included that were refused or met a fault.
    pub requests: BTreeMap<String, u64>,
    /// Sessions that were opened.
    pub identifies: u64,
    /// Sessions that were resumed.
    pub resumes: u64,
    /// Heartbeats that were answered.
    pub heartbeats: u64,
    /// Requests that were answered with 429.
    pub rate_limited: u64,
    /// Messages and edits of bots, by their webhooks and answers included, that
    /// had words or embeds and no `allowed_mentions`.
    pub open_mentions: u64,
}

impl Counts {
    pub(crate) fn request(&mut self, label: &str) {
        match self.requests.get_mut(label) {
            Some(count) => *count += 1,
            None => {
                self.requests.insert(label.to_owned(), 1);
            }
        }
    }
}

impl EmulatorState {
    pub(crate) fn new(plan: &WorldPlan) -> Self {
        Self {
            realm: Realm::new(plan),
            sessions: GatewaySessions::default(),
            connections: HashMap::new(),
            starts: SessionStarts::new(plan),
            voice: VoiceStates::default(),
            buckets: Buckets::new(plan.limits),
            invalid: InvalidRequests::default(),
            files: Files::default(),
            pictures: Pictures::default(),
            polls: OpenPolls::default(),
            counts: Counts::default(),
            watchers: broadcast::Sender::new(limits::WATCHED_EVENTS),
            touched: false,
            moved_from: None,
        }
    }

    /// Sends an event of a channel to everyone who may see the channel and
    /// asked for such events. The payload is made for each of them.
    pub(crate) fn dispatch<T: Serialize>(
        &mut self,
        channel: Snowflake,
        name: &'static str,
        payload: impl Fn(&Realm, &Channel, Viewer) -> T,
    ) {
        self.dispatch_to(channel, name, |_, _| true, payload);
    }

    /// The same, to those alone whom it concerns.
    pub(crate) fn dispatch_to<T: Serialize>(
        &mut self,
        channel: Snowflake,
        name: &'static str,
        concerns: impl Fn(&Subscription, &Channel) -> bool,
        payload: impl Fn(&Realm, &Channel, Viewer) -> T,
    ) {
        self.dispatch_alike(channel, name, concerns, |viewer| viewer, payload);
    }

    /// The same, made once for all viewers whom `alike` takes for the same one.
    fn dispatch_alike<T: Serialize>(
        &mut self,
        channel: Snowflake,
        name: &'static str,
        concerns: impl Fn(&Subscription, &Channel) -> bool,
        alike: impl Fn(Viewer) -> Viewer,
        payload: impl Fn(&Realm, &Channel, Viewer) -> T,
    ) {
        let Some(channel) = self.realm.channels.get(&channel) else {
            return;
        };
        let guild = channel.guild();
        let needed = Intents::for_event(name, channel.direct());
        let realm = &self.realm;
        // People with many sessions are judged, and shown the event, once.
        let mut allowed: HashMap<Snowflake, bool> = HashMap::new();
        let mut shown: HashMap<Viewer, Option<Arc<str>>> = HashMap::new();
        for (session, person) in self.sessions.listening(realm) {
            let subscription = &session.subscription;
            let wanted = subscription.has(needed) && subscription.serves(guild);
            if !wanted || !concerns(subscription, channel) {
                continue;
            }
            let may_see = || realm.may_see(person, channel);
            if !*allowed.entry(person.id).or_insert_with(may_see) {
                continue;
            }
            let viewer = alike(subscription.viewer());
            let written = shown
                .entry(viewer)
                .or_insert_with(|| written(name, &payload(realm, channel, viewer)));
            if let Some(payload) = written {
                session.push_written(name, Arc::clone(payload));
            }
        }
        if self.watchers.receiver_count() > 0 {
            let seen = payload(&self.realm, channel, Viewer::OBSERVER);
            // Nobody may be left to read it, which is fine.
            let _ = self.watchers.send(json!({ "t": name, "d": seen }));
        }
    }

    /// What a bot has still to hear: what its connections have sent, and what
    /// they have to send. Those that are held up do not count.
    pub(crate) fn untold(&self, bot: Snowflake) -> Vec<(watch::Receiver<u64>, u64)> {
        if self.realm.application_of(bot).is_none() {
            return Vec::new();
        }
        let mut untold = self.sessions.untold(bot);
        untold.retain(|(connection, ..)| {
            let connected = self.connections.get(connection);
            connected.is_some_and(|it| !it.deaf && !it.stalled)
        });
        if untold.len() > limits::TOLD_FIRST_SESSIONS {
            return Vec::new();
        }
        let untold = untold.into_iter();
        untold.map(|(_, sent, last)| (sent, last)).collect()
    }

    /// Sends an event to one person, wherever they listen.
    pub(crate) fn tell(
        &mut self,
        person: Snowflake,
        guild: Option<Snowflake>,
        name: &'static str,
        payload: &Value,
    ) {
        for (session, listener) in self.sessions.listening(&self.realm) {
            if listener.id == person && session.subscription.serves(guild) {
                session.push(name, payload);
            }
        }
    }

    /// Sends a message as it now stands.
    pub(crate) fn dispatch_message(
        &mut self,
        channel: Snowflake,
        message: &Message,
        place: MessageView,
    ) {
        let name = match place {
            MessageView::GatewayCreate => "MESSAGE_CREATE",
            _ => "MESSAGE_UPDATE",
        };
        if place == MessageView::GatewayCreate {
            self.polls.add(channel, message);
        }
        // Who reacted, joined a thread or may read what is quoted differs; a
        // plain new message is the same for all who may read it.
        let plain = place == MessageView::GatewayCreate
            && message.reference.is_none()
            && message.reactions.is_empty();
        let alike = |viewer: Viewer| match plain && viewer.reads_content {
            true => Viewer::OBSERVER,
            false => viewer,
        };
        let everyone = |_: &Subscription, _: &Channel| true;
        self.dispatch_alike(channel, name, everyone, alike, |realm, channel, viewer| {
            wire::Message::new(realm, channel, message, viewer, place)
        });
    }
}

/// Uploaded files, the oldest dropped when there are too many.
#[derive(Debug, Default)]
pub(crate) struct Files {
    stored: HashMap<Snowflake, StoredFile>,
    order: VecDeque<Snowflake>,
    bytes: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct StoredFile {
    pub(crate) channel: Snowflake,
    pub(crate) name: String,
    pub(crate) content_type: String,
    pub(crate) bytes: Bytes,
}

impl Files {
    pub(crate) fn put(&mut self, id: Snowflake, file: StoredFile) {
        self.bytes += file.bytes.len();
        self.order.push_back(id);
        self.stored.insert(id, file);
        while self.bytes > limits::STORED_BYTES {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            if let Some(file) = self.stored.remove(&oldest) {
                self.bytes -= file.bytes.len();
            }
        }
    }

    pub(crate) fn get(&self, id: Snowflake) -> Option<&StoredFile> {
        self.stored.get(&id)
    }

    /// Every file, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Snowflake, &StoredFile)> {
        let ids = self.order.iter();
        ids.filter_map(|id| Some((*id, self.stored.get(id)?)))
    }
}
