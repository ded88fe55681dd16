//! Who may not come, and by which codes people come.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Guild, Realm};
use crate::snowflake::{Snowflake, now};

/// Somebody who was banned from a guild.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ban {
    pub(crate) person: Snowflake,
    pub(crate) reason: Option<String>,
}

/// A code that lets people join a guild.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Invite {
    pub(crate) code: String,
    pub(crate) channel: Snowflake,
    pub(crate) inviter: Snowflake,
    pub(crate) created: Timestamp,
    /// Seconds; zero is for ever.
    pub(crate) max_age: u64,
    /// Zero is any number.
    pub(crate) max_uses: u64,
    pub(crate) uses: u64,
    pub(crate) temporary: bool,
    #[serde(default)]
    pub(crate) target: Option<InviteTarget>,
}

/// What is shown to those who come to a voice channel. Discord Docs/Invite,
/// Invite Target Types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum InviteTarget {
    /// Somebody's stream.
    Stream(Snowflake),
    /// An activity.
    Application(Snowflake),
}

impl Invite {
    pub(crate) fn expires(&self) -> Option<Timestamp> {
        let seconds = i64::try_from(self.max_age).ok().filter(|it| *it > 0)?;
        Some(self.created + SignedDuration::from_secs(seconds))
    }

    pub(crate) fn usable(&self) -> bool {
        let used_up = self.max_uses > 0 && self.uses >= self.max_uses;
        !used_up && self.expires().is_none_or(|at| at > now())
    }
}

impl Realm {
    /// An invite that can still be used, and its guild.
    pub(crate) fn invite(&self, code: &str) -> Option<(&Guild, &Invite)> {
        self.guilds.iter().find_map(|guild| {
            let mut usable = guild.invites.iter().filter(|invite| invite.usable());
            let invite = usable.find(|invite| invite.code == code)?;
            Some((guild, invite))
        })
    }
}

impl Guild {
    pub(crate) fn bans(&self, person: Snowflake) -> bool {
        self.bans.iter().any(|ban| ban.person == person)
    }
}
