//! Application commands, and who may use them where.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Channel, PermissionSet, Realm, UserAccount, in_channel};
use crate::snowflake::Snowflake;

/// A command as its application registered it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AppCommand {
    pub(crate) id: Snowflake,
    pub(crate) application: Snowflake,
    /// None when it is there in all guilds and in private.
    pub(crate) guild: Option<Snowflake>,
    /// Changes with each change.
    pub(crate) version: Snowflake,
    pub(crate) kind: CommandKind,
    pub(crate) name: String,
    /// The other fields, checked and completed, in Discord's shape.
    pub(crate) fields: Map<String, Value>,
}

/// Discord Docs/Application Commands, Application Command Types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CommandKind {
    ChatInput,
    User,
    Message,
}

impl CommandKind {
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        match number {
            1 => Some(Self::ChatInput),
            2 => Some(Self::User),
            3 => Some(Self::Message),
            _ => None,
        }
    }

    pub(crate) fn number(self) -> u8 {
        match self {
            Self::ChatInput => 1,
            Self::User => 2,
            Self::Message => 3,
        }
    }
}

impl AppCommand {
    /// The options, none of which a context menu has.
    pub(crate) fn options(&self) -> &[Value] {
        let options = self.fields.get("options");
        options.and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Whether it works where one is: 0 is a guild, 1 a conversation with
    /// its bot.
    fn works_in(&self, context: u64) -> bool {
        match self.fields.get("contexts") {
            Some(Value::Array(list)) => list.iter().any(|it| it.as_u64() == Some(context)),
            _ => true,
        }
    }
}

/// Exceptions for one guild, of one command or (under the application's own
/// id) of all its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PermissionsKey {
    pub(crate) application: Snowflake,
    pub(crate) guild: Snowflake,
    pub(crate) command: Snowflake,
}

/// Discord Docs/Application Commands, Application Command Permissions.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct CommandPermission {
    pub(crate) id: Snowflake,
    /// 1 a role, 2 a user, 3 a channel.
    pub(crate) kind: u64,
    pub(crate) allowed: bool,
}

/// Everything that applications registered.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct AppCommands {
    pub(crate) all: Vec<AppCommand>,
    #[serde(with = "pairs")]
    pub(crate) permissions: BTreeMap<PermissionsKey, Vec<CommandPermission>>,
}

/// A map whose keys are no texts, as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(from: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Vec::<(K, V)>::deserialize(from).map(BTreeMap::from_iter)
    }
}

impl AppCommands {
    pub(crate) fn get(&self, id: Snowflake) -> Option<&AppCommand> {
        self.all.iter().find(|command| command.id == id)
    }

    /// The commands of an application, global or of one guild, in the order
    /// they were made.
    pub(crate) fn of(
        &self,
        application: Snowflake,
        guild: Option<Snowflake>,
    ) -> impl Iterator<Item = &AppCommand> {
        self.all
            .iter()
            .filter(move |it| it.application == application && it.guild == guild)
    }

    pub(crate) fn remove(&mut self, id: Snowflake) {
        self.all.retain(|command| command.id != id);
        self.permissions.retain(|key, _| key.command != id);
    }

    /// Every channel of a guild, in the permissions of commands.
    pub(crate) fn all_channels(guild: Snowflake) -> Snowflake {
        Snowflake(guild.0 - 1)
    }

    /// The permissions of a command in Discord's shape; none when there are
    /// no exceptions.
    pub(crate) fn permissions_json(&self, key: PermissionsKey) -> Option<Value> {
        let list = self.permissions.get(&key)?;
        let list: Vec<Value> = list
            .iter()
            .map(|it| json!({ "id": it.id, "type": it.kind, "permission": it.allowed }))
            .collect();
        Some(json!({
            "id": key.command,
            "application_id": key.application,
            "guild_id": key.guild,
            "permissions": list,
        }))
    }
}

impl Realm {
    /// Whether a person may use a command in a channel.
    pub(crate) fn may_use(
        &self,
        person: &UserAccount,
        channel: &Channel,
        command: &AppCommand,
    ) -> bool {
        let held = in_channel(self, person, channel);
        let application = self.applications.iter();
        let Some(application) = application
            .into_iter()
            .find(|it| it.id == command.application)
        else {
            return false;
        };
        if !held.has(PermissionSet::VIEW_CHANNEL) {
            return false;
        }
        let Some(guild) = self.guild_around(channel) else {
            let with_bot = self
                .person(application.bot)
                .is_some_and(|bot| self.may_see(bot, channel));
            return with_bot && command.guild.is_none() && command.works_in(1);
        };
        let installed = guild.member(application.bot).is_some();
        let here = command.guild.is_none_or(|id| id == guild.id);
        if !installed || !here || !command.works_in(0) {
            return false;
        }
        if held.has(PermissionSet::ADMINISTRATOR) {
            return true;
        }
        if !held.has(PermissionSet::USE_APPLICATION_COMMANDS) {
            return false;
        }
        let member_roles = guild.member(person.id).map(|it| it.roles.as_slice());
        let member_roles = member_roles.unwrap_or_default();
        let place = channel.thread().map_or(channel.id, |it| it.parent);
        let decide = |id: Snowflake| {
            let key = PermissionsKey {
                application: application.id,
                guild: guild.id,
                command: id,
            };
            let list = self.commands.permissions.get(&key);
            let list = list.map(Vec::as_slice).unwrap_or_default();
            (
                who_may(list, person.id, member_roles, guild.id),
                where_may(list, place, guild.id),
            )
        };
        let (own, of_all) = (decide(command.id), decide(application.id));
        let place_ok = own.1.or(of_all.1).unwrap_or(true);
        let default = match command.fields.get("default_member_permissions") {
            // None at all is for administrators alone.
            Some(Value::String(bits)) => {
                let needed = PermissionSet::from_bits(bits.parse().unwrap_or(0));
                needed != PermissionSet::default() && held.has(needed)
            }
            _ => true,
        };
        place_ok && own.0.or(of_all.0).unwrap_or(default)
    }
}

/// What the exceptions say of a person: themselves, then their roles, then
/// everyone.
fn who_may(
    list: &[CommandPermission],
    person: Snowflake,
    roles: &[Snowflake],
    guild: Snowflake,
) -> Option<bool> {
    if let Some(own) = list.iter().find(|it| it.kind == 2 && it.id == person) {
        return Some(own.allowed);
    }
    let mut theirs = list
        .iter()
        .filter(|it| it.kind == 1 && roles.contains(&it.id))
        .peekable();
    if theirs.peek().is_some() {
        return Some(theirs.any(|it| it.allowed));
    }
    let everyone = list.iter().find(|it| it.kind == 1 && it.id == guild);
    everyone.map(|it| it.allowed)
}

fn where_may(list: &[CommandPermission], channel: Snowflake, guild: Snowflake) -> Option<bool> {
    let all = AppCommands::all_channels(guild);
    let of = |id: Snowflake| {
        let found = list.iter().find(|it| it.kind == 3 && it.id == id);
        found.map(|it| it.allowed)
    };
    of(channel).or_else(|| of(all))
}
