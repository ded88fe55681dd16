//! What does the model's talk mean?
//!
//! ```text
//!             ┌ yes ▶ prepare ◀──┐
//! sort ───────┤          │   tools run
//! (only with  │          ▼      │
//! a reasoner) └ no ──▶ answer ◀─┘ ─▶ announce ─▶ act ─▶ end
//!                        │
//!                        └ censored ─▶ decline ─▶ end
//! ```
//!
//! [`Conversation`] is told what happens ([`News`]) and says what to do
//! ([`Act`]). It promises:
//!
//! 1. *It ends*, with a [`Conclusion`], within its [`Limits`], whatever happens
//!    in whatever order.
//! 2. *It says nothing twice*: an answer that broke off is asked for again only
//!    while nobody has seen it; after that it is continued, once.
//! 3. *No action is lost*: a call of a tool that acts is kept, wherever it was
//!    made, and runs once, after the text was posted.
//! 4. *What tools return is data*: bounded, labelled, and quoted so that it
//!    cannot pass for anything else.

mod words;
mod ask;
mod mend;
mod reply;
mod call_plan;
mod schema;
mod untrusted;
mod links;
mod splice;
mod repetition;
mod prompt;

use std::collections::VecDeque;

use kaiwa_domain::{Brief, Delta, Finish, Line, ModelError, Notice, Role, ToolCall};

use call_plan::CallPlan;
pub use links::LinkGuard;
use mend::Once;
use repetition::Repetition;
use reply::{Heard, Reply};
use splice::{Misfit, Splice};
pub use untrusted::RESULT_CHARS;
pub use words::{Act, Conclusion, Earlier, Limits, ModelAbilities, News, Outcome};

/// The longest line beside the answer, in bytes.
const LINE_BYTES: usize = 1200;

/// How much of the word that sorts a question is heard, in bytes.
const WORD_BYTES: usize = 64;

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The question is being sorted.
    Sorting,
    /// The chat model gathers what the reasoner needs.
    Preparing,
    /// The answer is being given.
    Answering,
    /// The line that goes with actions is being given.
    Announcing,
    /// The vendor would not have the question, and the chat model says no.
    Declining,
    /// Tools run, for the answer or for what prepares it.
    Looking { preparing: bool },
    /// Tools run after the reply.
    Acting,
    /// It is over.
    Over,
}

/// One answer, from the question to the conclusion.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// What the model is told, up to the question.
    brief: Brief,
    /// What came after the question: our calls and what the tools returned.
    after: Vec<Line>,
    company: ModelAbilities,
    limits: Limits,
    stage: Stage,
    /// Who gives the answer.
    role: Role,
    acts: VecDeque<Act>,
    /// The answer that is streaming in.
    reply: Reply,
    /// The text since the last pause.
    said: String,
    /// Whether any message was shown since the last pause.
    shown: bool,
    /// Whether any words were said.
    spoken: bool,
    /// Whether any were said before the last pause.
    spoken_before: bool,
    bytes: usize,
    messages: u32,
    repetition: Repetition,
    /// Joins the rest of an answer that broke off.
    splice: Option<Splice>,
    /// Whether an answer that broke off has not gone on.
    lacks_rest: bool,
    rounds: u32,
    calls: usize,
    failures: u32,
    once: Once,
    /// The calls that the model waits for.
    running: CallPlan,
    /// What runs after the reply.
    actions: Vec<ToolCall>,
    /// How it ends once the actions have run.
    conclusion: Conclusion,
}

impl Conversation {
    /// A conversation about the last line of `brief`, with its tools.
    pub fn new(brief: Brief, company: ModelAbilities, limits: Limits) -> Self {
        let mut conversation = Self::silent(brief, company, limits);
        conversation.begin();
        conversation
    }

