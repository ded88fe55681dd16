//! Messages that come through a token rather than from a member: composed,
//! shown to all or to one person, changed and taken back.

use serde_json::{Value, json};

use super::super::{
    ApiError, ApiResponse, ApiResult, RequestContext, attachments::store, components, draft::Draft,
    edit::changed, mentions::Pinged, thread_events,
};
use crate::{
    realm::{
        Channel, EphemeralMessage, InteractionTrace, Message, MessageKind, PermissionSet,
        Reference, WebhookIdentity,
    },
    snowflake::Snowflake,
    wire::{self, MessageView, Viewer},
};

/// One person alone sees it. Discord Docs/Message, Message Flags.
pub(in crate::rest) const EPHEMERAL: u64 = 1 << 6;
/// The bot is still thinking.
pub(in crate::rest) const LOADING: u64 = 1 << 7;

/// On whose behalf a message comes.
pub(in crate::rest) struct TokenAuthor {
    pub(in crate::rest) author: Snowflake,
    pub(in crate::rest) identity: WebhookIdentity,
    pub(in crate::rest) kind: MessageKind,
    pub(in crate::rest) reference: Option<Reference>,
    pub(in crate::rest) trace: Option<InteractionTrace>,
    /// Beside those that the draft sets.
    pub(in crate::rest) flags: u64,
    /// Decides who may be pinged.
    pub(in crate::rest) held: PermissionSet,
}

/// Without a choice, webhooks and interactions ping nobody but users.
/// (doc) Allowed Mentions Object.
pub(in crate::rest) fn default_mentions(call: &mut RequestContext<'_>) {
    let body = &mut call.body.json;
    if body.get("allowed_mentions").is_none_or(Value::is_null) {
        let users = json!({ "parse": ["users"], "replied_user": true });
        body.insert("allowed_mentions".into(), users);
    }
}

/// Makes a message of a draft. It has an id of its own unless one is given.
pub(in crate::rest) fn compose(
    call: &mut RequestContext<'_>,
    channel_id: Snowflake,
    draft: Draft,
    author: TokenAuthor,
    known_as: Option<Snowflake>,
) -> Result<Message, ApiError> {
    let empty = draft.is_empty() && call.body.files.is_empty();
    if empty && author.flags & LOADING == 0 {
        return Err(ApiError::EmptyMessage);
    }
    let realm = &call.state.realm;
    let channel = realm.channels.get(&channel_id);
    let channel = channel.ok_or(ApiError::UnknownChannel)?;
    let (content, allowed) = (&draft.content, &draft.allowed);
    let pinged = Pinged::by(realm, channel, author.held, content, allowed, None);
    let id = known_as.unwrap_or_else(|| call.state.realm.mint.next());
    let attachments = store(call, channel_id);
    let mut message = Message {
        tts: draft.tts,
        mention_everyone: pinged.everyone,
        mentions: pinged.users,
        mention_roles: pinged.roles,
        attachments,
        embeds: draft.embeds,
        components: draft.components,
        flags: draft.flags | author.flags,
        reference: author.reference,
        poll: draft.poll,
        webhook: Some(author.identity),
        interaction: author.trace,
        ..Message::plain(id, author.author, author.kind, draft.content)
    };
    components::link_attachments(&mut message)?;
    Ok(message)
}

/// Posts a message to its channel, or shows it to one person.
pub(in crate::rest) fn publish(
    call: &mut RequestContext<'_>,
    channel_id: Snowflake,
    message: &Message,
    viewer: Option<Snowflake>,
) -> Result<(), ApiError> {
    if let Some(viewer) = viewer {
        call.state.realm.ephemeral.put(EphemeralMessage {
            channel: channel_id,
            viewer,
            message: message.clone(),
        });
        show(
            call,
            channel_id,
            message,
            viewer,
            MessageView::GatewayCreate,
        );
        return Ok(());
    }
    let channel = call.channel_mut(channel_id)?;
    if let Some(thread) = channel.thread_mut().filter(|thread| thread.archived) {
        thread.archive(false);
        thread_events::changed(call.state, channel_id);
    }
    call.channel_mut(channel_id)?.post(message.clone());
    let view = MessageView::GatewayCreate;
    call.state.dispatch_message(channel_id, message, view);
    Ok(())
}

