//! What a line begins with, and the lines of a code block.

use memchr::{memchr, memchr2, memchr3};

use super::{Kind, Marker, More, Read, Scanner, View, bound};

/// How much of a line start is still to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum LineStart {
    /// Nothing of the line has been read.
    #[default]
    Fresh,
    /// The marks of a quote have been read.
    Quoted,
    /// The rest of the line is ordinary text.
    Over,
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
}

impl Scanner {
    /// Whether code goes on with `next`, if it closes none: that of a quote ends
    /// with it.
    pub(in crate::deliver) fn is_fenced(&self, next: u8) -> bool {
        let quoted = next == b'>' || self.line == LineStart::Over;
        self.fence.is_some_and(|fence| !fence.quoted || quoted)
    }

    /// Reads what the line begins with; `None` is ordinary text.
    pub(super) fn read_line_start(&mut self, view: &View<'_>) -> Read<Option<Kind>> {
        let at = self.start + view.blanks(self.start, bound::SPACE)?;
        if self.in_table && !matches!(view.peek(at)?, Some(b'>' | b'`' | b'~' | b'|')) {
            if let Some(kind) = self.read_row(view, at)? {
                self.line = LineStart::Over;
                return Ok(Some(kind));
            }
            self.in_table = false;
            self.probe.reset();
        }
        let kind = match view.peek(at)? {
            Some(b'>') if self.line == LineStart::Fresh => {
                self.at = skip_quotes(view, at)?;
                self.line = LineStart::Quoted;
                return Ok(Some(Kind::Marker(Marker::Quote)));
            }
            Some(mark @ (b'`' | b'~')) => self.read_fence(view, at, mark)?,
            Some(b'|') => self.read_row(view, at)?,
            Some(b'$' | b'\\') if self.line == LineStart::Fresh => self.read_formula(view, at)?,
            Some(mark @ (b'-' | b':' | b'*' | b'_')) => match self.read_rule(view, at, mark)? {
                None => self.read_marker(view, at)?,
                rule => rule,
            },
            _ => self.read_marker(view, at)?,
        };
        self.line = LineStart::Over;
        self.in_table = match kind {
            Some(Kind::Row) => self.in_table || is_table_rule(view.slice(self.start, self.at)),
            _ => false,
        };
        self.probe.reset();
        Ok(kind)
    }

    /// A fence needs its whole line: backticks in the info string make it
    /// inline code.
    fn read_fence(&mut self, view: &View<'_>, at: usize, mark: u8) -> Read<Option<Kind>> {
        let length = view.run(at, mark)?;
        if length < 3 {
            return Ok(None);
        }
        let Some(end) = self.find_line_end(view, bound::FENCE)? else {
            return Ok(None);
        };
        if mark == b'`' && view.slice(at + length, end).contains('`') {
            return Ok(None);
        }
        self.fence = Some(Fence {
            mark,
            length,
            indent: at - self.start,
            quoted: self.line == LineStart::Quoted,
            loose: false,
        });
        self.at = end;
        Ok(Some(Kind::FenceOpen))
    }

    fn read_row(&mut self, view: &View<'_>, at: usize) -> Read<Option<Kind>> {
        let bar = |at: usize| Ok(view.peek(at)? == Some(b'|'));
        if !self.in_table && bar(at)? && bar(at + 1)? {
            return Ok(None);
        }
        let Some(end) = self.find_line_end(view, bound::ROW)? else {
            return Ok(None);
        };
        let rest = &view.bytes(at)[..end - at];
        let pipes = memchr(b'|', rest)
            .is_some_and(|first| first > 0 || self.in_table || memchr(b'|', &rest[1..]).is_some());
        if pipes {
            self.at = end;
        }
        Ok(pipes.then_some(Kind::Row))
    }

    /// A rule (`---`), or the row of dashes below a table's head.
    fn read_rule(&mut self, view: &View<'_>, at: usize, mark: u8) -> Read<Option<Kind>> {
        let within = |byte: u8| match mark {
            b'-' | b':' => b"-:| \t".contains(&byte),
            _ => byte == mark || matches!(byte, b' ' | b'\t'),
        };
        let mut end = self.probe.at.max(at);
        loop {
            self.probe.at = end;
            match view.peek(end)? {
                None | Some(b'\n' | b'\r') => break,
                Some(byte) if within(byte) && end - at < bound::ROW => end += 1,
                Some(_) => {
                    self.probe.reset();
                    return Ok(None);
                }
            }
        }
        self.probe.reset();
        let line = view.slice(at, end);
        let marks = line.bytes().filter(|&byte| byte == mark).count();
        let is_mark = |byte: u8| byte == mark || matches!(byte, b' ' | b'\t');
        let kind = if is_table_rule(line) {
            Kind::Row
        } else if marks >= 3 && line.bytes().all(is_mark) && mark != b':' {
            Kind::Rule
        } else {
            return Ok(None);
        };
        self.at = end;
        Ok(Some(kind))
    }

