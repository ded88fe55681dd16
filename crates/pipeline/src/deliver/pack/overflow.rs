//! Giving out what is too long to wait for its end.

use kaiwa_domain::Table;

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{self, Block, Outline, Rank, Segmenter};
use super::block::FULL;
use super::{Break, CodeEnds, Packer, bound};

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
}
