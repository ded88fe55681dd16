//! The JSON that clients read: the realm in Discord's shapes.

mod guild;
mod message;
mod person;

pub(crate) use guild::{
    Channel, Guild, GuildCreate, GuildSummary, Role, application, application_flags,
};
pub(crate) use message::{Message, MessageView, Viewer};
pub(crate) use person::{Me, Member, User};
