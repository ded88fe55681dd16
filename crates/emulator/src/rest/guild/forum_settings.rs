//! Tags and the look of forums, and the tags of their posts.

use super::{ApiError, GuildError, allow};
use crate::{
    limits,
    realm::{DefaultReaction, ForumSettings, ForumTag, GuildChannel, PermissionSet},
    rest::{
        body::{Fields, snowflake},
        error::Problems,
    },
    snowflake::{Mint, Snowflake},
};

/// The outer `None` leaves a setting as it is.
pub(super) struct ForumChange {
    tags: Option<Vec<TagChange>>,
    reaction: Option<Option<DefaultReaction>>,
    sort_order: Option<Option<u64>>,
    layout: Option<u64>,
}

/// A tag that is known by its id, or a new one.
struct TagChange {
    id: Option<Snowflake>,
    name: String,
    moderated: bool,
    emoji: DefaultReaction,
}

impl ForumChange {
    pub(super) fn read(body: &mut Fields<'_>) -> Self {
        let key = "default_reaction_emoji";
        let reaction = body.names(key).then(|| {
            let map = body.object(key)?;
            let mut fields = Fields::new(map, key);
            let reaction = emoji(&mut fields);
            body.problems.merge(fields.problems);
            Some(reaction)
        });
        let sort_order = body
            .names("default_sort_order")
            .then(|| body.within("default_sort_order", 0..=1));
        Self {
            tags: tags(body),
            reaction,
            sort_order,
            layout: body.within("default_forum_layout", 0..=2),
        }
    }

    pub(super) fn apply(self, forum: &mut ForumSettings, mint: &mut Mint) {
        if let Some(tags) = self.tags {
            let known: Vec<Snowflake> = forum.available_tags.iter().map(|tag| tag.id).collect();
            forum.available_tags = tags
                .into_iter()
                .map(|tag| ForumTag {
                    id: tag
                        .id
                        .filter(|id| known.contains(id))
                        .unwrap_or_else(|| mint.next()),
                    name: tag.name,
                    moderated: tag.moderated,
                    emoji: tag.emoji,
                })
                .collect();
        }
        if let Some(reaction) = self.reaction {
            forum.default_reaction_emoji = reaction;
        }
        if let Some(order) = self.sort_order {
            forum.default_sort_order = order;
        }
        forum.default_forum_layout = self.layout.unwrap_or(forum.default_forum_layout);
    }
}

fn emoji(fields: &mut Fields<'_>) -> DefaultReaction {
    DefaultReaction {
        emoji_id: fields.id("emoji_id"),
        emoji_name: fields.sized("emoji_name", 0..=64),
    }
}

fn tags(body: &mut Fields<'_>) -> Option<Vec<TagChange>> {
    let list = body.list("available_tags")?;
    if list.len() > limits::FORUM_TAGS {
        body.too_long("available_tags", limits::FORUM_TAGS);
        return None;
    }
    let mut tags = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let path = format!("available_tags.{index}");
        let Some(map) = body.problems.object(&path, value) else {
            continue;
        };
        let mut fields = Fields::new(map, &path);
        fields.require("name");
        let tag = TagChange {
            // Libraries call a new tag 0.
            id: fields.get("id").and_then(snowflake),
            name: fields
                .sized("name", 1..=limits::FORUM_TAG_CHARS)
                .unwrap_or_default(),
            moderated: fields.flag("moderated").unwrap_or(false),
            emoji: emoji(&mut fields),
        };
        body.problems.merge(fields.problems);
        tags.push(tag);
    }
    Some(tags)
}

/// The tags that a body gives to a post.
pub(in crate::rest) fn applied_tags(body: &mut Fields<'_>) -> Option<Vec<Snowflake>> {
    body.ids("applied_tags", limits::TAGS_PER_POST)
}

/// Whether a forum has these tags, and lets the caller give them or take
/// those that were there before.
pub(in crate::rest) fn may_tag(
    forum: &GuildChannel,
    held: PermissionSet,
    before: &[Snowflake],
    after: &[Snowflake],
) -> Result<(), ApiError> {
    let known = &forum.forum.available_tags;
    for id in after {
        if known.iter().all(|tag| tag.id != *id) {
            let message = "Unknown tag";
            return Err(Problems::one("applied_tags", "FORUM_TAG_UNKNOWN", message));
        }
    }
    let required = forum.flags & GuildChannel::REQUIRE_TAG != 0;
    let manages = held.has(PermissionSet::MANAGE_THREADS);
    if required && after.is_empty() && !manages {
        return Err(GuildError::TagRequired.into());
    }
    let moderated = known.iter().filter(|tag| tag.moderated);
    for tag in moderated {
        allow(manages || before.contains(&tag.id) == after.contains(&tag.id))?;
    }
    Ok(())
}
