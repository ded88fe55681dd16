//! Templates: a guild as it was when somebody wrote it down.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext};
use crate::{
    limits,
    realm::{Channel, Guild, GuildTemplate, PermissionSet, Realm},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, open, read, write},
    },
    snowflake::{Snowflake, hash, now, rfc3339},
    wire::User,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    open("GET /guilds/templates/{code}", anywhere),
    read("GET /guilds/{guild}/templates", list),
    write("POST /guilds/{guild}/templates", create),
    write("PUT /guilds/{guild}/templates/{code}", sync),
    write("PATCH /guilds/{guild}/templates/{code}", modify),
    write("DELETE /guilds/{guild}/templates/{code}", delete),
];

const MANAGE: PermissionSet = PermissionSet::MANAGE_GUILD;

fn shown(realm: &Realm, guild: &Guild, template: &GuildTemplate) -> Value {
    let now = serialized(realm, guild);
    json!({
        "code": template.code,
        "name": template.name,
        "description": template.description,
        "usage_count": 0,
        "creator_id": template.creator,
        "creator": realm.person(template.creator).map(User::from),
        "created_at": rfc3339(template.created),
        "updated_at": rfc3339(template.synced),
        "source_guild_id": guild.id,
        "serialized_source_guild": template.guild,
        "is_dirty": (now != template.guild).then_some(true),
    })
}

/// The guild without its people and messages. Roles and channels have the
/// numbers that they are called by inside.
fn serialized(realm: &Realm, guild: &Guild) -> Value {
    let mut roles: Vec<_> = guild.roles.iter().collect();
    roles.sort_by_key(|role| (role.position, role.id));
    roles.retain(|role| role.bot.is_none());
    let mut channels: Vec<&Channel> = realm
        .channels
        .values()
        .filter(|channel| channel.guild() == Some(guild.id) && channel.thread().is_none())
        .collect();
    channels.sort_by_key(|channel| {
        let position = channel.of_guild().map(|place| place.position);
        (!channel.category(), position, channel.id)
    });
    let numbers: HashMap<Snowflake, usize> = roles
        .iter()
        .enumerate()
        .map(|(number, role)| (role.id, number))
        .chain((1..).zip(&channels).map(|(number, it)| (it.id, number)))
        .collect();
    let number = |id: Option<Snowflake>| id.and_then(|id| numbers.get(&id).copied());
    let roles: Vec<Value> = roles
        .iter()
        .map(|role| {
            json!({
                "id": number(Some(role.id)),
                "name": role.name,
                "permissions": role.permissions,
                "color": role.color,
                "hoist": role.hoist,
                "mentionable": role.mentionable,
                "icon": null,
                "unicode_emoji": null,
            })
        })
        .collect();
    let channels: Vec<Value> = channels
        .iter()
        .filter_map(|channel| {
            let place = channel.of_guild()?;
            let overwrites: Vec<Value> = place
                .overwrites
                .iter()
                .filter_map(|overwrite| {
                    let id = number(Some(overwrite.target.id()))?;
                    let (allow, deny) = (overwrite.allow, overwrite.deny);
                    Some(json!({ "id": id, "type": 0, "allow": allow, "deny": deny }))
                })
                .collect();
            let mut shown = json!({
                "id": number(Some(channel.id)),
                "type": channel.number(),
                "name": place.name,
                "position": place.position,
                "topic": place.topic,
                "bitrate": place.voice.bitrate,
                "user_limit": place.voice.user_limit,
                "nsfw": place.nsfw,
                "rate_limit_per_user": place.slow_mode,
                "parent_id": number(place.parent),
                "permission_overwrites": overwrites,
            });
            if let Some(minutes) = place.auto_archive {
                shown["default_auto_archive_duration"] = json!(minutes);
            }
            Some(shown)
        })
        .collect();
    let settings = &guild.settings;
    json!({
        "name": guild.name,
        "description": settings.description,
        "region": "deprecated",
        "icon_hash": settings.icon,
        "verification_level": settings.verification_level,
        "default_message_notifications": settings.default_message_notifications,
        "explicit_content_filter": settings.explicit_content_filter,
        "preferred_locale": settings.preferred_locale,
        "afk_timeout": settings.afk_timeout,
        "afk_channel_id": number(settings.afk_channel_id),
        "system_channel_id": number(settings.system_channel_id),
        "system_channel_flags": settings.system_channel_flags,
        "roles": roles,
        "channels": channels,
    })
}

