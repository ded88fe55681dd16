//! Ollama's own chat: lines of JSON.

use kaiwa_domain::{Brief, Finish, Thinking, ThoughtKind, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::format::conversation::{DialogueTurn, turns};
use crate::format::openai_chat::WireCall;
use crate::format::{
    self, Decoder, Nonsense, Request, base64, decimal, listed, object, openai_chat, put,
};
use crate::lenient::{Bool, Count, List, Object, Raw, Text};
use crate::transcript::{Fragment, Transcript};
use crate::{Endpoint, http};

/// `POST {base_url}/api/chat`.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let mut options = json!({});
    put(&mut options, "num_predict", brief.manner.max_output_tokens);
    put(&mut options, "temperature", manner.temperature.map(decimal));
    put(&mut options, "top_p", manner.top_p.map(decimal));
    put(&mut options, "stop", format::stop(brief));
    let mut body = json!({
        "model": endpoint.model,
        "messages": messages(endpoint, brief),
        "stream": true,
        "options": options,
    });
    put(&mut body, "tools", format::tools(brief, openai_chat::tool));
    let think = manner.thinking.map(|thinking| think(endpoint, thinking));
    put(&mut body, "think", think);
    Request {
        url: http::under(&endpoint.base_url, "api/chat"),
        body,
    }
}

fn messages(endpoint: &Endpoint, brief: &Brief) -> Vec<Value> {
    let mut messages = Vec::new();
    messages.extend(openai_chat::system(brief));
    for turn in turns(endpoint, brief) {
        match turn {
            DialogueTurn::User { text, images } => {
                let mut message = json!({"role": "user", "content": text});
                let images = images.iter().map(|image| base64(image).into()).collect();
                put(&mut message, "images", listed(images));
                messages.push(message);
            }
            DialogueTurn::Assistant { text, calls, .. } => {
                let mut message = json!({"role": "assistant", "content": text});
                let asked = calls.iter().map(
                    |call| json!({"function": {"name": call.name, "arguments": call.object()}}),
                );
                put(&mut message, "tool_calls", listed(asked.collect()));
                messages.push(message);
                messages.extend(calls.iter().map(
                    |call| json!({"role": "tool", "tool_name": call.name, "content": call.result}),
                ));
            }
        }
    }
    messages
}

/// Models think or they do not; one family does it in levels, and always.
fn think(endpoint: &Endpoint, thinking: Thinking) -> Value {
    match (endpoint.model.contains("gpt-oss"), thinking) {
        (false, thinking) => (thinking != Thinking::Off).into(),
        (true, Thinking::Off) => "low".into(),
        (true, thinking) => openai_chat::effort(thinking).into(),
    }
}

/// Reads one answer. Every line stands for itself.
pub(super) struct OllamaDecoder;

#[derive(Deserialize, Default)]
#[serde(default)]
struct OllamaLine<'a> {
    #[serde(borrow)]
    message: Object<OllamaMessage<'a>>,
    done: Bool,
    #[serde(borrow)]
    done_reason: Text<'a>,
    prompt_eval_count: Count,
    eval_count: Count,
    #[serde(borrow)]
    error: Raw<'a>,
    /// What every line has.
    #[serde(borrow)]
    model: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OllamaMessage<'a> {
    #[serde(borrow)]
    content: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    tool_calls: List<WireCall<'a>>,
}

impl Decoder for OllamaDecoder {
    fn message(
        &mut self,
        _name: &str,
        data: &str,
        transcript: &mut Transcript,
    ) -> Result<(), Nonsense> {
        let line: OllamaLine<'_> = object(data)?;
        if let Some(error) = line.error.some() {
            transcript.error(serde_json::from_str(error).unwrap_or_default());
            return Ok(());
        }
        if let Some(message) = &line.message.0 {
            transcript.thought(ThoughtKind::Raw, message.thinking.as_str());
            transcript.text(message.content.as_str());
            for call in &message.tool_calls.0 {
                self::call(call, transcript);
            }
        } else if !line.done.0 && line.model.some().is_none() {
            return Err(Nonsense);
        }
        if line.done.0 {
            done(&line, transcript);
        }
        Ok(())
    }
}

/// Calls come whole, one or more to a line.
fn call(call: &WireCall<'_>, transcript: &mut Transcript) {
    let Some(function) = &call.function.0 else {
        return;
    };
    let arguments = function.arguments.arguments();
    transcript.call(Fragment {
        id: call.id.as_str(),
        name: function.name.as_str(),
        arguments: arguments.as_deref().unwrap_or("{}"),
        whole: true,
        ..Fragment::default()
    });
}

fn done(line: &OllamaLine<'_>, transcript: &mut Transcript) {
    let (read, written) = (line.prompt_eval_count, line.eval_count);
    if read.0.is_some() || written.0.is_some() {
        transcript.usage(Usage {
            input: read.or_zero(),
            cached: 0,
            output: written.or_zero(),
            thinking: 0,
        });
        transcript.vendor_usage(|| json!({"prompt_eval_count": read.0, "eval_count": written.0}));
    }
    let finish = match line.done_reason.as_str() {
        "length" => Finish::Length,
        _ => Finish::Stop,
    };
    transcript.finish(finish, line.done_reason.as_str());
    transcript.terminate();
}
