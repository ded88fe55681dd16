//! Is this for us?
//!
//! Every way in passes this gate: only it can make an [`Admitted`], and only an
//! `Admitted` can become a turn. Deciding takes the same time however much is
//! going on, and touches neither the store nor a model.

mod access;
mod address;
mod cast;
mod rules;
mod state;
pub mod stop;
mod words;

pub use address::Address;
pub use cast::{CalledPersona, named};
pub use rules::{AdmitRules, AutoReply, JoinIn};
pub use state::{AdmitState, Load};
pub use words::TriggerWords;

use std::time::Duration;

use kaiwa_domain::{
    AuthorKind, ChannelKind, ChannelSnapshot, Cue, Me, Message, PersonaId, Question, RoleId, Scope,
    Timestamp, Trigger, Turn, TurnId, TurnState,
};

/// What the gate needs to know beside the event.
#[derive(Clone, Copy, Debug)]
pub struct Gate<'a> {
    /// Who we are.
    pub me: &'a Me,
    /// The role in the guild that is ours alone.
    pub my_roles: &'a [RoleId],
    /// What was decided for this place.
    pub rules: &'a AdmitRules,
    /// The channel, if it is known.
    pub channel: Option<&'a ChannelSnapshot>,
    /// The persona that said what a message replies to; the bot itself is one.
    pub replied_to: Option<PersonaId>,
    /// Who else may answer here.
    pub alters: &'a [CalledPersona],
    /// Whether its author wants nothing to do with us.
    pub opted_out: bool,
    /// Whether Discord shows us what is said to others.
    pub reads_all: bool,
}

/// The gate's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::large_enum_variant, reason = "it is matched where it is made")]
pub enum Decision {
    /// Answer it.
    Admitted(Admitted),
    /// Leave it.
    Ignored(IgnoreReason),
    /// It is for us, but not now or not here; whoever asked is told so once.
    Refused(AdmitRefusal),
}

/// What passed the gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Admitted {
    question: Question,
    address: Address,
    persona: PersonaId,
    /// Who answers after it.
    others: Vec<PersonaId>,
    take: u16,
    at: Timestamp,
}

impl Admitted {
    /// What to answer.
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// Why it is for us.
    pub const fn address(&self) -> Address {
        self.address
    }

    /// The turn that will answer it.
    pub const fn turn(&self) -> Turn {
        Turn {
            id: TurnId {
                trigger: self.question.trigger(),
                take: self.take,
            },
            scope: self.question.scope(),
            channel: self.question.channel(),
            asker: self.question.asker(),
            persona: self.persona,
            state: TurnState::Admitted,
            admitted_at: self.at,
        }
    }

    /// The answers of other personas to the same, in order.
    pub fn others(&self) -> Vec<Self> {
        let takes = self.take.saturating_add(1)..=u16::MAX;
        let others = self.others.iter().zip(takes).map(|(persona, take)| Self {
            persona: *persona,
            take,
            others: Vec::new(),
            ..self.clone()
        });
        others.collect()
    }

    /// An answer of `speakers`, the first of whom is the first to speak.
    fn by(question: Question, address: Address, at: Timestamp, speakers: &[PersonaId]) -> Self {
        let (persona, others) = match speakers.split_first() {
            Some((first, others)) => (*first, others.to_vec()),
            None => (PersonaId::MAIN, Vec::new()),
        };
        Self {
            question,
            address,
            persona,
            others,
            take: 0,
            at,
        }
    }
}

/// Why an event is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IgnoreReason {
    /// We wrote it.
    Own,
    /// Another bot or a webhook wrote it; answering could go on for ever.
    Bot,
    /// Bots have talked among themselves for long enough.
    BotLoop,
    /// Discord wrote it.
    System,
    /// It is older than the gate allows.
    Stale,
    /// People talking among themselves.
    NotAddressed,
    /// Its author wants nothing to do with us.
    OptedOut,
    /// Its author or its channel is not to be answered.
    Denied,
    /// Discord does not show us what it says.
    Unreadable,
}

