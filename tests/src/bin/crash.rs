//! `crash BINARY [--runs N] [--seed S] [--lanes L]`: kills a bot again and
//! again, and says what was lost. Started by `cargo xtask crash`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool"
)]

use std::process::ExitCode;

use kaiwa_e2e::crash::Series;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(series) = series() else {
        eprintln!("crash BINARY [--runs N] [--seed S] [--lanes L]");
        return ExitCode::from(2);
    };
    println!(
        "{} runs with seed {}, {} bots at a time",
        series.runs, series.seed, series.lanes
    );
    let findings = series.run().await;
    for (death, judgement) in &findings.by_death {
        println!("{death:>16}: {judgement}");
    }
    for failure in findings.failures.iter().take(10) {
        println!("\n{failure}");
    }
    let seconds = findings.took.as_secs_f64();
    println!(
        "\nall: {}\n{} runs in {seconds:.0} s, {:.1} a second",
        findings.total,
        series.runs,
        f64::from(series.runs) / seconds
    );
    match findings.is_clean() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn series() -> Option<Series> {
    let mut args = std::env::args().skip(1);
    let mut series = Series {
        binary: args.next()?.into(),
        runs: 1_000,
        seed: 1,
        lanes: 8,
    };
    while let Some(flag) = args.next() {
        let value = args.next()?;
        match flag.as_str() {
            "--runs" => series.runs = value.parse().ok()?,
            "--seed" => series.seed = value.parse().ok()?,
            "--lanes" => series.lanes = value.parse().ok().filter(|lanes| *lanes > 0)?,
            _ => return None,
        }
    }
    Some(series)
}
