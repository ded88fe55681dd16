//! Votes in polls, and their end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{ApiError, ApiResult, GuildError, RequestContext};
use crate::{
    Emulator,
    clock::moment,
    limits,
    realm::{Message, MessageKind, PermissionSet, Reference, Vote},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        error::Problems,
    },
    snowflake::{Snowflake, now, rfc3339},
    state::EmulatorState,
    wire::{self, MessageView, User},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("PUT /channels/{channel}/polls/{message}/answers/@me", vote),
    read(
        "GET /channels/{channel}/polls/{message}/answers/{answer}",
        voters,
    ),
    write("POST /channels/{channel}/polls/{message}/expire", end),
];

/// The numbers of a poll's answers.
fn answers(poll: &Value) -> Vec<u64> {
    let list = poll["answers"].as_array();
    let list = list.map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(|answer| answer["answer_id"].as_u64())
        .collect()
}

/// Get Answer Voters.
fn voters(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (channel, _) = call.channel(path.id(0))?;
    let message = channel.message(path.id(1));
    let message = message.ok_or(ApiError::UnknownMessage)?;
    let poll = message.poll.as_ref().ok_or(ApiError::UnknownMessage)?;
    let answer: Option<u64> = path.text().parse().ok();
    let answer = answer.filter(|answer| answers(poll).contains(answer));
    let answer = answer.ok_or_else(unknown_answer)?;
    let limit = call.page("limit", 25, limits::VOTER_PAGE)?;
    let after = call.anchor("after")?.unwrap_or(Snowflake(0));
    let votes = message.votes.iter().filter(|vote| vote.answer == answer);
    let mut people: Vec<Snowflake> = votes.map(|vote| vote.person).collect();
    people.sort_unstable();
    let users: Vec<User> = people
        .into_iter()
        .filter(|id| *id > after)
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .filter_map(|id| call.state.realm.person(id).map(User::from))
        .collect();
    ApiResponse::json(json!({ "users": users }))
}

fn unknown_answer() -> ApiError {
    Problems::one("answer_id", "POLL_ANSWER_UNKNOWN", "Unknown poll answer")
}

/// Sets what a human votes for, as Discord's own clients do: an empty list
/// takes the vote back.
fn vote(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, message_id, me) = (path.id(0), path.id(1), call.me);
    if call.me()?.bot {
        return Err(GuildError::NotForBots.into());
    }
    let (channel, held) = call.channel(id)?;
    if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        return Err(ApiError::MissingPermissions);
    }
    let message = channel.message(message_id);
    let message = message.ok_or(ApiError::UnknownMessage)?;
    let poll = message.poll.as_ref().ok_or(ApiError::UnknownMessage)?;
    if message.poll_is_over() {
        return Err(GuildError::PollExpired.into());
    }
    let mut body = Fields::new(&call.body.json, "");
    body.require("answer_ids");
    let list = body.list("answer_ids").unwrap_or_default();
    body.problems.into_result()?;
    let mut chosen = Vec::new();
    for value in list {
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let number = number.filter(|number| answers(poll).contains(number));
        chosen.push(number.ok_or_else(unknown_answer)?);
    }
    chosen.dedup();
    if chosen.len() > 1 && poll["allow_multiselect"] != true {
        let message = "This poll takes one answer";
        return Err(Problems::one("answer_ids", "POLL_SINGLE_ANSWER", message));
    }
    let own = message.votes.iter().filter(|vote| vote.person == me);
    let before: Vec<u64> = own.map(|vote| vote.answer).collect();
    let message = call.channel_mut(id)?.message_mut(message_id);
    let message = message.ok_or(ApiError::UnknownMessage)?;
    message.votes.retain(|vote| vote.person != me);
    let new = chosen.iter().map(|answer| Vote {
        person: me,
        answer: *answer,
    });
    message.votes.extend(new);
    for answer in before.iter().filter(|answer| !chosen.contains(answer)) {
        voted(call, path, *answer, "MESSAGE_POLL_VOTE_REMOVE");
    }
    for answer in chosen.iter().filter(|answer| !before.contains(answer)) {
        voted(call, path, *answer, "MESSAGE_POLL_VOTE_ADD");
    }
    Ok(ApiResponse::NoContent)
}

fn voted(call: &mut RequestContext<'_>, path: &PathValues, answer: u64, name: &'static str) {
    let (message, me) = (path.id(1), call.me);
    call.state.dispatch(path.id(0), name, |_, channel, _| {
        let mut payload = json!({
            "user_id": me,
            "channel_id": channel.id,
            "message_id": message,
            "answer_id": answer,
        });
        if let Some(guild) = channel.guild() {
            payload["guild_id"] = json!(guild);
        }
        payload
    });
}

