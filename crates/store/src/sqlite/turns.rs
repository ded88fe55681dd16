//! Turns: admitted once, begun, continued, ended, stopped.

use kaiwa_domain::port::{Admission, Progress, StopRequest};
use kaiwa_domain::{Effect, EffectState, Scope, Turn, TurnId};
use sqlx::Row;
use sqlx::sqlite::SqliteConnection;

use super::Sqlite;
use super::body;
use super::columns::{EffectRow, StateColumns, ending_columns, signed};
use super::journal::{JournalError, TurnQuery, of_turn, turn_state};
use super::tx::Tx;

impl Sqlite {
    pub(super) async fn admit_turn(
        &self,
        turn: &Turn,
        text: Option<&str>,
    ) -> Result<Admission, JournalError> {
        let mut tx = self.write_once().await?;
        let inserted = of_turn(
            "INSERT INTO turn
             (scope, trigger_kind, trigger, take, channel, asker, persona, text, state, admitted_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'admitted', ?9
             WHERE ?4 > 0 OR NOT EXISTS
                (SELECT 1 FROM handled_event WHERE scope = ?1 AND kind = ?2 AND id = ?3)
             ON CONFLICT DO NOTHING",
            turn.scope,
            turn.id,
        )
        .bind(signed(turn.channel.get()))
        .bind(signed(turn.asker.get()))
        .bind(turn.persona.get())
        .bind(text.map(str::to_owned))
        .bind(turn.admitted_at.as_millis())
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if inserted == 0 {
            tx.rollback().await?;
            return Ok(Admission::Duplicate);
        }
        // Whatever brought it brings it again until a later sync.
        tx.commit_soon().await?;
        Ok(Admission::New)
    }

    pub(super) async fn begin_attempt(
        &self,
        scope: Scope,
        turn: TurnId,
    ) -> Result<u32, JournalError> {
        let mut tx = self.write_once().await?;
        let attempt = of_turn(
            "UPDATE turn SET attempt = attempt + 1,
                    state = iif(state = 'admitted', 'thinking', state),
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4
               AND state <> 'ended'
             RETURNING attempt",
            scope,
            turn,
        )
        .fetch_all(&mut *tx)
        .await?;
        let Some(row) = attempt.first() else {
            let error = match turn_state(&mut tx, scope, turn).await {
                Ok(_) => JournalError::TurnOver(turn),
                Err(error) => error,
            };
            tx.rollback().await?;
            return Err(error);
        };
        let attempt = row.try_get("attempt")?;
        tx.commit_unsynced().await?;
        Ok(attempt)
    }

    pub(super) async fn suspend_attempt(
        &self,
        scope: Scope,
        turn: TurnId,
    ) -> Result<(), JournalError> {
        let mut tx = self.write_once().await?;
        of_turn(
            "UPDATE turn SET attempt = max(attempt - 1, 0),
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4
               AND state <> 'ended'",
            scope,
            turn,
        )
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn queue_effects(
        &self,
        scope: Scope,
        turn: TurnId,
        effects: &[Effect],
        progress: Progress,
    ) -> Result<(), JournalError> {
        if let ([effect], Progress::Speaking) = (effects, progress)
            && (effect.scope, effect.turn) == (scope, turn)
        {
            let mut tx = self.write_once().await?;
            if queue_at_once(&mut tx, effect).await? {
                return commit_queued(tx, effects).await;
            }
            tx.rollback().await?;
        }
        let mut tx = self.write_repeatable().await?;
        match queue_within(&mut tx, scope, turn, effects, progress).await {
            Ok(()) if !effects.is_empty() => commit_queued(tx, effects).await,
            Ok(()) => Ok(tx.commit().await?),
            Err(error @ JournalError::Engine(_)) => Err(error),
            Err(error) => {
                tx.rollback().await?;
                Err(error)
            }
        }
    }

    pub(super) async fn stop_turns(&self, stop: &StopRequest) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO handled_event (scope, kind, id, at) VALUES (?1, 'message', ?2, ?3)
             ON CONFLICT DO NOTHING",
        )
        .bind(stop.scope.to_string())
        .bind(signed(stop.event.get()))
        .bind(stop.at.as_millis())
        .execute(&mut *tx)
        .await?;
        // Only what was asked before the stop: a later question stands, and so
        // does what somebody wants to be reminded of.
        sqlx::query(
            "UPDATE effect SET state = 'expired',
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND state = 'queued' AND EXISTS
                (SELECT 1 FROM turn WHERE turn.scope = effect.scope
                    AND turn.trigger_kind = effect.trigger_kind
                    AND turn.trigger = effect.trigger AND turn.take = effect.take
                    AND turn.trigger_kind <> 'reminder'
                    AND turn.channel = ?2 AND turn.asker = ?3 AND turn.admitted_at <= ?4)",
        )
        .bind(stop.scope.to_string())
        .bind(signed(stop.channel.get()))
        .bind(signed(stop.asker.get()))
        .bind(stop.at.as_millis())
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "UPDATE turn SET state = 'ended', ending = 'stopped',
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND channel = ?2 AND asker = ?3 AND admitted_at <= ?4
               AND state <> 'ended' AND trigger_kind <> 'reminder'",
        )
        .bind(stop.scope.to_string())
        .bind(signed(stop.channel.get()))
        .bind(signed(stop.asker.get()))
        .bind(stop.at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }
}

