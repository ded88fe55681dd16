//! Putting messages together.

use std::borrow::Cow;

use kaiwa_domain::Outgoing;

use super::super::Degree;
use super::super::edit::Rule;
use super::super::explain::Reason;
use super::super::scan::Marker;
use super::super::table;
use super::keep::Keep;
use super::punctuation::is_orphan;
use super::{Break, Chunker, Piece, forget_front, units};

/// How much of the text before a message is kept, in bytes, to tell how a
/// sentence ended.
pub(super) const LOOK_BACK: usize = 64;

/// Room for what is put into a message, in bytes.
const SLACK: usize = 16;

/// A change to the text.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: Cow<'static, str>,
    pub(super) reason: Reason,
}

impl Edit {
    /// Whether it is made in a message that ends at `end`.
    const fn is_due(&self, end: usize) -> bool {
        self.start < end || self.start == end && self.end == end
    }
}

impl<'t> Chunker<'t> {
    /// Gives out everything up to `place`, in as many messages as it takes.
    pub(super) fn flush(&mut self, place: &Break) {
        if !self.lift_table(place) {
            self.fit(place.end, place.end_units);
            self.say(place);
        }
        while self.boundaries.front().is_some_and(|b| b.end <= self.start) {
            self.boundaries.pop_front();
        }
        self.compact();
    }

    /// What is left when the text is over.
    pub(super) fn finish_last(&mut self) {
        let end = self.end.max(self.start);
        let rest = self.text.slice(self.start, end);
        let held = rest.trim();
        if self.prefix.is_empty() && is_orphan(held) {
            let stop = matches!(held, "." | "..");
            if self.shape.drops_stops && stop && self.shape.degree != Degree::Whole {
                let rule = Reason::Rule(Rule::StrayStop);
                self.journal.note(self.start, rule, rest, "");
                self.dropped = Some(held.to_owned());
                return;
            }
            let room = self.shape.max.saturating_sub(units(held) + 1);
            if !self.shape.live
                && let Some(Piece::Say(last)) = self.ready.last_mut()
                && units(last) <= room
            {
                let last = last.to_mut();
                last.push('\n');
                last.push_str(held);
                self.journal.rejoin("\n");
                let lead = rest.len() - rest.trim_start().len();
                if lead > 0 {
                    let blank = &rest[..lead];
                    self.journal.note(self.start, Reason::Spacing, blank, "");
                }
                let after = self.start + lead + held.len();
                let blank = self.text.rest(after);
                self.journal.note(after, Reason::End, blank, "");
                return;
            }
        }
        let place = Break {
            end,
            end_units: self.end_units,
            next: self.text.end(),
            next_units: self.end_units,
            rank: super::Rank::Paragraph,
            reason: Reason::End,
            marker: None,
        };
        if !self.lift_table(&place) {
            self.fit(place.end, place.end_units);
            self.say(&place);
        }
    }

    /// Gives out what was gathered as a table, if it is one.
    fn lift_table(&mut self, place: &Break) -> bool {
        let is_row =
            |keep: &Keep| keep.code.is_none() && keep.start >= self.start && keep.start < place.end;
        if !self.shape.tables || !self.prefix.is_empty() || !self.keeps.iter().any(is_row) {
            return false;
        }
        let Some(table) = table::complete(self.text.slice(self.start, place.end)) else {
            return false;
        };
        let removed = self.text.slice(place.end, place.next);
        self.journal.note(place.end, Reason::Table, removed, "");
        self.ready
            .push(Piece::Other(Box::new(Outgoing::Table(table))));
        self.last_units = usize::MAX;
        self.start = place.next;
        self.start_units = place.next_units;
        self.forget();
        true
    }

    /// Makes one message of what was gathered up to `place`.
    pub(super) fn say(&mut self, place: &Break) {
        let closing = self.closing_at(place.end);
        let end = match closing.is_empty() {
            true => self.trimmed(place.end),
            false => place.end,
        };
        let changed = self.edits.front().is_some_and(|edit| edit.is_due(end))
            || !self.prefix.is_empty()
            || !closing.is_empty();
        let message = if changed {
            self.compose(place.end, end, &closing)
        } else {
            if end < place.end {
                let blank = self.text.slice(end, place.end);
                self.journal.note(end, Reason::Spacing, blank, "");
            }
            (end > self.start).then(|| self.text.part(self.start, end))
        };
        if let Some(message) = message {
            self.last_units = match changed || end < place.end {
                true => units(&message),
                false => place.end_units - self.start_units,
            };
            self.ready.push(Piece::Say(message));
        }
        let removed = self.text.slice(place.end, place.next);
        self.journal.note(place.end, place.reason, removed, "");
        self.prefix = self.reopening_at(place);
        self.start = place.next;
        self.start_units = place.next_units;
        self.forget();
    }

