//! What Kaiwa can do on request: one declaration, one door.
//!
//! An [`Action`] is one file in the folder of its family. It declares
//! everything that decides about a call before it runs: where it may be used,
//! what the asker and the bot must be allowed to do, how long it may take. The
//! [`Door`] holds the actions of a bot in a [`Registry`] and is the only way to
//! them, in this order:
//!
//! ```text
//! available here → arguments typed → rights, now → rate → confirmation → run, timed → result
//! ```
//!
//! | action | when | needs | does |
//! |---|---|---|---|
//! | [`CurrentTime`] | in the loop | nothing | tells date and time, anywhere |
//! | [`React`] | after the reply | Add Reactions | puts an emoji on the asker's message |
//! | [`WebSearch`], [`FetchPage`] | in the loop, by command | an engine | search the web, read pages of it |
//! | [`StopAnswers`], [`Refresh`], [`Regenerate`], [`Why`], [`Status`], [`Help`] | by command | Manage Messages to stop others | the conversation itself |
//! | [`TempBan`], [`Unban`], [`BanList`], [`TimeOut`], [`Kick`], [`Warn`], [`Cases`], [`Nuke`], [`Slowmode`] | in the loop | what Discord asks of moderators, and a place above whomever it is done to | moderation, in guilds |
//! | [`OptOut`], [`OptIn`], [`EraseMe`] | by command | nothing | what is read and kept |
//!
//! From the same declarations come the tools of the model and the commands of
//! people: names and options from the type of the arguments, texts in every
//! language from `phrase/*.ftl`.
//!
//! The model is no authority. Whoever asked is looked up in the
//! [`Turn`](kaiwa_domain::Turn), never in the arguments, and
//! [`Permissions`](kaiwa_domain::port::Permissions) is asked what they may do
//! when the action is about to run, not when the model was told of it.
//! [`Action::run`] takes a [`Grant`], which only the door can make: an action
//! cannot be run past it.

mod action;
mod phrase;
mod command;
mod registry;
mod door;
#[allow(dead_code, reason = "what takes a length of time follows")]
mod duration;
mod chat;
mod clock;
mod moderation;
mod privacy;
mod session;
mod web;

pub use action::{Action, Availability, CommandEntrance, Declaration, Done, EffectClass, Needs};
pub use chat::React;
pub use clock::CurrentTime;
pub use door::{Door, DoorPorts, Grant};
pub use moderation::{
    BanList, Cases, Kick, ModerationDesk, Nuke, Slowmode, TempBan, TimeOut, Unban, Warn,
};
pub use phrase::{Phrase, PhraseArgument};
pub use privacy::{EraseMe, OptIn, OptOut};
pub use registry::Registry;
pub use session::{Help, Refresh, Regenerate, Status, StopAnswers, Why};
#[doc(hidden)]
pub use web::read_html;
pub use web::{FetchPage, PdfReader, SearchEngine, WebSearch, read_pdf_and_exit};
