//! What a model would not take.
//!
//! Models differ in what they can be told, and nobody keeps a list. A request
//! is made in full; what the server says it does not support is left out from
//! then on, or put another way.
//!
//! Images and tool calls come from people. What is said of them may be true of
//! their question only, so it is remembered only where they asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kaiwa_domain::{Brief, Line, ModelError, Scope, ToolResult};

use crate::echo::without_echo;
use crate::{Effort, Endpoint, Format, sides};

mod roles;

/// What servers say of a parameter that they know well enough to refuse.
const REFUSALS: [&str; 17] = [
    "support",
    "unknown",
    "unrecognized",
    "unexpected",
    "extra inputs",
    "extra fields",
    "extra_forbidden",
    "not permitted",
    "not allowed",
    "not enabled",
    "not available",
    "deprecated",
    "cannot both",
    "only works",
    "must be verified",
    "multimodal model",
    "--jinja",
];

/// What servers say of too much of something that they do support.
const AMOUNTS: [&str; 6] = [
    "too many",
    "at most",
    "maximum",
    "exceed",
    "limit",
    "more than",
];

/// How many scopes are remembered.
const MAX_SCOPES: usize = 1024;

/// A part of a request that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Parameter {
    Temperature,
    TopP,
    Stop,
    StreamOptions,
    /// The limit goes by another name.
    LimitName,
    Limit,
    Summaries,
    Thinking,
    Tools,
    Images,
    /// A system text beside the conversation.
    SystemRole,
    /// Sides that do not take turns.
    Sides,
    /// The user's words right after a tool's result.
    UserAfterTool,
}

use Parameter::{
    Images, Limit, LimitName, Sides, Stop, StreamOptions, Summaries, SystemRole, Temperature,
    Thinking, Tools, TopP, UserAfterTool,
};

/// What servers call each, in lower case. Where two are named at the same
/// place, the first is meant.
const NAMES: [(Parameter, &[&str]); 10] = [
    (Temperature, &["temperature"]),
    (TopP, &["top_p", "topp"]),
    (Stop, &["stop", "stop_sequences", "stopsequences"]),
    (StreamOptions, &["stream_options", "include_usage"]),
    (LimitName, &["max_tokens", "max_completion_tokens"]),
    (
        Limit,
        &[
            "max_tokens",
            "max_completion_tokens",
            "max_output_tokens",
            "maxoutputtokens",
            "num_predict",
        ],
    ),
    (
        Summaries,
        &[
            "reasoning.summary",
            "reasoning summary",
            "reasoning summaries",
        ],
    ),
    (
        Thinking,
        &[
            "reasoning",
            "reasoning_effort",
            "effort",
            "thinking",
            "think",
            "thinkingconfig",
            "thinking_config",
            "thinkingbudget",
            "thinking_budget",
            "thinkinglevel",
            "thinking_level",
            "output_config",
            "encrypted_content",
            "encrypted content",
        ],
    ),
    (
        Tools,
        &[
            "tools",
            "tool use",
            "tool calling",
            "tool_choice",
            "functions",
            "function calling",
        ],
    ),
    (
        Images,
        &[
            "images",
            "image input",
            "image inputs",
            "image_url",
            "input_image",
            "inlinedata",
            "inline_data",
            "vision",
            "multimodal",
        ],
    ),
];

/// The parts of a request that come from people.
const PEOPLES: Parameters = Parameters(1 << Tools as u16 | 1 << Images as u16);

/// Some parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Parameters(u16);

impl Parameters {
    const fn has(self, parameter: Parameter) -> bool {
        self.0 & (1 << parameter as u16) != 0
    }

    const fn add(&mut self, parameter: Parameter) {
        self.0 |= 1 << parameter as u16;
    }

    /// Adds others.
    pub(crate) const fn extend(&mut self, others: Self) {
        self.0 |= others.0;
    }

