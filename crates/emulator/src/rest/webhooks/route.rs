//! The routes of webhooks, and of the messages that interactions leave.

use axum::http::Method;

use super::super::{
    ApiError,
    route::{Route, id},
};
use crate::{
    limits::Bucket,
    realm::Realm,
    snowflake::{Snowflake, hash},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rest) enum WebhookRoute {
    Create(Snowflake),
    OfChannel(Snowflake),
    OfGuild(Snowflake),
    Get(Snowflake),
    Modify(Snowflake),
    Delete(Snowflake),
    /// The webhook's id, or an application's, and the token.
    WithToken(Snowflake, String, TokenRoute),
}

/// What a token in the path allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rest) enum TokenRoute {
    Get,
    Modify,
    Delete,
    Execute,
    /// The same, in the words of Slack.
    Slack,
    /// What happened in a repository, in the words of GitHub.
    Github,
    GetMessage(WebhookMessage),
    EditMessage(WebhookMessage),
    DeleteMessage(WebhookMessage),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rest) enum WebhookMessage {
    /// The first answer to an interaction.
    Original,
    Id(Snowflake),
}

impl WebhookRoute {
    pub(in crate::rest) fn lookup(
        method: &Method,
        segments: &[&str],
    ) -> Option<Result<Self, ApiError>> {
        let hook = |text: &str| id("webhook_id", text);
        let route = match (method.as_str(), segments) {
            ("POST", ["channels", c, "webhooks"]) => id("channel_id", c).map(Self::Create),
            ("GET", ["channels", c, "webhooks"]) => id("channel_id", c).map(Self::OfChannel),
            ("GET", ["guilds", g, "webhooks"]) => id("guild_id", g).map(Self::OfGuild),
            ("GET", ["webhooks", w]) => hook(w).map(Self::Get),
            ("PATCH", ["webhooks", w]) => hook(w).map(Self::Modify),
            ("DELETE", ["webhooks", w]) => hook(w).map(Self::Delete),
            (verb, ["webhooks", w, token, rest @ ..]) => {
                let below = TokenRoute::lookup(verb, rest)?;
                below.and_then(|below| Ok(Self::WithToken(hook(w)?, (*token).to_owned(), below)))
            }
            _ => return None,
        };
        Some(route)
    }

    /// Stands for the webhook and its token: what limits are counted by.
    pub(in crate::rest) fn bearer(&self) -> Option<Snowflake> {
        match self {
            Self::WithToken(id, token, _) => Some(Snowflake(hash(&[&id.to_string(), token]))),
            _ => None,
        }
    }

    pub(in crate::rest) fn top(&self) -> Option<Snowflake> {
        match self {
            Self::Create(id)
            | Self::OfChannel(id)
            | Self::OfGuild(id)
            | Self::Get(id)
            | Self::Modify(id)
            | Self::Delete(id)
            | Self::WithToken(id, ..) => Some(*id),
        }
    }

    pub(in crate::rest) fn bucket(&self) -> Bucket {
        match self {
            Self::Create(_) | Self::Modify(_) | Self::Delete(_) => Bucket::WebhookManage,
            Self::OfChannel(_) | Self::OfGuild(_) | Self::Get(_) => Bucket::Read,
            Self::WithToken(_, _, below) => match below {
                TokenRoute::Execute | TokenRoute::Slack | TokenRoute::Github => {
                    Bucket::WebhookExecute
                }
                TokenRoute::EditMessage(_) | TokenRoute::DeleteMessage(_) => Bucket::WebhookEdit,
                TokenRoute::Get | TokenRoute::GetMessage(_) => Bucket::Read,
                TokenRoute::Modify | TokenRoute::Delete => Bucket::WebhookManage,
            },
        }
    }

    pub(in crate::rest) fn label(&self) -> &'static str {
        match self {
            Self::Create(_) => "POST /channels/{channel}/webhooks",
            Self::OfChannel(_) => "GET /channels/{channel}/webhooks",
            Self::OfGuild(_) => "GET /guilds/{guild}/webhooks",
            Self::Get(_) => "GET /webhooks/{webhook}",
            Self::Modify(_) => "PATCH /webhooks/{webhook}",
            Self::Delete(_) => "DELETE /webhooks/{webhook}",
            Self::WithToken(_, _, below) => below.label(),
        }
    }
}

impl TokenRoute {
    fn lookup(verb: &str, rest: &[&str]) -> Option<Result<Self, ApiError>> {
        let message = |text: &str| match text {
            "@original" => Ok(WebhookMessage::Original),
            other => id("message_id", other).map(WebhookMessage::Id),
        };
        Some(match (verb, rest) {
            ("GET", []) => Ok(Self::Get),
            ("PATCH", []) => Ok(Self::Modify),
            ("DELETE", []) => Ok(Self::Delete),
            ("POST", []) => Ok(Self::Execute),
            ("POST", ["slack"]) => Ok(Self::Slack),
            ("POST", ["github"]) => Ok(Self::Github),
            ("GET", ["messages", m]) => message(m).map(Self::GetMessage),
            ("PATCH", ["messages", m]) => message(m).map(Self::EditMessage),
            ("DELETE", ["messages", m]) => message(m).map(Self::DeleteMessage),
            _ => return None,
        })
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Get => "GET /webhooks/{webhook}/{token}",
            Self::Modify => "PATCH /webhooks/{webhook}/{token}",
            Self::Delete => "DELETE /webhooks/{webhook}/{token}",
            Self::Execute => "POST /webhooks/{webhook}/{token}",
            Self::Slack => "POST /webhooks/{webhook}/{token}/slack",
            Self::Github => "POST /webhooks/{webhook}/{token}/github",
            Self::GetMessage(_) => "GET /webhooks/{webhook}/{token}/messages/{message}",
            Self::EditMessage(_) => "PATCH /webhooks/{webhook}/{token}/messages/{message}",
            Self::DeleteMessage(_) => "DELETE /webhooks/{webhook}/{token}/messages/{message}",
        }
    }
}

impl Route {
    /// The channel that a webhook's message will go to, whose webhooks share
    /// an allowance.
    pub(in crate::rest) fn webhook_channel(&self, realm: &Realm) -> Option<Snowflake> {
        match self {
            Self::Webhooks(WebhookRoute::WithToken(
                id,
                _,
                TokenRoute::Execute | TokenRoute::Slack | TokenRoute::Github,
            )) => realm.webhook(*id).map(|webhook| webhook.channel),
            _ => None,
        }
    }

    /// Who made the webhook that the request goes by.
    pub(in crate::rest) fn webhook_maker(&self, realm: &Realm) -> Option<Snowflake> {
        match self {
            Self::Webhooks(WebhookRoute::WithToken(id, ..)) => {
                realm.webhook(*id).map(|webhook| webhook.creator)
            }
            _ => None,
        }
    }
}
