//! A few slots that many scopes share.
//!
//! Each scope may hold so many of them and no more, and scopes that wait take
//! turns: whatever one of them queues, another waits for one round at most.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::Scope;
use tokio::sync::oneshot;

/// The slots. Clones share them.
#[derive(Clone)]
pub(super) struct Slots {
    shared: Arc<Shared>,
}

struct Shared {
    overall: usize,
    per_scope: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    held: HashMap<Scope, usize>,
    /// Who waits; the scope in front is served next.
    waiting: VecDeque<(Scope, VecDeque<oneshot::Sender<Slot>>)>,
}

/// One slot, given back when it is dropped.
pub(super) struct Slot {
    slots: Slots,
    scope: Scope,
}

impl Slots {
    /// So many slots, and so many of them for one scope at a time.
    pub(super) fn new(overall: usize, per_scope: usize) -> Self {
        let shared = Shared {
            overall,
            per_scope,
            state: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Waits for a slot. Dropping the future gives the place in the queue up.
    pub(super) async fn take(&self, scope: Scope) -> Slot {
        let (sender, slot) = oneshot::channel();
        self.state().enter(scope, sender);
        self.serve();
        match slot.await {
            Ok(slot) => slot,
            // Senders are dropped only when nobody waits for them.
            Err(_) => std::future::pending().await,
        }
    }

    /// Hands out what is free.
    fn serve(&self) {
        loop {
            let next = self.state().next(&self.shared);
            let Some((scope, waiter)) = next else {
                return;
            };
            let slot = Slot {
                slots: self.clone(),
                scope,
            };
            // One that nobody takes is given back as it is dropped.
            let _ = waiter.send(slot);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = &self.shared.state;
        state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.state().leave(self.scope);
        self.slots.serve();
    }
}

impl State {
    fn enter(&mut self, scope: Scope, waiter: oneshot::Sender<Slot>) {
        let queue = self.waiting.iter_mut().find(|(known, _)| *known == scope);
        match queue {
            Some((_, queue)) => queue.push_back(waiter),
            None => self.waiting.push_back((scope, VecDeque::from([waiter]))),
        }
    }

    /// Who gets a slot now. The slot counts as held.
    fn next(&mut self, limits: &Shared) -> Option<(Scope, oneshot::Sender<Slot>)> {
        for (_, queue) in &mut self.waiting {
            queue.retain(|waiter| !waiter.is_closed());
        }
        self.waiting.retain(|(_, queue)| !queue.is_empty());
        if self.held.values().sum::<usize>() >= limits.overall {
            return None;
        }
        let may = |scope: &Scope| self.held.get(scope).is_none_or(|it| *it < limits.per_scope);
        let place = self.waiting.iter().position(|(scope, _)| may(scope))?;
        let (scope, mut queue) = self.waiting.remove(place)?;
        let waiter = queue.pop_front()?;
        if !queue.is_empty() {
            self.waiting.push_back((scope, queue));
        }
        *self.held.entry(scope).or_default() += 1;
        Some((scope, waiter))
    }

    fn leave(&mut self, scope: Scope) {
        if let Some(held) = self.held.get_mut(&scope) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&scope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use kaiwa_domain::GuildId;

    fn scope(name: char) -> Scope {
        Scope::Guild(GuildId::new(u64::from(u32::from(name))))
    }

    /// The order in which requests (`a1` is the first of scope a) get a slot,
    /// when the one that has held one longest gives it back each time.
    fn served(overall: usize, per_scope: usize, requests: &str) -> String {
        let slots = Slots::new(overall, per_scope);
        let mut waiting: Vec<_> = requests
            .split(' ')
            .map(|name| {
                let scope = scope(name.chars().next().unwrap());
                // Polled once, so that they queue in this order.
                let mut slot = Box::pin(slots.take(scope));
                (name, slot.as_mut().now_or_never(), slot)
            })
            .collect();
        let mut held = VecDeque::new();
        let mut order = Vec::new();
        loop {
            for (name, got, slot) in &mut waiting {
                if let Some(slot) = got.take().or_else(|| slot.as_mut().now_or_never()) {
                    held.push_back(slot);
                    order.push(*name);
                    *name = "";
                }
            }
            waiting.retain(|(name, ..)| !name.is_empty());
            if held.pop_front().is_none() {
                return order.join(" ");
            }
        }
    }

    #[test]
    fn scopes_take_turns() {
        fn check(overall: usize, per_scope: usize, requests: &str, expect: &str) {
            assert_eq!(served(overall, per_scope, requests), expect, "{requests}");
        }
        check(2, 1, "a1", "a1");
        check(2, 1, "a1 a2 a3", "a1 a2 a3");
        check(2, 1, "a1 a2 a3 a4 b1", "a1 b1 a2 a3 a4");
        check(2, 1, "a1 a2 a3 a4 b1 c1 d1", "a1 b1 a2 c1 d1 a3 a4");
        check(1, 1, "a1 a2 a3 b1 b2 c1", "a1 a2 b1 c1 a3 b2");
        check(3, 2, "a1 a2 a3 a4 b1 b2", "a1 a2 b1 a3 b2 a4");
    }

    #[test]
    fn who_gives_up_waiting_holds_up_nobody() {
        let slots = Slots::new(1, 1);
        let first = slots.take(scope('a')).now_or_never().unwrap();
        let mut gone = Box::pin(slots.take(scope('b')));
        assert!(gone.as_mut().now_or_never().is_none());
        let mut next = Box::pin(slots.take(scope('c')));
        assert!(next.as_mut().now_or_never().is_none());
        drop(gone);
        drop(first);
        assert!(next.as_mut().now_or_never().is_some());
        let mut unread = Box::pin(slots.take(scope('d')));
        drop(unread.as_mut().now_or_never().unwrap());
        // Handed a slot and dropped before it was looked at.
        let held = slots.take(scope('a')).now_or_never().unwrap();
        let mut unread = Box::pin(slots.take(scope('e')));
        assert!(unread.as_mut().now_or_never().is_none());
        drop(held);
        drop(unread);
        assert!(slots.take(scope('f')).now_or_never().is_some());
        assert!(slots.state().held.is_empty() && slots.state().waiting.is_empty());
    }
}