impl IgnoreReason {
    /// A name that does not change, for metrics and for people who ask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Bot => "bot",
            Self::BotLoop => "bot_loop",
            Self::System => "system",
            Self::Stale => "stale",
            Self::NotAddressed => "not_addressed",
            Self::OptedOut => "opted_out",
            Self::Denied => "denied",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Why something that is for us is not answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdmitRefusal {
    /// They ask too often.
    SlowDown {
        /// When they may ask again.
        wait: Duration,
    },
    /// They wait for as many answers as one person may.
    UserBusy,
    /// The guild waits for as many answers as it may.
    GuildBusy,
    /// The channel waits for as many answers as it may.
    ChannelBusy,
    /// We do not talk in such a channel.
    WrongPlace,
    /// Discord does not show us what they wrote.
    Unreadable,
}

impl AdmitRefusal {
    /// A name that does not change, for metrics and for people who ask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SlowDown { .. } => "slow_down",
            Self::UserBusy => "user_busy",
            Self::GuildBusy => "guild_busy",
            Self::ChannelBusy => "channel_busy",
            Self::WrongPlace => "wrong_place",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Whether a message is plainly said to us, rather than in a place where all is
/// answered.
pub fn is_addressed(gate: &Gate<'_>, message: &Message) -> bool {
    let address = Address::of(gate, message);
    matches!(
        address,
        Some(Address::Mention | Address::Role | Address::Reply | Address::Word | Address::Dm)
    )
}

/// Whether what was admitted before a restart still stands. Limits were kept
/// when it was admitted, and it is for us unless its author has changed it.
pub fn readmit(gate: &Gate<'_>, now: Timestamp, question: Question) -> Decision {
    if let Some(reason) = reason_to_ignore(gate, now, &question) {
        return Decision::Ignored(reason);
    }
    let address = match &question {
        Question::Message(message) if message.edited_at.is_some() => Address::of(gate, message),
        Question::Message(_) => Some(Address::Before),
        _ => Some(Address::Due),
    };
    match address {
        Some(address) => Decision::Admitted(Admitted::by(question, address, now, &[])),
        None => Decision::Ignored(IgnoreReason::NotAddressed),
    }
}

/// Admits another take of a question that was answered before, for somebody
/// who may ask for that: by `persona`, or else by whomever it is for by then.
pub fn admit_again(
    gate: &Gate<'_>,
    now: Timestamp,
    message: Message,
    take: u16,
    persona: Option<PersonaId>,
) -> Decision {
    if gate.opted_out {
        return Decision::Ignored(IgnoreReason::OptedOut);
    }
    if !access::allows(gate, &message.author, message.channel) {
        return Decision::Ignored(IgnoreReason::Denied);
    }
    let speakers = match persona {
        Some(persona) => vec![persona],
        None => cast::speakers(gate, &message),
    };
    let question = Question::Message(message);
    Decision::Admitted(Admitted {
        take,
        ..Admitted::by(question, Address::Again, now, &speakers)
    })
}

/// Admits something to say about an event that was dealt with otherwise.
pub fn admit_instruction(now: Timestamp, instruction: kaiwa_domain::Instruction) -> Admitted {
    let question = Question::Instruction(instruction);
    Admitted {
        take: 1,
        ..Admitted::by(question, Address::Due, now, &[])
    }
}

/// Admits the answers of personas to another one that named them.
pub fn admit_cue(now: Timestamp, cue: Cue, speakers: &[PersonaId]) -> Admitted {
    Admitted::by(Question::Cue(cue), Address::Cue, now, speakers)
}

/// Why an event cannot be for us, whatever it says.
fn reason_to_ignore(gate: &Gate<'_>, now: Timestamp, question: &Question) -> Option<IgnoreReason> {
    if let Question::Message(message) = question {
        if gate.me.is(message.author.id) {
            return Some(IgnoreReason::Own);
        }
        match message.author.kind {
            AuthorKind::Bot if gate.rules.answer_bots => {}
            AuthorKind::Bot | AuthorKind::Webhook => return Some(IgnoreReason::Bot),
            AuthorKind::System => return Some(IgnoreReason::System),
            AuthorKind::Human => {}
        }
        if gate.opted_out {
            return Some(IgnoreReason::OptedOut);
        }
    }
    // Who wanted to be reminded is, however late.
    let is_reminder = matches!(question.trigger(), Trigger::Reminder(_));
    if !is_reminder && now.since(question.trigger().created_at()) > gate.rules.answer_within {
        return Some(IgnoreReason::Stale);
    }
    None
}

/// Whether Discord keeps from us what a message says: without the Message
/// Content Intent it shows mentions of us, direct messages and our own.
fn is_unreadable(gate: &Gate<'_>, message: &Message) -> bool {
    !gate.reads_all && matches!(message.scope, Scope::Guild(_)) && message.is_blank()
}

/// Whether we talk in such a channel.
fn is_place_to_talk(gate: &Gate<'_>, scope: Scope) -> bool {
    let kind = match (scope, gate.channel) {
        (_, Some(channel)) => channel.kind,
        (Scope::Dm(_), None) => ChannelKind::Dm,
        // Not known yet: Discord will say if we cannot.
        (Scope::Guild(_), None) => ChannelKind::Text,
    };
    match kind {
        ChannelKind::Text
        | ChannelKind::Announcement
        | ChannelKind::Thread
        | ChannelKind::Voice
        | ChannelKind::Dm => true,
        ChannelKind::Forum | ChannelKind::GroupDm | ChannelKind::Other => false,
    }
}

#[cfg(test)]
mod tests;
