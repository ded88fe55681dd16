//! Brackets, quotations and emphasis: what is open, and what was closed.

use std::collections::VecDeque;

use super::super::paired;
use super::super::scan::{Kind, Lexeme};
use super::super::window::TextWindow;
use super::{bound, forget_front};

/// How many openers are kept; the oldest gives way.
const DEPTH: usize = 24;

/// How many emphases may be carried over a cut.
const CARRIED: usize = 4;

/// Brackets and quotation marks beyond ASCII: what opens them, and what closes
/// that. Some marks open in some languages and close in others.
const PAIRS: &str = "「」『』｢｣〈〉《》【】〔〕（）［］｛｝〝〞„“‟“‚‘“”‘’«»»«‹››‹";

/// What is delimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Delimited {
    /// A bracket or a quotation, named by what closes it.
    Pair(char),
    /// An emphasis, with how often its mark stands on each side.
    Emphasis(u8, u8),
}

impl Delimited {
    /// What marks an emphasis.
    fn marker(self) -> &'static str {
        match self {
            Self::Pair(_) => "",
            Self::Emphasis(b'*', length) => &"**"[..usize::from(length)],
            Self::Emphasis(b'_', length) => &"__"[..usize::from(length)],
            Self::Emphasis(b'~', _) => "~~",
            Self::Emphasis(..) => "||",
        }
    }
}

/// Something that was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Opener {
    span: Delimited,
    at: usize,
    /// Whether it reads as an opener by itself, so that it may be reopened.
    firm: bool,
}

/// The stack of what is open, and what was closed in the part that is kept.
#[derive(Clone, Debug, Default)]
pub(in crate::deliver) struct Spans {
    open: VecDeque<Opener>,
    /// Short spans that were closed, outermost ones only, in order.
    closed: VecDeque<(usize, usize)>,
    /// Emphases that are open for too long to be held.
    carried: Vec<Opener>,
    /// Emphases that were closed, with where, in the order of that.
    past: VecDeque<(Opener, usize)>,
}

impl Spans {
    /// Where the outermost open span begins.
    #[inline]
    pub(in crate::deliver) fn outermost(&self) -> Option<usize> {
        self.open.front().map(|opener| opener.at)
    }

    /// Whether anything is open.
    pub(in crate::deliver) fn is_open(&self) -> bool {
        !self.open.is_empty() || !self.carried.is_empty()
    }

    /// Takes note of a bracket or a quotation mark.
    pub(super) fn meet_pair(&mut self, sign: char, lexeme: Lexeme, text: &TextWindow<'_>) {
        // »so« and «so» are both in use, and “ closes „.
        let span = Delimited::Pair(if sign == '〟' { '〞' } else { sign });
        if !lexeme.kind.opens_bracket() && self.close(span, lexeme) {
            return;
        }
        let closer = match sign {
            '(' => (!is_mouth(lexeme, text)).then_some(')'),
            '[' => Some(']'),
            '{' => Some('}'),
            '"' => opens_quotation(lexeme, text).then_some('"'),
            _ => paired(PAIRS, sign),
        };
        if let Some(closer) = closer {
            self.open(Delimited::Pair(closer), lexeme.start, true);
        }
    }

    /// Takes note of a run of `*`, `_`, `~` or `|`.
    pub(super) fn meet_delimiter(&mut self, lexeme: Lexeme) {
        let Kind::Delimiter {
            mark,
            opens,
            closes,
        } = lexeme.kind
        else {
            return;
        };
        let inner = self.open.back().map(|it| it.span);
        let lengths: &[u8] = match (mark, lexeme.end - lexeme.start) {
            (_, 2) => &[2],
            (b'*' | b'_', 1) => &[1],
            (b'*' | b'_', 3) if inner == Some(Delimited::Emphasis(mark, 1)) => &[1, 2],
            (b'*' | b'_', 3) => &[2, 1],
            _ => &[],
        };
        for &length in lengths {
            // Discord does not mind blanks around these.
            let loose = length == 2 && mark != b'_';
            let span = Delimited::Emphasis(mark, length);
            let mut open = self.open.iter().chain(&self.carried);
            if open.any(|it| it.span == span) {
                if closes || loose {
                    self.close(span, lexeme);
                }
            } else if opens || loose {
                self.open(span, lexeme.start, opens);
            }
        }
    }

    /// Opens `span` at `at`; `firm` if it reads as an opener by itself.
    fn open(&mut self, span: Delimited, at: usize, firm: bool) {
        if self.open.len() == DEPTH {
            self.let_go();
        }
        self.open.push_back(Opener { span, at, firm });
    }

