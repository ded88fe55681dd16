//! Who may do what, as far as the gateway has told.
//!
//! It costs no request and may be a moment old: good enough to decide what
//! somebody is offered. What is done goes by what Discord answers then.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use kaiwa_domain::{ChannelId, GuildId, Me, Rights, Timestamp, UserId};
use serde::Deserialize;
use twilight_model::channel::ChannelType;
use twilight_model::channel::permission_overwrite::PermissionOverwrite;
use twilight_model::id::Id;
use twilight_model::id::marker::{ChannelMarker, GuildMarker, RoleMarker, UserMarker};
use twilight_model::util::Timestamp as RawTimestamp;

use crate::rights::{
    ChannelOverwrites, GuildRoles, MemberRoles, RawRole, RightsContext, is_open, rights,
};
use crate::translate::UpTo;

/// How many of each a guild may have and be read, and how many members of all
/// guilds are remembered; then all are forgotten.
const CHANNELS: usize = 500;
const THREADS: usize = 1000;
const ROLES: usize = 250;
const OVERWRITES: usize = 1000;
const MEMBERS: usize = 4096;

/// How long somebody is taken to have the roles that they last wrote with.
/// Discord need not tell when they change.
const REMEMBERED: Duration = Duration::from_secs(600);

/// What decides about rights, as the gateway told it. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct KnownRights(Arc<RwLock<KnownPlaces>>);

#[derive(Default)]
struct KnownPlaces {
    guilds: HashMap<GuildId, KnownPlace>,
    members: HashMap<(GuildId, UserId), (Timestamp, MemberRoles)>,
    /// How often something changed that our own rights depend on.
    changes: u64,
}

struct KnownPlace {
    roles: GuildRoles,
    channels: HashMap<ChannelId, ChannelOverwrites>,
    /// Our own roles, of which Discord always tells.
    own: Option<(UserId, MemberRoles)>,
    /// The last change of the guild, its roles or our own, by its number.
    changed: u64,
    /// The last change of each channel since.
    channels_changed: HashMap<ChannelId, u64>,
}

#[derive(Deserialize)]
struct GuildTold {
    id: Id<GuildMarker>,
    owner_id: Id<UserMarker>,
    roles: UpTo<ROLES, RawRole>,
    /// GUILD_UPDATE has none of these.
    channels: Option<UpTo<CHANNELS, ChannelTold>>,
    #[serde(default)]
    threads: UpTo<THREADS, ChannelTold>,
    #[serde(default)]
    members: UpTo<THREADS, MemberTold>,
}

#[derive(Deserialize)]
struct ChannelTold {
    id: Id<ChannelMarker>,
    guild_id: Option<Id<GuildMarker>>,
    parent_id: Option<Id<ChannelMarker>>,
    #[serde(rename = "type")]
    kind: ChannelType,
    #[serde(default)]
    permission_overwrites: UpTo<OVERWRITES, PermissionOverwrite>,
}

#[derive(Deserialize)]
struct MemberTold {
    guild_id: Option<Id<GuildMarker>>,
    user: UserTold,
    #[serde(default)]
    roles: UpTo<ROLES, Id<RoleMarker>>,
    communication_disabled_until: Option<RawTimestamp>,
}

#[derive(Deserialize)]
struct UserTold {
    id: Id<UserMarker>,
}

#[derive(Deserialize)]
struct RoleTold {
    guild_id: Id<GuildMarker>,
    role: RawRole,
}

#[derive(Deserialize)]
struct RoleGone {
    guild_id: Id<GuildMarker>,
    role_id: Id<RoleMarker>,
}

#[derive(Deserialize)]
struct GuildGone {
    id: Id<GuildMarker>,
}

/// The payload of an event.
#[derive(Deserialize)]
struct Told<T> {
    d: T,
}

fn told<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let told: Told<T> = serde_json::from_str(text).ok()?;
    Some(told.d)
}

const fn guild_id(id: Id<GuildMarker>) -> GuildId {
    GuildId::new(id.get())
}

