//! Lines that open and close blocks of code in markdown.

use std::ops::Range;

use crate::Miss;

/// A block of code that a line of three or more backticks or tildes opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeFence {
    mark: char,
    length: usize,
    indent: usize,
    quoted: bool,
}

/// What may stand around the marks of a line.
const BLANKS: [char; 2] = [' ', '\t'];

impl CodeFence {
    /// No line that opens or closes code is longer than this many bytes.
    pub const LONGEST: usize = 256;
    /// More marks in a row than this mean nothing.
    const MOST_MARKS: usize = 64;

    /// Reads the line that `text` begins with, and how long it is: that of a
    /// quote if it is `quoted`, without its [marks](Self::quote_marks). If
    /// `last`, no more text follows.
    pub fn open(text: &str, quoted: bool, last: bool) -> Result<(Self, usize), Miss> {
        let (line, over) = first_line(text, last)?;
        let marks = line.trim_start_matches(BLANKS);
        let (mark, info) = match marks.chars().next() {
            Some(mark @ ('`' | '~')) => (mark, marks.trim_start_matches(mark)),
            None if !over => return Err(Miss::Ended),
            _ => return Err(Miss::Differs),
        };
        let length = marks.len() - info.len();
        // Backticks in the info string make it inline code.
        let inline = mark == '`' && info.contains('`');
        if length < 3 && !info.is_empty() || length > Self::MOST_MARKS || inline {
            return Err(Miss::Differs);
        }
        match over {
            false => Err(Miss::Ended),
            true if length < 3 => Err(Miss::Differs),
            true => {
                let indent = line.len() - marks.len();
                let fence = Self {
                    mark,
                    length,
                    indent,
                    quoted,
                };
                Ok((fence, line.len()))
            }
        }
    }

    /// The first run of backticks or tildes in a line; empty if it has none.
    pub fn marks(line: &str) -> Range<usize> {
        let start = line.find(['`', '~']).unwrap_or(line.len());
        let rest = line[start..].trim_start_matches(|mark| line[start..].starts_with(mark));
        start..line.len() - rest.len()
    }

    /// Whether its lines stand behind `>`. Then it ends with the quote at the
    /// latest.
    pub const fn is_quoted(&self) -> bool {
        self.quoted
    }

    /// Whether the line that `text` begins with closes it, and how long that
    /// line is. If `last`, no more text follows.
    pub fn close(&self, text: &str, last: bool) -> Result<usize, Miss> {
        let quote = match self.quoted {
            true => Self::quote_marks(text),
            false => 0,
        };
        let marks = text[quote..].trim_start_matches(BLANKS);
        let begin = text.len() - marks.len();
        if begin - quote > self.indent + 3 || !marks.starts_with(self.mark) && !marks.is_empty() {
            return Err(Miss::Differs);
        }
        let (line, over) = first_line(text, last)?;
        let after = line[begin.min(line.len())..].trim_start_matches(self.mark);
        let length = line.len().saturating_sub(begin + after.len());
        match after.trim_start_matches(BLANKS).is_empty() {
            true if !over => Err(Miss::Ended),
            true if length >= self.length => Ok(line.len()),
            _ => Err(Miss::Differs),
        }
    }

    /// How many bytes `line` begins with that mark a quote.
    pub fn quote_marks(line: &str) -> usize {
        let mut rest = line;
        while line.len() - rest.len() < Self::MOST_MARKS
            && let Some(after) = rest.strip_prefix('>')
        {
            rest = after.strip_prefix(' ').unwrap_or(after);
        }
        line.len() - rest.len()
    }
}

/// The line that `text` begins with, if it is not too long for a fence, and
/// whether it is over.
fn first_line(text: &str, last: bool) -> Result<(&str, bool), Miss> {
    let near = &text[..text.floor_char_boundary(CodeFence::LONGEST + 1)];
    match near.find(['\n', '\r']) {
        Some(end) => Ok((&near[..end], true)),
        None if near.len() > CodeFence::LONGEST => Err(Miss::Differs),
        None => Ok((near, last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(line: &str) -> Result<(CodeFence, usize), Miss> {
        CodeFence::open(line, false, true)
    }

    #[test]
    fn lines_that_open_code() {
        for line in ["```", "```rs", "  ~~~ a `b`", "`````  ", "\t```"] {
            let text = format!("{line}\nlet a = 1;");
            assert_eq!(
                open(&text).map(|(_, length)| length),
                Ok(line.len()),
                "{line}"
            );
            // What it is does not change with what is still to come.
            for cut in 0..=line.len() {
                let early = CodeFence::open(&line[..cut], false, false);
                assert_eq!(early, Err(Miss::Ended), "{line} at {cut}");
            }
        }
        let long = format!("```{}", "a".repeat(CodeFence::LONGEST));
        for line in ["", "a", "``", "```a```", "> ```", "``` `", "~~ ~", &long] {
            assert_eq!(open(line).err(), Some(Miss::Differs), "{line}");
        }
    }

    #[test]
    fn lines_that_close_code() {
        let check = |opening: &str, line: &str, closes: bool| {
            let quote = CodeFence::quote_marks(opening);
            let Ok((fence, _)) = CodeFence::open(&opening[quote..], quote > 0, true) else {
                panic!("{opening} opens nothing");
            };
            let found = fence.close(&format!("{line}\n"), false);
            let expect = if closes {
                Ok(line.len())
            } else {
                Err(Miss::Differs)
            };
            assert_eq!(found, expect, "{opening} … {line}");
            assert_eq!(fence.close(line, true), expect, "{opening} … {line}");
            // What it is does not change with what is still to come.
            for cut in 0..=line.len() {
                let early = fence.close(&line[..cut], false);
                assert!(
                    early == Err(Miss::Ended) || early == expect && !closes,
                    "{line}"
                );
            }
        };
        check("```rs", "```", true);
        check("```rs", "   `````  ", true);
        check("  ~~~", "     ~~~", true);
        check("> ```", ">```", true);
        check("> ```", "> > ```", true);
        for (opening, line) in [
            ("```", "``"),
            ("````", "```"),
            ("```", "~~~"),
            ("```", "``` a"),
            ("```", "    ```"),
            ("```", "> ```"),
            ("```", "let a = 1;"),
            ("~~~", ""),
        ] {
            check(opening, line, false);
        }
    }
}
