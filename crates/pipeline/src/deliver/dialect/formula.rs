//! Formulas in TeX, as text.

mod symbols;

use std::ops::Range;
use std::str::Chars;

use super::FENCE;
use crate::deliver::scan::bound;

/// Groups are not read deeper than this.
const DEEPEST: usize = 24;

/// The formulas of a text.
pub(super) struct Formulas<'a> {
    text: &'a str,
    /// For each sign, where it was last found to stand next: the search never
    /// goes over the same text twice.
    next: [Option<usize>; SIGNS.len()],
}

/// What closes a formula, and what none contains.
const SIGNS: [&str; 4] = ["\\)", "\\]", "$$", "\n\n"];
const BLANK_LINE: usize = 3;

impl<'a> Formulas<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            text,
            next: [Some(0); SIGNS.len()],
        }
    }

    /// The formula that begins with the `\(`, `\[` or `$$` at `at`, as text.
    pub(super) fn block(&mut self, at: usize) -> Option<(Range<usize>, String)> {
        let closer = match self.text.get(at..at + 2)? {
            "\\(" => 0,
            "\\[" => 1,
            "$$" => 2,
            _ => return None,
        };
        let from = at + 2;
        let end = self.next(closer, from)?;
        if self.next(BLANK_LINE, from).is_some_and(|blank| blank < end) {
            return None;
        }
        let source = &self.text[from..end];
        if source.len() > bound::FORMULA || source.trim().is_empty() {
            return None;
        }
        let opens = self.text[..at].trim_end_matches([' ', '\t']);
        let after = self.text[end + 2..].trim_start_matches([' ', '\t']);
        let alone = (opens.is_empty() || opens.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'));
        Some((at..end + 2, show(source, alone)))
    }

    /// The formula that begins with the `$` or `$$` at `at`, as text. It ends
    /// before `limit`.
    pub(super) fn dollars(&mut self, at: usize, limit: usize) -> Option<(Range<usize>, String)> {
        let rest = &self.text[at..limit];
        if rest.starts_with("$$") {
            return self.block(at);
        }
        let before = self.text[..at].chars().next_back();
        let inner = rest.get(1..)?;
        // As in CO$_2$.
        let script = inner.strip_prefix(['_', '^']).unwrap_or_default();
        let scripted = script.starts_with(|c: char| c.is_ascii_digit() || "{+-".contains(c));
        let glued = |c: Option<char>| c.is_some_and(char::is_alphanumeric) && !scripted;
        if glued(before) || before == Some('\\') {
            return None;
        }
        let line = &inner[..inner.floor_char_boundary(bound::FORMULA / 10)];
        let end = line.find(['$', '\n'])?;
        let source = &line[..end];
        let after = self.text[at + 1 + end..].chars().nth(1);
        let closes = line[end..].starts_with('$') && !glued(after);
        let tight = !source.starts_with(' ') && !source.ends_with(' ') && !source.is_empty();
        let single = source.len() == 1 && source.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !closes || !tight || !(single || source.contains(['\\', '^', '_', '=', '{'])) {
            return None;
        }
        Some((at..at + end + 2, readable(source)))
    }

    /// Where a sign stands next, from `from` on.
    fn next(&mut self, sign: usize, from: usize) -> Option<usize> {
        let known = self.next[sign]?;
        if known < from {
            let found = self.text.get(from..)?.find(SIGNS[sign]);
            self.next[sign] = found.map(|found| from + found);
        }
        self.next[sign]
    }
}

/// A formula as text; one of several lines stays together as a block.
fn show(source: &str, alone: bool) -> String {
    let shown = readable(source);
    match (shown.contains('\n'), alone) {
        (false, _) => shown,
        (true, true) => format!("{FENCE}\n{shown}\n{FENCE}"),
        (true, false) => shown.replace('\n', "; "),
    }
}

pub(super) fn readable(source: &str) -> String {
    let mut reader = Reader {
        rest: source.chars(),
        depth: 0,
    };
    let shown = reader.until_end(None);
    // TeX sets its own spaces.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = shown.lines().map(words).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

struct Reader<'a> {
    rest: Chars<'a>,
    depth: usize,
}

