//! The ports: how the pure parts reach the world.
//!
//! Ports are object-safe, so the runtime holds `Arc<dyn Store>` and no type
//! parameter leaks into the tasks. Adapters sit at the rim: `discord`,
//! `provider`, `store`. Every adapter is driven by one [`Clock`], which is what
//! lets tests move time by hand.

mod action;
mod backup;
mod clock;
mod departure;
mod features;
mod memories;
mod moderation;
mod offer;
mod newcomer;
mod people;
mod persona;
mod schedule;
mod webhooks;
mod wire;

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_core::Stream;

use crate::settings::{SettingKey, SettingPlace, StoredSetting};
use crate::{
    Abilities, Attachment, Bill, Brief, ChannelId, ChatError, DataSubject, DecisionRecord, Delta,
    Effect, EffectState, Ending, Event, Expense, Export, GuildId, GuildSnapshot, Image,
    InteractionId, Me, Message, MessageId, ModelError, PersonaId, PromptSnapshot, ResponseHandle,
    Role, Scope, Spender, Spent, StoreError, Table, TakeRequest, Timestamp, Turn, TurnId, UserId,
};

pub use action::{
    ActionHost, ActionPolicies, ActionPolicy, ActionReply, BotStatus, ControlRequest,
    Conversations, Entrance, Permissions, ResponseFile, Responses, SaidMessage, SentAbroad,
};
pub use backup::Backups;
pub use clock::{Alarm, Clock};
pub use departure::{Departure, Departures};
pub use features::{ChatFeatures, NewPoll};
pub use memories::{Memories, Recall};
pub use moderation::{BannedUser, CaseBook, Moderation};
pub use newcomer::Newcomers;
pub use offer::{ActionLog, Offers};
pub use people::{People, PersonProfile};
pub use persona::{PersonaChange, Personas};
pub use schedule::Schedules;
pub use webhooks::Webhooks;
pub use wire::{OnWire, Urgency};

/// A boxed future.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A streamed answer. It ends after [`Delta::Finish`] or the first error, and
/// dropping it closes the connection.
pub type Answer = Pin<Box<dyn Stream<Item = Result<Delta, ModelError>> + Send>>;

/// A language model.
pub trait ChatModel: Send + Sync {
    /// Asks the model. The connection is made when the stream is first polled.
    fn answer(&self, brief: Brief) -> Answer;

    /// What it can do.
    fn abilities(&self) -> Abilities;

    /// What it is called.
    fn name(&self) -> String {
        "unnamed".to_owned()
    }

    /// How many tokens it can see at once, if that is known.
    fn context(&self) -> Option<u32> {
        None
    }
}

/// Who plays which [`Role`].
#[derive(Clone)]
pub struct RoleModels {
    /// Talks, and does whatever has nobody else.
    pub chat: Arc<dyn ChatModel>,
    /// Thinks hard.
    pub reasoner: Option<Arc<dyn ChatModel>>,
    /// Looks at images.
    pub vision: Option<Arc<dyn ChatModel>>,
    /// Sorts questions.
    pub classifier: Option<Arc<dyn ChatModel>>,
    /// Makes long things short.
    pub summarizer: Option<Arc<dyn ChatModel>>,
    /// Those that personas may have in the place of the first, by name.
    pub for_personas: Vec<(String, Arc<dyn ChatModel>)>,
}

impl RoleModels {
    /// One model for everything.
    pub const fn single(chat: Arc<dyn ChatModel>) -> Self {
        Self {
            chat,
            reasoner: None,
            vision: None,
            classifier: None,
            summarizer: None,
            for_personas: Vec::new(),
        }
    }

    /// The same for a persona that wants this model to talk for it. One that it
    /// may not have is as if it wanted none.
    #[must_use]
    pub fn of_persona(&self, model: Option<&str>) -> Self {
        let mut models = self.for_personas.iter();
        let wanted = model.and_then(|name| models.find(|(of, _)| of == name));
        Self {
            chat: wanted.map_or(&self.chat, |(_, model)| model).clone(),
            ..self.clone()
        }
    }

