//! What a request to the chat network brings with it: how much somebody waits
//! for it, and whether it is still wanted.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::{Moment, Scope};

/// How much somebody waits for a request. What comes first here goes first
/// when not everything can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Urgency {
    /// Answers a click or a command, or does what somebody asked for.
    Control,
    /// The first text of an answer.
    FirstText,
    /// What is read before an answer can begin.
    Lookup,
    /// The last text of an answer.
    FinalText,
    /// Any other text.
    #[default]
    Text,
    /// Changes what is up.
    Edit,
    /// A reaction.
    Reaction,
    /// "Is typing", which does not wait: there is room for it, or it is left
    /// out.
    Typing,
}

/// Lets a request that waits be withdrawn, and one that is under way be
/// waited for; says how urgent it is, and on whose account.
#[derive(Debug, Default)]
pub struct OnWire {
    state: AtomicU8,
    urgency: Urgency,
    scope: Option<Scope>,
    since: Option<Moment>,
}

impl OnWire {
    const UNDER_WAY: u8 = 1;
    const WITHDRAWN: u8 = 2;
    const WAITING: u8 = 4;

    /// Nothing is under way.
    pub const fn new() -> Self {
        Self {
            state: AtomicU8::new(0),
            urgency: Urgency::Text,
            scope: None,
            since: None,
        }
    }

    /// The same, for something that is so urgent to the people of a scope.
    pub const fn of(scope: Scope, urgency: Urgency) -> Self {
        Self {
            state: AtomicU8::new(0),
            urgency,
            scope: Some(scope),
            since: None,
        }
    }

    /// The same, for something that takes the place of what has waited since.
    #[must_use]
    pub const fn in_place_since(self, since: Moment) -> Self {
        Self {
            since: Some(since),
            ..self
        }
    }

    /// Since when somebody waits for it, if that is longer than it does itself.
    pub const fn since(&self) -> Option<Moment> {
        self.since
    }

    /// How urgent the text is that is sent.
    pub const fn urgency(&self) -> Urgency {
        self.urgency
    }

    /// For whom it is sent.
    pub const fn scope(&self) -> Option<Scope> {
        self.scope
    }

    /// The request has to wait for the network's limits.
    pub fn wait(&self) {
        self.state.fetch_or(Self::WAITING, Ordering::AcqRel);
    }

    /// Whether it waits, so that nothing appears if it is withdrawn.
    pub fn is_waiting(&self) -> bool {
        self.state.load(Ordering::Acquire) & (Self::WAITING | Self::UNDER_WAY) == Self::WAITING
    }

    /// Whether it was withdrawn, so that nothing is waited for any more.
    pub fn is_withdrawn(&self) -> bool {
        self.state.load(Ordering::Acquire) & Self::WITHDRAWN != 0
    }

    /// A request is about to be made. False if it was withdrawn: then it must
    /// not be.
    #[must_use]
    pub fn begin(&self) -> bool {
        self.state.fetch_and(!Self::WAITING, Ordering::AcqRel);
        let before = self.state.fetch_or(Self::UNDER_WAY, Ordering::AcqRel);
        let withdrawn = before & Self::WITHDRAWN != 0;
        if withdrawn {
            self.end();
        }
        !withdrawn
    }

    /// The request is no longer under way.
    pub fn end(&self) {
        self.state.fetch_and(!Self::UNDER_WAY, Ordering::AcqRel);
    }

    /// Keeps any further request from being made. Says whether one is under
    /// way, which may still take effect.
    pub fn withdraw(&self) -> bool {
        let before = self.state.fetch_or(Self::WITHDRAWN, Ordering::AcqRel);
        before & Self::UNDER_WAY != 0
    }
}
