//! What the gateway tells of threads.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{ApiError, RequestContext};
use crate::{
    Emulator,
    clock::moment,
    gateway::Intents,
    limits,
    realm::{Channel, Message, PermissionSet, Realm, ThreadMember, in_channel},
    snowflake::{Snowflake, now},
    state::EmulatorState,
    wire::{self, Member},
};

/// Makes a thread ready for a message: it is no longer archived, and its
/// author and whom it mentions take part.
pub(super) fn wake(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    message: &Message,
) -> Result<(), ApiError> {
    let (channel, _) = call.channel(id)?;
    let Some(thread) = channel.thread() else {
        return Ok(());
    };
    let archived = thread.archived;
    let realm = &call.state.realm;
    let parent = realm.parent(channel).ok_or(ApiError::UnknownChannel)?;
    let may_see = |person: &Snowflake| {
        let person = realm.person(*person);
        person.is_some_and(|it| in_channel(realm, it, parent).has(PermissionSet::VIEW_CHANNEL))
    };
    let taking_part: Vec<Snowflake> = std::iter::once(message.author)
        .chain(message.mentions.iter().copied().filter(may_see))
        .collect();
    if archived {
        if let Some(thread) = call.channel_mut(id)?.thread_mut() {
            thread.archive(false);
        }
        changed(call.state, id);
    }
    join(call.state, id, &taking_part);
    Ok(())
}

/// Adds people to a thread. Those who are new in a private one learn of it.
pub(super) fn join(state: &mut EmulatorState, id: Snowflake, people: &[Snowflake]) {
    let Some(thread) = state
        .realm
        .channels
        .get_mut(&id)
        .and_then(Channel::thread_mut)
    else {
        return;
    };
    let new: Vec<Snowflake> = people
        .iter()
        .copied()
        .filter(|person| thread.join(*person))
        .collect();
    if new.is_empty() {
        return;
    }
    let told = |person: Snowflake| new.contains(&person);
    state.dispatch_to(
        id,
        "THREAD_CREATE",
        |subscription, channel| {
            told(subscription.person)
                && channel
                    .thread()
                    .is_some_and(|it| it.owner != subscription.person)
        },
        |realm, channel, viewer| wire::Channel::new(realm, channel, viewer.person),
    );
    members_changed(state, id, &new, &[]);
}

pub(super) fn leave(state: &mut EmulatorState, id: Snowflake, person: Snowflake) {
    let Some(thread) = state
        .realm
        .channels
        .get_mut(&id)
        .and_then(Channel::thread_mut)
    else {
        return;
    };
    if thread.leave(person) {
        members_changed(state, id, &[], &[person]);
    }
}

/// Bots without the members intent hear of themselves alone.
fn members_changed(
    state: &mut EmulatorState,
    id: Snowflake,
    added: &[Snowflake],
    removed: &[Snowflake],
) {
    state.dispatch_to(
        id,
        "THREAD_MEMBERS_UPDATE",
        |subscription, _| {
            let concerned =
                added.contains(&subscription.person) || removed.contains(&subscription.person);
            concerned || subscription.has(Intents::GUILD_MEMBERS)
        },
        |realm, channel, _| {
            let thread = channel.thread();
            let members = thread.map(|thread| thread.members.as_slice());
            let new: Vec<Value> = members
                .unwrap_or_default()
                .iter()
                .filter(|member| added.contains(&member.person))
                .map(|member| {
                    let mut shown = member_json(realm, channel, member, true);
                    shown["presence"] = Value::Null;
                    shown
                })
                .collect();
            let mut payload = json!({
                "id": channel.id,
                "guild_id": channel.guild(),
                "member_count": wire::member_count(channel),
            });
            if !new.is_empty() {
                payload["added_members"] = json!(new);
            }
            if !removed.is_empty() {
                payload["removed_member_ids"] = json!(removed);
            }
            payload
        },
    );
}

