//! The text engine beside `text-splitter`, by the crate in `benches/text`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{cargo, page};
use crate::root;

/// Measures the text engine. Where the texts of the study are at hand, beside
/// the repository, they are measured too.
pub(crate) fn text() -> Result<(), String> {
    let machine = page::machine()?;
    let mut bench = cargo();
    bench
        .args(["run", "--quiet", "--profile", "compare"])
        .args(["--package", "kaiwa-bench-text"])
        .stderr(Stdio::inherit());
    if let Some(folder) = shared_texts() {
        bench.arg("--").arg(folder);
    } else {
        println!("no ../shared/text/inputs.py or no python3: only our own texts are measured");
    }
    println!("measuring, which takes a minute or two");
    let output = bench.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("the benchmark ended with {}", output.status));
    }
    page::publish_text(
        "text",
        &machine,
        String::from_utf8_lossy(&output.stdout).trim_end(),
    )
}

/// A folder with the texts that `../shared/text/inputs.py` writes.
fn shared_texts() -> Option<PathBuf> {
    let script = root().parent()?.join("shared/text/inputs.py");
    let folder = root().join("target/bench/text");
    std::fs::create_dir_all(&folder).ok()?;
    let written = script.exists() && wrote(&script, &folder);
    written.then(|| folder.join("inputs"))
}

fn wrote(script: &Path, folder: &Path) -> bool {
    let status = Command::new("python3")
        .arg(script)
        .current_dir(folder)
        .status();
    status.is_ok_and(|status| status.success())
}