    /// Who plays `role`.
    pub fn of(&self, role: Role) -> &Arc<dyn ChatModel> {
        let own = match role {
            Role::Chat => None,
            Role::Reasoner => self.reasoner.as_ref(),
            Role::Vision => self.vision.as_ref(),
            Role::Classifier => self.classifier.as_ref(),
            Role::Summarizer => self.summarizer.as_ref(),
        };
        own.unwrap_or(&self.chat)
    }
}

/// What models cost, and whom.
pub trait Ledger: Send + Sync {
    /// Writes down one call to a model.
    fn record<'a>(&'a self, expense: &'a Expense) -> Pending<'a, Result<(), StoreError>>;

    /// What `spender` has spent in `scope` since a moment.
    fn spent(
        &self,
        scope: Scope,
        spender: Spender,
        since: Timestamp,
    ) -> Pending<'_, Result<Spent, StoreError>>;

    /// What each call of a turn cost, in the order of the calls. For the
    /// operator: it looks in every scope.
    fn bills(&self, turn: TurnId) -> Pending<'_, Result<Vec<Bill>, StoreError>>;
}

/// The chat network, as far as a turn needs it.
pub trait Chat: Send + Sync {
    /// Shows an effect that has a message of its own, and returns the messages
    /// that show it. Repeating the call with the same effect posts
    /// once while Discord remembers nonces, if it [has one](Effect::settlement).
    ///
    /// What is said under an [identity](Effect::identity) is said in our own
    /// voice where Discord lets us have no webhook.
    ///
    /// Through `wire` the call can be withdrawn while it waits for Discord's
    /// limits; it may then be dropped, and nothing will appear.
    fn post<'a>(
        &'a self,
        effect: &'a Effect,
        wire: &'a OnWire,
    ) -> Pending<'a, Result<Vec<MessageId>, ChatError>>;

    /// How far apart edits of one message in a channel are to be, as Discord's
    /// limits and what waits for them have it.
    fn edit_pace(&self, channel: ChannelId) -> Duration;

    /// Does to a message of ours what an effect wants that
    /// [changes or deletes](crate::EffectBody::is_passing) it. Repeating the
    /// call changes nothing, and a message that is gone is nothing to change.
    fn change<'a>(
        &'a self,
        effect: &'a Effect,
        message: MessageId,
        wire: &'a OnWire,
    ) -> Pending<'a, Result<(), ChatError>>;

    /// Shows "is typing" for [`TYPING_LASTS`](crate::limits::TYPING_LASTS).
    fn typing(&self, channel: ChannelId) -> Pending<'_, Result<(), ChatError>>;

    /// Fetches a file that came with a message, of at most `max` bytes.
    fn download<'a>(
        &'a self,
        attachment: &'a Attachment,
        max: usize,
    ) -> Pending<'a, Result<Vec<u8>, ChatError>>;

    /// Puts a reaction of ours on a message. Repeating the call changes
    /// nothing. `emoji` is a Unicode emoji, or `name:id` of a guild's own.
    fn react<'a>(
        &'a self,
        channel: ChannelId,
        message: MessageId,
        emoji: &'a str,
    ) -> Pending<'a, Result<(), ChatError>>;

    /// Up to `limit` messages around a point, oldest first.
    fn history(
        &self,
        scope: Scope,
        channel: ChannelId,
        point: History,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Message>, ChatError>>;

    /// All the guilds that we are in, or an error: none, on a network without.
    fn our_guilds(&self) -> Pending<'_, Result<Vec<GuildId>, ChatError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Takes down from Discord what personas were shown with and nobody is any
    /// more, and says how much. Repeating the call does no harm.
    fn sweep_portraits(&self) -> Pending<'_, Result<usize, ChatError>> {
        Box::pin(std::future::ready(Ok(0)))
    }

    /// A guild as it is now, with its channels; rights there are
    /// [known](Permissions::known) from then on.
    fn guild<'a>(
        &'a self,
        guild: GuildId,
        _me: &'a Me,
    ) -> Pending<'a, Result<GuildSnapshot, ChatError>> {
        let reason = format!("there is no guild {guild}");
        Box::pin(std::future::ready(Err(ChatError::Unknown { reason })))
    }

    /// One message, or `None` if it is gone.
    fn message(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
    ) -> Pending<'_, Result<Option<Message>, ChatError>>;
}

