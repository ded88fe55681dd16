//! How vendors say the few things that a status alone does not tell.
//!
//! Codes are compared whole, words are looked for in the message without
//! regard to case. Both were seen in the field; `tests.rs` has the bodies.
//!
//! What is a matter of money or of the key concerns everybody, so it has to be
//! said in the server's own words, not in those of a question that it repeats.

/// What a complaint is about, beyond its status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Matter {
    /// A filter of the vendor stepped in.
    Censorship,
    /// The conversation is longer than the model can see.
    Length,
    /// Money, not patience, is missing.
    Credit,
    /// The key is no good.
    Key,
}

struct Tell {
    matter: Matter,
    codes: &'static [&'static str],
    words: &'static [&'static str],
}

/// In order of precedence.
const TELLS: [Tell; 4] = [
    Tell {
        matter: Matter::Censorship,
        codes: &[
            "content_filter",
            "content_policy_violation",
            // Azure, in its inner error.
            "ResponsibleAIPolicyViolation",
            // Alibaba.
            "data_inspection_failed",
            "DataInspectionFailed",
            // Zhipu.
            "1301",
            // OpenRouter, in its metadata.
            "flagged_input",
            "PROHIBITED_CONTENT",
        ],
        words: &[
            "content exists risk",
            "content management policy",
            "content filtering policy",
            "content violates usage guidelines",
            "may contain inappropriate content",
            "considered high risk",
            "flagged as potentially violating",
            "your input was flagged",
            "as a result of our safety system",
            "violates our usage polic",
        ],
    },
    Tell {
        matter: Matter::Length,
        codes: &[
            "context_length_exceeded",
            "token_limit_exceeded",
            "string_above_max_length",
            "request_too_large",
            // llama.cpp.
            "exceed_context_size_error",
        ],
        words: &[
            "maximum context length",
            "prompt is too long",
            "input is too long",
            "exceed context limit",
            "exceed context window",
            "exceeds the context window",
            "exceeds the available context size",
            "exceeds the context length",
            "greater than the context length",
            "exceeds the maximum number of tokens",
            "maximum prompt length",
            "reduce the length of the messages",
            "`max_new_tokens` must be",
            // Of this request; others may fit.
            "request too large",
            "can only afford",
            "prompt tokens limit exceeded",
        ],
    },
    Tell {
        matter: Matter::Credit,
        codes: &[
            "insufficient_quota",
            "insufficient_credits",
            "billing_hard_limit_reached",
        ],
        words: &["credit balance is too low", "insufficient balance"],
    },
    Tell {
        matter: Matter::Key,
        codes: &["invalid_api_key", "API_KEY_INVALID"],
        words: &["api key not valid", "incorrect api key"],
    },
];

/// What a complaint with these codes and this message is about. `own_words` is
/// the message without what it repeats of the question.
pub(super) fn matter(codes: &[String], message: &str, own_words: &str) -> Option<Matter> {
    let (message, own_words) = (message.to_lowercase(), own_words.to_lowercase());
    let tells = |tell: &&Tell| {
        let code = |code: &String| tell.codes.contains(&code.as_str());
        let message = match tell.matter {
            Matter::Censorship | Matter::Length => &message,
            Matter::Credit | Matter::Key => &own_words,
        };
        codes.iter().any(code) || tell.words.iter().any(|words| message.contains(words))
    };
    TELLS.iter().find(tells).map(|tell| tell.matter)
}
