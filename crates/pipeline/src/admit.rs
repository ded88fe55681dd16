//! Is this message for us?
//!
//! Every way in passes this gate: only [`admit`] can make an [`Admitted`], and
//! only an `Admitted` can become a turn.

pub mod stop;

use std::time::Duration;

use kaiwa_domain::{
    AuthorKind, Me, Message, PersonaId, Question, Reply, Scope, Timestamp, Turn, TurnId, TurnState,
};

/// What the gate needs to know beside the message.
#[derive(Clone, Copy, Debug)]
pub struct Gate<'a> {
    /// Who we are.
    pub me: &'a Me,
    /// A message older than this is not answered: a stale answer is worse
    /// than none.
    pub answer_within: Duration,
}

/// The gate's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Answer it.
    Admitted(Admitted),
    /// Leave it.
    Ignored(Reason),
}

/// Whether somebody tells us to stop, addressed or not. It concerns only the
/// answers that they are waiting for, so they count as addressing us; if there
/// are none, the message is one like any other.
pub fn asks_to_stop(gate: &Gate<'_>, now: Timestamp, message: &Message) -> bool {
    message.author.kind == AuthorKind::Human
        && now.since(message.id.created_at()) <= gate.answer_within
        && stop::stop_request(&message.text, &gate.me.name, true).is_some()
}

/// What passed the gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Admitted {
    question: Question,
    at: Timestamp,
}

impl Admitted {
    /// What to answer.
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// The turn that will answer it.
    pub const fn turn(&self) -> Turn {
        Turn {
            id: TurnId::first(self.question.trigger()),
            scope: self.question.scope(),
            channel: self.question.channel(),
            asker: self.question.asker(),
            persona: PersonaId::MAIN,
            state: TurnState::Admitted,
            admitted_at: self.at,
        }
    }
}

/// Why a message is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// We wrote it.
    Own,
    /// Another bot or a webhook wrote it; answering could go on for ever.
    Bot,
    /// Discord wrote it.
    System,
    /// It is older than the gate allows.
    Stale,
    /// People talking among themselves.
    NotAddressed,
}

impl Reason {
    /// A name that does not change, for metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Bot => "bot",
            Self::System => "system",
            Self::Stale => "stale",
            Self::NotAddressed => "not_addressed",
        }
    }
}

/// Decides whether `question` is for us.
pub fn admit(gate: &Gate<'_>, now: Timestamp, question: Question) -> Decision {
    match reason_to_ignore(gate, now, &question) {
        Some(reason) => Decision::Ignored(reason),
        None => Decision::Admitted(Admitted { question, at: now }),
    }
}

fn reason_to_ignore(gate: &Gate<'_>, now: Timestamp, question: &Question) -> Option<Reason> {
    if let Question::Message(message) = question {
        if gate.me.is(message.author.id) {
            return Some(Reason::Own);
        }
        match message.author.kind {
            AuthorKind::Bot | AuthorKind::Webhook => return Some(Reason::Bot),
            AuthorKind::System => return Some(Reason::System),
            AuthorKind::Human => {}
        }
        if !addressed(gate.me, message) {
            return Some(Reason::NotAddressed);
        }
    }
    if now.since(question.trigger().created_at()) > gate.answer_within {
        return Some(Reason::Stale);
    }
    None
}

