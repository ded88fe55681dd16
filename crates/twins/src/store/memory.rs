//! What is remembered, decided and opted out of, as rows.

use std::collections::{BTreeMap, BTreeSet};

use kaiwa_domain::port::{
    DecisionJournal, Erasure, Memories, OptOuts, Pending, Recall, Retention, Snapshots,
};
use kaiwa_domain::{
    ChannelId, DataSubject, DecisionRecord, Export, ExportCell, ExportTable, FACT_CHARS,
    FACTS_PER_PERSON, FACTS_PER_SCOPE, Fact, FactId, MessageId, NOTE_CHARS, NOTES_PER_CHANNEL,
    NewFact, Note, PersonaId, PromptSnapshot, Scope, StoreError, Timestamp, TurnId, UserId,
};

use super::{MemoryStore, State};

#[derive(Default)]
pub(super) struct MemoryTables {
    facts: BTreeMap<(Scope, FactId), NewFact>,
    notes: Vec<Note>,
    resets: BTreeMap<(Scope, ChannelId), (MessageId, Timestamp)>,
    snapshots: BTreeMap<(Scope, TurnId), PromptSnapshot>,
    decisions: Vec<DecisionRecord>,
    opted_out: BTreeSet<UserId>,
    erasures: Vec<Timestamp>,
}

impl MemoryTables {
    fn remember(&mut self, fact: &NewFact) -> Result<FactId, StoreError> {
        if fact.text.chars().count() > FACT_CHARS {
            return conflict("the fact is too long");
        }
        let here = |scope| {
            let first = (scope, FactId::new(0));
            first..=(scope, FactId::new(u32::MAX))
        };
        let about: Vec<FactId> = self
            .facts
            .range(here(fact.scope))
            .filter(|(_, it)| fact.about.is_some() && it.about == fact.about)
            .map(|((_, id), _)| *id)
            .collect();
        let last = self.facts.range(here(fact.scope)).next_back();
        let id = FactId::new(last.map_or(1, |((_, id), _)| id.get() + 1));
        if about.len() >= FACTS_PER_PERSON {
            self.facts.remove(&(fact.scope, about[0]));
        } else if self.facts.range(here(fact.scope)).count() >= FACTS_PER_SCOPE {
            return conflict("there are too many facts in this scope");
        }
        self.facts.insert((fact.scope, id), fact.clone());
        Ok(id)
    }

    fn facts(&self, scope: Scope) -> Vec<Fact> {
        let here = self.facts.iter().filter(|((of, _), _)| *of == scope);
        here.map(|((_, id), learned)| Fact {
            id: *id,
            learned: learned.clone(),
        })
        .collect()
    }

    fn recall(&self, recall: &Recall<'_>) -> Vec<Fact> {
        let query = recall.query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut facts = self.facts(recall.scope);
        facts.retain(|fact| {
            fact.learned.audience.admits(recall.channel) && !fact.learned.has_expired(recall.now)
        });
        let rank = |fact: &Fact| {
            let text = fact.learned.text.to_lowercase();
            let hits = words.iter().filter(|word| text.contains(**word)).count();
            let about = match fact.learned.about {
                Some(user) if user == recall.asker => 0,
                None => 1,
                Some(_) => 2,
            };
            (hits, about)
        };
        facts.retain(|fact| rank(fact) != (0, 2));
        facts.sort_by_key(|fact| {
            let (hits, about) = rank(fact);
            (
                std::cmp::Reverse(hits),
                about,
                std::cmp::Reverse(fact.learned.learned_at),
            )
        });
        facts.truncate(recall.limit.into());
        facts
    }

    fn take_note(&mut self, note: &Note) -> Result<(), StoreError> {
        if note.text.chars().count() > NOTE_CHARS {
            return conflict("the note is too long");
        }
        let whose = |it: &Note| (it.scope, it.channel, it.persona);
        let is_here = |it: &Note| whose(it) == whose(note);
        if self.notes.iter().filter(|it| is_here(it)).count() >= NOTES_PER_CHANNEL
            && let Some(oldest) = self.notes.iter().position(is_here)
        {
            self.notes.remove(oldest);
        }
        self.notes.push(note.clone());
        Ok(())
    }

    pub(super) fn delete_notes_of(&mut self, scope: Scope, persona: PersonaId) {
        self.notes
            .retain(|it| (it.scope, it.persona) != (scope, persona));
    }

    fn condense_notes(&mut self, summary: &Note) -> Result<(), StoreError> {
        if summary.text.chars().count() > NOTE_CHARS {
            return conflict("the note is too long");
        }
        let whose = |it: &Note| (it.scope, it.channel, it.persona);
        let is_here = |it: &Note| whose(it) == whose(summary);
        let summed_up = |it: &Note| is_here(it) && it.at <= summary.at;
        let Some(first) = self.notes.iter().position(summed_up) else {
            return Ok(());
        };
        self.notes.retain(|it| !summed_up(it));
        let place = first.min(self.notes.len());
        self.notes.insert(place, summary.clone());
        Ok(())
    }

