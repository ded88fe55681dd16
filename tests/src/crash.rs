//! Does a restart lose anything? Real processes, killed at any moment.
//!
//! A lane is an emulator, a bot with a database of its own, and a model that
//! writes numbered lines. In each run somebody asks, the bot dies, and is
//! started again until the channel has come to rest. What is judged is the
//! channel alone: every question answered, every line once, in order, and
//! whatever stops short marked.

mod ban;
mod judge;
mod lane;
mod model;
mod plan;
mod process;
mod reminder;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;

pub use judge::Judgement;
use lane::Lane;
use model::LineModel;
use plan::RunPlan;

/// What is tried.
#[derive(Clone, Debug)]
pub struct Series {
    /// The binary, built with failpoints.
    pub binary: PathBuf,
    /// How many times somebody dies.
    pub runs: u32,
    /// Decides everything but the moments at which the machine is slow.
    pub seed: u64,
    /// How many bots at the same time.
    pub lanes: u32,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// All runs together.
    pub total: Judgement,
    /// By how the bot died.
    pub by_death: BTreeMap<String, Judgement>,
    /// What went wrong, with what is needed to see it again.
    pub failures: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Findings {
    /// Whether nothing was lost, doubled, mixed up or cut without a mark.
    pub fn is_clean(&self) -> bool {
        self.total.faults() == 0 && self.failures.is_empty()
    }

    fn add(&mut self, death: &str, judgement: &Judgement) {
        self.total.add(judgement);
        let row = self.by_death.entry(death.to_owned()).or_default();
        row.add(judgement);
    }
}

impl Series {
    /// Runs it to the end.
    ///
    /// # Panics
    /// If a process cannot be started at all.
    pub async fn run(&self) -> Findings {
        let started = Instant::now();
        let model = LineModel::start().await;
        let lanes = (0..self.lanes).map(|lane| self.lane(lane, &model));
        let mut findings = Findings::default();
        for lane in join_all(lanes).await {
            for (death, judgement) in &lane.by_death {
                findings.add(death, judgement);
            }
            findings.failures.extend(lane.failures);
        }
        findings.took = started.elapsed();
        findings
    }

    async fn lane(&self, number: u32, model: &LineModel) -> Findings {
        let mut findings = Findings::default();
        let mine = (0..self.runs).filter(|run| run % self.lanes == number);
        let mut lane = Lane::start(&self.binary, model).await;
        let mut done: Vec<RunPlan> = Vec::new();
        for run in mine {
            let plan = RunPlan::new(self.seed, run);
            let judgement = lane.run(&plan).await;
            if judgement.faults() > 0 {
                findings.failures.push(format!(
                    "run {run} of seed {}: {plan}\n{judgement}\n{}",
                    self.seed,
                    lane.shown(&plan).await
                ));
            }
            findings.add(&plan.death.to_string(), &judgement);
            done.push(plan);
        }
        // What appears long after everybody thought it was over counts too.
        for plan in &done {
            let late = lane.judge(plan).await;
            if late.doubled + late.out_of_order > 0 {
                findings.failures.push(format!(
                    "afterwards: {plan}\n{late}\n{}",
                    lane.shown(plan).await
                ));
            }
        }
        lane.end().await;
        findings
    }
}
