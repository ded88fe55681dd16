//! Thousands of answers at a time on two cores: what one of them costs.
//!
//! Every delta is the time at which it was sent, in four characters, so the
//! text that comes out tells how long it took: through both sockets, the HTTP
//! library, the reader and two tasks.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use futures_util::StreamExt;
use kaiwa_bench_provider::stamp;
use kaiwa_domain::port::{ChatModel, Clock, Pending};
use kaiwa_domain::{Brief, Delta, Line, Moment, Timestamp};
use kaiwa_provider::{Endpoint, Model, Vendor};
use url::Url;

/// How long the crowd is listened to once everybody is there.
const LISTENED: Duration = Duration::from_secs(10);

/// How long everybody may take to come.
const GATHERING: Duration = Duration::from_secs(20);

struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        Timestamp::from_millis(since.as_millis() as i64)
    }

    fn moment(&self) -> Moment {
        static START: OnceLock<Instant> = OnceLock::new();
        Moment::new(START.get_or_init(Instant::now).elapsed())
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

pub(crate) fn measure(address: &str, count: usize) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(listen(address, count));
}

async fn listen(address: &str, count: usize) {
    let url: Url = format!("http://{address}/v1").parse().expect("an address");
    let endpoint = Endpoint::at(Vendor::at(&url), url, "load".to_owned());
    let model = Arc::new(Model::new(endpoint, Arc::new(WallClock)).expect("an endpoint"));
    let before = resident();
    let mut listeners = tokio::task::JoinSet::new();
    let begun = Arc::new(tokio::sync::Semaphore::new(0));
    let measuring = Arc::new(std::sync::atomic::AtomicBool::new(false));
    for _ in 0..count {
        let (model, begun, measuring) = (model.clone(), begun.clone(), measuring.clone());
        listeners.spawn(async move {
            let brief = Brief {
                lines: vec![Line::user("go".to_owned())],
                ..Brief::default()
            };
            let mut answer = model.answer(brief);
            let mut delays: Vec<u32> = Vec::new();
            let mut first = true;
            while let Some(Ok(delta)) = answer.next().await {
                let Delta::Text(text) = delta else { continue };
                let now = stamp::micros();
                if std::mem::take(&mut first) {
                    begun.add_permits(1);
                }
                if measuring.load(std::sync::atomic::Ordering::Relaxed) {
                    delays.extend(
                        text.as_bytes()
                            .chunks(4)
                            .map(|sent| stamp::elapsed(now, sent)),
                    );
                }
            }
            delays
        });
    }
    let everybody = begun.acquire_many(count as u32);
    if tokio::time::timeout(GATHERING, everybody).await.is_err() {
        println!(
            "only {} of {count} answers began",
            begun.available_permits()
        );
    }
    let crowded = resident();
    measuring.store(true, std::sync::atomic::Ordering::Relaxed);
    tokio::time::sleep(LISTENED).await;
    measuring.store(false, std::sync::atomic::Ordering::Relaxed);
    // The generator ends its answers by itself.
    let mut delays: Vec<u32> = listeners.join_all().await.concat();
    delays.sort_unstable();
    let at = |share: f64| {
        let place = (delays.len() as f64 * share) as usize;
        f64::from(
            delays
                .get(place.min(delays.len() - 1))
                .copied()
                .unwrap_or_default(),
        ) / 1e3
    };
    let each = (crowded.saturating_sub(before)) as f64 / count as f64 / 1024.0;
    println!(
        "### {count} answers at a time on two cores, 20 deltas of 4 characters a second each\n"
    );
    println!("| figure | measured | aim |");
    println!("|---|---:|---:|");
    println!("| memory per answer | {each:.1} KB | below 64 KB |");
    println!(
        "| deltas a second | {:.0} | {:.0} |",
        delays.len() as f64 / LISTENED.as_secs_f64(),
        count as f64 * 20.0
    );
    println!("| delay of a delta, median | {:.2} ms | |", at(0.5));
    println!("| delay of a delta, p99 | {:.2} ms | |", at(0.99));
    println!("| delay of a delta, max | {:.2} ms | |", at(1.0));
}

/// Resident memory in bytes; 0 where it cannot be told.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or_default() * 4096
}
