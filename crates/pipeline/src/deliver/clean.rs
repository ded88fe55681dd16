//! What a model adds that nobody wants to read.
//!
//! Two parts work on the stream, after `capture`, so that
//! nothing is shown that must be taken back: [`Prefill`], then `Voice`.
//! [`clean`] works on a segment that is about to be shown: emoji and mentions
//! become what Discord shows as such.

mod emoji;
mod label;
mod mention;
mod prefill;
mod voice;

pub use emoji::{Emoji, EmojiBook, RecentEmoji};
pub use mention::Roster;
pub use prefill::Prefill;
pub(super) use voice::Voice;

use std::ops::Range;

use super::edit::{Edited, Editor};
use super::explain::Lineage;
use super::scan::{Lexeme, lexemes};
use super::settings::Vocabulary;
use emoji::Emojis;

/// What is taken out may leave behind what must be cleaned in turn, but only
/// in contrived texts so often; more would take too long.
const PASSES: usize = 32;

/// Cleans a segment. Code, addresses and table rows are left alone, and so is
/// what is clean already.
pub fn clean(segment: &str, vocabulary: &Vocabulary) -> Edited {
    let mut edited = clean_once(segment, vocabulary);
    if edited.changes.is_empty() {
        return edited;
    }
    for _ in 1..PASSES {
        let again = clean_once(&edited.text, vocabulary);
        if again.changes.is_empty() {
            break;
        }
        let mut lineage = Lineage::written(0, segment);
        lineage.apply(&edited.changes);
        lineage.apply(&again.changes);
        edited.changes = lineage.into_changes().collect();
        edited.text = again.text;
    }
    edited
}

fn clean_once(segment: &str, vocabulary: &Vocabulary) -> Edited {
    let tokens: Vec<Lexeme> = lexemes(segment).collect();
    let emojis = Emojis::new(segment, &tokens, vocabulary);
    let mut editor = Editor::new(segment);
    let fenced = fenced_lines(segment);
    let is_fenced = |at: usize| {
        let line = fenced.partition_point(|line| line.end <= at);
        fenced.get(line).is_some_and(|line| line.contains(&at))
    };
    let plain = |run: Range<usize>, editor: &mut Editor<'_>| {
        let mut from = run.start;
        while let Some(at) = segment[from..run.end].find(['@', '<']) {
            let at = from + at;
            from = match segment.as_bytes()[at] {
                _ if is_fenced(at) => at + 1,
                b'@' => mention::edit(segment, at..run.end, &vocabulary.people, editor),
                _ => emojis.edit_half(at, editor),
            };
            if from >= run.end {
                break;
            }
        }
    };
    let mut run = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let last = at + 1 == tokens.len();
        if token.kind.is_verbatim() {
            plain(run..token.start, &mut editor);
            if !is_fenced(token.start) {
                emojis.edit(&tokens, at, &mut editor);
            }
            run = token.end.max(editor.position());
        } else if last {
            plain(run.min(token.end)..token.end, &mut editor);
        }
    }
    editor.finish()
}

/// The lines with a run of backticks or tildes that may open code. A change
/// there could make code of what follows, or the other way round.
fn fenced_lines(segment: &str) -> Vec<Range<usize>> {
    let ends = segment.match_indices('\n').map(|(at, _)| at + 1);
    let ends = ends.chain([segment.len()]);
    let lines = ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end));
    let is_fenced = |line: &Range<usize>| {
        let line = &segment[line.clone()];
        line.contains("```") || line.contains("~~~")
    };
    lines.filter(is_fenced).collect()
}

#[cfg(test)]
mod tests;
