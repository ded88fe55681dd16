//! Create Guild Channel, and the order of channels.

use serde_json::{Value, json};

use super::{ApiError, ApiResult, ChannelChange, GuildError, RequestContext, positions};
use crate::{
    limits,
    realm::{AuditAction, Channel, ChannelKind, GuildChannel, GuildChannelKind, PermissionSet},
    rest::{
        ApiResponse,
        body::Fields,
        channels::LOGGED,
        endpoint::{PathValues, RestEndpoint, write, write_list},
        error::Problems,
    },
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("POST /guilds/{guild}/channels", create),
    write_list("PATCH /guilds/{guild}/channels", positions::of_channels),
];

/// A channel that says nothing of overwrites has those of its category.
fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, PermissionSet::MANAGE_CHANNELS)?;
    let mut body = Fields::new(&call.body.json, "");
    let number = body.number("type").unwrap_or(0);
    body.problems.into_result()?;
    let Some(kind) = GuildChannelKind::from_number(number) else {
        let message = "Value must be one of (0, 2, 4, 5, 13, 15, 16).";
        return Err(Problems::one("type", "BASE_TYPE_CHOICES", message));
    };
    let mut change = ChannelChange::read(call, guild, kind, None)?;
    change.check_overwrites(call.held_in(guild), &[])?;
    let realm = &call.state.realm;
    let theirs: Vec<&GuildChannel> = realm
        .channels
        .values()
        .filter_map(Channel::of_guild)
        .filter(|channel| channel.guild == id)
        .collect();
    if theirs.len() >= limits::CHANNELS {
        return Err(GuildError::TooManyChannels.into());
    }
    let last = theirs.iter().map(|channel| channel.position).max();
    // discord.py sends an empty list for "as the category".
    if change.overwrites.as_ref().is_none_or(Vec::is_empty) {
        let category = change.parent.flatten();
        let category = category.and_then(|it| realm.channels.get(&it)?.of_guild());
        change.overwrites = category.map(|category| category.overwrites.clone());
    }
    let mut channel = GuildChannel::new(id, kind, String::new());
    channel.position = last.map_or(0, |last| last + 1);
    let realm = &mut call.state.realm;
    let channel_id = realm.mint.next();
    change.apply(&mut channel, &mut realm.mint);
    let channel = Channel::new(channel_id, ChannelKind::Guild(channel));
    realm.channels.insert(channel_id, channel);
    call.state
        .dispatch(channel_id, "CHANNEL_CREATE", |realm, channel, viewer| {
            wire::Channel::new(realm, channel, viewer.person)
        });
    let realm = &call.state.realm;
    let made = realm.channels.get(&channel_id);
    let made = made.ok_or(ApiError::UnknownChannel)?;
    let shown = json!(wire::Channel::new(realm, made, Some(call.me)));
    let action = AuditAction::ChannelCreate;
    call.audit_change(id, action, channel_id, [&Value::Null, &shown], &LOGGED);
    Ok(ApiResponse::Created(shown))
}
