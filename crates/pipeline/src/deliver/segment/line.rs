//! Lines, and the blocks that they make.

use super::super::scan::{BlockKind, Kind, Lexeme, Scanner};
use super::block::{Gap, LineState, is_plain};
use super::emoji::EmojiRun;
use super::punctuation::is_blank;
use super::{EdgeKind, Follows, LOOK_BACK, LineEnd, Outline, Part};

/// Tells the parts of a text that is still arriving, or that is there.
#[derive(Clone, Debug, Default)]
pub(in crate::deliver) struct Segmenter<'t> {
    pub(super) scanner: Scanner,
    pub(in crate::deliver) outline: Outline<'t>,
    /// Where the last text ends, without blanks.
    pub(super) end: usize,
    /// A bracket that ends there is told with the text that follows.
    untold: bool,
    pub(super) gap: Option<Gap>,
    pub(super) line: LineState,
    pub(super) run: Option<EmojiRun>,
    /// What is to be told, and how much of it was.
    parts: Vec<Part>,
    told: usize,
}

impl<'t> Segmenter<'t> {
    /// For a text that is there.
    pub(in crate::deliver) fn whole(text: &'t str) -> Self {
        let mut segmenter = Self::default();
        segmenter.outline.text = super::TextWindow::whole(text);
        segmenter
    }

    /// At the end of a text that is there.
    pub(in crate::deliver) fn read(text: &'t str) -> Self {
        let mut segmenter = Self::whole(text);
        while segmenter.next().is_some() {}
        segmenter
    }

    /// Takes the next piece of text.
    pub(in crate::deliver) fn push(&mut self, text: &str) {
        self.outline.text.push(text);
    }

    /// Begins afresh after what has arrived.
    pub(in crate::deliver) fn restart(&mut self) {
        let mut fresh = Self::default();
        fresh.outline.text = std::mem::take(&mut self.outline.text);
        fresh.outline.text.over = false;
        let start = fresh.outline.text.end();
        fresh.scanner = Scanner::from(start);
        (fresh.end, fresh.line.start) = (start, start);
        *self = fresh;
    }

    /// The next part, if it is known.
    #[inline(always)]
    pub(in crate::deliver) fn next(&mut self) -> Option<Part> {
        loop {
            if let Some(part) = self.parts.get(self.told) {
                self.told += 1;
                return Some(*part);
            }
            self.parts.clear();
            self.told = 0;
            match self.scanner.next(&self.outline.text) {
                Some(lexeme) => self.take(lexeme),
                None if self.untold => self.tell_bracket(),
                // Nothing follows the emoji that wait for it.
                None if self.outline.text.over && self.run.is_some() => self.end_run(),
                None => return None,
            }
        }
    }

    /// Counts a line that has ended as complete, though nothing of the next is
    /// there.
    pub(in crate::deliver) fn end_line(&mut self) {
        let at = self.scanner.start;
        let ended = self.gap.is_some_and(|gap| gap.newlines > 0);
        if ended && at == self.outline.text.end() {
            self.arrive(Kind::Text, at);
        }
    }

    /// Forgets what lies before `start`.
    pub(in crate::deliver) fn forget(&mut self, start: usize) {
        self.outline.forget(start);
        let mut done = start.min(self.scanner.start);
        if !self.line.text {
            // A code block may yet begin with the line.
            done = done.min(self.line.start);
        }
        done = done.min(self.run.as_ref().map_or(done, |run| run.last));
        self.outline.text.drop_before(done, LOOK_BACK);
    }

    pub(super) fn tell(&mut self, part: Part) {
        self.parts.push(part);
    }

    pub(super) fn tell_edge(&mut self, end: usize, next: usize, kind: EdgeKind) {
        self.tell(Part::Edge { end, next, kind });
    }

    fn tell_bracket(&mut self) {
        self.untold = false;
        self.tell(Part::Atom(self.end));
    }

    #[inline(always)]
    fn take(&mut self, lexeme: Lexeme) {
        let kind = lexeme.kind;
        if self.untold && kind != Kind::Text {
            self.tell_bracket();
        }
        // Text and opening brackets do not ask what is open.
        if kind != Kind::Text && !kind.opens_bracket() {
            self.outline.spans.expire(lexeme.start);
        }
        let in_code = self.outline.open_code().is_some();
        let goes_on = matches!(kind, Kind::Newline | Kind::CodeText | Kind::FenceClose);
        if in_code && !goes_on {
            self.end_quoted_code(lexeme.start);
        }
        match kind {
            Kind::Newline if in_code => self.take_code_line_end(lexeme),
            Kind::Newline => self.take_newline(lexeme),
            Kind::CodeText | Kind::FenceClose => self.take_code(lexeme),
            Kind::Text => self.take_text(lexeme),
            _ => self.take_sign(lexeme),
        }
    }

