//! What servers' refusals mean, in a status line or inside an answer.

use std::time::Duration;

use kaiwa_domain::{Brief, ModelError, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use words::{Matter, matter};

use crate::echo::without_echo;

mod words;
#[cfg(test)]
mod tests;

/// How much of a server's words is kept.
const MESSAGE_CHARS: usize = 300;

/// What vendors call an error whose status is not told beside it.
const STATUS_OF: [(&str, u16); 16] = [
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("rate_limit_exceeded", 429),
    ("api_error", 500),
    ("server_error", 500),
    ("internal_server_error", 500),
    ("timeout_error", 504),
    ("overloaded_error", 529),
    ("INVALID_ARGUMENT", 400),
    ("RESOURCE_EXHAUSTED", 429),
    ("UNAVAILABLE", 503),
];

/// The error object of a body or of a stream, as far as vendors agree on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Complaint {
    status: Option<u16>,
    codes: Vec<String>,
    message: String,
    /// The message without what it repeats of the question.
    own_words: String,
    /// How long to wait, where the body says it.
    wait: Option<Duration>,
}

impl Complaint {
    /// Reads the body of a failed request, whatever it is.
    pub(crate) fn from_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(Value::Array(list)) => list.first().map(Self::from_json).unwrap_or_default(),
            Ok(value) => Self::from_json(&value),
            Err(_) => {
                let text = String::from_utf8_lossy(body);
                let message = match text.trim_start().starts_with('<') {
                    true => "(a web page)",
                    false => &text,
                };
                Self {
                    message: message.to_owned(),
                    own_words: message.to_owned(),
                    ..Self::default()
                }
            }
        }
    }

    fn from_json(value: &Value) -> Self {
        match value.get("error") {
            Some(error) if !error.is_null() => Self::from_error(error),
            _ => Self::from_error(value),
        }
    }

    /// Reads what stands under `error`.
    pub(crate) fn from_error(error: &Value) -> Self {
        let status = ["status_code", "code", "status"].iter().find_map(|name| {
            let number = match error.get(name)? {
                Value::Number(number) => number.as_u64()?,
                Value::String(text) => text.parse().ok()?,
                _ => return None,
            };
            u16::try_from(number)
                .ok()
                .filter(|status| (400..600).contains(status))
        });
        let text = |name| error.get(name).and_then(Value::as_str);
        let own = ["code", "type", "status"].into_iter().filter_map(text);
        let inner = error.pointer("/innererror/code").and_then(Value::as_str);
        let flagged = error.pointer("/metadata/flagged_input");
        let codes = own.chain(inner).chain(flagged.map(|_| "flagged_input"));
        let details = error.get("details").and_then(Value::as_array);
        let wait = details.into_iter().flatten().find_map(|detail| {
            let delay = detail.get("retryDelay")?.as_str()?;
            retry_after(delay.strip_suffix('s')?, None)
        });
        let message = words(error);
        Self {
            status,
            wait,
            codes: codes.map(str::to_owned).collect(),
            own_words: message.clone(),
            message,
        }
    }

    /// The same as an answer to what was sent, which it may repeat.
    pub(crate) fn about(mut self, sent: Option<&Brief>) -> Self {
        if let Some(sent) = sent {
            self.own_words = without_echo(&self.message, sent);
        }
        self
    }

    /// What it means as the answer to a request.
    pub(crate) fn of_status(self, status: u16, retry_after: Option<Duration>) -> ModelError {
        let matter = self.matter();
        let (message, wait) = (self.message, self.wait);
        match (status, matter) {
            (_, Some(Matter::Censorship)) => ModelError::Censored { message },
            (413, _) | (_, Some(Matter::Length)) => ModelError::TooLong { message },
            (402, _) | (_, Some(Matter::Credit)) => ModelError::OutOfCredit,
            (401 | 403, _) | (_, Some(Matter::Key)) => ModelError::Unauthorized { status },
            (429, _) => ModelError::Busy {
                retry_after: retry_after.or(wait),
            },
            (408 | 500.., _) => ModelError::Failed { status, message },
            (300..=399, _) => ModelError::Rejected {
                status,
                message: "the server redirects elsewhere; use the final address".to_owned(),
            },
            _ => ModelError::Rejected { status, message },
        }
    }

    /// What it means in the middle of an answer.
    pub(crate) fn in_stream(self) -> ModelError {
        let named = || STATUS_OF.iter().find(|(code, _)| self.says(code));
        let status = self.status.or_else(|| named().map(|(_, status)| *status));
        match (status, self.matter()) {
            (Some(status), _) => self.of_status(status, None),
            // The matter decides, whatever the status would have been.
            (None, Some(_)) => self.of_status(400, None),
            (None, None) => ModelError::Cut {
                reason: match self.message.as_str() {
                    "" => "the server reported an error".to_owned(),
                    _ => self.message,
                },
            },
        }
    }

    fn matter(&self) -> Option<Matter> {
        matter(&self.codes, &self.message, &self.own_words)
    }

    fn says(&self, code: &str) -> bool {
        self.codes.iter().any(|own| own == code)
    }
}

