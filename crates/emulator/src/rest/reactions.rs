//! Reactions.

use serde_json::{Value, json};

use super::{ApiError, ApiResponse, ApiResult, RequestContext, threads};
use crate::{
    limits,
    realm::{Emoji, PermissionSet, Reaction},
    snowflake::Snowflake,
    wire::{Member, User},
};

pub(super) fn add(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: Snowflake,
    emoji: &str,
) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let emoji = known_emoji(call, parse(emoji)?)?;
    threads::thread_is_open(channel)?;
    let known = channel.message(message).ok_or(ApiError::UnknownMessage)?;
    if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        return Err(ApiError::MissingPermissions);
    }
    let author = known.author;
    let place = known
        .reactions
        .iter()
        .position(|reaction| reaction.emoji.is(&emoji));
    let me = call.me;
    match place {
        // Joining others needs no permission.
        Some(place) if known.reactions[place].people.contains(&me) => {
            return Ok(ApiResponse::NoContent);
        }
        Some(_) => {}
        None if !held.has(PermissionSet::ADD_REACTIONS) => {
            return Err(ApiError::MissingPermissions);
        }
        None if known.reactions.len() >= limits::REACTIONS_PER_MESSAGE => {
            return Err(ApiError::TooManyReactions);
        }
        None => {}
    }
    let Some(changed) = call.channel_mut(id)?.message_mut(message) else {
        return Err(ApiError::UnknownMessage);
    };
    match place {
        Some(place) => changed.reactions[place].people.push(me),
        None => changed.reactions.push(Reaction {
            emoji: emoji.clone(),
            people: vec![me],
        }),
    }
    call.state
        .dispatch(id, "MESSAGE_REACTION_ADD", |realm, channel, _| {
            let mut payload = json!({
                "user_id": me,
                "channel_id": channel.id,
                "message_id": message,
                "message_author_id": author,
                "emoji": emoji,
                "burst": false,
                "burst_colors": [],
                "type": 0,
            });
            if let Some(guild) = realm.guild_around(channel) {
                payload["guild_id"] = json!(guild.id);
                payload["member"] = json!(Member::full(realm, guild, me));
            }
            payload
        });
    Ok(ApiResponse::NoContent)
}

pub(super) fn remove(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: Snowflake,
    emoji: &str,
    who: Option<Snowflake>,
) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let emoji = parse(emoji)?;
    let who = who.unwrap_or(call.me);
    if who != call.me && !held.has(PermissionSet::MANAGE_MESSAGES) {
        return Err(ApiError::MissingPermissions);
    }
    channel.message(message).ok_or(ApiError::UnknownMessage)?;
    let Some(changed) = call.channel_mut(id)?.message_mut(message) else {
        return Err(ApiError::UnknownMessage);
    };
    let theirs = changed
        .reactions
        .iter_mut()
        .find(|reaction| reaction.emoji.is(&emoji) && reaction.people.contains(&who));
    let Some(reaction) = theirs else {
        return Err(ApiError::UnknownEmoji);
    };
    let emoji = reaction.emoji.clone();
    reaction.people.retain(|person| *person != who);
    changed
        .reactions
        .retain(|reaction| !reaction.people.is_empty());
    call.state
        .dispatch(id, "MESSAGE_REACTION_REMOVE", |_, channel, _| {
            let mut payload = json!({
                "user_id": who,
                "channel_id": channel.id,
                "message_id": message,
                "emoji": emoji,
                "burst": false,
                "type": 0,
            });
            if let Some(guild) = channel.guild() {
                payload["guild_id"] = json!(guild);
            }
            payload
        });
    Ok(ApiResponse::NoContent)
}

