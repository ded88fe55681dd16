//! Edit Message.

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext,
    attachments::{kept, store},
    body::Fields,
    components::{self, COMPONENTS_V2, link_attachments},
    draft::{SETTABLE_FLAGS, content},
    embeds::{check_components_v2, embeds},
    mentions::{Allowed, Pinged},
    threads::thread_is_open,
};
use crate::{
    realm::{Channel, Message, PermissionSet},
    snowflake::{Snowflake, now},
    wire::{self, MessageView},
};

pub(super) fn edit(call: &mut RequestContext<'_>, id: Snowflake, message: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let before = channel.message(message).ok_or(ApiError::UnknownMessage)?;
    if before.author != call.me {
        return Err(ApiError::NotTheAuthor);
    }
    thread_is_open(channel)?;
    let replied_to = before
        .reference
        .and_then(|reference| channel.message(reference.message?))
        .map(|message| message.author);
    let mut edited = changed(call, channel, before, held, replied_to)?;

    if !call.body.files.is_empty() && !held.has(PermissionSet::ATTACH_FILES) {
        return Err(ApiError::MissingPermissions);
    }
    let nothing_left = edited.content.is_empty()
        && edited.embeds.is_empty()
        && edited.components.is_empty()
        && edited.poll.is_none()
        && edited.stickers.is_empty()
        && edited.attachments.is_empty()
        && call.body.files.is_empty();
    if nothing_left {
        return Err(ApiError::EmptyMessage);
    }
    edited.attachments.extend(store(call, id));
    link_attachments(&mut edited)?;
    if let Some(place) = call.channel_mut(id)?.message_mut(message) {
        *place = edited.clone();
    }
    call.state
        .dispatch_message(id, &edited, MessageView::GatewayUpdate);
    let (channel, _) = call.channel(id)?;
    ApiResponse::json(wire::Message::new(
        &call.state.realm,
        channel,
        &edited,
        call.viewer(),
        MessageView::History,
    ))
}

/// The message with what the body changes. Mentions follow the edit's own
/// `allowed_mentions`.
pub(super) fn changed(
    call: &RequestContext<'_>,
    channel: &Channel,
    before: &Message,
    held: PermissionSet,
    replied_to: Option<Snowflake>,
) -> Result<Message, ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    let mut edited = before.clone();
    if let Some(flags) = body.number("flags") {
        // Components v2 cannot be taken back.
        let kept = before.flags & (COMPONENTS_V2 | !SETTABLE_FLAGS);
        edited.flags = (flags & SETTABLE_FLAGS) | kept;
    }
    if body.names("content") {
        edited.content = content(&mut body).unwrap_or_default();
    }
    if body.names("embeds") {
        edited.embeds = embeds(&mut body).unwrap_or_default();
    }
    if body.names("components") {
        edited.components = components::of_message(&mut body, edited.flags).unwrap_or_default();
    }
    if let Some(named) = body.list("attachments") {
        edited.attachments = kept(&before.attachments, named);
    }
    let allowed = Allowed::read(&mut body);
    if body.names("content") {
        let pinged = Pinged::by(
            &call.state.realm,
            channel,
            held,
            &edited.content,
            &allowed,
            replied_to,
        );
        edited.mention_everyone = pinged.everyone;
        edited.mentions = pinged.users;
        edited.mention_roles = pinged.roles;
    }
    check_components_v2(
        &mut body.problems,
        edited.flags,
        &edited.content,
        &edited.embeds,
    );
    body.problems.into_result()?;
    edited.edited = Some(now());
    Ok(edited)
}
