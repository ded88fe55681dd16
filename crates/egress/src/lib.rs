//! The only way to the open web.
//!
//! Where to go comes from people, models and pages, so nothing of an address is
//! believed:
//!
//! ```text
//! scheme, port, no credentials → resolve → every address public → connect to those addresses only
//!        ▲                                                              │
//!        └──────────────── redirect, at most five ──────────────────────┘
//! ```
//!
//! A host name is resolved once for each step, by us; the connection is made to
//! the addresses that were checked and never to others, so a name that means
//! something else a moment later gains nothing. No proxy, cookie or referrer
//! goes along. What comes back is bounded in time and in size, before and after
//! it is unpacked.
//!
//! Two things may lie in a private network, because whoever runs the bot says
//! so: a server of their own, to which only a request that is
//! [made for it](WebRequest::to_own_server) goes, and a single address that the
//! whole bot [may go to](Egress::allowing).

mod address;
mod body;
mod client;
mod guard;
mod request;

pub use address::is_public;
pub use client::{Egress, EgressError, WebResponse};
pub use guard::{Forbidden, HostResolver, SystemResolver};
pub use request::WebRequest;
