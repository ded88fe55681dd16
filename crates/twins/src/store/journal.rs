//! Turns, effects and who said what, as rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use kaiwa_domain::port::{
    ActiveChannel, Admission, MessageRecord, Progress, Retention, StopRequest, UnfinishedTurn,
};
use kaiwa_domain::{
    ChannelId, DataSubject, Effect, EffectState, Ending, MessageId, PictureId, Scope, StoreError,
    TakeRequest, Timestamp, Trigger, Turn, TurnId, TurnState, UserId,
};

type TurnKey = (Scope, TurnId);
type TakeKey = (Scope, MessageId, UserId, Option<Timestamp>);

/// How long requests for another take are kept.
const TAKES: Duration = Duration::from_secs(2 * 24 * 3600);

#[derive(Default)]
pub(super) struct JournalTables {
    turns: BTreeMap<TurnKey, StoredTurn>,
    effects: BTreeMap<(Scope, TurnId, u16), Effect>,
    messages: HashMap<(Scope, MessageId), (MessageRecord, Timestamp)>,
    handled: BTreeMap<(Scope, MessageId), Timestamp>,
    takes: BTreeMap<TakeKey, (u16, Timestamp)>,
}

struct StoredTurn {
    /// Its state is without the number of the attempt.
    turn: Turn,
    text: Option<String>,
    attempt: u32,
}

impl StoredTurn {
    const fn is_over(&self) -> bool {
        matches!(self.turn.state, TurnState::Ended(_))
    }
}

impl JournalTables {
    pub(super) fn scopes(&self) -> impl Iterator<Item = Scope> {
        self.turns.keys().map(|(scope, _)| *scope)
    }

    pub(super) fn shown_pictures(&self) -> impl Iterator<Item = PictureId> {
        let identities = self.effects.values().filter_map(|it| it.identity.as_ref());
        identities.filter_map(|it| Some(it.portrait()?.picture))
    }

    pub(super) fn admit(&mut self, turn: &Turn, text: Option<&str>) -> Admission {
        let event = turn.id.trigger.message();
        let handled = event.is_some_and(|id| self.handled.contains_key(&(turn.scope, id)));
        let key = (turn.scope, turn.id);
        if (handled && turn.id.take == 0) || self.turns.contains_key(&key) {
            return Admission::Duplicate;
        }
        let row = StoredTurn {
            turn: Turn {
                state: TurnState::Admitted,
                ..turn.clone()
            },
            text: text.map(str::to_owned),
            attempt: 0,
        };
        self.turns.insert(key, row);
        Admission::New
    }

    pub(super) fn begin(&mut self, scope: Scope, id: TurnId) -> Result<u32, StoreError> {
        let row = self.row(scope, id)?;
        if row.is_over() {
            return conflict(format!("turn {id} has ended"));
        }
        row.attempt += 1;
        if row.turn.state == TurnState::Admitted {
            row.turn.state = TurnState::Thinking { attempt: 0 };
        }
        Ok(row.attempt)
    }

    pub(super) fn suspend(&mut self, scope: Scope, id: TurnId) {
        let row = self.turns.get_mut(&(scope, id));
        if let Some(row) = row.filter(|row| !row.is_over()) {
            row.attempt = row.attempt.saturating_sub(1);
        }
    }

    pub(super) fn queue(
        &mut self,
        scope: Scope,
        id: TurnId,
        effects: &[Effect],
        progress: Progress,
    ) -> Result<(), StoreError> {
        let over = self.row(scope, id)?.is_over();
        let mut added = Vec::new();
        for effect in effects {
            let index = effect.index;
            if effect.turn != id || effect.scope != scope {
                return conflict(format!(
                    "effect {index} of turn {} belongs to another scope or turn",
                    effect.turn
                ));
            }
            match self.effects.get(&(scope, id, index)) {
                Some(queued) => {
                    let same = queued.channel == effect.channel
                        && queued.persona == effect.persona
                        && queued.identity == effect.identity
                        && queued.body == effect.body;
                    if !same {
                        return conflict(format!(
                            "effect {index} of turn {id} was queued before with other content"
                        ));
                    }
                }
                None if over => return conflict(format!("turn {id} has ended")),
                None => added.push(Effect {
                    state: match effect.state {
                        started @ EffectState::Started { .. } => started,
                        _ => EffectState::Queued,
                    },
                    ..effect.clone()
                }),
            }
        }
        for effect in added {
            self.effects.insert((scope, id, effect.index), effect);
        }
        let row = self.row(scope, id)?;
        row.turn.state = match (row.turn.state, progress) {
            (ended @ TurnState::Ended(_), _) => ended,
            (_, Progress::Ended(ending)) => TurnState::Ended(ending),
            // A turn never goes back from settling to speaking.
            (TurnState::Settling, _) | (_, Progress::Settling) => TurnState::Settling,
            (_, Progress::Speaking) => TurnState::Speaking,
        };
        Ok(())
    }

