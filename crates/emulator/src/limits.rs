//! Discord's numbers as the emulator applies them, each with its source, and
//! nowhere else.
//!
//! `(doc)` is Discord's documentation, `(observed)` is what bots measure and
//! Discord does not promise, `(ours)` keeps the emulator's memory bounded.

use std::time::Duration;

use kaiwa_server::ServerLimits;

/// First millisecond of Discord. (doc) Reference, Snowflakes.
pub(crate) const EPOCH_MS: i64 = 1_420_070_400_000;
/// Milliseconds after [`EPOCH_MS`] from which a world's first ids count: 2023. (ours)
pub(crate) const WORLD_BORN_MS: u64 = 252_460_800_000;

/// The day on which seeded times begin, in seconds since 1970: 2026-01-01. (ours)
pub(crate) const SEEDED_BEGIN_S: i64 = 1_767_225_600;
/// When the first message of a world's history was sent that names no time, in
/// seconds since 1970: 2025-06-01. (ours)
pub(crate) const HISTORY_BEGIN_S: i64 = 1_748_736_000;
/// (ours) How far the clock can be moved on in all: ids have room until 2154.
pub(crate) const CLOCK_ADVANCE: Duration = Duration::from_secs(50 * 365 * 24 * 3600);

/// (doc) Create Message.
pub(crate) const CONTENT_CHARS: usize = 2000;
/// (doc) Create Message.
pub(crate) const NONCE_CHARS: usize = 25;
/// "In the past few minutes". (doc) Create Message, `enforce_nonce`.
pub(crate) const NONCE_REMEMBERED: Duration = Duration::from_secs(5 * 60);
/// (ours) Nonces kept for each channel.
pub(crate) const NONCES_PER_CHANNEL: usize = 1000;
/// (doc) Create Message.
pub(crate) const EMBEDS: usize = 10;
/// (doc) Message, Embed Limits: the sum over all embeds.
pub(crate) const EMBED_CHARS: usize = 6000;
/// (doc) Components, Legacy Message Component Behavior: action rows.
pub(crate) const ACTION_ROWS: usize = 5;
/// (doc) Components, with IS_COMPONENTS_V2.
pub(crate) const COMPONENTS: usize = 40;
/// (ours) Embeds or components of one message, as JSON.
pub(crate) const STRUCTURED_BYTES: usize = 64 * 1024;
/// (doc) Allowed Mentions Object: ids in each list.
pub(crate) const ALLOWED_MENTION_IDS: usize = 100;
/// (doc) Get Channel Messages.
pub(crate) const HISTORY_PAGE: u64 = 100;
/// (doc) Get Channel Messages.
pub(crate) const HISTORY_PAGE_DEFAULT: u64 = 50;
/// (doc) Bulk Delete Messages.
pub(crate) const BULK_DELETE: std::ops::RangeInclusive<usize> = 2..=100;
/// (doc) Bulk Delete Messages: older ones are refused.
pub(crate) const BULK_DELETE_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
/// (doc) JSON error 30010.
pub(crate) const REACTIONS_PER_MESSAGE: usize = 20;
/// (doc) Get Reactions.
pub(crate) const REACTION_PAGE: u64 = 100;
/// (doc) List Guild Members.
pub(crate) const MEMBER_PAGE: u64 = 1000;
/// (doc) Get Current User Guilds.
pub(crate) const GUILD_PAGE: u64 = 200;
/// (doc) Start Thread from Message.
pub(crate) const THREAD_NAME_CHARS: usize = 100;
/// (doc) Channel, `auto_archive_duration`, in minutes.
pub(crate) const AUTO_ARCHIVE: [u64; 4] = [60, 1440, 4320, 10_080];
/// What threads get that ask for none. (ours) Discord takes the channel's own.
pub(crate) const AUTO_ARCHIVE_DEFAULT: u64 = 4320;
/// (doc) Start Thread from Message, `rate_limit_per_user`, in seconds.
pub(crate) const SLOW_MODE: u64 = 21_600;
/// (doc) Threads: "can have 1000 members".
pub(crate) const THREAD_MEMBERS: usize = 1000;
/// (doc) Channel, `member_count`: "stops counting at 50".
pub(crate) const THREAD_MEMBERS_COUNTED: usize = 50;
/// (observed) JSON error 160006 names no number.
pub(crate) const ACTIVE_THREADS: usize = 1000;
/// (ours) Archived threads of one guild; the oldest go first.
pub(crate) const ARCHIVED_THREADS: usize = 1000;
/// (doc) Create Message: `sticker_ids`.
pub(crate) const STICKERS: usize = 3;
/// (doc) Poll: the question.
pub(crate) const POLL_QUESTION_CHARS: usize = 300;
/// (doc) Poll: one answer.
pub(crate) const POLL_ANSWER_CHARS: usize = 55;
/// (doc) Poll Create Request.
pub(crate) const POLL_ANSWERS: usize = 10;
/// (doc) Poll Create Request: "up to 32 days", in hours.
pub(crate) const POLL_HOURS: u64 = 32 * 24;

