//! One websocket, from HELLO to its close.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep_until, timeout},
};

use super::{ConnectionId, Lost, compression::Encoder};
use crate::{Emulator, faults::Cut, limits, state::Connected, traffic::FrameNote};

/// Why the emulator closes a connection. Discord Docs/Gateway Close Event Codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Close {
    pub(crate) code: u16,
    pub(crate) reason: &'static str,
}

macro_rules! closes {
    ($($name:ident = $code:literal, $reason:literal;)*) => {
        impl Close {
            $(pub(crate) const $name: Self = Self { code: $code, reason: $reason };)*
        }
    };
}

closes! {
    GOING_AWAY = 1001, "The emulator stops.";
    UNKNOWN_OPCODE = 4001, "Unknown opcode.";
    DECODE_ERROR = 4002, "Error while decoding payload.";
    NOT_AUTHENTICATED = 4003, "Not authenticated.";
    AUTHENTICATION_FAILED = 4004, "Authentication failed.";
    ALREADY_AUTHENTICATED = 4005, "Already authenticated.";
    INVALID_SEQ = 4007, "Invalid seq.";
    RATE_LIMITED = 4008, "Rate limited.";
    SESSION_TIMED_OUT = 4009, "Session timed out.";
    INVALID_SHARD = 4010, "Invalid shard.";
    INVALID_VERSION = 4012, "Invalid API version.";
    INVALID_INTENTS = 4013, "Invalid intent(s).";
    DISALLOWED_INTENTS = 4014, "Disallowed intent(s).";
}

/// How a conversation ends.
pub(super) enum ConnectionEnd {
    Close(Close),
    /// The client closed; 1000 and 1001 give the session up.
    Closed {
        for_good: bool,
    },
    Broken,
}

impl From<Close> for ConnectionEnd {
    fn from(close: Close) -> Self {
        Self::Close(close)
    }
}

impl From<axum::Error> for ConnectionEnd {
    fn from(_: axum::Error) -> Self {
        Self::Broken
    }
}

#[derive(Deserialize)]
struct Payload {
    op: u64,
    #[serde(default)]
    d: Value,
}

/// The session that a connection serves, and the last event it sent.
pub(super) struct Attached {
    pub(super) session: String,
    pub(super) sent: u64,
}

pub(super) struct Connection {
    pub(super) emulator: Emulator,
    pub(super) id: ConnectionId,
    pub(super) wake: Arc<Notify>,
    pub(super) attached: Option<Attached>,
    socket: WebSocket,
    encoder: Encoder,
    received: VecDeque<Instant>,
    /// How often the client is to send one.
    heartbeat: Duration,
    /// The last heartbeat, or the beginning, by the machine's clock: while the
    /// emulator's jumps, no client could have sent one.
    alive: Instant,
    /// When the next event may be sent, if one is delayed.
    due: Option<Instant>,
    /// Nothing is read or sent while this holds.
    stalled: bool,
    /// Whether its frames are shown to whoever looks.
    shown: bool,
}

impl Connection {
    pub(super) fn new(emulator: Emulator, socket: WebSocket, encoder: Encoder) -> Self {
        let (others, heartbeat) = {
            let state = emulator.state();
            (state.connections.len(), state.starts.heartbeat)
        };
        Self {
            heartbeat,
            id: emulator.next_connection(),
            alive: Instant::now(),
            due: None,
            stalled: false,
            shown: others < limits::TRAFFIC_CONNECTIONS,
            emulator,
            wake: Arc::new(Notify::new()),
            attached: None,
            socket,
            encoder,
            received: VecDeque::new(),
        }
    }

    pub(super) async fn talk(mut self) {
        let stop = self.emulator.stop().clone();
        let (cut, mut cuts) = mpsc::channel(8);
        let connected = Connected {
            person: None,
            cuts: cut,
            deaf: false,
            stalled: false,
            wake: Arc::clone(&self.wake),
        };
        self.emulator.state().connections.insert(self.id, connected);

        let mut greeted = false;
        let end = loop {
            let happened = tokio::select! {
                end = self.converse(greeted) => break end,
                () = stop.cancelled() => break Close::GOING_AWAY.into(),
                cut = cuts.recv() => cut,
            };
            greeted = true;
            match happened {
                Some(Cut::Reconnect) => {
                    if let Err(end) = self.send_op(7, Value::Null).await {
                        break end;
                    }
                }
                Some(Cut::Close(code)) => break Close { code, reason: "" }.into(),
                Some(Cut::Abrupt) | None => break ConnectionEnd::Broken,
            }
        };
        self.leave(end).await;
    }

