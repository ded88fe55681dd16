//! Who waits for which answer, so that it can be stopped, added to and counted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::{ChannelId, MessageId, Scope, Turn, TurnId, UserId};
use kaiwa_pipeline::admit::Load;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How often in a row somebody may add to a question that is being answered.
/// After that the answer comes first.
const MOST_ADDITIONS: u32 = 3;

/// The answers that people wait for. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct WaitingList {
    awaited: Arc<Mutex<Awaited>>,
    fewer: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Awaited {
    channels: HashMap<ChannelId, Vec<OpenAnswer>>,
    /// How many each person waits for in each scope.
    people: HashMap<(Scope, UserId), usize>,
    scopes: HashMap<Scope, usize>,
    last: u64,
}

/// An answer that somebody waits for.
#[derive(Debug)]
struct OpenAnswer {
    number: u64,
    turn: TurnId,
    scope: Scope,
    asker: UserId,
    question: Option<MessageId>,
    /// The message that the scene began with, if it is another.
    root: Option<MessageId>,
    stop: CancellationToken,
    addition: CancellationToken,
    /// How often in a row this asker has added to a question.
    additions: u32,
}

impl OpenAnswer {
    /// Whether it was asked for before an event: a message that comes again
    /// does not concern what was asked after it, nor itself.
    fn is_before(&self, event: MessageId) -> bool {
        let asked = self.root.or(self.question);
        asked.is_none_or(|question| question < event)
    }

    /// Whether it came of what somebody wrote, so that they can write more.
    fn is_conversation(&self) -> bool {
        self.question.or(self.root).is_some()
    }

    /// Whether it is still to be given, and not by another turn.
    fn is_open(&self) -> bool {
        !self.stop.is_cancelled() && !self.addition.is_cancelled()
    }
}

/// One answer that somebody waits for; dropping it ends the wait.
#[derive(Debug)]
pub(crate) struct Wait {
    waiting: WaitingList,
    scope: Scope,
    channel: ChannelId,
    /// Whose share it is.
    asker: Option<UserId>,
    number: u64,
    stop: CancellationToken,
    addition: CancellationToken,
}

impl WaitingList {
    /// Somebody waits for an answer from now on. If it is to a message, and they
    /// have asked others here, it answers those too, as far as they are not done.
    pub(crate) fn wait(&self, turn: &Turn) -> Wait {
        let mut awaited = self.lock();
        awaited.last += 1;
        let number = awaited.last;
        let (scope, asker) = (turn.scope, turn.asker);
        *awaited.people.entry((scope, asker)).or_default() += 1;
        *awaited.scopes.entry(scope).or_default() += 1;
        let here = awaited.channels.entry(turn.channel).or_default();
        let question = turn.id.trigger.message();
        let is_theirs =
            |it: &&OpenAnswer| question.is_some() && it.asker == asker && it.is_conversation();
        let open = here.iter().filter(is_theirs).filter(|it| it.is_open());
        let before = open.map(|it| it.additions).max();
        let additions = match before {
            Some(before) if before < MOST_ADDITIONS => {
                for answer in here.iter().filter(is_theirs) {
                    answer.addition.cancel();
                }
                before + 1
            }
            Some(before) => before,
            None => 0,
        };
        let answer = OpenAnswer {
            number,
            turn: turn.id,
            scope: turn.scope,
            asker,
            question,
            root: None,
            stop: CancellationToken::new(),
            addition: CancellationToken::new(),
            additions,
        };
        let wait = self.wait_for(turn, &answer);
        here.push(answer);
        wait
    }

    /// Somebody waits for one more answer of the scene that `root` began. It
    /// takes nothing over, and is stopped with what they asked there.
    pub(crate) fn join(&self, turn: &Turn, root: Option<MessageId>) -> Wait {
        let mut awaited = self.lock();
        awaited.last += 1;
        let number = awaited.last;
        *awaited.people.entry((turn.scope, turn.asker)).or_default() += 1;
        *awaited.scopes.entry(turn.scope).or_default() += 1;
        let answer = OpenAnswer {
            number,
            turn: turn.id,
            scope: turn.scope,
            asker: turn.asker,
            question: None,
            root,
            stop: CancellationToken::new(),
            addition: CancellationToken::new(),
            additions: 0,
        };
        let wait = self.wait_for(turn, &answer);
        let here = awaited.channels.entry(turn.channel).or_default();
        here.push(answer);
        wait
    }

