//! Sealing everything anew with a new key.
//!
//! The file first holds both keys, then the rows are sealed anew a few at a
//! time, then the old key leaves the file. Whatever is cut short is finished
//! when the database is opened next.

use sqlx::{AssertSqlSafe, Row};

use super::Sqlite;
use super::journal::JournalError;
use super::keys::{ProofError, Sealed, SealedRow, write_proofs};

/// How many rows are sealed anew at a time: people wait for the writer
/// meanwhile.
const ROWS_AT_ONCE: u32 = 100;

/// The tables with a sealed body, and how the name that it is bound to is made
/// of the row's columns.
pub(super) const SEALED_TABLES: &[(&str, &str)] = &[
    ("fact", "id || '/' || ifnull(audience, '-')"),
    ("note", "channel || '/' || id"),
    ("persona", "CAST(id AS TEXT)"),
    ("response_handle", "printf('%u', interaction)"),
    ("schedule", "CAST(id AS TEXT)"),
    ("snapshot", "trigger_kind || ':' || trigger || '-' || take"),
    ("webhook", "printf('%u/%u', channel, id)"),
];

impl Sqlite {
    pub(super) async fn rotate_keys(&self) -> Result<u64, JournalError> {
        // What an earlier rotation left is done first, so that there are never
        // more than two keys.
        self.finish_rotation().await?;
        let both = self.keys().with_new()?;
        both.save().map_err(JournalError::KeyFile)?;
        self.set_keys(both.clone());
        self.prove_keys().await?;
        self.finish_rotation().await
    }

    /// Seals with the newest key what is sealed with an older one, and lets go
    /// of the older ones. Does nothing if there are none.
    pub(super) async fn finish_rotation(&self) -> Result<u64, JournalError> {
        let keys = self.keys();
        if keys.len() < 2 {
            return Ok(0);
        }
        // A crash may have come between the file and the proofs.
        self.prove_keys().await?;
        let mut rows = 0;
        for &(table, name) in SEALED_TABLES {
            loop {
                let some = self.seal_anew(table, name).await?;
                if some == 0 {
                    break;
                }
                rows += some;
            }
        }
        let newest = keys.newest_only();
        newest.save().map_err(JournalError::KeyFile)?;
        self.set_keys(newest);
        self.prove_keys().await?;
        tracing::info!(rows, "memories are sealed with a new key");
        Ok(rows)
    }

    async fn prove_keys(&self) -> Result<(), JournalError> {
        let keys = self.keys();
        let mut tx = self.write().await?;
        match write_proofs(&keys, &mut tx).await {
            Ok(()) => Ok(tx.commit().await?),
            Err(ProofError::Engine(error)) => Err(error.into()),
            Err(ProofError::Seal(error)) => {
                tx.rollback().await?;
                Err(error.into())
            }
        }
    }

    /// Seals some rows of a table anew, and says how many.
    async fn seal_anew(&self, table: &'static str, name: &str) -> Result<u64, JournalError> {
        let keys = self.keys();
        let mut tx = self.write().await?;
        let old = format!(
            "SELECT rowid, scope, {name} AS name, key, body FROM {table}
             WHERE key <> ?1 LIMIT {ROWS_AT_ONCE}"
        );
        let rows = sqlx::query(AssertSqlSafe(old))
            .bind(keys.newest())
            .fetch_all(&mut *tx)
            .await?;
        for row in &rows {
            let place = SealedRow {
                table,
                scope: row.try_get("scope")?,
                name: row.try_get("name")?,
            };
            let sealed = Sealed {
                key: row.try_get("key")?,
                body: row.try_get("body")?,
            };
            let body = keys.open(place, &sealed)?;
            let sealed = keys.seal(place, &body)?;
            let update = format!("UPDATE {table} SET key = ?1, body = ?2 WHERE rowid = ?3");
            sqlx::query(AssertSqlSafe(update))
                .bind(sealed.key)
                .bind(sealed.body)
                .bind(row.try_get::<i64, _>("rowid")?)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(rows.len() as u64)
    }
}
