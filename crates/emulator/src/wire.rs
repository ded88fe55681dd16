//! The JSON that clients read: the realm in Discord's shapes.

mod channel;
mod command;
mod guild;
mod message;
mod person;
mod webhook;

pub(crate) use channel::{Channel, ThreadMember, member_count};
pub(crate) use command::command;
pub(crate) use guild::{
    Emoji, Guild, GuildCreate, GuildSummary, Role, application, application_flags,
};
pub(crate) use message::{Message, MessageView, Viewer};
pub(crate) use person::{Me, Member, User};
pub(crate) use webhook::webhook;
