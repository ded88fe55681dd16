//! The port [`Store`], one line for each call.

use std::collections::HashMap;

use kaiwa_domain::port::{
    ActiveChannel, Admission, MessageRecord, Pending, Progress, Retention, StopRequest, Store,
    UnfinishedTurn,
};
use kaiwa_domain::settings::SETTINGS_PER_SCOPE;
use kaiwa_domain::{
    BadPersona, ChannelId, Effect, EffectState, FACT_CHARS, FACTS_PER_SCOPE, InteractionId,
    MessageId, NOTE_CHARS, PERSONAS_PER_SCOPE, PICTURE_BYTES, PICTURES_PER_SCOPE, ResponseHandle,
    SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Scope, StoreError, TakeRequest, Timestamp, Turn, TurnId,
    UserId,
};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection};

use super::Sqlite;
use super::columns::signed;
use super::keys::SealError;
use crate::failure::store_error;

impl Store for Sqlite {
    fn admit<'a>(
        &'a self,
        turn: &'a Turn,
        text: Option<&'a str>,
    ) -> Pending<'a, Result<Admission, StoreError>> {
        let (turn, text) = (turn.clone(), text.map(str::to_owned));
        self.on_thread(|store| async move { store.admit_turn(&turn, text.as_deref()).await })
    }

    fn begin(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<u32, StoreError>> {
        self.on_thread(|store| async move { store.begin_attempt(scope, turn).await })
    }

    fn suspend(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.suspend_attempt(scope, turn).await?) })
    }

    fn queue<'a>(
        &'a self,
        scope: Scope,
        turn: TurnId,
        effects: &'a [Effect],
        progress: Progress,
    ) -> Pending<'a, Result<(), StoreError>> {
        let effects = effects.to_vec();
        self.on_thread(
            |store| async move { store.queue_effects(scope, turn, &effects, progress).await },
        )
    }

    fn start(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        attempt: u32,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.on_thread(|store| async move { store.start_effect(scope, turn, index, attempt).await })
    }

    fn mark(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        state: EffectState,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.on_thread(|store| async move { store.mark_effect(scope, turn, index, state).await })
    }

    fn done<'a>(
        &'a self,
        effect: &'a Effect,
        messages: &'a [MessageId],
        at: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>> {
        let (effect, messages) = (effect.clone(), messages.to_vec());
        self.on_thread(|store| async move { store.finish_effect(&effect, &messages, at).await })
    }

    fn merge<'a>(
        &'a self,
        merged: &'a Effect,
        taken: u16,
    ) -> Pending<'a, Result<bool, StoreError>> {
        let merged = merged.clone();
        self.on_thread(|store| async move { store.merge_effects(&merged, taken).await })
    }

    fn revise<'a>(
        &'a self,
        effect: &'a Effect,
        messages: &'a [MessageId],
        at: Timestamp,
    ) -> Pending<'a, Result<bool, StoreError>> {
        let (effect, messages) = (effect.clone(), messages.to_vec());
        self.on_thread(|store| async move { store.revise_effect(&effect, &messages, at).await })
    }

    fn stop<'a>(&'a self, stop: &'a StopRequest) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.stop_turns(stop).await?) })
    }

    fn unfinished_scopes(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        Box::pin(async move { Ok(self.scopes_with_work().await?) })
    }

    fn unfinished(&self, scope: Scope) -> Pending<'_, Result<Vec<UnfinishedTurn>, StoreError>> {
        Box::pin(async move { Ok(self.turns_with_work(scope).await?) })
    }

    fn shown(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>> {
        Box::pin(async move { Ok(self.message_of(scope, turn, index).await?) })
    }

    fn speakers<'a>(
        &'a self,
        scope: Scope,
        messages: &'a [MessageId],
    ) -> Pending<'a, Result<HashMap<MessageId, MessageRecord>, StoreError>> {
        Box::pin(async move { Ok(self.speakers_of(scope, messages).await?) })
    }

    fn latest_turn(
        &self,
        scope: Scope,
        message: MessageId,
    ) -> Pending<'_, Result<Option<Turn>, StoreError>> {
        Box::pin(async move { Ok(self.latest_turn_about(scope, message).await?) })
    }

    fn request_take<'a>(
        &'a self,
        request: &'a TakeRequest,
        take: u16,
        at: Timestamp,
    ) -> Pending<'a, Result<u16, StoreError>> {
        Box::pin(async move { Ok(self.write_take_request(request, take, at).await?) })
    }

    fn withdraw_take(
        &self,
        scope: Scope,
        message: MessageId,
        user: Option<UserId>,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.delete_take_requests(scope, message, user).await?) })
    }

    fn last_turn(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Pending<'_, Result<Option<Turn>, StoreError>> {
        Box::pin(async move { Ok(self.last_turn_in(scope, channel, asker).await?) })
    }

    fn active_channels(
        &self,
        since: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<ActiveChannel>, StoreError>> {
        Box::pin(async move { Ok(self.channels_active_since(since, limit).await?) })
    }

    fn sweep<'a>(
        &'a self,
        retention: &'a Retention,
        now: Timestamp,
    ) -> Pending<'a, Result<u64, StoreError>> {
        Box::pin(async move { Ok(self.delete_old_rows(retention, now).await?) })
    }

    fn keep_handle<'a>(
        &'a self,
        scope: Scope,
        interaction: InteractionId,
        handle: &'a ResponseHandle,
        until: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_handle(scope, interaction, handle, until).await?) })
    }

    fn handle(
        &self,
        scope: Scope,
        interaction: InteractionId,
        now: Timestamp,
    ) -> Pending<'_, Result<Option<ResponseHandle>, StoreError>> {
        Box::pin(async move { Ok(self.read_handle(scope, interaction, now).await?) })
    }

    fn probe(&self) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_probe().await?) })
    }
}

