//! Long code as a file.
//!
//! [`Attach`] watches the text that goes to the chunker. A code block that
//! stands on its own lines is held until it closes; one that is longer than
//! asked for becomes a file. Other text passes at once.

use kaiwa_domain::File;

use super::lookup;
use super::pack::units;
use super::verbatim::Verbatim;

/// Code goes on in another file at the first line end after this many bytes.
const FULL: usize = File::MAX_BYTES * 3 / 4;

/// Languages whose files end otherwise than they are called.
const ENDINGS: &str = "bash sh c# cs c++ cpp csharp cs golang go haskell hs javascript js kotlin kt \
    markdown md perl pl plaintext txt python py ruby rb rust rs shell sh text txt \
    typescript ts";

/// What comes out, in the order it was written.
#[derive(Debug)]
pub(super) enum Passage {
    Text(String),
    /// Code that became a file, and the lines around it, which are not in it.
    File {
        opening: String,
        file: File,
        closing: String,
    },
    /// Code is held from here on: what stands before it need not wait.
    Hold,
    /// The last line of a block whose code is in files already.
    Fence(String),
}

/// Makes files of long code.
#[derive(Clone, Debug)]
pub(super) struct Attach {
    /// Code longer than this many UTF-16 units becomes a file.
    above: usize,
    code: Verbatim,
    mode: Mode,
    /// What is not decided yet: the start of a line, or a block of code.
    held: String,
    /// Where the last line of it begins.
    line: usize,
    /// The language of the block.
    language: String,
    /// How many files were made.
    files: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// At the start of a line, which may open a block.
    Line,
    /// In a line that opens none, or in other code.
    Passing,
    /// In a line that may open a block.
    Opening,
    /// In a block whose opening line is this long; 0 where a part of it is a
    /// file already.
    Inside(usize),
}

impl Attach {
    pub(super) const fn new(above: usize) -> Self {
        Self {
            above,
            code: Verbatim::new(),
            mode: Mode::Line,
            held: String::new(),
            line: 0,
            language: String::new(),
            files: 0,
        }
    }

    pub(super) fn push(&mut self, text: &str) -> Vec<Passage> {
        let mut out = Vec::new();
        let mut passed = String::new();
        for c in text.chars() {
            // To code, one byte of a longer character is like another.
            let byte = u8::try_from(c).unwrap_or(u8::MAX);
            self.code.settle(byte);
            if self.mode == Mode::Line {
                self.mode = match c {
                    _ if self.code.in_fence() => Mode::Passing,
                    ' ' | '\t' => Mode::Line,
                    '`' | '~' => Mode::Opening,
                    _ => Mode::Passing,
                };
            }
            self.code.byte(byte);
            self.held.push(c);
            match (self.mode, c) {
                (Mode::Line | Mode::Opening, '\n') if self.code.in_fence() => {
                    self.mode = Mode::Inside(self.held.len());
                    self.language = language(&self.held);
                    give(&mut out, &mut passed);
                    out.push(Passage::Hold);
                }
                (Mode::Inside(opening), '\n') if !self.code.in_fence() => {
                    self.close(opening, self.line, &mut out);
                    passed.push_str(&std::mem::take(&mut self.held));
                    self.mode = Mode::Line;
                }
                (Mode::Inside(opening), _) => {
                    let length = self.held.len() - opening;
                    if c == '\n' && length > FULL || length + 4 > File::MAX_BYTES {
                        self.close(opening, self.held.len(), &mut out);
                        self.mode = Mode::Inside(0);
                    }
                }
                (Mode::Passing, _) | (_, '\n') => {
                    passed.push_str(&std::mem::take(&mut self.held));
                    if c == '\n' {
                        self.mode = Mode::Line;
                    }
                }
                _ => {}
            }
            if c == '\n' {
                self.line = self.held.len();
            }
        }
        give(&mut out, &mut passed);
        out
    }

    /// The text is over.
    pub(super) fn finish(&mut self) -> Vec<Passage> {
        let mut out = Vec::new();
        if let Mode::Inside(opening) = self.mode {
            let mut code = self.code;
            code.byte(b'\n');
            let end = if code.in_fence() {
                self.held.len()
            } else {
                self.line
            };
            self.close(opening, end, &mut out);
        }
        give(&mut out, &mut self.held);
        self.release();
        out
    }

    /// Begins afresh, and lets go of what is held.
    pub(super) fn release(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        *self = Self {
            files: self.files,
            ..Self::new(self.above)
        };
        held
    }