    /// False if the effect was settled before, and stays as it is.
    pub(super) fn mark(
        &mut self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        state: EffectState,
    ) -> Result<bool, StoreError> {
        let Some(effect) = self.effects.get_mut(&(scope, turn, index)) else {
            return conflict(format!(
                "there is no effect {index} of turn {turn} in this scope"
            ));
        };
        let was_done = matches!(effect.state, EffectState::Done { .. });
        let is_done = matches!(state, EffectState::Done { .. });
        let moves = effect.state.is_unsettled() || (is_done && !was_done);
        if moves {
            effect.state = state;
        }
        Ok(moves)
    }

    pub(super) fn done(
        &mut self,
        effect: &Effect,
        messages: &[MessageId],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let message = messages.last().copied();
        let done = EffectState::Done { message };
        self.mark(effect.scope, effect.turn, effect.index, done)?;
        self.record(effect, messages, at);
        Ok(())
    }

    fn record(&mut self, effect: &Effect, messages: &[MessageId], at: Timestamp) {
        for message in messages {
            let key = (effect.scope, *message);
            let record = MessageRecord {
                persona: effect.persona,
                look: effect
                    .identity
                    .as_ref()
                    .and_then(|it| it.look().map(str::to_owned)),
                is_notice: effect.body.is_notice(),
            };
            self.messages.entry(key).or_insert((record, at));
        }
    }

    pub(super) fn revise(
        &mut self,
        effect: &Effect,
        messages: &[MessageId],
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let (turn, index) = (effect.turn, effect.index);
        let Some(row) = self.effects.get_mut(&(effect.scope, turn, index)) else {
            return conflict(format!(
                "there is no effect {index} of turn {turn} in this scope"
            ));
        };
        let open = row.state.is_unsettled();
        if open {
            row.body.clone_from(&effect.body);
        }
        self.record(effect, messages, at);
        Ok(open)
    }

    pub(super) fn merge(&mut self, merged: &Effect, taken: u16) -> bool {
        let at = |index| (merged.scope, merged.turn, index);
        let before = self.effects.get(&at(merged.index));
        let (before, other) = match (before, self.effects.get(&at(taken))) {
            // It was done the time before.
            (Some(before), None) => return before.body == merged.body,
            (Some(before), Some(other)) => (before.state, other.state),
            (None, _) => return false,
        };
        let unsent = matches!(before, EffectState::Queued | EffectState::Started { .. });
        if !unsent || other != EffectState::Queued {
            return false;
        }
        self.effects.remove(&at(taken));
        if let Some(effect) = self.effects.get_mut(&at(merged.index)) {
            effect.body = merged.body.clone();
        }
        true
    }

    pub(super) fn stop(&mut self, stop: &StopRequest) {
        let event = (stop.scope, stop.event);
        self.handled.entry(event).or_insert(stop.at);
        for (key, row) in &mut self.turns {
            let turn = &mut row.turn;
            let meant = key.0 == stop.scope
                && turn.channel == stop.channel
                && turn.asker == stop.asker
                && turn.admitted_at <= stop.at
                && !matches!(turn.id.trigger, Trigger::Reminder(_));
            if !meant {
                continue;
            }
            for effect in effects_of(&mut self.effects, *key) {
                if effect.state == EffectState::Queued {
                    effect.state = EffectState::Expired;
                }
            }
            if !matches!(turn.state, TurnState::Ended(_)) {
                turn.state = TurnState::Ended(Ending::Stopped);
            }
        }
    }

