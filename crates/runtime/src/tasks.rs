//! Tasks that are named, tracked and contained: a panic in one is logged and
//! counted, and takes nothing else with it.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The tasks of a process or of one part of it. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    tracker: TaskTracker,
    aborted: CancellationToken,
    running: RunningNames,
}

/// How many tasks of each name run.
#[derive(Clone, Debug, Default)]
struct RunningNames(Arc<Mutex<BTreeMap<&'static str, usize>>>);

impl RunningNames {
    fn change(&self, name: &'static str, change: impl FnOnce(&mut usize)) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(names.entry(name).or_default());
        names.retain(|_, running| *running > 0);
    }
}

/// A task that counts until it is dropped.
struct RunningTask {
    name: &'static str,
    names: RunningNames,
}

impl RunningTask {
    fn new(name: &'static str, names: &RunningNames) -> Self {
        names.change(name, |running| *running += 1);
        Self {
            name,
            names: names.clone(),
        }
    }
}

impl Drop for RunningTask {
    fn drop(&mut self) {
        self.names.change(self.name, |running| *running -= 1);
    }
}

impl Tasks {
    /// No tasks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `work` as a task. The handle gives its result, or `None` if it
    /// panicked or was aborted.
    pub fn spawn<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<Option<T>> {
        let aborted = self.aborted.clone();
        let running = RunningTask::new(name, &self.running);
        // Large futures that are moved on their way take many times their size
        // of stack.
        let work = Box::pin(work);
        self.tracker.spawn(async move {
            let _running = running;
            tokio::select! {
                biased;
                () = apart(aborted.cancelled()) => None,
                done = contain(name, work) => done,
            }
        })
    }

    /// The names of those that run.
    pub fn running(&self) -> Vec<&'static str> {
        let names = self.running.0.lock();
        let names = names.unwrap_or_else(PoisonError::into_inner);
        names.keys().copied().collect()
    }

    /// Completes once every task has ended. Tasks may still be added while
    /// waiting.
    pub async fn ended(&self) {
        self.tracker.close();
        self.tracker.wait().await;
    }

    /// Drops every task where it stands.
    pub async fn abort(&self) {
        self.aborted.cancel();
        self.ended().await;
    }
}

/// Runs beside others in one task and is looked at only when it was woken
/// itself, however often the others are.
///
/// No async function, and boxed: either would have room for the future twice.
pub(crate) fn apart<F: Future>(future: F) -> impl Future<Output = F::Output> {
    let mut alone: FuturesUnordered<_> = [Box::pin(future)].into_iter().collect();
    async move {
        match alone.next().await {
            Some(output) => output,
            None => std::future::pending().await,
        }
    }
}

/// Runs `work`; a panic in it becomes `None`.
///
/// No async function: that would have room for the future twice.
pub(crate) fn contain<T>(
    name: &'static str,
    work: impl Future<Output = T>,
) -> impl Future<Output = Option<T>> {
    AssertUnwindSafe(work).catch_unwind().map(move |done| {
        let panic = match done {
            Ok(result) => return Some(result),
            Err(panic) => panic,
        };
        let reason = panic
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no reason given");
        metrics::counter!("task_panics_total", "task" => name).increment(1);
        tracing::error!(task = name, reason, "a task panicked");
        None
    })
}