    /// Goes on with an answer that an earlier process began. If there is
    /// nothing more to say, that was the whole answer.
    pub fn resumed(
        brief: Brief,
        company: ModelAbilities,
        limits: Limits,
        earlier: Earlier,
    ) -> Self {
        let mut conversation = Self::silent(brief, company, limits);
        conversation.calls = earlier.actions.len().min(limits.calls);
        conversation.actions = earlier.actions;
        conversation.messages = earlier.messages;
        let mut text = earlier.text;
        if text.trim().is_empty() {
            conversation.begin();
            return conversation;
        }
        text.truncate(text.floor_char_boundary(limits.bytes));
        conversation.bytes = text.len();
        conversation.said = text;
        conversation.shown = true;
        conversation.spoken = true;
        conversation.spoken_before = true;
        conversation.resume();
        conversation
    }

    /// A conversation in which nobody was asked yet.
    fn silent(brief: Brief, company: ModelAbilities, limits: Limits) -> Self {
        Self {
            brief,
            after: Vec::new(),
            company,
            limits,
            stage: Stage::Answering,
            role: Role::Chat,
            acts: VecDeque::new(),
            reply: Reply::default(),
            said: String::new(),
            shown: false,
            spoken: false,
            spoken_before: false,
            bytes: 0,
            messages: 0,
            repetition: Repetition::default(),
            splice: None,
            lacks_rest: false,
            rounds: 0,
            calls: 0,
            failures: 0,
            once: Once::default(),
            running: CallPlan::default(),
            actions: Vec::new(),
            conclusion: Conclusion::DONE,
        }
    }

    /// What to do next; `None` while there is nothing to do but wait.
    pub fn next_act(&mut self) -> Option<Act> {
        self.acts.pop_front()
    }

    /// Whether one more message may be shown.
    pub const fn has_room(&self) -> bool {
        self.messages < self.limits.messages
    }

    /// Takes what has happened. What makes no sense now is ignored.
    pub fn tell(&mut self, news: News) {
        match (news, self.stage) {
            (News::Shown, _) => {
                self.messages += 1;
                self.shown = true;
            }
            (_, Stage::Over) => {}
            (News::Ran(outcomes), Stage::Looking { preparing }) => {
                self.looked(&outcomes, preparing);
            }
            (News::Ran(outcomes), Stage::Acting) => self.acted(&outcomes),
            (News::Ran(_), _) | (_, Stage::Acting) => {}
            (News::TimeUp, _) => self.end(Conclusion::failed(match self.spoken {
                true => Notice::AnswerCut,
                false => Notice::ModelSilent,
            })),
            (News::Enough, Stage::Answering) => self.conclude(Conclusion::DONE),
            (News::Enough, Stage::Announcing | Stage::Declining) => self.line_is_over(),
            (News::Enough, _) => {}
            (News::Heard(Ok(delta)), _) => self.hear(delta),
            (News::Heard(Err(error)), _) => self.fail(&error),
            (News::HungUp, _) => self.fail(&ModelError::Cut {
                reason: "it stopped without an end".to_owned(),
            }),
        }
    }

    fn hear(&mut self, delta: Delta) {
        let heard = self.reply.hear(delta);
        match (self.stage, heard) {
            (Stage::Looking { .. } | Stage::Acting | Stage::Over, _) | (_, Heard::Nothing) => {}
            (Stage::Sorting, Heard::Text(text)) => {
                self.said.push_str(&text);
                if self.said.len() > WORD_BYTES {
                    self.sorted();
                }
            }
            (Stage::Sorting, _) => self.sorted(),
            (Stage::Preparing, Heard::Text(_)) => {}
            (Stage::Preparing, Heard::Over(_) | Heard::Endless) => self.prepared(),
            (_, Heard::Text(text)) => self.say(&text),
            (Stage::Answering, Heard::Over(finish)) => self.settle(finish),
            (Stage::Answering, Heard::Endless) => {
                self.conclude(Conclusion::failed(match self.spoken {
                    true => Notice::AnswerShortened,
                    false => Notice::ModelEmpty,
                }));
            }
            (Stage::Announcing | Stage::Declining, _) => self.line_is_over(),
        }
    }

    /// Says a piece of text, as far as it is new.
    fn say(&mut self, text: &str) {
        let new = match &mut self.splice {
            Some(splice) => splice.push(text),
            None => Ok(text.to_owned()),
        };
        match new {
            Ok(new) => self.utter(new),
            Err(Misfit) => self.conclude(Conclusion::failed(Notice::AnswerCut)),
        }
    }

