//! Execute Webhook, and the messages that it left.

use super::{
    super::{
        ApiError, ApiResponse, ApiResult, RequestContext,
        body::Fields,
        content_type,
        draft::Draft,
        emojis::disc,
        error::Problems,
        guild::{hash_of, named_by},
        threads,
    },
    WebhookMessage, check_name,
    post::{self, TokenAuthor, compose, default_mentions, publish, revise, withdraw},
};
use crate::{
    limits,
    realm::{AuthorLook, Message, MessageKind, PermissionSet, Webhook, WebhookIdentity},
    snowflake::Snowflake,
    state::{PictureKind, StoredPicture},
};

pub(super) fn execute(call: &mut RequestContext<'_>, webhook: &Webhook) -> ApiResult {
    default_mentions(call);
    let draft = Draft::read(&call.body.json)?;
    let mut body = Fields::new(&call.body.json, "");
    let username = body.text("username").filter(|name| !name.trim().is_empty());
    if let Some(name) = &username {
        check_name(&mut body.problems, "username", name.trim());
    }
    let avatar_url = body.text("avatar_url").filter(|url| !url.is_empty());
    if let Some(url) = &avatar_url
        && !(url.starts_with("http://") || url.starts_with("https://"))
    {
        let message = "Scheme must be one of ('http', 'https').";
        body.problems
            .add("avatar_url", "URL_TYPE_INVALID_SCHEME", message);
    }
    let thread_name = body.text("thread_name").filter(|name| !name.is_empty());
    let length = thread_name.as_ref().map_or(1, |name| name.chars().count());
    if length > limits::THREAD_NAME_CHARS {
        let message = "Must be between 1 and 100 in length.";
        body.problems
            .add("thread_name", "BASE_TYPE_BAD_LENGTH", message);
    }
    body.problems.into_result()?;
    if draft.is_empty() && call.body.files.is_empty() {
        return Err(ApiError::EmptyMessage);
    }
    check_components(call, webhook, &draft)?;
    let look = AuthorLook {
        name: username.map_or_else(|| webhook.name.clone(), |name| name.trim().to_owned()),
        avatar: match avatar_url {
            Some(url) => fetched(call, &url),
            None => webhook.avatar.clone(),
        },
    };
    let author = TokenAuthor {
        author: webhook.id,
        identity: WebhookIdentity {
            id: webhook.id,
            look: Some(look),
            application: webhook.application,
        },
        kind: MessageKind::Default,
        reference: None,
        trace: None,
        flags: 0,
        held: PermissionSet::MENTION_EVERYONE,
    };
    let (place, begins) = place(call, webhook, thread_name)?;
    let known_as = begins.then_some(place);
    let message = compose(call, place, draft, author, known_as)?;
    publish(call, place, &message, None)?;
    let wait = call.query.get("wait");
    if wait.is_some_and(|wait| wait.eq_ignore_ascii_case("true") || wait == "1") {
        Ok(ApiResponse::Json(post::shown(call, place, &message)?))
    } else {
        Ok(ApiResponse::NoContent)
    }
}

/// The hash that a picture is called by. Discord fetches it; here, only what
/// lies on our own CDN can be, and a disc stands for all else.
fn fetched(call: &mut RequestContext<'_>, url: &str) -> Option<String> {
    let plain = url.split_once('?').map_or(url, |(plain, _)| plain);
    let path = plain.strip_prefix(&*call.cdn_url).unwrap_or_default();
    let uploaded = match path.split('/').collect::<Vec<_>>()[..] {
        ["", "attachments", _, id, _] => {
            let file = id.parse().ok().and_then(|id| call.state.files.get(id));
            file.map(|file| file.bytes.clone())
        }
        ["", "emojis", name] => {
            let id = name.split_once('.').and_then(|(id, _)| id.parse().ok());
            let picture = id.and_then(|id| call.state.pictures.get(PictureKind::Emoji, id));
            picture.map(|picture| picture.bytes.clone())
        }
        _ => None,
    };
    let uploaded = uploaded.filter(|bytes| content_type(bytes).is_some());
    let bytes = uploaded.or_else(|| disc(url).map(Into::into))?;
    let content_type = content_type(&bytes)?;
    let picture = StoredPicture {
        content_type,
        bytes,
    };
    let hash = hash_of(&picture);
    let pictures = &mut call.state.pictures;
    pictures.put(PictureKind::MessageAvatar, named_by(&hash)?, picture);
    Some(hash)
}

