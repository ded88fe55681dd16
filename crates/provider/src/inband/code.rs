//! Whether text stands inside code.

/// Follows fences and inline code of Markdown, as closely as a stream allows:
/// inline code ends with its line at the latest.
#[derive(Debug, Default)]
pub(super) struct CodeTracker {
    /// The fence that is open: its character and its length.
    fence: Option<(char, usize)>,
    /// How many backticks opened inline code; none if it is not open.
    inline: usize,
    /// The backticks or tildes just before.
    run: Option<(char, usize)>,
    /// Whether the line has had anything but white space.
    in_line: bool,
}

impl CodeTracker {
    /// Whether what comes next is code, if it continues no fence.
    pub(super) fn is_open(&mut self) -> bool {
        self.settle();
        self.fence.is_some() || self.inline > 0
    }

    /// Whether the line has had anything but white space.
    pub(super) const fn is_line_begun(&self) -> bool {
        self.in_line || self.run.is_some()
    }

    pub(super) fn pass(&mut self, text: &str) {
        for c in text.chars() {
            if matches!(c, '`' | '~') {
                match &mut self.run {
                    Some((last, length)) if *last == c => *length += 1,
                    _ => {
                        self.settle();
                        self.run = Some((c, 1));
                    }
                }
                continue;
            }
            self.settle();
            if c == '\n' {
                self.inline = 0;
                self.in_line = false;
            } else if !c.is_whitespace() && c != '>' {
                self.in_line = true;
            }
        }
    }

    /// A run of marks has ended.
    fn settle(&mut self) {
        let Some((mark, length)) = self.run.take() else {
            return;
        };
        let opens_line = !std::mem::replace(&mut self.in_line, true);
        match self.fence {
            Some((fence, least)) if opens_line && mark == fence && length >= least => {
                self.fence = None;
            }
            Some(_) => {}
            None if opens_line && length >= 3 => self.fence = Some((mark, length)),
            None if mark == '`' && self.inline == 0 => self.inline = length,
            None if mark == '`' && self.inline == length => self.inline = 0,
            None => {}
        }
    }
}
