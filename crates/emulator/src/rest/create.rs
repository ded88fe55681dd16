//! Create Message.

use serde_json::{Map, Value};

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext,
    attachments::store,
    body::Fields,
    error::Problems,
    mentions::{Allowed, Pinged},
};
use crate::{
    limits,
    realm::{Channel, ChannelKind, Message, Nonce, PermissionSet, Reference},
    snowflake::Snowflake,
    wire::{self, MessageView},
};

/// Flags that a sender may set: suppress embeds, suppress notifications,
/// components v2. Others are ignored.
pub(super) const SETTABLE_FLAGS: u64 = 1 << 2 | 1 << 12 | COMPONENTS_V2;
pub(super) const COMPONENTS_V2: u64 = 1 << 15;

pub(super) fn create(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    may_send(call, channel, held)?;
    let draft = Draft::read(call)?;
    let reference = draft.reference(channel, held)?;

    if let Some(sent) = draft.already_sent(channel, call.me) {
        let message = channel.message(sent).ok_or(ApiError::UnknownMessage)?;
        return shown(call, channel, message);
    }
    if draft.is_empty(call) {
        return Err(ApiError::EmptyMessage);
    }
    let needed = [
        (draft.tts, PermissionSet::SEND_TTS_MESSAGES),
        (!draft.embeds.is_empty(), PermissionSet::EMBED_LINKS),
        (!call.body.files.is_empty(), PermissionSet::ATTACH_FILES),
    ];
    if needed
        .iter()
        .any(|(asked, permission)| *asked && !held.has(*permission))
    {
        return Err(ApiError::MissingPermissions);
    }

    let replied_to = reference
        .and_then(|r| channel.message(r.message))
        .map(|message| message.author);
    let pinged = Pinged::by(
        &call.state.realm,
        channel,
        held,
        &draft.content,
        &draft.allowed,
        replied_to,
    );
    let message = Message {
        id: call.state.realm.mint.next(),
        author: call.me,
        content: draft.content,
        edited: None,
        tts: draft.tts,
        mention_everyone: pinged.everyone,
        mentions: pinged.users,
        mention_roles: pinged.roles,
        attachments: store(call, id),
        embeds: draft.embeds,
        components: draft.components,
        reactions: Vec::new(),
        flags: draft.flags,
        nonce: draft.nonce,
        reference,
    };
    call.channel_mut(id)?.post(message.clone());
    call.state
        .dispatch_message(id, &message, MessageView::GatewayCreate);
    let (channel, _) = call.channel(id)?;
    shown(call, channel, &message)
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

pub(super) fn may_send(
    call: &RequestContext<'_>,
    channel: &Channel,
    held: PermissionSet,
) -> Result<(), ApiError> {
    if !held.has(PermissionSet::SEND_MESSAGES) {
        return Err(ApiError::MissingPermissions);
    }
    // Bots do not talk to bots in private.
    if let ChannelKind::Direct { people } = &channel.kind {
        let bots = people
            .iter()
            .filter_map(|id| call.state.realm.person(*id))
            .filter(|person| person.bot);
        if bots.count() == people.len() {
            return Err(ApiError::CannotMessageUser);
        }
    }
    Ok(())
}

/// A message as its sender wrote it.
struct Draft {
    content: String,
    tts: bool,
    embeds: Vec<Value>,
    components: Vec<Value>,
    flags: u64,
    nonce: Option<Nonce>,
    enforce_nonce: bool,
    allowed: Allowed,
    reference: Option<(Snowflake, Option<Snowflake>, bool)>,
    stickers: bool,
}

impl Draft {
    fn read(call: &RequestContext<'_>) -> Result<Self, ApiError> {
        let mut body = Fields::new(&call.body.json, "");
        let flags = body.number("flags").unwrap_or(0) & SETTABLE_FLAGS;
        let draft = Self {
            content: content(&mut body).unwrap_or_default(),
            tts: body.flag("tts").unwrap_or(false),
            embeds: embeds(&mut body).unwrap_or_default(),
            components: components(&mut body, flags).unwrap_or_default(),
            flags,
            nonce: nonce(&mut body),
            enforce_nonce: body.flag("enforce_nonce").unwrap_or(false),
            allowed: Allowed::read(&mut body),
            reference: reference(&mut body),
            stickers: body.list("sticker_ids").is_some_and(|ids| !ids.is_empty()),
        };
        if draft.stickers {
            body.problems
                .add("sticker_ids", "STICKER_UNKNOWN", "Unknown sticker");
        }
        check_components_v2(&mut body.problems, flags, &draft.content, &draft.embeds);
        body.problems.into_result()?;
        Ok(draft)
    }

    fn is_empty(&self, call: &RequestContext<'_>) -> bool {
        self.content.is_empty()
            && self.embeds.is_empty()
            && self.components.is_empty()
            && call.body.files.is_empty()
    }

    fn already_sent(&self, channel: &Channel, author: Snowflake) -> Option<Snowflake> {
        let nonce = self.nonce.as_ref().filter(|_| self.enforce_nonce)?;
        channel.sent_with(author, nonce)
    }

    fn reference(
        &self,
        channel: &Channel,
        held: PermissionSet,
    ) -> Result<Option<Reference>, ApiError> {
        let Some((message, elsewhere, must_exist)) = self.reference else {
            return Ok(None);
        };
        if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
            return Err(ApiError::ReplyNeedsHistory);
        }
        let here = elsewhere.is_none_or(|id| id == channel.id);
        if here && channel.message(message).is_some() {
            return Ok(Some(Reference { message }));
        }
        if must_exist {
            return Err(Problems::one(
                "message_reference",
                "REPLIES_UNKNOWN_MESSAGE",
                "Unknown message",
            ));
        }
        Ok(None)
    }
}

