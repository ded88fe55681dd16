//! The journals in memory.

mod backups;
mod cases;
mod departures;
mod journal;
mod memory;
mod offers;
mod newcomers;
mod personas;
mod schedules;
mod webhooks;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use kaiwa_domain::port::{
    ActiveChannel, Admission, Clock, Departure, Ledger, MessageRecord, Pending, Progress,
    Retention, Session, Sessions, SettingsStore, StopRequest, Store, UnfinishedTurn,
};
use kaiwa_domain::settings::{SETTINGS_PER_SCOPE, SettingKey, SettingPlace, StoredSetting};
use kaiwa_domain::{
    Bill, ChannelId, Effect, EffectState, Expense, InteractionId, MessageId, ResponseHandle, Scope,
    Spender, Spent, StoreError, TakeRequest, Timestamp, Turn, TurnId, UserId,
};

use crate::{lock, pause};
use cases::CaseTable;
use journal::JournalTables;
use memory::MemoryTables;
use newcomers::NewcomerTable;
use offers::OfferTables;
use personas::PersonaTables;
use schedules::ScheduleTables;
use webhooks::WebhookTables;

/// The journals, which outlive every clone that writes to them.
#[derive(Clone)]
pub struct MemoryStore {
    clock: Arc<dyn Clock>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    journal: JournalTables,
    memory: MemoryTables,
    cases: CaseTable,
    offers: OfferTables,
    newcomers: NewcomerTable,
    personas: PersonaTables,
    webhooks: WebhookTables,
    sessions: BTreeMap<u32, (Session, Timestamp)>,
    expenses: Vec<Expense>,
    settings: Vec<StoredSetting>,
    schedules: ScheduleTables,
    departures: Vec<Departure>,
    handles: HashMap<(Scope, InteractionId), (ResponseHandle, Timestamp)>,
    probed: bool,
    backups: Vec<Timestamp>,
    damaged: bool,
    lookups: usize,
    withdrawals: usize,
    failing: Option<StoreError>,
}

impl MemoryStore {
    /// Empty journals. Sessions are as old as `clock` says.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            state: Arc::default(),
        }
    }

    /// How a turn ended: the word and the notice.
    pub fn ending(
        &self,
        scope: Scope,
        turn: TurnId,
    ) -> Option<(&'static str, Option<&'static str>)> {
        lock(&self.state).journal.ending(scope, turn)
    }

    /// How many rows there are of each kind, by name.
    pub fn row_counts(&self) -> Vec<(&'static str, usize)> {
        let state = lock(&self.state);
        let mut counts = state.journal.row_counts();
        counts.extend(state.memory.row_counts());
        counts.extend(state.offers.row_counts());
        counts.extend(state.personas.row_counts());
        counts.extend(state.webhooks.row_counts());
        counts.extend(state.schedules.row_counts());
        counts.push(("session", state.sessions.len()));
        counts.push(("expense", state.expenses.len()));
        counts.push(("setting", state.settings.len()));
        counts.push(("moderation_case", state.cases.len()));
        counts.push(("newcomer", state.newcomers.len()));
        counts.push(("departure", state.departures.len()));
        counts.push(("response_handle", state.handles.len()));
        counts.push(("probe", usize::from(state.probed)));
        counts
    }

    /// Whether a turn is open, an effect unsettled or something due anywhere.
    pub fn has_work(&self) -> bool {
        let now = self.clock.now();
        let state = lock(&self.state);
        !state.journal.scopes_with_work().is_empty()
            || state.schedules.next_due().is_some_and(|due| due <= now)
    }

    /// How often somebody asked who said something.
    pub fn speaker_lookups(&self) -> usize {
        lock(&self.state).lookups
    }

    /// How often a request for another take was taken back.
    pub fn withdrawals(&self) -> usize {
        lock(&self.state).withdrawals
    }

    /// Makes every call fail in this way, or none any more.
    pub fn fail(&self, error: Option<StoreError>) {
        lock(&self.state).failing = error;
    }

    /// One call: a drop falls before the change, or after it.
    fn call<'a, T: Send + 'a>(
        &'a self,
        change: impl FnOnce(&mut State) -> Result<T, StoreError> + Send + 'a,
    ) -> Pending<'a, Result<T, StoreError>> {
        Box::pin(async move {
            pause().await;
            let outcome = {
                let mut state = lock(&self.state);
                match state.failing.clone() {
                    Some(error) => Err(error),
                    None => change(&mut state),
                }
            };
            pause().await;
            outcome
        })
    }
}

