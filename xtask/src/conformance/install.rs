//! The clients, as their own package managers install them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::folder;
use super::walk::Walk;
use crate::{root, run};

const NODE: RequiredProgram = RequiredProgram {
    program: "node",
    remedy: "install Node.js 18 or newer",
};
const NPM: RequiredProgram = RequiredProgram {
    program: if cfg!(windows) { "npm.cmd" } else { "npm" },
    remedy: "install npm, which comes with Node.js",
};
const PYTHON: RequiredProgram = RequiredProgram {
    program: if cfg!(windows) { "python" } else { "python3" },
    remedy: "install Python 3.8 or newer with its venv and pip",
};

/// Something that must be on the machine.
struct RequiredProgram {
    program: &'static str,
    remedy: &'static str,
}

impl RequiredProgram {
    fn command(&self) -> Command {
        Command::new(self.program)
    }

    fn version(&self) -> Result<String, String> {
        let Self { program, remedy } = self;
        let output = self
            .command()
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        match output {
            Ok(output) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
            }
            _ => Err(format!("`{program}` does not run here: {remedy}")),
        }
    }
}

/// The walk of discord.js, which is installed if it has to be.
pub(super) fn discord_js() -> Result<Walk, String> {
    let (node, npm) = (NODE.version()?, NPM.version()?);
    let source = root().join("conformance/discord_js");
    let target = folder().join("discord_js");
    let pins = read(&source.join("package.json"))?;
    install(
        "discord.js",
        &target,
        &format!("{node}\n{npm}\n{pins}"),
        || {
            write(&target.join("package.json"), &pins)?;
            let quiet = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
            run(NPM.command().args(quiet).current_dir(&target))
        },
    )?;
    // Node looks for packages beside the script.
    let script = target.join("walk.mjs");
    write(&script, &read(&source.join("walk.mjs"))?)?;
    let mut command = NODE.command();
    command.arg(script);
    Ok(Walk::new("discord.js", command))
}

/// The walk of discord.py, which is installed if it has to be.
pub(super) fn discord_py() -> Result<Walk, String> {
    let version = PYTHON.version()?;
    let source = root().join("conformance/discord_py");
    let target = folder().join("discord_py");
    let requirements = source.join("requirements.txt");
    let python = python_of(&target);
    let pins = read(&requirements)?;
    install("discord.py", &target, &format!("{version}\n{pins}"), || {
        run(PYTHON.command().args(["-m", "venv"]).arg(&target))
            .map_err(|error| format!("{error}; {}", PYTHON.remedy))?;
        let pip = ["-m", "pip", "install", "--quiet", "--requirement"];
        run(Command::new(&python).args(pip).arg(&requirements))
    })?;
    let mut command = Command::new(python);
    command.arg(source.join("walk.py"));
    Ok(Walk::new("discord.py", command))
}

fn python_of(environment: &Path) -> PathBuf {
    if cfg!(windows) {
        environment.join("Scripts/python.exe")
    } else {
        environment.join("bin/python")
    }
}

/// Fills a folder anew, unless the same was installed there before.
fn install(
    client: &str,
    target: &Path,
    wanted: &str,
    fill: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let stamp = target.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!("installing {client}");
    let failed = |error| format!("{} cannot be prepared: {error}", target.display());
    if target.exists() {
        fs::remove_dir_all(target).map_err(failed)?;
    }
    fs::create_dir_all(target).map_err(failed)?;
    fill().map_err(|error| format!("{client} could not be installed: {error}"))?;
    write(&stamp, wanted)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
