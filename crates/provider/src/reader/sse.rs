//! Server-sent events.
//!
//! Follows the WHATWG HTML standard, "Interpreting an event stream", with
//! three liberties: lines and events have a size limit, the end of the stream
//! ends the last event, and a field `error` is an event of that name.

use super::line::PartialLine;
use super::{FrameSink, MAX_BYTES, StreamFrame, TooLong};

/// The longest name of an event that is kept.
const MAX_NAME: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Events {
    line: PartialLine,
    event: PartialEvent,
    /// The last byte was a carriage return: a line feed now belongs to it.
    after_return: bool,
}

/// An event whose end has not arrived.
#[derive(Debug, Default)]
struct PartialEvent {
    /// Its lines of data, each ended by a line feed; empty means that there
    /// was none.
    data: Vec<u8>,
    name: String,
}

impl Events {
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: FrameSink<'_>) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\r', b'\n', bytes) else {
                return self.line.hold(bytes);
            };
            self.after_return = bytes[end] == b'\r';
            let event = &mut self.event;
            self.line
                .end(&bytes[..end], |line| event.line(line, sink))?;
            bytes = &bytes[end + 1..];
        }
        Ok(())
    }

    pub(super) fn end(&mut self, sink: FrameSink<'_>) {
        let event = &mut self.event;
        if self.line.end(&[], |line| event.line(line, sink)).is_ok() {
            self.event.end(sink);
        }
    }
}

impl PartialEvent {
    fn line(&mut self, line: &[u8], sink: FrameSink<'_>) -> Result<(), TooLong> {
        if line.is_empty() {
            self.end(sink);
            return Ok(());
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[..0]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"" => sink(StreamFrame::Heartbeat),
            b"event" => self.call(value),
            b"data" => return self.add(value),
            b"error" => {
                self.call(b"error");
                return self.add(value);
            }
            // `id`, `retry` and unknown fields.
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, name: &[u8]) {
        self.name.clear();
        if name.len() <= MAX_NAME {
            self.name.push_str(&String::from_utf8_lossy(name));
        }
    }

    fn add(&mut self, value: &[u8]) -> Result<(), TooLong> {
        if self.data.len() + value.len() > MAX_BYTES {
            return Err(TooLong);
        }
        self.data.extend_from_slice(value);
        self.data.push(b'\n');
        Ok(())
    }

    fn end(&mut self, sink: FrameSink<'_>) {
        if self.data.pop().is_some() {
            sink(StreamFrame::Message {
                name: &self.name,
                data: &String::from_utf8_lossy(&self.data),
            });
            self.data.clear();
        }
        self.name.clear();
    }
}
