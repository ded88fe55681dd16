//! Members: found, changed and kicked.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, GuildError, RequestContext, allow, changes,
    membership::{changed, remove},
    pictures::{data_uri, hash_of, in_one_guild},
};
use crate::{
    gateway::VoiceChange,
    limits,
    realm::{AuditAction, Guild, Member, PermissionSet, in_guild, outranks, stands_above},
    rest::{
        ApiResponse,
        auto_moderation::moderate_names,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        error::Problems,
        guilds::known,
    },
    snowflake::{Snowflake, now},
    state::PictureKind,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/members/search", search),
    write("PATCH /guilds/{guild}/members/@me", modify_self),
    write("PATCH /guilds/{guild}/members/@me/nick", rename_self),
    write("PATCH /guilds/{guild}/members/{user}", modify),
    write("DELETE /guilds/{guild}/members/{user}", kick),
];

/// What the audit log tells of a member, roles left out.
const LOGGED: [&str; 3] = ["nick", "communication_disabled_until", "flags"];

/// Members whose name or nickname begins with the query.
fn search(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (realm, guild) = (&call.state.realm, known(call, path.id(0))?);
    let limit = call.page("limit", 1, limits::MEMBER_PAGE)?;
    let Some(query) = call.query.get("query").filter(|query| !query.is_empty()) else {
        let message = "This field is required";
        return Err(Problems::one("query", "BASE_TYPE_REQUIRED", message));
    };
    let query = query.to_lowercase();
    let begins = |name: &str| name.to_lowercase().starts_with(&query);
    let found: Vec<wire::Member> = guild
        .members
        .iter()
        .filter(|member| {
            let person = realm.person(member.person);
            member.nickname.as_deref().is_some_and(begins)
                || person.is_some_and(|person| begins(&person.name))
        })
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .filter_map(|member| wire::Member::full(realm, guild, member.person))
        .collect();
    ApiResponse::json(found)
}

fn nickname(body: &mut Fields<'_>) -> Option<Option<String>> {
    if !body.names("nick") {
        return None;
    }
    let name = body.text("nick").map(|name| name.trim().to_owned());
    let name = name.filter(|name| !name.is_empty());
    if name
        .as_ref()
        .is_some_and(|name| name.chars().count() > limits::NICKNAME_CHARS)
    {
        body.too_long("nick", limits::NICKNAME_CHARS);
    }
    Some(name)
}

/// Modify Current Member.
fn modify_self(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, me) = (path.id(0), call.me);
    let guild = known(call, id)?;
    let held = call.held_in(guild);
    let mut body = Fields::new(&call.body.json, "");
    let name = nickname(&mut body);
    let [avatar, banner] = ["avatar", "banner"].map(|key| {
        body.names(key)
            .then(|| data_uri(&mut body, key, limits::PICTURE_BYTES))
    });
    body.problems.into_result()?;
    allow(name.is_none() || held.has(PermissionSet::CHANGE_NICKNAME))?;
    let before = shown(call, id, me)?;
    if let Some(member) = call.guild_mut(id)?.member_mut(me) {
        if let Some(name) = name {
            member.nickname = name;
        }
        if let Some(avatar) = &avatar {
            member.avatar = avatar.as_ref().map(hash_of);
        }
        if let Some(banner) = &banner {
            member.banner = banner.as_ref().map(hash_of);
        }
    }
    for (kind, picture) in [
        (PictureKind::MemberAvatar, avatar),
        (PictureKind::MemberBanner, banner),
    ] {
        let of = in_one_guild(id, me);
        match picture {
            Some(Some(picture)) => call.state.pictures.put(kind, of, picture),
            Some(None) => call.state.pictures.remove(kind, of),
            None => {}
        }
    }
    log(call, id, me, &before)?;
    Ok(ApiResponse::Json(shown(call, id, me)?))
}

fn rename_self(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    modify_self(call, path)?;
    let nick = call.body.json.get("nick").cloned();
    ApiResponse::json(json!({ "nick": nick.unwrap_or(Value::Null) }))
}

