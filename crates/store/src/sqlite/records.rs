//! What models were told, why the bot answered, and who opted out.

use kaiwa_domain::port::{DecisionJournal, OptOuts, Pending, Snapshots};
use kaiwa_domain::{
    ChannelId, DecisionRecord, PromptSection, PromptSnapshot, StoreError, Timestamp, Trigger,
    TurnId, UserId,
};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::sqlite::{SqliteArguments, SqliteRow};

use super::Sqlite;
use super::columns::{id, scope as read_scope, signed, unreadable};
use super::journal::{JournalError, of_turn};
use super::keys::SealedRow;
use super::memory::{people_column, read_people};
use crate::failure::store_error;

/// A statement with its values.
type Statement = sqlx::query::Query<'static, sqlx::Sqlite, SqliteArguments>;

const HOUR_MS: i64 = 3_600_000;

/// A section as it stands in a body.
#[derive(Deserialize, Serialize)]
struct StoredSection {
    title: String,
    text: String,
    tokens: u32,
}

impl Snapshots for Sqlite {
    fn save_snapshot<'a>(
        &'a self,
        snapshot: &'a PromptSnapshot,
    ) -> Pending<'a, Result<(), StoreError>> {
        let snapshot = snapshot.clone();
        self.on_thread(|store| async move { store.write_snapshot(&snapshot).await })
    }

    fn snapshot(&self, turn: TurnId) -> Pending<'_, Result<Option<PromptSnapshot>, StoreError>> {
        Box::pin(async move { Ok(self.read_snapshot(turn).await?) })
    }
}

impl Sqlite {
    async fn write_snapshot(&self, snapshot: &PromptSnapshot) -> Result<(), JournalError> {
        let scope = snapshot.scope.to_string();
        let sections: Vec<StoredSection> = snapshot
            .sections
            .iter()
            .map(|section| StoredSection {
                title: section.title.clone(),
                text: section.text.clone(),
                tokens: section.tokens,
            })
            .collect();
        let body = serde_json::to_string(&sections).unwrap_or_default();
        let row = SealedRow {
            table: "snapshot",
            scope: &scope,
            name: &snapshot_name(snapshot.turn),
        };
        let mut tx = self.write_once().await?;
        // Not before: the key may change while we wait for the writer.
        let sealed = self.keys().seal(row, body.as_bytes())?;
        of_turn(
            "INSERT OR REPLACE INTO snapshot
             (scope, trigger_kind, trigger, take, channel, people, key, body, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            snapshot.scope,
            snapshot.turn,
        )
        .bind(signed(snapshot.channel.get()))
        .bind(people_column(&snapshot.people))
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(snapshot.at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit_unsynced().await?)
    }

    async fn read_snapshot(&self, turn: TurnId) -> Result<Option<PromptSnapshot>, JournalError> {
        let row = sqlx::query(
            "SELECT * FROM snapshot WHERE trigger = ?1 AND trigger_kind = ?2 AND take = ?3",
        )
        .bind(signed(turn.trigger.number()))
        .bind(turn.trigger.kind())
        .bind(turn.take)
        .fetch_optional(&self.readers)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let scope: &str = row.try_get("scope")?;
        let place = SealedRow {
            table: "snapshot",
            scope,
            name: &snapshot_name(turn),
        };
        let body = self.unseal(&row, place)?;
        let sections: Vec<StoredSection> =
            serde_json::from_str(&body).map_err(|_| unreadable("body", "of a snapshot"))?;
        let sections = sections.into_iter().map(|section| PromptSection {
            title: section.title,
            text: section.text,
            tokens: section.tokens,
        });
        Ok(Some(PromptSnapshot {
            turn,
            scope: read_scope(scope)?,
            channel: ChannelId::new(id(&row, "channel")?),
            people: read_people(&row)?,
            at: Timestamp::from_millis(row.try_get("at")?),
            sections: sections.collect(),
        }))
    }
}

/// What the body of a snapshot is bound to.
fn snapshot_name(turn: TurnId) -> String {
    let (kind, number) = (turn.trigger.kind(), signed(turn.trigger.number()));
    format!("{kind}:{number}-{}", turn.take)
}

impl DecisionJournal for Sqlite {
    fn record_decision<'a>(
        &'a self,
        decision: &'a DecisionRecord,
    ) -> Pending<'a, Result<(), StoreError>> {
        let decision = decision.clone();
        self.on_thread(|store| async move { store.write_decision(&decision).await })
    }

    fn record_refusals<'a>(
        &'a self,
        refusals: &'a [DecisionRecord],
    ) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_refusals(refusals).await?) })
    }

    fn decisions(
        &self,
        channel: ChannelId,
        limit: u16,
    ) -> Pending<'_, Result<Vec<DecisionRecord>, StoreError>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT * FROM decision WHERE channel = ?1
                 ORDER BY at DESC, trigger DESC LIMIT ?2",
            )
            .bind(signed(channel.get()))
            .bind(limit)
            .fetch_all(&self.readers)
            .await;
            let read = rows.and_then(|rows| rows.iter().map(decision).collect());
            read.map_err(|error: sqlx::Error| store_error(&error))
        })
    }
}

