//! From bytes that may be cut anywhere to the frames of a stream.
//!
//! A format speaks in server-sent events or in lines of JSON. A server that
//! should send events may send one JSON document instead: a failure under the
//! status 200, an answer that was not streamed, or Gemini's list of chunks.
//! No line of an event stream that means anything begins like one, so the
//! first byte tells them apart.

mod line;
mod json;
mod sse;

pub(crate) use json::Balance;

/// The longest line, event or JSON value, in bytes.
pub(crate) const MAX_BYTES: usize = 4 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How much white space may precede a document.
const MAX_LEAD: usize = 1 << 10;

/// What a format speaks in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// One JSON value per line.
    Lines,
}

/// One frame of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StreamFrame<'a> {
    /// A message.
    Message {
        /// The event's name; empty if it has none.
        name: &'a str,
        /// What it says.
        data: &'a str,
    },
    /// A sign of life without a message.
    Heartbeat,
    /// Something that no frame looks like.
    Garbage,
}

/// Where frames go.
pub(crate) type FrameSink<'a> = &'a mut dyn FnMut(StreamFrame<'_>);

/// Something exceeds [`MAX_BYTES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLong;

/// Turns bytes into frames.
#[derive(Debug)]
pub(crate) enum FrameReader {
    /// The first bytes, as long as they do not tell what follows.
    Unknown(Vec<u8>),
    Events(sse::Events),
    Lines(json::JsonLines),
    Values(json::Values),
}

impl FrameReader {
    pub(crate) fn new(framing: Framing) -> Self {
        match framing {
            Framing::Events => Self::Unknown(Vec::new()),
            Framing::Lines => Self::Lines(json::JsonLines::default()),
        }
    }

    /// Whether the stream turned out to be a JSON document.
    pub(crate) const fn reads_document(&self) -> bool {
        matches!(self, Self::Values(_))
    }

    /// Reads on, and gives every frame that is complete. After an error the
    /// stream cannot be understood any further.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: FrameSink<'_>) -> Result<(), TooLong> {
        match self {
            Self::Events(events) => events.push(bytes, sink),
            Self::Lines(lines) => lines.push(bytes, sink),
            Self::Values(values) => values.push(bytes, sink),
            Self::Unknown(held) => {
                let (lead, rest) = bytes.split_at(bytes.len().min(MAX_LEAD - held.len()));
                held.extend_from_slice(lead);
                let Some(mut reader) = Self::told_by(held) else {
                    return Ok(());
                };
                reader.push(held, sink)?;
                *self = reader;
                self.push(rest, sink)
            }
        }
    }

    /// Nothing more will come. An event without its closing blank line is
    /// still given: each message is JSON, which shows whether it is whole.
    pub(crate) fn end(&mut self, sink: FrameSink<'_>) {
        match self {
            Self::Unknown(_) => {}
            Self::Events(events) => events.end(sink),
            Self::Lines(lines) => lines.end(sink),
            Self::Values(values) => values.end(sink),
        }
    }

    /// The reader for a stream that begins like this, if that is clear.
    fn told_by(start: &[u8]) -> Option<Self> {
        let begun = match start.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(start)
        {
            true => return None,
            false => start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start),
        };
        // White space may precede a document, and means little to events.
        match begun.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{' | b'[') => Some(Self::Values(json::Values::new())),
            None if start.len() < MAX_LEAD => None,
            _ => Some(Self::Events(sse::Events::default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<'a>(
        framing: Framing,
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Vec<String>, TooLong> {
        let mut reader = FrameReader::new(framing);
        let mut frames = Vec::new();
        let mut sink = |frame: StreamFrame<'_>| {
            frames.push(match frame {
                StreamFrame::Message { name: "", data } => data.to_owned(),
                StreamFrame::Message { name, data } => format!("{name}={data}"),
                StreamFrame::Heartbeat => "(alive)".to_owned(),
                StreamFrame::Garbage => "(garbage)".to_owned(),
            });
        };
        for piece in pieces {
            reader.push(piece, &mut sink)?;
        }
        reader.end(&mut sink);
        Ok(frames)
    }

    fn check(framing: Framing, stream: &str, expect: &[&str]) {
        let stream = stream.as_bytes();
        assert_eq!(read(framing, [stream]).unwrap(), expect, "{stream:?}");
        let bytes = read(framing, stream.chunks(1)).unwrap();
        assert_eq!(bytes, expect, "{stream:?} byte by byte");
    }

    #[test]
    fn events_follow_the_standard() {
        let check = |stream: &str, expect: &[&str]| check(Framing::Events, stream, expect);
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
        check(
            ": ping\n\n:\n\ndata: a\n: ping\ndata: b\n\n",
            &["(alive)", "(alive)", "(alive)", "a\nb"],
        );
        check("event: x\nid: 7\nretry: 5\ndata: a\nother\n\n", &["x=a"]);
        check("event: x\nevent: y\ndata: a\n\ndata: b\n\n", &["y=a", "b"]);
        check("event: only\n\ndata: a\n\n", &["a"]);
        check("Data: a\n data: b\ndata : c\n\n", &[]);
        check("\u{feff}data: a\n\n", &["a"]);
        check("\u{feff}\u{feff}data: a\n\n", &[]);
        check("data: a\n\n\u{feff}data: b\n\n", &["a"]);
        check("data: 会話 🍵\n\n", &["会話 🍵"]);
        // Beyond the standard: the end of the stream ends the last event, and
        // llama.cpp names its errors in the field.
        check("data: a\n", &["a"]);
        check("data: a\n\ndata: b", &["a", "b"]);
        check("error: {}\n\n", &["error={}"]);
    }

    #[test]
    fn lines_hold_one_value_each() {
        let check = |stream: &str, expect: &[&str]| check(Framing::Lines, stream, expect);
        check("", &[]);
        check(
            "{\"a\":1}\n{\"b\":2}\r\n\n \n{\"c\":3}",
            &["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"],
        );
        check("\u{feff}{}\n", &["{}"]);
        // What is no JSON is the decoder's to find out.
        check("oops\n{}\n", &["oops", "{}"]);
        check("data: {}\n\n", &["{}"]);
    }

    #[test]
    fn documents_are_read_value_by_value() {
        let check = |stream: &str, expect: &[&str]| check(Framing::Events, stream, expect);
        check("{\n \"a\": \"}\\\"{\" }\n", &["{\n \"a\": \"}\\\"{\" }"]);
        check(
            " [{\"a\":[1]},\n{\"b\":{}}\n]\n",
            &["{\"a\":[1]}", "{\"b\":{}}"],
        );
        check("\u{feff}\n{}{}", &["{}", "{}"]);
        check("[{\"a\":1},{\"cut", &["{\"a\":1}", "(garbage)"]);
        check("[]", &[]);
        check("[1, 2]\n{}", &["(garbage)", "{}"]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        let read = |framing, bytes: &[u8]| read(framing, [bytes]).unwrap();
        assert_eq!(read(Framing::Events, b"data: a\xff\n\n"), ["a\u{fffd}"]);
        assert_eq!(read(Framing::Lines, b"{\"\xff\"}\n"), ["{\"\u{fffd}\"}"]);
    }

    #[test]
    fn sizes_are_limited() {
        fn check(framing: Framing, stream: &[u8], expect: Result<usize, TooLong>) {
            let whole = read(framing, [stream]).map(|events| events.len());
            assert_eq!(whole, expect);
            let pieces = read(framing, stream.chunks(65_537)).map(|events| events.len());
            assert_eq!(pieces, expect);
        }
        let line = |length: usize| [b"data: ".as_slice(), &vec![b'x'; length - 6]].concat();
        let end = b"\n\n".as_slice();
        let events = |stream: &[u8], expect| check(Framing::Events, stream, expect);
        events(&[&line(MAX_BYTES), end].concat(), Ok(1));
        events(&[&line(MAX_BYTES + 1), end].concat(), Err(TooLong));
        events(&line(MAX_BYTES + 1), Err(TooLong));
        events(&[&b":".repeat(MAX_BYTES + 1), end].concat(), Err(TooLong));
        events(&b"data: half\n".repeat(MAX_BYTES / 4), Err(TooLong));
        events(&b"data: whole\n\n".repeat(MAX_BYTES / 8), Ok(MAX_BYTES / 8));
        events(&vec![b'{'; MAX_BYTES + 1], Err(TooLong));
        events(&vec![b'\n'; MAX_BYTES + 1], Ok(0));
        check(Framing::Lines, &vec![b'x'; MAX_BYTES + 1], Err(TooLong));
        check(
            Framing::Lines,
            &[&vec![b'x'; MAX_BYTES], end].concat(),
            Ok(1),
        );
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "\u{feff}", "data", "data:", "data: ", "event: e", ":", " ", "\r", "\n", "\r\n",
                    "\n\n", "会", "🍵", "x", "[DONE]", "{", "}", "[", "]", "\"", "\\", ",",
                ]),
                0..60,
            ),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
            framing in prop::sample::select(vec![Framing::Events, Framing::Lines]),
        ) {
            let stream = parts.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let pieces = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]);
            let whole = read(framing, [stream.as_slice()]);
            prop_assert_eq!(&read(framing, pieces), &whole);
            prop_assert_eq!(&read(framing, stream.chunks(1)), &whole);
        }
    }
}
