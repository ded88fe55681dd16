//! Custom emoji that stand alone, where Discord shows them big.
//!
//! Not in a list item, not within an open span, and not in mid-sentence.
//! Emoji of one family (the first three letters of their names) stay together.

use super::super::scan::{Kind, Lexeme};
use super::line::Segmenter;
use super::punctuation::{is_blank, is_clause, is_ender};
use super::{BlockKind, EdgeKind, bound};

/// How many letters of a name make a family.
const FAMILY: usize = 3;

/// Emoji in a row, up to the end of the text so far.
#[derive(Clone, Debug)]
pub(super) struct EmojiRun {
    /// Where the first one begins, and the last.
    begin: usize,
    pub(super) last: usize,
    /// Whether it stands alone for sure; otherwise text on its right would
    /// make it part of the sentence.
    alone: bool,
    /// The edges it would make.
    edges: Vec<(usize, usize)>,
    /// Punctuation stands after it, up to the end of the text so far, and
    /// belongs to it unless something is glued to that.
    punctuation: Option<(usize, usize)>,
}

impl Segmenter<'_> {
    /// Decides what something at `start` does to the emoji before it. Text in
    /// their line is left to [`meet_text`](Self::meet_text).
    pub(super) fn meet_run(&mut self, next_line: bool, kind: Kind, start: usize) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        let emoji = kind == Kind::Emoji;
        if next_line || start - run.begin > bound::HOLD {
            self.set_apart(&mut run);
        }
        if !run.alone && !emoji {
            return;
        }
        if kind == Kind::Text && !next_line {
            self.run = Some(run);
            return;
        }
        if !next_line && self.is_glued(&mut run, start) {
            return;
        }
        let related = emoji && self.is_family(run.last, start);
        if !related {
            match run.alone {
                true => self.tell_edge(self.end, start, EdgeKind::Emoji),
                false => run.edges.push((self.end, start)),
            }
        }
        if emoji && (!next_line || related) {
            run.last = start;
            self.run = Some(run);
        }
    }

    /// Decides what text from `start` to `end` does to emoji that stand alone
    /// in its line: punctuation stays with them.
    pub(super) fn meet_text(&mut self, start: usize, end: usize) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        let trails = |c: char| is_ender(c) || is_clause(c) || ",;:".contains(c);
        let goes_on = run.punctuation.take().filter(|_| start == self.end);
        let (mut before, mut at) = goes_on.unwrap_or((self.end, start));
        while at < end {
            let text = self.outline.text.slice(at, end);
            let rest = text.trim_start_matches(trails);
            let after = end - rest.len();
            let glued = !rest.is_empty() && !rest.starts_with(is_blank);
            if after == at || glued && self.is_loose(at, after) {
                self.tell_edge(before, at, EdgeKind::Emoji);
                return;
            }
            run.punctuation = rest.is_empty().then_some((before, at));
            (before, at) = (after, end - rest.trim_start_matches(is_blank).len());
        }
        self.run = Some(run);
    }

    /// Whether what begins at `start` is glued to punctuation after the run,
    /// which then belongs to that.
    fn is_glued(&mut self, run: &mut EmojiRun, start: usize) -> bool {
        match run.punctuation.take() {
            Some((end, next)) if start == self.end && self.is_loose(next, start) => {
                self.tell_edge(end, next, EdgeKind::Emoji);
                true
            }
            _ => false,
        }
    }

    /// Whether punctuation may belong to what follows.
    fn is_loose(&self, from: usize, to: usize) -> bool {
        let punctuation = self.outline.text.slice(from, to);
        punctuation.contains([',', ';', ':'])
    }

    /// Takes an emoji in, once what precedes it has been dealt with.
    pub(super) fn take_emoji(&mut self, lexeme: Lexeme) {
        if self.run.is_some() {
            return;
        }
        if self.line.kind == BlockKind::List || self.outline.spans.is_open() {
            self.line.text = true;
            return;
        }
        let start = lexeme.start;
        let mut run = EmojiRun {
            begin: start,
            last: start,
            alone: !self.line.text || self.outline.ends_like_sentence(self.line.start, start),
            edges: vec![(self.end, start)],
            punctuation: None,
        };
        match run.alone {
            true => self.set_apart(&mut run),
            false => self.tell_edge(start, start, EdgeKind::MaybeEmoji),
        }
        self.run = Some(run);
    }

    /// The text is over: emoji at its end stand alone.
    pub(super) fn end_run(&mut self) {
        if let Some(mut run) = self.run.take() {
            self.set_apart(&mut run);
        }
    }

    fn set_apart(&mut self, run: &mut EmojiRun) {
        run.alone = true;
        for (end, next) in run.edges.drain(..) {
            self.tell_edge(end, next, EdgeKind::Emoji);
        }
    }

    fn is_family(&self, a: usize, b: usize) -> bool {
        let name = |at: usize| self.outline.text.rest(at).split(':').nth(1).unwrap_or("");
        let letters = |name: &str| -> String {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            let letters = letters.map(|c| c.to_ascii_lowercase());
            letters.take(FAMILY).collect()
        };
        let (a, b) = (name(a), name(b));
        a == b || letters(a).len() == FAMILY && letters(a) == letters(b)
    }
}
