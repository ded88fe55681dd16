//! Scheduled events: what a guild plans, and who is interested.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, GuildError, RequestContext, allow, changes,
    pictures::{data_uri, hash_of},
};
use crate::{
    limits,
    realm::{
        AuditAction, EventEntity, EventStatus, Guild, GuildChannelKind, PermissionSet,
        ScheduledEvent,
    },
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    snowflake::{Snowflake, now},
    state::{PictureKind, StoredPicture},
    wire::{self, Member, User},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/scheduled-events", list),
    write("POST /guilds/{guild}/scheduled-events", create),
    read("GET /guilds/{guild}/scheduled-events/{event}", one),
    write("PATCH /guilds/{guild}/scheduled-events/{event}", modify),
    write("DELETE /guilds/{guild}/scheduled-events/{event}", delete),
    read(
        "GET /guilds/{guild}/scheduled-events/{event}/users",
        interested,
    ),
    write(
        "PUT /guilds/{guild}/scheduled-events/{event}/users/@me",
        join,
    ),
    write(
        "DELETE /guilds/{guild}/scheduled-events/{event}/users/@me",
        leave,
    ),
];

/// What the audit log tells of an event.
const LOGGED: [&str; 6] = [
    "name",
    "description",
    "channel_id",
    "entity_type",
    "status",
    "privacy_level",
];

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let counted = call.asks("with_user_count");
    let realm = &call.state.realm;
    let events = guild.community.events.iter();
    let shown: Vec<Value> = events
        .filter(|event| !event.status.is_over())
        .map(|event| wire::counted_event(realm, guild.id, event, counted))
        .collect();
    ApiResponse::json(shown)
}

fn find(guild: &Guild, id: Snowflake) -> Result<&ScheduledEvent, ApiError> {
    let event = guild.community.events.iter().find(|event| event.id == id);
    event.ok_or(GuildError::UnknownEvent.into())
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let event = find(guild, path.id(1))?;
    let counted = call.asks("with_user_count");
    ApiResponse::json(wire::counted_event(
        &call.state.realm,
        guild.id,
        event,
        counted,
    ))
}

/// Who may create events changes their own, who manages them all.
fn may_change(
    call: &RequestContext<'_>,
    guild: &Guild,
    creator: Snowflake,
) -> Result<(), ApiError> {
    let held = call.held_in(guild);
    let own = creator == call.me && held.has(PermissionSet::CREATE_EVENTS);
    allow(own || held.has(PermissionSet::MANAGE_EVENTS))
}

/// Reads what a body says into an event, which then has to make sense.
fn read_into(
    call: &RequestContext<'_>,
    guild: &Guild,
    event: &mut ScheduledEvent,
    new: bool,
) -> Result<Option<Option<StoredPicture>>, ApiError> {
    let mut body = Fields::new(&call.body.json, "");
    if new {
        for key in [
            "name",
            "privacy_level",
            "scheduled_start_time",
            "entity_type",
        ] {
            body.require(key);
        }
    }
    if let Some(name) = body.sized("name", 1..=limits::EVENT_NAME_CHARS) {
        event.name = name;
    }
    if body.names("description") {
        event.description = body.sized("description", 0..=limits::EVENT_DESCRIPTION_CHARS);
    }
    body.within("privacy_level", 2..=2);
    if let Some(begins) = body.time("scheduled_start_time") {
        if begins < now() {
            let message = "Cannot schedule event in the past.";
            let code = "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST";
            body.wrong("scheduled_start_time", code, message);
        }
        event.begins = begins;
    }
    if body.names("scheduled_end_time") {
        event.ends = body.time("scheduled_end_time");
    }
    if let Some(number) = body.within("entity_type", 1..=3) {
        event.entity = EventEntity::from_number(number).unwrap_or(event.entity);
    }
    if body.names("channel_id") {
        event.channel = body.id("channel_id");
    }
    if let Some(map) = body.object("entity_metadata") {
        let mut inside = Fields::new(map, "entity_metadata");
        event.location = inside.sized("location", 1..=limits::EVENT_LOCATION_CHARS);
        body.problems.merge(inside.problems);
    }
    if body.names("recurrence_rule") {
        event.recurrence = recurrence(&mut body);
    }
    let image = body
        .names("image")
        .then(|| data_uri(&mut body, "image", limits::PICTURE_BYTES));
    place(call, guild, event, &mut body);
    body.problems.into_result()?;
    Ok(image)
}

