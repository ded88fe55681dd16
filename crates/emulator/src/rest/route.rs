//! The table of routes.

use axum::http::Method;

use super::{
    ApiError,
    commands::CommandRoute,
    endpoint::{PathValues, RestEndpoint},
    error::Problems,
    interactions::InteractionRoute,
    webhooks::WebhookRoute,
};
use crate::{limits::Bucket, snowflake::Snowflake};

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Gateway,
    GatewayBot,
    Application,
    Me,
    User(Snowflake),
    MyGuilds,
    OpenDm,
    Guild(Snowflake),
    GuildChannels(Snowflake),
    GuildRoles(Snowflake),
    Members(Snowflake),
    Member(Snowflake, Snowflake),
    Emojis(Snowflake),
    ActiveThreads(Snowflake),
    Channel(Snowflake),
    EditChannel(Snowflake),
    DeleteChannel(Snowflake),
    StartThread(Snowflake),
    StartThreadFrom(Snowflake, Snowflake),
    ArchivedThreads(Snowflake),
    ThreadMembers(Snowflake),
    /// `None` is oneself, as in the next two.
    ThreadMember(Snowflake, Option<Snowflake>),
    JoinThread(Snowflake, Option<Snowflake>),
    LeaveThread(Snowflake, Option<Snowflake>),
    EditOverwrite(Snowflake, Snowflake),
    DeleteOverwrite(Snowflake, Snowflake),
    Typing(Snowflake),
    History(Snowflake),
    Message(Snowflake, Snowflake),
    CreateMessage(Snowflake),
    EditMessage(Snowflake, Snowflake),
    DeleteMessage(Snowflake, Snowflake),
    BulkDelete(Snowflake),
    React(Snowflake, Snowflake, String),
    /// `None` is oneself.
    Unreact(Snowflake, Snowflake, String, Option<Snowflake>),
    Reactors(Snowflake, Snowflake, String),
    /// `None` is every emoji.
    ClearReactions(Snowflake, Snowflake, Option<String>),
    Commands(CommandRoute),
    Interactions(InteractionRoute),
    Webhooks(WebhookRoute),
    /// A row of one of the tables.
    Listed(&'static RestEndpoint, PathValues),
}

impl Route {
    pub(super) fn find(method: &Method, path: &str) -> Result<Self, ApiError> {
        let path = without_version(path)?;
        let segments: Vec<String> = path
            .split('/')
            .map(decode)
            .collect::<Option<_>>()
            .ok_or(ApiError::NotFound)?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match Self::lookup(method, &segments) {
            Some(route) => route,
            None => {
                let methods = [
                    Method::GET,
                    Method::POST,
                    Method::PATCH,
                    Method::PUT,
                    Method::DELETE,
                ];
                let elsewhere = methods
                    .iter()
                    .any(|method| Self::lookup(method, &segments).is_some());
                Err(if elsewhere {
                    ApiError::MethodNotAllowed
                } else {
                    ApiError::NotFound
                })
            }
        }
    }

