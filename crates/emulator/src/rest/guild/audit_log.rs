//! Get Guild Audit Log.

use serde_json::{Value, json};

use super::{ApiResult, RequestContext, audit::shown};
use crate::{
    limits,
    realm::{AuditEntry, PermissionSet},
    rest::{
        ApiResponse,
        endpoint::{PathValues, RestEndpoint, read},
    },
    snowflake::Snowflake,
    wire::{self, User},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[read("GET /guilds/{guild}/audit-logs", list)];

/// Newest first, or oldest first after an entry.
fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), PermissionSet::VIEW_AUDIT_LOG)?;
    let limit = call.page("limit", limits::HISTORY_PAGE_DEFAULT, limits::AUDIT_PAGE)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let (before, after) = (call.anchor("before")?, call.anchor("after")?);
    let actor = call.anchor("user_id")?;
    let action = call.anchor("action_type")?;
    let fits = |entry: &&AuditEntry| {
        actor.is_none_or(|actor| entry.actor == actor)
            && action.is_none_or(|action| u64::from(entry.action.number()) == action.0)
            && before.is_none_or(|before| entry.id < before)
            && after.is_none_or(|after| entry.id > after)
    };
    let entries = guild.audit.entries.iter();
    let page: Vec<&AuditEntry> = if after.is_some() {
        entries.filter(fits).take(limit).collect()
    } else {
        entries.rev().filter(fits).take(limit).collect()
    };
    let realm = &call.state.realm;
    let mut named: Vec<Snowflake> = page
        .iter()
        .flat_map(|entry| [Some(entry.actor), entry.target])
        .flatten()
        .collect();
    named.sort_unstable();
    named.dedup();
    let users: Vec<User> = named
        .iter()
        .filter_map(|id| realm.person(*id).map(User::from))
        .collect();
    let threads: Vec<wire::Channel> = named
        .iter()
        .filter_map(|id| realm.channels.get(id))
        .filter(|channel| channel.thread().is_some())
        .map(|thread| wire::Channel::new(realm, thread, Some(call.me)))
        .collect();
    let community = &guild.community;
    let rules: Vec<Value> = community
        .rules
        .iter()
        .filter(|rule| named.contains(&rule.id))
        .map(|rule| wire::moderation_rule(guild.id, rule))
        .collect();
    let events: Vec<Value> = community
        .events
        .iter()
        .filter(|event| named.contains(&event.id))
        .map(|event| wire::scheduled_event(guild.id, event))
        .collect();
    let webhooks: Vec<Value> = realm
        .webhooks
        .iter()
        .filter(|webhook| named.contains(&webhook.id))
        .map(|webhook| wire::webhook(realm, webhook, true, false))
        .collect();
    let entries: Vec<Value> = page.into_iter().map(shown).collect();
    ApiResponse::json(json!({
        "audit_log_entries": entries,
        "users": users,
        "threads": threads,
        "application_commands": [],
        "auto_moderation_rules": rules,
        "guild_scheduled_events": events,
        "integrations": [],
        "webhooks": webhooks,
    }))
}
