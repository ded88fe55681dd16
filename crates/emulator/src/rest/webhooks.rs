//! Webhooks: made by those who manage them, used by whoever has the token.

mod execute;
mod github;
pub(super) mod post;
mod route;
mod slack;

use serde_json::{Value, json};

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext,
    body::Fields,
    create::send,
    draft::SETTABLE_FLAGS,
    error::Problems,
    guild::{changes, data_uri, hash_of},
    interactions,
};
use crate::{
    limits,
    realm::{
        AuditAction, AuthorLook, GuildChannelKind, Message, MessageKind, PermissionSet, Reference,
        Webhook, WebhookIdentity, in_channel,
    },
    snowflake::{Snowflake, hash},
    state::{PictureKind, StoredPicture},
    wire,
};
pub(super) use route::{TokenRoute, WebhookMessage, WebhookRoute};

pub(super) fn act(call: &mut RequestContext<'_>, route: &WebhookRoute) -> ApiResult {
    match route {
        WebhookRoute::Create(channel) => create(call, *channel),
        WebhookRoute::OfChannel(channel) => of_channel(call, *channel),
        WebhookRoute::OfGuild(guild) => of_guild(call, *guild),
        WebhookRoute::Get(id) => {
            let webhook = managed(call, *id)?;
            let shown = whole(call, &webhook);
            Ok(ApiResponse::Json(shown))
        }
        WebhookRoute::Modify(id) => {
            managed(call, *id)?;
            modify(call, *id, true)
        }
        WebhookRoute::Delete(id) => {
            let webhook = managed(call, *id)?;
            let gone = delete(call, *id);
            log(call, AuditAction::WebhookDelete, Some(&webhook), None);
            gone
        }
        WebhookRoute::WithToken(id, token, below) => with_token(call, *id, token, below),
    }
}

/// An application's id and the token of an interaction work like a webhook
/// whose messages are the bot's.
fn with_token(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    token: &str,
    below: &TokenRoute,
) -> ApiResult {
    let mut applications = call.state.realm.applications.iter();
    if applications.any(|application| application.id == id) {
        return interactions::with_token(call, id, token, below);
    }
    let webhook = call.state.realm.webhook(id);
    let webhook = webhook.ok_or(ApiError::UnknownWebhook)?;
    if webhook.follows.is_some() || webhook.token != token {
        return Err(ApiError::InvalidWebhookToken);
    }
    let webhook = webhook.clone();
    match below {
        TokenRoute::Get => {
            let shown = wire::webhook(&call.state.realm, &webhook, false, true);
            Ok(ApiResponse::Json(shown))
        }
        TokenRoute::Modify => modify(call, id, false),
        TokenRoute::Delete => delete(call, id),
        TokenRoute::Execute => execute::execute(call, &webhook),
        TokenRoute::Slack => slack::execute(call, &webhook),
        TokenRoute::Github => github::execute(call, &webhook),
        TokenRoute::GetMessage(message) => execute::get(call, &webhook, *message),
        TokenRoute::EditMessage(message) => execute::edit(call, &webhook, *message),
        TokenRoute::DeleteMessage(message) => execute::delete(call, &webhook, *message),
    }
}

/// A webhook that the caller may manage.
fn managed(call: &RequestContext<'_>, id: Snowflake) -> Result<Webhook, ApiError> {
    let realm = &call.state.realm;
    let webhook = realm.webhook(id).ok_or(ApiError::UnknownWebhook)?;
    let channel = realm.channels.get(&webhook.channel);
    let channel = channel.ok_or(ApiError::UnknownWebhook)?;
    if !in_channel(realm, call.me()?, channel).has(PermissionSet::MANAGE_WEBHOOKS) {
        return Err(ApiError::MissingPermissions);
    }
    Ok(webhook.clone())
}

/// With its token for those who could use it: people, and the application it
/// belongs to.
fn whole(call: &RequestContext<'_>, webhook: &Webhook) -> Value {
    let realm = &call.state.realm;
    let own = realm.application_of(call.me).map(|it| it.id);
    let with_token = webhook.application.is_none() || webhook.application == own;
    wire::webhook(realm, webhook, true, with_token)
}

fn create(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let Some(guild) = channel.guild() else {
        return Err(ApiError::NotInDirectMessage);
    };
    // Text, voice, announcement, stage, forum and media channels have them.
    if !matches!(channel.number(), 0 | 2 | 5 | 13 | 15 | 16) {
        return Err(ApiError::WrongChannelKind);
    }
    if !held.has(PermissionSet::MANAGE_WEBHOOKS) {
        return Err(ApiError::MissingPermissions);
    }
    let mut body = Fields::new(&call.body.json, "");
    let name = body.text("name");
    if name.is_none() && !body.names("name") {
        let message = "This field is required";
        body.problems.add("name", "BASE_TYPE_REQUIRED", message);
    }
    let name = name.unwrap_or_default().trim().to_owned();
    if body.get("name").is_some() {
        check_name(&mut body.problems, "name", &name);
    }
    let avatar = data_uri(&mut body, "avatar", limits::AVATAR_BYTES);
    body.problems.into_result()?;
    room_for_one(call, id)?;
    let webhook_id = call.state.realm.mint.next();
    let avatar = keep_avatar(call, webhook_id, avatar);
    let realm = &mut call.state.realm;
    let salt = webhook_id.to_string();
    let token: String = ["a", "b", "c", "d"]
        .iter()
        .map(|part| format!("{:016x}", hash(&["webhook", part, &salt])))
        .collect();
    let webhook = Webhook {
        id: webhook_id,
        guild,
        channel: id,
        name,
        avatar,
        token,
        creator: call.me,
        application: realm.application_of(call.me).map(|it| it.id),
        follows: None,
    };
    realm.webhooks.push(webhook.clone());
    changed(call, id);
    log(call, AuditAction::WebhookCreate, None, Some(&webhook));
    let shown = whole(call, &webhook);
    Ok(ApiResponse::Json(shown))
}

