//! Which message is meant.

use kaiwa_domain::port::Chat;
use kaiwa_domain::{MessageId, ToolError, Turn};
use serde::Deserialize;

use super::failed;

/// A message by its id, or by its link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct MessageArgument {
    channel: Option<u64>,
    message: MessageId,
}

impl TryFrom<String> for MessageArgument {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim().trim_matches(['<', '>']);
        let number = |text: &str| text.parse().ok().filter(|id: &u64| *id != 0);
        let read = match text.split_once("/channels/") {
            Some((_, path)) => {
                let mut parts = path.trim_end_matches('/').rsplit('/');
                let message = parts.next().and_then(number);
                let channel = parts.next().and_then(number);
                message.zip(channel).map(|(message, channel)| Self {
                    channel: Some(channel),
                    message: MessageId::new(message),
                })
            }
            None => number(text).map(|message| Self {
                channel: None,
                message: MessageId::new(message),
            }),
        };
        read.ok_or("that is no message; give its link, or its id")
    }
}

/// The message that is meant: the one that is named, else the one that the
/// asker replies to, else the asker's own.
pub(super) async fn target(
    chat: &dyn Chat,
    turn: &Turn,
    named: Option<MessageArgument>,
) -> Result<MessageId, ToolError> {
    let bad = |problem: &str| ToolError::BadArguments {
        problem: problem.to_owned(),
    };
    if let Some(named) = named {
        // What one may do was asked for here.
        return match named.channel.is_none_or(|it| it == turn.channel.get()) {
            true => Ok(named.message),
            false => Err(bad("message: it is in another channel")),
        };
    }
    let Some(asked) = turn.id.trigger.message() else {
        return Err(bad("message: say which, by its link or id"));
    };
    let asked_in = chat.message(turn.scope, turn.channel, asked).await;
    let replied_to = asked_in.map_err(|error| failed(&error))?;
    let replied_to = replied_to.and_then(|it| it.reply).map(|reply| reply.to);
    Ok(replied_to.unwrap_or(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_named_by_link_or_id() {
        for (text, expected) in [
            ("7", Some((None, 7))),
            ("https://discord.com/channels/1/2/3", Some((Some(2), 3))),
            (
                "<https://discord.com/channels/@me/2/3/>",
                Some((Some(2), 3)),
            ),
            ("https://discord.com/channels/1/2", Some((Some(1), 2))),
            ("", None),
            ("0", None),
            ("tea", None),
            ("https://discord.com/channels/", None),
        ] {
            let read = MessageArgument::try_from(text.to_owned()).ok();
            let read = read.map(|it| (it.channel, it.message.get()));
            assert_eq!(read, expected, "{text}");
        }
    }
}
