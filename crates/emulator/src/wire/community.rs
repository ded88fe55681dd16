//! Planned events, stages, rules and sounds.

use serde_json::{Value, json};

use super::User;
use crate::{
    realm::{
        EventEntity, EventStatus, Guild, ModerationRule, Realm, RuleAction, RuleTrigger,
        ScheduledEvent, Sound, StageInstance, TriggerMetadata,
    },
    snowflake::{Snowflake, rfc3339},
};

/// Only members see it. Discord Docs/Guild Scheduled Event, Privacy Level.
const GUILD_ONLY: u8 = 2;

pub(crate) fn scheduled_event(guild: Snowflake, event: &ScheduledEvent) -> Value {
    let location = (event.entity == EventEntity::External)
        .then(|| json!({ "location": event.location.clone().unwrap_or_default() }));
    json!({
        "id": event.id,
        "guild_id": guild,
        "channel_id": event.channel,
        "creator_id": event.creator,
        "name": event.name,
        "description": event.description,
        "scheduled_start_time": rfc3339(event.begins),
        "scheduled_end_time": event.ends.map(rfc3339),
        "privacy_level": GUILD_ONLY,
        "status": event.status as u8,
        "entity_type": event.entity as u8,
        "entity_id": event.channel.filter(|_| event.status == EventStatus::Active),
        "entity_metadata": location,
        "image": event.image,
        "recurrence_rule": event.recurrence,
    })
}

/// With who planned it and, if asked for, how many are interested.
pub(crate) fn counted_event(
    realm: &Realm,
    guild: Snowflake,
    event: &ScheduledEvent,
    counted: bool,
) -> Value {
    let mut shown = scheduled_event(guild, event);
    if let Some(creator) = realm.person(event.creator) {
        shown["creator"] = json!(User::from(creator));
    }
    if counted {
        shown["user_count"] = json!(event.people.len());
    }
    shown
}

pub(crate) fn stage_instance(guild: Snowflake, stage: &StageInstance) -> Value {
    json!({
        "id": stage.id,
        "guild_id": guild,
        "channel_id": stage.channel,
        "topic": stage.topic,
        "privacy_level": GUILD_ONLY,
        "discoverable_disabled": true,
        "guild_scheduled_event_id": stage.event,
    })
}

pub(crate) fn moderation_rule(guild: Snowflake, rule: &ModerationRule) -> Value {
    json!({
        "id": rule.id,
        "guild_id": guild,
        "name": rule.name,
        "creator_id": rule.creator,
        "event_type": rule.event,
        "trigger_type": rule.trigger as u8,
        "trigger_metadata": trigger_metadata(rule.trigger, &rule.metadata),
        "actions": rule.actions.iter().map(rule_action).collect::<Vec<_>>(),
        "enabled": rule.enabled,
        "exempt_roles": rule.exempt_roles,
        "exempt_channels": rule.exempt_channels,
    })
}

/// What each kind of rule has.
fn trigger_metadata(trigger: RuleTrigger, metadata: &TriggerMetadata) -> Value {
    match trigger {
        RuleTrigger::Spam => json!({}),
        RuleTrigger::KeywordPreset => json!({
            "presets": metadata.presets,
            "allow_list": metadata.allow_list,
        }),
        RuleTrigger::MentionSpam => json!({
            "mention_total_limit": metadata.mention_total_limit,
            "mention_raid_protection_enabled": metadata.mention_raid_protection_enabled,
        }),
        RuleTrigger::Keyword | RuleTrigger::MemberProfile => json!({
            "keyword_filter": metadata.keyword_filter,
            "regex_patterns": metadata.regex_patterns,
            "allow_list": metadata.allow_list,
        }),
    }
}

pub(crate) fn rule_action(action: &RuleAction) -> Value {
    match action {
        RuleAction::Block(None) => json!({ "type": 1, "metadata": {} }),
        RuleAction::Block(Some(text)) => {
            json!({ "type": 1, "metadata": { "custom_message": text } })
        }
        RuleAction::Alert(channel) => json!({ "type": 2, "metadata": { "channel_id": channel } }),
        RuleAction::TimeOut(seconds) => {
            json!({ "type": 3, "metadata": { "duration_seconds": seconds } })
        }
        RuleAction::BlockInteraction => json!({ "type": 4, "metadata": {} }),
    }
}

/// A sound of a guild. Those who manage expressions see who made it.
pub(crate) fn sound(realm: &Realm, guild: &Guild, sound: &Sound) -> Value {
    json!({
        "sound_id": sound.id,
        "guild_id": guild.id,
        "name": sound.name,
        "volume": sound.volume,
        "emoji_id": sound.emoji.emoji_id,
        "emoji_name": sound.emoji.emoji_name,
        "available": true,
        "user": realm.person(sound.creator).map(User::from),
    })
}
