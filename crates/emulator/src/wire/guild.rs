//! Guilds, their roles and channels, and the bot's application.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Channel, Emoji, Member, Sticker, User, scheduled_event, sound, stage_instance};
use crate::{
    realm::{self, GuildSettings, PermissionSet, Realm, UserAccount, in_guild},
    snowflake::{Snowflake, hash, rfc3339},
    world::PrivilegedIntent,
};

#[derive(Serialize)]
pub(crate) struct Role {
    id: Snowflake,
    name: String,
    description: Option<String>,
    color: u32,
    colors: RoleColors,
    hoist: bool,
    icon: Option<String>,
    unicode_emoji: Option<String>,
    position: usize,
    permissions: PermissionSet,
    managed: bool,
    mentionable: bool,
    flags: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<RoleTags>,
}

/// Whom Discord keeps a role for.
#[derive(Serialize)]
struct RoleTags {
    bot_id: Snowflake,
}

#[derive(Serialize)]
struct RoleColors {
    primary_color: u32,
    secondary_color: Option<u32>,
    tertiary_color: Option<u32>,
}

impl From<&realm::Role> for Role {
    fn from(role: &realm::Role) -> Self {
        Self {
            id: role.id,
            name: role.name.clone(),
            description: None,
            color: role.color,
            colors: RoleColors {
                primary_color: role.color,
                secondary_color: None,
                tertiary_color: None,
            },
            hoist: role.hoist,
            icon: None,
            unicode_emoji: None,
            position: role.position,
            permissions: role.permissions,
            managed: role.bot.is_some(),
            mentionable: role.mentionable,
            flags: 0,
            tags: role.bot.map(|bot_id| RoleTags { bot_id }),
        }
    }
}

/// A guild as REST shows it.
#[derive(Serialize)]
pub(crate) struct Guild {
    id: Snowflake,
    name: String,
    home_header: Option<String>,
    hub_type: Option<u8>,
    owner_id: Snowflake,
    #[serde(flatten)]
    settings: GuildSettings,
    application_id: Option<Snowflake>,
    region: &'static str,
    mfa_level: u8,
    max_presences: Option<u32>,
    max_members: u32,
    max_video_channel_users: u32,
    max_stage_video_channel_users: u32,
    vanity_url_code: Option<String>,
    premium_tier: u8,
    premium_subscription_count: u32,
    nsfw: bool,
    nsfw_level: u8,
    roles: Vec<Role>,
    emojis: Vec<Emoji>,
    stickers: Vec<Sticker>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approximate_member_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approximate_presence_count: Option<usize>,
}

impl Guild {
    pub(crate) fn new(guild: &realm::Guild) -> Self {
        Self {
            id: guild.id,
            name: guild.name.clone(),
            home_header: None,
            hub_type: None,
            owner_id: guild.owner,
            settings: guild.settings.clone(),
            application_id: None,
            region: "deprecated",
            mfa_level: 0,
            max_presences: None,
            max_members: 500_000,
            max_video_channel_users: 25,
            max_stage_video_channel_users: 50,
            vanity_url_code: None,
            premium_tier: 0,
            premium_subscription_count: 0,
            nsfw: false,
            nsfw_level: 0,
            roles: guild.roles.iter().map(Role::from).collect(),
            emojis: guild.emojis.iter().map(Emoji::from).collect(),
            stickers: guild
                .stickers
                .iter()
                .map(|sticker| Sticker::new(guild, sticker))
                .collect(),
            approximate_member_count: None,
            approximate_presence_count: None,
        }
    }

    pub(crate) fn with_counts(mut self, guild: &realm::Guild) -> Self {
        self.approximate_member_count = Some(guild.members.len());
        self.approximate_presence_count = Some(guild.members.len());
        self
    }
}

/// A guild as the gateway shows it: with what a client caches.
///
/// Channels that the viewer may not see are left out, as REST does. Discord
/// sends those over the gateway with their name and topic blanked.
#[derive(Serialize)]
pub(crate) struct GuildCreate {
    #[serde(flatten)]
    guild: Guild,
    joined_at: Option<String>,
    large: bool,
    /// Left out of a guild that is new to the reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<bool>,
    member_count: usize,
    voice_states: Vec<Value>,
    members: Vec<Member>,
    channels: Vec<Channel>,
    threads: Vec<Channel>,
    presences: Vec<Value>,
    stage_instances: Vec<Value>,
    guild_scheduled_events: Vec<Value>,
    soundboard_sounds: Vec<Value>,
}

