//! Who takes part in threads, and which threads there are.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext, error::Problems, guild::notice,
    guilds::known, thread_events, threads::thread_is_open,
};
use crate::{
    limits,
    realm::{Channel, Message, MessageKind, PermissionSet, Realm, Thread, ThreadKind, in_channel},
    snowflake::Snowflake,
    wire,
    world::PrivilegedIntent,
};

/// A thread that is not archived, and what the caller may do in it.
fn open_thread<'a>(
    call: &'a RequestContext<'_>,
    id: Snowflake,
) -> Result<(&'a Thread, PermissionSet), ApiError> {
    let (channel, held) = call.channel(id)?;
    let thread = channel.thread().ok_or(ApiError::WrongChannelKind)?;
    thread_is_open(channel)?;
    Ok((thread, held))
}

/// Join Thread, and Add Thread Member.
pub(super) fn join(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    who: Option<Snowflake>,
) -> ApiResult {
    let (thread, held) = open_thread(call, id)?;
    if let Some(who) = who.filter(|who| *who != call.me) {
        let manages = held.has(PermissionSet::MANAGE_THREADS);
        let closed = thread.kind == ThreadKind::Private
            && !thread.invitable
            && thread.owner != call.me
            && !manages;
        if closed || !held.has(PermissionSet::SEND_MESSAGES) {
            return Err(ApiError::MissingPermissions);
        }
        let realm = &call.state.realm;
        let parent = realm.channels.get(&thread.parent);
        let parent = parent.ok_or(ApiError::UnknownChannel)?;
        let person = realm.person(who).ok_or(ApiError::UnknownUser)?;
        if !in_channel(realm, person, parent).has(PermissionSet::VIEW_CHANNEL) {
            return Err(ApiError::MissingAccess);
        }
    }
    let who = who.unwrap_or(call.me);
    let new = thread.member(who).is_none();
    thread_events::join(call.state, id, &[who]);
    if new && who != call.me {
        tell(call, id, MessageKind::MemberAdded, who);
    }
    Ok(ApiResponse::NoContent)
}

/// Tells a thread what the caller did with somebody.
fn tell(call: &mut RequestContext<'_>, id: Snowflake, kind: MessageKind, who: Snowflake) {
    let notice_id = call.state.realm.mint.next();
    let told = Message {
        mentions: vec![who],
        ..Message::plain(notice_id, call.me, kind, String::new())
    };
    notice(call, id, &told);
}

/// Leave Thread, and Remove Thread Member.
pub(super) fn leave(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    who: Option<Snowflake>,
) -> ApiResult {
    let (thread, held) = open_thread(call, id)?;
    let who = who.unwrap_or(call.me);
    let own = thread.kind == ThreadKind::Private && thread.owner == call.me;
    if who != call.me && !own && !held.has(PermissionSet::MANAGE_THREADS) {
        return Err(ApiError::MissingPermissions);
    }
    let there = thread.member(who).is_some();
    thread_events::leave(call.state, id, who);
    if there && who != call.me {
        tell(call, id, MessageKind::MemberRemoved, who);
    }
    Ok(ApiResponse::NoContent)
}

pub(super) fn member(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    who: Option<Snowflake>,
) -> ApiResult {
    let (channel, _) = call.channel(id)?;
    let thread = channel.thread().ok_or(ApiError::WrongChannelKind)?;
    let member = thread.member(who.unwrap_or(call.me));
    let member = member.ok_or(ApiError::UnknownMember)?;
    let whole = with_member(call);
    Ok(ApiResponse::Json(thread_events::member_json(
        &call.state.realm,
        channel,
        member,
        whole,
    )))
}

