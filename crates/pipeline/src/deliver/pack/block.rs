//! Blocks of code and tables, which are kept whole or lifted out.

use kaiwa_domain::{File, Outgoing, Table};

use super::super::explain::Reason;
use super::super::segment::{Block, Outline, Rank, Segmenter};
use super::super::{Degree, LongCode, lookup};
use super::{Break, Joint, Packed, Packer, Point, units};

/// Code goes on in another file after this many bytes.
pub(super) const FULL: usize = File::MAX_BYTES * 3 / 4;

/// Languages whose files end otherwise than they are called.
const ENDINGS: &str = "bash sh c# cs c++ cpp csharp cs golang go haskell hs javascript js kotlin kt \
    markdown md perl pl plaintext txt python py ruby rb rust rs shell sh text txt \
    typescript ts";

/// What ends the code of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CodeEnds {
    Fence,
    Text,
    /// It goes on in another file.
    Full,
}

/// Code that becomes a file.
struct LongBlock {
    /// Where its block begins.
    start: usize,
    /// Where the code begins and ends.
    from: usize,
    to: usize,
    /// Where the text goes on.
    next: Point,
    /// None if only blanks are left of it.
    file: Option<File>,
}

impl<'t> Packer<'t> {
    pub(super) fn begin_block(&mut self, at: usize, text: &mut Segmenter<'t>) {
        let block = text.outline.open_block();
        let code = block.is_some_and(|block| block.code.is_some());
        if code && self.shape.degree != Degree::Whole {
            self.settle(text);
        }
        self.note_hold(
            at,
            if code {
                Reason::HeldCode
            } else {
                Reason::HeldTable
            },
        );
        // An emphasis that was cut does not go on before a block that begins a
        // message: it would be no block any more.
        if at == self.start.at && !self.prefix.is_empty() {
            self.prefix.clear();
            text.outline.spans.end_at(at);
        }
    }

    pub(super) fn take_code_line_end(
        &mut self,
        end: usize,
        next: usize,
        after_content: bool,
        text: &mut Segmenter<'t>,
    ) {
        let (from, to) = (
            self.point(end, &text.outline),
            self.point(next, &text.outline),
        );
        self.end = to;
        self.searched = next;
        if after_content {
            self.joints.push_back(Joint {
                place: Break::new(from, to, Rank::Line, Reason::Limit),
                resume: end,
                with: "".into(),
                reason: Reason::Limit,
            });
        }
        self.overflow(text);
    }

    /// No cut may leave nothing but empty lines and a fence after it.
    pub(super) fn end_code(&mut self, content: usize) {
        let is_after = |last: &mut Joint| last.place.end.at >= content;
        while self.joints.pop_back_if(is_after).is_some() {}
    }

    /// A quoted block ended with its quote: it is closed here, if what closes
    /// it fits a message.
    pub(super) fn close_code(&mut self, end: usize, outline: &Outline<'_>) {
        self.end_code(end);
        self.end = self.point(end, outline);
        let code = outline.blocks.back().and_then(|block| block.code.as_ref());
        if let Some((_, shut)) = code.and_then(|code| self.shell(code)) {
            let with = format!("\n{shut}");
            let next = Point::new(end, self.end.units + units(&with));
            self.joints.push_back(Joint {
                place: Break::new(self.end, next, Rank::Never, Reason::Limit),
                resume: end,
                with: with.into(),
                reason: Reason::Closed,
            });
            self.end = next;
        }
    }

    /// Gives out what was gathered as a table, if it is one.
    pub(super) fn lift_table(&mut self, place: &Break, text: &mut Segmenter<'t>) -> bool {
        let (start, end) = (self.start.at, place.end.at);
        let mut blocks = text.outline.blocks.iter();
        let row = blocks.any(|block| block.code.is_none() && (start..end).contains(&block.start));
        if !self.shape.tables || !self.prefix.is_empty() || !row {
            return false;
        }
        let Some(table) = Table::parse(text.outline.text.slice(start, end)) else {
            return false;
        };
        let removed = text.outline.text.slice(end, place.next.at);
        self.output.note(end, Reason::Table, removed, "");
        self.lift(Outgoing::Table(table), place, text);
        true
    }

