//! Effects: started, done, refused, given up.
//!
//! What is done stays done. What was refused or given up only gives way to the
//! news that it happened after all: a late mark of a race between stopping and
//! sending changes nothing.

use kaiwa_domain::{
    Effect, EffectState, Identity, MessageId, Scope, Settlement, Timestamp, TurnId,
};
use sqlx::sqlite::SqliteConnection;

use super::Sqlite;
use super::body;
use super::columns::{StateColumns, signed};
use super::journal::{JournalError, of_turn};
use super::offers::shown_by;
use super::turns::effect_at;
use super::tx::Tx;

impl Sqlite {
    pub(super) async fn start_effect(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        attempt: u32,
    ) -> Result<bool, JournalError> {
        let mut tx = self.write_once().await?;
        let state = EffectState::Started { attempt };
        let started = update(&mut tx, scope, turn, index, state).await?;
        self.require(&mut tx, started, scope, turn, index).await?;
        tx.commit().await?;
        Ok(started)
    }

    pub(super) async fn mark_effect(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
        state: EffectState,
    ) -> Result<(), JournalError> {
        let mut tx = self.write_once().await?;
        let updated = update(&mut tx, scope, turn, index, state).await?;
        self.require(&mut tx, updated, scope, turn, index).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn finish_effect(
        &self,
        effect: &Effect,
        messages: &[MessageId],
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let (scope, turn, index) = (effect.scope, effect.turn, effect.index);
        let offer = effect.body.offer();
        if let ([] | [_], None) = (messages, offer) {
            let mut tx = self.write_once().await?;
            if finish_at_once(&mut tx, effect, messages.first().copied(), at).await? {
                return settle(tx, effect).await;
            }
            tx.rollback().await?;
        }
        let mut tx = self.write_repeatable().await?;
        let message = messages.last().copied();
        let state = EffectState::Done { message };
        let updated = update(&mut tx, scope, turn, index, state).await?;
        self.require(&mut tx, updated, scope, turn, index).await?;
        if let Some(offer) = offer {
            shown_by(&mut tx, scope, offer, message).await?;
        }
        record_messages(&mut tx, effect, messages, at).await?;
        settle(tx, effect).await
    }

    pub(super) async fn merge_effects(
        &self,
        merged: &Effect,
        taken: u16,
    ) -> Result<bool, JournalError> {
        let (scope, turn, index) = (merged.scope, merged.turn, merged.index);
        let mut tx = self.write_repeatable().await?;
        let before = effect_at(&mut tx, scope, turn, index).await?;
        let other = effect_at(&mut tx, scope, turn, taken).await?;
        let done = match (&before, &other) {
            // It was done the time before.
            (Some(before), None) => before.body == merged.body,
            _ => false,
        };
        let unsent = |state| matches!(state, EffectState::Queued | EffectState::Started { .. });
        let may = before.is_some_and(|it| unsent(it.state))
            && other.is_some_and(|it| it.state == EffectState::Queued);
        if !may {
            tx.rollback().await?;
            return Ok(done);
        }
        let (kind, body) = body::write(&merged.body);
        of_turn(
            "UPDATE effect SET kind = ?6, version = ?7, body = ?8,
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5",
            scope,
            turn,
        )
        .bind(index)
        .bind(kind)
        .bind(body::VERSION)
        .bind(body)
        .execute(&mut *tx)
        .await?;
        of_turn(
            "DELETE FROM effect
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5",
            scope,
            turn,
        )
        .bind(taken)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    pub(super) async fn revise_effect(
        &self,
        effect: &Effect,
        messages: &[MessageId],
        at: Timestamp,
    ) -> Result<bool, JournalError> {
        let (scope, turn, index) = (effect.scope, effect.turn, effect.index);
        let mut tx = self.write_repeatable().await?;
        let (kind, body) = body::write(&effect.body);
        let revised = of_turn(
            "UPDATE effect SET kind = ?6, version = ?7, body = ?8,
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5
               AND state IN ('queued', 'started', 'unknown')",
            scope,
            turn,
        )
        .bind(index)
        .bind(kind)
        .bind(body::VERSION)
        .bind(body)
        .execute(&mut *tx)
        .await?
        .rows_affected()
            > 0;
        self.require(&mut tx, revised, scope, turn, index).await?;
        record_messages(&mut tx, effect, messages, at).await?;
        tx.commit().await?;
        Ok(revised)
    }

    /// Tells an effect that was settled before from one that never was.
    async fn require(
        &self,
        tx: &mut SqliteConnection,
        updated: bool,
        scope: Scope,
        turn: TurnId,
        index: u16,
    ) -> Result<(), JournalError> {
        if !updated && effect_at(tx, scope, turn, index).await?.is_none() {
            return Err(JournalError::NoSuchEffect(turn, index));
        }
        Ok(())
    }
}

/// Commits that an effect is done.
async fn settle(tx: Tx<'_>, effect: &Effect) -> Result<(), JournalError> {
    match effect.settlement() {
        Settlement::AtMostOnce => Ok(tx.commit().await?),
        // Whoever does not know it finds it out.
        Settlement::Nonce | Settlement::Idempotent | Settlement::ReadBack => {
            Ok(tx.commit_soon().await?)
        }
    }
}

/// Records that an effect is done and who said its message, in one trip to the
/// writer's thread. Changes nothing, and says so, if it is not to be settled.
async fn finish_at_once(
    tx: &mut SqliteConnection,
    effect: &Effect,
    message: Option<MessageId>,
    at: Timestamp,
) -> Result<bool, JournalError> {
    let (kind, _) = body::write(&effect.body);
    let finished = of_turn(
        "BEGIN IMMEDIATE;
         UPDATE effect SET state = 'done', message = ?6, code = NULL,
                updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
         WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5
           AND state <> 'done'
         RETURNING idx;
         INSERT INTO message (scope, id, channel, persona, kind, sent_at, look)
         SELECT ?1, ?6, ?7, ?8, ?9, ?10, ?11 WHERE ?6 IS NOT NULL AND changes() > 0
         ON CONFLICT DO NOTHING;
         COMMIT",
        effect.scope,
        effect.turn,
    )
    .bind(effect.index)
    .bind(message.map(|it| signed(it.get())))
    .bind(signed(effect.channel.get()))
    .bind(effect.persona.get())
    .bind(kind)
    .bind(at.as_millis())
    .bind(effect.identity.as_ref().and_then(Identity::look))
    .fetch_all(tx)
    .await?;
    Ok(!finished.is_empty())
}

/// Records who said messages.
async fn record_messages(
    tx: &mut SqliteConnection,
    effect: &Effect,
    messages: &[MessageId],
    at: Timestamp,
) -> Result<(), JournalError> {
    let (kind, _) = body::write(&effect.body);
    for message in messages {
        sqlx::query(
            "INSERT INTO message (scope, id, channel, persona, kind, sent_at, look)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
        )
        .bind(effect.scope.to_string())
        .bind(signed(message.get()))
        .bind(signed(effect.channel.get()))
        .bind(effect.persona.get())
        .bind(kind)
        .bind(at.as_millis())
        .bind(effect.identity.as_ref().and_then(Identity::look))
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

async fn update(
    tx: &mut SqliteConnection,
    scope: Scope,
    turn: TurnId,
    index: u16,
    state: EffectState,
) -> Result<bool, JournalError> {
    let columns = StateColumns::from(state);
    let updated = of_turn(
        "UPDATE effect SET state = ?6, attempt = coalesce(?7, attempt), message = ?8, code = ?9,
                updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
         WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5
           AND (state IN ('queued', 'started', 'unknown') OR (state <> 'done' AND ?6 = 'done'))",
        scope,
        turn,
    )
    .bind(index)
    .bind(columns.state)
    .bind(columns.attempt)
    .bind(columns.message)
    .bind(columns.code)
    .execute(tx)
    .await?
    .rows_affected();
    Ok(updated > 0)
}
