//! Putting messages together.

use std::borrow::Cow;

use super::super::Degree;
use super::super::edit::Rule;
use super::super::explain::Reason;
use super::super::scan::Marker;
use super::super::segment::{CodeBlock, Outline, Rank, Segmenter, forget_front, is_orphan};
use super::{Break, Joint, Packed, Packer, units};

impl Joint {
    /// Whether it lies in a message that ends at `end`.
    fn is_within(&self, end: usize) -> bool {
        let at = self.place.end.at;
        at < end || at == end && self.resume == end && !self.with.is_empty()
    }
}

impl<'t> Packer<'t> {
    /// Gives out everything up to `place`, in as many messages as it takes.
    pub(super) fn flush(&mut self, place: &Break, text: &mut Segmenter<'t>) {
        if !self.lift_table(place, text) {
            self.fit(place.end, text);
            self.say(place, text);
        }
        // A text that is not given out yet may turn out to be a thought.
        if self.shape.degree != Degree::Whole {
            text.forget(self.start.at);
        }
    }

    /// What is left when the text is over.
    pub(super) fn finish_last(&mut self, text: &mut Segmenter<'t>) {
        let end = self.end.at.max(self.start.at);
        let rest = text.outline.text.slice(self.start.at, end);
        let held = rest.trim();
        if self.prefix.is_empty() && is_orphan(held) {
            let stop = matches!(held, "." | "..");
            if self.shape.drops_stops && stop && self.shape.degree != Degree::Whole {
                let rule = Reason::Rule(Rule::StrayStop);
                self.output.note(self.start.at, rule, rest, "");
                let blank = text.outline.text.rest(end);
                self.output.note(end, Reason::Spacing, blank, "");
                return;
            }
            let room = self.shape.max.saturating_sub(units(held) + 1);
            if !self.shape.live
                && let Some(Packed::Say(last)) = self.output.ready.last_mut()
                && units(last) <= room
            {
                let last = last.to_mut();
                last.push('\n');
                last.push_str(held);
                self.output.rejoin();
                let lead = rest.len() - rest.trim_start().len();
                if lead > 0 {
                    self.output
                        .note(self.start.at, Reason::Spacing, &rest[..lead], "");
                }
                let after = self.start.at + lead + held.len();
                let blank = text.outline.text.rest(after);
                self.output.note(after, Reason::End, blank, "");
                return;
            }
        }
        let mut next = self.end;
        next.at = text.outline.text.end();
        self.end.at = end;
        let place = Break::new(self.end, next, Rank::Paragraph, Reason::End);
        self.flush(&place, text);
    }

    /// Makes one message of what was gathered up to `place`.
    pub(super) fn say(&mut self, place: &Break, text: &mut Segmenter<'t>) {
        let outline = &text.outline;
        if self.says_something(place.end.at, outline) {
            let message = self.compose(place.end.at, outline);
            self.last_units = units(&message);
            self.output.ready.push(Packed::Say(message));
            let removed = outline.text.slice(place.end.at, place.next.at);
            self.output.note(place.end.at, place.reason, removed, "");
        } else {
            let blank = outline.text.slice(self.start.at, place.next.at);
            self.output.note(self.start.at, Reason::Spacing, blank, "");
        }
        self.prefix = self.reopening_at(place, outline);
        self.begin_after(place, text);
    }

    /// What is gathered next begins after `place`.
    pub(super) fn begin_after(&mut self, place: &Break, text: &mut Segmenter<'t>) {
        self.start = place.next;
        self.tried = 0;
        if self.end.at < self.start.at {
            self.end = self.start;
        }
        let start = self.start.at;
        forget_front(&mut self.joints, |joint| joint.resume <= start);
        text.outline.forget(start);
    }

    /// Whether a message up to `end` would be more than blanks.
    fn says_something(&self, end: usize, outline: &Outline<'_>) -> bool {
        let mut within = self.joints.iter().take_while(|joint| joint.is_within(end));
        !outline.text.slice(self.start.at, end).trim().is_empty()
            || within.any(|joint| !joint.with.trim().is_empty())
            || !self.closing_at(end, outline).is_empty()
    }

    /// Puts a message together: a part of the text, if nothing differs.
    fn compose(&mut self, end: usize, outline: &Outline<'t>) -> Cow<'t, str> {
        let (text, start) = (&outline.text, self.start.at);
        let closing = self.closing_at(end, outline);
        let kept = match closing.is_empty() {
            true => self.trimmed(end, outline),
            false => end,
        };
        let mut message = std::mem::take(&mut self.prefix);
        if !message.is_empty() {
            self.output.note(start, Reason::Reopened, "", &message);
        }
        let mut at = start;
        for joint in self.joints.iter().take_while(|joint| joint.is_within(kept)) {
            let from = joint.place.end.at;
            let written = text.slice(from, joint.resume);
            if from >= at && written != joint.with {
                message.push_str(text.slice(at, from));
                message.push_str(&joint.with);
                self.output.note(from, joint.reason, written, &joint.with);
                at = joint.resume;
            }
        }
        if kept < end {
            let blank = text.slice(kept, end);
            self.output.note(kept, Reason::Spacing, blank, "");
        }
        if message.is_empty() && closing.is_empty() {
            return text.part(at, kept.max(at));
        }
        if !closing.is_empty() {
            self.output.note(end, Reason::Closed, "", &closing);
        }
        message.push_str(text.slice(at, kept.max(at)));
        message.push_str(&closing);
        message.into()
    }

    /// Where the text up to `end` ends without the blanks after it. These stay
    /// if something is put in among them.
    fn trimmed(&self, end: usize, outline: &Outline<'_>) -> usize {
        let said = outline.text.slice(self.start.at, end);
        let kept = self.start.at + said.trim_end().len();
        let within = self.joints.iter().filter(|joint| joint.is_within(end));
        let mut last = within.filter(|joint| joint.place.end.at >= kept);
        let filled = last.any(|joint| !joint.with.trim().is_empty());
        if filled { end } else { kept }
    }

    /// What must be put at the end of a message that is cut at `at`.
    pub(super) fn closing_at(&self, at: usize, outline: &Outline<'_>) -> String {
        let shell = outline.code_at(at).and_then(|code| self.shell(code));
        let mut closing = shell.map_or(String::new(), |(_, shut)| format!("\n{shut}"));
        closing.extend(self.markers_at(at, outline).into_iter().rev());
        closing
    }

    /// What must be put before the message that goes on after `place`.
    fn reopening_at(&self, place: &Break, outline: &Outline<'_>) -> String {
        let code = outline.code_at(place.end.at);
        let code = code.filter(|code| place.next.at > code.body);
        if let Some((open, _)) = code.and_then(|code| self.shell(code)) {
            return format!("{open}\n");
        }
        let inline = matches!(place.rank, Rank::Word | Rank::Sentence);
        let mut opening = match outline.marker_at(place.end.at).filter(|_| inline) {
            Some(Marker::Quote) => "> ".to_owned(),
            Some(Marker::Heading) => "# ".to_owned(),
            Some(Marker::Subtext) => "-# ".to_owned(),
            Some(Marker::Item) | None => String::new(),
        };
        // Code and tables would be none after an emphasis.
        let mut blocks = outline.blocks.iter();
        if !blocks.any(|block| block.start == place.next.at) {
            opening.extend(self.markers_at(place.end.at, outline));
        }
        opening
    }

    /// The markers that are open at `at`, unless they would fill a message.
    fn markers_at(&self, at: usize, outline: &Outline<'_>) -> Vec<&'static str> {
        let mut markers = outline.spans.markers_at(at);
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
