//! What a starting process asks: what is left to do, and who said what.

use std::collections::HashMap;

use kaiwa_domain::port::{ActiveChannel, MessageRecord, UnfinishedTurn};
use kaiwa_domain::{
    ChannelId, Effect, MessageId, PersonaId, Scope, Timestamp, Turn, TurnId, UserId,
};
use sqlx::{FromRow, Row};

use super::Sqlite;
use super::body;
use super::columns::{EffectRow, TurnRow, id, scope as read_scope, signed, turn_id};
use super::journal::{JournalError, of_turn};

/// How many messages one question about speakers may name.
const SPEAKERS_AT_ONCE: usize = 200;

impl Sqlite {
    pub(super) async fn scopes_with_work(&self) -> Result<Vec<Scope>, JournalError> {
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT scope FROM turn WHERE state <> 'ended'
             UNION SELECT scope FROM effect WHERE state IN ('queued', 'started', 'unknown')
             ORDER BY scope",
        )
        .fetch_all(&self.readers)
        .await?;
        let scopes: Result<Vec<Scope>, sqlx::Error> =
            names.iter().map(|name| read_scope(name)).collect();
        Ok(scopes?)
    }

    pub(super) async fn turns_with_work(
        &self,
        scope: Scope,
    ) -> Result<Vec<UnfinishedTurn>, JournalError> {
        // One transaction, so that turns and effects are of the same moment.
        let mut tx = self.readers.begin().await?;
        let turns: Vec<TurnRow> = sqlx::query_as(
            "SELECT * FROM turn WHERE scope = ?1 AND
                (state <> 'ended' OR (trigger_kind, trigger, take) IN
                    (SELECT trigger_kind, trigger, take FROM effect
                     WHERE scope = ?1 AND state IN ('queued', 'started', 'unknown')))
             ORDER BY admitted_at, trigger, trigger_kind, take",
        )
        .bind(scope.to_string())
        .fetch_all(&mut *tx)
        .await?;
        let mut unfinished = Vec::with_capacity(turns.len());
        for TurnRow { turn, text } in turns {
            let rows = super::journal::of_turn(
                "SELECT * FROM effect
                 WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4
                 ORDER BY idx",
                scope,
                turn.id,
            )
            .fetch_all(&mut *tx)
            .await?;
            let mut effects: Vec<Effect> = Vec::with_capacity(rows.len());
            for row in &rows {
                match EffectRow::from_row(row) {
                    Ok(EffectRow(effect)) => effects.push(effect),
                    // Of another version of Kaiwa: it is left alone, and so is
                    // not in the way of what can be done.
                    Err(error) => {
                        let turn: TurnId = turn_id(row)?;
                        tracing::error!(%turn, %error, "an effect cannot be read and is left alone");
                    }
                }
            }
            unfinished.push(UnfinishedTurn {
                turn,
                text,
                effects,
            });
        }
        Ok(unfinished)
    }

    pub(super) async fn message_of(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u16,
    ) -> Result<Option<MessageId>, JournalError> {
        let row = of_turn(
            "SELECT message FROM effect
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4 AND idx = ?5
               AND state = 'done'",
            scope,
            turn,
        )
        .bind(index)
        .fetch_optional(&self.readers)
        .await?;
        let message: Option<i64> = match row {
            Some(row) => row.try_get("message")?,
            None => None,
        };
        Ok(message.map(|id| MessageId::new(id.cast_unsigned())))
    }

    pub(super) async fn speakers_of(
        &self,
        scope: Scope,
        messages: &[MessageId],
    ) -> Result<HashMap<MessageId, MessageRecord>, JournalError> {
        let mut speakers = HashMap::new();
        for messages in messages.chunks(SPEAKERS_AT_ONCE) {
            let ids: Vec<i64> = messages.iter().map(|id| signed(id.get())).collect();
            let ids = serde_json::to_string(&ids).unwrap_or_default();
            let rows = sqlx::query(
                "SELECT id, persona, kind, look FROM message
                 WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))",
            )
            .bind(scope.to_string())
            .bind(ids)
            .fetch_all(&self.readers)
            .await?;
            for row in &rows {
                let kind: &str = row.try_get("kind")?;
                let record = MessageRecord {
                    persona: PersonaId::new(row.try_get("persona")?),
                    look: row.try_get("look")?,
                    is_notice: body::is_notice(kind),
                };
                speakers.insert(MessageId::new(id(row, "id")?), record);
            }
        }
        Ok(speakers)
    }

    pub(super) async fn latest_turn_about(
        &self,
        scope: Scope,
        message: MessageId,
    ) -> Result<Option<Turn>, JournalError> {
        let turn: Option<TurnRow> = sqlx::query_as(
            "SELECT * FROM turn
             WHERE scope = ?1 AND trigger_kind = 'message' AND trigger = coalesce(
                (SELECT trigger FROM effect
                 WHERE scope = ?1 AND trigger_kind = 'message' AND message = ?2), ?2)
             ORDER BY take DESC LIMIT 1",
        )
        .bind(scope.to_string())
        .bind(signed(message.get()))
        .fetch_optional(&self.readers)
        .await?;
        Ok(turn.map(|row| row.turn))
    }

    pub(super) async fn last_turn_in(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Result<Option<Turn>, JournalError> {
        let turn: Option<TurnRow> = sqlx::query_as(
            "SELECT * FROM turn
             WHERE scope = ?1 AND channel = ?2 AND trigger_kind = 'message' AND text IS NULL
               AND (?3 IS NULL OR asker = ?3)
             ORDER BY trigger DESC, take DESC LIMIT 1",
        )
        .bind(scope.to_string())
        .bind(signed(channel.get()))
        .bind(asker.map(|asker| signed(asker.get())))
        .fetch_optional(&self.readers)
        .await?;
        Ok(turn.map(|row| row.turn))
    }

    pub(super) async fn channels_active_since(
        &self,
        since: Timestamp,
        limit: u16,
    ) -> Result<Vec<ActiveChannel>, JournalError> {
        let rows = sqlx::query(
            "SELECT scope, channel, max(iif(trigger_kind = 'message', trigger, NULL)) AS last
             FROM turn WHERE admitted_at >= ?1
             GROUP BY scope, channel ORDER BY max(admitted_at) DESC LIMIT ?2",
        )
        .bind(since.as_millis())
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        let channels: Result<Vec<ActiveChannel>, sqlx::Error> = rows
            .iter()
            .map(|row| {
                let last: Option<i64> = row.try_get("last")?;
                Ok(ActiveChannel {
                    scope: read_scope(row.try_get("scope")?)?,
                    channel: ChannelId::new(id(row, "channel")?),
                    last: last.map(|id| MessageId::new(id.cast_unsigned())),
                })
            })
            .collect();
        Ok(channels?)
    }
}
