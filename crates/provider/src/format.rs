//! The wire formats: what is sent, and how the answer is read.

use std::fmt;
use std::str::FromStr;

use kaiwa_domain::{Brief, Line};
use serde_json::Value;
use url::Url;

use crate::Endpoint;
use crate::reader::Framing;
use crate::transcript::Transcript;

mod openai_chat;
mod openai_responses;
mod anthropic_messages;
mod gemini;
mod ollama_chat;

/// A way to ask and to answer over HTTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// OpenAI's chat completions, which most servers speak.
    OpenAiChat,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    AnthropicMessages,
    /// Google's `generateContent`.
    GeminiGenerateContent,
    /// Ollama's own chat.
    OllamaChat,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::AnthropicMessages,
        Self::GeminiGenerateContent,
        Self::OllamaChat,
    ];

    /// Its name in configuration and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
            Self::GeminiGenerateContent => "gemini-generateContent",
            Self::OllamaChat => "ollama-chat",
        }
    }

    pub(crate) const fn framing(self) -> Framing {
        match self {
            Self::OllamaChat => Framing::Lines,
            _ => Framing::Events,
        }
    }

    /// Whether nothing follows the sign that the answer is over. Gemini may
    /// send its counts after it.
    pub(crate) const fn ends_itself(self) -> bool {
        !matches!(self, Self::GeminiGenerateContent)
    }

    pub(crate) fn decoder(self) -> Box<dyn Decoder> {
        match self {
            Self::OpenAiChat => Box::new(openai_chat::ChatDecoder),
            Self::OpenAiResponses => Box::new(openai_responses::ResponsesDecoder::default()),
            Self::AnthropicMessages => Box::new(anthropic_messages::MessagesDecoder::default()),
            Self::GeminiGenerateContent => Box::new(gemini::GeminiDecoder::default()),
            Self::OllamaChat => Box::new(ollama_chat::OllamaDecoder),
        }
    }

    /// The request that asks for a streamed answer.
    pub(crate) fn request(self, endpoint: &Endpoint, brief: &Brief) -> Request {
        match self {
            Self::OpenAiChat => openai_chat::request(endpoint, brief),
            Self::OpenAiResponses => openai_responses::request(endpoint, brief),
            Self::AnthropicMessages => anthropic_messages::request(endpoint, brief),
            Self::GeminiGenerateContent => gemini::request(endpoint, brief),
            Self::OllamaChat => ollama_chat::request(endpoint, brief),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// No format has that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no wire format is called {name:?}; there are {}", Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
        })
    }
}

/// Where to send what.
pub(crate) struct Request {
    pub(crate) url: Url,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) body: Value,
}

/// Reads one answer in one wire format. Pure: bytes, sockets and timeouts are
/// the [exchange](crate::exchange)'s, and what an answer amounts to is the
/// transcript's.
pub(crate) trait Decoder: Send {
    /// Reads one message of a stream, or a whole answer. `name` is the event's
    /// name, if it has one.
    fn message(
        &mut self,
        name: &str,
        data: &str,
        transcript: &mut Transcript,
    ) -> Result<(), Nonsense>;
}

/// A message that the format does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nonsense;

impl From<serde_json::Error> for Nonsense {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}

/// Who speaks, given the format's word for ourselves.
pub(crate) const fn speaker<'a>(line: &Line, ourselves: &'a str) -> &'a str {
    match line {
        Line::User { .. } | Line::Tool(_) => "user",
        Line::Assistant { .. } => ourselves,
    }
}

/// Puts a value into a JSON object, if there is one.
pub(crate) fn put(object: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let (Value::Object(object), Some(value)) = (object, value) {
        object.insert(name.to_owned(), value.into());
    }
}

/// A number with the digits that it was given, not those that its nearest
/// double has.
pub(crate) fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_default()
}

/// A tool's schema as JSON; a text that is none is an object of anything.
pub(crate) fn schema(tool: &kaiwa_domain::Tool) -> Value {
    serde_json::from_str(&tool.schema)
        .unwrap_or_else(|_| serde_json::json!({"type": "object", "properties": {}}))
}
