//! The order of roles and of channels.

use serde_json::{Map, Value};

use super::{ApiError, ApiResult, RequestContext, allow, roles};
use crate::{
    realm::{Guild, PermissionSet, Role, stands_above},
    rest::{ApiResponse, body::Fields, channels, endpoint::PathValues, error::Problems},
    snowflake::Snowflake,
    wire,
};

/// The rows of a body that is a list of objects.
fn rows<'a>(call: &'a RequestContext<'_>) -> Result<Vec<&'a Map<String, Value>>, ApiError> {
    let list = call.body.list.as_deref().unwrap_or_default();
    let mut rows = Vec::new();
    for (index, row) in list.iter().enumerate() {
        let Value::Object(row) = row else {
            return Err(Problems::one(
                &index.to_string(),
                "DICT_TYPE_CONVERT",
                "Only dictionaries may be used in a DictType",
            ));
        };
        rows.push(row);
    }
    Ok(rows)
}

/// Modify Guild Role Positions. Roles that are not named move up or down to
/// make room; all stand one above the other afterwards.
pub(super) fn of_roles(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_ROLES)?;
    let mut wanted: Vec<(usize, Snowflake)> = Vec::new();
    for (index, row) in rows(call)?.into_iter().enumerate() {
        let mut fields = Fields::new(row, &index.to_string());
        fields.require("id");
        let (role, position) = (fields.id("id"), fields.number("position"));
        fields.problems.into_result()?;
        let role = role.and_then(|role| guild.role(role));
        let role = role.ok_or(ApiError::UnknownRole)?;
        let Some(position) = position else { continue };
        let position = usize::try_from(position).unwrap_or(usize::MAX).max(1);
        // `@everyone` stays at the bottom, and who stays needs no permission.
        if role.id == guild.id || role.position == position {
            continue;
        }
        allow(stands_above(guild, call.me, role) && below_own(guild, call.me, position))?;
        wanted.push((position, role.id));
    }
    wanted.sort_unstable();
    let mut order: Vec<(usize, Snowflake)> = guild
        .roles
        .iter()
        .filter(|role| role.id != guild.id && wanted.iter().all(|(_, id)| *id != role.id))
        .map(|role| (role.position, role.id))
        .collect();
    order.sort_unstable();
    let mut order: Vec<Snowflake> = order.into_iter().map(|(_, id)| id).collect();
    for (position, role) in wanted {
        order.insert((position - 1).min(order.len()), role);
    }
    let mut moved = Vec::new();
    for role in &mut call.guild_mut(id)?.roles {
        let place = order.iter().position(|other| *other == role.id);
        let position = place.map_or(0, |place| place + 1);
        if role.position != position {
            role.position = position;
            moved.push(role.id);
        }
    }
    for role in moved {
        roles::announce(call, id, role, "GUILD_ROLE_UPDATE");
    }
    let roles = &call.guild_mut(id)?.roles;
    let shown: Vec<wire::Role> = roles.iter().map(wire::Role::from).collect();
    ApiResponse::json(shown)
}

/// Whether a position is below the highest role of a person.
fn below_own(guild: &Guild, person: Snowflake, position: usize) -> bool {
    if person == guild.owner {
        return true;
    }
    let held = guild.member(person).map(|member| member.roles.as_slice());
    let held = held.unwrap_or_default();
    let own = |role: &&Role| held.contains(&role.id);
    let highest = guild.roles.iter().filter(own).map(|role| role.position);
    highest.max().is_some_and(|own| position < own)
}

/// Modify Guild Channel Positions: also into and out of categories.
pub(super) fn of_channels(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    call.guild_with(id, PermissionSet::MANAGE_CHANNELS)?;
    let rows: Vec<Map<String, Value>> = rows(call)?.into_iter().cloned().collect();
    // All is checked before anything moves.
    let mut moves = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let mut fields = Fields::new(row, &index.to_string());
        fields.require("id");
        let channel = fields.id("id");
        let position = fields.number("position");
        let parent = fields.names("parent_id").then(|| fields.id("parent_id"));
        let sync = fields.flag("lock_permissions").unwrap_or(false);
        fields.problems.into_result()?;
        let channel = channel.and_then(|channel| call.state.realm.channels.get(&channel));
        let channel = channel.filter(|it| it.of_guild().is_some_and(|it| it.guild == id));
        let channel = channel.ok_or(ApiError::UnknownChannel)?;
        if let Some(Some(parent)) = parent {
            let parent = call.state.realm.channels.get(&parent);
            let fits = parent.is_some_and(|it| it.category() && it.guild() == Some(id));
            if !fits || channel.category() {
                let path = format!("{index}.parent_id");
                let message = "Not a category";
                return Err(Problems::one(&path, "CHANNEL_PARENT_INVALID_TYPE", message));
            }
        }
        moves.push((channel.id, position, parent, sync));
    }
    for (channel, position, parent, sync) in moves {
        let category = match parent {
            Some(parent) => parent,
            None => call
                .state
                .realm
                .channels
                .get(&channel)
                .and_then(|it| it.of_guild()?.parent),
        };
        let synced = category.filter(|_| sync).and_then(|category| {
            let category = call.state.realm.channels.get(&category)?.of_guild()?;
            Some(category.overwrites.clone())
        });
        let sight = call.state.sight(id);
        let Some(place) = call.channel_mut(channel)?.of_guild_mut() else {
            continue;
        };
        if let Some(position) = position {
            place.position = usize::try_from(position).unwrap_or(usize::MAX);
        }
        if let Some(parent) = parent {
            place.parent = parent;
        }
        if let Some(overwrites) = synced {
            place.overwrites = overwrites;
        }
        channels::reshown(call, channel, &sight);
    }
    Ok(ApiResponse::NoContent)
}
