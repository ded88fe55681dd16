//! What a realm is born with, read from a TOML file.

mod bots;
mod check;
mod history;

use serde::Deserialize;
use toml::Spanned;

use crate::realm::{GuildChannelKind, PermissionSet};
use bots::{BotMemberPlan, BotPlan, NamedBotPlan};

pub(crate) use bots::{BotPlace, PrivilegedIntent};
pub(crate) use history::MessagePlan;

/// Guilds with their channels, roles and people, and the bots.
///
/// [`World::default`] is the Tea House: text channels `general`, `random`,
/// `code` and a `staff` that plain members cannot see; Ada who owns it, Ben
/// and Mika; the bot Kaiwa. Beside it is the Reading Room: `general` and
/// `quiet`; Noor who owns it, and Ada. [`World::from_toml`] reads any other:
///
/// ```toml
/// limits = "discord"            # or "off": rate-limit headers, but never a 429
/// identify_limits = "off"       # or "discord": too many new sessions are refused
/// shards = 1                    # how many Discord recommends
/// max_concurrency = 1           # sessions that may be started in five seconds
/// session_starts = 1000         # sessions that may be started in a day
/// heartbeat_ms = 41250          # how often clients are to beat their hearts
///
/// [guild]
/// name = "Tea House"
/// owner = "Ada"                 # default: the first user
///
/// [bot]
/// name = "Kaiwa"
/// nickname = "Kai"              # optional
/// roles = ["Keeper"]            # optional; beside these it has a role of its
///                               # own name, which Discord manages
/// mentionable = true            # optional: everybody may mention that role
/// # Privileged intents the bot may ask for. Default: all three.
/// intents = ["guild_presences", "guild_members", "message_content"]
///
/// [[bots]]                      # optional: up to 10 bots in all, each with an
/// name = "Dice"                 # application and a token of its own, written
/// intents = []                  # as `[bot]`, which may be left out then
///
/// [[roles]]                     # optional; later roles stand higher
/// name = "Keeper"               # "@everyone" changes what everybody may do
/// permissions = ["manage_messages", "mention_everyone"]
/// color = 0x2ecc71              # optional
/// hoist = true                  # optional: shown apart in the member list
/// mentionable = true            # optional
///
/// [[users]]                     # 1 to 100 humans
/// name = "Ada"
/// nickname = "Countess"         # optional
/// roles = ["Keeper"]            # optional
///
/// [[channels]]                  # 1 to 100 channels
/// name = "general"
/// topic = "Anything"            # optional
/// type = "text"                 # or "voice", "announcement", "forum"
///
/// [[channels.overwrites]]       # optional; `role` or `member`
/// role = "@everyone"
/// allow = ["send_messages"]
/// deny = ["view_channel"]
///
/// [[emojis]]                    # optional: up to 50, written `<:tea:ID>`
/// name = "tea"
///
/// [[stickers]]                  # optional: up to 50
/// name = "Cheers"
/// description = "Two cups"      # optional
///
/// [[messages]]                  # optional: what was said before, up to 10,000
/// channel = "general"
/// author = "Ada"                # a user, or the bot
/// content = "Hello"
/// at = 2026-01-01T12:00:00Z     # default: a minute after the one before
///
/// [[guilds]]                    # optional: up to 9 more guilds
/// name = "Reading Room"
/// owner = "Noor"                # default: its first member
/// bot = { nickname = "Librarian", roles = ["Quiet"] } # optional: the first bot
/// # Or, for another choice than all bots, those that are in it:
/// # bots = [{ name = "Dice", nickname = "Cube", roles = ["Quiet"] }]
///
/// # `[[guilds.roles]]`, `[[guilds.channels]]`, `[[guilds.emojis]]`,
/// # `[[guilds.stickers]]` and `[[guilds.messages]]` are written as above, and
/// # `[[guilds.members]]` as `[[users]]`: a name that is known from elsewhere
/// # is the same person.
/// [[guilds.members]]
/// name = "Noor"
///
/// [[guilds.channels]]
/// name = "general"
/// ```
///
/// Permission names are those of Discord's documentation in lower case. Ids
/// and tokens follow from the names, so that a restart keeps them. Tokens are
/// therefore no secret: serve a world on the loopback interface only.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) plan: WorldPlan,
    pub(crate) seed: Option<u64>,
}

impl World {
    /// A world file with everything that one can have, explained.
    pub const EXAMPLE: &str = include_str!("world/example.toml");

    /// Reads a world file.
    ///
    /// # Errors
    ///
    /// [`WorldError`] names the line and the key at fault and what is allowed.
    pub fn from_toml(text: &str) -> Result<Self, WorldError> {
        check::read(text).map(|plan| Self { plan, seed: None })
    }

    /// The same world with ids and times of its own: what is done in the same
    /// order gets the same ids and timestamps in every run. Time then stands
    /// still but for a millisecond with each new id, and what
    /// [`Emulator::advance`](crate::Emulator::advance) adds.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The same world with bots that were not granted the Message Content
    /// Intent.
    #[must_use]
    pub fn without_message_content(mut self) -> Self {
        for bot in self.plan.bot.iter_mut().chain(&mut self.plan.bots) {
            bot.intents
                .retain(|intent| *intent != PrivilegedIntent::MessageContent);
        }
        self
    }

