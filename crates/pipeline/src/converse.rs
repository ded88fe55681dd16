//! What does the model's talk mean?
//!
//! [`Conversation`] takes the deltas of one streamed completion and says what
//! to do with each. It never ends without a verdict: an empty answer, a cut one
//! and an endless one each have their ending.

use kaiwa_domain::{Delta, Ending, Finish, ModelError, Notice};

/// The most text one answer may have, in bytes. A model that says more than
/// this is stuck.
pub const ANSWER_BYTES: usize = 32 * 1024;

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Show this text.
    Say(String),
    /// Nothing to show.
    Listen,
    /// The answer is over.
    End(Verdict),
}

/// How the conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// What goes into the journal.
    pub ending: Ending,
    /// What the user is told beside the answer.
    pub notice: Option<Notice>,
}

impl Verdict {
    /// The whole answer was given.
    pub const DONE: Self = Self {
        ending: Ending::Done,
        notice: None,
    };

    const fn failed(notice: Notice) -> Self {
        Self {
            ending: Ending::Failed(notice),
            notice: Some(notice),
        }
    }
}

/// One streamed completion, as seen so far.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// Bytes of text shown.
    shown: usize,
    /// Whether anything but white space was shown.
    spoken: bool,
    /// Whether the model asked for a tool.
    asked_for_tool: bool,
}

impl Conversation {
    /// A conversation in which nothing was said.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what arrived next. After [`Step::End`] nothing more is expected.
    pub fn hear(&mut self, arrived: Result<Delta, ModelError>) -> Step {
        match arrived {
            Ok(Delta::Text(text) | Delta::Refusal(text)) => self.say(text),
            Ok(
                Delta::Thought(_)
                | Delta::Signature(_)
                | Delta::ToolPiece(_)
                | Delta::Usage(_)
                | Delta::Heartbeat
                | Delta::Anew
                | Delta::Spent(_),
            ) => Step::Listen,
            Ok(Delta::ToolCall(_)) => {
                self.asked_for_tool = true;
                Step::Listen
            }
            Ok(Delta::Finish { finish, .. }) => Step::End(self.finish(finish)),
            Err(error) => Step::End(self.fail(&error)),
        }
    }

    /// The stream ended without saying so.
    pub const fn hang_up(&self) -> Verdict {
        if self.spoken {
            Verdict::failed(Notice::AnswerCut)
        } else {
            Verdict::failed(Notice::ModelEmpty)
        }
    }

    fn say(&mut self, text: String) -> Step {
        if self.shown + text.len() > ANSWER_BYTES {
            return Step::End(Verdict::failed(Notice::AnswerCut));
        }
        self.shown += text.len();
        self.spoken |= !text.trim().is_empty();
        Step::Say(text)
    }

    const fn finish(&self, finish: Finish) -> Verdict {
        match finish {
            Finish::Refused if !self.spoken => Verdict::failed(Notice::ModelRefused),
            _ if self.asked_for_tool => Verdict::failed(Notice::NoSuchTool),
            Finish::Length if self.spoken => Verdict::failed(Notice::AnswerCut),
            _ if !self.spoken => Verdict::failed(Notice::ModelEmpty),
            _ => Verdict::DONE,
        }
    }

    const fn fail(&self, error: &ModelError) -> Verdict {
        if self.spoken {
            Verdict::failed(Notice::AnswerCut)
        } else {
            match error {
                // "Broke off here" makes no sense where nothing was said.
                ModelError::Cut { .. } => Verdict::failed(Notice::ModelUnreachable),
                _ => Verdict::failed(error.notice()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{Thought, ThoughtKind, ToolCall};
    use std::time::Duration;

    fn text(text: &str) -> Result<Delta, ModelError> {
        Ok(Delta::Text(text.into()))
    }

    fn finish(finish: Finish) -> Result<Delta, ModelError> {
        Ok(Delta::Finish {
            finish,
            word: String::new(),
        })
    }

    fn tool() -> Result<Delta, ModelError> {
        Ok(Delta::ToolCall(ToolCall {
            id: "1".into(),
            name: "search".into(),
            arguments: "{}".into(),
            signature: None,
        }))
    }

    /// `arrived` shows `said` and ends with `notice`, or well if there is none.
    fn check(
        arrived: impl IntoIterator<Item = Result<Delta, ModelError>>,
        said: &str,
        notice: Option<Notice>,
    ) {
        let mut conversation = Conversation::new();
        let mut shown = String::new();
        let mut verdict = None;
        for delta in arrived {
            assert_eq!(verdict, None, "went on after the end");
            match conversation.hear(delta) {
                Step::Say(text) => shown.push_str(&text),
                Step::Listen => {}
                Step::End(end) => verdict = Some(end),
            }
        }
        let verdict = verdict.unwrap_or_else(|| conversation.hang_up());
        assert_eq!(shown, said);
        assert_eq!(verdict, notice.map_or(Verdict::DONE, Verdict::failed));
    }

    #[test]
    fn endings() {
        use Finish::{Length, Refused, Stop, Tool};
        let silent = || {
            Err(ModelError::Silent {
                waited: Duration::from_secs(20),
            })
        };
        let cut = || {
            Err(ModelError::Cut {
                reason: "eof".into(),
            })
        };
        let thought = Ok(Delta::Thought(Thought {
            kind: ThoughtKind::Raw,
            text: "hm".into(),
        }));

        check([text("a"), text("b"), finish(Stop)], "ab", None);
        check([thought, text("a"), finish(Stop)], "a", None);
        check([text("a"), finish(Refused)], "a", None);
        check([Ok(Delta::Refusal("no".into())), finish(Stop)], "no", None);

        check([finish(Stop)], "", Some(Notice::ModelEmpty));
        check([text(" \n"), finish(Stop)], " \n", Some(Notice::ModelEmpty));
        check([finish(Refused)], "", Some(Notice::ModelRefused));
        check([text("a"), finish(Length)], "a", Some(Notice::AnswerCut));
        check([tool(), finish(Tool)], "", Some(Notice::NoSuchTool));
        check(
            [text("a"), tool(), finish(Tool)],
            "a",
            Some(Notice::NoSuchTool),
        );

        check([silent()], "", Some(Notice::ModelSilent));
        check([text("a"), silent()], "a", Some(Notice::AnswerCut));
        check([cut()], "", Some(Notice::ModelUnreachable));
        check([text("a"), cut()], "a", Some(Notice::AnswerCut));
        check([], "", Some(Notice::ModelEmpty));
        check([text("a")], "a", Some(Notice::AnswerCut));
    }

    #[test]
    fn an_endless_answer_ends() {
        let piece = "x".repeat(ANSWER_BYTES / 4);
        let mut deltas: Vec<_> = (0..5).map(|_| text(&piece)).collect();
        deltas.truncate(5);
        check(deltas, &piece.repeat(4), Some(Notice::AnswerCut));
    }
}
