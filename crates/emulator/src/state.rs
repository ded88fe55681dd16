//! The one place that changes: the realm, who listens to it, and what was
//! asked of it.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};

use axum::body::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, broadcast, mpsc};

use crate::{
    buckets::Buckets,
    faults::Cut,
    gateway::{ConnectionId, GatewaySessions, Intents, Subscription},
    limits,
    realm::{Channel, Message, Realm},
    snowflake::Snowflake,
    wire::{self, MessageView, Viewer},
    world::WorldPlan,
};

#[derive(Debug)]
pub(crate) struct EmulatorState {
    pub(crate) realm: Realm,
    pub(crate) sessions: GatewaySessions,
    pub(crate) connections: HashMap<ConnectionId, Connected>,
    pub(crate) buckets: Buckets,
    pub(crate) files: Files,
    pub(crate) counts: Counts,
    pub(crate) watchers: broadcast::Sender<Value>,
}

/// A websocket, who identified on it, and how to disturb it.
#[derive(Debug)]
pub(crate) struct Connected {
    pub(crate) person: Option<Snowflake>,
    pub(crate) cuts: mpsc::Sender<Cut>,
    /// No event is sent while this holds.
    pub(crate) deaf: bool,
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
            buckets: Buckets::new(plan.limits),
            files: Files::default(),
            counts: Counts::default(),
            watchers: broadcast::Sender::new(limits::WATCHED_EVENTS),
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
        let Some(channel) = self.realm.channels.get(&channel) else {
            return;
        };
        let guild = channel.guild();
        let needed = Intents::for_event(name, channel.direct());
        for (session, person) in self.sessions.listening(&self.realm) {
            let subscription = &session.subscription;
            let wanted = subscription.has(needed) && subscription.serves(guild);
            if wanted && concerns(subscription, channel) && self.realm.may_see(person, channel) {
                let viewer = subscription.viewer();
                session.push(name, &payload(&self.realm, channel, viewer));
            }
        }
        if self.watchers.receiver_count() > 0 {
            let seen = payload(&self.realm, channel, Viewer::OBSERVER);
            // Nobody may be left to read it, which is fine.
            let _ = self.watchers.send(json!({ "t": name, "d": seen }));
        }
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
        self.dispatch(channel, name, |realm, channel, viewer| {
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
}
