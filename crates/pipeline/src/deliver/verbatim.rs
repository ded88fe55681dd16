//! Whether what comes next in a stream is code.
//!
//! The stages before the segmenter must leave code alone. What code is, the
//! scanner knows: it reads what was shown, once somebody asks.

use super::scan::{Kind, Scanner};

/// The text is read after this many bytes, if nobody asks before.
const ENOUGH: usize = 4096;
/// How much of what was read is kept, for the sake of what precedes a sign.
const LOOK_BACK: usize = 16;

/// Knows what was shown of a stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Verbatim {
    scanner: Scanner,
    text: String,
    /// Where the text begins in the stream.
    base: usize,
}

impl Verbatim {
    /// Adds what is shown.
    pub(super) fn show(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() > ENOUGH {
            self.read();
        }
    }

    /// Whether what follows may be code, if it begins with `next`: as far as is
    /// known, or for sure.
    pub(super) fn may_hold(&mut self, next: u8) -> bool {
        self.read();
        let open = &self.text[self.scanner.position() - self.base..];
        let first = open.bytes().next().unwrap_or(next);
        self.scanner.is_fenced(first) || open.contains('`') || open.trim_start().starts_with('~')
    }

    /// Whether `next`, which follows, begins in code; unknown if that depends
    /// on what follows it, unless it is `last`.
    pub(super) fn holds(&mut self, next: &str, last: bool) -> Option<bool> {
        self.read();
        let kept = self.text.len();
        self.text.push_str(next);
        let found = self.find(self.base + kept, last);
        self.text.truncate(kept);
        found
    }

    fn find(&self, at: usize, last: bool) -> Option<bool> {
        let first = *self.text.as_bytes().get(at - self.base)?;
        let mut scanner = self.scanner.clone();
        while scanner.position() < at {
            let lexeme = scanner.next(&self.text, self.base, last)?;
            match lexeme.kind {
                _ if lexeme.end <= at => {}
                // There may be code in it.
                Kind::Row | Kind::Link | Kind::Image => {
                    scanner = Scanner::within(lexeme.start + 1);
                }
                kind => return Some(kind == Kind::Code || kind.is_fenced()),
            }
        }
        Some(scanner.is_fenced(first))
    }

    fn read(&mut self) {
        while (self.scanner.next(&self.text, self.base, false)).is_some() {}
        let read = self.scanner.position() - self.base;
        if read > ENOUGH / 2 {
            let cut = self.text.floor_char_boundary(read - LOOK_BACK);
            self.text.drain(..cut);
            self.base += cut;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the bytes in code with `#`, however much is known of what follows.
    fn check(text: &str, expected: &str) {
        let mut code = Verbatim::default();
        let mut found = String::new();
        for (at, c) in text.char_indices() {
            let holds = code.holds(&text[at..], true);
            if c != '\n' && holds == Some(true) {
                assert!(code.may_hold(text.as_bytes()[at]), "{text:?} at {at}");
            }
            found.push(match holds {
                _ if c == '\n' => '\n',
                Some(true) => '#',
                _ => '.',
            });
            code.show(&text[at..at + c.len_utf8()]);
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn fences_and_inline_code() {
        check("a `b` c", "...##..");
        check("``a`b`` c", ".######..");
        check("a ` b\nc", ".....\n.");
        check("```\na\n```\nb", ".##\n#\n###\n.");
        check("```rs\na\n```\nb", ".####\n#\n###\n.");
        check("```a``` b", ".######..");
        check("~~~\n```\n~~~~\nb", ".##\n###\n####\n.");
        check("````\n```\n````\nb", ".###\n###\n####\n.");
        check("```\n``` x\n```\nb", ".##\n#####\n###\n.");
        check("> ```\n> a\nb", "...##\n###\n.");
        check("| `a` | b |\nc", "...##......\n.");
        check("[a `b`](c)", "....##....");
        check("a ~~~\nb", ".....\n.");
    }
}
