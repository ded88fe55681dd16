//! Tables as models write them, in GitHub's markdown.
//!
//! ```text
//! | fruit | price |      header: two cells or more
//! |:------|------:|      as many cells of dashes; colons say the alignment
//! | apple |  1.20 |      one row or more
//! ```
//!
//! A table is made from its source and keeps it, so whoever stores the source
//! has stored the table. Reading is linear in the length of the source.

mod cells;
mod span;
mod text;

use crate::limits::ATTACHMENT_DESCRIPTION_CHARS;

use cells::{cells, header, separator};
pub use span::{Span, spans};

/// A table, with its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    source: String,
    header: Vec<String>,
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

/// How the cells of a column are aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    /// Where the script begins: left for Latin, right for Arabic.
    #[default]
    Start,
    /// `:---`
    Left,
    /// `:--:`
    Center,
    /// `---:`
    Right,
}

impl Table {
    /// The longest source that is read as a table, in bytes. Longer ones are
    /// no pleasure to read in a chat, as a picture or otherwise.
    pub const MAX_BYTES: usize = 16 * 1024;

    /// Reads a table whose lines are all of `source`, blank ones around it
    /// aside. `None` if it is anything else or too long.
    ///
    /// A row with too few cells is filled up; what a row has too many of stays
    /// together in its last cell.
    pub fn parse(source: &str) -> Option<Self> {
        let source = source.trim_matches(['\n', '\r']);
        if source.len() > Self::MAX_BYTES {
            return None;
        }
        let mut lines = source.lines();
        let header = header(lines.next()?)?;
        let align = separator(lines.next()?)?;
        let columns = header.len();
        if align.len() != columns {
            return None;
        }
        let mut rows = Vec::new();
        for line in lines {
            let mut row = cells::fit(cells(line)?, columns);
            row.resize(columns, String::new());
            rows.push(row);
        }
        if rows.is_empty() {
            return None;
        }
        Some(Self {
            source: source.to_owned(),
            header,
            align,
            rows,
        })
    }

    /// The markdown it was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The cells of the header, in markdown. There are two or more.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The alignment of each column.
    pub fn align(&self) -> &[Align] {
        &self.align
    }

    /// The rows below the header, each with as many cells as the header.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// What a picture of it is described as, to people who cannot see it.
    pub fn alt(&self) -> String {
        let count = self.rows.len();
        let rows = if count == 1 { "row" } else { "rows" };
        let mut alt = format!("Table with {count} {rows}. Columns: ");
        for (index, cell) in self.header.iter().enumerate() {
            if index > 0 {
                alt.push_str(", ");
            }
            alt.push_str(span::plain(cell).replace('\n', " ").trim());
        }
        match alt.char_indices().nth(ATTACHMENT_DESCRIPTION_CHARS - 1) {
            Some((cut, _)) => {
                alt.truncate(cut);
                alt.push('…');
            }
            None => alt.push('.'),
        }
        alt
    }

    /// The table as aligned text in code fences, for where there can be no
    /// picture: one message or more, each within `max` UTF-16 units, which
    /// must be at least [`Self::TEXT_MIN_UTF16`]. The header is repeated in
    /// each.
    pub fn as_text(&self, max: usize) -> Vec<String> {
        text::messages(self, max.max(Self::TEXT_MIN_UTF16))
    }

    /// How many messages of [`MESSAGE_TARGET_UTF16`](crate::limits::MESSAGE_TARGET_UTF16) the text
    /// of a table may take.
    pub const TEXT_MAX_MESSAGES: usize = 36;

    /// The smallest messages that [`as_text`](Self::as_text) can fill.
    pub const TEXT_MIN_UTF16: usize = 200;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: Option<(&[&str], &[&[&str]])>) {
        let found = Table::parse(source);
        let found = found
            .as_ref()
            .map(|table| (table.header.clone(), table.rows.clone()));
        let own = |cells: &[&str]| cells.iter().copied().map(String::from).collect::<Vec<_>>();
        let expected =
            expected.map(|(header, rows)| (own(header), rows.iter().map(|row| own(row)).collect()));
        assert_eq!(found, expected, "{source:?}");
    }

    #[test]
    fn what_a_table_is() {
        check(
            "| a | b |\n|---|---|\n| 1 | 2 |",
            Some((&["a", "b"], &[&["1", "2"]])),
        );
        check(
            "\na|b\r\n-|-\r\n1|2\r\n",
            Some((&["a", "b"], &[&["1", "2"]])),
        );
        check(
            "  | a \\| b | `x | y` |\n  |--|--|\n  | `` ` | `` | `open | shut |",
            Some((&["a | b", "`x | y`"], &[&["`` ` | ``", "`open | shut"]])),
        );
        check(
            "|a|b|c|\n|-|-|-|\n|1|\n|1|2|3|4|5|\n||||",
            Some((
                &["a", "b", "c"],
                &[&["1", "", ""], &["1", "2", "3 | 4 | 5"], &["", "", ""]],
            )),
        );
        check("| a | b |\n|---|---|", None);
        check("| a | b |\n|---|\n| 1 | 2 |", None);
        check("| a |\n|---|\n| 1 |", None);
        check("| a | b |\n| 1 | 2 |\n|---|---|", None);
        check("| a | b |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |", None);
        check("| a | b |\n|---|---|\nno row", None);
        check("|  |  |\n|---|---|\n| 1 | 2 |", None);
        check("> | a | b |\n> |---|---|\n> | 1 | 2 |", None);
        check("- a | b\n-|-\n1|2", None);
        check("``` a | b\n-|-\n1|2", None);
        check("", None);
    }

    #[test]
    fn alignment_comes_from_the_colons() {
        let table = Table::parse("a|b|c|d\n-|:-|:-:|-:\n1|2|3|4").unwrap();
        let expected = [Align::Start, Align::Left, Align::Center, Align::Right];
        assert_eq!(table.align(), expected);
    }

    #[test]
    fn a_table_read_from_its_source_is_the_same() {
        let table = Table::parse("\n\n| a | b |\n|---|---|\n| 1 | 2 |\n").unwrap();
        assert_eq!(Table::parse(table.source()), Some(table));
    }

    #[test]
    fn a_long_source_is_no_table() {
        let row = "| 1 | 2 |\n";
        let head = "| a | b |\n|---|---|\n";
        let fits = (Table::MAX_BYTES + 1 - head.len()) / row.len();
        let source = |rows| format!("{head}{}", row.repeat(rows));
        assert!(Table::parse(&source(fits)).is_some());
        assert!(Table::parse(&source(fits + 1)).is_none());
    }

    #[test]
    fn the_description_names_columns_and_rows() {
        let table = Table::parse("| **a** | `b` |\n|-|-|\n| 1 | 2 |").unwrap();
        assert_eq!(table.alt(), "Table with 1 row. Columns: a, b.");
        let wide = format!("a|{}\n-|-\n1|2\n3|4", "é".repeat(3000));
        let alt = Table::parse(&wide).unwrap().alt();
        assert!(alt.starts_with("Table with 2 rows. Columns: a, é"));
        assert_eq!(alt.chars().count(), ATTACHMENT_DESCRIPTION_CHARS);
    }
}
