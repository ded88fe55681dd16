//! The text of PDFs, read in a process of its own.
//!
//! The format is a program in disguise and no reader of it is without bugs, so
//! ours may crash, hang or fill its memory without harm: the process that reads
//! has nothing but the file, no environment, little memory and little time.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::Clock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// How long a file may be read.
const WITHIN: Duration = Duration::from_secs(12);

/// The longest text that is taken from a file, in bytes.
const TEXT_BYTES: usize = 400_000;

/// The largest file, in bytes.
const FILE_BYTES: usize = 8 * 1024 * 1024;

/// What the process that reads may use: memory, and time of the processor.
const MEMORY_BYTES: u64 = 512 * 1024 * 1024;
const CPU_SECONDS: u64 = 8;

/// Has PDFs read by another process.
#[derive(Clone)]
pub struct PdfReader {
    program: PathBuf,
    arguments: Vec<&'static str>,
    clock: Arc<dyn Clock>,
}

/// Why there is no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PdfError {
    /// The file is damaged, locked or too much for us.
    Unreadable,
    /// There is nothing to read in it: a scan, perhaps.
    Empty,
}

impl PdfReader {
    /// A program that does [`read_pdf_and_exit`] if it is started with these
    /// arguments.
    pub fn new(program: PathBuf, arguments: Vec<&'static str>, clock: Arc<dyn Clock>) -> Self {
        Self {
            program,
            arguments,
            clock,
        }
    }

    /// The text of a file.
    pub(super) async fn read(&self, file: &[u8]) -> Result<String, PdfError> {
        let read = tokio::select! {
            biased;
            read = self.converse(file) => read,
            () = self.clock.sleep(WITHIN) => Err(io::ErrorKind::TimedOut.into()),
        };
        let text = read.map_err(|error| {
            tracing::info!(%error, "a PDF could not be read");
            PdfError::Unreadable
        })?;
        match text.trim().is_empty() {
            true => Err(PdfError::Empty),
            false => Ok(tidied(&text)),
        }
    }

    /// Gives the file to a process and takes its text. Dropping it ends the
    /// process.
    async fn converse(&self, file: &[u8]) -> io::Result<String> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut text = Vec::new();
        let give = async {
            to.write_all(file).await?;
            to.shutdown().await?;
            drop(to);
            io::Result::Ok(())
        };
        let mut from = from.take(TEXT_BYTES as u64);
        let take = from.read_to_end(&mut text);
        let (given, taken) = tokio::join!(give, take);
        taken?;
        let full = text.len() == TEXT_BYTES;
        if !full {
            let status = child.wait().await?;
            if !status.success() {
                return Err(io::Error::other(format!("it ended with {status}")));
            }
            given?;
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Lines without what is around them, and no more than one empty line at a time.
fn tidied(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        if line.is_empty() && (tidied.is_empty() || tidied.ends_with("\n\n")) {
            continue;
        }
        tidied.push_str(line);
        tidied.push('\n');
    }
    super::clean::text(tidied.trim_end())
}

/// Reads a PDF from standard input and writes its text to standard output, for
/// a [`PdfReader`] in another process. Nothing else may run in this one.
pub fn read_pdf_and_exit() -> ExitCode {
    if confine().is_err() {
        return ExitCode::FAILURE;
    }
    let mut file = Vec::new();
    let read = io::stdin()
        .take(FILE_BYTES as u64 + 1)
        .read_to_end(&mut file);
    if read.is_err() || file.len() > FILE_BYTES {
        return ExitCode::FAILURE;
    }
    let Ok(mut text) = pdf_extract::extract_text_from_mem(&file) else {
        return ExitCode::FAILURE;
    };
    text.truncate(text.floor_char_boundary(TEXT_BYTES));
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Takes away from this process what it does not need.
#[cfg(unix)]
fn confine() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    for (resource, most) in [
        (Resource::As, MEMORY_BYTES),
        (Resource::Cpu, CPU_SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
    ] {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

/// Elsewhere there is the time that the reader waits, and nothing more.
#[cfg(not(unix))]
fn confine() -> io::Result<()> {
    Ok(())
}