/// (ours) How often it is looked for threads that are to be archived.
pub(crate) const THREAD_CHECK: Duration = Duration::from_secs(60);

/// (ours) Polls that tell of their end when they run out.
pub(crate) const OPEN_POLLS: usize = 10_000;

/// (doc) Application Commands, `name`.
pub(crate) const COMMAND_NAME_CHARS: usize = 32;
/// (doc) Application Commands, `description`.
pub(crate) const COMMAND_DESCRIPTION_CHARS: usize = 100;
/// (doc) Application Commands, `options`.
pub(crate) const COMMAND_OPTIONS: usize = 25;
/// (doc) Application Command Option, `choices`.
pub(crate) const COMMAND_CHOICES: usize = 25;
/// (doc) Application Command Option Choice, `name` and `value`.
pub(crate) const CHOICE_CHARS: usize = 100;
/// (doc) Application Command Option, `max_length`.
pub(crate) const OPTION_LENGTH: u64 = 6000;
/// (doc) Application Commands: names, descriptions and values in all.
pub(crate) const COMMAND_CHARS: usize = 8000;
/// (doc) Registering a Command: slash commands, global or in one guild.
pub(crate) const SLASH_COMMANDS: usize = 100;
/// (doc) Registering a Command: of each kind of context menu.
pub(crate) const CONTEXT_MENUS: usize = 15;
/// (ours) Commands of all applications and guilds.
pub(crate) const COMMANDS_IN_ALL: usize = 2000;
/// (ours) As many as there are kinds of channels.
pub(crate) const CHANNEL_TYPES: usize = 20;
/// (doc) Application Command Permissions.
pub(crate) const COMMAND_PERMISSIONS: usize = 100;
/// (doc) Reference, Locales.
pub(crate) const LOCALES: [&str; 32] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl",
    "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th",
    "zh-CN", "ja", "zh-TW", "ko",
];
/// (doc) Receiving and Responding: the first answer.
pub(crate) const INTERACTION_ANSWER: Duration = Duration::from_secs(3);
/// (doc) Receiving and Responding: everything after it.
pub(crate) const INTERACTION_TOKEN: Duration = Duration::from_secs(15 * 60);
/// (ours) Interactions kept; the oldest go first.
pub(crate) const INTERACTIONS: usize = 5000;
/// (ours) Messages that one person alone sees; the oldest go first.
pub(crate) const EPHEMERAL_MESSAGES: usize = 2000;
/// (doc) Modal, `title`.
pub(crate) const MODAL_TITLE_CHARS: usize = 45;
/// (doc) Modal, `components`.
pub(crate) const MODAL_COMPONENTS: usize = 5;
/// (doc) Component, `custom_id`.
pub(crate) const CUSTOM_ID_CHARS: usize = 100;
/// (doc) Text Input: the most that a modal takes.
pub(crate) const TEXT_INPUT_CHARS: u64 = 4000;
/// (doc) With IS_COMPONENTS_V2: text of all components.
pub(crate) const COMPONENT_TEXT_CHARS: usize = 4000;
/// (doc) Create Webhook, `name`.
pub(crate) const WEBHOOK_NAME_CHARS: usize = 80;
/// (doc) JSON error 30007.
pub(crate) const WEBHOOKS_PER_CHANNEL: usize = 15;
/// (ours) A picture that is given in a body.
pub(crate) const AVATAR_BYTES: usize = 512 * 1024;
/// (doc) JSON error 30013.
pub(crate) const CHANNELS: usize = 500;
/// (doc) Channel, `parent_id`: "each parent category can contain up to 50".
pub(crate) const CHANNELS_PER_CATEGORY: usize = 50;
/// (doc) Modify Channel: names.
pub(crate) const CHANNEL_NAME_CHARS: usize = 100;
/// (doc) Modify Channel: topics.
pub(crate) const TOPIC_CHARS: usize = 1024;
/// (doc) Modify Channel: topics of forums and media channels.
pub(crate) const FORUM_TOPIC_CHARS: usize = 4096;
/// (doc) Modify Channel: `available_tags`.
pub(crate) const FORUM_TAGS: usize = 20;
/// (doc) Forum Tag.
pub(crate) const FORUM_TAG_CHARS: usize = 20;
/// (doc) Channel, `applied_tags`.
pub(crate) const TAGS_PER_POST: usize = 5;
/// (doc) Modify Channel: `bitrate` without boosts.
pub(crate) const BITRATE: std::ops::RangeInclusive<u64> = 8000..=96_000;
/// (ours) Overwrites of one channel. (observed) Discord stops at 1000.
pub(crate) const OVERWRITES: usize = 1000;
/// (doc) JSON error 30005.
pub(crate) const ROLES: usize = 250;
/// (doc) Create Guild Role, `name`.
pub(crate) const ROLE_NAME_CHARS: usize = 100;
/// (observed) Nicknames.
pub(crate) const NICKNAME_CHARS: usize = 32;
/// (doc) Modify Guild Member: "up to 28 days in the future".
pub(crate) const TIMEOUT: Duration = Duration::from_secs(28 * 24 * 3600);
/// (doc) Create Guild Ban: `delete_message_seconds`.
pub(crate) const BAN_DELETES_SECONDS: u64 = 604_800;
/// (doc) Get Guild Bans.
pub(crate) const BAN_PAGE: u64 = 1000;
/// (doc) Bulk Guild Ban.
pub(crate) const BULK_BAN: usize = 200;
/// (doc) JSON error 30016.
pub(crate) const INVITES: usize = 1000;
/// (doc) Create Channel Invite: `max_age`.
pub(crate) const INVITE_AGE_SECONDS: u64 = 604_800;
/// (doc) Create Channel Invite: what `max_age` is unless it is said.
pub(crate) const INVITE_AGE_DEFAULT: u64 = 86_400;
/// (doc) Create Channel Invite: `max_uses`.
pub(crate) const INVITE_USES: u64 = 100;
/// (doc) JSON error 30003, and Pin Message.
pub(crate) const PINS: usize = 250;
/// (doc) Get Channel Pins, and what the older route shows.
pub(crate) const PIN_PAGE: u64 = 50;
/// (doc) Get Answer Voters.
pub(crate) const VOTER_PAGE: u64 = 100;
/// (doc) JSON error 30008: without boosts, still and animated ones apart.
pub(crate) const EMOJIS: usize = 50;
/// (doc) Emoji, Application-Owned Emoji.
pub(crate) const APPLICATION_EMOJIS: usize = 2000;
/// (doc) Emoji: "up to 256 KiB".
pub(crate) const EMOJI_BYTES: usize = 256 * 1024;
/// (doc) Sticker: without boosts.
pub(crate) const GUILD_STICKERS: usize = 5;
/// (doc) Create Guild Sticker: "maximum 512 KiB".
pub(crate) const STICKER_BYTES: usize = 512 * 1024;
/// (ours) A picture in a JSON body: avatars and icons.
pub(crate) const PICTURE_BYTES: usize = 512 * 1024;
/// (doc) Create Guild Scheduled Event.
pub(crate) const EVENT_NAME_CHARS: usize = 100;
/// (doc) Create Guild Scheduled Event.
pub(crate) const EVENT_DESCRIPTION_CHARS: usize = 1000;
/// (doc) Guild Scheduled Event Entity Metadata.
pub(crate) const EVENT_LOCATION_CHARS: usize = 100;
/// (doc) JSON error 30038: scheduled or active ones.
pub(crate) const EVENTS: usize = 100;
/// (doc) Get Guild Scheduled Event Users.
pub(crate) const EVENT_PEOPLE_PAGE: u64 = 100;
/// (doc) Create Stage Instance: `topic`.
pub(crate) const STAGE_TOPIC_CHARS: usize = 120;
/// (doc) Auto Moderation Rule: `exempt_roles`.
pub(crate) const RULE_EXEMPT_ROLES: usize = 20;
/// (doc) Auto Moderation Rule: `exempt_channels`.
pub(crate) const RULE_EXEMPT_CHANNELS: usize = 50;
/// (ours) As many as there are kinds of actions, and one to spare.
pub(crate) const RULE_ACTIONS: usize = 5;
/// (doc) Auto Moderation Action Metadata: four weeks.
pub(crate) const RULE_TIMEOUT_SECONDS: u64 = 2_419_200;
/// (doc) Soundboard: without boosts.
pub(crate) const SOUNDS: usize = 8;
/// (doc) Create Guild Soundboard Sound.
pub(crate) const SOUND_BYTES: usize = 512 * 1024;
/// (ours) The longest emoji of Unicode is shorter.
pub(crate) const EMOJI_NAME_CHARS: usize = 32;
/// (doc) Create Guild Template: `description`.
pub(crate) const TEMPLATE_DESCRIPTION_CHARS: usize = 120;
/// (observed) Welcome Screen: `description`.
pub(crate) const WELCOME_CHARS: usize = 140;
/// (doc) Welcome Screen: `welcome_channels`.
pub(crate) const WELCOME_CHANNELS: usize = 5;
/// (ours) Prompts of an onboarding.
pub(crate) const ONBOARDING_PROMPTS: usize = 15;
/// (observed) Options of one prompt.
pub(crate) const ONBOARDING_OPTIONS: usize = 50;
/// (doc) Modify Guild Onboarding: default channels of one that is enabled.
pub(crate) const ONBOARDING_CHANNELS: usize = 7;
/// (observed) Edit Current Application: `description`.
pub(crate) const APPLICATION_CHARS: usize = 400;
/// (doc) Edit Current Application: `tags`.
pub(crate) const APPLICATION_TAGS: usize = 5;
/// (ours) An address that an application names.
pub(crate) const URL_CHARS: usize = 2048;
/// (ours) Bots, those of the world file included.
pub(crate) const APPLICATIONS: usize = 100;
/// (doc) Application Role Connection Metadata: records of an application.
pub(crate) const ROLE_CONNECTIONS: usize = 5;
/// (doc) Search Guild Messages.
pub(crate) const SEARCH_PAGE: u64 = 25;
/// (doc) Audit Log Entry, `reason`.
pub(crate) const REASON_CHARS: usize = 512;
/// (doc) Get Guild Audit Log.
pub(crate) const AUDIT_PAGE: u64 = 100;
/// (ours) Entries of one guild; the oldest go first. Discord keeps 45 days.
pub(crate) const AUDIT_ENTRIES: usize = 1000;
/// (doc) Get Guild Prune Count: `days`.
pub(crate) const PRUNE_DAYS: std::ops::RangeInclusive<u64> = 1..=30;
/// (doc) Create DM, Create Group DM.
pub(crate) const RECIPIENTS: usize = 10;
/// (ours) How long a signed URL of an attachment is good for. (observed) A day.
pub(crate) const SIGNED_FOR: Duration = Duration::from_secs(24 * 3600);
/// (observed) Refresh Attachment URLs.
pub(crate) const REFRESHED_URLS: usize = 50;

