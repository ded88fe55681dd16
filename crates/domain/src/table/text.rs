//! A table as aligned text in code fences.

use unicode_width::UnicodeWidthStr;

use super::{Align, Table, span};

/// How wide the lines are meant to be, in columns of a fixed-width font. It
/// is what a Discord window shows without folding lines.
const LINE_WIDTH: usize = 92;

/// No column is made narrower than this to fit the line.
const MIN_WIDTH: usize = 8;

/// How much larger than the source the aligned text may be. Beyond that it
/// is mostly padding.
const MAX_PADDING: usize = 3;

const FENCE: &str = "```";
const GAP: &str = " │ ";

/// The lines of one row of the table.
type Lines = Vec<String>;

pub(super) fn messages(table: &Table, max: usize) -> Vec<String> {
    let header: Vec<String> = table.header().iter().map(|cell| readable(cell)).collect();
    let rows: Vec<Vec<String>> = table
        .rows()
        .iter()
        .map(|row| row.iter().map(|cell| readable(cell)).collect())
        .collect();
    let inside = max - 2 * (FENCE.len() + 1);
    let pages = aligned(table, &header, &rows, inside)
        .unwrap_or_else(|| paged(&bare(&header), rows.iter().map(|row| bare(row)), inside));
    pages
        .into_iter()
        .map(|page| format!("{FENCE}\n{page}\n{FENCE}"))
        .collect()
}

/// The text of a cell, with nothing in it that could end the fence, move the
/// cursor or turn the line around.
fn readable(cell: &str) -> String {
    let mut text = String::new();
    for c in span::plain(cell).chars() {
        match c {
            '\n' => text.push('\n'),
            c if c.is_control() => text.push(' '),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c => text.push(c),
        }
    }
    if text.contains(FENCE) {
        text = text.replace("``", "`\u{200b}`");
    }
    text
}

/// The table in columns; `None` where that would be mostly padding or would
/// not fit the messages.
fn aligned(
    table: &Table,
    header: &[String],
    rows: &[Vec<String>],
    inside: usize,
) -> Option<Vec<String>> {
    let widths = widths(header, rows, inside)?;
    let lay = |row: &[String]| -> Lines { row_lines(row, &widths, table.align()) };
    let mut head = lay(header);
    let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
    head.push(rule.join("─┼─"));
    let bodies: Vec<Lines> = rows.iter().map(|row| lay(row)).collect();
    let size: usize = bodies.iter().flatten().map(String::len).sum();
    if size > MAX_PADDING * table.source().len().max(inside) {
        return None;
    }
    Some(paged(&head, bodies.into_iter(), inside))
}

/// The width of each column: as its cells need, or less where the line would
/// grow too long, taken from the widest.
fn widths(header: &[String], rows: &[Vec<String>], inside: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = header.iter().map(|cell| lines_width(cell)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(lines_width(cell));
        }
    }
    let gaps = GAP.chars().count() * (widths.len() - 1);
    let room = LINE_WIDTH.min(inside).checked_sub(gaps)?;
    if MIN_WIDTH * widths.len() > room {
        let natural: usize = widths.iter().sum();
        return (natural <= room).then_some(widths);
    }
    // The largest width that, as a cap, makes the columns fit.
    let fits = |cap: usize| widths.iter().map(|width| *width.min(&cap)).sum::<usize>() <= room;
    let mut cap = MIN_WIDTH;
    while cap < room && fits(cap + 1) {
        cap += 1;
    }
    for width in &mut widths {
        *width = (*width).min(cap).max(1);
    }
    Some(widths)
}

fn lines_width(cell: &str) -> usize {
    cell.lines()
        .map(UnicodeWidthStr::width)
        .max()
        .unwrap_or(0)
        .max(1)
}

/// The lines of a row whose cells are folded to their columns.
fn row_lines(row: &[String], widths: &[usize], align: &[Align]) -> Lines {
    let folded: Vec<Lines> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| fold(cell, *width))
        .collect();
    let height = folded.iter().map(Vec::len).max().unwrap_or(1).max(1);
    (0..height)
        .map(|at| {
            let mut line = String::new();
            for (column, (cell, width)) in folded.iter().zip(widths).enumerate() {
                if column > 0 {
                    line.push_str(GAP);
                }
                let text = cell.get(at).map_or("", String::as_str);
                pad(&mut line, text, *width, align.get(column).copied());
            }
            line.truncate(line.trim_end().len());
            line
        })
        .collect()
}

fn pad(line: &mut String, text: &str, width: usize, align: Option<Align>) {
    let free = width.saturating_sub(text.width());
    let before = match align {
        Some(Align::Right) => free,
        Some(Align::Center) => free / 2,
        _ => 0,
    };
    line.push_str(&" ".repeat(before));
    line.push_str(text);
    line.push_str(&" ".repeat(free - before));
}

/// Folds text to lines of at most `width`, between words where it can.
fn fold(text: &str, width: usize) -> Lines {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split_whitespace() {
            let length = word.width();
            if used > 0 && used + 1 + length > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            if length <= width {
                line.push_str(word);
                used += length;
                continue;
            }
            for c in word.chars() {
                let length = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
                if used > 0 && used + length > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push(c);
                used += length;
            }
        }
        lines.push(line);
    }
    lines
}

/// A row without columns, its cells side by side.
fn bare(row: &[String]) -> Lines {
    let cells: Vec<String> = row
        .iter()
        .map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    vec![cells.join(GAP)]
}

