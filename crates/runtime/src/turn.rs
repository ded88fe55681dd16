//! One turn: think and speak at the same time.
//!
//! *Think* reads the model and queues posts in the journal; *speak* takes them
//! from there to Discord. A short queue between them lets the model run ahead
//! a little, and holds it back when Discord is slow.

use kaiwa_domain::{Ending, Outgoing, Post, PostState, Scope, StoreError, Turn};
use kaiwa_pipeline::admit::Admitted;
use tokio::sync::{mpsc, oneshot};

use crate::Bot;
use crate::bot::Shutdown;
use crate::speak::{Pacing, Parcel, mark, speak};
use crate::think::think;
use crate::typing::Typing;

/// How many posts the model may be ahead of Discord.
const POSTS_AHEAD: usize = 4;

/// Answers one message.
pub(crate) async fn answer(
    bot: &Bot,
    shutdown: &Shutdown,
    admitted: &Admitted,
) -> Result<(), StoreError> {
    let turn = admitted.turn();
    if shutdown.stopped.is_cancelled() || shutdown.followed_up.is_cancelled() {
        return end(bot, &turn, Ending::Stopped).await;
    }
    let typing = Typing::new();
    let (queue, posts) = mpsc::channel(POSTS_AHEAD);
    let setup = bot.setup.borrow().clone();
    let pacing = Pacing::new(setup.degree, turn.id);
    let outlet = Outlet::new(bot, turn.clone(), queue, &typing);
    let working = async {
        tokio::join!(
            think(bot, &setup, shutdown, admitted, outlet),
            speak(bot, shutdown, posts, &typing, pacing),
        )
    };
    tokio::select! {
        // The indicator asks first, so that it is up before the model is.
        biased;
        () = typing.show(bot, turn.channel) => Ok(()),
        (thought, spoken) = working => thought.and(spoken),
    }
}

/// Where a turn puts what it has to show: first the journal, then the queue.
pub(crate) struct Outlet<'a> {
    bot: &'a Bot,
    pub(crate) turn: Turn,
    next: u32,
    queue: mpsc::Sender<Parcel>,
    pub(crate) typing: &'a Typing,
}

impl<'a> Outlet<'a> {
    const fn new(
        bot: &'a Bot,
        turn: Turn,
        queue: mpsc::Sender<Parcel>,
        typing: &'a Typing,
    ) -> Self {
        Self {
            bot,
            turn,
            next: 0,
            queue,
            typing,
        }
    }

    /// Whether anything was queued.
    pub(crate) const fn spoken(&self) -> bool {
        self.next > 0
    }

    /// Completes when the speaking side has given up.
    pub(crate) async fn closed(&self) {
        self.queue.closed().await;
    }

    /// Completes when everything that was put was dealt with; false if the
    /// speaking side has given up.
    pub(crate) async fn settled(&self) -> bool {
        let (done, settled) = oneshot::channel();
        self.queue.send(Parcel::Settled(done)).await.is_ok() && settled.await.is_ok()
    }

    pub(crate) async fn put(&mut self, outgoing: Outgoing) -> Result<(), StoreError> {
        let post = post(self.bot, &self.turn, self.next, outgoing);
        self.next += 1;
        self.bot.store.queue(&post).await?;
        let parcel = Parcel::Post(post, self.typing.mark());
        match self.queue.send(parcel).await {
            Err(mpsc::error::SendError(Parcel::Post(post, _))) => {
                mark(self.bot, &post, PostState::Abandoned).await
            }
            _ => Ok(()),
        }
    }

    pub(crate) async fn end(self, ending: Ending) -> Result<(), StoreError> {
        end(self.bot, &self.turn, ending).await
    }
}

/// Post `index` of `turn`. The first one replies to the question, except in
/// direct messages, where there is nobody else to answer.
pub(crate) fn post(bot: &Bot, turn: &Turn, index: u32, outgoing: Outgoing) -> Post {
    let in_guild = matches!(turn.scope, Scope::Guild(_));
    Post {
        turn: turn.id,
        index,
        scope: turn.scope,
        channel: turn.channel,
        reply_to: (index == 0 && in_guild).then_some(turn.id.trigger),
        outgoing,
        state: PostState::Queued,
        queued_at: bot.clock.now(),
    }
}

/// Records how a turn ended.
pub(crate) async fn end(bot: &Bot, turn: &Turn, ending: Ending) -> Result<(), StoreError> {
    let word = match ending {
        Ending::Done => "done",
        Ending::Stopped => "stopped",
        Ending::Stale => "stale",
        Ending::Failed(notice) => notice.name(),
    };
    metrics::counter!("turns_total", "ending" => word).increment(1);
    let took = bot.clock.now().since(turn.admitted_at);
    metrics::histogram!("turn_seconds").record(took.as_secs_f64());
    tracing::info!(turn = %turn.id, scope = %turn.scope, ending = word, "turn ended");
    bot.store.end(turn.scope, turn.id, ending).await
}
