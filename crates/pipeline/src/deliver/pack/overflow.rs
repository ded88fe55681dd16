//! Cutting what is too long to wait for its end, and where there is no good
//! place.

use kaiwa_domain::Table;
use unicode_segmentation::UnicodeSegmentation;

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{self, Block, Outline, Rank, Segmenter, is_closer};
use super::block::FULL;
use super::{Break, CodeEnds, Packer, Point, bound, units};

/// How far back a place between two words is looked for, in graphemes.
const STEPS: usize = 48;

impl<'t> Packer<'t> {
    /// How many units may be gathered for sure before
    /// [`overflow`](Self::overflow) acts.
    #[inline]
    pub(super) fn room(&self, outline: &Outline<'_>) -> usize {
        let width = self.width(self.end);
        let least = match self.may_overflow() {
            true => bound::OVERFLOW + bound::AHEAD,
            false => self.shape.max + segment::bound::HOLD + 1,
        };
        match width < least {
            true => least - width,
            false => self.room_beyond(least, width, outline),
        }
    }

    /// The same where so many units were gathered that a line would be cut.
    fn room_beyond(&self, least: usize, width: usize, outline: &Outline<'_>) -> usize {
        if let Some(block) = self.awaited(outline) {
            let begin = block.start.max(self.start.at);
            return (begin + FULL).saturating_sub(self.end.at);
        }
        let within = |block: &&Block| block.end.is_none_or(|end| end >= self.end.at);
        let fits = self.shape.max + segment::bound::HOLD + 1;
        let most = match outline.blocks.back().filter(within) {
            None => least,
            Some(block) if block.start <= self.start.at => fits,
            Some(block) => {
                let before = self.point(block.start, outline);
                fits.max(match block.code.is_none() && self.shape.tables {
                    // A table that is lifted out is waited for.
                    true => before.units - self.start.units + Table::MAX_BYTES + 1,
                    false => self.width(before) + self.shape.max + 1,
                })
            }
        };
        most.max(self.tried).saturating_sub(width)
    }

    /// Whether a long line is given out in parts.
    const fn may_overflow(&self) -> bool {
        self.shape.live
            && !matches!(self.shape.degree, Degree::Whole)
            && self.shape.max >= bound::OVERFLOW + bound::AHEAD
    }

    /// Gives out what is too long to wait for its end.
    #[inline]
    pub(super) fn overflow(&mut self, text: &mut Segmenter<'t>) {
        while self.room(&text.outline) == 0 {
            let outline = &text.outline;
            if self.awaited(outline).is_some() {
                self.lift_code(CodeEnds::Full, text);
                continue;
            }
            let place = match self.width(self.end) > self.shape.max + segment::bound::HOLD {
                true => Some(self.choose_fitting(None, outline)),
                false => self.choose_overflow(outline),
            };
            match place {
                Some(place) => self.flush(&place, text),
                None => self.tried = self.width(self.end) + bound::AGAIN,
            }
        }
    }

    /// The place for a line that goes on and on: a sentence end a little
    /// further, or a little earlier, or a blank.
    fn choose_overflow(&self, outline: &Outline<'t>) -> Option<Break> {
        let held = outline.spans.outermost();
        let limit = self.start.units + bound::OVERFLOW;
        let long = self.width(self.end) >= bound::OVERFLOW + bound::AHEAD + bound::AGAIN;
        let mut place = self
            .search_overflow(held, outline)
            .or_else(|| held.and_then(|_| self.search_overflow(None, outline)))
            .or_else(|| {
                self.force(limit, self.end.at, true, outline)
                    .filter(|_| long)
            })?;
        place.reason = Reason::Overflow;
        Some(place)
    }

    fn search_overflow(&self, held: Option<usize>, outline: &Outline<'t>) -> Option<Break> {
        let usable = |place: &Break| {
            place.end.at > self.start.at
                && held.is_none_or(|at| place.end.at <= at)
                && !outline.spans.is_inside(place.end.at)
        };
        let (target, ahead) = (bound::OVERFLOW, bound::OVERFLOW + bound::AHEAD);
        // A sentence end, or else a blank.
        let mut late: [Option<Break>; 2] = [None; 2];
        let mut early: [Option<Break>; 2] = [None; 2];
        let mut far = None;
        for place in self.breaks_back(self.end, outline).filter(usable) {
            let sort = usize::from(place.rank < Rank::Sentence);
            match place.end.units - self.start.units {
                at if at >= ahead => far = Some(place),
                at if at >= target => late[sort] = Some(place),
                _ if late[0].is_some() || early[0].is_some() => break,
                at if at >= target - bound::BACK => {
                    early[sort].get_or_insert(place);
                }
                _ if late[1].is_some() || early[1].is_some() => break,
                at if at >= bound::PIECE => return Some(place),
                _ => break,
            }
        }
        late[0].or(early[0]).or(early[1]).or(late[1]).or(far)
    }