/// Commits that effects are queued. What waits nobody has seen, and it is synced
/// with the first of it that is started.
async fn commit_queued(tx: Tx<'_>, effects: &[Effect]) -> Result<(), JournalError> {
    let started = |it: &Effect| matches!(it.state, EffectState::Started { .. });
    match effects.iter().any(started) {
        true => Ok(tx.commit().await?),
        false => Ok(tx.commit_unsynced().await?),
    }
}

/// Queues a line of a turn that speaks, in one trip to the writer's thread.
/// Changes nothing, and says so, if anything is in the way.
async fn queue_at_once(tx: &mut SqliteConnection, effect: &Effect) -> Result<bool, JournalError> {
    let queued = bind_effect(
        of_turn(
            "BEGIN IMMEDIATE;
             INSERT INTO effect
             (scope, trigger_kind, trigger, take, idx, channel, persona, kind, version, body, state,
              queued_at, identity, attempt)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?13, ?11, ?12, ?14
             WHERE EXISTS (SELECT 1 FROM turn WHERE scope = ?1 AND trigger_kind = ?2
                AND trigger = ?3 AND take = ?4 AND state <> 'ended')
             ON CONFLICT DO NOTHING
             RETURNING idx;
             UPDATE turn SET state = 'speaking', ending = NULL, notice = NULL,
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4
               AND state NOT IN ('ended', 'settling') AND changes() > 0;
             COMMIT",
            effect.scope,
            effect.turn,
        ),
        effect,
    )
    .fetch_all(tx)
    .await?;
    Ok(!queued.is_empty())
}

async fn queue_within(
    tx: &mut SqliteConnection,
    scope: Scope,
    turn: TurnId,
    effects: &[Effect],
    progress: Progress,
) -> Result<(), JournalError> {
    let over = turn_state(tx, scope, turn).await? == "ended";
    for effect in effects {
        if effect.turn != turn || effect.scope != scope {
            return Err(JournalError::Misplaced(effect.turn, effect.index));
        }
        if let Some(queued) = effect_at(tx, scope, turn, effect.index).await? {
            let same = queued.channel == effect.channel
                && queued.persona == effect.persona
                && queued.identity == effect.identity
                && queued.body == effect.body;
            if !same {
                return Err(JournalError::PlaceTaken(turn, effect.index));
            }
        } else if over {
            return Err(JournalError::TurnOver(turn));
        } else {
            insert_effect(tx, effect).await?;
        }
    }
    let (state, ending, notice) = match progress {
        Progress::Speaking => ("speaking", None, None),
        Progress::Settling => ("settling", None, None),
        Progress::Ended(ending) => {
            let (word, notice) = ending_columns(ending);
            ("ended", Some(word), notice)
        }
    };
    // A turn never goes back from settling to speaking.
    of_turn(
        "UPDATE turn SET state = ?5, ending = ?6, notice = ?7,
                updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
         WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4
           AND state <> 'ended' AND NOT (state = 'settling' AND ?5 = 'speaking')",
        scope,
        turn,
    )
    .bind(state)
    .bind(ending)
    .bind(notice)
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_effect(tx: &mut SqliteConnection, effect: &Effect) -> Result<(), sqlx::Error> {
    let insert = of_turn(
        "INSERT INTO effect
         (scope, trigger_kind, trigger, take, idx, channel, persona, kind, version, body, state,
          queued_at, identity, attempt)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?13, ?11, ?12, ?14)",
        effect.scope,
        effect.turn,
    );
    bind_effect(insert, effect).execute(tx).await.map(drop)
}

/// Binds what an effect has beside its turn, from `?5` to `?14`.
fn bind_effect(query: TurnQuery, effect: &Effect) -> TurnQuery {
    let (kind, body) = body::write(&effect.body);
    let columns = StateColumns::from(match effect.state {
        started @ EffectState::Started { .. } => started,
        _ => EffectState::Queued,
    });
    query
        .bind(effect.index)
        .bind(signed(effect.channel.get()))
        .bind(effect.persona.get())
        .bind(kind)
        .bind(body::VERSION)
        .bind(body)
        .bind(effect.queued_at.as_millis())
        .bind(effect.identity.as_ref().map(body::write_identity))
        .bind(columns.state)
        .bind(columns.attempt.unwrap_or(0))
}

pub(super) async fn effect_at(
    connection: &mut SqliteConnection,
    scope: Scope,
    turn: TurnId,
    index: u16,
) -> Result<Option<Effect>, sqlx::Error> {
    use sqlx::FromRow;
    let row = of_turn(
        "SELECT * FROM effect
         WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5",
        scope,
        turn,
    )
    .bind(index)
    .fetch_optional(connection)
    .await?;
    row.map(|row| EffectRow::from_row(&row).map(|EffectRow(effect)| effect))
        .transpose()
}
