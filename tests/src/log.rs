//! What the bot logs, for tests that read it: by the thread that a test runs on,
//! and by all others together.

use std::cell::RefCell;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

use memchr::memmem;
use tokio::sync::Notify;
use tracing::Subscriber;
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

/// What is logged on threads on which no test runs, such as the journal's, in
/// whichever test. Whoever logs a line first decides for every thread whether
/// anybody wants it, so somebody listens on each.
static ELSEWHERE: LazyLock<CapturedLog> = LazyLock::new(|| {
    let log = CapturedLog::default();
    let _ = tracing::subscriber::set_global_default(log.listener());
    log
});

impl CapturedLog {
    /// Reads along for as long as the guard lives.
    pub fn capture() -> (Self, DefaultGuard) {
        LazyLock::force(&ELSEWHERE);
        let log = Self::default();
        CURRENT.set(Arc::downgrade(&log.0));
        let guard = tracing::subscriber::set_default(log.listener());
        (log, guard)
    }

    /// Shows what was logged so far where no test runs.
    pub(crate) fn read_elsewhere(look: impl FnOnce(&[u8])) {
        look(&ELSEWHERE.0.lock());
    }

    fn listener(&self) -> impl Subscriber + Send + Sync + use<> {
        let writer = self.clone();
        let ours = Targets::new()
            .with_default(LevelFilter::TRACE)
            .with_target("tungstenite", LevelFilter::OFF)
            .with_target("tokio_tungstenite", LevelFilter::OFF)
            .with_target("kaiwa_emulator", LevelFilter::OFF);
        let lines = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_span_events(FmtSpan::FULL)
            .with_writer(move || writer.clone());
        tracing_subscriber::registry().with(ours).with(lines)
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
