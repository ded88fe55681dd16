//! `random`: dice, a choice, or a number by chance.

use std::sync::{Mutex, PoisonError};

use kaiwa_domain::ToolError;
use kaiwa_domain::port::{Dice, Pending};
use schemars::JsonSchema;
use serde::Deserialize;

use super::choices::read_choices;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Leaves things to chance.
pub struct Random {
    dice: Mutex<Box<dyn Dice>>,
}

impl Random {
    /// By these dice.
    pub fn new(dice: impl Dice + 'static) -> Self {
        Self {
            dice: Mutex::new(Box::new(dice)),
        }
    }
}

/// What is left to chance: dice, or choices, or a number. A number from 1 to
/// 100 if nothing is said.
#[derive(Deserialize, JsonSchema)]
pub struct RandomArguments {
    /// Dice like 2d6 or 1d20+3.
    #[serde(default)]
    #[schemars(length(max = 40))]
    dice: Option<String>,
    /// What to choose from, with commas or "or" between.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    choices: Option<String>,
    /// The smallest number.
    #[serde(default)]
    #[schemars(range(min = -1_000_000_000, max = 1_000_000_000))]
    from: Option<i64>,
    /// The largest number.
    #[serde(default)]
    #[schemars(range(min = -1_000_000_000, max = 1_000_000_000))]
    to: Option<i64>,
}

/// The furthest that numbers may be from zero.
const FURTHEST: i64 = 1_000_000_000;

/// The most dice of a throw, and the most sides of a die.
const MOST_DICE: u32 = 100;
const MOST_SIDES: u32 = 1000;

impl Action for Random {
    type Arguments = RandomArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("random")),
            ..Declaration::reading(
                "random",
                "Rolls dice, chooses among choices, or draws a number. Use it whenever something \
                 is left to chance: what you make up yourself is not fair.",
            )
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: RandomArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = draw(&mut **dice, arguments);
        let done = drawn
            .map(|drawn| {
                let shown = Phrase::new("random-done").with("drawn", drawn.as_str());
                Done::new(drawn).showing(shown)
            })
            .map_err(|bad| ToolError::BadArguments {
                problem: bad.phrase().text(grant.locale()),
            });
        Box::pin(std::future::ready(done))
    }
}

/// Why nothing is left to chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BadDraw {
    Dice,
    NoChoice,
    OneChoice,
    TooFar,
    Backwards,
    Several,
}

impl BadDraw {
    /// What people read.
    fn phrase(self) -> Phrase {
        match self {
            Self::Dice => Phrase::new("draw-dice"),
            Self::NoChoice => Phrase::new("draw-no-choice"),
            Self::OneChoice => Phrase::new("draw-one-choice"),
            Self::TooFar => Phrase::new("draw-too-far"),
            Self::Backwards => Phrase::new("draw-backwards"),
            Self::Several => Phrase::new("draw-several"),
        }
    }
}

fn draw(dice: &mut dyn Dice, arguments: RandomArguments) -> Result<String, BadDraw> {
    match arguments {
        RandomArguments {
            dice: Some(notation),
            choices: None,
            from: None,
            to: None,
        } => {
            let throw = read_throw(&notation).ok_or(BadDraw::Dice)?;
            Ok(roll(dice, &throw))
        }
        RandomArguments {
            dice: None,
            choices: Some(choices),
            from: None,
            to: None,
        } => {
            let choices = read_choices(&choices);
            let most = u32::try_from(choices.len()).unwrap_or(u32::MAX);
            match most {
                0 => Err(BadDraw::NoChoice),
                1 => Err(BadDraw::OneChoice),
                _ => {
                    let chosen = choices.get(dice.roll(most) as usize);
                    chosen.cloned().ok_or(BadDraw::NoChoice)
                }
            }
        }
        RandomArguments {
            dice: None,
            choices: None,
            from,
            to,
        } => {
            let from = from.unwrap_or(1);
            let to = to.unwrap_or(100.max(from));
            if from.abs() > FURTHEST || to.abs() > FURTHEST {
                return Err(BadDraw::TooFar);
            }
            let many = u32::try_from(to - from + 1).map_err(|_| BadDraw::Backwards)?;
            match many {
                0 => Err(BadDraw::Backwards),
                many => Ok((from + i64::from(dice.roll(many))).to_string()),
            }
        }
        _ => Err(BadDraw::Several),
    }
}

/// A part of a throw, and whether it is taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Dice { many: u32, sides: u32 },
    Fixed(u32),
}

