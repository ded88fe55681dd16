//! Who is in which voice channel, and who may speak on a stage.

use super::{ApiError, ApiResult, GuildError, RequestContext, allow};
use crate::{
    gateway::StageChange,
    realm::{GuildChannelKind, PermissionSet, in_channel},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    snowflake::Snowflake,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/voice-states/@me", own),
    read("GET /guilds/{guild}/voice-states/{user}", one),
    write("PATCH /guilds/{guild}/voice-states/@me", modify_own),
    write("PATCH /guilds/{guild}/voice-states/{user}", modify),
    write("PUT /channels/{channel}/voice-status", set_status),
];

fn own(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    shown(call, path.id(0), call.me)
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    shown(call, path.id(0), path.id(1))
}

fn shown(call: &RequestContext<'_>, guild: Snowflake, person: Snowflake) -> ApiResult {
    let guild = known(call, guild)?;
    let state = call.state.voice.one(&call.state.realm, guild, person);
    ApiResponse::json(state.ok_or(GuildError::UnknownVoiceState)?)
}

fn modify_own(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    change(call, path.id(0), call.me)
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    change(call, path.id(0), path.id(1))
}

/// Modify Current User Voice State, and others': in stage channels.
fn change(call: &mut RequestContext<'_>, guild: Snowflake, person: Snowflake) -> ApiResult {
    known(call, guild)?;
    let own = person == call.me;
    let mut body = Fields::new(&call.body.json, "");
    let named = body.id("channel_id");
    let to = StageChange {
        suppress: body.flag("suppress"),
        asked_to_speak: body
            .names("request_to_speak_timestamp")
            .then(|| body.time("request_to_speak_timestamp"))
            .filter(|_| own),
    };
    body.problems.into_result()?;
    let channel = call.state.voice.channel(guild, person);
    let channel = channel.ok_or(GuildError::UnknownVoiceState)?;
    let realm = &call.state.realm;
    let place = realm.channels.get(&channel);
    let place = place.ok_or(ApiError::UnknownChannel)?;
    let stage = place
        .of_guild()
        .is_some_and(|it| it.kind == GuildChannelKind::Stage);
    if !stage || named.is_some_and(|named| named != channel) {
        return Err(ApiError::WrongChannelKind);
    }
    let held = in_channel(realm, call.me()?, place);
    // Everybody may step back; who moderates calls others to the front.
    let speaks = to.suppress == Some(false) || !own;
    allow(!speaks || held.has(PermissionSet::MUTE_MEMBERS))?;
    let asks = matches!(to.asked_to_speak, Some(Some(_)));
    allow(!asks || held.has(PermissionSet::REQUEST_TO_SPEAK))?;
    call.state.change_stage(guild, person, to);
    Ok(ApiResponse::NoContent)
}

/// Set Voice Channel Status.
fn set_status(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let (channel, held) = call.channel(id)?;
    let place = channel.of_guild();
    let place = place.filter(|place| place.kind == GuildChannelKind::Voice);
    let guild = place.map(|place| place.guild);
    let guild = guild.ok_or(ApiError::WrongChannelKind)?;
    let inside = call.state.voice.channel(guild, call.me) == Some(id);
    let own = inside && held.has(PermissionSet::SET_VOICE_CHANNEL_STATUS);
    allow(own || held.has(PermissionSet::MANAGE_CHANNELS))?;
    let mut body = Fields::new(&call.body.json, "");
    let status = body.sized("status", 0..=500);
    body.problems.into_result()?;
    let status = status.filter(|status| !status.is_empty());
    call.state
        .dispatch(id, "VOICE_CHANNEL_STATUS_UPDATE", |_, channel, _| {
            serde_json::json!({
                "id": channel.id,
                "guild_id": channel.guild(),
                "status": status,
            })
        });
    Ok(ApiResponse::NoContent)
}