    /// The same world without rate limits: headers are sent, 429s are not.
    #[must_use]
    pub fn without_limits(mut self) -> Self {
        self.plan.limits = RateLimits::Off;
        self
    }
}

impl Default for World {
    #[expect(
        clippy::expect_used,
        reason = "the text is part of the program and a test reads it"
    )]
    fn default() -> Self {
        Self::from_toml(include_str!("world/tea_house.toml")).expect("the Tea House is sound")
    }
}

/// Why a world file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{key}`: {problem}")]
pub struct WorldError {
    /// The line at fault, counted from one.
    pub line: usize,
    /// The key or table at fault.
    pub key: String,
    /// What is wrong, and what is allowed instead.
    pub problem: String,
}

/// A world file as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorldPlan {
    #[serde(default)]
    pub(crate) limits: RateLimits,
    #[serde(default = "RateLimits::off")]
    pub(crate) identify_limits: RateLimits,
    pub(crate) shards: Option<Spanned<u64>>,
    pub(crate) max_concurrency: Option<Spanned<u64>>,
    pub(crate) session_starts: Option<Spanned<u64>>,
    pub(crate) heartbeat_ms: Option<Spanned<u64>>,
    pub(crate) guild: GuildPlan,
    pub(crate) bot: Option<BotPlan>,
    #[serde(default)]
    pub(crate) bots: Vec<BotPlan>,
    #[serde(default)]
    pub(crate) roles: Vec<RolePlan>,
    pub(crate) users: Vec<MemberPlan>,
    pub(crate) channels: Vec<ChannelPlan>,
    #[serde(default)]
    pub(crate) emojis: Vec<EmojiPlan>,
    #[serde(default)]
    pub(crate) stickers: Vec<StickerPlan>,
    #[serde(default)]
    pub(crate) messages: Vec<MessagePlan>,
    #[serde(default)]
    pub(crate) guilds: Vec<MoreGuildPlan>,
}

/// A guild, wherever in the file it was described.
#[derive(Clone, Debug)]
pub(crate) struct WholeGuild<'a> {
    pub(crate) name: &'a Spanned<String>,
    pub(crate) owner: Option<&'a Spanned<String>>,
    pub(crate) bots: Vec<BotPlace<'a>>,
    pub(crate) roles: &'a [RolePlan],
    pub(crate) members: &'a [MemberPlan],
    pub(crate) channels: &'a [ChannelPlan],
    pub(crate) emojis: &'a [EmojiPlan],
    pub(crate) stickers: &'a [StickerPlan],
    pub(crate) messages: &'a [MessagePlan],
}

impl WorldPlan {
    pub(crate) fn first_guild(&self) -> WholeGuild<'_> {
        WholeGuild {
            name: &self.guild.name,
            owner: self.guild.owner.as_ref(),
            bots: self.bots_of_the_first(),
            roles: &self.roles,
            members: &self.users,
            channels: &self.channels,
            emojis: &self.emojis,
            stickers: &self.stickers,
            messages: &self.messages,
        }
    }

    /// The guilds in the order of the file.
    pub(crate) fn all_guilds(&self) -> impl Iterator<Item = WholeGuild<'_>> {
        let more = self.guilds.iter().map(|guild| WholeGuild {
            name: &guild.name,
            owner: guild.owner.as_ref(),
            bots: self.bots_of(guild),
            roles: &guild.roles,
            members: &guild.members,
            channels: &guild.channels,
            emojis: &guild.emojis,
            stickers: &guild.stickers,
            messages: &guild.messages,
        });
        std::iter::once(self.first_guild()).chain(more)
    }
}

/// Whether requests above the limits are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RateLimits {
    #[default]
    Discord,
    Off,
}

impl RateLimits {
    fn off() -> Self {
        Self::Off
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuildPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) owner: Option<Spanned<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoreGuildPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) owner: Option<Spanned<String>>,
    pub(crate) bot: Option<BotMemberPlan>,
    /// All bots when it is left out.
    pub(crate) bots: Option<Vec<NamedBotPlan>>,
    #[serde(default)]
    pub(crate) roles: Vec<RolePlan>,
    pub(crate) members: Vec<MemberPlan>,
    pub(crate) channels: Vec<ChannelPlan>,
    #[serde(default)]
    pub(crate) emojis: Vec<EmojiPlan>,
    #[serde(default)]
    pub(crate) stickers: Vec<StickerPlan>,
    #[serde(default)]
    pub(crate) messages: Vec<MessagePlan>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RolePlan {
    pub(crate) name: Spanned<String>,
    #[serde(default)]
    pub(crate) permissions: Vec<PermissionSet>,
    #[serde(default)]
    pub(crate) color: Option<Spanned<u32>>,
    #[serde(default)]
    pub(crate) hoist: bool,
    #[serde(default)]
    pub(crate) mentionable: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemberPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) nickname: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) roles: Vec<Spanned<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChannelPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) topic: Option<Spanned<String>>,
    #[serde(default, rename = "type")]
    pub(crate) kind: GuildChannelKind,
    #[serde(default)]
    pub(crate) overwrites: Vec<Spanned<OverwritePlan>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverwritePlan {
    pub(crate) role: Option<Spanned<String>>,
    pub(crate) member: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) allow: Vec<PermissionSet>,
    #[serde(default)]
    pub(crate) deny: Vec<PermissionSet>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmojiPlan {
    pub(crate) name: Spanned<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StickerPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) description: Option<Spanned<String>>,
}
