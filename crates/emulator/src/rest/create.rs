//! Create Message.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResponse, ApiResult, GuildError, RequestContext,
    attachments::{content_type, store},
    auto_moderation::moderate,
    body::Upload,
    components::link_attachments,
    draft::{Draft, VOICE_MESSAGE},
    error::Problems,
    mentions::Pinged,
    thread_events,
};
use crate::{
    realm::{
        Attachment, Channel, ChannelKind, Message, MessageKind, PermissionSet, Realm, Reference,
    },
    snowflake::{Snowflake, now, rfc3339},
    wire::{self, MessageView},
};

/// The message was forwarded. Discord Docs/Message, Message Flags.
const HAS_SNAPSHOT: u64 = 1 << 14;

pub(super) fn create(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    may_send(call, channel, held)?;
    slow_mode(call, channel, held)?;
    let draft = Draft::read(&call.body.json)?;
    if let Some(sent) = already_sent(&draft, channel, call.me) {
        let message = channel.message(sent).ok_or(ApiError::UnknownMessage)?;
        return shown(call, channel, message);
    }
    let message = compose(call, id, draft, None)?;
    moderate(call, id, &message)?;
    send(call, id, &message)?;
    wrote(call, id)?;
    let (channel, _) = call.channel(id)?;
    shown(call, channel, &message)
}

/// Makes a message of a draft, if its author may write it there. It has an id
/// of its own unless it begins a post, whose id it then shares.
pub(super) fn compose(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    draft: Draft,
    known_as: Option<Snowflake>,
) -> Result<Message, ApiError> {
    let (channel, held) = call.channel(id)?;
    let reference = referred(call, &draft, channel, held)?;
    if draft.is_empty() && call.body.files.is_empty() {
        return Err(ApiError::EmptyMessage);
    }
    let needed = [
        (draft.tts, PermissionSet::SEND_TTS_MESSAGES),
        (!draft.embeds.is_empty(), PermissionSet::EMBED_LINKS),
        (!call.body.files.is_empty(), PermissionSet::ATTACH_FILES),
        (draft.poll.is_some(), PermissionSet::SEND_POLLS),
    ];
    voice_message(call, &draft)?;
    if needed
        .iter()
        .any(|(asked, permission)| *asked && !held.has(*permission))
    {
        return Err(ApiError::MissingPermissions);
    }
    let realm = &call.state.realm;
    let stickers = stickers(realm, channel, call.me, &draft.stickers)?;
    let replied_to = reference
        .filter(|reference| !reference.forward)
        .and_then(|reference| channel.message(reference.message?))
        .map(|message| message.author);
    let pinged = Pinged::by(
        realm,
        channel,
        held,
        &draft.content,
        &draft.allowed,
        replied_to,
    );
    let snapshots: Vec<Value> = reference
        .filter(|reference| reference.forward)
        .and_then(|reference| {
            let source = realm.channels.get(&reference.channel)?;
            source.message(reference.message?)
        })
        .map(snapshot)
        .into_iter()
        .collect();
    let kind = match reference {
        Some(Reference { forward: false, .. }) => MessageKind::Reply,
        _ => MessageKind::Default,
    };
    let forwarded = if snapshots.is_empty() {
        0
    } else {
        HAS_SNAPSHOT
    };
    let message_id = known_as.unwrap_or_else(|| call.state.realm.mint.next());
    let mut message = Message {
        tts: draft.tts,
        mention_everyone: pinged.everyone,
        mentions: pinged.users,
        mention_roles: pinged.roles,
        attachments: store(call, known_as.unwrap_or(id)),
        embeds: draft.embeds,
        components: draft.components,
        flags: draft.flags | forwarded,
        nonce: draft.nonce,
        reference,
        poll: draft.poll,
        stickers,
        snapshots,
        ..Message::plain(message_id, call.me, kind, draft.content)
    };
    link_attachments(&mut message)?;
    Ok(message)
}

/// A voice message has one sound, of which it tells the length and the shape,
/// and nothing else.
fn voice_message(call: &RequestContext<'_>, draft: &Draft) -> Result<(), ApiError> {
    if draft.flags & VOICE_MESSAGE == 0 {
        return Ok(());
    }
    if !draft.is_empty() {
        return Err(GuildError::VoiceMessageWithMore.into());
    }
    let described = call.body.json.get("attachments").and_then(Value::as_array);
    let told = described
        .into_iter()
        .flatten()
        .filter(|about| about["duration_secs"].as_f64().is_some() && about["waveform"].is_string());
    let sound = |upload: &Upload| content_type(&upload.name).starts_with("audio/");
    match &call.body.files[..] {
        [upload] if sound(upload) && told.count() == 1 => Ok(()),
        [_] => Err(GuildError::VoiceMessageMetadata.into()),
        _ => Err(GuildError::VoiceMessageNeedsOneSound.into()),
    }
}

/// Posts a message and tells everybody. In a thread, its author and whom it
/// mentions take part from then on.
pub(super) fn send(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: &Message,
) -> Result<(), ApiError> {
    thread_events::wake(call, id, message)?;
    call.channel_mut(id)?.post(message.clone());
    call.state
        .dispatch_message(id, message, MessageView::GatewayCreate);
    Ok(())
}

fn shown(call: &RequestContext<'_>, channel: &Channel, message: &Message) -> ApiResult {
    let realm = &call.state.realm;
    ApiResponse::json(wire::Message::new(
        realm,
        channel,
        message,
        call.viewer(),
        MessageView::CreateAnswer,
    ))
}