/// A member as clients see them.
fn shown(
    call: &RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
) -> Result<Value, ApiError> {
    let realm = &call.state.realm;
    let guild = realm.guild(guild).ok_or(ApiError::UnknownGuild)?;
    let member = wire::Member::full(realm, guild, person);
    member
        .map(|member| json!(member))
        .ok_or(ApiError::UnknownMember)
}

/// Tells everybody of a change, and notes it.
fn log(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
    before: &Value,
) -> Result<(), ApiError> {
    if shown(call, guild, person)?["nick"] != before["nick"] {
        moderate_names(call, guild, person);
    }
    changed(call, guild, person);
    let after = shown(call, guild, person)?;
    let logged = changes(before, &after, &LOGGED);
    if !logged.is_empty() {
        let action = AuditAction::MemberUpdate;
        call.audit(guild, action, Some(person), logged, None);
    }
    log_roles(call, guild, person, before, &after);
    Ok(())
}

fn log_roles(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
    before: &Value,
    after: &Value,
) {
    let held = |side: &Value| side["roles"].as_array().cloned().unwrap_or_default();
    let (old, new) = (held(before), held(after));
    let known = call.state.realm.guild(guild);
    let named = |ids: Vec<Value>| -> Vec<Value> {
        ids.into_iter()
            .map(|id| {
                let text = id.as_str().unwrap_or_default();
                let role = text.parse().ok().and_then(|id| known?.role(id));
                json!({ "id": id, "name": role.map(|role| role.name.clone()) })
            })
            .collect()
    };
    let lacks = |ids: &[Value], in_: &[Value]| -> Vec<Value> {
        let new = ids.iter().filter(|id| !in_.contains(id));
        new.cloned().collect()
    };
    let (added, removed) = (named(lacks(&new, &old)), named(lacks(&old, &new)));
    let mut logged = Vec::new();
    for (key, roles) in [("$add", added), ("$remove", removed)] {
        if !roles.is_empty() {
            logged.push(json!({ "key": key, "new_value": roles }));
        }
    }
    if !logged.is_empty() {
        let action = AuditAction::MemberRoleUpdate;
        call.audit(guild, action, Some(person), logged, None);
    }
}

/// Notes what was done to somebody who is in voice.
fn log_voice(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
    before: &Value,
    change: VoiceChange,
) {
    let mut after = before.clone();
    for (key, value) in [("deaf", change.deaf), ("mute", change.mute)] {
        if let Some(value) = value {
            after[key] = json!(value);
        }
    }
    let logged = changes(before, &after, &["deaf", "mute"]);
    if !logged.is_empty() {
        let action = AuditAction::MemberUpdate;
        call.audit(guild, action, Some(person), logged, None);
    }
    let (action, options) = match change.channel {
        Some(None) => (AuditAction::MemberDisconnect, json!({ "count": "1" })),
        Some(Some(channel)) if before["channel_id"] != json!(channel) => (
            AuditAction::MemberMove,
            json!({ "channel_id": channel, "count": "1" }),
        ),
        Some(Some(_)) | None => return,
    };
    call.audit(guild, action, None, Vec::new(), Some(options));
}

/// What a body says of a member; the outer `None` leaves things as they are.
struct MemberChange {
    nickname: Option<Option<String>>,
    roles: Option<Vec<Snowflake>>,
    timeout: Option<Option<Timestamp>>,
    flags: Option<u64>,
    voice: VoiceChange,
}

impl MemberChange {
    fn read(call: &RequestContext<'_>, guild: Snowflake) -> Result<Self, ApiError> {
        let mut body = Fields::new(&call.body.json, "");
        let change = Self {
            nickname: nickname(&mut body),
            // Libraries name the role that everybody has among the others.
            roles: body
                .ids("roles", limits::ROLES)
                .map(|roles| roles.into_iter().filter(|role| *role != guild).collect()),
            timeout: timeout(&mut body),
            flags: body.number("flags"),
            voice: VoiceChange {
                mute: body.flag("mute"),
                deaf: body.flag("deaf"),
                channel: body.names("channel_id").then(|| body.id("channel_id")),
            },
        };
        body.problems.into_result()?;
        Ok(change)
    }

