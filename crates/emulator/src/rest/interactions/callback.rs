//! The bot's first answer. Discord Docs/Receiving and Responding, Create
//! Interaction Response.

use serde_json::{Map, Value, json};

use super::{
    super::{
        ApiError, ApiResponse, ApiResult, RequestContext,
        body::Fields,
        commands::check_choices,
        components,
        draft::Draft,
        error::Problems,
        webhooks::post::{self, EPHEMERAL, LOADING, compose, default_mentions, publish, revise},
    },
    app_permissions, asked_flags, speaker, trace,
};
use crate::{
    limits,
    realm::{CommandKind, Interaction, InteractionKind, MessageKind, OpenedModal},
    snowflake::Snowflake,
    wire,
};

pub(super) fn callback(call: &mut RequestContext<'_>, id: Snowflake, token: &str) -> ApiResult {
    let interaction = call.state.realm.interactions.get(id);
    let interaction = interaction
        .filter(|it| it.token == token)
        .ok_or(ApiError::UnknownInteraction)?;
    if interaction.answered {
        return Err(ApiError::AlreadyAcknowledged);
    }
    if !interaction.awaits_answer() {
        return Err(ApiError::UnknownInteraction);
    }
    let interaction = interaction.clone();
    call.me = interaction.bot;
    let mut body = Fields::new(&call.body.json, "");
    let kind = body.number("type");
    let data = body.object("data").cloned();
    if body.get("type").is_none() {
        let message = "This field is required";
        body.problems.add("type", "BASE_TYPE_REQUIRED", message);
    }
    body.problems.into_result()?;
    let kind = kind.unwrap_or(0);
    call.body.json = data.unwrap_or_default();
    let of_message = interaction.source.is_some();
    let shows = interaction.kind != InteractionKind::Autocomplete;
    let opens = matches!(
        interaction.kind,
        InteractionKind::Command | InteractionKind::Component
    );
    let message = match kind {
        4 if shows => Some(answer(call, &interaction)?),
        5 if shows => Some(defer(call, &interaction)?),
        6 if shows && of_message => {
            answered(call, &interaction, interaction.source);
            None
        }
        7 if shows && of_message => Some(update(call, &interaction)?),
        8 if !shows => {
            suggest(call, &interaction)?;
            None
        }
        9 if opens => {
            open(call, &interaction)?;
            None
        }
        _ => {
            return Err(Problems::one(
                "type",
                "BASE_TYPE_CHOICES",
                "This interaction cannot be answered with this type",
            ));
        }
    };
    let wanted = call.query.get("with_response");
    if wanted.is_some_and(|it| it.eq_ignore_ascii_case("true") || it == "1") {
        return Ok(ApiResponse::Json(response(
            call,
            &interaction,
            kind,
            message,
        )?));
    }
    Ok(ApiResponse::NoContent)
}

/// Problems stand below `data`, where the bot wrote it.
fn in_data<T>(result: Result<T, ApiError>) -> Result<T, ApiError> {
    result.map_err(|error| match error {
        ApiError::Invalid(problems) => ApiError::Invalid(problems.below("data")),
        error => error,
    })
}

/// The answer has come; the human's client is told.
fn answered(call: &mut RequestContext<'_>, interaction: &Interaction, original: Option<Snowflake>) {
    if let Some(known) = call.state.realm.interactions.get_mut(interaction.id) {
        known.answered = true;
        known.original = original;
    }
    let told = json!({ "id": interaction.id, "nonce": interaction.nonce });
    let (user, guild) = (interaction.user, interaction.guild);
    call.state.tell(user, guild, "INTERACTION_SUCCESS", &told);
}

/// What a message that answers is: commands have kinds of their own, what
/// answers a component replies to its message.
fn kind_of(interaction: &Interaction) -> MessageKind {
    match (&interaction.command, interaction.source) {
        (Some(command), _) if command.kind != CommandKind::ChatInput => MessageKind::ContextMenu,
        (Some(_), _) => MessageKind::SlashCommand,
        (None, Some(_)) => MessageKind::Reply,
        // A modal that a command opened.
        (None, None) => MessageKind::SlashCommand,
    }
}

fn answer(call: &mut RequestContext<'_>, interaction: &Interaction) -> Result<Snowflake, ApiError> {
    default_mentions(call);
    let draft = in_data(Draft::read(&call.body.json))?;
    let flags = asked_flags(call);
    put(call, interaction, draft, flags)
}

fn defer(call: &mut RequestContext<'_>, interaction: &Interaction) -> Result<Snowflake, ApiError> {
    let flags = asked_flags(call) | LOADING;
    let draft = Draft::read(&Map::new())?;
    put(call, interaction, draft, flags)
}

