//! What the ids in an interaction stand for. Discord Docs/Receiving and
//! Responding, Resolved Data.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    realm::{Attachment, Channel, PermissionSet, Realm, UserAccount, in_channel},
    snowflake::Snowflake,
    wire::{self, Member, MessageView, Role, User, Viewer},
};

/// Collects what is named.
pub(super) struct ResolvedData<'a> {
    realm: &'a Realm,
    /// Where the interaction happens.
    channel: &'a Channel,
    user: &'a UserAccount,
    /// Files that came along, by the number that values name them by.
    uploads: &'a BTreeMap<String, Attachment>,
    found: BTreeMap<&'static str, Map<String, Value>>,
}

impl<'a> ResolvedData<'a> {
    pub(super) fn new(
        realm: &'a Realm,
        channel: &'a Channel,
        user: &'a UserAccount,
        uploads: &'a BTreeMap<String, Attachment>,
    ) -> Self {
        Self {
            realm,
            channel,
            user,
            uploads,
            found: BTreeMap::new(),
        }
    }

    fn put(&mut self, kind: &'static str, id: Snowflake, value: Value) {
        let map = self.found.entry(kind).or_default();
        map.insert(id.to_string(), value);
    }

    /// A user, and the member that they are here.
    pub(super) fn user(&mut self, id: Snowflake) -> bool {
        let Some(person) = self.realm.person(id) else {
            return false;
        };
        self.put("users", id, json!(User::from(person)));
        let guild = self.realm.guild_around(self.channel);
        if let Some(member) = guild.and_then(|guild| Member::partial(guild, id)) {
            let mut member = json!(member);
            member["permissions"] = json!(in_channel(self.realm, person, self.channel));
            if let Some(map) = member.as_object_mut() {
                map.remove("deaf");
                map.remove("mute");
            }
            self.put("members", id, member);
        }
        true
    }

    pub(super) fn role(&mut self, id: Snowflake) -> bool {
        let guild = self.realm.guild_around(self.channel);
        let role = guild.and_then(|guild| guild.roles.iter().find(|role| role.id == id));
        match role {
            Some(role) => {
                self.put("roles", id, json!(Role::from(role)));
                true
            }
            None => false,
        }
    }

    /// A channel of one of the kinds, any if there are none.
    pub(super) fn channel(&mut self, id: Snowflake, kinds: &[Value]) -> bool {
        let Some(channel) = self.realm.channels.get(&id) else {
            return false;
        };
        let fits = kinds.is_empty() || kinds.contains(&json!(channel.number()));
        let held = in_channel(self.realm, self.user, channel);
        let here = channel.guild() == self.channel.guild();
        if !fits || !here || !held.has(PermissionSet::VIEW_CHANNEL) {
            return false;
        }
        let mut shown = json!(wire::Channel::new(self.realm, channel, None));
        shown["permissions"] = json!(held);
        if let Some(map) = shown.as_object_mut() {
            map.remove("permission_overwrites");
        }
        self.put("channels", id, shown);
        true
    }

    pub(super) fn message(&mut self, id: Snowflake) -> bool {
        let Some(message) = self.channel.message(id) else {
            return false;
        };
        let (realm, place) = (self.realm, MessageView::History);
        let shown = wire::Message::new(realm, self.channel, message, Viewer::OBSERVER, place);
        self.put("messages", id, json!(shown));
        true
    }

    /// The upload that a value names; its id is what the bot gets.
    pub(super) fn attachment(&mut self, number: &str) -> Option<Snowflake> {
        let file = self.uploads.get(number)?;
        self.put("attachments", file.id, json!(file.signed()));
        Some(file.id)
    }

    /// All that was found, or nothing.
    pub(super) fn json(self) -> Option<Value> {
        (!self.found.is_empty()).then(|| json!(self.found))
    }
}
