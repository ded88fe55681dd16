//! How long it takes to write what a model is told, by the bench of `pipeline`.

use std::process::Stdio;

use super::cargo;
use super::figure::Figure;

/// Measures briefs of windows of several sizes.
pub(super) fn measure() -> Result<Vec<Figure>, String> {
    let output = cargo()
        .args(["bench", "--quiet", "--package", "kaiwa-pipeline"])
        .args(["--bench", "brief"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the bench of briefs could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the bench of briefs ended with {}", output.status));
    }
    let rows = String::from_utf8_lossy(&output.stdout).into_owned();
    rows.lines().flat_map(figures).collect()
}

/// The figures of a row: messages, and the median and 99 of 100 in microseconds.
fn figures(row: &str) -> [Result<Figure, String>; 2] {
    let mut cells = row.split('\t');
    let messages = cells.next().unwrap_or_default().to_owned();
    ["p50", "p99"].map(|rank| {
        let micros = cells.next().and_then(|cell| cell.parse::<f64>().ok());
        let micros = micros.ok_or_else(|| format!("the bench of briefs said {row:?}"))?;
        let what = format!("brief of {messages} messages, {rank}");
        let figure = Figure::new(what, micros / 1000.0, "ms");
        Ok(match &*messages {
            "100" => figure.below(1.0),
            _ => figure,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_figures() {
        let [median, most] = figures("100\t250.0\t1250.5").map(Result::unwrap);
        let cells = median.cells();
        assert_eq!(cells[0], "brief of 100 messages, p50");
        assert_eq!(cells[3], "yes");
        assert_eq!(most.cells()[3], "no");
        assert!(figures("what\tever")[0].is_err());
    }
}
