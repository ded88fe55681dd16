//! Sessions outlive connections: each keeps the events that a resume replays.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use serde::Serialize;
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

use super::{
    ShownPresence, Subscription,
    event::{EventTrouble, NumberedEvent, SessionEvent, written},
};
use crate::{
    clock::moment,
    limits,
    realm::{Realm, UserAccount},
    snowflake::{Snowflake, hash},
};

/// Names one websocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConnectionId(pub(crate) u64);

#[derive(Debug)]
pub(crate) struct GatewaySession {
    pub(crate) subscription: Subscription,
    /// The latest events; the last of them has the number `last`.
    events: VecDeque<SessionEvent>,
    bytes: usize,
    last: u64,
    /// The last event that the connection sent.
    sent: Arc<watch::Sender<u64>>,
    link: SocketState,
    resumable: bool,
    trouble: EventTrouble,
    /// An event that waits for the next one to go before it.
    held: Option<SessionEvent>,
    presence: ShownPresence,
    /// Grows with every change of a presence.
    presence_changed: u64,
    /// When all members of a guild were last asked for.
    all_members: HashMap<Snowflake, Instant>,
}

/// Whether a websocket listens.
#[derive(Debug)]
enum SocketState {
    Up(ConnectionId, Arc<Notify>),
    Down(Instant),
}

impl GatewaySession {
    /// Adds an event and wakes the connection.
    pub(crate) fn push(&mut self, name: &'static str, payload: &impl Serialize) {
        if let Some(payload) = written(name, payload) {
            self.push_written(name, payload);
        }
    }

    /// The same with a payload that others may have too.
    pub(crate) fn push_written(&mut self, name: &'static str, payload: Arc<str>) {
        let delay = self.trouble.delay;
        let event = SessionEvent {
            name,
            payload,
            due: (!delay.is_zero()).then(|| moment() + delay),
        };
        // A session has to begin before anything can be wrong with it.
        if matches!(name, "READY" | "RESUMED") {
            self.keep(event);
        } else if self.trouble.reorder > 0 && self.held.is_none() {
            self.trouble.reorder -= 1;
            self.held = Some(event);
        } else {
            if self.trouble.duplicate > 0 {
                self.trouble.duplicate -= 1;
                self.keep(event.clone());
            }
            self.keep(event);
            if let Some(held) = self.held.take() {
                self.keep(held);
            }
        }
        if let SocketState::Up(_, wake) = &self.link {
            wake.notify_one();
        }
    }

    fn keep(&mut self, event: SessionEvent) {
        self.last += 1;
        self.bytes += event.payload.len();
        self.events.push_back(event);
        let replayed = limits::REPLAY_EVENTS;
        let most = match self.link {
            SocketState::Up(..) => {
                let unsent = usize::try_from(self.last - *self.sent.borrow()).unwrap_or(usize::MAX);
                unsent.clamp(replayed, limits::LAGGING_EVENTS)
            }
            SocketState::Down(_) => replayed,
        };
        while self.events.len() > most || self.bytes > limits::SESSION_BYTES {
            let oldest = self.events.pop_front();
            self.bytes -= oldest.map_or(self.bytes, |event| event.payload.len());
        }
    }

    /// Changes what is wrong with the events from now on. An event that waits
    /// for another goes when nothing is wrong any more.
    pub(crate) fn trouble(&mut self, trouble: EventTrouble) {
        self.trouble = trouble;
        if trouble.is_none() {
            if let Some(held) = self.held.take() {
                self.keep(held);
            }
            for event in &mut self.events {
                event.due = None;
            }
        }
        if let SocketState::Up(_, wake) = &self.link {
            wake.notify_one();
        }
    }

    fn connected(&self) -> bool {
        matches!(self.link, SocketState::Up(..))
    }

    /// How long to wait before all members of a guild may be asked for again.
    pub(crate) fn ask_all_members(&mut self, guild: Snowflake) -> Option<Duration> {
        let now = moment();
        let last = self.all_members.insert(guild, now)?;
        let wait = limits::ALL_MEMBERS_WINDOW
            .checked_sub(now.saturating_duration_since(last))
            .filter(|wait| !wait.is_zero())?;
        self.all_members.insert(guild, last);
        Some(wait)
    }

    fn expired(&self) -> bool {
        matches!(self.link, SocketState::Down(since) if moment().saturating_duration_since(since) > limits::SESSION_SURVIVES)
    }

    /// Whether the events after `seq` are still kept.
    fn keeps(&self, seq: u64) -> bool {
        self.last - seq <= self.events.len() as u64
    }
}

