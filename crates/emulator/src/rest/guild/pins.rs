//! Pins, by the routes of today and those that came before.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext, allow, membership::notice};
use crate::{
    limits,
    realm::{AuditAction, Channel, Message, MessageKind, PermissionSet, Reference},
    rest::{
        ApiResponse,
        endpoint::{PathValues, RestEndpoint, read, write},
        error::Problems,
        threads::thread_is_open,
    },
    snowflake::{Snowflake, now, rfc3339},
    wire::{self, MessageView},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /channels/{channel}/messages/pins", list),
    write("PUT /channels/{channel}/messages/pins/{message}", pin),
    write("DELETE /channels/{channel}/messages/pins/{message}", unpin),
    read("GET /channels/{channel}/pins", latest),
    write("PUT /channels/{channel}/pins/{message}", pin),
    write("DELETE /channels/{channel}/pins/{message}", unpin),
];

/// The pins of a channel that the caller may read, the last pinned first.
fn pinned<'a>(
    call: &'a RequestContext<'_>,
    id: Snowflake,
) -> Result<(&'a Channel, Vec<&'a Message>), ApiError> {
    let (channel, held) = call.channel(id)?;
    let mut pins = Vec::new();
    if held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        let messages = channel.messages.iter();
        pins.extend(messages.filter(|message| message.pinned.is_some()));
        pins.sort_by_key(|message| std::cmp::Reverse((message.pinned, message.id)));
    }
    Ok((channel, pins))
}

fn shown(call: &RequestContext<'_>, channel: &Channel, message: &Message) -> Value {
    let (realm, view) = (&call.state.realm, MessageView::History);
    let viewer = call.viewer();
    json!(wire::Message::new(realm, channel, message, viewer, view))
}

/// Get Channel Pins.
fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, mut pins) = pinned(call, path.id(0))?;
    let limit = call.page("limit", limits::PIN_PAGE, limits::PIN_PAGE)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if let Some(text) = call.query.get("before") {
        let before: Timestamp = text.parse().map_err(|_| {
            let message = format!("Could not parse {text}. Should be ISO8601.");
            Problems::one("before", "DATE_TIME_TYPE_PARSE", message)
        })?;
        pins.retain(|message| message.pinned.is_some_and(|at| at < before));
    }
    let more = pins.len() > limit;
    let items: Vec<Value> = pins
        .into_iter()
        .take(limit)
        .map(|message| {
            json!({
                "pinned_at": message.pinned.map(rfc3339),
                "message": shown(call, channel, message),
            })
        })
        .collect();
    ApiResponse::json(json!({ "items": items, "has_more": more }))
}

/// The older route shows fifty at most.
fn latest(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, pins) = pinned(call, path.id(0))?;
    let most = usize::try_from(limits::PIN_PAGE).unwrap_or(usize::MAX);
    let pins = pins.into_iter().take(most);
    let shown: Vec<Value> = pins.map(|pin| shown(call, channel, pin)).collect();
    ApiResponse::json(shown)
}

/// A message that the caller may pin or unpin.
fn to_pin<'a>(
    call: &'a RequestContext<'_>,
    path: &PathValues,
) -> Result<(&'a Channel, &'a Message), ApiError> {
    let (channel, held) = call.channel(path.id(0))?;
    allow(held.has(PermissionSet::PIN_MESSAGES))?;
    thread_is_open(channel)?;
    let message = channel.message(path.id(1));
    Ok((channel, message.ok_or(ApiError::UnknownMessage)?))
}

fn pin(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, message) = to_pin(call, path)?;
    if message.kind.of_the_system() {
        return Err(GuildError::SystemMessage.into());
    }
    if message.pinned.is_some() {
        return Ok(ApiResponse::NoContent);
    }
    let pins = channel.messages.iter().filter(|it| it.pinned.is_some());
    if pins.count() >= limits::PINS {
        return Err(GuildError::TooManyPins.into());
    }
    change(call, path, true)?;
    let notice_id = call.state.realm.mint.next();
    let told = Message {
        reference: Some(Reference {
            channel: path.id(0),
            message: Some(path.id(1)),
            forward: false,
        }),
        ..Message::plain(notice_id, call.me, MessageKind::Pinned, String::new())
    };
    notice(call, path.id(0), &told);
    Ok(ApiResponse::NoContent)
}

fn unpin(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (_, message) = to_pin(call, path)?;
    if message.pinned.is_some() {
        change(call, path, false)?;
    }
    Ok(ApiResponse::NoContent)
}

fn change(call: &mut RequestContext<'_>, path: &PathValues, pin: bool) -> Result<(), ApiError> {
    let (id, message_id) = (path.id(0), path.id(1));
    let at = now();
    let channel = call.channel_mut(id)?;
    if pin {
        channel.last_pin = Some(at);
    }
    let message = channel.message_mut(message_id);
    let message = message.ok_or(ApiError::UnknownMessage)?;
    message.pinned = pin.then_some(at);
    let (message, guild) = (message.clone(), channel.guild());
    call.state
        .dispatch_message(id, &message, MessageView::GatewayUpdate);
    call.state
        .dispatch(id, "CHANNEL_PINS_UPDATE", |_, channel, _| {
            let mut payload = json!({
                "channel_id": channel.id,
                "last_pin_timestamp": channel.last_pin.map(rfc3339),
            });
            if let Some(guild) = channel.guild() {
                payload["guild_id"] = json!(guild);
            }
            payload
        });
    if let Some(guild) = guild {
        let action = if pin {
            AuditAction::MessagePin
        } else {
            AuditAction::MessageUnpin
        };
        let options = json!({ "channel_id": id, "message_id": message_id });
        let author = Some(message.author);
        call.audit(guild, action, author, Vec::new(), Some(options));
    }
    Ok(())
}
