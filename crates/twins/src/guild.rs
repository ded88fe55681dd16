//! Guilds in memory, as moderators see them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kaiwa_domain::port::{BannedUser, Moderation, Pending};
use kaiwa_domain::{
    ChannelId, ChatError, GuildId, MemberSnapshot, MessageId, RoleId, Timestamp, UserId,
};

use crate::{lock, pause};

/// Members, bans and roles. Clones share them.
#[derive(Clone, Default)]
pub struct MemoryGuilds {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    members: BTreeMap<(GuildId, UserId), MemberSnapshot>,
    bans: BTreeMap<(GuildId, UserId), String>,
    /// What everybody is called who was ever a member.
    names: BTreeMap<UserId, String>,
    timeouts: BTreeMap<(GuildId, UserId), Timestamp>,
    slow: BTreeMap<ChannelId, Duration>,
    deleted: Vec<MessageId>,
    refusing: Option<ChatError>,
    /// Why nobody is given a role.
    roles_refused: Option<ChatError>,
    calls: usize,
}

impl MemoryGuilds {
    /// Guilds without anybody.
    pub fn new() -> Self {
        Self::default()
    }

    /// Somebody is a member from here on.
    pub fn add(&self, guild: GuildId, member: MemberSnapshot) {
        let mut state = lock(&self.state);
        state.names.insert(member.id, member.name.clone());
        state.members.insert((guild, member.id), member);
    }

    /// Somebody leaves.
    pub fn remove(&self, guild: GuildId, user: UserId) {
        lock(&self.state).members.remove(&(guild, user));
    }

    /// Somebody is banned, for a reason.
    pub fn put_ban(&self, guild: GuildId, user: UserId, reason: &str) {
        let mut state = lock(&self.state);
        state.bans.insert((guild, user), reason.to_owned());
    }

    /// Who is banned.
    pub fn banned(&self, guild: GuildId) -> BTreeSet<UserId> {
        let state = lock(&self.state);
        let here = state.bans.keys().filter(|(of, _)| *of == guild);
        here.map(|(_, user)| *user).collect()
    }

    /// Until when a member cannot write.
    pub fn timed_out(&self, guild: GuildId, user: UserId) -> Option<Timestamp> {
        lock(&self.state).timeouts.get(&(guild, user)).copied()
    }

    /// The messages that were to be deleted, in order.
    pub fn deleted(&self) -> Vec<MessageId> {
        lock(&self.state).deleted.clone()
    }

    /// The roles of a member.
    pub fn roles(&self, guild: GuildId, user: UserId) -> Vec<RoleId> {
        let state = lock(&self.state);
        let member = state.members.get(&(guild, user));
        member.map_or_else(Vec::new, |member| member.roles.clone())
    }

    /// Every call fails like this from here on; none ends that.
    pub fn refuse(&self, error: Option<ChatError>) {
        lock(&self.state).refusing = error;
    }

    /// Nobody is given a role from here on, for this reason.
    pub fn refuse_roles(&self, error: ChatError) {
        lock(&self.state).roles_refused = Some(error);
    }

    /// How many calls there were.
    pub fn calls(&self) -> usize {
        lock(&self.state).calls
    }

    /// One call: a drop falls before the change, or after it.
    fn call<'a, T: Send + 'a>(
        &'a self,
        change: impl FnOnce(&mut State) -> T + Send + 'a,
    ) -> Pending<'a, Result<T, ChatError>> {
        Box::pin(async move {
            pause().await;
            let outcome = {
                let mut state = lock(&self.state);
                state.calls += 1;
                match state.refusing.clone() {
                    Some(error) => Err(error),
                    None => Ok(change(&mut state)),
                }
            };
            pause().await;
            outcome
        })
    }
}

impl State {
    fn name(&self, user: UserId) -> String {
        let known = self.names.get(&user).cloned();
        known.unwrap_or_else(|| user.to_string())
    }