/// Refuses those who wrote a moment ago in a channel with slow mode. Bots are
/// exempt, and those who may bypass it.
pub(super) fn slow_mode(
    call: &RequestContext<'_>,
    channel: &Channel,
    held: PermissionSet,
) -> Result<(), ApiError> {
    let exempt = call.me()?.bot || held.has(PermissionSet::BYPASS_SLOWMODE);
    let Some(last) = channel.last_written.get(&call.me).filter(|_| !exempt) else {
        return Ok(());
    };
    let passed = now().duration_since(*last).as_secs_f64();
    let left = channel.slow_mode() as f64 - passed;
    if left > 0.0 {
        return Err(GuildError::SlowMode((left * 1000.0).ceil() / 1000.0).into());
    }
    Ok(())
}

/// Notes for slow mode that the caller wrote.
pub(super) fn wrote(call: &mut RequestContext<'_>, id: Snowflake) -> Result<(), ApiError> {
    let me = call.me;
    let channel = call.channel_mut(id)?;
    if channel.slow_mode() > 0 {
        channel.last_written.insert(me, now());
    }
    Ok(())
}

pub(super) fn may_send(
    call: &RequestContext<'_>,
    channel: &Channel,
    held: PermissionSet,
) -> Result<(), ApiError> {
    if channel.forum() || channel.category() {
        return Err(ApiError::NotATextChannel);
    }
    if !held.has(PermissionSet::SEND_MESSAGES) {
        return Err(ApiError::MissingPermissions);
    }
    if let Some(thread) = channel.thread()
        && thread.locked
        && !held.has(PermissionSet::MANAGE_THREADS)
    {
        return Err(ApiError::ThreadLocked);
    }
    // Bots do not talk to bots in private, nor to whom they meet nowhere.
    if let ChannelKind::Direct { people } = &channel.kind {
        let realm = &call.state.realm;
        let is_bot = |id: &Snowflake| realm.person(*id).is_some_and(|person| person.bot);
        let meet = realm
            .guilds
            .iter()
            .any(|guild| people.iter().all(|id| guild.member(*id).is_some()));
        if people.iter().all(is_bot) || (is_bot(&call.me) && !meet) {
            return Err(ApiError::CannotMessageUser);
        }
    }
    Ok(())
}

fn already_sent(draft: &Draft, channel: &Channel, author: Snowflake) -> Option<Snowflake> {
    let nonce = draft.nonce.as_ref().filter(|_| draft.enforce_nonce)?;
    channel.sent_with(author, nonce)
}

fn referred(
    call: &RequestContext<'_>,
    draft: &Draft,
    channel: &Channel,
    held: PermissionSet,
) -> Result<Option<Reference>, ApiError> {
    let Some(asked) = draft.reference else {
        return Ok(None);
    };
    let source = asked.channel.unwrap_or(channel.id);
    let reference = Reference {
        channel: source,
        message: Some(asked.message),
        forward: asked.forward,
    };
    if asked.forward {
        let (source, held) = call.channel(source)?;
        if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
            return Err(ApiError::MissingAccess);
        }
        let known = source.message(asked.message);
        let known = known.ok_or(ApiError::UnknownMessage)?;
        // Polls and what nobody wrote are not forwarded.
        if known.poll.is_some() || known.kind.of_the_system() {
            return Err(Problems::one(
                "message_reference",
                "MESSAGE_CANNOT_FORWARD",
                "This message cannot be forwarded",
            ));
        }
        return Ok(Some(reference));
    }
    if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        return Err(ApiError::ReplyNeedsHistory);
    }
    if source == channel.id && channel.message(asked.message).is_some() {
        return Ok(Some(reference));
    }
    if asked.must_exist {
        return Err(Problems::one(
            "message_reference",
            "REPLIES_UNKNOWN_MESSAGE",
            "Unknown message",
        ));
    }
    Ok(None)
}

/// Sticker items of the channel's guild, or in private of any guild that the
/// author is in.
fn stickers(
    realm: &Realm,
    channel: &Channel,
    author: Snowflake,
    ids: &[Snowflake],
) -> Result<Vec<Value>, ApiError> {
    let here = |guild: Snowflake| channel.guild().is_none_or(|id| id == guild);
    let known: Vec<_> = realm
        .guilds_of(author)
        .filter(|guild| here(guild.id))
        .flat_map(|guild| &guild.stickers)
        .collect();
    let item = |id: &Snowflake| {
        let sticker = known.iter().find(|sticker| sticker.id == *id)?;
        Some(json!({ "id": sticker.id, "name": sticker.name, "format_type": sticker.format }))
    };
    let items: Option<Vec<Value>> = ids.iter().map(item).collect();
    items.ok_or_else(|| Problems::one("sticker_ids", "STICKER_UNKNOWN", "Unknown sticker"))
}

/// What a forward keeps of a message: not who wrote it. Discord Docs/Message,
/// Message Snapshot.
fn snapshot(message: &Message) -> Value {
    json!({ "message": {
        "type": message.kind.number(),
        "content": message.content,
        "timestamp": rfc3339(message.id.timestamp()),
        "edited_timestamp": message.edited.map(rfc3339),
        "embeds": message.embeds,
        "attachments": message.attachments.iter().map(Attachment::signed).collect::<Vec<_>>(),
        "components": message.components,
        "sticker_items": message.stickers,
        "flags": message.flags,
        "mentions": [],
        "mention_roles": message.mention_roles,
    }})
}
