//! Guilds that we are no longer in, as rows.

use kaiwa_domain::port::{Departure, Departures, Pending};
use kaiwa_domain::{GuildId, Scope, StoreError, Timestamp};

use super::MemoryStore;

impl Departures for MemoryStore {
    /// Those that have a turn, a fact, a setting or a departure: enough to be
    /// told apart from none.
    fn guilds_on_record(&self) -> Pending<'_, Result<Vec<GuildId>, StoreError>> {
        self.call(|state| {
            let scopes = state.settings.iter().map(|it| it.scope);
            let scopes = scopes.chain(state.journal.scopes());
            let scopes = scopes.chain(state.memory.scopes());
            let mut guilds: Vec<GuildId> = scopes
                .filter_map(|scope| match scope {
                    Scope::Guild(guild) => Some(guild),
                    Scope::Dm(_) => None,
                })
                .chain(state.departures.iter().map(|it| it.guild))
                .collect();
            guilds.sort_unstable();
            guilds.dedup();
            Ok(guilds)
        })
    }

    fn depart(&self, guild: GuildId, at: Timestamp) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            if state.departures.iter().all(|it| it.guild != guild) {
                state.departures.push(Departure { guild, at });
                state.departures.sort_by_key(|it| it.at);
            }
            Ok(())
        })
    }

    fn come_back(&self, guild: GuildId) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            state.departures.retain(|it| it.guild != guild);
            Ok(())
        })
    }

    fn departures(&self) -> Pending<'_, Result<Vec<Departure>, StoreError>> {
        self.call(|state| Ok(state.departures.clone()))
    }
}
