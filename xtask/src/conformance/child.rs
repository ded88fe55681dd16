//! A process that is read line by line and never outlives its owner.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// More than a child prints; the rest of a longer line is another line.
const LINE_BYTES: u64 = 64 * 1024;

/// What comes out of a child.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ChildOutput {
    Line(String),
    /// It closed its output, which is how it ends.
    Ended,
    TimeIsUp,
}

pub(super) struct RunningChild {
    child: Child,
    said: Receiver<ChildOutput>,
}

impl RunningChild {
    /// Starts a process that has so long to say all it has to say.
    pub(super) fn start(command: &mut Command, patience: Duration) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?} could not be started: {error}"))?;
        let (say, said) = sync_channel(64);
        let alarm = say.clone();
        thread::spawn(move || {
            thread::sleep(patience);
            // Nobody listens any more if the child has ended.
            let _ = alarm.send(ChildOutput::TimeIsUp);
        });
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || listen(output, &say));
        }
        Ok(Self { child, said })
    }

    /// The next thing it says.
    pub(super) fn next(&self) -> ChildOutput {
        self.said.recv().unwrap_or(ChildOutput::Ended)
    }
}

impl Drop for RunningChild {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(output: impl Read, say: &SyncSender<ChildOutput>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = String::new();
        let said = match output.by_ref().take(LINE_BYTES).read_line(&mut line) {
            Ok(bytes) if bytes > 0 => ChildOutput::Line(line.trim_end().to_owned()),
            _ => ChildOutput::Ended,
        };
        let last = said == ChildOutput::Ended;
        if say.send(said).is_err() || last {
            return;
        }
    }
}
