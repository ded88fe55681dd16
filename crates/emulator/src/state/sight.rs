//! Channels that come into sight and go out of it.
//!
//! A client is told of the channels that its user may see, so when roles,
//! overwrites or timeouts change that, it is told of the difference.

use std::collections::HashMap;

use super::EmulatorState;
use crate::{gateway::Intents, realm::Realm, snowflake::Snowflake, wire::Channel};

/// What those who listen see of a guild's channels.
#[derive(Debug)]
pub(crate) struct ChannelSight {
    guild: Snowflake,
    seen: HashMap<Snowflake, Vec<Snowflake>>,
}

impl EmulatorState {
    /// What is seen now, to compare with what is seen after a change.
    pub(crate) fn sight(&mut self, guild: Snowflake) -> ChannelSight {
        let realm = &self.realm;
        let listening = self.sessions.listening(realm);
        let people: Vec<Snowflake> = listening.map(|(_, person)| person.id).collect();
        let seen = people
            .into_iter()
            .map(|person| (person, seen_by(realm, guild, person)))
            .collect();
        ChannelSight { guild, seen }
    }

    /// Tells everybody which channels they see since, or see no more.
    pub(crate) fn tell_of_sight(&mut self, before: &ChannelSight) {
        let guild = before.guild;
        for (person, old) in &before.seen {
            let new = seen_by(&self.realm, guild, *person);
            let came = new.iter().filter(|id| !old.contains(id));
            let went = old.iter().filter(|id| !new.contains(id));
            let events = came
                .map(|id| ("CHANNEL_CREATE", *id))
                .chain(went.map(|id| ("CHANNEL_DELETE", *id)));
            for (name, id) in events {
                self.tell_channel(*person, guild, name, id);
            }
        }
    }

    fn tell_channel(
        &mut self,
        person: Snowflake,
        guild: Snowflake,
        name: &'static str,
        id: Snowflake,
    ) {
        let Some(channel) = self.realm.channels.get(&id) else {
            return;
        };
        for (session, listener) in self.sessions.listening(&self.realm) {
            let subscription = &session.subscription;
            let wanted = subscription.has(Intents::GUILDS) && subscription.serves(Some(guild));
            if listener.id == person && wanted {
                session.push(name, &Channel::new(&self.realm, channel, Some(person)));
            }
        }
    }
}

fn seen_by(realm: &Realm, guild: Snowflake, person: Snowflake) -> Vec<Snowflake> {
    let found = realm.guild(guild).zip(realm.person(person));
    let channels = found.map(|(guild, person)| realm.guild_channels(guild, person));
    let channels = channels.unwrap_or_default();
    channels.into_iter().map(|channel| channel.id).collect()
}

impl ChannelSight {
    pub(crate) fn saw(&self, person: Snowflake, channel: Snowflake) -> bool {
        let seen = self.seen.get(&person);
        seen.is_some_and(|seen| seen.contains(&channel))
    }
}
