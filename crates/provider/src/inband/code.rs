//! Whether text stands inside code.

use kaiwa_domain::CodeFence;

/// Follows blocks of code and inline code of Markdown, as closely as a stream
/// allows: inline code ends with its line at the latest, and a line that may
/// yet open a block counts as code.
#[derive(Debug, Default)]
pub(super) struct CodeTracker {
    /// The block that is open.
    fence: Option<CodeFence>,
    /// The line so far, as much of it as tells a fence.
    line: String,
    /// How many backticks opened inline code; none if it is not open.
    inline: usize,
    /// The backticks just before.
    run: usize,
}

impl CodeTracker {
    /// Whether what comes next is code, if it continues no fence.
    pub(super) fn is_open(&mut self) -> bool {
        self.settle();
        self.fence_after_line().is_some() || self.fence.is_none() && self.inline > 0
    }

    /// Whether the line has had anything but white space.
    pub(super) fn is_line_begun(&self) -> bool {
        self.line.contains(|c: char| !c.is_whitespace() && c != '>')
    }

    pub(super) fn pass(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            let line = part.trim_end_matches('\n');
            let room = (CodeFence::LONGEST + 1).saturating_sub(self.line.len());
            self.line.push_str(&line[..line.ceil_char_boundary(room)]);
            for byte in line.bytes() {
                match byte {
                    b'`' => self.run += 1,
                    _ => self.settle(),
                }
            }
            if line.len() < part.len() {
                self.fence = self.fence_after_line();
                self.line.clear();
                (self.inline, self.run) = (0, 0);
            }
        }
    }

    /// The block that is open if the line ends here.
    fn fence_after_line(&self) -> Option<CodeFence> {
        let indented = self.line.trim_start_matches([' ', '\t']);
        let quote = CodeFence::quote_marks(indented);
        match self.fence.filter(|fence| !fence.is_quoted() || quote > 0) {
            Some(fence) => fence.close(&self.line, true).is_err().then_some(fence),
            None => {
                let begin = self.line.len() - indented.len();
                let from = if quote > 0 { begin + quote } else { 0 };
                let opened = CodeFence::open(&self.line[from..], quote > 0, true);
                opened.ok().map(|(fence, _)| fence)
            }
        }
    }

    /// A run of backticks has ended.
    fn settle(&mut self) {
        match std::mem::take(&mut self.run) {
            0 => {}
            length if self.inline == 0 => self.inline = length,
            length if self.inline == length => self.inline = 0,
            _ => {}
        }
    }
}
