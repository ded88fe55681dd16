//! What the rules of a guild do with what people write, edit and call
//! themselves.

mod matching;

use serde_json::{Value, json};

use super::{ApiError, GuildError, RequestContext, guild::changed};
pub(super) use matching::pattern;
use matching::{RuleMatch, broken, broken_by_name};

use crate::{
    realm::{
        AuditAction, Member, Message, MessageKind, ModerationRule, PermissionSet, RuleAction,
        in_guild,
    },
    snowflake::{Snowflake, now},
    wire::{self, MessageView},
};

/// What rules decided about a text: those who broke one are told so by the
/// error, and otherwise the message is sent.
pub(super) fn moderate(
    call: &mut RequestContext<'_>,
    channel: Snowflake,
    message: &Message,
) -> Result<(), ApiError> {
    let Some(guild) = subject(call, channel) else {
        return Ok(());
    };
    let Some(known) = call.state.realm.guild(guild) else {
        return Ok(());
    };
    let held: &[Snowflake] = known.member(call.me).map_or(&[], |member| &member.roles);
    let around = call.state.realm.channels.get(&channel);
    let parent = around.and_then(|channel| call.state.realm.parent(channel));
    let places = [Some(channel), parent.map(|it| it.id)];
    let broken: Vec<(ModerationRule, RuleMatch)> = known
        .community
        .rules
        .iter()
        .filter(|rule| rule.enabled && rule.event == 1)
        .filter(|rule| !rule.exempt_roles.iter().any(|role| held.contains(role)))
        .filter(|rule| {
            let mut exempt = rule.exempt_channels.iter();
            !exempt.any(|exempt| places.contains(&Some(*exempt)))
        })
        .filter_map(|rule| Some((rule.clone(), broken(rule, message)?)))
        .collect();
    let mut blocked = false;
    for (rule, found) in &broken {
        let blocks = rule
            .actions
            .iter()
            .any(|action| matches!(action, RuleAction::Block(_)));
        blocked |= blocks;
        for action in &rule.actions {
            let case = ModerationCase {
                guild,
                person: call.me,
                rule,
                found,
                channel: Some(channel),
                content: &message.content,
                kept: (!blocks).then_some(message.id),
            };
            case.act(call, action);
        }
    }
    match blocked {
        true => Err(GuildError::Blocked.into()),
        false => Ok(()),
    }
}

/// Looks at the names of a member whose profile changed. Where a rule forbids
/// one, they may only look and read until they have another.
pub(super) fn moderate_names(call: &mut RequestContext<'_>, guild: Snowflake, person: Snowflake) {
    let broken = forbidden_names(call, guild, person);
    let silences = |rule: &ModerationRule| rule.actions.contains(&RuleAction::BlockInteraction);
    let silenced = broken.iter().any(|(rule, ..)| silences(rule));
    let member = call.guild_mut(guild).ok();
    if let Some(member) = member.and_then(|guild| guild.member_mut(person)) {
        member.flags &= !Member::NAME_BLOCKED;
        if silenced {
            member.flags |= Member::NAME_BLOCKED;
        }
    }
    for (rule, name, found) in &broken {
        for action in &rule.actions {
            let case = ModerationCase {
                guild,
                person,
                rule,
                found,
                channel: None,
                content: name,
                kept: None,
            };
            case.act(call, action);
        }
    }
}

/// The rules that one of a member's names breaks.
fn forbidden_names(
    call: &RequestContext<'_>,
    guild: Snowflake,
    person: Snowflake,
) -> Vec<(ModerationRule, String, RuleMatch)> {
    let realm = &call.state.realm;
    let known = realm.guild(guild).filter(|_| below(call, guild, person));
    let Some(known) = known else {
        return Vec::new();
    };
    let member = known.member(person);
    let account = realm.person(person).map(|person| person.name.clone());
    let nickname = member.and_then(|member| member.nickname.clone());
    let names = [nickname, account];
    let held: &[Snowflake] = member.map_or(&[], |member| &member.roles);
    let rules = known.community.rules.iter();
    rules
        .filter(|rule| rule.enabled && rule.event == 2)
        .filter(|rule| !rule.exempt_roles.iter().any(|role| held.contains(role)))
        .filter_map(|rule| {
            let mut names = names.iter().flatten();
            names.find_map(|name| Some((rule.clone(), name.clone(), broken_by_name(rule, name)?)))
        })
        .collect()
}

/// The guild whose rules hold for the caller in a channel.
fn subject(call: &RequestContext<'_>, channel: Snowflake) -> Option<Snowflake> {
    let guild = call.state.realm.channels.get(&channel)?.guild()?;
    below(call, guild, call.me).then_some(guild)
}

