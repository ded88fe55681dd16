//! Server-sent events.
//!
//! Follows the WHATWG HTML standard, "Interpreting an event stream", with
//! three liberties: lines and events have a size limit, the end of the stream
//! ends the last event, and a field `error` is an event of that name.

use super::{BYTE_ORDER_MARK, Frame, MAX_BYTES, Sink, TooLong};

/// The longest name of an event that is kept.
const MAX_NAME: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Events {
    /// A line whose end has not arrived.
    line: Vec<u8>,
    /// The lines of data of an event whose end has not arrived, each ended by
    /// a line feed; empty means that there was none.
    data: Vec<u8>,
    /// The name of that event.
    name: String,
    /// The last byte was a carriage return: a line feed now belongs to it.
    after_return: bool,
    /// A line has ended, so no byte order mark can come any more.
    begun: bool,
}

impl Events {
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: Sink<'_>) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\r', b'\n', bytes) else {
                return self.hold(bytes);
            };
            self.after_return = bytes[end] == b'\r';
            if self.line.is_empty() {
                self.end_line(&bytes[..end], sink)?;
            } else {
                self.hold(&bytes[..end])?;
                let mut line = std::mem::take(&mut self.line);
                self.end_line(&line, sink)?;
                line.clear();
                self.line = line;
            }
            bytes = &bytes[end + 1..];
        }
        Ok(())
    }

    pub(super) fn end(&mut self, sink: Sink<'_>) {
        let line = std::mem::take(&mut self.line);
        if self.end_line(&line, sink).is_ok() {
            self.end_event(sink);
        }
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + bytes.len() > MAX_BYTES {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, line: &[u8], sink: Sink<'_>) -> Result<(), TooLong> {
        if line.len() > MAX_BYTES {
            return Err(TooLong);
        }
        let line = match std::mem::replace(&mut self.begun, true) {
            false => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            true => line,
        };
        if line.is_empty() {
            self.end_event(sink);
            return Ok(());
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[..0]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"" => sink(Frame::Heartbeat),
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

    fn end_event(&mut self, sink: Sink<'_>) {
        if self.data.pop().is_some() {
            sink(Frame::Message {
                name: &self.name,
                data: &String::from_utf8_lossy(&self.data),
            });
            self.data.clear();
        }
        self.name.clear();
    }
}
