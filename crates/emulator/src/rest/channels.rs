//! One channel, who may do what in it, and who is typing.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext,
    body::Fields,
    create::may_send,
    error::Problems,
    guild::{ChannelChange, changes, close_stage},
    thread_events, threads,
};
use crate::{
    realm::{AuditAction, ChannelKind, Overwrite, PermissionSet, Target, in_guild},
    snowflake::{Snowflake, now},
    state::ChannelSight,
    wire::{Channel, Member},
};

pub(super) fn channel(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, _) = call.channel(id)?;
    ApiResponse::json(Channel::new(&call.state.realm, channel, Some(call.me)))
}

/// What the audit log tells of a channel.
pub(super) const LOGGED: [&str; 13] = [
    "name",
    "type",
    "topic",
    "position",
    "nsfw",
    "rate_limit_per_user",
    "permission_overwrites",
    "bitrate",
    "user_limit",
    "default_auto_archive_duration",
    "default_thread_rate_limit_per_user",
    "available_tags",
    "flags",
];

/// Modify Channel.
pub(super) fn edit(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    if channel.thread().is_some() {
        return threads::modify(call, id);
    }
    let Some(place) = channel.of_guild() else {
        return Err(ApiError::NotInDirectMessage);
    };
    if !held.has(PermissionSet::MANAGE_CHANNELS) {
        return Err(ApiError::MissingPermissions);
    }
    let realm = &call.state.realm;
    let guild = realm.guild(place.guild).ok_or(ApiError::UnknownGuild)?;
    let change = ChannelChange::read(call, guild, place.kind, Some(id))?;
    if change.overwrites.is_some() && !held.has(PermissionSet::MANAGE_ROLES) {
        return Err(ApiError::MissingPermissions);
    }
    change.check_overwrites(call.held_in(guild), &place.overwrites)?;
    let guild = guild.id;
    let before = shown(call, id)?;
    let sight = call.state.sight(guild);
    let realm = &mut call.state.realm;
    let place = realm.channels.get_mut(&id).and_then(|it| it.of_guild_mut());
    change.apply(place.ok_or(ApiError::UnknownChannel)?, &mut realm.mint);
    reshown(call, id, &sight);
    // Who locks themselves out is still told what they did.
    let realm = &call.state.realm;
    let channel = realm.channels.get(&id).ok_or(ApiError::UnknownChannel)?;
    let after = json!(Channel::new(realm, channel, Some(call.me)));
    let action = AuditAction::ChannelUpdate;
    call.audit_change(guild, action, id, [&before, &after], &LOGGED);
    Ok(ApiResponse::Json(after))
}

fn shown(call: &RequestContext<'_>, id: Snowflake) -> Result<Value, ApiError> {
    let (channel, _) = call.channel(id)?;
    let realm = &call.state.realm;
    Ok(json!(Channel::new(realm, channel, Some(call.me))))
}

/// Tells of a channel whose overwrites may be others now: of the change those
/// who saw it before, of the channel and its threads those who see it since.
pub(super) fn reshown(call: &mut RequestContext<'_>, id: Snowflake, before: &ChannelSight) {
    call.state.tell_of_sight(before);
    call.state.dispatch_to(
        id,
        "CHANNEL_UPDATE",
        |listener, channel| before.saw(listener.person, channel.id),
        |realm, channel, viewer| Channel::new(realm, channel, viewer.person),
    );
    thread_events::listed(call.state, id, |person| before.saw(person, id));
}

/// Delete/Close Channel. The threads of a channel go with it; the channels
/// of a category do not. A direct message is only closed: it is still there
/// when it is opened again.
pub(super) fn delete(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let thread = channel.thread().is_some();
    let gone = shown(call, id)?;
    let Some(guild) = channel.guild() else {
        return Ok(ApiResponse::Json(gone));
    };
    let (needed, action) = if thread {
        (PermissionSet::MANAGE_THREADS, AuditAction::ThreadDelete)
    } else {
        (PermissionSet::MANAGE_CHANNELS, AuditAction::ChannelDelete)
    };
    if !held.has(needed) {
        return Err(ApiError::MissingPermissions);
    }
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
    forget(call, guild, id)?;
    let logged = changes(&gone, &Value::Null, &LOGGED);
    call.audit(guild, action, Some(id), logged, None);
    Ok(ApiResponse::Json(gone))
}

