//! Syncs of the write-ahead log that many commits share.
//!
//! A sync costs milliseconds, a commit without one microseconds. So commits of
//! the journal are made without, and then wait for a sync that began after them:
//! while one is under way others gather, and the next serves them all.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::oneshot;

use super::files::beside;

/// Somebody who has committed and waits. A sync that failed is an error for all
/// whom it served: the system may have dropped what it could not write, so that
/// a later success says nothing about it.
type Waiting = oneshot::Sender<Result<(), io::ErrorKind>>;

#[derive(Debug)]
pub(super) struct LogSync {
    log: PathBuf,
    /// A thread of its own, begun with the first who waits; ends with us.
    thread: OnceLock<Sender<Waiting>>,
}

impl LogSync {
    pub(super) fn of(database: &Path) -> Self {
        Self {
            log: beside(database, "-wal"),
            thread: OnceLock::new(),
        }
    }

    /// Waits until everything that is committed now would outlive a power cut.
    pub(super) async fn wait(&self) -> io::Result<()> {
        // Without the thread nobody answers, and that is heard here.
        let synced = self.request().await.map_err(io::Error::other)?;
        Ok(synced?)
    }

    /// Has everything that is committed now synced soon, and says when it is.
    pub(super) fn request(&self) -> oneshot::Receiver<Result<(), io::ErrorKind>> {
        let thread = self.thread.get_or_init(|| {
            let (thread, waiting) = channel();
            let log = self.log.clone();
            thread::spawn(move || serve(&log, &waiting));
            thread
        });
        let (waiting, synced) = oneshot::channel();
        drop(thread.send(waiting));
        synced
    }
}

fn serve(log: &Path, waiting: &Receiver<Waiting>) {
    while let Ok(first) = waiting.recv() {
        let served: Vec<Waiting> = [first].into_iter().chain(waiting.try_iter()).collect();
        let synced = sync(log).map_err(|error| error.kind());
        for one in served {
            // Who has gone needs no answer.
            let _ = one.send(synced);
        }
    }
}

/// Opens the log each time: a connection that is replaced may take the log with
/// it, folded into the database and synced, and leave a new one or none.
fn sync(log: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).open(log) {
        Ok(file) => file.sync_data(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
