//! What to do about each of Discord's errors.
//!
//! See [Discord Docs/JSON Error Codes](https://docs.discord.com/developers/topics/opcodes-and-status-codes#json).

use std::time::Duration;

use kaiwa_domain::{ChatError, Disposition};
use serde::Deserialize;
use serde_json::Value;

/// How long to hold back when Discord limits writing without saying for how long.
const WRITE_PAUSE: Duration = Duration::from_secs(5);

/// The longest part of Discord's words that is kept.
const MESSAGE_CHARS: usize = 200;

/// No access to the channel.
pub(super) const NO_ACCESS: u32 = 50001;
/// A permission is missing.
pub(super) const NO_PERMISSION: u32 = 50013;
/// The message is somebody else's.
pub(super) const NOT_AUTHOR: u32 = 50005;
/// The message is gone.
pub(super) const UNKNOWN_MESSAGE: u32 = 10008;
/// The interaction was answered before.
pub(super) const ALREADY_ACKNOWLEDGED: u32 = 40060;
/// There is no such member.
pub(super) const UNKNOWN_MEMBER: u32 = 10007;
/// The message has a thread already.
pub(super) const HAS_THREAD: u32 = 160_004;
/// There is no such user.
pub(super) const UNKNOWN_USER: u32 = 10013;
/// They are not banned.
pub(super) const UNKNOWN_BAN: u32 = 10026;
/// There is no such webhook.
const UNKNOWN_WEBHOOK: u32 = 10015;
/// The token of a webhook is not its token.
const BAD_WEBHOOK_TOKEN: u32 = 50027;
/// The channel has as many webhooks as it may.
pub(super) const TOO_MANY_WEBHOOKS: u32 = 30007;
/// The application has as many emoji as it may.
pub(super) const TOO_MANY_EMOJI: u32 = 30008;
/// There is no such emoji.
pub(super) const UNKNOWN_EMOJI: u32 = 10014;
/// An old message was edited too often.
const TOO_MANY_EDITS: u32 = 30046;
/// The thread is archived.
const ARCHIVED: u32 = 50083;
/// The body breaks a rule.
const INVALID_BODY: u32 = 50035;
/// The request is too large.
pub(super) const TOO_LARGE: u32 = 40005;

/// Discord's codes and what they ask of us.
const TABLE: &[(u32, Disposition)] = &[
    // Channel or guild is gone.
    (10003, Disposition::StopTurn),
    (10004, Disposition::StopTurn),
    // Answers a repeated create whose message was deleted: somebody wants
    // silence.
    (UNKNOWN_MESSAGE, Disposition::StopTurn),
    // Webhook is gone, or its token is bad.
    (UNKNOWN_WEBHOOK, Disposition::GiveUp),
    (BAD_WEBHOOK_TOKEN, Disposition::GiveUp),
    // The interaction is gone; it was answered already.
    (10062, Disposition::SayInChannel),
    (40060, Disposition::Settled),
    // Slow mode; the channel's and the guild's write limits.
    (20016, Disposition::Wait(WRITE_PAUSE)),
    (20028, Disposition::Wait(WRITE_PAUSE)),
    (20029, Disposition::Wait(WRITE_PAUSE)),
    // Too many webhooks here; too many edits of an old message.
    (TOO_MANY_WEBHOOKS, Disposition::GiveUp),
    (TOO_MANY_EDITS, Disposition::GiveUp),
    // What is too large as a file is sent as text.
    (TOO_LARGE, Disposition::GiveUp),
    // Overloaded.
    (40062, Disposition::RetrySame),
    (130_000, Disposition::RetrySame),
    (NO_ACCESS, Disposition::StopTurn),
    (NO_PERMISSION, Disposition::StopTurn),
    // The user takes no direct messages from us.
    (50007, Disposition::StopTurn),
    // The same body will never pass; its words alone may.
    (INVALID_BODY, Disposition::GiveUp),
    // The thread is archived or locked.
    (ARCHIVED, Disposition::StopTurn),
    (160_005, Disposition::StopTurn),
    // A reply needs the permission to read history.
    (160_002, Disposition::RetryWithoutReply),
    // AutoMod or the link filter said no to this text.
    (200_000, Disposition::GiveUp),
    (240_000, Disposition::GiveUp),
];

/// The body of an error.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorBody {
    code: u32,
    message: String,
    /// The fields that broke a rule, by name.
    errors: Value,
    /// Seconds to wait.
    pub(super) retry_after: Option<f64>,
    /// Whether a rate limit is that of the whole bot.
    pub(super) global: bool,
}

impl ErrorBody {
    /// Discord's code, if it gave one that we know.
    pub(super) fn known_code(&self) -> Option<u32> {
        TABLE
            .iter()
            .any(|&(code, _)| code == self.code)
            .then_some(self.code)
    }

    /// The refusal that this body and `status` amount to.
    pub(super) fn refusal(self, status: u16) -> ChatError {
        let disposition = self.disposition(status);
        let message = if self.message.is_empty() {
            format!("HTTP {status}")
        } else {
            self.message.chars().take(MESSAGE_CHARS).collect()
        };
        ChatError::Refused {
            code: if self.code == 0 {
                u32::from(status)
            } else {
                self.code
            },
            message,
            disposition,
        }
    }

