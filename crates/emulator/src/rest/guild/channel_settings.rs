//! What a body says of a channel, for one that is made and one that changes.

use super::{ApiError, RequestContext, allow, forum_settings::ForumChange};
use crate::{
    limits,
    realm::{Guild, GuildChannel, GuildChannelKind, Overwrite, PermissionSet, Target},
    rest::{body::Fields, error::Problems},
    snowflake::Snowflake,
};

/// The outer `None` leaves a setting as it is.
pub(in crate::rest) struct ChannelChange {
    name: Option<String>,
    kind: Option<GuildChannelKind>,
    topic: Option<Option<String>>,
    position: Option<usize>,
    pub(in crate::rest) parent: Option<Option<Snowflake>>,
    nsfw: Option<bool>,
    slow_mode: Option<u64>,
    thread_slow_mode: Option<u64>,
    auto_archive: Option<u64>,
    flags: Option<u64>,
    pub(in crate::rest) overwrites: Option<Vec<Overwrite>>,
    bitrate: Option<u64>,
    user_limit: Option<u64>,
    rtc_region: Option<Option<String>>,
    video_quality: Option<u64>,
    forum: ForumChange,
}

/// Flags that can be set: that posts need a tag, and that media have no
/// download button.
const SETTABLE_FLAGS: u64 = GuildChannel::REQUIRE_TAG | 1 << 15;

impl ChannelChange {
    /// Reads the body for a channel of a kind. Without `own`, it is made.
    pub(in crate::rest) fn read(
        call: &RequestContext<'_>,
        guild: &Guild,
        kind: GuildChannelKind,
        own: Option<Snowflake>,
    ) -> Result<Self, ApiError> {
        let mut body = Fields::new(&call.body.json, "");
        if own.is_none() {
            body.require("name");
        }
        let topic_chars = if kind.of_posts() {
            limits::FORUM_TOPIC_CHARS
        } else {
            limits::TOPIC_CHARS
        };
        let seats = if kind == GuildChannelKind::Stage {
            10_000
        } else {
            99
        };
        let topic = body
            .names("topic")
            .then(|| body.sized("topic", 0..=topic_chars));
        let region = body.names("rtc_region").then(|| body.text("rtc_region"));
        let parent = body.names("parent_id").then(|| body.id("parent_id"));
        let position = body.number("position");
        let change = Self {
            name: name(&mut body, kind),
            kind: own.and_then(|_| converted(&mut body, kind)),
            topic: topic.map(|topic| topic.filter(|text| !text.is_empty())),
            position: position.and_then(|it| usize::try_from(it).ok()),
            parent,
            nsfw: body.flag("nsfw"),
            slow_mode: body.within("rate_limit_per_user", 0..=limits::SLOW_MODE),
            thread_slow_mode: body
                .within("default_thread_rate_limit_per_user", 0..=limits::SLOW_MODE),
            auto_archive: auto_archive(&mut body),
            flags: body.number("flags").map(|flags| flags & SETTABLE_FLAGS),
            overwrites: overwrites(&mut body, guild),
            bitrate: body.within("bitrate", limits::BITRATE),
            user_limit: body.within("user_limit", 0..=seats),
            rtc_region: region,
            video_quality: body.within("video_quality_mode", 1..=2),
            forum: ForumChange::read(&mut body),
        };
        body.problems.into_result()?;
        if let Some(Some(parent)) = change.parent {
            check_parent(call, guild, kind, parent, own)?;
        }
        Ok(change)
    }

    /// Only what the caller may do themselves can be allowed or denied, and
    /// only administrators hand on the right to do so.
    pub(in crate::rest) fn check_overwrites(
        &self,
        held: PermissionSet,
        before: &[Overwrite],
    ) -> Result<(), ApiError> {
        let Some(overwrites) = &self.overwrites else {
            return Ok(());
        };
        for overwrite in overwrites {
            let old = before.iter().find(|it| it.target == overwrite.target);
            let asked = match old {
                Some(old) => overwrite.changed_from(old),
                None => overwrite.allow.with(overwrite.deny),
            };
            allow(held.has(asked))?;
            let hands_on = asked.has(PermissionSet::MANAGE_ROLES);
            allow(!hands_on || held.has(PermissionSet::ADMINISTRATOR))?;
        }
        Ok(())
    }