/// (doc) Reference, Uploading Files: one file without boosts.
pub(crate) const FILE_BYTES: usize = 10 * 1024 * 1024;
/// (doc) Create Message: the whole request.
pub(crate) const MULTIPART_BYTES: usize = 25 * 1024 * 1024;
/// (doc) Create Message: `files[n]`.
pub(crate) const FILES_PER_MESSAGE: usize = 10;
/// (ours)
pub(crate) const JSON_BYTES: usize = 1024 * 1024;
/// (ours) All uploads together; the oldest go first.
pub(crate) const STORED_BYTES: usize = 64 * 1024 * 1024;
/// (ours) A snapshot, files included.
pub(crate) const SNAPSHOT_BYTES: u64 = 1024 * 1024 * 1024;
/// (ours) How long a change may wait to be kept.
pub(crate) const SNAPSHOT_PAUSE: Duration = Duration::from_secs(2);
/// (ours) Messages of one channel; the oldest go first.
pub(crate) const MESSAGES_PER_CHANNEL: usize = 10_000;

/// (observed) HELLO on live connections.
pub(crate) const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(41_250);
/// (ours) A client that misses so many is dead; Discord does not tell.
pub(crate) const MISSED_HEARTBEATS: u32 = 2;
/// (doc) Gateway, Rate Limiting.
pub(crate) const GATEWAY_SENDS: usize = 120;
/// (doc) Gateway, Rate Limiting.
pub(crate) const GATEWAY_SEND_WINDOW: Duration = Duration::from_secs(60);
/// (doc) Gateway, Sending Events.
pub(crate) const GATEWAY_PAYLOAD_BYTES: usize = 4096;
/// (ours) What each connection reads at once: clients write little.
pub(crate) const GATEWAY_READ_BYTES: usize = 2 * GATEWAY_PAYLOAD_BYTES;
/// (doc) Get Gateway Bot, Session Start Limit.
pub(crate) const IDENTIFIES_PER_DAY: u64 = 1000;
/// (doc) Get Gateway Bot, Session Start Limit: `reset_after` counts this down.
pub(crate) const IDENTIFY_DAY: Duration = Duration::from_secs(24 * 3600);
/// (doc) Gateway, Sharding: `max_concurrency` in this time.
pub(crate) const IDENTIFY_WINDOW: Duration = Duration::from_secs(5);
/// (ours) Activities of one presence.
pub(crate) const ACTIVITIES: usize = 5;
/// (doc) Channel Types: GUILD_STAGE_VOICE.
pub(crate) const STAGE_CHANNEL: u8 = 13;
/// (ours) Where a voice server would be. The name can never be resolved.
pub(crate) const VOICE_ENDPOINT: &str = "voice.emulator.invalid:443";
/// (ours) Guilds in one Request Soundboard Sounds.
pub(crate) const REQUESTED_GUILDS: usize = 100;
/// (doc) Request Guild Members: all members of a guild, once in this time.
pub(crate) const ALL_MEMBERS_WINDOW: Duration = Duration::from_secs(30);
/// "A few minutes". (observed) A session that lost its connection.
pub(crate) const SESSION_SURVIVES: Duration = Duration::from_secs(5 * 60);
/// (ours) Events kept for a resume.
pub(crate) const REPLAY_EVENTS: usize = 1000;
/// (ours) Events kept for a connected client that reads slower than people
/// write.
pub(crate) const LAGGING_EVENTS: usize = 20_000;
/// (ours) Bytes of the events kept for one session.
pub(crate) const SESSION_BYTES: usize = 32 * 1024 * 1024;
/// (ours)
pub(crate) const SESSIONS: usize = 4096;
/// (ours) How long an answer waits for the events that go before it.
pub(crate) const TOLD_FIRST: Duration = Duration::from_millis(100);
/// (ours) Bots with more sessions are answered at once.
pub(crate) const TOLD_FIRST_SESSIONS: usize = 4;
/// (ours) Open websockets, identified or not.
pub(crate) const CONNECTIONS: usize = 4096;
/// (ours) A client that takes so long to read one frame is dead.
pub(crate) const SEND_PATIENCE: Duration = Duration::from_secs(20);
/// (doc) Request Guild Members.
pub(crate) const MEMBERS_PER_CHUNK: usize = 1000;
/// (doc) Request Guild Members.
pub(crate) const REQUESTED_MEMBERS: usize = 100;
/// (ours) Events a slow watcher may lag behind.
pub(crate) const WATCHED_EVENTS: usize = 4096;
/// (ours) Requests and frames kept for whoever looks later.
pub(crate) const TRAFFIC_ENTRIES: usize = 1000;
/// (ours) Bytes of what is kept.
pub(crate) const TRAFFIC_BYTES: usize = 8 * 1024 * 1024;
/// (ours) The longest body that is kept or recorded.
pub(crate) const TRAFFIC_BODY: usize = 64 * 1024;
/// (ours) When more clients are connected, frames of the later ones are kept
/// in a recording only.
pub(crate) const TRAFFIC_CONNECTIONS: usize = 64;
/// (ours) Faults that are asked for and not yet over; the oldest go first.
pub(crate) const FAULTS: usize = 1000;
/// (ours) How long events can be delayed.
pub(crate) const EVENT_DELAY: Duration = Duration::from_secs(3600);
/// (ours) How long open requests may take to end after the emulator was told to stop.
pub(crate) const SHUTDOWN_PATIENCE: Duration = Duration::from_secs(3);

