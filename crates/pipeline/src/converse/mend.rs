//! What is done when an answer breaks off, is empty or goes in circles.

use kaiwa_domain::{Finish, Line, ModelError, Notice, Role, Thinking};

use super::splice::Splice;
use super::{Act, Conclusion, Conversation, Stage, prompt};

/// How much of the end of a text the model is reminded of, in characters.
const TAIL_CHARS: usize = 80;

/// What is done once, and whether it was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Once {
    /// The model was told what was wrong with a call.
    pub(super) corrected: bool,
    /// The same was asked again.
    asked_again: bool,
    /// An empty answer was asked for again.
    nudged: bool,
    /// The rest of an answer was asked for.
    continued: bool,
}

impl Conversation {
    /// The model that was asked failed.
    pub(super) fn fail(&mut self, error: &ModelError) {
        let asks_for_tools = !self.reply.calls.is_empty();
        match self.stage {
            Stage::Sorting => self.sorted(),
            // It has said what it wants; only the end is missing.
            Stage::Preparing if asks_for_tools => self.prepared(),
            Stage::Answering if asks_for_tools => self.settle(Finish::Tool),
            Stage::Preparing => self.take_over(),
            Stage::Announcing | Stage::Declining => self.line_is_over(),
            Stage::Answering => {
                self.join();
                if self.stage != Stage::Answering {
                    return;
                }
                match self.shown {
                    true => self.break_off(error),
                    false => self.fail_unseen(error),
                }
            }
            Stage::Looking { .. } | Stage::Acting | Stage::Over => {}
        }
    }

    /// Part of the answer was shown, so it cannot begin anew.
    fn break_off(&mut self, error: &ModelError) {
        let hopeless = matches!(
            error,
            ModelError::Censored { .. }
                | ModelError::OverBudget { .. }
                | ModelError::LargerThanBudget { .. }
        );
        if hopeless || self.once.continued {
            return self.end(Conclusion::failed(Notice::AnswerCut));
        }
        self.once.continued = true;
        self.lacks_rest = true;
        self.go_on();
    }

    /// Asks for the rest of what was said.
    pub(super) fn go_on(&mut self) {
        let from = self.said.char_indices().rev().nth(TAIL_CHARS - 1);
        let tail = prompt::go_on(&self.said[from.map_or(0, |(at, _)| at)..]);
        let mut brief = self.briefed();
        brief.lines.push(Line::assistant(self.said.clone()));
        brief.lines.push(Line::user(tail));
        self.splice = Some(Splice::after(self.said.clone()));
        self.send(self.role, brief, None);
    }

    /// Nobody has seen anything of the answer. What failed before its first
    /// word was tried by every means already, by the model itself.
    fn fail_unseen(&mut self, error: &ModelError) {
        match error {
            ModelError::Censored { .. } => self.decline(),
            ModelError::OverBudget { .. } => self.end(Conclusion::failed(error.notice())),
            _ if !self.is_blank() && !self.once.asked_again => self.ask_again(),
            _ if self.role == Role::Vision => self.look_away(),
            _ if self.role == Role::Reasoner => {
                self.forget();
                self.ask_as(Role::Chat);
            }
            _ if self.spoken => self.end(Conclusion::failed(Notice::AnswerCut)),
            // "Broke off here" makes no sense where nothing was said.
            ModelError::Cut { .. } => self.end(Conclusion::failed(Notice::ModelUnreachable)),
            _ => self.end(Conclusion::failed(error.notice())),
        }
    }

    /// Asks the same again, of which nobody has seen anything.
    fn ask_again(&mut self) {
        self.once.asked_again = true;
        self.forget();
        self.ask(None);
    }

    /// The text repeats itself without end.
    pub(super) fn go_in_circles(&mut self) {
        match self.stage {
            Stage::Answering if !self.shown && !self.once.asked_again => self.ask_again(),
            Stage::Answering => self.conclude(Conclusion::failed(Notice::AnswerLooped)),
            _ => self.line_is_over(),
        }
    }

    /// The answer was empty: asks once more, then apologises.
    pub(super) fn nudge(&mut self, finish: Finish, wanted_tool: bool) {
        if self.once.nudged {
            let notice = match wanted_tool {
                true => Notice::NoSuchTool,
                false => Notice::ModelEmpty,
            };
            return self.end(Conclusion::failed(notice));
        }
        self.once.nudged = true;
        if finish == Finish::Length {
            // It spent its tokens on thoughts.
            self.brief.manner.thinking = Some(Thinking::Off);
        }
        self.forget();
        self.ask(Some(prompt::SAY_SOMETHING));
    }

    /// Forgets the text since the last pause, if nobody has seen it.
    pub(super) fn forget(&mut self) {
        if self.shown {
            self.pause();
        } else if !self.said.is_empty() {
            self.bytes -= self.said.len();
            self.said.clear();
            self.spoken = self.spoken_before;
            self.acts.push_back(Act::Unsay);
        }
        self.repetition.clear();
        self.splice = None;
        self.lacks_rest = false;
    }
}
