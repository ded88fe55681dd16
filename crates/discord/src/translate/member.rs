//! Who joins, changes and leaves.

use kaiwa_domain::{Event, GuildId, MemberSnapshot, RoleId, Scope, UserId};
use serde::Deserialize;
use twilight_model::id::Id;
use twilight_model::id::marker::GuildMarker;

use super::message::{RawMember, RawUser};
use super::timestamp;

/// A member as GUILD_MEMBER_ADD and GUILD_MEMBER_UPDATE write it.
#[derive(Deserialize)]
pub(crate) struct RawGuildMember {
    guild_id: Id<GuildMarker>,
    user: RawUser,
    #[serde(flatten)]
    member: RawMember,
    joined_at: Option<String>,
    #[serde(default)]
    pending: bool,
}

impl RawGuildMember {
    /// What is known of them.
    pub(crate) fn snapshot(self) -> MemberSnapshot {
        let (nick, roles) = self.member.parts();
        MemberSnapshot {
            scope: guild(self.guild_id),
            id: UserId::new(self.user.id().get()),
            is_bot: self.user.is_bot(),
            name: self.user.shown_name(nick),
            joined_at: self.joined_at.and_then(|text| timestamp(&text)),
            is_pending: self.pending,
            roles: roles.into_iter().map(|id| RoleId::new(id.get())).collect(),
        }
    }
}

/// Somebody who is gone, as GUILD_MEMBER_REMOVE writes it.
#[derive(Deserialize)]
pub(crate) struct RawDeparture {
    guild_id: Id<GuildMarker>,
    user: RawUser,
}

impl RawDeparture {
    pub(crate) fn event(self) -> Event {
        Event::MemberLeft {
            scope: guild(self.guild_id),
            user: UserId::new(self.user.id().get()),
            is_bot: self.user.is_bot(),
            name: self.user.shown_name(None),
        }
    }
}

fn guild(id: Id<GuildMarker>) -> Scope {
    Scope::Guild(GuildId::new(id.get()))
}

#[cfg(test)]
mod tests {
    use kaiwa_domain::{OccurrenceId, Timestamp, Trigger};
    use serde_json::{Value, json};

    use super::*;

    fn member(member: Value) -> MemberSnapshot {
        let raw: RawGuildMember = serde_json::from_value(member).unwrap();
        raw.snapshot()
    }

    #[test]
    fn a_member_is_known_by_name_with_roles_and_the_time_of_joining() {
        let user = json!({"id": "7", "username": "ada", "global_name": "Ada", "avatar": null});
        let ada = member(json!({
            "guild_id": "3", "user": user, "nick": "Countess", "roles": ["31", "32"],
            "joined_at": "2027-01-15T08:00:00.123000+00:00", "pending": true,
            "deaf": false, "mute": false, "flags": 0,
        }));
        let at = Timestamp::from_millis(1_800_000_000_123);
        let expected = MemberSnapshot {
            scope: Scope::Guild(GuildId::new(3)),
            id: UserId::new(7),
            name: "Countess".to_owned(),
            is_bot: false,
            joined_at: Some(at),
            is_pending: true,
            roles: vec![RoleId::new(31), RoleId::new(32)],
        };
        assert_eq!(ada, expected);
        let joined = OccurrenceId::joined(UserId::new(7), at);
        assert_eq!(ada.join(), Some(Trigger::Join(joined)));
    }

    #[test]
    fn a_guest_and_a_garbled_time_name_no_join() {
        for at in [json!(null), json!("yesterday"), json!("")] {
            let guest = member(json!({
                "guild_id": "3", "user": {"id": "7", "username": "ada", "bot": true},
                "joined_at": at,
            }));
            assert_eq!((guest.name.as_str(), guest.is_bot), ("ada", true));
            assert_eq!((guest.joined_at, guest.join()), (None, None));
        }
    }
}