/// Events are in a stage or voice channel, or elsewhere and then end.
fn place(
    call: &RequestContext<'_>,
    guild: &Guild,
    event: &mut ScheduledEvent,
    body: &mut Fields<'_>,
) {
    let required = "This field is required";
    let wanted = match event.entity {
        EventEntity::Stage => GuildChannelKind::Stage,
        EventEntity::Voice => GuildChannelKind::Voice,
        EventEntity::External => {
            event.channel = None;
            if event.location.is_none() {
                body.wrong("entity_metadata", "BASE_TYPE_REQUIRED", required);
            }
            if event.ends.is_none() {
                body.wrong("scheduled_end_time", "BASE_TYPE_REQUIRED", required);
            }
            return;
        }
    };
    event.location = None;
    let Some(id) = event.channel else {
        return body.wrong("channel_id", "BASE_TYPE_REQUIRED", required);
    };
    let channel = call.state.realm.channels.get(&id);
    let channel = channel.and_then(|channel| channel.of_guild());
    if !channel.is_some_and(|it| it.guild == guild.id && it.kind == wanted) {
        body.wrong("channel_id", "CHANNEL_INVALID", "Invalid channel");
    }
    if event.ends.is_some_and(|ends| ends <= event.begins) {
        let message = "The scheduled end time must be after the start time.";
        body.wrong("scheduled_end_time", "GUILD_SCHEDULED_EVENT_END", message);
    }
}

/// A rule with every field that Discord shows.
fn recurrence(body: &mut Fields<'_>) -> Option<Value> {
    let map = body.object("recurrence_rule")?;
    let mut rule = Fields::new(map, "recurrence_rule");
    for key in ["start", "frequency", "interval"] {
        rule.require(key);
    }
    rule.time("start");
    rule.within("frequency", 0..=3);
    rule.within("interval", 1..=2);
    body.problems.merge(rule.problems);
    let mut shown = json!({
        "start": null, "end": null, "frequency": null, "interval": null, "by_weekday": null,
        "by_n_weekday": null, "by_month": null, "by_month_day": null, "by_year_day": null,
        "count": null,
    });
    if let Value::Object(fields) = &mut shown {
        for (key, value) in fields {
            *value = map.get(key).cloned().unwrap_or(Value::Null);
        }
    }
    Some(shown)
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = known(call, id)?;
    may_change(call, guild, call.me)?;
    let open = guild.community.events.iter();
    if open.filter(|event| !event.status.is_over()).count() >= limits::EVENTS {
        return Err(GuildError::TooManyEvents.into());
    }
    let mut event = ScheduledEvent {
        id: Snowflake(0),
        creator: call.me,
        channel: None,
        name: String::new(),
        description: None,
        begins: now(),
        ends: None,
        status: EventStatus::Scheduled,
        entity: EventEntity::External,
        location: None,
        image: None,
        recurrence: None,
        people: Vec::new(),
    };
    let image = read_into(call, guild, &mut event, true)?;
    event.id = call.state.realm.mint.next();
    let event_id = event.id;
    cover(call, &mut event, image);
    let events = &mut call.guild_mut(id)?.community.events;
    events.push(event);
    // Those that are over go first.
    while events.len() > 2 * limits::EVENTS {
        let over = events.iter().position(|event| event.status.is_over());
        events.remove(over.unwrap_or(0));
    }
    announce(call, id, event_id, "GUILD_SCHEDULED_EVENT_CREATE");
    let event = find(known(call, id)?, event_id)?;
    let answer = wire::counted_event(&call.state.realm, id, event, false);
    let action = AuditAction::EventCreate;
    call.audit_change(id, action, event_id, [&Value::Null, &answer], &LOGGED);
    Ok(ApiResponse::Json(answer))
}

/// Keeps or drops the picture of an event.
fn cover(
    call: &mut RequestContext<'_>,
    event: &mut ScheduledEvent,
    image: Option<Option<StoredPicture>>,
) {
    let Some(image) = image else { return };
    event.image = image.as_ref().map(hash_of);
    let pictures = &mut call.state.pictures;
    match image {
        Some(image) => pictures.put(PictureKind::EventCover, event.id, image),
        None => pictures.remove(PictureKind::EventCover, event.id),
    }
}

