//! From chunks of generated content to what was said.

use kaiwa_domain::{Finish, ModelError, ThoughtKind, Usage};
use serde::Deserialize;

use super::partial::{Leaf, PartialArguments};
use crate::format::{Decoder, Nonsense, object};
use crate::lenient::{Bool, Count, List, Object, Raw, Text};
use crate::transcript::{Fragment, Transcript};

/// Reads one answer.
#[derive(Default)]
pub(crate) struct GeminiDecoder {
    /// Calls so far.
    begun: u64,
    /// The arguments of the last call, while they come leaf by leaf.
    partial: Option<PartialArguments>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct GeminiChunk<'a> {
    #[serde(borrow)]
    candidates: List<GeminiCandidate<'a>>,
    #[serde(borrow)]
    prompt_feedback: Object<Feedback<'a>>,
    #[serde(borrow)]
    usage_metadata: Raw<'a>,
    #[serde(borrow)]
    model_version: Raw<'a>,
    #[serde(borrow)]
    error: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct GeminiCandidate<'a> {
    index: Count,
    #[serde(borrow)]
    content: Object<GeminiContent<'a>>,
    #[serde(borrow)]
    finish_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GeminiContent<'a> {
    #[serde(borrow)]
    parts: List<GeminiPart<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct GeminiPart<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    thought: Bool,
    #[serde(borrow)]
    thought_signature: Text<'a>,
    #[serde(borrow)]
    function_call: Object<FunctionCall<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct FunctionCall<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    args: Raw<'a>,
    #[serde(borrow)]
    partial_args: List<Leaf<'a>>,
    will_continue: Bool,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Feedback<'a> {
    #[serde(borrow)]
    block_reason: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct WireUsage {
    prompt_token_count: Count,
    cached_content_token_count: Count,
    candidates_token_count: Count,
    thoughts_token_count: Count,
    tool_use_prompt_token_count: Count,
}

impl Decoder for GeminiDecoder {
    fn message(
        &mut self,
        _name: &str,
        data: &str,
        transcript: &mut Transcript,
    ) -> Result<(), Nonsense> {
        let chunk: GeminiChunk<'_> = object(data)?;
        if let Some(usage) = chunk.usage_metadata.some() {
            self::usage(usage, transcript);
        }
        for candidate in &chunk.candidates.0 {
            if candidate.index.or_zero() == 0 {
                self.candidate(candidate, transcript);
            }
        }
        let feedback = chunk.prompt_feedback.0.as_ref();
        if let Some(reason) = feedback.and_then(|feedback| feedback.block_reason.some()) {
            transcript.finish(Finish::Refused, &format!("PROMPT_BLOCKED:{reason}"));
        }
        if let Some(error) = chunk.error.some() {
            transcript.error(serde_json::from_str(error).unwrap_or_default());
        }
        let known = !chunk.candidates.0.is_empty()
            || feedback.is_some()
            || chunk.error.some().is_some()
            || chunk.usage_metadata.some().is_some()
            || chunk.model_version.some().is_some();
        match known {
            true => Ok(()),
            false => Err(Nonsense),
        }
    }
}

impl GeminiDecoder {
    fn candidate(&mut self, candidate: &GeminiCandidate<'_>, transcript: &mut Transcript) {
        let parts = candidate.content.0.as_ref().map(|content| &content.parts.0);
        for part in parts.into_iter().flatten() {
            match part.thought.0 {
                true => transcript.thought(ThoughtKind::Summary, part.text.as_str()),
                false => transcript.text(part.text.as_str()),
            }
            let signature = part.thought_signature.as_str();
            match &part.function_call.0 {
                Some(call) => self.call(call, signature, transcript),
                None if signature.is_empty() => {}
                None => transcript.signature(signature),
            }
        }
        if let Some(reason) = candidate.finish_reason.some() {
            self.close(transcript);
            finish(reason, transcript);
            transcript.terminate();
        }
    }

    /// A call, or more of the last one: those have no name.
    fn call(&mut self, call: &FunctionCall<'_>, signature: &str, transcript: &mut Transcript) {
        if let Some(name) = call.name.some() {
            self.close(transcript);
            self.begun += 1;
            let goes_on = call.will_continue.0 || !call.partial_args.0.is_empty();
            let whole = call.args.arguments();
            transcript.call(Fragment {
                index: Some(self.begun),
                id: call.id.as_str(),
                name,
                arguments: match goes_on {
                    true => "",
                    false => whole.as_deref().unwrap_or("{}"),
                },
                signature,
                whole: !goes_on,
            });
            self.partial = goes_on.then(PartialArguments::default);
        }
        let Some(partial) = &mut self.partial else {
            return;
        };
        for leaf in &call.partial_args.0 {
            partial.add(leaf);
        }
        if !call.will_continue.0 {
            self.close(transcript);
        }
    }

    /// The arguments that came leaf by leaf are whole.
    fn close(&mut self, transcript: &mut Transcript) {
        if let Some(partial) = self.partial.take() {
            transcript.call(Fragment {
                index: Some(self.begun),
                arguments: &partial.into_json(),
                whole: true,
                ..Fragment::default()
            });
        }
    }
}

fn usage(json: &str, transcript: &mut Transcript) {
    let Ok(usage) = object::<WireUsage>(json) else {
        return;
    };
    // Chunks on the way may count nothing yet.
    if usage.prompt_token_count.0.is_none() && usage.candidates_token_count.0.is_none() {
        return;
    }
    let thinking = usage.thoughts_token_count.or_zero();
    let searched = usage.tool_use_prompt_token_count.or_zero();
    transcript.usage(Usage {
        input: usage.prompt_token_count.or_zero().saturating_add(searched),
        cached: usage.cached_content_token_count.or_zero(),
        output: usage
            .candidates_token_count
            .or_zero()
            .saturating_add(thinking),
        thinking,
    });
    transcript.vendor_usage(|| serde_json::from_str(json).unwrap_or_default());
}

fn finish(reason: &str, transcript: &mut Transcript) {
    let finish = match reason {
        "MAX_TOKENS" => Finish::Length,
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => Finish::Refused,
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" => {
            transcript.fail(ModelError::Cut {
                reason: format!("the model failed to call a tool ({reason})"),
            });
            Finish::Stop
        }
        // "STOP", "OTHER", and what is yet to be invented.
        _ => Finish::Stop,
    };
    transcript.finish(finish, reason);
}
