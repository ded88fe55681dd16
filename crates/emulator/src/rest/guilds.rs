//! A guild and who is in it.

use super::{Answer, ApiError, Call, Reply};
use crate::{
    limits,
    realm::Guild,
    snowflake::Snowflake,
    wire::{self, Channel, Member, Role},
    world::PrivilegedIntent,
};

/// A guild that the caller is in. Others are unknown to them.
fn known<'a>(call: &'a Call<'_>, id: Snowflake) -> Result<&'a Guild, ApiError> {
    let mut mine = call.state.realm.guilds_of(call.me);
    mine.find(|guild| guild.id == id)
        .ok_or(ApiError::UnknownGuild)
}

pub(super) fn guild(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let guild = known(call, id)?;
    let counted = call
        .query
        .get("with_counts")
        .is_some_and(|flag| flag == "true" || flag == "True");
    let shown = wire::Guild::new(guild);
    Reply::json(if counted {
        shown.with_counts(guild)
    } else {
        shown
    })
}

/// Channels that the caller may not see are left out.
pub(super) fn channels(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let (realm, guild) = (&call.state.realm, known(call, id)?);
    let channels: Vec<Channel> = realm
        .guild_channels(guild, call.me()?)
        .into_iter()
        .map(|channel| Channel::new(realm, channel, Some(call.me)))
        .collect();
    Reply::json(channels)
}

pub(super) fn roles(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let roles: Vec<Role> = known(call, id)?.roles.iter().map(Role::from).collect();
    Reply::json(roles)
}

/// The full list is for bots that were granted it, by id.
pub(super) fn members(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let (realm, guild) = (&call.state.realm, known(call, id)?);
    let granted = realm
        .application
        .granted
        .contains(&PrivilegedIntent::GuildMembers);
    if call.me()?.bot && !granted {
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
    Reply::json(members)
}

pub(super) fn member(call: &mut Call<'_>, id: Snowflake, user: Snowflake) -> Answer {
    let member = Member::full(&call.state.realm, known(call, id)?, user);
    Reply::json(member.ok_or(ApiError::UnknownMember)?)
}
