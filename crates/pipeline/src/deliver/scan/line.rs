//! What a line begins with, and the lines of a code block.

use memchr::{memchr, memchr2, memchr3};

use super::{Kind, Marker, Scanner, View, bound};

/// How much of a line start is still to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Start {
    /// Nothing of the line has been read.
    #[default]
    Fresh,
    /// The marks of a quote have been read.
    Quoted,
    /// The rest of the line is ordinary text.
    Over,
}

impl Start {
    #[inline]
    pub(super) const fn is_over(self) -> bool {
        matches!(self, Self::Over)
    }
}

/// The code block that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
    indent: usize,
    /// Its lines stand behind `>`.
    quoted: bool,
    /// It began in mid-line, as only Discord reads it; so may its end.
    loose: bool,
}

impl Fence {
    /// A block that began in mid-line.
    pub(super) const fn loose(length: usize) -> Self {
        Self {
            mark: b'`',
            length,
            indent: 0,
            quoted: false,
            loose: true,
        }
    }

    /// Its mark, if nothing but a line of marks ends it.
    pub(super) fn plain_mark(&self) -> Option<u8> {
        (!self.quoted && !self.loose).then_some(self.mark)
    }
}

impl Scanner {
    /// Reads what the line begins with. `Some(None)` means ordinary text.
    pub(super) fn read_line_start(&mut self, view: &View<'_>) -> Option<Option<Kind>> {
        let mut at = self.start;
        while at - self.start < bound::SPACE {
            match view.peek(at)? {
                Some(b' ' | b'\t') => at += 1,
                _ => break,
            }
        }
        if self.in_table && !matches!(view.peek(at)?, Some(b'>' | b'`' | b'~' | b'|')) {
            if let Some(kind) = self.read_row(view, at)? {
                self.line = Start::Over;
                return Some(Some(kind));
            }
            self.in_table = false;
            self.probe.reset();
        }
        let kind = match view.peek(at)? {
            Some(b'>') if self.line == Start::Fresh => return self.read_quote(view, at),
            Some(mark @ (b'`' | b'~')) => self.read_fence(view, at, mark)?,
            Some(b'|') => self.read_row(view, at)?,
            Some(mark @ (b'-' | b':' | b'*' | b'_')) => match self.read_rule(view, at, mark)? {
                None => self.read_marker(view, at)?,
                rule => rule,
            },
            _ => self.read_marker(view, at)?,
        };
        self.line = Start::Over;
        self.in_table = match kind {
            Some(Kind::Row) => self.in_table || is_table_rule(view.slice(self.start, self.at)),
            _ => false,
        };
        if kind.is_none() {
            self.at = self.start;
            self.probe.reset();
        }
        Some(kind)
    }

    fn read_quote(&mut self, view: &View<'_>, mut at: usize) -> Option<Option<Kind>> {
        while at - self.start < bound::RUN && view.peek(at)? == Some(b'>') {
            at += 1;
            if view.peek(at)? == Some(b' ') {
                at += 1;
            }
        }
        self.line = Start::Quoted;
        self.at = at;
        Some(Some(Kind::Marker(Marker::Quote)))
    }

    /// A fence needs its whole line: backticks in the info string make it
    /// inline code.
    fn read_fence(&mut self, view: &View<'_>, at: usize, mark: u8) -> Option<Option<Kind>> {
        let length = run(view, at, mark)?;
        if length < 3 {
            return Some(None);
        }
        let Some(end) = self.find_line_end(view, bound::FENCE)? else {
            return Some(None);
        };
        let info = view.slice(at + length, end);
        if mark == b'`' && info.contains('`') {
            return Some(None);
        }
        self.fence = Some(Fence {
            mark,
            length,
            indent: at - self.start,
            quoted: self.line == Start::Quoted,
            loose: false,
        });
        self.at = end;
        Some(Some(Kind::FenceOpen))
    }

    fn read_row(&mut self, view: &View<'_>, at: usize) -> Option<Option<Kind>> {
        if view.byte(at) == Some(b'|') && view.peek(at + 1)? == Some(b'|') && !self.in_table {
            return Some(None);
        }
        let Some(end) = self.find_line_end(view, bound::ROW)? else {
            return Some(None);
        };
        let rest = &view.bytes(at)[..end - at];
        let pipes = memchr(b'|', rest)
            .is_some_and(|first| first > 0 || self.in_table || memchr(b'|', &rest[1..]).is_some());
        if !pipes {
            return Some(None);
        }
        self.at = end;
        Some(Some(Kind::Row))
    }

    /// A rule (`---`), or the row of dashes below a table's head.
    fn read_rule(&mut self, view: &View<'_>, at: usize, mark: u8) -> Option<Option<Kind>> {
        let within = |byte: u8| match mark {
            b'-' | b':' => matches!(byte, b'-' | b':' | b'|' | b' ' | b'\t'),
            _ => byte == mark || matches!(byte, b' ' | b'\t'),
        };
        let mut probe = self.probe.at.max(at);
        let end = loop {
            match view.peek(probe) {
                None => {
                    self.probe.at = probe;
                    return None;
                }
                Some(None | Some(b'\n' | b'\r')) => break probe,
                Some(Some(byte)) if within(byte) && probe - at < bound::ROW => probe += 1,
                Some(Some(_)) => return Some(None),
            }
        };
        let line = view.slice(at, end);
        let kind = if is_table_rule(line) {
            Kind::Row
        } else if line.bytes().filter(|&byte| byte == mark).count() >= 3
            && line
                .bytes()
                .all(|byte| byte == mark || byte == b' ' || byte == b'\t')
            && mark != b':'
        {
            Kind::Rule
        } else {
            return Some(None);
        };
        self.at = end;
        Some(Some(kind))
    }

