//! What models write and Discord does not show, in Discord's own markdown.
//!
//! Models write for renderers that know deep headings, tasks, pictures, HTML
//! and formulas. [`dialect`] rewrites a segment so that it reads well where
//! none of these exist. Code stays as it was written, but for the fences
//! around it and for backticks that would end it early.

mod formula;
mod html;

use std::ops::Range;

use kaiwa_domain::CodeFence;

use super::edit::{Edited, Editor};
use super::explain::Reason;
use super::scan::{BlockKind, Kind, Lexeme, lexemes};
use formula::Formulas;

/// What stands for a rule across the page.
const BAR: &str = "──────────";
const FENCE: &str = "```";
const BOLD: &str = "**";

/// Rewrites a segment.
pub fn dialect(segment: &str) -> Edited {
    let mut writer = Writer {
        text: segment,
        editor: Editor::new(segment),
        formulas: Formulas::new(segment),
        pairs: html::pairs(segment),
        line: String::new(),
        heading: None,
        fence: false,
    };
    let mut run = 0;
    for token in lexemes(segment) {
        if token.start < writer.editor.position() {
            // A formula reached beyond this token.
            run = token.end.max(writer.editor.position());
            continue;
        }
        let plain = matches!(
            token.kind,
            Kind::Text | Kind::Pair(_) | Kind::Delimiter { .. }
        );
        if plain && writer.heading.is_none() {
            continue;
        }
        writer.inline(run..token.start);
        writer.token(token);
        run = token.end.max(writer.editor.position());
    }
    writer.inline(run.min(segment.len())..segment.len());
    writer.end_line(segment.len());
    writer.editor.finish()
}

