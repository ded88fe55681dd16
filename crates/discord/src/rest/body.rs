//! The bodies we send.

use std::borrow::Cow;

use kaiwa_domain::port::Picture;
use kaiwa_domain::{
    Button, ChannelId, Effect, File, GuildSticker, Identity, MessageId, Nonce, Pings, ThoughtPage,
    WebhookHandle,
};
use memchr::memmem;
use serde::Serialize;
use serde_json::json;

use super::interactions::rows;
use super::route::Route;

/// The name that pictures of tables go by.
const PICTURE_NAME: &str = "table.png";

/// The name of the rest of an answer.
const REST_NAME: &str = "answer.md";

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// A body, ready to be sent as often as it takes.
pub(super) struct RequestBody {
    pub(super) content_type: String,
    pub(super) bytes: Vec<u8>,
}

impl RequestBody {
    /// A body of JSON. Whoever writes a message says whom it may mention.
    pub(super) fn of(json: &serde_json::Value) -> Self {
        Self {
            content_type: "application/json".to_owned(),
            bytes: json.to_string().into_bytes(),
        }
    }

    fn json(message: &CreateMessage<'_>) -> Result<Self, serde_json::Error> {
        Ok(Self {
            content_type: "application/json".to_owned(),
            bytes: serde_json::to_vec(message)?,
        })
    }

    /// What a message of ours says from here on. Its buttons stay as they are,
    /// unless others are given.
    pub(super) fn edit(
        content: &str,
        buttons: Option<&[Button]>,
        pings: &Pings,
    ) -> Result<Self, serde_json::Error> {
        Self::edited(&EditMessage {
            content: Some(content),
            allowed_mentions: Some(AllowedMentions::of(content, pings)),
            components: buttons.map(rows),
        })
    }

    /// The buttons of a message of ours from here on; it says what it says, and
    /// mentions whom it mentions.
    pub(super) fn dress(buttons: &[Button]) -> Result<Self, serde_json::Error> {
        Self::edited(&EditMessage {
            content: None,
            allowed_mentions: None,
            components: Some(rows(buttons)),
        })
    }

    fn edited(edit: &EditMessage<'_>) -> Result<Self, serde_json::Error> {
        Ok(Self {
            content_type: "application/json".to_owned(),
            bytes: serde_json::to_vec(edit)?,
        })
    }

    /// A form with the message and a file.
    ///
    /// See [Discord Docs/Uploading Files](https://docs.discord.com/developers/reference#uploading-files).
    fn form(
        message: &CreateMessage<'_>,
        name: &str,
        content_type: &str,
        content: &[u8],
    ) -> Result<Self, serde_json::Error> {
        let json = serde_json::to_vec(message)?;
        Ok(Self::multipart(
            &json,
            &message.seed,
            name,
            content_type,
            content,
        ))
    }

    /// A form with a message of JSON and a file of JSON. Whoever writes a
    /// message says whom it may mention.
    pub(super) fn with_file(
        message: &serde_json::Value,
        seed: &str,
        name: &str,
        content: &[u8],
    ) -> Self {
        let json = message.to_string();
        let content_type = match name.rsplit('.').next() {
            Some("json") => "application/json",
            Some("png") => "image/png",
            Some("toml") => "application/toml",
            _ => "application/octet-stream",
        };
        Self::multipart(json.as_bytes(), seed, name, content_type, content)
    }

    fn multipart(json: &[u8], seed: &str, name: &str, content_type: &str, content: &[u8]) -> Self {
        let mut boundary = format!("kaiwa-{seed}-kaiwa");
        while memmem::find(content, boundary.as_bytes()).is_some() {
            boundary.push('-');
        }
        let mut bytes = Vec::with_capacity(json.len() + content.len() + 512);
        let file = format!("files[0]\"; filename=\"{name}\"");
        let parts = [
            ("payload_json\"", "application/json", json),
            (file.as_str(), content_type, content),
        ];
        for (name, content_type, content) in parts {
            let head = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\r\nContent-Type: {content_type}\r\n\r\n"
            );
            bytes.extend_from_slice(head.as_bytes());
            bytes.extend_from_slice(content);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        Self {
            content_type: format!("multipart/form-data; boundary={boundary}"),
            bytes,
        }
    }
}

/// An effect that says something, and in which voice.
#[derive(Clone, Copy)]
pub(super) struct Saying<'e> {
    pub(super) effect: &'e Effect,
    pub(super) voice: PostVoice<'e>,
}

/// In which voice something is said.
#[derive(Clone, Copy)]
pub(super) enum PostVoice<'e> {
    /// Our own. It can reply.
    Own {
        /// Whose words they are, where that is to be told.
        of: Option<&'e Identity>,
    },
    /// Somebody's own, by a webhook.
    Webhook {
        webhook: &'e WebhookHandle,
        /// The webhook's channel, and the thread of it in which it speaks.
        home: ChannelId,
        thread: Option<ChannelId>,
        identity: &'e Identity,
        /// Where the picture is.
        avatar: Option<&'e str>,
    },
}