/// Which part of a channel's history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// The messages just before this one.
    Before(MessageId),
    /// The messages just after this one.
    After(MessageId),
    /// The newest messages.
    Latest,
}

/// Draws tables. Drawing takes a processor for a while: call it where that
/// holds up nothing else.
pub trait TablePainter: Send + Sync {
    /// The table as a picture. The same table and fonts give the same picture.
    fn paint(&self, table: &Table) -> Result<Picture, Unpaintable>;
}

/// A picture of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The picture as a PNG file.
    pub png: Vec<u8>,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// What it shows, for people who cannot see it.
    pub alt: String,
}

/// Why there is no picture; [`Table::as_text`] shows the table instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unpaintable {
    /// No font has it.
    #[error("no font has the character {0:?}")]
    MissingGlyph(char),
    /// The picture would be larger than people can read.
    #[error("the picture would be too large")]
    TooLarge,
    /// The drawing broke down.
    #[error("drawing failed: {reason}")]
    Failed {
        /// What happened, without text of the table.
        reason: String,
    },
}

/// Makes images from outside fit for a model. It takes a processor for a
/// while: call it where that holds up nothing else.
pub trait ImageFitter: Send + Sync {
    /// The image, small and in a format that every model knows.
    fn fit(&self, file: &[u8]) -> Result<Image, Unfit>;
}

/// Makes pictures from outside fit for a persona. It takes a processor for a
/// while: call it where that holds up nothing else.
pub trait PortraitFitter: Send + Sync {
    /// The picture, small and a PNG, of at most
    /// [`PICTURE_BYTES`](crate::PICTURE_BYTES). What it has to look at is taken
    /// off `pixels`; a picture that has more is too large.
    fn portrait(&self, file: &[u8], pixels: &mut u64) -> Result<Vec<u8>, Unfit>;
}

/// Why an image cannot be shown to a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// It has too many bytes or pixels.
    #[error("it is too large")]
    TooLarge,
    /// It is no picture that we can read.
    #[error("it cannot be read")]
    Unreadable,
}

