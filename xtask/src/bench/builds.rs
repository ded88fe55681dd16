//! Cold builds: what a newcomer waits for.

use std::fs;
use std::process::Command;
use std::time::Instant;

use super::{Figure, cargo, empty_folder};
use crate::run;

/// A command of the README, and the build that it begins with.
struct Build {
    command: &'static str,
    folder: &'static str,
    args: &'static [&'static str],
    /// In seconds, on two cores.
    aim: Option<f64>,
}

const BUILDS: [Build; 2] = [
    Build {
        command: "`cargo run --release -- play`",
        folder: "build-release",
        args: &["build", "--release"],
        aim: Some(360.0),
    },
    Build {
        command: "`cargo xtask test`",
        folder: "build-test",
        args: &["test", "--workspace", "--no-run"],
        aim: None,
    },
];

pub(super) fn measure() -> Result<Vec<Figure>, String> {
    // The network is not what is measured.
    run(cargo().arg("fetch"))?;
    let mut figures = Vec::new();
    for build in BUILDS {
        let folder = empty_folder(build.folder)?;
        let before = children_seconds();
        let begun = Instant::now();
        run(cargo().args(build.args).env("CARGO_TARGET_DIR", &folder))?;
        let wall = begun.elapsed().as_secs_f64();
        let spent = children_seconds().zip(before);

        let wall = Figure::new(format!("{}, wall", build.command), wall, "s");
        figures.push(match build.aim {
            Some(aim) => wall.below(aim),
            None => wall,
        });
        if let Some((after, before)) = spent {
            let what = format!("{}, CPU", build.command);
            figures.push(Figure::new(what, after - before, "s"));
        }
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(figures)
}

/// The processor time of all children that have ended, and of theirs. Known on
/// Linux only.
fn children_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let ticks = children_ticks(&stat)?;
    let per_second = Command::new("getconf").arg("CLK_TCK").output().ok()?;
    let per_second: f64 = String::from_utf8(per_second.stdout)
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(ticks / per_second)
}

/// `cutime` and `cstime` of proc_pid_stat(5).
fn children_ticks(stat: &str) -> Option<f64> {
    // The second field is a name in brackets that may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_counted_after_the_name() {
        let stat = "17 (a (b) c) S 1 17 17 0 -1 4194560 9 8 0 0 5 6 700 80 20 0 1 0 99";
        assert_eq!(children_ticks(stat), Some(780.0));
        assert_eq!(children_ticks("17 (a"), None);
    }
}
