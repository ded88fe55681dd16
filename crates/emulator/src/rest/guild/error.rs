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
    UnknownEvent,
    UnknownStage,
    UnknownRule,
    UnknownSound,
    UnknownIntegration,
    UnknownSku,
    UnknownEntitlement,
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
    TooManyEvents,
    TooManyRules,
    TooManySounds,
    HasTemplate,
    EventIsOver,
    StageIsOpen,
    /// By a rule of the guild.
    Blocked,
    OnboardingTooSmall,
    Banned,
    BansFailed,
    NotInVoice,
    AlreadyCrossposted,
    TagRequired,
    SystemMessage,
    WidgetDisabled,
    InvalidRole,
    InvalidAccessToken,
    OwnerCannotLeave,
    FileTooLarge,
    InvalidFile,
    NeedsBoosts,
    VoiceMessageWithMore,
    VoiceMessageNeedsOneSound,
    VoiceMessageMetadata,
    PollExpired,
    PollEdited,
    NotAPoll,
}

impl GuildError {
    pub(in crate::rest) fn parts(self) -> (StatusCode, u32, &'static str) {
        use StatusCode as S;
        match self {
            Self::UnknownInvite => (S::NOT_FOUND, 10006, "Unknown Invite"),
            Self::UnknownIntegration => (S::NOT_FOUND, 10005, "Unknown Integration"),
            Self::UnknownSku => (S::NOT_FOUND, 10027, "Unknown SKU"),
            Self::UnknownEntitlement => (S::NOT_FOUND, 10029, "Unknown Entitlement"),
            Self::UnknownStage => (S::NOT_FOUND, 10067, "Unknown Stage Instance"),
            Self::UnknownEvent => (S::NOT_FOUND, 10070, "Unknown Guild Scheduled Event"),
            Self::UnknownSound => (S::NOT_FOUND, 10097, "Unknown sound"),
            Self::UnknownRule => (S::NOT_FOUND, 10120, "Unknown auto moderation rule"),
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
            Self::HasTemplate => (S::BAD_REQUEST, 30031, "Guild already has template"),
            Self::TooManyEvents => (
                S::BAD_REQUEST,
                30038,
                "Maximum number of guild scheduled events reached (100)",
            ),
            Self::TooManySounds => (
                S::BAD_REQUEST,
                30045,
                "Maximum number of soundboard sounds reached",
            ),
            Self::TooManyRules => (
                S::BAD_REQUEST,
                30041,
                "Maximum number of auto moderation rules of this type reached",
            ),
            Self::StageIsOpen => (S::BAD_REQUEST, 150_006, "The Stage is already open"),
            Self::EventIsOver => (S::BAD_REQUEST, 180_000, "Cannot update a finished event"),
            Self::Blocked => (
                S::BAD_REQUEST,
                200_000,
                "Message was blocked by automatic moderation",
            ),
            Self::OnboardingTooSmall => (
                S::BAD_REQUEST,
                350_000,
                "Cannot enable onboarding, requirements are not met",
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
            Self::InvalidAccessToken => {
                (S::FORBIDDEN, 50025, "Invalid OAuth2 access token provided")
            }
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
            Self::VoiceMessageWithMore => (
                S::BAD_REQUEST,
                50159,
                "Voice messages do not support additional content.",
            ),
            Self::VoiceMessageNeedsOneSound => (
                S::BAD_REQUEST,
                50160,
                "Voice messages must have a single audio attachment.",
            ),
            Self::VoiceMessageMetadata => (
                S::BAD_REQUEST,
                50161,
                "Voice messages must have supporting metadata.",
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