pub(super) fn reactors(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: Snowflake,
    emoji: &str,
) -> ApiResult {
    let (channel, _) = call.channel(id)?;
    let emoji = parse(emoji)?;
    let message = channel.message(message).ok_or(ApiError::UnknownMessage)?;
    let limit = call.page("limit", 25, limits::REACTION_PAGE)?;
    let after = call.anchor("after")?.unwrap_or(Snowflake(0));
    let reaction = message
        .reactions
        .iter()
        .find(|reaction| reaction.emoji.is(&emoji));
    // Nobody pays for reactions here, so none is a burst (type 1).
    let burst = call.query.get("type").is_some_and(|kind| kind == "1");
    let reaction = reaction.filter(|_| !burst);
    let mut people: Vec<Snowflake> = reaction
        .map(|reaction| reaction.people.clone())
        .unwrap_or_default();
    people.sort_unstable();
    let users: Vec<User> = people
        .into_iter()
        .filter(|id| *id > after)
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .filter_map(|id| call.state.realm.person(id).map(User::from))
        .collect();
    ApiResponse::json(users)
}

pub(super) fn clear(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: Snowflake,
    emoji: Option<&str>,
) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let emoji = emoji.map(parse).transpose()?;
    if channel.direct() {
        return Err(ApiError::NotInDirectMessage);
    }
    if !held.has(PermissionSet::MANAGE_MESSAGES) {
        return Err(ApiError::MissingPermissions);
    }
    channel.message(message).ok_or(ApiError::UnknownMessage)?;
    let Some(changed) = call.channel_mut(id)?.message_mut(message) else {
        return Err(ApiError::UnknownMessage);
    };
    let emoji = emoji.map(|emoji| {
        let mut known = changed.reactions.iter().map(|reaction| &reaction.emoji);
        known
            .find(|known| known.is(&emoji))
            .cloned()
            .unwrap_or(emoji)
    });
    changed.reactions.retain(|reaction| {
        emoji
            .as_ref()
            .is_some_and(|emoji| !reaction.emoji.is(emoji))
    });
    let name = if emoji.is_some() {
        "MESSAGE_REACTION_REMOVE_EMOJI"
    } else {
        "MESSAGE_REACTION_REMOVE_ALL"
    };
    call.state.dispatch(id, name, |_, channel, _| {
        let mut payload: Value = json!({
            "channel_id": channel.id,
            "message_id": message,
            "guild_id": channel.guild(),
        });
        if let Some(emoji) = &emoji {
            payload["emoji"] = json!(emoji);
        }
        payload
    });
    Ok(ApiResponse::NoContent)
}

/// An emoji of a guild has the name that the guild gave it.
fn known_emoji(call: &RequestContext<'_>, emoji: Emoji) -> Result<Emoji, ApiError> {
    let Some(id) = emoji.id else {
        return Ok(emoji);
    };
    let known = call.state.realm.emoji(call.me, id);
    let known = known.ok_or(ApiError::UnknownEmoji)?;
    Ok(Emoji {
        id: Some(id),
        name: known.name.clone(),
        animated: known.animated,
    })
}

/// `name:id` or `a:name:id` for a custom emoji, else one of Unicode's. The id
/// decides; the name may be any.
fn parse(text: &str) -> Result<Emoji, ApiError> {
    if let Some((name, id)) = text.rsplit_once(':') {
        let name = name.strip_prefix("a:").unwrap_or(name);
        let id = id.parse().ok().filter(|_| !name.is_empty());
        return id
            .map(|id| Emoji {
                id: Some(id),
                name: name.to_owned(),
                animated: false,
            })
            .ok_or(ApiError::UnknownEmoji);
    }
    // Letters and punctuation of any script are no emoji; keycaps begin with a digit.
    let keycap = text.ends_with('\u{20e3}');
    let pictorial = text
        .chars()
        .any(|c| !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace());
    let no_words = keycap || !text.chars().any(|c| c.is_ascii() || c.is_alphabetic());
    if text.chars().count() <= 16 && pictorial && no_words {
        Ok(Emoji {
            id: None,
            name: text.to_owned(),
            animated: false,
        })
    } else {
        Err(ApiError::UnknownEmoji)
    }
}
