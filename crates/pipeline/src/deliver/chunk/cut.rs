//! Cutting what is too long where it hurts least.

use super::super::Degree;
use super::super::explain::Reason;
use super::super::table;
use super::{Break, Chunker, Rank, bound, units};

impl Chunker<'_> {
    /// Cuts until what is gathered up to `end` fits a message.
    pub(super) fn fit(&mut self, end: usize, end_units: usize) {
        loop {
            let tail = match self.is_cut_at(end) {
                true => units(&self.closing_at(end)),
                false => 0,
            };
            if self.width(end_units) + tail <= self.shape.max || self.start >= end {
                return;
            }
            let place = self.choose_fitting(Some((end, end_units)));
            self.say(&place);
        }
    }

    /// The length of a message that ends at `end_units`.
    #[inline]
    pub(super) fn width(&self, end_units: usize) -> usize {
        let prefix = match self.prefix.is_empty() {
            true => 0,
            false => units(&self.prefix),
        };
        end_units.saturating_sub(self.start_units) + prefix
    }

    /// How many bytes may surely be gathered before [`overflow`](Self::overflow)
    /// acts.
    #[inline]
    pub(super) fn room(&self) -> usize {
        let most = if self.may_overflow() {
            bound::OVERFLOW + bound::AHEAD
        } else {
            self.shape.max + bound::HOLD + 1
        };
        most.saturating_sub(self.width(self.end_units))
    }

    /// Whether a long line is given out in parts.
    const fn may_overflow(&self) -> bool {
        self.shape.live
            && !matches!(self.shape.degree, Degree::Whole)
            && self.shape.max >= bound::OVERFLOW + bound::AHEAD
    }

    /// Gives out what is too long to wait for its end.
    #[inline]
    pub(super) fn overflow(&mut self) {
        if self.room() == 0 {
            self.cut_overflow();
        }
    }

    fn cut_overflow(&mut self) {
        while self.room() == 0 {
            let width = self.width(self.end_units);
            let open = self.keeps.back().filter(|keep| keep.is_open());
            if let Some(keep) = open {
                let length = self.end_units - keep.start_units;
                let lifted = self.shape.tables && keep.code.is_none();
                if keep.start > self.start && length <= self.shape.max
                    || lifted && self.end - keep.start <= table::MAX_BYTES
                {
                    return;
                }
            }
            let place = if width > self.shape.max + bound::HOLD {
                self.choose_fitting(None)
            } else if self.may_overflow()
                && width >= bound::OVERFLOW + bound::AHEAD
                && open.is_none()
            {
                match self.choose_overflow() {
                    Some(place) => place,
                    None => return,
                }
            } else {
                return;
            };
            self.flush(&place);
        }
    }

    /// The place for a line that goes on and on: a sentence end a little
    /// further, or a little earlier, or a blank.
    fn choose_overflow(&self) -> Option<Break> {
        let held = self.spans.outermost();
        let found = self.search_overflow(held);
        let mut place = match (found, held) {
            (None, Some(_)) => self.search_overflow(None),
            (found, _) => found,
        }
        .or_else(|| {
            let limit = self.start_units + bound::OVERFLOW;
            self.force(limit, self.end, true)
        })?;
        place.reason = Reason::Overflow;
        Some(place)
    }

    fn search_overflow(&self, held: Option<usize>) -> Option<Break> {
        let length = |place: &Break| place.end_units - self.start_units;
        let usable = |place: &Break| {
            place.end > self.start
                && held.is_none_or(|at| place.end <= at)
                && !self.spans.is_inside(place.end)
        };
        let (target, ahead) = (bound::OVERFLOW, bound::OVERFLOW + bound::AHEAD);
        let back = target - bound::BACK;
        // A sentence end, or else a blank.
        let mut late: [Option<Break>; 2] = [None; 2];
        let mut early: [Option<Break>; 2] = [None; 2];
        let mut far = None;
        for place in self.breaks.back_from(usize::MAX, &self.text).filter(usable) {
            let sort = usize::from(place.rank < Rank::Sentence);
            match length(&place) {
                at if at >= ahead => far = Some(place),
                at if at >= target => late[sort] = Some(place),
                _ if late[0].is_some() || early[0].is_some() => break,
                at if at >= back => {
                    early[sort].get_or_insert(place);
                }
                _ if late[1].is_some() || early[1].is_some() => break,
                at if at >= bound::PIECE => return Some(place),
                _ => break,
            }
        }
        late[0].or(early[0]).or(early[1]).or(late[1]).or(far)
    }

    /// The best place to cut a message that would be too long, such that what
    /// must be closed there fits too. Where `end` is given, the text is known
    /// up to there.
    fn choose_fitting(&self, end: Option<(usize, usize)>) -> Break {
        let mut spare = 0;
        loop {
            let place = self.choose(end, spare);
            let width = self.width(place.end_units) + units(&self.closing_at(place.end));
            if width <= self.shape.max || spare >= self.shape.max / 2 {
                return place;
            }
            spare += width - self.shape.max;
        }
    }

    fn choose(&self, end: Option<(usize, usize)>, spare: usize) -> Break {
        let max = self.shape.max;
        let room = max.saturating_sub(units(&self.prefix) + spare).max(1);
        let limit = self.start_units + room;
        if let Some(place) = self.before_keep(limit) {
            return place;
        }
        let even = (max / 2).saturating_sub(self.last_units);
        let low = bound::PIECE.min(max / 4).max(even) + self.start_units;
        let usable =
            |place: &Break| place.end > self.start && end.is_none_or(|(end, _)| place.end < end);
        // What closes a code block is never longer than this.
        let surely = limit.saturating_sub(max / 4 + 1);
        let fits = |place: &Break| {
            place.end_units <= surely || place.end_units + self.code_tail(place.end) <= limit
        };
        let good = |place: &&Break| usable(place) && !self.spans.is_inside(place.end);
        let (early, late) = self.breaks.noted_up_to(surely);
        let mut line: Option<Break> = None;
        let mut beyond = None;
        for place in late.filter(good) {
            if !fits(place) {
                beyond = Some(*place);
                break;
            }
            if place.end_units >= low && place.rank >= line.map_or(Rank::Line, |best| best.rank) {
                line = Some(*place);
            }
        }
        for place in early.rev().take_while(|place| place.end_units >= low) {
            let best = line.map_or(Rank::Sentence, |best| best.rank);
            if best == Rank::Paragraph {
                break;
            }
            if place.rank > best && good(&place) {
                line = Some(*place);
            }
        }
        if let Some(place) = line {
            return place;
        }
        let mut word = None;
        let mut small = None;
        let mut inner = None;
        let fitting =
            |place: &Break| fits(place) && beyond.is_none_or(|beyond| place.end < beyond.end);
        let places = self.breaks.back_from(limit, &self.text);
        for place in places.filter(usable).filter(fitting) {
            if self.spans.is_inside(place.end) {
                inner.get_or_insert(place);
            } else if place.end_units < low {
                if word.is_some() {
                    break;
                }
                small.get_or_insert(place);
            } else if place.rank == Rank::Sentence {
                return place;
            } else {
                word.get_or_insert(place);
            }
        }
        if let Some(place) = word {
            return place;
        }
        let following = self
            .breaks
            .back_from(usize::MAX, &self.text)
            .take_while(|place| place.end_units > limit)
            .filter(|place| usable(place) && !self.spans.is_inside(place.end))
            .chain(beyond)
            .map(|place| place.end_units)
            .min()
            .or(end.map(|(_, units)| units));
        if let (Some(small), Some(following)) = (small, following)
            && following - small.next_units <= room
        {
            return small;
        }
        let known = end.map_or(self.end, |(end, _)| end);
        inner
            .filter(|place| place.end_units >= low)
            .or_else(|| self.force(limit, known, false))
            .or(inner)
            .or(small)
            .unwrap_or_else(|| self.force_char(limit, known))
    }

    /// What closing a code block at `at` costs.
    fn code_tail(&self, at: usize) -> usize {
        self.keeps
            .iter()
            .find_map(|keep| keep.code_at(at))
            .and_then(|code| self.shell(code))
            .map_or(0, |(_, shut)| units(shut) + 1)
    }

    /// The last break before a block that lies across `limit` and fits the
    /// next message whole.
    fn before_keep(&self, limit: usize) -> Option<Break> {
        let keep = self.keeps.iter().find(|keep| {
            let end = keep.end.map_or(self.end_units, |(_, units)| units);
            keep.start > self.start
                && keep.start_units < limit
                && end > limit
                && end - keep.start_units <= self.shape.max
        })?;
        self.breaks
            .back_from(keep.start_units, &self.text)
            .find(|place| place.next <= keep.start && place.end > self.start)
            .map(|place| Break {
                reason: Reason::Limit,
                ..place
            })
    }
}
