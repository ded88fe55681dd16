//! Why a card cannot be read or written.

use kaiwa_domain::BadPersona;

/// Why a card cannot be read or written, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CardError {
    /// It is too large.
    #[error(
        "it is larger than {}: take one with fewer or smaller pictures, or with less text",
        size(*most)
    )]
    TooLarge {
        /// The most bytes.
        most: usize,
    },
    /// With its pictures it would be too large in the format that was asked for.
    #[error(
        "it would be larger than {}: export it as charx, in which pictures take less room, or \
         take out some",
        size(*most)
    )]
    TooLargeToWrite {
        /// The most bytes.
        most: usize,
    },
    /// It would take far more room than it has letters.
    #[error(
        "it holds too many values: take out lore, or what other programs keep in its extensions"
    )]
    TooManyValues,
    /// It is no text and no format that we know.
    #[error("it is no character card: give a PNG or charx file, or JSON or TOML in UTF-8")]
    NotText,
    /// It is a text of no kind that we know.
    #[error("it is no character card: give a PNG, JSON, charx or TOML file")]
    NoCard,
    /// It is what a server sent in the place of a card.
    #[error("it is a web page: download the card itself")]
    WebPage,
    /// There is nothing in it.
    #[error("it is empty: download or export it again")]
    Empty,
    /// It is the beginning of a picture.
    #[error("the picture is cut off: download it again")]
    CutOff,
    /// It is a picture without a character.
    #[error("the picture holds no character: export it as a character card, or give its JSON file")]
    PlainPicture,
    /// It is not as its format wants it.
    #[error("it is damaged ({problem}): export it again")]
    Damaged {
        /// What is wrong.
        problem: String,
    },
    /// It is JSON or TOML, but of something else.
    #[error("it is no character card: there is no name in it")]
    NoName,
    /// It has a name, but no field of a character.
    #[error("it is no character card: it has a name, and says nothing of anybody")]
    NoCharacter,
    /// It is something else that we know.
    #[error(
        "it is {what}, of which no character can be made: give a PNG, JSON, charx or TOML file"
    )]
    Other {
        /// What it is.
        what: &'static str,
    },
    /// It has settings of a model in the place of a character.
    #[error("it is a preset, not a character: say which persona it is for")]
    Preset,
    /// It is a preset of numbers and templates alone.
    #[error("the preset has no words: nothing else of a preset has a meaning here")]
    Wordless,
    /// It has lore and nobody whom it is about.
    #[error("it is a lorebook, not a character: import a card that has it in it")]
    Lorebook,
    /// An archive has more in it than it says, or too much.
    #[error("the archive unpacks to more than {}: take out pictures", size(*most))]
    Bomb {
        /// The most bytes.
        most: usize,
    },
    /// An archive has more files than are looked at.
    #[error("the archive has more than {most} files: pack it again with the character alone")]
    TooManyFiles {
        /// The most files.
        most: usize,
    },
    /// An archive cannot be unpacked by everybody.
    #[error("the archive has a password: pack it again without one")]
    Locked,
    /// An archive has cards in it, and is none itself.
    #[error("it is an archive of other files: unpack it, and import a card that is in it")]
    Packed,
    /// It is too large for a persona.
    #[error(transparent)]
    Bad(#[from] BadPersona),
}

impl CardError {
    pub(crate) fn damaged(problem: impl Into<String>) -> Self {
        Self::Damaged {
            problem: problem.into(),
        }
    }
}

/// A size as people read it.
fn size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} KB", bytes >> 10),
        megabytes => format!("{megabytes} MB"),
    }
}
