//! Invites: codes by which people come.

use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext, allow, changes, membership::admit};
use crate::{
    limits,
    realm::{AuditAction, Channel, Guild, Invite, InviteTarget, PermissionSet, Realm},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, open, read, write},
        guilds::known,
    },
    snowflake::{Snowflake, hash, now, rfc3339},
    wire::{self, User},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("POST /channels/{channel}/invites", create),
    read("GET /channels/{channel}/invites", of_channel),
    read("GET /guilds/{guild}/invites", of_guild),
    open("GET /invites/{code}", one),
    write("POST /invites/{code}", accept),
    write("DELETE /invites/{code}", delete),
];

/// What the audit log tells of an invite.
const LOGGED: [&str; 8] = [
    "code",
    "channel_id",
    "inviter_id",
    "max_age",
    "max_uses",
    "uses",
    "temporary",
    "flags",
];

/// An invite as anybody sees it. Discord Docs/Invite, Invite Object.
fn shown(realm: &Realm, guild: &Guild, invite: &Invite) -> Value {
    let channel = realm.channels.get(&invite.channel);
    let place = channel.and_then(|channel| channel.of_guild());
    let mut shown = json!({
        "type": 0,
        "code": invite.code,
        "guild": wire::invited_guild(guild),
        "guild_id": guild.id,
        "channel": {
            "id": invite.channel,
            "name": place.map(|place| place.name.as_str()),
            "type": channel.map(|channel| channel.number()),
        },
        "inviter": realm.person(invite.inviter).map(User::from),
        "expires_at": invite.expires().map(rfc3339),
        "flags": 0,
    });
    match invite.target {
        Some(InviteTarget::Stream(person)) => {
            shown["target_type"] = json!(1);
            shown["target_user"] = json!(realm.person(person).map(User::from));
        }
        Some(InviteTarget::Application(id)) => {
            shown["target_type"] = json!(2);
            shown["target_application"] = activity(realm, id);
        }
        None => {}
    }
    shown
}

/// An application as an invite shows it. Of those that are not here only the
/// id is known.
fn activity(realm: &Realm, id: Snowflake) -> Value {
    let known = realm.application_of(id);
    let bot = known.and_then(|it| realm.person(it.bot));
    json!({
        "id": id,
        "name": bot.map_or("Activity", |bot| bot.name.as_str()),
        "icon": known.and_then(|it| it.profile.icon.as_deref()),
        "description": known.map_or("", |it| it.profile.description.as_str()),
        "summary": "",
        "type": null,
        "is_monetized": false,
        "verify_key": "",
        "flags": 1 << 17,
    })
}

/// What a body says that an invite shows.
fn target(realm: &Realm, channel: &Channel, body: &mut Fields<'_>) -> Option<InviteTarget> {
    let key = match body.within("target_type", 1..=2)? {
        1 => "target_user_id",
        _ => "target_application_id",
    };
    body.require(key);
    if !matches!(channel.number(), 2 | 13) {
        let message = "Targets are for voice channels.";
        body.wrong("target_type", "INVITE_TARGET_INVALID", message);
    }
    let id = body.id(key)?;
    match key {
        "target_user_id" if realm.person(id).is_none() => {
            body.wrong(key, "INVITE_TARGET_USER_INVALID", "Unknown User");
            None
        }
        "target_user_id" => Some(InviteTarget::Stream(id)),
        _ => Some(InviteTarget::Application(id)),
    }
}

/// With what those see who manage invites.
fn in_full(realm: &Realm, guild: &Guild, invite: &Invite) -> Value {
    let mut shown = shown(realm, guild, invite);
    shown["uses"] = json!(invite.uses);
    shown["max_uses"] = json!(invite.max_uses);
    shown["max_age"] = json!(invite.max_age);
    shown["temporary"] = json!(invite.temporary);
    shown["created_at"] = json!(rfc3339(invite.created));
    shown
}

fn logged(invite: &Invite) -> Value {
    json!({
        "code": invite.code,
        "channel_id": invite.channel,
        "inviter_id": invite.inviter,
        "max_age": invite.max_age,
        "max_uses": invite.max_uses,
        "uses": invite.uses,
        "flags": 0,
        "temporary": invite.temporary,
    })
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, held) = call.channel(path.id(0))?;
    if channel.direct() {
        return Err(ApiError::NotInDirectMessage);
    }
    if channel.of_guild().is_none() || channel.category() {
        return Err(ApiError::WrongChannelKind);
    }
    allow(held.has(PermissionSet::CREATE_INSTANT_INVITE))?;
    let channel_id = channel.id;
    let guild = call.state.realm.guild_around(channel);
    let guild = guild.ok_or(ApiError::UnknownGuild)?;
    let mut body = Fields::new(&call.body.json, "");
    let max_age = body.within("max_age", 0..=limits::INVITE_AGE_SECONDS);
    let max_uses = body.within("max_uses", 0..=limits::INVITE_USES);
    let temporary = body.flag("temporary").unwrap_or(false);
    let unique = body.flag("unique").unwrap_or(false);
    let target = target(&call.state.realm, channel, &mut body);
    body.problems.into_result()?;
    let number = guild.audit.entries.len() + guild.invites.len();
    let salt = [
        channel_id.to_string(),
        now().to_string(),
        number.to_string(),
    ];
    let salt: Vec<&str> = salt.iter().map(String::as_str).collect();
    let invite = Invite {
        code: code(hash(&salt)),
        channel: channel_id,
        inviter: call.me,
        created: now(),
        max_age: max_age.unwrap_or(limits::INVITE_AGE_DEFAULT),
        max_uses: max_uses.unwrap_or(0),
        uses: 0,
        temporary,
        target,
    };
    let similar = guild.invites.iter().find(|known| {
        let settings = |it: &Invite| (it.channel, it.inviter, it.max_age, it.max_uses, it.target);
        known.usable() && settings(known) == settings(&invite) && known.temporary == temporary
    });
    if let Some(known) = similar.filter(|_| !unique) {
        return ApiResponse::json(in_full(&call.state.realm, guild, known));
    }
    let usable = guild.invites.iter().filter(|invite| invite.usable());
    if usable.count() >= limits::INVITES {
        return Err(GuildError::TooManyInvites.into());
    }
    let (guild_id, answer) = (guild.id, in_full(&call.state.realm, guild, &invite));
    let changed = changes(&Value::Null, &logged(&invite), &LOGGED);
    let invites = &mut call.guild_mut(guild_id)?.invites;
    invites.retain(Invite::usable);
    invites.push(invite);
    let permission = PermissionSet::MANAGE_CHANNELS;
    call.state
        .dispatch_guild_with(guild_id, "INVITE_CREATE", permission, |_, _| {
            let mut payload = answer.clone();
            payload["channel_id"] = json!(channel_id);
            if let Value::Object(map) = &mut payload {
                map.remove("guild");
                map.remove("channel");
            }
            payload
        });
    call.audit(guild_id, AuditAction::InviteCreate, None, changed, None);
    ApiResponse::json(answer)
}

