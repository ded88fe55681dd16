//! What runs against the stream of data: stop, follow-up, shutdown.

use std::sync::{Arc, OnceLock};

use kaiwa_domain::port::Pending;
use tokio_util::sync::CancellationToken;

use crate::bot::Halt;
use crate::tasks::apart;
use crate::waiting::Wait;

/// Why a turn ends although there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interrupt {
    /// The asker no longer wants the answer.
    Stop,
    /// The asker has said more: another turn answers everything.
    FollowUp,
    /// The process ends, and nothing was said: the next one can do it.
    Leave,
    /// The process ends in the middle, and its grace period is over.
    Overdue,
    /// Nothing more can be shown.
    Unheard,
}

/// How the parts of a bot learn that they are to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    /// Nothing new is begun; turns that have not spoken are left for later.
    pub(crate) closing: CancellationToken,
    /// The grace period is over.
    pub(crate) overdue: CancellationToken,
    /// The asker no longer wants this turn's answer.
    pub(crate) stopped: CancellationToken,
    /// The asker has said more.
    pub(crate) followed_up: CancellationToken,
    /// Why everything has to stop, if it does.
    halt: Arc<OnceLock<Halt>>,
}

impl Signals {
    /// The same for a turn that can be stopped alone.
    pub(crate) fn of_turn(&self, wait: &Wait) -> Self {
        Self {
            stopped: wait.stop().clone(),
            followed_up: wait.addition().clone(),
            ..self.clone()
        }
    }

    /// The same for what is done whether somebody still wants it or not.
    pub(crate) fn unstoppable(&self) -> Self {
        Self {
            stopped: CancellationToken::new(),
            followed_up: CancellationToken::new(),
            ..self.clone()
        }
    }

    /// Stops the whole bot.
    pub(crate) fn halt(&self, why: Halt) {
        let _ = self.halt.set(why);
        self.closing.cancel();
    }

    /// Why the whole bot was stopped, if it was.
    pub(crate) fn halted(&self) -> Option<Halt> {
        self.halt.get().cloned()
    }

    /// Completes when a turn has to end early. One that has `spoken` is not
    /// left, and one that has `acted` is not followed up.
    pub(crate) async fn interrupt(&self, spoken: bool, acted: bool) -> Interrupt {
        tokio::select! {
            biased;
            () = self.stopped.cancelled() => Interrupt::Stop,
            () = self.followed_up.cancelled(), if !acted => Interrupt::FollowUp,
            () = self.closing.cancelled(), if !spoken => Interrupt::Leave,
            () = self.overdue.cancelled() => Interrupt::Overdue,
        }
    }
}

/// Listens over many waits to what ends a turn early.
pub(crate) struct Interruptions<'a> {
    signals: &'a Signals,
    /// Whether the turn had spoken and acted, and what is listened to then.
    waiting: Option<((bool, bool), Pending<'a, Interrupt>)>,
}

impl<'a> Interruptions<'a> {
    pub(crate) const fn new(signals: &'a Signals) -> Self {
        Self {
            signals,
            waiting: None,
        }
    }

    /// Completes as [`Signals::interrupt`] does. May be dropped and asked again.
    pub(crate) async fn next(&mut self, spoken: bool, acted: bool) -> Interrupt {
        let turn = (spoken, acted);
        if self.waiting.as_ref().is_some_and(|(it, _)| *it != turn) {
            self.waiting = None;
        }
        let signals = self.signals;
        let listen = || {
            (
                turn,
                Box::pin(apart(signals.interrupt(spoken, acted))) as Pending<'a, _>,
            )
        };
        let (_, waiting) = self.waiting.get_or_insert_with(listen);
        let interrupt = waiting.await;
        self.waiting = None;
        interrupt
    }
}