    fn lookup(method: &Method, segments: &[&str]) -> Option<Result<Self, ApiError>> {
        if let Some((endpoint, values)) = RestEndpoint::find(method.as_str(), segments) {
            return Some(values.map(|values| Self::Listed(endpoint, values)));
        }
        let channel = |text: &str| id("channel_id", text);
        let message = |text: &str| id("message_id", text);
        let guild = |text: &str| id("guild_id", text);
        let user = |text: &str| id("user_id", text);
        let overwrite = |text: &str| id("overwrite_id", text);
        let route = match (method.as_str(), segments) {
            ("GET", ["gateway"]) => Ok(Self::Gateway),
            ("GET", ["gateway", "bot"]) => Ok(Self::GatewayBot),
            ("GET", ["applications", "@me"] | ["oauth2", "applications", "@me"]) => {
                Ok(Self::Application)
            }
            ("GET", ["users", "@me"]) => Ok(Self::Me),
            ("GET", ["users", "@me", "guilds"]) => Ok(Self::MyGuilds),
            ("POST", ["users", "@me", "channels"]) => Ok(Self::OpenDm),
            ("GET", ["users", u]) => user(u).map(Self::User),
            ("GET", ["guilds", g]) => guild(g).map(Self::Guild),
            ("GET", ["guilds", g, "channels"]) => guild(g).map(Self::GuildChannels),
            ("GET", ["guilds", g, "roles"]) => guild(g).map(Self::GuildRoles),
            ("GET", ["guilds", g, "members"]) => guild(g).map(Self::Members),
            ("GET", ["guilds", g, "members", u]) => pair(guild(g), user(u), Self::Member),
            ("GET", ["guilds", g, "emojis"]) => guild(g).map(Self::Emojis),
            ("GET", ["guilds", g, "threads", "active"]) => guild(g).map(Self::ActiveThreads),
            ("GET", ["channels", c]) => channel(c).map(Self::Channel),
            ("PATCH", ["channels", c]) => channel(c).map(Self::EditChannel),
            ("DELETE", ["channels", c]) => channel(c).map(Self::DeleteChannel),
            ("POST", ["channels", c, "threads"]) => channel(c).map(Self::StartThread),
            ("POST", ["channels", c, "messages", m, "threads"]) => {
                pair(channel(c), message(m), Self::StartThreadFrom)
            }
            ("GET", ["channels", c, "threads", "archived", "public"]) => {
                channel(c).map(Self::ArchivedThreads)
            }
            ("GET", ["channels", c, "thread-members"]) => channel(c).map(Self::ThreadMembers),
            (verb, ["channels", c, "thread-members", who]) => {
                let make = match verb {
                    "GET" => Self::ThreadMember,
                    "PUT" => Self::JoinThread,
                    "DELETE" => Self::LeaveThread,
                    _ => return None,
                };
                let who = match *who {
                    "@me" => Ok(None),
                    other => user(other).map(Some),
                };
                who.and_then(|who| Ok(make(channel(c)?, who)))
            }
            ("PUT", ["channels", c, "permissions", o]) => {
                pair(channel(c), overwrite(o), Self::EditOverwrite)
            }
            ("DELETE", ["channels", c, "permissions", o]) => {
                pair(channel(c), overwrite(o), Self::DeleteOverwrite)
            }
            ("POST", ["channels", c, "typing"]) => channel(c).map(Self::Typing),
            ("GET", ["channels", c, "messages"]) => channel(c).map(Self::History),
            ("POST", ["channels", c, "messages"]) => channel(c).map(Self::CreateMessage),
            ("POST", ["channels", c, "messages", "bulk-delete"]) => {
                channel(c).map(Self::BulkDelete)
            }
            ("GET", ["channels", c, "messages", m]) => pair(channel(c), message(m), Self::Message),
            ("PATCH", ["channels", c, "messages", m]) => {
                pair(channel(c), message(m), Self::EditMessage)
            }
            ("DELETE", ["channels", c, "messages", m]) => {
                pair(channel(c), message(m), Self::DeleteMessage)
            }
            (verb, ["channels", c, "messages", m, "reactions", rest @ ..]) => {
                let on = |make: &dyn Fn(Snowflake, Snowflake) -> Self| {
                    pair(channel(c), message(m), make)
                };
                match (verb, rest) {
                    ("DELETE", []) => on(&|c, m| Self::ClearReactions(c, m, None)),
                    ("DELETE", [e]) => {
                        on(&|c, m| Self::ClearReactions(c, m, Some((*e).to_owned())))
                    }
                    ("GET", [e]) => on(&|c, m| Self::Reactors(c, m, (*e).to_owned())),
                    ("PUT", [e, "@me"]) => on(&|c, m| Self::React(c, m, (*e).to_owned())),
                    ("DELETE", [e, "@me"]) => {
                        on(&|c, m| Self::Unreact(c, m, (*e).to_owned(), None))
                    }
                    ("DELETE", [e, u]) => user(u)
                        .and_then(|u| on(&|c, m| Self::Unreact(c, m, (*e).to_owned(), Some(u)))),
                    _ => return None,
                }
            }
            _ => return Self::lookup_families(method, segments),
        };
        Some(route)
    }