/// Eight letters and digits.
fn code(mut number: u64) -> String {
    const DIGITS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut code = String::new();
    for _ in 0..8 {
        let place = usize::try_from(number % DIGITS.len() as u64).unwrap_or(0);
        code.push(char::from(DIGITS[place]));
        number /= DIGITS.len() as u64;
    }
    code
}

fn of_channel(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, held) = call.channel(path.id(0))?;
    allow(held.has(PermissionSet::MANAGE_CHANNELS))?;
    let guild = call.state.realm.guild_around(channel);
    let guild = guild.ok_or(ApiError::NotInDirectMessage)?;
    listed(call, guild, Some(channel.id))
}

fn of_guild(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let held = call.held_in(guild);
    let manages = held.has(PermissionSet::MANAGE_GUILD);
    allow(manages || held.has(PermissionSet::VIEW_AUDIT_LOG))?;
    listed(call, guild, None)
}

fn listed(call: &RequestContext<'_>, guild: &Guild, channel: Option<Snowflake>) -> ApiResult {
    let invites = guild.invites.iter().filter(|invite| invite.usable());
    let shown: Vec<Value> = invites
        .filter(|invite| channel.is_none_or(|channel| invite.channel == channel))
        .map(|invite| in_full(&call.state.realm, guild, invite))
        .collect();
    ApiResponse::json(shown)
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let realm = &call.state.realm;
    let (guild, invite) = realm.invite(path.text()).ok_or(GuildError::UnknownInvite)?;
    let mut answer = shown(realm, guild, invite);
    if call.asks("with_counts") {
        answer["approximate_member_count"] = json!(guild.members.len());
        answer["approximate_presence_count"] = json!(guild.members.len());
    }
    let event = call.query.get("guild_scheduled_event_id");
    let event = event.and_then(|id| id.parse::<Snowflake>().ok());
    let mut events = guild.community.events.iter();
    if let Some(event) = events.find(|it| Some(it.id) == event) {
        answer["guild_scheduled_event"] = wire::scheduled_event(guild.id, event);
    }
    ApiResponse::json(answer)
}

/// Accept Invite, which only humans do.
fn accept(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    if call.me()?.bot {
        return Err(GuildError::NotForBots.into());
    }
    let (realm, me) = (&call.state.realm, call.me);
    let (guild, invite) = realm.invite(path.text()).ok_or(GuildError::UnknownInvite)?;
    if guild.bans(me) {
        return Err(GuildError::Banned.into());
    }
    let mut answer = shown(realm, guild, invite);
    let (id, new) = (guild.id, guild.member(me).is_none());
    answer["new_member"] = json!(new);
    if new {
        let invites = call.guild_mut(id)?.invites.iter_mut();
        let used = invites.into_iter().find(|it| it.code == path.text());
        let spent = used.and_then(|invite| {
            invite.uses += 1;
            (!invite.usable()).then_some(invite.channel)
        });
        admit(call, id, me, Vec::new())?;
        if let Some(channel) = spent {
            drop_invite(call, id, channel, path.text());
        }
    }
    ApiResponse::json(answer)
}

fn drop_invite(call: &mut RequestContext<'_>, guild: Snowflake, channel: Snowflake, code: &str) {
    if let Ok(guild) = call.guild_mut(guild) {
        guild.invites.retain(|invite| invite.code != code);
    }
    let permission = PermissionSet::MANAGE_CHANNELS;
    call.state.dispatch_guild_with(
        guild,
        "INVITE_DELETE",
        permission,
        |_, guild| json!({ "channel_id": channel, "guild_id": guild.id, "code": code }),
    );
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let realm = &call.state.realm;
    let (guild, invite) = realm.invite(path.text()).ok_or(GuildError::UnknownInvite)?;
    guild.member(call.me).ok_or(ApiError::MissingAccess)?;
    let manages = call.held_in(guild).has(PermissionSet::MANAGE_GUILD);
    let here = call.channel(invite.channel);
    let here = here.is_ok_and(|(_, held)| held.has(PermissionSet::MANAGE_CHANNELS));
    allow(manages || here)?;
    let answer = shown(realm, guild, invite);
    let changed = changes(&logged(invite), &Value::Null, &LOGGED);
    let (guild, channel) = (guild.id, invite.channel);
    drop_invite(call, guild, channel, path.text());
    call.audit(guild, AuditAction::InviteDelete, None, changed, None);
    ApiResponse::json(answer)
}
