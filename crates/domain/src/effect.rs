//! What changes the world.
//!
//! ```text
//! queued → started(attempt) → done | refused(code) | unknown → done | expired
//! ```
//!
//! An effect is a row of the outbox before anything is done. The kinds are
//! open: a new one needs no change to the rows of others. The states are
//! closed, and every kind says how an outcome that was never learned is
//! settled.

use std::borrow::Cow;

use crate::limits::NONCE_CHARS;
use crate::{
    Button, CardFormat, ChannelId, File, GuildSticker, Identity, InteractionId, MessageId, Notice,
    OfferId, PersonaId, RoleId, Scope, Table, Timestamp, TurnId, UserId,
};

/// One thing to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outgoing {
    /// A message of text in Discord's markdown, within Discord's limits.
    Say(String),
    /// A table, shown as a picture, or as text where there can be none.
    Table(Table),
    /// A file, or its text where files are not allowed.
    File(File),
    /// The rest of an answer that may take no more messages: a file below a
    /// line that says so, or a line alone where files are not allowed.
    Rest(String),
    /// A sticker of the guild; its picture where stickers cannot be sent.
    Sticker(GuildSticker),
}

impl Outgoing {
    /// What was written to have it shown.
    pub fn source(&self) -> Cow<'_, str> {
        match self {
            Self::Say(text) | Self::Rest(text) => Cow::Borrowed(text),
            Self::Table(table) => Cow::Borrowed(table.source()),
            Self::File(file) => Cow::Owned(format!("```\n{}\n```", file.text())),
            Self::Sticker(sticker) => Cow::Borrowed(&sticker.name),
        }
    }
}

/// Whom a message may ping, beside the people whom its text mentions. It is
/// asked for when the message is about to be sent, and not kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pings {
    /// Whether the author of what is replied to.
    pub replied: bool,
    /// The roles, of those that the text mentions.
    pub roles: Vec<RoleId>,
}

/// One change in the world, with its place in the turn that wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// The turn it belongs to.
    pub turn: TurnId,
    /// 0 for the first effect of the turn.
    pub index: u16,
    /// Whose data it is.
    pub scope: Scope,
    /// Where it happens.
    pub channel: ChannelId,
    /// Who does it.
    pub persona: PersonaId,
    /// How they appear, if not as the bot itself.
    pub identity: Option<Identity>,
    /// What is done.
    pub body: EffectBody,
    /// How far it has come.
    pub state: EffectState,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// Whom it may ping.
    pub pings: Pings,
}

impl Effect {
    /// The effect's name towards Discord: the same for every try, and different
    /// from that of every other effect.
    pub fn nonce(&self) -> Nonce {
        Nonce::new(self.turn, self.index)
    }

    /// How an outcome that was never learned is settled, of what is shown;
    /// actions declare theirs. Webhooks know no nonces.
    pub const fn settlement(&self) -> Settlement {
        match (&self.body, &self.identity) {
            (EffectBody::Act { .. }, _) => Settlement::AtMostOnce,
            (
                EffectBody::Respond { .. }
                | EffectBody::Retire { .. }
                | EffectBody::Dress { .. }
                | EffectBody::Undress { .. },
                _,
            ) => Settlement::Idempotent,
            (_, Some(_)) => Settlement::ReadBack,
            (_, None) => Settlement::Nonce,
        }
    }
}

/// What an effect does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EffectBody {
    /// Shows something in the channel.
    Say {
        /// What is shown.
        outgoing: Outgoing,
        /// The message it replies to.
        reply_to: Option<MessageId>,
    },
    /// Shows a message that is edited as its text grows.
    Live(LiveMessage),
    /// Tells people something about the answer, or why there is none.
    Notify {
        /// What they are told.
        notice: Notice,
        /// The message it replies to.
        reply_to: Option<MessageId>,
    },
    /// Runs an action after the reply, through the same door as any other call.
    Act {
        /// The action's name.
        name: String,
        /// Its arguments: the text of a JSON object.
        arguments: String,
    },
    /// Answers the interaction that the turn is named after, whose
    /// [handle](crate::ResponseHandle) is kept apart.
    Respond {
        /// What people read.
        text: String,
        /// What they can do next.
        buttons: Vec<Button>,
        /// What they are asked to confirm.
        waits: Option<OfferId>,
        /// What takes back what was done.
        undo: Option<OfferId>,
        /// The file that goes with it.
        file: Option<PersonalFile>,
    },
    /// Shows something that people can decide about with a click.
    Offer {
        /// What they decide about, if it is over some time.
        offer: Option<OfferId>,
        /// What people read.
        text: String,
        /// What they can do.
        buttons: Vec<Button>,
        /// The message it replies to.
        reply_to: Option<MessageId>,
    },
    /// Tells moderators what was done, and pings nobody.
    Report {
        /// What they read.
        text: String,
    },
    /// Shows what was thought before an answer, where people may read that.
    Thoughts(ThoughtPage),
    /// Says which question the next message answers, where that message comes
    /// by a webhook, which cannot reply. In our own voice it is not said: there
    /// the next message replies.
    Point {
        /// What people read.
        text: String,
    },
    /// Tells people what is going on, until that is [deleted](Self::Delete).
    Progress {
        /// What people read.
        text: String,
        /// The effect of this turn whose message it changes; none for a message
        /// of its own.
        of: Option<u16>,
    },
    /// Takes away the message of another effect of this turn.
    Delete {
        /// The index of that effect.
        of: u16,
    },
    /// Puts buttons below a message of ours, whose words stay.
    Dress {
        /// The message.
        message: MessageId,
        /// What people can do.
        buttons: Vec<Button>,
        /// Whether they stay when the answer is whole.
        lasting: bool,
    },
    /// Takes the buttons of a message of ours away, whose words stay.
    Undress {
        /// The message.
        message: MessageId,
    },
    /// Takes the buttons of something shown before away, and says why.
    Retire {
        /// What was shown.
        target: RetireTarget,
        /// What people read instead.
        text: String,
    },
}

