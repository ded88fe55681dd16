//! What a guild has only when somebody set it up, which nobody can here:
//! the answers are those of a guild where nobody did.

use serde_json::{Value, json};

use super::{ApiResult, GuildError, RequestContext, settings::updated};
use crate::{
    realm::{Guild, PermissionSet},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/integrations", managed_list),
    read("GET /guilds/{guild}/auto-moderation/rules", managed_list),
    read("GET /guilds/{guild}/templates", managed_list),
    read("GET /guilds/{guild}/scheduled-events", list),
    read("GET /guilds/{guild}/soundboard-sounds", items),
    read("GET /guilds/{guild}/welcome-screen", welcome_screen),
    read("GET /guilds/{guild}/onboarding", onboarding),
    read("GET /guilds/{guild}/vanity-url", vanity_url),
    read("GET /guilds/{guild}/widget", widget),
    write("PATCH /guilds/{guild}/widget", modify_widget),
    read("GET /guilds/{guild}/widget.json", public_widget),
    read("GET /guilds/templates/{code}", template),
];

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    known(call, path.id(0))?;
    ApiResponse::json(json!([]))
}

/// A list that only those see who manage the guild.
fn managed_list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    call.guild_with(path.id(0), PermissionSet::MANAGE_GUILD)?;
    ApiResponse::json(json!([]))
}

fn items(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    known(call, path.id(0))?;
    ApiResponse::json(json!({ "items": [] }))
}

fn welcome_screen(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    known(call, path.id(0))?;
    Err(GuildError::UnknownWelcomeScreen.into())
}

fn template(_: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    Err(GuildError::UnknownTemplate.into())
}

fn onboarding(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    ApiResponse::json(json!({
        "guild_id": guild.id,
        "prompts": [],
        "default_channel_ids": [],
        "enabled": false,
        "mode": 0,
    }))
}

fn vanity_url(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    call.guild_with(path.id(0), PermissionSet::MANAGE_GUILD)?;
    ApiResponse::json(json!({ "code": null, "uses": 0 }))
}

fn widget_settings(guild: &Guild) -> Value {
    let settings = &guild.settings;
    json!({ "enabled": settings.widget_enabled, "channel_id": settings.widget_channel_id })
}

fn widget(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), PermissionSet::MANAGE_GUILD)?;
    ApiResponse::json(widget_settings(guild))
}

fn modify_widget(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
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
    let settings = &mut call.guild_mut(id)?.settings;
    settings.widget_enabled = enabled;
    settings.widget_channel_id = channel;
    updated(call, id);
    let guild = call.guild_mut(id)?;
    ApiResponse::json(widget_settings(guild))
}

/// Get Guild Widget.
fn public_widget(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    if !guild.settings.widget_enabled {
        return Err(GuildError::WidgetDisabled.into());
    }
    ApiResponse::json(json!({
        "id": guild.id,
        "name": guild.name,
        "instant_invite": null,
        "channels": [],
        "members": [],
        "presence_count": guild.members.len(),
    }))
}
