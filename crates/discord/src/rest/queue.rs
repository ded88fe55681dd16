//! Where requests wait for the [governor](super::governor).
//!
//! One of those who wait keeps the time for all: it sleeps until something may
//! be let through, and hands that over when its own turn has come. So there is
//! no task of its own, and nothing goes on when nobody waits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::ChatError;
use kaiwa_domain::port::{Clock, OnWire};
use tokio::sync::{Notify, Semaphore, oneshot};

use super::governor::{Errand, Governor, LimitNews, Ticket};

/// How long to stay away when too many wait, or there is no room.
const CROWDED: Duration = Duration::from_secs(1);

/// The queue. It lives as long as a request that was let through.
pub(super) struct RequestQueue {
    state: Mutex<State>,
    /// Whoever has it keeps the time.
    watch: Semaphore,
    changed: Notify,
    clock: Arc<dyn Clock>,
}

struct State {
    governor: Governor,
    doors: HashMap<Ticket, oneshot::Sender<SendPermit>>,
}

/// A request that may be sent. Dropped, it tells that it was not, or that
/// nobody knows what became of it.
pub(super) struct SendPermit {
    queue: Option<Arc<RequestQueue>>,
    ticket: Ticket,
    begun: bool,
}

/// The place of somebody who waits. Dropped, it is given up.
struct QueuePlace<'a> {
    queue: &'a RequestQueue,
    ticket: Ticket,
}

impl RequestQueue {
    pub(super) fn new(per_second: u64, clock: Arc<dyn Clock>) -> Self {
        Self {
            state: Mutex::new(State {
                governor: Governor::new(per_second),
                doors: HashMap::new(),
            }),
            watch: Semaphore::new(1),
            changed: Notify::new(),
            clock,
        }
    }

    /// How far apart edits like this one are to be.
    pub(super) fn edit_pace(&self, edit: &Errand) -> Duration {
        self.lock().governor.edit_pace(edit)
    }

    /// A request that does not wait here ran against the wall.
    pub(super) fn walled(self: &Arc<Self>, wait: Duration) {
        let now = self.clock.moment();
        self.settle(|governor| governor.walled(now, wait));
    }

    /// Waits until the request may be sent, for as long as `patience` lasts.
    /// If it is known to take longer, that is told at once.
    pub(super) async fn pass(
        self: &Arc<Self>,
        errand: Errand,
        patience: Duration,
        on_wire: &OnWire,
    ) -> Result<SendPermit, ChatError> {
        let limited = |retry_after| ChatError::Limited { retry_after };
        let now = self.clock.moment();
        let (door, mut opened) = oneshot::channel();
        // Declared after the door, so that it is given up first.
        let _place = {
            let mut state = self.lock();
            let asked = state.governor.ask(now, errand);
            let ticket = asked.map_err(|_| limited(CROWDED))?;
            let wait = state.governor.at_least(now, ticket);
            if wait > patience {
                state.governor.leave(ticket);
                return Err(limited(wait));
            }
            state.doors.insert(ticket, door);
            self.let_through(&mut state);
            QueuePlace {
                queue: self,
                ticket,
            }
        };
        if let Ok(permit) = opened.try_recv() {
            return Ok(permit);
        }
        on_wire.wait();
        self.changed.notify_one();
        tokio::select! {
            biased;
            permit = &mut opened => permit.map_err(|_| limited(CROWDED)),
            () = self.keep_time() => Err(limited(CROWDED)),
            () = self.clock.sleep(patience) => Err(limited(CROWDED)),
        }
    }

    /// Lets through what may pass as time goes by, once nobody else does that.
    /// Ends by being dropped.
    async fn keep_time(self: &Arc<Self>) {
        let Ok(_watch) = self.watch.acquire().await else {
            return;
        };
        loop {
            let now = self.clock.moment();
            let next = {
                let mut state = self.lock();
                self.let_through(&mut state);
                state.governor.next_change(now)
            };
            tokio::select! {
                () = self.changed.notified() => {}
                () = self.sleep_until(next.map(|next| next.since(now))) => {}
            }
        }
    }

    async fn sleep_until(&self, next: Option<Duration>) {
        match next {
            Some(wait) => self.clock.sleep(wait).await,
            None => std::future::pending().await,
        }
    }

    fn let_through(self: &Arc<Self>, state: &mut State) {
        let now = self.clock.moment();
        while let Some(ticket) = state.governor.grant(now) {
            let permit = SendPermit {
                queue: Some(self.clone()),
                ticket,
                begun: false,
            };
            let door = state.doors.remove(&ticket);
            let gone = match door {
                Some(door) => door.send(permit).err(),
                None => Some(permit),
            };
            if let Some(mut permit) = gone {
                permit.queue = None;
                state.governor.unsent(ticket);
            }
        }
    }

    fn settle(self: &Arc<Self>, settle: impl FnOnce(&mut Governor)) {
        let mut state = self.lock();
        settle(&mut state.governor);
        self.let_through(&mut state);
        drop(state);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SendPermit {
    /// The request is about to be sent.
    pub(super) const fn begin(&mut self) {
        self.begun = true;
    }

    /// It was answered.
    pub(super) fn answered(mut self, told: LimitNews) {
        self.settle(told);
    }

    fn settle(&mut self, told: LimitNews) {
        if let Some(queue) = self.queue.take() {
            let now = queue.clock.moment();
            queue.settle(|governor| governor.answered(now, self.ticket, told));
        }
    }
}

impl Drop for SendPermit {
    fn drop(&mut self) {
        if self.begun {
            return self.settle(LimitNews::Lost);
        }
        if let Some(queue) = self.queue.take() {
            queue.settle(|governor| governor.unsent(self.ticket));
        }
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.governor.leave(self.ticket);
        let door = state.doors.remove(&self.ticket);
        drop(state);
        drop(door);
    }
}
