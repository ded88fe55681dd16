//! From the events of a response to what was said.
//!
//! Everything is told up to four times: in deltas, when its part is done, when
//! its item is done, and when the response is. What was told in one is not
//! taken from the next; a server may leave any of them out.

use kaiwa_domain::{Finish, ThoughtKind, Usage};
use serde_json::Value;

use super::wire::{Item, Response, ResponsesEvent, WireUsage};
use crate::format::{Decoder, Nonsense, object};
use crate::transcript::{Fragment, Transcript};

/// Reads one answer.
#[derive(Default)]
pub(crate) struct ResponsesDecoder {
    /// The items so far. They may take turns.
    items: Vec<ItemProgress>,
    /// What was told of the response.
    response: Told,
    calls: Vec<ResponsesCall>,
}

/// What was told of an item.
#[derive(Default)]
struct ItemProgress {
    index: Option<u64>,
    id: String,
    part: Told,
    item: Told,
}

#[derive(Clone, Copy, Default)]
struct Told {
    text: bool,
    refusal: bool,
    thought: bool,
}

/// A kind of words.
#[derive(Clone, Copy)]
enum TextKind {
    Text,
    Refusal,
    Thought(ThoughtKind),
}

const SUMMARY: TextKind = TextKind::Thought(ThoughtKind::Summary);
const THOUGHT: TextKind = TextKind::Thought(ThoughtKind::Raw);

impl Told {
    const fn of(&mut self, words: TextKind) -> &mut bool {
        match words {
            TextKind::Text => &mut self.text,
            TextKind::Refusal => &mut self.refusal,
            TextKind::Thought(_) => &mut self.thought,
        }
    }
}

struct ResponsesCall {
    index: Option<u64>,
    item: String,
    id: String,
    argued: bool,
    done: bool,
}

/// The most calls and items that are followed. The transcript refuses fewer
/// calls, and no answer has as many items.
const MAX_CALLS: usize = 256;
const MAX_ITEMS: usize = 1024;

impl Decoder for ResponsesDecoder {
    fn message(
        &mut self,
        name: &str,
        data: &str,
        transcript: &mut Transcript,
    ) -> Result<(), Nonsense> {
        if matches!(data.trim(), "" | "[DONE]") {
            return Ok(());
        }
        let event: ResponsesEvent<'_> = object(data)?;
        match event.kind.some().unwrap_or(name) {
            "response.output_text.delta" => self.more(&event, TextKind::Text, transcript),
            "response.output_text.done" => self.done(&event, TextKind::Text, transcript),
            "response.refusal.delta" => self.more(&event, TextKind::Refusal, transcript),
            "response.refusal.done" => self.done(&event, TextKind::Refusal, transcript),
            "response.reasoning_summary_text.delta" => self.more(&event, SUMMARY, transcript),
            "response.reasoning_summary_text.done" => self.done(&event, SUMMARY, transcript),
            "response.reasoning_text.delta" => self.more(&event, THOUGHT, transcript),
            "response.reasoning_text.done" => self.done(&event, THOUGHT, transcript),
            "response.content_part.added"
            | "response.reasoning_part.added"
            | "response.reasoning_summary_part.added" => {
                self.progress(event.output_index.0, event.item_id.as_str())
                    .part = Told::default();
            }
            "response.function_call_arguments.delta" => {
                self.arguments(&event, Some(event.delta.as_str()), transcript);
            }
            "response.function_call_arguments.done" => {
                self.arguments(&event, None, transcript);
            }
            "response.output_item.added" => {
                if let Some(item) = &event.item.0 {
                    self.call(event.output_index.0, item, false, transcript);
                }
            }
            "response.output_item.done" => {
                if let Some(item) = &event.item.0 {
                    let index = event.output_index.0;
                    let told = self.progress(index, item.id.as_str()).item;
                    self.whole_item(index, item, told, transcript);
                }
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled"
            | "response.done" => {
                let response = event.response.some().ok_or(Nonsense)?;
                self.whole(response, transcript)?;
            }
            "error" => {
                // The error, or an event that holds its fields.
                let error = event.error.some().unwrap_or(data);
                transcript.error(serde_json::from_str(error).unwrap_or_default());
            }
            "" if event.object.as_str() == "response" => self.whole(data, transcript)?,
            "" => match event.error.some() {
                Some(error) => transcript.error(serde_json::from_str(error).unwrap_or_default()),
                None => return Err(Nonsense),
            },
            // The vendor's own tools, and what is yet to be invented.
            _ => {}
        }
        Ok(())
    }
}

impl ResponsesDecoder {
    /// What was told of an item. Some servers give an item a new id in every
    /// event, and some count all items as one.
    fn progress(&mut self, index: Option<u64>, id: &str) -> &mut ItemProgress {
        let by_id = |item: &ItemProgress| !id.is_empty() && item.id == id;
        let by_index = |item: &ItemProgress| index.is_some() && item.index == index;
        let place = self.items.iter().rposition(by_id);
        let place = place.or(self.items.iter().rposition(by_index));
        let place = place.unwrap_or_else(|| {
            if self.items.len() == MAX_ITEMS {
                self.items.pop();
            }
            self.items.push(ItemProgress {
                index,
                id: id.to_owned(),
                ..ItemProgress::default()
            });
            self.items.len() - 1
        });
        &mut self.items[place]
    }