/// What an error object says, with the parameter that it is about.
fn words(error: &Value) -> String {
    let said = ["message", "detail"]
        .into_iter()
        .find_map(|name| error.get(name).filter(|said| !said.is_null()));
    let said = match said.unwrap_or(error) {
        Value::String(said) => said.clone(),
        // Some servers answer with a list of what is wrong.
        list if said.is_some() => list.to_string(),
        _ => String::new(),
    };
    match error.get("param").and_then(Value::as_str) {
        Some(param) if !said.contains(param) => format!("{param}: {said}"),
        _ => said,
    }
}

/// Reads a `Retry-After` header: seconds, or a date to compare with the time.
pub(crate) fn retry_after(header: &str, now: Option<Timestamp>) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(header)
        .ok()?;
    Some(Timestamp::from_millis(date.as_millisecond()).since(now?))
}

/// Makes an error fit to be shown: short, on one line, without control
/// characters, the key, or what it repeats of the question.
pub(crate) fn presentable(
    mut error: ModelError,
    key: Option<&SecretString>,
    sent: Option<&Brief>,
) -> ModelError {
    let words = match &mut error {
        ModelError::Unreachable { reason, .. }
        | ModelError::Cut { reason }
        | ModelError::Excessive { reason }
        | ModelError::Garbled { reason } => reason,
        ModelError::Failed { message, .. }
        | ModelError::Rejected { message, .. }
        | ModelError::TooLong { message }
        | ModelError::Censored { message } => message,
        ModelError::Unauthorized { .. }
        | ModelError::OutOfCredit
        | ModelError::Busy { .. }
        | ModelError::OverBudget { .. }
        | ModelError::LargerThanBudget { .. }
        | ModelError::Unpriced { .. }
        | ModelError::Silent { .. } => return error,
    };
    *words = plain(words);
    if let Some(sent) = sent {
        *words = without_echo(words, sent);
    }
    if let Some(key) = key.map(ExposeSecret::expose_secret)
        && !key.is_empty()
    {
        *words = words.replace(key, "[key]");
    }
    let mut line: Vec<&str> = words.split_whitespace().collect();
    if line.is_empty() {
        line.push("(no reason given)");
    }
    let line = line.join(" ");
    *words = match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    };
    error
}

/// A text without what a terminal would take for a command, or for nothing.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let sequence = match c {
            '\u{9b}' => true,
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => true,
            '\u{1b}' => {
                chars.next();
                false
            }
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' => false,
            c if c.is_control() => {
                plain.push(' ');
                false
            }
            c => {
                plain.push(c);
                false
            }
        };
        if sequence {
            // Parameters, up to the letter that says what to do with them.
            while chars
                .next_if(|c| matches!(c, '\u{20}'..='\u{3f}'))
                .is_some()
            {}
            chars.next_if(|c| matches!(c, '\u{40}'..='\u{7e}'));
        }
    }
    plain
}

/// The error's name in metrics.
pub(crate) const fn name(error: &ModelError) -> &'static str {
    match error {
        ModelError::Unreachable { .. } => "unreachable",
        ModelError::Unauthorized { .. } => "unauthorized",
        ModelError::OutOfCredit => "out_of_credit",
        ModelError::Busy { .. } => "busy",
        ModelError::Failed { .. } => "failed",
        ModelError::Rejected { .. } => "rejected",
        ModelError::TooLong { .. } => "too_long",
        ModelError::Censored { .. } => "censored",
        ModelError::OverBudget { .. } => "over_budget",
        ModelError::LargerThanBudget { .. } => "larger_than_budget",
        ModelError::Unpriced { .. } => "unpriced",
        ModelError::Silent { .. } => "silent",
        ModelError::Cut { .. } => "cut",
        ModelError::Excessive { .. } => "excessive",
        ModelError::Garbled { .. } => "garbled",
    }
}
