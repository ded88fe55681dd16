//! Many answers at once, from the question to Discord.
//!
//! The bot is a process of its own (this program, told to be `kaiwa run`);
//! Discord, the model and the people are in this one. With Discord's limits on:
//! when the first text of each answer is up, when the last one has ended, and
//! whether anything was lost or refused. With limits off: how long after the
//! delta that ends a line it is posted. Then how soon a bot that was killed
//! goes on, and what one more answer under way takes in memory; and how often
//! answers that grow in place for a minute are edited. Prints tables for `cargo xtask bench deliver`; with `KAIWA_BENCH_QUICK`
//! set, small ones; with `KAIWA_BENCH_STREAMS` set to numbers of streams, only theirs, limits off. With
//! `KAIWA_BENCH_BESIDE` set to the path of another `kaiwa`, that one answers first, under Discord's limits.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a stopwatch, run by hand"
)]

mod model;
mod relay;
mod stage;
mod watch;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use model::Script;
use stage::BenchStage;

/// 200 words in ten seconds.
const FIVE_LINES: Script = Script {
    lines: 5,
    words: 40,
};
/// The same words in lines that are soon over, for a stream that is alone.
const MANY_LINES: Script = Script {
    lines: 20,
    words: 10,
};

/// A minute of words, of which a message holds a quarter.
const MINUTE: Script = Script {
    lines: 30,
    words: 40,
};

/// How long after one question the next is asked, where streams are measured.
const ASKING: Duration = Duration::from_millis(5);

/// Nothing takes longer, or it is lost.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("run") => return kaiwa::main(),
        Some("relay") => return relay::main(),
        _ => {}
    }
    let quick = std::env::var_os("KAIWA_BENCH_QUICK").is_some();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    // Several of one kind, for whoever looks for what takes so long.
    if let Ok(only) = std::env::var("KAIWA_BENCH_STREAMS") {
        let streams = only.split(',').map(|it| it.parse().expect("a number"));
        runtime.block_on(unlimited(&streams.collect::<Vec<_>>(), true));
        return ExitCode::SUCCESS;
    }
    runtime.block_on(async {
        let crowds: &[usize] = if quick { &[20] } else { &[100, 1000] };
        limited(crowds).await;
        let streams: &[usize] = if quick { &[1, 20] } else { &[1, 100, 1000] };
        unlimited(streams, false).await;
        restart(if quick { 60 } else { 100 }).await;
        live(20, if quick { FIVE_LINES } else { MINUTE }).await;
    });
    ExitCode::SUCCESS
}

