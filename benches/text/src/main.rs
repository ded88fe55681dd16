//! The text engine beside `text-splitter`, and beside itself at other sizes.
//!
//! Prints a markdown page. The first argument may name a folder with more
//! texts, as files `<kind>-10k.txt`, `<kind>-100k.txt` and `<kind>-1m.txt`.
//! Every comparison is made within one run; each figure is the best of
//! several passes, which is what a busy machine disturbs least, and what is
//! compared takes turns, so that it is disturbed alike.

mod texts;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use kaiwa_pipeline::deliver::{Degree, Deliverer, DeliverySettings, chunk};
use text_splitter::MarkdownSplitter;
use texts::{ADVERSARIAL, KINDS, Text};

/// The most characters of a message.
const MAX: usize = 1950;

/// How many characters a streamed delta has.
const DELTA: usize = 4;

/// How often what is compared takes turns …
const TURNS: usize = 16;

/// … and how long a turn is.
const TURN: Duration = Duration::from_millis(15);

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

fn settings(degree: Degree) -> DeliverySettings {
    DeliverySettings {
        degree,
        max: MAX,
        dialect: false,
        ..DeliverySettings::default()
    }
}

fn ours(text: &str, settings: &DeliverySettings) -> usize {
    chunk(text, settings).messages.len()
}

fn theirs(text: &str) -> usize {
    MarkdownSplitter::new(MAX).chunks(text).count()
}

/// The shortest pass of each, while they take turns.
fn best<const N: usize>(works: [&dyn Fn() -> usize; N]) -> [Duration; N] {
    let mut shortest = [Duration::MAX; N];
    for _ in 0..TURNS {
        for (work, shortest) in works.iter().zip(&mut shortest) {
            let begin = Instant::now();
            while begin.elapsed() < TURN {
                let start = Instant::now();
                black_box(work());
                *shortest = start.elapsed().min(*shortest);
            }
        }
    }
    shortest
}

fn against_the_peer(kinds: &[Text]) {
    println!("### Whole texts, beside text-splitter (markdown)\n");
    println!("| text | size | degree | ours | text-splitter | ratio | aim |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for kind in kinds {
        let large = match kind.name().starts_with("unbal") {
            true => 8.0,
            false => 15.0,
        };
        for (size, name, aim) in [(KB10, "10 KB", 1.5), (MB1, "1 MB", large)] {
            let text = kind.of(size);
            let (whole, lines) = (settings(Degree::Whole), settings(Degree::Lines));
            let [theirs, at_0, at_1] = best([&|| theirs(&text), &|| ours(&text, &whole), &|| {
                ours(&text, &lines)
            }]);
            for (number, ours) in [(0, at_0), (1, at_1)] {
                let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
                println!(
                    "| {} | {name} | {number} | {:.0} MB/s | {:.1} MB/s | {ratio:.1}× | {aim}× |",
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
    println!("### Growth: a text of 1 MB over the same in pieces of 10 KB (aim: at most 1.3)\n");
    println!("| text | degree 0 | degree 1 | degree 3 |");
    println!("|---|---:|---:|---:|");
    for kind in kinds {
        let large = kind.of(MB1);
        let small = pieces(&large);
        let factor = |degree| {
            let settings = settings(degree);
            let on_each = || small.iter().map(|text| ours(text, &settings)).sum();
            let [on_small, on_large] = best([&on_each, &|| ours(&large, &settings)]);
            on_large.as_secs_f64() / on_small.as_secs_f64()
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
    println!("| text | ns per delta at 100 KB | plain push_str | 1 MB over its pieces of 10 KB |");
    println!("|---|---:|---:|---:|");
    for kind in kinds {
        let texts = [KB100, MB1].map(|size| kind.of(size));
        let [middle, large] = texts.each_ref().map(|text| deltas(text));
        let small: Vec<Vec<&str>> = pieces(&texts[1]).into_iter().map(deltas).collect();
        let plain = || {
            let mut all = String::new();
            middle.iter().for_each(|delta| all.push_str(delta));
            all.len()
        };
        let [on_small, on_middle, on_large, plain] = best([
            &|| small.iter().map(|deltas| stream(deltas)).sum(),
            &|| stream(&middle),
            &|| stream(&large),
            &plain,
        ]);
        let ours = nanos_each(on_middle, middle.len());
        let plain = nanos_each(plain, middle.len());
        let growth = on_large.as_secs_f64() / on_small.as_secs_f64();
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

/// A text in pieces of 10 KB: the same bytes, so that whatever differs is due to
/// length alone. A small text that is passed again and again would be learned by
/// heart, by caches and predictors.
fn pieces(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut pieces = Vec::new();
    while rest.len() > KB10 {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(KB10));
        pieces.push(piece);
        rest = more;
    }
    pieces.push(rest);
    pieces
}

fn nanos_each(time: Duration, count: usize) -> f64 {
    time.as_nanos() as f64 / count.max(1) as f64
}
