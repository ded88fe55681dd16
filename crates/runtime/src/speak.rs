//! From the outbox to Discord, in order.

use std::time::Duration;

use kaiwa_domain::{
    ChatError, Disposition, Outgoing, Post, PostState, SeededDice, StoreError, TurnId,
};
use kaiwa_pipeline::deliver::Degree;
use kaiwa_pipeline::deliver::typing::{Pace, Rhythm};
use tokio::sync::{mpsc, oneshot};

use crate::Bot;
use crate::bot::Shutdown;
use crate::typing::{Mark, Typing};

/// How often a request without an answer is repeated.
const MAX_TRIES: u32 = 4;

/// How long one post may wait for Discord's limits in all.
const MAX_WAIT: Duration = Duration::from_secs(120);

/// What the thinking side hands to the speaking side.
#[derive(Debug)]
pub(crate) enum Parcel {
    /// Put it up.
    Post(Post, Mark),
    /// Say when everything before it was dealt with.
    Settled(oneshot::Sender<()>),
}

/// What became of a post.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It is up.
    Sent,
    /// It is not, but the next may be.
    Dropped,
    /// Nothing more of this turn can be shown.
    TurnOver,
    /// It stays in the outbox for the next start.
    Left,
}

/// The time between messages, as a person would take it.
pub(crate) struct Pacing {
    /// None where messages go up as they come.
    typed: Option<(Rhythm, SeededDice)>,
}

impl Pacing {
    /// The pacing of one turn, the same however often it is run.
    pub(crate) fn new(degree: Degree, turn: TurnId) -> Self {
        let typed = degree >= Degree::Typed;
        let rhythm = || {
            let dice = SeededDice::new(turn.trigger.get());
            (Rhythm::new(Pace::default()), dice)
        };
        Self {
            typed: typed.then(rhythm),
        }
    }

    fn wait_before(&mut self, post: &Post) -> Option<Duration> {
        let (rhythm, dice) = self.typed.as_mut()?;
        let Outgoing::Say(text) = &post.outgoing else {
            return None;
        };
        let wait = rhythm.beat(text, dice).total();
        (!wait.is_zero()).then_some(wait)
    }
}

/// Puts up posts until there are no more or none can be shown.
pub(crate) async fn speak(
    bot: &Bot,
    shutdown: &Shutdown,
    mut parcels: mpsc::Receiver<Parcel>,
    typing: &Typing,
    mut pacing: Pacing,
) -> Result<(), StoreError> {
    loop {
        let next = tokio::select! {
            biased;
            () = shutdown.stopped.cancelled() => break give_up(bot, parcels).await,
            next = parcels.recv() => next,
        };
        let (post, mut said) = match next {
            Some(Parcel::Post(post, said)) => (post, said),
            Some(Parcel::Settled(done)) => {
                let _ = done.send(());
                continue;
            }
            None => break Ok(()),
        };
        if let Some(wait) = pacing.wait_before(&post) {
            said = typing.more();
            tokio::select! {
                () = bot.clock.sleep(wait) => {}
                () = shutdown.overdue.cancelled() => {}
                () = shutdown.stopped.cancelled() => {
                    mark(bot, &post, PostState::Abandoned).await?;
                    continue;
                }
            }
        }
        match put_up(bot, shutdown, post).await? {
            Fate::Sent => typing.hidden(said),
            Fate::Dropped => {}
            Fate::TurnOver => break give_up(bot, parcels).await,
            Fate::Left => break Ok(()),
        }
    }
}

/// Nothing more of this turn is shown.
async fn give_up(bot: &Bot, mut parcels: mpsc::Receiver<Parcel>) -> Result<(), StoreError> {
    parcels.close();
    while let Some(parcel) = parcels.recv().await {
        if let Parcel::Post(post, _) = parcel {
            mark(bot, &post, PostState::Abandoned).await?;
        }
    }
    Ok(())
}

/// Puts up one post, trying as long as that makes sense.
pub(crate) async fn put_up(
    bot: &Bot,
    shutdown: &Shutdown,
    mut post: Post,
) -> Result<Fate, StoreError> {
    let mut attempt = 0;
    let mut waited = Duration::ZERO;
    loop {
        attempt += 1;
        mark(bot, &post, PostState::Started { attempt }).await?;
        let error = match bot.chat.post(&post).await {
            Ok(message) => {
                if post.index == 0 {
                    let took = bot.clock.now().since(post.turn.trigger.created_at());
                    metrics::histogram!("first_post_seconds").record(took.as_secs_f64());
                }
                mark(bot, &post, PostState::Sent(message)).await?;
                return Ok(Fate::Sent);
            }
            Err(error) => error,
        };
        tracing::warn!(turn = %post.turn, index = post.index, %error, "a post was not sent");
        let pause = match error.disposition() {
            Disposition::RetrySame if attempt < MAX_TRIES => {
                Duration::from_secs(1 << (attempt - 1))
            }
            Disposition::RetrySame => {
                mark(bot, &post, PostState::Unknown).await?;
                return Ok(Fate::TurnOver);
            }
            Disposition::Wait(pause) if waited + pause <= MAX_WAIT => {
                waited += pause;
                attempt -= 1;
                pause
            }
            Disposition::RetryWithoutReply if post.reply_to.take().is_some() => continue,
            Disposition::Halt => {
                mark(bot, &post, PostState::Queued).await?;
                shutdown.halt(error.to_string());
                return Ok(Fate::Left);
            }
            Disposition::Settled => {
                mark(bot, &post, PostState::Abandoned).await?;
                return Ok(Fate::TurnOver);
            }
            disposition => {
                let code = refusal_code(&error);
                mark(bot, &post, PostState::Refused { code }).await?;
                return Ok(match disposition {
                    Disposition::StopTurn => Fate::TurnOver,
                    _ => Fate::Dropped,
                });
            }
        };
        tokio::select! {
            () = bot.clock.sleep(pause) => {}
            () = shutdown.overdue.cancelled() => return Ok(Fate::Left),
            () = shutdown.stopped.cancelled() => {
                mark(bot, &post, PostState::Abandoned).await?;
                return Ok(Fate::TurnOver);
            }
        }
    }
}

const fn refusal_code(error: &ChatError) -> u32 {
    match error {
        ChatError::Refused { code, .. } => *code,
        ChatError::Unknown { .. } => 0,
        ChatError::Limited { .. } => 429,
    }
}

/// Records how far a post has come.
pub(crate) async fn mark(bot: &Bot, post: &Post, state: PostState) -> Result<(), StoreError> {
    bot.store
        .mark(post.scope, post.turn, post.index, state)
        .await
}
