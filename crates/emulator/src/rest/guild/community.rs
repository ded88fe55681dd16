//! What greets those who come to a guild: the welcome screen, onboarding, and
//! an address of its own.

use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext};
use crate::{
    limits,
    realm::{Guild, Onboarding, PermissionSet, WelcomeScreen},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    snowflake::{Mint, Snowflake},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/welcome-screen", welcome_screen),
    write("PATCH /guilds/{guild}/welcome-screen", welcome),
    read("GET /guilds/{guild}/onboarding", onboarding),
    write("PUT /guilds/{guild}/onboarding", onboard),
    read("GET /guilds/{guild}/vanity-url", vanity_url),
];

fn shown_screen(screen: &WelcomeScreen) -> Value {
    json!({ "description": screen.description, "welcome_channels": screen.channels })
}

/// Those who manage the guild see it even when others do not.
fn welcome_screen(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let manages = call.held_in(guild).has(PermissionSet::MANAGE_GUILD);
    let screen = guild.community.welcome.as_ref();
    let screen = screen.filter(|screen| screen.enabled || manages);
    ApiResponse::json(shown_screen(
        screen.ok_or(GuildError::UnknownWelcomeScreen)?,
    ))
}

fn welcome(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_GUILD)?;
    let mut screen = guild.community.welcome.clone().unwrap_or_default();
    let mut body = Fields::new(&call.body.json, "");
    screen.enabled = body.flag("enabled").unwrap_or(screen.enabled);
    if body.names("description") {
        screen.description = body.sized("description", 0..=limits::WELCOME_CHARS);
    }
    if let Some(list) = body.list("welcome_channels") {
        if list.len() > limits::WELCOME_CHANNELS {
            body.too_long("welcome_channels", limits::WELCOME_CHANNELS);
        }
        let list = list.iter().take(limits::WELCOME_CHANNELS).enumerate();
        screen.channels = list
            .map(|(at, value)| welcome_channel(call, guild, &mut body, at, value))
            .collect();
    }
    body.problems.into_result()?;
    let answer = shown_screen(&screen);
    call.guild_mut(id)?.community.welcome = Some(screen);
    Ok(ApiResponse::Json(answer))
}

fn welcome_channel(
    call: &RequestContext<'_>,
    guild: &Guild,
    body: &mut Fields<'_>,
    at: usize,
    value: &Value,
) -> Value {
    let empty = serde_json::Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let mut inside = Fields::new(map, &format!("welcome_channels.{at}"));
    inside.require("channel_id");
    inside.require("description");
    let channel = inside.id("channel_id");
    if channel.is_some_and(|id| !is_of(call, guild, id)) {
        inside.wrong("channel_id", "CHANNEL_INVALID", "Invalid channel");
    }
    let shown = json!({
        "channel_id": channel,
        "description": inside.sized("description", 1..=50),
        "emoji_id": inside.id("emoji_id"),
        "emoji_name": inside.text("emoji_name"),
    });
    body.problems.merge(inside.problems);
    shown
}

fn is_of(call: &RequestContext<'_>, guild: &Guild, channel: Snowflake) -> bool {
    let channel = call.state.realm.channels.get(&channel);
    channel.and_then(|channel| channel.guild()) == Some(guild.id)
}

fn shown_onboarding(guild: Snowflake, onboarding: &Onboarding) -> Value {
    json!({
        "guild_id": guild,
        "prompts": onboarding.prompts,
        "default_channel_ids": onboarding.default_channel_ids,
        "enabled": onboarding.enabled,
        "mode": onboarding.mode,
    })
}

fn onboarding(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    ApiResponse::json(shown_onboarding(guild.id, &guild.community.onboarding))
}