/// Rows on pages of at most `inside` UTF-16 units. The header begins each
/// page, unless it would take up much of it.
fn paged(header: &[String], rows: impl Iterator<Item = Lines>, inside: usize) -> Vec<String> {
    let repeated = header.join("\n");
    let repeated = if utf16(&repeated) * 4 <= inside {
        repeated
    } else {
        String::new()
    };
    let mut pages = vec![String::new()];
    if repeated.is_empty() {
        add(&mut pages, &header.join("\n"), "", inside);
    } else if let Some(page) = pages.last_mut() {
        page.push_str(&repeated);
    }
    for row in rows {
        add(&mut pages, &row.join("\n"), &repeated, inside);
    }
    pages
}

/// Adds a row to the last page or to a new one. A row larger than a page is
/// cut, between characters if need be.
fn add(pages: &mut Vec<String>, row: &str, header: &str, inside: usize) {
    let header_size = if header.is_empty() {
        0
    } else {
        utf16(header) + 1
    };
    let mut used = pages
        .last()
        .map_or(0, |page| utf16(page) + usize::from(!page.is_empty()));
    let mut rest = row;
    loop {
        let cut = cut_at(rest, inside.saturating_sub(used));
        let fresh = used <= header_size;
        if cut == rest.len() || fresh {
            let piece = rest[..cut].trim_end_matches('\n');
            if let Some(page) = pages.last_mut() {
                if !page.is_empty() {
                    page.push('\n');
                }
                page.push_str(piece);
            }
            rest = rest[cut..].trim_start_matches('\n');
            if rest.is_empty() {
                return;
            }
        }
        pages.push(header.to_owned());
        used = header_size;
    }
}

/// Where to cut `text` to at most `room` UTF-16 units: after its last line
/// that fits, else within the line; never before the first character.
fn cut_at(text: &str, room: usize) -> usize {
    let mut used = 0;
    let mut line_end = None;
    for (at, c) in text.char_indices() {
        used += c.len_utf16();
        if used > room {
            let first = text.chars().next().map_or(0, char::len_utf8);
            return line_end.unwrap_or_else(|| at.max(first));
        }
        if c == '\n' {
            line_end = Some(at + 1);
        }
    }
    text.len()
}

fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MESSAGE_TARGET_UTF16;

    fn texts(source: &str, max: usize) -> Vec<String> {
        Table::parse(source).expect(source).as_text(max)
    }

    #[test]
    fn columns_are_aligned() {
        let source =
            "| Name | Preis | `x` |\n|:-|-:|:-:|\n| **Äpfel** | 1 | b |\n| 日本 | 12 | ```c``` |";
        let expected = "\
```
Name  │ Preis │ x
──────┼───────┼──
Äpfel │     1 │ b
日本  │    12 │ c
```";
        assert_eq!(texts(source, MESSAGE_TARGET_UTF16), [expected]);
    }

    #[test]
    fn long_cells_are_folded_and_nothing_is_lost() {
        let long = "word ".repeat(60);
        let found = texts(&format!("a|b\n-|-\n{long}|x\n{}|y", "z".repeat(300)), 1950);
        let text = found.concat();
        assert_eq!(text.matches("word").count(), 60);
        assert_eq!(text.matches('z').count(), 300);
        assert!(
            text.lines().all(|line| line.width() <= LINE_WIDTH),
            "{text}"
        );
    }

    #[test]
    fn a_long_table_is_cut_between_rows_and_repeats_its_header() {
        let rows: String = (0..200)
            .map(|row| format!("| row {row} | {} |\n", row * row))
            .collect();
        let found = texts(&format!("| key | value |\n|---|---|\n{rows}"), 1950);
        assert!(found.len() > 1);
        for message in &found {
            assert!(message.starts_with("```\nkey     │ value\n"), "{message}");
        }
        let text = found.concat();
        for row in 0..200 {
            assert_eq!(text.matches(&format!("row {row} ")).count(), 1, "{row}");
        }
    }

    #[test]
    fn hostile_tables_stay_in_bounds() {
        let check = |source: &str| {
            for max in [Table::TEXT_MIN_UTF16, 1950] {
                let found = texts(source, max);
                for message in &found {
                    assert!(utf16(message) <= max, "{message}");
                    assert_eq!(message.matches(FENCE).count(), 2, "{message}");
                }
                let most = Table::TEXT_MAX_MESSAGES * (1950 / max + 1);
                assert!(found.len() <= most, "{}", found.len());
            }
        };
        let wide = |cell: &str, count: usize| vec![cell; count].join("|");
        let columns = 1800;
        check(&format!(
            "{}\n{}\n{}",
            wide("a", columns),
            wide("-", columns),
            wide("b", columns)
        ));
        check(&format!(
            "{}|x\n-|-\n{}",
            "h".repeat(7000),
            "1|2\n".repeat(1900)
        ));
        check(&format!(
            "a|b\n-|-\n{}|x\n{}",
            "c".repeat(90),
            "1|2\n".repeat(3900)
        ));
        check(&format!("a|b\n-|-\n{}|1", "`".repeat(5000)));
        check(&format!("a|b\n-|-\n{}|1", "👩‍💻\u{200b}\u{202e}".repeat(400)));
        check(&format!(
            "a|b\n-|-\n{}|{}",
            "<br>".repeat(2000),
            "\u{1}".repeat(900)
        ));
    }
}
