//! Which server to talk to, and as whom.

use std::path::PathBuf;

use kaiwa_domain::limits::INVALID_REQUESTS;
use secrecy::SecretString;
use url::Url;

/// Which server to talk to, and as whom.
#[derive(Clone, Debug)]
pub struct Access {
    /// The bot's token.
    pub token: SecretString,
    /// Where REST lives, with the version: `https://discord.com/api/v10`.
    pub api_url: Url,
    /// Where the gateway lives, unless the server is to be asked for it.
    pub gateway_url: Option<Url>,
    /// Whether to ask for the text of messages that do not mention us. This
    /// needs the Message Content Intent in the developer portal.
    pub message_content: bool,
    /// Whether to ask for who joins, changes and leaves. This needs the Server
    /// Members Intent in the developer portal.
    pub guild_members: bool,
    /// A PEM file with certificate authorities that REST trusts beside those
    /// of the public web. The gateway takes such a file from `SSL_CERT_FILE`.
    pub extra_ca: Option<PathBuf>,
    /// How many requests REST may be sent in a second: [`REQUESTS_PER_SECOND`]
    /// unless Discord grants the bot more.
    pub requests_per_second: u64,
    /// How many requests Discord may call invalid in ten minutes before nothing
    /// is sent but answers to controls: [`INVALID_REQUESTS_MOST`].
    pub invalid_requests: u32,
}

/// Half of what Discord bans an address for, which others may share.
pub const INVALID_REQUESTS_MOST: u32 = INVALID_REQUESTS / 2;

/// What Discord lets every bot send in a second.
///
/// See [Discord Docs/Rate Limits](https://docs.discord.com/developers/topics/rate-limits#global-rate-limit).
pub const REQUESTS_PER_SECOND: u64 = 50;

impl Access {
    /// Access to Discord itself.
    #[expect(clippy::expect_used, reason = "the address is a constant")]
    pub fn discord(token: SecretString) -> Self {
        Self {
            token,
            api_url: Url::parse("https://discord.com/api/v10").expect("a valid address"),
            gateway_url: None,
            message_content: true,
            guild_members: false,
            extra_ca: None,
            requests_per_second: REQUESTS_PER_SECOND,
            invalid_requests: INVALID_REQUESTS_MOST,
        }
    }
}

/// Why an [`Access`] cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AccessError {
    /// The token is empty or holds characters that no token has.
    #[error(
        "the Discord token is empty or garbled: copy it again from Bot in the developer portal into DISCORD_TOKEN"
    )]
    Token,
    /// The address is not one of HTTP.
    #[error("discord.api_url must start with http:// or https://, not {scheme}://")]
    Scheme {
        /// What it starts with.
        scheme: String,
    },
    /// No client could be built.
    #[error("the HTTP client cannot be built: {reason}")]
    Client {
        /// What the library said.
        reason: String,
    },
}
