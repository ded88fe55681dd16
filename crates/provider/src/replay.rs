//! A recorded answer, heard again.

use kaiwa_domain::{Delta, Finish, ModelError, ThoughtKind, ToolCall, Usage};
use serde_json::{Value, json};

use crate::Format;
use crate::answer_decoder::{AnswerDecoder, Taking};
use crate::failure::presentable;

/// What a recorded answer amounts to.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// Every event as one JSON object, in order.
    pub events: Vec<Value>,
    /// All of it in one JSON object: `text`, `thinking`, `tool_calls`,
    /// `refusal`, `finish_reason` (the vendor's word), `finish` (ours),
    /// `usage` and `error` (the vendor's), and whether the stream was
    /// `terminated` as its format asks.
    pub result: Value,
    /// How many frames nobody understood.
    pub nonsense: u32,
}

impl Replay {
    /// Hears a recording that arrives in pieces. With `verbatim`, thoughts and
    /// tool calls that the model wrote into its text are left there.
    pub fn of<'a>(
        format: Format,
        pieces: impl IntoIterator<Item = &'a [u8]>,
        verbatim: bool,
    ) -> Self {
        let taking = Taking {
            in_band: (!verbatim).then_some(&[]),
            keeps_usage: true,
            ..Taking::default()
        };
        let mut decoder = AnswerDecoder::new(format, taking);
        let mut sum = Sum::default();
        for piece in pieces {
            decoder.push(piece);
            sum.take(&mut decoder);
        }
        decoder.end(ModelError::Cut {
            reason: "the recording ends before the answer does".to_owned(),
        });
        sum.take(&mut decoder);
        sum.close(&decoder)
    }
}

/// Hears a recording that arrives in pieces, its text left as it is, and gives
/// every delta on. Returns why it failed, if it did.
pub fn hear<'a>(
    format: Format,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    mut take: impl FnMut(Delta),
) -> Option<ModelError> {
    let mut decoder = AnswerDecoder::new(format, Taking::default());
    for piece in pieces {
        decoder.push(piece);
        while let Some(delta) = decoder.next() {
            take(delta);
        }
    }
    decoder.end(ModelError::Cut {
        reason: "the recording ends before the answer does".to_owned(),
    });
    while let Some(delta) = decoder.next() {
        take(delta);
    }
    decoder.transcript().failure().cloned()
}

/// The answer as it adds up.
#[derive(Default)]
struct Sum {
    events: Vec<Value>,
    text: String,
    thinking: String,
    refusal: String,
    finish: Option<Finish>,
}

impl Sum {
    fn take(&mut self, decoder: &mut AnswerDecoder) {
        while let Some(delta) = decoder.next() {
            match &delta {
                Delta::Text(text) => self.text.push_str(text),
                Delta::Thought(thought) => self.thinking.push_str(&thought.text),
                Delta::Refusal(words) => self.refusal.push_str(words),
                Delta::Finish { finish, .. } => self.finish = Some(*finish),
                _ => {}
            }
            self.events.push(event(&delta));
        }
    }

    fn close(mut self, decoder: &AnswerDecoder) -> Replay {
        let heard = decoder.transcript();
        if let Some(error) = heard.failure() {
            let error = presentable(error.clone(), None, None);
            self.events
                .push(json!({"event": "error", "error": error.to_string()}));
        }
        let call = |call: &ToolCall| json!({"name": call.name, "arguments": call.arguments});
        let result = json!({
            "text": self.text,
            "thinking": self.thinking,
            "tool_calls": heard.calls().map(call).collect::<Vec<_>>(),
            "refusal": self.refusal,
            "finish_reason": (!heard.word().is_empty()).then(|| heard.word()),
            "finish": self.finish.map_or("error", finish),
            "usage": heard.vendors_usage(),
            "error": heard.vendor_error(),
            "terminated": heard.is_terminated(),
        });
        Replay {
            events: self.events,
            result,
            nonsense: decoder.nonsense(),
        }
    }
}

fn event(delta: &Delta) -> Value {
    match delta {
        Delta::Text(text) => json!({"event": "text", "text": text}),
        Delta::Thought(thought) => {
            let kind = match thought.kind {
                ThoughtKind::Raw => "raw",
                ThoughtKind::Summary => "summary",
            };
            json!({"event": "thought", "kind": kind, "text": thought.text})
        }
        Delta::Signature(opaque) => json!({"event": "signature", "signature": opaque}),
        Delta::ToolPiece(piece) => json!({
            "event": "tool_piece",
            "call": piece.call,
            "name": piece.name,
            "arguments": piece.arguments,
        }),
        Delta::ToolCall(call) => json!({
            "event": "tool_call",
            "id": call.id,
            "name": call.name,
            "arguments": call.arguments,
            "signature": call.signature,
        }),
        Delta::Refusal(words) => json!({"event": "refusal", "text": words}),
        Delta::Usage(usage) => {
            let Usage {
                input,
                cached,
                output,
                thinking,
            } = usage;
            json!({"event": "usage", "input": input, "cached": cached, "output": output, "thinking": thinking})
        }
        Delta::Heartbeat => json!({"event": "heartbeat"}),
        Delta::Anew => json!({"event": "anew"}),
        Delta::Spent(bill) => json!({"event": "spent", "model": bill.model, "cost": bill.cost}),
        Delta::Finish { finish: why, word } => {
            json!({"event": "finish", "finish": finish(*why), "word": word})
        }
    }
}

const fn finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Tool => "tool",
        Finish::Refused => "refused",
    }
}
