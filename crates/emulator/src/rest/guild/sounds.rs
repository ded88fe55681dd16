//! Sounds of a guild's soundboard, and those that Discord has for everybody.

use base64::Engine;
use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, GuildError, RequestContext, allow, emojis::may_change, pictures::LENIENT,
};
use crate::{
    limits,
    realm::{AuditAction, DefaultReaction, Guild, PermissionSet, Sound},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    snowflake::Snowflake,
    state::{PictureKind, StoredPicture},
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /soundboard-default-sounds", defaults),
    write("POST /channels/{channel}/send-soundboard-sound", play),
    read("GET /guilds/{guild}/soundboard-sounds", list),
    write("POST /guilds/{guild}/soundboard-sounds", create),
    read("GET /guilds/{guild}/soundboard-sounds/{sound}", one),
    write("PATCH /guilds/{guild}/soundboard-sounds/{sound}", modify),
    write("DELETE /guilds/{guild}/soundboard-sounds/{sound}", delete),
];

/// What the audit log tells of a sound.
const LOGGED: [&str; 4] = ["name", "volume", "emoji_id", "emoji_name"];

/// Discord's own: ids from one on.
const DEFAULTS: [(&str, &str); 6] = [
    ("quack", "🦆"),
    ("airhorn", "🔊"),
    ("cricket", "🦗"),
    ("golf clap", "👏"),
    ("sad horn", "🎺"),
    ("ba dum tss", "🥁"),
];

fn defaults(_: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let shown: Vec<Value> = (1u64..)
        .zip(DEFAULTS)
        .map(|(id, (name, emoji))| {
            json!({
                "sound_id": id.to_string(),
                "name": name,
                "volume": 1.0,
                "emoji_id": null,
                "emoji_name": emoji,
                "available": true,
            })
        })
        .collect();
    ApiResponse::json(shown)
}

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let sounds = guild.community.sounds.iter();
    let realm = &call.state.realm;
    let items: Vec<Value> = sounds.map(|it| wire::sound(realm, guild, it)).collect();
    ApiResponse::json(json!({ "items": items }))
}

fn find(guild: &Guild, id: Snowflake) -> Result<&Sound, ApiError> {
    let sound = guild.community.sounds.iter().find(|sound| sound.id == id);
    sound.ok_or(GuildError::UnknownSound.into())
}

fn shown(call: &RequestContext<'_>, guild: Snowflake, id: Snowflake) -> Result<Value, ApiError> {
    let guild = known(call, guild)?;
    Ok(wire::sound(&call.state.realm, guild, find(guild, id)?))
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    Ok(ApiResponse::Json(shown(call, path.id(0), path.id(1))?))
}

fn read_into(sound: &mut Sound, body: &mut Fields<'_>) {
    if let Some(name) = body.sized("name", 2..=32) {
        sound.name = name;
    }
    match body.get("volume").map(Value::as_f64) {
        None => {}
        Some(Some(volume)) if (0.0..=1.0).contains(&volume) => sound.volume = volume,
        Some(_) => {
            let message = "float value should be between 0 and 1.";
            body.wrong("volume", "NUMBER_TYPE_MAX", message);
        }
    }
    if body.names("emoji_id") || body.names("emoji_name") {
        sound.emoji = DefaultReaction {
            emoji_id: body.id("emoji_id"),
            emoji_name: body.sized("emoji_name", 0..=limits::EMOJI_NAME_CHARS),
        };
    }
}

/// MP3 or Ogg, in a data URI.
fn bytes(body: &mut Fields<'_>) -> Option<StoredPicture> {
    let text = body.text("sound")?;
    let data = text.split_once(";base64,").map(|(_, data)| data);
    let bytes = data.and_then(|data| LENIENT.decode(data).ok());
    let sound = bytes.and_then(|bytes| {
        let content_type = sound_type(&bytes)?;
        let bytes = bytes.into();
        Some(StoredPicture {
            content_type,
            bytes,
        })
    });
    match sound {
        Some(sound) if sound.bytes.len() <= limits::SOUND_BYTES => Some(sound),
        Some(_) => {
            let message = "File cannot be larger than 512.0 kb.";
            body.wrong("sound", "BINARY_TYPE_MAX_SIZE", message);
            None
        }
        None => {
            body.wrong("sound", "SOUND_INVALID", "Invalid sound");
            None
        }
    }
}

