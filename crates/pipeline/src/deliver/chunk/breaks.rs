//! Where a message that is too long may be cut.
//!
//! A break at a sign or a line end is noted as it comes. The blanks of plain
//! text are not: such a *stretch* is noted as a whole, and its breaks are found
//! when a cut is due, looking back from where it must be. Most of them are
//! never looked at.

use std::collections::{VecDeque, vec_deque};

use super::super::explain::Reason;
use super::super::scan::{self, Marker, is_blank};
use super::super::sentence;
use super::message::LOOK_BACK;
use super::punctuation::is_closer;
use super::window::Window;
use super::{Break, Rank, forget_front, units};

/// How many breaks of each kind there is room for.
const ROOM: usize = 32;

/// Plain text within a line: blanks, then words with blanks between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) start: usize,
    pub(super) start_units: usize,
    pub(super) end: usize,
    pub(super) end_units: usize,
    /// What its line begins with, to be repeated after a cut.
    pub(super) marker: Option<Marker>,
}

/// A bracket or a quotation mark among words that closes a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    /// Where the signs that end the sentence end.
    pub(super) enders: usize,
    /// Where it ends itself.
    pub(super) end: usize,
}

/// The breaks in the part of the text that is kept, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Breaks {
    noted: VecDeque<Break>,
    stretches: VecDeque<Stretch>,
    closings: VecDeque<Closing>,
}

impl Breaks {
    /// None yet, with room for those of a message.
    pub(super) fn with_room() -> Self {
        Self {
            noted: VecDeque::with_capacity(ROOM),
            stretches: VecDeque::with_capacity(ROOM),
            closings: VecDeque::new(),
        }
    }

    /// Notes a break, which must not overlap the last one.
    pub(super) fn push(&mut self, place: Break) {
        if self.noted.back().is_none_or(|last| last.next <= place.end) {
            self.noted.push_back(place);
        }
    }

    /// Notes plain text.
    pub(super) fn push_stretch(&mut self, stretch: Stretch) {
        self.stretches.push_back(stretch);
    }

    /// Notes what closes a sentence in plain text.
    pub(super) fn push_closing(&mut self, closing: Closing) {
        self.closings.push_back(closing);
    }

    /// What closed a sentence last, if it ends at `end`.
    pub(super) fn closing_at(&self, end: usize) -> Option<Closing> {
        self.closings.back().copied().filter(|last| last.end == end)
    }

    /// The breaks that were noted.
    pub(super) fn noted(&self) -> impl DoubleEndedIterator<Item = &Break> {
        self.noted.iter()
    }

    /// The breaks that were noted up to so many units, and those after them.
    pub(super) fn noted_up_to(
        &self,
        units: usize,
    ) -> (vec_deque::Iter<'_, Break>, vec_deque::Iter<'_, Break>) {
        let index = self.noted.partition_point(|place| place.end_units <= units);
        (self.noted.range(..index), self.noted.range(index..))
    }

    /// Takes back the breaks that end at `end` or later.
    pub(super) fn take_back(&mut self, end: usize) {
        while self.noted.back().is_some_and(|last| last.end >= end) {
            self.noted.pop_back();
        }
    }

    /// Forgets what lies before `start`.
    pub(super) fn forget(&mut self, start: usize, start_units: usize) {
        forget_front(&mut self.noted, |place| place.next <= start);
        forget_front(&mut self.stretches, |stretch| stretch.end <= start);
        forget_front(&mut self.closings, |closing| closing.end <= start);
        if let Some(first) = self.stretches.front_mut()
            && first.start < start
        {
            (first.start, first.start_units) = (start, start_units);
        }
    }

    /// All breaks, last first, from those about `limit` units on.
    pub(super) fn back_from<'a>(
        &'a self,
        limit: usize,
        text: &'a Window<'_>,
    ) -> impl Iterator<Item = Break> + 'a {
        let mut plain = self.plain_back_from(limit, text).peekable();
        let noted = self.noted.partition_point(|place| place.end_units <= limit);
        let mut noted = self.noted.range(..noted).rev().peekable();
        std::iter::from_fn(move || match (noted.peek(), plain.peek()) {
            (Some(sign), Some(blank)) if sign.end > blank.end => noted.next().copied(),
            (_, Some(_)) => plain.next(),
            (_, None) => noted.next().copied(),
        })
    }

    fn plain_back_from<'a>(
        &'a self,
        limit: usize,
        text: &'a Window<'_>,
    ) -> impl Iterator<Item = Break> + 'a {
        let stretches = self.stretches.partition_point(|s| s.start_units <= limit);
        self.stretches
            .range(..stretches)
            .rev()
            .flat_map(move |stretch| stretch.back_from(limit, &self.closings, text))
    }
}

