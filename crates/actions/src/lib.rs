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
//! | [`CurrentTime`], [`Calculate`], [`Random`] | in the loop | nothing | date and time, arithmetic, chance |
//! | [`Remind`], [`ListReminders`], [`DeleteReminder`] | in the loop | nothing | what somebody is told later |
//! | [`RememberFact`], [`RecallFacts`], [`ForgetFact`], [`ShowMemory`] | in the loop, the last by command | Manage Server for what is about the server | what is remembered |
//! | [`UserInfo`], [`Avatar`] | in the loop | nothing | who somebody here is |
//! | [`React`] | after the reply | Add Reactions | puts an emoji on a message |
//! | [`Pin`], [`CreateThread`], [`HoldPoll`], [`SendSticker`] | after the reply | Discord's rights for them | what Discord's chat has besides messages |
//! | [`WebSearch`], [`FetchPage`] | in the loop, by command | an engine | search the web, read pages of it |
//! | [`StopAnswers`], [`Refresh`], [`Regenerate`], [`Why`], [`Status`], [`Help`] | by command | Manage Messages to stop others | the conversation itself |
//! | [`TempBan`], [`Unban`], [`BanList`], [`TimeOut`], [`Kick`], [`Warn`], [`Cases`], [`Nuke`], [`Slowmode`] | in the loop | what Discord asks of moderators, and a place above whomever it is done to | moderation, in guilds |
//! | [`CreatePersona`], [`EditPersona`], [`ListPersonas`], [`DeletePersona`], [`ImportPersona`], [`ExportPersona`], [`EditSprite`] | by command | Manage Server, but for the list | who speaks |
//! | [`OptOut`], [`OptIn`], [`EraseMe`], [`ExportMe`] | by command | nothing | what is read and kept |
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
mod argument;
mod phrase;
mod command;
mod registry;
mod door;
mod spoken;
mod duration;
mod listing;
mod chat;
mod clock;
mod memory;
mod moderation;
mod numbers;
mod persona;
mod privacy;
mod session;
mod web;

pub use action::{
    Action, Availability, CommandEntrance, Declaration, Description, Done, EffectClass, Needs,
};
pub use chat::{Avatar, CreateThread, HoldPoll, Pin, React, SendSticker, UserInfo};
pub use clock::{CurrentTime, DeleteReminder, ListReminders, Remind};
pub use door::{Door, DoorPorts, Grant};
pub use memory::{ForgetFact, RecallFacts, RememberFact, ShowMemory};
pub use moderation::{
    BanList, Cases, Kick, ModerationDesk, Nuke, Slowmode, TempBan, TimeOut, Unban, Warn,
};
pub use numbers::{Calculate, Random};
pub use persona::{
    CreatePersona, DeletePersona, EditPersona, EditSprite, ExportPersona, ImportPersona,
    ListPersonas, PersonaDesk,
};
pub use phrase::{Phrase, PhraseArgument};
pub use privacy::{EraseMe, ExportMe, OptIn, OptOut};
pub use registry::Registry;
pub use session::{Help, Refresh, Regenerate, Status, StopAnswers, Why};
#[doc(hidden)]
pub use web::read_html;
pub use web::{FetchPage, PdfReader, SearchEngine, WebSearch, read_pdf_and_exit};