fn announce(call: &mut RequestContext<'_>, guild: Snowflake, id: Snowflake, name: &'static str) {
    call.state.dispatch_guild(guild, name, |realm, guild| {
        let event = find(guild, id).ok();
        event.map(|event| wire::counted_event(realm, guild.id, event, false))
    });
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, event_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let before = find(guild, event_id)?;
    may_change(call, guild, before.creator)?;
    if before.status.is_over() {
        return Err(GuildError::EventIsOver.into());
    }
    let logged = wire::scheduled_event(id, before);
    let mut event = before.clone();
    let mut body = Fields::new(&call.body.json, "");
    if let Some(number) = body.within("status", 1..=4) {
        let next = EventStatus::from_number(number).unwrap_or(event.status);
        if next != event.status && !event.status.leads_to(next) {
            let code = "TRANSITION_INVALID";
            body.wrong(
                "status",
                code,
                "Invalid Guild Scheduled Event Status Update",
            );
        }
        event.status = next;
    }
    body.problems.into_result()?;
    let image = read_into(call, guild, &mut event, false)?;
    cover(call, &mut event, image);
    let answer = wire::counted_event(&call.state.realm, id, &event, false);
    let events = call.guild_mut(id)?.community.events.iter_mut();
    if let Some(known) = events.into_iter().find(|known| known.id == event_id) {
        *known = event;
    }
    announce(call, id, event_id, "GUILD_SCHEDULED_EVENT_UPDATE");
    let action = AuditAction::EventUpdate;
    call.audit_change(id, action, event_id, [&logged, &answer], &LOGGED);
    Ok(ApiResponse::Json(answer))
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, event_id) = (path.id(0), path.id(1));
    let guild = known(call, id)?;
    let event = find(guild, event_id)?;
    may_change(call, guild, event.creator)?;
    let logged = changes(&wire::scheduled_event(id, event), &Value::Null, &LOGGED);
    announce(call, id, event_id, "GUILD_SCHEDULED_EVENT_DELETE");
    let events = &mut call.guild_mut(id)?.community.events;
    events.retain(|event| event.id != event_id);
    let pictures = &mut call.state.pictures;
    pictures.remove(PictureKind::EventCover, event_id);
    let action = AuditAction::EventDelete;
    call.audit(id, action, Some(event_id), logged, None);
    Ok(ApiResponse::NoContent)
}

/// By user id, after or before one.
fn interested(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let event = find(guild, path.id(1))?;
    let limit = call.page(
        "limit",
        limits::EVENT_PEOPLE_PAGE,
        limits::EVENT_PEOPLE_PAGE,
    )?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (before, after) = (call.anchor("before")?, call.anchor("after")?);
    let with_member = call.asks("with_member");
    let mut people: Vec<Snowflake> = event
        .people
        .iter()
        .copied()
        .filter(|person| before.is_none_or(|id| *person < id))
        .filter(|person| after.is_none_or(|id| *person > id))
        .collect();
    people.sort_unstable();
    let skipped = match before {
        Some(_) => people.len().saturating_sub(limit),
        None => 0,
    };
    let realm = &call.state.realm;
    let page = people.into_iter().skip(skipped).take(limit);
    let shown: Vec<Value> = page
        .filter_map(|person| {
            let user = User::from(realm.person(person)?);
            let mut shown = json!({ "guild_scheduled_event_id": event.id, "user": user });
            if let Some(member) = Member::full(realm, guild, person).filter(|_| with_member) {
                shown["member"] = json!(member);
            }
            Some(shown)
        })
        .collect();
    ApiResponse::json(shown)
}

fn join(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    interest(call, path, true)
}

fn leave(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    interest(call, path, false)
}

/// What people do in Discord's own client. Bots cannot.
fn interest(call: &mut RequestContext<'_>, path: &PathValues, interested: bool) -> ApiResult {
    let (id, event_id, me) = (path.id(0), path.id(1), call.me);
    if call.me()?.bot {
        return Err(ApiError::NoBots);
    }
    let event = find(known(call, id)?, event_id)?;
    let before = event.people.contains(&me);
    if event.status.is_over() {
        return Err(GuildError::EventIsOver.into());
    }
    let events = call.guild_mut(id)?.community.events.iter_mut();
    if let Some(event) = events.into_iter().find(|event| event.id == event_id) {
        event.people.retain(|person| *person != me);
        event.people.extend(interested.then_some(me));
    }
    if before != interested {
        let name = match interested {
            true => "GUILD_SCHEDULED_EVENT_USER_ADD",
            false => "GUILD_SCHEDULED_EVENT_USER_REMOVE",
        };
        call.state.dispatch_guild(id, name, |_, guild| {
            json!({ "guild_scheduled_event_id": event_id, "user_id": me, "guild_id": guild.id })
        });
    }
    match interested {
        true => ApiResponse::json(json!({ "guild_scheduled_event_id": event_id, "user_id": me })),
        false => Ok(ApiResponse::NoContent),
    }
}
