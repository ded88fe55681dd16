//! What OpenAI's responses look like, as far as it matters.

use serde::Deserialize;

use crate::lenient::{Count, List, Object, Raw, Text};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct ResponsesEvent<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) output_index: Count,
    #[serde(borrow)]
    pub(super) item_id: Text<'a>,
    #[serde(borrow)]
    pub(super) delta: Text<'a>,
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    #[serde(borrow)]
    pub(super) refusal: Text<'a>,
    #[serde(borrow)]
    pub(super) arguments: Raw<'a>,
    #[serde(borrow)]
    pub(super) item: Object<Item<'a>>,
    #[serde(borrow)]
    pub(super) response: Raw<'a>,
    #[serde(borrow)]
    pub(super) error: Raw<'a>,
    /// What tells a response that was not streamed.
    #[serde(borrow)]
    pub(super) object: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) call_id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) arguments: Raw<'a>,
    #[serde(borrow)]
    pub(super) content: List<ContentPart<'a>>,
    #[serde(borrow)]
    pub(super) summary: List<ContentPart<'a>>,
    #[serde(borrow)]
    pub(super) encrypted_content: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct ContentPart<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    #[serde(borrow)]
    pub(super) refusal: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Response<'a> {
    #[serde(borrow)]
    pub(super) status: Text<'a>,
    #[serde(borrow)]
    pub(super) error: Raw<'a>,
    #[serde(borrow)]
    pub(super) incomplete_details: Object<Incomplete<'a>>,
    #[serde(borrow)]
    pub(super) output: List<Item<'a>>,
    #[serde(borrow)]
    pub(super) usage: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Incomplete<'a> {
    #[serde(borrow)]
    pub(super) reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct WireUsage {
    pub(super) input_tokens: Count,
    pub(super) output_tokens: Count,
    pub(super) input_tokens_details: Object<InputDetails>,
    pub(super) output_tokens_details: Object<OutputDetails>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct InputDetails {
    pub(super) cached_tokens: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct OutputDetails {
    pub(super) reasoning_tokens: Count,
}
