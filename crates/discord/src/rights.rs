//! What a member may do in a channel, as Discord computes it.
//!
//! See [Discord Docs/Permissions](https://docs.discord.com/developers/topics/permissions#permission-hierarchy)
//! for the order of roles and overwrites, and the same page for what is denied
//! implicitly, in threads and during a timeout.

use std::cmp::Reverse;

use kaiwa_domain::{Rights, Standing, Timestamp};
use serde::Deserialize;
use twilight_model::channel::ChannelType;
use twilight_model::channel::permission_overwrite::{PermissionOverwrite, PermissionOverwriteType};
use twilight_model::guild::Permissions;
use twilight_model::id::Id;
use twilight_model::id::marker::{ChannelMarker, GuildMarker, RoleMarker, UserMarker};
use twilight_model::util::Timestamp as RawTimestamp;

/// A guild, as far as it decides who may do what.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct GuildRoles {
    pub(crate) id: Id<GuildMarker>,
    pub(crate) owner_id: Id<UserMarker>,
    pub(crate) roles: Vec<RawRole>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct RawRole {
    pub(crate) id: Id<RoleMarker>,
    pub(crate) permissions: Permissions,
    /// Its place in the order of roles. Of two at one place, the older one is
    /// higher.
    #[serde(default)]
    pub(crate) position: i64,
    /// Whether everybody may ping it.
    #[serde(default)]
    pub(crate) mentionable: bool,
}

/// A channel, as far as it decides who may do what.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ChannelOverwrites {
    pub(crate) guild_id: Option<Id<GuildMarker>>,
    /// Of a thread, the channel that it belongs to.
    pub(crate) parent_id: Option<Id<ChannelMarker>>,
    #[serde(rename = "type")]
    pub(crate) kind: ChannelType,
    #[serde(default)]
    pub(crate) permission_overwrites: Vec<PermissionOverwrite>,
    /// Whether it is for adults only.
    #[serde(default)]
    pub(crate) nsfw: bool,
}

/// A member, as far as it decides what they may do.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MemberRoles {
    pub(crate) roles: Vec<Id<RoleMarker>>,
    pub(crate) communication_disabled_until: Option<RawTimestamp>,
}

/// Where something is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RightsContext<'a> {
    pub(crate) guild: &'a GuildRoles,
    /// Those of the channel; of a thread, those of its parent.
    pub(crate) overwrites: &'a [PermissionOverwrite],
    pub(crate) thread: bool,
    /// Whether people speak there, and do nothing without connecting.
    pub(crate) voice: bool,
}

/// What counts in a guild as a whole: no overwrite gives or takes it.
const GUILD_WIDE: Permissions = Permissions::KICK_MEMBERS
    .union(Permissions::BAN_MEMBERS)
    .union(Permissions::ADMINISTRATOR)
    .union(Permissions::MANAGE_GUILD)
    .union(Permissions::VIEW_AUDIT_LOG)
    .union(Permissions::VIEW_GUILD_INSIGHTS)
    .union(Permissions::CHANGE_NICKNAME)
    .union(Permissions::MANAGE_NICKNAMES)
    .union(Permissions::MANAGE_GUILD_EXPRESSIONS)
    .union(Permissions::CREATE_GUILD_EXPRESSIONS)
    .union(Permissions::VIEW_CREATOR_MONETIZATION_ANALYTICS)
    .union(Permissions::MODERATE_MEMBERS);

/// What remains during a timeout.
const TIMED_OUT: Permissions = Permissions::VIEW_CHANNEL.union(Permissions::READ_MESSAGE_HISTORY);

/// What means nothing for somebody who cannot send messages.
const SENT: Permissions = Permissions::MENTION_EVERYONE
    .union(Permissions::SEND_TTS_MESSAGES)
    .union(Permissions::ATTACH_FILES)
    .union(Permissions::EMBED_LINKS);

/// What a member may do in a place at a time.
pub(crate) fn rights(
    place: RightsContext<'_>,
    user: Id<UserMarker>,
    member: &MemberRoles,
    now: Timestamp,
) -> Rights {
    let RightsContext { guild, .. } = place;
    if guild.owner_id == user {
        return Rights::ALL;
    }
    let everyone: Id<RoleMarker> = guild.id.cast();
    let holds = |role: Id<RoleMarker>| member.roles.contains(&role);
    let base = guild
        .roles
        .iter()
        .filter(|role| role.id == everyone || holds(role.id))
        .fold(Permissions::empty(), |all, role| all | role.permissions);
    if base.contains(Permissions::ADMINISTRATOR) {
        return Rights::ALL;
    }
    let is_role = |it: &PermissionOverwrite| it.kind == PermissionOverwriteType::Role;
    let is_member = |it: &PermissionOverwrite| it.kind == PermissionOverwriteType::Member;
    let overwritten = base;
    let overwritten = place.apply(overwritten, |it| is_role(it) && it.id.cast() == everyone);
    let overwritten = place.apply(overwritten, |it| {
        is_role(it) && it.id.cast() != everyone && holds(it.id.cast())
    });
    let overwritten = place.apply(overwritten, |it| is_member(it) && it.id.cast() == user);
    let overwritten = (overwritten - GUILD_WIDE) | (base & GUILD_WIDE);
    let mut held = place.imply(overwritten);
    if is_timed_out(member, now) {
        held &= TIMED_OUT;
    }
    Rights::from_bits(held.bits())
}

