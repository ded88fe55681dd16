//! Gateway sessions over restarts.

use kaiwa_domain::StoreError;
use kaiwa_domain::port::{Pending, Session, Sessions};
use sqlx::Row;

use super::Sqlite;
use super::columns::signed;
use crate::failure::store_error;

impl Sessions for Sqlite {
    fn load(&self, shard: u32) -> Pending<'_, Result<Option<Session>, StoreError>> {
        Box::pin(async move {
            self.load_session(shard)
                .await
                .map_err(|error| store_error(&error))
        })
    }

    fn save(&self, shard: u32, session: Option<Session>) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move {
            self.save_session(shard, session)
                .await
                .map_err(|error| store_error(&error))
        })
    }
}

impl Sqlite {
    async fn load_session(&self, shard: u32) -> Result<Option<Session>, sqlx::Error> {
        let row = sqlx::query(
            "SELECT session_id, sequence, resume_url, shards FROM session WHERE shard = ?1",
        )
        .bind(shard)
        .fetch_optional(&self.readers)
        .await?;
        row.map(|row| {
            Ok(Session {
                id: row.try_get("session_id")?,
                sequence: row.try_get::<i64, _>("sequence")?.cast_unsigned(),
                resume_url: row.try_get("resume_url")?,
                shards: row.try_get("shards")?,
            })
        })
        .transpose()
    }

    async fn save_session(&self, shard: u32, session: Option<Session>) -> Result<(), sqlx::Error> {
        let query = match session {
            Some(session) => sqlx::query(
                "INSERT OR REPLACE INTO session (shard, session_id, sequence, resume_url, shards)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )
            .bind(shard)
            .bind(session.id)
            .bind(signed(session.sequence))
            .bind(session.resume_url)
            .bind(session.shards),
            None => sqlx::query("DELETE FROM session WHERE shard = ?1").bind(shard),
        };
        let mut tx = self.write().await?;
        query.execute(&mut *tx).await?;
        tx.commit().await
    }
}
