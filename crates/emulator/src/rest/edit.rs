//! Edit Message.

use super::{
    ApiError, ApiResponse, ApiResult, GuildError, RequestContext,
    attachments::{kept, store},
    auto_moderation::moderate,
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
        return suppress(call, id, message);
    }
    thread_is_open(channel)?;
    if before.kind.of_the_system() {
        return Err(GuildError::SystemMessage.into());
    }
    if before.poll.is_some() {
        return Err(GuildError::PollEdited.into());
    }
    let replied_to = before
        .reference
        .and_then(|reference| channel.message(reference.message?))
        .map(|message| message.author);
    let said = before.content.clone();
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
    if edited.content != said {
        moderate(call, id, &edited)?;
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

/// Whether embeds are hidden. Discord Docs/Message, Message Flags.
const SUPPRESS_EMBEDS: u64 = 1 << 2;

/// Those who manage messages may hide the embeds of others, and nothing else.
fn suppress(call: &mut RequestContext<'_>, id: Snowflake, message: Snowflake) -> ApiResult {
    let (_, held) = call.channel(id)?;
    let mut body = Fields::new(&call.body.json, "");
    let flags = body.number("flags");
    let only_flags = call.body.json.keys().all(|key| key == "flags");
    body.problems.into_result()?;
    let Some(flags) = flags.filter(|_| only_flags) else {
        return Err(ApiError::NotTheAuthor);
    };
    if !held.has(PermissionSet::MANAGE_MESSAGES) {
        return Err(ApiError::MissingPermissions);
    }
    let known = call.channel_mut(id)?.message_mut(message);
    let known = known.ok_or(ApiError::UnknownMessage)?;
    known.flags = (known.flags & !SUPPRESS_EMBEDS) | (flags & SUPPRESS_EMBEDS);
    let known = known.clone();
    call.state
        .dispatch_message(id, &known, MessageView::GatewayUpdate);
    let (channel, _) = call.channel(id)?;
    ApiResponse::json(wire::Message::new(
        &call.state.realm,
        channel,
        &known,
        call.viewer(),
        MessageView::History,
    ))
}

/// The message with what the body changes. Whom it mentions is decided anew
/// by new words (doc), and by `allowed_mentions` alone (observed); other edits
/// leave it as it was.
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
    if body.names("content") || body.names("allowed_mentions") {
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
