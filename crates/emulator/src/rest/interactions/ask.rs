//! A human uses a command, a component or a modal, as Discord's own clients
//! send it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    super::{
        ApiError, ApiResponse, ApiResult, RequestContext,
        attachments::store,
        body::{Fields, snowflake},
        components::{kind, with_custom_id},
        error::Problems,
        webhooks::post,
    },
    chosen::{chosen, told},
    event,
    modal::ModalReader,
    options::{OptionReader, list},
    resolved::ResolvedData,
    trace,
};
use crate::{
    limits,
    realm::{Attachment, CommandKind, Interaction, InteractionKind, UsedCommand},
    snowflake::{Snowflake, hash},
};

/// What was asked, before it has an id.
struct Asked {
    kind: InteractionKind,
    data: Value,
    command: Option<UsedCommand>,
    source: Option<Snowflake>,
    opened_by: Option<Value>,
    completes: Option<u64>,
}

impl Asked {
    fn new(kind: InteractionKind, data: Value) -> Self {
        Self {
            kind,
            data,
            command: None,
            source: None,
            opened_by: None,
            completes: None,
        }
    }
}

/// Where and with whom.
#[derive(Clone, Copy)]
struct AskedPlace {
    channel: Snowflake,
    application: Snowflake,
    bot: Snowflake,
}

pub(super) fn ask(call: &mut RequestContext<'_>) -> ApiResult {
    if call.me()?.bot {
        return Err(ApiError::NoBots);
    }
    let mut body = Fields::new(&call.body.json, "");
    let number = body.number("type");
    let application = body.id("application_id");
    let channel = body.id("channel_id");
    let message = body.id("message_id");
    let nonce = body.text("nonce");
    let data = body.object("data").cloned();
    for key in ["type", "application_id", "channel_id", "data"] {
        if body.get(key).is_none() {
            let message = "This field is required";
            body.problems.add(key, "BASE_TYPE_REQUIRED", message);
        }
    }
    if !matches!(number, Some(2..=5)) {
        let message = "Value must be one of {2, 3, 4, 5}.";
        body.problems.add("type", "BASE_TYPE_CHOICES", message);
    }
    body.problems.into_result()?;
    let (Some(number), Some(application), Some(channel), Some(data)) =
        (number, application, channel, data)
    else {
        return Err(ApiError::Internal);
    };
    call.channel(channel)?;
    let realm = &call.state.realm;
    let mut applications = realm.applications.iter();
    let found = applications.find(|it| it.id == application);
    let bot = found.ok_or(ApiError::UnknownApplication)?.bot;
    let place = AskedPlace {
        channel,
        application,
        bot,
    };
    let uploads = uploads(call, channel, &data);
    let asked = match number {
        2 => command(call, place, &data, &uploads, false)?,
        3 => component(call, place, &data, message, &uploads)?,
        4 => command(call, place, &data, &uploads, true)?,
        _ => modal(call, place, &data, &uploads)?,
    };
    let nonce = nonce.map(|nonce| nonce.chars().take(limits::NONCE_CHARS).collect());
    begin(call, place, asked, nonce);
    Ok(ApiResponse::NoContent)
}

/// The files that came along, by the ids that the data gives them.
fn uploads(
    call: &mut RequestContext<'_>,
    channel: Snowflake,
    data: &Map<String, Value>,
) -> BTreeMap<String, Attachment> {
    if let Some(described) = data.get("attachments") {
        let body = &mut call.body.json;
        body.insert("attachments".into(), described.clone());
    }
    let numbers: Vec<String> = call
        .body
        .files
        .iter()
        .map(|file| file.number.to_string())
        .collect();
    numbers.into_iter().zip(store(call, channel)).collect()
}

fn command(
    call: &RequestContext<'_>,
    place: AskedPlace,
    data: &Map<String, Value>,
    uploads: &BTreeMap<String, Attachment>,
    autocomplete: bool,
) -> Result<Asked, ApiError> {
    let realm = &call.state.realm;
    let (channel, _) = call.channel(place.channel)?;
    let me = call.me()?;
    let id = data.get("id").and_then(snowflake);
    let command = id
        .and_then(|id| realm.commands.get(id))
        .filter(|it| it.application == place.application)
        .ok_or(ApiError::UnknownCommand)?;
    if !realm.may_use(me, channel, command) {
        return Err(ApiError::MissingPermissions);
    }
    let version = data.get("version").and_then(snowflake);
    if version.is_some_and(|version| version != command.version) {
        return Err(Problems::one(
            "data",
            "INTERACTION_APPLICATION_COMMAND_INVALID_VERSION",
            "This command is outdated, please try again in a few minutes",
        ));
    }
    let mut told = json!({
        "id": command.id,
        "name": command.name,
        "type": command.kind.number(),
    });
    if let Some(guild) = command.guild {
        told["guild_id"] = json!(guild);
    }
    let mut resolver = ResolvedData::new(realm, channel, me, uploads);
    let kind = if autocomplete {
        InteractionKind::Autocomplete
    } else {
        InteractionKind::Command
    };
    let target = data.get("target_id").and_then(snowflake);
    let found = match command.kind {
        CommandKind::ChatInput => {
            let mut reader = OptionReader {
                resolver,
                problems: Problems::default(),
                autocomplete,
                completes: None,
                path: Vec::new(),
            };
            let given = list(data, "options");
            told["options"] = json!(reader.read(command.options(), given, "data.options"));
            let completes = reader.completes;
            if autocomplete && completes.is_none() {
                let message = "No option is focused";
                let problems = &mut reader.problems;
                problems.add("data.options", "BASE_TYPE_REQUIRED", message);
            }
            reader.problems.into_result()?;
            if let Some(resolved) = reader.resolver.json() {
                told["resolved"] = resolved;
            }
            let command = UsedCommand::new(command, &reader.path, None);
            return Ok(Asked {
                command: Some(command),
                completes,
                ..Asked::new(kind, told)
            });
        }
        CommandKind::User => target.is_some_and(|id| resolver.user(id)),
        CommandKind::Message => target.is_some_and(|id| resolver.message(id)),
    };
    if !found || autocomplete {
        return Err(Problems::one(
            "data.target_id",
            "INTERACTION_TARGET_INVALID",
            "Unknown target",
        ));
    }
    told["target_id"] = json!(target);
    told["resolved"] = resolver.json().unwrap_or_default();
    Ok(Asked {
        command: Some(UsedCommand::new(command, &[], target)),
        ..Asked::new(kind, told)
    })
}

