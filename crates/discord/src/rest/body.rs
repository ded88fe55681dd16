//! The bodies we send.

use kaiwa_domain::port::Picture;
use kaiwa_domain::{Button, Effect, File, MessageId, Nonce, Pings};
use memchr::memmem;
use serde::Serialize;

use super::interactions::rows;

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

    /// What a message of ours says from here on.
    pub(super) fn edit(
        content: &str,
        buttons: &[Button],
        pings: &Pings,
    ) -> Result<Self, serde_json::Error> {
        let edit = EditMessage {
            content,
            allowed_mentions: AllowedMentions::of(content, pings),
            components: rows(buttons),
        };
        Ok(Self {
            content_type: "application/json".to_owned(),
            bytes: serde_json::to_vec(&edit)?,
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
            &message.nonce,
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

/// An effect that says something, and what it replies to.
#[derive(Clone, Copy)]
pub(super) struct Saying<'e> {
    pub(super) effect: &'e Effect,
    pub(super) reply_to: Option<MessageId>,
}

/// The body of Create Message. A [`Saying`] is the only way to make one, and
/// whom it may mention is always said: left out, Discord would ping everybody
/// the text names.
#[derive(Serialize)]
pub(super) struct CreateMessage<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    content: &'a str,
    nonce: String,
    /// Makes Discord return the first message when the nonce comes again.
    enforce_nonce: bool,
    allowed_mentions: AllowedMentions,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_reference: Option<MessageReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachments: Option<[Attachment<'a>; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    components: Vec<serde_json::Value>,
}

/// The body of Edit Message. Whom it mentions is decided anew by each edit.
#[derive(Serialize)]
struct EditMessage<'a> {
    content: &'a str,
    allowed_mentions: AllowedMentions,
    components: Vec<serde_json::Value>,
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
        saying: Saying<'_>,
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

    /// Text with buttons below it.
    pub(super) fn offer(
        saying: Saying<'_>,
        content: &'a str,
        buttons: &[Button],
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), content);
        message.components = rows(buttons);
        RequestBody::json(&message)
    }

    /// Text that pings nobody whom it names.
    pub(super) fn report(
        saying: Saying<'_>,
        content: &'a str,
    ) -> Result<RequestBody, serde_json::Error> {
        let mut message = Self::new(saying, &saying.effect.nonce(), content);
        message.allowed_mentions.users.clear();
        RequestBody::json(&message)
    }

    /// A picture.
    pub(super) fn picture(
        saying: Saying<'_>,
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
        saying: Saying<'_>,
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
        saying: Saying<'_>,
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

    fn new(saying: Saying<'_>, nonce: &Nonce, content: &'a str) -> Self {
        let mut pings = saying.effect.pings.clone();
        pings.replied &= saying.reply_to.is_some();
        Self {
            content,
            nonce: nonce.as_str().to_owned(),
            enforce_nonce: true,
            allowed_mentions: AllowedMentions::of(content, &pings),
            message_reference: saying.reply_to.map(|message| MessageReference {
                message_id: message.to_string(),
                fail_if_not_exists: false,
            }),
            attachments: None,
            components: Vec::new(),
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
