//! The calls of one answer: which run now, which run later, and which go back.

use kaiwa_domain::{Line, Tool, ToolCall, ToolError, ToolResult, When};

use super::untrusted::quoted;
use super::{Act, Conversation, Outcome, Stage, prompt, schema};

/// The longest name of an unknown tool that is repeated, in characters.
const NAME_CHARS: usize = 64;

/// The calls of one answer.
#[derive(Clone, Debug, Default)]
pub(super) struct CallPlan {
    /// Every call, as the model made it, each with an id of its own.
    pub(super) calls: Vec<ToolCall>,
    /// Those to run while the model waits.
    pub(super) now: Vec<ToolCall>,
    /// Those to run after the reply.
    pub(super) later: Vec<ToolCall>,
    /// What is answered without running anything, by call.
    pub(super) answered: Vec<ToolResult>,
    /// Whether the model has to ask in another way.
    pub(super) wrong: bool,
    /// Whether there were more calls than may run.
    pub(super) too_many: bool,
}

impl CallPlan {
    /// Sorts `calls`, of which `left` may run. `named` is how many calls there
    /// were before, so that no id comes twice.
    pub(super) fn sort(
        calls: Vec<ToolCall>,
        tools: &[Tool],
        limit: usize,
        left: usize,
        named: usize,
    ) -> Self {
        let mut plan = Self::default();
        let mut left = left;
        for (at, mut call) in calls.into_iter().enumerate() {
            let taken = plan.calls.iter().any(|other| other.id == call.id);
            if call.id.trim().is_empty() || taken {
                call.id = format!("call_{}", named + at);
            }
            plan.calls.push(call.clone());
            let tool = tools.iter().find(|tool| *tool.name == *call.name);
            let checked = match tool {
                Some(tool) => schema::check(&tool.schema, &call.arguments)
                    .map(|arguments| (tool, arguments))
                    .map_err(|problem| {
                        let problem = format!("{problem}. The schema is {}", tool.schema);
                        ToolError::BadArguments { problem }.to_string()
                    }),
                None => Err(unknown(&call.name, tools)),
            };
            match checked {
                Err(problem) => {
                    plan.wrong = true;
                    let text = quoted(&call.name, &problem, true);
                    plan.answered.push(result(&call, text, true));
                }
                Ok(_) if left == 0 => {
                    plan.too_many = true;
                    let text = prompt::too_many(limit);
                    plan.answered.push(result(&call, text, true));
                }
                Ok((tool, arguments)) => {
                    left -= 1;
                    call.arguments = arguments;
                    match tool.when {
                        When::InLoop => plan.now.push(call),
                        When::AfterReply => {
                            let text = prompt::kept(&call);
                            plan.answered.push(result(&call, text, false));
                            plan.later.push(call);
                        }
                    }
                }
            }
        }
        plan
    }
}

impl Conversation {
    /// The calls of the answer, sorted.
    pub(super) fn call_plan(&mut self) -> CallPlan {
        let calls = std::mem::take(&mut self.reply.calls);
        let left = self.limits.calls - self.calls;
        let named = self.after.len();
        CallPlan::sort(calls, &self.brief.tools, self.limits.calls, left, named)
    }

    /// Keeps the actions among the calls, each once.
    pub(super) fn keep(&mut self, plan: &CallPlan) {
        for call in &plan.later {
            let known = self
                .actions
                .iter()
                .any(|action| action.name == call.name && action.arguments == call.arguments);
            if !known {
                self.calls += 1;
                self.acts.push_back(Act::Keep(call.clone()));
                self.actions.push(call.clone());
            }
        }
    }

    /// Keeps the actions of an answer that ends before its end.
    pub(super) fn keep_the_rest(&mut self) {
        if matches!(self.stage, Stage::Answering | Stage::Preparing) {
            let plan = self.call_plan();
            self.keep(&plan);
        }
    }

    /// Runs what the model waits for.
    pub(super) fn look(&mut self, plan: CallPlan, preparing: bool) {
        self.keep(&plan);
        self.calls += plan.now.len();
        self.rounds += 1;
        self.once.corrected |= plan.wrong;
        if plan.too_many {
            self.rounds = self.limits.rounds;
        }
        self.after.push(Line::Assistant {
            text: self.said.clone(),
            thoughts: std::mem::take(&mut self.reply.thoughts),
            calls: plan.calls.clone(),
        });
        self.pause();
        let now = plan.now.clone();
        self.running = plan;
        self.stage = Stage::Looking { preparing };
        match now.is_empty() {
            true => self.looked(&[], preparing),
            false => self.acts.push_back(Act::Run(now)),
        }
    }

    /// The tools have returned.
    pub(super) fn looked(&mut self, outcomes: &[Outcome], preparing: bool) {
        let plan = std::mem::take(&mut self.running);
        for call in &plan.calls {
            let mut answered = plan.answered.iter();
            let result = match answered.find(|result| result.call == call.id) {
                Some(result) => result.clone(),
                None => answer(call, &outcome_of(call, outcomes)),
            };
            self.failures = match result.failed {
                true => self.failures + 1,
                false => 0,
            };
            self.after.push(Line::Tool(result));
        }
        if self.failures >= self.limits.failures {
            self.rounds = self.limits.rounds;
        }
        if !preparing {
            self.ask_as(self.role);
        } else if self.rounds < self.limits.rounds {
            self.prepare();
        } else {
            self.take_over();
        }
    }
}

/// What became of `call`.
fn outcome_of(call: &ToolCall, outcomes: &[Outcome]) -> Result<String, ToolError> {
    let outcome = outcomes.iter().find(|outcome| outcome.call == call.id);
    match outcome {
        Some(outcome) => outcome.result.clone(),
        None => Err(ToolError::Failed {
            reason: "it did not return".to_owned(),
        }),
    }
}

/// What the model is told about a call that ran, or could not.
fn answer(call: &ToolCall, outcome: &Result<String, ToolError>) -> ToolResult {
    let text = match outcome {
        Ok(text) => quoted(&call.name, text, false),
        Err(error) => quoted(&call.name, &error.to_string(), true),
    };
    result(call, text, outcome.is_err())
}

fn unknown(name: &str, tools: &[Tool]) -> String {
    let name = name.chars().take(NAME_CHARS).collect();
    let known: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    format!(
        "{}; there are {}",
        ToolError::Unknown { name },
        known.join(", ")
    )
}

fn result(call: &ToolCall, text: String, failed: bool) -> ToolResult {
    ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        text,
        failed,
    }
}
