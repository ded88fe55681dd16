//! What people do with our controls.

use kaiwa_domain::{
    Author, AuthorKind, ChannelId, CommandCall, GuildId, Interaction, InteractionId,
    InteractionKind, MessageId, ResponseHandle, RoleId, Scope, UserId,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use twilight_model::id::Id;
use twilight_model::id::marker::{
    ApplicationMarker, ChannelMarker, GuildMarker, InteractionMarker, MessageMarker,
};

use super::message::{RawMember, RawUser};
use super::up_to::UpTo;

/// The most options of a command, values of a menu, and parts of a form.
///
/// See [Discord Docs/Application Commands](https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-structure)
/// and [Discord Docs/Components](https://docs.discord.com/developers/components/reference).
const OPTIONS: usize = 25;
const VALUES: usize = 25;
const PARTS: usize = 40;

/// The kinds of interactions, see
/// [Discord Docs/Interactions](https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type).
const COMMAND: u8 = 2;
const COMPONENT: u8 = 3;
const COMPLETION: u8 = 4;
const FORM: u8 = 5;

/// The kinds of options that hold others.
const SUBCOMMAND: u8 = 1;
const SUBCOMMAND_GROUP: u8 = 2;
const ATTACHMENT: u8 = 11;

/// The kinds of commands that are used on something.
const ON_USER: u8 = 2;
const ON_MESSAGE: u8 = 3;

/// An interaction as INTERACTION_CREATE writes it.
#[derive(Deserialize)]
pub(crate) struct RawInteraction {
    id: Id<InteractionMarker>,
    application_id: Id<ApplicationMarker>,
    #[serde(rename = "type")]
    kind: u8,
    #[serde(default)]
    data: RawData,
    guild_id: Option<Id<GuildMarker>>,
    channel_id: Option<Id<ChannelMarker>>,
    member: Option<RawInteractionMember>,
    user: Option<RawUser>,
    token: String,
    #[serde(default)]
    locale: String,
    message: Option<RawMessageId>,
}

#[derive(Deserialize)]
struct RawInteractionMember {
    user: RawUser,
    #[serde(flatten)]
    member: RawMember,
}

#[derive(Deserialize)]
struct RawMessageId {
    id: Id<MessageMarker>,
}

#[derive(Default, Deserialize)]
struct RawData {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    kind: Option<u8>,
    target_id: Option<String>,
    #[serde(default)]
    options: UpTo<OPTIONS, RawOption>,
    #[serde(default)]
    custom_id: String,
    #[serde(default)]
    values: UpTo<VALUES, String>,
    #[serde(default)]
    components: UpTo<PARTS, RawPart>,
    #[serde(default)]
    resolved: RawResolved,
}

#[derive(Default, Deserialize)]
struct RawResolved {
    #[serde(default)]
    attachments: Map<String, Value>,
}

#[derive(Deserialize)]
struct RawOption {
    name: String,
    #[serde(rename = "type")]
    kind: u8,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    focused: bool,
    #[serde(default)]
    options: UpTo<OPTIONS, RawOption>,
}

/// A row, a label, or a field of a form.
#[derive(Deserialize)]
struct RawPart {
    custom_id: Option<String>,
    value: Option<String>,
    #[serde(default)]
    values: UpTo<VALUES, String>,
    component: Option<Box<RawPart>>,
    #[serde(default)]
    components: UpTo<PARTS, RawPart>,
}

impl RawInteraction {
    /// The interaction in our words, if it is of a kind that we know.
    pub(crate) fn interaction(self) -> Option<Interaction> {
        let kind = match self.kind {
            COMMAND => InteractionKind::Command(self.data.call(&mut None)),
            COMPLETION => {
                let mut focused = None;
                let call = self.data.call(&mut focused);
                let (option, typed) = focused?;
                InteractionKind::Completion {
                    call,
                    option,
                    typed,
                }
            }
            COMPONENT => InteractionKind::Component {
                control: self.data.custom_id,
                values: self.data.values.0,
                message: MessageId::new(self.message?.id.get()),
            },
            FORM => {
                let mut fields = Map::new();
                for part in self.data.components.0 {
                    part.collect(&mut fields);
                }
                InteractionKind::Form {
                    control: self.data.custom_id,
                    fields: Value::Object(fields).to_string(),
                }
            }
            _ => return None,
        };
        let (user, member) = match (self.member, self.user) {
            (Some(it), _) => (it.user, Some(it.member)),
            (None, Some(user)) => (user, None),
            (None, None) => return None,
        };
        let user = author(user, member);
        let scope = match self.guild_id {
            Some(guild) => Scope::Guild(GuildId::new(guild.get())),
            None => Scope::Dm(user.id),
        };
        Some(Interaction {
            id: InteractionId::new(self.id.get()),
            handle: ResponseHandle::new(self.application_id.get(), self.token),
            scope,
            channel: ChannelId::new(self.channel_id?.get()),
            user,
            locale: self.locale,
            kind,
        })
    }
}

fn author(user: RawUser, member: Option<RawMember>) -> Author {
    let kind = match user.is_bot() {
        true => AuthorKind::Bot,
        false => AuthorKind::Human,
    };
    let id = UserId::new(user.id().get());
    let (nick, roles) = member.map(RawMember::parts).unwrap_or_default();
    Author {
        id,
        name: user.shown_name(nick),
        kind,
        roles: roles
            .into_iter()
            .map(|role| RoleId::new(role.get()))
            .collect(),
    }
}

impl RawData {
    /// The command as it was called, and the option that is being typed.
    fn call(self, focused: &mut Option<(String, String)>) -> CommandCall {
        let mut name = self.name;
        let mut options = self.options.0;
        let is_group = |it: &RawOption| matches!(it.kind, SUBCOMMAND | SUBCOMMAND_GROUP);
        while options.first().is_some_and(is_group) {
            let sub = options.swap_remove(0);
            name = format!("{name} {}", sub.name);
            options = sub.options.0;
        }
        let mut arguments = Map::new();
        for option in options {
            if option.focused {
                let typed = option.value.as_str().map(str::to_owned);
                let typed = typed.unwrap_or_else(|| option.value.to_string());
                *focused = Some((option.name.clone(), typed));
            }
            let value = match option.kind {
                ATTACHMENT => self.resolved.address(&option.value),
                _ => option.value,
            };
            arguments.insert(option.name, value);
        }
        let target = match self.kind {
            Some(ON_USER) => Some("user"),
            Some(ON_MESSAGE) => Some("message"),
            _ => None,
        };
        if let (Some(target), Some(id)) = (target, self.target_id) {
            arguments.insert(target.to_owned(), Value::String(id));
        }
        CommandCall {
            name,
            arguments: Value::Object(arguments).to_string(),
        }
    }
}

impl RawResolved {
    /// Where a file can be fetched.
    fn address(&self, id: &Value) -> Value {
        let file = id.as_str().and_then(|id| self.attachments.get(id));
        file.and_then(|file| file.get("url"))
            .cloned()
            .unwrap_or_default()
    }
}

impl RawPart {
    fn collect(self, fields: &mut Map<String, Value>) {
        if let Some(name) = self.custom_id {
            let chosen = self.values.0.into_iter().next();
            if let Some(value) = self.value.or(chosen) {
                fields.insert(name, Value::String(value));
            }
        }
        if let Some(inner) = self.component {
            inner.collect(fields);
        }
        for inner in self.components.0 {
            inner.collect(fields);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn translate(changes: &Value) -> Option<Interaction> {
        let mut raw = json!({
            "id": "11", "application_id": "5", "type": 2, "token": "secret", "version": 1,
            "guild_id": "3", "channel_id": "7", "locale": "ja", "guild_locale": "en-US",
            "member": {
                "user": {"id": "9", "username": "ada", "global_name": "Ada"},
                "nick": "Countess", "roles": ["4"], "permissions": "8"
            },
            "data": {"id": "1", "name": "stop", "type": 1}
        });
        for (key, value) in changes.as_object().unwrap() {
            raw[key] = value.clone();
        }
        let raw: RawInteraction = serde_json::from_value(raw).unwrap();
        raw.interaction()
    }

    fn call(data: &Value) -> CommandCall {
        match translate(&json!({ "data": data })).unwrap().kind {
            InteractionKind::Command(call) => call,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_command_has_its_place_and_person() {
        let stop = translate(&json!({})).unwrap();
        assert_eq!(stop.scope, Scope::Guild(GuildId::new(3)));
        assert_eq!(stop.channel, ChannelId::new(7));
        assert_eq!(
            (stop.user.id, &*stop.user.name),
            (UserId::new(9), "Countess")
        );
        assert_eq!(stop.user.roles, [RoleId::new(4)]);
        assert_eq!(stop.locale, "ja");
        assert_eq!(stop.handle, ResponseHandle::new(5, "secret".into()));
        let user = json!({"id": "9", "username": "ada"});
        let direct = translate(&json!({"guild_id": null, "member": null, "user": user}));
        assert_eq!(direct.unwrap().scope, Scope::Dm(UserId::new(9)));
        for unreadable in [
            json!({"member": null}),
            json!({"channel_id": null}),
            json!({"type": 1}),
            json!({"type": 99}),
            json!({"type": 3}),
            json!({"type": 4}),
        ] {
            assert_eq!(translate(&unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn options_become_arguments() {
        let check = |data: Value, name: &str, arguments: Value| {
            let call = call(&data);
            assert_eq!(call.name, name);
            let found: Value = serde_json::from_str(&call.arguments).unwrap();
            assert_eq!(found, arguments);
        };
        check(json!({"name": "stop"}), "stop", json!({}));
        check(
            json!({"name": "stop", "options": [{"name": "everybody", "type": 5, "value": true}]}),
            "stop",
            json!({"everybody": true}),
        );
        let add = json!({"name": "add", "type": 1, "options": [
            {"name": "text", "type": 3, "value": "tea"}, {"name": "who", "type": 6, "value": "9"}]});
        let group = json!({"name": "facts", "type": 2, "options": [add]});
        let arguments = json!({"text": "tea", "who": "9"});
        check(
            json!({"name": "memory", "options": [add]}),
            "memory add",
            arguments.clone(),
        );
        check(
            json!({"name": "memory", "options": [group]}),
            "memory facts add",
            arguments,
        );
        check(
            json!({"name": "look", "options": [{"name": "file", "type": 11, "value": "6"}],
                   "resolved": {"attachments": {"6": {"url": "https://x/y.png"}}}}),
            "look",
            json!({"file": "https://x/y.png"}),
        );
        check(
            json!({"name": "Quote", "type": 3, "target_id": "12"}),
            "Quote",
            json!({"message": "12"}),
        );
        check(
            json!({"name": "Who", "type": 2, "target_id": "12"}),
            "Who",
            json!({"user": "12"}),
        );
    }

    #[test]
    fn what_is_being_typed_is_known() {
        let data = json!({"name": "now", "options": [
            {"name": "zone", "type": 3, "value": "Eur", "focused": true}]});
        let typed = translate(&json!({"type": 4, "data": data})).unwrap().kind;
        let InteractionKind::Completion { option, typed, .. } = typed else {
            panic!("{typed:?}");
        };
        assert_eq!((&*option, &*typed), ("zone", "Eur"));
    }

    #[test]
    fn controls_come_back_with_what_was_chosen() {
        let pressed = translate(&json!({
            "type": 3, "message": {"id": "12"},
            "data": {"custom_id": "k1/stop/{}", "component_type": 3, "values": ["a", "b"]}
        }));
        assert_eq!(
            pressed.unwrap().kind,
            InteractionKind::Component {
                control: "k1/stop/{}".into(),
                values: vec!["a".into(), "b".into()],
                message: MessageId::new(12),
            }
        );
        let rows = json!([
            {"type": 1, "components": [{"type": 4, "custom_id": "a", "value": "1"}]},
            {"type": 18, "component": {"type": 4, "custom_id": "b", "value": "2"}},
            {"type": 18, "component": {"type": 3, "custom_id": "c", "values": ["3"]}}
        ]);
        let filled = translate(&json!({
            "type": 5, "data": {"custom_id": "k1/x/{}", "components": rows}
        }));
        let InteractionKind::Form { control, fields } = filled.unwrap().kind else {
            panic!("no form");
        };
        assert_eq!(control, "k1/x/{}");
        let fields: Value = serde_json::from_str(&fields).unwrap();
        assert_eq!(fields, json!({"a": "1", "b": "2", "c": "3"}));
    }
}
