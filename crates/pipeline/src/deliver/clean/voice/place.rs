//! Where in an answer a label may begin.

/// Where in the answer the next character stands.
#[derive(Clone, Debug)]
pub(super) struct VoicePlace {
    pub(super) spot: Spot,
    /// Labels in the middle of the line count: it is no list item or the like.
    pub(super) plain: bool,
    /// The byte before.
    pub(super) last: u8,
    /// Something other than white space was shown.
    pub(super) begun: bool,
}

impl VoicePlace {
    pub(super) const fn start() -> Self {
        Self {
            spot: Spot::Line,
            plain: true,
            last: 0,
            begun: false,
        }
    }

    /// Moves past a character that is shown.
    pub(super) fn read(&mut self, c: char) {
        self.begun |= !c.is_whitespace();
        self.spot = match (self.spot, c) {
            (_, '\n') => {
                self.plain = true;
                Spot::Line
            }
            (Spot::Line, ' ' | '\t' | '\r') => Spot::Line,
            (Spot::Line, '-' | '+' | '•' | '>' | '#' | '|' | '0'..='9') => {
                self.plain = false;
                Spot::None
            }
            (_, '.' | '!' | '?' | '…' | '。' | '！' | '？') => Spot::Sentence,
            (Spot::Sentence, ' ' | '\t' | '"' | '\'' | ')' | '”' | '’' | '」' | '』') => {
                Spot::Sentence
            }
            // The end of a tag, which ends in an id.
            (_, '>') if self.last.is_ascii_digit() => Spot::Sentence,
            _ => Spot::None,
        };
    }
}

/// Whether a label may begin here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// At the start of a line.
    Line,
    /// After the end of a sentence or an emoji.
    Sentence,
    /// Nowhere.
    None,
}
