//! The widget, by which strangers look into a guild.

use serde_json::{Value, json};

use super::{ApiResult, GuildError, RequestContext, settings::updated};
use crate::{
    realm::{Guild, PermissionSet},
    rest::{
        ApiError, ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
    },
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/widget", widget),
    write("PATCH /guilds/{guild}/widget", modify),
    read("GET /guilds/{guild}/widget.json", public),
];

fn settings(guild: &Guild) -> Value {
    let settings = &guild.settings;
    json!({ "enabled": settings.widget_enabled, "channel_id": settings.widget_channel_id })
}

fn widget(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), PermissionSet::MANAGE_GUILD)?;
    ApiResponse::json(settings(guild))
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_GUILD)?;
    let mut body = Fields::new(&call.body.json, "");
    let enabled = body
        .flag("enabled")
        .unwrap_or(guild.settings.widget_enabled);
    let channel = match body.names("channel_id") {
        true => body.id("channel_id"),
        false => guild.settings.widget_channel_id,
    };
    let known = channel.and_then(|id| call.state.realm.channels.get(&id));
    if channel.is_some() && known.and_then(|it| it.guild()) != Some(id) {
        body.wrong("channel_id", "CHANNEL_INVALID", "Invalid channel");
    }
    body.problems.into_result()?;
    let kept = &mut call.guild_mut(id)?.settings;
    kept.widget_enabled = enabled;
    kept.widget_channel_id = channel;
    updated(call, id);
    let guild = call.guild_mut(id)?;
    ApiResponse::json(settings(guild))
}

/// Get Guild Widget. Names, colours and ids of people stay hidden; voice
/// channels that everybody sees are listed, and who is online.
fn public(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let realm = &call.state.realm;
    let guild = realm.guild(path.id(0)).ok_or(ApiError::UnknownGuild)?;
    if !guild.settings.widget_enabled {
        return Err(GuildError::WidgetDisabled.into());
    }
    let presences = call.state.presences(guild, |_| true);
    let online: Vec<Value> = presences
        .iter()
        .filter(|presence| presence["status"] != "offline")
        .zip(0..)
        .filter_map(|(presence, number)| {
            let id = presence["user"]["id"].as_str()?.parse().ok()?;
            let person = realm.person(id)?;
            Some(json!({
                "id": number.to_string(),
                "username": person.name,
                "discriminator": "0000",
                "avatar": null,
                "status": presence["status"],
                "avatar_url": "",
            }))
        })
        .collect();
    let channels: Vec<Value> = realm
        .channels
        .values()
        .filter_map(|channel| Some((channel.id, channel.of_guild()?)))
        .filter(|(_, place)| place.guild == guild.id && place.kind.spoken())
        .map(|(id, place)| json!({ "id": id, "name": place.name, "position": place.position }))
        .collect();
    let mut invites = guild.invites.iter();
    let wanted = guild.settings.widget_channel_id;
    let invite = invites.find(|invite| Some(invite.channel) == wanted && invite.usable());
    ApiResponse::json(json!({
        "id": guild.id,
        "name": guild.name,
        "instant_invite": invite.map(|invite| format!("https://discord.com/invite/{}", invite.code)),
        "channels": channels,
        "presence_count": online.len(),
        "members": online,
    }))
}
