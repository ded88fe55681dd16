//! What waits for a click: calls to be confirmed or taken back, and what can be
//! done with an answer.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use crate::{ChannelId, MessageId, Scope, Timestamp, TurnId, UserId};

/// Names an offer. It is made from all that the offer is about, so that a click
/// stands for one call with these arguments and for nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OfferId(u64);

impl OfferId {
    /// The offer with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for OfferId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for OfferId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// A call that somebody may let happen with a click, once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Its name.
    pub id: OfferId,
    /// What the click means.
    pub kind: OfferKind,
    /// Whose data it is.
    pub scope: Scope,
    /// Where it was made.
    pub channel: ChannelId,
    /// The turn that made it.
    pub turn: TurnId,
    /// Who asked, and so who may click.
    pub asker: UserId,
    /// The action to be called.
    pub action: String,
    /// Its arguments: the text of a JSON object.
    pub arguments: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Until when it stands.
    pub until: Timestamp,
    /// The message of ours that shows it, where it is not the answer to an
    /// interaction.
    pub message: Option<MessageId>,
}

/// What a click on an offer means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferKind {
    /// The call may happen.
    Confirm,
    /// What was done is taken back.
    Undo,
    /// The question is answered once more, as often as somebody clicks.
    Again,
    /// Whoever clicks reads what a table was made from.
    Source,
}

impl OfferKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Confirm, Self::Undo, Self::Again, Self::Source];

    /// Its name, which does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Undo => "undo",
            Self::Again => "again",
            Self::Source => "source",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How far an offer has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferState {
    /// Nobody has decided.
    Open,
    /// Somebody clicked: this turn makes the call.
    Taken {
        /// The turn of the click.
        by: TurnId,
    },
    /// Somebody does not want it.
    Cancelled,
    /// Nobody decided in time.
    Expired,
}

/// What was done for somebody, or was not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionRecord {
    /// Whose data it is.
    pub scope: Scope,
    /// Where it was asked for.
    pub channel: ChannelId,
    /// The turn that did it.
    pub turn: TurnId,
    /// For whom.
    pub asker: UserId,
    /// The action.
    pub action: String,
    /// Its arguments: the text of a JSON object.
    pub arguments: String,
    /// What became of it.
    pub outcome: RecordedOutcome,
    /// What came of it, in a sentence; or why nothing did.
    pub result: String,
    /// When.
    pub at: Timestamp,
}

/// What became of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedOutcome {
    /// It was done.
    Done,
    /// It was not allowed.
    Denied,
    /// It was tried in vain.
    Failed,
}

impl RecordedOutcome {
    /// Its name, which does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Denied => "denied",
            Self::Failed => "failed",
        }
    }

    /// The outcome of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Done, Self::Denied, Self::Failed]
            .into_iter()
            .find(|it| it.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_offer_is_read_back() {
        for number in [0, 1, 0xdead_beef, u64::MAX] {
            let id = OfferId::new(number);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        assert!("no".parse::<OfferId>().is_err());
    }
}