    pub(super) fn sweep(&mut self, retention: &Retention, now: Timestamp) {
        self.facts.retain(|_, fact| !fact.has_expired(now));
        self.notes.retain(|note| note.expires_at > now);
        self.resets
            .retain(|_, (_, at)| now.since(*at) <= retention.messages);
        self.snapshots
            .retain(|_, it| now.since(it.at) <= retention.snapshots);
        self.decisions
            .retain(|it| now.since(it.at) <= retention.turns);
        self.erasures
            .retain(|at| now.since(*at) <= retention.expenses);
    }

    pub(super) fn scopes(&self) -> impl Iterator<Item = Scope> {
        self.facts.keys().map(|(scope, _)| *scope)
    }

    pub(super) fn row_counts(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("fact", self.facts.len()),
            ("note", self.notes.len()),
            ("context_reset", self.resets.len()),
            ("snapshot", self.snapshots.len()),
            ("decision", self.decisions.len()),
            ("opt_out", self.opted_out.len()),
            ("erasure", self.erasures.len()),
            ("memory_key", 1),
        ]
    }

    /// Deletes what belongs to the subject.
    fn erase(&mut self, subject: DataSubject, at: Timestamp) {
        let scope = scope_of(subject);
        let is_theirs = |user: UserId| subject == DataSubject::User(user);
        self.facts.retain(|(of, _), fact| {
            let about = [fact.about, fact.author].into_iter().flatten();
            *of != scope && !about.into_iter().any(is_theirs)
        });
        self.notes
            .retain(|it| it.scope != scope && !it.people.iter().copied().any(is_theirs));
        self.resets.retain(|(of, _), _| *of != scope);
        self.snapshots
            .retain(|_, it| it.scope != scope && !it.people.iter().copied().any(is_theirs));
        self.decisions
            .retain(|it| it.scope != scope && !is_theirs(it.user));
        self.erasures.push(at);
    }
}

/// The scope that belongs to the subject alone.
pub(super) const fn scope_of(subject: DataSubject) -> Scope {
    match subject {
        DataSubject::User(user) => Scope::Dm(user),
        DataSubject::Guild(guild) => Scope::Guild(guild),
    }
}

impl State {
    fn erase(&mut self, subject: DataSubject, at: Timestamp) -> u64 {
        let count = |state: &Self| {
            let journal = state.journal.row_counts().into_iter();
            let memory = state.memory.row_counts().into_iter();
            let offers = state.offers.row_counts().into_iter();
            let rows = journal.chain(memory).chain(offers);
            let rows = rows.chain(state.personas.row_counts());
            let rows = rows.chain(state.webhooks.row_counts());
            let rows = rows.chain(state.schedules.row_counts());
            let rows = rows.filter(|(name, _)| *name != "erasure");
            let rows: usize = rows.map(|(_, rows)| rows).sum();
            let more = state.cases.len() + state.newcomers.len();
            rows + state.expenses.len() + state.settings.len() + more
        };
        let before = count(self);
        let scope = scope_of(subject);
        let is_theirs = |user: UserId| subject == DataSubject::User(user);
        self.journal.erase(scope, subject, at);
        self.memory.erase(subject, at);
        self.cases.erase(subject);
        self.offers.erase(subject);
        self.newcomers.erase(subject);
        self.personas.erase(subject);
        self.webhooks.erase(scope);
        self.schedules.erase(subject);
        self.expenses
            .retain(|it| it.payer.scope != scope && !is_theirs(it.payer.user));
        self.settings.retain(|it| it.scope != scope);
        self.handles.retain(|(of, _), _| *of != scope);
        self.departures.retain(|it| Scope::Guild(it.guild) != scope);
        for setting in &mut self.settings {
            setting.changed_by = setting.changed_by.filter(|user| !is_theirs(*user));
        }
        before.saturating_sub(count(self)) as u64
    }

    /// The facts only: enough to be told apart from nothing.
    fn export(&self, subject: DataSubject) -> Export {
        let scope = scope_of(subject);
        let theirs = self.memory.facts.iter().filter(|((of, _), fact)| {
            let people = [fact.about, fact.author].into_iter().flatten();
            let mut people = people.map(DataSubject::User);
            *of == scope || people.any(|it| it == subject)
        });
        let rows: Vec<_> = theirs
            .map(|(_, fact)| vec![ExportCell::Text(fact.text.clone())])
            .collect();
        let table = ExportTable {
            name: "fact".to_owned(),
            columns: vec!["body".to_owned()],
            rows,
        };
        Export {
            tables: Some(table)
                .filter(|table| !table.rows.is_empty())
                .into_iter()
                .collect(),
        }
    }
}

impl Memories for MemoryStore {
    fn remember<'a>(&'a self, fact: &'a NewFact) -> Pending<'a, Result<FactId, StoreError>> {
        self.call(move |state| state.memory.remember(fact))
    }

