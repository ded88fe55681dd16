//! Putting messages together.

use std::borrow::Cow;

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{CodeBlock, Rank, forget_front, is_orphan};
use super::{Break, Packed, Packer, Point, units};

impl<'t> Packer<'t> {
    /// Gives out everything up to `place`, in as many messages as it takes.
    pub(super) fn flush(&mut self, place: &Break) {
        if !self.lift_table(place) {
            self.fit(place.end);
            self.say(place);
        }
        // A text that is not given out yet may turn out to be a thought.
        if self.shape.degree != Degree::Whole {
            self.text.forget(self.start.at);
        }
    }

    /// What is left when the text is over.
    pub(super) fn finish_last(&mut self) {
        let (text, start) = (&self.text.outline.text, self.start.at);
        let (end, over) = (self.end.at.max(start), text.end());
        let rest = text.slice(start, end);
        let held = rest.trim();
        if self.prefix.is_empty() && is_orphan(held) {
            let stop = matches!(held, "." | "..");
            if self.shape.live && stop && self.shape.degree != Degree::Whole {
                self.note(start..end, Reason::StrayStop, "");
                return self.note(end..over, Reason::Spacing, "");
            }
            let room = self.shape.max.saturating_sub(units(held) + 1);
            if !self.shape.live
                && let Some((Packed::Say(last), _)) = self.output.ready.last_mut()
                && units(last) <= room
            {
                *last.to_mut() += &format!("\n{held}");
                self.output.rejoin();
                let begin = end - rest.trim_start().len();
                let after = begin + held.len();
                self.note(start..begin, Reason::Spacing, "");
                return self.note(after..over, Reason::End, "");
            }
        }
        let next = Point::new(over, self.end.units);
        self.end.at = end;
        let place = Break::new(self.end, next, Rank::Paragraph);
        self.flush(&place.because(Reason::End));
    }

    /// Makes one message of what was gathered up to `place`.
    pub(super) fn say(&mut self, place: &Break) {
        if self.says_something(place.end.at) {
            let message = self.compose(place.end.at);
            let width = self.text.outline.text.units_of(&message);
            self.output.push(Packed::Say(message), Some(width));
            self.note(place.end.at..place.next.at, place.reason, "");
        } else {
            self.note(self.start.at..place.next.at, Reason::Spacing, "");
        }
        self.prefix = self.reopening_at(place);
        self.begin_after(place);
    }

    /// What is gathered next begins after `place`.
    pub(super) fn begin_after(&mut self, place: &Break) {
        self.start = place.next;
        self.tried = 0;
        if self.end.at < self.start.at {
            self.end = self.start;
        }
        let start = self.start.at;
        forget_front(&mut self.joints, |joint| joint.resume <= start);
        self.text.outline.forget(start);
    }

    /// Whether a message up to `end` would be more than blanks.
    fn says_something(&self, end: usize) -> bool {
        let said = self.text.outline.text.slice(self.start.at, end);
        let mut within = self.joints.iter().take_while(|joint| joint.is_within(end));
        !said.trim().is_empty()
            || within.any(|joint| !joint.with.trim().is_empty())
            || !self.closing_at(end).is_empty()
    }

    /// Puts a message together: a part of the text, if nothing differs.
    fn compose(&mut self, end: usize) -> Cow<'t, str> {
        let closing = self.closing_at(end);
        let kept = match closing.is_empty() {
            true => self.trimmed(end),
            false => end,
        };
        let mut message = std::mem::take(&mut self.prefix);
        let mut at = self.start.at;
        self.note(at..at, Reason::Reopened, &message);
        let (text, output) = (&self.text.outline.text, &mut self.output);
        for joint in self.joints.iter().take_while(|joint| joint.is_within(kept)) {
            let from = joint.place.end.at;
            let written = text.slice(from, joint.resume);
            if from >= at && written != joint.with {
                message.push_str(text.slice(at, from));
                message.push_str(&joint.with);
                output.note(text, from..joint.resume, joint.reason, &joint.with);
                at = joint.resume;
            }
        }
        output.note(text, kept..end, Reason::Spacing, "");
        output.note(text, end..end, Reason::Closed, &closing);
        if message.is_empty() && closing.is_empty() {
            return text.part(at, kept.max(at));
        }
        message.push_str(text.slice(at, kept.max(at)));
        message.push_str(&closing);
        message.into()
    }

    /// Where the text up to `end` ends without the blanks after it. These stay
    /// if something is put in among them.
    fn trimmed(&self, end: usize) -> usize {
        let said = self.text.outline.text.slice(self.start.at, end);
        let kept = self.start.at + said.trim_end().len();
        let within = self.joints.iter().filter(|joint| joint.is_within(end));
        let mut last = within.filter(|joint| joint.place.end.at >= kept);
        let filled = last.any(|joint| !joint.with.trim().is_empty());
        if filled { end } else { kept }
    }

    /// What must be put at the end of a message that is cut at `at`.
    pub(super) fn closing_at(&self, at: usize) -> String {
        let code = self.text.outline.code_at(at);
        let shell = code.and_then(|code| self.shell(code));
        let mut closing = shell.map_or(String::new(), |(_, shut)| format!("\n{shut}"));
        closing.extend(self.markers_at(at).into_iter().rev());
        closing
    }

    /// What must be put before the message that goes on after `place`.
    fn reopening_at(&self, place: &Break) -> String {
        let code = self.text.outline.code_at(place.end.at);
        let code = code.filter(|code| place.next.at > code.body);
        if let Some((open, _)) = code.and_then(|code| self.shell(code)) {
            return format!("{open}\n");
        }
        let inline = matches!(place.rank, Rank::Word | Rank::Sentence);
        let marker = self.text.outline.marker_at(place.end.at);
        let mut opening = String::from(if inline { marker } else { "" });
        // Code and tables would be none after an emphasis.
        let mut blocks = self.text.outline.blocks.iter();
        if !blocks.any(|block| block.start == place.next.at) {
            opening.extend(self.markers_at(place.end.at));
        }
        opening
    }

    /// The markers that are open at `at`, unless they would fill a message.
    fn markers_at(&self, at: usize) -> Vec<&'static str> {
        let mut markers = self.text.outline.spans.markers_at(at);
        let width: usize = markers.iter().map(|marker| marker.len()).sum();
        if width > self.shape.max / 8 {
            markers.clear();
        }
        markers
    }

    /// How a code block is opened and closed again: as it was written, or
    /// without its info string where that would fill half a message, or not at
    /// all.
    pub(super) fn shell<'a>(&self, code: &'a CodeBlock) -> Option<(&'a str, &'a str)> {
        let half = self.shape.max / 2;
        let shut = units(&code.closing);
        let whole = units(&code.opening) + shut + 2 <= half;
        let open = if whole { &code.opening } else { &code.closing };
        (whole || 2 * shut + 2 <= half).then_some((open, &code.closing))
    }
}