    fn wait_for(&self, turn: &Turn, answer: &OpenAnswer) -> Wait {
        Wait {
            waiting: self.clone(),
            scope: turn.scope,
            channel: turn.channel,
            asker: Some(turn.asker),
            number: answer.number,
            stop: answer.stop.clone(),
            addition: answer.addition.clone(),
        }
    }

    /// Somebody waits for what is neither stopped nor added to, and does not
    /// keep them from asking: a command, a reminder, a line about a stop.
    pub(crate) fn unstoppable(&self, turn: &Turn) -> Wait {
        let mut awaited = self.lock();
        awaited.last += 1;
        *awaited.scopes.entry(turn.scope).or_default() += 1;
        Wait {
            waiting: self.clone(),
            scope: turn.scope,
            channel: turn.channel,
            asker: None,
            number: awaited.last,
            stop: CancellationToken::new(),
            addition: CancellationToken::new(),
        }
    }

    /// How much is waited for.
    pub(crate) fn load(&self, scope: Scope, channel: ChannelId, user: UserId) -> Load {
        let awaited = self.lock();
        let count = |answers: &Vec<OpenAnswer>| answers.iter().filter(|it| it.is_open()).count();
        let here = awaited.channels.get(&channel);
        Load {
            // What another turn answers too is not waited for twice.
            user: here.map_or(0, |answers| {
                let theirs = answers.iter().filter(|it| it.asker == user);
                theirs.filter(|it| it.is_open()).count()
            }) + elsewhere(&awaited, scope, channel, user),
            scope: awaited.scopes.get(&scope).copied().unwrap_or_default(),
            channel: here.map_or(0, count),
        }
    }

    /// Completes once nobody waits for anything.
    pub async fn nobody(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.lock().scopes.is_empty() {
                return;
            }
            fewer.await;
        }
    }

    /// Whether anybody waits in a channel.
    pub(crate) fn anybody(&self, channel: ChannelId) -> bool {
        self.lock().channels.contains_key(&channel)
    }

    /// Whether `asker` waits in a channel.
    pub(crate) fn is_awaited(&self, channel: ChannelId, asker: UserId) -> bool {
        let awaited = self.lock();
        let here = awaited.channels.get(&channel);
        here.is_some_and(|answers| answers.iter().any(|it| it.asker == asker))
    }

    /// Stops every answer that `asker` waits for in the channel and asked for
    /// before `event`. False if there is none.
    pub(crate) fn stop(&self, channel: ChannelId, asker: UserId, event: MessageId) -> bool {
        let theirs = |it: &OpenAnswer| it.asker == asker && it.is_before(event);
        !self.stop_where(channel, theirs).is_empty()
    }

    /// Stops every answer in the channel that was asked for before `event`, and
    /// says who waited.
    pub(crate) fn stop_all(&self, channel: ChannelId, event: MessageId) -> Vec<UserId> {
        self.stop_where(channel, |it| it.is_before(event))
    }

    /// Stops every answer in the channel, and says whether there was any.
    pub(crate) fn stop_here(&self, channel: ChannelId) -> bool {
        !self.stop_where(channel, |_| true).is_empty()
    }

    /// Stops every answer in a scope.
    pub(crate) fn stop_scope(&self, scope: Scope) {
        let awaited = self.lock();
        let all = awaited.channels.values().flatten();
        for answer in all.filter(|it| it.scope == scope) {
            answer.stop.cancel();
        }
    }

    /// Stops the answers to one question. False if there is none.
    pub(crate) fn stop_question(&self, channel: ChannelId, question: MessageId) -> bool {
        let stopped = self.stop_where(channel, |it| it.root.or(it.question) == Some(question));
        !stopped.is_empty()
    }

    /// Who waits for the answer of a turn, if it is still to be given.
    pub(crate) fn asker_of(&self, channel: ChannelId, turn: TurnId) -> Option<UserId> {
        let awaited = self.lock();
        let mut here = awaited.channels.get(&channel)?.iter();
        let answer = here.find(|it| it.turn == turn && !it.stop.is_cancelled());
        answer.map(|it| it.asker)
    }

    /// The questions of a channel that wait for an answer of their own.
    pub(crate) fn questions(&self, channel: ChannelId) -> Vec<MessageId> {
        let awaited = self.lock();
        let here = awaited.channels.get(&channel).into_iter().flatten();
        let open = here.filter(|it| it.is_open());
        open.filter_map(|it| it.question).collect()
    }

    fn stop_where(&self, channel: ChannelId, which: impl Fn(&OpenAnswer) -> bool) -> Vec<UserId> {
        let awaited = self.lock();
        let here = awaited.channels.get(&channel).into_iter().flatten();
        let mut askers: Vec<UserId> = Vec::new();
        for answer in here.filter(|it| !it.stop.is_cancelled() && which(it)) {
            answer.stop.cancel();
            if !askers.contains(&answer.asker) {
                askers.push(answer.asker);
            }
        }
        askers
    }

    fn lock(&self) -> MutexGuard<'_, Awaited> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many answers somebody waits for in other channels of a scope.
