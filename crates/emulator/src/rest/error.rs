//! Discord's own errors: status, code, message, and where a body is wrong.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

use super::GuildError;

/// What a request is refused with.
#[derive(Clone, Debug)]
pub(crate) enum ApiError {
    NotFound,
    InvalidVersion,
    MethodNotAllowed,
    Unauthorized,
    Internal,
    TooLarge,
    InvalidJson,
    UnknownChannel,
    UnknownGuild,
    UnknownMember,
    UnknownMessage,
    UnknownOverwrite,
    UnknownRole,
    UnknownUser,
    UnknownEmoji,
    UnknownApplication,
    UnknownWebhook,
    UnknownInteraction,
    UnknownCommand,
    UnknownCommandPermissions,
    NoBots,
    NotYourApplication,
    TooManyWebhooks,
    TooManyCommands,
    AlreadyAcknowledged,
    InvalidWebhookToken,
    ForumNeedsThread,
    ForumThreadTwice,
    ThreadsOnlyInForums,
    OnlyBots,
    TooManyReactions,
    MissingAccess,
    NotInDirectMessage,
    NotATextChannel,
    WrongChannelKind,
    ThreadArchived,
    ThreadExists,
    ThreadLocked,
    TooManyThreads,
    NotTheAuthor,
    EmptyMessage,
    CannotMessageUser,
    MissingPermissions,
    TooOldToBulkDelete,
    InvalidRecipients,
    ReplyNeedsHistory,
    Guild(GuildError),
    Invalid(Problems),
}

impl ApiError {
    /// Discord Docs/Opcodes and Status Codes, JSON Error Codes.
    fn parts(&self) -> (StatusCode, u32, &'static str) {
        use StatusCode as S;
        match self {
            Self::NotFound => (S::NOT_FOUND, 0, "404: Not Found"),
            Self::InvalidVersion => (S::BAD_REQUEST, 50041, "An invalid API version was provided"),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, 0, "405: Method Not Allowed"),
            Self::Unauthorized => (S::UNAUTHORIZED, 0, "401: Unauthorized"),
            Self::Internal => (S::INTERNAL_SERVER_ERROR, 0, "500: Internal Server Error"),
            Self::TooLarge => (S::PAYLOAD_TOO_LARGE, 40005, "Request entity too large"),
            Self::InvalidJson => (
                S::BAD_REQUEST,
                50109,
                "The request body contains invalid JSON.",
            ),
            Self::UnknownChannel => (S::NOT_FOUND, 10003, "Unknown Channel"),
            Self::UnknownGuild => (S::NOT_FOUND, 10004, "Unknown Guild"),
            Self::UnknownMember => (S::NOT_FOUND, 10007, "Unknown Member"),
            Self::UnknownMessage => (S::NOT_FOUND, 10008, "Unknown Message"),
            Self::UnknownOverwrite => (S::NOT_FOUND, 10009, "Unknown Overwrite"),
            Self::UnknownRole => (S::NOT_FOUND, 10011, "Unknown Role"),
            Self::UnknownUser => (S::NOT_FOUND, 10013, "Unknown User"),
            Self::UnknownEmoji => (S::BAD_REQUEST, 10014, "Unknown Emoji"),
            Self::UnknownApplication => (S::NOT_FOUND, 10002, "Unknown Application"),
            Self::UnknownWebhook => (S::NOT_FOUND, 10015, "Unknown Webhook"),
            Self::UnknownInteraction => (S::NOT_FOUND, 10062, "Unknown interaction"),
            Self::UnknownCommand => (S::NOT_FOUND, 10063, "Unknown application command"),
            Self::UnknownCommandPermissions => (
                S::NOT_FOUND,
                10066,
                "Unknown application command permissions",
            ),
            Self::NoBots => (S::FORBIDDEN, 20001, "Bots cannot use this endpoint"),
            Self::NotYourApplication => (
                S::FORBIDDEN,
                20012,
                "You are not authorized to perform this action on this application",
            ),
            Self::TooManyWebhooks => (
                S::BAD_REQUEST,
                30007,
                "Maximum number of webhooks reached (15)",
            ),
            Self::TooManyCommands => (
                S::BAD_REQUEST,
                30032,
                "Maximum number of application commands reached (100)",
            ),
            Self::AlreadyAcknowledged => (
                S::BAD_REQUEST,
                40060,
                "Interaction has already been acknowledged.",
            ),
            Self::InvalidWebhookToken => (S::UNAUTHORIZED, 50027, "Invalid Webhook Token"),
            Self::ForumNeedsThread => (
                S::BAD_REQUEST,
                220_001,
                "Webhooks posted to forum channels must have a thread_name or thread_id",
            ),
            Self::ForumThreadTwice => (
                S::BAD_REQUEST,
                220_002,
                "Webhooks posted to forum channels cannot have both a thread_name and thread_id",
            ),
            Self::ThreadsOnlyInForums => (
                S::BAD_REQUEST,
                220_003,
                "Webhooks can only create threads in forum channels",
            ),
            Self::OnlyBots => (S::FORBIDDEN, 20002, "Only bots can use this endpoint"),
            Self::TooManyReactions => (
                S::BAD_REQUEST,
                30010,
                "Maximum number of reactions reached (20)",
            ),
            Self::MissingAccess => (S::FORBIDDEN, 50001, "Missing Access"),
            Self::NotInDirectMessage => {
                (S::FORBIDDEN, 50003, "Cannot execute action on a DM channel")
            }
            Self::NotATextChannel => (
                S::BAD_REQUEST,
                50008,
                "Cannot send messages in a non-text channel",
            ),
            Self::WrongChannelKind => (
                S::BAD_REQUEST,
                50024,
                "Cannot execute action on this channel type",
            ),
            Self::ThreadArchived => (S::BAD_REQUEST, 50083, "Thread is archived"),
            Self::ThreadExists => (
                S::BAD_REQUEST,
                160_004,
                "A thread has already been created for this message",
            ),
            Self::ThreadLocked => (S::FORBIDDEN, 160_005, "Thread is locked"),
            Self::TooManyThreads => (
                S::BAD_REQUEST,
                160_006,
                "Maximum number of active threads reached",
            ),
            Self::NotTheAuthor => (
                S::FORBIDDEN,
                50005,
                "Cannot edit a message authored by another user",
            ),
            Self::EmptyMessage => (S::BAD_REQUEST, 50006, "Cannot send an empty message"),
            Self::CannotMessageUser => (S::FORBIDDEN, 50007, "Cannot send messages to this user"),
            Self::MissingPermissions => (S::FORBIDDEN, 50013, "Missing Permissions"),
            Self::TooOldToBulkDelete => (
                S::BAD_REQUEST,
                50034,
                "You can only bulk delete messages that are under 14 days old.",
            ),
            Self::InvalidRecipients => (S::BAD_REQUEST, 50033, "Invalid Recipient(s)"),
            Self::ReplyNeedsHistory => (
                S::BAD_REQUEST,
                160_002,
                "Cannot reply without permission to read message history",
            ),
            Self::Guild(error) => error.parts(),
            Self::Invalid(_) => (S::BAD_REQUEST, 50035, "Invalid Form Body"),
        }
    }
}

