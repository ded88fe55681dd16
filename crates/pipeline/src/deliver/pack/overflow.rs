//! Cutting what is too long to wait for its end, and where there is no good
//! place.

use kaiwa_domain::Table;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{self, Block, Rank, is_closer};
use super::super::sentence::is_unspaced;
use super::super::window::TextWindow;
use super::block::FULL;
use super::{Break, CodeEnds, Joint, Packer, bound, units};

/// How far back a place between two words is looked for, in graphemes.
const STEPS: usize = 48;

impl Packer<'_> {
    /// How many units may be gathered for sure before
    /// [`overflow`](Self::overflow) acts.
    #[inline(always)]
    pub(super) fn room(&self) -> usize {
        let width = self.width(self.end);
        let least = match self.may_overflow() {
            true => bound::OVERFLOW + bound::AHEAD,
            false => self.shape.max + segment::bound::HOLD + 1,
        };
        match width < least {
            true => least - width,
            false => self.room_beyond(least, width),
        }
    }

    /// The same where so many units were gathered that a line would be cut.
    #[inline(never)]
    fn room_beyond(&self, least: usize, width: usize) -> usize {
        if let Some(block) = self.awaited() {
            let begin = block.start.max(self.start.at);
            return (begin + FULL).saturating_sub(self.end.at);
        }
        let within = |block: &&Block| block.end.is_none_or(|end| end >= self.end.at);
        let fits = self.shape.max + segment::bound::HOLD + 1;
        let most = match self.text.outline.blocks.back().filter(within) {
            None => least,
            Some(block) if block.start <= self.start.at => fits,
            Some(block) => {
                let before = self.point(block.start);
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

    /// Gives out what is too long to wait for its end; what lies before `at`
    /// may have been open for too long.
    #[inline(always)]
    pub(super) fn overflow(&mut self, at: usize) {
        while self.room() == 0 {
            self.text.outline.spans.expire(at);
            self.shed();
        }
    }

    fn shed(&mut self) {
        if self.awaited().is_some() {
            return self.lift_code(CodeEnds::Full);
        }
        let place = match self.width(self.end) > self.shape.max + segment::bound::HOLD {
            true => Some(self.choose_fitting(None)),
            false => self.choose_overflow(),
        };
        match place {
            Some(place) => self.flush(&place),
            None => self.tried = self.width(self.end) + bound::AGAIN,
        }
    }

    /// The place for a line that goes on and on: a sentence end a little
    /// further, or a little earlier, or a blank.
    fn choose_overflow(&self) -> Option<Break> {
        let held = self.text.outline.spans.outermost();
        let limit = self.start.units + bound::OVERFLOW;
        let long = self.width(self.end) >= bound::OVERFLOW + bound::AHEAD + bound::AGAIN;
        let forced = || self.force(limit, self.end.at, true).filter(|_| long);
        let place = self.search_overflow(held);
        let place = place.or_else(|| held.and_then(|_| self.search_overflow(None)));
        Some(place.or_else(forced)?.because(Reason::Overflow))
    }

    fn search_overflow(&self, held: Option<usize>) -> Option<Break> {
        let usable = |place: &Break| {
            place.end.at > self.start.at
                && held.is_none_or(|at| place.end.at <= at)
                && !self.text.outline.spans.is_inside(place.end.at)
        };
        let (target, ahead) = (bound::OVERFLOW, bound::OVERFLOW + bound::AHEAD);
        // A sentence end, or else a blank.
        let mut late: [Option<Break>; 2] = [None; 2];
        let mut early: [Option<Break>; 2] = [None; 2];
        let mut far = None;
        for place in self.breaks_back(self.end).filter(usable) {
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
    pub(super) fn force(&self, limit: usize, known: usize, whole: bool) -> Option<Break> {
        let outline = &self.text.outline;
        let blocks = outline.blocks.iter();
        let near = blocks.filter(|block| self.point(block.start).units < limit);
        let shells = near.filter_map(|block| self.shell(block.code.as_ref()?));
        let tail = shells.map(|(_, shut)| units(shut) + 1).max().unwrap_or(0);
        let limit = limit.saturating_sub(tail);
        let mut at = self.walk(limit, known);
        let mut breaks = self.breaks_back(self.point_at(limit));
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
            None => at = step_back(&outline.text, anchor, at),
        }
        (at > self.start.at).then(|| self.break_forced(at, known))
    }

    /// The last resort: at least one character.
    pub(super) fn force_char(&self, limit: usize, known: usize) -> Break {
        let mut at = self.walk(limit, known);
        if at == self.start.at {
            let text = &self.text.outline.text;
            let first = text.char_at(at).map_or(1, char::len_utf8);
            let room = limit - self.start.units;
            at = text.reach(at, text.end(), room).max(at + first);
        }
        self.break_forced(at, known)
    }

    /// A break where there is neither a blank nor a sign, or at line ends that
    /// are no break of their own.
    fn break_forced(&self, at: usize, known: usize) -> Break {
        let mut joints = self.joints.iter();
        let around = joints.find(|joint| {
            let end = joint.place.end.at;
            end < at && at <= joint.resume && end > self.start.at
        });
        let end = around.map_or(at, |joint| joint.place.end.at);
        let rest = self.text.outline.text.slice(end, known.max(end));
        let next = match self.text.outline.code_at(end) {
            Some(_) => end,
            None => end + rest.len() - rest.trim_start().len(),
        };
        self.place(end, next, Rank::Never)
    }

    /// The last place between two graphemes up to `limit`.
    fn walk(&self, limit: usize, known: usize) -> usize {
        let (before, end) = self.line_at(limit);
        let from = before.map_or(self.start, Joint::resumed);
        if let Some(before) = before.filter(|_| from.units > limit) {
            return before.place.end.at;
        }
        let text = &self.text.outline.text;
        let line = text.slice(from.at, end.at.min(known));
        let room = limit.saturating_sub(from.units);
        let at = text.reach(from.at, from.at + line.len(), room) - from.at;
        let mut cursor = GraphemeCursor::new(at, line.len(), true);
        from.at
            + match cursor.is_boundary(line, 0) {
                Ok(false) => cursor.prev_boundary(line, 0).ok().flatten().unwrap_or(0),
                _ => at,
            }
    }
}

/// Moves a cut out of a short word and away from a closing sign.
fn step_back(text: &TextWindow<'_>, from: usize, at: usize) -> usize {
    let letter = |c: char| c.is_alphabetic() && !is_unspaced(c);
    let joined = |before: &str, after: Option<char>| {
        after.is_some_and(|c| is_closer(c) || letter(c) && before.ends_with(letter))
    };
    let mut after = text.char_at(at);
    let mut end = at;
    let graphemes = text.slice(from, at).grapheme_indices(true).rev();
    for (index, grapheme) in graphemes.take(STEPS) {
        if !joined(grapheme, after) {
            return end;
        }
        after = grapheme.chars().next();
        end = from + index;
    }
    at
}
