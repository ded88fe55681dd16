//! What servers say of who speaks when. Most of it comes from the chat
//! templates of open models, whatever serves them.

use super::Parameter::{self, Sides, SystemRole, Tools, UserAfterTool};

/// Sides that should take turns. A template without a system text or without
/// tools says the same of those.
const TURNS: [&str; 9] = [
    // Gemma, Llama 2, Mistral: "Conversation roles must alternate
    // user/assistant/…", "After the optional system message, conversation roles
    // must alternate …"; Anthropic: "roles must alternate between …".
    "roles must alternate",
    // Amazon Bedrock.
    "must alternate between user and assistant",
    "must start with a user message",
    // Perplexity.
    "roles should be alternating",
    "should alternate with assistant message",
    "first message must use the \"user\" role",
    "first message must be from the user",
    "first message must be a user message",
    "consecutive messages with the same role",
];

/// A system text where there should be none.
const SYSTEM: [&str; 9] = [
    // Gemma.
    "system role not supported",
    "system role is not supported",
    "system messages are not supported",
    "does not support system",
    // Gemma at Google.
    "developer instruction is not enabled",
    "system instruction is not enabled",
    "unexpected role 'system'",
    // Mistral 7B.
    "only user and assistant roles are supported",
    "only user and assistant roles supported",
];

/// A tool's result where there should be none.
const RESULTS: [&str; 4] = [
    "only user, system and assistant roles",
    "only system, user and assistant roles",
    "only user and assistant roles are supported",
    "unexpected role 'tool'",
];

/// The user's words right after a tool's.
const INTERRUPTED: [&str; 1] = [
    // Mistral.
    "unexpected role 'user' after role 'tool'",
];

/// What each may mean, in the order in which it is tried.
const MEANINGS: [(Parameter, &[&str]); 6] = [
    (UserAfterTool, &INTERRUPTED),
    (Sides, &TURNS),
    (SystemRole, &SYSTEM),
    (SystemRole, &TURNS),
    (Tools, &RESULTS),
    (Tools, &TURNS),
];

/// What is complained of, of what `is_sent`. `message` is in lower case.
pub(super) fn refused(
    message: &str,
    mut is_sent: impl FnMut(Parameter) -> bool,
) -> Option<Parameter> {
    let meant = MEANINGS.iter().find(|(parameter, words)| {
        words.iter().any(|w| message.contains(w)) && is_sent(*parameter)
    });
    meant.map(|(parameter, _)| *parameter)
}