    fn disposition(&self, status: u16) -> Disposition {
        if self.code == INVALID_BODY && self.errors.get("message_reference").is_some() {
            return Disposition::RetryWithoutReply;
        }
        let row = TABLE.iter().find(|&&(code, _)| code == self.code);
        match row.map(|&(_, disposition)| disposition) {
            Some(Disposition::Wait(default)) => Disposition::Wait(
                self.retry_after
                    .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                    .unwrap_or(default),
            ),
            Some(disposition) => disposition,
            None if status == 401 => Disposition::Halt,
            // What is forbidden or not there stays so.
            None if matches!(status, 403 | 404) => Disposition::StopTurn,
            None if status >= 500 => Disposition::RetrySame,
            None => Disposition::GiveUp,
        }
    }
}

/// Whether Discord says that something is not there, with its own code or
/// without any.
pub(super) const fn is_gone(error: &ChatError, own: u32) -> bool {
    matches!(error, ChatError::Refused { code, .. } if *code == own || *code == 404)
}

/// Whether a message is too old for one more edit.
pub(super) const fn takes_no_more_edits(error: &ChatError) -> bool {
    matches!(error, ChatError::Refused { code, .. } if *code == TOO_MANY_EDITS)
}

/// Whether the thread is archived, so that nothing in it can be changed.
pub(super) const fn is_archived(error: &ChatError) -> bool {
    matches!(error, ChatError::Refused { code, .. } if *code == ARCHIVED)
}

/// Whether somebody else said the message: perhaps a webhook that is gone.
pub(super) const fn is_anothers(error: &ChatError) -> bool {
    matches!(error, ChatError::Refused { code, .. } if *code == NOT_AUTHOR)
}

/// Whether Discord takes no such body, and not because of what it replies to.
pub(super) const fn is_bad_body(error: &ChatError) -> bool {
    matches!(
        error,
        ChatError::Refused {
            code: INVALID_BODY,
            disposition: Disposition::GiveUp,
            ..
        }
    )
}

/// Whether a code says that a webhook, or what works like one, is not there.
pub(super) const fn is_dead_token(code: u32) -> bool {
    matches!(code, UNKNOWN_WEBHOOK | BAD_WEBHOOK_TOKEN)
}

/// Whether a webhook no longer works. Discord says so to whoever uses it, and
/// nothing was done.
pub(super) const fn is_dead_webhook(error: &ChatError) -> bool {
    matches!(error, ChatError::Refused { code, .. } if is_dead_token(*code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(status: u16, body: Value, code: u32, disposition: Disposition) {
        let text = body.to_string();
        let parsed: ErrorBody = serde_json::from_value(body).unwrap();
        match parsed.refusal(status) {
            ChatError::Refused {
                code: found_code,
                disposition: found,
                ..
            } => assert_eq!((found_code, found), (code, disposition), "{status} {text}"),
            other => panic!("{status} {text}: {other:?}"),
        }
    }

    #[test]
    fn each_code_has_its_action() {
        use Disposition::{
            GiveUp, RetrySame, RetryWithoutReply, SayInChannel, Settled, StopTurn, Wait,
        };
        let five = Wait(Duration::from_secs(5));
        let rows = [
            (404, 10003, StopTurn),
            (404, 10004, StopTurn),
            (404, 10008, StopTurn),
            (404, 10015, GiveUp),
            (404, 10062, SayInChannel),
            (400, 20016, five),
            (400, 20028, five),
            (400, 20029, five),
            (400, 30007, GiveUp),
            (400, 30046, GiveUp),
            (413, 40005, GiveUp),
            (400, 40060, Settled),
            (400, 40062, RetrySame),
            (403, 50001, StopTurn),
            (403, 50007, StopTurn),
            (403, 50013, StopTurn),
            // Discord answers 401 here, and it is not our token that is bad.
            (401, 50027, GiveUp),
            (400, 50035, GiveUp),
            (400, 50083, StopTurn),
            (503, 130_000, RetrySame),
            (400, 160_002, RetryWithoutReply),
            (400, 160_005, StopTurn),
            (400, 200_000, GiveUp),
            (400, 240_000, GiveUp),
        ];
        for (status, code, disposition) in rows {
            check(status, json!({ "code": code }), code, disposition);
        }
        for (code, _) in TABLE {
            assert!(rows.iter().any(|row| row.1 == *code), "{code} is untested");
        }
    }

    #[test]
    fn a_status_decides_where_no_code_does() {
        let rows = [
            (400, Disposition::GiveUp),
            (401, Disposition::Halt),
            (403, Disposition::StopTurn),
            (404, Disposition::StopTurn),
            (405, Disposition::GiveUp),
            (413, Disposition::GiveUp),
            (500, Disposition::RetrySame),
        ];
        for (status, disposition) in rows {
            check(status, json!({}), u32::from(status), disposition);
            check(status, json!({"code": 99}), 99, disposition);
        }
    }

    #[test]
    fn the_body_refines_the_code() {
        check(
            400,
            json!({"code": 50035, "errors": {"message_reference": {"_errors": []}}}),
            50035,
            Disposition::RetryWithoutReply,
        );
        check(
            400,
            json!({"code": 20028, "retry_after": 1.5}),
            20028,
            Disposition::Wait(Duration::from_millis(1500)),
        );
        check(
            400,
            json!({"code": 20028, "retry_after": -1}),
            20028,
            Disposition::Wait(WRITE_PAUSE),
        );
    }

    #[test]
    fn long_words_are_shortened() {
        let body = ErrorBody {
            message: "é".repeat(5000),
            ..ErrorBody::default()
        };
        let ChatError::Refused { message, .. } = body.refusal(400) else {
            panic!("not a refusal");
        };
        assert_eq!(message.chars().count(), MESSAGE_CHARS);
    }
}
