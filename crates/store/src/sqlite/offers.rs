//! What waits for a click, and what was done.

use kaiwa_domain::port::{ActionLog, Offers, Pending};
use kaiwa_domain::{
    ActionRecord, ChannelId, MessageId, Offer, OfferId, OfferKind, OfferState, RecordedOutcome,
    Scope, StoreError, Timestamp, UserId,
};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::Sqlite;
use super::columns::{id, scope as read_scope, signed, turn_id, unreadable};
use super::journal::{JournalError, of_turn};

impl Offers for Sqlite {
    fn make_offer<'a>(&'a self, offer: &'a Offer) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_offer(offer).await?) })
    }

    fn offer(
        &self,
        scope: Scope,
        id: OfferId,
    ) -> Pending<'_, Result<Option<(Offer, OfferState)>, StoreError>> {
        Box::pin(async move { Ok(self.read_offer(scope, id).await?) })
    }

    fn settle_offer(
        &self,
        scope: Scope,
        id: OfferId,
        state: OfferState,
    ) -> Pending<'_, Result<OfferState, StoreError>> {
        Box::pin(async move { Ok(self.write_offer_state(scope, id, state).await?) })
    }

    fn expiring_offers(&self, limit: u16) -> Pending<'_, Result<Vec<Offer>, StoreError>> {
        Box::pin(async move { Ok(self.read_expiring(limit).await?) })
    }
}

impl Sqlite {
    async fn write_offer(&self, offer: &Offer) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        of_turn(
            "INSERT INTO offer (scope, trigger_kind, trigger, take, id, kind, channel, asker,
                                action, arguments, made_at, until, message, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 'open')
             ON CONFLICT DO NOTHING",
            offer.scope,
            offer.turn,
        )
        .bind(signed(offer.id.get()))
        .bind(offer.kind.name())
        .bind(signed(offer.channel.get()))
        .bind(signed(offer.asker.get()))
        .bind(offer.action.clone())
        .bind(offer.arguments.clone())
        .bind(offer.made_at.as_millis())
        .bind(offer.until.as_millis())
        .bind(offer.message.map(|id| signed(id.get())))
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_offer(
        &self,
        scope: Scope,
        id: OfferId,
    ) -> Result<Option<(Offer, OfferState)>, JournalError> {
        let row = sqlx::query("SELECT * FROM offer WHERE scope = ?1 AND id = ?2")
            .bind(scope.to_string())
            .bind(signed(id.get()))
            .fetch_optional(&self.readers)
            .await?;
        let read = |row: SqliteRow| Ok::<_, sqlx::Error>((offer(&row)?, state(&row)?));
        Ok(row.map(read).transpose()?)
    }

    async fn write_offer_state(
        &self,
        scope: Scope,
        id: OfferId,
        settled: OfferState,
    ) -> Result<OfferState, JournalError> {
        let (name, by) = match settled {
            OfferState::Open => ("open", None),
            OfferState::Taken { by } => ("taken", Some(by.to_string())),
            OfferState::Cancelled => ("cancelled", None),
            OfferState::Expired => ("expired", None),
        };
        let mut tx = self.write().await?;
        sqlx::query(
            "UPDATE offer SET state = ?3, taken_by = ?4
             WHERE scope = ?1 AND id = ?2 AND state = 'open'",
        )
        .bind(scope.to_string())
        .bind(signed(id.get()))
        .bind(name)
        .bind(by)
        .execute(&mut *tx)
        .await?;
        let row = sqlx::query("SELECT state, taken_by FROM offer WHERE scope = ?1 AND id = ?2")
            .bind(scope.to_string())
            .bind(signed(id.get()))
            .fetch_optional(&mut *tx)
            .await?;
        let stands = match row {
            Some(row) => state(&row)?,
            None => OfferState::Expired,
        };
        tx.commit().await?;
        Ok(stands)
    }

    async fn read_expiring(&self, limit: u16) -> Result<Vec<Offer>, JournalError> {
        let rows = sqlx::query("SELECT * FROM offer WHERE state = 'open' ORDER BY until LIMIT ?1")
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        let offers: Result<Vec<Offer>, sqlx::Error> = rows.iter().map(offer).collect();
        Ok(offers?)
    }

    async fn write_audit(&self, entry: &ActionRecord) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        of_turn(
            "INSERT OR REPLACE INTO audit (scope, trigger_kind, trigger, take, action, arguments,
                                           channel, asker, outcome, result, at, told)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0)",
            entry.scope,
            entry.turn,
        )
        .bind(entry.action.clone())
        .bind(entry.arguments.clone())
        .bind(signed(entry.channel.get()))
        .bind(signed(entry.asker.get()))
        .bind(entry.outcome.name())
        .bind(entry.result.clone())
        .bind(entry.at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_untold(&self, limit: u16) -> Result<Vec<ActionRecord>, JournalError> {
        let rows = sqlx::query("SELECT * FROM audit WHERE told = 0 ORDER BY at LIMIT ?1")
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        let entries: Result<Vec<ActionRecord>, sqlx::Error> =
            rows.iter().map(audit_entry).collect();
        Ok(entries?)
    }

    async fn mark_told(&self, entry: &ActionRecord) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        of_turn(
            "UPDATE audit SET told = 1
             WHERE scope = ?1 AND trigger_kind = ?2 AND trigger = ?3 AND take = ?4
               AND action = ?5 AND arguments = ?6",
            entry.scope,
            entry.turn,
        )
        .bind(entry.action.clone())
        .bind(entry.arguments.clone())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_audit(
        &self,
        scope: Scope,
        since: Timestamp,
        limit: u16,
    ) -> Result<Vec<ActionRecord>, JournalError> {
        let rows = sqlx::query(
            "SELECT * FROM audit WHERE scope = ?1 AND at >= ?2 ORDER BY at DESC LIMIT ?3",
        )
        .bind(scope.to_string())
        .bind(since.as_millis())
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        let entries: Result<Vec<ActionRecord>, sqlx::Error> =
            rows.iter().map(audit_entry).collect();
        Ok(entries?)
    }
}

