//! Discord's events in Kaiwa's words.
//!
//! Only the fields that are used are read, so that a component or a field yet
//! to be invented never costs us the message around it. (twilight's own types
//! also leave out the global name of a mentioned user.)

mod change;
mod guild;
mod interaction;
mod member;
mod message;
mod up_to;

pub(crate) use change::{RawDeletion, RawReaction, RawReactionRemoval};
pub(crate) use guild::{
    RawChannel, RawEmojis, RawGuild, RawGuildGone, RawMissingGuild, RawStickers,
};
pub(crate) use interaction::RawInteraction;
pub(crate) use member::{RawDeparture, RawGuildMember};
pub(crate) use message::{RawMessage, RawUser};
pub(crate) use up_to::UpTo;

use kaiwa_domain::Timestamp;

/// A moment as Discord writes it.
fn timestamp(text: &str) -> Option<Timestamp> {
    let at: jiff::Timestamp = text.parse().ok()?;
    Some(Timestamp::from_millis(at.as_millisecond()))
}
