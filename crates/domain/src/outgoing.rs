//! What leaves for Discord.
//!
//! ```text
//! queued → started(attempt) → sent(message) | refused(code) | unknown → reconciled
//! ```

use crate::limits::NONCE_CHARS;
use crate::{ChannelId, File, MessageId, Scope, Table, Timestamp, TurnId};

/// One thing to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outgoing {
    /// A message of text in Discord's markdown, within Discord's limits.
    Say(String),
    /// A table, shown as a picture, or as text where there can be none.
    Table(Table),
    /// A file, or its text where files are not allowed.
    File(File),
}

/// A row of the outbox: something to show, and its place in the turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Post {
    /// The turn it belongs to.
    pub turn: TurnId,
    /// 0 for the first post of the turn.
    pub index: u32,
    /// Whose data it is.
    pub scope: Scope,
    /// Where to post.
    pub channel: ChannelId,
    /// The message to reply to.
    pub reply_to: Option<MessageId>,
    /// What to show.
    pub outgoing: Outgoing,
    /// How far it has come.
    pub state: PostState,
    /// When it was queued.
    pub queued_at: Timestamp,
}

impl Post {
    /// The post's name towards Discord: the same for every try, and different
    /// from that of every other post.
    pub fn nonce(&self) -> Nonce {
        Nonce::new(self.turn, self.index)
    }
}

/// How far a post has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PostState {
    /// Waiting its turn.
    Queued,
    /// A request may be under way.
    Started {
        /// 1 for the first try.
        attempt: u32,
    },
    /// On Discord.
    Sent(MessageId),
    /// Discord said no, for good.
    Refused {
        /// Discord's JSON error code, or the HTTP status where there is none.
        code: u32,
    },
    /// A request was made and its outcome was never learned.
    Unknown,
    /// Given up before it was sent: too old, or its turn was stopped.
    Abandoned,
}

/// Names a post towards Discord, so that a repeated request posts once.
///
/// Turn, take and index are written side by side in base 36 at fixed widths:
/// no two posts share a name, and it fits Discord's 25 characters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nonce(String);

impl Nonce {
    /// The name of post `index` of `turn`.
    pub fn new(turn: TurnId, index: u32) -> Self {
        let mut text = String::with_capacity(NONCE_CHARS);
        push_base36(&mut text, turn.trigger.get(), 13);
        push_base36(&mut text, u64::from(turn.take), 4);
        push_base36(&mut text, u64::from(index), 7);
        Self(text)
    }

    /// The name of one of the messages that lead up to the post, where it
    /// takes several. There are names for 36.
    pub fn part(&self, part: usize) -> Self {
        let mut text = self.0.clone();
        push_base36(&mut text, part as u64, 1);
        Self(text)
    }

    /// The nonce as it goes on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Appends `number` in base 36, with leading zeros up to `width`.
fn push_base36(text: &mut String, number: u64, width: u32) {
    for place in (0..width).rev() {
        let digit = (number / 36u64.pow(place)) % 36;
        text.extend(char::from_digit(digit as u32, 36));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_fit_and_differ() {
        let max = TurnId {
            trigger: MessageId::new(u64::MAX),
            take: u16::MAX,
        };
        let names = [
            Nonce::new(TurnId::first(MessageId::new(1)), 10),
            Nonce::new(TurnId::first(MessageId::new(1)), 1),
            Nonce::new(TurnId::first(MessageId::new(11)), 0),
            Nonce::new(max, u32::MAX),
            Nonce::new(max, u32::MAX).part(0),
            Nonce::new(max, u32::MAX).part(35),
        ];
        for (i, name) in names.iter().enumerate() {
            assert!(name.as_str().len() <= NONCE_CHARS, "{name:?}");
            assert!(!names[..i].contains(name), "{name:?}");
        }
        assert_eq!(
            names[3].as_str(),
            "3w5e11264sgsf1ekf1z141z3".to_owned().as_str()
        );
    }
}
