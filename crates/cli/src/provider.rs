//! `kaiwa provider`: the vendors, and recorded answers.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kaiwa_domain::Abilities;
use kaiwa_provider::{Card, Price, Replay, VENDORS};

use crate::args::{ProviderCommand, ReplayArgs};
use crate::config::environment;
use crate::console;

/// The longest recording. Answers are a thousand times shorter.
const MAX_RECORDING: u64 = 256 << 20;

/// The longest random piece, in bytes.
const MAX_PIECE: u64 = 512;

pub(crate) fn provider(command: &ProviderCommand) -> Result<()> {
    match command {
        ProviderCommand::Replay(args) => replay(args),
        ProviderCommand::List => {
            list();
            Ok(())
        }
    }
}

fn replay(args: &ReplayArgs) -> Result<()> {
    let bytes = read(&args.file)?;
    let replay = match args.pieces {
        None => Replay::of(args.format, [bytes.as_slice()], args.verbatim),
        Some(seed) => {
            let pieces = Pieces {
                bytes: &bytes,
                state: seed,
            };
            Replay::of(args.format, pieces, args.verbatim)
        }
    };
    for event in &replay.events {
        console::print(event);
    }
    console::print(&replay.result);
    if replay.nonsense > 0 {
        console::say(format!("{} frames were not understood", replay.nonsense));
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut bytes = Vec::new();
    file.take(MAX_RECORDING + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {shown}"))?;
    if bytes.len() as u64 > MAX_RECORDING {
        bail!("{shown} exceeds 256 MiB: name the body of one answer");
    }
    Ok(bytes)
}

/// Pieces of random size: those of `SplitMix64` for its seed.
struct Pieces<'a> {
    bytes: &'a [u8],
    state: u64,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.bytes.is_empty() {
            return None;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // Small pieces are the ones that cut characters and tags.
        let most = 1 + (mixed >> 32) % MAX_PIECE;
        let size = usize::try_from(1 + mixed % most).unwrap_or(1);
        let (piece, rest) = self.bytes.split_at(size.min(self.bytes.len()));
        self.bytes = rest;
        Some(piece)
    }
}

fn list() {
    for vendor in &VENDORS {
        let key = match vendor.key_env {
            None => "no key needed".to_owned(),
            Some(variable) => match environment(variable).is_some_and(|key| !key.is_empty()) {
                true => format!("{variable} is set"),
                false => format!("{variable} is not set"),
            },
        };
        let place = vendor.base_url.unwrap_or("where provider.base_url says");
        let (name, title, format) = (vendor.name, vendor.title, vendor.format);
        console::print(format!("{name}: {title} at {place}, {format}, {key}"));
        for card in vendor.models {
            console::print(format!("  {}", described(card)));
        }
    }
}

/// One model in one line.
fn described(card: &Card) -> String {
    let Abilities {
        tools,
        vision,
        thinking,
    } = card.abilities;
    let able = [(tools, "tools"), (vision, "vision"), (thinking, "thinking")];
    let able = able.iter().filter(|(can, _)| *can).map(|(_, word)| *word);
    let context = match card.context {
        Some(tokens) => format!("{} k tokens", tokens / 1000),
        None => "size unknown".to_owned(),
    };
    let price = match card.price {
        Some(Price { input, output, .. }) => {
            format!(
                "${} in, ${} out per million",
                dollars(input),
                dollars(output)
            )
        }
        None => "price unknown".to_owned(),
    };
    let able = able.collect::<Vec<_>>().join(" ");
    format!("{:<42} {context:<14} {able:<22} {price}", card.name)
}

/// Millionths of a dollar as dollars.
fn dollars(micros: u64) -> String {
    let (whole, rest) = (micros / 1_000_000, micros % 1_000_000 / 1000);
    let text = format!("{whole}.{rest:03}");
    text.strip_suffix('0').unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_random_but_always_the_same_and_lose_nothing() {
        let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        let cut = |state| -> Vec<&[u8]> {
            let pieces = Pieces {
                bytes: &bytes,
                state,
            };
            pieces.collect()
        };
        assert_eq!(cut(7), cut(7));
        assert_ne!(cut(7), cut(8));
        for seed in 0..50 {
            assert_eq!(cut(seed).concat(), bytes);
        }
    }

    #[test]
    fn prices_have_cents() {
        fn check(micros: u64, expect: &str) {
            assert_eq!(dollars(micros), expect);
        }
        check(2_500_000, "2.50");
        check(15_000_000, "15.00");
        check(75_000, "0.075");
        check(0, "0.00");
    }
}
