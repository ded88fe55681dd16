//! The bodies we send.

use kaiwa_domain::{Outgoing, Post};
use serde::Serialize;

/// The body of Create Message. A [`Post`] is the only way to make one, and
/// whom it may mention is always said: left out, Discord would ping everybody
/// the text names.
#[derive(Serialize)]
pub(super) struct CreateMessage<'a> {
    content: &'a str,
    nonce: String,
    /// Makes Discord return the first message when the nonce comes again.
    enforce_nonce: bool,
    allowed_mentions: AllowedMentions,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_reference: Option<MessageReference>,
}

/// Nobody is pinged but the author of the message replied to.
#[derive(Serialize)]
struct AllowedMentions {
    parse: [&'static str; 0],
    replied_user: bool,
}

#[derive(Serialize)]
struct MessageReference {
    message_id: String,
    /// A question deleted in the meantime does not cost the answer.
    fail_if_not_exists: bool,
}

impl<'a> From<&'a Post> for CreateMessage<'a> {
    fn from(post: &'a Post) -> Self {
        let Outgoing::Say(content) = &post.outgoing;
        Self {
            content,
            nonce: post.nonce().as_str().to_owned(),
            enforce_nonce: true,
            allowed_mentions: AllowedMentions {
                parse: [],
                replied_user: post.reply_to.is_some(),
            },
            message_reference: post.reply_to.map(|message| MessageReference {
                message_id: message.to_string(),
                fail_if_not_exists: false,
            }),
        }
    }
}
