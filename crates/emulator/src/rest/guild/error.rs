//! Refusals that only those meet who manage a guild.

use axum::http::StatusCode;

/// Discord Docs/Opcodes and Status Codes, JSON Error Codes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GuildError {
    UnknownInvite,
    UnknownBan,
    UnknownEmoji,
    UnknownSticker,
    UnknownVoiceState,
    UnknownWelcomeScreen,
    UnknownTemplate,
    NotForBots,
    /// Seconds to wait.
    SlowMode(f64),
    TooManyPins,
    TooManyRoles,
    TooManyEmojis,
    TooManyStickers,
    TooManyChannels,
    TooManyInvites,
    Banned,
    BansFailed,
    NotInVoice,
    AlreadyCrossposted,
    TagRequired,
    SystemMessage,
    WidgetDisabled,
    InvalidRole,
    OwnerCannotLeave,
    FileTooLarge,
    InvalidFile,
    NeedsBoosts,
    PollExpired,
    PollEdited,
    NotAPoll,
}

impl GuildError {
    pub(in crate::rest) fn parts(self) -> (StatusCode, u32, &'static str) {
        use StatusCode as S;
        match self {
            Self::UnknownInvite => (S::NOT_FOUND, 10006, "Unknown Invite"),
            Self::UnknownEmoji => (S::NOT_FOUND, 10014, "Unknown Emoji"),
            Self::UnknownBan => (S::NOT_FOUND, 10026, "Unknown Ban"),
            Self::UnknownTemplate => (S::NOT_FOUND, 10057, "Unknown Guild Template"),
            Self::UnknownSticker => (S::NOT_FOUND, 10060, "Unknown Sticker"),
            Self::UnknownVoiceState => (S::NOT_FOUND, 10065, "Unknown Voice State"),
            Self::UnknownWelcomeScreen => (S::NOT_FOUND, 10069, "Unknown Guild Welcome Screen"),
            Self::NotForBots => (S::FORBIDDEN, 20001, "Bots cannot use this endpoint"),
            Self::SlowMode(_) => (
                S::TOO_MANY_REQUESTS,
                20016,
                "This action cannot be performed due to slowmode rate limit",
            ),
            Self::TooManyPins => (
                S::BAD_REQUEST,
                30003,
                "Maximum number of pins reached for the channel (250)",
            ),
            Self::TooManyRoles => (
                S::BAD_REQUEST,
                30005,
                "Maximum number of guild roles reached (250)",
            ),
            Self::TooManyEmojis => (S::BAD_REQUEST, 30008, "Maximum number of emojis reached"),
            Self::TooManyChannels => (
                S::BAD_REQUEST,
                30013,
                "Maximum number of guild channels reached (500)",
            ),
            Self::TooManyInvites => (
                S::BAD_REQUEST,
                30016,
                "Maximum number of invites reached (1000)",
            ),
            Self::TooManyStickers => (S::BAD_REQUEST, 30039, "Maximum number of stickers reached"),
            Self::Banned => (S::FORBIDDEN, 40007, "The user is banned from this guild"),
            Self::NotInVoice => (
                S::BAD_REQUEST,
                40032,
                "Target user is not connected to voice",
            ),
            Self::AlreadyCrossposted => (
                S::BAD_REQUEST,
                40033,
                "This message has already been crossposted",
            ),
            Self::TagRequired => (
                S::BAD_REQUEST,
                40067,
                "A tag is required to create a forum post in this channel",
            ),
            Self::WidgetDisabled => (S::FORBIDDEN, 50004, "Guild widget disabled"),
            Self::SystemMessage => (
                S::FORBIDDEN,
                50021,
                "Cannot execute action on a system message",
            ),
            Self::InvalidRole => (S::BAD_REQUEST, 50028, "Invalid role"),
            Self::FileTooLarge => (
                S::BAD_REQUEST,
                50045,
                "File uploaded exceeds the maximum size",
            ),
            Self::InvalidFile => (S::BAD_REQUEST, 50046, "Invalid file uploaded"),
            Self::OwnerCannotLeave => (S::BAD_REQUEST, 50055, "Invalid Guild"),
            Self::NeedsBoosts => (
                S::FORBIDDEN,
                50101,
                "This server needs more boosts to perform this action",
            ),
            Self::BansFailed => (S::BAD_REQUEST, 500_000, "Failed to ban users"),
            Self::PollExpired => (S::BAD_REQUEST, 520_001, "Poll expired"),
            Self::PollEdited => (S::BAD_REQUEST, 520_003, "Cannot edit a poll message"),
            Self::NotAPoll => (S::BAD_REQUEST, 520_006, "Cannot expire a non-poll message"),
        }
    }
}

impl From<GuildError> for crate::rest::ApiError {
    fn from(error: GuildError) -> Self {
        Self::Guild(error)
    }
}
