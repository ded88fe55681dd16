//! Cutting what is too long where it hurts least.

use kaiwa_domain::Table;

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{self, Block, Outline, Rank, Segmenter};
use super::boundary::reason_of;
use super::{Break, Packer, Point, bound, units};

impl<'t> Packer<'t> {
    /// Cuts until what is gathered up to `end` fits a message.
    pub(super) fn fit(&mut self, end: Point, text: &mut Segmenter<'t>) {
        loop {
            let tail = units(&self.closing_at(end.at, &text.outline));
            if self.width(end) + tail <= self.shape.max || self.start.at >= end.at {
                return;
            }
            let place = self.choose_fitting(Some(end), &text.outline);
            self.say(&place, text);
        }
    }

    /// The length of a message that ends at `end`.
    #[inline]
    pub(super) fn width(&self, end: Point) -> usize {
        end.units.saturating_sub(self.start.units) + units(&self.prefix)
    }

    /// How many units may be gathered before [`overflow`](Self::overflow) acts.
    #[inline]
    pub(super) fn room(&self, outline: &Outline<'_>) -> usize {
        let within = |block: &&Block| block.end.is_none_or(|end| end >= self.end.at);
        let most = match outline.blocks.back().filter(within) {
            Some(block) => {
                let most = self.shape.max + segment::bound::HOLD + 1;
                if block.start <= self.start.at {
                    most
                } else if block.code.is_none() && self.shape.tables {
                    // A table that is lifted out is waited for.
                    most.max(
                        self.point(block.start, outline).units - self.start.units
                            + Table::MAX_BYTES
                            + 1,
                    )
                } else {
                    let before = self.width(self.point(block.start, outline));
                    most.max(before + self.shape.max + 1)
                }
            }
            None if self.may_overflow() => bound::OVERFLOW + bound::AHEAD,
            None => self.shape.max + segment::bound::HOLD + 1,
        };
        most.max(self.tried).saturating_sub(self.width(self.end))
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

    /// All breaks, last first, from those at `from` on.
    pub(super) fn breaks_back<'a>(
        &'a self,
        from: Point,
        outline: &'a Outline<'t>,
    ) -> impl Iterator<Item = Break> + 'a {
        let mut joints = self
            .joints
            .partition_point(|joint| joint.place.end.at <= from.at);
        let mut at = from;
        std::iter::from_fn(move || {
            loop {
                let joint = joints.checked_sub(1).map(|last| &self.joints[last].place);
                let floor = joint.map_or(self.start, |joint| joint.next);
                if at.at > floor.at
                    && let Some(found) = outline.find_back(at.at, floor.at)
                {
                    let count = |from, to| units(outline.text.slice(from, to));
                    let next = Point {
                        at: found.next,
                        units: at.units - count(found.next, at.at),
                    };
                    let end = Point {
                        at: found.end,
                        units: next.units - count(found.end, found.next),
                    };
                    at = end;
                    if end == next
                        && let Some(sign) = outline.text.char_before(end.at)
                    {
                        at.at -= sign.len_utf8();
                        at.units -= sign.len_utf16();
                    }
                    return Some(Break {
                        end,
                        next,
                        rank: found.rank,
                        reason: reason_of(found.rank),
                        marker: outline.marker_at(found.end),
                    });
                }
                let joint = *joint?;
                joints -= 1;
                at = joint.end;
                if joint.rank > Rank::Never {
                    return Some(joint);
                }
            }
        })
    }

    /// The place so many units into the text, or past the blanks there.
    pub(super) fn point_at(&self, limit: usize, outline: &Outline<'_>) -> Point {
        let after = self
            .joints
            .partition_point(|joint| joint.place.end.units <= limit);
        let from = match after.checked_sub(1) {
            Some(last) => self.joints[last].place.next,
            None => self.start,
        };
        let end = self
            .joints
            .get(after)
            .map_or(self.end, |joint| joint.place.end);
        if from.units >= limit || end.at <= from.at {
            return from;
        }
        let mut at = from;
        while at.units < limit && at.at < end.at {
            let near = (at.at + limit - at.units).min(end.at);
            let mut to = outline.text.ceil(near);
            let mut width = units(outline.text.slice(at.at, to));
            if at.units + width > limit {
                // The last character does not fit.
                let last = outline.text.char_before(to).map_or(1, char::len_utf8);
                to -= last;
                width = units(outline.text.slice(at.at, to));
                if to == at.at {
                    break;
                }
            }
            at = Point {
                at: to,
                units: at.units + width,
            };
        }
        let blanks = outline.text.slice(at.at, end.at);
        let blanks = blanks.len() - blanks.trim_start_matches(segment::is_blank).len();
        self.point(at.at + blanks, outline)
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

    /// The best place to cut a message that would be too long, such that what
    /// must be closed there fits too. Where `end` is given, the text is known
    /// up to there.
    fn choose_fitting(&self, end: Option<Point>, outline: &Outline<'t>) -> Break {
        let mut spare = 0;
        loop {
            let place = self.choose(end, spare, outline);
            let width = self.width(place.end) + units(&self.closing_at(place.end.at, outline));
            if width <= self.shape.max || spare >= self.shape.max / 2 {
                return place;
            }
            spare += width - self.shape.max;
        }
    }

    fn choose(&self, end: Option<Point>, spare: usize, outline: &Outline<'t>) -> Break {
        let max = self.shape.max;
        let room = max.saturating_sub(units(&self.prefix) + spare).max(1);
        let limit = self.start.units + room;
        if let Some(place) = self.before_block(limit, outline) {
            return place;
        }
        let even = (max / 2).saturating_sub(self.last_units);
        let low = bound::PIECE.min(max / 4).max(even) + self.start.units;
        let usable = |place: &Break| {
            place.end.at > self.start.at && end.is_none_or(|end| place.end.at < end.at)
        };
        let fits = |place: &Break| place.end.units + self.code_tail(place.end.at, outline) <= limit;
        let good = |place: &Break| usable(place) && !outline.spans.is_inside(place.end.at);
        let joints = self.joints.iter().map(|joint| joint.place);
        let joints = joints.filter(|place| place.rank > Rank::Never && good(place));
        let mut line: Option<Break> = None;
        let mut beyond = None;
        for place in joints {
            if !fits(&place) {
                beyond = Some(place);
                break;
            }
            if place.end.units >= low && place.rank >= line.map_or(Rank::Line, |best| best.rank) {
                line = Some(place);
            }
        }
        if let Some(place) = line {
            return place;
        }
        let (mut word, mut small, mut inner) = (None, None, None);
        let within =
            |place: &Break| beyond.is_none_or(|beyond: Break| place.end.at < beyond.end.at);
        let from = self.point_at(limit, outline);
        let places = self.breaks_back(from, outline);
        for place in places.filter(|place| usable(place) && fits(place) && within(place)) {
            if outline.spans.is_inside(place.end.at) {
                inner.get_or_insert(place);
            } else if place.end.units < low {
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
        let after = self
            .breaks_back(self.end, outline)
            .take_while(|place| place.end.units > limit);
        let following = after
            .filter(good)
            .chain(beyond)
            .map(|place| place.end.units);
        let following = following.min().or(end.map(|end| end.units));
        if let (Some(small), Some(following)) = (small, following)
            && following - small.next.units <= room
        {
            return small;
        }
        let known = end.map_or(self.end.at, |end| end.at);
        inner
            .filter(|place| place.end.units >= low)
            .or_else(|| self.force(limit, known, false, outline))
            .or(inner)
            .or(small)
            .unwrap_or_else(|| self.force_char(limit, known, outline))
    }

    /// What closing a code block at `at` costs.
    fn code_tail(&self, at: usize, outline: &Outline<'_>) -> usize {
        let mut blocks = outline.blocks.iter();
        let code = blocks.find_map(|block| block.code_at(at));
        let shell = code.and_then(|code| self.shell(code));
        shell.map_or(0, |(_, shut)| units(shut) + 1)
    }

    /// The last break before a block that lies across `limit` and fits the
    /// next message whole.
    fn before_block(&self, limit: usize, outline: &Outline<'t>) -> Option<Break> {
        let mut starts = outline
            .blocks
            .iter()
            .filter(|block| block.start > self.start.at);
        let start = starts.find_map(|block| {
            let start = self.point(block.start, outline);
            let end = block.end.map_or(self.end, |end| self.point(end, outline));
            let across = start.units < limit && end.units > limit;
            (across && end.units - start.units <= self.shape.max).then_some(start)
        })?;
        let mut places = self.breaks_back(start, outline);
        let mut place =
            places.find(|place| place.next.at <= start.at && place.end.at > self.start.at)?;
        place.reason = Reason::Limit;
        Some(place)
    }
}
