//! Threads and forum posts: begun, changed, joined and listed.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResponse, ApiResult, RequestContext,
    auto_moderation::moderate,
    body::Fields,
    create::{compose, send, slow_mode as slow_mode_holds, wrote},
    draft::Draft,
    error::Problems,
    guild::{applied_tags, may_tag, notice},
    thread_events,
};
use crate::{
    limits,
    realm::{
        AuditAction, Channel, GuildChannelKind, Message, MessageKind, PermissionSet, Reference,
        Thread, ThreadKind,
    },
    snowflake::{Snowflake, now},
    wire::{self, MessageView},
};

/// A message that a thread hangs on. Discord Docs/Message, Message Flags.
const HAS_THREAD: u64 = 1 << 5;

/// A post that stands first. Discord Docs/Channel, Channel Flags.
const PINNED: u64 = 1 << 1;

/// What the three ways to begin a thread have in common.
struct ThreadDraft {
    name: String,
    auto_archive: Option<u64>,
    slow_mode: Option<u64>,
    kind: Option<u64>,
    invitable: bool,
    tags: Vec<Snowflake>,
}

impl ThreadDraft {
    fn read(call: &RequestContext<'_>) -> Result<Self, ApiError> {
        let mut body = Fields::new(&call.body.json, "");
        let draft = Self {
            name: name(&mut body).unwrap_or_default(),
            auto_archive: auto_archive(&mut body),
            slow_mode: slow_mode(&mut body),
            kind: body.number("type"),
            invitable: body.flag("invitable").unwrap_or(true),
            tags: applied_tags(&mut body).unwrap_or_default(),
        };
        if draft.name.is_empty() && !body.names("name") {
            let message = "This field is required";
            body.problems.add("name", "BASE_TYPE_REQUIRED", message);
        }
        body.problems.into_result()?;
        Ok(draft)
    }

    fn thread(self, channel: &Channel, kind: ThreadKind, owner: Snowflake) -> Thread {
        let place = channel.of_guild();
        let default = place.and_then(|place| place.auto_archive);
        let slow_mode = place.map(|place| place.thread_slow_mode);
        Thread {
            guild: channel.guild().unwrap_or(channel.id),
            parent: channel.id,
            kind,
            name: self.name,
            owner,
            post: channel.forum(),
            members: Vec::new(),
            archived: false,
            archive_changed: now(),
            auto_archive: self
                .auto_archive
                .or(default)
                .unwrap_or(limits::AUTO_ARCHIVE_DEFAULT),
            locked: false,
            invitable: self.invitable,
            slow_mode: self.slow_mode.or(slow_mode).unwrap_or(0),
            tags: self.tags,
            pinned: false,
            messages: 0,
            sent: 0,
            created: now(),
        }
    }
}

fn name(body: &mut Fields<'_>) -> Option<String> {
    let name = body.text("name")?.trim().to_owned();
    if !(1..=limits::THREAD_NAME_CHARS).contains(&name.chars().count()) {
        body.problems.add(
            "name",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 100 in length.",
        );
    }
    Some(name)
}

fn auto_archive(body: &mut Fields<'_>) -> Option<u64> {
    let minutes = body.number("auto_archive_duration")?;
    if !limits::AUTO_ARCHIVE.contains(&minutes) {
        body.problems.add(
            "auto_archive_duration",
            "BASE_TYPE_CHOICES",
            "Value must be one of (60, 1440, 4320, 10080).",
        );
    }
    Some(minutes)
}

fn slow_mode(body: &mut Fields<'_>) -> Option<u64> {
    let seconds = body.number("rate_limit_per_user")?;
    if seconds > limits::SLOW_MODE {
        body.problems.add(
            "rate_limit_per_user",
            "NUMBER_TYPE_MAX",
            "int value should be less than or equal to 21600.",
        );
    }
    Some(seconds)
}

/// Start Thread without Message, and Start Thread in Forum.
pub(super) fn start(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let place = channel.of_guild().ok_or(ApiError::WrongChannelKind)?;
    let kind = place.kind;
    let draft = ThreadDraft::read(call)?;
    let (kind, needed) = match (kind, draft.kind) {
        (GuildChannelKind::Forum | GuildChannelKind::Media, _) => {
            (ThreadKind::Public, PermissionSet::SEND_MESSAGES)
        }
        (GuildChannelKind::Announcement, _) => (
            ThreadKind::Announcement,
            PermissionSet::CREATE_PUBLIC_THREADS,
        ),
        (GuildChannelKind::Text, Some(11)) => {
            (ThreadKind::Public, PermissionSet::CREATE_PUBLIC_THREADS)
        }
        // (doc) "defaults to PRIVATE_THREAD"
        (GuildChannelKind::Text, None | Some(12)) => {
            (ThreadKind::Private, PermissionSet::CREATE_PRIVATE_THREADS)
        }
        (GuildChannelKind::Text, Some(_)) => {
            return Err(Problems::one(
                "type",
                "BASE_TYPE_CHOICES",
                "Value must be one of (10, 11, 12).",
            ));
        }
        (GuildChannelKind::Voice | GuildChannelKind::Stage | GuildChannelKind::Category, _) => {
            return Err(ApiError::WrongChannelKind);
        }
    };
    if !held.has(needed) {
        return Err(ApiError::MissingPermissions);
    }
    slow_mode_holds(call, channel, held)?;
    if channel.forum() {
        may_tag(place, held, &[], &draft.tags)?;
        return post(call, id, draft);
    }
    let thread = draft.thread(channel, kind, call.me);
    let name = thread.name.clone();
    let thread_id = call.state.realm.mint.next();
    open(call, thread_id, thread)?;
    if kind != ThreadKind::Private {
        let notice = call.state.realm.mint.next();
        let notice = Message {
            reference: Some(Reference {
                channel: thread_id,
                message: None,
                forward: false,
            }),
            ..Message::plain(notice, call.me, MessageKind::ThreadCreated, name)
        };
        send(call, id, &notice)?;
    }
    shown(call, thread_id, None)
}