impl SettingsStore for MemoryStore {
    fn settings(&self, scope: Scope) -> Pending<'_, Result<Vec<StoredSetting>, StoreError>> {
        self.call(move |state| {
            let mut here: Vec<StoredSetting> = state
                .settings
                .iter()
                .filter(|setting| setting.scope == scope)
                .cloned()
                .collect();
            here.sort_by_key(|it| (it.place.layer().name(), it.place.target(), it.name.clone()));
            Ok(here)
        })
    }

    fn set<'a>(&'a self, setting: &'a StoredSetting) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let settings = &mut state.settings;
            let same = |it: &&mut StoredSetting| {
                it.scope == setting.scope && it.place == setting.place && it.name == setting.name
            };
            if let Some(before) = settings.iter_mut().find(same) {
                *before = setting.clone();
                return Ok(());
            }
            let here = settings.iter().filter(|it| it.scope == setting.scope);
            if here.count() >= usize::from(SETTINGS_PER_SCOPE) {
                return Err(StoreError::Conflict {
                    reason: "there are too many settings in this scope".to_owned(),
                });
            }
            settings.push(setting.clone());
            Ok(())
        })
    }

    fn unset(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| {
            let before = state.settings.len();
            state
                .settings
                .retain(|it| !(it.scope == scope && it.place == place && it.name == key.name()));
            Ok(state.settings.len() < before)
        })
    }
}

impl Store for MemoryStore {
    fn admit<'a>(
        &'a self,
        turn: &'a Turn,
        text: Option<&'a str>,
    ) -> Pending<'a, Result<Admission, StoreError>> {
        self.call(move |state| Ok(state.journal.admit(turn, text)))
    }

    fn begin(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<u32, StoreError>> {
        self.call(move |state| state.journal.begin(scope, turn))
    }

    fn suspend(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            state.journal.suspend(scope, turn);
            Ok(())
        })
    }

    fn queue<'a>(
        &'a self,
        scope: Scope,
        turn: TurnId,
        effects: &'a [Effect],
        progress: Progress,
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| state.journal.queue(scope, turn, effects, progress))
    }

    fn start(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        attempt: u32,
    ) -> Pending<'_, Result<bool, StoreError>> {
        let started = EffectState::Started { attempt };
        self.call(move |state| state.journal.mark(scope, turn, index, started))
    }

    fn mark(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        state: EffectState,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |journals| journals.journal.mark(scope, turn, index, state).map(drop))
    }

    fn done<'a>(
        &'a self,
        effect: &'a Effect,
        messages: &'a [MessageId],
        at: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            state.offers.shown(effect, messages);
            state.journal.done(effect, messages, at)
        })
    }

    fn merge<'a>(
        &'a self,
        merged: &'a Effect,
        taken: u16,
    ) -> Pending<'a, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.journal.merge(merged, taken)))
    }

    fn revise<'a>(
        &'a self,
        effect: &'a Effect,
        messages: &'a [MessageId],
        at: Timestamp,
    ) -> Pending<'a, Result<bool, StoreError>> {
        self.call(move |state| state.journal.revise(effect, messages, at))
    }

    fn stop<'a>(&'a self, stop: &'a StopRequest) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            state.journal.stop(stop);
            Ok(())
        })
    }

    fn unfinished_scopes(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        self.call(|state| Ok(state.journal.scopes_with_work()))
    }

    fn unfinished(&self, scope: Scope) -> Pending<'_, Result<Vec<UnfinishedTurn>, StoreError>> {
        self.call(move |state| Ok(state.journal.unfinished(scope)))
    }

    fn shown(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>> {
        self.call(move |state| Ok(state.journal.shown(scope, turn, index)))
    }

    fn speakers<'a>(
        &'a self,
        scope: Scope,
        messages: &'a [MessageId],
    ) -> Pending<'a, Result<HashMap<MessageId, MessageRecord>, StoreError>> {
        self.call(move |state| {
            state.lookups += 1;
            Ok(state.journal.speakers(scope, messages))
        })
    }

    fn latest_turn(
        &self,
        scope: Scope,
        message: MessageId,
    ) -> Pending<'_, Result<Option<Turn>, StoreError>> {
        self.call(move |state| Ok(state.journal.latest_turn(scope, message)))
    }

    fn request_take<'a>(
        &'a self,
        request: &'a TakeRequest,
        take: u16,
        at: Timestamp,
    ) -> Pending<'a, Result<u16, StoreError>> {
        self.call(move |state| Ok(state.journal.request_take(request, take, at)))
    }

    fn withdraw_take(
        &self,
        scope: Scope,
        message: MessageId,
        user: Option<UserId>,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            state.withdrawals += 1;
            state.journal.withdraw_take(scope, message, user);
            Ok(())
        })
    }

    fn last_turn(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Pending<'_, Result<Option<Turn>, StoreError>> {
        self.call(move |state| Ok(state.journal.last_turn(scope, channel, asker)))
    }

    fn keep_handle<'a>(
        &'a self,
        scope: Scope,
        interaction: InteractionId,
        handle: &'a ResponseHandle,
        until: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let kept = state.handles.entry((scope, interaction));
            kept.or_insert_with(|| (handle.clone(), until));
            Ok(())
        })
    }

    fn handle(
        &self,
        scope: Scope,
        interaction: InteractionId,
        now: Timestamp,
    ) -> Pending<'_, Result<Option<ResponseHandle>, StoreError>> {
        self.call(move |state| {
            let kept = state.handles.get(&(scope, interaction));
            let valid = kept.filter(|(_, until)| *until > now);
            Ok(valid.map(|(handle, _)| handle.clone()))
        })
    }

    fn active_channels(
        &self,
        since: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<ActiveChannel>, StoreError>> {
        self.call(move |state| Ok(state.journal.active_channels(since, limit)))
    }

    fn sweep<'a>(
        &'a self,
        retention: &'a Retention,
        now: Timestamp,
    ) -> Pending<'a, Result<u64, StoreError>> {
        const TWO_DAYS: std::time::Duration = std::time::Duration::from_secs(2 * 24 * 3600);
        self.call(move |state| {
            let rows = |state: &State| {
                let others = state.sessions.len() + state.expenses.len() + state.handles.len();
                let others = others + state.cases.len() + state.newcomers.len();
                let journal = state.journal.row_counts().into_iter();
                let rows = journal.chain(state.memory.row_counts());
                let rows = rows.chain(state.offers.row_counts());
                let rows = rows.chain(state.webhooks.row_counts());
                let rows = rows.chain(state.schedules.row_counts());
                others + rows.map(|(_, rows)| rows).sum::<usize>()
            };
            let before = rows(state);
            state.journal.sweep(retention, now);
            state.memory.sweep(retention, now);
            state.cases.sweep(now);
            state.offers.sweep(retention, now);
            state.newcomers.sweep(now);
            state.webhooks.sweep(retention, now);
            state.schedules.sweep(retention, now);
            let expenses = retention.expenses.max(TWO_DAYS);
            state.expenses.retain(|it| now.since(it.at) <= expenses);
            state
                .sessions
                .retain(|_, (_, at)| now.since(*at) <= TWO_DAYS);
            state.handles.retain(|_, (_, until)| *until > now);
            Ok((before - rows(state)) as u64)
        })
    }

    fn probe(&self) -> Pending<'_, Result<(), StoreError>> {
        self.call(|state| {
            state.probed = true;
            Ok(())
        })
    }
}

