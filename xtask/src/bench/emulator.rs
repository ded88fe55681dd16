//! The emulator under load, which comes from another process.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Figure, SHIPPED, cargo};
use crate::run;

/// A small load, whose line of JSON is only shown.
pub(super) fn quick() -> Result<(), String> {
    run(load().env("KAIWA_BENCH_QUICK", "1"))
}

pub(super) fn measure() -> Result<Vec<Figure>, String> {
    let output = load()
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the load could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the load ended with {}", output.status));
    }
    let found: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the load said something else: {error}"))?;
    let crowds = found["crowds"].as_array().ok_or("the load has no crowds")?;
    let mut figures = Vec::new();
    for crowd in crowds {
        figures.extend(of_crowd(crowd)?);
    }
    let most = crowds.last().ok_or("the load has no crowds")?;
    let client = number(most, "kib_per_client")? * 1.024;
    figures.push(Figure::new("memory of a client", client, "kB"));
    let guild = number(&found, "kib_per_guild")? * 1.024;
    let what = "memory of a guild with 100 people and 11 channels";
    figures.push(Figure::new(what, guild, "kB"));
    Ok(figures)
}

fn of_crowd(crowd: &Value) -> Result<Vec<Figure>, String> {
    let who = match number(crowd, "clients")? {
        1.0 => "1 client".to_owned(),
        many => format!("{many} clients"),
    };
    let rate = number(crowd, "per_second")?;
    let each = number(crowd, "us_per_event")?;
    let mut figures = vec![
        Figure::new(format!("messages in a second, {who}"), rate, "/s"),
        Figure::new(format!("processor time for an event, {who}"), each, "µs"),
    ];
    for row in crowd["steady"].as_array().into_iter().flatten() {
        let (rate, reach) = (number(row, "per_second")?, number(row, "reach")?);
        let slow = match row["kept_up"].as_bool() {
            Some(true) => "",
            _ => " (not kept up with)",
        };
        for rank in ["p50", "p99"] {
            let what = format!("delay at {rate} messages/s to {reach} of {who}, {rank}{slow}");
            let figure = Figure::new(what, number(row, rank)?, "ms");
            figures.push(match rank {
                "p99" if rate >= 1000.0 => figure.below(5.0),
                _ => figure,
            });
        }
    }
    Ok(figures)
}

fn number(value: &Value, key: &str) -> Result<f64, String> {
    let number = value[key].as_f64();
    number.ok_or_else(|| format!("the load has no {key}"))
}

fn load() -> Command {
    let mut command = cargo();
    command
        .args(["bench", "--quiet", "--package", "kaiwa-emulator"])
        .args(["--profile", SHIPPED, "--bench", "load"]);
    command
}