    fn lookup_families(method: &Method, segments: &[&str]) -> Option<Result<Self, ApiError>> {
        let commands = CommandRoute::lookup(method, segments);
        if let Some(found) = commands {
            return Some(found.map(Self::Commands));
        }
        let interactions = InteractionRoute::lookup(method, segments);
        if let Some(found) = interactions {
            return Some(found.map(Self::Interactions));
        }
        let webhooks = WebhookRoute::lookup(method, segments);
        webhooks.map(|found| found.map(Self::Webhooks))
    }

    /// Whom the token in the path speaks for, where it needs no other.
    pub(super) fn bearer(&self) -> Option<Snowflake> {
        match self {
            Self::Interactions(route) => route.bearer(),
            Self::Webhooks(route) => route.bearer(),
            // Strangers share one allowance for each guild that they look at.
            Self::Listed(endpoint, values) if endpoint.open => {
                Some(values.first().unwrap_or(Snowflake(0)))
            }
            _ => None,
        }
    }

    /// Whether strangers may ask.
    pub(super) fn open(&self) -> bool {
        matches!(self, Self::Listed(endpoint, _) if endpoint.open)
    }

    /// Whether its body is a list rather than an object.
    pub(super) fn takes_list(&self) -> bool {
        match self {
            Self::Commands(route) => matches!(route, CommandRoute::Overwrite(_)),
            Self::Listed(endpoint, _) => endpoint.takes_list,
            _ => false,
        }
    }

