//! Discord, in Kaiwa's words: the gateway in, REST out.
//!
//! The only crate that knows twilight. It promises that
//! - no words leave without saying whom they may mention,
//! - a rate limit is waited out inside the call, within bounds, and no failure
//!   is repeated in a tight loop,
//! - an event that was not dealt with comes again after a restart, for as long
//!   as Discord keeps the session,
//! - neither the token nor a request path reaches a log or a metric.

mod access;
mod known;
mod permission;
mod rights;
mod rest;
mod gateway;
mod translate;
mod webhook_news;

pub use access::{Access, AccessError, INVALID_REQUESTS_MOST, REQUESTS_PER_SECOND};
pub use gateway::{Gateway, GatewayError, ShardTask};
pub use permission::{ApplicationId, NEEDS, Need, invite_link, needed_permissions};
pub use rest::{Application, GatewayAddress, Membership, Rest};