fn put(
    call: &mut RequestContext<'_>,
    interaction: &Interaction,
    draft: Draft,
    flags: u64,
) -> Result<Snowflake, ApiError> {
    let trace = trace::of(&call.state.realm, interaction, None);
    let kind = kind_of(interaction);
    let answers = interaction.source.filter(|_| kind == MessageKind::Reply);
    let author = speaker(call, interaction, kind, answers, trace, flags);
    let message = in_data(compose(call, interaction.channel, draft, author, None))?;
    let viewer = (flags & EPHEMERAL != 0).then_some(interaction.user);
    answered(call, interaction, Some(message.id));
    publish(call, interaction.channel, &message, viewer)?;
    Ok(message.id)
}

/// Changes the message that the component is on.
fn update(call: &mut RequestContext<'_>, interaction: &Interaction) -> Result<Snowflake, ApiError> {
    let source = interaction.source.ok_or(ApiError::UnknownMessage)?;
    let held = app_permissions(call, interaction);
    in_data(revise(call, interaction.channel, source, held))?;
    answered(call, interaction, Some(source));
    Ok(source)
}

fn suggest(call: &mut RequestContext<'_>, interaction: &Interaction) -> Result<(), ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    let list = body.list("choices").unwrap_or_default();
    if list.len() > limits::COMMAND_CHOICES {
        body.too_long("choices", limits::COMMAND_CHOICES);
    }
    let kind = interaction.completes.unwrap_or(3);
    let choices = check_choices(&mut body.problems, "choices", list, kind);
    in_data(body.problems.into_result())?;
    if let Some(known) = call.state.realm.interactions.get_mut(interaction.id) {
        known.answered = true;
    }
    let told = json!({ "choices": choices, "nonce": interaction.nonce });
    let (user, guild) = (interaction.user, interaction.guild);
    let name = "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE";
    call.state.tell(user, guild, name, &told);
    Ok(())
}

fn open(call: &mut RequestContext<'_>, interaction: &Interaction) -> Result<(), ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    let mut text = |key: &str, most: usize| {
        let text = body.text(key).unwrap_or_default();
        if body.get(key).is_none() {
            let message = "This field is required";
            body.problems.add(key, "BASE_TYPE_REQUIRED", message);
        } else if !(1..=most).contains(&text.chars().count()) {
            let message = format!("Must be between 1 and {most} in length.");
            body.problems.add(key, "BASE_TYPE_BAD_LENGTH", message);
        }
        text
    };
    let custom_id = text("custom_id", limits::CUSTOM_ID_CHARS);
    let title = text("title", limits::MODAL_TITLE_CHARS);
    let list = body.list("components").unwrap_or_default();
    let components = components::of_modal(&mut body.problems, list);
    in_data(body.problems.into_result())?;
    answered(call, interaction, None);
    if let Some(known) = call.state.realm.interactions.get_mut(interaction.id) {
        known.modal = Some(OpenedModal {
            custom_id: custom_id.clone(),
            components: components.clone(),
        });
    }
    let bot = call.state.realm.person(interaction.bot);
    let told = json!({
        "id": interaction.id,
        "nonce": interaction.nonce,
        "channel_id": interaction.channel,
        "custom_id": custom_id,
        "title": title,
        "components": components,
        "application": {
            "id": interaction.application,
            "name": bot.map(|bot| bot.name.clone()),
            "icon": null,
            "description": "",
            "bot": bot.map(wire::User::from),
        },
    });
    let (user, guild) = (interaction.user, interaction.guild);
    call.state
        .tell(user, guild, "INTERACTION_MODAL_CREATE", &told);
    Ok(())
}

/// Discord Docs/Receiving and Responding, Interaction Callback Response.
fn response(
    call: &RequestContext<'_>,
    interaction: &Interaction,
    kind: u64,
    message: Option<Snowflake>,
) -> Result<Value, ApiError> {
    let mut about = json!({ "id": interaction.id, "type": interaction.kind.number() });
    let mut resource = json!({ "type": kind });
    let found = message.and_then(|id| post::find(call, interaction.channel, id));
    if let Some((message, viewer)) = found {
        about["response_message_id"] = json!(message.id);
        about["response_message_loading"] = json!(message.flags & LOADING != 0);
        about["response_message_ephemeral"] = json!(viewer.is_some());
        resource["message"] = post::shown(call, interaction.channel, message)?;
    }
    let mut response = json!({ "interaction": about });
    if message.is_some() {
        response["resource"] = resource;
    }
    Ok(response)
}
