//! The guild and who is in it.

use super::{Answer, ApiError, Call, Reply};
use crate::{
    limits,
    realm::{Person, Realm},
    snowflake::Snowflake,
    wire::{Channel, Guild, Member, Role},
    world::PrivilegedIntent,
};

fn known<'a>(call: &'a Call<'_>, id: Snowflake) -> Result<&'a Realm, ApiError> {
    let realm = &call.state.realm;
    if realm.guild.id == id {
        Ok(realm)
    } else {
        Err(ApiError::UnknownGuild)
    }
}

pub(super) fn guild(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let realm = known(call, id)?;
    let counted = call
        .query
        .get("with_counts")
        .is_some_and(|flag| flag == "true" || flag == "True");
    let guild = Guild::new(realm);
    Reply::json(if counted {
        guild.with_counts(realm)
    } else {
        guild
    })
}

/// Channels that the caller may not see are left out.
pub(super) fn channels(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let realm = known(call, id)?;
    let channels: Vec<Channel> = realm
        .guild_channels(call.me()?)
        .into_iter()
        .map(|channel| Channel::new(realm, channel, Some(call.me)))
        .collect();
    Reply::json(channels)
}

pub(super) fn roles(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let roles: Vec<Role> = known(call, id)?
        .guild
        .roles
        .iter()
        .map(Role::from)
        .collect();
    Reply::json(roles)
}

/// The full list is for bots that were granted it, by id.
pub(super) fn members(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let realm = known(call, id)?;
    let granted = realm
        .application
        .granted
        .contains(&PrivilegedIntent::GuildMembers);
    if call.me()?.bot && !granted {
        return Err(ApiError::MissingAccess);
    }
    let limit = call.page("limit", 1, limits::MEMBER_PAGE)?;
    let after = call.anchor("after")?.unwrap_or(Snowflake(0));
    let mut people: Vec<&Person> = realm
        .people
        .iter()
        .filter(|person| person.id > after)
        .collect();
    people.sort_by_key(|person| person.id);
    let members: Vec<Member> = people
        .into_iter()
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .map(Member::full)
        .collect();
    Reply::json(members)
}

pub(super) fn member(call: &mut Call<'_>, id: Snowflake, user: Snowflake) -> Answer {
    let person = known(call, id)?
        .person(user)
        .ok_or(ApiError::UnknownMember)?;
    Reply::json(Member::full(person))
}