/// A message that is edited in place. Its row holds the newest text, and is
/// settled once the last text is up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveMessage {
    /// What it is created with, by which it is known again.
    pub first: String,
    /// What it is to show by now. Nothing at the end means that the message is
    /// taken down.
    pub text: String,
    /// How much of the end of the text only closes what is open, in bytes.
    pub closing: u16,
    /// The blanks that were written after the text, which no message ends with.
    pub blank: String,
    /// Whether the text is the last one.
    pub complete: bool,
    /// The message it replies to.
    pub reply_to: Option<MessageId>,
    /// The message, once it is up.
    pub message: Option<MessageId>,
}

impl LiveMessage {
    /// The text as far as it was written.
    pub fn written(&self) -> String {
        let end = self.text.len().saturating_sub(self.closing.into());
        let text = self.text.get(..end).unwrap_or(&self.text);
        format!("{text}{}", self.blank)
    }
}

/// A part of what was thought before an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThoughtPage {
    /// Who thought it.
    pub title: String,
    /// Where the answer is.
    pub link: String,
    /// The thoughts.
    pub text: String,
    /// With which model, for how long, at which price.
    pub footer: String,
}

impl ThoughtPage {
    /// The same without a frame.
    pub fn as_text(&self) -> String {
        format!("{}\n{}\n{}", self.title, self.link, self.text)
    }
}

/// A file about somebody, or a persona. What is in it is read when it is sent, and kept
/// nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PersonalFile {
    /// Everything that is kept about them.
    Everything(UserId),
    /// What is remembered of them.
    Facts(UserId),
    /// A persona, as a card.
    Card(PersonaId, CardFormat),
    /// The source of a table that an offer shows.
    Source(OfferId),
}

/// Something with buttons that was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RetireTarget {
    /// A message of ours.
    Message(MessageId),
    /// The answer to an interaction.
    Response(InteractionId),
}

impl EffectBody {
    /// The offer that is shown by its message, which is known only later.
    pub const fn offer(&self) -> Option<OfferId> {
        match *self {
            Self::Offer { offer, .. } => offer,
            // What has to be confirmed is over as long as the interaction can
            // be answered.
            Self::Respond { undo, .. } => undo,
            _ => None,
        }
    }

    /// Whether it shows something in the channel that stays there.
    pub const fn is_shown(&self) -> bool {
        matches!(
            self,
            Self::Say { .. }
                | Self::Live(_)
                | Self::Notify { .. }
                | Self::Respond { .. }
                | Self::Offer { .. }
                | Self::Report { .. }
                | Self::Thoughts(_)
                | Self::Point { .. }
                | Self::Retire { .. }
        )
    }

    /// Whether it tells how an answer comes along, and is no part of it.
    pub const fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Progress { .. } | Self::Delete { .. } | Self::Dress { .. } | Self::Undress { .. }
        )
    }

    /// Whether it only takes away what goes with the end of an answer, and so
    /// is done whatever becomes of it.
    pub const fn takes_away(&self) -> bool {
        matches!(self, Self::Delete { .. } | Self::Undress { .. })
    }

    /// Whether doing it twice changes nothing.
    pub const fn is_repeatable(&self) -> bool {
        matches!(
            self,
            Self::Delete { .. }
                | Self::Progress { of: Some(_), .. }
                | Self::Dress { .. }
                | Self::Undress { .. }
                | Self::Retire { .. }
        )
    }

    /// Whether the side that sends deals with it.
    pub const fn is_sent(&self) -> bool {
        self.is_shown() || self.is_passing()
    }

    /// Whether what it shows is not the persona's own words.
    pub const fn is_notice(&self) -> bool {
        matches!(
            self,
            Self::Notify { .. }
                | Self::Respond { .. }
                | Self::Offer { .. }
                | Self::Retire { .. }
                | Self::Report { .. }
                | Self::Thoughts(_)
                | Self::Point { .. }
                | Self::Progress { .. }
                | Self::Say {
                    outgoing: Outgoing::Rest(_),
                    ..
                }
        )
    }

    /// The text of the message that shows it, where that is written by a
    /// model: others mention nobody.
    pub fn written(&self) -> &str {
        match self {
            Self::Say {
                outgoing: Outgoing::Say(text),
                ..
            }
            | Self::Live(LiveMessage { text, .. }) => text,
            _ => "",
        }
    }

    /// The message it replies to.
    pub const fn reply_to(&self) -> Option<MessageId> {
        match self {
            Self::Say { reply_to, .. }
            | Self::Notify { reply_to, .. }
            | Self::Offer { reply_to, .. }
            | Self::Live(LiveMessage { reply_to, .. }) => *reply_to,
            Self::Act { .. }
            | Self::Respond { .. }
            | Self::Report { .. }
            | Self::Thoughts(_)
            | Self::Point { .. }
            | Self::Progress { .. }
            | Self::Delete { .. }
            | Self::Dress { .. }
            | Self::Undress { .. }
            | Self::Retire { .. } => None,
        }
    }

    /// Makes it a message that replies to nothing. False if it was one.
    pub const fn forget_reply(&mut self) -> bool {
        match self {
            Self::Say { reply_to, .. }
            | Self::Notify { reply_to, .. }
            | Self::Offer { reply_to, .. }
            | Self::Live(LiveMessage { reply_to, .. }) => reply_to.take().is_some(),
            Self::Act { .. }
            | Self::Respond { .. }
            | Self::Report { .. }
            | Self::Thoughts(_)
            | Self::Point { .. }
            | Self::Progress { .. }
            | Self::Delete { .. }
            | Self::Dress { .. }
            | Self::Undress { .. }
            | Self::Retire { .. } => false,
        }
    }
}

