//! Brackets, quotations and emphasis that are open.

use std::collections::VecDeque;

use super::super::scan::Token;
use super::window::Window;
use super::{Chunker, bound, forget_front};

/// How many openers are kept; the oldest gives way.
const DEPTH: usize = 24;

/// How many emphases may be carried over a cut.
const CARRIED: usize = 4;

/// How many bytes ahead are not worth a closer look at what is open.
const NEAR: usize = 128;

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Span {
    /// A bracket or a quotation, named by what closes it.
    Pair(char),
    Emphasis(Style),
}

/// A kind of emphasis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Star,
    Stars,
    Line,
    Lines,
    Strike,
    Spoiler,
}

impl Style {
    const fn marker(self) -> &'static str {
        match self {
            Self::Star => "*",
            Self::Stars => "**",
            Self::Line => "_",
            Self::Lines => "__",
            Self::Strike => "~~",
            Self::Spoiler => "||",
        }
    }

    /// Whether Discord does not mind blanks around it.
    const fn is_loose(self) -> bool {
        matches!(self, Self::Stars | Self::Strike | Self::Spoiler)
    }
}

impl Span {
    /// Whether it may go on over an empty line.
    fn spans_paragraphs(self) -> bool {
        matches!(self, Self::Emphasis(style) if style.marker().len() == 2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Opener {
    span: Span,
    at: usize,
    /// Whether it reads as an opener by itself, so that it may be reopened.
    firm: bool,
}

impl Opener {
    const fn is_emphasis(&self) -> bool {
        matches!(self.span, Span::Emphasis(_))
    }
}

/// An emphasis that a cut may have to close and open again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Emphasis {
    style: Style,
    at: usize,
}

/// The stack of what is open, and what was closed in the part that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    open: VecDeque<Opener>,
    /// How many of them are emphases, and how many `"`.
    emphases: usize,
    quotes: usize,
    /// Short spans that were closed, outermost ones only, in order.
    closed: VecDeque<(usize, usize)>,
    /// Emphases that are open for too long to be held.
    carried: Vec<Emphasis>,
    /// Emphases that were closed, with where, in the order of that.
    past: VecDeque<(Emphasis, usize)>,
}

impl Spans {
    /// Where the outermost open span begins.
    #[inline]
    pub(super) fn outermost(&self) -> Option<usize> {
        self.open.front().map(|opener| opener.at)
    }

    /// Whether anything is open.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty() || !self.carried.is_empty()
    }

    fn contains(&self, span: Span) -> bool {
        let is_open = || self.open.iter().any(|opener| opener.span == span);
        match span {
            Span::Pair('"') => self.quotes > 0,
            Span::Pair(_) => is_open(),
            Span::Emphasis(style) => {
                self.emphases > 0 && is_open()
                    || self.carried.iter().any(|long| long.style == style)
            }
        }
    }

    #[inline]
    fn push(&mut self, opener: Opener) {
        if self.open.len() == DEPTH {
            self.let_go();
        }
        self.count(&opener, 1);
        self.open.push_back(opener);
    }

    /// So many of this kind are open more, or less.
    #[inline]
    const fn count(&mut self, opener: &Opener, by: isize) {
        match opener.span {
            Span::Emphasis(_) => self.emphases = self.emphases.saturating_add_signed(by),
            Span::Pair('"') => self.quotes = self.quotes.saturating_add_signed(by),
            Span::Pair(_) => {}
        }
    }

    /// The outermost opener is held no longer.
    fn let_go(&mut self) {
        let Some(opener) = self.open.pop_front() else {
            return;
        };
        self.count(&opener, -1);
        if let Span::Emphasis(style) = opener.span
            && opener.firm
            && self.carried.len() < CARRIED
        {
            let at = opener.at;
            self.carried.push(Emphasis { style, at });
        }
    }

    /// Lets go of what has been open for too long at `at`.
    #[inline]
    pub(super) fn expire(&mut self, at: usize) {
        while self
            .outermost()
            .is_some_and(|opened| at > opened + bound::HOLD)
        {
            self.let_go();
        }
        if !self.carried.is_empty() {
            self.carried.retain(|long| at < long.at + bound::EMPHASIS);
        }
    }

    /// How many bytes from `at` on [`expire`](Self::expire) changes nothing
    /// that matters, for text in which nothing is opened or closed. Pairs are
    /// let go without a trace unless they hold something back.
    pub(super) fn patience(&self, at: usize, held: bool) -> usize {
        let until = |opener: &Opener| (opener.at + bound::HOLD + 1).saturating_sub(at);
        let Some(outermost) = self.open.front() else {
            return usize::MAX;
        };
        if held || until(outermost) > NEAR {
            return until(outermost);
        }
        if self.emphases == 0 {
            return usize::MAX;
        }
        let mut open = self.open.iter();
        open.find(|opener| opener.is_emphasis())
            .map_or(usize::MAX, until)
    }