/// The journals. Every call names the scope whose rows it touches.
pub trait Store: Send + Sync {
    /// Writes down an admitted turn. `text` is what it is asked, where that
    /// cannot be fetched again. The second call for the same turn, or for the
    /// first take of an event that was [a stop](Self::stop), changes nothing.
    fn admit<'a>(
        &'a self,
        turn: &'a Turn,
        text: Option<&'a str>,
    ) -> Pending<'a, Result<Admission, StoreError>>;

    /// Begins an attempt at a turn that has not ended, and counts it. A turn
    /// that has not spoken is thinking from here on.
    fn begin(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<u32, StoreError>>;

    /// Takes the count of an attempt back: it was ended on purpose, and the
    /// next process goes on.
    fn suspend(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<(), StoreError>>;

    /// Queues effects of a turn and says how far it has come, in one
    /// transaction. Queuing the same effect again changes nothing. A turn that
    /// has ended keeps its first ending and takes no more effects.
    ///
    /// An effect whose state says so is [started](Self::start) with it.
    fn queue<'a>(
        &'a self,
        scope: Scope,
        turn: TurnId,
        effects: &'a [Effect],
        progress: Progress,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// Starts an effect. False if it was settled in the meantime, as by a stop:
    /// then nothing may be done.
    fn start(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        attempt: u32,
    ) -> Pending<'_, Result<bool, StoreError>>;

    /// Records how far an effect has come. What is done stays done.
    fn mark(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        state: EffectState,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// Records that an effect is done, and that `messages` were said by its
    /// persona.
    fn done<'a>(
        &'a self,
        effect: &'a Effect,
        messages: &'a [MessageId],
        at: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// Gives an effect that was not sent the body of `merged`, and takes the
    /// effect at `taken`, which is part of it now, out of the outbox, in one
    /// transaction. False, and nothing changes, if either was settled or the
    /// second was started in the meantime.
    fn merge<'a>(&'a self, merged: &'a Effect, taken: u16)
    -> Pending<'a, Result<bool, StoreError>>;

    /// Puts the body of an effect that is not settled anew, and records that
    /// `messages` were said by its persona. False if it was settled: then it
    /// stays as it is.
    fn revise<'a>(
        &'a self,
        effect: &'a Effect,
        messages: &'a [MessageId],
        at: Timestamp,
    ) -> Pending<'a, Result<bool, StoreError>>;

    /// Ends the open turns that `asker` waits for in a channel as stopped,
    /// gives up their effects that have not started, and remembers the event,
    /// in one transaction.
    fn stop<'a>(&'a self, stop: &'a StopRequest) -> Pending<'a, Result<(), StoreError>>;

    /// The scopes with an [unfinished](Self::unfinished) turn. Names, no rows.
    fn unfinished_scopes(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>>;

    /// The turns of a scope with work left, oldest first: those that have not
    /// ended, and those with an unsettled effect, whatever their own state.
    fn unfinished(&self, scope: Scope) -> Pending<'_, Result<Vec<UnfinishedTurn>, StoreError>>;

    /// The message that shows an effect, if one does.
    fn shown(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>>;

    /// What is on record of each of `messages`; those of others are left out.
    fn speakers<'a>(
        &'a self,
        scope: Scope,
        messages: &'a [MessageId],
    ) -> Pending<'a, Result<HashMap<MessageId, MessageRecord>, StoreError>>;

    /// The last take of the turn that answers `message`, or of the one that
    /// said it.
    fn latest_turn(
        &self,
        scope: Scope,
        message: MessageId,
    ) -> Pending<'_, Result<Option<Turn>, StoreError>>;

    /// Writes down a request for another take, and says for which: `take`, or
    /// the one that it was for when it came before.
    fn request_take<'a>(
        &'a self,
        request: &'a TakeRequest,
        take: u16,
        at: Timestamp,
    ) -> Pending<'a, Result<u16, StoreError>>;

    /// Forgets the requests that were reactions on a message, of somebody or of
    /// anybody: who puts theirs there anew asks anew.
    fn withdraw_take(
        &self,
        scope: Scope,
        message: MessageId,
        user: Option<UserId>,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// The last take of the last message that was answered in a channel, of
    /// somebody or of anybody.
    fn last_turn(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Pending<'_, Result<Option<Turn>, StoreError>>;

    /// The channels with a turn admitted since a moment, newest first.
    fn active_channels(
        &self,
        since: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<ActiveChannel>, StoreError>>;

    /// Deletes what is older than its retention allows, and says how many rows.
    fn sweep<'a>(
        &'a self,
        retention: &'a Retention,
        now: Timestamp,
    ) -> Pending<'a, Result<u64, StoreError>>;

    /// Keeps what an interaction can be answered with, until the moment when
    /// it no longer can.
    fn keep_handle<'a>(
        &'a self,
        scope: Scope,
        interaction: InteractionId,
        handle: &'a ResponseHandle,
        until: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// What an interaction can be answered with, if it still can.
    fn handle(
        &self,
        scope: Scope,
        interaction: InteractionId,
        now: Timestamp,
    ) -> Pending<'_, Result<Option<ResponseHandle>, StoreError>>;

    /// Proves that the store can be written, by writing.
    fn probe(&self) -> Pending<'_, Result<(), StoreError>>;
}

/// What was set for scopes, in the layers above the configuration file.
pub trait SettingsStore: Send + Sync {
    /// Everything that is set in a scope.
    fn settings(&self, scope: Scope) -> Pending<'_, Result<Vec<StoredSetting>, StoreError>>;

    /// Sets one, or sets it anew. A scope holds
    /// [`SETTINGS_PER_SCOPE`](crate::settings::SETTINGS_PER_SCOPE) at most; one
    /// more is a [`Conflict`](StoreError::Conflict).
    fn set<'a>(&'a self, setting: &'a StoredSetting) -> Pending<'a, Result<(), StoreError>>;

    /// Takes one away. False if it was not set.
    fn unset(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
    ) -> Pending<'_, Result<bool, StoreError>>;
}

/// What is on record of a message of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageRecord {
    /// The persona that said it.
    pub persona: PersonaId,
    /// What the model calls the look in which it did, if not its usual one.
    pub look: Option<String>,
    /// Whether it is a notice, and so not the persona's words.
    pub is_notice: bool,
}

/// How far a turn has come once its effects are queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There may be more to say.
    Speaking,
    /// Everything is said; what is queued remains to be done.
    Settling,
    /// Nothing more will be queued or done.
    Ended(Ending),
}

/// A turn with work left to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfinishedTurn {
    /// The turn.
    pub turn: Turn,
    /// What it is asked, where that cannot be fetched again.
    pub text: Option<String>,
    /// Its effects in order, settled ones included.
    pub effects: Vec<Effect>,
}