    async fn leave(self, end: ConnectionEnd) {
        // A client that was silent for too long has to start anew, too.
        let for_good = match &end {
            ConnectionEnd::Closed { for_good } => *for_good,
            ConnectionEnd::Close(close) => *close == Close::SESSION_TIMED_OUT,
            ConnectionEnd::Broken => false,
        };
        {
            let mut state = self.emulator.state();
            state.connections.remove(&self.id);
            if let Some(attached) = &self.attached {
                let session = state.sessions.get_mut(&attached.session);
                let person = session.map(|session| session.subscription.person);
                let before = person.map(|person| (person, state.shown(person)));
                let gone = state.sessions.leave(&attached.session, self.id, for_good);
                if gone {
                    state.leave_voice(&attached.session);
                }
                if let Some((person, before)) = before {
                    state.presence_changed(person, &before);
                }
            }
        }
        match end {
            ConnectionEnd::Close(close) => {
                tracing::debug!(
                    code = close.code,
                    reason = close.reason,
                    "closing a gateway connection"
                );
                refuse(self.socket, close).await;
            }
            ConnectionEnd::Closed { .. } => hang_up(self.socket).await,
            ConnectionEnd::Broken => {}
        }
    }

    async fn converse(&mut self, greeted: bool) -> ConnectionEnd {
        match self.listen(greeted).await {
            Ok(end) | Err(end) => end,
        }
    }

