//! Capturing a block, from its opening mark to its end.

use super::tag::{self, Block, Reading, TagMark};
use super::{Capture, LONGEST_NOTE, Mode, rule_of};

impl Capture {
    /// Captures text up to the end of the block; says how much was taken.
    pub(super) fn enclose(&mut self, text: &str, out: &mut String) -> usize {
        match self.mode {
            Mode::Inside {
                block: Block::Note, ..
            } => self.enclose_note(text, out),
            _ => self.enclose_tagged(text),
        }
    }

    /// A tagged block ends with its closing tag.
    fn enclose_tagged(&mut self, text: &str) -> usize {
        let Mode::Inside {
            block, mut last, ..
        } = self.mode
        else {
            return 0;
        };
        let before = self.held.len();
        let mut added = 0;
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'<' => last = Some(before + at),
                b'>' => {
                    if let Some(start) = last.take() {
                        self.held.push_str(&text[added..=at]);
                        added = at + 1;
                        let closing = &self.held[start..];
                        let length = closing.len();
                        if length <= tag::LONGEST
                            && let Reading::Yes(TagMark::Close(found, _)) = tag::read(closing, true)
                            && found == block
                        {
                            self.close(length);
                            return added;
                        }
                    }
                }
                _ => {}
            }
        }
        self.held.push_str(&text[added..]);
        if let Mode::Inside { last: kept, .. } = &mut self.mode {
            *kept = last;
        }
        text.len()
    }

    /// A note ends with its bracket, at a blank line, or when it is too long.
    /// A bracket that an address follows made it a link, which is shown.
    fn enclose_note(&mut self, text: &str, out: &mut String) -> usize {
        let Mode::Inside { mut depth, .. } = self.mode else {
            return 0;
        };
        for (at, byte) in text.bytes().enumerate() {
            let closed = depth == 0;
            let blank = byte == b'\n' && self.ends_line(&text[..at]);
            let full = self.held.len() + at >= LONGEST_NOTE && text.is_char_boundary(at);
            if closed || blank || full {
                self.held.push_str(&text[..at]);
                if closed && byte == b'(' {
                    self.release(false, out);
                } else {
                    self.close(0);
                }
                return at;
            }
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
        }
        self.held.push_str(text);
        if let Mode::Inside { depth: kept, .. } = &mut self.mode {
            *kept = depth;
        }
        text.len()
    }

    /// Whether the held note and `text` end in a new line.
    fn ends_line(&self, text: &str) -> bool {
        let seen = if text.is_empty() { &self.held } else { text };
        seen.ends_with('\n')
    }

    /// Ends the block with what is held, the last `closing` bytes of which are
    /// its closing tag.
    pub(super) fn close(&mut self, closing: usize) {
        let Mode::Inside { block, opening, .. } = self.mode else {
            return;
        };
        let body = &self.held[opening..self.held.len() - closing];
        match block {
            Block::Thought => keep(&mut self.kept[0], body.trim()),
            Block::Details => keep(&mut self.kept[1], without_summary(body).trim()),
            Block::Note | Block::Turn => {}
        }
        self.remove(rule_of(block));
    }
}

pub(super) fn keep(list: &mut Vec<String>, body: &str) {
    if !body.is_empty() {
        list.push(body.to_owned());
    }
}

/// The body without its first `<summary>`.
fn without_summary(body: &str) -> String {
    let lower = body.to_ascii_lowercase();
    let found = lower.find("<summary").and_then(|start| {
        let open = lower[start..].find('>')? + start + 1;
        let close = lower[open..].find("</summary")? + open;
        let end = lower[close..].find('>')? + close + 1;
        Some(start..end)
    });
    match found {
        Some(summary) => [&body[..summary.start], &body[summary.end..]].concat(),
        None => body.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_summary_goes() {
        for (body, left) in [
            ("a", "a"),
            ("<summary>s</summary>a", "a"),
            ("x<Summary class=b>s</SUMMARY >a", "xa"),
            (
                "<summary>s</summary>a<summary>t</summary>",
                "a<summary>t</summary>",
            ),
            ("<summary>s", "<summary>s"),
            ("É<summary>é</summary>ß", "Éß"),
        ] {
            assert_eq!(without_summary(body), left, "{body}");
        }
    }
}
