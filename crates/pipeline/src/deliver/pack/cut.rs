//! Cutting what is too long where it hurts least.

use super::super::explain::Reason;
use super::super::segment::{Rank, is_blank};
use super::{Break, Joint, Packer, Point, bound, units};

impl Packer<'_> {
    /// Cuts until what is gathered up to `end` fits a message.
    pub(super) fn fit(&mut self, end: Point) {
        loop {
            let tail = units(&self.closing_at(end.at));
            if self.width(end) + tail <= self.shape.max || self.start.at >= end.at {
                return;
            }
            let place = self.choose_fitting(Some(end));
            self.say(&place);
        }
    }

    /// The length of a message that ends at `end`.
    #[inline]
    pub(super) fn width(&self, end: Point) -> usize {
        let prefix = match self.prefix.is_empty() {
            true => 0,
            false => units(&self.prefix),
        };
        end.units.saturating_sub(self.start.units) + prefix
    }

    /// All breaks, last first, from those at `from` on.
    pub(super) fn breaks_back(&self, from: Point) -> impl Iterator<Item = Break> {
        let outline = &self.text.outline;
        let back = |from: Point, at| Point::new(at, from.units - outline.text.units(at, from.at));
        let is_before = |joint: &Joint| joint.place.end.at <= from.at;
        let mut joints = self.joints.partition_point(is_before);
        let mut at = from;
        std::iter::from_fn(move || {
            loop {
                let joint = joints.checked_sub(1).map(|last| &self.joints[last].place);
                let floor = joint.map_or(self.start, |joint| joint.next);
                if at.at > floor.at
                    && let Some((end, next, rank)) = outline.find_back(at.at, floor.at)
                {
                    let next = back(at, next);
                    let end = back(next, end);
                    let sign = outline.text.char_before(end.at).filter(|_| end == next);
                    at = back(end, end.at - sign.map_or(0, char::len_utf8));
                    return Some(Break::new(end, next, rank));
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

    /// What lies before the line that is so many units into the text, and where
    /// that line ends.
    pub(super) fn line_at(&self, limit: usize) -> (Option<&Joint>, Point) {
        let is_within = |joint: &Joint| joint.place.end.units <= limit;
        let after = self.joints.partition_point(is_within);
        let before = after.checked_sub(1).map(|last| &self.joints[last]);
        let end = self.joints.get(after);
        (before, end.map_or(self.end, |joint| joint.place.end))
    }

    /// The place so many units into the text, or past the blanks there.
    pub(super) fn point_at(&self, limit: usize) -> Point {
        let (before, end) = self.line_at(limit);
        let from = before.map_or(self.start, |joint| joint.place.next);
        if from.units >= limit || end.at <= from.at {
            return from;
        }
        let text = &self.text.outline.text;
        let at = text.reach(from.at, end.at, limit - from.units);
        let rest = text.slice(at, end.at).trim_start_matches(is_blank);
        self.point(end.at - rest.len())
    }

    /// The best place to cut a message that would be too long, such that what
    /// must be closed there fits too. Where `end` is given, the text is known
    /// up to there.
    pub(super) fn choose_fitting(&self, end: Option<Point>) -> Break {
        let mut spare = 0;
        loop {
            let place = self.choose(end, spare);
            let width = self.width(place.end) + units(&self.closing_at(place.end.at));
            if width <= self.shape.max || spare >= self.shape.max / 2 {
                return place;
            }
            spare += width - self.shape.max;
        }
    }

    fn choose(&self, end: Option<Point>, spare: usize) -> Break {
        let max = self.shape.max;
        let room = max.saturating_sub(units(&self.prefix) + spare).max(1);
        let limit = self.start.units + room;
        if let Some(place) = self.before_block(limit) {
            return place;
        }
        let even = (max / 2).saturating_sub(self.output.last_units.unwrap_or(max));
        let low = bound::PIECE.min(max / 4).max(even) + self.start.units;
        let usable = |place: &Break| {
            place.end.at > self.start.at && end.is_none_or(|end| place.end.at < end.at)
        };
        let fits = |place: &Break| place.end.units + self.code_tail(place.end.at) <= limit;
        let inside = |place: &Break| self.text.outline.spans.is_inside(place.end.at);
        let good = |place: &Break| usable(place) && !inside(place);
        let joints = self.joints.iter().map(|joint| joint.place);
        let joints = joints.filter(|place| place.rank > Rank::Never && good(place));
        let lines = joints.clone().take_while(fits);
        let lines = lines.filter(|place| place.end.units >= low);
        if let Some(last_of_best) = lines.max_by_key(|place| place.rank) {
            return last_of_best;
        }
        let beyond = joints.clone().find(|place| !fits(place));
        let within = |place: &Break| beyond.is_none_or(|far| place.end.at < far.end.at);
        let places = self.breaks_back(self.point_at(limit));
        let places = places.filter(|place| usable(place) && fits(place) && within(place));
        let found = search_line(places, inside, low);
        if let Some(place) = found.word {
            return place;
        }
        let after = self.breaks_back(self.end);
        let after = after.take_while(|place| place.end.units > limit);
        let following = after
            .filter(good)
            .chain(beyond)
            .map(|place| place.end.units)
            .min();
        let following = following.or(end.map(|end| end.units));
        if let (Some(small), Some(following)) = (found.small, following)
            && following - small.next.units <= room
        {
            return small;
        }
        let known = end.map_or(self.end.at, |end| end.at);
        let inner = found.inner.filter(|place| place.end.units >= low);
        inner
            .or_else(|| self.force(limit, known, false))
            .or(found.inner)
            .or(found.small)
            .unwrap_or_else(|| self.force_char(limit, known))
    }

    /// What closing a code block at `at` costs.
    fn code_tail(&self, at: usize) -> usize {
        let code = self.text.outline.code_at(at);
        let shell = code.and_then(|code| self.shell(code));
        shell.map_or(0, |(_, shut)| units(shut) + 1)
    }

    /// The last break before a block that lies across `limit` and fits the
    /// next message whole.
    fn before_block(&self, limit: usize) -> Option<Break> {
        let blocks = self.text.outline.blocks.iter();
        let mut later = blocks.filter(|block| block.start > self.start.at);
        let start = later.find_map(|block| {
            let start = self.point(block.start);
            let end = block.end.map_or(self.end, |end| self.point(end));
            let across = start.units < limit && end.units > limit;
            (across && end.units - start.units <= self.shape.max).then_some(start)
        })?;
        let is_before = |place: &Break| place.next.at <= start.at && place.end.at > self.start.at;
        let place = self.breaks_back(start).find(is_before)?;
        Some(place.because(Reason::Limit))
    }
}

/// What was found looking back for a place within a line.
#[derive(Default)]
struct LineSearch {
    /// The last sentence end, or else the last blank.
    word: Option<Break>,
    /// The last place that would leave little.
    small: Option<Break>,
    /// The last place within brackets or the like.
    inner: Option<Break>,
}

fn search_line(
    places: impl Iterator<Item = Break>,
    is_inside: impl Fn(&Break) -> bool,
    low: usize,
) -> LineSearch {
    let mut found = LineSearch::default();
    for place in places {
        if is_inside(&place) {
            found.inner.get_or_insert(place);
        } else if place.end.units < low {
            if found.word.is_some() {
                break;
            }
            found.small.get_or_insert(place);
        } else if place.rank == Rank::Sentence {
            found.word = Some(place);
            break;
        } else {
            found.word.get_or_insert(place);
        }
    }
    found
}
