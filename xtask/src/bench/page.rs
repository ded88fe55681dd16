//! The page with the figures: `docs/benchmarks.md`.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use super::Figure;
use crate::root;

/// What the figures were measured on, without its name.
pub(super) fn machine() -> Result<String, String> {
    let cores = std::thread::available_parallelism().map_err(|error| error.to_string())?;
    let rustc = Command::new("rustc")
        .arg("--version")
        .output()
        .map_err(|error| format!("rustc could not be asked for its version: {error}"))?;
    let rustc = String::from_utf8_lossy(&rustc.stdout);
    let rustc = rustc.split_whitespace().nth(1).unwrap_or("unknown");
    let mut machine = format!("{cores} cores");
    if let Some(memory) = memory_gib() {
        let _ = write!(machine, ", {memory} GiB of memory");
    }
    let system = (std::env::consts::OS, std::env::consts::ARCH);
    let _ = write!(machine, ", {} on {}, rustc {rustc}", system.0, system.1);
    if let Ok(load) = fs::read_to_string("/proc/loadavg")
        && let Some(load) = load.split_whitespace().next()
    {
        let _ = write!(machine, "; load {load} before the measurement");
    }
    Ok(machine)
}

fn memory_gib() -> Option<u64> {
    let memory = fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib.div_ceil(1 << 20))
}

/// Prints the figures and puts them into the page between the marks of `part`.
pub(super) fn publish(part: &str, machine: &str, figures: &[Figure]) -> Result<(), String> {
    publish_text(part, machine, &table(figures))
}

/// Prints `table` and puts it into the page between the marks of `part`.
pub(super) fn publish_text(part: &str, machine: &str, table: &str) -> Result<(), String> {
    println!("\n{machine}\n\n{table}");
    let path = root().join("docs/benchmarks.md");
    let failed = |error| format!("{}: {error}", path.display());
    let page = fs::read_to_string(&path).map_err(failed)?;
    let body = format!("Measured on {machine}.\n\n{table}");
    let page = replaced(&page, part, &body)
        .ok_or_else(|| format!("{} has no marks for {part:?}", path.display()))?;
    fs::write(&path, page).map_err(failed)
}

/// A table that reads well as text too.
fn table(figures: &[Figure]) -> String {
    let heading = ["Figure", "Measured", "Aim", "Met"].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(heading)
        .chain(figures.iter().map(Figure::cells))
        .collect();
    let widths = [0, 1, 2, 3].map(|column| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or_default()
    });
    let mut table = String::new();
    for (index, [what, measured, aim, met]) in rows.iter().enumerate() {
        let [a, b, c, d] = widths;
        let _ = writeln!(
            table,
            "| {what:a$} | {measured:>b$} | {aim:>c$} | {met:d$} |"
        );
        if index == 0 {
            let rule = |width| "-".repeat(width);
            let (b, c) = (rule(b - 1), rule(c - 1));
            let _ = writeln!(table, "| {} | {b}: | {c}: | {} |", rule(a), rule(d));
        }
    }
    table
}

/// The page with `body` between the marks of `part`, the rest left alone.
fn replaced(page: &str, part: &str, body: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {part} -->\n"), format!("<!-- /{part} -->"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{body}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_between_the_marks_changes() {
        let page = "# Prose\n<!-- a -->\nold\n<!-- /a -->\nmore\n<!-- b -->\nkept\n<!-- /b -->\n";
        let new = "# Prose\n<!-- a -->\n\nnew\n<!-- /a -->\nmore\n<!-- b -->\nkept\n<!-- /b -->\n";
        assert_eq!(replaced(page, "a", "new").as_deref(), Some(new));
        assert_eq!(replaced(page, "c", "new"), None);
    }

    #[test]
    fn a_table_is_markdown() {
        let figures = [Figure::new("a start", 12.34, "ms").below(300.0)];
        let expect = "\
| Figure  | Measured |          Aim | Met |
| ------- | -------: | -----------: | --- |
| a start |  12.3 ms | below 300 ms | yes |
";
        assert_eq!(table(&figures), expect);
    }

    #[test]
    fn the_page_has_a_place_for_every_part() {
        let page = fs::read_to_string(root().join("docs/benchmarks.md")).unwrap();
        for part in ["builds", "start", "emulator", "admit", "deliver"] {
            assert!(replaced(&page, part, "").is_some(), "{part}");
        }
    }
}
