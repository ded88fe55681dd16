//! The guild as a whole: what it is called and how it behaves.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, RequestContext, allow,
    membership::remove,
    pictures::{data_uri, hash_of},
};
use crate::{
    limits,
    realm::{AuditAction, Guild, GuildChannelKind, GuildSettings, PermissionSet},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    snowflake::{Snowflake, rfc3339},
    state::PictureKind,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("PATCH /guilds/{guild}", modify),
    write("DELETE /guilds/{guild}", delete),
    write("PUT /guilds/{guild}/incident-actions", incident_actions),
    read("GET /guilds/{guild}/preview", preview),
    read("GET /guilds/{guild}/prune", prune_count),
    write("POST /guilds/{guild}/prune", prune),
    read("GET /guilds/{guild}/regions", regions),
    read("GET /voice/regions", all_regions),
];

/// What the audit log tells of a guild.
const LOGGED: [&str; 16] = [
    "name",
    "owner_id",
    "description",
    "icon",
    "afk_channel_id",
    "afk_timeout",
    "system_channel_id",
    "system_channel_flags",
    "rules_channel_id",
    "public_updates_channel_id",
    "safety_alerts_channel_id",
    "verification_level",
    "default_message_notifications",
    "explicit_content_filter",
    "preferred_locale",
    "premium_progress_bar_enabled",
];

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_GUILD)?;
    let before = json!(wire::Guild::new(guild));
    let mut settings = guild.settings.clone();
    let mut body = Fields::new(&call.body.json, "");
    let name = body.sized("name", 2..=100);
    let owner = body.id("owner_id");
    if let Some(owner) = owner {
        allow(guild.owner == call.me)?;
        guild.member(owner).ok_or(ApiError::UnknownMember)?;
    }
    if body.names("description") {
        settings.description = body.sized("description", 0..=300);
    }
    for (key, place) in [
        ("system_channel_id", &mut settings.system_channel_id),
        ("rules_channel_id", &mut settings.rules_channel_id),
        (
            "public_updates_channel_id",
            &mut settings.public_updates_channel_id,
        ),
        (
            "safety_alerts_channel_id",
            &mut settings.safety_alerts_channel_id,
        ),
    ] {
        if body.names(key) {
            *place = channel(call, guild, &mut body, key, GuildChannelKind::Text);
        }
    }
    if body.names("afk_channel_id") {
        let kind = GuildChannelKind::Voice;
        settings.afk_channel_id = channel(call, guild, &mut body, "afk_channel_id", kind);
    }
    for (key, most, place) in [
        ("verification_level", 4, &mut settings.verification_level),
        (
            "default_message_notifications",
            1,
            &mut settings.default_message_notifications,
        ),
        (
            "explicit_content_filter",
            2,
            &mut settings.explicit_content_filter,
        ),
        (
            "system_channel_flags",
            u64::from(u32::MAX),
            &mut settings.system_channel_flags,
        ),
    ] {
        *place = body.within(key, 0..=most).unwrap_or(*place);
    }
    if let Some(seconds) = body.number("afk_timeout") {
        if ![60, 300, 900, 1800, 3600].contains(&seconds) {
            let message = "Value must be one of (60, 300, 900, 1800, 3600).";
            body.wrong("afk_timeout", "BASE_TYPE_CHOICES", message);
        }
        settings.afk_timeout = seconds;
    }
    if let Some(locale) = body.sized("preferred_locale", 2..=10) {
        settings.preferred_locale = locale;
    }
    if let Some(shown) = body.flag("premium_progress_bar_enabled") {
        settings.premium_progress_bar_enabled = shown;
    }
    features(&mut body, &mut settings);
    let icon = body
        .names("icon")
        .then(|| data_uri(&mut body, "icon", limits::PICTURE_BYTES));
    body.problems.into_result()?;
    if let Some(icon) = icon {
        settings.icon = icon.as_ref().map(hash_of);
        match icon {
            Some(icon) => call.state.pictures.put(PictureKind::Icon, id, icon),
            None => call.state.pictures.remove(PictureKind::Icon, id),
        }
    }
    let guild = call.guild_mut(id)?;
    guild.name = name.unwrap_or_else(|| guild.name.clone());
    guild.owner = owner.unwrap_or(guild.owner);
    guild.settings = settings;
    let after = json!(wire::Guild::new(guild));
    updated(call, id);
    let action = AuditAction::GuildUpdate;
    call.audit_change(id, action, id, [&before, &after], &LOGGED);
    Ok(ApiResponse::Json(after))
}

/// Turns features on and off, as far as people can.
fn features(body: &mut Fields<'_>, settings: &mut GuildSettings) {
    let Some(list) = body.list("features") else {
        return;
    };
    let asked: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
    for name in GuildSettings::MUTABLE {
        settings.features.retain(|known| known != name);
        if asked.contains(&name) {
            settings.features.push(name.to_owned());
        }
    }
    let needs = [
        ("rules_channel_id", settings.rules_channel_id),
        (
            "public_updates_channel_id",
            settings.public_updates_channel_id,
        ),
    ];
    for (key, channel) in needs {
        if settings.has_feature("COMMUNITY") && channel.is_none() {
            body.wrong(key, "BASE_TYPE_REQUIRED", "This field is required");
        }
    }
}