fn elsewhere(awaited: &Awaited, scope: Scope, channel: ChannelId, user: UserId) -> usize {
    let all = awaited.people.get(&(scope, user)).copied();
    let here = awaited.channels.get(&channel);
    let here = here.map_or(0, |answers| {
        answers.iter().filter(|it| it.asker == user).count()
    });
    all.unwrap_or_default().saturating_sub(here)
}

impl Wait {
    /// Cancelled when the asker no longer wants the answer.
    pub(crate) const fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Cancelled when the asker has said more, which another turn will answer
    /// together with this.
    pub(crate) const fn addition(&self) -> &CancellationToken {
        &self.addition
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut awaited = self.waiting.lock();
        if let Some(here) = awaited.channels.get_mut(&self.channel) {
            here.retain(|it| it.number != self.number);
            if here.is_empty() {
                awaited.channels.remove(&self.channel);
            }
        }
        fn less<K: std::hash::Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) {
            if let Some(count) = counts.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(key);
                }
            }
        }
        if let Some(asker) = self.asker {
            less(&mut awaited.people, &(self.scope, asker));
        }
        less(&mut awaited.scopes, &self.scope);
        drop(awaited);
        self.waiting.fewer.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{GuildId, OccurrenceId, PersonaId, Timestamp, Trigger, TurnState};

    const HERE: ChannelId = ChannelId::new(1);
    const THERE: ChannelId = ChannelId::new(2);
    const ADA: UserId = UserId::new(3);
    const BEN: UserId = UserId::new(4);
    const LATER: MessageId = MessageId::new(1000);
    const SCOPE: Scope = Scope::Guild(GuildId::new(9));

    fn asks(waiting: &WaitingList, channel: ChannelId, asker: UserId, question: u64) -> Wait {
        let id = TurnId::of_message(MessageId::new(question));
        waits(waiting, channel, asker, id)
    }

    fn waits(waiting: &WaitingList, channel: ChannelId, asker: UserId, id: TurnId) -> Wait {
        waiting.wait(&turn(channel, asker, id))
    }

    fn turn(channel: ChannelId, asker: UserId, id: TurnId) -> Turn {
        Turn {
            id,
            scope: SCOPE,
            channel,
            asker,
            persona: PersonaId::MAIN,
            state: TurnState::Admitted,
            admitted_at: Timestamp::from_millis(0),
        }
    }

    #[test]
    fn a_stop_reaches_what_the_asker_waits_for_here_and_nothing_else() {
        let waiting = WaitingList::default();
        let first = asks(&waiting, HERE, ADA, 10);
        let second = asks(&waiting, HERE, ADA, 11);
        let elsewhere = asks(&waiting, THERE, ADA, 12);
        let other = asks(&waiting, HERE, BEN, 13);
        let first_question = MessageId::new(10);
        assert!(
            !waiting.stop(HERE, ADA, first_question),
            "it is the question itself"
        );
        assert!(waiting.stop(HERE, ADA, LATER));
        assert!(first.stop().is_cancelled() && second.stop().is_cancelled());
        assert!(!elsewhere.stop().is_cancelled() && !other.stop().is_cancelled());
        assert!(!waiting.stop(HERE, ADA, LATER));

        let next = asks(&waiting, HERE, ADA, 14);
        drop((first, second));
        assert!(!next.stop().is_cancelled());
        assert_eq!(waiting.stop_all(HERE, LATER), [BEN, ADA]);
        assert!(next.stop().is_cancelled() && other.stop().is_cancelled());
        drop((next, elsewhere, other));
        let left = waiting.lock();
        assert!(left.channels.is_empty() && left.people.is_empty() && left.scopes.is_empty());
    }

    #[test]
    fn a_scene_is_stopped_as_one_and_takes_nothing_over() {
        let waiting = WaitingList::default();
        let root = MessageId::new(10);
        let first = asks(&waiting, HERE, ADA, 10);
        let turn = Turn {
            id: TurnId::first(Trigger::Cue(MessageId::new(500))),
            scope: SCOPE,
            channel: HERE,
            asker: ADA,
            persona: PersonaId::new(2),
            state: TurnState::Admitted,
            admitted_at: Timestamp::from_millis(0),
        };
        let second = waiting.join(&turn, Some(root));
        assert!(!first.addition().is_cancelled());
        assert_eq!(waiting.questions(HERE), [root], "it is no question");
        // A stop that was written before the persona spoke counts too.
        assert!(waiting.stop(HERE, ADA, MessageId::new(20)));
        assert!(first.stop().is_cancelled() && second.stop().is_cancelled());
        let third = waiting.join(&turn, Some(root));
        assert!(waiting.stop_question(HERE, root));
        assert!(third.stop().is_cancelled());
        let fourth = waiting.join(&turn, Some(root));
        let newer = asks(&waiting, HERE, ADA, 600);
        assert!(fourth.addition().is_cancelled() && !newer.addition().is_cancelled());
    }

    #[test]
    fn one_question_can_be_stopped_alone() {
        let waiting = WaitingList::default();
        let first = asks(&waiting, HERE, ADA, 10);
        let second = asks(&waiting, HERE, BEN, 11);
        assert!(!waiting.stop_question(HERE, MessageId::new(99)));
        assert!(waiting.stop_question(HERE, MessageId::new(11)));
        assert!(!first.stop().is_cancelled() && second.stop().is_cancelled());
        assert_eq!(waiting.questions(HERE), [MessageId::new(10)]);
    }

    #[test]
    fn a_newer_question_takes_the_older_ones_over_but_not_for_ever() {
        let waiting = WaitingList::default();
        let other = asks(&waiting, HERE, BEN, 1);
        let mut waits = vec![asks(&waiting, HERE, ADA, 10)];
        for id in 0..u64::from(MOST_ADDITIONS) {
            waits.push(asks(&waiting, HERE, ADA, 11 + id));
            let taken_over: Vec<bool> = waits.iter().map(|w| w.addition().is_cancelled()).collect();
            let last = taken_over.len() - 1;
            assert!(taken_over[..last].iter().all(|&taken| taken) && !taken_over[last]);
        }
        let patient = asks(&waiting, HERE, ADA, 20);
        assert!(!waits[waits.len() - 1].addition().is_cancelled());
        assert!(!patient.addition().is_cancelled() && !other.addition().is_cancelled());
        let load = waiting.load(SCOPE, HERE, ADA);
        assert_eq!(
            (load.user, load.channel),
            (2, 3),
            "what is taken over is not counted"
        );
    }

    #[test]
    fn only_messages_add_to_what_was_asked_and_only_to_messages() {
        let waiting = WaitingList::default();
        let question = asks(&waiting, HERE, ADA, 10);
        let occurrence = OccurrenceId::due(11, Timestamp::from_millis(0));
        let others = [Trigger::Schedule(occurrence), Trigger::Join(occurrence)];
        let others = others.map(|it| waits(&waiting, HERE, ADA, TurnId::first(it)));
        assert!(!question.addition().is_cancelled());
        let newer = asks(&waiting, HERE, ADA, 13);
        assert!(question.addition().is_cancelled());
        assert!(others.iter().all(|it| !it.addition().is_cancelled()));
        assert!(!newer.addition().is_cancelled());
    }

    #[test]
    fn answers_are_counted_by_person_channel_and_scope() {
        let waiting = WaitingList::default();
        let _here = asks(&waiting, HERE, ADA, 10);
        let _there = asks(&waiting, THERE, ADA, 11);
        let _other = asks(&waiting, THERE, BEN, 12);
        let load = waiting.load(SCOPE, THERE, ADA);
        let expected = Load {
            user: 2,
            scope: 3,
            channel: 2,
        };
        assert_eq!(load, expected);
        let nobody = waiting.load(Scope::Dm(ADA), ChannelId::new(7), ADA);
        assert_eq!(nobody, Load::default());
        // Commands keep nobody from asking.
        let command = turn(HERE, BEN, TurnId::of_message(MessageId::new(13)));
        let commands = [(); 5].map(|()| waiting.unstoppable(&command));
        assert_eq!(waiting.load(SCOPE, THERE, BEN).user, 1);
        drop(commands);
        assert_eq!(waiting.load(SCOPE, THERE, BEN).user, 1);
    }
}
