//! What a user reads when something went wrong.

use std::borrow::Cow;

/// A short text from a closed set. Raw errors never reach a user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notice {
    /// The model's server could not be reached or failed.
    ModelUnreachable,
    /// The model's server turned us away because it is busy.
    ModelBusy,
    /// The model did not begin to answer, or stopped in the middle, for too long.
    ModelSilent,
    /// The operator has to look: key refused, credit gone, request rejected.
    ModelMisconfigured,
    /// The model or its vendor declined.
    ModelRefused,
    /// The model answered with nothing.
    ModelEmpty,
    /// The answer broke off after part of it was shown.
    AnswerCut,
    /// The answer was too long to be shown whole.
    AnswerShortened,
    /// The answer took too many messages, and the rest of it is a file.
    AnswerAttached,
    /// The answer went in circles.
    AnswerLooped,
    /// The model asked for a tool that is not there.
    NoSuchTool,
    /// What was to be done after the answer failed.
    ActionFailed,
    /// What was to be done after the answer is not allowed.
    ActionDenied,
    /// What may be spent is spent.
    OverBudget,
    /// Discord would not take a part of the answer.
    AnswerBlocked,
    /// The question could not be read again after a restart.
    QuestionLost,
    /// The question was admitted so long ago that an answer would be stale.
    TooLate,
    /// Whether something was done was never learned.
    ActionUnknown,
    /// The process ends before the answer does; the next one goes on.
    Restarting,
    /// The question alone is more than may be spent.
    QuestionTooLarge,
    /// They ask too often.
    SlowDown {
        /// After how long they may ask again, where that is known.
        seconds: u16,
    },
    /// They, their server or their channel wait for too many answers.
    TooManyWaiting,
    /// We do not talk in such a channel.
    WrongPlace,
    /// Discord does not show us what they wrote.
    CannotRead,
    /// The answer was stopped, as they wished.
    Stopped,
    /// The same, where the answer ends.
    StoppedHere,
    /// We may have no webhook here, so personas have no names of their own.
    NoWebhook,
    /// Our own fault.
    Internal,
}

impl Notice {
    /// Every notice, in order of declaration.
    pub const ALL: [Self; 28] = [
        Self::ModelUnreachable,
        Self::ModelBusy,
        Self::ModelSilent,
        Self::ModelMisconfigured,
        Self::ModelRefused,
        Self::ModelEmpty,
        Self::AnswerCut,
        Self::AnswerShortened,
        Self::AnswerAttached,
        Self::AnswerLooped,
        Self::NoSuchTool,
        Self::ActionFailed,
        Self::ActionDenied,
        Self::OverBudget,
        Self::AnswerBlocked,
        Self::QuestionLost,
        Self::TooLate,
        Self::ActionUnknown,
        Self::Restarting,
        Self::QuestionTooLarge,
        Self::SlowDown { seconds: 0 },
        Self::TooManyWaiting,
        Self::WrongPlace,
        Self::CannotRead,
        Self::Stopped,
        Self::StoppedHere,
        Self::NoWebhook,
        Self::Internal,
    ];