impl Sqlite {
    async fn write_decision(&self, decision: &DecisionRecord) -> Result<(), JournalError> {
        let mut tx = self.write_once().await?;
        insert_decision(decision).execute(&mut *tx).await?;
        Ok(tx.commit_unsynced().await?)
    }

    async fn write_refusals(&self, refusals: &[DecisionRecord]) -> Result<(), JournalError> {
        let mut tx = self.write_repeatable().await?;
        for refusal in refusals {
            sqlx::query(
                "DELETE FROM decision
                 WHERE channel = ?1 AND at > ?2 AND user = ?3 AND outcome = ?4",
            )
            .bind(signed(refusal.channel.get()))
            .bind(refusal.at.as_millis() - HOUR_MS)
            .bind(signed(refusal.user.get()))
            .bind(refusal.outcome.clone())
            .execute(&mut *tx)
            .await?;
            insert_decision(refusal).execute(&mut *tx).await?;
        }
        Ok(tx.commit_unsynced().await?)
    }
}

fn insert_decision(decision: &DecisionRecord) -> Statement {
    sqlx::query(
        "INSERT INTO decision
         (scope, trigger_kind, trigger, channel, user, outcome, reason, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    )
    .bind(decision.scope.to_string())
    .bind(decision.trigger.kind())
    .bind(signed(decision.trigger.number()))
    .bind(signed(decision.channel.get()))
    .bind(signed(decision.user.get()))
    .bind(decision.outcome.clone())
    .bind(decision.reason.clone())
    .bind(decision.at.as_millis())
}

fn decision(row: &SqliteRow) -> Result<DecisionRecord, sqlx::Error> {
    let kind: &str = row.try_get("trigger_kind")?;
    Ok(DecisionRecord {
        scope: read_scope(row.try_get("scope")?)?,
        channel: ChannelId::new(id(row, "channel")?),
        trigger: Trigger::new(kind, id(row, "trigger")?)
            .ok_or_else(|| unreadable("trigger_kind", kind))?,
        user: UserId::new(id(row, "user")?),
        outcome: row.try_get("outcome")?,
        reason: row.try_get("reason")?,
        at: Timestamp::from_millis(row.try_get("at")?),
    })
}

impl OptOuts for Sqlite {
    fn opt_out(&self, user: UserId, at: Timestamp) -> Pending<'_, Result<bool, StoreError>> {
        let query =
            sqlx::query("INSERT INTO opt_out (user, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
                .bind(signed(user.get()))
                .bind(at.as_millis());
        Box::pin(async move { Ok(self.changes_a_row(query).await?) })
    }

    fn opt_in(&self, user: UserId) -> Pending<'_, Result<bool, StoreError>> {
        let query = sqlx::query("DELETE FROM opt_out WHERE user = ?1").bind(signed(user.get()));
        Box::pin(async move { Ok(self.changes_a_row(query).await?) })
    }

    fn opted_out(&self) -> Pending<'_, Result<Vec<UserId>, StoreError>> {
        Box::pin(async move {
            let rows = sqlx::query("SELECT user FROM opt_out")
                .fetch_all(&self.readers)
                .await;
            let users = rows.and_then(|rows| rows.iter().map(|row| id(row, "user")).collect());
            let mut users: Vec<u64> = users.map_err(|error: sqlx::Error| store_error(&error))?;
            users.sort_unstable();
            Ok(users.into_iter().map(UserId::new).collect())
        })
    }
}

impl Sqlite {
    async fn changes_a_row(&self, query: Statement) -> Result<bool, JournalError> {
        let mut tx = self.write().await?;
        let changed = query.execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        Ok(changed > 0)
    }
}
