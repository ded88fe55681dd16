//! One measured number.

use std::time::Duration;

/// A row of the table.
pub(super) struct Figure {
    what: String,
    value: f64,
    unit: &'static str,
    aim: Option<f64>,
}

impl Figure {
    pub(super) fn new(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            what: what.into(),
            value,
            unit,
            aim: None,
        }
    }

    /// What the value is meant to stay below.
    pub(super) fn below(mut self, aim: f64) -> Self {
        self.aim = Some(aim);
        self
    }

    /// The cells: what, measured, aim, and whether it is met.
    pub(super) fn cells(&self) -> [String; 4] {
        let unit = self.unit;
        let (aim, met) = match self.aim {
            Some(aim) if self.value < aim => (format!("below {aim:.0} {unit}"), "yes"),
            Some(aim) => (format!("below {aim:.0} {unit}"), "no"),
            None => (String::new(), ""),
        };
        let measured = format!("{:.1} {unit}", self.value);
        [self.what.clone(), measured, aim, met.to_owned()]
    }
}

/// The measurement below which `percent` of all lie; it was really measured.
pub(super) fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let rank = (times.len() * percent).div_ceil(100).max(1);
    times.get(rank - 1).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_values() {
        fn check(millis: &[u64], percent: usize, expect: u64) {
            let times: Vec<Duration> = millis.iter().copied().map(Duration::from_millis).collect();
            let expect = Duration::from_millis(expect);
            assert_eq!(percentile(&times, percent), expect);
        }
        check(&[], 50, 0);
        check(&[7], 99, 7);
        check(&[4, 1, 3, 2], 50, 2);
        check(&[4, 1, 3, 2], 51, 3);
        let twenty: Vec<u64> = (1..=20).collect();
        check(&twenty, 95, 19);
        check(&twenty, 100, 20);
    }

    #[test]
    fn an_aim_is_met_below_it() {
        fn check(value: f64, met: &str) {
            let [_, _, aim, said] = Figure::new("start", value, "ms").below(300.0).cells();
            assert_eq!((&*aim, &*said), ("below 300 ms", met));
        }
        check(299.9, "yes");
        check(300.0, "no");
    }
}