fn onboard(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let needed = PermissionSet::MANAGE_GUILD.with(PermissionSet::MANAGE_ROLES);
    let guild = call.guild_with(id, needed)?;
    let mut kept = guild.community.onboarding.clone();
    let mut body = Fields::new(&call.body.json, "");
    kept.enabled = body.flag("enabled").unwrap_or(kept.enabled);
    kept.mode = body.within("mode", 0..=1).unwrap_or(kept.mode);
    if let Some(channels) = body.ids("default_channel_ids", limits::CHANNELS) {
        if channels.iter().any(|channel| !is_of(call, guild, *channel)) {
            body.wrong("default_channel_ids", "CHANNEL_INVALID", "Invalid channel");
        }
        kept.default_channel_ids = channels;
    }
    let prompts = body.list("prompts");
    if prompts.is_some_and(|prompts| prompts.len() > limits::ONBOARDING_PROMPTS) {
        body.too_long("prompts", limits::ONBOARDING_PROMPTS);
    }
    for (at, value) in prompts.into_iter().flatten().enumerate() {
        check_prompt(&mut body, at, value);
    }
    body.problems.into_result()?;
    if let Some(prompts) = prompts {
        let prompts: Vec<Value> = prompts.to_vec();
        let mint = &mut call.state.realm.mint;
        kept.prompts = prompts.iter().map(|it| prompt(mint, it)).collect();
    }
    if kept.enabled && kept.default_channel_ids.len() < limits::ONBOARDING_CHANNELS {
        return Err(GuildError::OnboardingTooSmall.into());
    }
    let answer = shown_onboarding(id, &kept);
    call.guild_mut(id)?.community.onboarding = kept;
    Ok(ApiResponse::Json(answer))
}

fn check_prompt(body: &mut Fields<'_>, at: usize, value: &Value) {
    let empty = serde_json::Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let mut inside = Fields::new(map, &format!("prompts.{at}"));
    inside.require("title");
    inside.sized("title", 1..=100);
    inside.require("options");
    inside.list("options");
    body.problems.merge(inside.problems);
}

/// A prompt with every field that Discord shows, and ids that are ours.
fn prompt(mint: &mut Mint, given: &Value) -> Value {
    let or = |value: &Value, other: Value| match value {
        Value::Null => other,
        value => value.clone(),
    };
    let options = given["options"].as_array().into_iter().flatten();
    let options: Vec<Value> = options
        .take(limits::ONBOARDING_OPTIONS)
        .map(|option| {
            // Bots write an emoji as its parts, and read it as one.
            let emoji = match &option["emoji"] {
                Value::Null => json!({
                    "id": option["emoji_id"],
                    "name": option["emoji_name"],
                    "animated": option["emoji_animated"].as_bool().unwrap_or(false),
                }),
                emoji => emoji.clone(),
            };
            json!({
                "id": known_or_new(mint, &option["id"]),
                "title": option["title"],
                "description": option["description"],
                "channel_ids": or(&option["channel_ids"], json!([])),
                "role_ids": or(&option["role_ids"], json!([])),
                "emoji": emoji,
            })
        })
        .collect();
    json!({
        "id": known_or_new(mint, &given["id"]),
        "type": or(&given["type"], json!(0)),
        "title": given["title"],
        "single_select": or(&given["single_select"], json!(false)),
        "required": or(&given["required"], json!(false)),
        "in_onboarding": or(&given["in_onboarding"], json!(false)),
        "options": options,
    })
}

/// Clients name what is new by small numbers.
fn known_or_new(mint: &mut Mint, id: &Value) -> Snowflake {
    let known = id.as_str().and_then(|id| id.parse().ok());
    let known = known.filter(|id: &Snowflake| id.0 >= 1 << 22);
    known.unwrap_or_else(|| mint.next())
}

fn vanity_url(call: &mut RequestContext<'_>, path: &PathValues) -> Result<ApiResponse, ApiError> {
    call.guild_with(path.id(0), PermissionSet::MANAGE_GUILD)?;
    ApiResponse::json(json!({ "code": null, "uses": 0 }))
}