pub(super) type TurnQuery = Query<'static, sqlx::Sqlite, SqliteArguments>;

/// A statement whose first four parameters name a turn.
pub(super) fn of_turn(sql: &'static str, scope: Scope, turn: TurnId) -> TurnQuery {
    sqlx::query(sql)
        .bind(scope.to_string())
        .bind(turn.trigger.kind())
        .bind(signed(turn.trigger.number()))
        .bind(turn.take)
}

/// The word of a turn's state.
pub(super) async fn turn_state(
    connection: &mut SqliteConnection,
    scope: Scope,
    turn: TurnId,
) -> Result<String, JournalError> {
    use sqlx::Row;
    let row = of_turn(
        "SELECT state FROM turn
         WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4",
        scope,
        turn,
    )
    .fetch_optional(connection)
    .await?;
    match row {
        Some(row) => Ok(row.try_get("state")?),
        None => Err(JournalError::NoSuchTurn(turn)),
    }
}

/// Why a call on the journal was not obeyed. All but the first contradict what
/// is stored, and are refused before they change anything.
#[derive(Debug, thiserror::Error)]
pub(super) enum JournalError {
    #[error(transparent)]
    Engine(#[from] sqlx::Error),
    #[error("the file was removed or replaced: put it back, or restart")]
    Moved,
    #[error("there is no turn {0} in this scope")]
    NoSuchTurn(TurnId),
    #[error("there is no effect {1} of turn {0} in this scope")]
    NoSuchEffect(TurnId, u16),
    #[error("turn {0} has ended")]
    TurnOver(TurnId),
    #[error("effect {1} of turn {0} was queued before with other content")]
    PlaceTaken(TurnId, u16),
    #[error("effect {1} of turn {0} belongs to another scope or turn")]
    Misplaced(TurnId, u16),
    #[error("this scope has {SETTINGS_PER_SCOPE} settings already: unset some")]
    TooManySettings,
    #[error("a fact has {FACT_CHARS} characters at most: say it more briefly")]
    FactTooLong,
    #[error("this scope has {FACTS_PER_SCOPE} facts already: forget some")]
    TooManyFacts,
    #[error("a note has {NOTE_CHARS} characters at most")]
    NoteTooLong,
    #[error("the words of a reminder have {SCHEDULE_CHARS} characters at most")]
    ScheduleTooLong,
    #[error("somebody has {SCHEDULES_PER_PERSON} reminders already: delete some")]
    TooManySchedules,
    #[error(transparent)]
    Persona(#[from] BadPersona),
    #[error("there is no such persona in this scope")]
    NoSuchPersona,
    #[error("there are {PERSONAS_PER_SCOPE} personas already: delete some")]
    TooManyPersonas,
    #[error("there is a persona of that name already: choose another name")]
    SameName,
    #[error(
        "the personas here have {PICTURES_PER_SCOPE} pictures together, as many as they may: delete some with /persona sprite or /persona delete"
    )]
    TooManyPictures,
    #[error("a picture has {PICTURE_BYTES} bytes at most: make it smaller")]
    PictureTooLarge,
    #[error("a picture of the persona is missing: give it again")]
    PictureMissing,
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error("the key file cannot be written: {0}")]
    KeyFile(std::io::Error),
}

impl From<JournalError> for StoreError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Engine(error) => store_error(&error),
            JournalError::Seal(SealError::DoesNotOpen) => Self::Damaged {
                reason: error.to_string(),
            },
            JournalError::Moved
            | JournalError::KeyFile(_)
            | JournalError::Seal(SealError::NoRandomness) => Self::Blocked {
                reason: error.to_string(),
            },
            other => Self::Conflict {
                reason: other.to_string(),
            },
        }
    }
}
