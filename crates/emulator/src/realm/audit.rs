//! The audit log of a guild: who changed what, and why.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

use serde_json::Value;

use crate::{limits, snowflake::Snowflake};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AuditEntry {
    pub(crate) id: Snowflake,
    pub(crate) actor: Snowflake,
    pub(crate) action: AuditAction,
    pub(crate) target: Option<Snowflake>,
    /// Change objects as Discord shows them.
    pub(crate) changes: Vec<Value>,
    pub(crate) options: Option<Value>,
    pub(crate) reason: Option<String>,
}

/// The latest entries, oldest first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct AuditLog {
    pub(crate) entries: VecDeque<AuditEntry>,
}

impl AuditLog {
    pub(crate) fn record(&mut self, entry: AuditEntry) {
        self.entries.push_back(entry);
        while self.entries.len() > limits::AUDIT_ENTRIES {
            self.entries.pop_front();
        }
    }
}

/// Discord Docs/Audit Log, Audit Log Events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum AuditAction {
    GuildUpdate = 1,
    ChannelCreate = 10,
    ChannelUpdate = 11,
    ChannelDelete = 12,
    OverwriteCreate = 13,
    OverwriteUpdate = 14,
    OverwriteDelete = 15,
    MemberKick = 20,
    MemberPrune = 21,
    BanAdd = 22,
    BanRemove = 23,
    MemberUpdate = 24,
    MemberRoleUpdate = 25,
    MemberMove = 26,
    MemberDisconnect = 27,
    BotAdd = 28,
    RoleCreate = 30,
    RoleUpdate = 31,
    RoleDelete = 32,
    InviteCreate = 40,
    InviteDelete = 42,
    WebhookCreate = 50,
    WebhookUpdate = 51,
    WebhookDelete = 52,
    EmojiCreate = 60,
    EmojiUpdate = 61,
    EmojiDelete = 62,
    MessageDelete = 72,
    MessageBulkDelete = 73,
    MessagePin = 74,
    MessageUnpin = 75,
    IntegrationDelete = 82,
    StageCreate = 83,
    StageUpdate = 84,
    StageDelete = 85,
    StickerCreate = 90,
    StickerUpdate = 91,
    StickerDelete = 92,
    EventCreate = 100,
    EventUpdate = 101,
    EventDelete = 102,
    ThreadCreate = 110,
    ThreadUpdate = 111,
    ThreadDelete = 112,
    SoundCreate = 130,
    SoundUpdate = 131,
    SoundDelete = 132,
    RuleCreate = 140,
    RuleUpdate = 141,
    RuleDelete = 142,
    RuleBlocked = 143,
    RuleAlerted = 144,
    RuleTimedOut = 145,
    RuleQuarantined = 146,
}

impl AuditAction {
    pub(crate) fn number(self) -> u32 {
        self as u32
    }
}
