//! `poll`: asks everybody.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{ChatFeatures, NewPoll, Pending};
use kaiwa_domain::{Rights, Settlement, ToolError, When};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{failed, nonce};
use crate::duration::SpokenDuration;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

const NEEDS: Rights = Rights::VIEW_CHANNEL
    .with(Rights::SEND_MESSAGES)
    .with(Rights::SEND_POLLS);

/// Discord's limits, see
/// [Poll Create Request](https://docs.discord.com/developers/resources/poll#poll-create-request-object).
const QUESTION_CHARS: usize = 300;
const ANSWER_CHARS: usize = 55;
const ANSWERS: usize = 10;
const LONGEST: Duration = Duration::from_secs(32 * 24 * 3600);
const DEFAULT: Duration = Duration::from_secs(24 * 3600);

/// Holds polls.
pub struct HoldPoll {
    features: Arc<dyn ChatFeatures>,
}

impl HoldPoll {
    /// Through `features`.
    pub const fn new(features: Arc<dyn ChatFeatures>) -> Self {
        Self { features }
    }
}

/// What is asked.
#[derive(Deserialize, JsonSchema)]
pub struct PollArguments {
    /// The question.
    #[schemars(length(max = 300))]
    question: String,
    /// Two to ten answers, with commas or new lines between.
    #[schemars(length(max = 600))]
    answers: String,
    /// How long it runs, like 12h or 3d: up to 32 days, a day if absent.
    #[serde(default)]
    #[schemars(with = "Option<String>", length(max = 64))]
    runs: Option<SpokenDuration>,
    /// Whether people may choose several answers.
    #[serde(default)]
    multiple: bool,
}

impl Action for HoldPoll {
    type Arguments = PollArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::private("poll")),
            asker_needs: NEEDS,
            bot_needs: NEEDS,
            class: EffectClass::Speaks,
            when: When::AfterReply,
            settlement: Settlement::AtMostOnce,
            timeout: Duration::from_secs(30),
            ..Declaration::reading("poll", "Holds a poll in this channel.")
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: PollArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let poll = poll(&arguments).map_err(|problem| ToolError::BadArguments {
                problem: problem.to_owned(),
            })?;
            let nonce = nonce(turn, &poll.question);
            let posted = self.features.post_poll(turn.channel, &nonce, &poll).await;
            posted.map_err(|error| failed(&error))?;
            Ok(Done::new("the poll is up").showing(Phrase::new("poll-done")))
        })
    }
}

fn poll(arguments: &PollArguments) -> Result<NewPoll, &'static str> {
    let question = arguments.question.trim().to_owned();
    if !(1..=QUESTION_CHARS).contains(&question.chars().count()) {
        return Err("question: write 1 to 300 characters");
    }
    // Who needs a comma in an answer writes a line for each.
    let separators: &[char] = match arguments.answers.contains('\n') {
        true => &['\n'],
        false => &[',', '、', '|'],
    };
    let answers: Vec<String> = arguments
        .answers
        .split(separators)
        .map(|answer| answer.trim().to_owned())
        .filter(|answer| !answer.is_empty())
        .collect();
    if !(2..=ANSWERS).contains(&answers.len()) {
        return Err("answers: give 2 to 10, with commas between");
    }
    if answers.iter().any(|it| it.chars().count() > ANSWER_CHARS) {
        return Err("answers: each has 55 characters at most");
    }
    let runs = arguments.runs.map_or(DEFAULT, |runs| runs.0);
    if runs > LONGEST {
        return Err("runs: a poll runs for 32 days at most");
    }
    Ok(NewPoll {
        question,
        answers,
        runs,
        multiple: arguments.multiple,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poll_is_what_discord_takes() {
        for (json, expected) in [
            (r#"{"question": "Tea?", "answers": "yes, no"}"#, Ok((2, 24))),
            (
                r#"{"question": "Tea?", "answers": "yes, please\nno", "runs": "3d"}"#,
                Ok((2, 72)),
            ),
            (
                r#"{"question": " ", "answers": "yes, no"}"#,
                Err("question"),
            ),
            (r#"{"question": "Tea?", "answers": "yes,"}"#, Err("answers")),
            (
                r#"{"question": "Tea?", "answers": "1,2,3,4,5,6,7,8,9,10,11"}"#,
                Err("answers"),
            ),
            (
                r#"{"question": "Tea?", "answers": "yes, no", "runs": "5 weeks"}"#,
                Err("runs"),
            ),
        ] {
            let read = poll(&serde_json::from_str(json).unwrap());
            let read = read.map(|it| (it.answers.len(), it.runs.as_secs() / 3600));
            match expected {
                Ok(expected) => assert_eq!(read, Ok(expected), "{json}"),
                Err(names) => assert!(read.is_err_and(|it| it.starts_with(names)), "{json}"),
            }
        }
    }
}
