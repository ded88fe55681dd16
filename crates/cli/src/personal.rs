//! `kaiwa export` and `kaiwa erase`: everything about a person or a server.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kaiwa_domain::port::Clock;
use kaiwa_runtime::{SystemClock, export_document};

use crate::args::{EraseArgs, ExportArgs};
use crate::offline::enter;
use crate::{console, exit};

pub(crate) async fn export(args: ExportArgs) -> Result<()> {
    let subject = args.subject.subject()?;
    let (_, store) = enter(&args.home, "data is exported").await?;
    let export = store.export(subject).await;
    store.close().await?;
    let text = serde_json::to_string_pretty(&export_document(subject, &export?))?;
    match &args.out {
        Some(path) => {
            write(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
            console::say(format_args!("{subject} is in {}", path.display()));
        }
        None => console::print(text),
    }
    Ok(())
}

/// Writes a file that nobody else may read.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")
}

pub(crate) async fn erase(args: EraseArgs) -> Result<()> {
    let subject = args.subject.subject()?;
    if !args.yes {
        bail!(exit::needs_a_person(format!(
            "this deletes everything about {subject} for good: say --yes to do it, `kaiwa export` shows what it is"
        )));
    }
    let (_, store) = enter(&args.home, "data is erased").await?;
    let erased = store.erase(subject, SystemClock.now()).await;
    store.close().await?;
    console::say(format_args!("{subject} is erased: {} rows", erased?));
    Ok(())
}
