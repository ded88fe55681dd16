//! Stages that are open: what is spoken about in a stage channel.

use serde_json::Value;

use super::{ApiError, ApiResult, GuildError, RequestContext, allow};
use crate::{
    limits,
    realm::{AuditAction, GuildChannelKind, Message, MessageKind, PermissionSet, StageInstance},
    rest::{
        ApiResponse,
        body::Fields,
        create::send,
        endpoint::{PathValues, RestEndpoint, read, write},
    },
    snowflake::Snowflake,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("POST /stage-instances", create),
    read("GET /stage-instances/{channel}", one),
    write("PATCH /stage-instances/{channel}", modify),
    write("DELETE /stage-instances/{channel}", delete),
];

const LOGGED: [&str; 2] = ["topic", "privacy_level"];

/// What moderators of a stage hold. Discord Docs/Stage Instance.
fn moderator() -> PermissionSet {
    PermissionSet::MANAGE_CHANNELS
        .with(PermissionSet::MUTE_MEMBERS)
        .with(PermissionSet::MOVE_MEMBERS)
}

/// The guild of a stage channel that the caller sees, and whether they
/// moderate it.
fn stage_channel(call: &RequestContext<'_>, id: Snowflake) -> Result<(Snowflake, bool), ApiError> {
    let (channel, held) = call.channel(id)?;
    let place = channel.of_guild();
    let place = place.filter(|place| place.kind == GuildChannelKind::Stage);
    let place = place.ok_or(ApiError::WrongChannelKind)?;
    Ok((place.guild, held.has(moderator())))
}

fn find(call: &RequestContext<'_>, guild: Snowflake, channel: Snowflake) -> Option<StageInstance> {
    let stages = &call.state.realm.guild(guild)?.community.stages;
    stages.iter().find(|it| it.channel == channel).cloned()
}

fn topic(body: &mut Fields<'_>) -> Option<String> {
    body.within("privacy_level", 1..=2);
    body.sized("topic", 1..=limits::STAGE_TOPIC_CHARS)
}

fn create(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let mut body = Fields::new(&call.body.json, "");
    body.require("channel_id");
    body.require("topic");
    let topic = topic(&mut body);
    let channel = body.id("channel_id");
    let event = body.id("guild_scheduled_event_id");
    body.problems.into_result()?;
    let channel = channel.ok_or(ApiError::UnknownChannel)?;
    let (guild, moderates) = stage_channel(call, channel)?;
    allow(moderates)?;
    if find(call, guild, channel).is_some() {
        return Err(GuildError::StageIsOpen.into());
    }
    let stage = StageInstance {
        id: call.state.realm.mint.next(),
        channel,
        topic: topic.unwrap_or_default(),
        event,
    };
    let answer = wire::stage_instance(guild, &stage);
    let (stage_id, topic) = (stage.id, stage.topic.clone());
    call.guild_mut(guild)?.community.stages.push(stage);
    announce(call, guild, "STAGE_INSTANCE_CREATE", &answer);
    tell_channel(call, channel, MessageKind::StageStarted, topic)?;
    let action = AuditAction::StageCreate;
    call.audit_change(guild, action, stage_id, [&Value::Null, &answer], &LOGGED);
    Ok(ApiResponse::Json(answer))
}

/// Leaves a message of the stage's own in its channel.
fn tell_channel(
    call: &mut RequestContext<'_>,
    channel: Snowflake,
    kind: MessageKind,
    topic: String,
) -> Result<(), ApiError> {
    let id = call.state.realm.mint.next();
    let told = Message::plain(id, call.me, kind, topic);
    send(call, channel, &told)
}

fn announce(call: &mut RequestContext<'_>, guild: Snowflake, name: &'static str, stage: &Value) {
    call.state.dispatch_guild(guild, name, |_, _| stage.clone());
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (guild, _) = stage_channel(call, path.id(0))?;
    let stage = find(call, guild, path.id(0)).ok_or(GuildError::UnknownStage)?;
    ApiResponse::json(wire::stage_instance(guild, &stage))
}

/// A stage that the caller moderates, and its guild.
fn moderated(
    call: &RequestContext<'_>,
    channel: Snowflake,
) -> Result<(Snowflake, StageInstance), ApiError> {
    let (guild, moderates) = stage_channel(call, channel)?;
    let stage = find(call, guild, channel).ok_or(GuildError::UnknownStage)?;
    allow(moderates)?;
    Ok((guild, stage))
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let channel = path.id(0);
    let (guild, mut stage) = moderated(call, channel)?;
    let before = wire::stage_instance(guild, &stage);
    let mut body = Fields::new(&call.body.json, "");
    let topic = topic(&mut body);
    body.problems.into_result()?;
    let renamed = topic.filter(|topic| *topic != stage.topic);
    stage.topic = renamed.clone().unwrap_or(stage.topic);
    let answer = wire::stage_instance(guild, &stage);
    let stage_id = stage.id;
    let stages = call.guild_mut(guild)?.community.stages.iter_mut();
    if let Some(known) = stages.into_iter().find(|it| it.channel == channel) {
        *known = stage;
    }
    announce(call, guild, "STAGE_INSTANCE_UPDATE", &answer);
    if let Some(topic) = renamed {
        tell_channel(call, channel, MessageKind::StageTopic, topic)?;
    }
    let action = AuditAction::StageUpdate;
    call.audit_change(guild, action, stage_id, [&before, &answer], &LOGGED);
    Ok(ApiResponse::Json(answer))
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let channel = path.id(0);
    let (guild, stage) = moderated(call, channel)?;
    let gone = wire::stage_instance(guild, &stage);
    close(call, guild, channel)?;
    tell_channel(call, channel, MessageKind::StageEnded, stage.topic)?;
    let action = AuditAction::StageDelete;
    call.audit_change(guild, action, stage.id, [&gone, &Value::Null], &LOGGED);
    Ok(ApiResponse::NoContent)
}

/// Ends what is spoken about on a stage, if there is something.
pub(in crate::rest) fn close(
    call: &mut RequestContext<'_>,
    guild: Snowflake,
    channel: Snowflake,
) -> Result<(), ApiError> {
    let Some(stage) = find(call, guild, channel) else {
        return Ok(());
    };
    let gone = wire::stage_instance(guild, &stage);
    let stages = &mut call.guild_mut(guild)?.community.stages;
    stages.retain(|it| it.channel != channel);
    announce(call, guild, "STAGE_INSTANCE_DELETE", &gone);
    Ok(())
}
