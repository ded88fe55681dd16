//! What is done about an error, as long as nothing was shown.

use std::time::Duration;

use kaiwa_domain::port::Dice;
use kaiwa_domain::{ModelError, Remedy};

use super::RETRIES;

/// The longest wait that a server may ask for. Beyond it somebody else is
/// asked.
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Ask the same model with the same key after a short pause.
    Retry,
    /// The same, after the pause that the server wants.
    Wait(Duration),
    /// Let the key rest and ask with the next one.
    NextKey,
    /// Ask the next model.
    NextModel,
    /// Ask the same model with less.
    Shrink,
    /// Ask somebody who is less easily shocked.
    Uncensored,
    /// Tell the user.
    GiveUp,
}

impl Step {
    /// Its name in logs and metrics.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Wait(_) => "wait",
            Self::NextKey => "next_key",
            Self::NextModel => "next_model",
            Self::Shrink => "shrink",
            Self::Uncensored => "uncensored",
            Self::GiveUp => "give_up",
        }
    }
}

/// The next step, given how often this model was retried and whether the
/// conversation was shrunk.
pub(super) fn step(error: &ModelError, retries: u32, shrunk: bool) -> Step {
    let may_retry = retries < RETRIES;
    match error.remedy() {
        Remedy::Retry if may_retry => Step::Retry,
        Remedy::Wait(Some(wait)) if may_retry && wait <= LONGEST_WAIT => Step::Wait(wait),
        Remedy::Wait(_) | Remedy::NextKey => Step::NextKey,
        Remedy::Shrink if !shrunk => Step::Shrink,
        Remedy::Retry | Remedy::Shrink | Remedy::NextModel => Step::NextModel,
        Remedy::Uncensored => Step::Uncensored,
        Remedy::TellUser => Step::GiveUp,
    }
}

/// Whether the model, not the question or the key, is to blame.
pub(super) const fn blames_model(error: &ModelError) -> bool {
    matches!(error.remedy(), Remedy::Retry)
}

/// The pause before a retry: a quarter of a second, then one, and up to as
/// much again, so that those who failed together do not return together.
pub(super) fn pause(retries: u32, dice: &mut dyn Dice) -> Duration {
    let base = 250 << (2 * retries.min(RETRIES));
    Duration::from_millis(u64::from(base + dice.roll(base)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::SeededDice;

    fn busy(seconds: u64) -> ModelError {
        ModelError::Busy {
            retry_after: Some(Duration::from_secs(seconds)),
        }
    }

    #[test]
    fn every_error_has_its_remedy() {
        let words = String::new;
        let failed = ModelError::Failed {
            status: 500,
            message: words(),
        };
        let unreachable = ModelError::Unreachable {
            url: words(),
            reason: words(),
        };
        let rejected = ModelError::Rejected {
            status: 404,
            message: words(),
        };
        let silent = ModelError::Silent {
            waited: Duration::from_secs(20),
        };
        let cut = ModelError::Cut { reason: words() };
        let garbled = ModelError::Garbled { reason: words() };
        let too_long = ModelError::TooLong { message: words() };
        let censored = ModelError::Censored { message: words() };
        let over = ModelError::OverBudget { limit: words() };
        let eight = Duration::from_secs(8);
        // First, then with the retries and the shrinking used up.
        for (error, first, at_last) in [
            (&unreachable, Step::Retry, Step::NextModel),
            (&failed, Step::Retry, Step::NextModel),
            (&silent, Step::Retry, Step::NextModel),
            (&cut, Step::Retry, Step::NextModel),
            (&garbled, Step::Retry, Step::NextModel),
            (&busy(8), Step::Wait(eight), Step::NextKey),
            (&busy(9), Step::NextKey, Step::NextKey),
            (
                &ModelError::Busy { retry_after: None },
                Step::NextKey,
                Step::NextKey,
            ),
            (&ModelError::OutOfCredit, Step::NextKey, Step::NextKey),
            (
                &ModelError::Unauthorized { status: 401 },
                Step::NextKey,
                Step::NextKey,
            ),
            (&rejected, Step::NextModel, Step::NextModel),
            (&too_long, Step::Shrink, Step::NextModel),
            (&censored, Step::Uncensored, Step::Uncensored),
            (&over, Step::GiveUp, Step::GiveUp),
        ] {
            assert_eq!(step(error, 0, false), first, "{error:?}");
            assert_eq!(step(error, RETRIES, true), at_last, "{error:?}");
        }
    }

    #[test]
    fn pauses_are_short_and_differ() {
        for seed in 0..100 {
            let mut dice = SeededDice::new(seed);
            let pauses = [0, 1].map(|retries| pause(retries, &mut dice).as_millis());
            assert!((250..500).contains(&pauses[0]), "{pauses:?}");
            assert!((1000..2000).contains(&pauses[1]), "{pauses:?}");
        }
        let first = |seed| pause(0, &mut SeededDice::new(seed));
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }
}
