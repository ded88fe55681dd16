//! Sessions outlive connections: each keeps the events that a resume replays.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use serde::Serialize;
use tokio::{sync::Notify, time::Instant};

use super::Intents;
use crate::{
    limits,
    realm::{Realm, UserAccount},
    snowflake::{Snowflake, hash},
    wire::Viewer,
};

/// Names one websocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConnectionId(pub(crate) u64);

/// What a client asked for when it identified.
#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    pub(crate) person: Snowflake,
    /// Humans have none and receive all they may see.
    pub(crate) intents: Option<Intents>,
    pub(crate) shard: (u64, u64),
}

impl Subscription {
    pub(crate) fn has(&self, wanted: Intents) -> bool {
        self.intents.is_none_or(|intents| intents.has(wanted))
    }

    /// Guilds are spread over shards; direct messages go to the first.
    pub(crate) fn serves(&self, guild: Option<Snowflake>) -> bool {
        let (shard, shards) = self.shard;
        guild.map_or(shard == 0, |id| (id.0 >> 22) % shards == shard)
    }

    pub(crate) fn viewer(&self) -> Viewer {
        Viewer {
            person: Some(self.person),
            reads_content: self.has(Intents::MESSAGE_CONTENT),
        }
    }
}

#[derive(Debug)]
pub(crate) struct GatewaySession {
    pub(crate) subscription: Subscription,
    /// The latest frames; the last of them has the number `last`.
    events: VecDeque<Arc<str>>,
    bytes: usize,
    last: u64,
    link: SocketState,
    resumable: bool,
}

/// Whether a websocket listens.
#[derive(Debug)]
enum SocketState {
    Up(ConnectionId, Arc<Notify>),
    Down(Instant),
}

impl GatewaySession {
    /// Adds an event and wakes the connection.
    pub(crate) fn push(&mut self, name: &str, payload: &impl Serialize) {
        let Ok(payload) = serde_json::to_string(payload) else {
            tracing::error!(name, "an event could not be written");
            return;
        };
        self.last += 1;
        let frame = format!(r#"{{"t":"{name}","s":{},"op":0,"d":{payload}}}"#, self.last);
        self.bytes += frame.len();
        self.events.push_back(frame.into());
        let most = match self.link {
            SocketState::Up(..) => limits::LAGGING_EVENTS,
            SocketState::Down(_) => limits::REPLAY_EVENTS,
        };
        while self.events.len() > most || self.bytes > limits::SESSION_BYTES {
            let oldest = self.events.pop_front();
            self.bytes -= oldest.map_or(self.bytes, |frame| frame.len());
        }
        if let SocketState::Up(_, wake) = &self.link {
            wake.notify_one();
        }
    }

    fn expired(&self) -> bool {
        matches!(self.link, SocketState::Down(since) if since.elapsed() > limits::SESSION_SURVIVES)
    }

    /// Whether the events after `seq` are still kept.
    fn keeps(&self, seq: u64) -> bool {
        self.last - seq <= self.events.len() as u64
    }
}

/// Why a session does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Unknown, expired, or more events were missed than are kept.
    Gone,
    /// The client names an event that was never sent.
    SeqAhead,
    /// It belongs to someone else.
    NotYours,
}

#[derive(Debug, Default)]
pub(crate) struct GatewaySessions {
    all: HashMap<String, GatewaySession>,
    opened: u64,
}

impl GatewaySessions {
    pub(crate) fn open(
        &mut self,
        subscription: Subscription,
        connection: ConnectionId,
        wake: Arc<Notify>,
    ) -> (String, &mut GatewaySession) {
        self.make_room();
        self.opened += 1;
        let salt = crate::snowflake::now().to_string();
        let number = self.opened.to_string();
        let id = format!(
            "{:016x}{:016x}",
            hash(&[&salt, &number]),
            hash(&[&number, &salt])
        );
        let session = GatewaySession {
            subscription,
            events: VecDeque::new(),
            bytes: 0,
            last: 0,
            link: SocketState::Up(connection, wake),
            resumable: true,
        };
        (id.clone(), self.all.entry(id).or_insert(session))
    }

    pub(crate) fn resume(
        &mut self,
        id: &str,
        person: Snowflake,
        seq: u64,
        connection: ConnectionId,
        wake: Arc<Notify>,
    ) -> Result<&mut GatewaySession, Lost> {
        self.all.retain(|_, session| !session.expired());
        let session = self.all.get_mut(id).ok_or(Lost::Gone)?;
        if session.subscription.person != person {
            return Err(Lost::NotYours);
        }
        if seq > session.last {
            return Err(Lost::SeqAhead);
        }
        if !session.resumable || !session.keeps(seq) {
            return Err(Lost::Gone);
        }
        // Wakes the connection that had the session, to find that it lost it.
        if let SocketState::Up(_, former) = &session.link {
            former.notify_one();
        }
        session.link = SocketState::Up(connection, wake);
        Ok(session)
    }

    /// The frames after `seq` that a connection has still to send.
    pub(crate) fn pending(
        &mut self,
        id: &str,
        connection: ConnectionId,
        seq: u64,
    ) -> Result<Vec<Arc<str>>, Lost> {
        let session = self.all.get(id).ok_or(Lost::Gone)?;
        match &session.link {
            SocketState::Up(current, _) if *current == connection => {}
            _ => return Err(Lost::NotYours),
        }
        if !session.keeps(seq) {
            self.all.remove(id);
            return Err(Lost::Gone);
        }
        let kept = session.events.len() as u64;
        let skip = usize::try_from(kept - (session.last - seq)).unwrap_or(usize::MAX);
        Ok(session.events.iter().skip(skip).cloned().collect())
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut GatewaySession> {
        self.all.get_mut(id)
    }

    /// The connection is over. A client that said goodbye will not resume.
    pub(crate) fn leave(&mut self, id: &str, connection: ConnectionId, for_good: bool) {
        let Some(session) = self.all.get_mut(id) else {
            return;
        };
        if !matches!(session.link, SocketState::Up(current, _) if current == connection) {
            return;
        }
        if for_good {
            self.all.remove(id);
        } else {
            session.link = SocketState::Down(Instant::now());
        }
    }

    /// No session that is open now can be resumed.
    pub(crate) fn forbid_resumes(&mut self) {
        for session in self.all.values_mut() {
            session.resumable = false;
        }
    }

    /// Every session that may receive an event, with who listens.
    pub(crate) fn listening<'a>(
        &'a mut self,
        realm: &'a Realm,
    ) -> impl Iterator<Item = (&'a mut GatewaySession, &'a UserAccount)> {
        self.all
            .values_mut()
            .filter_map(|session| Some((realm.person(session.subscription.person)?, session)))
            .map(|(person, session)| (session, person))
    }

    fn make_room(&mut self) {
        self.all.retain(|_, session| !session.expired());
        while self.all.len() >= limits::SESSIONS {
            let oldest = self
                .all
                .iter()
                .min_by_key(|(_, session)| match &session.link {
                    SocketState::Down(since) => (0, Some(*since)),
                    SocketState::Up(..) => (1, None),
                })
                .map(|(id, _)| id.clone());
            let Some(id) = oldest else { return };
            self.all.remove(&id);
        }
    }
}
