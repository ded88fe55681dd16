//! What we sent, found again in what a server says.
//!
//! Servers like to repeat the request that they complain about. What people
//! wrote has no place in a log, and must not pass for the server's own words:
//! who writes "incorrect api key" into a question has not found a bad key.

use std::collections::HashMap;
use std::ops::Range;

use kaiwa_domain::{Brief, Line};
use memchr::memmem;

/// How much of what a server says is looked at, in bytes.
const LOOKED_AT: usize = 8 << 10;

/// How many letters and digits in a row make an echo, in bytes: two or three
/// English words, four Chinese characters. Shorter texts count as a whole.
const LEAST: usize = 12;

/// The shortest text that counts as a whole, in bytes.
const SHORTEST: usize = 4;

/// What stands in place of an echo.
const ECHO: &str = "[…]";

/// What a server says without what it repeats of the question. Only letters
/// and digits are compared, since servers quote and escape the rest.
pub(crate) fn without_echo(said: &str, sent: &Brief) -> String {
    let said = &said[..said.floor_char_boundary(LOOKED_AT)];
    let mut found = EchoSearch::new(said);
    for text in texts(sent) {
        found.look_for(text);
    }
    found.removed(said)
}

/// Everything that people or models wrote.
fn texts(sent: &Brief) -> impl Iterator<Item = &str> {
    let lines = sent.lines.iter().flat_map(|line| {
        let (thoughts, calls) = match line {
            Line::Assistant {
                thoughts, calls, ..
            } => (&thoughts[..], &calls[..]),
            _ => (&[][..], &[][..]),
        };
        let thoughts = thoughts.iter().map(|sealed| sealed.thought.text.as_str());
        let arguments = calls.iter().map(|call| call.arguments.as_str());
        [line.text()].into_iter().chain(thoughts).chain(arguments)
    });
    [sent.system.as_str()].into_iter().chain(lines)
}

/// The letters and digits of a text in lower case.
fn letters(text: &str) -> impl Iterator<Item = (Range<usize>, char)> {
    let letters = text.char_indices().filter(|(_, c)| c.is_alphanumeric());
    letters.flat_map(|(at, c)| {
        let range = at..at + c.len_utf8();
        c.to_lowercase().map(move |lower| (range.clone(), lower))
    })
}

struct EchoSearch {
    /// The letters of what was said, in bytes.
    said: Vec<u8>,
    /// Where each of them stands.
    places: Vec<Range<usize>>,
    is_echo: Vec<bool>,
    /// Where each run of letters stands that was not found yet.
    runs: HashMap<[u8; LEAST], Vec<usize>>,
}

impl EchoSearch {
    fn new(text: &str) -> Self {
        let (mut said, mut places) = (Vec::new(), Vec::new());
        for (range, c) in letters(text) {
            let bytes = c.encode_utf8(&mut [0; 4]).len();
            said.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            places.extend(std::iter::repeat_n(range, bytes));
        }
        let mut runs: HashMap<_, Vec<_>> = HashMap::new();
        for (at, run) in said.array_windows::<LEAST>().enumerate() {
            runs.entry(*run).or_default().push(at);
        }
        Self {
            is_echo: vec![false; said.len()],
            said,
            places,
            runs,
        }
    }

    fn look_for(&mut self, sent: &str) {
        let mut run = [0; LEAST];
        let mut length = 0;
        for (_, c) in letters(sent) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                run.rotate_left(1);
                run[LEAST - 1] = byte;
                length += 1;
                if length >= LEAST
                    && let Some(places) = self.runs.remove(&run)
                {
                    for at in places {
                        self.is_echo[at..at + LEAST].fill(true);
                    }
                }
            }
        }
        if (SHORTEST..LEAST).contains(&length) {
            let whole = &run[LEAST - length..];
            for at in memmem::find_iter(&self.said, whole) {
                self.is_echo[at..at + length].fill(true);
            }
        }
    }

    fn removed(&self, said: &str) -> String {
        let mut left = String::with_capacity(said.len());
        let mut shown = 0;
        let mut at = 0;
        while at < self.said.len() {
            if !self.is_echo[at] {
                at += 1;
                continue;
            }
            let begin = at;
            while self.is_echo.get(at) == Some(&true) {
                at += 1;
            }
            let (first, last) = (&self.places[begin], &self.places[at - 1]);
            left.push_str(&said[shown..first.start.max(shown)]);
            left.push_str(ECHO);
            shown = last.end;
        }
        left.push_str(&said[shown..]);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_not_repeated() {
        fn check(sent: &str, said: &str, expect: &str) {
            let sent = Brief {
                lines: vec![Line::user(sent.to_owned())],
                ..Brief::default()
            };
            assert_eq!(without_echo(said, &sent), expect);
        }
        let long = "Ada: my door code is 4711,\n\"keep\" it safe";
        check(long, "bad input", "bad input");
        check(long, &format!("bad input: {long}"), "bad input: […]");
        // Escaped and cut.
        check(
            long,
            r#"bad input: 'my door code is 4711, \"keep\" it', bye"#,
            "bad input: '[…]', bye",
        );
        check(long, "DOOR CODE IS 4711!", "[…]!");
        // Whatever is not a run is the server's.
        check(long, "my input is bad, door", "my input is bad, door");
        // Short texts as a whole.
        check("Ada: hi", "cannot read 'Ada: hi'", "cannot read '[…]'");
        check("Ada: hi", "Ada is unknown", "Ada is unknown");
        check("hi", "this", "this");
        check(
            "小明：明天我们去公园好吗",
            "无法处理：明天我们去公园",
            "无法处理：[…]",
        );
        check("", "", "");
        check("İİİİİİİİİİİİ", "x İİİİİİİİİİİİ y", "x […] y");
    }

    #[test]
    fn everything_that_was_written_is_looked_for() {
        let mut sent = Brief {
            system: "You are a secret agent.".to_owned(),
            ..Brief::default()
        };
        sent.lines.push(Line::Assistant {
            text: String::new(),
            thoughts: Vec::new(),
            calls: vec![kaiwa_domain::ToolCall {
                id: "1".to_owned(),
                name: "brew".to_owned(),
                arguments: r#"{"tea":"gunpowder green"}"#.to_owned(),
                signature: None,
            }],
        });
        assert_eq!(
            without_echo("a secret agent wants gunpowder green", &sent),
            "[…] wants […]"
        );
        // Work and memory are bounded.
        let said = "word ".repeat(100_000);
        sent.lines = vec![Line::user(said.clone())];
        assert!(without_echo(&said, &sent).len() <= 2 * LOOKED_AT);
    }
}
