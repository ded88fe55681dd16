//! What a turn answers.

use std::fmt;
use std::str::FromStr;

use crate::limits::SNOWFLAKE_EPOCH_MS;
use crate::{InteractionId, MessageId, Timestamp, UserId};

/// What a turn answers: it names the turn, its effects and their nonces.
///
/// A trigger is derived from what happened, never minted, so an event that
/// reaches us twice names the same turn twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trigger {
    /// Somebody wrote a message.
    Message(MessageId),
    /// Somebody used a slash command.
    Interaction(InteractionId),
    /// Somebody used a button, a select menu or a modal.
    Component(InteractionId),
    /// Somebody joined the guild.
    Join(OccurrenceId),
    /// A schedule is due, and its words are answered.
    Schedule(OccurrenceId),
    /// A schedule is due, and somebody is reminded.
    Reminder(OccurrenceId),
    /// A persona was named by another in what this message ended.
    Cue(MessageId),
}

/// The field names of the kinds of trigger, as they are stored.
const KINDS: [&str; 7] = [
    "message",
    "interaction",
    "component",
    "join",
    "schedule",
    "reminder",
    "cue",
];

impl Trigger {
    /// The kind's name, which does not change.
    pub const fn kind(self) -> &'static str {
        KINDS[self.position()]
    }

    /// The number that tells it from others of its kind.
    pub const fn number(self) -> u64 {
        match self {
            Self::Message(id) | Self::Cue(id) => id.get(),
            Self::Interaction(id) | Self::Component(id) => id.get(),
            Self::Join(id) | Self::Schedule(id) | Self::Reminder(id) => id.get(),
        }
    }

    /// The trigger with this [`kind`](Self::kind) and [`number`](Self::number).
    pub fn new(kind: &str, number: u64) -> Option<Self> {
        Some(match kind {
            "message" => Self::Message(MessageId::new(number)),
            "interaction" => Self::Interaction(InteractionId::new(number)),
            "component" => Self::Component(InteractionId::new(number)),
            "join" => Self::Join(OccurrenceId(number)),
            "schedule" => Self::Schedule(OccurrenceId(number)),
            "reminder" => Self::Reminder(OccurrenceId(number)),
            "cue" => Self::Cue(MessageId::new(number)),
            _ => return None,
        })
    }

    /// The message that somebody wrote, if it is one.
    pub const fn message(self) -> Option<MessageId> {
        match self {
            Self::Message(id) => Some(id),
            _ => None,
        }
    }

    /// When it happened: every number has its time in its high bits.
    pub const fn created_at(self) -> Timestamp {
        MessageId::new(self.number()).created_at()
    }

    /// Its place among the kinds, which nonces are made of.
    pub(crate) const fn position(self) -> usize {
        match self {
            Self::Message(_) => 0,
            Self::Interaction(_) => 1,
            Self::Component(_) => 2,
            Self::Join(_) => 3,
            Self::Schedule(_) => 4,
            Self::Reminder(_) => 5,
            Self::Cue(_) => 6,
        }
    }
}

/// Names something that happens at a moment and that Discord gives no id of
/// its own. It is laid out as Discord's ids are: the moment, then 22 bits that
/// tell it from others of the same moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OccurrenceId(u64);

impl OccurrenceId {
    const LOW_BITS: u64 = (1 << 22) - 1;

    /// `user` joined at this moment.
    pub const fn joined(user: UserId, at: Timestamp) -> Self {
        Self::at(at, user.get())
    }

    /// Number `schedule` was due at this moment.
    pub const fn due(schedule: u64, at: Timestamp) -> Self {
        Self::at(at, schedule)
    }

    const fn at(at: Timestamp, low: u64) -> Self {
        let since = at.as_millis().saturating_sub(SNOWFLAKE_EPOCH_MS);
        let since = if since < 0 { 0 } else { since.cast_unsigned() };
        Self((since << 22) | (low & Self::LOW_BITS))
    }

    /// The raw number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Names one turn: what it answers, and which take this is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TurnId {
    /// What it answers.
    pub trigger: Trigger,
    /// 0 for the first answer, 1 for the second one, and so on: of another
    /// persona, or because somebody asked for it.
    pub take: u16,
}

impl TurnId {
    /// The first answer to `trigger`.
    pub const fn first(trigger: Trigger) -> Self {
        Self { trigger, take: 0 }
    }

    /// The first answer to a message.
    pub const fn of_message(message: MessageId) -> Self {
        Self::first(Trigger::Message(message))
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.trigger {
            Trigger::Message(id) => write!(f, "{id}-{}", self.take),
            other => write!(f, "{}:{}-{}", other.kind(), other.number(), self.take),
        }
    }
}

/// The text names no turn.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a turn is written as <message id>-<take>, like 1234-0, or <kind>:<number>-<take>")]
pub struct BadTurnId;

impl FromStr for TurnId {
    type Err = BadTurnId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (trigger, take) = text.rsplit_once('-').ok_or(BadTurnId)?;
        let (kind, number) = trigger.split_once(':').unwrap_or((KINDS[0], trigger));
        let number = number.parse().map_err(|_| BadTurnId)?;
        Ok(Self {
            trigger: Trigger::new(kind, number).ok_or(BadTurnId)?,
            take: take.parse().map_err(|_| BadTurnId)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_ids_read_back() {
        for kind in KINDS {
            let trigger = Trigger::new(kind, 42).unwrap();
            assert_eq!((trigger.kind(), trigger.number()), (kind, 42));
            let id = TurnId { trigger, take: 3 };
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        assert_eq!(
            TurnId::of_message(MessageId::new(42)).to_string(),
            "42-0".to_owned()
        );
        for bad in ["", "42", "-", "x-0", "42-x", "42-70000", "tea:42-0"] {
            assert_eq!(bad.parse::<TurnId>(), Err(BadTurnId), "{bad:?}");
        }
    }

    #[test]
    fn an_occurrence_knows_its_moment() {
        let at = Timestamp::from_millis(1_800_000_000_000);
        let due = Trigger::Schedule(OccurrenceId::due(7, at));
        assert_eq!(due.created_at(), at);
        let joined = Trigger::Join(OccurrenceId::joined(UserId::new(u64::MAX), at));
        assert_eq!(joined.created_at(), at);
        assert_ne!(OccurrenceId::due(7, at), OccurrenceId::due(8, at));
    }
}