/// Trimmed as Discord trims it. `None` when the body does not have it.
pub(super) fn content(body: &mut Fields<'_>) -> Option<String> {
    let content = body.text("content")?;
    if content.chars().count() > limits::CONTENT_CHARS {
        body.too_long("content", limits::CONTENT_CHARS);
    }
    Some(content.trim().to_owned())
}

fn nonce(body: &mut Fields<'_>) -> Option<Nonce> {
    let nonce = match body.get("nonce")? {
        Value::Number(number) if number.is_i64() => Nonce::Number(number.as_i64()?),
        _ => Nonce::Text(body.text("nonce")?),
    };
    let chars = match &nonce {
        Nonce::Text(text) => text.chars().count(),
        Nonce::Number(number) => number.to_string().len(),
    };
    if chars > limits::NONCE_CHARS {
        body.problems.add(
            "nonce",
            "NONCE_TYPE_TOO_LONG",
            "Nonces are limited to 25 characters.",
        );
    }
    Some(nonce)
}

fn reference(body: &mut Fields<'_>) -> Option<(Snowflake, Option<Snowflake>, bool)> {
    let map = body.object("message_reference")?;
    let mut fields = Fields::new(map, "message_reference");
    let message = fields.id("message_id");
    let channel = fields.id("channel_id");
    let must_exist = fields.flag("fail_if_not_exists").unwrap_or(true);
    if fields.number("type").unwrap_or(0) != 0 {
        fields.problems.add(
            "message_reference.type",
            "BASE_TYPE_CHOICES",
            "Value must be one of {0}.",
        );
    }
    if message.is_none() && !fields.names("message_id") {
        let message = "This field is required";
        fields.problems.add(
            "message_reference.message_id",
            "BASE_TYPE_REQUIRED",
            message,
        );
    }
    body.problems.merge(fields.problems);
    Some((message?, channel, must_exist))
}

/// Embeds pass through as they are, within Discord's lengths.
pub(super) fn embeds(body: &mut Fields<'_>) -> Option<Vec<Value>> {
    let list = body.list("embeds")?;
    check_size(body, "embeds", list);
    if list.len() > limits::EMBEDS {
        body.too_long("embeds", limits::EMBEDS);
        return None;
    }
    let mut total = 0;
    let mut embeds = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let path = format!("embeds.{index}");
        let Value::Object(map) = value else {
            body.problems.add(
                &path,
                "DICT_TYPE_CONVERT",
                "Only dictionaries may be used in a DictType",
            );
            continue;
        };
        total += measure(&mut body.problems, &path, map);
        let mut embed = map.clone();
        embed.insert("type".into(), "rich".into());
        embeds.push(Value::Object(embed));
    }
    if total > limits::EMBED_CHARS {
        body.problems.add(
            "embeds",
            "MAX_EMBED_SIZE_EXCEEDED",
            "Embed size exceeds maximum size of 6000",
        );
    }
    Some(embeds)
}

/// What passes through unread must still fit in memory.
fn check_size(body: &mut Fields<'_>, key: &str, list: &[Value]) {
    let bytes: usize = list.iter().map(|value| value.to_string().len()).sum();
    if bytes > limits::STRUCTURED_BYTES {
        body.too_long(key, limits::STRUCTURED_BYTES);
    }
}

/// Notes what is too long and says how long all is.
fn measure(problems: &mut Problems, path: &str, embed: &Map<String, Value>) -> usize {
    let mut total = 0;
    let mut text = |path: String, value: Option<&Value>, most: usize| {
        let chars = value
            .and_then(Value::as_str)
            .map_or(0, |text| text.trim().chars().count());
        total += chars;
        if chars > most {
            problems.too_long(&path, most);
        }
    };
    text(format!("{path}.title"), embed.get("title"), 256);
    text(
        format!("{path}.description"),
        embed.get("description"),
        4096,
    );
    text(
        format!("{path}.footer.text"),
        embed.get("footer").and_then(|footer| footer.get("text")),
        2048,
    );
    text(
        format!("{path}.author.name"),
        embed.get("author").and_then(|author| author.get("name")),
        256,
    );
    let fields = embed
        .get("fields")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    for (index, field) in fields.iter().enumerate() {
        text(
            format!("{path}.fields.{index}.name"),
            field.get("name"),
            256,
        );
        text(
            format!("{path}.fields.{index}.value"),
            field.get("value"),
            1024,
        );
    }
    if fields.len() > 25 {
        problems.too_long(&format!("{path}.fields"), 25);
    }
    total
}

pub(super) fn components(body: &mut Fields<'_>, flags: u64) -> Option<Vec<Value>> {
    let list = body.list("components")?;
    check_size(body, "components", list);
    let most = if flags & COMPONENTS_V2 == 0 {
        limits::ACTION_ROWS
    } else {
        limits::COMPONENTS
    };
    if list.len() > most {
        body.too_long("components", most);
    }
    Some(list.to_vec())
}

pub(super) fn check_components_v2(
    problems: &mut Problems,
    flags: u64,
    content: &str,
    embeds: &[Value],
) {
    if flags & COMPONENTS_V2 == 0 {
        return;
    }
    let message = "This field cannot be used with MessageFlags.IS_COMPONENTS_V2";
    if !content.is_empty() {
        problems.add(
            "content",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            message,
        );
    }
    if !embeds.is_empty() {
        problems.add(
            "embeds",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            message,
        );
    }
}
