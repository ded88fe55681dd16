//! Capturing a block, from its opening mark to its end.

use kaiwa_domain::Miss;
use memchr::memchr;

use super::tag::{self, TagMark};
use super::{Capture, Inside, LONGEST_NOTE, Visible};
use crate::deliver::edit::Rule;

impl Capture {
    /// A tagged block ends with its closing tag.
    pub(super) fn enclose(&mut self, inside: Inside, text: &str, last: bool) -> usize {
        let mut from = inside.searched.max(inside.opening);
        while let Some(at) = memchr(b'<', &text.as_bytes()[from..]) {
            let at = from + at;
            match tag::read(&text[at..], last) {
                Ok(TagMark::Close(rule, length)) if rule == inside.rule => {
                    return self.close(inside, text, at, at + length);
                }
                Err(Miss::Ended) => {
                    from = at;
                    break;
                }
                _ => from = at + 1,
            }
            if from >= text.len() {
                break;
            }
        }
        if last {
            return self.close(inside, text, text.len(), text.len());
        }
        let searched = match text.as_bytes().get(from) {
            Some(b'<') => from,
            _ => text.len(),
        };
        self.inside = Some(Inside { searched, ..inside });
        0
    }

    /// A note ends with its bracket, at a blank line, or when it is too long.
    /// A bracket that an address follows made it a link, which is shown.
    pub(super) fn note(
        &mut self,
        inside: Inside,
        text: &str,
        last: bool,
        out: &mut impl Visible,
    ) -> usize {
        let mut depth = inside.depth;
        let bytes = text.as_bytes();
        for at in inside.searched.max(inside.opening)..bytes.len() {
            let blank = bytes[at - 1..=at] == *b"\n\n";
            let full = at >= LONGEST_NOTE && text.is_char_boundary(at);
            match bytes[at] {
                b'(' if depth == 0 => {
                    self.inside = None;
                    self.show(&text[..1], out);
                    return 1;
                }
                _ if depth == 0 || blank || full => return self.close(inside, text, at, at),
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
        }
        if last {
            return self.close(inside, text, text.len(), text.len());
        }
        let searched = text.len();
        self.inside = Some(Inside {
            searched,
            depth,
            ..inside
        });
        0
    }

    /// Ends the block whose body goes up to `body`, and which is over at `end`.
    fn close(&mut self, inside: Inside, text: &str, body: usize, end: usize) -> usize {
        let said = &text[inside.opening..body];
        match inside.rule {
            Rule::Thought => keep(&mut self.kept[0], said.trim()),
            Rule::Details => keep(&mut self.kept[1], without_summary(said).trim()),
            _ => {}
        }
        self.inside = None;
        self.remove(inside.rule, &text[..end])
    }
}

pub(super) fn keep(list: &mut Vec<String>, body: &str) {
    if !body.is_empty() {
        list.push(body.to_owned());
    }
}

/// The body without its first `<summary>`.
pub(super) fn without_summary(body: &str) -> String {
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
