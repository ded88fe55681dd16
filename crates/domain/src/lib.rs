//! The vocabulary of Kaiwa. Every other crate speaks in these words.
//!
//! | word | meaning |
//! |---|---|
//! | [`Scope`] | who owns a row: one guild, or one user's direct messages |
//! | [`Event`] | something that happened, on Discord or by the clock |
//! | [`Message`] | what somebody wrote |
//! | [`Interaction`] | what somebody did with a control of ours: a slash command, a button, a form |
//! | [`Trigger`] | what a turn answers: a message, an interaction, a join, a schedule |
//! | [`Turn`] | one trip through the pipeline, named by its trigger and a take |
//! | [`Persona`] | who speaks: the bot itself, or an alter |
//! | [`Identity`] | how a persona appears: a name and a picture of its own, by a webhook |
//! | [`Setting`](settings::Setting) | one declared knob, with a value per layer: instance, guild, channel, persona |
//! | [`Brief`] | everything the model is told for one turn |
//! | [`Role`] | what a model is asked for: to talk, to think hard, to look |
//! | [`Tool`] | an action as the model sees it: what it may ask us to do |
//! | [`Rights`] | what somebody may do in a channel: Discord's permissions |
//! | [`Delta`] | one piece of what the model says back |
//! | [`Bill`] | what one call to a model cost; an [`Expense`] is one on somebody's account |
//! | [`Outgoing`] | one thing to show on Discord |
//! | [`Effect`] | one change in the world, with its place in the outbox |
//! | [`Offer`] | a call that waits for somebody's click |
//! | [`Table`] | a table in an answer, shown as a picture or as text |
//! | [`File`] | text that is sent as a file, such as long code |
//! | [`Fact`] | something that is remembered, with who may hear of it |
//! | [`Schedule`] | what is to be done at a certain time, once or again and again |
//! | [`Note`] | what the model wrote down about a conversation, for a while |
//! | [`PromptSnapshot`] | what the model was told for one turn, to look at later |
//! | [`Case`] | something that was done to a member of a guild, with a number |
//! | [`CodeFence`] | a line that opens code in markdown, and what closes it |
//! | [`MarkupTag`] | a tag that a model writes, such as those around its thoughts |
//! | [`Newcomer`] | somebody who joined, and what is still owed to them |
//! | [`Notice`] | what a user reads when something went wrong |
//!
//! Nothing here does IO, reads a clock or knows an async runtime. The world is
//! reached through the traits in [`port`].

pub mod limits;

mod id;
mod time;
mod scope;
mod rights;
mod trigger;
mod persona;
mod identity;
mod webhook;
pub mod settings;
mod event;
mod interaction;
mod turn;
mod brief;
mod delta;
mod expense;
pub mod table;
mod file;
mod sticker;
mod effect;
mod offer;
mod notice;
mod failure;
mod markup;
mod fence;
mod memory;
mod moderation;
mod newcomer;
mod schedule;
pub mod port;
mod dice;
mod rate;
mod tokens;

pub use brief::{
    Abilities, Brief, Image, Line, Manner, Payer, Role, SealedThought, Thinking, Tool, ToolResult,
    When,
};
pub use delta::{Delta, Finish, Thought, ThoughtKind, ToolCall, ToolPiece, Usage};
pub use dice::SeededDice;
pub use effect::{
    Effect, EffectBody, EffectState, LiveMessage, Nonce, Outgoing, PersonalFile, Pings,
    RetireTarget, Settlement, ThoughtPage,
};
pub use event::{
    Attachment, Author, AuthorKind, ChannelKind, ChannelSnapshot, Cue, Embed, Event, Forward,
    GuildEmoji, GuildSnapshot, Instruction, Me, MemberSnapshot, Mention, Message, Poll, Question,
    Reaction, Reply, ScheduledTask,
};
pub use expense::{Bill, Expense, Spender, Spent};
pub use failure::{
    ChatError, Disposition, ModelError, Remedy, RightsHolder, StoreError, ToolError,
};
pub use fence::CodeFence;
pub use file::File;
pub use id::{ChannelId, EmojiId, GuildId, InteractionId, MessageId, RoleId, UserId, WebhookId};
pub use identity::{Identity, Portrait};
pub use interaction::{
    Acknowledgement, Button, ButtonLook, CommandCall, CommandOption, Form, FormField, Interaction,
    InteractionKind, Localized, OptionChoice, OptionKind, ResponseHandle, SlashCommand, ValueKind,
};
pub use markup::{MarkupTag, Miss};
pub use memory::{
    Audience, DataSubject, DecisionRecord, Export, ExportCell, ExportTable, FACT_CHARS,
    FACTS_PER_PERSON, FACTS_PER_SCOPE, Fact, FactId, FactSource, NOTE_CHARS, NOTES_PER_CHANNEL,
    NewFact, Note, PromptSection, PromptSnapshot,
};
pub use moderation::{
    BanEnd, BanRegister, Case, CaseKind, CaseState, NewCase, REASON_CHARS, is_ban_of_ours,
};
pub use newcomer::{AutoRole, Newcomer, RaidGuard, Welcome};
pub use notice::Notice;
pub use offer::{ActionRecord, Offer, OfferId, OfferKind, OfferState, RecordedOutcome};
pub use persona::{
    BadPersona, CARD_BYTES, CARD_PIXELS, CardFormat, DIALOGUE_CHARS, DIALOGUES_PER_PERSONA,
    LORE_CHARS, LORE_KEYS, LORE_PER_PERSONA, LoreEntry, PERSONA_NAME_CHARS, PERSONALITY_CHARS,
    PERSONALITY_TOKENS, PERSONAS_PER_SCOPE, PICTURE_BYTES, PICTURES_PER_SCOPE, Persona, PersonaId,
    PictureId, SPRITE_NAME_CHARS, SPRITE_USAGE_CHARS, SPRITES_PER_PERSONA, Sprite, TRIGGER_CHARS,
    TRIGGERS_PER_PERSONA,
};
pub use rate::{RateClass, RateLimiter};
pub use rights::{Rights, Standing};
pub use schedule::{
    BadRecurrence, NewSchedule, Recurrence, SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Schedule,
    ScheduleId, TaskKind,
};
pub use scope::Scope;
pub use sticker::{GuildSticker, StickerFormat};
pub use table::Table;
pub use time::{Moment, Timestamp};
pub use tokens::{ENTRY_TOKENS, first_tokens, tokens};
pub use trigger::{BadTurnId, OccurrenceId, Trigger, TurnId};
pub use turn::{Ending, TakeRequest, Turn, TurnState};
pub use webhook::WebhookHandle;
