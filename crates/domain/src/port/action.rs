//! What can be done on request, by whom, and where the answers go.

use std::time::Duration;

use super::Pending;
use crate::{
    Acknowledgement, ActionRecord, Button, ChannelId, ChatError, DecisionRecord, Effect, Form,
    GuildId, Interaction, InteractionId, MessageId, OfferId, OptionChoice, Outgoing, PersonalFile,
    ResponseHandle, Rights, RoleId, Scope, Settlement, SlashCommand, Standing, StoreError,
    Timestamp, Tool, ToolCall, ToolError, Turn, TurnId, UserId,
};

/// The actions. What one may do is bounded by what the asker may do, and that
/// is looked up when it runs: the model is no authority.
pub trait ActionHost: Send + Sync {
    /// What the model may ask for where the turn takes place, in an order that
    /// stays the same.
    fn tools<'a>(&'a self, turn: &'a Turn) -> Pending<'a, Vec<Tool>>;

    /// How a call of `name` whose outcome was never learned is settled.
    fn settlement(&self, name: &str) -> Settlement;

    /// Whether a call of `name` changes something, and so has to be written
    /// down before it runs.
    fn changes(&self, name: &str) -> bool;

    /// What a call sends to the open web.
    fn sends(&self, _: &ToolCall) -> Option<SentAbroad> {
        None
    }

    /// What people read while a call takes long.
    fn progress(&self, call: &ToolCall) -> String;

    /// Runs an action, for as long as it may take. The result is not yet cut to
    /// size.
    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        call: &'a ToolCall,
        entrance: Entrance<'a>,
    ) -> Pending<'a, Result<ActionReply, ToolError>>;

    /// The commands that people can use, in an order that stays the same.
    fn commands(&self) -> Vec<SlashCommand>;

    /// What somebody asks for by using a control, or `None` if there is no
    /// such control any more. `turn` is the one that they begin with it.
    ///
    /// A form is for whoever may do what it is for. Anybody else makes the
    /// call without it, and [hears](Self::run) why not.
    fn request<'a>(
        &'a self,
        turn: &'a Turn,
        interaction: &'a Interaction,
    ) -> Pending<'a, Option<ControlRequest>>;

    /// Whether only who asked may read what comes of a call of `name`.
    fn is_private(&self, name: &str) -> bool;

    /// What fits an option that somebody is typing.
    fn complete<'a>(&'a self, interaction: &'a Interaction) -> Pending<'a, Vec<OptionChoice>>;

    /// What moderators read about something that was done. Nothing, if it
    /// concerns nobody but whoever asked for it.
    fn report(&self, record: &ActionRecord) -> Option<String>;

    /// What people read in the place of an offer that nobody took in time.
    fn expired(&self, locale: &str) -> String;

    /// The button that ends the answer of a turn.
    fn stop_button(&self, turn: &Turn) -> Option<Button>;

    /// Keeps what can be done with a message of an answer until a moment, and
    /// gives the buttons for it.
    fn answer_buttons<'a>(
        &'a self,
        turn: &'a Turn,
        said: &'a SaidMessage,
        again: bool,
        until: Timestamp,
    ) -> Pending<'a, Result<Vec<Button>, StoreError>>;

    /// Why something was not done, for people who speak a language.
    fn explain(&self, error: &ToolError, locale: &str) -> String;
}

/// A message of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidMessage {
    /// The message.
    pub message: MessageId,
    /// What it was made from, if it shows a table.
    pub source: Option<String>,
}

/// How an action is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entrance<'a> {
    /// The model calls it, in words of somebody's.
    Model {
        /// Whether it has read what others wrote: a page, a file, another
        /// person's message. It may then want what its asker does not.
        tainted: bool,
        /// Whether what it [sends](ActionHost::sends) may carry away what only it
        /// has read.
        carries: bool,
    },
    /// Somebody uses a control.
    Control {
        /// Their language, by Discord's name for it; empty if it is not known.
        locale: &'a str,
    },
}

impl<'a> Entrance<'a> {
    /// The language of whoever asks, by Discord's name for it; empty if it is
    /// not known.
    pub const fn locale(self) -> &'a str {
        match self {
            Self::Model { .. } => "",
            Self::Control { locale } => locale,
        }
    }
}

/// What a call sends to the open web, where anybody may read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentAbroad {
    /// It asks for what is at an address.
    Address(String),
    /// It asks for something in words.
    Words(String),
}

/// What an action gives back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionReply {
    /// What the model is told.
    pub told: String,
    /// What people read; nothing if they see it anyway.
    pub shown: String,
    /// What they can do next.
    pub buttons: Vec<Button>,
    /// The file that goes with what people read.
    pub file: Option<PersonalFile>,
    /// What somebody has to confirm before anything is done.
    pub waits: Option<OfferId>,
    /// What takes it back.
    pub undo: Option<OfferId>,
    /// Whether it holds what others wrote.
    pub untrusted: bool,
    /// A message that follows the answer, if the model asked.
    pub afterwards: Option<Outgoing>,
}

