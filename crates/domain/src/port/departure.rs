//! Guilds that we are no longer in.

use super::Pending;
use crate::{GuildId, StoreError, Timestamp};

/// That we are no longer in a guild.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// Which guild.
    pub guild: GuildId,
    /// When that was noticed.
    pub at: Timestamp,
}

/// The guilds that we are no longer in and still keep something of. One that is
/// [erased](super::Erasure::erase) is no longer among them.
pub trait Departures: Send + Sync {
    /// The guilds of which anything at all is kept. Names, no rows.
    fn guilds_on_record(&self) -> Pending<'_, Result<Vec<GuildId>, StoreError>>;

    /// Writes down that we are no longer in a guild. The first moment stays.
    fn depart(&self, guild: GuildId, at: Timestamp) -> Pending<'_, Result<(), StoreError>>;

    /// We are in it again, or were in it all the time.
    fn come_back(&self, guild: GuildId) -> Pending<'_, Result<(), StoreError>>;

    /// The guilds that we are no longer in, those of long ago first.
    fn departures(&self) -> Pending<'_, Result<Vec<Departure>, StoreError>>;
}
