//! Channels, threads and who takes part in them.

use serde::Serialize;

use super::User;
use crate::{
    limits,
    realm::{self, ChannelKind, GuildChannelKind, PermissionSet, Realm, Target},
    snowflake::{Snowflake, rfc3339},
};

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Channel {
    Guild(GuildChannel),
    Thread(ThreadChannel),
    Direct(DirectChannel),
}

#[derive(Serialize)]
pub(crate) struct GuildChannel {
    id: Snowflake,
    #[serde(rename = "type")]
    kind: u8,
    guild_id: Snowflake,
    name: String,
    topic: Option<String>,
    position: usize,
    parent_id: Option<Snowflake>,
    last_message_id: Option<Snowflake>,
    last_pin_timestamp: Option<String>,
    nsfw: bool,
    rate_limit_per_user: u32,
    permission_overwrites: Vec<Overwrite>,
    flags: u32,
    #[serde(flatten)]
    voice: Option<VoicePart>,
    #[serde(flatten)]
    forum: Option<ForumPart>,
}

#[derive(Serialize)]
struct VoicePart {
    bitrate: u32,
    user_limit: u32,
    rtc_region: Option<String>,
}

#[derive(Serialize)]
struct ForumPart {
    available_tags: [(); 0],
    default_reaction_emoji: Option<()>,
    default_sort_order: Option<u8>,
    default_forum_layout: u8,
    default_thread_rate_limit_per_user: u32,
}

#[derive(Serialize)]
struct Overwrite {
    id: Snowflake,
    #[serde(rename = "type")]
    kind: u8,
    allow: PermissionSet,
    deny: PermissionSet,
}

#[derive(Serialize)]
pub(crate) struct ThreadChannel {
    id: Snowflake,
    #[serde(rename = "type")]
    kind: u8,
    guild_id: Snowflake,
    parent_id: Snowflake,
    owner_id: Snowflake,
    name: String,
    last_message_id: Option<Snowflake>,
    last_pin_timestamp: Option<String>,
    message_count: usize,
    member_count: usize,
    total_message_sent: usize,
    rate_limit_per_user: u64,
    thread_metadata: ThreadMetadata,
    flags: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    applied_tags: Option<[(); 0]>,
    /// The viewer's own place in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<ThreadMember>,
}

#[derive(Serialize)]
struct ThreadMetadata {
    archived: bool,
    auto_archive_duration: u64,
    archive_timestamp: String,
    locked: bool,
    /// Of private threads only.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitable: Option<bool>,
    create_timestamp: String,
}

#[derive(Serialize)]
pub(crate) struct ThreadMember {
    id: Snowflake,
    user_id: Snowflake,
    join_timestamp: String,
    flags: u32,
}

impl ThreadMember {
    pub(crate) fn new(thread: Snowflake, member: &realm::ThreadMember) -> Self {
        Self {
            id: thread,
            user_id: member.person,
            join_timestamp: rfc3339(member.joined),
            flags: 0,
        }
    }
}

/// How many take part in a thread, as far as Discord counts.
pub(crate) fn member_count(channel: &realm::Channel) -> usize {
    let members = channel.thread().map_or(0, |thread| thread.members.len());
    members.min(limits::THREAD_MEMBERS_COUNTED)
}

#[derive(Serialize)]
pub(crate) struct DirectChannel {
    id: Snowflake,
    #[serde(rename = "type")]
    kind: u8,
    last_message_id: Option<Snowflake>,
    last_pin_timestamp: Option<String>,
    recipients: Vec<User>,
    flags: u32,
}

impl Channel {
    /// The recipients of a direct message are those who are not the viewer.
    pub(crate) fn new(realm: &Realm, channel: &realm::Channel, viewer: Option<Snowflake>) -> Self {
        match &channel.kind {
            ChannelKind::Guild {
                guild,
                kind,
                name,
                topic,
                position,
                overwrites,
            } => Self::Guild(GuildChannel {
                id: channel.id,
                kind: kind.number(),
                guild_id: *guild,
                name: name.clone(),
                topic: topic.clone(),
                position: *position,
                parent_id: None,
                last_message_id: channel.last_message,
                last_pin_timestamp: None,
                nsfw: false,
                rate_limit_per_user: 0,
                permission_overwrites: overwrites.iter().map(Overwrite::from).collect(),
                flags: 0,
                voice: (*kind == GuildChannelKind::Voice).then_some(VoicePart {
                    bitrate: 64_000,
                    user_limit: 0,
                    rtc_region: None,
                }),
                forum: (*kind == GuildChannelKind::Forum).then_some(ForumPart {
                    available_tags: [],
                    default_reaction_emoji: None,
                    default_sort_order: None,
                    default_forum_layout: 0,
                    default_thread_rate_limit_per_user: 0,
                }),
            }),
            ChannelKind::Thread(thread) => {
                Self::Thread(ThreadChannel::new(channel, thread, viewer))
            }
            ChannelKind::Direct { people } => Self::Direct(DirectChannel {
                id: channel.id,
                kind: 1,
                last_message_id: channel.last_message,
                last_pin_timestamp: None,
                recipients: people
                    .iter()
                    .filter(|id| Some(**id) != viewer)
                    .filter_map(|id| realm.person(*id).map(User::from))
                    .collect(),
                flags: 0,
            }),
        }
    }
}

impl ThreadChannel {
    fn new(channel: &realm::Channel, thread: &realm::Thread, viewer: Option<Snowflake>) -> Self {
        let private = thread.kind == realm::ThreadKind::Private;
        Self {
            id: channel.id,
            kind: thread.kind.number(),
            guild_id: thread.guild,
            parent_id: thread.parent,
            owner_id: thread.owner,
            name: thread.name.clone(),
            last_message_id: channel.last_message,
            last_pin_timestamp: None,
            message_count: thread.messages,
            member_count: member_count(channel),
            total_message_sent: thread.sent,
            rate_limit_per_user: thread.slow_mode,
            thread_metadata: ThreadMetadata {
                archived: thread.archived,
                auto_archive_duration: thread.auto_archive,
                archive_timestamp: rfc3339(thread.archive_changed),
                locked: thread.locked,
                invitable: private.then_some(thread.invitable),
                create_timestamp: rfc3339(thread.created),
            },
            flags: 0,
            applied_tags: thread.post.then_some([]),
            member: viewer
                .and_then(|viewer| thread.member(viewer))
                .map(|member| ThreadMember::new(channel.id, member)),
        }
    }
}

impl From<&realm::Overwrite> for Overwrite {
    fn from(overwrite: &realm::Overwrite) -> Self {
        let (kind, id) = match overwrite.target {
            Target::Role(id) => (0, id),
            Target::Member(id) => (1, id),
        };
        Self {
            id,
            kind,
            allow: overwrite.allow,
            deny: overwrite.deny,
        }
    }
}