impl GuildCreate {
    /// With the viewer among the members, and the others who are shown.
    pub(crate) fn new(
        realm: &Realm,
        guild: &realm::Guild,
        viewer: &UserAccount,
        shown: impl Fn(Snowflake) -> bool,
    ) -> Self {
        let community = &guild.community;
        Self {
            guild: Guild::new(guild),
            joined_at: guild.member(viewer.id).map(|me| rfc3339(me.joined)),
            large: false,
            unavailable: Some(false),
            member_count: guild.members.len(),
            voice_states: Vec::new(),
            members: guild
                .members
                .iter()
                .filter(|member| member.person == viewer.id || shown(member.person))
                .filter_map(|member| Member::full(realm, guild, member.person))
                .collect(),
            channels: realm
                .guild_channels(guild, viewer)
                .into_iter()
                .map(|channel| Channel::new(realm, channel, Some(viewer.id)))
                .collect(),
            threads: realm
                .active_threads(guild, viewer)
                .into_iter()
                .map(|channel| Channel::new(realm, channel, Some(viewer.id)))
                .collect(),
            presences: Vec::new(),
            stage_instances: community
                .stages
                .iter()
                .map(|stage| stage_instance(guild.id, stage))
                .collect(),
            guild_scheduled_events: community
                .events
                .iter()
                .filter(|event| !event.status.is_over())
                .map(|event| scheduled_event(guild.id, event))
                .collect(),
            soundboard_sounds: community
                .sounds
                .iter()
                .map(|it| sound(realm, guild, it))
                .collect(),
        }
    }
}

impl GuildCreate {
    /// As somebody sees it who has just come.
    pub(crate) fn joined(mut self) -> Self {
        self.unavailable = None;
        self
    }

    /// With who is online, and who is in which voice channel.
    pub(crate) fn with_people(mut self, presences: Vec<Value>, voice_states: Vec<Value>) -> Self {
        (self.presences, self.voice_states) = (presences, voice_states);
        self
    }
}

/// A guild in the list of one's guilds.
#[derive(Serialize)]
pub(crate) struct GuildSummary {
    id: Snowflake,
    name: String,
    icon: Option<String>,
    banner: Option<String>,
    owner: bool,
    permissions: PermissionSet,
    features: Vec<String>,
    approximate_member_count: usize,
    approximate_presence_count: usize,
}

impl GuildSummary {
    pub(crate) fn new(guild: &realm::Guild, viewer: &realm::Member) -> Self {
        Self {
            id: guild.id,
            name: guild.name.clone(),
            icon: guild.settings.icon.clone(),
            banner: None,
            owner: viewer.person == guild.owner,
            permissions: in_guild(guild, viewer),
            features: guild.settings.features.clone(),
            approximate_member_count: guild.members.len(),
            approximate_presence_count: guild.members.len(),
        }
    }
}

/// The "limited" flag of each granted intent, which is what bots in few
/// guilds have. Discord Docs/Application, Application Flags.
pub(crate) fn application_flags(application: &realm::Application) -> u64 {
    application
        .granted
        .iter()
        .map(|intent| match intent {
            PrivilegedIntent::GuildPresences => 1 << 13,
            PrivilegedIntent::GuildMembers => 1 << 15,
            PrivilegedIntent::MessageContent => 1 << 19,
        })
        .fold(0, |flags, flag| flags | flag)
}

pub(crate) fn application(
    realm: &Realm,
    application: &realm::Application,
    bot: &UserAccount,
) -> Value {
    let profile = &application.profile;
    let first = realm.guilds.first().map(|guild| guild.owner);
    let owner = first.and_then(|id| realm.person(id)).unwrap_or(bot);
    let key: String = ["verify", "key", "of", "the"]
        .iter()
        .map(|salt| format!("{:016x}", hash(&[salt, &bot.name])))
        .collect();
    let mut shown = json!({
        "id": application.id,
        "name": bot.name,
        "icon": profile.icon,
        "description": profile.description,
        "summary": "",
        "type": null,
        "bot": User::from(bot),
        "bot_public": true,
        "bot_require_code_grant": false,
        "flags": application_flags(application),
        "flags_new": application_flags(application).to_string(),
        "owner": User::from(owner),
        "team": null,
        "verify_key": key,
        "rpc_origins": [],
        "redirect_uris": [],
        "interactions_endpoint_url": null,
        "role_connections_verification_url": profile.role_connections_verification_url,
        "tags": profile.tags,
        "hook": true,
        "approximate_guild_count": realm.guilds_of(bot.id).count(),
        "approximate_user_install_count": 0,
        "integration_types_config": {},
    });
    // Left out as long as nobody set them.
    if let Some(url) = &profile.custom_install_url {
        shown["custom_install_url"] = json!(url);
    }
    if let Some(params) = &profile.install_params {
        shown["install_params"] = params.clone();
    }
    shown
}

/// A guild as those see it who are invited.
pub(crate) fn invited_guild(guild: &realm::Guild) -> Value {
    let settings = &guild.settings;
    json!({
        "id": guild.id,
        "name": guild.name,
        "splash": settings.splash,
        "banner": settings.banner,
        "description": settings.description,
        "icon": settings.icon,
        "features": settings.features,
        "verification_level": settings.verification_level,
        "vanity_url_code": null,
        "nsfw_level": 0,
        "nsfw": false,
        "premium_subscription_count": 0,
    })
}
