//! `react`: an emoji on the asker's message.

use std::sync::Arc;

use kaiwa_domain::port::{Chat, Pending};
use kaiwa_domain::{ChatError, Settlement, Tool, ToolError, Turn, When};
use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

use crate::Device;
use crate::toolbox::read;

/// The longest emoji there is: a family with skin tones, or a flag in tags.
const EMOJI_CHARS: usize = 16;

/// Puts a reaction on the message that asked.
pub struct React {
    chat: Arc<dyn Chat>,
}

impl React {
    /// Through `chat`.
    pub const fn new(chat: Arc<dyn Chat>) -> Self {
        Self { chat }
    }
}

#[derive(Deserialize)]
struct Arguments {
    emoji: String,
}

impl Device for React {
    fn tool(&self) -> Tool {
        Tool {
            name: "react".to_owned(),
            description: "Puts one emoji reaction on the message you answer. Use it when you are \
                          asked to, or when a small gesture says it best."
                .to_owned(),
            schema: r#"{"type":"object","properties":{"emoji":{"type":"string","maxLength":64,"description":"One emoji like 👍, or a custom one like <:name:123>."}},"required":["emoji"],"additionalProperties":false}"#.to_owned(),
            when: When::AfterReply,
        }
    }

    fn settlement(&self) -> Settlement {
        Settlement::Idempotent
    }

    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a str,
    ) -> Pending<'a, Result<String, ToolError>> {
        Box::pin(async move {
            let Arguments { emoji } = read(arguments)?;
            let Some(emoji) = emoji_of(&emoji) else {
                return Err(ToolError::BadArguments {
                    problem: "that is not one emoji".to_owned(),
                });
            };
            let Some(message) = turn.id.trigger.message() else {
                return Err(ToolError::Failed {
                    reason: "there is no message to react to".to_owned(),
                });
            };
            match self.chat.react(turn.channel, message, &emoji).await {
                Ok(()) => Ok("reacted".to_owned()),
                Err(ChatError::Refused {
                    code: MISSING_ACCESS | MISSING_PERMISSIONS,
                    message,
                    ..
                }) => Err(ToolError::Denied { reason: message }),
                Err(error) => Err(ToolError::Failed {
                    reason: error.to_string(),
                }),
            }
        })
    }
}

/// Discord's words for "you may not", see
/// [JSON Error Codes](https://docs.discord.com/developers/topics/opcodes-and-status-codes#json).
const MISSING_ACCESS: u32 = 50001;
const MISSING_PERMISSIONS: u32 = 50013;

/// The emoji as [`Chat::react`] wants it, if `text` is exactly one. Which
/// emoji there are is Discord's to know.
fn emoji_of(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('<').and_then(|it| it.strip_suffix('>')) {
        let inside = inside.strip_prefix("a:").or(inside.strip_prefix(':'))?;
        let (name, id) = inside.split_once(':')?;
        let word = (2..=32).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        return (word && id.parse::<u64>().is_ok()).then(|| inside.to_owned());
    }
    let keycap = text.ends_with('\u{20e3}');
    let pictorial = keycap || text.chars().any(is_pictorial);
    let one = text.graphemes(true).count() == 1 && text.chars().count() <= EMOJI_CHARS;
    (one && pictorial).then(|| text.to_owned())
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
            assert_eq!(emoji_of(text).as_deref(), expected, "{text:?}");
        }
    }
}