pub(super) fn members(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, _) = call.channel(id)?;
    let thread = channel.thread().ok_or(ApiError::WrongChannelKind)?;
    let realm = &call.state.realm;
    let intent = PrivilegedIntent::GuildMembers;
    if !realm.grants(call.me, intent) {
        return Err(ApiError::MissingAccess);
    }
    let whole = with_member(call);
    let mut members = thread.members.clone();
    // (doc) Paging comes with `with_member`.
    let paged = ["after", "limit"]
        .iter()
        .any(|key| call.query.get(key).is_some());
    if whole && paged {
        let after = call.anchor("after")?.unwrap_or(Snowflake(0));
        let limit = call.page("limit", 100, 100)?;
        members.sort_by_key(|member| member.person);
        members.retain(|member| member.person > after);
        members.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let members: Vec<Value> = members
        .iter()
        .map(|member| thread_events::member_json(realm, channel, member, whole))
        .collect();
    ApiResponse::json(members)
}

fn with_member(call: &RequestContext<'_>) -> bool {
    let asked = call.query.get("with_member");
    asked.is_some_and(|flag| flag.eq_ignore_ascii_case("true"))
}

/// List Active Guild Threads, newest first.
pub(super) fn active(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (realm, guild) = (&call.state.realm, known(call, id)?);
    let mut threads = realm.active_threads(guild, call.me()?);
    threads.reverse();
    ApiResponse::json(list(realm, &threads, call.me))
}

/// List Public Archived Threads.
pub(super) fn archived(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    archived_page(call, id, ArchivedOrder::Time, |thread| {
        thread.kind != ThreadKind::Private
    })
}

/// How a list of archived threads is ordered, newest first, and what `before`
/// names in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArchivedOrder {
    /// By when they were archived.
    Time,
    Id,
}

/// The archived threads of a channel that are wanted.
pub(super) fn archived_page(
    call: &RequestContext<'_>,
    id: Snowflake,
    order: ArchivedOrder,
    wanted: impl Fn(&Thread) -> bool,
) -> ApiResult {
    let (_, held) = call.channel(id)?;
    if !held.has(PermissionSet::READ_MESSAGE_HISTORY) {
        return Err(ApiError::MissingPermissions);
    }
    let limit = call.page("limit", limits::HISTORY_PAGE_DEFAULT, limits::HISTORY_PAGE)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut time, mut before_id) = (None, None);
    match (order, call.query.get("before")) {
        (_, None) => {}
        (ArchivedOrder::Id, Some(_)) => before_id = call.anchor("before")?,
        (ArchivedOrder::Time, Some(text)) => {
            let parsed: Result<jiff::Timestamp, _> = text.parse();
            time = Some(parsed.map_err(|_| {
                let message = format!("Could not parse {text}. Should be ISO8601.");
                Problems::one("before", "DATE_TIME_TYPE_PARSE", message)
            })?);
        }
    }
    let realm = &call.state.realm;
    let fits = |channel: &&Channel| {
        let earlier = before_id.is_none_or(|before| channel.id < before);
        earlier
            && channel.thread().is_some_and(|thread| {
                thread.parent == id
                    && thread.archived
                    && time.is_none_or(|before| thread.archive_changed < before)
                    && wanted(thread)
            })
    };
    let mut threads: Vec<&Channel> = realm.channels.values().filter(fits).collect();
    threads.sort_by_key(|channel| {
        let archived = channel.thread().map(|thread| thread.archive_changed);
        let archived = archived.filter(|_| order == ArchivedOrder::Time);
        std::cmp::Reverse((archived, channel.id))
    });
    let more = threads.len() > limit;
    threads.truncate(limit);
    let mut page = list(realm, &threads, call.me);
    page["has_more"] = json!(more);
    ApiResponse::json(page)
}

fn list(realm: &Realm, threads: &[&Channel], me: Snowflake) -> Value {
    json!({
        "threads": threads
            .iter()
            .map(|channel| wire::Channel::new(realm, channel, Some(me)))
            .collect::<Vec<_>>(),
        "members": thread_events::own_memberships(threads, Some(me)),
    })
}