/// What a connection has still to send.
pub(crate) struct PendingEvents {
    pub(crate) events: Vec<NumberedEvent>,
    /// When the next one is due, if that is later.
    pub(crate) due: Option<Instant>,
    /// Is told of the last one that was sent.
    pub(crate) sent: Arc<watch::Sender<u64>>,
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
    /// What is wrong with the events of people, sessions to come included.
    troubles: BTreeMap<Snowflake, EventTrouble>,
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
        let trouble = self.troubles.get(&subscription.person).copied();
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
            sent: Arc::new(watch::Sender::new(0)),
            link: SocketState::Up(connection, wake),
            resumable: true,
            trouble: trouble.unwrap_or_default(),
            held: None,
            presence: ShownPresence::online(),
            presence_changed: self.opened,
            all_members: HashMap::new(),
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
        session.sent.send_replace(seq);
        Ok(session)
    }

    /// The events after `seq` that a connection has still to send.
    pub(crate) fn pending(
        &mut self,
        id: &str,
        connection: ConnectionId,
        seq: u64,
    ) -> Result<PendingEvents, Lost> {
        let session = self.all.get_mut(id).ok_or(Lost::Gone)?;
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
        let now = moment();
        let mut next_due = None;
        let mut events = Vec::new();
        for (seq, event) in (seq + 1..).zip(session.events.iter().skip(skip)) {
            if let Some(due) = event.due.filter(|due| *due > now) {
                next_due = Some(due);
                break;
            }
            let event = event.clone();
            events.push(NumberedEvent { seq, event });
        }
        Ok(PendingEvents {
            events,
            due: next_due,
            sent: Arc::clone(&session.sent),
        })
    }

    /// The connections of a person whose events are not all sent, what each
    /// sent, and the last event of each.
    pub(crate) fn untold(
        &self,
        person: Snowflake,
    ) -> Vec<(ConnectionId, watch::Receiver<u64>, u64)> {
        let theirs = self.all.values();
        let theirs = theirs.filter(|it| it.subscription.person == person && it.trouble.is_none());
        theirs
            .filter_map(|session| match session.link {
                SocketState::Up(connection, _) if *session.sent.borrow() < session.last => {
                    Some((connection, session.sent.subscribe(), session.last))
                }
                _ => None,
            })
            .collect()
    }

    /// The connections of a person that serve one shard.
    pub(crate) fn connections(
        &self,
        person: Snowflake,
        shard: u64,
    ) -> impl Iterator<Item = ConnectionId> {
        let theirs = self.all.values().filter(move |it| {
            let subscription = &it.subscription;
            subscription.person == person && subscription.shard.0 == shard
        });
        theirs.filter_map(|session| match session.link {
            SocketState::Up(connection, _) => Some(connection),
            SocketState::Down(_) => None,
        })
    }

    /// Changes what is wrong with a person's events, and says how many
    /// sessions they have.
    pub(crate) fn trouble(
        &mut self,
        person: Snowflake,
        change: impl Fn(&mut EventTrouble),
    ) -> usize {
        let trouble = self.troubles.entry(person).or_default();
        change(trouble);
        if trouble.is_none() {
            self.troubles.remove(&person);
        }
        let mut met = 0;
        for session in self.all.values_mut() {
            if session.subscription.person == person {
                let mut trouble = session.trouble;
                change(&mut trouble);
                session.trouble(trouble);
                met += 1;
            }
        }
        met
    }

    /// Ends what is wrong with everybody's events.
    pub(crate) fn end_troubles(&mut self) {
        self.troubles.clear();
        for session in self.all.values_mut() {
            session.trouble(EventTrouble::default());
        }
    }

    /// What is wrong with whose events.
    pub(crate) fn troubles(&self) -> impl Iterator<Item = (Snowflake, EventTrouble)> {
        self.troubles.iter().map(|(who, what)| (*who, *what))
    }

    /// How somebody is shown: as the connected session says that changed last.
    pub(crate) fn presence(&self, person: Snowflake) -> ShownPresence {
        let theirs = self.all.values();
        let theirs = theirs.filter(|it| it.subscription.person == person && it.connected());
        let latest = theirs.max_by_key(|it| it.presence_changed);
        latest.map_or_else(ShownPresence::offline, |it| it.presence.clone())
    }

    /// Changes the presence of a session.
    pub(crate) fn show(&mut self, id: &str, presence: ShownPresence) {
        self.opened += 1;
        if let Some(session) = self.all.get_mut(id) {
            session.presence = presence;
            session.presence_changed = self.opened;
        }
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut GatewaySession> {
        self.all.get_mut(id)
    }

    /// The connection is over. A client that said goodbye will not resume.
    /// Says whether the session is gone.
    pub(crate) fn leave(&mut self, id: &str, connection: ConnectionId, for_good: bool) -> bool {
        let Some(session) = self.all.get_mut(id) else {
            return true;
        };
        if !matches!(session.link, SocketState::Up(current, _) if current == connection) {
            return false;
        }
        if for_good {
            self.all.remove(id);
        } else {
            session.link = SocketState::Down(moment());
        }
        for_good
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