    pub(super) fn scopes_with_work(&self) -> Vec<Scope> {
        let turns = self.turns.iter().filter(|(_, row)| !row.is_over());
        let effects = self.effects.values();
        let effects = effects.filter(|effect| effect.state.is_unsettled());
        let scopes: BTreeSet<Scope> = turns
            .map(|((scope, _), _)| *scope)
            .chain(effects.map(|effect| effect.scope))
            .collect();
        scopes.into_iter().collect()
    }

    pub(super) fn unfinished(&self, scope: Scope) -> Vec<UnfinishedTurn> {
        let mut unfinished: Vec<UnfinishedTurn> = self
            .turns
            .iter()
            .filter(|((of, _), _)| *of == scope)
            .map(|(key, row)| UnfinishedTurn {
                turn: Turn {
                    state: match row.turn.state {
                        TurnState::Thinking { .. } => TurnState::Thinking {
                            attempt: row.attempt,
                        },
                        other => other,
                    },
                    ..row.turn.clone()
                },
                text: row.text.clone(),
                effects: self
                    .effects
                    .range((key.0, key.1, 0)..=(key.0, key.1, u16::MAX))
                    .map(|(_, effect)| effect.clone())
                    .collect(),
            })
            .filter(|it| {
                let over = matches!(it.turn.state, TurnState::Ended(_));
                !over || it.effects.iter().any(|effect| effect.state.is_unsettled())
            })
            .collect();
        unfinished.sort_by_key(|it| {
            let TurnId { trigger, take } = it.turn.id;
            (it.turn.admitted_at, trigger.number(), trigger.kind(), take)
        });
        unfinished
    }

    pub(super) fn shown(&self, scope: Scope, turn: TurnId, index: u16) -> Option<MessageId> {
        match self.effects.get(&(scope, turn, index))?.state {
            EffectState::Done { message } => message,
            _ => None,
        }
    }

    pub(super) fn speakers(
        &self,
        scope: Scope,
        messages: &[MessageId],
    ) -> HashMap<MessageId, MessageRecord> {
        let known = messages.iter().filter_map(|id| {
            let (record, _) = self.messages.get(&(scope, *id))?;
            Some((*id, record.clone()))
        });
        known.collect()
    }

