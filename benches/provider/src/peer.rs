//! What a Rust user would write with `eventsource-stream` and `serde_json`:
//! the same events, without any of the forgiveness.

use std::convert::Infallible;

use eventsource_stream::Eventsource;
use futures_util::{StreamExt, stream};
use kaiwa_provider::Format;
use serde_json::Value;

/// What was said.
#[derive(Debug)]
#[expect(dead_code, reason = "built to be counted")]
pub(crate) enum Said {
    Text(String),
    Thought(String),
    Call {
        index: u64,
        name: String,
        arguments: String,
    },
    Usage {
        input: u64,
        output: u64,
    },
    Finish(String),
}

/// Reads a whole answer that arrives in pieces.
pub(crate) fn read(format: Format, recording: &[u8], piece: usize) -> Vec<Said> {
    let pieces = stream::iter(recording.chunks(piece).map(Ok::<_, Infallible>));
    let mut events = pieces.eventsource();
    let mut said = Vec::new();
    let reading = async {
        while let Some(event) = events.next().await {
            let Ok(event) = event else { continue };
            let Ok(value) = serde_json::from_str::<Value>(&event.data) else {
                continue;
            };
            match format {
                Format::OpenAiChat => chat(&value, &mut said),
                Format::OpenAiResponses => responses(&value, &mut said),
                Format::AnthropicMessages => messages(&value, &mut said),
                Format::GeminiGenerateContent => gemini(&value, &mut said),
                Format::OllamaChat => unreachable!("not events"),
            }
        }
    };
    futures_util::FutureExt::now_or_never(reading).expect("everything is there");
    said
}

fn text(value: &Value) -> Option<String> {
    value
        .as_str()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

fn usage(value: &Value, input: &str, output: &str) -> Option<Said> {
    Some(Said::Usage {
        input: value[input].as_u64()?,
        output: value[output].as_u64()?,
    })
}

fn chat(value: &Value, said: &mut Vec<Said>) {
    for choice in value["choices"].as_array().into_iter().flatten() {
        let delta = &choice["delta"];
        said.extend(text(&delta["content"]).map(Said::Text));
        said.extend(text(&delta["reasoning_content"]).map(Said::Thought));
        said.extend(text(&delta["reasoning"]).map(Said::Thought));
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            said.push(Said::Call {
                index: call["index"].as_u64().unwrap_or_default(),
                name: text(&call["function"]["name"]).unwrap_or_default(),
                arguments: text(&call["function"]["arguments"]).unwrap_or_default(),
            });
        }
        said.extend(text(&choice["finish_reason"]).map(Said::Finish));
    }
    said.extend(usage(&value["usage"], "prompt_tokens", "completion_tokens"));
}

fn responses(value: &Value, said: &mut Vec<Said>) {
    match value["type"].as_str().unwrap_or_default() {
        "response.output_text.delta" => said.extend(text(&value["delta"]).map(Said::Text)),
        "response.reasoning_summary_text.delta" => {
            said.extend(text(&value["delta"]).map(Said::Thought));
        }
        "response.function_call_arguments.delta" => said.push(Said::Call {
            index: value["output_index"].as_u64().unwrap_or_default(),
            name: String::new(),
            arguments: text(&value["delta"]).unwrap_or_default(),
        }),
        "response.completed" => {
            let response = &value["response"];
            said.extend(usage(&response["usage"], "input_tokens", "output_tokens"));
            said.extend(text(&response["status"]).map(Said::Finish));
        }
        _ => {}
    }
}

fn messages(value: &Value, said: &mut Vec<Said>) {
    let delta = &value["delta"];
    match value["type"].as_str().unwrap_or_default() {
        "content_block_delta" => {
            said.extend(text(&delta["text"]).map(Said::Text));
            said.extend(text(&delta["thinking"]).map(Said::Thought));
            said.extend(text(&delta["partial_json"]).map(|arguments| Said::Call {
                index: value["index"].as_u64().unwrap_or_default(),
                name: String::new(),
                arguments,
            }));
        }
        "content_block_start" => {
            said.extend(
                text(&value["content_block"]["name"]).map(|name| Said::Call {
                    index: value["index"].as_u64().unwrap_or_default(),
                    name,
                    arguments: String::new(),
                }),
            );
        }
        "message_delta" => {
            said.extend(usage(&value["usage"], "input_tokens", "output_tokens"));
            said.extend(text(&delta["stop_reason"]).map(Said::Finish));
        }
        _ => {}
    }
}

fn gemini(value: &Value, said: &mut Vec<Said>) {
    for candidate in value["candidates"].as_array().into_iter().flatten() {
        let parts = candidate["content"]["parts"].as_array();
        for (index, part) in parts.into_iter().flatten().enumerate() {
            let thought = part["thought"].as_bool().unwrap_or_default();
            let words = text(&part["text"]);
            said.extend(words.map(if thought { Said::Thought } else { Said::Text }));
            said.extend(text(&part["functionCall"]["name"]).map(|name| Said::Call {
                index: index as u64,
                name,
                arguments: part["functionCall"]["args"].to_string(),
            }));
        }
        said.extend(text(&candidate["finishReason"]).map(Said::Finish));
    }
    said.extend(usage(
        &value["usageMetadata"],
        "promptTokenCount",
        "candidatesTokenCount",
    ));
}
