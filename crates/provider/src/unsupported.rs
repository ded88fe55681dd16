//! What a model would not take.
//!
//! Models differ in what they can be told, and nobody keeps a list. A request
//! is made in full; what the server says it does not support is left out from
//! then on.

use std::sync::atomic::{AtomicU16, Ordering};

use kaiwa_domain::{Brief, Line, ModelError, ToolResult};

use crate::{Effort, Endpoint, Format};

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
}

use Parameter::{
    Images, Limit, LimitName, Stop, StreamOptions, Summaries, Temperature, Thinking, Tools, TopP,
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

    /// Adds the parameter of the request that a server says it does not
    /// support; whether there was one.
    pub(crate) fn learn(&mut self, endpoint: &Endpoint, brief: &Brief, error: &ModelError) -> bool {
        let message = match error {
            ModelError::Rejected { message, .. } => message,
            // What some local servers say of a model without eyes or hands.
            ModelError::Failed {
                status: 500 | 501,
                message,
            } => message,
            _ => return false,
        };
        let message = message.to_ascii_lowercase();
        if !REFUSALS.iter().any(|words| message.contains(words)) {
            return false;
        }
        let sent = NAMES
            .iter()
            .filter(|(parameter, _)| !self.has(*parameter) && parameter.is_sent(endpoint, brief));
        let named = sent.filter_map(|(parameter, names)| {
            let place = names.iter().filter_map(|name| find(&message, name)).min()?;
            Some((place, *parameter))
        });
        let Some((_, parameter)) = named.min_by_key(|(place, _)| *place) else {
            return false;
        };
        tracing::info!(
            model = endpoint.model,
            ?parameter,
            "the model does not support it"
        );
        self.add(parameter);
        true
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
    }
}

impl Parameter {
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
pub(crate) struct Unsupported(AtomicU16);

impl Unsupported {
    pub(crate) fn known(&self) -> Parameters {
        Parameters(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn remember(&self, parameters: Parameters) {
        self.0.fetch_or(parameters.0, Ordering::Relaxed);
    }
}
