//! Formulas of several lines, as they stream in.
//!
//! A message ends with its line, which would tear such a formula apart before
//! it can be made readable. So one that begins a line with `$$` or `\[` is
//! held until it closes, which is bounded, and then becomes one piece.

use super::super::verbatim::Verbatim;
use super::formula::{LONGEST, readable};
use super::{FENCE, Rule, Rules};

/// What comes out, in the order it was written.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::deliver) enum Portion {
    Text(String),
    /// A formula, and what is shown for it.
    Formula(String, String),
}

/// Finds formulas of several lines.
#[derive(Clone, Debug)]
pub(in crate::deliver) struct Display {
    code: Verbatim,
    /// Nothing but blanks stands in the line so far.
    blank: bool,
    /// A formula, or what may become one.
    held: String,
    /// How much of it was searched for its end.
    searched: usize,
    /// A formula was let go: its end begins none.
    let_go: Option<&'static str>,
}

impl Display {
    /// None if formulas are left as they are.
    pub(in crate::deliver) fn new(rules: Rules) -> Option<Self> {
        rules.has(Rule::Formula).then_some(Self {
            code: Verbatim::new(),
            blank: true,
            held: String::new(),
            searched: 0,
            let_go: None,
        })
    }

    pub(in crate::deliver) fn push(&mut self, text: &str) -> Vec<Portion> {
        let mut out = Vec::new();
        let mut passed = String::new();
        for c in text.chars() {
            if !self.held.is_empty() {
                self.held.push(c);
                self.decide(false, &mut passed, &mut out);
                continue;
            }
            // To code, one byte of a longer character is like another.
            self.code.settle(u8::try_from(c).unwrap_or(u8::MAX));
            if self.blank && matches!(c, '$' | '\\') && !self.code.in_fence() {
                self.held.push(c);
                continue;
            }
            self.read(c);
            passed.push(c);
        }
        give(&mut out, &mut passed);
        out
    }

    /// The text is over.
    pub(in crate::deliver) fn finish(&mut self) -> Vec<Portion> {
        let mut out = Vec::new();
        let mut passed = String::new();
        self.decide(true, &mut passed, &mut out);
        passed.push_str(&std::mem::take(&mut self.held));
        give(&mut out, &mut passed);
        self.code = Verbatim::new();
        self.blank = true;
        self.searched = 0;
        self.let_go = None;
        out
    }

    /// Lets go of what is held.
    pub(in crate::deliver) fn release(&mut self) -> String {
        if self.held.len() > 2 {
            self.let_go = self.closer();
        }
        let held = std::mem::take(&mut self.held);
        held.chars().for_each(|c| self.read(c));
        self.searched = 0;
        held
    }

    fn read(&mut self, c: char) {
        self.code.byte(u8::try_from(c).unwrap_or(u8::MAX));
        self.blank = c == '\n' || self.blank && matches!(c, ' ' | '\t');
    }

    /// What ends the formula that is held.
    fn closer(&self) -> Option<&'static str> {
        match self.held.get(..2) {
            Some("$$") => Some("$$"),
            Some("\\[") => Some("\\]"),
            _ => None,
        }
    }

    /// Decides on what is held, if possible.
    fn decide(&mut self, last: bool, passed: &mut String, out: &mut Vec<Portion>) {
        if self.held.len() < 2 {
            return;
        }
        let Some(closer) = self.closer() else {
            passed.push_str(&self.release());
            return;
        };
        if self
            .let_go
            .take_if(|due| self.held.starts_with(*due))
            .is_some()
        {
            passed.push_str(&self.release());
            self.let_go = None;
            return;
        }
        let from = self.searched.max(2);
        let Some(end) = self.held.get(from..).and_then(|rest| rest.find(closer)) else {
            let given_up = self.held.len() > LONGEST || self.held.ends_with("\n\n");
            if given_up {
                passed.push_str(&self.release());
                self.let_go = None;
            } else {
                self.searched = self.held.len() - 1;
            }
            return;
        };
        let end = from + end;
        self.searched = end;
        let after = &self.held[end + 2..];
        let ends_line = after.ends_with('\n');
        let alone = after.trim_matches([' ', '\t', '\n']).is_empty();
        let source = &self.held[2..end];
        let lines = source.contains('\n') && !source.trim().is_empty();
        if lines && alone && !ends_line && !last {
            return;
        }
        if !lines {
            passed.push_str(&self.release());
            self.let_go = None;
            return;
        }
        let shown = show(source, alone);
        let after = self.held.split_off(end + 2);
        let source = std::mem::take(&mut self.held);
        self.searched = 0;
        give(out, passed);
        out.push(Portion::Formula(source, shown));
        self.blank = false;
        after.chars().for_each(|c| self.read(c));
        passed.push_str(&after);
    }
}

