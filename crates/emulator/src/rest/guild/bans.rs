//! Bans: who may not come.

use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext, allow, membership::remove};
use crate::{
    limits,
    realm::{AuditAction, Ban, PermissionSet, Realm, outranks},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
    },
    snowflake::{Snowflake, now},
    wire::User,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/bans", list),
    read("GET /guilds/{guild}/bans/{user}", one),
    write("PUT /guilds/{guild}/bans/{user}", create),
    write("DELETE /guilds/{guild}/bans/{user}", lift),
    write("POST /guilds/{guild}/bulk-ban", bulk),
];

fn shown(realm: &Realm, ban: &Ban) -> Value {
    json!({ "reason": ban.reason, "user": realm.person(ban.person).map(User::from) })
}

/// By user id, after or before one.
fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), PermissionSet::BAN_MEMBERS)?;
    let limit = call.page("limit", limits::BAN_PAGE, limits::BAN_PAGE)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (before, after) = (call.anchor("before")?, call.anchor("after")?);
    let mut bans: Vec<&Ban> = guild
        .bans
        .iter()
        .filter(|ban| before.is_none_or(|id| ban.person < id))
        // (doc) `before` is respected if both are given.
        .filter(|ban| before.is_some() || after.is_none_or(|id| ban.person > id))
        .collect();
    bans.sort_by_key(|ban| ban.person);
    let skipped = match before {
        Some(_) => bans.len().saturating_sub(limit),
        None => 0,
    };
    let page: Vec<Value> = bans
        .into_iter()
        .skip(skipped)
        .take(limit)
        .map(|ban| shown(&call.state.realm, ban))
        .collect();
    ApiResponse::json(page)
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), PermissionSet::BAN_MEMBERS)?;
    let ban = guild.bans.iter().find(|ban| ban.person == path.id(1));
    let ban = ban.ok_or(GuildError::UnknownBan)?;
    ApiResponse::json(shown(&call.state.realm, ban))
}

/// How many seconds of what they said goes with them.
fn deleted_seconds(call: &RequestContext<'_>) -> Result<u64, ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    let seconds = body.within("delete_message_seconds", 0..=limits::BAN_DELETES_SECONDS);
    let days = body.within("delete_message_days", 0..=7);
    body.problems.into_result()?;
    // discord.py names it in the query.
    let asked = call.query.get("delete_message_seconds");
    let asked = asked.and_then(|text| text.parse().ok());
    let seconds = seconds.or(asked.filter(|it| *it <= limits::BAN_DELETES_SECONDS));
    Ok(seconds.or(days.map(|days| days * 86_400)).unwrap_or(0))
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, person) = (path.id(0), path.id(1));
    let guild = call.guild_with(id, PermissionSet::BAN_MEMBERS)?;
    let realm = &call.state.realm;
    realm.person(person).ok_or(ApiError::UnknownUser)?;
    allow(guild.member(person).is_none() || outranks(guild, call.me, person))?;
    let seconds = deleted_seconds(call)?;
    if !guild.bans(person) {
        ban(call, id, person, seconds)?;
    }
    Ok(ApiResponse::NoContent)
}

fn ban(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    person: Snowflake,
    seconds: u64,
) -> Result<(), ApiError> {
    let reason = call.reason.clone();
    let guild = call.guild_mut(id)?;
    guild.bans.push(Ban { person, reason });
    if guild.member(person).is_some() {
        remove(call, id, person);
    }
    announce(call, id, person, "GUILD_BAN_ADD");
    forget(call, id, person, seconds);
    call.audit(id, AuditAction::BanAdd, Some(person), Vec::new(), None);
    Ok(())
}

fn announce(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
    name: &'static str,
) {
    call.state.dispatch_guild(guild, name, |realm, guild| {
        json!({ "guild_id": guild.id, "user": realm.person(person).map(User::from) })
    });
}

/// Deletes what somebody said lately in any channel of a guild.
fn forget(call: &mut RequestContext<'_>, guild: Snowflake, person: Snowflake, seconds: u64) {
    let Some(seconds) = i64::try_from(seconds).ok().filter(|it| *it > 0) else {
        return;
    };
    let since = now() - jiff::SignedDuration::from_secs(seconds);
    let channels = &call.state.realm.channels;
    let theirs: Vec<(Snowflake, Vec<Snowflake>)> = channels
        .values()
        .filter(|channel| channel.guild() == Some(guild))
        .map(|channel| {
            let lately = channel.messages.iter().rev();
            let lately = lately.take_while(|message| message.id.timestamp() >= since);
            let own = lately.filter(|message| message.author == person);
            (channel.id, own.map(|message| message.id).collect())
        })
        .collect();
    for (id, gone) in theirs.into_iter().filter(|(_, gone)| !gone.is_empty()) {
        if let Ok(channel) = call.channel_mut(id) {
            for message in &gone {
                channel.remove(*message);
            }
        }
        call.state
            .dispatch(id, "MESSAGE_DELETE_BULK", |_, channel, _| {
                json!({ "ids": gone, "channel_id": channel.id, "guild_id": channel.guild() })
            });
    }
}

fn lift(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, person) = (path.id(0), path.id(1));
    let guild = call.guild_with(id, PermissionSet::BAN_MEMBERS)?;
    if !guild.bans(person) {
        return Err(GuildError::UnknownBan.into());
    }
    let bans = &mut call.guild_mut(id)?.bans;
    bans.retain(|ban| ban.person != person);
    announce(call, id, person, "GUILD_BAN_REMOVE");
    let action = AuditAction::BanRemove;
    call.audit(id, action, Some(person), Vec::new(), None);
    Ok(ApiResponse::NoContent)
}

/// Bulk Guild Ban: whom the caller cannot ban is told, and the others are.
fn bulk(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let needed = PermissionSet::BAN_MEMBERS.with(PermissionSet::MANAGE_GUILD);
    call.guild_with(id, needed)?;
    let mut body = Fields::new(&call.body.json, "");
    body.require("user_ids");
    let people = body.ids("user_ids", limits::BULK_BAN);
    body.problems.into_result()?;
    let seconds = deleted_seconds(call)?;
    let (mut banned, mut failed) = (Vec::new(), Vec::new());
    for person in people.unwrap_or_default() {
        let guild = call.guild_with(id, needed)?;
        let above = guild.member(person).is_none() || outranks(guild, call.me, person);
        let known = call.state.realm.person(person).is_some();
        if above && known && !guild.bans(person) {
            ban(call, id, person, seconds)?;
            banned.push(person);
        } else {
            failed.push(person);
        }
    }
    if banned.is_empty() {
        return Err(GuildError::BansFailed.into());
    }
    ApiResponse::json(json!({ "banned_users": banned, "failed_users": failed }))
}
