//! What a model adds that nobody wants to read.
//!
//! Two parts work on the stream, after [`capture`](super::capture), so that
//! nothing is shown that must be taken back: [`Prefill`], then [`Voice`].
//! [`clean`] works on a segment that is about to be shown: emoji and mentions
//! become what Discord shows as such. Every change has a name and can be
//! switched off.

mod emoji;
mod label;
mod mention;
mod prefill;
mod voice;

pub use emoji::{Emoji, EmojiBook, RecentEmoji};
pub use mention::{Resolver, Roster};
pub use prefill::Prefill;
pub use voice::Voice;

use std::fmt;

use super::edit::{Edited, Editor, Rules};
use super::scan::{Token, tokens};
use emoji::Emojis;

/// What the names in an answer stand for.
#[derive(Clone, Copy)]
pub struct Glossary<'a> {
    /// The emoji that may be used.
    pub emoji: &'a EmojiBook,
    /// The emoji that were used lately.
    pub recent: &'a RecentEmoji,
    /// The people that may be mentioned.
    pub people: &'a dyn Resolver,
}

impl fmt::Debug for Glossary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Glossary")
            .field("emoji", self.emoji)
            .field("recent", self.recent)
            .finish_non_exhaustive()
    }
}

/// Cleans a segment. Code, addresses and table rows are left alone.
pub fn clean(segment: &str, glossary: Glossary<'_>, rules: Rules) -> Edited {
    let tokens: Vec<Token> = tokens(segment).collect();
    let emojis = Emojis::new(segment, &tokens, glossary.emoji, glossary.recent, rules);
    let mut editor = Editor::new(segment);
    let mut run = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let last = at + 1 == tokens.len();
        if token.kind.is_verbatim() {
            mention::edit(
                segment,
                run..token.start,
                glossary.people,
                rules,
                &mut editor,
            );
            emojis.edit(&tokens, at, &mut editor);
            run = token.end;
        } else if last {
            mention::edit(segment, run..token.end, glossary.people, rules, &mut editor);
        }
    }
    editor.finish()
}

#[cfg(test)]
mod tests;