/// Takes away what named a channel that is gone.
fn forget(call: &mut RequestContext<'_>, guild: Snowflake, id: Snowflake) -> Result<(), ApiError> {
    let place = call.guild_mut(guild)?;
    place.invites.retain(|invite| invite.channel != id);
    for named in place.settings.channels_mut() {
        *named = named.filter(|named| *named != id);
    }
    let channels = call.state.realm.channels.values_mut();
    let orphans: Vec<Snowflake> = channels
        .filter_map(|channel| {
            let place = channel.of_guild_mut().filter(|it| it.parent == Some(id))?;
            place.parent = None;
            Some(channel.id)
        })
        .collect();
    for orphan in orphans {
        changed(call, orphan);
    }
    close_stage(call, guild, id)?;
    call.state.empty_voice(id);
    Ok(())
}

pub(super) fn changed(call: &mut RequestContext<'_>, id: Snowflake) {
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
    let guild = guild.id;
    let new = Overwrite {
        target,
        allow,
        deny,
    };
    let mut old = None;
    let answer = change_overwrites(call, id, |overwrites| {
        let place = overwrites.iter().position(|it| it.target == target);
        old = place.map(|place| overwrites.remove(place));
        overwrites.push(new);
        Ok(())
    })?;
    log_overwrite(call, guild, id, old, Some(new));
    Ok(answer)
}

/// Notes how an overwrite came, changed or went.
fn log_overwrite(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    id: Snowflake,
    old: Option<Overwrite>,
    new: Option<Overwrite>,
) {
    let (action, shown) = match (old, new) {
        (None, Some(new)) => (AuditAction::OverwriteCreate, new),
        (_, Some(new)) => (AuditAction::OverwriteUpdate, new),
        (Some(old), None) => (AuditAction::OverwriteDelete, old),
        (None, None) => return,
    };
    let json = |it: Option<Overwrite>| match it {
        Some(it) => json!({ "id": it.target.id(), "allow": it.allow, "deny": it.deny }),
        None => Value::Null,
    };
    let logged = changes(&json(old), &json(new), &["id", "allow", "deny"]);
    let known = call.state.realm.guild(guild);
    let options = match shown.target {
        Target::Role(role) => {
            let name = known.and_then(|it| it.role(role)).map(|it| it.name.clone());
            json!({ "id": role, "type": "0", "role_name": name })
        }
        Target::Member(person) => json!({ "id": person, "type": "1" }),
    };
    call.audit(guild, action, Some(id), logged, Some(options));
}

pub(super) fn delete_overwrite(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    target: Snowflake,
) -> ApiResult {
    may_overwrite(call, id)?;
    let mut old = None;
    let answer = change_overwrites(call, id, |overwrites| {
        let place = overwrites.iter().position(|it| it.target.id() == target);
        let place = place.ok_or(ApiError::UnknownOverwrite)?;
        old = Some(overwrites.remove(place));
        Ok(())
    })?;
    let channel = call.state.realm.channels.get(&id);
    if let Some(guild) = channel.and_then(|channel| channel.guild()) {
        log_overwrite(call, guild, id, old, None);
    }
    Ok(answer)
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
    let guild = channel.guild().ok_or(ApiError::NotInDirectMessage)?;
    let sight = call.state.sight(guild);
    match &mut call.channel_mut(id)?.kind {
        ChannelKind::Guild(place) => change(&mut place.overwrites)?,
        ChannelKind::Thread(_) => return Err(ApiError::WrongChannelKind),
        ChannelKind::Direct { .. } => return Err(ApiError::NotInDirectMessage),
    }
    reshown(call, id, &sight);
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
