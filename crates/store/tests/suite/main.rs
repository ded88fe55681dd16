//! What every engine of the journals promises, stated once.
//!
//! An engine joins with an [`Engine`] and one line of `suite!` at the end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

mod cases;
mod departures;
mod effects;
mod erasure;
mod expenses;
mod interactions;
mod isolation;
mod memories;
mod offers;
mod newcomers;
mod personas;
mod recovery;
mod retention;
mod schedules;
mod sessions;
mod settings;
mod turns;
mod webhooks;

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use kaiwa_domain::port::{
    ActionLog, CaseBook, DecisionJournal, Departures, Erasure, Ledger, Memories, Newcomers, Offers,
    OptOuts, Personas, Progress, Schedules, Sessions, SettingsStore, Snapshots, Store,
    UnfinishedTurn, Webhooks,
};
use kaiwa_domain::{
    ChannelId, Effect, EffectBody, EffectState, Ending, GuildId, MessageId, Outgoing, PersonaId,
    Scope, StoreError, Timestamp, Turn, TurnId, TurnState, UserId,
};
use kaiwa_store::Sqlite;
use kaiwa_twins::{MemoryStore, StillClock};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// All that an engine keeps.
trait Everything:
    Store
    + Sessions
    + Ledger
    + SettingsStore
    + Memories
    + Schedules
    + Snapshots
    + DecisionJournal
    + OptOuts
    + CaseBook
    + Offers
    + ActionLog
    + Newcomers
    + Personas
    + Webhooks
    + Erasure
    + Departures
{
}

impl<T> Everything for T where
    T: Store
        + Sessions
        + Ledger
        + SettingsStore
        + Memories
        + Schedules
        + Snapshots
        + DecisionJournal
        + OptOuts
        + CaseBook
        + Offers
        + ActionLog
        + Newcomers
        + Personas
        + Personas
        + Webhooks
        + Erasure
        + Departures
{
}

/// A place for journals that can be opened, closed and opened again.
trait Engine: Default {
    type Journals: Everything + 'static;

    fn open(&self) -> impl Future<Output = Arc<Self::Journals>>;
    fn close(&self, journals: Arc<Self::Journals>) -> impl Future<Output = ()>;

    /// The ending and the notice in the row of a turn of `HOME`: the port does
    /// not show turns that are over.
    fn ending_row(&self, turn: TurnId) -> impl Future<Output = (String, Option<String>)>;

    /// How many rows each table has, by name.
    fn row_counts(&self) -> impl Future<Output = Vec<(String, i64)>>;
}

struct SqliteFile(tempfile::TempDir);

impl Default for SqliteFile {
    fn default() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Engine for SqliteFile {
    type Journals = Sqlite;

    async fn open(&self) -> Arc<Sqlite> {
        Arc::new(Sqlite::open(&self.path()).await.unwrap())
    }

    async fn close(&self, journals: Arc<Sqlite>) {
        journals.close().await.unwrap();
    }

    async fn ending_row(&self, turn: TurnId) -> (String, Option<String>) {
        let options = SqliteConnectOptions::new().filename(self.path());
        let mut connection = options.read_only(true).connect().await.unwrap();
        sqlx::query_as("SELECT ending, notice FROM turn WHERE scope = ?1 AND trigger = ?2")
            .bind(HOME.to_string())
            .bind(turn.trigger.number().cast_signed())
            .fetch_one(&mut connection)
            .await
            .unwrap()
    }

    async fn row_counts(&self) -> Vec<(String, i64)> {
        let options = SqliteConnectOptions::new().filename(self.path());
        let mut connection = options.read_only(true).connect().await.unwrap();
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM sqlite_schema WHERE type = 'table'
             AND name NOT LIKE 'sqlite%' AND name <> '_sqlx_migrations' ORDER BY name",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        let mut counts = Vec::new();
        for table in tables {
            let sql = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
            let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await;
            counts.push((table, count.unwrap()));
        }
        counts
    }
}

impl SqliteFile {
    fn path(&self) -> PathBuf {
        self.0.path().join("kaiwa.db")
    }
}

/// The twin that other crates test with keeps the same promises.
struct Memory(MemoryStore);

impl Default for Memory {
    fn default() -> Self {
        Self(MemoryStore::new(Arc::new(StillClock::new(NOW))))
    }
}

impl Engine for Memory {
    type Journals = MemoryStore;