    /// Closes `span`, if it is open.
    fn close(&mut self, span: Delimited, lexeme: Lexeme) -> bool {
        let is_it = |opener: &Opener| opener.span == span;
        let opener = if let Some(index) = self.open.iter().rposition(is_it) {
            let opener = self.open[index];
            // Of the two that `***` opens, either may be closed first.
            let other = self.open.get(index + 1).copied();
            self.open.truncate(index);
            self.open.extend(other.filter(|it| it.at == opener.at));
            while self.closed.pop_back_if(|it| it.0 >= opener.at).is_some() {}
            self.closed.push_back((opener.at, lexeme.end));
            opener
        } else if let Some(index) = self.carried.iter().rposition(is_it) {
            self.carried.remove(index)
        } else {
            return false;
        };
        if matches!(span, Delimited::Emphasis(..)) {
            self.past.push_back((opener, lexeme.start));
        }
        true
    }

    /// The outermost opener is held no longer.
    fn let_go(&mut self) {
        let carried = |it: &Opener| it.firm && matches!(it.span, Delimited::Emphasis(..));
        let opener = self.open.pop_front().filter(carried);
        if self.carried.len() < CARRIED {
            self.carried.extend(opener);
        }
    }

    /// Lets go of what has been open for too long at `at`.
    #[inline(always)]
    pub(in crate::deliver) fn expire(&mut self, at: usize) {
        while at >= self.patience() {
            self.let_go();
        }
        if !self.carried.is_empty() {
            self.carried.retain(|long| at < long.at + bound::EMPHASIS);
        }
    }

    /// From which byte on [`expire`](Self::expire) lets go of what is open
    /// outermost.
    #[inline]
    pub(in crate::deliver) fn patience(&self) -> usize {
        self.outermost()
            .map_or(usize::MAX, |at| at + bound::HOLD + 1)
    }

    /// An empty line ends what does not go on over one.
    pub(super) fn end_paragraph(&mut self) {
        self.open
            .retain(|opener| matches!(opener.span, Delimited::Emphasis(_, 2)));
    }

    /// Everything that is open ends at `at`.
    pub(in crate::deliver) fn end_at(&mut self, at: usize) {
        self.finish();
        let ended = self.carried.drain(..).map(|long| (long, at));
        self.past.extend(ended);
    }

    /// The text is over: what was not closed is plain text.
    pub(in crate::deliver) fn finish(&mut self) {
        self.open.clear();
    }

    /// Everything that is open counts as plain text, or is carried on.
    pub(in crate::deliver) fn give_up(&mut self) {
        while !self.open.is_empty() {
            self.let_go();
        }
    }

    /// Forgets what lies before `start`.
    pub(in crate::deliver) fn forget(&mut self, start: usize) {
        forget_front(&mut self.closed, |&(_, end)| end <= start);
        forget_front(&mut self.past, |&(_, close)| close < start);
    }

    /// Whether `at` lies within a short span.
    pub(in crate::deliver) fn is_inside(&self, at: usize) -> bool {
        let index = self.closed.partition_point(|&(begin, _)| begin < at);
        index > 0 && self.closed[index - 1].1 > at
    }

    /// The markers of the emphases that are open at `at` and must be carried
    /// over a cut, outermost first.
    pub(in crate::deliver) fn markers_at(&self, at: usize) -> Vec<&'static str> {
        let last = self.past.back().map_or(0, |&(_, close)| close);
        if self.carried.is_empty() && last <= at {
            return Vec::new();
        }
        let closed_later = self.past.partition_point(|&(_, close)| close <= at);
        let past = self.past.range(closed_later..).map(|(past, _)| past);
        let open = past.chain(&self.carried);
        let mut open: Vec<_> = open.filter(|emphasis| emphasis.at < at).collect();
        open.sort_by_key(|emphasis| emphasis.at);
        open.iter().map(|emphasis| emphasis.span.marker()).collect()
    }
}

/// Whether a straight quotation mark may open a quotation.
fn opens_quotation(lexeme: Lexeme, text: &TextWindow<'_>) -> bool {
    let before = text.char_before(lexeme.start);
    let after = text.char_at(lexeme.end);
    before.is_none_or(|c| !c.is_ascii_alphanumeric()) && !after.is_none_or(char::is_whitespace)
}

/// Whether a bracket is the mouth of a face.
fn is_mouth(lexeme: Lexeme, text: &TextWindow<'_>) -> bool {
    if text.char_at(lexeme.end).is_some_and(|c| !c.is_whitespace()) {
        return false;
    }
    let mut before = text.before(lexeme.start).bytes().rev().take(3);
    let eyes = before.find(|byte| !matches!(byte, b'-' | b'\''));
    matches!(eyes, Some(b':' | b';' | b'='))
}
