//! The routes of interactions.

use axum::http::Method;

use super::super::{ApiError, route::id};
use crate::{limits::Bucket, snowflake::Snowflake};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rest) enum InteractionRoute {
    /// A human does something with a bot.
    Ask,
    /// The bot's first answer.
    Callback(Snowflake, String),
}

impl InteractionRoute {
    pub(in crate::rest) fn lookup(
        method: &Method,
        segments: &[&str],
    ) -> Option<Result<Self, ApiError>> {
        match (method.as_str(), segments) {
            ("POST", ["interactions"]) => Some(Ok(Self::Ask)),
            ("POST", ["interactions", i, token, "callback"]) => {
                let callback = |id| Self::Callback(id, (*token).to_owned());
                Some(id("interaction_id", i).map(callback))
            }
            _ => None,
        }
    }

    pub(in crate::rest) fn bearer(&self) -> Option<Snowflake> {
        match self {
            Self::Ask => None,
            Self::Callback(id, _) => Some(*id),
        }
    }

    pub(in crate::rest) fn bucket(&self) -> Bucket {
        match self {
            Self::Ask => Bucket::Interaction,
            Self::Callback(..) => Bucket::Callback,
        }
    }

    pub(in crate::rest) fn label(&self) -> &'static str {
        match self {
            Self::Ask => "POST /interactions",
            Self::Callback(..) => "POST /interactions/{interaction}/{token}/callback",
        }
    }
}
