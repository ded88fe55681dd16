//! Crosspost Message, and Follow Announcement Channel.

use super::{ApiError, ApiResult, GuildError, RequestContext, allow};
use crate::{
    realm::{GuildChannelKind, PermissionSet},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, write},
        webhooks,
    },
    wire::{self, MessageView},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write(
        "POST /channels/{channel}/messages/{message}/crosspost",
        crosspost,
    ),
    write("POST /channels/{channel}/followers", follow),
];

/// The message went to those who follow. Discord Docs/Message, Message Flags.
const CROSSPOSTED: u64 = 1 << 0;

fn crosspost(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, held) = call.channel(path.id(0))?;
    let kind = channel.of_guild().map(|it| it.kind);
    if kind != Some(GuildChannelKind::Announcement) {
        return Err(ApiError::WrongChannelKind);
    }
    let message = channel.message(path.id(1));
    let message = message.ok_or(ApiError::UnknownMessage)?;
    let own = message.author == call.me;
    allow(held.has(PermissionSet::SEND_MESSAGES))?;
    allow(own || held.has(PermissionSet::MANAGE_MESSAGES))?;
    if message.flags & CROSSPOSTED != 0 {
        return Err(GuildError::AlreadyCrossposted.into());
    }
    let message = call.channel_mut(path.id(0))?.message_mut(path.id(1));
    let message = message.ok_or(ApiError::UnknownMessage)?;
    message.flags |= CROSSPOSTED;
    let message = message.clone();
    call.state
        .dispatch_message(path.id(0), &message, MessageView::GatewayUpdate);
    webhooks::bring_to_followers(call, path.id(0), &message)?;
    let (channel, _) = call.channel(path.id(0))?;
    ApiResponse::json(wire::Message::new(
        &call.state.realm,
        channel,
        &message,
        call.viewer(),
        MessageView::History,
    ))
}

fn follow(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let mut body = Fields::new(&call.body.json, "");
    body.require("webhook_channel_id");
    let target = body.id("webhook_channel_id");
    body.problems.into_result()?;
    let target = target.ok_or(ApiError::UnknownChannel)?;
    webhooks::follow(call, path.id(0), target)
}