    /// Makes a file of the code up to `end`, if it is long.
    fn close(&mut self, opening: usize, end: usize, out: &mut Vec<Passage>) {
        let text = &self.held[opening..end.max(opening)];
        let whole = opening > 0 && units(text) <= self.above;
        if opening == 0 && text.trim().is_empty() {
            out.push(Passage::Fence(std::mem::take(&mut self.held)));
            self.line = 0;
            return;
        }
        if whole || text.trim().is_empty() {
            return;
        }
        let name = match self.files {
            0 => format!("code.{}", self.language),
            files => format!("code-{}.{}", files + 1, self.language),
        };
        if let Some(file) = File::new(&name, text) {
            self.files += 1;
            out.push(Passage::File {
                opening: self.held[..opening].to_owned(),
                file,
                closing: self.held[end.max(opening)..].to_owned(),
            });
            self.held.clear();
            self.line = 0;
        }
    }
}

fn give(out: &mut Vec<Passage>, text: &mut String) {
    if !text.is_empty() {
        out.push(Passage::Text(std::mem::take(text)));
    }
}

/// What a file with the code after this opening line ends in.
fn language(opening: &str) -> String {
    let info = opening.trim().trim_start_matches(['`', '~']).trim_start();
    let end = info.find(|c: char| !c.is_ascii_alphanumeric() && !"+#".contains(c));
    let name = info[..end.unwrap_or(info.len())].to_ascii_lowercase();
    let known = lookup(ENDINGS, &name);
    let plain = (1..=12).contains(&name.len()) && !name.contains(['+', '#']);
    match known {
        Some(ending) => ending.to_owned(),
        None if plain => name,
        None => "txt".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of `text`, with files in brackets.
    fn check(text: &str, above: usize, expected: &str) {
        for size in [1, 3, text.len().max(1)] {
            let mut attach = Attach::new(above);
            let mut out = Vec::new();
            let chars: Vec<char> = text.chars().collect();
            for delta in chars.chunks(size) {
                out.extend(attach.push(&delta.iter().collect::<String>()));
            }
            out.extend(attach.finish());
            let mut found = String::new();
            for passage in out {
                match passage {
                    Passage::Text(text) => found.push_str(&text),
                    Passage::Fence(_) | Passage::Hold => {}
                    Passage::File { file, .. } => {
                        found.push_str(&format!("[{}:{}]", file.name(), file.text()));
                    }
                }
            }
            assert_eq!(found, expected, "{text:?} by {size}");
        }
    }

    #[test]
    fn long_blocks_become_files() {
        check("a\n```rust\nlong\n```\nb", 3, "a\n[code.rs:long\n]b");
        check("a\n```rust\nlong\n```", 3, "a\n[code.rs:long\n]");
        check("a\n```rust\nlong", 3, "a\n[code.rs:long]");
        check("  ~~~c++ x\nlong\n  ~~~\nb", 3, "[code.cpp:long\n]b");
        check(
            "```\nlong\n```\n\n```py\nlong\n```\n",
            3,
            "[code.txt:long\n]\n[code-2.py:long\n]",
        );
        check(
            "````md\n```\nlong\n```\n````\nb",
            3,
            "[code.md:```\nlong\n```\n]b",
        );
        check("```<b>\nlong\n```\nb", 3, "[code.txt:long\n]b");
    }

    #[test]
    fn everything_else_passes() {
        for text in [
            "",
            "a `b` c\nd",
            "```rust\nshort\n```\nb",
            "a ```\nlong long long\n```\nb long long long",
            "> ```\n> long long long\n> ```\nb",
            "```not code``` a long line of text\nb",
            "```\n                    \n```\nb",
        ] {
            check(text, 10, text);
        }
    }

    #[test]
    fn very_long_code_goes_on_in_another_file() {
        let line = "x".repeat(99) + "\n";
        let code = line.repeat(500);
        let mut attach = Attach::new(1000);
        let mut out = attach.push(&format!("```c\n{code}"));
        out.extend(attach.push(&"y".repeat(60_000)));
        out.extend(attach.push("\n```\nb"));
        out.extend(attach.finish());
        let (mut text, mut names) = (String::new(), Vec::new());
        for passage in out {
            match passage {
                Passage::File { file, .. } => {
                    text.push_str(file.text());
                    names.push(file.name().to_owned());
                }
                Passage::Hold => {}
                Passage::Fence(fence) => assert_eq!(fence.trim(), "```"),
                Passage::Text(rest) => assert_eq!(rest, "b"),
            }
        }
        let written = format!("{code}{}", "y".repeat(60_000));
        assert_eq!(text.trim_end(), written);
        assert_eq!(names[..2], ["code.c", "code-2.c"]);
    }
}
