//! A message as its sender wrote it.

use serde_json::{Map, Value, json};

use super::{
    ApiError,
    body::{Fields, snowflake},
    components::{self, COMPONENTS_V2},
    embeds::{check_components_v2, embeds},
    error::Problems,
    mentions::Allowed,
};
use crate::{
    limits,
    realm::Nonce,
    snowflake::{Snowflake, now, rfc3339},
};

/// Flags that a sender may set: suppress embeds, suppress notifications,
/// components v2. Others are ignored.
pub(super) const SETTABLE_FLAGS: u64 = 1 << 2 | 1 << 12 | COMPONENTS_V2;

/// A recording of somebody who speaks: nothing but one sound.
pub(super) const VOICE_MESSAGE: u64 = 1 << 13;

pub(super) struct Draft {
    pub(super) content: String,
    pub(super) tts: bool,
    pub(super) embeds: Vec<Value>,
    pub(super) components: Vec<Value>,
    pub(super) flags: u64,
    pub(super) nonce: Option<Nonce>,
    pub(super) enforce_nonce: bool,
    pub(super) allowed: Allowed,
    pub(super) reference: Option<AskedReference>,
    pub(super) stickers: Vec<Snowflake>,
    pub(super) poll: Option<Value>,
}

/// The message that a draft refers to, which may not be there.
#[derive(Clone, Copy)]
pub(super) struct AskedReference {
    pub(super) message: Snowflake,
    pub(super) channel: Option<Snowflake>,
    pub(super) must_exist: bool,
    pub(super) forward: bool,
}

impl Draft {
    /// Reads the body of Create Message, or the message of a forum post.
    pub(super) fn read(map: &Map<String, Value>) -> Result<Self, ApiError> {
        let mut body = Fields::new(map, "");
        let flags = body.number("flags").unwrap_or(0) & (SETTABLE_FLAGS | VOICE_MESSAGE);
        let draft = Self {
            content: content(&mut body).unwrap_or_default(),
            tts: body.flag("tts").unwrap_or(false),
            embeds: embeds(&mut body).unwrap_or_default(),
            components: components::of_message(&mut body, flags).unwrap_or_default(),
            flags,
            nonce: nonce(&mut body),
            enforce_nonce: body.flag("enforce_nonce").unwrap_or(false),
            allowed: Allowed::read(&mut body),
            reference: reference(&mut body),
            stickers: body
                .ids("sticker_ids", limits::STICKERS)
                .unwrap_or_default(),
            poll: poll(&mut body),
        };
        check_components_v2(&mut body.problems, flags, &draft.content, &draft.embeds);
        body.problems.into_result()?;
        Ok(draft)
    }

    pub(super) fn forwards(&self) -> bool {
        self.reference.is_some_and(|reference| reference.forward)
    }

    /// Whether it has nothing but, perhaps, files.
    pub(super) fn is_empty(&self) -> bool {
        self.content.is_empty()
            && self.embeds.is_empty()
            && self.components.is_empty()
            && self.stickers.is_empty()
            && self.poll.is_none()
            && !self.forwards()
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

fn reference(body: &mut Fields<'_>) -> Option<AskedReference> {
    let map = body.object("message_reference")?;
    let mut fields = Fields::new(map, "message_reference");
    let message = fields.id("message_id");
    let channel = fields.id("channel_id");
    let must_exist = fields.flag("fail_if_not_exists").unwrap_or(true);
    let kind = fields.number("type").unwrap_or(0);
    if kind > 1 {
        fields.problems.add(
            "message_reference.type",
            "BASE_TYPE_CHOICES",
            "Value must be one of (0, 1).",
        );
    }
    // A reply is in its own channel; a forward says where it comes from.
    if kind == 1 && !fields.names("channel_id") {
        let message = "This field is required";
        fields.problems.add(
            "message_reference.channel_id",
            "BASE_TYPE_REQUIRED",
            message,
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
    Some(AskedReference {
        message: message?,
        channel,
        must_exist,
        forward: kind == 1,
    })
}

/// A poll as it will be shown. Discord Docs/Poll, Poll Create Request.
fn poll(body: &mut Fields<'_>) -> Option<Value> {
    let map = body.object("poll")?;
    let mut fields = Fields::new(map, "poll");
    let question = media(
        fields.get("question"),
        "poll.question",
        limits::POLL_QUESTION_CHARS,
        &mut fields.problems,
    );
    let list = fields.list("answers").unwrap_or_default();
    if !(1..=limits::POLL_ANSWERS).contains(&list.len()) {
        fields.problems.add(
            "poll.answers",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 10 in length.",
        );
    }
    let mut answers = Vec::new();
    for (index, answer) in list.iter().take(limits::POLL_ANSWERS).enumerate() {
        let path = format!("poll.answers.{index}.poll_media");
        let media = media(
            answer.get("poll_media"),
            &path,
            limits::POLL_ANSWER_CHARS,
            &mut fields.problems,
        );
        answers.push(json!({ "answer_id": index + 1, "poll_media": media }));
    }
    let hours = fields.number("duration").unwrap_or(24);
    if !(1..=limits::POLL_HOURS).contains(&hours) {
        fields.problems.add(
            "poll.duration",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 768.",
        );
    }
    let multiple = fields.flag("allow_multiselect").unwrap_or(false);
    body.problems.merge(fields.problems);
    let minutes = i64::try_from(hours.min(limits::POLL_HOURS)).unwrap_or(24) * 60;
    let expiry = now() + jiff::SignedDuration::from_mins(minutes);
    Some(json!({
        "question": question,
        "answers": answers,
        "expiry": rfc3339(expiry),
        "allow_multiselect": multiple,
        "layout_type": 1,
        "results": { "is_finalized": false, "answer_counts": [] },
    }))
}

/// A poll's text, with an emoji if there is one.
fn media(value: Option<&Value>, path: &str, most: usize, problems: &mut Problems) -> Value {
    let text = value.and_then(|value| value.get("text")?.as_str());
    let chars = text.map_or(0, |text| text.chars().count());
    if chars == 0 {
        problems.add(
            &format!("{path}.text"),
            "BASE_TYPE_REQUIRED",
            "This field is required",
        );
    }
    if chars > most {
        problems.too_long(&format!("{path}.text"), most);
    }
    let mut media = json!({ "text": text });
    let emoji = value.and_then(|value| value.get("emoji"));
    let name = emoji.and_then(|emoji| emoji.get("name")?.as_str());
    let id = emoji.and_then(|emoji| snowflake(emoji.get("id")?));
    let name = name.filter(|name| name.len() <= 64);
    if name.is_some() || id.is_some() {
        media["emoji"] = json!({ "id": id, "name": name });
    }
    media
}