/// What kind of sound bytes are, by how they begin.
pub(crate) fn sound_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'O', b'g', b'g', b'S', ..] => Some("audio/ogg"),
        [b'I', b'D', b'3', ..] => Some("audio/mpeg"),
        [0xff, second, ..] if second & 0xe0 == 0xe0 => Some("audio/mpeg"),
        _ => None,
    }
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::CREATE_GUILD_EXPRESSIONS)?;
    if guild.community.sounds.len() >= limits::SOUNDS {
        return Err(GuildError::TooManySounds.into());
    }
    let mut sound = Sound {
        id: Snowflake(0),
        name: String::new(),
        volume: 1.0,
        emoji: DefaultReaction::default(),
        creator: call.me,
    };
    let mut body = Fields::new(&call.body.json, "");
    body.require("name");
    body.require("sound");
    read_into(&mut sound, &mut body);
    let heard = bytes(&mut body);
    body.problems.into_result()?;
    sound.id = call.state.realm.mint.next();
    let sound_id = sound.id;
    if let Some(heard) = heard {
        let pictures = &mut call.state.pictures;
        pictures.put(PictureKind::Sound, sound_id, heard);
    }
    call.guild_mut(id)?.community.sounds.push(sound);
    let answer = shown(call, id, sound_id)?;
    announce(call, id, "GUILD_SOUNDBOARD_SOUND_CREATE", &answer);
    let action = AuditAction::SoundCreate;
    call.audit_change(id, action, sound_id, [&Value::Null, &answer], &LOGGED);
    Ok(ApiResponse::Created(answer))
}

fn announce(call: &mut RequestContext<'_>, guild: Snowflake, name: &'static str, sound: &Value) {
    call.state.dispatch_guild(guild, name, |_, _| sound.clone());
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, sound_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let mut sound = find(guild, sound_id)?.clone();
    may_change(call, guild, Some(sound.creator))?;
    let before = shown(call, id, sound_id)?;
    let mut body = Fields::new(&call.body.json, "");
    read_into(&mut sound, &mut body);
    body.problems.into_result()?;
    let sounds = call.guild_mut(id)?.community.sounds.iter_mut();
    if let Some(known) = sounds.into_iter().find(|it| it.id == sound_id) {
        *known = sound;
    }
    let after = shown(call, id, sound_id)?;
    announce(call, id, "GUILD_SOUNDBOARD_SOUND_UPDATE", &after);
    let action = AuditAction::SoundUpdate;
    call.audit_change(id, action, sound_id, [&before, &after], &LOGGED);
    Ok(ApiResponse::Json(after))
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, sound_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    may_change(call, guild, Some(find(guild, sound_id)?.creator))?;
    let before = shown(call, id, sound_id)?;
    let sounds = &mut call.guild_mut(id)?.community.sounds;
    sounds.retain(|sound| sound.id != sound_id);
    call.state.pictures.remove(PictureKind::Sound, sound_id);
    call.state.dispatch_guild(
        id,
        "GUILD_SOUNDBOARD_SOUND_DELETE",
        |_, guild| json!({ "sound_id": sound_id, "guild_id": guild.id }),
    );
    let action = AuditAction::SoundDelete;
    call.audit_change(id, action, sound_id, [&before, &Value::Null], &LOGGED);
    Ok(ApiResponse::NoContent)
}

/// Send Soundboard Sound: for those who are in the voice channel.
fn play(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, me) = (path.id(0), call.me);
    let (channel, held) = call.channel(id)?;
    let guild = channel.guild().ok_or(ApiError::WrongChannelKind)?;
    allow(held.has(PermissionSet::SPEAK.with(PermissionSet::USE_SOUNDBOARD)))?;
    let mut body = Fields::new(&call.body.json, "");
    body.require("sound_id");
    let sound = body.id("sound_id");
    let source = body.id("source_guild_id");
    body.problems.into_result()?;
    if call.state.voice.channel(guild, me) != Some(id) {
        return Err(GuildError::NotInVoice.into());
    }
    let sound = sound.ok_or(GuildError::UnknownSound)?;
    let volume = if sound.0 <= DEFAULTS.len() as u64 {
        1.0
    } else {
        find(known(call, source.unwrap_or(guild))?, sound)?.volume
    };
    call.state
        .dispatch(id, "VOICE_CHANNEL_EFFECT_SEND", |_, channel, _| {
            json!({
                "channel_id": channel.id,
                "guild_id": channel.guild(),
                "user_id": me,
                "sound_id": sound,
                "sound_volume": volume,
                "emoji": null,
                "animation_type": null,
            })
        });
    Ok(ApiResponse::NoContent)
}
