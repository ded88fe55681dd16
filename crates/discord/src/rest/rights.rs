//! What people may do, asked of Discord.
//!
//! The member is asked for each time: who was timed out or lost a role a moment
//! ago can do nothing any more. The guild's roles and the channel's overwrites
//! are remembered for [`FRESH`], so that a check of asker and bot costs four
//! requests and not six.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{Pending, Permissions};
use kaiwa_domain::{
    ChannelId, ChatError, GuildId, Rights, RoleId, Scope, Standing, Timestamp, UserId,
};
use serde::de::IgnoredAny;
use twilight_model::channel::ChannelType;
use twilight_model::guild::Permissions as RawPermissions;
use twilight_model::id::Id;

use super::Rest;
use super::codes::{UNKNOWN_MEMBER, is_gone};
use super::route::Route;
use crate::rights::{
    ChannelOverwrites, GuildRoles, MemberRoles, RightsContext, is_open, rights, standing,
};

/// How long roles and overwrites are taken for unchanged.
const FRESH: Duration = Duration::from_secs(2);

/// How many guilds and channels are remembered.
const REMEMBERED: usize = 256;

/// What decides about rights and was asked for lately.
#[derive(Default)]
pub(super) struct RightsCache {
    guilds: Recent<GuildId, GuildRoles>,
    channels: Recent<ChannelId, ChannelOverwrites>,
}

/// Answers that are not older than [`FRESH`].
struct Recent<K, V>(Mutex<HashMap<K, (Timestamp, Arc<V>)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Recent<K, V> {
    fn get(&self, key: &K, now: Timestamp) -> Option<Arc<V>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, value) = known.get(key)?;
        is_fresh(*at, now).then(|| value.clone())
    }

    fn put(&self, key: K, value: V, now: Timestamp) -> Arc<V> {
        let value = Arc::new(value);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, (at, _)| is_fresh(*at, now));
        if known.len() < REMEMBERED {
            known.insert(key, (now, value.clone()));
        }
        value
    }
}

/// A clock that was set back makes nothing fresh.
fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    at <= now && now.since(at) < FRESH
}

impl Rest {
    async fn guild(&self, guild: GuildId) -> Result<Arc<GuildRoles>, ChatError> {
        let guilds = &self.places.guilds;
        if let Some(known) = guilds.get(&guild, self.wire.now()) {
            return Ok(known);
        }
        self.guild_anew(guild).await
    }

    async fn guild_anew(&self, guild: GuildId) -> Result<Arc<GuildRoles>, ChatError> {
        let asked = self.wire.now();
        let raw = self.get(Route::Guild(guild)).await?;
        Ok(self.places.guilds.put(guild, raw, asked))
    }

