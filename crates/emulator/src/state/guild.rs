//! Events of a guild as a whole.

use serde::Serialize;

use super::EmulatorState;
use crate::{
    gateway::{Intents, Subscription},
    realm::{Guild, PermissionSet, Realm, in_guild},
    snowflake::Snowflake,
};

impl EmulatorState {
    /// Sends an event to all members of a guild who asked for such events.
    pub(crate) fn dispatch_guild<T: Serialize>(
        &mut self,
        guild: Snowflake,
        name: &'static str,
        payload: impl Fn(&Realm, &Guild) -> T,
    ) {
        let needed = Intents::for_event(name, false);
        self.dispatch_guild_to(
            guild,
            name,
            |listener, _| listener.has(needed),
            |realm, guild, _| payload(realm, guild),
        );
    }

    /// The same, to those alone who may do something in the guild.
    pub(crate) fn dispatch_guild_with<T: Serialize>(
        &mut self,
        guild: Snowflake,
        name: &'static str,
        permission: PermissionSet,
        payload: impl Fn(&Realm, &Guild) -> T,
    ) {
        let needed = Intents::for_event(name, false);
        self.dispatch_guild_to(
            guild,
            name,
            |listener, guild| {
                let member = guild.member(listener.person);
                let held = member.map(|member| in_guild(guild, member));
                listener.has(needed) && held.is_some_and(|held| held.has(permission))
            },
            |realm, guild, _| payload(realm, guild),
        );
    }

    /// The same, to those members whom it concerns, whatever they asked for.
    pub(crate) fn dispatch_guild_to<T: Serialize>(
        &mut self,
        guild: Snowflake,
        name: &'static str,
        concerns: impl Fn(&Subscription, &Guild) -> bool,
        payload: impl Fn(&Realm, &Guild, &Subscription) -> T,
    ) {
        let Some(guild) = self.realm.guild(guild) else {
            return;
        };
        for (session, person) in self.sessions.listening(&self.realm) {
            let subscription = &session.subscription;
            let here = guild.member(person.id).is_some() && subscription.serves(Some(guild.id));
            if here && concerns(subscription, guild) {
                let payload = payload(&self.realm, guild, subscription);
                session.push(name, &payload);
            }
        }
    }

    /// Tells one person about a guild, in the shards that serve it, whether or
    /// not they are in it.
    pub(crate) fn tell_of_guild<T: Serialize>(
        &mut self,
        person: Snowflake,
        guild: Option<Snowflake>,
        name: &'static str,
        payload: impl Fn(&Realm, &Subscription) -> T,
    ) {
        for (session, listener) in self.sessions.listening(&self.realm) {
            let subscription = &session.subscription;
            let wanted = subscription.has(Intents::GUILDS) && subscription.serves(guild);
            if listener.id == person && wanted {
                let payload = payload(&self.realm, subscription);
                session.push(name, &payload);
            }
        }
    }

    /// Tells one person in every session.
    pub(crate) fn tell_everywhere<T: Serialize>(
        &mut self,
        person: Snowflake,
        name: &'static str,
        payload: impl Fn(&Realm) -> T,
    ) {
        for (session, listener) in self.sessions.listening(&self.realm) {
            if listener.id == person {
                session.push(name, &payload(&self.realm));
            }
        }
    }
}
