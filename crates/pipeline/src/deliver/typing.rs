//! How long a person would have taken to type it.
//!
//! Pure: [`Rhythm`] says how long to wait before each message; the runtime
//! waits. The first message of an answer is never delayed.

use std::time::Duration;

use kaiwa_domain::port::Dice;

/// The time for one character.
const PER_CHAR: Duration = Duration::from_millis(10);
/// How long "is typing" is shown.
const TYPING: [Duration; 2] = [Duration::from_millis(750), Duration::from_millis(4000)];
/// The chance of a thinking pause, in percent.
const PAUSE_PERCENT: u32 = 25;
/// How long it is, in milliseconds.
const PAUSE: [u32; 2] = [250, 1500];

/// Paces the messages of one answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rhythm {
    begun: bool,
}

impl Rhythm {
    /// The wait before `message`, the next one of the answer: now and then a
    /// pause, then typing.
    pub fn wait(&mut self, message: &str, dice: &mut dyn Dice) -> Duration {
        match std::mem::replace(&mut self.begun, true) {
            true => pause(dice) + typing(message),
            false => Duration::ZERO,
        }
    }
}

fn typing(message: &str) -> Duration {
    let chars = u32::try_from(message.chars().count()).unwrap_or(u32::MAX);
    let [mut shortest, longest] = TYPING;
    if message.contains("```") {
        // Nobody types code as fast as prose.
        shortest = shortest * 5 / 4;
    }
    PER_CHAR.saturating_mul(chars).clamp(shortest, longest)
}

fn pause(dice: &mut dyn Dice) -> Duration {
    let [shortest, longest] = PAUSE;
    match dice.roll(100) < PAUSE_PERCENT {
        true => Duration::from_millis((shortest + dice.roll(longest - shortest + 1)).into()),
        false => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::SeededDice;
    use proptest::prelude::*;

    /// Dice that always fall on the same share of their sides.
    struct Fixed(f64);

    impl Dice for Fixed {
        fn roll(&mut self, sides: u32) -> u32 {
            (f64::from(sides) * self.0) as u32
        }
    }

    fn second_wait(message: &str, luck: f64) -> u128 {
        let mut rhythm = Rhythm::default();
        assert_eq!(rhythm.wait(message, &mut Fixed(0.0)), Duration::ZERO);
        rhythm.wait(message, &mut Fixed(luck)).as_millis()
    }

    #[test]
    fn typing_grows_with_the_text_within_bounds() {
        for (chars, typing) in [
            (0, 750),
            (1, 750),
            (75, 750),
            (76, 760),
            (200, 2000),
            (400, 4000),
            (401, 4000),
            (100_000, 4000),
        ] {
            let found = second_wait(&"会".repeat(chars), 0.99);
            assert_eq!(found, typing, "{chars} characters");
        }
        assert_eq!(second_wait("```\nx\n```", 0.99), 937);
    }

    #[test]
    fn one_message_in_four_is_thought_about() {
        for (luck, pause) in [(0.0, 250), (0.1, 375), (0.249, 561), (0.25, 0), (0.999, 0)] {
            assert_eq!(second_wait("hello", luck), 750 + pause, "{luck}");
        }
        let mut dice = SeededDice::new(1);
        let paused = (0..4000).filter(|_| !pause(&mut dice).is_zero()).count();
        assert!((900..1100).contains(&paused), "{paused}");
    }

    proptest! {
        #[test]
        fn bounded_and_decided_by_the_seed(texts in proptest::collection::vec(".{0,500}", 0..8), seed: u64) {
            let plan = || {
                let mut dice = SeededDice::new(seed);
                let mut rhythm = Rhythm::default();
                texts.iter().map(|text| rhythm.wait(text, &mut dice)).collect::<Vec<_>>()
            };
            let waits = plan();
            prop_assert_eq!(&waits, &plan());
            for wait in waits.iter().skip(1) {
                prop_assert!((750..=5500).contains(&wait.as_millis()));
            }
        }
    }
}