fn component(
    call: &RequestContext<'_>,
    place: AskedPlace,
    data: &Map<String, Value>,
    message: Option<Snowflake>,
    uploads: &BTreeMap<String, Attachment>,
) -> Result<Asked, ApiError> {
    let realm = &call.state.realm;
    let message = message.ok_or(ApiError::UnknownMessage)?;
    let found = post::find(call, place.channel, message);
    let (message, viewer) = found.ok_or(ApiError::UnknownMessage)?;
    let application = message.webhook.as_ref().and_then(|it| it.application);
    let own = message.author == place.bot || application == Some(place.application);
    if !own || viewer.is_some_and(|viewer| viewer != call.me) {
        return Err(ApiError::UnknownMessage);
    }
    let custom_id = data.get("custom_id").and_then(Value::as_str);
    let used = custom_id.and_then(|it| with_custom_id(&message.components, it));
    let wanted = data.get("component_type").and_then(Value::as_u64);
    let used = used.filter(|it| {
        it.get("disabled") != Some(&Value::Bool(true))
            && wanted.is_none_or(|kind| it["type"] == kind)
    });
    let Some(used) = used else {
        return Err(Problems::one(
            "data.custom_id",
            "COMPONENT_VALIDATION_FAILED",
            "Component validation failed",
        ));
    };
    let mut shown = Value::Object(told(used));
    if let Some(map) = shown.as_object_mut() {
        let of = map.remove("type");
        map.insert("component_type".into(), of.unwrap_or_default());
    }
    if used["type"] != kind::BUTTON {
        let (channel, _) = call.channel(place.channel)?;
        let mut resolver = ResolvedData::new(realm, channel, call.me()?, uploads);
        let mut problems = Problems::default();
        let given = list(data, "values");
        let at = "data.values";
        let values = chosen(used, given, &mut resolver, &mut problems, at, true);
        problems.into_result()?;
        shown["values"] = Value::Array(values);
        if let Some(resolved) = resolver.json() {
            shown["resolved"] = resolved;
        }
    }
    Ok(Asked {
        source: Some(message.id),
        ..Asked::new(InteractionKind::Component, shown)
    })
}

fn modal(
    call: &RequestContext<'_>,
    place: AskedPlace,
    data: &Map<String, Value>,
    uploads: &BTreeMap<String, Attachment>,
) -> Result<Asked, ApiError> {
    let realm = &call.state.realm;
    let custom_id = data.get("custom_id").and_then(Value::as_str);
    let custom_id = custom_id.unwrap_or_default();
    let named = data.get("id").and_then(snowflake);
    let opener = realm
        .interactions
        .modal_of(call.me, named, place.application, custom_id)
        .filter(|it| it.channel == place.channel && it.token_holds());
    let found = opener.and_then(|it| Some((it, it.modal.as_ref()?)));
    let Some((opener, asked)) = found else {
        return Err(ApiError::UnknownInteraction);
    };
    let (channel, _) = call.channel(place.channel)?;
    let mut reader = ModalReader {
        resolver: ResolvedData::new(realm, channel, call.me()?, uploads),
        problems: Problems::default(),
        given: list(data, "components"),
    };
    let components = reader.read(&asked.components, "data.components");
    reader.problems.into_result()?;
    let mut shown = json!({ "custom_id": asked.custom_id, "components": components });
    if let Some(resolved) = reader.resolver.json() {
        shown["resolved"] = resolved;
    }
    Ok(Asked {
        source: opener.source,
        opened_by: Some(trace::of(realm, opener, None).metadata),
        ..Asked::new(InteractionKind::ModalSubmit, shown)
    })
}

/// Tells the bot, and the human that it was told.
fn begin(call: &mut RequestContext<'_>, place: AskedPlace, asked: Asked, nonce: Option<String>) {
    let realm = &mut call.state.realm;
    let id = realm.mint.next();
    let guild = realm.channels.get(&place.channel).and_then(|it| it.guild());
    let salt = id.to_string();
    let token: String = ["a", "b", "c", "d"]
        .iter()
        .map(|part| format!("{:016x}", hash(&["interaction", part, &salt])))
        .collect();
    let interaction = Interaction {
        id,
        token,
        application: place.application,
        bot: place.bot,
        kind: asked.kind,
        user: call.me,
        guild,
        channel: place.channel,
        nonce,
        command: asked.command,
        source: asked.source,
        opened_by: asked.opened_by,
        completes: asked.completes,
        answered: false,
        original: None,
        modal: None,
    };
    let payload = event::payload(call, &interaction, &asked.data);
    let begun = json!({ "id": id, "nonce": interaction.nonce });
    call.state.realm.interactions.put(interaction);
    let state = &mut *call.state;
    state.tell(call.me, guild, "INTERACTION_CREATE", &begun);
    state.tell(place.bot, guild, "INTERACTION_CREATE", &payload);
    let emulator = call.emulator.clone();
    call.emulator.tracker().spawn(event::give_up(emulator, id));
}