    /// An empty line ends what does not go on over one.
    pub(super) fn end_paragraph(&mut self) {
        if self.open.is_empty() {
            return;
        }
        self.open.retain(|opener| opener.span.spans_paragraphs());
        self.emphases = self.open.len();
        self.quotes = 0;
    }

    /// Nothing is open any more.
    pub(super) fn clear(&mut self) {
        self.finish();
        self.carried.clear();
    }

    /// The text is over: what was not closed is plain text.
    pub(super) fn finish(&mut self) {
        self.open.clear();
        self.emphases = 0;
        self.quotes = 0;
    }

    /// Everything that is open counts as plain text, or is carried on.
    pub(super) fn give_up(&mut self) {
        while !self.open.is_empty() {
            self.let_go();
        }
    }

    /// Closes `span` with a token that ends at `end`. Returns where it began,
    /// unless it was let go.
    fn close(&mut self, span: Span, start: usize, end: usize) -> Option<usize> {
        if let Some(index) = self.open.iter().rposition(|opener| opener.span == span) {
            let at = self.open[index].at;
            while self.open.len() > index
                && let Some(inner) = self.open.pop_back()
            {
                self.count(&inner, -1);
            }
            if let Span::Emphasis(style) = span {
                self.past.push_back((Emphasis { style, at }, start));
            }
            while self.closed.back().is_some_and(|&(begin, _)| begin > at) {
                self.closed.pop_back();
            }
            self.closed.push_back((at, end));
            return Some(at);
        }
        if let Span::Emphasis(style) = span
            && let Some(index) = self.carried.iter().rposition(|long| long.style == style)
        {
            self.past.push_back((self.carried.remove(index), start));
        }
        None
    }

    /// Forgets what lies before `start`.
    pub(super) fn forget(&mut self, start: usize) {
        forget_front(&mut self.closed, |&(_, end)| end <= start);
        forget_front(&mut self.past, |&(_, close)| close < start);
    }

    /// Whether `at` lies within a short span.
    pub(super) fn is_inside(&self, at: usize) -> bool {
        let index = self.closed.partition_point(|&(begin, _)| begin < at);
        index > 0 && self.closed[index - 1].1 > at
    }

    /// Whether an emphasis may be open at `at` that must be carried over a cut.
    #[inline]
    pub(super) fn has_emphasis_at(&self, at: usize) -> bool {
        !self.carried.is_empty() || self.past.back().is_some_and(|&(_, close)| close > at)
    }

    /// The markers of the emphases that are open at `at`, outermost first.
    pub(super) fn markers_at(&self, at: usize) -> Vec<&'static str> {
        if !self.has_emphasis_at(at) {
            return Vec::new();
        }
        let closed_later = self.past.partition_point(|&(_, close)| close <= at);
        let past = self
            .past
            .range(closed_later..)
            .map(|(emphasis, _)| emphasis);
        let mut open: Vec<_> = past
            .chain(&self.carried)
            .filter(|emphasis| emphasis.at < at)
            .collect();
        open.sort_by_key(|emphasis| emphasis.at);
        open.into_iter()
            .map(|emphasis| emphasis.style.marker())
            .collect()
    }
}

/// What a sign did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Met {
    /// It is plain text.
    Nothing,
    Opened,
    /// It closed what began here, unless that was let go or never open.
    Closed(Option<usize>),
}

impl Spans {
    /// Takes note of a bracket or a quotation mark in a message that begins at
    /// `start`.
    #[inline]
    pub(super) fn meet_pair(
        &mut self,
        token: Token,
        sign: char,
        text: &Window<'_>,
        start: usize,
    ) -> Met {
        match self.read_pair(token, sign, text, start) {
            None => Met::Nothing,
            Some(Sign::Opens(closer)) => {
                self.open(token, Span::Pair(closer), true);
                Met::Opened
            }
            Some(Sign::Closes(closer)) => {
                Met::Closed(self.close(Span::Pair(closer), token.start, token.end))
            }
        }
    }