/// Whether the rules hold for somebody. Bots, and those who manage the guild,
/// stand above them.
fn below(call: &RequestContext<'_>, guild: Snowflake, person: Snowflake) -> bool {
    let (realm, known) = (&call.state.realm, call.state.realm.guild(guild));
    let member = known.and_then(|guild| Some((guild, guild.member(person)?)));
    let manages =
        member.is_none_or(|(guild, it)| in_guild(guild, it).has(PermissionSet::MANAGE_GUILD));
    !manages && realm.person(person).is_some_and(|person| !person.bot)
}

/// One rule that one message, or one name, broke.
struct ModerationCase<'a> {
    guild: Snowflake,
    person: Snowflake,
    rule: &'a ModerationRule,
    found: &'a RuleMatch,
    /// Where it was written. Names are written nowhere.
    channel: Option<Snowflake>,
    content: &'a str,
    /// The message, unless it is blocked.
    kept: Option<Snowflake>,
}

impl ModerationCase<'_> {
    fn act(&self, call: &mut RequestContext<'_>, action: &RuleAction) {
        let alert = match action {
            RuleAction::Alert(channel) => Some(self.alert(call, *channel)),
            RuleAction::TimeOut(seconds) => {
                self.time_out(call, *seconds);
                None
            }
            RuleAction::Block(_) | RuleAction::BlockInteraction => None,
        };
        let logged = match action {
            RuleAction::Block(_) => Some(AuditAction::RuleBlocked),
            RuleAction::Alert(_) => Some(AuditAction::RuleAlerted),
            RuleAction::TimeOut(_) => Some(AuditAction::RuleTimedOut),
            RuleAction::BlockInteraction => Some(AuditAction::RuleQuarantined),
        };
        let mut event = json!({
            "guild_id": self.guild,
            "action": wire::rule_action(action),
            "rule_id": self.rule.id,
            "rule_trigger_type": self.rule.trigger as u8,
            "user_id": self.person,
            "content": self.content,
            "matched_keyword": self.found.keyword,
            "matched_content": self.found.content,
        });
        if let Some(channel) = self.channel {
            event["channel_id"] = json!(channel);
        }
        if let Some(message) = self.kept {
            event["message_id"] = json!(message);
        }
        if let Some(alert) = alert {
            event["alert_system_message_id"] = json!(alert);
        }
        let name = "AUTO_MODERATION_ACTION_EXECUTION";
        let permission = PermissionSet::MANAGE_GUILD;
        call.state
            .dispatch_guild_with(self.guild, name, permission, |_, _| event.clone());
        if let Some(logged) = logged {
            let options = json!({
                "auto_moderation_rule_name": self.rule.name,
                "auto_moderation_rule_trigger_type": (self.rule.trigger as u8).to_string(),
                "channel_id": self.channel,
            });
            let person = Some(self.person);
            call.audit(self.guild, logged, person, Vec::new(), Some(options));
        }
    }

    /// Shows those who look after the guild what was written.
    fn alert(&self, call: &mut RequestContext<'_>, channel: Snowflake) -> Snowflake {
        let id = call.state.realm.mint.next();
        let field =
            |name: &str, value: Value| json!({ "name": name, "value": value, "inline": false });
        let mut fields = vec![
            field("rule_name", json!(self.rule.name)),
            field("channel_id", json!(self.channel)),
            field("keyword", json!(self.found.keyword)),
            field("keyword_matched_content", json!(self.found.content)),
        ];
        fields.retain(|field| !field["value"].is_null());
        if let Some(message) = self.kept {
            fields.push(field("flagged_message_id", json!(message)));
        }
        let embed = json!({
            "type": "auto_moderation_message",
            "description": self.content,
            "fields": fields,
        });
        let alert = Message {
            embeds: vec![embed],
            ..Message::plain(id, self.person, MessageKind::ModerationAlert, String::new())
        };
        if let Ok(channel) = call.channel_mut(channel) {
            channel.post(alert.clone());
        }
        call.state
            .dispatch_message(channel, &alert, MessageView::GatewayCreate);
        id
    }

    fn time_out(&self, call: &mut RequestContext<'_>, seconds: u64) {
        let me = self.person;
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        let until = now().checked_add(jiff::SignedDuration::from_secs(seconds));
        if let Ok(guild) = call.guild_mut(self.guild)
            && let Some(member) = guild.member_mut(me)
        {
            member.timed_out_until = until.ok();
        }
        changed(call, self.guild, me);
    }
}
