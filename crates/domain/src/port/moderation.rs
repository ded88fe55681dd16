//! What moderators do to members and channels, and the book it stands in.

use std::time::Duration;

use super::Pending;
use crate::{
    Case, CaseState, ChannelId, ChatError, GuildId, MemberSnapshot, MessageId, NewCase, RoleId,
    Scope, StoreError, Timestamp, UserId,
};

/// Somebody who is banned from a guild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BannedUser {
    /// Who.
    pub user: UserId,
    /// The name people know them by.
    pub name: String,
    /// Why, as the guild's audit log has it.
    pub reason: String,
}

/// The chat network, as far as moderators use it. Every call may be repeated:
/// what is as it should be stays so. `reason` stands in the guild's audit log.
pub trait Moderation: Send + Sync {
    /// What a guild is called.
    fn guild_name(&self, guild: GuildId) -> Pending<'_, Result<String, ChatError>>;

    /// A member, or `None` if they are not in the guild.
    fn member(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Pending<'_, Result<Option<MemberSnapshot>, ChatError>>;

    /// Some members whose names begin like this.
    fn members_named<'a>(
        &'a self,
        guild: GuildId,
        name: &'a str,
    ) -> Pending<'a, Result<Vec<MemberSnapshot>, ChatError>>;

    /// What somebody is called, wherever they are; `None` if there is nobody.
    fn user_name(&self, user: UserId) -> Pending<'_, Result<Option<String>, ChatError>>;

    /// Bans somebody, whether or not they are in the guild.
    fn ban<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>>;

    /// Lifts a ban. False if there was none.
    fn unban<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>>;

    /// The ban of somebody, if there is one.
    fn ban_of(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Pending<'_, Result<Option<BannedUser>, ChatError>>;

    /// Those who are banned, in the order of their ids, after one of them.
    fn bans(
        &self,
        guild: GuildId,
        after: Option<UserId>,
        limit: u16,
    ) -> Pending<'_, Result<Vec<BannedUser>, ChatError>>;

    /// Makes somebody leave. False if they were not there.
    fn kick<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>>;

    /// Keeps somebody from writing until a moment, or no longer. False if they
    /// are not there.
    fn time_out<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        until: Option<Timestamp>,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>>;

    /// Deletes up to [`BULK_DELETE`](crate::limits::BULK_DELETE) messages, none
    /// older than [`BULK_DELETE_AGE`](crate::limits::BULK_DELETE_AGE). Those
    /// that are gone already are passed over.
    fn delete_messages<'a>(
        &'a self,
        channel: ChannelId,
        messages: &'a [MessageId],
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>>;

    /// How long people have to wait between two messages in a channel.
    fn slow_mode(&self, channel: ChannelId) -> Pending<'_, Result<Duration, ChatError>>;

    /// Sets that.
    fn set_slow_mode<'a>(
        &'a self,
        channel: ChannelId,
        wait: Duration,
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>>;

    /// Gives a member a role. False if they are not there.
    fn give_role<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        role: RoleId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>>;

    /// Takes a role from a member. False if they are not there.
    fn take_role<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        role: RoleId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>>;

    /// The channel of somebody and us alone, which is made if there is none.
    fn direct_channel(&self, user: UserId) -> Pending<'_, Result<ChannelId, ChatError>>;
}

/// The cases of guilds.
pub trait CaseBook: Send + Sync {
    /// Writes a case down before anything is done, under the next number of
    /// its guild. The second one of the same turn, kind and person is the first.
    fn open_case<'a>(&'a self, case: &'a NewCase) -> Pending<'a, Result<Case, StoreError>>;

    /// Records how far a case has come.
    fn settle_case(
        &self,
        scope: Scope,
        number: u32,
        state: CaseState,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// The last cases of a guild, or those of one person, newest first.
    fn cases(
        &self,
        scope: Scope,
        user: Option<UserId>,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Case>, StoreError>>;

    /// The bans of a guild that may still last, oldest first.
    fn open_bans(&self, scope: Scope) -> Pending<'_, Result<Vec<Case>, StoreError>>;

    /// Records that every open ban of somebody is lifted.
    fn lift_bans(
        &self,
        scope: Scope,
        user: UserId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// The guilds with a ban that ends by itself. Names, no rows.
    fn scopes_with_bans(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>>;
}
