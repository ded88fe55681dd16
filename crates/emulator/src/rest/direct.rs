//! Requests that the emulator makes by itself, without the wire and the limits.

use serde_json::{Map, Value};

use super::{
    ApiError, ApiResponse, ParsedBody, QueryValues, RequestContext, Route, act, create,
    guild::{admit_bot, dismiss},
};
use crate::{
    Emulator, faults::PrecedingRequest, realm::PermissionSet, snowflake::Snowflake,
    state::EmulatorState,
};

/// Does what a fault wants done before a request.
pub(super) fn precede(emulator: &Emulator, first: &PrecedingRequest) {
    let path = format!("/api/v10{}", first.path);
    let (path, query) = path.split_once('?').unwrap_or((&path, ""));
    let done = first
        .user_id
        .parse()
        .map_err(|()| ApiError::UnknownUser)
        .and_then(|me| {
            let route = Route::find(&first.method, path)?;
            let mut state = emulator.state();
            let body = first.body.as_object().cloned().unwrap_or_default();
            let mut call = RequestContext {
                query: QueryValues::of(&format!("/?{query}").parse().unwrap_or_default()),
                ..call_of(emulator, &mut state, me, body)
            };
            act(&mut call, route)
        });
    if let Err(error) = done {
        tracing::warn!(path, code = error.code(), "a fault could not be prepared");
    }
}

/// Create Message without the wire and the limits.
pub(crate) fn post(
    emulator: &Emulator,
    author: Snowflake,
    channel: Snowflake,
    body: Map<String, Value>,
) -> Result<Value, ApiError> {
    let mut state = emulator.state();
    let mut call = call_of(emulator, &mut state, author, body);
    match create::create(&mut call, channel)? {
        ApiResponse::Json(message) => Ok(message),
        ApiResponse::Created(_)
        | ApiResponse::NoContent
        | ApiResponse::Text(_)
        | ApiResponse::Png(_) => Err(ApiError::Internal),
    }
}

/// Has a bot come to a guild, as if its owner had let it in.
pub(crate) fn join_guild(
    emulator: &Emulator,
    application: Snowflake,
    guild: Snowflake,
    permissions: PermissionSet,
) -> Result<(), ApiError> {
    as_owner(emulator, application, guild, |call, bot| {
        admit_bot(call, guild, bot, permissions)
    })
}

/// Takes a bot out of a guild, as if it had left by itself.
pub(crate) fn leave_guild(
    emulator: &Emulator,
    application: Snowflake,
    guild: Snowflake,
) -> Result<(), ApiError> {
    as_owner(emulator, application, guild, |call, bot| {
        let here = call.state.realm.guild(guild);
        let member = here.and_then(|guild| guild.member(bot));
        member.ok_or(ApiError::UnknownMember)?;
        dismiss(call, guild, bot);
        Ok(())
    })
}

fn as_owner(
    emulator: &Emulator,
    application: Snowflake,
    guild: Snowflake,
    act: impl FnOnce(&mut RequestContext<'_>, Snowflake) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    let mut state = emulator.state();
    let realm = &state.realm;
    let owner = realm.guild(guild).ok_or(ApiError::UnknownGuild)?.owner;
    let mut applications = realm.applications.iter();
    let found = applications.find(|it| it.id == application);
    let bot = found.ok_or(ApiError::UnknownApplication)?.bot;
    act(&mut call_of(emulator, &mut state, owner, Map::new()), bot)
}

fn call_of<'a>(
    emulator: &'a Emulator,
    state: &'a mut EmulatorState,
    me: Snowflake,
    body: Map<String, Value>,
) -> RequestContext<'a> {
    RequestContext {
        emulator,
        reason: None,
        github_event: None,
        state,
        cdn_url: emulator.cdn_url(),
        gateway_url: emulator.gateway_url(),
        me,
        query: QueryValues::default(),
        body: ParsedBody {
            json: body,
            ..ParsedBody::default()
        },
    }
}