/// Discord Docs/Webhook, Create Webhook: no "clyde", no "discord".
pub(in crate::rest) fn check_name(problems: &mut Problems, path: &str, name: &str) {
    if !(1..=limits::WEBHOOK_NAME_CHARS).contains(&name.chars().count()) {
        problems.add(
            path,
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 80 in length.",
        );
    }
    let lower = name.to_lowercase();
    for forbidden in ["clyde", "discord"] {
        if lower.contains(forbidden) {
            problems.add(
                path,
                "USERNAME_INVALID_CONTAINS",
                format!("Username cannot contain \"{forbidden}\""),
            );
        }
    }
}

/// Keeps a webhook's picture, or drops it, and gives the hash that it is called
/// by.
fn keep_avatar(
    call: &mut RequestContext<'_>,
    webhook: Snowflake,
    avatar: Option<StoredPicture>,
) -> Option<String> {
    let pictures = &mut call.state.pictures;
    let Some(avatar) = avatar else {
        pictures.remove(PictureKind::Avatar, webhook);
        return None;
    };
    let hash = hash_of(&avatar);
    pictures.put(PictureKind::Avatar, webhook, avatar);
    Some(hash)
}

fn of_channel(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (_, held) = call.channel(id)?;
    if !held.has(PermissionSet::MANAGE_WEBHOOKS) {
        return Err(ApiError::MissingPermissions);
    }
    let webhooks = call.state.realm.webhooks.iter();
    let shown: Vec<Value> = webhooks
        .filter(|webhook| webhook.channel == id)
        .map(|webhook| whole(call, webhook))
        .collect();
    ApiResponse::json(shown)
}

fn of_guild(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let guild = super::guilds::known(call, id)?;
    let member = guild.member(call.me).ok_or(ApiError::MissingAccess)?;
    if !crate::realm::in_guild(guild, member).has(PermissionSet::MANAGE_WEBHOOKS) {
        return Err(ApiError::MissingPermissions);
    }
    let realm = &call.state.realm;
    let shown: Vec<Value> = realm
        .webhooks
        .iter()
        .filter(|webhook| webhook.guild == id && realm.webhook(webhook.id).is_some())
        .map(|webhook| whole(call, webhook))
        .collect();
    ApiResponse::json(shown)
}

/// With the token alone, it stays in its channel.
fn modify(call: &mut RequestContext<'_>, id: Snowflake, by_member: bool) -> ApiResult {
    let mut body = Fields::new(&call.body.json, "");
    let name = body.text("name").map(|name| name.trim().to_owned());
    if let Some(name) = &name {
        check_name(&mut body.problems, "name", name);
    }
    let new_avatar = body
        .names("avatar")
        .then(|| data_uri(&mut body, "avatar", limits::AVATAR_BYTES));
    let target = body.id("channel_id").filter(|_| by_member);
    body.problems.into_result()?;
    if let Some(target) = target {
        let (channel, held) = call.channel(target)?;
        let guild = call.state.realm.webhook(id).map(|it| it.guild);
        if channel.guild() != guild {
            return Err(ApiError::UnknownChannel);
        }
        if !held.has(PermissionSet::MANAGE_WEBHOOKS) {
            return Err(ApiError::MissingPermissions);
        }
        let webhooks = call.state.realm.webhooks.iter();
        let others = webhooks.filter(|it| it.channel == target && it.id != id);
        if others.count() >= limits::WEBHOOKS_PER_CHANNEL {
            return Err(ApiError::TooManyWebhooks);
        }
    }
    let new_avatar = new_avatar.map(|avatar| keep_avatar(call, id, avatar));
    let mut webhooks = call.state.realm.webhooks.iter_mut();
    let webhook = webhooks.find(|it| it.id == id);
    let webhook = webhook.ok_or(ApiError::UnknownWebhook)?;
    let former = webhook.clone();
    let before = webhook.channel;
    if let Some(name) = name {
        webhook.name = name;
    }
    if let Some(avatar) = new_avatar {
        webhook.avatar = avatar;
    }
    webhook.channel = target.unwrap_or(before);
    let webhook = webhook.clone();
    changed(call, before);
    if webhook.channel != before {
        changed(call, webhook.channel);
    }
    if by_member {
        let action = AuditAction::WebhookUpdate;
        log(call, action, Some(&former), Some(&webhook));
    }
    let shown = if by_member {
        whole(call, &webhook)
    } else {
        wire::webhook(&call.state.realm, &webhook, false, true)
    };
    Ok(ApiResponse::Json(shown))
}