impl Sessions for MemoryStore {
    fn load(&self, shard: u32) -> Pending<'_, Result<Option<Session>, StoreError>> {
        self.call(move |state| {
            Ok(state
                .sessions
                .get(&shard)
                .map(|(session, _)| session.clone()))
        })
    }

    fn save(&self, shard: u32, session: Option<Session>) -> Pending<'_, Result<(), StoreError>> {
        let now = self.clock.now();
        self.call(move |state| {
            match session {
                Some(session) => drop(state.sessions.insert(shard, (session, now))),
                None => drop(state.sessions.remove(&shard)),
            }
            Ok(())
        })
    }
}

impl Ledger for MemoryStore {
    fn record<'a>(&'a self, expense: &'a Expense) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            state.expenses.push(expense.clone());
            Ok(())
        })
    }

    fn spent(
        &self,
        scope: Scope,
        spender: Spender,
        since: Timestamp,
    ) -> Pending<'_, Result<Spent, StoreError>> {
        self.call(move |state| {
            let whose = |it: &&Expense| match spender {
                Spender::User(user) => it.payer.user == user,
                Spender::Everyone => true,
            };
            let counted = state.expenses.iter();
            let counted = counted.filter(|it| it.payer.scope == scope && it.at >= since);
            let mut spent = Spent::default();
            for Expense { bill, .. } in counted.filter(whose) {
                let tokens = bill.usage.input.saturating_add(bill.usage.output);
                spent.tokens = spent.tokens.saturating_add(tokens);
                spent.cost = spent.cost.saturating_add(bill.cost.unwrap_or_default());
            }
            Ok(spent)
        })
    }

    fn bills(&self, turn: TurnId) -> Pending<'_, Result<Vec<Bill>, StoreError>> {
        self.call(move |state| {
            let of_turn = state.expenses.iter().filter(|it| it.payer.turn == turn);
            Ok(of_turn.map(|it| it.bill.clone()).collect())
        })
    }
}
