//! The clients, as their own package managers install them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::folder;
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
    remedy: "install Python 3.10 or newer with its venv and pip",
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

/// A language with its packages, ready to run scripts.
pub(super) struct InstalledClient {
    program: PathBuf,
    scripts: PathBuf,
}

impl InstalledClient {
    /// One of its scripts, to be run.
    pub(super) fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(self.scripts.join(name));
        // Scripts of the tree leave nothing in it.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Where packages are found by scripts.
    pub(super) fn scripts(&self) -> &Path {
        &self.scripts
    }
}

/// Node.js with discord.js and the compiler, installed if they have to be.
pub(super) fn node() -> Result<InstalledClient, String> {
    let (node, npm) = (NODE.version()?, NPM.version()?);
    let source = root().join("conformance");
    let target = folder().join("node");
    let pins = read(&source.join("discord_js/package.json"))?;
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
    for folder in ["discord_js", "shapes", "bots"] {
        copy_scripts(&source.join(folder), &target)?;
    }
    Ok(InstalledClient {
        program: NODE.program.into(),
        scripts: target,
    })
}

/// Python with a client, installed if it has to be.
pub(super) fn python(client: &str, folder_name: &str) -> Result<InstalledClient, String> {
    let version = PYTHON.version()?;
    let source = root().join("conformance").join(folder_name);
    let target = folder().join(folder_name);
    let requirements = source.join("requirements.txt");
    let python = python_of(&target);
    let pins = read(&requirements)?;
    install(client, &target, &format!("{version}\n{pins}"), || {
        run(PYTHON.command().args(["-m", "venv"]).arg(&target))
            .map_err(|error| format!("{error}; {}", PYTHON.remedy))?;
        let pip = ["-m", "pip", "install", "--quiet", "--requirement"];
        run(Command::new(&python).args(pip).arg(&requirements))
    })?;
    Ok(InstalledClient {
        program: python,
        scripts: source,
    })
}

fn copy_scripts(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error| format!("{} cannot be read: {error}", from.display());
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_script = path
            .extension()
            .is_some_and(|end| end == "mjs" || end == "py");
        if let Some(name) = path.file_name().filter(|_| is_script) {
            write(&to.join(name), &read(&path)?)?;
        }
    }
    Ok(())
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

pub(super) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