    /// Adds the parameter of the request that a server says it does not
    /// support, if there is one. Tells it again if that holds for other
    /// questions too.
    pub(crate) fn learn(
        &mut self,
        endpoint: &Endpoint,
        brief: &Brief,
        error: &ModelError,
    ) -> Option<Self> {
        let message = match error {
            ModelError::Rejected { message, .. } => message,
            // What some local servers say of a model without eyes or hands.
            ModelError::Failed {
                status: 500 | 501,
                message,
            } => message,
            _ => return None,
        };
        let parameter = self.refused(endpoint, brief, message)?;
        tracing::info!(
            model = endpoint.model,
            ?parameter,
            "the model does not support it"
        );
        let mut lasting = Self::default();
        let own_words = without_echo(message, brief);
        let of_many = PEOPLES.has(parameter)
            && AMOUNTS
                .iter()
                .any(|words| own_words.to_ascii_lowercase().contains(words));
        if !of_many && self.refused(endpoint, brief, &own_words) == Some(parameter) {
            lasting.add(parameter);
        }
        self.add(parameter);
        Some(lasting)
    }

    /// The parameter of the request that is refused in these words.
    fn refused(self, endpoint: &Endpoint, brief: &Brief, message: &str) -> Option<Parameter> {
        let message = message.to_ascii_lowercase();
        let role = self.refused_role(endpoint, brief, &message);
        if role.is_some() {
            return role;
        }
        if !REFUSALS.iter().any(|words| message.contains(words)) {
            return None;
        }
        let sent = NAMES
            .iter()
            .filter(|(parameter, _)| !self.has(*parameter) && parameter.is_sent(endpoint, brief));
        let named = sent.filter_map(|(parameter, names)| {
            let place = names.iter().filter_map(|name| find(&message, name)).min()?;
            Some((place, *parameter))
        });
        named
            .min_by_key(|(place, _)| *place)
            .map(|(_, parameter)| parameter)
    }

    /// What is refused of who speaks when.
    fn refused_role(self, endpoint: &Endpoint, brief: &Brief, message: &str) -> Option<Parameter> {
        let mut put = None;
        roles::refused(message, |role| {
            // As it was put: what is left out changes who speaks.
            let (endpoint, brief) = put.get_or_insert_with(|| {
                let (mut endpoint, mut brief) = (endpoint.clone(), brief.clone());
                self.leave_out(&mut endpoint, &mut brief);
                (endpoint, brief)
            });
            !self.has(role) && role.is_said(endpoint, brief)
        })
    }

    /// Leaves them out of what is asked.
    pub(crate) fn leave_out(self, endpoint: &mut Endpoint, brief: &mut Brief) {
        let manner = &mut brief.manner;
        if self.has(Temperature) {
            manner.temperature = None;
        }
        if self.has(TopP) {
            manner.top_p = None;
        }
        if self.has(Stop) {
            manner.stop.clear();
        }
        if self.has(StreamOptions) {
            endpoint.quirks.stream_options = false;
        }
        if self.has(LimitName) {
            endpoint.quirks.max_completion_tokens ^= true;
        }
        if self.has(Limit) {
            manner.max_output_tokens = None;
        }
        if self.has(Summaries) {
            endpoint.quirks.summaries = false;
        }
        if self.has(Thinking) {
            manner.thinking = None;
            endpoint.abilities.thinking = false;
        }
        if self.has(Tools) {
            brief.tools.clear();
            brief.lines.iter_mut().for_each(without_tools);
        }
        if self.has(Images) {
            brief.lines.iter_mut().for_each(without_images);
        }
        let quirks = &mut endpoint.quirks;
        quirks.system_role &= !self.has(SystemRole);
        quirks.takes_turns |= self.has(Sides);
        quirks.answers_tools |= self.has(UserAfterTool);
    }
}

impl Parameter {
    /// Whether the conversation has what a server may refuse of who speaks when.
    fn is_said(self, endpoint: &Endpoint, brief: &Brief) -> bool {
        let lines = &brief.lines;
        let quirks = endpoint.quirks;
        // The others take turns by themselves.
        let is_chat = matches!(endpoint.format, Format::OpenAiChat | Format::OllamaChat);
        match self {
            SystemRole => !brief.system.is_empty() && quirks.system_role,
            Sides => is_chat && !quirks.takes_turns && !sides::alternate(lines),
            UserAfterTool => !quirks.answers_tools && sides::interrupt(lines),
            Tools => lines.iter().any(|line| matches!(line, Line::Tool(_))),
            _ => false,
        }
    }