/// The first message of a post has the post's id.
fn post(call: &mut RequestContext<'_>, id: Snowflake, draft: ThreadDraft) -> ApiResult {
    let Some(Value::Object(first)) = call.body.json.remove("message") else {
        return Err(Problems::one(
            "message",
            "BASE_TYPE_REQUIRED",
            "This field is required",
        ));
    };
    // From here on the message is all there is: it says what its files are.
    call.body.json = first;
    let first = Draft::read(&call.body.json)?;
    if first.is_empty() && call.body.files.is_empty() {
        return Err(ApiError::EmptyMessage);
    }
    let (channel, _) = call.channel(id)?;
    let thread = draft.thread(channel, ThreadKind::Public, call.me);
    let thread_id = call.state.realm.mint.next();
    let message = compose(call, id, first, Some(thread_id))?;
    moderate(call, id, &message)?;
    open(call, thread_id, thread)?;
    send(call, thread_id, &message)?;
    shown(call, thread_id, Some(&message))
}

/// Opens a post of a forum for a webhook, which takes no part in it.
pub(super) fn open_post(
    call: &mut RequestContext<'_>,
    forum: Snowflake,
    name: String,
    owner: Snowflake,
) -> Result<Snowflake, ApiError> {
    let channel = call.state.realm.channels.get(&forum);
    let channel = channel.ok_or(ApiError::UnknownChannel)?;
    let draft = ThreadDraft {
        name,
        auto_archive: None,
        slow_mode: None,
        kind: None,
        invitable: true,
        tags: Vec::new(),
    };
    let thread = draft.thread(channel, ThreadKind::Public, owner);
    let id = call.state.realm.mint.next();
    open(call, id, thread)?;
    if let Some(thread) = call.channel_mut(id)?.thread_mut() {
        thread.leave(owner);
    }
    Ok(id)
}

/// Start Thread from Message: the thread has the message's id.
pub(super) fn start_from(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: Snowflake,
) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let kind = match channel.of_guild().map(|place| place.kind) {
        Some(GuildChannelKind::Text) => ThreadKind::Public,
        Some(GuildChannelKind::Announcement) => ThreadKind::Announcement,
        _ => return Err(ApiError::WrongChannelKind),
    };
    let needed = PermissionSet::CREATE_PUBLIC_THREADS.with(PermissionSet::READ_MESSAGE_HISTORY);
    if !held.has(needed) {
        return Err(ApiError::MissingPermissions);
    }
    channel.message(message).ok_or(ApiError::UnknownMessage)?;
    if call.state.realm.channels.contains_key(&message) {
        return Err(ApiError::ThreadExists);
    }
    let thread = ThreadDraft::read(call)?.thread(channel, kind, call.me);
    open(call, message, thread)?;
    let starter = call.state.realm.mint.next();
    let starter = Message {
        reference: Some(Reference {
            channel: id,
            message: Some(message),
            forward: false,
        }),
        ..Message::plain(starter, call.me, MessageKind::ThreadStarter, String::new())
    };
    call.channel_mut(message)?.post(starter);
    let parent = call.channel_mut(id)?;
    if let Some(begun) = parent.message_mut(message) {
        begun.flags |= HAS_THREAD;
        let begun = begun.clone();
        call.state
            .dispatch_message(id, &begun, MessageView::GatewayUpdate);
    }
    shown(call, message, None)
}

fn open(call: &mut RequestContext<'_>, id: Snowflake, mut thread: Thread) -> Result<(), ApiError> {
    let guild = thread.guild;
    let realm = &call.state.realm;
    let active = realm.channels.values().filter(|channel| {
        let open = channel.thread().is_some_and(|thread| !thread.archived);
        open && channel.guild() == Some(guild)
    });
    if active.count() >= limits::ACTIVE_THREADS {
        return Err(ApiError::TooManyThreads);
    }
    thread.join(thread.owner);
    let parent = thread.parent;
    call.state.realm.open_thread(id, thread);
    thread_events::created(call.state, id);
    wrote(call, parent)?;
    let made = logged(call, id)?;
    let action = AuditAction::ThreadCreate;
    call.audit_change(guild, action, id, [&Value::Null, &made], &LOGGED);
    Ok(())
}