impl Saying<'_> {
    /// How it is posted.
    pub(super) const fn route(&self, with_file: bool) -> Route<'_> {
        match self.voice {
            PostVoice::Webhook {
                webhook,
                home,
                thread,
                ..
            } => Route::ExecuteWebhook {
                webhook,
                home,
                thread,
            },
            PostVoice::Own { .. } if with_file => Route::CreateMessageWithFile(self.effect.channel),
            PostVoice::Own { .. } => Route::CreateMessage(self.effect.channel),
        }
    }

    /// How a message that says it is changed.
    pub(super) const fn edit_route(&self, message: MessageId) -> Route<'_> {
        match self.voice {
            PostVoice::Webhook {
                webhook, thread, ..
            } => Route::EditWebhookMessage {
                webhook,
                thread,
                message,
            },
            PostVoice::Own { .. } => Route::EditMessage {
                channel: self.effect.channel,
                message,
            },
        }
    }

    /// How a message that said it is taken down.
    pub(super) const fn delete_route(&self, message: MessageId) -> Route<'_> {
        match self.voice {
            PostVoice::Webhook {
                webhook, thread, ..
            } => Route::DeleteWebhookMessage {
                webhook,
                thread,
                message,
            },
            PostVoice::Own { .. } => Route::DeleteOwn {
                channel: self.effect.channel,
                message,
            },
        }
    }

    /// The message it replies to.
    const fn reply_to(&self) -> Option<MessageId> {
        match self.voice {
            PostVoice::Own { .. } => self.effect.body.reply_to(),
            PostVoice::Webhook { .. } => None,
        }
    }

    /// What is written to say `text`.
    pub(super) fn written<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.voice {
            PostVoice::Own { of: Some(identity) } => identity.quote(text),
            PostVoice::Own { of: None } | PostVoice::Webhook { .. } => Cow::Borrowed(text),
        }
    }
}

/// The body of Create Message. A [`Saying`] is the only way to make one, and
/// whom it may mention is always said: left out, Discord would ping everybody
/// the text names.
#[derive(Serialize)]
pub(super) struct CreateMessage<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    content: Cow<'a, str>,
    /// Webhooks know none.
    #[serde(flatten)]
    nonce: Option<EnforcedNonce>,
    #[serde(flatten)]
    appearance: Option<Appearance<'a>>,
    #[serde(skip)]
    seed: String,
    allowed_mentions: AllowedMentions,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_reference: Option<MessageReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachments: Option<[Attachment<'a>; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    components: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    embeds: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sticker_ids: Vec<String>,
}

/// The body of Edit Message. New words decide anew whom it mentions, and so may
/// a choice alone; without both that stays as it is.
///
/// See [Discord Docs/Edit Message](https://docs.discord.com/developers/resources/message#edit-message).
#[derive(Serialize)]
struct EditMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_mentions: Option<AllowedMentions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<Vec<serde_json::Value>>,
}

#[derive(Serialize)]
struct EnforcedNonce {
    nonce: String,
    /// Makes Discord return the first message when the nonce comes again.
    enforce_nonce: bool,
}

#[derive(Serialize)]
struct Appearance<'a> {
    username: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar_url: Option<&'a str>,
}

/// The most people that one message pings.
const MOST_PINGED: usize = 10;

/// Nobody is pinged but the people whom the text mentions, which whoever asked
/// could do as well, and whom the effect [may ping](Pings): never everybody.
#[derive(Serialize)]
pub(super) struct AllowedMentions {
    parse: [&'static str; 0],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    users: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roles: Vec<String>,
    replied_user: bool,
}

impl AllowedMentions {
    /// Whom a message that says `text` pings.
    pub(super) fn of(text: &str, pings: &Pings) -> Self {
        Self {
            parse: [],
            users: mentioned(text),
            roles: pings.roles.iter().map(ToString::to_string).collect(),
            replied_user: pings.replied,
        }
    }
}

/// The users whom a text mentions, each once.
pub(super) fn mentioned(text: &str) -> Vec<String> {
    let mut users: Vec<String> = Vec::new();
    for tag in text.split("<@").skip(1) {
        let tag = tag.strip_prefix('!').unwrap_or(tag);
        let end = tag.bytes().take_while(u8::is_ascii_digit).count();
        let is_id = (1..=20).contains(&end) && tag[end..].starts_with('>');
        if is_id && !users.iter().any(|user| user == &tag[..end]) && users.len() < MOST_PINGED {
            users.push(tag[..end].to_owned());
        }
    }
    users
}

#[derive(Serialize)]
struct MessageReference {
    message_id: String,
    /// A question deleted in the meantime does not cost the answer.
    fail_if_not_exists: bool,
}

/// What is said about the file of the same number.
#[derive(Serialize)]
struct Attachment<'a> {
    id: u8,
    filename: &'a str,
    description: &'a str,
}

