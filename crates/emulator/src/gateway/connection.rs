//! One websocket, from HELLO to its close.

use std::{collections::VecDeque, sync::Arc};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep_until, timeout},
};

use super::{ConnectionId, Lost, compression::Encoder};
use crate::{Emulator, faults::Cut, limits, state::Connected};

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
}

impl Connection {
    pub(super) fn new(emulator: Emulator, socket: WebSocket, encoder: Encoder) -> Self {
        Self {
            id: emulator.next_connection(),
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
        let for_good = matches!(end, ConnectionEnd::Closed { for_good: true });
        {
            let mut state = self.emulator.state();
            state.connections.remove(&self.id);
            if let Some(attached) = &self.attached {
                state.sessions.leave(&attached.session, self.id, for_good);
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
            let interval =
                u64::try_from(limits::HEARTBEAT_INTERVAL.as_millis()).unwrap_or(u64::MAX);
            self.send_op(10, json!({ "heartbeat_interval": interval, "_trace": [] }))
                .await?;
        }
        let mut heard = Instant::now();
        loop {
            let wake = Arc::clone(&self.wake);
            tokio::select! {
                message = self.socket.recv() => {
                    heard = Instant::now();
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
                () = sleep_until(heard + limits::SILENCE) => return Ok(Close::SESSION_TIMED_OUT.into()),
            }
            self.flush().await?;
        }
    }

    /// Sends what the session has for us.
    pub(super) async fn flush(&mut self) -> Result<(), ConnectionEnd> {
        while let Some(attached) = &self.attached {
            let pending = {
                let mut state = self.emulator.state();
                if state.connections.get(&self.id).is_some_and(|it| it.deaf) {
                    return Ok(());
                }
                let sent = attached.sent;
                state.sessions.pending(&attached.session, self.id, sent)
            };
            let frames = match pending {
                Ok(frames) if frames.is_empty() => return Ok(()),
                Ok(frames) => frames,
                Err(Lost::Gone | Lost::NotYours | Lost::SeqAhead) => {
                    self.attached = None;
                    return Err(Close::SESSION_TIMED_OUT.into());
                }
            };
            for frame in frames {
                // Counted first: a cut in mid-send must not send it twice.
                if let Some(attached) = &mut self.attached {
                    attached.sent += 1;
                }
                self.send(&frame).await?;
            }
        }
        Ok(())
    }

    async fn receive(&mut self, payload: &[u8]) -> Result<(), ConnectionEnd> {
        self.count()?;
        if payload.len() > limits::GATEWAY_PAYLOAD_BYTES {
            return Err(Close::DECODE_ERROR.into());
        }
        let payload: Payload = serde_json::from_slice(payload).map_err(|_| Close::DECODE_ERROR)?;
        match (payload.op, self.attached.is_some()) {
            (1, _) => {
                self.emulator.state().counts.heartbeats += 1;
                self.send_op(11, Value::Null).await
            }
            (2 | 6, true) => Err(Close::ALREADY_AUTHENTICATED.into()),
            (2, false) => self.identify(payload.d).await,
            (6, false) => self.resume(payload.d).await,
            (3 | 4 | 8 | 31, false) => Err(Close::NOT_AUTHENTICATED.into()),
            // Nobody else shows presences or voice states.
            (3 | 4 | 31, true) => Ok(()),
            (8, true) => self.request_members(payload.d),
            _ => Err(Close::UNKNOWN_OPCODE.into()),
        }
    }

    fn count(&mut self) -> Result<(), ConnectionEnd> {
        let now = Instant::now();
        while self
            .received
            .front()
            .is_some_and(|at| now - *at > limits::GATEWAY_SEND_WINDOW)
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
        self.send(&payload).await
    }

    async fn send(&mut self, payload: &str) -> Result<(), ConnectionEnd> {
        let frame = self
            .encoder
            .encode(payload)
            .map_err(|_| ConnectionEnd::Broken)?;
        match timeout(limits::SEND_PATIENCE, self.socket.send(frame)).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(ConnectionEnd::Broken),
        }
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