    fn read_marker(&mut self, view: &View<'_>, at: usize) -> Option<Option<Kind>> {
        let Some(first) = view.peek(at)? else {
            return Some(None);
        };
        let blank = |at: usize| Some(matches!(view.peek(at)?, Some(b' ' | b'\t')));
        let (marker, end) = match first {
            b'-' if view.peek(at + 1)? == Some(b'#') => {
                if !blank(at + 2)? {
                    return Some(None);
                }
                (Marker::Subtext, at + 3)
            }
            b'-' | b'*' | b'+' if blank(at + 1)? => (Marker::Item, at + 2),
            b'#' => {
                let level = run(view, at, b'#')?;
                if level > 6 || !blank(at + level)? {
                    return Some(None);
                }
                (Marker::Heading, at + level + 1)
            }
            b'0'..=b'9' => {
                let mut end = at;
                while end - at < 9 && view.peek(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
                    end += 1;
                }
                if !matches!(view.peek(end)?, Some(b'.' | b')')) || !blank(end + 1)? {
                    return Some(None);
                }
                (Marker::Item, end + 2)
            }
            0xE2 if view.rest(at).starts_with('•') && blank(at + 3)? => (Marker::Item, at + 4),
            _ => return Some(None),
        };
        self.at = end;
        Some(Some(Kind::Marker(marker)))
    }

    /// Where the line ends, or `Some(None)` if that is further than `most`.
    fn find_line_end(&mut self, view: &View<'_>, most: usize) -> Option<Option<usize>> {
        let from = self.probe.at.max(self.start);
        let rest = view.bytes(from);
        let found = memchr2(b'\n', b'\r', rest).map(|found| from + found);
        let end = match found {
            Some(end) => end,
            None if view.done || view.end() - self.start > most => view.end(),
            None => {
                self.probe.at = view.end();
                return None;
            }
        };
        Some((end - self.start <= most).then_some(end))
    }

    /// Reads a piece of a code block.
    pub(super) fn read_code(&mut self, view: &View<'_>) -> Option<Kind> {
        let fence = self.fence?;
        if fence.loose {
            return self.read_loose_code(view, &fence);
        }
        if !self.line.is_over() {
            if fence.quoted && view.byte(self.start) != Some(b'>') {
                self.fence = None;
                return self.read(view);
            }
            if let Some(end) = self.find_close(view, &fence)? {
                self.fence = None;
                self.line = Start::Over;
                self.at = end;
                return Some(Kind::FenceClose);
            }
            self.line = Start::Over;
            self.probe.reset();
        }
        let from = self.probe.at.max(self.start);
        let found = memchr2(b'\n', b'\r', view.bytes(from)).map(|found| from + found);
        self.end_code_text(view, found)
    }

    fn read_loose_code(&mut self, view: &View<'_>, fence: &Fence) -> Option<Kind> {
        self.line = Start::Over;
        if view.byte(self.start) == Some(fence.mark) {
            let length = run(view, self.start, fence.mark)?;
            self.at = self.start + length;
            if length < fence.length {
                return Some(Kind::CodeText);
            }
            self.fence = None;
            return Some(Kind::FenceClose);
        }
        let from = self.probe.at.max(self.start);
        let found = memchr3(b'\n', b'\r', fence.mark, view.bytes(from)).map(|found| from + found);
        self.end_code_text(view, found)
    }

    fn end_code_text(&mut self, view: &View<'_>, found: Option<usize>) -> Option<Kind> {
        let most = self.start + bound::CODE_TEXT;
        self.at = match found {
            Some(end) if end <= most => end,
            Some(_) => view.floor(most),
            None if view.end() > most => view.floor(most),
            None if view.done => view.end(),
            None => {
                self.probe.at = view.end();
                return None;
            }
        };
        Some(Kind::CodeText)
    }

    /// Where the line ends, if it closes the block.
    fn find_close(&mut self, view: &View<'_>, fence: &Fence) -> Option<Option<usize>> {
        let mut at = self.start;
        if fence.quoted {
            while at - self.start < bound::RUN && view.peek(at)? == Some(b'>') {
                at += 1;
                if view.peek(at)? == Some(b' ') {
                    at += 1;
                }
            }
        }
        let indent = at;
        while at - indent < bound::SPACE && matches!(view.peek(at)?, Some(b' ' | b'\t')) {
            at += 1;
        }
        if at - indent > fence.indent + 3 || view.peek(at)? != Some(fence.mark) {
            return Some(None);
        }
        let length = run(view, at, fence.mark)?;
        if length < fence.length {
            return Some(None);
        }
        let mut end = at + length;
        while end - at < bound::FENCE && matches!(view.peek(end)?, Some(b' ' | b'\t')) {
            end += 1;
        }
        Some(matches!(view.peek(end)?, None | Some(b'\n' | b'\r')).then_some(end))
    }
}

/// How often `mark` stands from `at` on; counting ends past [`bound::RUN`].
pub(super) fn run(view: &View<'_>, at: usize, mark: u8) -> Option<usize> {
    let rest = view.bytes(at);
    let most = rest.len().min(bound::RUN + 1);
    let length = rest[..most]
        .iter()
        .take_while(|&&byte| byte == mark)
        .count();
    (length < most || length > bound::RUN || view.done).then_some(length)
}

/// Whether the line is the rule below a table's head.
fn is_table_rule(line: &str) -> bool {
    line.contains('|')
        && line.contains('-')
        && line
            .bytes()
            .all(|byte| matches!(byte, b'-' | b':' | b'|' | b' ' | b'\t'))
}
