//! What a line belongs to.

/// A run of lines that is read as one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Block {
    /// Between two fences.
    Code(Fence),
    /// A list, with the indented lines under its items.
    List,
    /// Lines behind `>`.
    Quote,
    /// Rows behind `|`.
    Table,
    /// A heading, which stays with what it heads.
    Heading,
}

impl Block {
    /// The block that `line` begins or continues; `None` for plain text.
    pub(super) fn of(line: &str) -> Option<Self> {
        if let Some(fence) = Fence::opened_by(line) {
            return Some(Self::Code(fence));
        }
        let text = line.trim_start();
        if text.starts_with('>') {
            Some(Self::Quote)
        } else if text.starts_with('|') {
            Some(Self::Table)
        } else if is_heading(text) {
            Some(Self::Heading)
        } else if is_item(text) || (line.starts_with("  ") && !text.is_empty()) {
            Some(Self::List)
        } else {
            None
        }
    }

    /// Whether a line of `next` stays with the open `block`.
    pub(super) fn goes_on(block: Option<&Self>, next: Option<&Self>) -> bool {
        match (block, next) {
            (Some(Self::Heading), _) | (None, None) => true,
            (Some(Self::Code(_)), _) | (_, Some(Self::Code(_))) => false,
            (block, next) => block == next,
        }
    }
}

fn is_heading(text: &str) -> bool {
    let level = text.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&level) && text[level..].starts_with(' ')
}

fn is_item(text: &str) -> bool {
    let marker = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        marker.len() < text.len() && (marker.starts_with(". ") || marker.starts_with(") "));
    numbered
        || ["- ", "* ", "+ ", "• "]
            .iter()
            .any(|bullet| text.starts_with(bullet))
}

/// The line that opens a code block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fence {
    /// The whole opening line, without its newline: indentation, marker, info.
    opening: String,
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    /// The fence that `line` opens.
    pub(super) fn opened_by(line: &str) -> Option<Self> {
        let opening = line.trim_end();
        let text = opening.trim_start();
        let indent = opening.len() - text.len();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = text.chars().take_while(|&c| c == mark).count();
        // A backtick in the info string means inline code, as in ```a```.
        let opens = length >= 3 && !(mark == '`' && text[length..].contains('`'));
        opens.then(|| Self {
            opening: opening.to_owned(),
            mark,
            length,
            indent,
        })
    }

    /// Whether `line` ends the block.
    pub(super) fn closed_by(&self, line: &str) -> bool {
        let text = line.trim();
        text.chars().all(|c| c == self.mark) && text.len() >= self.length
    }

    /// The opening line.
    pub(super) fn opening(&self) -> &str {
        &self.opening
    }

    /// What closes the block when it is cut: a newline and the marker.
    pub(super) fn closing(&self) -> String {
        let mut closing = String::from("\n");
        closing.push_str(&self.opening[..self.indent]);
        closing.extend(std::iter::repeat_n(self.mark, self.length));
        closing
    }
}