/// How an outcome that was never learned is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settlement {
    /// Repeated under the same nonce while Discord remembers nonces; after
    /// that, read back from the channel first.
    Nonce,
    /// Read back from the channel before it is repeated; not repeated where
    /// the channel cannot be read.
    ReadBack,
    /// Repeated: doing it twice changes nothing.
    Idempotent,
    /// Never repeated: people are told that it may or may not have happened.
    AtMostOnce,
}

/// How far an effect has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectState {
    /// Waiting for its place.
    Queued,
    /// A request may be under way.
    Started {
        /// 1 for the first try.
        attempt: u32,
    },
    /// It happened.
    Done {
        /// The last message that shows it, if it is one that shows something.
        message: Option<MessageId>,
    },
    /// Discord or the door said no, for good.
    Refused {
        /// Discord's JSON error code, or the HTTP status where there is none.
        code: u32,
    },
    /// A request was made and its outcome was never learned.
    Unknown,
    /// Given up before it happened: too old, or its turn was stopped.
    Expired,
}

impl EffectState {
    /// Whether something is left to do.
    pub const fn is_unsettled(self) -> bool {
        matches!(self, Self::Queued | Self::Started { .. } | Self::Unknown)
    }
}

/// Names an effect towards Discord, so that a repeated request posts once.
///
/// Kind and number of the trigger, take and index are written side by side in
/// base 36 at fixed widths: no two effects share a name, and it fits Discord's
/// 25 characters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nonce(String);

impl Nonce {
    /// How many [parts](Self::part) have names.
    pub const PARTS: usize = 36;

    /// The name of effect `index` of `turn`.
    pub fn new(turn: TurnId, index: u16) -> Self {
        let mut text = String::with_capacity(NONCE_CHARS);
        push_base36(&mut text, turn.trigger.position() as u64, 1);
        push_base36(&mut text, turn.trigger.number(), 13);
        push_base36(&mut text, u64::from(turn.take), 4);
        push_base36(&mut text, u64::from(index), 4);
        Self(text)
    }

    /// The name of one of the messages that lead up to the effect, where it
    /// takes several.
    pub fn part(&self, part: usize) -> Self {
        let mut text = self.0.clone();
        push_base36(&mut text, part as u64, 1);
        Self(text)
    }

    /// The name of what takes the place of a message. No effect has such a one.
    pub fn in_place_of(message: MessageId) -> Self {
        let mut text = "z".to_owned();
        push_base36(&mut text, message.get(), 13);
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
    use crate::Trigger;

    #[test]
    fn nonces_fit_and_differ() {
        let turn = |kind, number, take| TurnId {
            trigger: Trigger::new(kind, number).unwrap(),
            take,
        };
        let max = turn("schedule", u64::MAX, u16::MAX);
        let names = [
            Nonce::new(turn("message", 1, 0), 10),
            Nonce::new(turn("message", 1, 0), 1),
            Nonce::new(turn("message", 1, 1), 0),
            Nonce::new(turn("message", 11, 0), 0),
            Nonce::new(turn("interaction", 1, 0), 1),
            Nonce::new(turn("component", 1, 0), 1),
            Nonce::new(max, u16::MAX),
            Nonce::new(max, u16::MAX).part(0),
            Nonce::new(max, u16::MAX).part(Nonce::PARTS - 1),
        ];
        for (i, name) in names.iter().enumerate() {
            assert!(name.as_str().len() <= NONCE_CHARS, "{name:?}");
            assert!(!names[..i].contains(name), "{name:?}");
        }
        assert_eq!(names[6].as_str(), "43w5e11264sgsf1ekf1ekf");
    }
}
