//! What a line is, and whether the next one goes on with it.

use super::super::scan::{Kind, Marker};
use super::{BlockKind, Follows};

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum LineKind {
    #[default]
    Text,
    /// Text behind a marker.
    Marked(Marker),
    Row,
    Rule,
    Formula,
    Fence,
}

impl LineKind {
    pub(super) const fn block(self) -> BlockKind {
        match self {
            Self::Text => BlockKind::Paragraph,
            Self::Marked(Marker::Quote) => BlockKind::Quote,
            Self::Marked(Marker::Item) => BlockKind::List,
            Self::Marked(Marker::Heading) => BlockKind::Heading,
            Self::Marked(Marker::Subtext) => BlockKind::Subtext,
            Self::Row => BlockKind::Table,
            Self::Rule => BlockKind::Rule,
            Self::Formula => BlockKind::Formula,
            Self::Fence => BlockKind::Code,
        }
    }
}

/// What is known of the line that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineState {
    pub(super) kind: LineKind,
    /// Where it begins, indentation included.
    pub(super) start: usize,
    /// Whether anything but emoji has been seen.
    pub(super) text: bool,
    /// Whether a `|` was seen outside code.
    pub(super) piped: bool,
    /// Whether it goes on after a code block.
    pub(super) after_code: bool,
}

/// What lies between the last text and the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    pub(super) end: usize,
    pub(super) newlines: usize,
    /// Where the last line of it begins.
    pub(super) line_start: usize,
    /// Punctuation was carried over to here from a line that has this to do
    /// with the one before.
    pub(super) carried: Option<Follows>,
}

impl Gap {
    /// Nothing yet, after text that ends at `end`.
    pub(super) fn after(end: usize) -> Self {
        Self {
            end,
            ..Self::default()
        }
    }
}

/// Whether a line that begins so goes on with what the line before was.
pub(super) fn continues(before: &LineState, kind: Kind, indented: bool) -> Follows {
    let follows = match (before.kind, kind) {
        (LineKind::Row, Kind::Row) => return Follows::Row,
        (_, Kind::Row) if before.piped => return Follows::Row,
        (LineKind::Row, _) | (_, Kind::Row) => false,
        (_, Kind::FenceOpen) | (LineKind::Fence, _) => false,
        (LineKind::Marked(Marker::Heading), _) => true,
        (LineKind::Marked(Marker::Quote), Kind::Marker(Marker::Quote))
        | (LineKind::Marked(Marker::Item), Kind::Marker(Marker::Item)) => true,
        (LineKind::Marked(Marker::Item), kind) => indented && !matches!(kind, Kind::Marker(_)),
        _ => false,
    };
    if follows { Follows::Block } else { Follows::No }
}

/// Whether a line that begins so is ordinary text.
pub(super) const fn is_plain(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Marker(_) | Kind::Formula | Kind::Row | Kind::Rule
    ) && !kind.is_fenced()
}
