//! From chunks of a chat completion to what was said.

use kaiwa_domain::{Finish, ModelError, ThoughtKind, Usage};
use serde::Deserialize;
use serde_json::json;

use super::THOUGHTS;
use super::details::Details;
use crate::format::{Decoder, Nonsense, object};
use crate::lenient::{Count, List, Object, Raw, Text};
use crate::transcript::{Fragment, MAX_SIGNED_BYTES, Transcript};

/// Reads one answer.
pub(crate) struct ChatDecoder {
    details: Details,
    /// The thoughts, if they are wanted back though they are not signed.
    thoughts: Option<String>,
}

impl ChatDecoder {
    pub(crate) fn new(keeps_thoughts: bool) -> Self {
        Self {
            details: Details::default(),
            thoughts: keeps_thoughts.then(String::new),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ChatChunk<'a> {
    #[serde(borrow)]
    choices: List<Choice<'a>>,
    #[serde(borrow)]
    usage: Raw<'a>,
    /// Where Groq puts the usage.
    #[serde(borrow)]
    x_groq: Object<GroqUsage<'a>>,
    #[serde(borrow)]
    error: Raw<'a>,
    #[serde(borrow)]
    object: Text<'a>,
    /// Beside `"object": "error"`, as vLLM has it.
    #[serde(borrow)]
    message: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GroqUsage<'a> {
    #[serde(borrow)]
    usage: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireUsage {
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count,
    prompt_tokens_details: Object<PromptDetails>,
    completion_tokens_details: Object<CompletionDetails>,
    /// What DeepSeek calls the cached part.
    prompt_cache_hit_tokens: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PromptDetails {
    cached_tokens: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CompletionDetails {
    reasoning_tokens: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice<'a> {
    index: Count,
    #[serde(borrow)]
    delta: Object<ChatDelta<'a>>,
    /// In place of `delta` when the answer is not streamed.
    #[serde(borrow)]
    message: Object<ChatDelta<'a>>,
    #[serde(borrow)]
    finish_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ChatDelta<'a> {
    /// A text, or a list of typed parts.
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    reasoning_content: Text<'a>,
    #[serde(borrow)]
    reasoning: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    reasoning_details: Raw<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
    #[serde(borrow)]
    tool_calls: List<WireCall<'a>>,
    #[serde(borrow)]
    function_call: Object<Function<'a>>,
}

/// A call, or a part of one. Ollama has it in the same shape.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct WireCall<'a> {
    index: Count,
    #[serde(borrow)]
    pub(crate) id: Text<'a>,
    #[serde(borrow)]
    pub(crate) function: Object<Function<'a>>,
    /// Where Gemini's own endpoint in this format puts its signature.
    #[serde(borrow)]
    extra_content: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Function<'a> {
    #[serde(borrow)]
    pub(crate) name: Text<'a>,
    /// A text of JSON by the format's rules, JSON itself from some servers.
    #[serde(borrow)]
    pub(crate) arguments: Raw<'a>,
}

/// A part of a content list.
#[derive(Deserialize, Default)]
#[serde(default)]
struct TypedPart<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    thinking: Raw<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
}

impl Decoder for ChatDecoder {
    fn message(
        &mut self,
        name: &str,
        data: &str,
        transcript: &mut Transcript,
    ) -> Result<(), Nonsense> {
        match data.trim() {
            "[DONE]" => transcript.terminate(),
            "" => {}
            data => {
                let chunk: ChatChunk<'_> = object(data)?;
                let failed = name == "error" || chunk.object.as_str() == "error";
                self.read(&chunk, transcript);
                if chunk.error.some().is_none() && failed {
                    let message = chunk.message.as_str();
                    let error = serde_json::from_str(data).unwrap_or_else(|_| message.into());
                    transcript.error(error);
                }
            }
        }
        Ok(())
    }

    /// What is wanted back are fields of the message; see the request.
    fn end(&mut self, transcript: &mut Transcript) {
        let called = transcript.calls().next().is_some();
        let thoughts = self.thoughts.take().filter(|thoughts| !thoughts.is_empty());
        let details = std::mem::take(&mut self.details).into_json();
        let fields = match (details, thoughts) {
            (Some(details), _) => json!({"reasoning_details": details}),
            (None, Some(thoughts)) if called => json!({THOUGHTS: thoughts}),
            (None, _) => return,
        };
        transcript.signature(&fields.to_string());
    }
}

impl ChatDecoder {
    fn read(&mut self, chunk: &ChatChunk<'_>, transcript: &mut Transcript) {
        let groq = chunk.x_groq.0.as_ref().and_then(|groq| groq.usage.some());
        if let Some(json) = chunk.usage.some().or(groq) {
            usage(json, transcript);
        }
        for choice in &chunk.choices.0 {
            if choice.index.or_zero() != 0 {
                continue;
            }
            let message = choice.message.0.as_ref();
            // Some servers repeat the whole message beside each delta.
            let streamed = choice.delta.0.as_ref();
            if let Some(words) = streamed.or(message) {
                self.said(words, transcript);
            }
            let whole = message.is_some() && streamed.is_none();
            match choice.finish_reason.some() {
                Some(reason) => finish(reason, transcript),
                None if whole => transcript.finish(Finish::Stop, ""),
                None => {}
            }
        }
        if let Some(error) = chunk.error.some() {
            transcript.error(serde_json::from_str(error).unwrap_or_default());
        }
    }

    fn said(&mut self, said: &ChatDelta<'_>, transcript: &mut Transcript) {
        // Servers that send two of these send the same text twice.
        let thoughts = [&said.reasoning_content, &said.reasoning, &said.thinking];
        if let Some(thought) = thoughts.iter().find_map(|thought| thought.some()) {
            transcript.thought(ThoughtKind::Raw, thought);
            if let Some(thoughts) = &mut self.thoughts
                && thoughts.len() + thought.len() <= MAX_SIGNED_BYTES
            {
                thoughts.push_str(thought);
            }
        }
        if let Some(json) = said.reasoning_details.some() {
            self.details.add(json);
            transcript.begin();
        }
        if let Some(content) = said.content.some() {
            match content.as_bytes()[0] {
                b'[' => {
                    let parts: List<TypedPart<'_>> =
                        serde_json::from_str(content).unwrap_or_default();
                    parts.0.iter().for_each(|piece| part(piece, transcript));
                }
                _ => {
                    let text: Text<'_> = serde_json::from_str(content).unwrap_or_default();
                    transcript.text(text.as_str());
                }
            }
        }
        transcript.refusal(said.refusal.as_str());
        for piece in &said.tool_calls.0 {
            let extra = piece.extra_content.some().unwrap_or_default();
            call(
                piece.index.0,
                piece.id.as_str(),
                extra,
                &piece.function,
                transcript,
            );
        }
        if said.function_call.0.is_some() {
            call(None, "", "", &said.function_call, transcript);
        }
    }
}

fn call(
    index: Option<u64>,
    id: &str,
    signature: &str,
    function: &Object<Function<'_>>,
    transcript: &mut Transcript,
) {
    let function = function.0.as_ref();
    let arguments = function.and_then(|function| function.arguments.arguments());
    transcript.call(Fragment {
        index,
        id,
        name: function.map_or("", |function| function.name.as_str()),
        arguments: arguments.as_deref().unwrap_or_default(),
        signature,
        whole: false,
    });
}

fn part(part: &TypedPart<'_>, transcript: &mut Transcript) {
    match part.kind.as_str() {
        "text" => transcript.text(part.text.as_str()),
        "refusal" => transcript.refusal(part.refusal.as_str()),
        "thinking" => {
            // A text, or the texts of a list of parts.
            let json = part.thinking.some().unwrap_or("null");
            let whole: Text<'_> = serde_json::from_str(json).unwrap_or_default();
            let pieces: List<TypedPart<'_>> = serde_json::from_str(json).unwrap_or_default();
            transcript.thought(ThoughtKind::Raw, whole.as_str());
            for piece in &pieces.0 {
                transcript.thought(ThoughtKind::Raw, piece.text.as_str());
            }
        }
        _ => {}
    }
}

/// Usage may come before, with or after the finish reason, or in every chunk.
fn usage(json: &str, transcript: &mut Transcript) {
    let Ok(usage) = object::<WireUsage>(json) else {
        return;
    };
    let input = usage.prompt_tokens.or_zero();
    let written = usage.completion_tokens.or_zero();
    let cached = usage
        .prompt_tokens_details
        .0
        .unwrap_or_default()
        .cached_tokens;
    let details = usage.completion_tokens_details.0.unwrap_or_default();
    transcript.usage(Usage {
        input,
        cached: cached.0.or(usage.prompt_cache_hit_tokens.0).unwrap_or(0),
        // xAI counts thoughts only in the total.
        output: written.max(usage.total_tokens.or_zero().saturating_sub(input)),
        thinking: details.reasoning_tokens.or_zero(),
    });
    transcript.vendor_usage(|| serde_json::from_str(json).unwrap_or_default());
}

fn finish(reason: &str, transcript: &mut Transcript) {
    let finish = match &*reason.to_ascii_lowercase() {
        "length" | "max_tokens" | "model_length" => Finish::Length,
        "tool_calls" | "function_call" | "tool_use" => Finish::Tool,
        "content_filter" | "refusal" | "sensitive" => Finish::Refused,
        "error" | "insufficient_system_resource" | "network_error" => {
            transcript.fail(ModelError::Cut {
                reason: "the server reported an error".to_owned(),
            });
            Finish::Stop
        }
        // "stop", "eos", and what servers invent.
        _ => Finish::Stop,
    };
    transcript.finish(finish, reason);
}