/// In direct messages everything is for us; in a guild a mention or a reply is.
fn addressed(me: &Me, message: &Message) -> bool {
    let mentioned = message.mentions.iter().any(|mention| me.is(mention.id));
    let author = message.reply.as_ref().and_then(Reply::author);
    let replied = author.is_some_and(|author| me.is(author));
    matches!(message.scope, Scope::Dm(_)) || mentioned || replied
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{Author, ChannelId, GuildId, Mention, MessageId, ScheduledTask, UserId};

    const ME: UserId = UserId::new(1);
    const ADA: UserId = UserId::new(2);
    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    /// A message sent `age` before [`NOW`] by a human in a guild, to nobody.
    fn message(age: Duration) -> Message {
        let sent = NOW.as_millis() - age.as_millis() as i64;
        let raw = (sent - kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS) << 22;
        Message::new(
            MessageId::new(raw as u64),
            Scope::Guild(GuildId::new(3)),
            ChannelId::new(4),
            author(ADA, AuthorKind::Human),
            "hello".into(),
        )
    }

    fn author(id: UserId, kind: AuthorKind) -> Author {
        Author {
            id,
            name: "Ada".into(),
            kind,
            roles: Vec::new(),
        }
    }

    fn check(what: &str, change: impl FnOnce(&mut Message), expected: Option<Reason>) {
        check_aged(what, Duration::from_secs(1), change, expected);
    }

    fn check_aged(
        what: &str,
        age: Duration,
        change: impl FnOnce(&mut Message),
        expected: Option<Reason>,
    ) {
        let me = Me {
            id: ME,
            name: "Kaiwa".into(),
        };
        let gate = Gate {
            me: &me,
            answer_within: Duration::from_secs(600),
        };
        let mut message = message(age);
        change(&mut message);
        let got = match admit(&gate, NOW, Question::Message(message)) {
            Decision::Admitted(_) => None,
            Decision::Ignored(reason) => Some(reason),
        };
        assert_eq!(got, expected, "{what}");
    }

    fn mention(id: UserId) -> Vec<Mention> {
        vec![Mention {
            id,
            name: "somebody".into(),
        }]
    }

    fn reply(author: Option<UserId>) -> Option<Reply> {
        let target = author.map(|id| {
            let mut target = message(Duration::from_secs(9));
            target.author.id = id;
            Box::new(target)
        });
        Some(Reply {
            to: MessageId::new(9),
            target,
        })
    }

    #[test]
    fn who_is_answered() {
        check("a mention", |m| m.mentions = mention(ME), None);
        check("a reply to us", |m| m.reply = reply(Some(ME)), None);
        check("a direct message", |m| m.scope = Scope::Dm(ADA), None);

        let chatter = Some(Reason::NotAddressed);
        check("chatter", |_| (), chatter);
        check(
            "our name without a mention",
            |m| m.text = "Kaiwa".into(),
            chatter,
        );
        check("another's mention", |m| m.mentions = mention(ADA), chatter);
        check(
            "a reply to another",
            |m| m.reply = reply(Some(ADA)),
            chatter,
        );
        check(
            "a reply to what is gone",
            |m| m.reply = reply(None),
            chatter,
        );
    }

    #[test]
    fn who_is_never_answered() {
        for (kind, reason) in [
            (AuthorKind::Bot, Reason::Bot),
            (AuthorKind::Webhook, Reason::Bot),
            (AuthorKind::System, Reason::System),
        ] {
            let speak = |m: &mut Message| {
                m.mentions = mention(ME);
                m.author.kind = kind;
            };
            check("not a human", speak, Some(reason));
        }
        let own = |m: &mut Message| {
            m.mentions = mention(ME);
            m.author.id = ME;
        };
        check("ourselves", own, Some(Reason::Own));
    }

    #[test]
    fn what_is_due_is_done_unless_it_is_late() {
        let me = Me {
            id: ME,
            name: "Kaiwa".into(),
        };
        let gate = Gate {
            me: &me,
            answer_within: Duration::from_secs(600),
        };
        for (age, expected) in [(1_000, true), (600_000, true), (600_001, false)] {
            let task = ScheduledTask {
                schedule: 7,
                due: Timestamp::from_millis(NOW.as_millis() - age),
                scope: Scope::Guild(GuildId::new(3)),
                channel: ChannelId::new(4),
                asker: ADA,
                text: "say good morning".into(),
            };
            let verdict = admit(&gate, NOW, Question::Scheduled(task));
            let turn = match &verdict {
                Decision::Admitted(admitted) => Some(admitted.turn()),
                Decision::Ignored(_) => None,
            };
            assert_eq!(turn.is_some(), expected, "{age}");
            if let Some(turn) = turn {
                assert_eq!(turn.id.trigger.kind(), "schedule");
                assert_eq!(turn.asker, ADA);
            }
        }
    }

    #[test]
    fn what_comes_too_late() {
        let limit = Duration::from_secs(600);
        let late = limit + Duration::from_millis(1);
        let to_us = |m: &mut Message| m.mentions = mention(ME);
        check_aged("just in time", limit, to_us, None);
        check_aged("too late", late, to_us, Some(Reason::Stale));
        check_aged("late chatter", late, |_| (), Some(Reason::NotAddressed));
    }
}