impl ApiError {
    /// The JSON error code.
    pub(crate) fn code(&self) -> u32 {
        self.parts().1
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code, message) = self.parts();
        let mut body = json!({ "message": message, "code": code });
        match self {
            Self::Invalid(problems) => body["errors"] = problems.nested,
            Self::Guild(GuildError::SlowMode(wait)) => body["retry_after"] = json!(wait),
            _ => {}
        }
        (status, Json(body)).into_response()
    }
}

/// What is wrong with a body, nested as the body is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems {
    nested: Value,
}

impl Problems {
    /// One problem, at a path such as `embeds.0.title`.
    pub(crate) fn one(path: &str, code: &str, message: impl Into<String>) -> ApiError {
        let mut problems = Self::default();
        problems.add(path, code, message);
        ApiError::Invalid(problems)
    }

    pub(crate) fn add(&mut self, path: &str, code: &str, message: impl Into<String>) {
        let mut place = &mut self.nested;
        for step in path.split('.').filter(|step| !step.is_empty()) {
            place = &mut place[step];
        }
        let problem = json!({ "code": code, "message": message.into() });
        match &mut place["_errors"] {
            Value::Array(known) => known.push(problem),
            none => *none = json!([problem]),
        }
    }

    /// The object at a path, where nothing else may be.
    pub(crate) fn object<'a>(
        &mut self,
        path: &str,
        value: &'a Value,
    ) -> Option<&'a Map<String, Value>> {
        if !value.is_object() {
            let message = "Only dictionaries may be used in a DictType";
            self.add(path, "DICT_TYPE_CONVERT", message);
        }
        value.as_object()
    }

    /// Takes over what was found in a part of the body.
    pub(crate) fn merge(&mut self, more: Self) {
        merge(&mut self.nested, more.nested);
    }

    /// The same, found in a part of the body.
    pub(crate) fn below(self, key: &str) -> Self {
        Self {
            nested: json!({ key: self.nested }),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nested.is_null()
    }

    pub(crate) fn into_result(self) -> Result<(), ApiError> {
        if self.nested.is_null() {
            Ok(())
        } else {
            Err(ApiError::Invalid(self))
        }
    }

    pub(crate) fn too_long(&mut self, path: &str, most: usize) {
        self.add(
            path,
            "BASE_TYPE_MAX_LENGTH",
            format!("Must be {most} or fewer in length."),
        );
    }
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (Value::Array(into), Value::Array(from)) => into.extend(from),
        (_, Value::Null) => {}
        (into, from) => *into = from,
    }
}
