//! Whatever a server sends, nothing panics, and how it is cut changes nothing.

use kaiwa_provider::{Format, Replay};
use proptest::prelude::*;
use serde_json::Value;

/// A stream with a bit of everything, for each format.
fn valid(format: Format) -> &'static str {
    match format {
        Format::OpenAiChat => {
            r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"hm","content":"<think>a</think> b"}}]}

: comment

data: {"choices":[{"delta":{"content":[{"type":"text","text":"c"}],"tool_calls":[{"index":0,"id":"a","function":{"name":"brew","arguments":"{\"x\":"}},{"index":1,"function":{"name":"pour","arguments":{"y":[1]}}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1}}

data: [DONE]

"#
        }
        Format::OpenAiResponses => {
            r#"event: response.output_item.added
data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f","call_id":"a","name":"brew","arguments":""}}

data: {"type":"response.function_call_arguments.delta","item_id":"f","output_index":0,"delta":"{\"x\":1}"}

data: {"type":"response.output_text.delta","item_id":"m","output_index":1,"delta":"b"}

data: {"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"m","content":[{"type":"output_text","text":"b"}]}}

data: {"type":"response.completed","response":{"status":"completed","output":[{"type":"reasoning","summary":[],"encrypted_content":"e"}],"usage":{"input_tokens":1}}}

"#
        }
        Format::AnthropicMessages => {
            r#"data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"brew","input":{}}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}

data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}

data: {"type":"message_stop"}

"#
        }
        Format::GeminiGenerateContent => {
            r#"[{"candidates":[{"content":{"parts":[{"text":"a","thought":true},{"text":"b","thoughtSignature":"s"},{"functionCall":{"name":"brew","willContinue":true}}]}}]},
{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0].b","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]},
{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}]
"#
        }
        Format::OllamaChat => {
            r#"{"model":"m","message":{"content":"a","thinking":"b","tool_calls":[{"function":{"name":"brew","arguments":{"x":1}}}]},"done":false}
{"model":"m","message":{"content":"<tool_call>{\"name\":\"pour\"}</tool_call>"},"done":true,"done_reason":"stop","eval_count":3}
"#
        }
    }
}

/// Pieces of text whose joins are where readers go wrong.
fn shards() -> impl Strategy<Value = Vec<u8>> {
    let shard = prop_oneof![
        Just(b"data: ".to_vec()),
        Just(b"\n\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"{\"choices\":[{\"delta\":".to_vec()),
        Just(b"\"type\":\"content_block_delta\"".to_vec()),
        Just(b"[DONE]".to_vec()),
        Just("<｜DSML｜invoke name=\"a\">".as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..12),
    ];
    prop::collection::vec(shard, 0..24).prop_map(|shards| shards.concat())
}

/// Heard whole, in pieces and byte by byte, with and without in-band reading.
fn hear(format: Format, bytes: &[u8], piece: usize) -> Result<(), TestCaseError> {
    for verbatim in [false, true] {
        let whole = Replay::of(format, [bytes], verbatim);
        prop_assert_eq!(&Replay::of(format, bytes.chunks(piece), verbatim), &whole);
        prop_assert_eq!(&Replay::of(format, bytes.chunks(1), verbatim), &whole);
        let ended = |event: &&Value| matches!(event["event"].as_str(), Some("finish" | "error"));
        let endings = whole.events.iter().filter(ended).count();
        prop_assert_eq!(endings, 1, "one ending in {:?}", whole.events);
        prop_assert!(whole.events.last().is_some_and(|last| ended(&last)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_are_survived(bytes in shards(), piece in 1_usize..40) {
        for format in Format::ALL {
            hear(format, &bytes, piece)?;
        }
    }

    #[test]
    fn mutated_streams_are_survived(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..4, any::<u8>()), 1..12),
        piece in 1_usize..40,
    ) {
        for format in Format::ALL {
            let mut bytes = valid(format).as_bytes().to_vec();
            for (place, kind, byte) in &changes {
                let at = place.index(bytes.len());
                match kind {
                    0 => bytes[at] = *byte,
                    1 => bytes.insert(at, *byte),
                    2 => { bytes.remove(at); }
                    _ => {
                        let copied = bytes[at..(at + usize::from(*byte)).min(bytes.len())].to_vec();
                        bytes.extend(copied);
                    }
                }
            }
            hear(format, &bytes, piece)?;
        }
    }
}

#[test]
fn the_streams_to_mutate_are_whole() {
    for format in Format::ALL {
        let replay = Replay::of(format, [valid(format).as_bytes()], false);
        assert_eq!(
            replay.result["finish"], "tool",
            "{format}: {}",
            replay.result
        );
        assert_eq!(replay.result["terminated"], true, "{format}");
        assert_eq!(replay.nonsense, 0, "{format}");
    }
}
