//! Places in the text, and the lines they lie in.

use super::super::explain::Reason;
use super::super::scan::Marker;

/// How good a place is to cut at; better ones are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    Word,
    Sentence,
    Line,
    Paragraph,
}

/// A place where the text may be cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Break {
    /// Where the message before it ends, in bytes and in UTF-16 units.
    pub(super) end: usize,
    pub(super) end_units: usize,
    /// Where the message after it begins.
    pub(super) next: usize,
    pub(super) next_units: usize,
    pub(super) rank: Rank,
    /// Why a message ends here, if it does.
    pub(super) reason: Reason,
    /// What the line begins with, to be repeated after a cut in mid-line.
    pub(super) marker: Option<Marker>,
}

/// Blanks and line ends between two tokens.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// Where it begins.
    pub(super) end: usize,
    pub(super) end_units: usize,
    pub(super) newlines: usize,
    /// Where the last line of it begins.
    pub(super) line_start: usize,
    /// Its length once line ends are made even.
    pub(super) width: usize,
    /// A boundary lies here whatever comes.
    pub(super) firm: bool,
}

impl Gap {
    /// Whether a message may end here.
    pub(super) const fn matters(&self) -> bool {
        self.newlines > 0 || self.firm
    }

    /// Blanks after a word.
    pub(super) const fn within_line(end: usize, end_units: usize) -> Self {
        Self {
            end,
            end_units,
            newlines: 0,
            line_start: 0,
            width: 0,
            firm: false,
        }
    }

    /// The line ends after a code block that ended with its quote.
    pub(super) const fn after_code(end: usize, end_units: usize, line_start: usize) -> Self {
        Self {
            end,
            end_units,
            newlines: 1,
            line_start,
            width: 0,
            firm: false,
        }
    }
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum LineKind {
    #[default]
    Text,
    /// Text behind a marker.
    Marked(Marker),
    Row,
    Rule,
    Fence,
}

/// What is known of the line that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    /// Where it begins, indentation included.
    pub(super) start: usize,
    /// Whether anything but emoji has been seen.
    pub(super) text: bool,
    /// Whether the text so far ends a sentence.
    pub(super) ended: bool,
    /// Whether a `|` was seen outside code.
    pub(super) piped: bool,
}

/// Signs that may end a sentence, and what was closed after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentenceEnd {
    pub(super) start: usize,
    pub(super) run_end: usize,
    pub(super) end: usize,
    pub(super) closed: bool,
}

impl SentenceEnd {
    pub(super) const fn at(start: usize, end: usize) -> Self {
        Self {
            start,
            run_end: end,
            end,
            closed: false,
        }
    }

    /// A quotation or bracket was closed.
    pub(super) const fn extend(&mut self, end: usize) {
        self.end = end;
        self.closed = true;
    }

    /// An emphasis was closed.
    pub(super) const fn stretch(&mut self, end: usize) {
        self.end = end;
    }
}
