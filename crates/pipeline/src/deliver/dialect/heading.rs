//! Headings too deep for Discord, as bold lines.

use super::super::edit::Rule;
use super::super::scan::{Kind, Lexeme};
use super::{Heading, LineBlock, Writer};

impl Writer<'_> {
    pub(super) fn begin_heading(&mut self, tokens: &[Lexeme], at: usize) {
        let marker = tokens[at].range();
        let level = self.text[marker.clone()].matches('#').count();
        if level < 4 || !self.editor.has(Rule::DeepHeading) {
            return;
        }
        let line = &tokens[at + 1..];
        let end = line.iter().find(|token| token.kind == Kind::Newline);
        let end = end.map_or(self.text.len(), |token| token.start);
        let title = self.text[marker.end..end].trim_end();
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
        let marks = if bold { "" } else { "**" };
        self.replace(marker.start + indent..marker.end, marks, Rule::DeepHeading);
        self.heading = Some(Heading {
            end: marker.end + title.len(),
            bold,
        });
    }

    /// The line ends at `at`.
    pub(super) fn end_line(&mut self, at: usize) {
        self.line = LineBlock::Plain;
        if let Some(heading) = self.heading.take() {
            let marks = if heading.bold { "" } else { "**" };
            let from = heading.end.max(self.editor.position());
            self.replace(from..at, marks, Rule::DeepHeading);
        }
    }
}
