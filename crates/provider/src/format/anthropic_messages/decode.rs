//! From the events of a message to what was said.

use std::collections::BTreeMap;

use kaiwa_domain::{Finish, ThoughtKind, Usage};
use serde::Deserialize;
use serde_json::json;

use crate::format::{Decoder, Nonsense, object};
use crate::lenient::{Count, List, Object, Raw, Text};
use crate::transcript::{Fragment, MAX_SIGNED_BYTES, Transcript};

/// The most blocks that may be open at a time.
const MAX_OPEN: usize = 256;

/// Reads one answer: blocks, each begun, continued and ended by its index.
#[derive(Default)]
pub(crate) struct MessagesDecoder {
    open: BTreeMap<u64, ContentBlock>,
    /// Blocks begun so far. A server that starts its message anew counts its
    /// blocks from 0 again, so its index is no name for a call.
    begun: u64,
    usage: WireUsage,
}

/// A block that has begun.
enum ContentBlock {
    Thinking {
        text: String,
        signature: String,
    },
    Tool {
        number: u64,
        /// The arguments, if none are streamed.
        input: String,
        streamed: bool,
    },
    /// Text, and what the vendor does on its own.
    Other,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AnthropicEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    index: Count,
    #[serde(borrow)]
    message: Object<AnthropicMessage<'a>>,
    #[serde(borrow)]
    content_block: Object<WireBlock<'a>>,
    #[serde(borrow)]
    delta: Object<WireBlock<'a>>,
    #[serde(borrow)]
    usage: Raw<'a>,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AnthropicMessage<'a> {
    #[serde(borrow)]
    content: List<WireBlock<'a>>,
    #[serde(borrow)]
    stop_reason: Text<'a>,
    #[serde(borrow)]
    usage: Raw<'a>,
}

/// A block, or what is added to one, or to the message.
#[derive(Deserialize, Default)]
#[serde(default)]
struct WireBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    thinking: Text<'a>,
    #[serde(borrow)]
    signature: Text<'a>,
    #[serde(borrow)]
    data: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    partial_json: Text<'a>,
    #[serde(borrow)]
    stop_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireUsage {
    input_tokens: Count,
    output_tokens: Count,
    cache_creation_input_tokens: Count,
    cache_read_input_tokens: Count,
    output_tokens_details: Object<OutputDetails>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OutputDetails {
    thinking_tokens: Count,
}

impl Decoder for MessagesDecoder {
    fn message(
        &mut self,
        name: &str,
        data: &str,
        transcript: &mut Transcript,
    ) -> Result<(), Nonsense> {
        let event: AnthropicEvent<'_> = object(data)?;
        if let Some(error) = event.error.some() {
            transcript.error(serde_json::from_str(error).unwrap_or_default());
            return Ok(());
        }
        match event.kind.some().unwrap_or(name) {
            "message_start" => {
                self.open.clear();
                transcript.start_anew();
                if let Some(message) = &event.message.0 {
                    self.usage(message.usage, transcript);
                    self.contents(&message.content, transcript);
                }
            }
            "content_block_start" => {
                if let Some(block) = &event.content_block.0 {
                    self.begin(event.index.or_zero(), block, transcript);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = &event.delta.0 {
                    self.go_on(event.index.or_zero(), delta, transcript);
                }
            }
            "content_block_stop" => self.stop(event.index.or_zero(), transcript),
            "message_delta" => {
                self.usage(event.usage, transcript);
                let reason = event.delta.0.as_ref().map(|delta| &delta.stop_reason);
                self.finish(reason.and_then(|reason| reason.some()), transcript);
            }
            "message_stop" => transcript.terminate(),
            "ping" => transcript.heartbeat(),
            // An answer that was not streamed.
            "message" => {
                let message: AnthropicMessage<'_> = serde_json::from_str(data)?;
                self.usage(message.usage, transcript);
                self.contents(&message.content, transcript);
                self.finish(message.stop_reason.some(), transcript);
                transcript.terminate();
            }
            "error" => transcript.error(serde_json::from_str(data)?),
            "" => return Err(Nonsense),
            // Kinds of events that are yet to be invented.
            _ => {}
        }
        Ok(())
    }
}

impl MessagesDecoder {
    /// Blocks that come whole.
    fn contents(&mut self, contents: &List<WireBlock<'_>>, transcript: &mut Transcript) {
        for (index, block) in (0..).zip(&contents.0) {
            self.begin(index, block, transcript);
            self.stop(index, transcript);
        }
    }

    fn begin(&mut self, index: u64, block: &WireBlock<'_>, transcript: &mut Transcript) {
        // A block that never ended has ended now.
        self.stop(index, transcript);
        let begun = match block.kind.as_str() {
            "thinking" => ContentBlock::Thinking {
                text: String::new(),
                signature: String::new(),
            },
            "redacted_thinking" => {
                let data = block.data.as_str();
                let opaque = json!({"type": "redacted_thinking", "data": data});
                transcript.signature(&opaque.to_string());
                ContentBlock::Other
            }
            "tool_use" => {
                self.begun += 1;
                transcript.call(Fragment {
                    index: Some(self.begun),
                    id: block.id.as_str(),
                    name: block.name.as_str(),
                    ..Fragment::default()
                });
                ContentBlock::Tool {
                    number: self.begun,
                    input: block.input.arguments().unwrap_or_default().into_owned(),
                    streamed: false,
                }
            }
            _ => ContentBlock::Other,
        };
        if self.open.len() < MAX_OPEN {
            self.open.insert(index, begun);
        }
        // Some servers begin a block with its first words.
        if block.kind.as_str() == "text" {
            transcript.text(block.text.as_str());
        }
        self.think(index, block, transcript);
    }

    fn go_on(&mut self, index: u64, delta: &WireBlock<'_>, transcript: &mut Transcript) {
        match delta.kind.as_str() {
            "text_delta" => transcript.text(delta.text.as_str()),
            "thinking_delta" | "signature_delta" => self.think(index, delta, transcript),
            "input_json_delta" => {
                // The arguments of the vendor's own tools are not for us.
                let arguments = delta.partial_json.as_str();
                if let Some(ContentBlock::Tool {
                    number, streamed, ..
                }) = self.open.get_mut(&index)
                    && !arguments.is_empty()
                {
                    *streamed = true;
                    transcript.call(Fragment {
                        index: Some(*number),
                        arguments,
                        ..Fragment::default()
                    });
                }
            }
            // Citations, compactions and what is yet to be invented.
            _ => {}
        }
    }

    fn think(&mut self, index: u64, more: &WireBlock<'_>, transcript: &mut Transcript) {
        let thought = more.thinking.as_str();
        transcript.thought(ThoughtKind::Raw, thought);
        if let Some(ContentBlock::Thinking { text, signature }) = self.open.get_mut(&index)
            && text.len() + signature.len() + thought.len() + more.signature.as_str().len()
                <= MAX_SIGNED_BYTES
        {
            text.push_str(thought);
            signature.push_str(more.signature.as_str());
        }
    }

    fn stop(&mut self, index: u64, transcript: &mut Transcript) {
        match self.open.remove(&index) {
            Some(ContentBlock::Thinking { text, signature }) if !signature.is_empty() => {
                let opaque = json!({"type": "thinking", "thinking": text, "signature": signature});
                transcript.signature(&opaque.to_string());
            }
            Some(ContentBlock::Tool {
                number,
                input,
                streamed,
            }) => transcript.call(Fragment {
                index: Some(number),
                arguments: match (streamed, input.is_empty()) {
                    (true, _) => "",
                    (false, true) => "{}",
                    (false, false) => &input,
                },
                whole: true,
                ..Fragment::default()
            }),
            _ => {}
        }
    }

    /// Each count is a total so far; what is not repeated stays.
    fn usage(&mut self, json: Raw<'_>, transcript: &mut Transcript) {
        let Some(json) = json.some() else {
            return;
        };
        let Ok(new) = object::<WireUsage>(json) else {
            return;
        };
        let known = &mut self.usage;
        for (known, new) in [
            (&mut known.input_tokens, new.input_tokens),
            (&mut known.output_tokens, new.output_tokens),
            (
                &mut known.cache_creation_input_tokens,
                new.cache_creation_input_tokens,
            ),
            (
                &mut known.cache_read_input_tokens,
                new.cache_read_input_tokens,
            ),
        ] {
            known.0 = new.0.or(known.0);
        }
        let cached = known.cache_read_input_tokens.or_zero();
        let written = known.cache_creation_input_tokens.or_zero();
        let thinking = new
            .output_tokens_details
            .0
            .unwrap_or_default()
            .thinking_tokens;
        transcript.usage(Usage {
            input: known
                .input_tokens
                .or_zero()
                .saturating_add(cached)
                .saturating_add(written),
            cached,
            output: known.output_tokens.or_zero(),
            thinking: thinking.or_zero(),
        });
        transcript.vendor_usage(|| serde_json::from_str(json).unwrap_or_default());
    }

    fn finish(&mut self, reason: Option<&str>, transcript: &mut Transcript) {
        let Some(reason) = reason else {
            return;
        };
        let finish = match reason {
            "max_tokens" | "model_context_window_exceeded" => Finish::Length,
            "tool_use" => Finish::Tool,
            "refusal" => Finish::Refused,
            // "end_turn", "stop_sequence", "pause_turn".
            _ => Finish::Stop,
        };
        transcript.finish(finish, reason);
    }
}
