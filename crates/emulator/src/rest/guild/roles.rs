//! Roles: made, changed, ordered, given and taken.

use serde_json::{Map, Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext, allow, membership, positions};
use crate::{
    limits,
    realm::{AuditAction, Guild, PermissionSet, Role, stands_above},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write, write_list},
        guilds::known,
    },
    snowflake::Snowflake,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/roles/member-counts", member_counts),
    read("GET /guilds/{guild}/roles/{role}", one),
    write("POST /guilds/{guild}/roles", create),
    write_list("PATCH /guilds/{guild}/roles", positions::of_roles),
    write("PATCH /guilds/{guild}/roles/{role}", modify),
    write("DELETE /guilds/{guild}/roles/{role}", delete),
    write("PUT /guilds/{guild}/members/{user}/roles/{role}", give),
    write("DELETE /guilds/{guild}/members/{user}/roles/{role}", take),
];

/// What the audit log tells of a role.
const LOGGED: [&str; 5] = ["name", "permissions", "color", "hoist", "mentionable"];

/// How many have each role but `@everyone`.
fn member_counts(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let roles = guild.roles.iter().filter(|role| role.id != guild.id);
    let counts: Map<String, Value> = roles
        .map(|role| {
            let members = guild.members.iter();
            let holders = members.filter(|member| member.roles.contains(&role.id));
            (role.id.to_string(), json!(holders.count()))
        })
        .collect();
    ApiResponse::json(counts)
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let role = guild.role(path.id(1)).ok_or(ApiError::UnknownRole)?;
    ApiResponse::json(wire::Role::from(role))
}

/// What a body says of a role.
#[derive(Default)]
struct RoleChange {
    name: Option<String>,
    permissions: Option<PermissionSet>,
    color: Option<u32>,
    hoist: Option<bool>,
    mentionable: Option<bool>,
}

impl RoleChange {
    fn read(call: &RequestContext<'_>) -> Result<Self, ApiError> {
        let mut body = Fields::new(&call.body.json, "");
        // Icons and gradients come with boosts, which no guild here has.
        if body.get("icon").is_some() || body.get("unicode_emoji").is_some() {
            return Err(GuildError::NeedsBoosts.into());
        }
        let mut color = body.within("color", 0..=0xff_ffff);
        if let Some(map) = body.object("colors") {
            let mut colors = Fields::new(map, "colors");
            color = colors.within("primary_color", 0..=0xff_ffff).or(color);
            if colors.get("secondary_color").is_some() || colors.get("tertiary_color").is_some() {
                return Err(GuildError::NeedsBoosts.into());
            }
            body.problems.merge(colors.problems);
        }
        let change = Self {
            name: body.sized("name", 0..=limits::ROLE_NAME_CHARS),
            permissions: body.number("permissions").map(PermissionSet::from_bits),
            color: color.and_then(|color| u32::try_from(color).ok()),
            hoist: body.flag("hoist"),
            mentionable: body.flag("mentionable"),
        };
        body.problems.into_result()?;
        Ok(change)
    }

    fn apply(self, role: &mut Role) {
        role.name = self.name.unwrap_or_else(|| role.name.clone());
        role.permissions = self.permissions.unwrap_or(role.permissions);
        role.color = self.color.unwrap_or(role.color);
        role.hoist = self.hoist.unwrap_or(role.hoist);
        role.mentionable = self.mentionable.unwrap_or(role.mentionable);
    }
}

/// A new role stands right above `@everyone`.
fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_ROLES)?;
    let change = RoleChange::read(call)?;
    if guild.roles.len() >= limits::ROLES {
        return Err(GuildError::TooManyRoles.into());
    }
    let asked = change.permissions.unwrap_or_default();
    allow(call.held_in(guild).has(asked))?;
    let everyone = guild.role(id).map(|role| role.permissions);
    let mut role = Role {
        id: call.state.realm.mint.next(),
        name: "new role".into(),
        permissions: everyone.unwrap_or_default(),
        color: 0,
        hoist: false,
        mentionable: false,
        position: 1,
        bot: None,
    };
    change.apply(&mut role);
    let shown = json!(wire::Role::from(&role));
    let role_id = insert(call, id, role)?;
    let action = AuditAction::RoleCreate;
    call.audit_change(id, action, role_id, [&Value::Null, &shown], &LOGGED);
    ApiResponse::json(shown)
}

/// Puts a new role below all others.
pub(super) fn insert(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    role: Role,
) -> Result<Snowflake, ApiError> {
    let id = role.id;
    shift(call, guild, 0, |position| position + 1)?;
    call.guild_mut(guild)?.roles.push(role);
    announce(call, guild, id, "GUILD_ROLE_CREATE");
    Ok(id)
}

