//! One streamed answer of a model, as far as it was heard.

use kaiwa_domain::{Delta, Finish, SealedThought, Thought, ThoughtKind, ToolCall};

/// The most that is heard of one answer, in bytes: text, thoughts and calls.
const HEARD_BYTES: usize = 1024 * 1024;

/// The most calls that are heard of in one answer.
const CALLS_HEARD: usize = 64;

/// What an answer consists of beside its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    /// Thoughts that go back to the vendor.
    pub(super) thoughts: Vec<SealedThought>,
    /// The tools it asked for.
    pub(super) calls: Vec<ToolCall>,
    /// The thought that no signature has sealed.
    unsealed: Option<Thought>,
    heard: usize,
}

/// What a delta means to the conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// Text to show.
    Text(String),
    /// Nothing to do.
    Nothing,
    /// The answer is over.
    Over(Finish),
    /// The answer has no end.
    Endless,
}

impl Reply {
    /// Takes the next piece.
    pub(super) fn hear(&mut self, delta: Delta) -> Heard {
        self.heard += size(&delta);
        if self.heard > HEARD_BYTES {
            return Heard::Endless;
        }
        match delta {
            Delta::Text(text) | Delta::Refusal(text) => return Heard::Text(text),
            Delta::Finish { finish, .. } => return Heard::Over(finish),
            Delta::Thought(thought) => self.think(thought),
            Delta::Signature(signature) => {
                let thought = self.unsealed.take().unwrap_or(Thought {
                    kind: ThoughtKind::Raw,
                    text: String::new(),
                });
                self.thoughts.push(SealedThought { thought, signature });
            }
            Delta::ToolCall(call) if self.calls.len() < CALLS_HEARD => self.calls.push(call),
            Delta::Anew => {
                self.thoughts.clear();
                self.unsealed = None;
            }
            Delta::ToolCall(_)
            | Delta::ToolPiece(_)
            | Delta::Usage(_)
            | Delta::Spent(_)
            | Delta::Heartbeat => {}
        }
        Heard::Nothing
    }

    fn think(&mut self, thought: Thought) {
        match &mut self.unsealed {
            Some(before) if before.kind == thought.kind => before.text.push_str(&thought.text),
            before => *before = Some(thought),
        }
    }
}

fn size(delta: &Delta) -> usize {
    match delta {
        Delta::Text(text) | Delta::Refusal(text) | Delta::Signature(text) => text.len(),
        Delta::Thought(thought) => thought.text.len(),
        Delta::ToolPiece(piece) => piece.arguments.len(),
        Delta::ToolCall(call) => call.arguments.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(text: &str) -> Delta {
        Delta::Thought(Thought {
            kind: ThoughtKind::Raw,
            text: text.into(),
        })
    }

    fn sealed(deltas: Vec<Delta>) -> Vec<(String, String)> {
        let mut reply = Reply::default();
        for delta in deltas {
            assert_eq!(reply.hear(delta), Heard::Nothing);
        }
        let sealed = reply.thoughts.into_iter();
        sealed
            .map(|sealed| (sealed.thought.text, sealed.signature))
            .collect()
    }

    #[test]
    fn thoughts_are_kept_with_their_signatures() {
        let seal = |signature: &str| Delta::Signature(signature.into());
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        for (deltas, expected) in [
            (vec![thought("a"), thought("b")], vec![]),
            (
                vec![thought("a"), thought("b"), seal("1")],
                vec![pair("ab", "1")],
            ),
            (
                vec![thought("a"), seal("1"), seal("2"), thought("b"), seal("3")],
                vec![pair("a", "1"), pair("", "2"), pair("b", "3")],
            ),
            (
                vec![
                    thought("a"),
                    seal("1"),
                    Delta::Anew,
                    thought("b"),
                    seal("2"),
                ],
                vec![pair("b", "2")],
            ),
        ] {
            assert_eq!(sealed(deltas), expected);
        }
    }

    #[test]
    fn an_endless_thought_ends() {
        let mut reply = Reply::default();
        let piece = "x".repeat(64 * 1024);
        let endless = (0..20).any(|_| reply.hear(thought(&piece)) == Heard::Endless);
        assert!(endless);
    }
}