/// Somebody wants the answers that they wait for to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopRequest {
    /// Whose data it is.
    pub scope: Scope,
    /// Where.
    pub channel: ChannelId,
    /// Whose answers.
    pub asker: UserId,
    /// The message that says so.
    pub event: MessageId,
    /// When it was said.
    pub at: Timestamp,
}

/// A channel in which we were asked something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActiveChannel {
    /// Whose data it is.
    pub scope: Scope,
    /// The channel.
    pub channel: ChannelId,
    /// The newest message that became a turn.
    pub last: Option<MessageId>,
}

/// How long rows are kept once nothing more is done with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retention {
    /// Turns that have ended, with their effects.
    pub turns: Duration,
    /// Who said which message.
    pub messages: Duration,
    /// What models cost. A day at least is kept: budgets look at it.
    pub expenses: Duration,
    /// What models were told.
    pub snapshots: Duration,
    /// Everything of a guild that we are no longer in; for ever, if none.
    pub departed: Option<Duration>,
    /// How many backups, of a day each. None is made, if zero.
    pub backups: u16,
}

impl Default for Retention {
    fn default() -> Self {
        let days = |days: u64| Duration::from_secs(days * 24 * 3600);
        Self {
            turns: days(7),
            messages: days(30),
            expenses: days(90),
            snapshots: days(7),
            departed: Some(days(30)),
            backups: 3,
        }
    }
}

/// What [`Store::admit`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// The turn is new and ours to run.
    New,
    /// It was admitted or dealt with before.
    Duplicate,
}

/// An event on its way in, to be acknowledged once it is dealt with.
#[derive(Debug)]
pub struct Inbound {
    /// What happened.
    pub event: Event,
    /// Used when the event needs no replay any more.
    pub ack: Ack,
}

/// Acknowledging lets the gateway move the saved sequence past the event. An
/// event whose `Ack` was dropped unused comes again after a restart.
#[derive(Clone, Debug)]
pub struct Ack {
    acknowledged: Arc<AtomicU64>,
    sequence: u64,
}

impl Ack {
    /// For event number `sequence` of the shard that owns the mark.
    pub const fn new(acknowledged: Arc<AtomicU64>, sequence: u64) -> Self {
        Self {
            acknowledged,
            sequence,
        }
    }

    /// For an event that nothing replays.
    pub fn none() -> Self {
        Self::new(Arc::default(), 0)
    }

    /// The event is journalled or needs nothing.
    pub fn acknowledge(self) {
        self.acknowledged
            .fetch_max(self.sequence, Ordering::Release);
    }
}

/// The connections that bring events, one for each shard.
pub trait Link: Send + Sync {
    /// The shards that are silent for longer than is usual for them: they may
    /// bring nothing any more. One that was named here is named again after as
    /// long a silence.
    fn silent(&self) -> Vec<u32>;

    /// The shard that brings what happens in a scope.
    fn shard_of(&self, scope: Scope) -> u32;

