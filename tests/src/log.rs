//! What the bot logs, for tests that read it.

use std::cell::RefCell;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};

use memchr::memmem;
use tokio::sync::Notify;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;

/// Everything our side logs on this thread, at every level. Discord and the
/// model run here too, on libraries that the bot does not use for itself.
#[derive(Clone, Default)]
pub struct CapturedLog(Arc<LogText>);

#[derive(Default)]
struct LogText {
    bytes: Mutex<Vec<u8>>,
    grown: Notify,
}

impl LogText {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

thread_local! {
    /// What is captured on this thread, if anything is.
    static CURRENT: RefCell<Weak<LogText>> = const { RefCell::new(Weak::new()) };
}

/// Reads what is logged on this thread: along with whoever does already, or by
/// itself.
pub(crate) struct LogReader {
    log: CapturedLog,
    _guard: Option<DefaultGuard>,
}

impl LogReader {
    pub(crate) fn join_or_begin() -> Self {
        let current = CURRENT.with_borrow(Weak::upgrade);
        let (log, guard) = match current {
            Some(current) => (CapturedLog(current), None),
            None => {
                let (log, guard) = CapturedLog::capture();
                (log, Some(guard))
            }
        };
        Self { log, _guard: guard }
    }

    /// Shows what was logged so far.
    pub(crate) fn read(&self, look: impl FnOnce(&[u8])) {
        look(&self.log.0.lock());
    }

    /// Waits until these words were logged so many times.
    pub(crate) async fn until(&self, words: &str, times: usize) {
        let log = &self.log.0;
        loop {
            let grown = log.grown.notified();
            if memmem::find_iter(&log.lock(), words).count() >= times {
                return;
            }
            grown.await;
        }
    }
}

/// Whoever logs a line first decides for every thread whether anybody wants it,
/// and there are threads on which nobody listens.
static LISTENED_TO: Once = Once::new();

impl CapturedLog {
    /// Reads along for as long as the guard lives.
    pub fn capture() -> (Self, DefaultGuard) {
        LISTENED_TO.call_once(|| {
            let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
        });
        let log = Self::default();
        CURRENT.set(Arc::downgrade(&log.0));
        let writer = log.clone();
        let ours = Targets::new()
            .with_default(LevelFilter::TRACE)
            .with_target("tungstenite", LevelFilter::OFF)
            .with_target("tokio_tungstenite", LevelFilter::OFF)
            .with_target("kaiwa_emulator", LevelFilter::OFF);
        let lines = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_span_events(FmtSpan::FULL)
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(ours).with(lines);
        (log, tracing::subscriber::set_default(subscriber))
    }

    /// What was logged so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock()).into_owned()
    }
}

impl io::Write for CapturedLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        self.0.grown.notify_waiters();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
