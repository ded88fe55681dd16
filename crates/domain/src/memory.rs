//! What is remembered, what is kept to explain answers, and whose data it is.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use crate::{ChannelId, GuildId, MessageId, PersonaId, Scope, Timestamp, Trigger, TurnId, UserId};

/// How many characters a fact may have.
pub const FACT_CHARS: usize = 1000;

/// How many facts a scope may have. One more is refused: somebody has to say
/// what may go.
pub const FACTS_PER_SCOPE: usize = 1000;

/// How many facts a scope may have about one person. One more takes the place
/// of the oldest: what is newer is truer.
pub const FACTS_PER_PERSON: usize = 25;

/// How many characters a note may have: a brief has room for a few of them.
pub const NOTE_CHARS: usize = 1000;

/// How many notes a channel may have. One more takes the place of the oldest.
pub const NOTES_PER_CHANNEL: usize = 40;

/// Names a fact within its scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactId(u32);

impl FactId {
    /// The fact with this number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for FactId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// Who may hear of a fact, within its scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Audience {
    /// Everybody who can read what all of the guild can read; in direct
    /// messages, the one who is there.
    Scope,
    /// The readers of one channel.
    Channel(ChannelId),
}

impl Audience {
    /// Who could have read what was said in a channel.
    pub const fn of_channel(scope: Scope, channel: ChannelId, is_private: bool) -> Self {
        match scope {
            Scope::Guild(_) if is_private => Self::Channel(channel),
            Scope::Guild(_) | Scope::Dm(_) => Self::Scope,
        }
    }

    /// Whether the readers of `channel`, which is of the same scope, may hear
    /// of it.
    pub fn admits(self, channel: ChannelId) -> bool {
        match self {
            Self::Scope => true,
            Self::Channel(only) => only == channel,
        }
    }
}

/// How a fact was learned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FactSource {
    /// Somebody asked for it to be remembered.
    Told,
    /// The model found it worth keeping.
    Noted,
    /// Whoever runs the bot wrote it down.
    Operator,
}

impl FactSource {
    const ALL: [Self; 3] = [Self::Told, Self::Noted, Self::Operator];

    /// Its name, which does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Told => "told",
            Self::Noted => "noted",
            Self::Operator => "operator",
        }
    }

    /// The source of this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}

/// A fact that is to be remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFact {
    /// Whose data it is.
    pub scope: Scope,
    /// Whom it is about; nobody, if it is about the server.
    pub about: Option<UserId>,
    /// Who may hear of it.
    pub audience: Audience,
    /// Who taught it; nobody on Discord, if it was the operator.
    pub author: Option<UserId>,
    /// How it was learned.
    pub source: FactSource,
    /// Where it was learned.
    pub channel: Option<ChannelId>,
    /// The message that said it.
    pub message: Option<MessageId>,
    /// The fact itself.
    pub text: String,
    /// When it was learned.
    pub learned_at: Timestamp,
    /// When it stops being of use.
    pub expires_at: Option<Timestamp>,
}

impl NewFact {
    /// Whether it is of no use any more.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// Something that is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Its name within the scope.
    pub id: FactId,
    /// What was learned.
    pub learned: NewFact,
}

/// What the model wrote down about a conversation. It is for the channel of
/// that conversation alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Whose data it is.
    pub scope: Scope,
    /// The channel.
    pub channel: ChannelId,
    /// Who took it: notes are for nobody else.
    pub persona: PersonaId,
    /// Whose words may be in it: the asker, or everybody whose notes it sums up.
    pub people: Vec<UserId>,
    /// The note itself.
    pub text: String,
    /// When it was taken.
    pub at: Timestamp,
    /// When it is forgotten.
    pub expires_at: Timestamp,
}

/// What a model was told for one turn, with secrets left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromptSnapshot {
    /// The turn.
    pub turn: TurnId,
    /// Whose data it is.
    pub scope: Scope,
    /// Where it was asked.
    pub channel: ChannelId,
    /// Whose words are in it, the asker's among them.
    pub people: Vec<UserId>,
    /// When it was sent.
    pub at: Timestamp,
    /// Its parts, in the order in which they were sent.
    pub sections: Vec<PromptSection>,
}

/// One part of what a model was told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromptSection {
    /// What it is.
    pub title: String,
    /// What it says.
    pub text: String,
    /// How long it is, by estimate.
    pub tokens: u32,
}

/// Why an event was answered, or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionRecord {
    /// Whose data it is.
    pub scope: Scope,
    /// Where it happened.
    pub channel: ChannelId,
    /// What happened.
    pub trigger: Trigger,
    /// Whose doing it was.
    pub user: UserId,
    /// The name of what was decided.
    pub outcome: String,
    /// The name of the reason.
    pub reason: String,
    /// When it was decided.
    pub at: Timestamp,
}

/// Whose data is shown or deleted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DataSubject {
    /// A person, in every guild and in direct messages.
    User(UserId),
    /// A guild with everything that was said in it.
    Guild(GuildId),
}

impl fmt::Display for DataSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => write!(f, "user {id}"),
            Self::Guild(id) => write!(f, "server {id}"),
        }
    }
}

/// Everything that is kept about somebody.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Export {
    /// The tables that have something.
    pub tables: Vec<ExportTable>,
}

/// What one table has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportTable {
    /// Its name.
    pub name: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// A cell for each column.
    pub rows: Vec<Vec<ExportCell>>,
}

/// One value of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportCell {
    /// Nothing.
    Empty,
    /// An id of Discord.
    Id(u64),
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_in_private_stays_there() {
        let (here, there) = (ChannelId::new(1), ChannelId::new(2));
        let guild = Scope::Guild(GuildId::new(7));
        let dm = Scope::Dm(UserId::new(7));
        let table = [
            (guild, false, there, true),
            (guild, true, here, true),
            (guild, true, there, false),
            (dm, true, here, true),
        ];
        for (scope, is_private, reader, admitted) in table {
            let audience = Audience::of_channel(scope, here, is_private);
            assert_eq!(audience.admits(reader), admitted, "{scope} {is_private}");
        }
    }

    #[test]
    fn sources_read_back() {
        for source in FactSource::ALL {
            assert_eq!(FactSource::from_name(source.name()), Some(source));
        }
        assert_eq!(FactSource::from_name("rumour"), None);
    }
}
