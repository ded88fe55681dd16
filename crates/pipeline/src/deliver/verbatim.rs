//! Whether what comes next in a stream is code.
//!
//! The stages before the segmenter must leave code alone. What code is, the
//! scanner knows: it reads what was shown, once somebody asks.

use super::scan::{Kind, Scanner};
use super::window::TextWindow;

/// The text is read after this many bytes, if nobody asks before.
const ENOUGH: usize = 4096;
/// How much of what was read is kept, for the sake of what precedes a sign.
const LOOK_BACK: usize = 16;

/// Knows what was shown of a stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Verbatim {
    scanner: Scanner,
    text: TextWindow<'static>,
}

impl Verbatim {
    /// Adds what is shown.
    pub(super) fn show(&mut self, text: &str) {
        self.text.push(text);
        if self.text.end() - self.scanner.position() > ENOUGH {
            self.read();
        }
    }

    /// Whether what follows may be code, if it begins with `next`: as far as is
    /// known, or for sure.
    pub(super) fn may_hold(&mut self, next: u8) -> bool {
        self.read();
        self.scanner.may_be_code(&self.text, next)
    }

    /// Whether `next`, which follows, begins in code; unknown if that depends
    /// on what follows it, unless it is `last`.
    pub(super) fn holds(&mut self, next: &str, last: bool) -> Option<bool> {
        self.read();
        let at = self.text.end();
        self.text.push(next);
        self.text.set_over(last);
        let found = self.find(at);
        self.text.set_over(false);
        self.text.truncate(at);
        found
    }

    fn find(&self, at: usize) -> Option<bool> {
        let first = self.text.byte(at)?;
        let mut scanner = self.scanner.clone();
        while scanner.position() < at {
            let lexeme = scanner.next(&self.text)?;
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
        while self.scanner.next(&self.text).is_some() {}
        self.text.drop_before(self.scanner.position(), LOOK_BACK);
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