    fn check(&self, call: &RequestContext<'_>, guild: &Guild, of: &Member) -> Result<(), ApiError> {
        let held = call.held_in(guild);
        let own = of.person == call.me;
        let above = outranks(guild, call.me, of.person);
        if self.nickname.is_some() {
            allow(held.has(PermissionSet::MANAGE_NICKNAMES) && (own || above))?;
        }
        if let Some(roles) = &self.roles {
            allow(held.has(PermissionSet::MANAGE_ROLES))?;
            for id in roles {
                guild.role(*id).ok_or(ApiError::UnknownRole)?;
            }
            let moved = guild
                .roles
                .iter()
                .filter(|role| roles.contains(&role.id) != of.roles.contains(&role.id));
            for role in moved {
                let free = role.bot.is_none() && role.id != guild.id;
                allow(free && stands_above(guild, call.me, role))?;
            }
        }
        if let Some(until) = self.timeout {
            allow(held.has(PermissionSet::MODERATE_MEMBERS) && above)?;
            // Whoever administers is never timed out.
            let administers = in_guild(guild, of).has(PermissionSet::ADMINISTRATOR);
            allow(until.is_none() || !administers)?;
        }
        if self.flags.is_some() {
            let manages = [PermissionSet::MANAGE_GUILD, PermissionSet::MANAGE_ROLES];
            allow(manages.iter().any(|it| held.has(*it)))?;
        }
        for (asked, needed) in [
            (self.voice.mute.is_some(), PermissionSet::MUTE_MEMBERS),
            (self.voice.deaf.is_some(), PermissionSet::DEAFEN_MEMBERS),
            (self.voice.channel.is_some(), PermissionSet::MOVE_MEMBERS),
        ] {
            allow(!asked || held.has(needed))?;
        }
        if self.voice.asks() && !call.state.voice.has(guild.id, of.person) {
            return Err(GuildError::NotInVoice.into());
        }
        Ok(())
    }

    fn apply(self, member: &mut Member) {
        if let Some(nickname) = self.nickname {
            member.nickname = nickname;
        }
        if let Some(roles) = self.roles {
            member.roles = roles;
        }
        if let Some(until) = self.timeout {
            member.timed_out_until = until;
        }
        // Only that the member needs no verification can be set.
        const BYPASSES_VERIFICATION: u64 = 1 << 2;
        if let Some(flags) = self.flags {
            let kept = member.flags & !BYPASSES_VERIFICATION;
            member.flags = kept | (flags & BYPASSES_VERIFICATION);
        }
    }
}

fn timeout(body: &mut Fields<'_>) -> Option<Option<Timestamp>> {
    let key = "communication_disabled_until";
    if !body.names(key) {
        return None;
    }
    let Some(until) = body.time(key) else {
        return Some(None);
    };
    let ahead = std::time::Duration::try_from(until.duration_since(now()));
    if ahead.is_ok_and(|ahead| ahead > limits::TIMEOUT) {
        let message = "Must be at most 28 days in the future.";
        body.wrong(key, "DATE_TIME_TYPE_MAX", message);
    }
    Some(Some(until).filter(|until| *until > now()))
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, person) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let member = guild.member(person).ok_or(ApiError::UnknownMember)?;
    let change = MemberChange::read(call, id)?;
    change.check(call, guild, member)?;
    let before = shown(call, id, person)?;
    let voice = call.state.voice.one(&call.state.realm, guild, person);
    let sight = call.state.sight(id);
    if change.voice.asks() {
        call.state.change_voice(id, person, change.voice);
        log_voice(call, id, person, &voice.unwrap_or_default(), change.voice);
    }
    let member = call.guild_mut(id)?.member_mut(person);
    change.apply(member.ok_or(ApiError::UnknownMember)?);
    log(call, id, person, &before)?;
    call.state.tell_of_sight(&sight);
    Ok(ApiResponse::Json(shown(call, id, person)?))
}

fn kick(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, person) = (path.id(0), path.id(1));
    let guild = call.guild_with(id, PermissionSet::KICK_MEMBERS)?;
    guild.member(person).ok_or(ApiError::UnknownMember)?;
    allow(outranks(guild, call.me, person))?;
    remove(call, id, person);
    let action = AuditAction::MemberKick;
    call.audit(id, action, Some(person), Vec::new(), None);
    Ok(ApiResponse::NoContent)
}