    async fn listen(&mut self, greeted: bool) -> Result<ConnectionEnd, ConnectionEnd> {
        if !greeted {
            let interval = u64::try_from(self.heartbeat.as_millis()).unwrap_or(u64::MAX);
            self.send_op(10, json!({ "heartbeat_interval": interval, "_trace": [] }))
                .await?;
        }
        let clock = self.emulator.clock().clone();
        let wake = Arc::clone(&self.wake);
        let patience = self.heartbeat * limits::MISSED_HEARTBEATS;
        let silence = sleep_until(self.alive + patience);
        tokio::pin!(silence);
        let mut was_stalled = false;
        loop {
            let stalled = self.stalled;
            if std::mem::replace(&mut was_stalled, stalled) || stalled {
                self.alive = Instant::now();
            }
            let due = self.due;
            tokio::select! {
                message = self.socket.recv(), if !stalled => {
                    match message {
                        Some(Ok(Message::Text(text))) => self.receive(text.as_bytes()).await?,
                        Some(Ok(Message::Binary(bytes))) => self.receive(&bytes).await?,
                        Some(Ok(Message::Close(frame))) => {
                            let for_good = frame.is_some_and(|frame| matches!(frame.code, 1000 | 1001));
                            return Ok(ConnectionEnd::Closed { for_good });
                        }
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Err(_)) | None => return Ok(ConnectionEnd::Broken),
                    }
                }
                () = wake.notified() => {}
                () = clock.sleep_until(due.unwrap_or(self.alive)), if due.is_some() => {}
                () = &mut silence, if !stalled => {
                    let until = self.alive + patience;
                    if Instant::now() >= until {
                        return Ok(Close::SESSION_TIMED_OUT.into());
                    }
                    silence.set(sleep_until(until));
                }
            }
            self.flush().await?;
        }
    }

    /// Sends what the session has for us. What it gets meanwhile wakes us
    /// again.
    pub(super) async fn flush(&mut self) -> Result<(), ConnectionEnd> {
        let Some(attached) = &self.attached else {
            return Ok(());
        };
        let pending = {
            let mut state = self.emulator.state();
            let connected = state.connections.get(&self.id);
            let (deaf, stalled) = connected.map_or((false, false), |it| (it.deaf, it.stalled));
            self.stalled = stalled;
            if deaf || stalled {
                self.due = None;
                return Ok(());
            }
            let (session, sent) = (&attached.session, attached.sent);
            state.sessions.pending(session, self.id, sent)
        };
        let pending = match pending {
            Ok(pending) => pending,
            Err(Lost::Gone | Lost::NotYours | Lost::SeqAhead) => {
                self.attached = None;
                return Err(Close::SESSION_TIMED_OUT.into());
            }
        };
        self.due = pending.due;
        let Some(last) = pending.events.last().map(|it| it.seq) else {
            return Ok(());
        };
        for event in &pending.events {
            // Counted first: a cut in mid-send must not send it twice.
            if let Some(attached) = &mut self.attached {
                attached.sent = event.seq;
            }
            self.feed(event.frame()).await?;
        }
        // Those who lag get many events with one write.
        in_time(self.socket.flush()).await?;
        pending.sent.send_replace(last);
        Ok(())
    }

    /// Shows a frame to whoever looks.
    fn note(&self, direction: &'static str, frame: impl FnOnce() -> Utf8Bytes) {
        let traffic = self.emulator.traffic();
        if !traffic.on() || !(self.shown || traffic.recorded()) {
            return;
        }
        let attached = self.attached.as_ref();
        self.emulator.note_frame(FrameNote {
            connection: self.id.0,
            session: attached.map(|attached| attached.session.clone()),
            direction,
            frame: frame(),
        });
    }

    async fn receive(&mut self, payload: &[u8]) -> Result<(), ConnectionEnd> {
        self.note("in", || {
            String::from_utf8_lossy(payload).into_owned().into()
        });
        self.count()?;
        if payload.len() > limits::GATEWAY_PAYLOAD_BYTES {
            return Err(Close::DECODE_ERROR.into());
        }
        let payload: Payload = serde_json::from_slice(payload).map_err(|_| Close::DECODE_ERROR)?;
        match (payload.op, self.attached.is_some()) {
            (1, _) => {
                self.alive = Instant::now();
                self.emulator.state().counts.heartbeats += 1;
                self.send_op(11, Value::Null).await
            }
            (2 | 6, true) => Err(Close::ALREADY_AUTHENTICATED.into()),
            (2, false) => self.identify(payload.d).await,
            (6, false) => self.resume(payload.d).await,
            (3 | 4 | 8 | 31, false) => Err(Close::NOT_AUTHENTICATED.into()),
            (3, true) => self.update_presence(payload.d),
            (4, true) => self.update_voice(payload.d),
            (31, true) => self.request_sounds(payload.d),
            (8, true) => self.request_members(payload.d),
            _ => Err(Close::UNKNOWN_OPCODE.into()),
        }
    }

    fn count(&mut self) -> Result<(), ConnectionEnd> {
        let now = self.emulator.clock().moment();
        while self
            .received
            .front()
            .is_some_and(|at| now.saturating_duration_since(*at) > limits::GATEWAY_SEND_WINDOW)
        {
            self.received.pop_front();
        }
        self.received.push_back(now);
        if self.received.len() > limits::GATEWAY_SENDS {
            return Err(Close::RATE_LIMITED.into());
        }
        Ok(())
    }

    /// Sends a payload that is no event.
    pub(super) async fn send_op(&mut self, op: u64, payload: Value) -> Result<(), ConnectionEnd> {
        let payload = json!({ "t": null, "s": null, "op": op, "d": payload }).to_string();
        self.feed(payload.into()).await?;
        in_time(self.socket.flush()).await
    }

    /// Puts a payload among those that are sent with the next flush.
    async fn feed(&mut self, payload: Utf8Bytes) -> Result<(), ConnectionEnd> {
        self.note("out", || payload.clone());
        let frame = self
            .encoder
            .encode(&payload)
            .map_err(|_| ConnectionEnd::Broken)?;
        in_time(self.socket.feed(frame)).await
    }
}

/// A client that reads nothing for too long is dead.
async fn in_time(
    sending: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), ConnectionEnd> {
    match timeout(limits::SEND_PATIENCE, sending).await {
        Ok(sent) => Ok(sent?),
        Err(_) => Err(ConnectionEnd::Broken),
    }
}

/// Answers the client's close; reading on is what sends the answer.
async fn hang_up(mut socket: WebSocket) {
    let goodbye = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = timeout(limits::SHUTDOWN_PATIENCE, goodbye).await;
}

/// Says why and closes. The client has a moment to say goodbye as well.
pub(super) async fn refuse(mut socket: WebSocket, close: Close) {
    let frame = CloseFrame {
        code: close.code,
        reason: close.reason.into(),
    };
    let goodbye = async {
        socket.send(Message::Close(Some(frame))).await?;
        while let Some(Ok(_)) = socket.recv().await {}
        Ok::<(), axum::Error>(())
    };
    // A client that does not listen is dropped all the same.
    let _ = timeout(limits::SHUTDOWN_PATIENCE, goodbye).await;
}