    /// The roles of a member, or `None` if they are not in the guild.
    async fn roles_of(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Result<Option<MemberRoles>, ChatError> {
        match self.get(Route::Member { guild, user }).await {
            Ok(member) => Ok(Some(member)),
            Err(error) if is_gone(&error, UNKNOWN_MEMBER) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn standing_in(
        &self,
        guild: GuildId,
        actor: UserId,
        target: UserId,
    ) -> Result<Standing, ChatError> {
        let roles = self.guild_anew(guild).await?;
        let own = self.roles_of(guild, actor).await?;
        let theirs = self.roles_of(guild, target).await?;
        let raw = |user: UserId| Id::new(user.get());
        Ok(standing(
            &roles,
            (raw(actor), own.as_ref()),
            (raw(target), theirs.as_ref()),
        ))
    }

    async fn channel(&self, channel: ChannelId) -> Result<Arc<ChannelOverwrites>, ChatError> {
        let channels = &self.places.channels;
        if let Some(known) = channels.get(&channel, self.wire.now()) {
            return Ok(known);
        }
        let asked = self.wire.now();
        let raw = self.get(Route::Channel(channel)).await?;
        Ok(channels.put(channel, raw, asked))
    }

    /// The channel that a thread belongs to, if it is one.
    pub(super) async fn parent_of_thread(
        &self,
        channel: ChannelId,
    ) -> Result<Option<ChannelId>, ChatError> {
        let here = self.channel(channel).await?;
        let parent = here.parent_id.filter(|_| here.kind.is_thread());
        Ok(parent.map(|parent| ChannelId::new(parent.get())))
    }

    async fn rights_in(
        &self,
        guild: GuildId,
        channel: ChannelId,
        user: UserId,
    ) -> Result<Rights, ChatError> {
        let here = self.channel(channel).await?;
        if here.guild_id.map(Id::get) != Some(guild.get()) {
            return Ok(Rights::NONE);
        }
        let parent = match here.parent_id.filter(|_| here.kind.is_thread()) {
            Some(parent) => Some(self.channel(ChannelId::new(parent.get())).await?),
            None => None,
        };
        let roles = self.guild(guild).await?;
        let Some(member) = self.roles_of(guild, user).await? else {
            return Ok(Rights::NONE);
        };
        let place = RightsContext::of(&roles, &here, parent.as_deref());
        let held = rights(place, Id::new(user.get()), &member, self.wire.now());
        let moderates = held.bits() & RawPermissions::MANAGE_THREADS.bits() != 0;
        if here.kind == ChannelType::PrivateThread
            && !moderates
            && !self.is_in_thread(channel, user).await?
        {
            return Ok(Rights::NONE);
        }
        Ok(held)
    }

    /// Whether a channel of a guild is hidden from nobody there who can read
    /// `log`.
    async fn is_open_to_readers(
        &self,
        guild: GuildId,
        channel: ChannelId,
        log: ChannelId,
    ) -> Result<bool, ChatError> {
        let (here, log) = (self.channel(channel).await?, self.channel(log).await?);
        let is_of_guild = |it: &ChannelOverwrites| it.guild_id.map(Id::get) == Some(guild.get());
        if !is_of_guild(&here) || !is_of_guild(&log) || here.kind == ChannelType::PrivateThread {
            return Ok(false);
        }
        let home = match here.parent_id.filter(|_| here.kind.is_thread()) {
            Some(parent) => self.channel(ChannelId::new(parent.get())).await?,
            None => here.clone(),
        };
        let roles = self.guild(guild).await?;
        let parent = here.kind.is_thread().then_some(&*home);
        let place = RightsContext::of(&roles, &here, parent);
        Ok(is_open(place) && (log.nsfw || !home.nsfw))
    }

    /// Whether `user` was added to a private thread.
    async fn is_in_thread(&self, thread: ChannelId, user: UserId) -> Result<bool, ChatError> {
        match self
            .get::<IgnoredAny>(Route::ThreadMember { thread, user })
            .await
        {
            Ok(_) => Ok(true),
            Err(error) if is_gone(&error, UNKNOWN_MEMBER) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Permissions for Rest {
    fn of(
        &self,
        scope: Scope,
        channel: ChannelId,
        user: UserId,
    ) -> Pending<'_, Result<Rights, ChatError>> {
        Box::pin(async move {
            match scope {
                Scope::Guild(guild) => self.rights_in(guild, channel, user).await,
                // Two people who talk in private have no roles there.
                Scope::Dm(_) => Ok(Rights::ALL),
            }
        })
    }

    fn known(&self, scope: Scope, channel: ChannelId, user: UserId) -> Option<Rights> {
        match scope {
            Scope::Guild(guild) => self.wire.known.of(guild, channel, user, self.wire.now()),
            Scope::Dm(_) => Some(Rights::ALL),
        }
    }

    fn known_open(&self, scope: Scope, channel: ChannelId) -> bool {
        match scope {
            Scope::Guild(guild) => self.wire.known.is_open(guild, channel).unwrap_or(false),
            Scope::Dm(_) => false,
        }
    }

    fn open_to_readers(
        &self,
        guild: GuildId,
        channel: ChannelId,
        log: ChannelId,
    ) -> Pending<'_, Result<bool, ChatError>> {
        Box::pin(self.is_open_to_readers(guild, channel, log))
    }

    fn mentionable<'a>(
        &'a self,
        guild: GuildId,
        roles: &'a [RoleId],
    ) -> Pending<'a, Result<Vec<RoleId>, ChatError>> {
        Box::pin(async move {
            let guild = self.guild(guild).await?;
            let open = |role: &&RoleId| {
                let mut known = guild.roles.iter();
                known.any(|it| it.id.get() == role.get() && it.mentionable)
            };
            Ok(roles.iter().filter(open).copied().collect())
        })
    }

    fn standing(
        &self,
        guild: GuildId,
        actor: UserId,
        target: UserId,
    ) -> Pending<'_, Result<Standing, ChatError>> {
        Box::pin(self.standing_in(guild, actor, target))
    }
}