    /// Drops the connection of a shard, to be resumed at once.
    fn reconnect(&self, shard: u32);
}

/// Where gateway sessions are kept over restarts. They belong to the process,
/// not to a guild or user, so they carry no scope.
pub trait Sessions: Send + Sync {
    /// The session of a shard, if one was saved.
    fn load(&self, shard: u32) -> Pending<'_, Result<Option<Session>, StoreError>>;

    /// Saves the session of a shard, or forgets it.
    fn save(&self, shard: u32, session: Option<Session>) -> Pending<'_, Result<(), StoreError>>;
}

/// What models were told, kept for a while so that answers can be explained.
pub trait Snapshots: Send + Sync {
    /// Keeps one. Another one of the same turn takes its place.
    fn save_snapshot<'a>(
        &'a self,
        snapshot: &'a PromptSnapshot,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// What was told for a turn. For the operator: it looks in every scope.
    fn snapshot(&self, turn: TurnId) -> Pending<'_, Result<Option<PromptSnapshot>, StoreError>>;
}

/// Why the bot answered.
pub trait DecisionJournal: Send + Sync {
    /// Writes a decision down. The second one on the same event changes nothing.
    fn record_decision<'a>(
        &'a self,
        decision: &'a DecisionRecord,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// Writes down what was refused, together. Of one person's in a channel
    /// within an hour the newest stays: whatever they said there before it was
    /// decided before it.
    fn record_refusals<'a>(
        &'a self,
        refusals: &'a [DecisionRecord],
    ) -> Pending<'a, Result<(), StoreError>>;

    /// The newest decisions of a channel, newest first. For the operator: it
    /// looks in every scope.
    fn decisions(
        &self,
        channel: ChannelId,
        limit: u16,
    ) -> Pending<'_, Result<Vec<DecisionRecord>, StoreError>>;
}

/// Who is never read. It holds everywhere, so it carries no scope.
pub trait OptOuts: Send + Sync {
    /// Never reads them again. False if that was so before.
    fn opt_out(&self, user: UserId, at: Timestamp) -> Pending<'_, Result<bool, StoreError>>;

    /// Reads them again. False if they had not opted out.
    fn opt_in(&self, user: UserId) -> Pending<'_, Result<bool, StoreError>>;

    /// Everybody who opted out, in the order of their ids.
    fn opted_out(&self) -> Pending<'_, Result<Vec<UserId>, StoreError>>;
}

/// Everything about somebody: to show, or to delete.
pub trait Erasure: Send + Sync {
    /// Everything that is kept about a user or guild, table by table.
    fn export(&self, subject: DataSubject) -> Pending<'_, Result<Export, StoreError>>;

    /// Deletes everything about a user or guild, and says how many rows. Once it
    /// is begun it is finished, after a crash at the next start. That somebody
    /// [opted out](OptOuts) is kept.
    fn erase(&self, subject: DataSubject, at: Timestamp) -> Pending<'_, Result<u64, StoreError>>;
}

/// Everything that is kept in one place and closed together.
pub trait Database:
    Store
    + SettingsStore
    + Sessions
    + Ledger
    + Memories
    + Schedules
    + Snapshots
    + DecisionJournal
    + OptOuts
    + CaseBook
    + Offers
    + ActionLog
    + Newcomers
    + Personas
    + Webhooks
    + Erasure
    + Departures
    + Backups
{
    /// Waits for the calls under way and lets the next instance in. Later
    /// calls fail.
    fn close(&self) -> Pending<'_, Result<(), StoreError>>;
}

/// What is needed to resume a gateway session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Discord's name for it.
    pub id: String,
    /// The last event that was dealt with; later ones are replayed.
    pub sequence: u64,
    /// Where to resume.
    pub resume_url: String,
    /// How many shards there were; a session of another count is useless.
    pub shards: u32,
}

/// Chance. Whoever needs it takes dice, so that a turn can be replayed.
pub trait Dice: Send {
    /// A number below `sides`, each as likely; 0 if there are no sides.
    fn roll(&mut self, sides: u32) -> u32;
}