    /// Whether a block becomes a file if it is long.
    fn may_attach(&self, block: &Block) -> bool {
        let apart = block.code.as_ref().is_some_and(|code| code.apart);
        apart && self.shape.long_code != LongCode::Split
    }

    /// The code that is waited for, since it may become a file.
    pub(super) fn awaited<'a>(&self, outline: &'a Outline<'_>) -> Option<&'a Block> {
        let goes_on = |block: &&Block| block.end.is_none_or(|end| end > self.end.at);
        let last = outline.blocks.back().filter(goes_on);
        last.filter(|block| self.may_attach(block))
    }

    /// Gives out the code that ends here as a file, if it is long.
    pub(super) fn lift_code(&mut self, ends: CodeEnds, text: &mut Segmenter<'t>) {
        let Some(code) = self.long_code(ends, &text.outline) else {
            return;
        };
        let mut places = self.joints.iter().rev().map(|joint| joint.place);
        let before = places.find(|place| place.next.at <= code.start);
        if let Some(mut before) = before.filter(|place| place.end.at > self.start.at) {
            before.reason = Reason::Code;
            self.fit(before.end, text);
            self.say(&before, text);
        }
        if ends != CodeEnds::Full {
            text.outline.blocks.pop_back();
        }
        let (begin, window) = (self.start.at, &text.outline.text);
        let LongBlock { from, to, next, .. } = code;
        if begin < from {
            let opening = window.slice(begin, from);
            self.output.note(begin, Reason::Unfenced, opening, "");
        }
        let place = Break::new(next, next, Rank::Line, Reason::File);
        if let Some(file) = code.file {
            let closing = window.slice(to, next.at);
            self.output.note(to, Reason::File, closing, "");
            self.output.files += 1;
            self.lift(Outgoing::File(file), &place, text);
        } else {
            let rest = window.slice(from, next.at);
            self.output.note(from, Reason::Unfenced, rest, "");
            self.begin_after(&place, text);
        }
    }

    /// The code that ends here, if it becomes a file.
    fn long_code(&self, ends: CodeEnds, outline: &Outline<'_>) -> Option<LongBlock> {
        let LongCode::Attach { above } = self.shape.long_code else {
            return None;
        };
        let block = outline.blocks.back()?;
        let code = block.code.as_ref().filter(|_| self.may_attach(block))?;
        let goes_on = self.start.at > code.body;
        let opening = outline.text.slice(code.body, self.end.at);
        let line_end = 1 + usize::from(opening.starts_with("\r\n"));
        let from = match goes_on {
            true => self.start.at,
            false => code.body + opening.len().min(line_end),
        };
        let lines = outline.text.slice(from, self.end.at);
        let last_line = lines.rfind(['\n', '\r']).map(|end| from + end + 1);
        let (to, next) = match ends {
            CodeEnds::Fence => (last_line.unwrap_or(from), self.end),
            CodeEnds::Text => (self.end.at, self.end),
            CodeEnds::Full => {
                let to = last_line.unwrap_or(self.end.at);
                (to, self.point(to, outline))
            }
        };
        let source = outline.text.slice(from, to);
        let blank = source.trim().is_empty();
        let name = file_name(self.output.files, &code.opening);
        (goes_on || !blank && units(source) > above).then(|| LongBlock {
            start: block.start,
            from,
            to,
            next,
            file: File::new(&name, source).filter(|_| !blank),
        })
    }

    /// Gives out something that is no message.
    fn lift(&mut self, lifted: Outgoing, place: &Break, text: &mut Segmenter<'t>) {
        self.output.ready.push(Packed::Other(Box::new(lifted)));
        self.last_units = usize::MAX;
        self.prefix.clear();
        self.begin_after(place, text);
    }
}

/// The name of the file with the code after this opening line, when there are
/// so many others.
fn file_name(others: usize, opening: &str) -> String {
    let info = opening.trim().trim_start_matches(['`', '~']).trim_start();
    let end = info.find(|c: char| !c.is_ascii_alphanumeric() && !"+#".contains(c));
    let name = info[..end.unwrap_or(info.len())].to_ascii_lowercase();
    let plain = (1..=12).contains(&name.len()) && !name.contains(['+', '#']);
    let ending = lookup(ENDINGS, &name).unwrap_or(if plain { &name } else { "txt" });
    match others {
        0 => format!("code.{ending}"),
        _ => format!("code-{}.{ending}", others + 1),
    }
}