impl ChannelTold {
    fn overwrites(self, guild: Id<GuildMarker>) -> (ChannelId, ChannelOverwrites) {
        let known = ChannelOverwrites {
            guild_id: Some(guild),
            parent_id: self.parent_id,
            kind: self.kind,
            permission_overwrites: self.permission_overwrites.0,
            nsfw: false,
        };
        (ChannelId::new(self.id.get()), known)
    }
}

impl MemberTold {
    fn roles(self) -> (UserId, MemberRoles) {
        let roles = MemberRoles {
            roles: self.roles.0,
            communication_disabled_until: self.communication_disabled_until,
        };
        (UserId::new(self.user.id.get()), roles)
    }
}

impl KnownRights {
    /// What `user` may do in a channel, as far as that was told.
    pub(crate) fn of(
        &self,
        guild: GuildId,
        channel: ChannelId,
        user: UserId,
        now: Timestamp,
    ) -> Option<Rights> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let place = known.guilds.get(&guild)?;
        let own = place.own.as_ref().filter(|(me, _)| *me == user);
        let member = match own {
            Some((_, roles)) => roles,
            None => {
                let (at, roles) = known.members.get(&(guild, user))?;
                let recent = *at <= now && now.since(*at) < REMEMBERED;
                recent.then_some(roles)?
            }
        };
        let (here, parent) = place.channel(channel)?;
        let context = RightsContext::of(&place.roles, here, parent);
        Some(rights(context, Id::new(user.get()), member, now))
    }

    /// Whether a channel is hidden from nobody of its guild, as far as that was
    /// told.
    pub(crate) fn is_open(&self, guild: GuildId, channel: ChannelId) -> Option<bool> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let place = known.guilds.get(&guild)?;
        let (here, parent) = place.channel(channel)?;
        let context = RightsContext::of(&place.roles, here, parent);
        Some(here.kind != ChannelType::PrivateThread && is_open(context))
    }

    /// Takes in what an event says.
    pub(crate) fn note(&self, kind: &str, text: &str, me: &Me, now: Timestamp) {
        let noted = match kind {
            "GUILD_CREATE" | "GUILD_UPDATE" => told(text).map(|it| self.write().guild(it, me)),
            "GUILD_DELETE" => told(text).map(|GuildGone { id }| {
                self.write().guilds.remove(&guild_id(id));
            }),
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" => {
                told(text).map(|RoleTold { guild_id, role }| {
                    self.write().role(guild_id, role.id, Some(role));
                })
            }
            "GUILD_ROLE_DELETE" => told(text)
                .map(|RoleGone { guild_id, role_id }| self.write().role(guild_id, role_id, None)),
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => {
                told(text).map(|it| self.write().channel(it))
            }
            "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE" => {
                told(text).map(|it| self.write().member(it, me, now))
            }
            _ => return,
        };
        if noted.is_none() {
            tracing::debug!(kind, "an event says nothing readable about rights");
        }
    }

    /// The same of a guild of which no event has told meanwhile.
    pub(crate) fn note_unless_known(&self, guild: GuildId, text: &str, me: &Me, now: Timestamp) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_known = known.guilds.contains_key(&guild);
        drop(known);
        if !is_known {
            self.note("GUILD_CREATE", text, me, now);
        }
    }

    /// A number that grows with each change of our own rights in a channel.
    pub(crate) fn version(&self, channel: ChannelId) -> u64 {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut guilds = known.guilds.values();
        let here = guilds.find(|place| place.channels.contains_key(&channel));
        here.map_or(0, |place| place.version(channel))
    }

    /// Somebody wrote, with these roles.
    pub(crate) fn heard(
        &self,
        guild: GuildId,
        user: UserId,
        roles: Vec<Id<RoleMarker>>,
        now: Timestamp,
    ) {
        // Who is timed out cannot write.
        let roles = MemberRoles {
            roles,
            communication_disabled_until: None,
        };
        self.write().remember(guild, user, roles, now);
    }

    fn write(&self) -> RwLockWriteGuard<'_, KnownPlaces> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownPlace {
    /// A channel; of a thread, with the channel it belongs to.
    fn channel(
        &self,
        channel: ChannelId,
    ) -> Option<(&ChannelOverwrites, Option<&ChannelOverwrites>)> {
        let here = self.channels.get(&channel)?;
        let parent = match here.kind.is_thread() {
            true => Some(self.channels.get(&ChannelId::new(here.parent_id?.get()))?),
            false => None,
        };
        Some((here, parent))
    }

    /// The last change that our own rights in a channel depend on.
    fn version(&self, channel: ChannelId) -> u64 {
        let here = self.channels.get(&channel);
        let parent = here.and_then(|it| it.parent_id.filter(|_| it.kind.is_thread()));
        let parent = parent.map(|id| ChannelId::new(id.get()));
        let changes = [Some(channel), parent].into_iter().flatten();
        let changes = changes.filter_map(|id| self.channels_changed.get(&id).copied());
        changes.fold(self.changed, u64::max)
    }
}

