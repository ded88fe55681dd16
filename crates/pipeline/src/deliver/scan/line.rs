//! What a line begins with, and the lines of a code block.

use kaiwa_domain::CodeFence;
use memchr::{memchr, memchr2, memchr3};

use super::{BlockKind, Kind, Miss, Read, Scanner, TextWindow, bound};

/// Signs that belong to the line before, where they stand alone at the
/// beginning of one.
const CARRIED: &str = ".,!?;。！？、，";

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
pub(super) enum Fence {
    /// It stands on lines of its own.
    Lines(CodeFence),
    /// It began in mid-line with so many backticks, as only Discord reads it;
    /// so may its end.
    Loose(usize),
}

impl Scanner {
    /// Whether what follows the text may be code, if it begins with `next`: as
    /// far as is known, or for sure.
    pub(in crate::deliver) fn may_be_code(&self, text: &TextWindow<'_>, next: u8) -> bool {
        let open = text.rest(self.start);
        let first = open.bytes().next().unwrap_or(next);
        self.is_fenced(first) || open.contains('`') || open.trim_start().starts_with('~')
    }

    /// Whether `at` lies in code, if that is known.
    pub(in crate::deliver) fn find_code(&self, text: &TextWindow<'_>, at: usize) -> Option<bool> {
        let first = text.byte(at)?;
        let mut scanner = self.clone();
        while scanner.start < at {
            let lexeme = scanner.next(text)?;
            match lexeme.kind {
                _ if lexeme.end <= at => {}
                // There may be code in it.
                Kind::Row | Kind::Link | Kind::Image => {
                    scanner = Self::from(lexeme.start + 1);
                    scanner.line = LineStart::Over;
                }
                kind => return Some(kind == Kind::Code || kind.is_fenced()),
            }
        }
        Some(scanner.is_fenced(first))
    }

    /// Whether code goes on with `next`, if it closes none: that of a quote ends
    /// with it.
    fn is_fenced(&self, next: u8) -> bool {
        let quoted = next == b'>' || self.line == LineStart::Over;
        match self.fence {
            Some(Fence::Lines(fence)) => !fence.is_quoted() || quoted,
            Some(Fence::Loose(_)) => true,
            None => false,
        }
    }

    /// Reads what the line begins with, unless that is ordinary text.
    pub(super) fn read_line_start(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let at = self.start + text.blanks(self.start, bound::SPACE)?;
        let first = text.peek(at)?;
        if first == Some(b'>') && self.line == LineStart::Fresh {
            let end = at + CodeFence::quote_marks(text.rest(at));
            text.peek(end)?;
            self.line = LineStart::Quoted;
            return self.up_to(end, Kind::Marker(BlockKind::Quote));
        }
        let kind = self.read_opening(text, at, first);
        if kind != Err(Miss::Ended) {
            let rule = || is_table_rule(text.slice(self.start, self.at));
            self.in_table = kind == Ok(Kind::Row) && (self.in_table || rule());
            self.line = LineStart::Over;
            self.probe.reset();
        }
        kind
    }

    fn read_opening(&mut self, text: &TextWindow<'_>, at: usize, first: Option<u8>) -> Read<Kind> {
        if self.in_table && !matches!(first, Some(b'>' | b'`' | b'~' | b'|')) {
            match self.read_row(text, at) {
                Err(Miss::Differs) => {}
                row => return row,
            }
            self.in_table = false;
            self.probe.reset();
        }
        match first {
            Some(b'`' | b'~') => self.read_fence(text),
            Some(b'|') => self.read_row(text, at),
            Some(b'$' | b'\\') if self.line == LineStart::Fresh => self.read_formula(text, at),
            Some(b'.' | b',' | b'!' | b'?' | b';' | 0xE3 | 0xEF)
                if self.line == LineStart::Fresh =>
            {
                self.read_carried(text, at)
            }
            Some(mark @ (b'-' | b':' | b'*' | b'_')) => match self.read_rule(text, at, mark) {
                Err(Miss::Differs) => self.read_marker(text, at),
                rule => rule,
            },
            _ => self.read_marker(text, at),
        }
    }

    /// Punctuation that stands alone at the beginning of a line.
    fn read_carried(&mut self, text: &TextWindow<'_>, at: usize) -> Read<Kind> {
        let mut end = at;
        while let Some(sign) = text.peek_char(end)?.filter(|c| CARRIED.contains(*c))
            && end - at <= bound::RUN
        {
            end += sign.len_utf8();
        }
        let run = text.slice(at, end);
        let alone = text.peek_char(end)?.is_none_or(char::is_whitespace);
        self.carried = alone && (1..=bound::RUN).contains(&run.len()) && !run.starts_with("..");
        match self.carried {
            true => self.up_to(end, Kind::Text),
            false => Err(Miss::Differs),
        }
    }

    fn read_fence(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let quoted = self.line == LineStart::Quoted;
        let line = text.rest(self.start);
        let (fence, length) = CodeFence::open(line, quoted, text.over)?;
        self.fence = Some(Fence::Lines(fence));
        self.up_to(self.start + length, Kind::FenceOpen)
    }