/// (ours) What the port takes. An idle connection is closed later than clients
/// keep theirs, lest a request meets the end of its connection.
pub(crate) const SERVER: ServerLimits = ServerLimits {
    connections: 256,
    header_timeout: Duration::from_secs(120),
    body_bytes: MULTIPART_BYTES + JSON_BYTES,
    shutdown_patience: SHUTDOWN_PATIENCE,
};

/// So many requests in each window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) requests: u32,
    pub(crate) window: Duration,
}

const fn rate(requests: u32, window_ms: u64) -> Rate {
    Rate {
        requests,
        window: Duration::from_millis(window_ms),
    }
}

/// (doc) Rate Limits, Global Rate Limit.
pub(crate) const GLOBAL: Rate = rate(50, 1000);
/// (doc) Rate Limits, Invalid Request Limit.
pub(crate) const INVALID_REQUESTS: u32 = 10_000;
/// (doc) Rate Limits, Invalid Request Limit.
pub(crate) const INVALID_WINDOW: Duration = Duration::from_secs(600);
/// (observed) How long Discord's edge keeps an address out.
pub(crate) const BAN: Duration = Duration::from_secs(3600);
/// Humans click and type on a page that also reads; Discord does not publish
/// what it grants its own clients. (ours)
pub(crate) const HUMAN_ALLOWANCE: u32 = 10;
/// What headers say when a world turns limits off. (ours)
pub(crate) const UNLIMITED: Rate = rate(10_000, 1000);
/// (ours) Buckets kept before the expired ones are swept.
pub(crate) const BUCKETS: usize = 4096;

