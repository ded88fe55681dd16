//! Which part of a stream is code.
//!
//! The stages that run before the scanner see the text byte by byte and must
//! leave code alone. A fence is a run of three or more backticks with no
//! further backtick on its line, or of tildes at the start of a line; it ends
//! at a line with nothing but such a run of the same length or more. Inline
//! code ends with its line at the latest.

/// Knows whether the next byte of a stream stands in code. Small and copied
/// freely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verbatim {
    fence: Option<Fence>,
    /// The length of the run that opened inline code; 0 outside.
    inline: usize,
    /// Only backticks of the opening run were seen on the line so far.
    clean: bool,
    /// Only white space and quote marks were seen on the line so far.
    head: bool,
    quoted: bool,
    /// The run of backticks or tildes that is being read.
    run: Run,
    /// The line so far is a closing fence.
    closing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fence {
    mark: u8,
    length: usize,
    quoted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    mark: u8,
    length: usize,
}

const NO_RUN: Run = Run { mark: 0, length: 0 };

impl Verbatim {
    /// At the start of a text.
    pub(super) const fn new() -> Self {
        Self {
            fence: None,
            inline: 0,
            clean: true,
            head: true,
            quoted: false,
            run: NO_RUN,
            closing: false,
        }
    }

    /// Ends what ends before `next`: a run of backticks or tildes, or a quote
    /// with its fence.
    #[inline]
    pub(super) fn settle(&mut self, next: u8) {
        if self.head || self.run.length > 0 {
            self.settle_here(next);
        }
    }

    fn settle_here(&mut self, next: u8) {
        if self.head && !matches!(next, b' ' | b'\t' | b'\r' | b'\n' | b'>') {
            self.leave_quote();
        }
        let run = self.run;
        if run.length == 0 || next == run.mark {
            return;
        }
        self.run = NO_RUN;
        match self.fence {
            Some(fence) => {
                self.closing = run.mark == fence.mark && run.length >= fence.length;
            }
            None if run.mark == b'`' => {
                if self.inline == 0 {
                    self.inline = run.length;
                    self.clean = true;
                } else if self.inline == run.length {
                    self.inline = 0;
                } else {
                    self.clean = false;
                }
            }
            None if run.length >= 3 => self.open(b'~', run.length),
            None => {}
        }
    }

    /// Reads one byte.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.settle(byte);
        match byte {
            b'\n' => self.end_line(),
            b' ' | b'\t' | b'\r' => {}
            b'`' | b'~' => self.mark(byte),
            b'>' if self.head && self.fence.is_none_or(|fence| fence.quoted) => self.quoted = true,
            _ => {
                self.head = false;
                self.closing = false;
            }
        }
    }

    /// Whether a byte that [`matters`](Self::matters) nowhere changes nothing
    /// here.
    #[inline]
    pub(super) const fn is_idle(&self) -> bool {
        !self.head && !self.closing && self.run.length == 0
    }

    /// Whether `byte` may change the state in the middle of a line.
    #[inline]
    pub(super) const fn matters(byte: u8) -> bool {
        matches!(byte, b'\n' | b'`' | b'~')
    }

    /// Whether code surely surrounds the next byte.
    pub(super) const fn in_fence(&self) -> bool {
        self.fence.is_some()
    }

    /// Whether a run of backticks is open on this line. It is code only if the
    /// line goes on to close it.
    pub(super) const fn in_inline(&self) -> bool {
        self.inline > 0
    }

    /// The open run closes nowhere on its line: it was no code.
    pub(super) const fn give_up_inline(&mut self) {
        self.inline = 0;
    }

    fn mark(&mut self, byte: u8) {
        if self.run.length > 0 {
            self.run.length += 1;
        } else if self.head || (byte == b'`' && self.fence.is_none()) {
            self.run = Run {
                mark: byte,
                length: 1,
            };
        }
        self.head = false;
        self.closing = false;
    }

    /// A quoted fence ends with its quote.
    fn leave_quote(&mut self) {
        if !self.quoted && self.fence.is_some_and(|fence| fence.quoted) {
            self.fence = None;
        }
    }

    fn open(&mut self, mark: u8, length: usize) {
        self.fence = Some(Fence {
            mark,
            length,
            quoted: self.quoted,
        });
        self.inline = 0;
    }

    fn end_line(&mut self) {
        if self.fence.is_some() {
            if self.closing {
                self.fence = None;
            }
        } else if self.inline >= 3 && self.clean {
            self.open(b'`', self.inline);
        }
        self.inline = 0;
        self.head = true;
        self.quoted = false;
        self.closing = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the bytes inside fences with `#` and those after an open run of
    /// backticks with `+`.
    fn check(text: &str, expected: &str) {
        let mut code = Verbatim::new();
        let mut found = String::new();
        for byte in text.bytes() {
            code.settle(byte);
            found.push(match byte {
                b'\n' => '\n',
                _ if code.in_fence() => '#',
                _ if code.in_inline() => '+',
                _ => '.',
            });
            code.byte(byte);
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn fences_and_inline_code() {
        check("a `b` c", "...++..");
        check("``a`b`` c", "..+++++..");
        check("a ` b\nc", "...++\n.");
        check("```\na\n```\nb", "...\n#\n###\n.");
        check("```rs\na\n```\nb", "...++\n#\n###\n.");
        check("x ```\na\n ```\nb", ".....\n#\n####\n.");
        check("```a``` b", "...++++..");
        check("```a`b\nc", "...+++\n.");
        check("~~~\n```\n~~~~\nb", "...\n###\n####\n.");
        check("````\n```\n````\nb", "....\n###\n####\n.");
        check("```\n``` x\n```\nb", "...\n#####\n###\n.");
        check("> ```\n> a\nb", ".....\n###\n.");
        check("```\n> ```\n```\nb", "...\n#####\n###\n.");
        check("a ~~~\nb", ".....\n.");
    }
}