    /// A name that does not change, for logs, metrics and the journal.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ModelUnreachable => "model_unreachable",
            Self::ModelBusy => "model_busy",
            Self::ModelSilent => "model_silent",
            Self::ModelMisconfigured => "model_misconfigured",
            Self::ModelRefused => "model_refused",
            Self::ModelEmpty => "model_empty",
            Self::AnswerCut => "answer_cut",
            Self::AnswerShortened => "answer_shortened",
            Self::AnswerAttached => "answer_attached",
            Self::AnswerLooped => "answer_looped",
            Self::NoSuchTool => "no_such_tool",
            Self::ActionFailed => "action_failed",
            Self::ActionDenied => "action_denied",
            Self::OverBudget => "over_budget",
            Self::AnswerBlocked => "answer_blocked",
            Self::QuestionLost => "question_lost",
            Self::TooLate => "too_late",
            Self::ActionUnknown => "action_unknown",
            Self::Restarting => "restarting",
            Self::QuestionTooLarge => "question_too_large",
            Self::SlowDown { .. } => "slow_down",
            Self::TooManyWaiting => "too_many_waiting",
            Self::WrongPlace => "wrong_place",
            Self::CannotRead => "cannot_read",
            Self::Stopped => "stopped",
            Self::StoppedHere => "stopped_here",
            Self::NoWebhook => "no_webhook",
            Self::Internal => "internal",
        }
    }

    /// The notice with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|notice| notice.name() == name)
    }

    /// Its name with what belongs to it, as a row has it.
    pub fn stored(self) -> String {
        match self {
            Self::SlowDown { seconds } if seconds > 0 => format!("{}:{seconds}", self.name()),
            _ => self.name().to_owned(),
        }
    }

    /// The notice that was [stored](Self::stored) so.
    pub fn read(stored: &str) -> Option<Self> {
        let (name, argument) = stored.split_once(':').unwrap_or((stored, "0"));
        match Self::from_name(name)? {
            Self::SlowDown { .. } => Some(Self::SlowDown {
                seconds: argument.parse().ok()?,
            }),
            other => Some(other),
        }
    }

    /// What the user reads, with what belongs to it.
    pub fn shown(self) -> Cow<'static, str> {
        match self {
            Self::SlowDown { seconds } if seconds > 0 => {
                Cow::Owned(format!("Slow down — try again in {seconds} s."))
            }
            _ => Cow::Borrowed(self.text()),
        }
    }

    /// What the user reads, without numbers.
    pub const fn text(self) -> &'static str {
        match self {
            Self::ModelUnreachable => {
                "I can't reach my model right now. Please try again in a moment."
            }
            Self::ModelBusy => "My model is busy right now. Please try again in a minute.",
            Self::ModelSilent => "My model went quiet, so I stopped waiting. Please try again.",
            Self::ModelMisconfigured => {
                "My model won't take my request. Whoever runs me can see why with `kaiwa doctor`."
            }
            Self::ModelRefused => "I can't help with that one.",
            Self::ModelEmpty => "I have no answer to that. Could you put it another way?",
            Self::AnswerCut => "*(my answer broke off here)*",
            Self::AnswerShortened => "*(shortened: this was getting too long)*",
            Self::AnswerAttached => "*(this was getting too long: the rest is in the file)*",
            Self::AnswerLooped => "*(I was going in circles, so I stopped)*",
            Self::NoSuchTool => "I wanted to use a tool that isn't connected here.",
            Self::ActionFailed => "I tried, but that didn't work.",
            Self::ActionDenied => "I'm not allowed to do that here.",
            Self::OverBudget => "That's all I may spend here for today. Please try again tomorrow.",
            Self::AnswerBlocked => "*(Discord wouldn't take the rest of my answer)*",
            Self::QuestionLost => {
                "I was restarted and can't read this question any more. Please ask again."
            }
            Self::TooLate => {
                "I couldn't answer this in time. Please ask again if it still matters."
            }
            Self::ActionUnknown => {
                "I was interrupted while doing that, and can't tell whether it happened. Please check."
            }
            Self::Restarting => "*(I'm being restarted and will go on in a moment)*",
            Self::QuestionTooLarge => {
                "That question, with what was said before it, is larger than what may be spent here in a day."
            }
            Self::SlowDown { .. } => "Slow down — try again in a moment.",
            Self::TooManyWaiting => {
                "There are too many questions waiting for me. Please ask again in a moment."
            }
            Self::WrongPlace => {
                "I can't talk here. Try a text channel, a thread or a direct message."
            }
            Self::CannotRead => {
                "I can't see what you wrote: here I only get to read messages that mention me."
            }
            Self::Stopped => "Okay, I'll stop here.",
            Self::StoppedHere => "*(stopped here)*",
            Self::NoWebhook => {
                "I may not use webhooks in this channel, so I speak for my personas myself. Somebody who manages the server can allow me \"Manage Webhooks\", or delete a webhook if the channel has 15."
            }
            Self::Internal => "Something went wrong on my side. Please try again.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for notice in Notice::ALL {
            assert_eq!(Notice::from_name(notice.name()), Some(notice));
            assert_eq!(Notice::read(&notice.stored()), Some(notice));
        }
        let slow = Notice::SlowDown { seconds: 12 };
        assert_eq!(Notice::read(&slow.stored()), Some(slow));
        assert_eq!(slow.shown(), "Slow down — try again in 12 s.");
        assert_eq!(Notice::from_name("?"), None);
    }
}