    /// A piece of a part.
    fn more(&mut self, event: &ResponsesEvent<'_>, words: TextKind, transcript: &mut Transcript) {
        if event.delta.some().is_some() {
            let progress = self.progress(event.output_index.0, event.item_id.as_str());
            *progress.part.of(words) = true;
            *progress.item.of(words) = true;
            self.tell(words, event.delta.as_str(), transcript);
        }
    }

    /// A whole part; it is told only if its pieces were not.
    fn done(&mut self, event: &ResponsesEvent<'_>, words: TextKind, transcript: &mut Transcript) {
        let whole = match words {
            TextKind::Refusal => event.refusal.as_str(),
            TextKind::Text | TextKind::Thought(_) => event.text.as_str(),
        };
        let progress = self.progress(event.output_index.0, event.item_id.as_str());
        if !whole.is_empty() && !std::mem::replace(progress.part.of(words), true) {
            *progress.item.of(words) = true;
            self.tell(words, whole, transcript);
        }
    }

    fn tell(&mut self, words: TextKind, text: &str, transcript: &mut Transcript) {
        if text.is_empty() {
            return;
        }
        *self.response.of(words) = true;
        match words {
            TextKind::Text => transcript.text(text),
            TextKind::Refusal => transcript.refusal(text),
            TextKind::Thought(kind) => transcript.thought(kind, text),
        }
    }

    /// An item that is done; what was told of it already is left out.
    fn whole_item(
        &mut self,
        index: Option<u64>,
        item: &Item<'_>,
        told: Told,
        transcript: &mut Transcript,
    ) {
        match item.kind.as_str() {
            "message" => {
                for part in &item.content.0 {
                    match part.kind.as_str() {
                        "output_text" | "text" if !told.text => {
                            self.tell(TextKind::Text, part.text.as_str(), transcript);
                        }
                        "refusal" if !told.refusal => {
                            self.tell(TextKind::Refusal, part.refusal.as_str(), transcript);
                        }
                        _ => {}
                    }
                }
            }
            "reasoning" => {
                if !told.thought {
                    for (words, parts) in [(SUMMARY, &item.summary), (THOUGHT, &item.content)] {
                        for part in &parts.0 {
                            self.tell(words, part.text.as_str(), transcript);
                        }
                    }
                }
                sign(item, transcript);
            }
            _ => self.call(index, item, true, transcript),
        }
    }

