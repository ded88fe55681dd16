//! Cutting a segment into messages that fit.

use unicode_segmentation::UnicodeSegmentation;

use super::block::Fence;

/// The length of `text` as Discord's clients count it.
pub(super) fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Cuts `segment` into messages of at most `max` UTF-16 units, at line ends
/// where possible, else between words, else between graphemes.
pub(super) fn split(segment: &str, max: usize) -> Vec<String> {
    let mut cutter = Cutter {
        max,
        done: Vec::new(),
        message: String::new(),
        length: 0,
        fence: None,
    };
    for line in segment.lines() {
        cutter.take(line);
    }
    cutter.finish()
}

struct Cutter {
    max: usize,
    done: Vec<String>,
    message: String,
    /// The length of `message` in UTF-16 units.
    length: usize,
    /// The code block that is open at the end of `message`.
    fence: Option<Fence>,
}

impl Cutter {
    fn take(&mut self, line: &str) {
        match self.fence.take() {
            Some(fence) if fence.closed_by(line) => self.append(line, 0),
            Some(fence) => {
                let room = utf16(&fence.closing());
                self.fence = Some(fence);
                self.append(line, room);
            }
            None => {
                let fence = Fence::opened_by(line);
                let room = fence.as_ref().map_or(0, |fence| utf16(&fence.closing()));
                self.append(line, room);
                self.fence = fence;
            }
        }
    }

    /// Adds a line, leaving `room` for the closing fence.
    fn append(&mut self, line: &str, room: usize) {
        let newline = usize::from(!self.message.is_empty());
        let length = utf16(line);
        if self.length + newline + length + room <= self.max {
            self.push(line, length);
            return;
        }
        self.cut();
        let fresh = self.length + usize::from(!self.message.is_empty());
        if fresh + length + room <= self.max {
            self.push(line, length);
            return;
        }
        let mut rest = line;
        while !rest.is_empty() {
            let used = self.length + usize::from(!self.message.is_empty());
            let space = self.max.saturating_sub(used + room).max(1);
            let (piece, after) = match &self.fence {
                Some(fence) => cut_code(rest, space, fence),
                None => cut_line(rest, space),
            };
            self.push(piece, utf16(piece));
            rest = after;
            if !rest.is_empty() {
                self.cut();
            }
        }
    }

    fn push(&mut self, line: &str, length: usize) {
        if !self.message.is_empty() {
            self.message.push('\n');
            self.length += 1;
        }
        self.message.push_str(line);
        self.length += length;
    }

    /// Ends the message; an open code block is closed in it and reopened in
    /// the next.
    fn cut(&mut self) {
        let fence = self.fence.clone();
        self.end();
        if let Some(fence) = fence {
            let opening = fence.opening();
            self.push(opening, utf16(opening));
            self.fence = Some(fence);
        }
    }

    fn end(&mut self) {
        let mut message = std::mem::take(&mut self.message);
        self.length = 0;
        match self.fence.take() {
            Some(fence) if message == fence.opening() => {}
            Some(fence) => {
                message.push_str(&fence.closing());
                self.done.push(message);
            }
            None => {
                let trimmed = message.trim_matches('\n').trim_end();
                if !trimmed.trim().is_empty() {
                    self.done.push(trimmed.to_owned());
                }
            }
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.end();
        self.done
    }
}

/// Cuts a line of code at a grapheme, and never so that the rest would close
/// the block.
fn cut_code<'a>(line: &'a str, space: usize, fence: &Fence) -> (&'a str, &'a str) {
    let mut length = 0;
    let mut cut = None;
    for (at, grapheme) in line.grapheme_indices(true) {
        length += utf16(grapheme);
        if length > space && at > 0 {
            return line.split_at(cut.unwrap_or(at));
        }
        let end = at + grapheme.len();
        if !fence.closed_by(&line[end..]) {
            cut = Some(end);
        }
    }
    (line, "")
}

/// The longest start of `line` within `space` UTF-16 units, cut after a word if
/// there is one, and the rest. The rest never opens a code block that the line
/// did not open.
fn cut_line(line: &str, space: usize) -> (&str, &str) {
    let mut length = 0;
    let mut cut = 0;
    let mut word_end = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        length += utf16(grapheme);
        if length > space && at > 0 {
            let at = [word_end, cut, at].into_iter().find(|&at| at > 0);
            let (piece, rest) = line.split_at(at.unwrap_or(line.len()));
            return (
                piece,
                if word_end > 0 {
                    rest.trim_start()
                } else {
                    rest
                },
            );
        }
        if !line[..at].trim().is_empty() && !looks_like_fence(line[at..].trim_start()) {
            cut = at;
            if grapheme.trim().is_empty() {
                word_end = at;
            }
        }
    }
    (line, "")
}

fn looks_like_fence(text: &str) -> bool {
    text.starts_with("```") || text.starts_with("~~~")
}