    fn is_sent(self, endpoint: &Endpoint, brief: &Brief) -> bool {
        let manner = &brief.manner;
        match self {
            Temperature => manner.temperature.is_some(),
            TopP => manner.top_p.is_some(),
            Stop => !manner.stop.is_empty() && endpoint.format != Format::OpenAiResponses,
            StreamOptions => {
                endpoint.quirks.stream_options && endpoint.format == Format::OpenAiChat
            }
            LimitName => Limit.is_sent(endpoint, brief) && endpoint.format == Format::OpenAiChat,
            // One format insists on it.
            Limit => {
                endpoint.format != Format::AnthropicMessages && manner.max_output_tokens.is_some()
            }
            Summaries => {
                endpoint.format == Format::OpenAiResponses
                    && endpoint.quirks.summaries
                    && manner.thinking.is_some()
            }
            Thinking => match endpoint.format {
                Format::OpenAiChat => {
                    manner.thinking.is_some() && endpoint.quirks.effort != Effort::None
                }
                Format::OpenAiResponses => manner.thinking.is_some() || endpoint.abilities.thinking,
                _ => manner.thinking.is_some(),
            },
            Tools => {
                let calls = |line: &Line| matches!(line, Line::Assistant { calls, .. } if !calls.is_empty());
                !brief.tools.is_empty() || brief.lines.iter().any(calls)
            }
            Images => brief
                .lines
                .iter()
                .any(|line| matches!(line, Line::User { images, .. } if !images.is_empty())),
            // They have no name.
            SystemRole | Sides | UserAfterTool => false,
        }
    }
}

/// Where `name` stands as a word of its own.
fn find(message: &str, name: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    message
        .match_indices(name)
        .map(|(place, _)| place)
        .find(|place| {
            let before = message[..*place].chars().next_back();
            let after = message[place + name.len()..].chars().next();
            !is_part(before) && !is_part(after)
        })
}

/// What a tool found stays, as words.
fn without_tools(line: &mut Line) {
    match line {
        Line::User { .. } => {}
        Line::Assistant { calls, .. } => calls.clear(),
        Line::Tool(ToolResult { name, text, .. }) => {
            *line = Line::user(format!("(What {name} found: {text})"));
        }
    }
}

fn without_images(line: &mut Line) {
    if let Line::User { text, images } = line
        && !images.is_empty()
    {
        images.clear();
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(gap);
        text.push_str("(There is an image here that you cannot see.)");
    }
}

/// What one model does not support, as far as it is known. Shared by all
/// answers.
#[derive(Debug, Default)]
pub(crate) struct Unsupported {
    everywhere: AtomicU16,
    /// What comes from people, by where they asked.
    by_scope: Mutex<HashMap<Option<Scope>, Parameters>>,
}

impl Unsupported {
    /// What is known where a question is asked.
    pub(crate) fn known(&self, scope: Option<Scope>) -> Parameters {
        let mut known = Parameters(self.everywhere.load(Ordering::Relaxed));
        if let Some(here) = self.by_scope().get(&scope) {
            known.extend(*here);
        }
        known
    }

    pub(crate) fn remember(&self, parameters: Parameters, scope: Option<Scope>) {
        let ours = parameters.0 & !PEOPLES.0;
        self.everywhere.fetch_or(ours, Ordering::Relaxed);
        let peoples = Parameters(parameters.0 & PEOPLES.0);
        if peoples == Parameters::default() {
            return;
        }
        let mut by_scope = self.by_scope();
        // To forget costs one refused request.
        if by_scope.len() == MAX_SCOPES && !by_scope.contains_key(&scope) {
            by_scope.clear();
        }
        by_scope.entry(scope).or_default().extend(peoples);
    }

    fn by_scope(&self) -> MutexGuard<'_, HashMap<Option<Scope>, Parameters>> {
        self.by_scope.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
