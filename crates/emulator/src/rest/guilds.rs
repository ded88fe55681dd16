//! A guild and who is in it.

use super::{ApiError, ApiResponse, ApiResult, RequestContext};
use crate::{
    limits,
    realm::Guild,
    snowflake::Snowflake,
    wire::{self, Channel, Member, Role},
    world::PrivilegedIntent,
};

/// A guild that the caller is in. Others are unknown to them.
pub(super) fn known<'a>(
    call: &'a RequestContext<'_>,
    id: Snowflake,
) -> Result<&'a Guild, ApiError> {
    let mut mine = call.state.realm.guilds_of(call.me);
    mine.find(|guild| guild.id == id)
        .ok_or(ApiError::UnknownGuild)
}

pub(super) fn guild(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let guild = known(call, id)?;
    let counted = call
        .query
        .get("with_counts")
        .is_some_and(|flag| flag == "true" || flag == "True" || flag == "1");
    let shown = wire::Guild::new(guild);
    ApiResponse::json(if counted {
        shown.with_counts(guild)
    } else {
        shown
    })
}

/// Channels that the caller may not see are left out.
pub(super) fn channels(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (realm, guild) = (&call.state.realm, known(call, id)?);
    let channels: Vec<Channel> = realm
        .guild_channels(guild, call.me()?)
        .into_iter()
        .map(|channel| Channel::new(realm, channel, Some(call.me)))
        .collect();
    ApiResponse::json(channels)
}

pub(super) fn roles(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let roles: Vec<Role> = known(call, id)?.roles.iter().map(Role::from).collect();
    ApiResponse::json(roles)
}

/// The full list is for bots that were granted it, by id.
pub(super) fn members(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (realm, guild) = (&call.state.realm, known(call, id)?);
    if !realm.grants(call.me, PrivilegedIntent::GuildMembers) {
        return Err(ApiError::MissingAccess);
    }
    let limit = call.page("limit", 1, limits::MEMBER_PAGE)?;
    let after = call.anchor("after")?.unwrap_or(Snowflake(0));
    let mut people: Vec<Snowflake> = guild
        .members
        .iter()
        .map(|member| member.person)
        .filter(|person| *person > after)
        .collect();
    people.sort();
    let members: Vec<Member> = people
        .into_iter()
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .filter_map(|person| Member::full(realm, guild, person))
        .collect();
    ApiResponse::json(members)
}

pub(super) fn member(call: &mut RequestContext<'_>, id: Snowflake, user: Snowflake) -> ApiResult {
    let member = Member::full(&call.state.realm, known(call, id)?, user);
    ApiResponse::json(member.ok_or(ApiError::UnknownMember)?)
}
