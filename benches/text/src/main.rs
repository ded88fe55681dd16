//! The text engine beside `text-splitter`, and beside itself at other sizes.
//!
//! Prints a markdown page. The first argument may name a folder with more
//! texts, as files `<kind>-10k.txt`, `<kind>-100k.txt` and `<kind>-1m.txt`.
//! Every comparison is made within one run; each figure is the best of
//! several passes, which is what a busy machine disturbs least.

mod texts;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use kaiwa_pipeline::deliver::{Degree, Deliverer, Settings, chunk};
use text_splitter::MarkdownSplitter;
use texts::{ADVERSARIAL, KINDS, Text};

/// The most characters of a message.
const MAX: usize = 1950;

/// How many characters a streamed delta has.
const DELTA: usize = 4;

/// How many passes a figure takes at least …
const PASSES: usize = 3;

/// … and for how long they go on.
const TIME: Duration = Duration::from_millis(150);

const KB10: usize = 10 << 10;
const KB100: usize = 100 << 10;
const MB1: usize = 1 << 20;

fn main() {
    let mut kinds: Vec<Text> = KINDS.to_vec();
    if let Some(folder) = std::env::args().nth(1) {
        kinds.extend(texts::from_folder(Path::new(&folder)));
    }
    against_the_peer(&kinds);
    kinds.extend(ADVERSARIAL.iter().cloned());
    growth(&kinds);
    streaming(&kinds);
}

fn settings(degree: Degree) -> Settings {
    Settings {
        degree,
        max: MAX,
        dialect: false,
        ..Settings::default()
    }
}

fn ours(text: &str, settings: &Settings) -> Duration {
    best(|| chunk(text, settings).messages.len())
}

fn theirs(text: &str) -> Duration {
    let splitter = MarkdownSplitter::new(MAX);
    best(|| splitter.chunks(text).count())
}

/// The shortest of several passes: as many as fit the time, and a few at least.
fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    let mut shortest = Duration::MAX;
    let mut passes = 0;
    while passes < PASSES || begin.elapsed() < TIME {
        let start = Instant::now();
        black_box(work());
        shortest = shortest.min(start.elapsed());
        passes += 1;
    }
    shortest
}

fn against_the_peer(kinds: &[Text]) {
    println!("### Whole texts, beside text-splitter (markdown)\n");
    println!("| text | size | degree | ours | text-splitter | ratio | aim |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for kind in kinds {
        for (size, name, aim) in [(KB10, "10 KB", 3.0), (MB1, "1 MB", 20.0)] {
            let text = kind.of(size);
            let theirs = theirs(&text);
            for (number, degree) in [(0, Degree::Whole), (1, Degree::Lines)] {
                let ours = ours(&text, &settings(degree));
                let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
                println!(
                    "| {} | {name} | {number} | {:.0} MB/s | {:.1} MB/s | {ratio:.1}× | {aim:.0}× |",
                    kind.name(),
                    speed(text.len(), ours),
                    speed(text.len(), theirs),
                );
            }
        }
    }
    println!();
}

fn growth(kinds: &[Text]) {
    println!("### Growth: cost per byte at 1 MB over that at 10 KB (aim: at most 1.3)\n");
    println!("| text | degree 0 | degree 1 | degree 3 |");
    println!("|---|---:|---:|---:|");
    for kind in kinds {
        let (small, large) = (kind.of(KB10), kind.of(MB1));
        let factor = |degree| {
            let settings = settings(degree);
            per_byte(&large, ours(&large, &settings)) / per_byte(&small, ours(&small, &settings))
        };
        println!(
            "| {} | {:.2} | {:.2} | {:.2} |",
            kind.name(),
            factor(Degree::Whole),
            factor(Degree::Lines),
            factor(Degree::Sentences),
        );
    }
    println!();
}

fn streaming(kinds: &[Text]) {
    println!("### Streaming in deltas of {DELTA} characters at degree 1\n");
    println!("| text | ns per delta at 100 KB | plain push_str | 1 MB over 10 KB |");
    println!("|---|---:|---:|---:|");
    for kind in kinds {
        let at = |size| {
            let text = kind.of(size);
            let deltas = deltas(&text);
            let streamed = best(|| stream(&deltas));
            let plain = best(|| {
                let mut all = String::new();
                deltas.iter().for_each(|delta| all.push_str(delta));
                all
            });
            (
                nanos_each(streamed, deltas.len()),
                nanos_each(plain, deltas.len()),
            )
        };
        let (ours, plain) = at(KB100);
        let growth = at(MB1).0 / at(KB10).0;
        println!("| {} | {ours:.0} | {plain:.0} | {growth:.2} |", kind.name());
    }
}

fn stream(deltas: &[&str]) -> usize {
    let mut deliverer = Deliverer::new(settings(Degree::Lines));
    let mut messages = 0;
    for delta in deltas {
        messages += deliverer.push(delta).len();
    }
    messages + deliverer.finish().len()
}

fn deltas(text: &str) -> Vec<&str> {
    let starts: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .step_by(DELTA)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &text[start..end])
        .collect()
}

fn speed(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

fn per_byte(text: &str, time: Duration) -> f64 {
    time.as_secs_f64() / text.len() as f64
}

fn nanos_each(time: Duration, count: usize) -> f64 {
    time.as_nanos() as f64 / count.max(1) as f64
}
