//! Emoji of guilds, and of the application.

use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext, allow, pictures::data_uri};
use crate::{
    limits,
    realm::{Application, AuditAction, CustomEmoji, Guild, PermissionSet},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    snowflake::Snowflake,
    state::PictureKind,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/emojis/{emoji}", one),
    write("POST /guilds/{guild}/emojis", create),
    write("PATCH /guilds/{guild}/emojis/{emoji}", modify),
    write("DELETE /guilds/{guild}/emojis/{emoji}", delete),
    read("GET /applications/{application}/emojis", own_list),
    read("GET /applications/{application}/emojis/{emoji}", own_one),
    write("POST /applications/{application}/emojis", own_create),
    write(
        "PATCH /applications/{application}/emojis/{emoji}",
        own_modify,
    ),
    write(
        "DELETE /applications/{application}/emojis/{emoji}",
        own_delete,
    ),
];

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let emoji = find(&guild.emojis, path.id(1))?;
    Ok(ApiResponse::Json(shown(call, emoji)))
}

fn find(emojis: &[CustomEmoji], id: Snowflake) -> Result<&CustomEmoji, ApiError> {
    let emoji = emojis.iter().find(|emoji| emoji.id == id);
    emoji.ok_or(GuildError::UnknownEmoji.into())
}

fn shown(call: &RequestContext<'_>, emoji: &CustomEmoji) -> Value {
    wire::emoji_with_creator(&call.state.realm, emoji)
}

/// A name of two letters, digits or underscores and more.
fn name(body: &mut Fields<'_>) -> Option<String> {
    let name = body.sized("name", 2..=32)?;
    let word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !word {
        let message = "String value did not match validation regex.";
        body.wrong("name", "STRING_TYPE_REGEX", message);
    }
    Some(name)
}

/// Makes an emoji of a body, with its picture.
fn made(call: &mut RequestContext<'_>, guild: Option<Snowflake>) -> Result<CustomEmoji, ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    body.require("name");
    body.require("image");
    let name = name(&mut body);
    let picture = data_uri(&mut body, "image", limits::EMOJI_BYTES);
    let roles = body.ids("roles", limits::ROLES).unwrap_or_default();
    body.problems.into_result()?;
    let picture = picture.ok_or(GuildError::InvalidFile)?;
    let emoji = CustomEmoji {
        id: call.state.realm.mint.next(),
        name: name.unwrap_or_default(),
        roles: guild.map_or_else(Vec::new, |_| roles),
        creator: Some(call.me),
        animated: picture.content_type == "image/gif",
    };
    call.state
        .pictures
        .put(PictureKind::Emoji, emoji.id, picture);
    Ok(emoji)
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::CREATE_GUILD_EXPRESSIONS)?;
    let (moving, still): (Vec<_>, Vec<_>) = guild.emojis.iter().partition(|it| it.animated);
    let gif = call.body.json.get("image").and_then(Value::as_str);
    let gif = gif.is_some_and(|image| image.starts_with("data:image/gif"));
    let like_it = if gif { moving.len() } else { still.len() };
    if like_it >= limits::EMOJIS {
        return Err(GuildError::TooManyEmojis.into());
    }
    let emoji = made(call, Some(id))?;
    let (emoji_id, answer) = (emoji.id, shown(call, &emoji));
    call.guild_mut(id)?.emojis.push(emoji);
    updated(call, id);
    let action = AuditAction::EmojiCreate;
    call.audit_change(id, action, emoji_id, [&Value::Null, &answer], &["name"]);
    Ok(ApiResponse::Created(answer))
}

fn updated(call: &mut RequestContext<'_>, guild: Snowflake) {
    call.state
        .dispatch_guild(guild, "GUILD_EMOJIS_UPDATE", |_, guild| {
            let emojis: Vec<wire::Emoji> = guild.emojis.iter().map(wire::Emoji::from).collect();
            json!({ "guild_id": guild.id, "emojis": emojis })
        });
}