impl KnownPlaces {
    fn guild(&mut self, told: GuildTold, me: &Me) {
        self.changes += 1;
        let changed = self.changes;
        let (id, key) = (told.id, guild_id(told.id));
        let roles = GuildRoles {
            id,
            owner_id: told.owner_id,
            roles: told.roles.0,
        };
        let Some(channels) = told.channels else {
            if let Some(place) = self.guilds.get_mut(&key) {
                place.roles = roles;
                place.changed = changed;
            }
            return;
        };
        let channels = channels.0.into_iter().chain(told.threads.0);
        let mut members = told.members.0.into_iter().map(MemberTold::roles);
        let place = KnownPlace {
            roles,
            channels: channels.map(|it| it.overwrites(id)).collect(),
            own: members.find(|(user, _)| me.is(*user)),
            changed,
            channels_changed: HashMap::new(),
        };
        self.guilds.insert(key, place);
    }

    fn role(&mut self, guild: Id<GuildMarker>, id: Id<RoleMarker>, role: Option<RawRole>) {
        self.changes += 1;
        if let Some(place) = self.guilds.get_mut(&guild_id(guild)) {
            place.changed = self.changes;
            let roles = &mut place.roles.roles;
            roles.retain(|it| it.id != id);
            roles.extend(role.filter(|_| roles.len() < ROLES));
        }
    }

    fn channel(&mut self, told: ChannelTold) {
        let Some(guild) = told.guild_id else { return };
        self.changes += 1;
        if let Some(place) = self.guilds.get_mut(&guild_id(guild)) {
            let (id, overwrites) = told.overwrites(guild);
            let room = place.channels.len() < CHANNELS + THREADS;
            if room || place.channels.contains_key(&id) {
                place.channels.insert(id, overwrites);
                place.channels_changed.insert(id, self.changes);
            }
        }
    }

    fn member(&mut self, told: MemberTold, me: &Me, now: Timestamp) {
        let Some(guild) = told.guild_id.map(guild_id) else {
            return;
        };
        let (user, roles) = told.roles();
        if !me.is(user) {
            self.remember(guild, user, roles, now);
        } else if let Some(place) = self.guilds.get_mut(&guild) {
            self.changes += 1;
            place.changed = self.changes;
            place.own = Some((user, roles));
        }
    }

