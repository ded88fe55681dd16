//! Gateway v10 over a websocket.

mod compression;
mod connection;
mod event;
mod identify;
mod intents;
mod members;
mod presence;
mod session;
mod sounds;
mod starts;
mod subscription;
mod voice;

use std::collections::HashMap;

use axum::{
    extract::{Query, State, WebSocketUpgrade},
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::{Emulator, limits};
use compression::Encoder;
use connection::{Close, Connection};

pub(crate) use event::{EventTrouble, written};
pub(crate) use identify::guild_create;
pub(crate) use intents::Intents;
pub(crate) use presence::ShownPresence;
pub(crate) use session::{ConnectionId, GatewaySessions, Lost};
pub(crate) use starts::SessionStarts;
pub(crate) use subscription::Subscription;
pub(crate) use voice::{StageChange, VoiceChange, VoiceStates};

/// Upgrades and talks until either side has enough.
pub(crate) async fn open(
    State(emulator): State<Emulator>,
    Query(query): Query<HashMap<String, String>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    if emulator.state().connections.len() >= limits::CONNECTIONS {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let refusal = match query.get("v").map(String::as_str) {
        // The version before differs in nothing that clients notice.
        None | Some("9" | "10") => None,
        Some(_) => Some(Close::INVALID_VERSION),
    };
    let encoding = query.get("encoding").map_or("json", String::as_str);
    let encoder =
        Encoder::named(query.get("compress").map(String::as_str)).filter(|_| encoding == "json");
    upgrade
        .read_buffer_size(limits::GATEWAY_READ_BYTES)
        .max_message_size(limits::GATEWAY_PAYLOAD_BYTES * 16)
        .max_frame_size(limits::GATEWAY_PAYLOAD_BYTES * 16)
        .on_upgrade(move |socket| {
            // Keeps the emulator open until this connection has said goodbye.
            let open = emulator.tracker().token();
            async move {
                match (refusal, encoder) {
                    (None, Some(encoder)) => {
                        Connection::new(emulator, socket, encoder).talk().await;
                    }
                    (refusal, _) => {
                        connection::refuse(socket, refusal.unwrap_or(Close::DECODE_ERROR)).await;
                    }
                }
                drop(open);
            }
        })
}
