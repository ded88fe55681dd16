//! Interactions: a human does something with a bot, and the bot answers.

mod ask;
mod callback;
mod chosen;
mod event;
mod modal;
mod options;
mod resolved;
mod route;
mod trace;

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext,
    draft::Draft,
    webhooks::{
        TokenRoute, WebhookMessage,
        post::{self, EPHEMERAL, LOADING, TokenAuthor, compose, publish, revise, withdraw},
    },
};
use crate::{
    realm::{
        Interaction, InteractionTrace, MessageKind, PermissionSet, Reference, WebhookIdentity,
        in_channel,
    },
    snowflake::Snowflake,
};
pub(super) use route::InteractionRoute;

pub(super) fn act(call: &mut RequestContext<'_>, route: InteractionRoute) -> ApiResult {
    match route {
        InteractionRoute::Ask => ask::ask(call),
        InteractionRoute::Callback(id, token) => callback::callback(call, id, &token),
    }
}

/// What comes after the first answer, as if through a webhook.
pub(super) fn with_token(
    call: &mut RequestContext<'_>,
    application: Snowflake,
    token: &str,
    below: &TokenRoute,
) -> ApiResult {
    let interactions = &call.state.realm.interactions;
    let interaction = interactions
        .with_token(application, token)
        .filter(|it| it.token_holds())
        .ok_or(ApiError::InvalidWebhookToken)?;
    if !interaction.answered {
        return Err(ApiError::UnknownWebhook);
    }
    let interaction = interaction.clone();
    call.me = interaction.bot;
    let channel = interaction.channel;
    match below {
        TokenRoute::Execute => follow_up(call, &interaction),
        TokenRoute::GetMessage(which) => {
            let id = own(call, &interaction, *which)?;
            let found = post::find(call, channel, id);
            let (message, _) = found.ok_or(ApiError::UnknownMessage)?;
            Ok(ApiResponse::Json(post::shown(call, channel, message)?))
        }
        TokenRoute::EditMessage(which) => {
            let id = own(call, &interaction, *which)?;
            let held = app_permissions(call, &interaction);
            let edited = revise(call, channel, id, held)?;
            Ok(ApiResponse::Json(post::shown(call, channel, &edited)?))
        }
        TokenRoute::DeleteMessage(which) => {
            let id = own(call, &interaction, *which)?;
            withdraw(call, channel, id)
        }
        TokenRoute::Get
        | TokenRoute::Modify
        | TokenRoute::Delete
        | TokenRoute::Slack
        | TokenRoute::Github => Err(ApiError::UnknownWebhook),
    }
}

/// A message that the token reaches: the answer, or a follow-up.
fn own(
    call: &RequestContext<'_>,
    interaction: &Interaction,
    which: WebhookMessage,
) -> Result<Snowflake, ApiError> {
    let id = match which {
        WebhookMessage::Original => interaction.original.ok_or(ApiError::UnknownMessage)?,
        WebhookMessage::Id(id) => id,
    };
    let found = post::find(call, interaction.channel, id);
    let (message, _) = found.ok_or(ApiError::UnknownMessage)?;
    let through = message.webhook.as_ref().map(|it| it.id);
    let own = through == Some(interaction.application) || interaction.original == Some(id);
    own.then_some(id).ok_or(ApiError::UnknownMessage)
}

/// (doc) Create Followup Message: directly after a deferred answer it becomes
/// that answer.
fn follow_up(call: &mut RequestContext<'_>, interaction: &Interaction) -> ApiResult {
    let channel = interaction.channel;
    let original = interaction
        .original
        .and_then(|id| post::find(call, channel, id));
    let original = original.map(|(message, _)| (message.id, message.flags));
    let held = app_permissions(call, interaction);
    if let Some((id, flags)) = original
        && flags & LOADING != 0
    {
        let edited = revise(call, channel, id, held)?;
        return Ok(ApiResponse::Json(post::shown(call, channel, &edited)?));
    }
    post::default_mentions(call);
    let draft = Draft::read(&call.body.json)?;
    let flags = asked_flags(call);
    let answers = original.map(|(id, _)| id);
    let trace = trace::of(&call.state.realm, interaction, answers);
    let author = speaker(call, interaction, MessageKind::Reply, answers, trace, flags);
    let message = compose(call, channel, draft, author, None)?;
    let viewer = (flags & EPHEMERAL != 0).then_some(interaction.user);
    publish(call, channel, &message, viewer)?;
    Ok(ApiResponse::Json(post::shown(call, channel, &message)?))
}

/// The flag that only answers to interactions may set.
fn asked_flags(call: &RequestContext<'_>) -> u64 {
    let flags = call.body.json.get("flags");
    flags.and_then(serde_json::Value::as_u64).unwrap_or(0) & EPHEMERAL
}

fn app_permissions(call: &RequestContext<'_>, interaction: &Interaction) -> PermissionSet {
    let realm = &call.state.realm;
    let channel = realm.channels.get(&interaction.channel);
    match (realm.person(interaction.bot), channel) {
        (Some(bot), Some(channel)) => in_channel(realm, bot, channel),
        _ => PermissionSet::default(),
    }
}

/// The bot, answering. `answers` is the message that it replies to.
fn speaker(
    call: &RequestContext<'_>,
    interaction: &Interaction,
    kind: MessageKind,
    answers: Option<Snowflake>,
    trace: InteractionTrace,
    flags: u64,
) -> TokenAuthor {
    let reference = answers.map(|id| Reference {
        channel: interaction.channel,
        message: Some(id),
        forward: false,
    });
    TokenAuthor {
        author: interaction.bot,
        identity: WebhookIdentity {
            id: interaction.application,
            look: None,
            application: Some(interaction.application),
        },
        kind: if kind == MessageKind::Reply && reference.is_none() {
            MessageKind::Default
        } else {
            kind
        },
        reference,
        trace: Some(trace),
        flags,
        held: app_permissions(call, interaction),
    }
}
