//! How does it read best?
//!
//! [`Deliverer`] takes text as it streams in and gives messages out as soon as
//! they are worth reading: a line at a time, with lists, quotes, tables and
//! code kept whole. It promises:
//!
//! - text leaves in the order it came, and only white space between messages
//!   is dropped;
//! - no message exceeds the limit, counted in UTF-16 units;
//! - a code block cut in two is closed and reopened with its info string;
//! - how the text was cut into deltas does not change the messages.

mod block;
mod chunk;

use kaiwa_domain::Outgoing;
use kaiwa_domain::limits::MESSAGE_TARGET_UTF16;

use block::Block;

/// Turns streamed text into messages.
#[derive(Clone, Debug)]
pub struct Deliverer {
    max: usize,
    /// Whole lines waiting for the end of their block, newlines included.
    segment: String,
    /// What the segment is, while its end is open.
    block: Option<Block>,
    /// The line that is still being written.
    line: String,
}

impl Default for Deliverer {
    fn default() -> Self {
        Self::new(MESSAGE_TARGET_UTF16)
    }
}

impl Deliverer {
    /// A deliverer of messages of at most `max` UTF-16 units.
    pub const fn new(max: usize) -> Self {
        Self {
            max,
            segment: String::new(),
            block: None,
            line: String::new(),
        }
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, text: &str) -> Vec<Outgoing> {
        let mut ready = Vec::new();
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            if piece.ends_with('\n') {
                let line = std::mem::take(&mut self.line);
                self.take_line(&line, &mut ready);
            }
        }
        ready
    }

    /// The text is over: gives out what is left.
    pub fn finish(&mut self) -> Vec<Outgoing> {
        let mut ready = Vec::new();
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.take_line(&line, &mut ready);
        }
        self.flush(&mut ready);
        ready
    }

    fn take_line(&mut self, line: &str, ready: &mut Vec<Outgoing>) {
        if let Some(Block::Code(fence)) = &self.block {
            let closes = fence.closed_by(line);
            self.segment.push_str(line);
            if closes {
                self.flush(ready);
            } else {
                self.overflow(ready);
            }
            return;
        }
        let next = Block::of(line);
        if !Block::goes_on(self.block.as_ref(), next.as_ref()) {
            self.flush(ready);
        }
        self.segment.push_str(line);
        let stays_open = next.is_some();
        self.block = next;
        if stays_open {
            self.overflow(ready);
        } else {
            self.flush(ready);
        }
    }

    /// Gives the segment out whole.
    fn flush(&mut self, ready: &mut Vec<Outgoing>) {
        let segment = std::mem::take(&mut self.segment);
        self.block = None;
        let pieces = chunk::split(&segment, self.max);
        ready.extend(pieces.into_iter().map(Outgoing::Say));
    }

    /// Gives out the full messages of a segment that outgrew one, and keeps
    /// the rest.
    fn overflow(&mut self, ready: &mut Vec<Outgoing>) {
        if chunk::utf16(&self.segment) <= self.max {
            return;
        }
        let mut pieces = chunk::split(&self.segment, self.max);
        let mut rest = pieces.pop().unwrap_or_default();
        if let Some(Block::Code(fence)) = &self.block {
            rest.truncate(rest.len() - fence.closing().len());
        }
        rest.push('\n');
        self.segment = rest;
        ready.extend(pieces.into_iter().map(Outgoing::Say));
    }
}

#[cfg(test)]
mod tests {
    use super::block::Fence;
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn messages<'a>(max: usize, deltas: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut deliverer = Deliverer::new(max);
        let mut out = Vec::new();
        for delta in deltas {
            out.extend(deliverer.push(delta));
        }
        out.extend(deliverer.finish());
        out.into_iter().map(|Outgoing::Say(text)| text).collect()
    }

    fn check(text: &str, expected: &Expect) {
        let mut shown = String::new();
        for message in messages(40, [text]) {
            shown.push_str(&message);
            shown.push_str("\n----\n");
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn lines_lists_and_code() {
        check(
            "Hello!\nSecond line.\n\n# Title\nBody\n- one\n- two\n  more\n\nbye",
            &expect![[r#"
                Hello!
                ----
                Second line.
                ----
                # Title
                Body
                ----
                - one
                - two
                  more
                ----
                bye
                ----
            "#]],
        );
        check(
            "Look:\n```rust\nfn a() {}\n\nfn b() {}\n```\nDone.",
            &expect![[r#"
                Look:
                ----
                ```rust
                fn a() {}

                fn b() {}
                ```
                ----
                Done.
                ----
            "#]],
        );
    }

    #[test]
    fn what_is_too_long_is_cut_where_it_hurts_least() {
        check(
            "```rust\nlet first = 1;\nlet second = 2;\nlet third = 3;\n```",
            &expect![[r#"
                ```rust
                let first = 1;
                ```
                ----
                ```rust
                let second = 2;
                ```
                ----
                ```rust
                let third = 3;
                ```
                ----
            "#]],
        );
        check(
            "A sentence with a number of words that does not fit. Another one here.",
            &expect![[r#"
                A sentence with a number of words that
                ----
                does not fit. Another one here.
                ----
            "#]],
        );
    }

    #[test]
    fn an_open_fence_is_closed_at_the_end() {
        check(
            "```\nunfinished",
            &expect![[r#"
                ```
                unfinished
                ```
                ----
            "#]],
        );
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z ]{0,60}",
            Just("\n".to_owned()),
            Just("\n\n".to_owned()),
            Just("```\n".to_owned()),
            Just("```RS\n".to_owned()),
            Just("~~~\n".to_owned()),
            Just("- item\n".to_owned()),
            Just("> quote\n".to_owned()),
            Just("| a | b |\n".to_owned()),
            Just("# head\n".to_owned()),
            Just("👩‍💻 日本語 é".to_owned()),
            "x{50,90}",
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    /// The text without white space and without the fences, which cutting
    /// repeats; capitals appear in info strings only.
    fn letters(text: &str) -> String {
        text.chars()
            .filter(|c| !c.is_whitespace() && !c.is_ascii_uppercase() && !"`~".contains(*c))
            .collect()
    }

    proptest! {
        #[test]
        fn laws(text in text(), cut in 1usize..9) {
            let whole = messages(60, [text.as_str()]);

            // Limit, and nothing empty.
            for message in &whole {
                prop_assert!(message.encode_utf16().count() <= 60, "{message:?}");
                prop_assert!(!message.trim().is_empty());
            }
            // Conservation and order.
            prop_assert_eq!(letters(&whole.join("\n")), letters(&text));
            // Balance.
            for message in &whole {
                let mut open: Option<Fence> = None;
                for line in message.lines() {
                    open = match open {
                        Some(fence) if fence.closed_by(line) => None,
                        Some(fence) => Some(fence),
                        None => Fence::opened_by(line),
                    };
                }
                prop_assert!(open.is_none(), "{message:?}");
            }
            // Delta invariance.
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let deltas: Vec<String> = chars.chunks(cut).map(<[String]>::concat).collect();
            prop_assert_eq!(messages(60, deltas.iter().map(String::as_str)), whole);
        }
    }
}
