//! What is measured of the health is what it is, whoever tells it last.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use metrics::{
    Counter, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};

use crate::BotHealth;

/// One gauge, and a pause after each value it is given.
#[derive(Default)]
struct SlowGauge(AtomicU64);

impl GaugeFn for SlowGauge {
    fn increment(&self, _: f64) {}

    fn decrement(&self, _: f64) {}

    fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Ordering::SeqCst);
        thread::yield_now();
    }
}

#[derive(Default)]
struct OneGauge(Arc<SlowGauge>);

impl Recorder for OneGauge {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        match key.name() {
            "gateway_shards_connected" => Gauge::from_arc(self.0.clone()),
            _ => Gauge::noop(),
        }
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[test]
fn shards_that_come_up_and_go_at_once_are_counted() {
    let (health, recorder) = (BotHealth::default(), OneGauge::default());
    let toggle = |shard, last| {
        metrics::with_local_recorder(&recorder, || {
            for up in [true, false, true, false, last] {
                health.connected(shard, up);
            }
        });
    };
    for round in 0..2_000_u32 {
        thread::scope(|scope| {
            scope.spawn(|| toggle(0, round % 2 == 0));
            scope.spawn(|| toggle(1, round % 3 == 0));
        });
        let told = f64::from_bits(recorder.0.0.load(Ordering::SeqCst));
        let up = health.condition().live_shards.len();
        assert_eq!(told, up as f64, "in round {round}");
    }
}
