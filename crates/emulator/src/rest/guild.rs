//! What those who manage a guild do: channels, roles, members, bans, invites,
//! pins, polls, emoji, stickers, and the log of it all.

mod account;
mod announcements;
mod applications;
mod audit;
mod audit_log;
mod authorization;
mod bans;
mod channel_settings;
mod channels;
mod community;
mod emojis;
mod error;
mod forum_settings;
mod integrations;
mod invites;
mod members;
mod membership;
mod moderation_rules;
mod pictures;
mod pins;
mod polls;
mod positions;
mod roles;
mod scheduled_events;
mod search;
mod settings;
mod sounds;
mod stages;
mod stickers;
mod templates;
mod thread_lists;
mod voice_states;
mod widget;

use axum::http::HeaderMap;

use super::{
    ApiError, ApiResult, RequestContext, endpoint::RestEndpoint, error::Problems, guilds::known,
    route,
};
use crate::{
    limits,
    realm::{Guild, PermissionSet, in_guild},
    snowflake::Snowflake,
};

pub(super) use audit::changes;
pub(super) use authorization::admit_bot;
pub(super) use channel_settings::ChannelChange;
pub(super) use error::GuildError;
pub(super) use forum_settings::{applied_tags, may_tag};
pub(super) use membership::{changed, notice, remove as dismiss};
pub(crate) use pictures::{content_type, serve as picture};
pub(super) use pictures::{data_uri, hash_of, named_by};
pub(in crate::rest) use polls::end_due;
pub(crate) use polls::end_polls;
pub(crate) use sounds::sound_type;
pub(super) use stages::close as close_stage;

/// Every table of this family.
pub(super) static TABLES: &[&[RestEndpoint]] = &[
    settings::ENDPOINTS,
    community::ENDPOINTS,
    widget::ENDPOINTS,
    scheduled_events::ENDPOINTS,
    stages::ENDPOINTS,
    moderation_rules::ENDPOINTS,
    sounds::ENDPOINTS,
    templates::ENDPOINTS,
    integrations::ENDPOINTS,
    authorization::ENDPOINTS,
    applications::ENDPOINTS,
    search::ENDPOINTS,
    voice_states::ENDPOINTS,
    channels::ENDPOINTS,
    roles::ENDPOINTS,
    members::ENDPOINTS,
    membership::ENDPOINTS,
    account::ENDPOINTS,
    bans::ENDPOINTS,
    invites::ENDPOINTS,
    pins::ENDPOINTS,
    polls::ENDPOINTS,
    announcements::ENDPOINTS,
    thread_lists::ENDPOINTS,
    emojis::ENDPOINTS,
    stickers::ENDPOINTS,
    audit_log::ENDPOINTS,
];

impl RequestContext<'_> {
    /// A guild that the caller is in, if they may do something there.
    fn guild_with(&self, id: Snowflake, needed: PermissionSet) -> Result<&Guild, ApiError> {
        let guild = known(self, id)?;
        if self.held_in(guild).has(needed) {
            Ok(guild)
        } else {
            Err(ApiError::MissingPermissions)
        }
    }

    /// What the caller may do in a guild as a whole.
    pub(super) fn held_in(&self, guild: &Guild) -> PermissionSet {
        let member = guild.member(self.me);
        member.map_or_else(PermissionSet::default, |it| in_guild(guild, it))
    }

    pub(super) fn guild_mut(&mut self, id: Snowflake) -> Result<&mut Guild, ApiError> {
        let mut guilds = self.state.realm.guilds.iter_mut();
        guilds
            .find(|guild| guild.id == id)
            .ok_or(ApiError::UnknownGuild)
    }

    /// Whether a query says yes.
    fn asks(&self, key: &str) -> bool {
        let asked = self.query.get(key);
        asked.is_some_and(|flag| flag.eq_ignore_ascii_case("true") || flag == "1")
    }
}

fn allow(yes: bool) -> Result<(), ApiError> {
    if yes {
        Ok(())
    } else {
        Err(ApiError::MissingPermissions)
    }
}

/// The reason that a request gives for the audit log.
pub(super) fn reason(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get("x-audit-log-reason") else {
        return Ok(None);
    };
    let decoded = value.to_str().ok().and_then(route::decode);
    let text = decoded.unwrap_or_else(|| String::from_utf8_lossy(value.as_bytes()).into_owned());
    if text.chars().count() > limits::REASON_CHARS {
        let message = format!("Must be {} or fewer in length.", limits::REASON_CHARS);
        return Err(Problems::one("reason", "BASE_TYPE_MAX_LENGTH", message));
    }
    Ok(Some(text).filter(|text| !text.trim().is_empty()))
}
