//! One channel, who may do what in it, and who is typing.

use serde_json::json;

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext, body::Fields, create::may_send,
    error::Problems, thread_events, threads,
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

/// Modify Channel.
pub(super) fn edit(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    if channel.thread().is_some() {
        return threads::modify(call, id);
    }
    if channel.direct() {
        return Err(ApiError::NotInDirectMessage);
    }
    if !held.has(PermissionSet::MANAGE_CHANNELS) {
        return Err(ApiError::MissingPermissions);
    }
    let mut fields = Fields::new(&call.body.json, "");
    let (new_name, new_topic) = (fields.text("name"), fields.text("topic"));
    let topic_named = fields.names("topic");
    let length = new_name.as_ref().map(|name| name.chars().count());
    if length.is_some_and(|length| !(1..=100).contains(&length)) {
        fields.problems.add(
            "name",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 100 in length.",
        );
    }
    if new_topic
        .as_ref()
        .is_some_and(|it| it.chars().count() > 1024)
    {
        fields.too_long("topic", 1024);
    }
    fields.problems.into_result()?;
    if let ChannelKind::Guild { name, topic, .. } = &mut call.channel_mut(id)?.kind {
        if let Some(new) = new_name {
            *name = new;
        }
        if topic_named {
            *topic = new_topic;
        }
    }
    changed(call, id);
    self::channel(call, id)
}

/// Delete/Close Channel. The threads of a channel go with it.
pub(super) fn delete(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let thread = channel.thread().is_some();
    if channel.direct() {
        return Err(ApiError::NotInDirectMessage);
    }
    let needed = if thread {
        PermissionSet::MANAGE_THREADS
    } else {
        PermissionSet::MANAGE_CHANNELS
    };
    if !held.has(needed) {
        return Err(ApiError::MissingPermissions);
    }
    let gone = ApiResponse::json(Channel::new(&call.state.realm, channel, Some(call.me)));
    if thread {
        thread_events::deleted(call.state, id);
    } else {
        call.state
            .dispatch(id, "CHANNEL_DELETE", |realm, channel, viewer| {
                Channel::new(realm, channel, viewer.person)
            });
    }
    call.state.realm.channels.retain(|key, channel| {
        *key != id && channel.thread().is_none_or(|thread| thread.parent != id)
    });
    gone
}

fn changed(call: &mut RequestContext<'_>, id: Snowflake) {
    call.state
        .dispatch(id, "CHANNEL_UPDATE", |realm, channel, viewer| {
            Channel::new(realm, channel, viewer.person)
        });
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
    let (channel, _) = call.channel(id)?;
    let realm = &call.state.realm;
    let seen_by: Vec<Snowflake> = realm
        .people
        .iter()
        .filter(|person| realm.may_see(person, channel))
        .map(|person| person.id)
        .collect();
    match &mut call.channel_mut(id)?.kind {
        ChannelKind::Guild { overwrites, .. } => change(overwrites)?,
        ChannelKind::Thread(_) => return Err(ApiError::WrongChannelKind),
        ChannelKind::Direct { .. } => return Err(ApiError::NotInDirectMessage),
    }
    changed(call, id);
    thread_events::listed(call.state, id, &seen_by);
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
