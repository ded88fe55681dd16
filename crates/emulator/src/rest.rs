//! REST v10. Every request takes the same path: route, token, allowance,
//! body, action, headers.

mod attachments;
mod auto_moderation;
mod body;
mod channels;
mod commands;
mod components;
mod create;
mod direct;
mod draft;
mod edge;
mod edit;
mod embeds;
mod endpoint;
mod emojis;
mod error;
mod guild;
mod guilds;
mod interactions;
mod mentions;
mod messages;
mod multipart;
mod query;
mod reactions;
mod route;
mod thread_events;
mod thread_members;
mod threads;
mod users;
mod webhooks;

use std::time::Duration;

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    Emulator,
    buckets::{BucketDecision, Refusal},
    faults::{RequestFault, RestFault},
    limits,
    realm::{Channel, PermissionSet, UserAccount, in_channel},
    server::ClientConnection,
    snowflake::Snowflake,
    state,
    wire::Viewer,
    world::PrivilegedIntent,
};
pub(crate) use attachments::serve as attachment;
use body::{ParsedBody, drain};
use direct::precede;
pub(crate) use direct::{join_guild, leave_guild, post};
pub(crate) use edge::{InvalidRequests, answer};
pub(crate) use emojis::serve as emoji_picture;
pub(crate) use error::{ApiError, Problems};
use guild::GuildError;
use guild::end_due;
use guild::reason as text_of_reason;
pub(crate) use guild::{content_type, end_polls, picture, sound_type};
use mentions::leaves_mentions_open;
use query::QueryValues;
use route::Route;
use thread_events::archive_idle;
pub(crate) use thread_events::archive_threads;

const GITHUB_EVENT: HeaderName = HeaderName::from_static("x-github-event");

/// What an action gives back.
type ApiResult = Result<ApiResponse, ApiError>;

enum ApiResponse {
    Json(Value),
    Created(Value),
    NoContent,
    Text(&'static str),
    Png(Vec<u8>),
}

impl ApiResponse {
    fn json(shape: impl Serialize) -> ApiResult {
        serde_json::to_value(shape)
            .map(Self::Json)
            .map_err(|_| ApiError::Internal)
    }
}

/// One request with all that its action needs.
struct RequestContext<'a> {
    emulator: &'a Emulator,
    state: &'a mut state::EmulatorState,
    cdn_url: String,
    gateway_url: String,
    me: Snowflake,
    query: QueryValues,
    /// Why, for the audit log.
    reason: Option<String>,
    /// What GitHub says that happened.
    github_event: Option<String>,
    body: ParsedBody,
}

impl RequestContext<'_> {
    fn me(&self) -> Result<&UserAccount, ApiError> {
        self.state
            .realm
            .person(self.me)
            .ok_or(ApiError::Unauthorized)
    }

    /// A bot that was not granted message content reads none over REST either.
    fn viewer(&self) -> Viewer {
        let realm = &self.state.realm;
        Viewer {
            person: Some(self.me),
            reads_content: realm.grants(self.me, PrivilegedIntent::MessageContent),
        }
    }

    /// A channel that exists and that the caller may see.
    fn channel(&self, id: Snowflake) -> Result<(&Channel, PermissionSet), ApiError> {
        let channel = self
            .state
            .realm
            .channels
            .get(&id)
            .ok_or(ApiError::UnknownChannel)?;
        let held = in_channel(&self.state.realm, self.me()?, channel);
        if held.has(PermissionSet::VIEW_CHANNEL) {
            Ok((channel, held))
        } else {
            Err(ApiError::MissingAccess)
        }
    }

    fn channel_mut(&mut self, id: Snowflake) -> Result<&mut Channel, ApiError> {
        self.state
            .realm
            .channels
            .get_mut(&id)
            .ok_or(ApiError::UnknownChannel)
    }
}

