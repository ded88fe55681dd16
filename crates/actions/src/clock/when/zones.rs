//! The zone of a time.

use super::BadTiming;
use super::BadTiming::NotUnderstood;
use super::reader::{PieceTaken, TimeReader, set};
use crate::clock::zone::{BadZone, zone_at, zone_named};
use crate::spoken::{Said, SpokenPiece};

impl TimeReader<'_> {
    /// "+09:00", "+0900" behind a time.
    fn offset(&mut self) -> PieceTaken {
        let sign = match self.piece(0).map(|it| &it.said) {
            Some(Said::Sign('+')) => 1,
            Some(Said::Sign('-')) => -1,
            _ => return Ok(false),
        };
        let minutes = match (self.number(1), self.digits(1), self.number(3)) {
            (Some(both), 4, _) => both / 100 * 60 + both % 100,
            (Some(hours), 2, Some(minutes)) if self.is_sign(2, ':') => hours * 60 + minutes,
            _ => return Ok(false),
        };
        if self.heard.clock.is_none() {
            return Ok(false);
        }
        let minutes = i32::try_from(minutes).map_err(|_| NotUnderstood)?;
        let zone = zone_at(sign * minutes).ok_or(BadTiming::Zone)?;
        set(&mut self.heard.zone, zone)?;
        self.took(if self.digits(1) == 4 { 2 } else { 4 })
    }

    /// "UTC", "UTC+9", "Asia/Tokyo", "new york time".
    pub(super) fn zone(&mut self) -> PieceTaken {
        let Some(first) = self.word(0) else {
            return self.offset();
        };
        let sign = match self.piece(1).map(|it| &it.said) {
            Some(Said::Sign('+')) => 1,
            Some(Said::Sign('-')) => -1,
            _ => 0,
        };
        let number = |ahead: usize| self.piece(ahead).and_then(SpokenPiece::number);
        if let ("utc" | "gmt", true, Some(hours)) = (first, sign != 0, number(2)) {
            let minutes = number(4).filter(|_| self.is_sign(3, ':'));
            let used = if minutes.is_some() { 5 } else { 3 };
            let total = hours
                .checked_mul(60)
                .and_then(|it| it.checked_add(minutes.unwrap_or(0)));
            let total = total
                .and_then(|it| i32::try_from(it).ok())
                .ok_or(NotUnderstood)?;
            let zone = zone_at(sign * total).ok_or(BadTiming::Zone)?;
            set(&mut self.heard.zone, zone)?;
            return self.took(used);
        }
        // Longer names before those that they begin with.
        let mut names = vec![(first.to_owned(), 1)];
        for ahead in 1..8 {
            let Some(piece) = self.piece(ahead) else {
                break;
            };
            let Some((name, _)) = names.last() else { break };
            let name = match &piece.said {
                Said::Sign(sign @ ('/' | '_' | '-')) if piece.glued => format!("{name}{sign}"),
                Said::Word(word) if name.ends_with(['/', '_', '-']) => format!("{name}{word}"),
                Said::Word(word) => format!("{name} {word}"),
                _ => break,
            };
            names.push((name, ahead + 1));
        }
        for (name, used) in names.into_iter().rev() {
            match zone_named(&name) {
                Ok(zone) => {
                    set(&mut self.heard.zone, zone)?;
                    let time = usize::from(self.word(used) == Some("time"));
                    return self.took(used + time);
                }
                Err(BadZone::Ambiguous(_)) => return Err(BadTiming::Zone),
                Err(BadZone::Unknown(_)) => {}
            }
        }
        Ok(false)
    }
}