    async fn open(&self) -> Arc<MemoryStore> {
        Arc::new(self.0.clone())
    }

    async fn close(&self, _: Arc<MemoryStore>) {}

    async fn ending_row(&self, turn: TurnId) -> (String, Option<String>) {
        let (word, notice) = self.0.ending(HOME, turn).unwrap();
        (word.to_owned(), notice.map(str::to_owned))
    }

    async fn row_counts(&self) -> Vec<(String, i64)> {
        let counts = self.0.row_counts().into_iter();
        let mut counts: Vec<_> = counts
            .map(|(table, rows)| (table.to_owned(), rows as i64))
            .collect();
        counts.sort();
        counts
    }
}

const HOME: Scope = Scope::Guild(GuildId::new(7));
const AWAY: Scope = Scope::Dm(UserId::new(7));
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn turn(scope: Scope, message: u64) -> Turn {
    Turn {
        id: TurnId::of_message(MessageId::new(message)),
        scope,
        channel: ChannelId::new(20),
        asker: UserId::new(30),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(1_000),
    }
}

fn say(turn: &Turn, index: u16, text: &str) -> Effect {
    effect(
        turn,
        index,
        EffectBody::Say {
            outgoing: Outgoing::Say(text.to_owned()),
            reply_to: turn.id.trigger.message().filter(|_| index == 0),
        },
    )
}

fn effect(turn: &Turn, index: u16, body: EffectBody) -> Effect {
    Effect {
        turn: turn.id,
        index,
        scope: turn.scope,
        channel: turn.channel,
        persona: turn.persona,
        identity: None,
        body,
        state: EffectState::Queued,
        queued_at: Timestamp::from_millis(2_000),
        pings: kaiwa_domain::Pings::default(),
    }
}

fn text_of(effect: &Effect) -> &str {
    match &effect.body {
        EffectBody::Say { outgoing, .. } => match outgoing {
            Outgoing::Say(text) => text,
            Outgoing::Table(table) => table.source(),
            Outgoing::File(file) => file.source(),
            Outgoing::Rest(text) => text,
            Outgoing::Sticker(sticker) => &sticker.name,
        },
        EffectBody::Notify { notice, .. } => notice.text(),
        EffectBody::Live(live) => &live.text,
        EffectBody::Act { name, .. } => name,
        EffectBody::Thoughts(page) => &page.text,
        EffectBody::Respond { text, .. }
        | EffectBody::Offer { text, .. }
        | EffectBody::Report { text }
        | EffectBody::Point { text }
        | EffectBody::Progress { text, .. }
        | EffectBody::Retire { text, .. } => text,
        EffectBody::Delete { .. } | EffectBody::Dress { .. } | EffectBody::Undress { .. } => "",
    }
}

async fn admit(store: &impl Store, turn: &Turn) {
    store.admit(turn, None).await.unwrap();
}

/// Queues one effect of a turn that goes on speaking.
async fn queue(store: &impl Store, effect: &Effect) -> Result<(), StoreError> {
    let effects = std::slice::from_ref(effect);
    let (scope, turn) = (effect.scope, effect.turn);
    store.queue(scope, turn, effects, Progress::Speaking).await
}

async fn end(store: &impl Store, turn: &Turn, ending: Ending) -> Result<(), StoreError> {
    let ended = Progress::Ended(ending);
    store.queue(turn.scope, turn.id, &[], ended).await
}

async fn send(store: &impl Store, effect: &Effect, message: u64) {
    let messages = [MessageId::new(message)];
    store.done(effect, &messages, NOW).await.unwrap();
}

/// The one unfinished turn of `HOME`.
async fn only(store: &impl Store) -> UnfinishedTurn {
    let mut unfinished = store.unfinished(HOME).await.unwrap();
    assert_eq!(unfinished.len(), 1, "{unfinished:?}");
    unfinished.remove(0)
}

macro_rules! promises {
    ($engine_name:ident: $engine:ty; $($area:ident: $($promise:ident)*;)*) => {
        mod $engine_name {
            use super::*;
            $($(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $promise() {
                $area::$promise(<$engine>::default()).await;
            })*)*
        }
    };
}

macro_rules! suite {
    ($engine_name:ident: $engine:ty) => {
        promises! { $engine_name: $engine;
            turns:
                a_trigger_is_admitted_once
                what_asks_for_another_take_asks_once
                a_turn_is_begun_until_it_ends
                an_attempt_that_was_suspended_does_not_count
                an_ended_turn_stays_as_it_ended
                effects_and_progress_are_one_transaction
                a_stop_ends_what_was_asked_before_it_and_is_remembered
                what_is_not_there_is_an_error;
            effects:
                bodies_come_back_as_they_were
                an_effect_is_queued_once
                an_effect_may_be_started_as_it_is_queued
                an_effect_under_way_is_revised
                an_effect_moves_only_forward
                an_effect_that_was_given_up_is_not_started
                effects_that_wait_become_one_or_stay
                what_was_said_has_a_speaker;
            recovery:
                unsettled_effects_are_found_whatever_their_turn
                unfinished_turns_come_oldest_first_with_their_effects
                everything_survives_a_reopening
                active_channels_come_newest_first
                many_writers_and_readers_all_get_through
                a_dropped_call_leaves_no_half_and_no_lock;
            interactions:
                a_handle_is_kept_while_it_can_be_used
                an_answer_comes_back_with_its_buttons
                the_last_question_of_a_channel_is_known;
            offers:
                an_offer_is_settled_once
                offers_are_told_in_the_order_in_which_they_expire
                an_offer_knows_the_message_that_shows_it
                what_was_done_is_told_newest_first;
            webhooks:
                a_webhook_is_used_until_it_is_gone
                somebody_is_told_once_that_there_can_be_none
                how_somebody_appeared_is_kept;
            retention:
                every_table_has_a_rule
                what_is_young_or_open_stays;
            cases:
                a_case_is_numbered_in_its_guild_and_settled
                a_ban_is_open_until_it_is_lifted
                an_open_ban_outlives_the_erasure_of_a_person
                an_open_ban_is_kept_for_ever;
            newcomers:
                what_is_owed_is_kept_until_it_is_given;
            personas:
                a_persona_is_kept_as_it_is_over_a_reopening
                personas_are_bounded_and_told_apart
                the_pictures_of_a_scope_are_bounded
                a_persona_goes_with_its_pictures_and_settings
                a_number_that_spoke_is_not_given_again
                a_picture_is_used_while_somebody_has_it_or_was_shown_with_it;
            sessions:
                a_session_is_replaced_and_forgotten;
            expenses:
                expenses_add_up
                a_turn_has_its_bills
                a_bill_beyond_belief_breaks_no_sum;
            isolation:
                scopes_never_touch;
            memories:
                a_fact_is_remembered_over_a_reopening_until_it_is_forgotten
                facts_are_bounded
                recall_finds_what_is_talked_about
                a_fact_expires
                notes_are_for_their_channel_until_they_expire
                notes_are_condensed_up_to_a_moment
                a_conversation_begins_after_its_last_reset
                snapshots_and_decisions_come_back
                the_newest_refusal_of_each_person_stays
                whoever_opts_out_stays_out
                what_was_said_in_private_is_not_told_elsewhere;
            schedules:
                a_schedule_is_due_until_it_moves_on
                what_is_over_is_not_set_again
                people_have_their_own_schedules;
            erasure:
                a_person_is_erased_and_others_stay
                a_guild_is_erased_and_others_stay
                a_guild_is_erased_from_every_table;
            departures:
                a_guild_is_left_until_it_is_erased_or_entered_again
                a_guild_is_on_record_while_anything_is_kept_of_it;
        }
    };
}

suite! { sqlite: SqliteFile }
promises! { sqlite_settings: SqliteFile;
    settings:
        a_setting_is_set_replaced_and_taken_away
        a_setting_belongs_to_its_scope_and_place
        a_scope_has_no_end_of_settings
        settings_survive_a_reopening;
}

suite! { memory: Memory }
