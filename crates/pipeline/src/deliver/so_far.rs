//! What an answer looks like before it is complete.

use kaiwa_domain::Outgoing;

use super::Deliverer;

/// How much of the end of a text is looked for in what is shown of it, in
/// characters.
const TAIL_CHARS: usize = 24;

/// How many blanks after a text are kept.
const BLANK_CHARS: usize = 4;

/// What the message that is being written would say if the text ended here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveView {
    /// What it says.
    pub text: String,
    /// How much of the end of that only closes what is open, in bytes.
    pub closing: usize,
    /// The blanks after it, which no message ends with.
    pub blank: String,
    /// Whether it may yet become something else than a message of text: a
    /// table, or a file.
    pub may_vanish: bool,
}

impl Deliverer {
    /// What would be shown if the text ended here, for a message that is edited
    /// in place; of what was given out already, nothing. Nothing changes.
    pub fn so_far(&self) -> Vec<Outgoing> {
        let (mut packer, mut finishing) = (self.spoken.packer.clone(), self.finishing.clone());
        let mut out = Vec::new();
        packer.finish();
        for (packed, _) in packer.ready() {
            finishing.finish(packed, &mut out);
        }
        out
    }

    /// The first message of that, if it is one of text.
    pub fn view(&self) -> Option<LiveView> {
        let Outgoing::Say(text) = self.so_far().into_iter().next()? else {
            return None;
        };
        let packer = &self.spoken.packer;
        let written = packer.pending();
        let blank = &written[written.trim_end().len()..];
        Some(LiveView {
            closing: closing_of(&text, written),
            blank: blank.chars().take(BLANK_CHARS).collect(),
            may_vanish: text.lines().all(|line| line.contains('|'))
                || packer.attaches_code() && text.starts_with("```"),
            text,
        })
    }
}

/// How much of the end of `shown` was put there to close what `written` leaves
/// open.
fn closing_of(shown: &str, written: &str) -> usize {
    let written = written.trim_end();
    let from = written.char_indices().rev().nth(TAIL_CHARS - 1);
    let tail = &written[from.map_or(0, |(at, _)| at)..];
    let added = match shown.rfind(tail) {
        Some(at) if !tail.is_empty() => &shown[at + tail.len()..],
        _ => return 0,
    };
    let closes = |c: char| c.is_whitespace() || "`*_~|".contains(c);
    match added.chars().all(closes) {
        true => added.len(),
        false => 0,
    }
}
