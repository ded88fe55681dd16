//! From lines to cells.

use std::collections::HashMap;

use super::Align;

/// The cells of a row, without the space around them; `\|` is a bar, and so
/// is one inside inline code. `None` for a line without a bar between cells.
pub(super) fn cells(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    if line.starts_with('>') {
        return None;
    }
    let bars = bars(line);
    if bars.is_empty() {
        return None;
    }
    let mut cells = Vec::with_capacity(bars.len() + 1);
    let mut start = 0;
    for bar in bars {
        if bar > 0 {
            cells.push(cell(&line[start..bar]));
        }
        start = bar + 1;
    }
    if start < line.len() {
        cells.push(cell(&line[start..]));
    }
    Some(cells)
}

/// The alignments that a separator row gives its columns.
pub(super) fn separator(line: &str) -> Option<Vec<Align>> {
    let shape = |byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t' | b'\r');
    if !line.bytes().all(shape) {
        return None;
    }
    cells(line)?
        .iter()
        .map(|cell| {
            let from = cell.strip_prefix(':');
            let rest = from.unwrap_or(cell);
            let to = rest.strip_suffix(':');
            let dashes = to.unwrap_or(rest);
            if dashes.is_empty() || dashes.bytes().any(|byte| byte != b'-') {
                return None;
            }
            Some(match (from.is_some(), to.is_some()) {
                (false, false) => Align::Start,
                (true, false) => Align::Left,
                (true, true) => Align::Center,
                (false, true) => Align::Right,
            })
        })
        .collect()
}

/// The cells of a header: two or more, not all empty, and not the beginning
/// of a list, heading or fence.
pub(super) fn header(line: &str) -> Option<Vec<String>> {
    let text = line.trim_start();
    let bullet = ["- ", "* ", "+ ", "#", "```", "~~~"];
    if bullet.iter().any(|mark| text.starts_with(mark)) {
        return None;
    }
    let cells = cells(line)?;
    (cells.len() >= 2 && cells.iter().any(|cell| !cell.is_empty())).then_some(cells)
}

/// Keeps what goes beyond `columns` together in the last cell.
pub(super) fn fit(mut cells: Vec<String>, columns: usize) -> Vec<String> {
    if cells.len() > columns && columns > 0 {
        let last = cells.split_off(columns - 1).join(" | ");
        cells.push(last);
    }
    cells
}

fn cell(text: &str) -> String {
    text.trim().replace("\\|", "|")
}

/// Where the bars are that divide cells.
fn bars(line: &str) -> Vec<usize> {
    let bytes = line.as_bytes();
    let code = code_ends(bytes);
    let mut bars = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'|' => {
                bars.push(at);
                at += 1;
            }
            b'`' => at = code.get(&at).copied().unwrap_or_else(|| run_end(bytes, at)),
            _ => at += 1,
        }
    }
    bars
}

/// For each run of backticks that is closed by one of the same length: where
/// that one ends.
pub(super) fn code_ends(bytes: &[u8]) -> HashMap<usize, usize> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'`' {
            let end = run_end(bytes, at);
            runs.push((at, end));
            at = end;
        } else {
            at += 1;
        }
    }
    let mut next_of_length = HashMap::new();
    let mut ends = HashMap::new();
    for &(start, end) in runs.iter().rev() {
        if let Some(closing) = next_of_length.insert(end - start, end) {
            ends.insert(start, closing);
        }
    }
    ends
}

pub(super) fn run_end(bytes: &[u8], start: usize) -> usize {
    let mark = bytes[start];
    let more = bytes[start..].iter().take_while(|&&byte| byte == mark);
    start + more.count()
}