/// What the audit log tells of a thread.
const LOGGED: [&str; 8] = [
    "name",
    "type",
    "archived",
    "locked",
    "auto_archive_duration",
    "invitable",
    "rate_limit_per_user",
    "applied_tags",
];

/// A thread with what its metadata say in one object.
fn logged(call: &RequestContext<'_>, id: Snowflake) -> Result<Value, ApiError> {
    let realm = &call.state.realm;
    let channel = realm.channels.get(&id).ok_or(ApiError::UnknownChannel)?;
    let mut shown = json!(wire::Channel::new(realm, channel, None));
    if let Some(Value::Object(more)) = shown.get_mut("thread_metadata").map(Value::take)
        && let Value::Object(map) = &mut shown
    {
        map.extend(more);
    }
    Ok(shown)
}

fn shown(call: &RequestContext<'_>, id: Snowflake, first: Option<&Message>) -> ApiResult {
    let (channel, _) = call.channel(id)?;
    let realm = &call.state.realm;
    let mut shape = json!(wire::Channel::new(realm, channel, Some(call.me)));
    if let Some(first) = first {
        let view = MessageView::CreateAnswer;
        shape["message"] = json!(wire::Message::new(
            realm,
            channel,
            first,
            call.viewer(),
            view
        ));
    }
    Ok(ApiResponse::Created(shape))
}

/// Archived threads are read only.
pub(super) fn thread_is_open(channel: &Channel) -> Result<(), ApiError> {
    match channel.thread() {
        Some(thread) if thread.archived => Err(ApiError::ThreadArchived),
        _ => Ok(()),
    }
}

/// Modify Channel, of a thread.
pub(super) fn modify(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let (channel, held) = call.channel(id)?;
    let thread = channel.thread().ok_or(ApiError::WrongChannelKind)?;
    let mut body = Fields::new(&call.body.json, "");
    let name = name(&mut body);
    let archived = body.flag("archived");
    let auto_archive = auto_archive(&mut body);
    let locked = body.flag("locked");
    let invitable = body.flag("invitable");
    let slow_mode = slow_mode(&mut body);
    let tags = applied_tags(&mut body);
    let flags = body.number("flags");
    body.problems.into_result()?;

    let manages = held.has(PermissionSet::MANAGE_THREADS);
    let own = thread.owner == call.me && !thread.locked;
    let reopens = archived == Some(false)
        && !thread.locked
        && held.has(PermissionSet::SEND_MESSAGES_IN_THREADS);
    let only_reopens = call.body.json.len() == 1 && reopens;
    let pinned = flags.map(|flags| flags & PINNED != 0);
    let repinned = pinned.is_some_and(|pinned| pinned != thread.pinned);
    let for_moderators = locked.is_some() || slow_mode.is_some() || repinned;
    if !manages && !only_reopens && (!own || for_moderators) {
        return Err(ApiError::MissingPermissions);
    }
    if thread.archived && archived != Some(false) {
        return Err(ApiError::ThreadArchived);
    }
    let forum = call.state.realm.parent(channel);
    if let (Some(tags), Some(forum)) = (&tags, forum.and_then(Channel::of_guild)) {
        may_tag(forum, held, &thread.tags, tags)?;
    }
    let guild = thread.guild;
    let before = logged(call, id)?;
    if let Some(thread) = call.channel_mut(id)?.thread_mut() {
        thread.pinned = pinned.unwrap_or(thread.pinned);
        if let Some(tags) = tags {
            thread.tags = tags;
        }
        if let Some(name) = name {
            thread.name = name;
        }
        if let Some(archived) = archived {
            thread.archive(archived);
        }
        thread.auto_archive = auto_archive.unwrap_or(thread.auto_archive);
        thread.locked = locked.unwrap_or(thread.locked);
        thread.invitable = invitable.unwrap_or(thread.invitable);
        thread.slow_mode = slow_mode.unwrap_or(thread.slow_mode);
    }
    thread_events::changed(call.state, id);
    let after = logged(call, id)?;
    if let Some(name) = after["name"]
        .as_str()
        .filter(|name| before["name"] != *name)
    {
        let notice_id = call.state.realm.mint.next();
        let told = Message::plain(notice_id, call.me, MessageKind::Renamed, name.to_owned());
        notice(call, id, &told);
    }
    let action = AuditAction::ThreadUpdate;
    call.audit_change(guild, action, id, [&before, &after], &LOGGED);
    let (channel, _) = call.channel(id)?;
    ApiResponse::json(wire::Channel::new(
        &call.state.realm,
        channel,
        Some(call.me),
    ))
}
