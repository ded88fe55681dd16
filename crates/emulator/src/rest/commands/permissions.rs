//! Exceptions to who may use a command. Bots read them, humans change them.

use serde_json::{Value, json};

use super::{
    super::{ApiError, ApiResponse, ApiResult, RequestContext, body::Fields, error::Problems},
    CommandPlace, own,
};
use crate::{
    limits,
    realm::{AppCommands, CommandPermission, PermissionSet, PermissionsKey, in_guild},
    snowflake::Snowflake,
};

fn key(place: CommandPlace, command: Snowflake) -> Result<PermissionsKey, ApiError> {
    Ok(PermissionsKey {
        application: place.application,
        guild: place.guild.ok_or(ApiError::UnknownGuild)?,
        command,
    })
}

pub(super) fn all(call: &mut RequestContext<'_>, place: CommandPlace) -> ApiResult {
    may_read(call, place)?;
    let commands = &call.state.realm.commands;
    let shown: Vec<Value> = commands
        .permissions
        .keys()
        .filter(|key| key.application == place.application && Some(key.guild) == place.guild)
        .filter_map(|key| commands.permissions_json(*key))
        .collect();
    ApiResponse::json(shown)
}

/// The application's own id stands for all its commands.
pub(super) fn one(
    call: &mut RequestContext<'_>,
    place: CommandPlace,
    command: Snowflake,
) -> ApiResult {
    may_read(call, place)?;
    let commands = &call.state.realm.commands;
    let shown = commands.permissions_json(key(place, command)?);
    shown
        .map(ApiResponse::Json)
        .ok_or(ApiError::UnknownCommandPermissions)
}

/// The bot itself, and humans of the guild.
fn may_read(call: &RequestContext<'_>, place: CommandPlace) -> Result<(), ApiError> {
    if call.me()?.bot {
        return own(call, place);
    }
    let guild = place.guild.ok_or(ApiError::UnknownGuild)?;
    super::super::guilds::known(call, guild).map(|_| ())
}

/// (doc) Needs a human's token, who may manage the guild and its roles.
pub(super) fn edit(
    call: &mut RequestContext<'_>,
    place: CommandPlace,
    command: Snowflake,
) -> ApiResult {
    if call.me()?.bot {
        return Err(ApiError::NoBots);
    }
    let key = key(place, command)?;
    let guild = super::super::guilds::known(call, key.guild)?;
    let member = guild.member(call.me).ok_or(ApiError::MissingAccess)?;
    let needed = PermissionSet::MANAGE_GUILD.with(PermissionSet::MANAGE_ROLES);
    if !in_guild(guild, member).has(needed) {
        return Err(ApiError::MissingPermissions);
    }
    let realm = &call.state.realm;
    let mut applications = realm.applications.iter();
    let application = applications
        .find(|it| it.id == place.application)
        .ok_or(ApiError::UnknownApplication)?;
    let bot = application.bot;
    let known = realm.commands.get(command).is_some_and(|it| {
        it.application == place.application && it.guild.is_none_or(|id| id == key.guild)
    });
    if !known && command != place.application {
        return Err(ApiError::UnknownCommand);
    }
    let everywhere = AppCommands::all_channels(key.guild);
    let list = read(call)?;
    let realm = &call.state.realm;
    let guild = realm.guild(key.guild).ok_or(ApiError::UnknownGuild)?;
    for (index, it) in list.iter().enumerate() {
        let known = match it.kind {
            1 => guild.roles.iter().any(|role| role.id == it.id),
            2 => realm.person(it.id).is_some(),
            _ => {
                let channel = realm.channels.get(&it.id);
                it.id == everywhere || channel.is_some_and(|it| it.guild() == Some(guild.id))
            }
        };
        if !known {
            return Err(Problems::one(
                &format!("permissions.{index}.id"),
                "APPLICATION_COMMAND_PERMISSIONS_UNKNOWN_ID",
                format!("Unknown id \"{}\"", it.id),
            ));
        }
    }
    let commands = &mut call.state.realm.commands;
    if list.is_empty() {
        commands.permissions.remove(&key);
    } else {
        commands.permissions.insert(key, list);
    }
    let none = json!({
        "id": command,
        "application_id": place.application,
        "guild_id": key.guild,
        "permissions": [],
    });
    let shown = commands.permissions_json(key).unwrap_or(none);
    let guild = Some(key.guild);
    call.state
        .tell(bot, guild, "APPLICATION_COMMAND_PERMISSIONS_UPDATE", &shown);
    Ok(ApiResponse::Json(shown))
}

fn read(call: &RequestContext<'_>) -> Result<Vec<CommandPermission>, ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    let values = body.list("permissions").unwrap_or_default();
    if values.len() > limits::COMMAND_PERMISSIONS {
        body.too_long("permissions", limits::COMMAND_PERMISSIONS);
    }
    let mut list: Vec<CommandPermission> = Vec::new();
    for (index, value) in values.iter().take(limits::COMMAND_PERMISSIONS).enumerate() {
        let path = format!("permissions.{index}");
        let Some(map) = body.problems.object(&path, value) else {
            continue;
        };
        let mut fields = Fields::new(map, &path);
        let id = fields.id("id");
        let kind = fields.number("type").unwrap_or(0);
        let allowed = fields.flag("permission");
        if !(1..=3).contains(&kind) {
            let message = "Value must be one of {1, 2, 3}.";
            let place = format!("{path}.type");
            fields.problems.add(&place, "BASE_TYPE_CHOICES", message);
        }
        for (missing, key) in [(id.is_none(), "id"), (allowed.is_none(), "permission")] {
            if missing && !fields.names(key) {
                let message = "This field is required";
                let place = format!("{path}.{key}");
                fields.problems.add(&place, "BASE_TYPE_REQUIRED", message);
            }
        }
        body.problems.merge(fields.problems);
        if let (Some(id), Some(allowed)) = (id, allowed) {
            list.push(CommandPermission { id, kind, allowed });
        }
    }
    body.problems.into_result()?;
    Ok(list)
}
