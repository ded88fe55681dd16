//! What the rules of a guild do with what people write and edit.

mod matching;

use serde_json::{Value, json};

use super::{ApiError, GuildError, RequestContext, guild::changed};
pub(super) use matching::pattern;
use matching::{RuleMatch, broken};

use crate::{
    realm::{
        AuditAction, Message, MessageKind, ModerationRule, PermissionSet, RuleAction, in_guild,
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
                channel,
                rule,
                found,
                message,
                blocked: blocks,
            };
            case.act(call, action);
        }
    }
    match blocked {
        true => Err(GuildError::Blocked.into()),
        false => Ok(()),
    }
}

/// The guild whose rules hold for the caller in a channel. Bots, and those who
/// manage the guild, stand above them.
fn subject(call: &RequestContext<'_>, channel: Snowflake) -> Option<Snowflake> {
    let guild = call.state.realm.channels.get(&channel)?.guild()?;
    let guild = call.state.realm.guild(guild)?;
    let held = in_guild(guild, guild.member(call.me)?);
    let person = call.state.realm.person(call.me)?;
    (!person.bot && !held.has(PermissionSet::MANAGE_GUILD)).then_some(guild.id)
}

/// One rule that one message broke.
struct ModerationCase<'a> {
    guild: Snowflake,
    channel: Snowflake,
    rule: &'a ModerationRule,
    found: &'a RuleMatch,
    message: &'a Message,
    blocked: bool,
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
            RuleAction::BlockInteraction => None,
        };
        let mut event = json!({
            "guild_id": self.guild,
            "action": wire::rule_action(action),
            "rule_id": self.rule.id,
            "rule_trigger_type": self.rule.trigger as u8,
            "user_id": call.me,
            "channel_id": self.channel,
            "content": self.message.content,
            "matched_keyword": self.found.keyword,
            "matched_content": self.found.content,
        });
        if !self.blocked {
            event["message_id"] = json!(self.message.id);
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
            let person = Some(call.me);
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
        if !self.blocked {
            fields.push(field("flagged_message_id", json!(self.message.id)));
        }
        let embed = json!({
            "type": "auto_moderation_message",
            "description": self.message.content,
            "fields": fields,
        });
        let alert = Message {
            embeds: vec![embed],
            ..Message::plain(id, call.me, MessageKind::ModerationAlert, String::new())
        };
        if let Ok(channel) = call.channel_mut(channel) {
            channel.post(alert.clone());
        }
        call.state
            .dispatch_message(channel, &alert, MessageView::GatewayCreate);
        id
    }

    fn time_out(&self, call: &mut RequestContext<'_>, seconds: u64) {
        let me = call.me;
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