    /// What was held back of a continued text is new after all.
    fn join(&mut self) {
        if let Some(mut splice) = self.splice.take() {
            self.utter(splice.finish());
        }
    }

    /// Says text, as far as it is not too much.
    fn utter(&mut self, mut text: String) {
        let mut room = self.limits.bytes - self.bytes;
        if self.stage != Stage::Answering {
            room = room.min(LINE_BYTES.saturating_sub(self.said.len()));
        }
        let too_long = text.len() > room;
        if too_long {
            text.truncate(text.floor_char_boundary(room));
        }
        let circles = self.repetition.push(&text);
        if !text.is_empty() {
            self.lacks_rest = false;
            self.bytes += text.len();
            self.spoken |= !text.trim().is_empty();
            self.said.push_str(&text);
            self.acts.push_back(Act::Say(text));
        }
        match self.stage {
            _ if circles => self.go_in_circles(),
            Stage::Answering if too_long => {
                self.conclude(Conclusion::failed(Notice::AnswerShortened));
            }
            _ if too_long => self.line_is_over(),
            _ => {}
        }
    }

    /// Whether no words were said since the last pause.
    fn is_blank(&self) -> bool {
        self.said.trim().is_empty()
    }

    /// The answer is over.
    fn settle(&mut self, finish: Finish) {
        self.join();
        if self.stage != Stage::Answering {
            return;
        }
        let plan = self.call_plan();
        let useful = plan.wrong && !self.once.corrected;
        let tools = self.tools_are_on();
        if tools && (useful || !plan.now.is_empty()) {
            return self.look(plan, false);
        }
        self.keep(&plan);
        let idle = self.is_blank() && self.actions.is_empty();
        match finish {
            Finish::Refused if idle => self.decline(),
            _ if idle && tools && !plan.calls.is_empty() => {
                // It only asks in vain: it has to answer without tools.
                self.rounds = self.limits.rounds;
                self.look(plan, false);
            }
            _ if idle => self.nudge(finish, plan.wrong),
            _ if self.lacks_rest || finish == Finish::Length && !self.is_blank() => {
                self.conclude(Conclusion::failed(Notice::AnswerCut));
            }
            _ => self.conclude(Conclusion::DONE),
        }
    }

    /// The answer is given. Actions get their line, if they have none.
    fn conclude(&mut self, conclusion: Conclusion) {
        self.keep_the_rest();
        if self.actions.is_empty() || self.spoken {
            return self.end(conclusion);
        }
        self.conclusion = conclusion;
        self.announce();
    }

    /// Nothing more is said: acts, then ends.
    fn end(&mut self, conclusion: Conclusion) {
        self.keep_the_rest();
        self.pause();
        self.conclusion = conclusion;
        if self.actions.is_empty() {
            self.stage = Stage::Over;
            self.acts.push_back(Act::End(conclusion));
        } else {
            self.stage = Stage::Acting;
            self.acts
                .push_back(Act::Perform(std::mem::take(&mut self.actions)));
        }
    }

    fn acted(&mut self, outcomes: &[Outcome]) {
        let mut results = outcomes.iter().map(|outcome| &outcome.result);
        let failure = results.find_map(|result| result.as_ref().err());
        if self.conclusion == Conclusion::DONE
            && let Some(error) = failure
        {
            self.conclusion = Conclusion::failed(match error {
                error if error.is_denial() => Notice::ActionDenied,
                _ => Notice::ActionFailed,
            });
        }
        self.stage = Stage::Over;
        self.acts.push_back(Act::End(self.conclusion));
    }

    /// The text so far is a whole.
    fn pause(&mut self) {
        if self.bytes > 0 {
            self.acts.push_back(Act::Pause);
        }
        self.said.clear();
        self.shown = false;
        self.spoken_before = self.spoken;
        self.splice = None;
        self.lacks_rest = false;
        self.repetition.clear();
    }
}

#[cfg(test)]
mod tests;