    fn take_text(&mut self, lexeme: Lexeme) {
        self.untold = false;
        if self.scanner.carried && self.gap.is_some_and(|gap| gap.newlines > 0) {
            return self.carry_over(lexeme);
        }
        let from = lexeme.start.max(self.end);
        let content = self.outline.text.slice(from, lexeme.end);
        // Most text begins with a word, and has one blank after it or none.
        let content = match content.as_bytes() {
            [b'!'..=b'~', ..] => content,
            _ => content.trim_start_matches(is_blank),
        };
        if !content.is_empty() {
            let start = lexeme.end - content.len();
            let end = match content.as_bytes() {
                [.., b'!'..=b'~'] => lexeme.end,
                [.., b'!'..=b'~', b' '] => lexeme.end - 1,
                _ => start + content.trim_end_matches(is_blank).len(),
            };
            self.arrive(Kind::Text, start);
            if self.run.is_some() {
                self.meet_text(start, lexeme.end);
            }
            self.line.text = true;
            self.end = end;
        }
        if self.gap.is_none() {
            self.tell(Part::Text(lexeme.end));
        }
    }

    /// Punctuation at the beginning of a line belongs to the line before.
    fn carry_over(&mut self, lexeme: Lexeme) {
        let text = self.outline.text.slice(lexeme.start, lexeme.end);
        let start = lexeme.end - text.trim_start_matches(is_blank).len();
        let gap = self.gap.take().unwrap_or_default();
        self.meet_run(true, Kind::Text, start);
        let follows = self.begin_line(&gap, Kind::Text, start, true);
        self.line.text = true;
        self.end = lexeme.end;
        self.tell(Part::Text(lexeme.end));
        self.gap = Some(Gap {
            carried: Some(follows),
            ..Gap::after(lexeme.end)
        });
    }

    fn take_newline(&mut self, lexeme: Lexeme) {
        let gap = self.gap.get_or_insert(Gap::after(self.end));
        gap.newlines += 1;
        gap.line_start = lexeme.end;
    }

    fn take_sign(&mut self, lexeme: Lexeme) {
        self.arrive(lexeme.kind, lexeme.start);
        let Lexeme { kind, start, end } = lexeme;
        match kind {
            Kind::Pair(sign) => {
                let Outline { spans, text, .. } = &mut self.outline;
                spans.meet_pair(sign, lexeme, text);
            }
            Kind::Delimiter { mark, .. } => {
                self.outline.spans.meet_delimiter(lexeme);
                self.line.piped |= mark == b'|';
            }
            Kind::FenceOpen => self.open_code(lexeme),
            _ => self.outline.atoms.push_back((start, end)),
        }
        match kind {
            Kind::Emoji => self.take_emoji(lexeme),
            Kind::Marker(kind) => self.take_marker(kind),
            Kind::Row => self.take_row(start),
            Kind::Rule => self.line.kind = BlockKind::Rule,
            Kind::Formula => self.line.kind = BlockKind::Formula,
            _ => {}
        }
        self.line.text |= !matches!(kind, Kind::Emoji | Kind::Marker(_));
        self.end = end;
        match kind {
            Kind::FenceOpen => self.tell(Part::Code(end)),
            _ if kind.opens_bracket() => self.untold = true,
            _ => self.tell(Part::Atom(end)),
        }
    }

    /// Deals with what lies between the last text and `start`, where something
    /// of this kind begins.
    #[inline(always)]
    pub(super) fn arrive(&mut self, kind: Kind, start: usize) {
        if self.run.is_some() {
            self.meet_run(self.gap.is_some_and(|gap| gap.newlines > 0), kind, start);
        }
        match self.gap {
            Some(gap) => self.cross(&gap, kind, start),
            None if self.line.kind == BlockKind::Code && !self.line.after_code => {
                self.line.after_code = true;
                self.tell_edge(self.end, start, EdgeKind::Code);
            }
            None if kind == Kind::FenceOpen && self.line.text => {
                self.tell_edge(self.end, start, EdgeKind::Code);
            }
            None => {}
        }
    }

    fn cross(&mut self, gap: &Gap, kind: Kind, start: usize) {
        self.gap = None;
        if gap.newlines > 0 {
            self.begin_line(gap, kind, start, false);
        } else {
            let follows = gap.carried.unwrap_or(Follows::No);
            self.tell_edge(gap.end, start, EdgeKind::Carried(follows));
        }
    }

    /// A line begins whose text does at `next`.
    pub(super) fn begin_line(
        &mut self,
        gap: &Gap,
        kind: Kind,
        next: usize,
        carried: bool,
    ) -> Follows {
        let before = self.line;
        self.line = LineState {
            start: gap.line_start,
            ..LineState::default()
        };
        let paragraph = gap.newlines > 1;
        if paragraph {
            self.outline.spans.expire(gap.line_start);
            self.outline.spans.end_paragraph();
        }
        let follows = match paragraph {
            true => Follows::No,
            false => before.continues(kind, next - gap.line_start >= 2),
        };
        if follows == Follows::Block && before.kind == BlockKind::List {
            self.line.kind = before.kind;
        }
        self.mark_line("");
        if follows != Follows::Row {
            self.outline.end_block(gap.end);
        }
        let row = before.kind == BlockKind::Table || kind == Kind::Row;
        self.tell(Part::LineEnd(LineEnd {
            end: gap.end,
            line_start: gap.line_start,
            next,
            paragraph,
            follows,
            table_edge: row && follows == Follows::No,
            plain: before.kind == BlockKind::Paragraph && is_plain(kind),
            carried,
        }));
        if gap.carried == Some(Follows::No) && follows != Follows::No {
            self.tell_edge(gap.end, next, EdgeKind::Carried(Follows::No));
        }
        follows
    }
}
