//! Reading and deleting messages.

use std::time::Duration;

use serde_json::json;

use super::{ApiError, ApiResponse, ApiResult, RequestContext, body::Fields, error::Problems};
use crate::{
    limits,
    realm::{AuditAction, PermissionSet},
    snowflake::{Snowflake, now},
    wire::{self, MessageView},
};

pub(super) fn history(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let limit = call.page("limit", limits::HISTORY_PAGE_DEFAULT, limits::HISTORY_PAGE)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let before = call.anchor("before")?;
    let after = call.anchor("after")?;
    let around = call.anchor("around")?;
    if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        return ApiResponse::json(json!([]));
    }
    let page = match (around, before, after) {
        (Some(id), _, _) => channel.around(id, limit),
        (None, None, Some(id)) => channel.after(id, limit),
        (None, before, _) => channel.before(before, limit),
    };
    let (realm, viewer) = (&call.state.realm, call.viewer());
    let shown: Vec<_> = page
        .into_iter()
        .map(|message| wire::Message::new(realm, channel, message, viewer, MessageView::History))
        .collect();
    ApiResponse::json(shown)
}

pub(super) fn one(call: &mut RequestContext<'_>, id: Snowflake, message: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        return Err(ApiError::MissingPermissions);
    }
    let message = channel.message(message).ok_or(ApiError::UnknownMessage)?;
    ApiResponse::json(wire::Message::new(
        &call.state.realm,
        channel,
        message,
        call.viewer(),
        MessageView::History,
    ))
}

pub(super) fn delete(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: Snowflake,
) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let author = channel
        .message(message)
        .ok_or(ApiError::UnknownMessage)?
        .author;
    if author != call.me {
        if channel.direct() {
            return Err(ApiError::NotInDirectMessage);
        }
        if !held.has(PermissionSet::MANAGE_MESSAGES) {
            return Err(ApiError::MissingPermissions);
        }
    }
    let guild = channel.guild().filter(|_| author != call.me);
    call.channel_mut(id)?.remove(message);
    call.state.dispatch(id, "MESSAGE_DELETE", |_, channel, _| {
        let mut payload = json!({ "id": message, "channel_id": channel.id });
        if let Some(guild) = channel.guild() {
            payload["guild_id"] = json!(guild);
        }
        payload
    });
    if let Some(guild) = guild {
        let options = json!({ "channel_id": id, "count": "1" });
        let action = AuditAction::MessageDelete;
        call.audit(guild, action, Some(author), Vec::new(), Some(options));
    }
    Ok(ApiResponse::NoContent)
}

pub(super) fn bulk_delete(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    if !call.me()?.bot {
        return Err(ApiError::OnlyBots);
    }
    if channel.direct() {
        return Err(ApiError::NotInDirectMessage);
    }
    if !held.has(PermissionSet::MANAGE_MESSAGES) {
        return Err(ApiError::MissingPermissions);
    }
    let mut body = Fields::new(&call.body.json, "");
    let ids = body
        .ids("messages", *limits::BULK_DELETE.end())
        .unwrap_or_default();
    body.problems.into_result()?;
    if !limits::BULK_DELETE.contains(&ids.len()) {
        return Err(Problems::one(
            "messages",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 2 and 100 in length.",
        ));
    }
    let age = |id: &Snowflake| {
        Duration::try_from(now().duration_since(id.timestamp())).unwrap_or_default()
    };
    if ids.iter().any(|id| age(id) > limits::BULK_DELETE_AGE) {
        return Err(ApiError::TooOldToBulkDelete);
    }
    let channel = call.channel_mut(id)?;
    let guild = channel.guild();
    let gone: Vec<Snowflake> = ids.into_iter().filter(|id| channel.remove(*id)).collect();
    if !gone.is_empty() {
        call.state.dispatch(id, "MESSAGE_DELETE_BULK", |_, channel, _| {
            json!({ "ids": gone, "channel_id": channel.id, "guild_id": channel.guild() })
        });
        if let Some(guild) = guild {
            let options = json!({ "count": gone.len().to_string() });
            let action = AuditAction::MessageBulkDelete;
            call.audit(guild, action, Some(id), Vec::new(), Some(options));
        }
    }
    Ok(ApiResponse::NoContent)
}

impl RequestContext<'_> {
    /// A page size from the query, from one to the most.
    pub(super) fn page(&self, key: &str, default: u64, most: u64) -> Result<u64, ApiError> {
        let Some(text) = self.query.get(key) else {
            return Ok(default);
        };
        match text.parse::<i64>().map(u64::try_from) {
            Ok(Ok(number)) if (1..=most).contains(&number) => Ok(number),
            Ok(Ok(number)) if number > most => {
                let message = format!("int value should be less than or equal to {most}.");
                Err(Problems::one(key, "NUMBER_TYPE_MAX", message))
            }
            Ok(_) => Err(Problems::one(
                key,
                "NUMBER_TYPE_MIN",
                "int value should be greater than or equal to 1.",
            )),
            Err(_) => Err(Problems::one(
                key,
                "NUMBER_TYPE_COERCE",
                format!("Value \"{text}\" is not int."),
            )),
        }
    }

    /// An id from the query.
    pub(super) fn anchor(&self, key: &str) -> Result<Option<Snowflake>, ApiError> {
        let Some(text) = self.query.get(key) else {
            return Ok(None);
        };
        // Zero is before everything.
        if text == "0" {
            return Ok(Some(Snowflake(0)));
        }
        text.parse().map(Some).map_err(|()| {
            Problems::one(
                key,
                "NUMBER_TYPE_COERCE",
                format!("Value \"{text}\" is not snowflake."),
            )
        })
    }
}
