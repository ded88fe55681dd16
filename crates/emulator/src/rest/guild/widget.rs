//! The widget, by which strangers look into a guild.

use serde_json::{Value, json};

use super::{ApiResult, GuildError, RequestContext, settings::updated};
use crate::{
    realm::{Guild, PermissionSet},
    rest::{
        ApiError, ApiResponse,
        body::Fields,
        emojis::disc,
        endpoint::{PathValues, RestEndpoint, open, read, write},
        error::Problems,
    },
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/widget", widget),
    write("PATCH /guilds/{guild}/widget", modify),
    open("GET /guilds/{guild}/widget.json", public),
    open("GET /guilds/{guild}/widget.png", picture),
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

/// A guild whose widget is on.
fn shown<'a>(call: &'a RequestContext<'_>, path: &PathValues) -> Result<&'a Guild, ApiError> {
    let guild = call.state.realm.guild(path.id(0));
    let guild = guild.ok_or(ApiError::UnknownGuild)?;
    match guild.settings.widget_enabled {
        true => Ok(guild),
        false => Err(GuildError::WidgetDisabled.into()),
    }
}

/// Get Guild Widget Image: a disc in the guild's colour, whatever the style.
fn picture(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let styles = ["shield", "banner1", "banner2", "banner3", "banner4"];
    let style = call.query.get("style").map_or("shield", String::as_str);
    if !styles.contains(&style) {
        let message = format!("Value must be one of ({}).", styles.join(", "));
        return Err(Problems::one("style", "BASE_TYPE_CHOICES", message));
    }
    let guild = shown(call, path)?;
    let png = disc(&guild.name).ok_or(ApiError::Internal)?;
    Ok(ApiResponse::Png(png))
}

/// Get Guild Widget. Names, colours and ids of people stay hidden; voice
/// channels that everybody sees are listed, and who is online.
fn public(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (realm, guild) = (&call.state.realm, shown(call, path)?);
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
