//! The caller, their application, their guilds and their conversations.

use serde_json::json;

use super::{ApiError, ApiResponse, ApiResult, RequestContext, body::Fields, error::Problems};
use crate::{
    limits,
    realm::Guild,
    snowflake::Snowflake,
    wire::{self, Channel, GuildSummary, Me, User},
};

pub(super) fn gateway(call: &mut RequestContext<'_>, bot: bool) -> ApiResult {
    let url = &call.gateway_url;
    if !bot {
        return ApiResponse::json(json!({ "url": url }));
    }
    if !call.me()?.bot {
        return Err(ApiError::Unauthorized);
    }
    let (shards, limit) = call.state.starts.told(call.me);
    ApiResponse::json(json!({
        "url": url,
        "shards": shards,
        "session_start_limit": limit,
    }))
}

pub(super) fn application(call: &mut RequestContext<'_>) -> ApiResult {
    let me = call.me()?;
    if !me.bot {
        return Err(ApiError::OnlyBots);
    }
    let realm = &call.state.realm;
    let application = realm.application_of(me.id).ok_or(ApiError::OnlyBots)?;
    ApiResponse::json(wire::application(realm, application, me))
}

pub(super) fn me(call: &mut RequestContext<'_>) -> ApiResult {
    ApiResponse::json(Me::from(call.me()?))
}

pub(super) fn user(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let person = call.state.realm.person(id).ok_or(ApiError::UnknownUser)?;
    ApiResponse::json(User::from(person))
}

pub(super) fn guilds(call: &mut RequestContext<'_>) -> ApiResult {
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
    ApiResponse::json(shown)
}

pub(super) fn open_direct(call: &mut RequestContext<'_>) -> ApiResult {
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
    ApiResponse::json(Channel::new(&call.state.realm, channel, Some(call.me)))
}

/// Tells the humans of a new conversation. Bots are not told: they see it
/// with its first message.
fn announce(call: &mut RequestContext<'_>, id: Snowflake, people: [Snowflake; 2]) {
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
