//! What guilds and channels are called and look like, as the gateway tells.
//!
//! It holds as much as Discord allows a guild to have, and is forgotten with
//! the process: a new session brings it again.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use kaiwa_domain::{ChannelId, ChannelSnapshot, Event, GuildSnapshot, Scope};

/// The guilds and channels that are known. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Directory(Arc<RwLock<HashMap<Scope, KnownGuild>>>);

#[derive(Debug)]
struct KnownGuild {
    /// Without its channels.
    guild: Arc<GuildSnapshot>,
    channels: HashMap<ChannelId, Arc<ChannelSnapshot>>,
}

impl Directory {
    /// Takes in what an event says of guilds and channels.
    pub fn note(&self, event: &Event) {
        match event {
            Event::Guild(guild) => {
                let mut guild = guild.clone();
                let channels = std::mem::take(&mut guild.channels).into_iter();
                let known = KnownGuild {
                    channels: channels.map(|it| (it.id, Arc::new(it))).collect(),
                    guild: Arc::new(guild),
                };
                self.write().insert(known.guild.scope, known);
            }
            Event::Channel { scope, channel } => {
                if let Some(known) = self.write().get_mut(scope) {
                    known.channels.insert(channel.id, Arc::new(channel.clone()));
                }
            }
            Event::ChannelGone { scope, channel } => {
                if let Some(known) = self.write().get_mut(scope) {
                    known.channels.remove(channel);
                }
            }
            _ => {}
        }
    }

    /// A guild, without its channels.
    pub fn guild(&self, scope: Scope) -> Option<Arc<GuildSnapshot>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&scope).map(|known| known.guild.clone())
    }

    /// A channel or thread of a guild.
    pub fn channel(&self, scope: Scope, channel: ChannelId) -> Option<Arc<ChannelSnapshot>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&scope)?.channels.get(&channel).cloned()
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<Scope, KnownGuild>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::GuildId;

    #[test]
    fn what_is_told_is_known_until_it_is_gone() {
        let directory = Directory::default();
        let scope = Scope::Guild(GuildId::new(1));
        let named = |id: u64, name: &str| ChannelSnapshot {
            name: name.to_owned(),
            ..ChannelSnapshot::new(ChannelId::new(id))
        };
        let name_of = |id| {
            let channel = directory.channel(scope, ChannelId::new(id));
            channel.map(|channel| channel.name.clone())
        };
        directory.note(&Event::Channel {
            scope,
            channel: named(7, "early"),
        });
        assert_eq!(name_of(7), None, "of an unknown guild nothing is kept");
        directory.note(&Event::Guild(GuildSnapshot {
            name: "Tea House".into(),
            channels: vec![named(2, "general")],
            ..GuildSnapshot::new(scope)
        }));
        assert_eq!(directory.guild(scope).unwrap().name, "Tea House");
        assert_eq!(name_of(2).as_deref(), Some("general"));
        let channel = named(2, "kitchen");
        directory.note(&Event::Channel { scope, channel });
        assert_eq!(name_of(2).as_deref(), Some("kitchen"));
        let channel = ChannelId::new(2);
        directory.note(&Event::ChannelGone { scope, channel });
        assert_eq!(name_of(2), None);
        let other = Scope::Guild(GuildId::new(9));
        assert!(directory.guild(other).is_none());
    }
}