    fn ban(&self, guild: GuildId, user: UserId) -> Option<BannedUser> {
        let reason = self.bans.get(&(guild, user))?;
        Some(BannedUser {
            user,
            name: self.name(user),
            reason: reason.clone(),
        })
    }
}

impl Moderation for MemoryGuilds {
    fn guild_name(&self, guild: GuildId) -> Pending<'_, Result<String, ChatError>> {
        self.call(move |_| guild.to_string())
    }

    fn member(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Pending<'_, Result<Option<MemberSnapshot>, ChatError>> {
        self.call(move |state| state.members.get(&(guild, user)).cloned())
    }

    fn members_named<'a>(
        &'a self,
        guild: GuildId,
        name: &'a str,
    ) -> Pending<'a, Result<Vec<MemberSnapshot>, ChatError>> {
        self.call(move |state| {
            let here = state.members.iter().filter(|((of, _), _)| *of == guild);
            let named = here.filter(|(_, member)| member.name.starts_with(name));
            named.map(|(_, member)| member.clone()).collect()
        })
    }

    fn user_name(&self, user: UserId) -> Pending<'_, Result<Option<String>, ChatError>> {
        self.call(move |state| Some(state.name(user)))
    }

    fn ban<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        self.call(move |state| {
            state.members.remove(&(guild, user));
            let known = state.bans.entry((guild, user));
            known.or_insert_with(|| reason.to_owned());
        })
    }

    fn unban<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        _: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        self.call(move |state| state.bans.remove(&(guild, user)).is_some())
    }

    fn ban_of(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Pending<'_, Result<Option<BannedUser>, ChatError>> {
        self.call(move |state| state.ban(guild, user))
    }

    fn bans(
        &self,
        guild: GuildId,
        after: Option<UserId>,
        limit: u16,
    ) -> Pending<'_, Result<Vec<BannedUser>, ChatError>> {
        self.call(move |state| {
            let here = state.bans.keys().filter(|(of, _)| *of == guild);
            let users = here.map(|(_, user)| *user);
            let users = users.filter(|user| after.is_none_or(|after| *user > after));
            let bans = users.filter_map(|user| state.ban(guild, user));
            bans.take(limit.into()).collect()
        })
    }

    fn kick<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        _: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        self.call(move |state| state.members.remove(&(guild, user)).is_some())
    }

    fn time_out<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        until: Option<Timestamp>,
        _: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        self.call(move |state| {
            match until {
                Some(until) => state.timeouts.insert((guild, user), until),
                None => state.timeouts.remove(&(guild, user)),
            };
            state.members.contains_key(&(guild, user))
        })
    }

    fn delete_messages<'a>(
        &'a self,
        _: ChannelId,
        messages: &'a [MessageId],
        _: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        self.call(move |state| state.deleted.extend(messages))
    }

    fn slow_mode(&self, channel: ChannelId) -> Pending<'_, Result<Duration, ChatError>> {
        self.call(move |state| state.slow.get(&channel).copied().unwrap_or_default())
    }

    fn set_slow_mode<'a>(
        &'a self,
        channel: ChannelId,
        wait: Duration,
        _: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        self.call(move |state| {
            state.slow.insert(channel, wait);
        })
    }

    fn give_role<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        role: RoleId,
        _: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        let given = self.call(move |state| {
            if let Some(error) = state.roles_refused.clone() {
                return Err(error);
            }
            let member = state.members.get_mut(&(guild, user));
            Ok(member.is_some_and(|member| {
                member.roles.retain(|held| *held != role);
                member.roles.push(role);
                true
            }))
        });
        Box::pin(async move { given.await? })
    }

    fn take_role<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        role: RoleId,
        _: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        self.call(move |state| {
            let member = state.members.get_mut(&(guild, user));
            member.is_some_and(|member| {
                member.roles.retain(|held| *held != role);
                true
            })
        })
    }

    fn direct_channel(&self, user: UserId) -> Pending<'_, Result<ChannelId, ChatError>> {
        self.call(move |_| ChannelId::new(user.get()))
    }
}