/// Notes which message shows an offer.
pub(super) async fn shown_by(
    tx: &mut SqliteConnection,
    scope: Scope,
    offer: OfferId,
    message: Option<MessageId>,
) -> Result<(), JournalError> {
    sqlx::query("UPDATE offer SET message = ?3 WHERE scope = ?1 AND id = ?2")
        .bind(scope.to_string())
        .bind(signed(offer.get()))
        .bind(message.map(|id| signed(id.get())))
        .execute(tx)
        .await?;
    Ok(())
}

impl ActionLog for Sqlite {
    fn audit<'a>(&'a self, entry: &'a ActionRecord) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_audit(entry).await?) })
    }

    fn untold(&self, limit: u16) -> Pending<'_, Result<Vec<ActionRecord>, StoreError>> {
        Box::pin(async move { Ok(self.read_untold(limit).await?) })
    }

    fn told<'a>(&'a self, entry: &'a ActionRecord) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.mark_told(entry).await?) })
    }

    fn audited(
        &self,
        scope: Scope,
        since: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<ActionRecord>, StoreError>> {
        Box::pin(async move { Ok(self.read_audit(scope, since, limit).await?) })
    }
}

fn offer(row: &SqliteRow) -> Result<Offer, sqlx::Error> {
    let message: Option<i64> = row.try_get("message")?;
    let kind: &str = row.try_get("kind")?;
    Ok(Offer {
        id: OfferId::new(id(row, "id")?),
        kind: OfferKind::from_name(kind).ok_or_else(|| unreadable("kind", kind))?,
        scope: read_scope(row.try_get("scope")?)?,
        channel: ChannelId::new(id(row, "channel")?),
        turn: turn_id(row)?,
        asker: UserId::new(id(row, "asker")?),
        action: row.try_get("action")?,
        arguments: row.try_get("arguments")?,
        made_at: Timestamp::from_millis(row.try_get("made_at")?),
        until: Timestamp::from_millis(row.try_get("until")?),
        message: message.map(|id| MessageId::new(id.cast_unsigned())),
    })
}

fn state(row: &SqliteRow) -> Result<OfferState, sqlx::Error> {
    Ok(match row.try_get("state")? {
        "open" => OfferState::Open,
        "taken" => {
            let by: &str = row.try_get("taken_by")?;
            OfferState::Taken {
                by: by.parse().map_err(|_| unreadable("taken_by", by))?,
            }
        }
        "cancelled" => OfferState::Cancelled,
        "expired" => OfferState::Expired,
        other => return Err(unreadable("state", other)),
    })
}

fn audit_entry(row: &SqliteRow) -> Result<ActionRecord, sqlx::Error> {
    let outcome: &str = row.try_get("outcome")?;
    Ok(ActionRecord {
        scope: read_scope(row.try_get("scope")?)?,
        channel: ChannelId::new(id(row, "channel")?),
        turn: turn_id(row)?,
        asker: UserId::new(id(row, "asker")?),
        action: row.try_get("action")?,
        arguments: row.try_get("arguments")?,
        outcome: RecordedOutcome::from_name(outcome)
            .ok_or_else(|| unreadable("outcome", outcome))?,
        result: row.try_get("result")?,
        at: Timestamp::from_millis(row.try_get("at")?),
    })
}