/// Modify Guild Incident Actions.
fn incident_actions(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_GUILD)?;
    let mut incidents = guild.settings.incidents_data.clone().unwrap_or_default();
    let mut body = Fields::new(&call.body.json, "");
    for (key, place) in [
        (
            "invites_disabled_until",
            &mut incidents.invites_disabled_until,
        ),
        ("dms_disabled_until", &mut incidents.dms_disabled_until),
    ] {
        if body.names(key) {
            *place = body.time(key).map(rfc3339);
        }
    }
    body.problems.into_result()?;
    let answer = json!(incidents);
    call.guild_mut(id)?.settings.incidents_data = Some(incidents);
    updated(call, id);
    Ok(ApiResponse::Json(answer))
}

/// Delete Guild, which only owners can, and no bot is one.
fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    known(call, path.id(0))?;
    Err(ApiError::MissingPermissions)
}

/// Tells everybody what the guild is like now.
pub(super) fn updated(call: &mut RequestContext<'_>, id: Snowflake) {
    call.state
        .dispatch_guild(id, "GUILD_UPDATE", |_, guild| wire::Guild::new(guild));
}

/// A channel of the guild that a key names.
fn channel(
    call: &RequestContext<'_>,
    guild: &Guild,
    body: &mut Fields<'_>,
    key: &str,
    kind: GuildChannelKind,
) -> Option<Snowflake> {
    let id = body.id(key)?;
    let place = call.state.realm.channels.get(&id)?.of_guild();
    let fits = place.is_some_and(|place| {
        let text = place.kind == GuildChannelKind::Announcement;
        place.guild == guild.id && (place.kind == kind || (kind == GuildChannelKind::Text && text))
    });
    if !fits {
        body.wrong(key, "CHANNEL_INVALID", "Invalid channel");
    }
    fits.then_some(id)
}

fn preview(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let mut shown = json!(wire::Guild::new(guild).with_counts(guild));
    let kept = [
        "id",
        "name",
        "icon",
        "splash",
        "discovery_splash",
        "emojis",
        "features",
        "approximate_member_count",
        "approximate_presence_count",
        "description",
        "stickers",
    ];
    if let Value::Object(map) = &mut shown {
        map.retain(|key, _| kept.contains(&key.as_str()));
    }
    Ok(ApiResponse::Json(shown))
}

/// Members without roles who said nothing in so many days. Discord goes by
/// when they were last seen; here, by when they last wrote.
fn prunable(
    call: &RequestContext<'_>,
    guild: &Guild,
    days: u64,
    roles: &[Snowflake],
) -> Vec<Snowflake> {
    let hours = i64::try_from(days * 24).unwrap_or(i64::MAX);
    let since = crate::snowflake::now() - jiff::SignedDuration::from_hours(hours);
    let channels = call.state.realm.channels.values();
    let active: Vec<Snowflake> = channels
        .filter(|channel| channel.guild() == Some(guild.id))
        .flat_map(|channel| channel.messages.iter().rev())
        .filter(|message| message.id.timestamp() >= since)
        .map(|message| message.author)
        .collect();
    let members = guild.members.iter().filter(|member| {
        let spared = member.roles.iter().any(|role| !roles.contains(role));
        let bot = call.state.realm.person(member.person);
        let bot = bot.is_some_and(|person| person.bot);
        !spared && !bot && member.person != guild.owner && member.joined < since
    });
    members
        .map(|member| member.person)
        .filter(|person| !active.contains(person))
        .collect()
}

const PRUNE: PermissionSet = PermissionSet::KICK_MEMBERS;

fn prune_count(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let needed = PRUNE.with(PermissionSet::MANAGE_GUILD);
    let guild = call.guild_with(path.id(0), needed)?;
    let days = call.page("days", 7, *limits::PRUNE_DAYS.end())?;
    let roles: Vec<Snowflake> = match call.query.get("include_roles") {
        None => Vec::new(),
        Some(text) => text.split(',').filter_map(|id| id.parse().ok()).collect(),
    };
    let pruned = prunable(call, guild, days, &roles).len();
    ApiResponse::json(json!({ "pruned": pruned }))
}

fn prune(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PRUNE.with(PermissionSet::MANAGE_GUILD))?;
    let mut body = Fields::new(&call.body.json, "");
    let days = body.within("days", limits::PRUNE_DAYS).unwrap_or(7);
    let counted = body.flag("compute_prune_count").unwrap_or(true);
    let roles = body.ids("include_roles", limits::ROLES).unwrap_or_default();
    body.problems.into_result()?;
    let pruned = prunable(call, guild, days, &roles);
    for person in &pruned {
        remove(call, id, *person);
    }
    let options = json!({
        "delete_member_days": days.to_string(),
        "members_removed": pruned.len().to_string(),
    });
    let action = AuditAction::MemberPrune;
    call.audit(id, action, None, Vec::new(), Some(options));
    ApiResponse::json(json!({ "pruned": counted.then_some(pruned.len()) }))
}

fn regions(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    known(call, path.id(0))?;
    all_regions(call, path)
}

fn all_regions(_: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let region = |id: &str, name: &str, optimal: bool| {
        json!({
            "id": id,
            "name": name,
            "optimal": optimal,
            "deprecated": false,
            "custom": false,
        })
    };
    ApiResponse::json([
        region("rotterdam", "Rotterdam", true),
        region("us-east", "US East", false),
        region("japan", "Japan", false),
    ])
}
