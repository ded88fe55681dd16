//! What moderators do, asked of Discord.

use std::time::Duration;

use kaiwa_domain::limits::{BAN_PAGE, BULK_DELETE};
use kaiwa_domain::port::{BannedUser, Moderation, OnWire, Pending};
use kaiwa_domain::{
    ChannelId, ChatError, GuildId, MemberSnapshot, MessageId, RoleId, Scope, Timestamp, UserId,
};
use serde::Deserialize;
use serde_json::{Value, json};
use twilight_model::id::Id;
use twilight_model::id::marker::{ChannelMarker, RoleMarker, UserMarker};

use super::body::RequestBody;
use super::codes::{UNKNOWN_BAN, UNKNOWN_MEMBER, UNKNOWN_MESSAGE, UNKNOWN_USER, is_gone};
use super::route::Route;
use super::{Rest, parse};

/// How many members of one name are looked at.
const NAMESAKES: u16 = 10;

#[derive(Deserialize)]
struct RawAccount {
    id: Id<UserMarker>,
    username: String,
    global_name: Option<String>,
    #[serde(default)]
    bot: bool,
}

impl RawAccount {
    fn name(self) -> String {
        self.global_name.unwrap_or(self.username)
    }
}

#[derive(Deserialize)]
struct RawProfile {
    user: RawAccount,
    nick: Option<String>,
    #[serde(default)]
    roles: Vec<Id<RoleMarker>>,
    joined_at: Option<String>,
    #[serde(default)]
    pending: bool,
}

impl RawProfile {
    fn in_guild(self, guild: GuildId) -> MemberSnapshot {
        let joined: Option<jiff::Timestamp> = self.joined_at.and_then(|at| at.parse().ok());
        MemberSnapshot {
            scope: Scope::Guild(guild),
            id: UserId::new(self.user.id.get()),
            is_bot: self.user.bot,
            name: match self.nick {
                Some(nick) => nick,
                None => self.user.name(),
            },
            joined_at: joined.map(|at| Timestamp::from_millis(at.as_millisecond())),
            is_pending: self.pending,
            roles: self.roles.iter().map(|id| RoleId::new(id.get())).collect(),
        }
    }
}

#[derive(Deserialize)]
struct RawBan {
    user: RawAccount,
    reason: Option<String>,
}

impl RawBan {
    fn banned(self) -> BannedUser {
        BannedUser {
            user: UserId::new(self.user.id.get()),
            name: self.user.name(),
            reason: self.reason.unwrap_or_default(),
        }
    }
}

/// `Ok(None)` if Discord says that there is no such thing.
fn unless_gone<T>(outcome: Result<T, ChatError>, own: u32) -> Result<Option<T>, ChatError> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_gone(&error, own) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Rest {
    async fn order(&self, route: Route<'_>, body: Option<Value>) -> Result<Vec<u8>, ChatError> {
        let body = body.as_ref().map(RequestBody::of);
        self.wire.call(route, body.as_ref(), &OnWire::new()).await
    }

    /// Whether it was there to be done.
    async fn order_unless_gone(
        &self,
        route: Route<'_>,
        body: Option<Value>,
        own: u32,
    ) -> Result<bool, ChatError> {
        let done = unless_gone(self.order(route, body).await, own)?;
        Ok(done.is_some())
    }
}