/// A thread member. Discord Docs/Channel, Thread Member.
pub(super) fn member_json(
    realm: &Realm,
    channel: &Channel,
    member: &ThreadMember,
    whole: bool,
) -> Value {
    let mut shown = json!(wire::ThreadMember::new(channel.id, member));
    if let Some(guild) = realm.guild_around(channel).filter(|_| whole) {
        shown["member"] = json!(Member::full(realm, guild, member.person));
    }
    shown
}

pub(super) fn created(state: &mut EmulatorState, id: Snowflake) {
    state.dispatch(id, "THREAD_CREATE", |realm, channel, viewer| {
        let mut payload = json!(wire::Channel::new(realm, channel, viewer.person));
        payload["newly_created"] = json!(true);
        payload
    });
}

pub(super) fn changed(state: &mut EmulatorState, id: Snowflake) {
    state.dispatch(id, "THREAD_UPDATE", |realm, channel, viewer| {
        wire::Channel::new(realm, channel, viewer.person)
    });
}

/// Archives threads in which nobody writes, until the emulator stops.
pub(crate) async fn archive_threads(emulator: Emulator) {
    let (stop, clock) = (emulator.stop().clone(), emulator.clock().clone());
    loop {
        let next = archive_idle(&emulator);
        tokio::select! {
            () = stop.cancelled() => return,
            () = clock.sleep_until(next) => {}
        }
    }
}

/// Archives the threads whose time has come, and says when to look again.
pub(super) fn archive_idle(emulator: &Emulator) -> Instant {
    let mut state = emulator.state();
    let ends = |channel: &Channel| Some((channel.archives_at()?, channel.id));
    let ends: Vec<_> = state.realm.channels.values().filter_map(ends).collect();
    let mut wait = limits::THREAD_CHECK;
    for (at, id) in ends {
        let left = Duration::try_from(at.duration_since(now())).unwrap_or_default();
        if !left.is_zero() {
            // One that begins meanwhile, or is to be archived sooner, waits no longer.
            wait = wait.min(left);
            continue;
        }
        let channel = state.realm.channels.get_mut(&id);
        if let Some(thread) = channel.and_then(Channel::thread_mut) {
            thread.archive(true);
            thread.archive_changed = at;
        }
        changed(&mut state, id);
    }
    moment() + wait
}

pub(super) fn deleted(state: &mut EmulatorState, id: Snowflake) {
    state.dispatch(id, "THREAD_DELETE", |_, channel, _| {
        json!({
            "id": channel.id,
            "guild_id": channel.guild(),
            "parent_id": channel.thread().map(|thread| thread.parent),
            "type": channel.number(),
        })
    });
}

/// Tells those who could not see a channel before of the threads in it.
pub(super) fn listed(
    state: &mut EmulatorState,
    parent: Snowflake,
    saw: impl Fn(Snowflake) -> bool,
) {
    state.dispatch_to(
        parent,
        "THREAD_LIST_SYNC",
        |subscription, _| !saw(subscription.person),
        |realm, channel, viewer| {
            let guild = realm.guild_around(channel);
            let person = viewer.person.and_then(|id| realm.person(id));
            let threads: Vec<&Channel> = guild
                .zip(person)
                .map(|(guild, person)| realm.active_threads(guild, person))
                .unwrap_or_default()
                .into_iter()
                .filter(|it| it.thread().is_some_and(|thread| thread.parent == parent))
                .collect();
            json!({
                "guild_id": channel.guild(),
                "channel_ids": [parent],
                "members": own_memberships(&threads, viewer.person),
                "threads": threads
                    .iter()
                    .map(|it| wire::Channel::new(realm, it, viewer.person))
                    .collect::<Vec<_>>(),
            })
        },
    );
}

/// A person's own place in each thread that they are in.
pub(super) fn own_memberships(threads: &[&Channel], person: Option<Snowflake>) -> Vec<Value> {
    threads
        .iter()
        .filter_map(|channel| {
            let member = channel.thread()?.member(person?)?;
            Some(json!(wire::ThreadMember::new(channel.id, member)))
        })
        .collect()
}