/// A formula as text; one of several lines stays together as a block.
pub(super) fn show(source: &str, alone: bool) -> String {
    let shown = readable(source);
    match (shown.contains('\n'), alone) {
        (false, _) => shown,
        (true, true) => format!("{FENCE}\n{shown}\n{FENCE}"),
        (true, false) => shown.replace('\n', "; "),
    }
}

fn give(out: &mut Vec<Portion>, text: &mut String) {
    if !text.is_empty() {
        out.push(Portion::Text(std::mem::take(text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        for size in [1, 3, 5, usize::MAX] {
            let mut display = Display::new(Rules::ALL).unwrap();
            let mut out = Vec::new();
            let chars: Vec<char> = text.chars().collect();
            for delta in chars.chunks(size.min(chars.len().max(1))) {
                out.extend(display.push(&delta.iter().collect::<String>()));
            }
            out.extend(display.finish());
            let mut shown = String::new();
            let mut written = String::new();
            for portion in out {
                let (source, with) = match portion {
                    Portion::Text(text) => (text.clone(), text),
                    Portion::Formula(source, with) => (source, with),
                };
                written.push_str(&source);
                shown.push_str(&with);
            }
            assert_eq!(shown, expected, "{text:?} by {size}");
            assert_eq!(written, text);
        }
    }

    #[test]
    fn formulas_of_several_lines_become_one_piece() {
        check("so\n$$\nE = mc^2\n$$\nok", "so\nE = mc²\nok");
        check("\\[\n\\frac{a}{b}\n\\]", "a/b");
        check(
            "\\[\na &= b \\\\\nc &= d\n\\]\nok",
            "```\na = b\nc = d\n```\nok",
        );
        check("  $$a \\\\\nb$$ is it", "  a; b is it");
        check("$$\na\n$$\n$$\nb\n$$", "a\nb");
    }

    #[test]
    fn everything_else_passes() {
        let long = format!("$$\n{}", "word and ".repeat(400));
        for text in [
            "",
            "$",
            "$$",
            "$$x^2$$ is it\nok",
            "\\[a\\]",
            "\\*not bold\\*\n\\",
            "a $$\nb\n$$ c",
            "$$\nnever closed",
            "$$\nnever\n\nclosed $$ later",
            "```\n$$\na\n$$\n```\nb",
            "$PATH\n$HOME",
            "$$\n$$",
            long.as_str(),
        ] {
            check(text, text);
        }
    }

    #[test]
    fn what_was_let_go_does_not_begin_anew() {
        let mut display = Display::new(Rules::ALL).unwrap();
        assert_eq!(display.push("$$\na"), []);
        assert_eq!(display.release(), "$$\na");
        let text = "\n$$\nb\n$$ c";
        assert_eq!(
            display.push("\n$$\nb\n"),
            [Portion::Text("\n$$\nb\n".to_owned())],
            "{text}"
        );
        assert!(Display::new(Rules::NONE).is_none());
    }
}
