//! A `kaiwa` process under the stopwatch.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A process that says nothing for this long is stuck.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// Ends with the value.
pub(super) struct TimedChild {
    child: Child,
    begun: Instant,
    lines: Receiver<(Duration, String)>,
}

impl TimedChild {
    pub(super) fn start(command: &mut Command) -> Result<Self, String> {
        let begun = Instant::now();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?} could not be started: {error}"))?;
        let (said, lines) = channel();
        if let Some(output) = child.stdout.take() {
            listen(output, begun, said.clone());
        }
        if let Some(errors) = child.stderr.take() {
            listen(errors, begun, said);
        }
        Ok(Self {
            child,
            begun,
            lines,
        })
    }

    pub(super) const fn begun(&self) -> Instant {
        self.begun
    }

    /// Waits for a line that contains `part`, and says when it came.
    pub(super) fn says(&self, part: &str) -> Result<(Duration, String), String> {
        let mut before = String::new();
        while let Ok((at, line)) = self.lines.recv_timeout(PATIENCE) {
            if line.contains(part) {
                return Ok((at, line));
            }
            before.push_str(&line);
            before.push('\n');
        }
        Err(format!("kaiwa did not say {part:?}, but:\n{before}"))
    }

    /// Resident memory in megabytes: all of it, and what no file backs. Known
    /// on Linux only.
    pub(super) fn memory(&self) -> Option<(f64, f64)> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        Some((megabytes(&status, "VmRSS")?, megabytes(&status, "RssAnon")?))
    }
}

impl Drop for TimedChild {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on until the process ends; a pipe that nobody empties would
/// stop it.
fn listen(pipe: impl Read + Send + 'static, begun: Instant, said: Sender<(Duration, String)>) {
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            let _ = said.send((begun.elapsed(), line));
        }
    });
}

fn megabytes(status: &str, key: &str) -> Option<f64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_by_its_whole_name() {
        let status = "VmRSSish:\t1 kB\nVmRSS:\t  20000 kB\nRssAnon:\t   1000 kB\n";
        assert_eq!(megabytes(status, "VmRSS"), Some(20.48));
        assert_eq!(megabytes(status, "RssAnon"), Some(1.024));
        assert_eq!(megabytes(status, "RssFile"), None);
    }
}
