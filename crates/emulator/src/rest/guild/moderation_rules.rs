//! Auto moderation: the rules of a guild.

use serde_json::Value;

use super::{ApiError, ApiResult, GuildError, RequestContext};
use crate::{
    limits,
    realm::{AuditAction, Guild, ModerationRule, PermissionSet, RuleAction, RuleTrigger},
    rest::{
        ApiResponse,
        auto_moderation::pattern,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
    },
    snowflake::Snowflake,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/auto-moderation/rules", list),
    write("POST /guilds/{guild}/auto-moderation/rules", create),
    read("GET /guilds/{guild}/auto-moderation/rules/{rule}", one),
    write("PATCH /guilds/{guild}/auto-moderation/rules/{rule}", modify),
    write(
        "DELETE /guilds/{guild}/auto-moderation/rules/{rule}",
        delete,
    ),
];

const MANAGE: PermissionSet = PermissionSet::MANAGE_GUILD;

/// What the audit log tells of a rule.
const LOGGED: [&str; 8] = [
    "name",
    "event_type",
    "trigger_type",
    "trigger_metadata",
    "actions",
    "enabled",
    "exempt_roles",
    "exempt_channels",
];

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), MANAGE)?;
    let rules = guild.community.rules.iter();
    let shown: Vec<Value> = rules
        .map(|rule| wire::moderation_rule(guild.id, rule))
        .collect();
    ApiResponse::json(shown)
}

fn find(guild: &Guild, id: Snowflake) -> Result<&ModerationRule, ApiError> {
    let rule = guild.community.rules.iter().find(|rule| rule.id == id);
    rule.ok_or(GuildError::UnknownRule.into())
}

fn one(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), MANAGE)?;
    let rule = find(guild, path.id(1))?;
    ApiResponse::json(wire::moderation_rule(guild.id, rule))
}

fn create(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let id = path.id(0);
    let guild = call.guild_with(id, MANAGE)?;
    let mut body = Fields::new(&call.body.json, "");
    for key in ["name", "event_type", "trigger_type", "actions"] {
        body.require(key);
    }
    let trigger = body.number("trigger_type");
    let known = trigger.and_then(RuleTrigger::from_number);
    if trigger.is_some() && known.is_none() {
        let message = "Value must be one of {1, 3, 4, 5, 6}.";
        body.wrong("trigger_type", "BASE_TYPE_CHOICES", message);
    }
    let mut rule = ModerationRule {
        id: Snowflake(0),
        creator: call.me,
        name: String::new(),
        event: 1,
        trigger: known.unwrap_or(RuleTrigger::Keyword),
        metadata: Default::default(),
        actions: Vec::new(),
        enabled: false,
        exempt_roles: Vec::new(),
        exempt_channels: Vec::new(),
    };
    read_into(call, guild, &mut rule, &mut body);
    body.problems.into_result()?;
    let alike = guild.community.rules.iter();
    let alike = alike.filter(|it| it.trigger == rule.trigger).count();
    if alike >= rule.trigger.most() {
        return Err(GuildError::TooManyRules.into());
    }
    rule.id = call.state.realm.mint.next();
    let rule_id = rule.id;
    let answer = wire::moderation_rule(id, &rule);
    call.guild_mut(id)?.community.rules.push(rule);
    announce(call, id, "AUTO_MODERATION_RULE_CREATE", &answer);
    let action = AuditAction::RuleCreate;
    call.audit_change(id, action, rule_id, [&Value::Null, &answer], &LOGGED);
    Ok(ApiResponse::Json(answer))
}

/// Only those who manage the guild are told.
fn announce(call: &mut RequestContext<'_>, guild: Snowflake, name: &'static str, rule: &Value) {
    call.state
        .dispatch_guild_with(guild, name, MANAGE, |_, _| rule.clone());
}

fn read_into(
    call: &RequestContext<'_>,
    guild: &Guild,
    rule: &mut ModerationRule,
    body: &mut Fields<'_>,
) {
    if let Some(name) = body.sized("name", 1..=100) {
        rule.name = name;
    }
    rule.event = body.within("event_type", 1..=2).unwrap_or(rule.event);
    rule.enabled = body.flag("enabled").unwrap_or(rule.enabled);
    if let Some(roles) = body.ids("exempt_roles", limits::RULE_EXEMPT_ROLES) {
        rule.exempt_roles = roles;
    }
    if let Some(channels) = body.ids("exempt_channels", limits::RULE_EXEMPT_CHANNELS) {
        rule.exempt_channels = channels;
    }
    metadata(rule, body);
    if let Some(list) = body.list("actions") {
        if list.is_empty() || list.len() > limits::RULE_ACTIONS {
            let message = format!("Must be between 1 and {} in length.", limits::RULE_ACTIONS);
            body.wrong("actions", "BASE_TYPE_BAD_LENGTH", &message);
        }
        let list = list.iter().take(limits::RULE_ACTIONS).enumerate();
        let read = list.filter_map(|(at, value)| action(call, guild, rule, body, at, value));
        rule.actions = read.collect();
    }
}