fn delete(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let channel = call.state.realm.webhook(id).map(|it| it.channel);
    call.state.realm.webhooks.retain(|it| it.id != id);
    keep_avatar(call, id, None);
    if let Some(channel) = channel {
        changed(call, channel);
    }
    Ok(ApiResponse::NoContent)
}

/// Notes what a member did with a webhook.
fn log(
    call: &mut RequestContext<'_>,
    action: AuditAction,
    before: Option<&Webhook>,
    after: Option<&Webhook>,
) {
    let told = |webhook: Option<&Webhook>| match webhook {
        Some(it) => json!({
            "name": it.name,
            "channel_id": it.channel,
            "type": if it.follows.is_some() { 2 } else { 1 },
            "avatar_hash": it.avatar,
        }),
        None => Value::Null,
    };
    let keys = ["name", "channel_id", "type", "avatar_hash"];
    let logged = changes(&told(before), &told(after), &keys);
    if let Some(webhook) = after.or(before) {
        call.audit(webhook.guild, action, Some(webhook.id), logged, None);
    }
}

/// Follow Announcement Channel.
pub(super) fn follow(
    call: &mut RequestContext<'_>,
    followed: Snowflake,
    target: Snowflake,
) -> ApiResult {
    let (channel, _) = call.channel(followed)?;
    let Some(source) = channel
        .of_guild()
        .filter(|it| it.kind == GuildChannelKind::Announcement)
    else {
        return Err(ApiError::WrongChannelKind);
    };
    let realm = &call.state.realm;
    let of = realm.guild(source.guild).ok_or(ApiError::UnknownGuild)?;
    let name = format!("{} #{}", of.name, source.name);
    let (channel, held) = call.channel(target)?;
    let guild = channel.guild().filter(|_| channel.number() == 0);
    let guild = guild.ok_or(ApiError::WrongChannelKind)?;
    if !held.has(PermissionSet::MANAGE_WEBHOOKS) {
        return Err(ApiError::MissingPermissions);
    }
    room_for_one(call, target)?;
    let realm = &mut call.state.realm;
    let webhook = Webhook {
        id: realm.mint.next(),
        guild,
        channel: target,
        name: name.clone(),
        avatar: None,
        token: String::new(),
        creator: call.me,
        application: None,
        follows: Some(followed),
    };
    let id = webhook.id;
    let notice = Message {
        reference: Some(Reference {
            channel: followed,
            message: None,
            forward: false,
        }),
        ..Message::plain(
            realm.mint.next(),
            call.me,
            MessageKind::ChannelFollowed,
            name,
        )
    };
    realm.webhooks.push(webhook);
    changed(call, target);
    send(call, target, &notice)?;
    ApiResponse::json(json!({ "channel_id": followed, "webhook_id": id }))
}

/// It came from a channel that is followed. Discord Docs/Message, Message Flags.
const IS_CROSSPOST: u64 = 1 << 1;

/// Brings a message of an announcement channel to all that follow it. There it
/// pings nobody.
pub(super) fn bring_to_followers(
    call: &mut RequestContext<'_>,
    source: Snowflake,
    message: &Message,
) -> Result<(), ApiError> {
    let realm = &call.state.realm;
    let here = |webhook: &&Webhook| {
        webhook.follows == Some(source) && realm.channels.contains_key(&webhook.channel)
    };
    let followers: Vec<Webhook> = realm.webhooks.iter().filter(here).cloned().collect();
    for follower in followers {
        let look = AuthorLook {
            name: follower.name,
            avatar: follower.avatar,
        };
        let id = call.state.realm.mint.next();
        let content = message.content.clone();
        let copy = Message {
            attachments: message.attachments.clone(),
            embeds: message.embeds.clone(),
            components: message.components.clone(),
            stickers: message.stickers.clone(),
            flags: message.flags & SETTABLE_FLAGS | IS_CROSSPOST,
            reference: Some(Reference {
                channel: source,
                message: Some(message.id),
                forward: false,
            }),
            webhook: Some(WebhookIdentity {
                id: follower.id,
                look: Some(look),
                application: None,
            }),
            ..Message::plain(id, follower.id, MessageKind::Default, content)
        };
        post::publish(call, follower.channel, &copy, None)?;
    }
    Ok(())
}

fn room_for_one(call: &RequestContext<'_>, channel: Snowflake) -> Result<(), ApiError> {
    let webhooks = call.state.realm.webhooks.iter();
    if webhooks.filter(|it| it.channel == channel).count() >= limits::WEBHOOKS_PER_CHANNEL {
        return Err(ApiError::TooManyWebhooks);
    }
    Ok(())
}

fn changed(call: &mut RequestContext<'_>, channel: Snowflake) {
    call.state.dispatch(
        channel,
        "WEBHOOKS_UPDATE",
        |_, channel, _| json!({ "guild_id": channel.guild(), "channel_id": channel.id }),
    );
}
