//! Server-sent events, read from bytes that may be cut anywhere.
//!
//! Follows the WHATWG HTML standard, "Interpreting an event stream", with two
//! liberties: lines and events have a size limit, and of an event's fields
//! only `data` is kept, because every format repeats the rest inside it.

use std::collections::VecDeque;

/// The longest line and the longest event, in bytes.
pub(crate) const MAX_BYTES: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line or an event exceeds [`MAX_BYTES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLong;

/// Turns bytes into the data of events.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// A line whose end has not arrived.
    line: Vec<u8>,
    /// The lines of data of an event whose end has not arrived, each ended by
    /// a line feed; empty means that there was none.
    data: Vec<u8>,
    /// The last byte was a carriage return: a line feed now belongs to it.
    after_return: bool,
    /// A line has ended, so no byte order mark can come any more.
    begun: bool,
}

impl Reader {
    /// Reads on, and adds the data of every event that is complete. After an
    /// error the stream cannot be understood any further.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        events: &mut VecDeque<String>,
    ) -> Result<(), TooLong> {
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
                self.end_line(&bytes[..end], events)?;
            } else {
                self.hold(&bytes[..end])?;
                let mut line = std::mem::take(&mut self.line);
                self.end_line(&line, events)?;
                line.clear();
                self.line = line;
            }
            bytes = &bytes[end + 1..];
        }
        Ok(())
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + bytes.len() > MAX_BYTES {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, line: &[u8], events: &mut VecDeque<String>) -> Result<(), TooLong> {
        if line.len() > MAX_BYTES {
            return Err(TooLong);
        }
        let line = match std::mem::replace(&mut self.begun, true) {
            false => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            true => line,
        };
        if line.is_empty() {
            self.end_event(events);
            return Ok(());
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[..0]),
        };
        // Comments (no field name), `event`, `id`, `retry` and unknown fields
        // end here.
        if field == b"data" {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            if self.data.len() + value.len() > MAX_BYTES {
                return Err(TooLong);
            }
            self.data.extend_from_slice(value);
            self.data.push(b'\n');
        }
        Ok(())
    }

    fn end_event(&mut self, events: &mut VecDeque<String>) {
        if self.data.pop().is_some() {
            events.push_back(String::from_utf8_lossy(&self.data).into_owned());
            self.data.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<String>, TooLong> {
        let mut reader = Reader::default();
        let mut events = VecDeque::new();
        for piece in pieces {
            reader.push(piece, &mut events)?;
        }
        Ok(events.into())
    }

    #[test]
    fn follows_the_standard() {
        fn check(stream: &str, expect: &[&str]) {
            assert_eq!(read([stream.as_bytes()]).unwrap(), expect, "{stream:?}");
        }
        check("", &[]);
        check("data: a\n\n", &["a"]);
        check("data:a\n\n", &["a"]);
        check("data:  a \n\n", &[" a "]);
        check("data: a: b\n\n", &["a: b"]);
        check("data: a\r\rdata: b\r\n\r\ndata: c\n\r\n", &["a", "b", "c"]);
        check("data: a\ndata: b\n\n", &["a\nb"]);
        check("data: a\r\ndata: b\r\n\r\n", &["a\nb"]);
        check("data: a\n\rdata: b\n\n", &["a", "b"]);
        check("data: a\ndata\ndata:\n\n", &["a\n\n"]);
        check("data\n\n", &[""]);
        check("data:\n\ndata: \n\n", &["", ""]);
        check("\n\n\ndata: a\n\n\n\n", &["a"]);
        check(": ping\n\n:\n\ndata: a\n: ping\ndata: b\n\n", &["a\nb"]);
        check("event: x\nid: 7\nretry: 5\ndata: a\nother\n: c\n\n", &["a"]);
        check("event: only\n\n", &[]);
        check("Data: a\n data: b\ndata : c\n\n", &[]);
        check("\u{feff}data: a\n\n", &["a"]);
        check("\u{feff}\u{feff}data: a\n\n", &[]);
        check("data: a\n\n\u{feff}data: b\n\n", &["a"]);
        check("data: unfinished\n", &[]);
        check("data: unfinished", &[]);
        check("data: 会話 🍵\n\n", &["会話 🍵"]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        assert_eq!(
            read([b"data: a\xff\n\n".as_slice()]).unwrap(),
            ["a\u{fffd}"]
        );
    }

    #[test]
    fn sizes_are_limited() {
        fn check(stream: &[u8], expect: Result<usize, TooLong>) {
            let whole = read([stream]).map(|events| events.len());
            assert_eq!(whole, expect);
            let pieces = read(stream.chunks(4099)).map(|events| events.len());
            assert_eq!(pieces, expect);
        }
        let line = |length: usize| [b"data: ".as_slice(), &vec![b'x'; length - 6]].concat();
        let end = b"\n\n".as_slice();
        check(&[&line(MAX_BYTES), end].concat(), Ok(1));
        check(&[&line(MAX_BYTES + 1), end].concat(), Err(TooLong));
        check(&line(MAX_BYTES + 1), Err(TooLong));
        check(&[&b":".repeat(MAX_BYTES + 1), end].concat(), Err(TooLong));
        check(&b"data: half\n".repeat(MAX_BYTES / 4), Err(TooLong));
        check(&b"data: whole\n\n".repeat(MAX_BYTES / 8), Ok(MAX_BYTES / 8));
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "\u{feff}", "data", "data:", "data: ", "event: e", ":", " ", "\r", "\n", "\r\n",
                    "\n\n", "会", "🍵", "x", "[DONE]",
                ]),
                0..60,
            ),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let stream = parts.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let pieces = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]);
            let whole = read([stream.as_slice()]);
            prop_assert_eq!(&read(pieces), &whole);
            prop_assert_eq!(&read(stream.chunks(1)), &whole);
        }
    }
}
