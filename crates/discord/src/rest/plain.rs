//! What Discord does not take as it is, as words alone: without buttons, files,
//! replies and names, once. What it does not take so either is given up.

use std::hash::{DefaultHasher, Hash, Hasher};

use kaiwa_domain::limits::{MESSAGE_TARGET_UTF16, MESSAGE_UTF16};
use kaiwa_domain::port::OnWire;
use kaiwa_domain::{ChatError, Effect, EffectBody, MessageId, Notice, Outgoing, Pings, Scope};

use super::Rest;
use super::body::{PostVoice, Saying};

impl Rest {
    /// Says an effect as words alone; `error` is why. That, if it has none.
    pub(super) async fn say_plainly(
        &self,
        effect: &Effect,
        error: ChatError,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let texts: Vec<String> = words(&effect.body)
            .iter()
            .map(|text| plain(text))
            .filter(|text| !text.is_empty())
            .collect();
        let mut hasher = DefaultHasher::new();
        texts.hash(&mut hasher);
        // What people wrote is in no log.
        let hash = hasher.finish();
        if texts.is_empty() {
            tracing::warn!(turn = %effect.turn, index = effect.index, %error, "a body was refused");
            return Err(error);
        }
        tracing::warn!(turn = %effect.turn, index = effect.index, hash, %error, "a body was refused: its words are sent alone");
        let mut effect = effect.clone();
        effect.body.forget_reply();
        effect.pings = match effect.body {
            EffectBody::Say { .. } | EffectBody::Live(_) => Pings {
                replied: false,
                ..effect.pings
            },
            // It pings nobody as it is.
            _ => Pings::default(),
        };
        let in_guild = matches!(effect.scope, Scope::Guild(_));
        let of = effect.identity.as_ref().filter(|_| in_guild);
        let saying = Saying {
            effect: &effect,
            voice: PostVoice::Own { of },
        };
        self.post_parts(saying, &texts, wire).await
    }
}

/// The words of what is put up; none of what changes a message that is.
fn words(body: &EffectBody) -> Vec<String> {
    match body {
        EffectBody::Say { outgoing, .. } => match outgoing {
            Outgoing::Say(text) => vec![text.clone()],
            Outgoing::Table(table) => table.as_text(MESSAGE_TARGET_UTF16),
            Outgoing::File(file) => file.as_text(MESSAGE_TARGET_UTF16),
            Outgoing::Rest(_) => vec![Notice::AnswerShortened.text().to_owned()],
            Outgoing::Sticker(_) => Vec::new(),
        },
        EffectBody::Live(live) if live.message.is_none() => vec![live.first.clone()],
        EffectBody::Notify { notice, .. } => vec![notice.shown().into_owned()],
        EffectBody::Offer { text, .. }
        | EffectBody::Report { text }
        | EffectBody::Progress { text, of: None } => vec![text.clone()],
        EffectBody::Thoughts(page) => vec![page.as_text()],
        EffectBody::Live(_)
        | EffectBody::Act { .. }
        | EffectBody::Respond { .. }
        | EffectBody::Progress { .. }
        | EffectBody::Point { .. }
        | EffectBody::Delete { .. }
        | EffectBody::Dress { .. }
        | EffectBody::Undress { .. }
        | EffectBody::Retire { .. } => Vec::new(),
    }
}

/// A text without what cannot be seen, and no longer than a message.
pub(super) fn plain(text: &str) -> String {
    let mut left = MESSAGE_UTF16;
    let seen = text.chars().filter(|c| {
        let unseen = matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}');
        !unseen && (!c.is_control() || matches!(c, '\n' | '\t'))
    });
    let kept = seen.take_while(|c| {
        let fits = c.len_utf16() <= left;
        left = left.saturating_sub(c.len_utf16());
        fits
    });
    let text: String = kept.collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_can_be_seen_and_fit() {
        for (text, expected) in [
            ("tea", "tea"),
            (" a\u{0}b\r\n\tc\u{200B} ", "ab\n\tc"),
            ("\u{FEFF}\u{202E}", ""),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
        let long = plain(&"𝄞".repeat(1500));
        assert_eq!(long.encode_utf16().count(), MESSAGE_UTF16);
    }
}