impl Reader<'_> {
    /// Reads up to `end`, or to the end of the formula.
    fn until_end(&mut self, end: Option<char>) -> String {
        let mut shown = String::new();
        while let Some(c) = self.rest.next() {
            if Some(c) == end {
                break;
            }
            self.piece(c, &mut shown);
        }
        shown
    }

    /// Reads what begins with `c`.
    fn piece(&mut self, c: char, shown: &mut String) {
        match c {
            '\\' => self.command(shown),
            '{' => {
                let group = self.group();
                shown.push_str(&group);
            }
            '^' => self.script(symbols::superscript, '^', shown),
            '_' => self.script(symbols::subscript, '_', shown),
            '&' | '~' | '\n' => shown.push(' '),
            '*' => shown.push('∗'),
            '}' => {}
            other => shown.push(other),
        }
    }

    /// The inside of a group whose `{` was read.
    fn group(&mut self) -> String {
        if self.depth >= DEEPEST {
            return String::new();
        }
        self.depth += 1;
        let inner = self.until_end(Some('}'));
        self.depth -= 1;
        inner
    }

    /// A group, a command or a single sign.
    fn argument(&mut self) -> String {
        while self.rest.as_str().starts_with(' ') {
            self.rest.next();
        }
        let mut shown = String::new();
        if self.depth >= DEEPEST {
            return shown;
        }
        self.depth += 1;
        if let Some(c) = self.rest.next() {
            self.piece(c, &mut shown);
        }
        self.depth -= 1;
        shown.trim().to_owned()
    }

    fn script(&mut self, small: fn(char) -> Option<char>, mark: char, shown: &mut String) {
        let script = self.argument();
        if let Some(small) = script.chars().map(small).collect::<Option<String>>() {
            shown.push_str(&small);
        } else if script == "°" {
            shown.push_str(&script);
        } else {
            shown.push(mark);
            shown.push_str(&grouped(&script));
        }
    }

    fn command(&mut self, shown: &mut String) {
        let rest = self.rest.as_str();
        let after = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let length = rest.len() - after.len();
        if length == 0 {
            match self.rest.next() {
                Some('\\') => shown.push('\n'),
                Some(',' | ';' | ':' | ' ') => shown.push(' '),
                Some('!') | None => {}
                Some(sign) => shown.push(sign),
            }
            return;
        }
        let name = &rest[..length];
        self.rest = rest[length..].chars();
        match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" => {
                let above = grouped(&self.argument());
                let below = grouped(&self.argument());
                shown.push_str(&format!("{above}/{below}"));
            }
            "sqrt" => self.root(shown),
            "begin" | "end" => {
                self.argument();
                shown.push(' ');
            }
            "text" | "mathrm" | "mathbf" | "mathit" | "mathsf" | "mathcal" | "mathbb"
            | "textbf" | "textit" | "operatorname" | "boxed" | "overline" | "bar" | "vec"
            | "hat" => {
                let inner = self.argument();
                shown.push_str(&inner);
            }
            _ if symbols::is_silent(name) => {}
            _ => match symbols::symbol(name) {
                Some(symbol) => shown.push_str(symbol),
                None => shown.push_str(&format!("\\{name}")),
            },
        }
    }

    fn root(&mut self, shown: &mut String) {
        let mut degree = String::new();
        if self.rest.as_str().starts_with('[') {
            self.rest.next();
            degree = self.until_end(Some(']'));
        }
        match degree.as_str() {
            "" | "2" => shown.push('√'),
            "3" => shown.push('∛'),
            "4" => shown.push('∜'),
            other => {
                shown.extend(other.chars().map(|c| symbols::superscript(c).unwrap_or(c)));
                shown.push('√');
            }
        }
        let inner = self.argument();
        shown.push_str(&grouped(&inner));
    }
}

/// The part of a formula in brackets, unless it is one piece anyway.
fn grouped(part: &str) -> String {
    let is_piece = |c: char| c.is_alphanumeric() || ".,'′".contains(c);
    let enclosed = part.starts_with('(') && part.ends_with(')');
    let bracketed = enclosed && part.matches(['(', ')']).count() == 2;
    match part.chars().all(is_piece) || bracketed {
        true => part.to_owned(),
        false => format!("({part})"),
    }
}