    fn read_marker(&mut self, view: &View<'_>, at: usize) -> Read<Option<Kind>> {
        let blank = |at: usize| Ok(matches!(view.peek(at)?, Some(b' ' | b'\t')));
        let (marker, length) = match view.peek(at)? {
            Some(b'-') if view.peek(at + 1)? == Some(b'#') => (Marker::Subtext, 2),
            Some(b'-' | b'*' | b'+') => (Marker::Item, 1),
            Some(b'#') => (Marker::Heading, view.run(at, b'#')?),
            Some(b'0'..=b'9') => {
                let mut digits = 1;
                while digits < 9 && matches!(view.peek(at + digits)?, Some(b'0'..=b'9')) {
                    digits += 1;
                }
                if !matches!(view.peek(at + digits)?, Some(b'.' | b')')) {
                    return Ok(None);
                }
                (Marker::Item, digits + 1)
            }
            Some(0xE2) if view.rest(at).starts_with('•') => (Marker::Item, '•'.len_utf8()),
            _ => return Ok(None),
        };
        if marker == Marker::Heading && length > 6 || !blank(at + length)? {
            return Ok(None);
        }
        self.at = at + length + 1;
        Ok(Some(Kind::Marker(marker)))
    }

    /// Where the line ends, or `None` if that is further than `most`.
    fn find_line_end(&mut self, view: &View<'_>, most: usize) -> Read<Option<usize>> {
        let from = self.probe.at.max(self.start);
        let found = memchr2(b'\n', b'\r', view.bytes(from)).map(|found| from + found);
        if found.is_none() && !view.done && view.end() - self.start <= most {
            self.probe.at = view.end();
            return Err(More);
        }
        let end = found.unwrap_or(view.end());
        Ok((end - self.start <= most).then_some(end))
    }

    /// Reads a piece of a code block.
    pub(super) fn read_code(&mut self, view: &View<'_>) -> Read<Kind> {
        let Some(fence) = self.fence else {
            return Err(More);
        };
        if fence.loose && view.byte(self.start) == Some(fence.mark) {
            let length = view.run(self.start, fence.mark)?;
            self.at = self.start + length;
            if length < fence.length {
                return Ok(Kind::CodeText);
            }
            return Ok(self.leave_fence());
        }
        if self.line != LineStart::Over && !fence.loose {
            if fence.quoted && view.byte(self.start) != Some(b'>') {
                self.fence = None;
                return self.read(view);
            }
            if let Some(end) = find_close(view, self.start, &fence)? {
                self.at = end;
                return Ok(self.leave_fence());
            }
        }
        self.line = LineStart::Over;
        let rest = view.bytes(self.start);
        let end = match fence.loose {
            true => memchr3(b'\n', b'\r', fence.mark, rest),
            false => memchr2(b'\n', b'\r', rest),
        };
        self.at = self.start + end.unwrap_or(rest.len());
        Ok(Kind::CodeText)
    }

    const fn leave_fence(&mut self) -> Kind {
        self.fence = None;
        self.line = LineStart::Over;
        Kind::FenceClose
    }
}

/// Where the marks of a quote end.
fn skip_quotes(view: &View<'_>, start: usize) -> Read<usize> {
    let mut at = start;
    while at - start < bound::RUN && view.peek(at)? == Some(b'>') {
        at += 1;
        at += usize::from(view.peek(at)? == Some(b' '));
    }
    Ok(at)
}

/// Where the line at `start` ends, if it closes the block.
fn find_close(view: &View<'_>, start: usize, fence: &Fence) -> Read<Option<usize>> {
    let begin = match fence.quoted {
        true => skip_quotes(view, start)?,
        false => start,
    };
    let indent = view.blanks(begin, bound::SPACE)?;
    let at = begin + indent;
    if indent > fence.indent + 3 || view.peek(at)? != Some(fence.mark) {
        return Ok(None);
    }
    let length = view.run(at, fence.mark)?;
    if length < fence.length {
        return Ok(None);
    }
    let end = at + length + view.blanks(at + length, bound::FENCE)?;
    let ends = matches!(view.peek(end)?, None | Some(b'\n' | b'\r'));
    Ok(ends.then_some(end))
}

/// Whether the line is the rule below a table's head.
fn is_table_rule(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.bytes().all(|byte| b"-:| \t".contains(&byte))
}
