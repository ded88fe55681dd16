//! What makes a message one for us.

use kaiwa_domain::{ChannelKind, Message, Scope};

use super::Gate;
use super::cast::names_alter;

/// Why something is for us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Address {
    /// It mentions us.
    Mention,
    /// It mentions the role that is ours alone.
    Role,
    /// It replies to us, or to a persona of ours.
    Reply,
    /// It holds one of our words.
    Word,
    /// It is a direct message.
    Dm,
    /// It stands in a thread that we began.
    OwnThread,
    /// Everything in this channel is answered.
    Always,
    /// Enough was said since we last spoke.
    Auto,
    /// A model thinks that we should join in.
    JoinIn,
    /// Somebody asked for another take.
    Again,
    /// It is a command, a button or a form of ours.
    Control,
    /// Another persona named ours.
    Cue,
    /// It was due.
    Due,
    /// It was admitted before a restart.
    Before,
}

impl Address {
    /// A name that does not change, for metrics and for people who ask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mention => "mention",
            Self::Role => "role",
            Self::Reply => "reply",
            Self::Word => "word",
            Self::Dm => "dm",
            Self::OwnThread => "own_thread",
            Self::Always => "always",
            Self::Auto => "auto",
            Self::JoinIn => "join_in",
            Self::Again => "again",
            Self::Control => "control",
            Self::Cue => "cue",
            Self::Due => "due",
            Self::Before => "before",
        }
    }

    /// Why a message is for us, if by nothing but itself and its place.
    pub(super) fn of(gate: &Gate<'_>, message: &Message) -> Option<Self> {
        // Among several people not everything is for us.
        let is_group = gate
            .channel
            .is_some_and(|channel| channel.kind == ChannelKind::GroupDm);
        if matches!(message.scope, Scope::Dm(_)) && !is_group {
            return Some(Self::Dm);
        }
        if message.mentions.iter().any(|it| gate.me.is(it.id)) {
            return Some(Self::Mention);
        }
        let ours = |role| gate.my_roles.contains(role);
        if message.mention_roles.iter().any(ours) {
            return Some(Self::Role);
        }
        if gate.replied_to.is_some() {
            return Some(Self::Reply);
        }
        if gate.rules.words.are_in(&message.text) || names_alter(gate, message) {
            return Some(Self::Word);
        }
        if gate.rules.always {
            return Some(Self::Always);
        }
        let own_thread = gate.rules.own_threads
            && gate.channel.is_some_and(|channel| {
                let owned = channel.owner.is_some_and(|owner| gate.me.is(owner));
                channel.kind == ChannelKind::Thread && owned
            });
        own_thread.then_some(Self::OwnThread)
    }
}