/// A group of routes that share one allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bucket {
    MessageCreate,
    MessageEdit,
    MessageDelete,
    BulkDelete,
    Typing,
    Reaction,
    OpenDm,
    Overwrite,
    Thread,
    Commands,
    Interaction,
    Callback,
    WebhookExecute,
    /// All webhooks of one channel together.
    WebhookChannel,
    WebhookEdit,
    WebhookManage,
    /// Everything that those who manage a guild do.
    Manage,
    Read,
}

impl Bucket {
    /// Discord publishes none of these: it asks clients to read the headers.
    pub(crate) fn rate(self) -> Rate {
        match self {
            // (observed) about five in five seconds, create and edit apart
            Self::MessageCreate | Self::MessageEdit | Self::Typing => rate(5, 5000),
            // (observed)
            Self::MessageDelete => rate(5, 1000),
            Self::BulkDelete => rate(1, 1000),
            Self::Reaction => rate(1, 250),
            Self::OpenDm => rate(10, 10_000),
            // (observed) by webhook, and about thirty a minute in its channel
            Self::WebhookExecute | Self::WebhookEdit => rate(5, 2000),
            Self::WebhookChannel => rate(30, 60_000),
            // (doc) Interaction endpoints have no limit that a bot can reach.
            Self::Callback => rate(1000, 1000),
            // (ours)
            Self::Commands | Self::WebhookManage => rate(5, 5000),
            Self::Interaction => rate(10, 10_000),
            // (ours)
            Self::Overwrite | Self::Thread => rate(10, 10_000),
            // (ours) Discord's differ by route
            Self::Manage => rate(20, 5000),
            // (ours) reads differ by route; all are far from what a bot needs
            Self::Read => rate(50, 1000),
        }
    }
}