struct Writer<'a> {
    text: &'a str,
    editor: Editor<'a>,
    formulas: Formulas<'a>,
    /// Inline HTML tags and their markers, in order.
    pairs: Vec<(Range<usize>, &'static str)>,
    /// What a further line of the quote or the list item begins with.
    line: String,
    /// Where the text of a deep heading ends, which becomes a bold line, and the
    /// marks that make it one, unless it is bold already.
    heading: Option<(usize, &'static str)>,
    /// The open code block has a fence that is rewritten.
    fence: bool,
}

impl Writer<'_> {
    fn token(&mut self, token: Lexeme) {
        let range = token.range();
        match token.kind {
            Kind::Newline => self.end_line(token.start),
            Kind::Marker(BlockKind::Quote) => self.line = "> ".to_owned(),
            Kind::Marker(BlockKind::List) => {
                self.line = " ".repeat(range.len());
                self.task(range.end);
            }
            Kind::Marker(BlockKind::Heading) => self.begin_heading(range),
            Kind::Rule => _ = self.editor.replace(range, BAR, Reason::PageRule),
            Kind::Image => self.picture(range),
            Kind::FenceOpen => self.open_fence(range),
            Kind::FenceClose => self.close_fence(range),
            Kind::CodeText => self.code(range),
            Kind::Row => self.breaks(range),
            Kind::Escape | Kind::Formula => self.formula(range),
            Kind::Delimiter { mark: b'*', .. }
                if range.len() == 2 && self.heading.is_some_and(|(_, marks)| marks == BOLD) =>
            {
                self.editor.replace(range, "", Reason::DeepHeading);
            }
            _ if self.heading.is_some() => self.inline(range),
            _ => {}
        }
    }

    fn task(&mut self, at: usize) {
        let sign = match self.text.get(at..at + 4) {
            Some("[ ] ") => "☐",
            Some("[x] " | "[X] ") => "☑",
            _ => return,
        };
        self.editor.replace(at..at + 3, sign, Reason::Task);
    }

    fn picture(&mut self, range: Range<usize>) {
        let picture = &self.text[range.clone()];
        let Some(address) = picture.strip_prefix("![](") else {
            self.editor
                .replace(range.start..range.start + 1, "", Reason::Picture);
            return;
        };
        let address = address.trim_end_matches(')').split_whitespace().next();
        self.editor
            .replace(range, address.unwrap_or(""), Reason::Picture);
    }

    /// The run of backticks or tildes in a line that opens or closes a block.
    fn fence_run(&self, range: &Range<usize>) -> Range<usize> {
        let marks = CodeFence::marks(&self.text[range.clone()]);
        range.start + marks.start..range.start + marks.end
    }

    fn open_fence(&mut self, range: Range<usize>) {
        let run = self.fence_run(&range);
        let info = &self.text[run.end..range.end];
        // Tildes allow backticks in the info string, backticks do not.
        self.fence = !info.contains('`');
        if !self.fence {
            return;
        }
        // Discord reads more than a word as the first line of the code.
        let word = info.trim_start();
        let is_other = |c: char| !c.is_ascii_alphanumeric() && !"_+-.#".contains(c);
        let end = word.find(is_other).unwrap_or(word.len());
        let word = if end > 0 { word } else { info };
        let start = range.end - word.len();
        self.editor.replace(run.start..start, FENCE, Reason::Fence);
        if end > 0 {
            self.editor
                .replace(start + end..range.end, "", Reason::Fence);
        }
    }

    fn close_fence(&mut self, range: Range<usize>) {
        if std::mem::take(&mut self.fence) {
            let run = self.fence_run(&range);
            self.editor.replace(run, FENCE, Reason::Fence);
        }
    }

    fn code(&mut self, range: Range<usize>) {
        for (at, _) in self.text[range.clone()].match_indices(FENCE) {
            let at = range.start + at;
            let mut lines = self.text.lines();
            let (end, shown) = match &self.text[at..] {
                // What began in mid-line may end so.
                FENCE if !lines.next_back().is_some_and(|it| it.starts_with('>')) => (at, "\n"),
                _ => (at + 3, "`\u{200b}``"),
            };
            self.editor.replace(at..end, shown, Reason::NestedFence);
        }
    }

    fn formula(&mut self, range: Range<usize>) {
        let indented = &self.text[range.clone()];
        let start = range.end - indented.trim_start_matches([' ', '\t']).len();
        if let Some((range, shown)) = self.formulas.block(start) {
            self.editor.replace(range, &shown, Reason::Formula);
        }
    }

    /// Rewrites plain text.
    fn inline(&mut self, run: Range<usize>) {
        if run.is_empty() {
            return;
        }
        let mut from = run.start;
        while let Some(found) = self.text[from..run.end].find(['<', '&', '$']) {
            let at = from + found;
            from = at + 1;
            match self.text.as_bytes()[at] {
                b'<' => self.tag(at, run.end),
                b'&' => {
                    if let Some((length, shown)) = html::entity(&self.text[at..run.end]) {
                        let shown = shown.to_string();
                        self.editor.replace(at..at + length, &shown, Reason::Entity);
                    }
                }
                _ => {
                    if let Some((range, shown)) = self.formulas.dollars(at, run.end) {
                        self.editor.replace(range, &shown, Reason::Formula);
                    }
                }
            }
            from = from.max(self.editor.position()).min(run.end);
        }
    }

    fn tag(&mut self, at: usize, end: usize) {
        if let Some(length) = html::line_break(&self.text[at..end]) {
            let with = match self.text[at + length..].starts_with('\n') {
                true => String::new(),
                false if self.heading.is_some() => " ".to_owned(),
                false => format!("\n{}", self.line),
            };
            self.editor
                .replace(at..at + length, &with, Reason::LineBreak);
            return;
        }
        let pair = self
            .pairs
            .binary_search_by_key(&at, |(range, _)| range.start);
        if let Ok(found) = pair {
            let (range, marker) = self.pairs[found].clone();
            self.editor.replace(range, marker, Reason::HtmlTag);
        }
    }

    /// Headings too deep for Discord become bold lines.
    fn begin_heading(&mut self, marker: Range<usize>) {
        let level = self.text[marker.clone()].matches('#').count();
        if level < 4 {
            return;
        }
        let rest = &self.text[marker.end..];
        let title = rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())].trim_end();
        let open = title.trim_end_matches('#');
        let closed = open.is_empty() || open.ends_with(' ');
        let title = if closed { open.trim_end() } else { title };
        if title.is_empty() {
            return;
        }
        let inner = title
            .strip_prefix("**")
            .and_then(|title| title.strip_suffix("**"));
        let bold = inner.is_some_and(|inner| !inner.is_empty() && !inner.contains("**"));
        let indent = self.text[marker.clone()].find('#').unwrap_or(0);
        let marks = if bold { "" } else { BOLD };
        self.heading = Some((marker.end + title.len(), marks));
        let marker = marker.start + indent..marker.end;
        self.editor.replace(marker, marks, Reason::DeepHeading);
    }

    /// The line ends at `at`.
    fn end_line(&mut self, at: usize) {
        self.line.clear();
        if let Some((end, marks)) = self.heading.take() {
            let from = end.max(self.editor.position());
            self.editor.replace(from..at, marks, Reason::DeepHeading);
        }
    }

    /// Replaces the line breaks in a row of a table.
    fn breaks(&mut self, range: Range<usize>) {
        for (at, _) in self.text[range.clone()].match_indices('<') {
            let at = range.start + at;
            if let Some(length) = html::line_break(&self.text[at..range.end]) {
                self.editor.replace(at..at + length, " ", Reason::LineBreak);
            }
        }
    }
}

#[cfg(test)]
mod tests;