    /// The route without its ids, for counts.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Gateway => "GET /gateway",
            Self::GatewayBot => "GET /gateway/bot",
            Self::Application => "GET /applications/@me",
            Self::Me => "GET /users/@me",
            Self::User(_) => "GET /users/{user}",
            Self::MyGuilds => "GET /users/@me/guilds",
            Self::OpenDm => "POST /users/@me/channels",
            Self::Guild(_) => "GET /guilds/{guild}",
            Self::GuildChannels(_) => "GET /guilds/{guild}/channels",
            Self::GuildRoles(_) => "GET /guilds/{guild}/roles",
            Self::Members(_) => "GET /guilds/{guild}/members",
            Self::Member(..) => "GET /guilds/{guild}/members/{user}",
            Self::Emojis(_) => "GET /guilds/{guild}/emojis",
            Self::ActiveThreads(_) => "GET /guilds/{guild}/threads/active",
            Self::Channel(_) => "GET /channels/{channel}",
            Self::EditChannel(_) => "PATCH /channels/{channel}",
            Self::DeleteChannel(_) => "DELETE /channels/{channel}",
            Self::StartThread(_) => "POST /channels/{channel}/threads",
            Self::StartThreadFrom(..) => "POST /channels/{channel}/messages/{message}/threads",
            Self::ArchivedThreads(_) => "GET /channels/{channel}/threads/archived/public",
            Self::ThreadMembers(_) => "GET /channels/{channel}/thread-members",
            Self::ThreadMember(..) => "GET /channels/{channel}/thread-members/{user}",
            Self::JoinThread(..) => "PUT /channels/{channel}/thread-members/{user}",
            Self::LeaveThread(..) => "DELETE /channels/{channel}/thread-members/{user}",
            Self::EditOverwrite(..) => "PUT /channels/{channel}/permissions/{overwrite}",
            Self::DeleteOverwrite(..) => "DELETE /channels/{channel}/permissions/{overwrite}",
            Self::Typing(_) => "POST /channels/{channel}/typing",
            Self::History(_) => "GET /channels/{channel}/messages",
            Self::Message(..) => "GET /channels/{channel}/messages/{message}",
            Self::CreateMessage(_) => "POST /channels/{channel}/messages",
            Self::EditMessage(..) => "PATCH /channels/{channel}/messages/{message}",
            Self::DeleteMessage(..) => "DELETE /channels/{channel}/messages/{message}",
            Self::BulkDelete(_) => "POST /channels/{channel}/messages/bulk-delete",
            Self::React(..) => "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me",
            Self::Unreact(..) => {
                "DELETE /channels/{channel}/messages/{message}/reactions/{emoji}/{user}"
            }
            Self::Reactors(..) => "GET /channels/{channel}/messages/{message}/reactions/{emoji}",
            Self::ClearReactions(..) => "DELETE /channels/{channel}/messages/{message}/reactions",
            Self::Commands(route) => route.label(),
            Self::Interactions(route) => route.label(),
            Self::Webhooks(route) => route.label(),
            Self::Listed(endpoint, _) => endpoint.pattern,
        }
    }

    pub(super) fn bucket(&self) -> Bucket {
        match self {
            Self::CreateMessage(_) => Bucket::MessageCreate,
            Self::EditMessage(..) => Bucket::MessageEdit,
            Self::DeleteMessage(..) => Bucket::MessageDelete,
            Self::BulkDelete(_) => Bucket::BulkDelete,
            Self::Typing(_) => Bucket::Typing,
            Self::React(..) | Self::Unreact(..) | Self::ClearReactions(..) => Bucket::Reaction,
            Self::OpenDm => Bucket::OpenDm,
            Self::EditOverwrite(..) | Self::DeleteOverwrite(..) => Bucket::Overwrite,
            Self::EditChannel(_)
            | Self::DeleteChannel(_)
            | Self::StartThread(_)
            | Self::StartThreadFrom(..)
            | Self::JoinThread(..)
            | Self::LeaveThread(..) => Bucket::Thread,
            Self::Commands(route) => route.bucket(),
            Self::Interactions(route) => route.bucket(),
            Self::Webhooks(route) => route.bucket(),
            Self::Listed(endpoint, _) => endpoint.bucket,
            _ => Bucket::Read,
        }
    }

    /// The channel or guild that has an allowance of its own.
    pub(super) fn top(&self) -> Option<Snowflake> {
        match self {
            Self::Gateway
            | Self::GatewayBot
            | Self::Application
            | Self::Me
            | Self::User(_)
            | Self::MyGuilds
            | Self::OpenDm => None,
            Self::Commands(route) => route.top(),
            Self::Interactions(_) => None,
            Self::Webhooks(route) => route.top(),
            Self::Guild(id)
            | Self::GuildChannels(id)
            | Self::GuildRoles(id)
            | Self::Members(id)
            | Self::Member(id, _)
            | Self::Emojis(id)
            | Self::ActiveThreads(id)
            | Self::Channel(id)
            | Self::EditChannel(id)
            | Self::DeleteChannel(id)
            | Self::StartThread(id)
            | Self::StartThreadFrom(id, _)
            | Self::ArchivedThreads(id)
            | Self::ThreadMembers(id)
            | Self::ThreadMember(id, _)
            | Self::JoinThread(id, _)
            | Self::LeaveThread(id, _)
            | Self::EditOverwrite(id, _)
            | Self::DeleteOverwrite(id, _)
            | Self::Typing(id)
            | Self::History(id)
            | Self::Message(id, _)
            | Self::CreateMessage(id)
            | Self::EditMessage(id, _)
            | Self::DeleteMessage(id, _)
            | Self::BulkDelete(id)
            | Self::React(id, ..)
            | Self::Unreact(id, ..)
            | Self::Reactors(id, ..)
            | Self::ClearReactions(id, ..) => Some(*id),
            Self::Listed(_, values) => values.first(),
        }
    }
}

/// What stands below `/api` and the version. Version 9, and none at all, are
/// answered as 10 is.
fn without_version(path: &str) -> Result<&str, ApiError> {
    let path = path.strip_prefix("/api/").ok_or(ApiError::NotFound)?;
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    match first.strip_prefix('v').map(str::parse::<u32>) {
        Some(Ok(9 | 10)) => Ok(rest),
        Some(Ok(_)) => Err(ApiError::InvalidVersion),
        Some(Err(_)) | None => Ok(path),
    }
}

pub(super) fn id(name: &str, text: &str) -> Result<Snowflake, ApiError> {
    text.parse().map_err(|()| {
        Problems::one(
            name,
            "NUMBER_TYPE_COERCE",
            format!("Value \"{text}\" is not snowflake."),
        )
    })
}

fn pair<T>(
    a: Result<Snowflake, ApiError>,
    b: Result<Snowflake, ApiError>,
    make: impl FnOnce(Snowflake, Snowflake) -> T,
) -> Result<T, ApiError> {
    Ok(make(a?, b?))
}

/// Undoes percent-encoding; `None` when the result is no text.
pub(super) fn decode(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = match tail {
            [high, low, ..] if first == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}
