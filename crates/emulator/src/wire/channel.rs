//! Channels, threads and who takes part in them.

use serde::Serialize;

use super::User;
use crate::{
    limits,
    realm::{
        self, ChannelKind, ForumSettings, GuildChannelKind, PermissionSet, Realm, Target,
        VoiceSettings,
    },
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
    #[serde(flatten)]
    written: Option<WrittenChannel>,
    #[serde(flatten)]
    sent: Option<SentChannel>,
    position: usize,
    parent_id: Option<Snowflake>,
    nsfw: bool,
    permission_overwrites: Vec<Overwrite>,
    flags: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_auto_archive_duration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_thread_rate_limit_per_user: Option<u64>,
    #[serde(flatten)]
    voice: Option<VoiceSettings>,
    #[serde(flatten)]
    forum: Option<ForumSettings>,
}

/// What channels have that are for text first.
#[derive(Serialize)]
struct WrittenChannel {
    topic: Option<String>,
    last_pin_timestamp: Option<String>,
}

/// What channels have that messages are sent to, voice channels too.
#[derive(Serialize)]
struct SentChannel {
    last_message_id: Option<Snowflake>,
    rate_limit_per_user: u64,
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
    applied_tags: Option<Vec<Snowflake>>,
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
            ChannelKind::Guild(place) => Self::Guild(GuildChannel::new(channel, place)),
            ChannelKind::Thread(thread) => {
                Self::Thread(ThreadChannel::new(channel, thread, viewer))
            }
            ChannelKind::Direct { people } => Self::Direct(DirectChannel {
                id: channel.id,
                kind: 1,
                last_message_id: channel.last_message,
                last_pin_timestamp: channel.last_pin.map(rfc3339),
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

impl GuildChannel {
    fn new(channel: &realm::Channel, place: &realm::GuildChannel) -> Self {
        let spoken = place.kind.spoken();
        let posts = place.kind.of_posts();
        let category = place.kind == GuildChannelKind::Category;
        Self {
            id: channel.id,
            kind: place.kind.number(),
            guild_id: place.guild,
            name: place.name.clone(),
            written: (!category && !spoken).then(|| WrittenChannel {
                topic: place.topic.clone(),
                last_pin_timestamp: channel.last_pin.map(rfc3339),
            }),
            sent: (!category).then_some(SentChannel {
                last_message_id: channel.last_message,
                rate_limit_per_user: place.slow_mode,
            }),
            position: place.position,
            parent_id: place.parent,
            nsfw: place.nsfw,
            permission_overwrites: place.overwrites.iter().map(Overwrite::from).collect(),
            flags: place.flags,
            default_auto_archive_duration: place.auto_archive,
            default_thread_rate_limit_per_user: (posts || place.thread_slow_mode > 0)
                .then_some(place.thread_slow_mode),
            voice: spoken.then(|| place.voice.clone()),
            forum: posts.then(|| place.forum.clone()),
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
            last_pin_timestamp: channel.last_pin.map(rfc3339),
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
            flags: u32::from(thread.pinned) << 1,
            applied_tags: thread.post.then(|| thread.tags.clone()),
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