impl Moderation for Rest {
    fn guild_name(&self, guild: GuildId) -> Pending<'_, Result<String, ChatError>> {
        #[derive(Deserialize)]
        struct Raw {
            name: String,
        }
        Box::pin(async move {
            let raw: Raw = self.get(Route::Guild(guild)).await?;
            Ok(raw.name)
        })
    }

    fn member(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Pending<'_, Result<Option<MemberSnapshot>, ChatError>> {
        Box::pin(async move {
            let asked = self.get::<RawProfile>(Route::Member { guild, user }).await;
            let found = unless_gone(asked, UNKNOWN_MEMBER)?;
            Ok(found.map(|raw| raw.in_guild(guild)))
        })
    }

    fn members_named<'a>(
        &'a self,
        guild: GuildId,
        name: &'a str,
    ) -> Pending<'a, Result<Vec<MemberSnapshot>, ChatError>> {
        Box::pin(async move {
            let limit = NAMESAKES;
            let route = Route::FindMembers { guild, name, limit };
            let found: Vec<RawProfile> = self.get(route).await?;
            Ok(found.into_iter().map(|raw| raw.in_guild(guild)).collect())
        })
    }

    fn user_name(&self, user: UserId) -> Pending<'_, Result<Option<String>, ChatError>> {
        Box::pin(async move {
            let asked = self.get::<RawAccount>(Route::User(user)).await;
            Ok(unless_gone(asked, UNKNOWN_USER)?.map(RawAccount::name))
        })
    }

    fn ban<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            let route = Route::Ban {
                guild,
                user,
                reason,
            };
            self.order(route, Some(json!({}))).await?;
            Ok(())
        })
    }

    fn unban<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        let route = Route::Unban {
            guild,
            user,
            reason,
        };
        Box::pin(self.order_unless_gone(route, None, UNKNOWN_BAN))
    }

    fn ban_of(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Pending<'_, Result<Option<BannedUser>, ChatError>> {
        Box::pin(async move {
            let asked = self.get::<RawBan>(Route::BanOf { guild, user }).await;
            Ok(unless_gone(asked, UNKNOWN_BAN)?.map(RawBan::banned))
        })
    }

    fn bans(
        &self,
        guild: GuildId,
        after: Option<UserId>,
        limit: u16,
    ) -> Pending<'_, Result<Vec<BannedUser>, ChatError>> {
        Box::pin(async move {
            let limit = limit.clamp(1, BAN_PAGE);
            let route = Route::Bans {
                guild,
                after,
                limit,
            };
            let found: Vec<RawBan> = self.get(route).await?;
            Ok(found.into_iter().map(RawBan::banned).collect())
        })
    }

    fn kick<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        let route = Route::Kick {
            guild,
            user,
            reason,
        };
        Box::pin(self.order_unless_gone(route, None, UNKNOWN_MEMBER))
    }

    fn time_out<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        until: Option<Timestamp>,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        let until = until.and_then(|at| jiff::Timestamp::from_millisecond(at.as_millis()).ok());
        let until = until.map(|at| at.to_string());
        let body = json!({"communication_disabled_until": until});
        let route = Route::EditMember {
            guild,
            user,
            reason,
        };
        Box::pin(self.order_unless_gone(route, Some(body), UNKNOWN_MEMBER))
    }

    fn delete_messages<'a>(
        &'a self,
        channel: ChannelId,
        messages: &'a [MessageId],
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            for some in messages.chunks(BULK_DELETE) {
                if let [message] = *some {
                    let route = Route::DeleteMessage {
                        channel,
                        message,
                        reason,
                    };
                    self.order_unless_gone(route, None, UNKNOWN_MESSAGE).await?;
                    continue;
                }
                let ids: Vec<String> = some.iter().map(ToString::to_string).collect();
                let route = Route::DeleteMessages { channel, reason };
                self.order(route, Some(json!({"messages": ids}))).await?;
            }
            Ok(())
        })
    }

    fn slow_mode(&self, channel: ChannelId) -> Pending<'_, Result<Duration, ChatError>> {
        #[derive(Deserialize)]
        struct Raw {
            #[serde(default)]
            rate_limit_per_user: Option<u64>,
        }
        Box::pin(async move {
            let raw: Raw = self.get(Route::Channel(channel)).await?;
            Ok(Duration::from_secs(
                raw.rate_limit_per_user.unwrap_or_default(),
            ))
        })
    }

    fn set_slow_mode<'a>(
        &'a self,
        channel: ChannelId,
        wait: Duration,
        reason: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            let body = json!({"rate_limit_per_user": wait.as_secs()});
            let route = Route::EditChannel { channel, reason };
            self.order(route, Some(body)).await?;
            Ok(())
        })
    }

    fn give_role<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        role: RoleId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        let route = Route::GiveRole {
            guild,
            user,
            role,
            reason,
        };
        Box::pin(self.order_unless_gone(route, None, UNKNOWN_MEMBER))
    }

    fn take_role<'a>(
        &'a self,
        guild: GuildId,
        user: UserId,
        role: RoleId,
        reason: &'a str,
    ) -> Pending<'a, Result<bool, ChatError>> {
        let route = Route::TakeRole {
            guild,
            user,
            role,
            reason,
        };
        Box::pin(self.order_unless_gone(route, None, UNKNOWN_MEMBER))
    }

    fn direct_channel(&self, user: UserId) -> Pending<'_, Result<ChannelId, ChatError>> {
        #[derive(Deserialize)]
        struct Raw {
            id: Id<ChannelMarker>,
        }
        Box::pin(async move {
            let body = json!({"recipient_id": user.to_string()});
            let answer = self.order(Route::OpenDm, Some(body)).await?;
            let raw: Raw = parse(&answer)?;
            Ok(ChannelId::new(raw.id.get()))
        })
    }
}
