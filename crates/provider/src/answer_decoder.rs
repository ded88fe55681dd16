//! From the bytes of an answer to its deltas. Pure: no sockets, no clocks.

use std::sync::Arc;

use kaiwa_domain::{Brief, Delta, ModelError, Tool};
use metrics::counter;

use crate::format::{Decoder, Format, Nonsense};
use crate::reader::{FrameReader, StreamFrame, TooLong};
use crate::seal::Maker;
use crate::transcript::Transcript;

/// How many frames in a row may be nonsense before the stream is given up.
/// A little of it is forgiven; a server that sends nothing else must not keep
/// us listening.
const MAX_NONSENSE: u32 = 32;

/// One answer that is being listened to.
pub(crate) struct AnswerDecoder {
    reader: FrameReader,
    listener: Listener,
}

/// What takes the frames.
struct Listener {
    format: Format,
    decoder: Box<dyn Decoder>,
    transcript: Transcript,
    /// Frames that nobody understood, in all and in a row.
    nonsense: u32,
    in_a_row: u32,
}

/// How an answer is taken; by default as it is.
#[derive(Default)]
pub(crate) struct Taking<'a> {
    /// Thoughts and calls of these tools are looked for in the text.
    pub(crate) in_band: Option<&'a [Tool]>,
    /// Who signs what it wants back.
    pub(crate) maker: Option<Maker>,
    /// Thoughts are wanted back though they are not signed.
    pub(crate) keeps_thoughts: bool,
    /// The usage is wanted in the vendor's words too.
    pub(crate) keeps_usage: bool,
    /// What it is the answer to, which errors may repeat.
    pub(crate) sent: Option<Arc<Brief>>,
}

impl AnswerDecoder {
    pub(crate) fn new(format: Format, taking: Taking<'_>) -> Self {
        Self {
            reader: FrameReader::new(format.framing()),
            listener: Listener {
                format,
                decoder: format.decoder(taking.keeps_thoughts),
                transcript: Transcript::new(taking),
                nonsense: 0,
                in_a_row: 0,
            },
        }
    }

    /// Hears the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let listener = &mut self.listener;
        let read = self.reader.push(bytes, &mut |frame| listener.take(frame));
        if let Err(TooLong) = read {
            let error = garbled("it sent an event of more than 4 MiB");
            self.listener.transcript.fail(error);
        }
    }

    /// No more bytes will come, because of `cause`.
    pub(crate) fn end(&mut self, cause: ModelError) {
        let listener = &mut self.listener;
        self.reader.end(&mut |frame| listener.take(frame));
        listener.decoder.end(&mut listener.transcript);
        let cut_short = matches!(cause, ModelError::Cut { .. });
        let cause = match cut_short && !listener.transcript.has_begun() {
            true if listener.nonsense > 0 => garbled("it sent something else"),
            true if self.reader.reads_document() => garbled("the body holds no answer"),
            _ => cause,
        };
        listener.transcript.end(cause);
    }

    /// The next delta that is ready.
    pub(crate) fn next(&mut self) -> Option<Delta> {
        self.listener.transcript.next()
    }

    /// Whether nothing that may still come matters.
    pub(crate) const fn is_over(&self) -> bool {
        self.listener.transcript.failure().is_some() || self.listener.has_ended()
    }

    pub(crate) const fn transcript(&self) -> &Transcript {
        &self.listener.transcript
    }

    /// How many frames nobody understood.
    pub(crate) const fn nonsense(&self) -> u32 {
        self.listener.nonsense
    }
}

impl Listener {
    /// Whether the server has said its last word.
    const fn has_ended(&self) -> bool {
        self.format.ends_itself() && self.transcript.is_terminated()
    }

    fn take(&mut self, frame: StreamFrame<'_>) {
        if self.has_ended() {
            return;
        }
        let understood = match frame {
            StreamFrame::Heartbeat => return self.transcript.heartbeat(),
            StreamFrame::Message { name, data } => {
                self.decoder.message(name, data, &mut self.transcript)
            }
            StreamFrame::Garbage => Err(Nonsense),
        };
        match understood {
            Ok(()) => self.in_a_row = 0,
            Err(Nonsense) => {
                counter!("provider_nonsense_total").increment(1);
                self.nonsense = self.nonsense.saturating_add(1);
                self.in_a_row += 1;
                if self.in_a_row == MAX_NONSENSE {
                    self.transcript.fail(garbled("it sends something else"));
                }
            }
        }
    }
}

fn garbled(reason: &str) -> ModelError {
    ModelError::Garbled {
        reason: reason.to_owned(),
    }
}
