//! Coming to a guild and leaving it.

use serde_json::json;

use super::{ApiError, ApiResult, GuildError, RequestContext, integrations};
use crate::{
    gateway::{Intents, VoiceChange, guild_create},
    realm::{GuildSettings, Member, Message, MessageKind},
    rest::{
        ApiResponse,
        endpoint::{PathValues, RestEndpoint, write},
        guilds::known,
    },
    snowflake::{Snowflake, now},
    wire::{self, GuildCreate, MessageView, User},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[write("DELETE /users/@me/guilds/{guild}", leave)];

/// Leave Guild. Owners stay.
fn leave(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    if guild.owner == call.me {
        return Err(GuildError::OwnerCannotLeave.into());
    }
    let (guild, me) = (guild.id, call.me);
    remove(call, guild, me);
    Ok(ApiResponse::NoContent)
}

/// Tells that a member is not what they were. Everybody hears of themselves.
pub(in crate::rest) fn changed(call: &mut RequestContext<'_>, guild: Snowflake, person: Snowflake) {
    let name = "GUILD_MEMBER_UPDATE";
    let needed = Intents::for_event(name, false);
    call.state.dispatch_guild_to(
        guild,
        name,
        |listener, _| listener.has(needed) || listener.person == person,
        |realm, guild, _| {
            let mut payload = json!(wire::Member::full(realm, guild, person));
            payload["guild_id"] = json!(guild.id);
            payload
        },
    );
}

/// Makes somebody a member who is none yet.
pub(super) fn admit(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
    roles: Vec<Snowflake>,
) -> Result<(), ApiError> {
    let place = call.guild_mut(guild)?;
    let again = place.former.contains(&person);
    place.members.push(Member {
        roles,
        flags: if again { Member::REJOINED } else { 0 },
        ..Member::new(person, now())
    });
    let [few, all] = [false, true].map(|everyone| {
        let shown = guild_create(call.state, guild, person, everyone);
        json!(shown.map(GuildCreate::joined))
    });
    call.state
        .tell_of_guild(person, Some(guild), "GUILD_CREATE", |_, listener| {
            let everyone = listener.has(Intents::GUILD_PRESENCES);
            (if everyone { &all } else { &few }).clone()
        });
    let name = "GUILD_MEMBER_ADD";
    let needed = Intents::for_event(name, false);
    call.state.dispatch_guild_to(
        guild,
        name,
        |listener, _| listener.has(needed) && listener.person != person,
        |realm, guild, _| {
            let mut payload = json!(wire::Member::full(realm, guild, person));
            payload["guild_id"] = json!(guild.id);
            payload
        },
    );
    welcome(call, guild, person)
}

/// The guild's system channel, if it has one, says who came.
fn welcome(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
) -> Result<(), ApiError> {
    let settings = &call.guild_mut(guild)?.settings;
    let quiet = settings.system_channel_flags & GuildSettings::QUIET_JOINS != 0;
    let Some(channel) = settings.system_channel_id.filter(|_| !quiet) else {
        return Ok(());
    };
    let id = call.state.realm.mint.next();
    notice(
        call,
        channel,
        &Message::plain(id, person, MessageKind::Joined, String::new()),
    );
    Ok(())
}

/// Posts what nobody wrote.
pub(in crate::rest) fn notice(
    call: &mut RequestContext<'_>,
    channel: Snowflake,
    message: &Message,
) {
    if let Ok(channel) = call.channel_mut(channel) {
        channel.post(message.clone());
    }
    call.state
        .dispatch_message(channel, message, MessageView::GatewayCreate);
}

/// Takes a member out of a guild, with their threads and, of a bot, the role
/// and the integration that came with it.
pub(in crate::rest) fn remove(call: &mut RequestContext<'_>, guild: Snowflake, person: Snowflake) {
    let out = VoiceChange {
        channel: Some(None),
        ..VoiceChange::default()
    };
    call.state.change_voice(guild, person, out);
    let mut own_roles = Vec::new();
    if let Ok(guild) = call.guild_mut(guild) {
        guild.members.retain(|member| member.person != person);
        guild.former.insert(person);
        guild.roles.retain(|role| {
            let own = role.bot == Some(person);
            own_roles.extend(own.then_some(role.id));
            !own
        });
    }
    for channel in call.state.realm.channels.values_mut() {
        let here = channel.guild() == Some(guild);
        if let Some(thread) = channel.thread_mut().filter(|_| here) {
            thread.leave(person);
        }
    }
    call.state.tell_of_guild(
        person,
        Some(guild),
        "GUILD_DELETE",
        |_, _| json!({ "id": guild }),
    );
    call.state
        .dispatch_guild(guild, "GUILD_MEMBER_REMOVE", |realm, guild| {
            json!({ "guild_id": guild.id, "user": realm.person(person).map(User::from) })
        });
    for role in own_roles {
        call.state.dispatch_guild(
            guild,
            "GUILD_ROLE_DELETE",
            |_, guild| json!({ "guild_id": guild.id, "role_id": role }),
        );
    }
    integrations::tell_deleted(call, guild, person);
}