/// Whoever has the code may look.
fn anywhere(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let realm = &call.state.realm;
    let found = realm
        .guilds
        .iter()
        .find_map(|guild| Some((guild, find(guild, path.text()).ok()?)));
    let (guild, template) = found.ok_or(GuildError::UnknownTemplate)?;
    ApiResponse::json(shown(realm, guild, template))
}

fn find<'a>(guild: &'a Guild, code: &str) -> Result<&'a GuildTemplate, ApiError> {
    let mut templates = guild.community.templates.iter();
    let template = templates.find(|template| template.code == code);
    template.ok_or(GuildError::UnknownTemplate.into())
}

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), MANAGE)?;
    let templates = guild.community.templates.iter();
    let realm = &call.state.realm;
    let shown: Vec<Value> = templates.map(|it| shown(realm, guild, it)).collect();
    ApiResponse::json(shown)
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, MANAGE)?;
    let mut body = Fields::new(&call.body.json, "");
    body.require("name");
    let name = body.sized("name", 1..=100);
    let description = body.sized("description", 0..=limits::TEMPLATE_DESCRIPTION_CHARS);
    body.problems.into_result()?;
    // (doc) JSON error 30031: a guild has no more than one.
    if !guild.community.templates.is_empty() {
        return Err(GuildError::HasTemplate.into());
    }
    let written = serialized(&call.state.realm, guild);
    let born = call.state.realm.mint.next();
    let template = GuildTemplate {
        code: format!("{:012x}", hash(&["template", &born.to_string()]) >> 16),
        name: name.unwrap_or_default(),
        description,
        creator: call.me,
        created: now(),
        synced: now(),
        guild: written,
    };
    let code = template.code.clone();
    call.guild_mut(id)?.community.templates.push(template);
    answer(call, id, &code)
}

fn answer(call: &RequestContext<'_>, id: Snowflake, code: &str) -> ApiResult {
    let guild = call.guild_with(id, MANAGE)?;
    let template = find(guild, code)?;
    ApiResponse::json(shown(&call.state.realm, guild, template))
}

/// Changes a template that the caller manages.
fn change(
    call: &mut RequestContext<'_>,
    path: &PathValues,
    change: impl FnOnce(&mut GuildTemplate),
) -> ApiResult {
    let (id, code) = (path.id(0), path.text());
    let templates = call.guild_mut(id)?.community.templates.iter_mut();
    let template = templates.into_iter().find(|it| it.code == code);
    change(template.ok_or(GuildError::UnknownTemplate)?);
    answer(call, id, code)
}

fn sync(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), MANAGE)?;
    let written = serialized(&call.state.realm, guild);
    change(call, path, |template| {
        template.guild = written;
        template.synced = now();
    })
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    call.guild_with(path.id(0), MANAGE)?;
    let mut body = Fields::new(&call.body.json, "");
    let name = body.sized("name", 1..=100);
    let given = body.names("description");
    let description = body.sized("description", 0..=limits::TEMPLATE_DESCRIPTION_CHARS);
    body.problems.into_result()?;
    change(call, path, |template| {
        template.name = name.unwrap_or_else(|| template.name.clone());
        if given {
            template.description = description;
        }
    })
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), MANAGE)?;
    let gone = shown(&call.state.realm, guild, find(guild, path.text())?);
    let templates = &mut call.guild_mut(path.id(0))?.community.templates;
    templates.retain(|template| template.code != path.text());
    Ok(ApiResponse::Json(gone))
}