    fn remember(&mut self, guild: GuildId, user: UserId, roles: MemberRoles, now: Timestamp) {
        if self.members.len() >= MEMBERS {
            self.members.clear();
        }
        self.members.insert((guild, user), (now, roles));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const HALL: GuildId = GuildId::new(3);
    const GENERAL: ChannelId = ChannelId::new(30);
    const ADA: UserId = UserId::new(7);
    const KAIWA: UserId = UserId::new(9);
    const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn me() -> Me {
        Me {
            id: KAIWA,
            name: "kaiwa".into(),
        }
    }

    fn told_guild() -> KnownRights {
        let known = KnownRights::default();
        let guild = json!({
            "id": "3", "owner_id": "5",
            "roles": [
                // View Channels, Send Messages
                {"id": "3", "permissions": "3072", "position": 0},
                // Ban Members
                {"id": "31", "permissions": "4", "position": 2},
                // Add Reactions
                {"id": "32", "permissions": "64", "position": 1},
            ],
            "channels": [
                {"id": "30", "type": 0},
                {"id": "33", "type": 0, "permission_overwrites":
                    [{"id": "3", "type": 0, "allow": "0", "deny": "1024"}]},
            ],
            "threads": [{"id": "34", "type": 11, "parent_id": "33"}],
            "members": [{"user": {"id": "9"}, "roles": ["32"]}],
        });
        note(&known, "GUILD_CREATE", &guild);
        known
    }

    fn note(known: &KnownRights, kind: &str, payload: &Value) {
        let text = json!({"op": 0, "t": kind, "d": payload}).to_string();
        known.note(kind, &text, &me(), AT);
    }

    fn known_bits(known: &KnownRights, channel: u64, user: UserId) -> Option<u64> {
        let held = known.of(HALL, ChannelId::new(channel), user, AT);
        held.map(Rights::bits)
    }

    #[test]
    fn what_was_told_is_known_and_nothing_else() {
        let known = told_guild();
        assert_eq!(known_bits(&known, 30, KAIWA), Some(3072 | 64));
        assert_eq!(known_bits(&known, 30, ADA), None, "she has not written");
        known.heard(HALL, ADA, vec![Id::new(31)], AT);
        assert_eq!(known_bits(&known, 30, ADA), Some(3072 | 4));
        assert_eq!(known_bits(&known, 33, ADA), Some(0), "a hidden channel");
        assert_eq!(known_bits(&known, 34, ADA), Some(0), "and its thread");
        assert_eq!(known_bits(&known, 35, ADA), None, "no such channel");
        let elsewhere = known.of(GuildId::new(4), GENERAL, ADA, AT);
        assert_eq!(elsewhere, None);
        let later = Timestamp::from_millis(AT.as_millis() + 600_000);
        assert_eq!(known.of(HALL, GENERAL, ADA, later), None, "long ago");
        assert!(known.of(HALL, GENERAL, KAIWA, later).is_some());
    }

    #[test]
    fn a_channel_is_open_that_is_hidden_from_nobody() {
        let known = told_guild();
        let check = |channel: u64, expect: Option<bool>| {
            assert_eq!(known.is_open(HALL, ChannelId::new(channel)), expect);
        };
        check(30, Some(false));
        // And Read Message History.
        let readers = json!({"guild_id": "3", "role": {"id": "3", "permissions": "68608"}});
        note(&known, "GUILD_ROLE_UPDATE", &readers);
        check(30, Some(true));
        check(33, Some(false));
        check(34, Some(false));
        check(35, None);
        let private = json!({"id": "36", "guild_id": "3", "type": 12, "parent_id": "30"});
        note(&known, "THREAD_CREATE", &private);
        check(36, Some(false));
        let vip = json!({"id": "37", "guild_id": "3", "type": 0, "permission_overwrites":
            [{"id": "32", "type": 0, "allow": "0", "deny": "1024"}]});
        note(&known, "CHANNEL_CREATE", &vip);
        check(37, Some(false));
        // Where nobody sees anything unless they may, a channel is open to all
        // only if it says so.
        let nobody = json!({"guild_id": "3", "role": {"id": "3", "permissions": "67584"}});
        note(&known, "GUILD_ROLE_UPDATE", &nobody);
        check(30, Some(false));
        let shown = json!({"id": "30", "guild_id": "3", "type": 0, "permission_overwrites":
            [{"id": "3", "type": 0, "allow": "1024", "deny": "0"}]});
        note(&known, "CHANNEL_UPDATE", &shown);
        check(30, Some(true));
    }

    #[test]
    fn what_changes_is_known_anew() {
        let known = told_guild();
        known.heard(HALL, ADA, vec![Id::new(31)], AT);
        let check = |kind: &str, payload: Value, user: UserId, bits: u64| {
            note(&known, kind, &payload);
            assert_eq!(known_bits(&known, 30, user), Some(bits), "{kind}");
        };
        let role = json!({"guild_id": "3", "role": {"id": "31", "permissions": "2"}});
        check("GUILD_ROLE_UPDATE", role, ADA, 3072 | 2);
        let gone = json!({"guild_id": "3", "role_id": "31"});
        check("GUILD_ROLE_DELETE", gone, ADA, 3072);
        let role = json!({"guild_id": "3", "role": {"id": "31", "permissions": "4"}});
        check("GUILD_ROLE_CREATE", role, ADA, 3072 | 4);
        let own = json!({"guild_id": "3", "user": {"id": "9"}, "roles": ["31"]});
        check("GUILD_MEMBER_UPDATE", own, KAIWA, 3072 | 4);
        let hers = json!({"guild_id": "3", "user": {"id": "7"}, "roles": []});
        check("GUILD_MEMBER_UPDATE", hers, ADA, 3072);
        let overwrite = json!({"id": "7", "type": 1, "allow": "64", "deny": "0"});
        let channel = json!({"id": "30", "guild_id": "3", "type": 0,
            "permission_overwrites": [overwrite]});
        check("CHANNEL_UPDATE", channel, ADA, 3072 | 64);
        let owner = json!({"id": "3", "owner_id": "7", "roles": []});
        check("GUILD_UPDATE", owner, ADA, u64::MAX);
        note(
            &known,
            "GUILD_DELETE",
            &json!({"id": "3", "unavailable": true}),
        );
        assert_eq!(known_bits(&known, 30, ADA), None);
    }

    #[test]
    fn our_rights_change_where_an_event_says_so_and_nowhere_else() {
        let known = told_guild();
        let mut before = [30, 33, 34].map(|id| known.version(ChannelId::new(id)));
        let mut check = |kind: &str, payload: Value, changed: [bool; 3]| {
            note(&known, kind, &payload);
            let now = [30, 33, 34].map(|id| known.version(ChannelId::new(id)));
            let differs = std::array::from_fn(|at| before[at] != now[at]);
            assert_eq!(changed, differs, "{kind} {payload}");
            before = now;
        };
        let of = |id: &str| json!({"id": id, "guild_id": "3", "type": 0});
        check("CHANNEL_UPDATE", of("30"), [true, false, false]);
        // A thread has the rights of its channel.
        check("CHANNEL_UPDATE", of("33"), [false, true, true]);
        check("CHANNEL_CREATE", of("39"), [false, false, false]);
        let thread = json!({"id": "34", "guild_id": "3", "type": 11, "parent_id": "33"});
        check("THREAD_UPDATE", thread, [false, false, true]);
        let role = json!({"guild_id": "3", "role": {"id": "31", "permissions": "2"}});
        check("GUILD_ROLE_UPDATE", role, [true, true, true]);
        let hers = json!({"guild_id": "3", "user": {"id": "7"}, "roles": []});
        check("GUILD_MEMBER_UPDATE", hers, [false, false, false]);
        let own = json!({"guild_id": "3", "user": {"id": "9"}, "roles": []});
        check("GUILD_MEMBER_UPDATE", own, [true, true, true]);
        check(
            "GUILD_UPDATE",
            json!({"id": "3", "owner_id": "7", "roles": []}),
            [true; 3],
        );
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
        let known = told_guild();
        for kind in [
            "GUILD_CREATE",
            "GUILD_ROLE_UPDATE",
            "CHANNEL_UPDATE",
            "PRESENCE_UPDATE",
        ] {
            note(&known, kind, &json!({"id": 3, "roles": "none"}));
        }
        assert_eq!(known_bits(&known, 30, KAIWA), Some(3072 | 64));
    }
}
