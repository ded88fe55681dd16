//! How long a person would have taken to type it.
//!
//! Pure: [`Rhythm`] says how long to wait before each message; the runtime
//! waits. The first message of an answer is never delayed.

use std::time::Duration;

use kaiwa_domain::port::Dice;

/// The wait before a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Beat {
    /// Thinking, with nothing to be seen.
    pub pause: Duration,
    /// "is typing".
    pub typing: Duration,
}

impl Beat {
    /// The whole wait.
    pub fn total(self) -> Duration {
        self.pause + self.typing
    }
}

/// How fast somebody types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The time for one character.
    pub per_char: Duration,
    /// The shortest time "is typing" is shown.
    pub shortest: Duration,
    /// The longest.
    pub longest: Duration,
    /// The chance of a thinking pause, in percent.
    pub pause_percent: u32,
    /// The shortest thinking pause.
    pub shortest_pause: Duration,
    /// The longest.
    pub longest_pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            per_char: Duration::from_millis(10),
            shortest: Duration::from_millis(750),
            longest: Duration::from_millis(4000),
            pause_percent: 25,
            shortest_pause: Duration::from_millis(250),
            longest_pause: Duration::from_millis(1500),
        }
    }
}

/// Paces the messages of one answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rhythm {
    pace: Pace,
    begun: bool,
}

impl Rhythm {
    /// The rhythm of a new answer.
    pub const fn new(pace: Pace) -> Self {
        Self { pace, begun: false }
    }

    /// The wait before `message`, the next one of the answer.
    pub fn beat(&mut self, message: &str, dice: &mut dyn Dice) -> Beat {
        if !std::mem::replace(&mut self.begun, true) {
            return Beat::default();
        }
        Beat {
            pause: self.pause(dice),
            typing: self.typing(message),
        }
    }

    fn typing(&self, message: &str) -> Duration {
        let chars = u32::try_from(message.chars().count()).unwrap_or(u32::MAX);
        // Nobody types code as fast as prose.
        let shortest = if message.contains("```") {
            self.pace.shortest * 5 / 4
        } else {
            self.pace.shortest
        };
        self.pace
            .per_char
            .saturating_mul(chars)
            .max(shortest)
            .min(self.pace.longest)
    }

    fn pause(&self, dice: &mut dyn Dice) -> Duration {
        if dice.roll(100) >= self.pace.pause_percent {
            return Duration::ZERO;
        }
        let shortest = self.pace.shortest_pause.as_millis();
        let spread = self.pace.longest_pause.as_millis().saturating_sub(shortest);
        let steps = u32::try_from(spread).unwrap_or(u32::MAX).saturating_add(1);
        self.pace.shortest_pause + Duration::from_millis(u64::from(dice.roll(steps)))
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

    fn second_beat(message: &str, luck: f64) -> (u128, u128) {
        let mut rhythm = Rhythm::new(Pace::default());
        assert_eq!(rhythm.beat(message, &mut Fixed(0.0)), Beat::default());
        let beat = rhythm.beat(message, &mut Fixed(luck));
        (beat.pause.as_millis(), beat.typing.as_millis())
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
            let (_, found) = second_beat(&"会".repeat(chars), 0.99);
            assert_eq!(found, typing, "{chars} characters");
        }
        assert_eq!(second_beat("```\nx\n```", 0.99).1, 937);
    }

    #[test]
    fn one_message_in_four_is_thought_about() {
        for (luck, pause) in [(0.0, 250), (0.1, 375), (0.249, 561), (0.25, 0), (0.999, 0)] {
            assert_eq!(second_beat("hello", luck).0, pause, "{luck}");
        }
        let mut rhythm = Rhythm::new(Pace::default());
        let mut dice = SeededDice::new(1);
        let paused = (0..4000)
            .filter(|_| rhythm.beat("hello", &mut dice).pause > Duration::ZERO)
            .count();
        assert!((900..1100).contains(&paused), "{paused}");
    }

    proptest! {
        #[test]
        fn bounded_and_decided_by_the_seed(texts in proptest::collection::vec(".{0,500}", 0..8), seed: u64) {
            let plan = || {
                let mut dice = SeededDice::new(seed);
                let mut rhythm = Rhythm::new(Pace::default());
                texts.iter().map(|text| rhythm.beat(text, &mut dice)).collect::<Vec<_>>()
            };
            let beats = plan();
            prop_assert_eq!(&beats, &plan());
            for beat in beats.iter().skip(1) {
                prop_assert!((750..=4000).contains(&beat.typing.as_millis()));
                prop_assert!(beat.pause.is_zero() || (250..=1500).contains(&beat.pause.as_millis()));
                prop_assert!(beat.total() <= Duration::from_millis(5500));
            }
        }
    }
}
