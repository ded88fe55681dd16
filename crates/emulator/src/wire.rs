//! The JSON that clients read: the realm in Discord's shapes.

mod channel;
mod command;
mod community;
mod expression;
mod guild;
mod message;
mod person;
mod webhook;

pub(crate) use channel::{Channel, ThreadMember, member_count};
pub(crate) use command::command;
pub(crate) use community::{
    counted_event, moderation_rule, rule_action, scheduled_event, sound, stage_instance,
};
pub(crate) use expression::{Emoji, Sticker, emoji_with_creator};
pub(crate) use guild::{
    Guild, GuildCreate, GuildSummary, Role, application, application_flags, invited_guild,
};
pub(crate) use message::{Message, MessageView, Viewer};
pub(crate) use person::{Me, Member, User};
pub(crate) use webhook::webhook;
