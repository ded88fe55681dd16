//! One actor per active channel: it does one thing at a time.
//!
//! What an earlier process left comes first, in order. After that people take
//! turns: somebody with many questions does not keep others waiting.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::UnfinishedTurn;
use kaiwa_domain::{ChannelId, UserId};
use kaiwa_pipeline::admit::Admitted;
use tokio::sync::Notify;

use crate::scene::SceneVoice;
use crate::signals::Signals;
use crate::tasks::contain;
use crate::waiting::Wait;
use crate::{Bot, recover, turn};

/// An actor without work for this long ends; the next message starts another.
const IDLE: Duration = Duration::from_secs(60);

/// What an actor can be given to do, for as long as somebody waits for it.
#[derive(Debug)]
pub(crate) enum Work {
    /// Answer what was admitted.
    Answer(Box<Admitted>, Wait),
    /// Answer it as several personas, one after the other.
    Scene(VecDeque<SceneVoice>),
    /// Finish what an earlier process began.
    Resume(Box<UnfinishedTurn>, Wait),
}

/// The work of one channel. Clones share it. The gate bounds how much there is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailbox {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    arrived: Notify,
}

#[derive(Debug)]
struct Queue<W = Work> {
    /// What comes before anything else, in order.
    first: VecDeque<W>,
    /// What each person wants, in order.
    people: HashMap<UserId, VecDeque<W>>,
    /// Whose turn it is.
    order: VecDeque<UserId>,
    /// The actor has ended.
    closed: bool,
}

impl<W> Default for Queue<W> {
    fn default() -> Self {
        Self {
            first: VecDeque::new(),
            people: HashMap::new(),
            order: VecDeque::new(),
            closed: false,
        }
    }
}

impl<W> Queue<W> {
    fn push(&mut self, asker: UserId, work: W) {
        let theirs = self.people.entry(asker).or_default();
        if theirs.is_empty() {
            self.order.push_back(asker);
        }
        theirs.push_back(work);
    }

    /// The next work: each person's next in turn.
    fn pop(&mut self) -> Option<W> {
        if let Some(work) = self.first.pop_front() {
            return Some(work);
        }
        let asker = self.order.pop_front()?;
        let theirs = self.people.get_mut(&asker)?;
        let work = theirs.pop_front();
        match theirs.is_empty() {
            true => drop(self.people.remove(&asker)),
            false => self.order.push_back(asker),
        }
        work
    }
}

impl Mailbox {
    /// A mailbox with what an earlier process left.
    pub(crate) fn with_backlog(backlog: VecDeque<Work>) -> Self {
        let mailbox = Self::default();
        mailbox.lock().first = backlog;
        mailbox
    }

    /// Hands work over. It comes back if the actor has ended.
    pub(crate) fn put(&self, asker: UserId, work: Work) -> Result<(), Work> {
        self.enqueue(work, |queue, work| queue.push(asker, work))
    }

    /// As [`put`](Self::put), before everything else.
    pub(crate) fn put_first(&self, work: Work) -> Result<(), Work> {
        self.enqueue(work, |queue, work| queue.first.push_front(work))
    }

    fn enqueue(&self, work: Work, add: impl FnOnce(&mut Queue, Work)) -> Result<(), Work> {
        let mut queue = self.lock();
        if queue.closed {
            return Err(work);
        }
        add(&mut queue, work);
        drop(queue);
        self.shared.arrived.notify_one();
        Ok(())
    }

    /// Whether the actor has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// The next work, once there is some.
    async fn next(&self) -> Work {
        loop {
            if let Some(work) = self.lock().pop() {
                return work;
            }
            self.shared.arrived.notified().await;
        }
    }

    /// Closes it, unless there is work after all.
    fn close_if_idle(&self) -> Option<Work> {
        let mut queue = self.lock();
        let work = queue.pop();
        queue.closed = work.is_none();
        work
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        let queue = self.shared.queue.lock();
        queue.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves one channel until it is idle or the bot ends.
pub(crate) async fn run(bot: Arc<Bot>, signals: Signals, mailbox: Mailbox) {
    while !signals.closing.is_cancelled() {
        let work = tokio::select! {
            biased;
            () = signals.closing.cancelled() => return,
            work = mailbox.next() => Some(work),
            () = bot.clock.sleep(IDLE) => mailbox.close_if_idle(),
        };
        let Some(work) = work else {
            return;
        };
        let Some(channel) = work.channel() else {
            continue;
        };
        let mut scene = VecDeque::new();
        match work {
            Work::Scene(voices) => scene = voices,
            work => perform(&bot, &signals, work).await,
        }
        // Nobody comes between those who answer the same message.
        scene.extend(bot.scenes.take(channel));
        while let Some((admitted, wait)) = scene.pop_front() {
            if signals.closing.is_cancelled() {
                return;
            }
            perform(&bot, &signals, Work::Answer(admitted, wait)).await;
            scene.extend(bot.scenes.take(channel));
        }
    }
}

impl Work {
    /// Where it is done.
    fn channel(&self) -> Option<ChannelId> {
        match self {
            Self::Answer(admitted, _) => Some(admitted.turn().channel),
            Self::Scene(voices) => voices.front().map(|(first, _)| first.turn().channel),
            Self::Resume(unfinished, _) => Some(unfinished.turn.channel),
        }
    }
}

async fn perform(bot: &Bot, signals: &Signals, work: Work) {
    let id = match &work {
        Work::Answer(admitted, _) => admitted.turn().id,
        Work::Resume(unfinished, _) => unfinished.turn.id,
        Work::Scene(_) => return,
    };
    metrics::gauge!("turns_active").increment(1.0);
    let done = match work {
        Work::Answer(admitted, wait) => {
            let signals = signals.of_turn(&wait);
            // Boxed: a turn is a large future.
            contain("turn", Box::pin(turn::answer(bot, &signals, &admitted))).await
        }
        Work::Resume(unfinished, wait) => {
            let signals = signals.of_turn(&wait);
            contain(
                "turn",
                Box::pin(recover::resume(bot, &signals, *unfinished)),
            )
            .await
        }
        Work::Scene(_) => None,
    };
    match done {
        Some(Ok(())) => {}
        Some(Err(error)) => tracing::error!(turn = %id, %error, "a turn was not recorded"),
        // The attempt was counted before the panic, so what always panics is
        // given up after a few starts.
        None => tracing::error!(turn = %id, "a turn crashed"),
    }
    metrics::gauge!("turns_active").decrement(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_take_turns_whoever_asks_most() {
        let mut queue = Queue::default();
        queue.first.push_back("left over");
        let [ada, ben, cleo] = [1, 2, 3].map(UserId::new);
        for work in ["a1", "a2", "a3", "a4"] {
            queue.push(ada, work);
        }
        queue.push(ben, "b1");
        queue.push(cleo, "c1");
        queue.push(ben, "b2");
        let served: Vec<&str> = std::iter::from_fn(|| queue.pop()).collect();
        let order = ["left over", "a1", "b1", "c1", "a2", "b2", "a3", "a4"];
        assert_eq!(served, order);
        assert!(queue.people.is_empty());
    }
}
