//! The emulator under load, which comes from another process.

use std::fmt::Write;
use std::process::Stdio;

use super::{Figure, cargo, empty_folder, kaiwa, running::TimedChild};
use crate::run;

/// Enough people that clients are not all the same one.
const PEOPLE: usize = 50;

/// The most guilds that a world can have.
const GUILDS: usize = 10;

pub(super) fn measure() -> Result<Vec<Figure>, String> {
    run(cargo().args(["build", "--release", "--package", "kaiwa"]))?;
    let folder = empty_folder("emulator")?;
    let mut figures = Vec::new();
    let one = start(&folder, 1)?;
    let many = start(&folder, GUILDS)?;
    if let (Some((_, one)), Some((_, many))) = (one.0.memory(), many.0.memory()) {
        let each = (many - one) * 1000.0 / (GUILDS - 1) as f64;
        let what = format!("memory of a guild with {PEOPLE} people and 10 channels");
        figures.push(Figure::new(what, each, "kB"));
    }
    drop(many);
    let (child, ready) = one;
    let output = cargo()
        .args(["bench", "--quiet", "--package", "kaiwa-emulator"])
        .args(["--bench", "load"])
        .env("EMULATOR_READY", ready)
        .env("EMULATOR_PID", child.id().to_string())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the load could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the load ended with {}", output.status));
    }
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the load said something else: {error}"))?;
    for clients in ["1", "100", "1000"] {
        let row = &found[clients];
        let who = match clients {
            "1" => "1 client".to_owned(),
            clients => format!("{clients} clients"),
        };
        let value = |key: &str| row[key].as_f64();
        if let Some(rate) = value("per_second") {
            let what = format!("messages in a second, {who}");
            figures.push(Figure::new(what, rate, "/s"));
        }
        for rank in ["p50", "p99"] {
            if let Some(delay) = value(rank) {
                let what = format!("delay at 1000 messages/s, {who}, {rank}");
                let figure = Figure::new(what, delay, "ms");
                figures.push(match (rank, clients) {
                    ("p99", "1") => figure.below(5.0),
                    _ => figure,
                });
            }
        }
        if let Some(kib) = value("kib_per_client").filter(|_| clients == "1000") {
            figures.push(Figure::new("memory of a client", kib * 1.024, "kB"));
        }
    }
    Ok(figures)
}

/// An emulator with so many guilds, and its ready line.
fn start(folder: &std::path::Path, guilds: usize) -> Result<(TimedChild, String), String> {
    let mut world =
        "limits = \"off\"\n[guild]\nname = \"First\"\n[bot]\nname = \"Bot\"\n".to_owned();
    let people = |world: &mut String, table: &str| {
        for number in 0..PEOPLE {
            let _ = write!(world, "[[{table}]]\nname = \"person {number}\"\n");
        }
    };
    let channels = |world: &mut String, table: &str| {
        let _ = write!(world, "[[{table}]]\nname = \"general\"\n");
        for number in 1..10 {
            let _ = write!(world, "[[{table}]]\nname = \"channel-{number}\"\n");
        }
    };
    people(&mut world, "users");
    channels(&mut world, "channels");
    for number in 1..guilds {
        let _ = write!(world, "[[guilds]]\nname = \"Guild {number}\"\n");
        people(&mut world, "guilds.members");
        channels(&mut world, "guilds.channels");
    }
    let path = folder.join(format!("{guilds}.toml"));
    std::fs::write(&path, world).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut command = kaiwa();
    command.args(["emulate", "--world"]).arg(&path);
    let child = TimedChild::start(&mut command)?;
    let (_, ready) = child.says("api_url")?;
    Ok((child, ready))
}