impl<'a> RightsContext<'a> {
    /// A channel of a guild; of a thread, with the channel it belongs to.
    pub(crate) fn of(
        guild: &'a GuildRoles,
        here: &'a ChannelOverwrites,
        parent: Option<&'a ChannelOverwrites>,
    ) -> Self {
        let whose = parent.unwrap_or(here);
        Self {
            guild,
            overwrites: &whose.permission_overwrites,
            thread: parent.is_some(),
            voice: matches!(
                whose.kind,
                ChannelType::GuildVoice | ChannelType::GuildStageVoice
            ),
        }
    }
}

impl RightsContext<'_> {
    /// The overwrites that fit count together: what any of them allows is
    /// allowed, whatever another denies.
    fn apply(self, base: Permissions, fits: impl Fn(&PermissionOverwrite) -> bool) -> Permissions {
        let fitting = self.overwrites.iter().filter(|it| fits(it));
        let nothing = (Permissions::empty(), Permissions::empty());
        let (allow, deny) = fitting.fold(nothing, |(allow, deny), it| {
            (allow | it.allow, deny | it.deny)
        });
        (base - deny) | allow
    }

    /// Takes away what means nothing without something else.
    fn imply(self, mut held: Permissions) -> Permissions {
        if !held.contains(Permissions::VIEW_CHANNEL) {
            return Permissions::empty();
        }
        if self.voice && !held.contains(Permissions::CONNECT) {
            return Permissions::empty();
        }
        if self.thread {
            // The one permission that a thread does not take from its parent.
            let sends = held.contains(Permissions::SEND_MESSAGES_IN_THREADS);
            held.set(Permissions::SEND_MESSAGES, sends);
        }
        if !held.contains(Permissions::SEND_MESSAGES) {
            held -= SENT;
        }
        held
    }
}

/// What it takes to read what was written.
const READS: Permissions = Permissions::VIEW_CHANNEL.union(Permissions::READ_MESSAGE_HISTORY);

/// Whether everybody in the guild can read a place, whatever roles they have.
pub(crate) fn is_open(place: RightsContext<'_>) -> bool {
    let everyone: Id<RoleMarker> = place.guild.id.cast();
    let anybody = MemberRoles {
        roles: Vec::new(),
        communication_disabled_until: None,
    };
    let nobody = Id::new(u64::MAX);
    let held = rights(place, nobody, &anybody, Timestamp::from_millis(0));
    let needed = match place.voice {
        true => READS | Permissions::CONNECT,
        false => READS,
    };
    let hidden = place.overwrites.iter().any(|it| {
        let all = it.kind == PermissionOverwriteType::Role && it.id.cast() == everyone;
        !all && it.deny.intersects(needed)
    });
    held.contains(Rights::from_bits(READS.bits())) && !hidden
}

/// How `actor` stands to `target`. Who is not in the guild has no roles.
pub(crate) fn standing(
    guild: &GuildRoles,
    (actor, own): (Id<UserMarker>, Option<&MemberRoles>),
    (target, theirs): (Id<UserMarker>, Option<&MemberRoles>),
) -> Standing {
    if actor == target {
        return Standing::Oneself;
    }
    if target == guild.owner_id {
        return Standing::Owner;
    }
    let (Some(own), Some(theirs)) = (own, theirs) else {
        return match own {
            Some(_) => Standing::Absent,
            None => Standing::NotAbove,
        };
    };
    let highest = |member: &MemberRoles| {
        let held = guild
            .roles
            .iter()
            .filter(|it| member.roles.contains(&it.id));
        held.map(|role| (role.position, Reverse(role.id))).max()
    };
    match actor == guild.owner_id || highest(own) > highest(theirs) {
        true => Standing::Above,
        false => Standing::NotAbove,
    }
}

fn is_timed_out(member: &MemberRoles, now: Timestamp) -> bool {
    let until = member.communication_disabled_until;
    until.is_some_and(|until| until.as_micros() / 1000 > now.as_millis())
}

#[cfg(test)]
mod tests;
