//! Chance that can be replayed.

use crate::port::Dice;

/// Dice that fall the same way for the same seed (SplitMix64).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeededDice {
    state: u64,
}

impl SeededDice {
    /// Dice whose every roll follows from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }
}

impl Dice for SeededDice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The high half scaled to the sides; the bias is below one in 2^32.
        (((mixed >> 32) * u64::from(sides)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_stay_on_the_dice_and_use_every_side() {
        for sides in [1, 2, 6, 100] {
            let mut dice = SeededDice::new(7);
            let mut seen = vec![false; sides as usize];
            for _ in 0..2000 {
                seen[dice.roll(sides) as usize] = true;
            }
            assert!(seen.iter().all(|&side| side), "{sides} sides: {seen:?}");
        }
        assert_eq!(SeededDice::new(7).roll(0), 0);
    }

    #[test]
    fn the_seed_decides() {
        let rolls = |seed| {
            let mut dice = SeededDice::new(seed);
            [(); 8].map(|()| dice.roll(1000))
        };
        assert_eq!(rolls(1), rolls(1));
        assert_ne!(rolls(1), rolls(2));
    }
}