/// Does what the clock made due, so that whoever moved it finds it done.
pub(crate) fn catch_up(emulator: &Emulator) {
    archive_idle(emulator);
    end_due(emulator);
}

/// Answers whoever is let in.
async fn answered(State(emulator): State<Emulator>, request: Request) -> Response {
    let route = match Route::find(request.method(), request.uri().path()) {
        Ok(route) => route,
        Err(error) => {
            drain(request.into_body()).await;
            return error.into_response();
        }
    };
    emulator.state().counts.request(route.label());
    let line = ClientConnection::of(&request);
    match meet(&emulator, &request) {
        None => perform(&emulator, route, request).await,
        Some(RequestFault::Hold(gate)) => {
            tokio::select! {
                () = gate.pass() => {}
                () = emulator.stop().cancelled() => {}
            }
            perform(&emulator, route, request).await
        }
        Some(RequestFault::Rest(RestFault::First(first))) => {
            precede(&emulator, &first);
            perform(&emulator, route, request).await
        }
        Some(RequestFault::Rest(RestFault::Fail { status, body })) => {
            drain(request.into_body()).await;
            failure(status, &body)
        }
        Some(RequestFault::Rest(RestFault::Limit {
            retry_after,
            global,
        })) => {
            drain(request.into_body()).await;
            emulator.state().counts.rate_limited += 1;
            let refusal = Refusal {
                retry_after,
                global,
                shared: false,
            };
            refused(refusal, &BucketDecision::spent(route.bucket(), refusal))
        }
        Some(RequestFault::Rest(RestFault::SharedLimit { retry_after })) => {
            drain(request.into_body()).await;
            emulator.state().counts.rate_limited += 1;
            let refusal = Refusal {
                retry_after,
                global: false,
                shared: true,
            };
            refused(refusal, &BucketDecision::spent(route.bucket(), refusal))
        }
        Some(RequestFault::Rest(RestFault::ResetBefore)) => {
            cut(line);
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        Some(RequestFault::Rest(RestFault::ResetAfter)) => {
            let response = perform(&emulator, route, request).await;
            cut(line);
            response
        }
    }
}

/// Whose token a request carries.
pub(crate) fn user_of(emulator: &Emulator, headers: &HeaderMap) -> Option<Snowflake> {
    let token = headers.get(header::AUTHORIZATION);
    let token = token.and_then(|value| value.to_str().ok());
    caller(&emulator.state(), token).map(|(id, _)| id)
}

/// The header that a user's requests carry.
pub(crate) fn authorization_of(emulator: &Emulator, user: Snowflake) -> Option<String> {
    let state = emulator.state();
    let person = state.realm.person(user)?;
    let prefix = if person.bot { "Bot " } else { "" };
    Some(format!("{prefix}{}", person.token))
}

fn meet(emulator: &Emulator, request: &Request) -> Option<RequestFault> {
    let caller = user_of(emulator, request.headers());
    let (method, path) = (request.method(), request.uri().path());
    emulator.faults().meet(method, path, caller)
}

/// The answer that follows is never sent.
fn cut(line: Option<ClientConnection>) {
    if let Some(line) = line {
        line.cut();
    }
}

async fn perform(emulator: &Emulator, route: Route, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let text = |name| {
        parts
            .headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let spent = {
        let mut state = emulator.state();
        let known = caller(&state, text(header::AUTHORIZATION));
        // Who shows a token where none is needed is somebody all the same.
        let stranger = !parts.headers.contains_key(header::AUTHORIZATION);
        let bearer = route.bearer().filter(|_| stranger || !route.open());
        let spent = match bearer {
            Some(bearer) => {
                let channel = route.webhook_channel(&state.realm);
                let bucket = route.bucket();
                let verdict = state.buckets.spend_by_token(bearer, bucket, channel);
                Some((bearer, verdict))
            }
            None => known.map(|(me, bot)| {
                let verdict = state.buckets.spend(me, bot, route.bucket(), route.top());
                (me, verdict)
            }),
        };
        let refused = spent.is_some_and(|(_, verdict)| verdict.refused.is_some());
        state.counts.rate_limited += u64::from(refused);
        spent
    };
    let Some((me, verdict)) = spent else {
        drain(body).await;
        // The one route that needs no token.
        let open = route == Route::Gateway;
        return if open {
            finish(
                ApiResponse::json(json!({ "url": emulator.gateway_url() })),
                None,
            )
        } else {
            ApiError::Unauthorized.into_response()
        };
    };
    if let Some(refusal) = verdict.refused {
        drain(body).await;
        return refused(refusal, &verdict);
    }
    let body = match ParsedBody::read(&parts.method, text(header::CONTENT_TYPE), body).await {
        Ok(body) => body,
        Err(error) => return finish(Err(error), Some(&verdict)),
    };
    let body = match body.unless_list(route.takes_list()) {
        Ok(body) => body,
        Err(error) => return finish(Err(error), Some(&verdict)),
    };
    let reason = match text_of_reason(&parts.headers) {
        Ok(reason) => reason,
        Err(error) => return finish(Err(error), Some(&verdict)),
    };
    let query = QueryValues::of(&parts.uri);
    let (answer, me) = {
        let mut state = emulator.state();
        let maker = route.webhook_maker(&state.realm);
        let open = leaves_mentions_open(&route, &body.json);
        let mut call = RequestContext {
            emulator,
            state: &mut state,
            cdn_url: emulator.cdn_url(),
            gateway_url: emulator.gateway_url(),
            me,
            query,
            reason,
            github_event: text(GITHUB_EVENT).map(str::to_owned),
            body,
        };
        let answer = act(&mut call, route);
        let me = maker.unwrap_or(call.me);
        let by_bot = state.realm.person(me).is_some_and(|person| person.bot);
        state.counts.open_mentions += u64::from(open && by_bot);
        (answer, me)
    };
    if parts.method != Method::GET {
        tell_first(emulator, me).await;
    }
    finish(answer, Some(&verdict))
}

/// A bot hears of what it did before it is answered, as is most often so with
/// Discord, unless its connection takes too long.
async fn tell_first(emulator: &Emulator, bot: Snowflake) {
    let untold = emulator.state().untold(bot);
    let told = async {
        for (mut sent, last) in untold {
            // A session that is gone hears nothing.
            let _ = sent.wait_for(|sent| *sent >= last).await;
        }
    };
    let _ = tokio::time::timeout(limits::TOLD_FIRST, told).await;
}

/// Bots say so in the header, humans do not.
fn caller(state: &state::EmulatorState, token: Option<&str>) -> Option<(Snowflake, bool)> {
    let token = token?;
    let (bot, token) = match token.strip_prefix("Bot ") {
        Some(token) => (true, token),
        // What an application does for a human who let it.
        None => (false, token.strip_prefix("Bearer ").unwrap_or(token)),
    };
    let person = state
        .realm
        .people
        .iter()
        .find(|person| person.bot == bot && person.token == token)?;
    Some((person.id, bot))
}

fn act(call: &mut RequestContext<'_>, route: Route) -> ApiResult {
    match route {
        Route::Listed(endpoint, values) => endpoint.act(call, &values),
        Route::Gateway | Route::GatewayBot => users::gateway(call, route == Route::GatewayBot),
        Route::Application => users::application(call),
        Route::Me => users::me(call),
        Route::User(id) => users::user(call, id),
        Route::MyGuilds => users::guilds(call),
        Route::OpenDm => users::open_direct(call),
        Route::Guild(id) => guilds::guild(call, id),
        Route::GuildChannels(id) => guilds::channels(call, id),
        Route::GuildRoles(id) => guilds::roles(call, id),
        Route::Members(id) => guilds::members(call, id),
        Route::Member(id, user) => guilds::member(call, id, user),
        Route::Emojis(id) => emojis::list(call, id),
        Route::ActiveThreads(id) => thread_members::active(call, id),
        Route::Channel(id) => channels::channel(call, id),
        Route::EditChannel(id) => channels::edit(call, id),
        Route::DeleteChannel(id) => channels::delete(call, id),
        Route::StartThread(id) => threads::start(call, id),
        Route::StartThreadFrom(id, message) => threads::start_from(call, id, message),
        Route::ArchivedThreads(id) => thread_members::archived(call, id),
        Route::ThreadMembers(id) => thread_members::members(call, id),
        Route::ThreadMember(id, who) => thread_members::member(call, id, who),
        Route::JoinThread(id, who) => thread_members::join(call, id, who),
        Route::LeaveThread(id, who) => thread_members::leave(call, id, who),
        Route::EditOverwrite(id, target) => channels::edit_overwrite(call, id, target),
        Route::DeleteOverwrite(id, target) => channels::delete_overwrite(call, id, target),
        Route::Typing(id) => channels::typing(call, id),
        Route::History(id) => messages::history(call, id),
        Route::Message(id, message) => messages::one(call, id, message),
        Route::CreateMessage(id) => create::create(call, id),
        Route::EditMessage(id, message) => edit::edit(call, id, message),
        Route::DeleteMessage(id, message) => messages::delete(call, id, message),
        Route::BulkDelete(id) => messages::bulk_delete(call, id),
        Route::React(id, message, emoji) => reactions::add(call, id, message, &emoji),
        Route::Unreact(id, message, emoji, who) => {
            reactions::remove(call, id, message, &emoji, who)
        }
        Route::Reactors(id, message, emoji) => reactions::reactors(call, id, message, &emoji),
        Route::ClearReactions(id, message, emoji) => {
            reactions::clear(call, id, message, emoji.as_deref())
        }
        Route::Commands(route) => commands::act(call, &route),
        Route::Interactions(route) => interactions::act(call, route),
        Route::Webhooks(route) => webhooks::act(call, &route),
    }
}

fn finish(answer: ApiResult, verdict: Option<&BucketDecision>) -> Response {
    let mut response = match answer {
        Ok(ApiResponse::Json(value)) => Json(value).into_response(),
        Ok(ApiResponse::Created(value)) => (StatusCode::CREATED, Json(value)).into_response(),
        Ok(ApiResponse::NoContent) => StatusCode::NO_CONTENT.into_response(),
        Ok(ApiResponse::Text(text)) => text.into_response(),
        Ok(ApiResponse::Png(bytes)) => {
            ([(header::CONTENT_TYPE, "image/png")], bytes).into_response()
        }
        Err(error) => error.into_response(),
    };
    if let Some(verdict) = verdict {
        verdict.write(response.headers_mut());
    }
    response
}

fn refused(refusal: Refusal, verdict: &BucketDecision) -> Response {
    let body = json!({
        "message": "You are being rate limited.",
        "retry_after": refusal.retry_after.as_secs_f64(),
        "global": refusal.global,
    });
    let mut response = (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response();
    verdict.write(response.headers_mut());
    mark_origin(&mut response);
    response
}

/// An answer that a test asked for.
fn failure(status: StatusCode, body: &Value) -> Response {
    let mut response = (status, Json(body)).into_response();
    if let Some(seconds) = body.get("retry_after").and_then(Value::as_f64) {
        let retry_after = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let global = body.get("global").and_then(Value::as_bool).unwrap_or(false);
        Refusal {
            retry_after,
            global,
            shared: false,
        }
        .write(response.headers_mut());
        mark_origin(&mut response);
    }
    response
}

/// Clients take a 429 without `Via` for one of Discord's CDN, and give up.
fn mark_origin(response: &mut Response) {
    response
        .headers_mut()
        .insert(header::VIA, HeaderValue::from_static("1.1 emulator"));
}
