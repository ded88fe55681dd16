//! One channel, who may do what in it, and who is typing.

use serde_json::json;

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext, body::Fields, create::may_send,
    error::Problems,
};
use crate::{
    realm::{ChannelKind, Overwrite, PermissionSet, Target, in_guild},
    snowflake::{Snowflake, now},
    wire::{Channel, Member},
};

pub(super) fn channel(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, _) = call.channel(id)?;
    ApiResponse::json(Channel::new(&call.state.realm, channel, Some(call.me)))
}

/// Only what the caller may do themselves can be allowed or denied.
pub(super) fn edit_overwrite(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    target: Snowflake,
) -> ApiResult {
    let may_change = may_overwrite(call, id)?;
    let mut fields = Fields::new(&call.body.json, "");
    let allow = PermissionSet::from_bits(fields.number("allow").unwrap_or_default());
    let deny = PermissionSet::from_bits(fields.number("deny").unwrap_or_default());
    let kind = fields.number("type");
    fields.problems.into_result()?;
    let (channel, _) = call.channel(id)?;
    let guild = call.state.realm.guild_around(channel);
    let guild = guild.ok_or(ApiError::UnknownGuild)?;
    let target = match kind {
        Some(0) if guild.roles.iter().any(|role| role.id == target) => Target::Role(target),
        Some(0) => return Err(ApiError::UnknownRole),
        Some(1) if guild.member(target).is_some() => Target::Member(target),
        Some(1) => return Err(ApiError::UnknownMember),
        _ => {
            return Err(Problems::one(
                "type",
                "BASE_TYPE_CHOICES",
                "Value must be one of (0, 1).",
            ));
        }
    };
    if !may_change.has(allow.with(deny)) {
        return Err(ApiError::MissingPermissions);
    }
    change_overwrites(call, id, |overwrites| {
        overwrites.retain(|overwrite| overwrite.target != target);
        overwrites.push(Overwrite {
            target,
            allow,
            deny,
        });
        Ok(())
    })
}

pub(super) fn delete_overwrite(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    target: Snowflake,
) -> ApiResult {
    may_overwrite(call, id)?;
    change_overwrites(call, id, |overwrites| {
        let before = overwrites.len();
        overwrites.retain(|overwrite| {
            let (Target::Role(of) | Target::Member(of)) = overwrite.target;
            of != target
        });
        if overwrites.len() == before {
            return Err(ApiError::UnknownOverwrite);
        }
        Ok(())
    })
}

/// What the caller may do in the guild, if they may change overwrites.
fn may_overwrite(call: &RequestContext<'_>, id: Snowflake) -> Result<PermissionSet, ApiError> {
    let (channel, held) = call.channel(id)?;
    let Some(guild) = call.state.realm.guild_around(channel) else {
        return Err(ApiError::NotInDirectMessage);
    };
    if !held.has(PermissionSet::MANAGE_ROLES) {
        return Err(ApiError::MissingPermissions);
    }
    let member = guild.member(call.me).ok_or(ApiError::MissingAccess)?;
    Ok(in_guild(guild, member))
}

fn change_overwrites(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    change: impl FnOnce(&mut Vec<Overwrite>) -> Result<(), ApiError>,
) -> ApiResult {
    match &mut call.channel_mut(id)?.kind {
        ChannelKind::Text { overwrites, .. } => change(overwrites)?,
        ChannelKind::Direct { .. } => return Err(ApiError::NotInDirectMessage),
    }
    call.state
        .dispatch(id, "CHANNEL_UPDATE", |realm, channel, viewer| {
            Channel::new(realm, channel, viewer.person)
        });
    Ok(ApiResponse::NoContent)
}

pub(super) fn typing(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    may_send(call, channel, held)?;
    let me = call.me;
    call.state
        .dispatch(id, "TYPING_START", |realm, channel, _| {
            let mut payload = json!({
                "channel_id": channel.id,
                "user_id": me,
                "timestamp": now().as_second(),
            });
            if let Some(guild) = realm.guild_around(channel) {
                payload["guild_id"] = json!(guild.id);
                payload["member"] = json!(Member::full(realm, guild, me));
            }
            payload
        });
    Ok(ApiResponse::NoContent)
}