    fn facts(&self, scope: Scope) -> Pending<'_, Result<Vec<Fact>, StoreError>> {
        self.call(move |state| Ok(state.memory.facts(scope)))
    }

    fn forget(&self, scope: Scope, fact: FactId) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.memory.facts.remove(&(scope, fact)).is_some()))
    }

    fn recall<'a>(&'a self, recall: &'a Recall<'a>) -> Pending<'a, Result<Vec<Fact>, StoreError>> {
        self.call(move |state| Ok(state.memory.recall(recall)))
    }

    fn take_note<'a>(&'a self, note: &'a Note) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| state.memory.take_note(note))
    }

    fn notes(
        &self,
        scope: Scope,
        channel: ChannelId,
        now: Timestamp,
    ) -> Pending<'_, Result<Vec<Note>, StoreError>> {
        self.call(move |state| {
            let here = state
                .memory
                .notes
                .iter()
                .filter(|it| it.scope == scope && it.channel == channel && it.expires_at > now);
            Ok(here.cloned().collect())
        })
    }

    fn condense_notes<'a>(&'a self, summary: &'a Note) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| state.memory.condense_notes(summary))
    }

    fn reset_context(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            let memory = &mut state.memory;
            memory
                .notes
                .retain(|it| it.scope != scope || it.channel != channel);
            let reset = memory.resets.entry((scope, channel));
            let (start, when) = reset.or_insert((message, at));
            (*start, *when) = ((*start).max(message), at);
            Ok(())
        })
    }

    fn context_start(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>> {
        self.call(move |state| {
            let reset = state.memory.resets.get(&(scope, channel));
            Ok(reset.map(|(message, _)| *message))
        })
    }

    fn rotate_key(&self) -> Pending<'_, Result<u64, StoreError>> {
        self.call(|_| Ok(0))
    }
}

impl Snapshots for MemoryStore {
    fn save_snapshot<'a>(
        &'a self,
        snapshot: &'a PromptSnapshot,
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let key = (snapshot.scope, snapshot.turn);
            state.memory.snapshots.insert(key, snapshot.clone());
            Ok(())
        })
    }

    fn snapshot(&self, turn: TurnId) -> Pending<'_, Result<Option<PromptSnapshot>, StoreError>> {
        self.call(move |state| {
            let mut kept = state.memory.snapshots.values();
            Ok(kept.find(|it| it.turn == turn).cloned())
        })
    }
}

impl DecisionJournal for MemoryStore {
    fn record_decision<'a>(
        &'a self,
        decision: &'a DecisionRecord,
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let decisions = &mut state.memory.decisions;
            let is_same =
                |it: &DecisionRecord| it.scope == decision.scope && it.trigger == decision.trigger;
            if !decisions.iter().any(is_same) {
                decisions.push(decision.clone());
            }
            Ok(())
        })
    }

    fn record_refusals<'a>(
        &'a self,
        refusals: &'a [DecisionRecord],
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let decisions = &mut state.memory.decisions;
            for new in refusals {
                let hour_ago = new.at.as_millis() - 3_600_000;
                decisions.retain(|it| {
                    it.channel != new.channel
                        || it.user != new.user
                        || it.outcome != new.outcome
                        || it.at.as_millis() <= hour_ago
                });
                let is_same =
                    |it: &DecisionRecord| it.scope == new.scope && it.trigger == new.trigger;
                if !decisions.iter().any(is_same) {
                    decisions.push(new.clone());
                }
            }
            Ok(())
        })
    }

    fn decisions(
        &self,
        channel: ChannelId,
        limit: u16,
    ) -> Pending<'_, Result<Vec<DecisionRecord>, StoreError>> {
        self.call(move |state| {
            let here = state.memory.decisions.iter();
            let mut here: Vec<_> = here.filter(|it| it.channel == channel).cloned().collect();
            here.sort_by_key(|it| std::cmp::Reverse((it.at, it.trigger.number())));
            here.truncate(limit.into());
            Ok(here)
        })
    }
}

impl OptOuts for MemoryStore {
    fn opt_out(&self, user: UserId, _: Timestamp) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.memory.opted_out.insert(user)))
    }

    fn opt_in(&self, user: UserId) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.memory.opted_out.remove(&user)))
    }

    fn opted_out(&self) -> Pending<'_, Result<Vec<UserId>, StoreError>> {
        self.call(|state| Ok(state.memory.opted_out.iter().copied().collect()))
    }
}

impl Erasure for MemoryStore {
    fn export(&self, subject: DataSubject) -> Pending<'_, Result<Export, StoreError>> {
        self.call(move |state| Ok(state.export(subject)))
    }

    fn erase(&self, subject: DataSubject, at: Timestamp) -> Pending<'_, Result<u64, StoreError>> {
        self.call(move |state| Ok(state.erase(subject, at)))
    }
}

pub(super) fn conflict<T>(reason: &str) -> Result<T, StoreError> {
    Err(StoreError::Conflict {
        reason: reason.to_owned(),
    })
}
