//! The emulator under load, which comes from another process.

use std::process::Stdio;

use super::{Figure, cargo};

pub(super) fn measure() -> Result<Vec<Figure>, String> {
    let output = cargo()
        .args(["bench", "--quiet", "--package", "kaiwa-emulator"])
        .args(["--bench", "load"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the load could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the load ended with {}", output.status));
    }
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the load said something else: {error}"))?;
    let mut figures = Vec::new();
    let number = |value: &serde_json::Value, key: &str| {
        value[key]
            .as_f64()
            .ok_or_else(|| format!("the load has no {key}"))
    };
    for (clients, who) in [
        ("1", "1 client"),
        ("100", "100 clients"),
        ("1000", "1,000 clients"),
    ] {
        let row = &found[clients];
        let rate = number(row, "per_second")?;
        figures.push(Figure::new(
            format!("messages in a second, {who}"),
            rate,
            "/s",
        ));
        let each = number(row, "us_per_event")?;
        let what = format!("processor time for an event, {who}");
        figures.push(Figure::new(what, each, "µs"));
        let steady = number(row, "steady")?;
        for rank in ["p50", "p99"] {
            let what = format!("delay at {steady} messages/s, {who}, {rank}");
            let figure = Figure::new(what, number(row, rank)?, "ms");
            figures.push(match rank {
                "p99" if steady >= 1000.0 => figure.below(5.0),
                _ => figure,
            });
        }
    }
    let client = number(&found["1000"], "kib_per_client")? * 1.024;
    figures.push(Figure::new("memory of a client", client, "kB"));
    let guild = number(&found, "kib_per_guild")? * 1.024;
    let what = "memory of a guild with 50 people and 10 channels";
    figures.push(Figure::new(what, guild, "kB"));
    Ok(figures)
}