/// Who manages expressions changes all, who creates some changes their own.
pub(super) fn may_change(
    call: &RequestContext<'_>,
    guild: &Guild,
    creator: Option<Snowflake>,
) -> Result<(), ApiError> {
    let held = call.held_in(guild);
    let own = creator == Some(call.me) && held.has(PermissionSet::CREATE_GUILD_EXPRESSIONS);
    allow(own || held.has(PermissionSet::MANAGE_GUILD_EXPRESSIONS))
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, emoji_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let emoji = find(&guild.emojis, emoji_id)?;
    may_change(call, guild, emoji.creator)?;
    let before = shown(call, emoji);
    let mut body = Fields::new(&call.body.json, "");
    let name = name(&mut body);
    let roles = match body.names("roles") {
        true => Some(body.ids("roles", limits::ROLES).unwrap_or_default()),
        false => None,
    };
    body.problems.into_result()?;
    let emojis = call.guild_mut(id)?.emojis.iter_mut();
    let emoji = emojis.into_iter().find(|emoji| emoji.id == emoji_id);
    let emoji = emoji.ok_or(GuildError::UnknownEmoji)?;
    emoji.name = name.unwrap_or_else(|| emoji.name.clone());
    emoji.roles = roles.unwrap_or_else(|| emoji.roles.clone());
    updated(call, id);
    let guild = known(call, id)?;
    let after = shown(call, find(&guild.emojis, emoji_id)?);
    let action = AuditAction::EmojiUpdate;
    call.audit_change(id, action, emoji_id, [&before, &after], &["name"]);
    Ok(ApiResponse::Json(after))
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, emoji_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let emoji = find(&guild.emojis, emoji_id)?;
    may_change(call, guild, emoji.creator)?;
    let before = shown(call, emoji);
    let emojis = &mut call.guild_mut(id)?.emojis;
    emojis.retain(|emoji| emoji.id != emoji_id);
    call.state.pictures.remove(PictureKind::Emoji, emoji_id);
    updated(call, id);
    let action = AuditAction::EmojiDelete;
    call.audit_change(id, action, emoji_id, [&before, &Value::Null], &["name"]);
    Ok(ApiResponse::NoContent)
}

/// Only a bot has an application, and only its own.
fn own<'a>(call: &'a RequestContext<'_>, path: &PathValues) -> Result<&'a Application, ApiError> {
    let application = call.state.realm.application_of(call.me);
    let application = application.ok_or(ApiError::OnlyBots)?;
    if path.id(0) == application.id {
        Ok(application)
    } else {
        Err(ApiError::MissingAccess)
    }
}

fn own_mut<'a>(
    call: &'a mut RequestContext<'_>,
    path: &PathValues,
) -> Result<&'a mut Vec<CustomEmoji>, ApiError> {
    own(call, path)?;
    let application = call.state.realm.application_of_mut(call.me);
    Ok(&mut application.ok_or(ApiError::OnlyBots)?.emojis)
}

fn own_list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let emojis = own(call, path)?.emojis.iter();
    let items: Vec<Value> = emojis.map(|emoji| shown(call, emoji)).collect();
    ApiResponse::json(json!({ "items": items }))
}

fn own_one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let emoji = find(&own(call, path)?.emojis, path.id(1))?;
    Ok(ApiResponse::Json(shown(call, emoji)))
}

fn own_create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    if own(call, path)?.emojis.len() >= limits::APPLICATION_EMOJIS {
        return Err(GuildError::TooManyEmojis.into());
    }
    let emoji = made(call, None)?;
    let answer = shown(call, &emoji);
    own_mut(call, path)?.push(emoji);
    Ok(ApiResponse::Created(answer))
}

fn own_modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    own(call, path)?;
    let mut body = Fields::new(&call.body.json, "");
    let name = name(&mut body);
    body.problems.into_result()?;
    let emojis = own_mut(call, path)?.iter_mut();
    let emoji = emojis.into_iter().find(|emoji| emoji.id == path.id(1));
    let emoji = emoji.ok_or(GuildError::UnknownEmoji)?;
    emoji.name = name.unwrap_or_else(|| emoji.name.clone());
    own_one(call, path)
}

fn own_delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    find(&own(call, path)?.emojis, path.id(1))?;
    let emojis = own_mut(call, path)?;
    emojis.retain(|emoji| emoji.id != path.id(1));
    call.state.pictures.remove(PictureKind::Emoji, path.id(1));
    Ok(ApiResponse::NoContent)
}
