//! The wire formats: what is sent, and how the answer is read.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kaiwa_domain::{Brief, Image, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use crate::Endpoint;
use crate::lenient::Object;
use crate::reader::Framing;
use crate::sides;
use crate::transcript::Transcript;

mod conversation;
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

    /// Reads an answer. Some vendors want their thoughts back though they do
    /// not sign them; those are kept then.
    pub(crate) fn decoder(self, keeps_thoughts: bool) -> Box<dyn Decoder> {
        match self {
            Self::OpenAiChat => Box::new(openai_chat::ChatDecoder::new(keeps_thoughts)),
            Self::OpenAiResponses => Box::new(openai_responses::ResponsesDecoder::default()),
            Self::AnthropicMessages => Box::new(anthropic_messages::MessagesDecoder::default()),
            Self::GeminiGenerateContent => Box::new(gemini::GeminiDecoder::default()),
            Self::OllamaChat => Box::new(ollama_chat::OllamaDecoder),
        }
    }

    /// What every request says in its head.
    pub(crate) const fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::AnthropicMessages => &[("anthropic-version", "2023-06-01")],
            _ => &[],
        }
    }

    /// The request that asks for a streamed answer.
    pub(crate) fn request(self, endpoint: &Endpoint, brief: &Brief) -> Request {
        let brief = &*sides::fitted(endpoint, brief);
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

    /// No more messages will come.
    fn end(&mut self, _transcript: &mut Transcript) {}
}

/// A message that the format does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nonsense;

impl From<serde_json::Error> for Nonsense {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}

/// Reads a JSON object; anything else is nonsense.
fn object<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, Nonsense> {
    let object: Object<T> = serde_json::from_str(json)?;
    object.0.ok_or(Nonsense)
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
pub(crate) fn schema(tool: &Tool) -> Value {
    serde_json::from_str(&tool.schema)
        .unwrap_or_else(|_| json!({"type": "object", "properties": {}}))
}

/// The tools as the format has them, if there are any.
fn tools(brief: &Brief, tool: impl Fn(&Tool) -> Value) -> Option<Vec<Value>> {
    (!brief.tools.is_empty()).then(|| brief.tools.iter().map(tool).collect())
}

/// The stop strings, if there are any.
fn stop(brief: &Brief) -> Option<Vec<String>> {
    let stop = &brief.manner.stop;
    (!stop.is_empty()).then(|| stop.clone())
}

/// A list of JSON, unless it is empty.
fn listed(values: Vec<Value>) -> Option<Vec<Value>> {
    (!values.is_empty()).then_some(values)
}

fn base64(image: &Image) -> String {
    STANDARD.encode(&image.bytes)
}

fn data_url(image: &Image) -> String {
    format!("data:{};base64,{}", image.media_type, base64(image))
}

/// The version that a model's name tells, like 4.5 of `claude-opus-4-5`.
fn version(model: &str) -> (u8, u8) {
    let mut numbers = model
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| word.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}