    /// A function call that begins or is done; other items are the vendor's.
    fn call(
        &mut self,
        index: Option<u64>,
        item: &Item<'_>,
        done: bool,
        transcript: &mut Transcript,
    ) {
        if item.kind.as_str() != "function_call" {
            return;
        }
        let id = item.call_id.some().unwrap_or(item.id.as_str());
        let known = self.calls.iter().position(|call| match id.is_empty() {
            true => call.id.is_empty() && call.index == index,
            false => call.id == id,
        });
        let place = match known {
            Some(place) => place,
            None if self.calls.len() == MAX_CALLS => return,
            None => {
                self.calls.push(ResponsesCall {
                    index,
                    item: item.id.as_str().to_owned(),
                    id: id.to_owned(),
                    argued: false,
                    done: false,
                });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[place];
        if call.done {
            return;
        }
        call.done = done;
        let arguments = match call.argued {
            true => None,
            false => item.arguments.arguments(),
        };
        call.argued |= arguments.as_deref().is_some_and(|text| !text.is_empty());
        transcript.call(Fragment {
            index: Some(place as u64),
            id,
            name: item.name.as_str(),
            arguments: arguments.as_deref().unwrap_or_default(),
            signature: "",
            whole: done,
        });
    }

    /// Arguments of a call: a delta, or all of them if no delta came.
    fn arguments(
        &mut self,
        event: &ResponsesEvent<'_>,
        delta: Option<&str>,
        transcript: &mut Transcript,
    ) {
        let item = event.item_id.as_str();
        let by_item = |call: &ResponsesCall| !item.is_empty() && call.item == item;
        let by_index = |call: &ResponsesCall| call.index == event.output_index.0;
        let place = self.calls.iter().rposition(by_item);
        // Calls of the vendor's own tools are not among ours.
        let Some(place) = place.or(self.calls.iter().rposition(by_index)) else {
            return;
        };
        let call = &mut self.calls[place];
        let all = event.arguments.arguments();
        let piece = match delta {
            Some(delta) => delta,
            None if call.argued => return,
            None => all.as_deref().unwrap_or_default(),
        };
        if !piece.is_empty() && !call.done {
            call.argued = true;
            transcript.call(Fragment {
                index: Some(place as u64),
                arguments: piece,
                ..Fragment::default()
            });
        }
    }

    /// The response is over.
    fn whole(&mut self, json: &str, transcript: &mut Transcript) -> Result<(), Nonsense> {
        let response: Response<'_> = object(json)?;
        let streamed = self.response;
        let called = !self.calls.is_empty();
        for (index, item) in (0..).zip(&response.output.0) {
            match item.kind.as_str() {
                // Signatures were given with the items.
                "reasoning" if streamed.thought || streamed.text || called => {}
                "function_call" if called => {}
                _ => self.whole_item(Some(index), item, streamed, transcript),
            }
        }
        if let Some(json) = response.usage.some() {
            usage(json, transcript);
        }
        transcript.terminate();
        let reason = response.incomplete_details.0.unwrap_or_default().reason;
        let status = response.status.as_str();
        let finish = match (status, reason.as_str()) {
            (_, "content_filter") => Finish::Refused,
            ("incomplete", _) => Finish::Length,
            _ => Finish::Stop,
        };
        transcript.finish(finish, status);
        match response.error.some() {
            Some(error) => transcript.error(serde_json::from_str(error).unwrap_or_default()),
            None if matches!(status, "failed" | "cancelled") => {
                transcript.error(Value::from(format!("the response is {status}")));
            }
            None => {}
        }
        Ok(())
    }
}

/// What the vendor wants back: the item, if it is of use there.
fn sign(item: &Item<'_>, transcript: &mut Transcript) {
    if let Some(encrypted) = item.encrypted_content.some() {
        let summary: Vec<Value> = item
            .summary
            .0
            .iter()
            .map(|part| serde_json::json!({"type": "summary_text", "text": part.text.as_str()}))
            .collect();
        let opaque = serde_json::json!({
            "type": "reasoning",
            "id": item.id.as_str(),
            "summary": summary,
            "encrypted_content": encrypted,
        });
        transcript.signature(&opaque.to_string());
    }
}

fn usage(json: &str, transcript: &mut Transcript) {
    let Ok(usage) = object::<WireUsage>(json) else {
        return;
    };
    let input = usage.input_tokens_details.0.unwrap_or_default();
    let output = usage.output_tokens_details.0.unwrap_or_default();
    transcript.usage(Usage {
        input: usage.input_tokens.or_zero(),
        cached: input.cached_tokens.or_zero(),
        output: usage.output_tokens.or_zero(),
        thinking: output.reasoning_tokens.or_zero(),
    });
    transcript.vendor_usage(|| serde_json::from_str(json).unwrap_or_default());
}
