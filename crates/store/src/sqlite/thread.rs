//! The thread on which the journal is written.
//!
//! Every write waits for the one before it: for the engine, whose thread is
//! handed the statement and hands back what came of it, and for whoever holds the
//! connection to notice. Among a thousand answers that noticing takes far longer
//! than the write, and all others wait for it. So the calls that every answer
//! makes run on a thread that has nothing else to do.

use std::future::poll_fn;
use std::panic;
use std::pin::pin;
use std::thread;

use kaiwa_domain::StoreError;
use kaiwa_domain::port::Pending;
use tokio::runtime::{Builder, Handle, Runtime};

use super::Sqlite;
use super::journal::JournalError;

/// The thread; ends with the last who knows it.
#[derive(Debug)]
pub(super) struct JournalThread {
    handle: Handle,
    /// Taken only at the end.
    runtime: Option<Runtime>,
}

impl JournalThread {
    pub(super) fn start() -> std::io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("journal")
            .enable_time()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    /// Does something there until the thread ends.
    pub(super) fn run(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(work);
    }
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // It may end on a thread that must not wait.
            runtime.shutdown_background();
        }
    }
}

impl Sqlite {
    /// Makes a call of the journal on its thread. Once it is made it is finished
    /// there, whether or not anybody waits for it.
    pub(super) fn on_thread<'a, T, C>(
        &self,
        call: impl FnOnce(Self) -> C,
    ) -> Pending<'a, Result<T, StoreError>>
    where
        T: Send + 'static,
        C: Future<Output = Result<T, JournalError>> + Send + 'static,
    {
        let call = call(self.clone());
        let thread = self.thread.clone();
        Box::pin(async move {
            match thread.handle.spawn(patiently(call)).await {
                Ok(outcome) => Ok(outcome?),
                Err(failed) => match failed.try_into_panic() {
                    Ok(payload) => panic::resume_unwind(payload),
                    Err(cancelled) => Err(StoreError::Blocked {
                        reason: cancelled.to_string(),
                    }),
                },
            }
        })
    }
}

/// Lets the engine's thread finish before it is heard.
///
/// That thread says what came of each statement of a script, and whoever waits is
/// woken by the first. To listen at once would interrupt it at each of the others,
/// where both share a core; a moment later all is said.
async fn patiently<T>(call: impl Future<Output = T>) -> T {
    let mut call = pin!(call);
    let mut heard = false;
    poll_fn(|context| {
        if std::mem::replace(&mut heard, true) {
            thread::yield_now();
        }
        call.as_mut().poll(context)
    })
    .await
}
