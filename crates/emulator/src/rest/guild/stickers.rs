//! Stickers of guilds.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, GuildError, RequestContext, emojis::may_change, pictures::content_type,
};
use crate::{
    limits,
    realm::{AuditAction, Guild, PermissionSet, Sticker},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, open, read, write},
        guilds::known,
    },
    snowflake::Snowflake,
    state::{PictureKind, StoredPicture},
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /stickers/{sticker}", anywhere),
    open("GET /sticker-packs", packs),
    read("GET /guilds/{guild}/stickers", list),
    read("GET /guilds/{guild}/stickers/{sticker}", one),
    write("POST /guilds/{guild}/stickers", create),
    write("PATCH /guilds/{guild}/stickers/{sticker}", modify),
    write("DELETE /guilds/{guild}/stickers/{sticker}", delete),
];

/// What the audit log tells of a sticker.
const LOGGED: [&str; 4] = ["name", "description", "tags", "format_type"];

/// Discord's own packs are not here.
fn packs(_: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    ApiResponse::json(json!({ "sticker_packs": [] }))
}

fn anywhere(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guilds = call.state.realm.guilds.iter();
    let found = guilds
        .flat_map(|guild| guild.stickers.iter().map(move |sticker| (guild, sticker)))
        .find(|(_, sticker)| sticker.id == path.id(0));
    let (guild, sticker) = found.ok_or(GuildError::UnknownSticker)?;
    ApiResponse::json(wire::Sticker::new(guild, sticker))
}

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let stickers = guild.stickers.iter();
    let shown: Vec<Value> = stickers.map(|it| shown(call, guild, it)).collect();
    ApiResponse::json(shown)
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let sticker = find(guild, path.id(1))?;
    Ok(ApiResponse::Json(shown(call, guild, sticker)))
}

fn find(guild: &Guild, id: Snowflake) -> Result<&Sticker, ApiError> {
    let sticker = guild.stickers.iter().find(|sticker| sticker.id == id);
    sticker.ok_or(GuildError::UnknownSticker.into())
}

/// With who made it.
fn shown(call: &RequestContext<'_>, guild: &Guild, sticker: &Sticker) -> Value {
    let mut shown = json!(wire::Sticker::new(guild, sticker));
    let realm = &call.state.realm;
    let creator = sticker.creator.and_then(|id| realm.person(id));
    if let Some(creator) = creator {
        shown["user"] = json!(wire::User::from(creator));
    }
    shown
}

/// Discord Docs/Sticker, Sticker Format Types: PNG, APNG, Lottie, GIF.
fn format(bytes: &[u8]) -> Option<(u8, &'static str)> {
    let moves = || memchr::memmem::find(bytes, b"acTL").is_some();
    match content_type(bytes) {
        Some("image/png") if moves() => Some((2, "image/png")),
        Some("image/png") => Some((1, "image/png")),
        Some("image/gif") => Some((4, "image/gif")),
        _ if bytes.first() == Some(&b'{') => Some((3, "application/json")),
        _ => None,
    }
}

fn described(body: &mut Fields<'_>) -> Option<Option<String>> {
    let given = body.names("description");
    let text = body.sized("description", 0..=100);
    given.then(|| text.filter(|text| !text.is_empty()))
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::CREATE_GUILD_EXPRESSIONS)?;
    if guild.stickers.len() >= limits::GUILD_STICKERS {
        return Err(GuildError::TooManyStickers.into());
    }
    let mut body = Fields::new(&call.body.json, "");
    body.require("name");
    body.require("tags");
    let name = body.sized("name", 2..=30);
    let tags = body.sized("tags", 1..=200);
    let description = described(&mut body);
    if call.body.files.is_empty() {
        body.wrong("file", "BASE_TYPE_REQUIRED", "This field is required");
    }
    body.problems.into_result()?;
    let upload = call.body.files.first().ok_or(GuildError::InvalidFile)?;
    if upload.bytes.len() > limits::STICKER_BYTES {
        return Err(GuildError::FileTooLarge.into());
    }
    let (format, content_type) = format(&upload.bytes).ok_or(GuildError::InvalidFile)?;
    let picture = StoredPicture {
        content_type,
        bytes: upload.bytes.clone(),
    };
    let sticker = Sticker {
        id: call.state.realm.mint.next(),
        name: name.unwrap_or_default(),
        description: description.flatten(),
        tags: tags.unwrap_or_default(),
        format,
        creator: Some(call.me),
    };
    let sticker_id = sticker.id;
    let pictures = &mut call.state.pictures;
    pictures.put(PictureKind::Sticker, sticker_id, picture);
    call.guild_mut(id)?.stickers.push(sticker);
    updated(call, id);
    let guild = known(call, id)?;
    let answer = shown(call, guild, find(guild, sticker_id)?);
    let action = AuditAction::StickerCreate;
    call.audit_change(id, action, sticker_id, [&Value::Null, &answer], &LOGGED);
    Ok(ApiResponse::Created(answer))
}

fn updated(call: &mut RequestContext<'_>, guild: Snowflake) {
    call.state
        .dispatch_guild(guild, "GUILD_STICKERS_UPDATE", |_, guild| {
            let stickers = guild.stickers.iter();
            let stickers: Vec<wire::Sticker> =
                stickers.map(|it| wire::Sticker::new(guild, it)).collect();
            json!({ "guild_id": guild.id, "stickers": stickers })
        });
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, sticker_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let sticker = find(guild, sticker_id)?;
    may_change(call, guild, sticker.creator)?;
    let before = shown(call, guild, sticker);
    let mut body = Fields::new(&call.body.json, "");
    let name = body.sized("name", 2..=30);
    let tags = body.sized("tags", 1..=200);
    let description = described(&mut body);
    body.problems.into_result()?;
    let stickers = call.guild_mut(id)?.stickers.iter_mut();
    let sticker = stickers.into_iter().find(|it| it.id == sticker_id);
    let sticker = sticker.ok_or(GuildError::UnknownSticker)?;
    sticker.name = name.unwrap_or_else(|| sticker.name.clone());
    sticker.tags = tags.unwrap_or_else(|| sticker.tags.clone());
    if let Some(description) = description {
        sticker.description = description;
    }
    updated(call, id);
    let guild = known(call, id)?;
    let after = shown(call, guild, find(guild, sticker_id)?);
    let action = AuditAction::StickerUpdate;
    call.audit_change(id, action, sticker_id, [&before, &after], &LOGGED);
    Ok(ApiResponse::Json(after))
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, sticker_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let sticker = find(guild, sticker_id)?;
    may_change(call, guild, sticker.creator)?;
    let before = shown(call, guild, sticker);
    let stickers = &mut call.guild_mut(id)?.stickers;
    stickers.retain(|sticker| sticker.id != sticker_id);
    let pictures = &mut call.state.pictures;
    pictures.remove(PictureKind::Sticker, sticker_id);
    updated(call, id);
    let action = AuditAction::StickerDelete;
    call.audit_change(id, action, sticker_id, [&before, &Value::Null], &LOGGED);
    Ok(ApiResponse::NoContent)
}
