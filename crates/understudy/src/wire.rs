//! OpenAI's chat format, from the server's side.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::pace::{fingerprint, pieces};
use crate::prompt::Prompt;
use crate::script::{self, ReplyKind};

/// The only model there is.
pub(crate) const MODEL: &str = "understudy";

/// What the understudy needs to know of a request.
#[derive(Deserialize)]
pub(crate) struct ChatRequest {
    messages: Vec<ChatMessage>,
    /// The tools that may be asked for.
    tools: Option<Vec<Value>>,
    #[serde(default)]
    pub(crate) stream: bool,
    stream_options: Option<StreamOptions>,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
struct ChatMessage {
    role: String,
    /// A text, or a list of typed parts.
    content: Option<Value>,
}

impl ChatMessage {
    fn text(&self) -> String {
        match &self.content {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => parts
                .iter()
                .filter_map(|part| part.get("text")?.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
            _ => String::new(),
        }
    }
}

impl ChatRequest {
    /// Reads a request, or says what is wrong with it.
    pub(crate) fn read(body: &[u8]) -> Result<Self, String> {
        let request: Self = serde_json::from_slice(body)
            .map_err(|error| format!("the body is no chat request: {error}"))?;
        match request.messages.is_empty() {
            true => Err("`messages` is empty: there is nothing to answer".to_owned()),
            false => Ok(request),
        }
    }

    /// What to do about it.
    pub(crate) fn reply_kind(&self) -> ReplyKind {
        if let Some(last) = self.messages.last()
            && last.role == "tool"
        {
            return script::after_tool(&last.text());
        }
        let asked = self.messages.iter().rfind(|message| message.role == "user");
        let asked = asked.map(ChatMessage::text).unwrap_or_default();
        match script::reply_kind(&Prompt::hear(&asked)) {
            ReplyKind::CallTool { ref name, .. } if !self.offers(name) => script::no_tool(name),
            reply_kind => reply_kind,
        }
    }

    /// Whether a tool of this name may be asked for.
    fn offers(&self, name: &str) -> bool {
        let tools = self.tools.iter().flatten();
        tools
            .into_iter()
            .any(|tool| tool["function"]["name"] == name)
    }

    fn words(&self) -> usize {
        let words = |message: &ChatMessage| count_words(&message.text());
        self.messages.iter().map(words).sum()
    }
}

/// What is said for a [`ReplyKind`], ready to be written down.
pub(crate) struct ScriptedReply {
    id: String,
    thought: &'static str,
    text: String,
    refusal: &'static str,
    tool: Option<(String, String)>,
    prompt_words: usize,
    include_usage: bool,
}

impl ScriptedReply {
    /// None for the kinds without words.
    pub(crate) fn new(request: &ChatRequest, reply_kind: ReplyKind) -> Option<Self> {
        let mut reply = Self {
            id: String::new(),
            thought: "",
            text: String::new(),
            refusal: "",
            tool: None,
            prompt_words: request.words(),
            include_usage: request
                .stream_options
                .as_ref()
                .is_some_and(|options| options.include_usage),
        };
        match reply_kind {
            ReplyKind::Say { thought, text } => {
                reply.thought = thought;
                reply.text = text;
            }
            ReplyKind::CallTool { name, arguments } => reply.tool = Some((name, arguments)),
            ReplyKind::Refuse(words) => reply.refusal = words,
            ReplyKind::Fail(_) | ReplyKind::Silence => return None,
        }
        let asked: String = request.messages.iter().map(ChatMessage::text).collect();
        reply.id = format!("chatcmpl-{:016x}", fingerprint(asked.as_bytes()));
        Some(reply)
    }

    /// The reply as one body.
    pub(crate) fn whole(&self) -> Value {
        let text_or_null = |text: &str| match text {
            "" => Value::Null,
            _ => Value::from(text),
        };
        let mut message = json!({
            "role": "assistant",
            "content": text_or_null(&self.text),
            "refusal": text_or_null(self.refusal),
        });
        if !self.thought.is_empty() {
            message["reasoning_content"] = Value::from(self.thought);
        }
        if let Some((name, arguments)) = &self.tool {
            message["tool_calls"] = json!([{
                "id": self.call_id(),
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }]);
        }
        let choice = json!({
            "index": 0, "message": message, "logprobs": null, "finish_reason": self.finish_reason(),
        });
        self.body("chat.completion", &[choice], Some(self.usage()))
    }

    /// The reply as the bodies of a stream's events, without the last `[DONE]`.
    pub(crate) fn chunks(&self) -> Vec<Value> {
        let mut deltas = vec![json!({"role": "assistant", "content": ""})];
        let mut speak = |field: &str, text| {
            deltas.extend(pieces(text).map(|piece| json!({ field: piece })));
        };
        speak("reasoning_content", self.thought);
        speak("content", &self.text);
        speak("refusal", self.refusal);
        if let Some((name, arguments)) = &self.tool {
            deltas.push(json!({"tool_calls": [{
                "index": 0, "id": self.call_id(), "type": "function",
                "function": {"name": name, "arguments": ""},
            }]}));
            deltas.extend(pieces(arguments).map(
                |piece| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
            ));
        }
        let chunk = |delta: Value, finish_reason: Option<&str>| {
            let choice = json!({
                "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason,
            });
            self.body("chat.completion.chunk", &[choice], None)
        };
        let mut chunks: Vec<Value> = deltas.into_iter().map(|delta| chunk(delta, None)).collect();
        chunks.push(chunk(json!({}), Some(self.finish_reason())));
        if self.include_usage {
            chunks.push(self.body("chat.completion.chunk", &[], Some(self.usage())));
        }
        chunks
    }

    fn body(&self, object: &str, choices: &[Value], usage: Option<Value>) -> Value {
        let mut body = json!({
            "id": self.id,
            "object": object,
            // The same request gets the same answer, whenever it is asked.
            "created": 0,
            "model": MODEL,
            "choices": choices,
        });
        if let Some(usage) = usage {
            body["usage"] = usage;
        }
        body
    }

    fn call_id(&self) -> String {
        self.id.replace("chatcmpl-", "call_")
    }

    const fn finish_reason(&self) -> &'static str {
        match &self.tool {
            Some(_) => "tool_calls",
            None => "stop",
        }
    }

    /// The understudy's tokens are words.
    fn usage(&self) -> Value {
        let tool = self.tool.as_ref().map_or("", |(_, arguments)| arguments);
        let said = [self.thought, &self.text, self.refusal, tool];
        let completion: usize = said.into_iter().map(count_words).sum();
        json!({
            "prompt_tokens": self.prompt_words,
            "completion_tokens": completion,
            "total_tokens": self.prompt_words + completion,
        })
    }
}

/// An error the way OpenAI writes it.
pub(crate) fn error(kind: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "param": null, "code": null}})
}

fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}