    pub(in crate::rest) fn apply(
        self,
        channel: &mut GuildChannel,
        mint: &mut crate::snowflake::Mint,
    ) {
        let kept = |new: Option<u64>, old: u64| new.unwrap_or(old);
        if let Some(name) = self.name {
            channel.name = name;
        }
        channel.kind = self.kind.unwrap_or(channel.kind);
        if let Some(topic) = self.topic {
            channel.topic = topic;
        }
        channel.position = self.position.unwrap_or(channel.position);
        if let Some(parent) = self.parent {
            channel.parent = parent;
        }
        channel.nsfw = self.nsfw.unwrap_or(channel.nsfw);
        channel.slow_mode = kept(self.slow_mode, channel.slow_mode);
        channel.thread_slow_mode = kept(self.thread_slow_mode, channel.thread_slow_mode);
        channel.auto_archive = self.auto_archive.or(channel.auto_archive);
        channel.flags = kept(self.flags, channel.flags);
        if let Some(overwrites) = self.overwrites {
            channel.overwrites = overwrites;
        }
        let voice = &mut channel.voice;
        voice.bitrate = kept(self.bitrate, voice.bitrate);
        voice.user_limit = kept(self.user_limit, voice.user_limit);
        if let Some(region) = self.rtc_region {
            voice.rtc_region = region;
        }
        voice.video_quality_mode = kept(self.video_quality, voice.video_quality_mode);
        self.forum.apply(&mut channel.forum, mint);
    }
}

/// Names of text channels are in lower case and have no spaces.
fn name(body: &mut Fields<'_>, kind: GuildChannelKind) -> Option<String> {
    let name = body.sized("name", 1..=limits::CHANNEL_NAME_CHARS)?;
    let spaced = kind.spoken() || kind == GuildChannelKind::Category;
    if spaced {
        return Some(name);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    Some(words.join("-").to_lowercase())
}

/// Text and announcement channels become each other, and no others do.
fn converted(body: &mut Fields<'_>, from: GuildChannelKind) -> Option<GuildChannelKind> {
    let number = body.number("type")?;
    let to = GuildChannelKind::from_number(number);
    let plain = |kind| {
        matches!(
            kind,
            GuildChannelKind::Text | GuildChannelKind::Announcement
        )
    };
    match to {
        Some(to) if to == from || (plain(to) && plain(from)) => Some(to),
        _ => {
            body.wrong("type", "BASE_TYPE_CHOICES", "Value must be one of (0, 5).");
            None
        }
    }
}

fn auto_archive(body: &mut Fields<'_>) -> Option<u64> {
    let key = "default_auto_archive_duration";
    let minutes = body.number(key)?;
    if limits::AUTO_ARCHIVE.contains(&minutes) {
        return Some(minutes);
    }
    let message = "Value must be one of (60, 1440, 4320, 10080).";
    body.wrong(key, "BASE_TYPE_CHOICES", message);
    None
}

fn overwrites(body: &mut Fields<'_>, guild: &Guild) -> Option<Vec<Overwrite>> {
    let list = body.list("permission_overwrites")?;
    if list.len() > limits::OVERWRITES {
        body.too_long("permission_overwrites", limits::OVERWRITES);
        return None;
    }
    let mut overwrites: Vec<Overwrite> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let path = format!("permission_overwrites.{index}");
        let Some(map) = body.problems.object(&path, value) else {
            continue;
        };
        let mut fields = Fields::new(map, &path);
        fields.require("id");
        let (id, kind) = (fields.id("id"), fields.within("type", 0..=1));
        let allow = fields.number("allow").unwrap_or(0);
        let deny = fields.number("deny").unwrap_or(0);
        body.problems.merge(fields.problems);
        let Some(id) = id else { continue };
        // Without a type, an id that is no role's is a member's.
        let role = kind.map_or(guild.role(id).is_some(), |kind| kind == 0);
        let target = if role {
            Target::Role(id)
        } else {
            Target::Member(id)
        };
        overwrites.retain(|known| known.target != target);
        overwrites.push(Overwrite {
            target,
            allow: PermissionSet::from_bits(allow),
            deny: PermissionSet::from_bits(deny),
        });
    }
    Some(overwrites)
}

fn check_parent(
    call: &RequestContext<'_>,
    guild: &Guild,
    kind: GuildChannelKind,
    parent: Snowflake,
    own: Option<Snowflake>,
) -> Result<(), ApiError> {
    let channels = &call.state.realm.channels;
    let known = channels
        .get(&parent)
        .filter(|it| it.guild() == Some(guild.id));
    let problem = match known {
        None => Some(("CHANNEL_PARENT_INVALID", "Category does not exist")),
        Some(parent) if !parent.category() => {
            Some(("CHANNEL_PARENT_INVALID_TYPE", "Not a category"))
        }
        Some(_) if kind == GuildChannelKind::Category => Some((
            "CHANNEL_PARENT_INVALID_TYPE",
            "Categories cannot be in categories",
        )),
        Some(_) => None,
    };
    if let Some((code, message)) = problem {
        return Err(Problems::one("parent_id", code, message));
    }
    let inside = channels.values().filter(|it| {
        Some(it.id) != own && it.of_guild().is_some_and(|it| it.parent == Some(parent))
    });
    if inside.count() >= limits::CHANNELS_PER_CATEGORY {
        let message = "Maximum number of channels in category reached (50)";
        return Err(Problems::one(
            "parent_id",
            "CHANNEL_PARENT_MAX_CHANNELS",
            message,
        ));
    }
    Ok(())
}
