//! The bots of a world file: applications with an account and a token each.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::{MoreGuildPlan, WorldPlan};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) nickname: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) roles: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) mentionable: bool,
    #[serde(default = "PrivilegedIntent::all")]
    pub(crate) intents: Vec<PrivilegedIntent>,
}

/// The first bot in one more guild.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotMemberPlan {
    pub(crate) nickname: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) roles: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) mentionable: bool,
}

/// A bot that one more guild names.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedBotPlan {
    pub(crate) name: Spanned<String>,
    pub(crate) nickname: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) roles: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) mentionable: bool,
}

/// A bot's place in a guild, wherever in the file it was described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BotPlace<'a> {
    pub(crate) name: &'a Spanned<String>,
    pub(crate) nickname: Option<&'a Spanned<String>>,
    pub(crate) roles: &'a [Spanned<String>],
    pub(crate) mentionable: bool,
}

/// An intent that Discord grants on request only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PrivilegedIntent {
    GuildPresences,
    GuildMembers,
    MessageContent,
}

impl PrivilegedIntent {
    pub(crate) fn all() -> Vec<Self> {
        vec![
            Self::GuildPresences,
            Self::GuildMembers,
            Self::MessageContent,
        ]
    }
}

impl WorldPlan {
    /// Every bot: that of `[bot]`, then those of `[[bots]]`.
    pub(crate) fn all_bots(&self) -> impl Iterator<Item = &BotPlan> {
        self.bot.iter().chain(&self.bots)
    }

    /// All bots are in the first guild.
    pub(super) fn bots_of_the_first(&self) -> Vec<BotPlace<'_>> {
        let places = self.all_bots().map(|bot| BotPlace {
            name: &bot.name,
            nickname: bot.nickname.as_ref(),
            roles: &bot.roles,
            mentionable: bot.mentionable,
        });
        places.collect()
    }

    /// The bots that a further guild names, or else all of them.
    pub(super) fn bots_of<'a>(&'a self, guild: &'a MoreGuildPlan) -> Vec<BotPlace<'a>> {
        if let Some(named) = &guild.bots {
            let places = named.iter().map(|bot| BotPlace {
                name: &bot.name,
                nickname: bot.nickname.as_ref(),
                roles: &bot.roles,
                mentionable: bot.mentionable,
            });
            return places.collect();
        }
        let mut places: Vec<BotPlace<'_>> = self
            .all_bots()
            .map(|bot| BotPlace {
                name: &bot.name,
                nickname: None,
                roles: &[],
                mentionable: false,
            })
            .collect();
        if let (Some(first), Some(plan)) = (places.first_mut(), &guild.bot) {
            first.nickname = plan.nickname.as_ref();
            first.roles = &plan.roles;
            first.mentionable = plan.mentionable;
        }
        places
    }
}
