//! The routes of application commands.

use axum::http::Method;

use super::super::{ApiError, route::id};
use crate::{limits::Bucket, snowflake::Snowflake};

/// Below `/applications/{application}`, with the guild if it is one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rest) enum CommandRoute {
    List(CommandPlace),
    Create(CommandPlace),
    Overwrite(CommandPlace),
    Get(CommandPlace, Snowflake),
    Edit(CommandPlace, Snowflake),
    Delete(CommandPlace, Snowflake),
    AllPermissions(CommandPlace),
    Permissions(CommandPlace, Snowflake),
    EditPermissions(CommandPlace, Snowflake),
    EditAllPermissions(CommandPlace),
    /// What a human may use in a channel.
    ChannelIndex(Snowflake),
    /// What a human may use in a guild.
    GuildIndex(Snowflake),
    /// What a human may use with an application in private.
    ApplicationIndex(Snowflake),
}

/// Whose commands are meant, and in which guild unless they are global.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) struct CommandPlace {
    pub(in crate::rest) application: Snowflake,
    pub(in crate::rest) guild: Option<Snowflake>,
}

impl CommandRoute {
    pub(in crate::rest) fn lookup(
        method: &Method,
        segments: &[&str],
    ) -> Option<Result<Self, ApiError>> {
        let index = match segments {
            ["channels", c, "application-command-index"] => {
                id("channel_id", c).map(Self::ChannelIndex)
            }
            ["guilds", g, "application-command-index"] => id("guild_id", g).map(Self::GuildIndex),
            ["applications", a, "application-command-index"] => {
                id("application_id", a).map(Self::ApplicationIndex)
            }
            ["applications", a, rest @ ..] if *a != "@me" => {
                let application = id("application_id", a);
                let (guild, rest) = match rest {
                    ["commands", rest @ ..] => (Ok(None), rest),
                    ["guilds", g, "commands", rest @ ..] => (id("guild_id", g).map(Some), rest),
                    _ => return None,
                };
                let place = application.and_then(|application| {
                    let guild = guild?;
                    Ok(CommandPlace { application, guild })
                });
                return Self::below(method, place, rest);
            }
            _ => return None,
        };
        (*method == Method::GET).then_some(index)
    }

    fn below(
        method: &Method,
        place: Result<CommandPlace, ApiError>,
        rest: &[&str],
    ) -> Option<Result<Self, ApiError>> {
        let in_guild = place.as_ref().is_ok_and(|place| place.guild.is_some());
        let of = |text: &str| id("command_id", text);
        Some(match (method.as_str(), rest) {
            ("GET", []) => place.map(Self::List),
            ("POST", []) => place.map(Self::Create),
            ("PUT", []) => place.map(Self::Overwrite),
            ("GET", ["permissions"]) if in_guild => place.map(Self::AllPermissions),
            ("PUT", ["permissions"]) if in_guild => place.map(Self::EditAllPermissions),
            ("GET", [c]) => place.and_then(|it| Ok(Self::Get(it, of(c)?))),
            ("PATCH", [c]) => place.and_then(|it| Ok(Self::Edit(it, of(c)?))),
            ("DELETE", [c]) => place.and_then(|it| Ok(Self::Delete(it, of(c)?))),
            ("GET", [c, "permissions"]) if in_guild => {
                place.and_then(|it| Ok(Self::Permissions(it, of(c)?)))
            }
            ("PUT", [c, "permissions"]) if in_guild => {
                place.and_then(|it| Ok(Self::EditPermissions(it, of(c)?)))
            }
            _ => return None,
        })
    }

    pub(in crate::rest) fn label(&self) -> &'static str {
        let by_guild = |place: &CommandPlace, global, guild| {
            if place.guild.is_some() { guild } else { global }
        };
        match self {
            Self::List(at) => by_guild(
                at,
                "GET /applications/{application}/commands",
                "GET /applications/{application}/guilds/{guild}/commands",
            ),
            Self::Create(at) => by_guild(
                at,
                "POST /applications/{application}/commands",
                "POST /applications/{application}/guilds/{guild}/commands",
            ),
            Self::Overwrite(at) => by_guild(
                at,
                "PUT /applications/{application}/commands",
                "PUT /applications/{application}/guilds/{guild}/commands",
            ),
            Self::Get(at, _) => by_guild(
                at,
                "GET /applications/{application}/commands/{command}",
                "GET /applications/{application}/guilds/{guild}/commands/{command}",
            ),
            Self::Edit(at, _) => by_guild(
                at,
                "PATCH /applications/{application}/commands/{command}",
                "PATCH /applications/{application}/guilds/{guild}/commands/{command}",
            ),
            Self::Delete(at, _) => by_guild(
                at,
                "DELETE /applications/{application}/commands/{command}",
                "DELETE /applications/{application}/guilds/{guild}/commands/{command}",
            ),
            Self::AllPermissions(_) => {
                "GET /applications/{application}/guilds/{guild}/commands/permissions"
            }
            Self::EditAllPermissions(_) => {
                "PUT /applications/{application}/guilds/{guild}/commands/permissions"
            }
            Self::Permissions(..) => {
                "GET /applications/{application}/guilds/{guild}/commands/{command}/permissions"
            }
            Self::EditPermissions(..) => {
                "PUT /applications/{application}/guilds/{guild}/commands/{command}/permissions"
            }
            Self::ChannelIndex(_) => "GET /channels/{channel}/application-command-index",
            Self::GuildIndex(_) => "GET /guilds/{guild}/application-command-index",
            Self::ApplicationIndex(_) => {
                "GET /applications/{application}/application-command-index"
            }
        }
    }

    pub(in crate::rest) fn bucket(&self) -> Bucket {
        match self {
            Self::Create(_) | Self::Overwrite(_) | Self::Edit(..) | Self::Delete(..) => {
                Bucket::Commands
            }
            _ => Bucket::Read,
        }
    }

    pub(in crate::rest) fn top(&self) -> Option<Snowflake> {
        match self {
            Self::List(at)
            | Self::Create(at)
            | Self::Overwrite(at)
            | Self::Get(at, _)
            | Self::Edit(at, _)
            | Self::Delete(at, _)
            | Self::AllPermissions(at)
            | Self::Permissions(at, _)
            | Self::EditPermissions(at, _)
            | Self::EditAllPermissions(at) => at.guild,
            Self::ChannelIndex(id) | Self::GuildIndex(id) => Some(*id),
            Self::ApplicationIndex(_) => None,
        }
    }
}