/// End Poll, which only its author does.
fn end(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, message_id) = (path.id(0), path.id(1));
    let (channel, _) = call.channel(id)?;
    let message = channel.message(message_id);
    let message = message.ok_or(ApiError::UnknownMessage)?;
    if message.author != call.me {
        return Err(ApiError::NotTheAuthor);
    }
    if message.poll.is_none() {
        return Err(GuildError::NotAPoll.into());
    }
    if message.poll_is_over() {
        return Err(GuildError::PollExpired.into());
    }
    let message = call.channel_mut(id)?.message_mut(message_id);
    let message = message.ok_or(ApiError::UnknownMessage)?;
    if let Some(poll) = &mut message.poll {
        poll["expiry"] = json!(rfc3339(now()));
    }
    let ended = message.clone();
    call.state.polls.remove(message_id);
    tell_end(call.state, id, &ended);
    let (channel, _) = call.channel(id)?;
    ApiResponse::json(wire::Message::new(
        &call.state.realm,
        channel,
        &ended,
        call.viewer(),
        MessageView::History,
    ))
}

/// Tells of polls that run out, until the emulator stops.
pub(crate) async fn end_polls(emulator: Emulator) {
    let (stop, clock) = (emulator.stop().clone(), emulator.clock().clone());
    let added = emulator.state().polls.added();
    loop {
        let next = end_due(&emulator);
        tokio::select! {
            () = stop.cancelled() => return,
            () = added.notified() => {}
            () = clock.sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {}
        }
    }
}

/// Tells of the polls whose time has come, and says when the next one ends.
pub(in crate::rest) fn end_due(emulator: &Emulator) -> Option<Instant> {
    let mut state = emulator.state();
    while let Some((channel, message)) = state.polls.take(now()) {
        let channel_now = state.realm.channels.get(&channel);
        // It may be gone meanwhile.
        if let Some(ended) = channel_now.and_then(|it| it.message(message)).cloned() {
            tell_end(&mut state, channel, &ended);
        }
    }
    let wait = state.polls.next().map(|end| end.duration_since(now()));
    wait.map(|wait| moment() + Duration::try_from(wait).unwrap_or_default())
}

/// Shows that a poll is over, and how it ended.
fn tell_end(state: &mut EmulatorState, id: Snowflake, ended: &Message) {
    state.dispatch_message(id, ended, MessageView::GatewayUpdate);
    let told = state.realm.mint.next();
    let told = Message {
        reference: Some(Reference {
            channel: id,
            message: Some(ended.id),
            forward: false,
        }),
        embeds: vec![result(ended)],
        ..Message::plain(told, ended.author, MessageKind::PollResult, String::new())
    };
    if let Some(channel) = state.realm.channels.get_mut(&id) {
        channel.post(told.clone());
    }
    state.dispatch_message(id, &told, MessageView::GatewayCreate);
}

/// What a channel is told of a poll's end. Discord Docs/Message, Poll Result
/// Embed Fields.
fn result(message: &Message) -> Value {
    let poll = message.poll.clone().unwrap_or_default();
    let count = |answer: u64| {
        let votes = message.votes.iter();
        votes.filter(|vote| vote.answer == answer).count()
    };
    let numbers = answers(&poll);
    let most = numbers.iter().map(|answer| count(*answer)).max();
    let most = most.unwrap_or(0);
    let mut first = numbers.iter().filter(|answer| count(**answer) == most);
    // A draw has no victor.
    let victor = match (first.next(), first.next()) {
        (Some(victor), None) => Some(*victor),
        _ => None,
    };
    let mut fields = vec![
        ("poll_question_text", poll["question"]["text"].clone()),
        ("victor_answer_votes", json!(most.to_string())),
        ("total_votes", json!(message.votes.len().to_string())),
    ];
    if let Some(victor) = victor {
        let list = poll["answers"].as_array();
        let answer = list.and_then(|list| list.iter().find(|it| it["answer_id"] == victor));
        let text = answer.map(|answer| answer["poll_media"]["text"].clone());
        fields.push(("victor_answer_id", json!(victor.to_string())));
        fields.push(("victor_answer_text", text.unwrap_or_default()));
    }
    let fields: Vec<Value> = fields
        .into_iter()
        .map(|(name, value)| json!({ "name": name, "value": value, "inline": false }))
        .collect();
    json!({ "type": "poll_result", "fields": fields })
}
