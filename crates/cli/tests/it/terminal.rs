//! Starting the binary, and reading what it prints.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A step that takes longer than this is stuck.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn kaiwa(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kaiwa"));
    command.current_dir(folder).args(args);
    command.env_remove("DISCORD_TOKEN").stdin(Stdio::null());
    for vendor in &kaiwa_provider::VENDORS {
        vendor.key_env.map(|variable| command.env_remove(variable));
    }
    command
}

/// The command fails, and the last line it prints is `expected`, in which `…`
/// stands for anything.
pub(crate) fn check_failure(folder: &Path, args: &[&str], expected: &str) {
    let output = kaiwa(folder, args).output().unwrap();
    assert_failure(&output, expected);
}

pub(crate) fn assert_failure(output: &Output, expected: &str) {
    let printed = String::from_utf8_lossy(&output.stderr);
    let last = printed.lines().last().unwrap_or_default();
    assert!(!output.status.success(), "{printed}");
    assert!(matches(last, expected), "\n  got {last}\n want {expected}");
}

pub(crate) fn matches(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            Some(_) => rest.find(part),
            None => rest.ends_with(part).then(|| rest.len() - part.len()),
        };
        match at {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || pattern.ends_with('…')
}

/// A command that is still running, line by line.
pub(crate) struct Running {
    pub(crate) child: Child,
    lines: Receiver<String>,
    seen: String,
}

impl Running {
    /// Starts a command and reads its standard error and output.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let stdout: Box<dyn std::io::Read + Send> = Box::new(child.stdout.take().unwrap());
        let stderr: Box<dyn std::io::Read + Send> = Box::new(child.stderr.take().unwrap());
        for stream in [stdout, stderr] {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        Self {
            child,
            lines,
            seen: String::new(),
        }
    }

    /// Waits for a line that contains `text`.
    pub(crate) fn prints(&mut self, text: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.seen.push_str(&line);
                    self.seen.push('\n');
                    if line.contains(text) {
                        return line;
                    }
                }
                Err(_) => panic!("still waiting for {text:?} after:\n{}", self.seen),
            }
        }
    }

    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", name, &pid])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Asks it to stop, and checks that it stops well.
    #[cfg(unix)]
    pub(crate) fn stop(mut self) -> String {
        self.signal("INT");
        // Its streams close when it ends.
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.seen.extend([&line, "\n"]),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it goes on after:\n{}", self.seen),
            }
        }
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}:\n{}", self.seen);
        std::mem::take(&mut self.seen)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
