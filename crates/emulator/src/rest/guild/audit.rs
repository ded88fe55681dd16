//! Writing the audit log.

use serde_json::{Value, json};

use super::RequestContext;
use crate::{
    realm::{AuditAction, AuditEntry, PermissionSet},
    snowflake::Snowflake,
};

impl RequestContext<'_> {
    /// Notes what became of something, by those of its fields that the log
    /// tells: nothing before it was made, and after it is gone.
    pub(in crate::rest) fn audit_change(
        &mut self,
        guild: Snowflake,
        action: AuditAction,
        target: Snowflake,
        [before, after]: [&Value; 2],
        logged: &[&str],
    ) {
        let changes = changes(before, after, logged);
        self.audit(guild, action, Some(target), changes, None);
    }

    /// Notes what the caller did, and tells those who may read the log.
    pub(in crate::rest) fn audit(
        &mut self,
        guild: Snowflake,
        action: AuditAction,
        target: Option<Snowflake>,
        changes: Vec<Value>,
        options: Option<Value>,
    ) {
        let entry = AuditEntry {
            id: self.state.realm.mint.next(),
            actor: self.me,
            action,
            target,
            changes,
            options,
            reason: self.reason.clone(),
        };
        let shown = shown(&entry);
        if let Ok(guild) = self.guild_mut(guild) {
            guild.audit.record(entry);
        }
        let name = "GUILD_AUDIT_LOG_ENTRY_CREATE";
        let permission = PermissionSet::VIEW_AUDIT_LOG;
        self.state
            .dispatch_guild_with(guild, name, permission, |_, guild| {
                let mut payload = shown.clone();
                payload["guild_id"] = json!(guild.id);
                payload
            });
    }
}

/// An entry. Discord Docs/Audit Log, Audit Log Entry.
pub(super) fn shown(entry: &AuditEntry) -> Value {
    let mut shown = json!({
        "id": entry.id,
        "user_id": entry.actor,
        "target_id": entry.target,
        "action_type": entry.action.number(),
    });
    if !entry.changes.is_empty() {
        shown["changes"] = json!(entry.changes);
    }
    if let Some(options) = &entry.options {
        shown["options"] = options.clone();
    }
    if let Some(reason) = &entry.reason {
        shown["reason"] = json!(reason);
    }
    shown
}

/// How a thing changed, by its fields. Null stands for a thing that was not
/// there before, or is not there any more.
pub(in crate::rest) fn changes(before: &Value, after: &Value, keys: &[&str]) -> Vec<Value> {
    keys.iter()
        .filter(|key| before.get(**key) != after.get(**key))
        .map(|key| {
            let mut change = json!({ "key": key });
            for (side, thing) in [("old_value", before), ("new_value", after)] {
                match thing.get(*key) {
                    None | Some(Value::Null) => {}
                    Some(value) => change[side] = value.clone(),
                }
            }
            change
        })
        .collect()
}