    pub(super) fn last_turn(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Option<Turn> {
        let asked = |row: &&StoredTurn| {
            let turn = &row.turn;
            turn.scope == scope
                && turn.channel == channel
                && row.text.is_none()
                && turn.id.trigger.message().is_some()
                && asker.is_none_or(|asker| turn.asker == asker)
        };
        let turns = self.turns.values().filter(asked).map(|row| &row.turn);
        turns.max_by_key(|turn| turn.id).cloned()
    }

    pub(super) fn latest_turn(&self, scope: Scope, message: MessageId) -> Option<Turn> {
        let shows = |effect: &&Effect| {
            let shown = EffectState::Done {
                message: Some(message),
            };
            effect.scope == scope && effect.state == shown
        };
        let said_by = self.effects.values().find(shows);
        let trigger = match said_by.map(|effect| effect.turn.trigger) {
            Some(trigger @ Trigger::Message(_)) => trigger,
            _ => Trigger::Message(message),
        };
        let takes = self.turns.values().map(|row| &row.turn);
        let takes = takes.filter(|turn| turn.scope == scope && turn.id.trigger == trigger);
        takes.max_by_key(|turn| turn.id.take).cloned()
    }

    pub(super) fn request_take(&mut self, request: &TakeRequest, take: u16, at: Timestamp) -> u16 {
        let TakeRequest {
            scope,
            message,
            user,
            edited_at,
        } = *request;
        let key = (scope, message, user, edited_at);
        self.takes.entry(key).or_insert((take, at)).0
    }

    pub(super) fn withdraw_take(&mut self, scope: Scope, message: MessageId, by: Option<UserId>) {
        self.takes.retain(|(of, on, user, edited_at), _| {
            let is_theirs = by.is_none_or(|by| by == *user);
            (*of, *on) != (scope, message) || edited_at.is_some() || !is_theirs
        });
    }

    pub(super) fn active_channels(&self, since: Timestamp, limit: u16) -> Vec<ActiveChannel> {
        let mut channels: BTreeMap<(Scope, ChannelId), (Timestamp, Option<MessageId>)> =
            BTreeMap::new();
        for StoredTurn { turn, .. } in self.turns.values() {
            if turn.admitted_at < since {
                continue;
            }
            let asked = match turn.id.trigger {
                Trigger::Message(id) => Some(id),
                _ => None,
            };
            let channel = channels.entry((turn.scope, turn.channel));
            let (at, last) = channel.or_insert((turn.admitted_at, asked));
            *at = (*at).max(turn.admitted_at);
            *last = (*last).max(asked);
        }
        let mut channels: Vec<_> = channels.into_iter().collect();
        channels.sort_by_key(|(_, (at, _))| std::cmp::Reverse(*at));
        channels.truncate(limit.into());
        let active = channels.into_iter();
        active
            .map(|((scope, channel), (_, last))| ActiveChannel {
                scope,
                channel,
                last,
            })
            .collect()
    }

    pub(super) fn sweep(&mut self, retention: &Retention, now: Timestamp) {
        let old = |at: Timestamp, age: Duration| now.since(at) > age;
        self.turns
            .retain(|_, row| !row.is_over() || !old(row.turn.admitted_at, retention.turns));
        let turns = &self.turns;
        self.effects
            .retain(|(scope, turn, _), _| turns.contains_key(&(*scope, *turn)));
        self.handled.retain(|_, at| !old(*at, retention.turns));
        self.takes.retain(|_, (_, at)| !old(*at, TAKES));
        self.messages
            .retain(|_, (_, at)| !old(*at, retention.messages));
    }

    /// Deletes what belongs to the subject, whose own scope this is. Events that
    /// it caused elsewhere are still known to be dealt with.
    pub(super) fn erase(&mut self, scope: Scope, subject: DataSubject, at: Timestamp) {
        let is_theirs = |turn: &Turn| subject == DataSubject::User(turn.asker);
        for StoredTurn { turn, .. } in self.turns.values() {
            if let Some(message) = turn.id.trigger.message()
                && turn.scope != scope
                && is_theirs(turn)
            {
                self.handled.insert((turn.scope, message), at);
            }
        }
        self.turns
            .retain(|(of, _), row| *of != scope && !is_theirs(&row.turn));
        let turns = &self.turns;
        self.effects
            .retain(|(scope, turn, _), _| turns.contains_key(&(*scope, *turn)));
        self.messages.retain(|(of, _), _| *of != scope);
        self.handled.retain(|(of, _), _| *of != scope);
        self.takes
            .retain(|(of, _, user, _), _| *of != scope && subject != DataSubject::User(*user));
    }

    pub(super) fn row_counts(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("turn", self.turns.len()),
            ("effect", self.effects.len()),
            ("message", self.messages.len()),
            ("handled_event", self.handled.len()),
            ("take_request", self.takes.len()),
        ]
    }

    pub(super) fn ending(
        &self,
        scope: Scope,
        turn: TurnId,
    ) -> Option<(&'static str, Option<&'static str>)> {
        match self.turns.get(&(scope, turn))?.turn.state {
            TurnState::Ended(Ending::Done) => Some(("done", None)),
            TurnState::Ended(Ending::Stopped) => Some(("stopped", None)),
            TurnState::Ended(Ending::Stale) => Some(("stale", None)),
            TurnState::Ended(Ending::Failed(notice)) => Some(("failed", Some(notice.name()))),
            _ => None,
        }
    }

    fn row(&mut self, scope: Scope, id: TurnId) -> Result<&mut StoredTurn, StoreError> {
        let Some(row) = self.turns.get_mut(&(scope, id)) else {
            return conflict(format!("there is no turn {id} in this scope"));
        };
        Ok(row)
    }
}

fn effects_of(
    effects: &mut BTreeMap<(Scope, TurnId, u16), Effect>,
    (scope, turn): TurnKey,
) -> impl Iterator<Item = &mut Effect> {
    effects
        .range_mut((scope, turn, 0)..=(scope, turn, u16::MAX))
        .map(|(_, effect)| effect)
}

fn conflict<T>(reason: String) -> Result<T, StoreError> {
    Err(StoreError::Conflict { reason })
}
