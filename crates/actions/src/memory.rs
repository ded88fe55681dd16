//! What is remembered about people and servers.

mod forget;
mod recall;
mod remember;
mod show;

use kaiwa_domain::{Fact, StoreError, ToolError, Turn, UserId};

pub use forget::ForgetFact;
pub use recall::RecallFacts;
pub use remember::RememberFact;
pub use show::ShowMemory;

/// How much of a fact is shown in a list, in characters.
const SHOWN_CHARS: usize = 200;

/// A fact in one line, with its number.
fn line(fact: &Fact) -> String {
    let words: Vec<&str> = fact.learned.text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("#{} {}…", fact.id, &text[..end]),
        None => format!("#{} {text}", fact.id),
    }
}

/// Whether a fact is about somebody, and so theirs to see and to take back.
fn is_about(fact: &Fact, user: UserId) -> bool {
    fact.learned.about == Some(user)
}

/// Whether everybody here may hear of a fact about the server.
fn is_for_all_here(fact: &Fact, turn: &Turn) -> bool {
    fact.learned.about.is_none() && fact.learned.audience.admits(turn.channel)
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over")]
fn failed(error: StoreError) -> ToolError {
    ToolError::Failed {
        reason: error.to_string(),
    }
}
