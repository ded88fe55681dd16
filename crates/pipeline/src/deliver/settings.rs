//! What a deliverer is asked for.

use std::sync::Arc;

use kaiwa_domain::limits::MESSAGE_TARGET_UTF16;

use super::clean::{EmojiBook, RecentEmoji, Roster};

/// How finely an answer is cut into messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Degree {
    /// As few messages as fit, when the answer is complete.
    Whole,
    /// Line by line; lists, quotes, tables and code stay whole.
    #[default]
    Lines,
    /// The same, as if typed.
    Typed,
    /// Sentence by sentence, as if typed by a person.
    Sentences,
}

impl Degree {
    /// The degree with this number, 0 to 3.
    pub fn from_number(number: u64) -> Option<Self> {
        let degrees = [Self::Whole, Self::Lines, Self::Typed, Self::Sentences];
        degrees.get(usize::try_from(number).ok()?).copied()
    }
}

/// How an answer is delivered.
#[derive(Clone, Debug)]
pub struct DeliverySettings {
    /// How finely it is cut.
    pub degree: Degree,
    /// The most UTF-16 units of a message; at least 2.
    pub max: usize,
    /// Whether markdown that Discord does not know is rewritten.
    pub dialect: bool,
    /// Whether tables are lifted out.
    pub tables: bool,
    /// Code with more UTF-16 units than this is sent as a file. Other code that
    /// does not fit a message is cut; every part is closed and opened again.
    pub attach_code_above: Option<usize>,
    /// The seed of the humanizer, if it is wanted.
    pub humanize: Option<u64>,
    /// Whether everything that is done is explained.
    pub explain: bool,
    /// Who speaks.
    pub speech: Speech,
    /// What the names of emoji and people stand for, if they are to be found.
    pub vocabulary: Option<Vocabulary>,
}

/// As the bot uses it.
impl Default for DeliverySettings {
    fn default() -> Self {
        Self {
            degree: Degree::default(),
            max: MESSAGE_TARGET_UTF16,
            dialect: true,
            tables: true,
            attach_code_above: None,
            humanize: None,
            explain: false,
            speech: Speech::default(),
            vocabulary: None,
        }
    }
}

/// Whose answer it is.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// What the answer was made to begin with.
    pub prefill: String,
    /// The names the answer is given under.
    pub own_names: Vec<String>,
    /// The names of everybody else.
    pub other_names: Vec<String>,
    /// The looks that a remark after the own name puts on.
    pub looks: Vec<SpeechLook>,
}

/// A look that the speaker can put on, as in `Mia (smiling):`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpeechLook {
    /// What it is called, in any case.
    pub name: String,
    /// Whether it lasts until the own name comes again; otherwise it ends with
    /// the line.
    pub lasting: bool,
}

/// What the names of emoji and people stand for.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The emoji that may be used.
    pub emoji: Arc<EmojiBook>,
    /// The emoji that were used lately.
    pub recent: Arc<RecentEmoji>,
    /// The people that may be mentioned.
    pub people: Arc<Roster>,
}