    fn read_row(&mut self, text: &TextWindow<'_>, at: usize) -> Read<Kind> {
        let bar = |at: usize| Ok(text.peek(at)? == Some(b'|'));
        if !self.in_table && bar(at)? && bar(at + 1)? {
            return Err(Miss::Differs);
        }
        let end = self.find_line_end(text, bound::ROW)?;
        let line = &text.bytes(at)[..end - at];
        match memchr(b'|', line) {
            Some(first) if first > 0 || self.in_table || memchr(b'|', &line[1..]).is_some() => {
                self.up_to(end, Kind::Row)
            }
            _ => Err(Miss::Differs),
        }
    }

    /// A rule (`---`), or the row of dashes below a table's head.
    fn read_rule(&mut self, text: &TextWindow<'_>, at: usize, mark: u8) -> Read<Kind> {
        let is_mark = |byte: u8| byte == mark || matches!(byte, b' ' | b'\t');
        let within = |byte: u8| is_mark(byte) || b"-:".contains(&mark) && b"-:|".contains(&byte);
        let mut end = self.probe.at.max(at);
        let whole = loop {
            self.probe.at = end;
            match text.peek(end)? {
                None | Some(b'\n' | b'\r') => break true,
                Some(byte) if within(byte) && end - at < bound::ROW => end += 1,
                Some(_) => break false,
            }
        };
        self.probe.reset();
        let line = text.slice(at, end);
        let marks = line.bytes().filter(|&byte| byte == mark).count();
        if whole && is_table_rule(line) {
            self.up_to(end, Kind::Row)
        } else if whole && marks >= 3 && mark != b':' && line.bytes().all(is_mark) {
            self.up_to(end, Kind::Rule)
        } else {
            Err(Miss::Differs)
        }
    }

    fn read_marker(&mut self, text: &TextWindow<'_>, at: usize) -> Read<Kind> {
        let (marker, length) = match text.peek(at)? {
            Some(b'-') if text.peek(at + 1)? == Some(b'#') => (BlockKind::Subtext, 2),
            Some(b'-' | b'*' | b'+') => (BlockKind::List, 1),
            Some(b'#') => (BlockKind::Heading, text.run(at, b'#')?),
            Some(b'0'..=b'9') => {
                let mut digits = 1;
                while digits < 9 && matches!(text.peek(at + digits)?, Some(b'0'..=b'9')) {
                    digits += 1;
                }
                if !matches!(text.peek(at + digits)?, Some(b'.' | b')')) {
                    return Err(Miss::Differs);
                }
                (BlockKind::List, digits + 1)
            }
            Some(0xE2) if text.rest(at).starts_with('•') => (BlockKind::List, '•'.len_utf8()),
            _ => return Err(Miss::Differs),
        };
        let deep = marker == BlockKind::Heading && length > 6;
        match text.peek(at + length)? {
            Some(b' ' | b'\t') if !deep => self.up_to(at + length + 1, Kind::Marker(marker)),
            _ => Err(Miss::Differs),
        }
    }

    /// Where the line ends, if that is no further than `most`.
    fn find_line_end(&mut self, text: &TextWindow<'_>, most: usize) -> Read<usize> {
        let from = self.probe.at.max(self.start);
        let found = memchr2(b'\n', b'\r', text.bytes(from)).map(|found| from + found);
        if found.is_none() && !text.over && text.end() - self.start <= most {
            self.probe.at = text.end();
            return Err(Miss::Ended);
        }
        let end = found.unwrap_or(text.end());
        let near = end - self.start <= most;
        near.then_some(end).ok_or(Miss::Differs)
    }

    /// Reads a piece of a code block.
    pub(super) fn read_code(&mut self, text: &TextWindow<'_>, fence: Fence) -> Read<Kind> {
        let rest = text.rest(self.start);
        let end = match fence {
            Fence::Loose(least) if rest.starts_with('`') => {
                let length = text.run(self.start, b'`')?;
                return match length < least {
                    true => self.up_to(self.start + length, Kind::CodeText),
                    false => self.leave_fence(length),
                };
            }
            Fence::Loose(_) => memchr3(b'\n', b'\r', b'`', rest.as_bytes()),
            Fence::Lines(fence) => {
                if self.line != LineStart::Over {
                    if fence.is_quoted() && !rest.starts_with('>') {
                        self.fence = None;
                        return self.read(text);
                    }
                    match fence.close(rest, text.over) {
                        Err(Miss::Differs) => {}
                        length => return self.leave_fence(length?),
                    }
                }
                memchr2(b'\n', b'\r', rest.as_bytes())
            }
        };
        self.line = LineStart::Over;
        let length = end.unwrap_or(rest.len());
        self.up_to(self.start + length, Kind::CodeText)
    }

    const fn leave_fence(&mut self, length: usize) -> Read<Kind> {
        self.fence = None;
        self.line = LineStart::Over;
        self.up_to(self.start + length, Kind::FenceClose)
    }
}

/// Whether the line is the rule below a table's head.
fn is_table_rule(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.bytes().all(|byte| b"-:| \t".contains(&byte))
}