fn metadata(rule: &mut ModerationRule, body: &mut Fields<'_>) {
    let Some(map) = body.object("trigger_metadata") else {
        let needed = matches!(
            rule.trigger,
            RuleTrigger::Keyword | RuleTrigger::KeywordPreset | RuleTrigger::MentionSpam
        );
        // A new rule has looked for nothing before.
        if needed && rule.id == Snowflake(0) {
            body.require("trigger_metadata");
        }
        return;
    };
    let mut inside = Fields::new(map, "trigger_metadata");
    let kept = &mut rule.metadata;
    for (key, most, chars, place) in [
        ("keyword_filter", 1000, 60, &mut kept.keyword_filter),
        ("regex_patterns", 10, 260, &mut kept.regex_patterns),
        ("allow_list", 1000, 60, &mut kept.allow_list),
    ] {
        if let Some(words) = texts(&mut inside, key, most, chars) {
            *place = words;
        }
    }
    for (at, text) in kept.regex_patterns.iter().enumerate() {
        if pattern(text).is_err() {
            let key = format!("regex_patterns.{at}");
            let code = "AUTO_MODERATION_INVALID_REGEX";
            inside.wrong(&key, code, "Invalid regular expression");
        }
    }
    if let Some(list) = inside.list("presets") {
        kept.presets = list.iter().filter_map(Value::as_u64).take(3).collect();
    }
    if let Some(most) = inside.within("mention_total_limit", 0..=50) {
        kept.mention_total_limit = most;
    }
    if let Some(flag) = inside.flag("mention_raid_protection_enabled") {
        kept.mention_raid_protection_enabled = flag;
    }
    body.problems.merge(inside.problems);
}

/// Texts of a list, of which there may be so many, each with so many
/// characters.
fn texts(body: &mut Fields<'_>, key: &str, most: usize, chars: usize) -> Option<Vec<String>> {
    let list = body.list(key)?;
    if list.len() > most {
        let message = format!("Must be {most} or fewer in length.");
        body.wrong(key, "BASE_TYPE_MAX_LENGTH", &message);
        return None;
    }
    let mut texts = Vec::new();
    for (index, value) in list.iter().enumerate() {
        match value.as_str() {
            Some(text) if (1..=chars).contains(&text.chars().count()) => {
                texts.push(text.to_owned());
            }
            _ => {
                let message = format!("Must be between 1 and {chars} in length.");
                body.wrong(&format!("{key}.{index}"), "BASE_TYPE_BAD_LENGTH", &message);
            }
        }
    }
    Some(texts)
}

fn action(
    call: &RequestContext<'_>,
    guild: &Guild,
    rule: &ModerationRule,
    body: &mut Fields<'_>,
    at: usize,
    value: &Value,
) -> Option<RuleAction> {
    let path = format!("actions.{at}");
    let empty = serde_json::Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let mut outer = Fields::new(map, &path);
    outer.require("type");
    let kind = outer.within("type", 1..=4);
    let metadata = outer.object("metadata").unwrap_or(&empty);
    let mut inner = Fields::new(metadata, &format!("{path}.metadata"));
    let read = match kind? {
        1 => RuleAction::Block(inner.sized("custom_message", 0..=150)),
        2 => {
            inner.require("channel_id");
            let channel = inner.id("channel_id");
            let known = channel.and_then(|id| call.state.realm.channels.get(&id));
            if channel.is_some() && known.and_then(|it| it.guild()) != Some(guild.id) {
                inner.wrong("channel_id", "CHANNEL_INVALID", "Invalid channel");
            }
            RuleAction::Alert(channel.unwrap_or(Snowflake(0)))
        }
        3 => {
            inner.require("duration_seconds");
            let timed = matches!(
                rule.trigger,
                RuleTrigger::Keyword | RuleTrigger::MentionSpam
            );
            if !timed {
                let code = "AUTO_MODERATION_INVALID_ACTION_TYPE";
                outer.wrong("type", code, "Invalid action type for this trigger");
            }
            let seconds = inner.within("duration_seconds", 0..=limits::RULE_TIMEOUT_SECONDS);
            RuleAction::TimeOut(seconds.unwrap_or(0))
        }
        _ => RuleAction::BlockInteraction,
    };
    body.problems.merge(outer.problems);
    body.problems.merge(inner.problems);
    Some(read)
}

fn modify(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, rule_id) = (path.id(0), path.id(1));
    let guild = call.guild_with(id, MANAGE)?;
    let mut rule = find(guild, rule_id)?.clone();
    let before = wire::moderation_rule(id, &rule);
    let mut body = Fields::new(&call.body.json, "");
    read_into(call, guild, &mut rule, &mut body);
    body.problems.into_result()?;
    let after = wire::moderation_rule(id, &rule);
    let rules = call.guild_mut(id)?.community.rules.iter_mut();
    if let Some(known) = rules.into_iter().find(|known| known.id == rule_id) {
        *known = rule;
    }
    announce(call, id, "AUTO_MODERATION_RULE_UPDATE", &after);
    let action = AuditAction::RuleUpdate;
    call.audit_change(id, action, rule_id, [&before, &after], &LOGGED);
    Ok(ApiResponse::Json(after))
}

fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, rule_id) = (path.id(0), path.id(1));
    let guild = call.guild_with(id, MANAGE)?;
    let gone = wire::moderation_rule(id, find(guild, rule_id)?);
    let rules = &mut call.guild_mut(id)?.community.rules;
    rules.retain(|rule| rule.id != rule_id);
    announce(call, id, "AUTO_MODERATION_RULE_DELETE", &gone);
    let action = AuditAction::RuleDelete;
    call.audit_change(id, action, rule_id, [&gone, &Value::Null], &LOGGED);
    Ok(ApiResponse::NoContent)
}
