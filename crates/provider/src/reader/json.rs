//! JSON, one value per line or one after the other.

use super::line::PartialLine;
use super::{BYTE_ORDER_MARK, FrameSink, MAX_BYTES, StreamFrame, TooLong};

/// Lines of JSON.
#[derive(Debug, Default)]
pub(crate) struct JsonLines {
    line: PartialLine,
}

impl JsonLines {
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: FrameSink<'_>) -> Result<(), TooLong> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.line.end(&bytes[..end], |line| take(line, sink))?;
            bytes = &bytes[end + 1..];
        }
        self.line.hold(bytes)
    }

    pub(super) fn end(&mut self, sink: FrameSink<'_>) {
        // Held lines are short enough.
        let _ = self.line.end(&[], |line| take(line, sink));
    }
}

fn take(line: &[u8], sink: FrameSink<'_>) -> Result<(), TooLong> {
    // Proxies have been seen to dress lines up as events.
    let line = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii();
    if !line.is_empty() {
        sink(StreamFrame::Message {
            name: "",
            data: &String::from_utf8_lossy(line),
        });
    }
    Ok(())
}

/// JSON objects one after the other, or as the elements of a list.
#[derive(Debug)]
pub(crate) struct Values {
    /// An object whose end has not arrived.
    value: Vec<u8>,
    balance: Balance,
    /// Between objects stands something else.
    garbage: bool,
}

impl Values {
    pub(super) const fn new() -> Self {
        Self {
            value: Vec::new(),
            balance: Balance::new(),
            garbage: false,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8], sink: FrameSink<'_>) -> Result<(), TooLong> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.balance.is_open() {
                let end = rest.iter().position(|byte| self.balance.closes(*byte));
                let (part, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
                if self.value.len() + part.len() > MAX_BYTES {
                    return Err(TooLong);
                }
                self.value.extend_from_slice(part);
                if end.is_some() {
                    sink(StreamFrame::Message {
                        name: "",
                        data: &String::from_utf8_lossy(&self.value),
                    });
                    self.value.clear();
                }
                rest = after;
            } else {
                match rest[0] {
                    b'{' => {
                        self.value.push(b'{');
                        self.balance = Balance::new();
                        self.balance.closes(b'{');
                        self.garbage = false;
                    }
                    b'[' | b']' | b',' => {}
                    byte if byte.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(&byte) => {}
                    // A run of it is told once.
                    _ if self.garbage => {}
                    _ => {
                        self.garbage = true;
                        sink(StreamFrame::Garbage);
                    }
                }
                rest = &rest[1..];
            }
        }
        Ok(())
    }

    pub(super) fn end(&mut self, sink: FrameSink<'_>) {
        if self.balance.is_open() {
            sink(StreamFrame::Garbage);
        }
    }
}

/// Finds the end of a JSON object or list without reading it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Balance {
    depth: u32,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Balance {
    pub(crate) const fn new() -> Self {
        Self {
            depth: 0,
            in_string: false,
            escaped: false,
            closed: false,
        }
    }

    /// Whether something was opened that is not closed.
    pub(crate) const fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Whether a whole object or list has passed and nothing is open.
    pub(crate) const fn is_closed(&self) -> bool {
        self.closed && self.depth == 0
    }

    /// Takes the next byte; whether it closes what was opened first.
    pub(crate) const fn closes(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                self.closed = self.depth == 0;
                return self.closed;
            }
            _ => {}
        }
        false
    }
}
