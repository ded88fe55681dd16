//! Tables, lifted out of the text around them.

use kaiwa_domain::Table;

/// The longest table to wait for, in bytes; [`complete`] takes no longer one.
pub(super) const MAX_BYTES: usize = Table::MAX_BYTES;

/// The table that `lines` are, if they are one and nothing else.
pub(super) fn complete(lines: &str) -> Option<Table> {
    Table::parse(lines)
}