fn show(
    call: &mut RequestContext<'_>,
    channel_id: Snowflake,
    message: &Message,
    viewer: Snowflake,
    view: MessageView,
) {
    let realm = &call.state.realm;
    let Some(channel) = realm.channels.get(&channel_id) else {
        return;
    };
    let reader = Viewer {
        person: Some(viewer),
        reads_content: true,
    };
    let shown = json!(wire::Message::new(realm, channel, message, reader, view));
    let guild = channel.guild();
    let name = match view {
        MessageView::GatewayCreate => "MESSAGE_CREATE",
        _ => "MESSAGE_UPDATE",
    };
    call.state.tell(viewer, guild, name, &shown);
}

/// A message in a channel or before one person, and who that is.
pub(in crate::rest) fn find<'a>(
    call: &'a RequestContext<'_>,
    channel: Snowflake,
    id: Snowflake,
) -> Option<(&'a Message, Option<Snowflake>)> {
    let realm = &call.state.realm;
    let posted = realm.channels.get(&channel).and_then(|it| it.message(id));
    if let Some(message) = posted {
        return Some((message, None));
    }
    let seen = realm.ephemeral.get(id).filter(|it| it.channel == channel)?;
    Some((&seen.message, Some(seen.viewer)))
}

/// Changes a message as the body says.
pub(in crate::rest) fn revise(
    call: &mut RequestContext<'_>,
    channel_id: Snowflake,
    id: Snowflake,
    held: PermissionSet,
) -> Result<Message, ApiError> {
    if call.body.json.contains_key("content") {
        default_mentions(call);
    }
    let (before, viewer) = find(call, channel_id, id).ok_or(ApiError::UnknownMessage)?;
    let channel = call.state.realm.channels.get(&channel_id);
    let channel = channel.ok_or(ApiError::UnknownChannel)?;
    let thinking = before.flags & LOADING != 0;
    let mut edited = changed(call, channel, before, held, None)?;
    edited.flags &= !LOADING;
    let nothing_left = edited.content.is_empty()
        && edited.embeds.is_empty()
        && edited.components.is_empty()
        && edited.poll.is_none()
        && edited.attachments.is_empty()
        && call.body.files.is_empty();
    if nothing_left {
        return Err(ApiError::EmptyMessage);
    }
    if thinking {
        edited.edited = None;
    }
    edited.attachments.extend(store(call, channel_id));
    components::link_attachments(&mut edited)?;
    match viewer {
        Some(viewer) => {
            if let Some(place) = call.state.realm.ephemeral.get_mut(id) {
                place.message = edited.clone();
            }
            let view = MessageView::GatewayUpdate;
            show(call, channel_id, &edited, viewer, view);
        }
        None => {
            if let Some(place) = call.channel_mut(channel_id)?.message_mut(id) {
                *place = edited.clone();
            }
            let view = MessageView::GatewayUpdate;
            call.state.dispatch_message(channel_id, &edited, view);
        }
    }
    Ok(edited)
}

/// Takes a message back.
pub(in crate::rest) fn withdraw(
    call: &mut RequestContext<'_>,
    channel_id: Snowflake,
    id: Snowflake,
) -> ApiResult {
    let (_, viewer) = find(call, channel_id, id).ok_or(ApiError::UnknownMessage)?;
    let payload = |channel: &Channel| {
        let mut payload = json!({ "id": id, "channel_id": channel.id });
        if let Some(guild) = channel.guild() {
            payload["guild_id"] = json!(guild);
        }
        payload
    };
    if let Some(viewer) = viewer {
        call.state.realm.ephemeral.remove(id);
        if let Some(channel) = call.state.realm.channels.get(&channel_id) {
            let (payload, guild) = (payload(channel), channel.guild());
            call.state.tell(viewer, guild, "MESSAGE_DELETE", &payload);
        }
    } else {
        call.channel_mut(channel_id)?.remove(id);
        call.state
            .dispatch(channel_id, "MESSAGE_DELETE", |_, channel, _| {
                payload(channel)
            });
    }
    Ok(ApiResponse::NoContent)
}

/// A message as the one who holds the token reads it.
pub(in crate::rest) fn shown(
    call: &RequestContext<'_>,
    channel_id: Snowflake,
    message: &Message,
) -> Result<Value, ApiError> {
    let realm = &call.state.realm;
    let channel = realm.channels.get(&channel_id);
    let channel = channel.ok_or(ApiError::UnknownChannel)?;
    let reader = Viewer {
        person: Some(message.author),
        reads_content: true,
    };
    let view = MessageView::History;
    Ok(json!(wire::Message::new(
        realm, channel, message, reader, view
    )))
}
