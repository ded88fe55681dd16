//! The marks that open and close what the reader must not see.

use super::cursor::{Cursor, End};

/// What a mark encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Block {
    /// The model thinking aloud.
    Thought,
    /// An aside, kept for memory.
    Details,
    /// A note that pretends to come from the system.
    Note,
    /// The turn of somebody else, begun with a token of the template.
    Turn,
}

/// A mark, with its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TagMark {
    /// A block begins.
    Open(Block, usize),
    /// A block ends.
    Close(Block, usize),
    /// A token of the model's template.
    Token(usize),
}

/// What the start of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// No mark.
    No,
    /// Perhaps the beginning of one.
    Partial,
    /// One.
    Yes(TagMark),
}

/// No mark is longer than this many bytes.
pub(super) const LONGEST: usize = 192;

/// The first byte of every mark.
pub(super) const fn may_begin(byte: u8) -> bool {
    matches!(byte, b'<' | b'[')
}

/// Whether some mark begins with these two bytes; most texts differ here.
const fn may_follow(first: u8, second: u8) -> bool {
    match first {
        b'[' => matches!(second, b' ' | b's' | b'S' | b'i' | b'I' | b'/'),
        // The first byte of a full-width bar is 0xef.
        _ => {
            matches!(second, b'/' | b'|' | b'<' | 0xef | b'_' | b'-' | b'.')
                || second.is_ascii_alphanumeric()
        }
    }
}

/// Whether a mark may begin like `text`, which begins as one.
#[inline]
pub(super) const fn may_go_on(text: &[u8]) -> bool {
    match text {
        [b'<', b'<', third, ..] => matches!(third, b's' | b'S' | b'/'),
        [first, second, ..] => may_follow(*first, *second),
        _ => true,
    }
}

/// Reads the mark at the start of `text`. If `last`, no more text follows.
pub(super) fn read(text: &str, last: bool) -> Reading {
    if !may_go_on(text.as_bytes()) {
        return Reading::No;
    }
    let mut cursor = Cursor {
        bytes: text.as_bytes(),
        at: 0,
        last,
    };
    match cursor.mark() {
        Ok(mark) => Reading::Yes(mark),
        Err(End::Differs) => Reading::No,
        Err(End::Short) => Reading::Partial,
    }
}

const THOUGHTS: [&str; 3] = ["thinking", "thought", "think"];
const ROLES: [&str; 5] = ["assistant", "model", "system", "user", "tool"];
/// Tokens that are spelled like tags; `<|…|>` needs no list.
const TOKENS: [&str; 11] = [
    "</s>",
    "<s>",
    "<unk>",
    "<pad>",
    "<bos>",
    "<eos>",
    "<<SYS>>",
    "<</SYS>>",
    "<end_of_turn>",
    "[INST]",
    "[/INST]",
];
/// Tokens that the name of a role follows.
const TURNS: [&str; 3] = ["<|im_start|>", "<|start_header_id|>", "<start_of_turn>"];
const LONGEST_NAMESPACE: usize = 32;
const LONGEST_TOKEN: usize = 64;

type Read<C> = fn(&mut C) -> Result<TagMark, End>;