/// (doc) Webhooks that no application owns send components that do nothing,
/// and only when asked with `with_components`.
fn check_components(
    call: &RequestContext<'_>,
    webhook: &Webhook,
    draft: &Draft,
) -> Result<(), ApiError> {
    let asked = call.query.get("with_components");
    let asked = asked.is_some_and(|it| it.eq_ignore_ascii_case("true") || it == "1");
    if draft.components.is_empty() || webhook.application.is_some() {
        return Ok(());
    }
    let interactive = super::super::components::interactive(&draft.components);
    if !asked || interactive {
        return Err(Problems::one(
            "components",
            "COMPONENTS_NOT_ALLOWED",
            "Webhooks that are not owned by an application cannot send interactive components",
        ));
    }
    Ok(())
}

/// Where a message goes: the webhook's channel, a thread of it, or a new post
/// of a forum. The flag says whether it begins one.
fn place(
    call: &mut RequestContext<'_>,
    webhook: &Webhook,
    thread_name: Option<String>,
) -> Result<(Snowflake, bool), ApiError> {
    let thread = thread(call, webhook)?;
    let channel = call.state.realm.channels.get(&webhook.channel);
    let forum = channel.is_some_and(crate::realm::Channel::forum);
    match (thread, thread_name, forum) {
        (Some(_), Some(_), _) => Err(ApiError::ForumThreadTwice),
        (Some(thread), None, _) => Ok((thread, false)),
        (None, None, true) => Err(ApiError::ForumNeedsThread),
        (None, None, false) => Ok((webhook.channel, false)),
        (None, Some(_), false) => Err(ApiError::ThreadsOnlyInForums),
        (None, Some(name), true) => {
            let post = threads::open_post(call, webhook.channel, name, webhook.id)?;
            Ok((post, true))
        }
    }
}

/// The thread that the query names, which hangs on the webhook's channel.
fn thread(call: &RequestContext<'_>, webhook: &Webhook) -> Result<Option<Snowflake>, ApiError> {
    let Some(id) = call.anchor("thread_id")? else {
        return Ok(None);
    };
    let thread = call.state.realm.channels.get(&id);
    let thread = thread.and_then(crate::realm::Channel::thread);
    match thread {
        Some(thread) if thread.parent == webhook.channel => Ok(Some(id)),
        _ => Err(ApiError::UnknownChannel),
    }
}

/// One of the webhook's own messages, and the channel or thread it is in.
fn own(
    call: &RequestContext<'_>,
    webhook: &Webhook,
    message: WebhookMessage,
) -> Result<(Snowflake, Message), ApiError> {
    let WebhookMessage::Id(id) = message else {
        return Err(ApiError::UnknownMessage);
    };
    let place = thread(call, webhook)?.unwrap_or(webhook.channel);
    let (found, _) = post::find(call, place, id).ok_or(ApiError::UnknownMessage)?;
    let own = found.webhook.as_ref().is_some_and(|it| it.id == webhook.id);
    if !own {
        return Err(ApiError::UnknownMessage);
    }
    Ok((place, found.clone()))
}

pub(super) fn get(
    call: &mut RequestContext<'_>,
    webhook: &Webhook,
    message: WebhookMessage,
) -> ApiResult {
    let (place, message) = own(call, webhook, message)?;
    Ok(ApiResponse::Json(post::shown(call, place, &message)?))
}

pub(super) fn edit(
    call: &mut RequestContext<'_>,
    webhook: &Webhook,
    message: WebhookMessage,
) -> ApiResult {
    let (place, message) = own(call, webhook, message)?;
    let edited = revise(call, place, message.id, PermissionSet::MENTION_EVERYONE)?;
    Ok(ApiResponse::Json(post::shown(call, place, &edited)?))
}

pub(super) fn delete(
    call: &mut RequestContext<'_>,
    webhook: &Webhook,
    message: WebhookMessage,
) -> ApiResult {
    let (place, message) = own(call, webhook, message)?;
    withdraw(call, place, message.id)
}
