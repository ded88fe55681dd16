//! Discord's numbers, each with its source, and nowhere else.
//!
//! Rate limits are not here: Discord asks that they be read from its headers.
//! Of those that no header tells there is what was seen.

use std::time::Duration;

/// Milliseconds between 1970 and Discord's first second.
///
/// See [Discord Docs/Reference, Snowflakes](https://docs.discord.com/developers/reference#snowflakes).
pub const SNOWFLAKE_EPOCH_MS: i64 = 1_420_070_400_000;

/// The longest message content, in UTF-16 code units to be safe: Discord
/// counts characters, and no text has more of those than code units.
///
/// See [Discord Docs/Create Message](https://docs.discord.com/developers/resources/message#create-message).
pub const MESSAGE_UTF16: usize = 2000;

/// What we fill a message to by default. The rest is room to close a fence.
pub const MESSAGE_TARGET_UTF16: usize = 1950;

/// The longest name of a webhook, in UTF-16 code units to be safe.
///
/// See [Discord Docs/Create Webhook](https://docs.discord.com/developers/resources/webhook#create-webhook).
pub const WEBHOOK_NAME_UTF16: usize = 80;

/// What no name of a webhook may hold, in whatever case.
///
/// See [Discord Docs/Create Webhook](https://docs.discord.com/developers/resources/webhook#create-webhook).
pub const WEBHOOK_NAME_FORBIDDEN: [&str; 2] = ["clyde", "discord"];

/// How much all webhooks of a channel may post together in
/// [`WEBHOOK_POSTS_WINDOW`], as bots have found; Discord tells once it is too
/// much.
///
/// See [discord-api-docs#6753](https://github.com/discord/discord-api-docs/issues/6753).
pub const WEBHOOK_POSTS: usize = 30;

/// The window over which [`WEBHOOK_POSTS`] are counted.
pub const WEBHOOK_POSTS_WINDOW: Duration = Duration::from_secs(60);

/// The longest `nonce` of a message.
///
/// See [Discord Docs/Create Message](https://docs.discord.com/developers/resources/message#create-message).
pub const NONCE_CHARS: usize = 25;

/// The most files of a message.
///
/// See [Discord Docs/Create Message](https://docs.discord.com/developers/resources/message#create-message).
pub const ATTACHMENTS: usize = 10;

/// How long Discord waits for the first answer to an interaction.
///
/// See [Discord Docs/Interactions](https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction).
pub const INTERACTION_ACK_WITHIN: Duration = Duration::from_secs(3);

/// How long an interaction can be answered.
///
/// See [Discord Docs/Interactions](https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages).
pub const INTERACTION_LASTS: Duration = Duration::from_secs(15 * 60);

/// The most choices that can be offered while an option is typed.
///
/// See [Discord Docs/Interactions](https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object).
pub const CHOICES: usize = 25;

/// The longest `custom_id` of a control.
///
/// See [Discord Docs/Components](https://docs.discord.com/developers/components/reference#anatomy-of-a-component).
pub const CONTROL_CHARS: usize = 100;

/// The most buttons in a row.
///
/// See [Discord Docs/Components](https://docs.discord.com/developers/components/reference#action-row).
pub const BUTTONS: usize = 5;

/// The most users that a message can ping by name.
///
/// See [Discord Docs/Allowed Mentions Object](https://docs.discord.com/developers/resources/message#allowed-mentions-object).
pub const MENTIONS: usize = 100;

/// The longest description of an attachment.
///
/// See [Discord Docs/Attachment Object](https://docs.discord.com/developers/resources/message#attachment-object).
pub const ATTACHMENT_DESCRIPTION_CHARS: usize = 1024;

/// How many messages one history request may return.
///
/// See [Discord Docs/Get Channel Messages](https://docs.discord.com/developers/resources/message#get-channel-messages).
pub const HISTORY_PAGE: u16 = 100;

/// How long Discord shows "is typing" after one request.
///
/// See [Discord Docs/Trigger Typing Indicator](https://docs.discord.com/developers/resources/channel#trigger-typing-indicator).
pub const TYPING_LASTS: Duration = Duration::from_secs(10);

/// Requests that earn 401, 403 or 429 before Discord bans the address, per
/// [`INVALID_REQUEST_WINDOW`].
///
/// See [Discord Docs/Rate Limits](https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans).
pub const INVALID_REQUESTS: u32 = 10_000;

/// The window over which [`INVALID_REQUESTS`] are counted.
pub const INVALID_REQUEST_WINDOW: Duration = Duration::from_secs(600);

/// The most messages of an answer, whatever anybody sets.
pub const ANSWER_MESSAGES_MOST: u16 = 64;

/// How many messages can be deleted at once.
///
/// See [Discord Docs/Bulk Delete Messages](https://docs.discord.com/developers/resources/message#bulk-delete-messages).
pub const BULK_DELETE: usize = 100;

/// How old a message may be that is deleted with others.
///
/// See [Discord Docs/Bulk Delete Messages](https://docs.discord.com/developers/resources/message#bulk-delete-messages).
pub const BULK_DELETE_AGE: Duration = Duration::from_secs(14 * 24 * 3600);

/// The longest timeout of a member.
///
/// See [Discord Docs/Modify Guild Member](https://docs.discord.com/developers/resources/guild#modify-guild-member).
pub const TIMEOUT: Duration = Duration::from_secs(28 * 24 * 3600);

/// The longest wait between two messages in a channel.
///
/// See [Discord Docs/Channel Object](https://docs.discord.com/developers/resources/channel#channel-object).
pub const SLOW_MODE: Duration = Duration::from_secs(21_600);

/// The longest reason in an audit log.
///
/// See [Discord Docs/Audit Logs](https://docs.discord.com/developers/resources/audit-log#audit-log-entry-object-audit-log-entry-structure).
pub const AUDIT_REASON_CHARS: usize = 512;

/// How many bans are listed at once.
///
/// See [Discord Docs/Get Guild Bans](https://docs.discord.com/developers/resources/guild#get-guild-bans).
pub const BAN_PAGE: u16 = 1000;