/// Moves all roles above a position, and tells of each.
fn shift(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    above: usize,
    to: impl Fn(usize) -> usize,
) -> Result<(), ApiError> {
    let roles = call.guild_mut(guild)?.roles.iter_mut();
    let moved: Vec<Snowflake> = roles
        .filter(|role| role.position > above)
        .map(|role| {
            role.position = to(role.position);
            role.id
        })
        .collect();
    for role in moved {
        announce(call, guild, role, "GUILD_ROLE_UPDATE");
    }
    Ok(())
}

/// A role that the caller may change.
fn below<'a>(
    call: &'a RequestContext<'_>,
    id: Snowflake,
    role: Snowflake,
) -> Result<(&'a Guild, &'a Role), ApiError> {
    let guild = call.guild_with(id, PermissionSet::MANAGE_ROLES)?;
    let role = guild.role(role).ok_or(ApiError::UnknownRole)?;
    allow(stands_above(guild, call.me, role))?;
    Ok((guild, role))
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, role_id) = (path.id(0), path.id(1));
    let (guild, role) = below(call, id, role_id)?;
    let mut change = RoleChange::read(call)?;
    // What the role has already can stay, whoever changes the rest.
    let held = call.held_in(guild).with(role.permissions);
    allow(held.has(change.permissions.unwrap_or_default()))?;
    if role.id == guild.id {
        change = RoleChange {
            permissions: change.permissions,
            mentionable: change.mentionable,
            ..RoleChange::default()
        };
    }
    let before = json!(wire::Role::from(role));
    let sight = call.state.sight(id);
    let role = call.guild_mut(id)?.roles.iter_mut();
    let role = role.into_iter().find(|role| role.id == role_id);
    let role = role.ok_or(ApiError::UnknownRole)?;
    change.apply(role);
    let after = json!(wire::Role::from(&*role));
    announce(call, id, role_id, "GUILD_ROLE_UPDATE");
    call.state.tell_of_sight(&sight);
    let action = AuditAction::RoleUpdate;
    call.audit_change(id, action, role_id, [&before, &after], &LOGGED);
    ApiResponse::json(after)
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, role_id) = (path.id(0), path.id(1));
    let (guild, role) = below(call, id, role_id)?;
    if role.id == guild.id || role.bot.is_some() {
        return Err(GuildError::InvalidRole.into());
    }
    let (position, before) = (role.position, json!(wire::Role::from(role)));
    let sight = call.state.sight(id);
    let guild = call.guild_mut(id)?;
    guild.roles.retain(|role| role.id != role_id);
    for member in &mut guild.members {
        member.roles.retain(|role| *role != role_id);
    }
    for emoji in &mut guild.emojis {
        emoji.roles.retain(|role| *role != role_id);
    }
    for channel in call.state.realm.channels.values_mut() {
        if let Some(channel) = channel.of_guild_mut() {
            channel
                .overwrites
                .retain(|overwrite| overwrite.target.id() != role_id);
        }
    }
    shift(call, id, position, |position| position - 1)?;
    call.state.dispatch_guild(
        id,
        "GUILD_ROLE_DELETE",
        |_, guild| json!({ "guild_id": guild.id, "role_id": role_id }),
    );
    call.state.tell_of_sight(&sight);
    let action = AuditAction::RoleDelete;
    call.audit_change(id, action, role_id, [&before, &Value::Null], &LOGGED);
    Ok(ApiResponse::NoContent)
}

pub(super) fn announce(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    role: Snowflake,
    name: &'static str,
) {
    call.state.dispatch_guild(guild, name, |_, guild| {
        let role = guild.role(role).map(wire::Role::from);
        json!({ "guild_id": guild.id, "role": role })
    });
}

fn give(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    hand(call, path, true)
}

fn take(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    hand(call, path, false)
}

fn hand(call: &mut RequestContext<'_>, path: &PathValues, give: bool) -> ApiResult {
    let (id, person, role_id) = (path.id(0), path.id(1), path.id(2));
    let guild = call.guild_with(id, PermissionSet::MANAGE_ROLES)?;
    let member = guild.member(person).ok_or(ApiError::UnknownMember)?;
    let role = guild.role(role_id).ok_or(ApiError::UnknownRole)?;
    if role.id == guild.id {
        return Err(GuildError::InvalidRole.into());
    }
    allow(role.bot.is_none() && stands_above(guild, call.me, role))?;
    if member.roles.contains(&role_id) == give {
        return Ok(ApiResponse::NoContent);
    }
    let name = role.name.clone();
    let sight = call.state.sight(id);
    let member = call.guild_mut(id)?.member_mut(person);
    let member = member.ok_or(ApiError::UnknownMember)?;
    if give {
        member.roles.push(role_id);
    } else {
        member.roles.retain(|role| *role != role_id);
    }
    membership::changed(call, id, person);
    call.state.tell_of_sight(&sight);
    let key = if give { "$add" } else { "$remove" };
    let logged = vec![json!({ "key": key, "new_value": [{ "id": role_id, "name": name }] })];
    let action = AuditAction::MemberRoleUpdate;
    call.audit(id, action, Some(person), logged, None);
    Ok(ApiResponse::NoContent)
}
