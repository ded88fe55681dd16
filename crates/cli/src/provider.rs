//! `kaiwa provider`: the vendors, and recorded answers.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kaiwa_provider::Replay;

use crate::args::{ProviderCommand, ReplayArgs};
use crate::console;
use crate::exit::needs_a_person;

mod list;

/// The longest recording. Answers are a thousand times shorter.
const MAX_RECORDING: u64 = 256 << 20;

/// The longest random piece, in bytes.
const MAX_PIECE: u64 = 512;

pub(crate) fn provider(command: &ProviderCommand) -> Result<()> {
    match command {
        ProviderCommand::Replay(args) => replay(args),
        ProviderCommand::List(args) => list::list(args),
    }
}

fn replay(args: &ReplayArgs) -> Result<()> {
    let bytes = read(&args.file).map_err(|error| needs_a_person(format!("{error:#}")))?;
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
}
