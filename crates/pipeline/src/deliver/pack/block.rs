//! Blocks of code and tables, which are kept whole or lifted out.

use kaiwa_domain::{File, Outgoing, Table};

use super::super::explain::Reason;
use super::super::segment::{Block, Rank};
use super::super::{Degree, lookup};
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

impl Packer<'_> {
    pub(super) fn begin_block(&mut self, at: usize) {
        let block = self.text.outline.open_block();
        let code = block.is_some_and(|block| block.code.is_some());
        let hold = if code {
            Reason::HeldCode
        } else {
            Reason::HeldTable
        };
        if code && self.shape.degree != Degree::Whole {
            self.settle();
        }
        self.note(at..at, hold, "");
        // An emphasis that was cut does not go on before a block that begins a
        // message: it would be no block any more.
        if at == self.start.at && !self.prefix.is_empty() {
            self.prefix.clear();
            self.text.outline.spans.end_at(at);
        }
    }

    pub(super) fn take_code_line_end(&mut self, end: usize, next: usize, after_content: bool) {
        let place = self.place(end, next, Rank::Line).because(Reason::Limit);
        self.end = place.next;
        self.searched = next;
        if after_content {
            self.joints.push_back(Joint {
                place,
                resume: end,
                with: "".into(),
                reason: Reason::Limit,
            });
        }
        self.overflow(end);
    }

    /// No cut may leave nothing but empty lines and a fence after it.
    pub(super) fn end_code(&mut self, content: usize) {
        let is_after = |last: &mut Joint| last.place.end.at >= content;
        while self.joints.pop_back_if(is_after).is_some() {}
    }

    /// A quoted block ended with its quote: it is closed here, if what closes
    /// it fits a message.
    pub(super) fn close_code(&mut self, end: usize) {
        self.end_code(end);
        self.end = self.point(end);
        let block = self.text.outline.blocks.back();
        let code = block.and_then(|block| block.code.as_ref());
        if let Some((_, shut)) = code.and_then(|code| self.shell(code)) {
            let with = format!("\n{shut}");
            let next = Point::new(end, self.end.units + units(&with));
            self.joints.push_back(Joint {
                place: Break::new(self.end, next, Rank::Never),
                resume: end,
                with: with.into(),
                reason: Reason::Closed,
            });
            self.end = next;
        }
    }

    /// Gives out what was gathered as a table, if it is one.
    pub(super) fn lift_table(&mut self, place: &Break) -> bool {
        let (start, end) = (self.start.at, place.end.at);
        let outline = &self.text.outline;
        let is_row = |block: &Block| block.code.is_none() && (start..end).contains(&block.start);
        if !self.shape.tables || !self.prefix.is_empty() || !outline.blocks.iter().any(is_row) {
            return false;
        }
        let table = Table::parse(outline.text.slice(start, end));
        let lifted = table.map(|table| {
            self.note(end..place.next.at, Reason::Table, "");
            self.lift(Outgoing::Table(table), place);
        });
        lifted.is_some()
    }

    /// Whether a block becomes a file if it is long.
    fn may_attach(&self, block: &Block) -> bool {
        let apart = block.code.as_ref().is_some_and(|code| code.apart);
        apart && self.shape.attach_code_above.is_some()
    }

    /// The code that is waited for, since it may become a file.
    pub(super) fn awaited(&self) -> Option<&Block> {
        let goes_on = |block: &&Block| block.end.is_none_or(|end| end > self.end.at);
        let last = self.text.outline.blocks.back().filter(goes_on);
        last.filter(|block| self.may_attach(block))
    }

    /// Gives out the code that ends here as a file, if it is long.
    pub(super) fn lift_code(&mut self, ends: CodeEnds) {
        let Some(code) = self.long_code(ends) else {
            return;
        };
        let mut places = self.joints.iter().rev().map(|joint| joint.place);
        let before = places.find(|place| place.next.at <= code.start);
        if let Some(mut before) = before.filter(|place| place.end.at > self.start.at) {
            before.reason = Reason::Code;
            self.fit(before.end);
            self.say(&before);
        }
        if ends != CodeEnds::Full {
            self.text.outline.blocks.pop_back();
        }
        let LongBlock { from, to, next, .. } = code;
        self.note(self.start.at..from, Reason::Unfenced, "");
        let place = Break::new(next, next, Rank::Line).because(Reason::File);
        if let Some(file) = code.file {
            self.note(to..next.at, Reason::File, "");
            self.output.files += 1;
            self.lift(Outgoing::File(file), &place);
        } else {
            self.note(from..next.at, Reason::Unfenced, "");
            self.begin_after(&place);
        }
    }

    /// The code that ends here, if it becomes a file.
    fn long_code(&self, ends: CodeEnds) -> Option<LongBlock> {
        let above = self.shape.attach_code_above?;
        let outline = &self.text.outline;
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
                (to, self.point(to))
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
    fn lift(&mut self, lifted: Outgoing, place: &Break) {
        self.output.push(Packed::Other(Box::new(lifted)), None);
        self.prefix.clear();
        self.begin_after(place);
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
