//! The ports: how the pure parts reach the world.
//!
//! Ports are object-safe, so the runtime holds `Arc<dyn Store>` and no type
//! parameter leaks into the tasks. Adapters sit at the rim: `discord`,
//! `provider`, `store`. Every adapter is driven by one [`Clock`], which is what
//! lets tests move time by hand.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_core::Stream;

use crate::{
    Abilities, Attachment, Brief, ChannelId, ChatError, Delta, Ending, Event, Expense, Image,
    Message, MessageId, ModelError, Post, PostState, Role, Scope, Spender, Spent, StoreError,
    Table, Timestamp, Tool, ToolCall, ToolError, Turn, TurnId,
};

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
}

/// Who plays which [`Role`].
#[derive(Clone)]
pub struct Cast {
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
}

impl Cast {
    /// One model for everything.
    pub const fn alone(chat: Arc<dyn ChatModel>) -> Self {
        Self {
            chat,
            reasoner: None,
            vision: None,
            classifier: None,
            summarizer: None,
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

/// The tools. What one may do is bounded by what the asker may do, and that is
/// looked up when it runs: the model is no authority.
pub trait ToolHost: Send + Sync {
    /// The tools for a turn, in an order that stays the same.
    fn tools(&self, turn: &Turn) -> Vec<Tool>;

    /// Runs a tool. The result is not yet cut to size.
    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        call: &'a ToolCall,
    ) -> Pending<'a, Result<String, ToolError>>;
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
}

/// The chat network, as far as a turn needs it.
pub trait Chat: Send + Sync {
    /// Puts a post up. Repeating the call with the same post posts once.
    fn post<'a>(&'a self, post: &'a Post) -> Pending<'a, Result<MessageId, ChatError>>;

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
    /// Writes the inbox row of an admitted message and its turn, in one
    /// transaction. The second call for the same message changes nothing.
    fn admit<'a>(&'a self, turn: &'a Turn) -> Pending<'a, Result<Admission, StoreError>>;

    /// Moves a turn to thinking and counts the attempt, which is returned.
    fn think(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<u32, StoreError>>;

    /// Queues a post and moves its turn to speaking, in one transaction.
    /// Queuing the same post again changes nothing.
    fn queue<'a>(&'a self, post: &'a Post) -> Pending<'a, Result<(), StoreError>>;

    /// Records how far a post has come.
    fn mark(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u32,
        state: PostState,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// Ends a turn: nothing more will be queued for it, though posts may still
    /// be on their way. A turn that has ended keeps its first ending.
    fn end(
        &self,
        scope: Scope,
        turn: TurnId,
        ending: Ending,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// The scopes with an open turn. Names, no rows.
    fn open_scopes(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>>;

    /// The open turns of a scope, oldest first: those that have not ended, and
    /// those with a post that is queued, started or unknown.
    fn open_turns(&self, scope: Scope) -> Pending<'_, Result<Vec<OpenTurn>, StoreError>>;
}

/// A turn with work left to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenTurn {
    /// The turn.
    pub turn: Turn,
    /// Its posts in order, sent ones included.
    pub posts: Vec<Post>,
}

/// What [`Store::admit`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// The message is new; its turn is ours to run.
    New,
    /// The message was admitted before.
    Duplicate,
}

/// An event on its way in, with the receipt to sign once it is dealt with.
#[derive(Debug)]
pub struct Inbound {
    /// What happened.
    pub event: Event,
    /// Signed when the event needs no replay any more.
    pub receipt: Receipt,
}

/// Signing it lets the gateway move the saved sequence past the event. An
/// event whose receipt was dropped unsigned comes again after a restart.
#[derive(Clone, Debug)]
pub struct Receipt {
    dealt_with: Arc<AtomicU64>,
    sequence: u64,
}

impl Receipt {
    /// A receipt for event number `sequence` of the shard that owns the mark.
    pub const fn new(dealt_with: Arc<AtomicU64>, sequence: u64) -> Self {
        Self {
            dealt_with,
            sequence,
        }
    }

    /// The event is journalled or needs nothing.
    pub fn sign(self) {
        self.dealt_with.fetch_max(self.sequence, Ordering::Release);
    }
}

/// Where gateway sessions are kept over restarts. They belong to the process,
/// not to a guild or user, so they carry no scope.
pub trait Sessions: Send + Sync {
    /// The session of a shard, if one was saved.
    fn load(&self, shard: u32) -> Pending<'_, Result<Option<Session>, StoreError>>;

    /// Saves the session of a shard, or forgets it.
    fn save(&self, shard: u32, session: Option<Session>) -> Pending<'_, Result<(), StoreError>>;
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

/// Time.
pub trait Clock: Send + Sync {
    /// What time it is.
    fn now(&self) -> Timestamp;

    /// Completes after `duration`.
    fn sleep(&self, duration: Duration) -> Pending<'static, ()>;
}

/// Chance. Whoever needs it takes dice, so that a turn can be replayed.
pub trait Dice: Send {
    /// A number below `sides`, each as likely; 0 if there are no sides.
    fn roll(&mut self, sides: u32) -> u32;
}