/// So many answers at once, under Discord's limits; of the first crowd also by
/// another program, if there is one to be beside.
async fn limited(crowds: &[usize]) {
    println!(
        "| answers at once, limits on | by | first text p50 | p99 | slowest to median | all ended | messages | 429s | lost |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut grown = Vec::new();
    let before = std::env::var_os("KAIWA_BENCH_BESIDE").map(PathBuf::from);
    let beside = before.map(|program| (crowds[0], Some(program)));
    let ours = crowds.iter().map(|crowd| (*crowd, None));
    for (channels, program) in beside.into_iter().chain(ours) {
        let mut stage = BenchStage::set(channels, "discord", FIVE_LINES).await;
        let by = match program {
            Some(program) => {
                stage.program = program;
                "what was there"
            }
            None => "Kaiwa",
        };
        let bot = stage.bot().await;
        let idle = bot.memory_kib();
        stage.ask_everywhere(Duration::ZERO).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        if by == "Kaiwa" {
            grown.push((channels, bot.memory_kib().saturating_sub(idle)));
        }
        let ended = stage.ended().await;
        let seen = stage.seen.lock().expect("not poisoned");
        let first: Vec<Duration> = seen.answers.values().filter_map(|it| it.first).collect();
        let whole = seen.answers.values().filter(|it| it.is_whole(FIVE_LINES));
        let lost = channels - whole.count();
        let messages: usize = seen.answers.values().map(|it| it.messages).sum();
        let (p50, p99) = (percentile(&first, 50), percentile(&first, 99));
        let slowest = percentile(&first, 100).as_secs_f64() / p50.as_secs_f64();
        println!(
            "| {channels} | {by} | {:.1} s | {:.1} s | {slowest:.1}× | {:.1} s | {messages} | {} | {lost} |",
            p50.as_secs_f64(),
            p99.as_secs_f64(),
            ended.as_secs_f64(),
            stage.emulator.counts().rate_limited,
        );
    }
    println!();
    println!(
        "Aims for 100: first text p50 ≤ 3.2 s, p99 ≤ 4.5 s, all ended ≤ 12 s, no 429, none lost; for 1,000: slowest at most 2× the median."
    );
    println!();
    memory(&grown);
}

/// What one more answer takes. The first of them also fill caches and pools
/// that stay, so that it is told by the difference of two crowds.
fn memory(grown: &[(usize, u64)]) {
    let (few, many) = match grown {
        [few, .., many] => (*few, *many),
        [one] => ((0, 0), *one),
        [] => return,
    };
    let kib = many.1.saturating_sub(few.1) as f64 / (many.0 - few.0) as f64;
    println!(
        "| memory of one more answer under way, from {} to {} | |",
        few.0, many.0
    );
    println!("|---|---:|");
    println!("| resident | {:.0} kB |", kib * 1.024);
    println!();
    println!("Aim: below 100 kB.");
    println!();
}

/// From the delta that ends a line to its message, with nothing in the way, once
/// all streams are there. Their lines end evenly, not all at the same moment.
async fn unlimited(streams: &[usize], in_detail: bool) {
    println!(
        "| streams, limits off | messages | bare relay p50 | p99 | Kaiwa p50 | p99 | added p50 | p99 |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &channels in streams {
        let script = match channels {
            1 => MANY_LINES,
            _ => FIVE_LINES,
        };
        let stage = BenchStage::set(channels, "off", script).await;
        let relay = stage.relay();
        stage.ended().await;
        drop(relay);
        let least = delays(&stage.added());
        let stage = BenchStage::set(channels, "off", script).await;
        let _bot = stage.bot().await;
        let asking = ASKING * u32::try_from(channels).unwrap_or(u32::MAX);
        stage.ask_everywhere(asking).await;
        stage.ended().await;
        let added = stage.added();
        let ours = delays(&added);
        if in_detail {
            by_time(&added);
        }
        let millis = |times: &[Duration], rank| percentile(times, rank).as_secs_f64() * 1000.0;
        print!("| {channels} | {} |", ours.len());
        for times in [&least, &ours] {
            print!(
                " {:.1} ms | {:.1} ms |",
                millis(times, 50),
                millis(times, 99)
            );
        }
        let more = |rank| millis(&ours, rank) - millis(&least, rank);
        println!(" {:.1} ms | {:.1} ms |", more(50), more(99));
    }
    println!();
    let syncs = syncs();
    println!(
        "Aim: p99 below 2 ms added at 1,000 streams. The relay reads the same streams and posts each line as it ends, with no journal and nothing else. A line of Kaiwa's is on the disk before it is sent; a sync of 4 kB alone takes {:.1} ms here at the median, and {:.1} ms at p99.",
        percentile(&syncs, 50).as_secs_f64() * 1000.0,
        percentile(&syncs, 99).as_secs_f64() * 1000.0,
    );
    println!();
}

fn delays(added: &[(Instant, Duration)]) -> Vec<Duration> {
    added.iter().map(|(_, delay)| *delay).collect()
}

/// How long lines took in each tenth of a second, where some took long.
fn by_time(added: &[(Instant, Duration)]) {
    let Some(begun) = added.iter().map(|(at, _)| *at).min() else {
        return;
    };
    let mut slots: BTreeMap<u128, Vec<Duration>> = BTreeMap::new();
    for (at, delay) in added {
        let slot = (*at - begun).as_millis() / 100;
        slots.entry(slot).or_default().push(*delay);
    }
    for (slot, delays) in slots {
        let millis = |rank| percentile(&delays, rank).as_secs_f64() * 1000.0;
        if millis(100) > 10.0 {
            let (lines, p50, max) = (delays.len(), millis(50), millis(100));
            eprintln!("{slot} tenths: {lines} lines, p50 {p50:.1} ms, max {max:.1} ms");
        }
    }
}

/// How long the disk takes for what every line waits for.
fn syncs() -> Vec<Duration> {
    let mut file = tempfile::tempfile().expect("a file");
    let mut sync = || {
        file.write_all(&[0; 4096]).expect("room on the disk");
        let begun = Instant::now();
        file.sync_data().expect("a sync");
        begun.elapsed()
    };
    (0..500).map(|_| sync()).collect()
}

/// A bot is killed while lines wait for Discord's limits, and started again.
async fn restart(channels: usize) {
    let stage = BenchStage::set(channels, "discord", FIVE_LINES).await;
    let bot = stage.bot().await;
    stage.ask_everywhere(Duration::ZERO).await;
    // By then all first lines are written, and as many wait as Discord does not
    // take in a second.
    while stage.first_lines() < channels {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(bot);
    // What Discord had taken by then is seen.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let (messages, posts) = (stage.messages(), stage.posts());
    let begun = Instant::now();
    let _bot = stage.spawn();
    let mut first_post = None;
    while stage.messages() == messages && begun.elapsed() < PATIENCE {
        if stage.posts() > posts {
            first_post.get_or_insert_with(|| begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let first_post = first_post.unwrap_or_else(|| begun.elapsed());
    println!("| from the start of a bot that was killed | |");
    println!("|---|---:|");
    println!(
        "| first send that was left over | {:.0} ms |",
        millis(first_post)
    );
    println!(
        "| first message that was not there before | {:.0} ms |",
        millis(begun.elapsed())
    );
    println!();
    println!("Aim: first send below 1,000 ms.");
    println!();
}

/// So many answers that grow in place at once, in one guild, under Discord's
/// limits.
async fn live(channels: usize, script: Script) {
    let stage = BenchStage::set(channels, "discord", script).await;
    stage.configure("[delivery]\ndegree = 4\n");
    let _bot = stage.bot().await;
    stage.ask_everywhere(Duration::ZERO).await;
    let ended = stage.ended().await;
    let seen = stage.seen.lock().expect("not poisoned");
    let whole = seen.answers.values().filter(|it| it.is_whole(script));
    let lost = channels - whole.count();
    let edits = || seen.answers.values().map(|it| it.edits);
    let mean = edits().sum::<usize>() as f64 / channels as f64;
    println!(
        "| live answers at once, limits on | edits of one, mean | fewest | most | all ended | 429s | lost |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    println!(
        "| {channels} | {mean:.0} | {} | {} | {:.1} s | {} | {lost} |",
        edits().min().unwrap_or(0),
        edits().max().unwrap_or(0),
        ended.as_secs_f64(),
        stage.emulator.counts().rate_limited,
    );
    println!();
    println!("Aim: no 429, none lost, and the fewest no fewer than half the mean.");
}

/// The measurement below which so many percent lie.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let rank = (times.len() * percent).div_ceil(100).max(1);
    times.get(rank - 1).copied().unwrap_or_default()
}