/// A file that goes with an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResponseFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What somebody asks for by using a control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ControlRequest {
    /// An action.
    Call {
        /// Which, and with what.
        call: ToolCall,
        /// How Discord is told at once that it is under way.
        acknowledgement: Acknowledgement,
    },
    /// A form to be filled in first.
    Form(Form),
}

/// The conversations of a running bot, as far as an action may change them.
pub trait Conversations: Send + Sync {
    /// Ends the answers that somebody waits for in a channel, or everybody's,
    /// and says whether there were any. `event` is what asked for it.
    fn stop(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
        event: InteractionId,
    ) -> Pending<'_, Result<bool, StoreError>>;

    /// Who waits for the answer of a turn, if it is still being given.
    fn asker_of(&self, channel: ChannelId, turn: TurnId) -> Option<UserId>;

    /// Answers the question once more that a message of ours answers, and says
    /// whether it is still known.
    fn answer_again(
        &self,
        scope: Scope,
        message: MessageId,
    ) -> Pending<'_, Result<bool, StoreError>>;

    /// Answers the last question of somebody in a channel once more, or
    /// anybody's, and says whether there was one.
    fn regenerate(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Pending<'_, Result<bool, StoreError>>;

    /// The last things that were decided in a channel, newest first.
    fn decisions(&self, channel: ChannelId, most: usize) -> Vec<DecisionRecord>;

    /// How things stand.
    fn status(&self, channel: ChannelId) -> BotStatus;
}

/// How things stand with a running bot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BotStatus {
    /// How many answers are waited for in the channel.
    pub waiting: usize,
    /// Why the model cannot be reached, if it cannot.
    pub model_down: Option<String>,
    /// How long people lately waited for the first words of an answer.
    pub first_words: Option<Duration>,
}

/// What places allow to be done in them.
pub trait ActionPolicies: Send + Sync {
    /// What is allowed in a channel.
    fn policy(&self, scope: Scope, channel: ChannelId) -> Pending<'_, ActionPolicy>;
}

/// What a place allows to be done in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionPolicy {
    /// The names of actions that are switched off.
    pub off: Vec<String>,
    /// Whether moderators may confirm what others asked for.
    pub moderators_confirm: bool,
}

/// What people may do.
pub trait Permissions: Send + Sync {
    /// What `user` may do in a channel now. Everything in direct messages;
    /// nothing for somebody who is not there, or in a channel that is not of
    /// the scope.
    fn of(
        &self,
        scope: Scope,
        channel: ChannelId,
        user: UserId,
    ) -> Pending<'_, Result<Rights, ChatError>>;

    /// What `user` was last known to be allowed in a channel, if that is known
    /// without asking. Enough to decide what to offer, not what to do.
    fn known(&self, _: Scope, _: ChannelId, _: UserId) -> Option<Rights> {
        None
    }

    /// Whether a channel is known, without asking, to be hidden from nobody of
    /// its guild.
    fn known_open(&self, _: Scope, _: ChannelId) -> bool {
        false
    }

    /// Whether everybody who can read `log` could read what is said in
    /// `channel`, both of the guild: so it is if that is hidden from nobody. No,
    /// where that cannot be told.
    fn open_to_readers(
        &self,
        _guild: GuildId,
        _channel: ChannelId,
        _log: ChannelId,
    ) -> Pending<'_, Result<bool, ChatError>> {
        Box::pin(std::future::ready(Ok(false)))
    }

    /// Those of `roles` that everybody in a guild may ping.
    fn mentionable<'a>(
        &'a self,
        guild: GuildId,
        roles: &'a [RoleId],
    ) -> Pending<'a, Result<Vec<RoleId>, ChatError>>;

    /// How `actor` stands to `target` in a guild now: nothing is remembered.
    fn standing(
        &self,
        guild: GuildId,
        actor: UserId,
        target: UserId,
    ) -> Pending<'_, Result<Standing, ChatError>>;
}

/// The chat network, as far as people use controls on it.
pub trait Responses: Send + Sync {
    /// The first answer to an interaction.
    fn acknowledge<'a>(
        &'a self,
        interaction: InteractionId,
        handle: &'a ResponseHandle,
        acknowledgement: &'a Acknowledgement,
    ) -> Pending<'a, Result<(), ChatError>>;

    /// Shows an effect that is a [`Respond`](crate::EffectBody::Respond) as
    /// the answer to an interaction, and returns its message. Repeating the
    /// call changes nothing.
    fn respond<'a>(
        &'a self,
        handle: &'a ResponseHandle,
        effect: &'a Effect,
        file: Option<&'a ResponseFile>,
    ) -> Pending<'a, Result<MessageId, ChatError>>;

    /// Makes the commands of our application these, and says how many were
    /// changed. What is as it should be is left alone.
    fn register<'a>(
        &'a self,
        commands: &'a [SlashCommand],
    ) -> Pending<'a, Result<usize, ChatError>>;
}
