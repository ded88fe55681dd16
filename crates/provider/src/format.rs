//! The wire formats: what is sent, and how the answer is read.

use std::collections::VecDeque;

use kaiwa_domain::{Delta, ModelError};

pub(crate) mod openai_chat;

/// Reads one answer in one wire format. Pure: bytes, sockets and timeouts are
/// the [exchange](crate::exchange)'s.
pub(crate) trait Decoder: Send {
    /// Reads the data of one event of a stream.
    fn event(&mut self, data: &str, deltas: &mut VecDeque<Delta>) -> Result<Progress, ModelError>;

    /// Reads an answer that came whole instead of streamed.
    fn whole(&mut self, body: &[u8], deltas: &mut VecDeque<Delta>) -> Result<(), ModelError>;

    /// Nothing more will come, because of `cause`. Some servers just stop
    /// after the last word, so this may be the end of a whole answer.
    fn end(&mut self, cause: ModelError, deltas: &mut VecDeque<Delta>) -> Result<(), ModelError>;
}

/// What an event brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// Nothing of the answer itself.
    Nothing,
    /// A part of the answer, though perhaps no delta yet.
    Something,
    /// The end: the deltas given are the last.
    Over,
}