    /// Which side of a pair a sign is.
    #[inline]
    fn read_pair(&self, token: Token, sign: char, text: &Window<'_>, start: usize) -> Option<Sign> {
        let open = |closer: char| self.contains(Span::Pair(closer));
        let symmetric = |closer: char, other: char| {
            // »so« and «so» are both in use, and “ closes „.
            if open(closer) {
                Sign::Closes(closer)
            } else {
                Sign::Opens(other)
            }
        };
        Some(match sign {
            '(' if is_mouth(token, text, start) => return None,
            '(' => Sign::Opens(')'),
            '[' => Sign::Opens(']'),
            '{' => Sign::Opens('}'),
            '「' => Sign::Opens('」'),
            '『' => Sign::Opens('』'),
            '｢' => Sign::Opens('｣'),
            '〈' => Sign::Opens('〉'),
            '《' => Sign::Opens('》'),
            '【' => Sign::Opens('】'),
            '〔' => Sign::Opens('〕'),
            '（' => Sign::Opens('）'),
            '［' => Sign::Opens('］'),
            '｛' => Sign::Opens('｝'),
            '〝' => Sign::Opens('〞'),
            '„' | '‟' => Sign::Opens('“'),
            '‚' => Sign::Opens('‘'),
            '“' => symmetric('“', '”'),
            '‘' => symmetric('‘', '’'),
            '«' => symmetric('«', '»'),
            '»' => symmetric('»', '«'),
            '‹' => symmetric('‹', '›'),
            '›' => symmetric('›', '‹'),
            '〟' => Sign::Closes('〞'),
            '"' if open('"') => Sign::Closes('"'),
            '"' => {
                let before = text.char_before(token.start);
                let after = text.char_at(token.end);
                let free = before.is_none_or(|c| !c.is_ascii_alphanumeric());
                if !free || after.is_none_or(char::is_whitespace) {
                    return None;
                }
                Sign::Opens('"')
            }
            closer => Sign::Closes(closer),
        })
    }

    /// Takes note of a run of `mark`.
    pub(super) fn meet_delimiter(
        &mut self,
        token: Token,
        mark: u8,
        opens: bool,
        closes: bool,
    ) -> Met {
        let styles: &[Style] = match (mark, token.end - token.start) {
            (b'*', 1) => &[Style::Star],
            (b'*', 2) => &[Style::Stars],
            (b'*', 3) => &[Style::Stars, Style::Star],
            (b'_', 1) => &[Style::Line],
            (b'_', 2) => &[Style::Lines],
            (b'_', 3) => &[Style::Lines, Style::Line],
            (b'~', 2) => &[Style::Strike],
            (b'|', 2) => &[Style::Spoiler],
            _ => return Met::Closed(None),
        };
        let mut met = Met::Nothing;
        for &style in styles {
            let span = Span::Emphasis(style);
            if self.contains(span) {
                if closes || style.is_loose() {
                    let at = self.close(span, token.start, token.end);
                    met = match met {
                        Met::Closed(Some(other)) => {
                            Met::Closed(Some(at.unwrap_or(other).min(other)))
                        }
                        _ => Met::Closed(at),
                    };
                }
            } else if opens || style.is_loose() {
                self.open(token, span, opens);
            }
        }
        met
    }

    #[inline]
    fn open(&mut self, token: Token, span: Span, firm: bool) {
        self.push(Opener {
            span,
            at: token.start,
            firm,
        });
    }
}

/// Whether a bracket is the mouth of a face.
fn is_mouth(token: Token, text: &Window<'_>, start: usize) -> bool {
    let last = text.byte_before(token.start);
    if !matches!(last, Some(b':' | b';' | b'=' | b'-' | b'\'')) {
        return false;
    }
    let before = text.slice(start.max(token.start.saturating_sub(3)), token.start);
    let eyes = before.trim_end_matches(['-', '\'']);
    eyes.ends_with([':', ';', '=']) && text.char_at(token.end).is_none_or(char::is_whitespace)
}

impl Chunker<'_> {
    pub(super) fn take_pair(&mut self, token: Token, sign: char) {
        let met = self.spans.meet_pair(token, sign, &self.text, self.start);
        self.forget_inside(met);
        match met {
            Met::Nothing => {}
            // A sentence may end with the quotation.
            Met::Closed(_) => {
                if let Some(sentence) = &mut self.sentence {
                    sentence.extend(token.end);
                }
            }
            Met::Opened => self.sentence = None,
        }
    }

    pub(super) fn take_delimiter(&mut self, token: Token, mark: u8, opens: bool, closes: bool) {
        let met = self.spans.meet_delimiter(token, mark, opens, closes);
        self.forget_inside(met);
        match &mut self.sentence {
            Some(sentence) if matches!(met, Met::Closed(_)) => sentence.stretch(token.end),
            _ => self.sentence = None,
        }
    }

    /// No message ends in what was closed.
    fn forget_inside(&mut self, met: Met) {
        if let Met::Closed(Some(at)) = met {
            while self.boundaries.back().is_some_and(|b| b.end > at) {
                self.boundaries.pop_back();
            }
        }
    }
}

enum Sign {
    Opens(char),
    Closes(char),
}
