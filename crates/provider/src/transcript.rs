//! What was said so far, whatever the wire format.
//!
//! A format's decoder reports what its server said; the transcript makes the
//! deltas of it, puts tool calls together, finds what models write into their
//! text instead of saying it properly, and knows how the answer ended.

use std::collections::VecDeque;
use std::sync::Arc;

use kaiwa_domain::{Brief, Delta, Finish, ModelError, Thought, ThoughtKind, ToolCall, Usage};
use serde_json::Value;

use crate::answer_decoder::Taking;
use crate::failure::Complaint;
use crate::inband::{InBand, InBandPiece};
use crate::seal::Maker;

pub(crate) use tool_calls::Fragment;
use tool_calls::ToolCalls;

mod tool_calls;

/// The longest thoughts that are kept to be handed back with a signature.
pub(crate) const MAX_SIGNED_BYTES: usize = 1 << 20;

/// One answer, as far as it was heard.
#[derive(Default)]
pub(crate) struct Transcript {
    deltas: VecDeque<Delta>,
    /// Reads the text, unless it is to be taken as it is.
    in_band: Option<InBand>,
    /// Who signs; signatures are bare if nobody knows.
    maker: Option<Maker>,
    /// What it is the answer to.
    sent: Option<Arc<Brief>>,
    calls: ToolCalls,
    usage: Option<Usage>,
    /// The usage in the vendor's words, if somebody wants them.
    vendor_usage: Option<Value>,
    keeps_usage: bool,
    finish: Option<Finish>,
    word: String,
    begun: bool,
    said: bool,
    refused: bool,
    terminated: bool,
    error: Option<Value>,
    failure: Option<ModelError>,
}

impl Transcript {
    /// A transcript of what `maker` says. With tools, thoughts and calls of
    /// them are looked for in the text; else it is left as it is.
    pub(crate) fn new(taking: Taking<'_>) -> Self {
        Self {
            in_band: taking.in_band.map(InBand::new),
            maker: taking.maker,
            keeps_usage: taking.keeps_usage,
            sent: taking.sent,
            ..Self::default()
        }
    }

    // What decoders report.

    pub(crate) fn text(&mut self, text: &str) {
        if text.is_empty() || self.failure.is_some() {
            return;
        }
        self.begun = true;
        match &mut self.in_band {
            None => self.tell(InBandPiece::Text(text.to_owned())),
            Some(in_band) => {
                let said = in_band.push(text);
                said.into_iter().for_each(|said| self.tell(said));
            }
        }
    }

    pub(crate) fn thought(&mut self, kind: ThoughtKind, text: &str) {
        if !text.is_empty() && self.failure.is_none() {
            self.begun = true;
            let text = text.to_owned();
            self.deltas
                .push_back(Delta::Thought(Thought { kind, text }));
        }
    }

    /// Something of the answer has arrived that is told later.
    pub(crate) const fn begin(&mut self) {
        self.begun = true;
    }

    /// The vendor's seal on the thoughts before it.
    pub(crate) fn signature(&mut self, opaque: &str) {
        if self.failure.is_none() {
            self.begun = true;
            let sealed = self.sealed(opaque);
            self.deltas.push_back(Delta::Signature(sealed));
        }
    }

    pub(crate) fn refusal(&mut self, words: &str) {
        if !words.is_empty() && self.failure.is_none() {
            (self.begun, self.said, self.refused) = (true, true, true);
            self.deltas.push_back(Delta::Refusal(words.to_owned()));
        }
    }

    /// A part of a tool call, or the whole of it.
    pub(crate) fn call(&mut self, fragment: Fragment<'_>) {
        if self.failure.is_some() {
            return;
        }
        self.begun = true;
        match self.calls.add(fragment) {
            Ok(piece) => self.deltas.push_back(Delta::ToolPiece(piece)),
            Err(error) => self.failure = Some(error),
        }
    }

    /// The calls that were not [whole](Fragment::whole) were begun in vain:
    /// the server starts its answer anew.
    pub(crate) fn start_anew(&mut self) {
        self.calls.forget_unfinished();
    }

