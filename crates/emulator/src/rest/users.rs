//! The caller, their application, their guilds and their conversations.

use serde_json::json;

use super::{Answer, ApiError, Call, Reply, body::Fields, error::Problems};
use crate::{
    limits,
    realm::Guild,
    snowflake::Snowflake,
    wire::{self, Channel, GuildSummary, Me, User},
};

pub(super) fn gateway(call: &mut Call<'_>, bot: bool) -> Answer {
    let url = &call.gateway_url;
    if !bot {
        return Reply::json(json!({ "url": url }));
    }
    if !call.me()?.bot {
        return Err(ApiError::Unauthorized);
    }
    let used = call.state.counts.identifies;
    Reply::json(json!({
        "url": url,
        "shards": 1,
        "session_start_limit": {
            "total": limits::IDENTIFIES_PER_DAY,
            "remaining": limits::IDENTIFIES_PER_DAY.saturating_sub(used),
            "reset_after": 24 * 3600 * 1000,
            "max_concurrency": 1,
        },
    }))
}

pub(super) fn application(call: &mut Call<'_>) -> Answer {
    let me = call.me()?;
    if !me.bot {
        return Err(ApiError::OnlyBots);
    }
    Reply::json(wire::application(&call.state.realm, me))
}

pub(super) fn me(call: &mut Call<'_>) -> Answer {
    Reply::json(Me::from(call.me()?))
}

pub(super) fn user(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let person = call.state.realm.person(id).ok_or(ApiError::UnknownUser)?;
    Reply::json(User::from(person))
}

pub(super) fn guilds(call: &mut Call<'_>) -> Answer {
    let limit = call.page("limit", limits::GUILD_PAGE, limits::GUILD_PAGE)?;
    let (after, before) = (call.anchor("after")?, call.anchor("before")?);
    let mut mine: Vec<&Guild> = call.state.realm.guilds_of(call.me).collect();
    mine.retain(|guild| {
        after.is_none_or(|id| guild.id > id) && before.is_none_or(|id| guild.id < id)
    });
    mine.sort_by_key(|guild| guild.id);
    let shown: Vec<GuildSummary> = mine
        .into_iter()
        .filter_map(|guild| Some(GuildSummary::new(guild, guild.member(call.me)?)))
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .collect();
    Reply::json(shown)
}

pub(super) fn open_direct(call: &mut Call<'_>) -> Answer {
    let mut body = Fields::new(&call.body.json, "");
    let recipient = body.id("recipient_id");
    body.problems.into_result()?;
    let recipient = recipient.ok_or_else(|| {
        Problems::one(
            "recipient_id",
            "BASE_TYPE_REQUIRED",
            "This field is required",
        )
    })?;
    if recipient == call.me || call.state.realm.person(recipient).is_none() {
        return Err(ApiError::InvalidRecipients);
    }
    let (id, new) = call.state.realm.open_direct(call.me, recipient);
    if new {
        announce(call, id, [call.me, recipient]);
    }
    let (channel, _) = call.channel(id)?;
    Reply::json(Channel::new(&call.state.realm, channel, Some(call.me)))
}

/// Tells the humans of a new conversation. Bots are not told: they see it
/// with its first message.
fn announce(call: &mut Call<'_>, id: Snowflake, people: [Snowflake; 2]) {
    let (realm, sessions) = (&call.state.realm, &mut call.state.sessions);
    let Some(channel) = realm.channels.get(&id) else {
        return;
    };
    for (session, person) in sessions.listening(realm) {
        if people.contains(&person.id) && !person.bot {
            session.push(
                "CHANNEL_CREATE",
                &Channel::new(realm, channel, Some(person.id)),
            );
        }
    }
}