    /// A cut between two graphemes, where there is no better place. With
    /// `whole`, an atom at the beginning is not cut.
    pub(super) fn force(
        &self,
        limit: usize,
        known: usize,
        whole: bool,
        outline: &Outline<'t>,
    ) -> Option<Break> {
        let blocks = outline.blocks.iter();
        let near = blocks.filter(|block| self.point(block.start, outline).units < limit);
        let shells = near.filter_map(|block| self.shell(block.code.as_ref()?));
        let tail = shells.map(|(_, shut)| units(shut) + 1).max().unwrap_or(0);
        let limit = limit.saturating_sub(tail);
        let mut at = self.walk(limit, known, outline);
        let mut breaks = self.breaks_back(self.point_at(limit, outline), outline);
        let word = breaks.find(|place| place.next.at > self.start.at && place.next.units < limit);
        let anchor = word.map_or(self.start.at, |place| place.next.at).min(at);
        let fits = |from: usize, to: usize| {
            from >= self.start.at && outline.text.units(from, to) <= self.shape.max
        };
        // Of a link that is too long, the address is kept together.
        let atom = outline.atom_at(at).map(|(begin, end)| {
            let label = outline.text.slice(begin, end).rfind("](");
            match label.map(|label| begin + label + 2) {
                Some(address) if !fits(begin, end) && address < at => (address, end),
                _ => (begin, end),
            }
        });
        match atom.filter(|&(begin, end)| whole || fits(begin, end)) {
            Some((begin, _)) => at = begin,
            None => at = step_back(outline, anchor, at),
        }
        (at > self.start.at).then(|| self.break_forced(at, known, outline))
    }

    /// The last resort: at least one character.
    pub(super) fn force_char(&self, limit: usize, known: usize, outline: &Outline<'_>) -> Break {
        let mut at = self.walk(limit, known, outline);
        if at == self.start.at {
            let mut width = self.start.units;
            for c in outline.text.rest(at).chars() {
                width += c.len_utf16();
                if at > self.start.at && width > limit {
                    break;
                }
                at += c.len_utf8();
            }
        }
        self.break_forced(at, known, outline)
    }

    /// A break where there is neither a blank nor a sign, or at line ends that
    /// are no break of their own.
    fn break_forced(&self, at: usize, known: usize, outline: &Outline<'_>) -> Break {
        let mut joints = self.joints.iter();
        let around = joints.find(|joint| {
            let end = joint.place.end.at;
            end < at && at <= joint.resume && end > self.start.at
        });
        let end = around.map_or(at, |joint| joint.place.end.at);
        let rest = outline.text.slice(end, known.max(end));
        let blanks = rest.len() - rest.trim_start().len();
        let in_code = outline.code_at(end).is_some();
        let next = if in_code { end } else { end + blanks };
        let (end, next) = (self.point(end, outline), self.point(next, outline));
        Break::new(end, next, Rank::Never, Reason::Limit)
    }

    /// The last place between two graphemes up to `limit`.
    fn walk(&self, limit: usize, known: usize, outline: &Outline<'_>) -> usize {
        let after = self.joints_within(limit);
        let mut from = self.start;
        if let Some(last) = after.checked_sub(1) {
            let joint = &self.joints[last];
            from = joint.place.end;
            let next = Point::new(joint.resume, from.units + units(&joint.with));
            if next.units > limit {
                return from.at;
            }
            from = next;
        }
        let end = self.joints.get(after);
        let end = end.map_or(known, |joint| joint.place.end.at);
        let text = outline.text.slice(from.at, end.min(known).max(from.at));
        from.at + fitting(text, limit.saturating_sub(from.units))
    }
}

/// How many bytes of `text` fit so many units, in whole graphemes.
fn fitting(text: &str, room: usize) -> usize {
    if text.is_ascii() {
        // A character each, but for one kind of line end.
        let room = text.len().min(room);
        let apart = text[..room].ends_with('\r') && text[room..].starts_with('\n');
        return room - usize::from(apart);
    }
    let mut left = room;
    let fits = |grapheme: &&str| {
        let after = left.checked_sub(units(grapheme));
        left = after.unwrap_or(0);
        after.is_some()
    };
    text.graphemes(true).take_while(fits).map(str::len).sum()
}

/// Moves a cut out of a short word and away from a closing sign.
fn step_back(outline: &Outline<'_>, from: usize, at: usize) -> usize {
    let letter = |c: char| c.is_alphabetic() && !is_unspaced(c);
    let joined = |before: &str, after: Option<char>| {
        after.is_some_and(|c| is_closer(c) || letter(c) && before.ends_with(letter))
    };
    let mut after = outline.text.char_at(at);
    let mut end = at;
    let graphemes = outline.text.slice(from, at).grapheme_indices(true).rev();
    for (index, grapheme) in graphemes.take(STEPS) {
        if !joined(grapheme, after) {
            return end;
        }
        after = grapheme.chars().next();
        end = from + index;
    }
    at
}

/// Whether the script of `c` puts no blanks between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' | '\u{F900}'..='\u{FAFF}')
}