    /// Puts a message together of which something differs from the text: it
    /// goes up to `end`, or up to `kept` without the blanks.
    fn compose(&mut self, end: usize, kept: usize, closing: &str) -> Option<Cow<'t, str>> {
        let mut message = std::mem::take(&mut self.prefix);
        let opened = message.len();
        if opened > 0 {
            self.journal
                .note(self.start, Reason::Reopened, "", &message);
        }
        message.reserve(end - self.start + SLACK);
        self.append(&mut message, kept);
        if kept < end {
            let blank = self.text.slice(kept, end);
            self.journal.note(kept, Reason::Spacing, blank, "");
        }
        if closing.is_empty() {
            let blank = message.split_off(opened + message[opened..].trim_end().len());
            if !blank.is_empty() {
                let at = end.saturating_sub(blank.len());
                self.journal.note(at, Reason::Spacing, &blank, "");
            }
        } else {
            message.push_str(closing);
            self.journal.note(end, Reason::Closed, "", closing);
        }
        let said = message[opened..].contains(|c: char| !c.is_whitespace());
        said.then_some(Cow::Owned(message))
    }

    /// Where the text up to `end` ends without the blanks after it. These stay
    /// if something is put in among them.
    #[inline]
    fn trimmed(&self, end: usize) -> usize {
        match self.text.byte_before(end) {
            Some(last) if last.is_ascii_graphic() => end,
            _ => self.trim(end),
        }
    }

    fn trim(&self, end: usize) -> usize {
        let kept = self.start + self.text.slice(self.start, end).trim_end().len();
        let put_in =
            |edit: &Edit| edit.start >= kept && edit.is_due(end) && !edit.with.trim().is_empty();
        if kept < end && self.edits.iter().any(put_in) {
            end
        } else {
            kept
        }
    }

    /// Appends the text up to `end` with its edits.
    fn append(&mut self, message: &mut String, end: usize) {
        let mut at = self.start;
        while let Some(edit) = self.edits.pop_front_if(|edit| edit.is_due(end)) {
            if edit.start < at {
                continue;
            }
            message.push_str(self.text.slice(at, edit.start));
            message.push_str(&edit.with);
            let removed = self.text.slice(edit.start, edit.end);
            self.journal
                .note(edit.start, edit.reason, removed, &edit.with);
            at = edit.end;
        }
        if at < end {
            message.push_str(self.text.slice(at, end));
        }
    }

    /// Whether a message that ends at `at` may have to close something.
    #[inline]
    pub(super) fn is_cut_at(&self, at: usize) -> bool {
        !self.keeps.is_empty() || self.spans.has_emphasis_at(at)
    }

    /// What must be put at the end of a message that is cut at `at`.
    #[inline]
    pub(super) fn closing_at(&self, at: usize) -> String {
        match self.is_cut_at(at) {
            true => self.close_at(at),
            false => String::new(),
        }
    }

    fn close_at(&self, at: usize) -> String {
        let mut closing = String::new();
        for keep in &self.keeps {
            if keep.start < at
                && let Some(code) = keep.code_at(at)
                && let Some((_, shut)) = self.shell(code)
            {
                closing.push('\n');
                closing.push_str(shut);
            }
        }
        for marker in self.markers_at(at).iter().rev() {
            closing.push_str(marker);
        }
        closing
    }

    /// What must be put before the message that goes on after `place`.
    #[inline]
    fn reopening_at(&self, place: &Break) -> String {
        match place.marker.is_some() || self.is_cut_at(place.end) {
            true => self.reopen_at(place),
            false => String::new(),
        }
    }

    fn reopen_at(&self, place: &Break) -> String {
        let mut opening = String::new();
        for keep in &self.keeps {
            if let Some(code) = keep.code_at(place.end)
                && place.next > code.body
                && let Some((open, _)) = self.shell(code)
            {
                opening.push_str(open);
                opening.push('\n');
                return opening;
            }
        }
        match place.marker {
            Some(Marker::Quote) => opening.push_str("> "),
            Some(Marker::Heading) => opening.push_str("# "),
            Some(Marker::Subtext) => opening.push_str("-# "),
            Some(Marker::Item) | None => {}
        }
        // Code and tables would be none after an emphasis.
        if !self.keeps.iter().any(|keep| keep.start == place.next) {
            for marker in self.markers_at(place.end) {
                opening.push_str(marker);
            }
        }
        opening
    }

    /// The markers that are open at `at`, unless they would fill a message.
    fn markers_at(&self, at: usize) -> Vec<&'static str> {
        let markers = self.spans.markers_at(at);
        let width: usize = markers.iter().map(|marker| marker.len()).sum();
        if width > self.shape.max / 8 {
            return Vec::new();
        }
        markers
    }

    /// How a code block is opened and closed again: as it was written, or
    /// without its info string where that would fill half a message, or not at
    /// all.
    pub(super) fn shell<'a>(&self, code: &'a super::keep::Code) -> Option<(&'a str, &'a str)> {
        let half = self.shape.max / 2;
        let shut = units(&code.closing);
        if units(&code.opening) + shut + 2 <= half {
            Some((&code.opening, &code.closing))
        } else if 2 * shut + 2 <= half {
            Some((&code.closing, &code.closing))
        } else {
            None
        }
    }

    /// Forgets what lies before the message that is being gathered.
    fn forget(&mut self) {
        let start = self.start;
        self.breaks.forget(start, self.start_units);
        forget_front(&mut self.atoms, |&(_, end)| end <= start);
        forget_front(&mut self.keeps, |keep| {
            keep.end.is_some_and(|(end, _)| end <= start)
        });
        forget_front(&mut self.edits, |edit| edit.start < start);
        self.spans.forget(start);
    }

    /// Drops the text that has become messages, now and then.
    fn compact(&mut self) {
        let mut done = self.start.min(self.scanner.position());
        if !self.line.text {
            // A code block may yet begin with the line.
            done = done.min(self.line.start);
        }
        self.text.drop_before(done, LOOK_BACK);
    }
}