/// Reads `2d6+1d4-1`.
fn read_throw(notation: &str) -> Option<Vec<(bool, Term)>> {
    let notation: String = notation.to_lowercase().split_whitespace().collect();
    let mut terms = Vec::new();
    let mut rest = notation.as_str();
    let mut many_dice = 0;
    while !rest.is_empty() {
        let minus = rest.starts_with('-');
        if let Some(after) = rest.strip_prefix(['+', '-']) {
            rest = after;
        } else if !terms.is_empty() {
            return None;
        }
        let (term, after) = rest.split_at(rest.find(['+', '-']).unwrap_or(rest.len()));
        rest = after;
        let number = |text: &str| -> Option<u32> {
            let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
            text.parse().ok().filter(|_| digits)
        };
        let term = match term.split_once('d') {
            Some((many, sides)) => {
                let many = if many.is_empty() { 1 } else { number(many)? };
                let sides = if sides == "%" { 100 } else { number(sides)? };
                many_dice += many.min(MOST_DICE + 1);
                let fits = (1..=MOST_DICE).contains(&many) && (2..=MOST_SIDES).contains(&sides);
                fits.then_some(Term::Dice { many, sides })?
            }
            None => Term::Fixed(number(term).filter(|it| i64::from(*it) <= FURTHEST)?),
        };
        terms.push((minus, term));
    }
    let has_dice = (1..=MOST_DICE).contains(&many_dice);
    has_dice.then_some(terms)
}

/// What was thrown, and what it comes to: `4 + 2 + 1 = 7`.
fn roll(dice: &mut dyn Dice, throw: &[(bool, Term)]) -> String {
    let mut shown = String::new();
    let mut sum = 0;
    let mut parts = 0;
    for (minus, term) in throw {
        let (many, sides, fixed) = match *term {
            Term::Dice { many, sides } => (many, Some(sides), 0),
            Term::Fixed(fixed) => (1, None, fixed),
        };
        for _ in 0..many {
            let value = sides.map_or(fixed, |sides| dice.roll(sides) + 1);
            let sign = match (parts, minus) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            shown += &format!("{sign}{value}");
            let value = i64::from(value);
            sum += if *minus { -value } else { value };
            parts += 1;
        }
    }
    match parts {
        1 => shown,
        _ => format!("{shown} = {sum}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::SeededDice;
    use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

    /// Dice that fall as they are told to.
    struct Loaded(Vec<u32>);

    impl Dice for Loaded {
        fn roll(&mut self, sides: u32) -> u32 {
            self.0.pop().unwrap_or(sides.saturating_sub(1))
        }
    }

    fn arguments(json: &str) -> RandomArguments {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn chance_decides_within_what_was_asked() {
        for (json, expected) in [
            (r#"{"dice": "2d6"}"#, Ok("6 + 6 = 12")),
            (r#"{"dice": "d20"}"#, Ok("20")),
            (r#"{"dice": "1D20 + 3"}"#, Ok("20 + 3 = 23")),
            (r#"{"dice": "2d4-1d6+10"}"#, Ok("4 + 4 - 6 + 10 = 12")),
            (r#"{"dice": "d%"}"#, Ok("100")),
            (r#"{"choices": "tea, coffee,, milk "}"#, Ok("milk")),
            (r#"{"choices": "お茶、水"}"#, Ok("水")),
            (r#"{"from": 5, "to": 9}"#, Ok("9")),
            (r#"{"from": -3, "to": -3}"#, Ok("-3")),
            (r#"{"from": 200}"#, Ok("200")),
            ("{}", Ok("100")),
            (r#"{"choices": " , "}"#, Err(BadDraw::NoChoice)),
            (r#"{"choices": "tea"}"#, Err(BadDraw::OneChoice)),
            (r#"{"choices": "or"}"#, Err(BadDraw::NoChoice)),
            (r#"{"from": 9, "to": 5}"#, Err(BadDraw::Backwards)),
            (r#"{"from": 1, "dice": "d6"}"#, Err(BadDraw::Several)),
            (r#"{"to": 9000000000}"#, Err(BadDraw::TooFar)),
            (r#"{"dice": "2x6"}"#, Err(BadDraw::Dice)),
        ] {
            let drawn = draw(&mut Loaded(Vec::new()), arguments(json));
            assert_eq!(drawn, expected.map(str::to_owned), "{json}");
            if let Err(bad) = drawn {
                assert_ne!(bad.phrase().text("en-US"), bad.phrase().text("ja"));
            }
        }
        for bad in [
            "",
            "6",
            "2d",
            "d",
            "0d6",
            "101d6",
            "60d6+60d6",
            "2d1",
            "2d1001",
            "2d6+",
            "2x6",
            "d6d6",
            "2d6++1",
            "99999999999d6",
        ] {
            assert_eq!(read_throw(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn a_number_lies_where_it_was_asked_for(seed in any::<u64>(), from in -1000i64..1000, many in 0i64..1000) {
            let asked = RandomArguments { dice: None, choices: None, from: Some(from), to: Some(from + many) };
            let drawn: i64 = draw(&mut SeededDice::new(seed), asked).unwrap().parse().unwrap();
            prop_assert!((from..=from + many).contains(&drawn));
        }

        #[test]
        fn no_notation_is_too_strange(notation in "[-+d0-9 %]{0,40}") {
            let _ = read_throw(&notation);
        }
    }
}