    pub(crate) const fn usage(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// The usage as the vendor wrote it; names that come again are replaced.
    pub(crate) fn vendor_usage(&mut self, usage: impl FnOnce() -> Value) {
        if !self.keeps_usage {
            return;
        }
        match (&mut self.vendor_usage, usage()) {
            (Some(Value::Object(known)), Value::Object(new)) => known.extend(new),
            (known, new) => *known = Some(new),
        }
    }

    pub(crate) fn finish(&mut self, finish: Finish, word: &str) {
        self.begun = true;
        self.finish = Some(finish);
        word.clone_into(&mut self.word);
    }

    /// The server says that its answer failed.
    pub(crate) fn error(&mut self, error: Value) {
        let complaint = Complaint::from_error(&error).about(self.sent.as_deref());
        let failure = complaint.in_stream();
        self.error = Some(error);
        self.fail(failure);
    }

    /// The answer cannot be understood any further.
    pub(crate) fn fail(&mut self, failure: ModelError) {
        self.failure.get_or_insert(failure);
    }

    pub(crate) fn heartbeat(&mut self) {
        self.deltas.push_back(Delta::Heartbeat);
    }

    /// The server gave the sign after which nothing comes.
    pub(crate) const fn terminate(&mut self) {
        self.terminated = true;
    }

    // What listeners ask.

    pub(crate) fn next(&mut self) -> Option<Delta> {
        self.deltas.pop_front()
    }

    /// Whether any part of the answer itself has arrived.
    pub(crate) const fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether text, refusal or a call has arrived.
    pub(crate) fn has_content(&self) -> bool {
        self.said || !self.calls.is_empty()
    }

    pub(crate) const fn is_terminated(&self) -> bool {
        self.terminated
    }

    pub(crate) const fn failure(&self) -> Option<&ModelError> {
        self.failure.as_ref()
    }

    pub(crate) const fn vendor_error(&self) -> Option<&Value> {
        self.error.as_ref()
    }

    pub(crate) const fn vendors_usage(&self) -> Option<&Value> {
        self.vendor_usage.as_ref()
    }

    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    /// The calls as far as they were heard.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.iter()
    }

    /// Nothing more will come, because of `cause`. Some servers just stop
    /// after the last word, so this may be the end of a whole answer.
    pub(crate) fn end(&mut self, cause: ModelError) {
        if let Some(in_band) = &mut self.in_band {
            let said = in_band.end();
            said.into_iter().for_each(|said| self.tell(said));
        }
        if self.failure.is_some() {
            return;
        }
        // Some servers never say why they finished.
        let untold = self.terminated && self.has_content();
        let Some(finish) = self.finish.or(untold.then_some(Finish::Stop)) else {
            self.failure = Some(cause);
            return;
        };
        if let Err(error) = self.calls.complete() {
            self.failure = Some(error);
            return;
        }
        let finish = match finish {
            Finish::Stop if !self.calls.is_empty() => Finish::Tool,
            Finish::Stop if self.refused => Finish::Refused,
            finish => finish,
        };
        let sealed = |call: &ToolCall| ToolCall {
            signature: call.signature.as_deref().map(|opaque| self.sealed(opaque)),
            ..call.clone()
        };
        let calls: Vec<ToolCall> = self.calls.iter().map(sealed).collect();
        self.deltas.extend(calls.into_iter().map(Delta::ToolCall));
        self.deltas.extend(self.usage.map(Delta::Usage));
        self.deltas.push_back(Delta::Finish {
            finish,
            word: self.word.clone(),
        });
    }

    fn sealed(&self, opaque: &str) -> String {
        match &self.maker {
            Some(maker) => maker.seal(opaque),
            None => opaque.to_owned(),
        }
    }

    fn tell(&mut self, said: InBandPiece) {
        match said {
            InBandPiece::Text(text) => {
                self.said = true;
                self.deltas.push_back(Delta::Text(text));
            }
            InBandPiece::Thought(text) => self.thought(ThoughtKind::Raw, &text),
            InBandPiece::Call { name, arguments } => self.call(Fragment {
                name: &name,
                arguments: &arguments,
                whole: true,
                ..Fragment::default()
            }),
        }
    }
}