impl Cursor<'_> {
    fn mark(&mut self) -> Result<TagMark, End> {
        if self.bytes.first() == Some(&b'[') {
            return self.first_of(&[Self::note, Self::token]);
        }
        self.first_of(&[Self::turn, Self::token, Self::bar_token, Self::tag])
    }

    /// The first reading that fits. One that might still fit keeps the later
    /// ones waiting, so that the outcome does not depend on when text arrives.
    fn first_of(&mut self, readings: &[Read<Self>]) -> Result<TagMark, End> {
        for reading in readings {
            self.at = 0;
            match reading(self) {
                Err(End::Differs) => {}
                outcome => return outcome,
            }
        }
        Err(End::Differs)
    }

    /// `<think>`, `</ns:think>`, `<details open>` and the like.
    fn tag(&mut self) -> Result<TagMark, End> {
        self.byte(b'<')?;
        let closes = self.peek()? == b'/';
        self.at += usize::from(closes);
        let start = self.at;
        let word = self.word()?;
        let word = if self.peek()? == b':' && word > 0 && word <= LONGEST_NAMESPACE {
            self.at += 1;
            self.word()?
        } else {
            word
        };
        let name = &self.bytes[self.at - word..self.at];
        let block = if THOUGHTS.iter().any(|known| same(name, known)) {
            Block::Thought
        } else if same(name, "details") && self.at - word == start {
            Block::Details
        } else {
            return Err(End::Differs);
        };
        if !matches!(self.peek()?, b'>' | b' ' | b'\t') {
            return Err(End::Differs);
        }
        loop {
            match self.peek()? {
                b'>' => break,
                b'<' | b'\n' => return Err(End::Differs),
                _ if self.at >= LONGEST => return Err(End::Differs),
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Ok(if closes {
            TagMark::Close(block, self.at)
        } else {
            TagMark::Open(block, self.at)
        })
    }

    /// The length of the word here, as long as a tag with it could be one.
    fn word(&mut self) -> Result<usize, End> {
        let start = self.at;
        while self.at - start <= LONGEST_NAMESPACE {
            match self.peek()? {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => self.at += 1,
                _ => return Ok(self.at - start),
            }
        }
        Err(End::Differs)
    }

    /// `[system: …`, `[System note: …`.
    fn note(&mut self) -> Result<TagMark, End> {
        self.byte(b'[')?;
        self.space()?;
        self.letters("system")?;
        self.space()?;
        if self.peek()? != b':' {
            let rest = self.at;
            for more in ["note", "message"] {
                self.at = rest;
                match self.letters(more) {
                    Ok(()) => break,
                    Err(End::Short) => return Err(End::Short),
                    Err(End::Differs) => {}
                }
            }
            self.space()?;
        }
        self.byte(b':')?;
        Ok(TagMark::Open(Block::Note, self.at))
    }

    fn token(&mut self) -> Result<TagMark, End> {
        self.one_of(&TOKENS).map(TagMark::Token)
    }

    /// `<|im_start|>assistant` and its kin. The turn of a user is not ours.
    fn turn(&mut self) -> Result<TagMark, End> {
        self.one_of(&TURNS)?;
        let token = self.at;
        match self.one_of(&ROLES) {
            Ok(_) => {
                let ours = !same(&self.bytes[token..self.at], "user");
                // The role stands on a line of its own, which goes with it.
                match self.byte(b'\n') {
                    Err(End::Short) if !self.last => Err(End::Short),
                    _ if ours => Ok(TagMark::Token(self.at)),
                    _ => Ok(TagMark::Open(Block::Turn, self.at)),
                }
            }
            Err(End::Short) if !self.last => Err(End::Short),
            Err(_) => Ok(TagMark::Token(token)),
        }
    }

    /// `<|…|>`, with ASCII bars or full-width ones.
    fn bar_token(&mut self) -> Result<TagMark, End> {
        self.byte(b'<')?;
        let bar: &[u8] = match self.peek()? {
            b'|' => b"|",
            _ => "｜".as_bytes(),
        };
        for &byte in bar {
            self.byte(byte)?;
        }
        let start = self.at;
        loop {
            if self.at > start && self.bytes[self.at..].starts_with(bar) {
                self.at += bar.len();
                self.byte(b'>')?;
                return Ok(TagMark::Token(self.at));
            }
            match self.peek()? {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'/' => {}
                // The low line of SentencePiece, and a bar that is cut short.
                0xe2 | 0x96 | 0x81 | 0xef | 0xbd | 0x9c => {}
                _ => return Err(End::Differs),
            }
            self.at += 1;
            if self.at - start > LONGEST_TOKEN {
                return Err(End::Differs);
            }
        }
    }
}

fn same(found: &[u8], known: &str) -> bool {
    found.eq_ignore_ascii_case(known.as_bytes())
}

#[cfg(test)]
mod tests;