impl Stretch {
    /// The breaks that end at up to `limit` units, last first.
    fn back_from<'a>(
        self,
        limit: usize,
        closings: &'a VecDeque<Closing>,
        text: &'a Window<'_>,
    ) -> impl Iterator<Item = Break> + 'a {
        let (mut at, mut at_units) = self.place_at(limit, text);
        let ascii = self.end - self.start == self.end_units - self.start_units;
        std::iter::from_fn(move || {
            loop {
                let words = text.slice(self.start, at).as_bytes();
                let word = words.iter().rev().take_while(|b| !is_blank(b)).count();
                let before = &words[..words.len() - word];
                let blanks = before.iter().rev().take_while(|b| is_blank(b)).count();
                if blanks == 0 {
                    return None;
                }
                let next = at - word;
                let next_units = match ascii {
                    true => at_units - word,
                    false => at_units - units(text.slice(next, at)),
                };
                (at, at_units) = (next - blanks, next_units - blanks);
                let next_char = text.char_at(next);
                let rank = match at > self.start {
                    true => rank_at(at, next_char, closings, text),
                    // No sentence ends right before the words.
                    false => rank_of_blank(next_char),
                };
                if let Some(rank) = rank {
                    return Some(Break {
                        end: at,
                        end_units: at_units,
                        next,
                        next_units,
                        rank,
                        reason: match rank {
                            Rank::Sentence => Reason::Sentence,
                            _ => Reason::Limit,
                        },
                        marker: self.marker,
                    });
                }
            }
        })
    }

    /// The place `limit` units into the text, or past the blanks there.
    fn place_at(&self, limit: usize, text: &Window<'_>) -> (usize, usize) {
        if self.end_units <= limit {
            return (self.end, self.end_units);
        }
        let words = text.slice(self.start, self.end);
        let mut room = limit - self.start_units;
        let near = if words.len() == self.end_units - self.start_units {
            room
        } else {
            let fits = |c: &char| {
                let left = room.checked_sub(c.len_utf16());
                room = left.unwrap_or(0);
                left.is_some()
            };
            words.chars().take_while(fits).map(char::len_utf8).sum()
        };
        let rest = words[near..].bytes();
        let at = near + rest.take_while(is_blank).count();
        (self.start + at, self.start_units + units(&words[..at]))
    }
}

/// How good a break is at blanks within a line that begin at `end`, if there
/// may be one before `next`.
fn rank_at(
    end: usize,
    next: Option<char>,
    closings: &VecDeque<Closing>,
    text: &Window<'_>,
) -> Option<Rank> {
    let rank = rank_of_blank(next);
    if next.is_some_and(is_closer) {
        return rank;
    }
    let closing = closings.binary_search_by_key(&end, |closing| closing.end);
    let closing = closing.ok().map(|index| closings[index]);
    let run_end = closing.map_or(end, |closing| closing.enders);
    let start = enders_before(run_end, text);
    let (before, run) = (text.tail(start, LOOK_BACK), text.slice(start, run_end));
    if start < run_end && sentence::ends(before, run, closing.is_some(), next) {
        return Some(Rank::Sentence);
    }
    rank
}

/// How good a break is at blanks where no sentence ends.
fn rank_of_blank(next: Option<char>) -> Option<Rank> {
    let may_begin = |c: char| !is_closer(c) && !matches!(c, '#' | '>');
    next.is_none_or(may_begin).then_some(Rank::Word)
}

/// Where the token of sentence enders that ends at `end` begins; at `end` if
/// there is none.
#[inline]
pub(super) fn enders_before(end: usize, text: &Window<'_>) -> usize {
    match text.byte_before(end) {
        Some(b'.' | b'!' | b'?') => ender_run_before(end, text),
        _ => end,
    }
}

fn ender_run_before(end: usize, text: &Window<'_>) -> usize {
    let before = text.slice(text.base(), end).bytes().rev();
    let run = before
        .take_while(|byte| matches!(byte, b'.' | b'!' | b'?'))
        .count();
    // Longer runs come in pieces.
    end - ((run - 1) % scan::bound::RUN + 1)
}
