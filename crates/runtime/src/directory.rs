//! What guilds and channels are called and look like, as the gateway tells.
//!
//! It holds as much as Discord allows a guild to have, and is forgotten with
//! the process: a new session brings it again, and where an old one is resumed,
//! Discord is asked.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use kaiwa_domain::{ChannelId, ChannelSnapshot, Event, GuildSnapshot, Scope};

use crate::Bot;

/// How many private channels are remembered; then all are forgotten.
const PRIVATE_CHANNELS: usize = 4096;

/// The guilds and channels that are known. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Directory(Arc<RwLock<Known>>);

#[derive(Debug, Default)]
struct Known {
    guilds: HashMap<Scope, KnownGuild>,
    /// Direct messages, of which Discord tells only if they are unusual. One
    /// among several people is in the scope of each, so it is found by its id.
    private: HashMap<ChannelId, Arc<ChannelSnapshot>>,
}

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
                self.write().guilds.insert(known.guild.scope, known);
            }
            Event::Channel { scope, channel } => self.write().learn(*scope, channel),
            Event::ChannelGone { scope, channel } => {
                let mut known = self.write();
                known.private.remove(channel);
                if let Some(guild) = known.guilds.get_mut(scope) {
                    guild.channels.remove(channel);
                }
            }
            Event::GuildGone { scope } => {
                self.write().guilds.remove(scope);
            }
            Event::Emoji { scope, emoji } => {
                self.write().change(*scope, |it| it.emoji.clone_from(emoji));
            }
            Event::Stickers { scope, stickers } => {
                self.write()
                    .change(*scope, |it| it.stickers.clone_from(stickers));
            }
            _ => {}
        }
    }

    /// A guild, without its channels.
    pub fn guild(&self, scope: Scope) -> Option<Arc<GuildSnapshot>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.guilds.get(&scope).map(|known| known.guild.clone())
    }

    /// A channel or thread of a guild, or direct messages that are unusual.
    pub fn channel(&self, scope: Scope, channel: ChannelId) -> Option<Arc<ChannelSnapshot>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        match scope {
            Scope::Guild(_) => all.guilds.get(&scope)?.channels.get(&channel).cloned(),
            Scope::Dm(_) => all.private.get(&channel).cloned(),
        }
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Known> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn change(&mut self, scope: Scope, change: impl FnOnce(&mut GuildSnapshot)) {
        if let Some(known) = self.guilds.get_mut(&scope) {
            change(Arc::make_mut(&mut known.guild));
        }
    }

    fn learn(&mut self, scope: Scope, channel: &ChannelSnapshot) {
        let channels = match scope {
            Scope::Guild(_) => self.guilds.get_mut(&scope).map(|it| &mut it.channels),
            Scope::Dm(_) => {
                if self.private.len() >= PRIVATE_CHANNELS {
                    self.private.clear();
                }
                Some(&mut self.private)
            }
        };
        if let Some(channels) = channels {
            channels.insert(channel.id, Arc::new(channel.clone()));
        }
    }
}

/// Takes in the guilds of which nobody has told, from Discord itself.
pub(crate) async fn read_guilds(bot: &Bot) {
    let guilds = match bot.chat.our_guilds().await {
        Ok(guilds) => guilds,
        Err(error) => {
            tracing::warn!(%error, "our guilds cannot be read");
            return;
        }
    };
    let is_known = |guild| bot.directory.guild(Scope::Guild(guild)).is_some();
    for guild in guilds.into_iter().filter(|guild| !is_known(*guild)) {
        match bot.chat.guild(guild, &bot.me).await {
            Ok(_) if is_known(guild) => {}
            Ok(told) => bot.directory.note(&Event::Guild(told)),
            Err(error) => tracing::warn!(%error, %guild, "a guild cannot be read"),
        }
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
