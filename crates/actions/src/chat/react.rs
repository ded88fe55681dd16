//! `react`: an emoji on a message.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Chat, Pending};
use kaiwa_domain::{Rights, ToolError, When};
use schemars::JsonSchema;
use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

use super::failed;
use super::message::{MessageArgument, target};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant, Needs};

/// The longest emoji there is: a family with skin tones, or a flag in tags.
const EMOJI_CHARS: usize = 16;

/// What Discord asks of whoever reacts first, see
/// [Create Reaction](https://docs.discord.com/developers/resources/message#create-reaction).
const NEEDS: Rights = Rights::VIEW_CHANNEL
    .with(Rights::READ_MESSAGE_HISTORY)
    .with(Rights::ADD_REACTIONS);

/// Puts a reaction on a message.
pub struct React {
    chat: Arc<dyn Chat>,
}

impl React {
    /// Through `chat`.
    pub const fn new(chat: Arc<dyn Chat>) -> Self {
        Self { chat }
    }
}

/// What to react with.
#[derive(Deserialize, JsonSchema)]
pub struct ReactArguments {
    /// One emoji like 👍, or a custom one like <:name:123>.
    #[schemars(with = "String", length(max = 64))]
    emoji: Emoji,
    /// The link or id of a message here. The message you answer if absent.
    #[serde(default)]
    #[schemars(with = "Option<String>", length(max = 120))]
    message: Option<MessageArgument>,
}

/// Exactly one emoji. Which emoji there are is Discord's to know.
#[derive(Deserialize, PartialEq, Eq, Debug)]
#[serde(try_from = "String")]
enum Emoji {
    Unicode(String),
    /// A guild's own, as `name:id`.
    Custom(String),
}

impl Action for React {
    type Arguments = ReactArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::private("react")),
            asker_needs: NEEDS,
            bot_needs: NEEDS,
            class: EffectClass::Speaks,
            when: When::AfterReply,
            timeout: Duration::from_secs(30),
            ..Declaration::reading(
                "react",
                "Puts one emoji reaction on the message you answer. Use it when you are \
                 asked to, or when a small gesture says it best.",
            )
        }
    }

    /// Whose a custom emoji is cannot be told from its id.
    fn further_needs(&self, ReactArguments { emoji, .. }: &ReactArguments) -> Needs {
        let needs = match emoji {
            Emoji::Unicode(_) => Rights::NONE,
            Emoji::Custom(_) => Rights::USE_EXTERNAL_EMOJIS,
        };
        Needs {
            asker: needs,
            bot: needs,
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        ReactArguments { emoji, message }: ReactArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let message = match (message, turn.id.trigger.message()) {
                (None, Some(asked)) => asked,
                (named, _) => target(&*self.chat, turn, named).await?,
            };
            let (Emoji::Unicode(emoji) | Emoji::Custom(emoji)) = emoji;
            let reacted = self.chat.react(turn.channel, message, &emoji).await;
            reacted.map_err(|error| failed(&error))?;
            Ok(Done::new("reacted").showing(Phrase::new("react-done")))
        })
    }
}

impl TryFrom<String> for Emoji {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        if let Some(inside) = text.strip_prefix('<').and_then(|it| it.strip_suffix('>')) {
            return custom(inside).ok_or("that is no custom emoji");
        }
        let keycap = text.ends_with('\u{20e3}');
        let pictorial = keycap || text.chars().any(is_pictorial);
        let one = text.graphemes(true).count() == 1 && text.chars().count() <= EMOJI_CHARS;
        if one && pictorial {
            Ok(Self::Unicode(text.to_owned()))
        } else {
            Err("that is not one emoji")
        }
    }
}

fn custom(inside: &str) -> Option<Emoji> {
    let inside = inside.strip_prefix("a:").or(inside.strip_prefix(':'))?;
    let (name, id) = inside.split_once(':')?;
    let word = (2..=32).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (word && id.parse::<u64>().is_ok()).then(|| Emoji::Custom(inside.to_owned()))
}

/// Whether `c` lies where Unicode keeps its emoji.
const fn is_pictorial(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2194}'..='\u{21aa}'
        | '\u{231a}'..='\u{23ff}'
        | '\u{24c2}'
        | '\u{25aa}'..='\u{27bf}'
        | '\u{2934}'..='\u{2935}'
        | '\u{2b05}'..='\u{2b55}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_emoji_and_nothing_else() {
        for (text, expected) in [
            ("👍", Some("👍")),
            (" ❤️ ", Some("❤️")),
            ("👩🏽‍💻", Some("👩🏽‍💻")),
            ("🇯🇵", Some("🇯🇵")),
            ("1️⃣", Some("1️⃣")),
            (
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
                Some("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"),
            ),
            ("<:teacup:123>", Some("teacup:123")),
            ("<a:teacup:123>", Some("teacup:123")),
            ("", None),
            ("a", None),
            ("1", None),
            ("茶", None),
            ("👍👍", None),
            ("👍/../../x", None),
            (":thumbsup:", None),
            ("<:tea cup:123>", None),
            ("<:teacup:x>", None),
            ("<:teacup:1/2>", None),
        ] {
            let found = Emoji::try_from(text.to_owned()).ok();
            let expected = expected.map(|it| match text.starts_with('<') {
                true => Emoji::Custom(it.to_owned()),
                false => Emoji::Unicode(it.to_owned()),
            });
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