impl<'a> CreateMessage<'a> {
    /// Part `part` of `parts` messages of text that together are the effect.
    /// The first one replies; the last one has the effect's nonce, so where that is
    /// found everything before it was sent.
    pub(super) fn part(
        saying: Saying<'a>,
        content: &'a str,
        part: usize,
        parts: usize,
    ) -> Result<RequestBody, serde_json::Error> {
        let nonce = if part + 1 == parts {
            saying.effect.nonce()
        } else {
            saying.effect.nonce().part(part)
        };
        let mut message = Self::new(saying, &nonce, content);
        if part > 0 {
            message.message_reference = None;
            message.allowed_mentions.replied_user = false;
        }
        RequestBody::json(&message)
    }

    /// Text in the place of a message that takes no more edits.
    pub(super) fn again(
        saying: Saying<'a>,
        content: &'a str,
        message: MessageId,
    ) -> Result<RequestBody, serde_json::Error> {
        let nonce = Nonce::in_place_of(message);
        RequestBody::json(&Self::new(saying, &nonce, content))
    }

    /// Text with buttons below it.
    pub(super) fn offer(
        saying: Saying<'a>,
        content: &'a str,
        buttons: &[Button],
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), content);
        message.components = rows(buttons);
        RequestBody::json(&message)
    }

    /// Text that pings nobody whom it names.
    pub(super) fn report(
        saying: Saying<'a>,
        content: &'a str,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), content);
        message.allowed_mentions.users.clear();
        RequestBody::json(&message)
    }

    /// What was thought before an answer.
    pub(super) fn thoughts(
        saying: Saying<'a>,
        page: &ThoughtPage,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), "");
        message.embeds = vec![json!({
            "title": page.title,
            "url": page.link,
            "description": page.text,
            "footer": { "text": page.footer },
        })];
        RequestBody::json(&message)
    }

    /// A sticker and nothing else.
    pub(super) fn sticker(
        saying: Saying<'a>,
        sticker: &GuildSticker,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), "");
        message.content = Cow::Borrowed("");
        message.sticker_ids = vec![sticker.id.to_string()];
        RequestBody::json(&message)
    }

    /// A picture.
    pub(super) fn picture(
        saying: Saying<'a>,
        picture: &'a Picture,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), "");
        message.attachments = Some([Attachment {
            id: 0,
            filename: PICTURE_NAME,
            description: &picture.alt,
        }]);
        RequestBody::form(&message, PICTURE_NAME, "image/png", &picture.png)
    }

    /// A file of text below a line.
    pub(super) fn rest(
        saying: Saying<'a>,
        line: &'a str,
        text: &str,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), line);
        message.attachments = Some([Attachment {
            id: 0,
            filename: REST_NAME,
            description: "The rest of the answer",
        }]);
        RequestBody::form(&message, REST_NAME, PLAIN_TEXT, text.as_bytes())
    }

    /// A file of text, with a description.
    pub(super) fn file(
        saying: Saying<'a>,
        file: &'a File,
        description: &'a str,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), "");
        message.attachments = Some([Attachment {
            id: 0,
            filename: file.name(),
            description,
        }]);
        let text = file.text().as_bytes();
        RequestBody::form(&message, file.name(), PLAIN_TEXT, text)
    }

    /// A text that is too long for one message, as a file.
    pub(super) fn long_text(
        saying: Saying<'a>,
        name: &'a str,
        text: &str,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), "");
        message.attachments = Some([Attachment {
            id: 0,
            filename: name,
            description: "",
        }]);
        RequestBody::form(&message, name, PLAIN_TEXT, text.as_bytes())
    }

    fn new(saying: Saying<'a>, nonce: &Nonce, content: &'a str) -> Self {
        let seed = nonce.as_str().to_owned();
        let (nonce, appearance) = match saying.voice {
            PostVoice::Own { .. } => {
                let nonce = seed.clone();
                let enforce_nonce = true;
                (
                    Some(EnforcedNonce {
                        nonce,
                        enforce_nonce,
                    }),
                    None,
                )
            }
            PostVoice::Webhook {
                identity, avatar, ..
            } => {
                let username = identity.name();
                let avatar_url = avatar;
                (
                    None,
                    Some(Appearance {
                        username,
                        avatar_url,
                    }),
                )
            }
        };
        let reply_to = saying.reply_to();
        let mut pings = saying.effect.pings.clone();
        pings.replied &= reply_to.is_some();
        Self {
            content: saying.written(content),
            nonce,
            appearance,
            seed,
            allowed_mentions: AllowedMentions::of(content, &pings),
            message_reference: reply_to.map(|message| MessageReference {
                message_id: message.to_string(),
                fail_if_not_exists: false,
            }),
            attachments: None,
            components: Vec::new(),
            embeds: Vec::new(),
            sticker_ids: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_pinged_and_nobody_else() {
        for (text, expected) in [
            ("hi <@12> and <@!34>, <@12>", &["12", "34"][..]),
            ("@everyone @here <@&5> <#6> <@> <@x> <@7", &[]),
            ("<@1234567890123456789012>", &[]),
            ("<@+1> <@ 1> <@１>", &[]),
        ] {
            assert_eq!(mentioned(text), expected, "{text}");
        }
        let many: String = (0..30).map(|id| format!("<@{id}>")).collect();
        assert_eq!(mentioned(&many).len(), MOST_PINGED);
    }
}
