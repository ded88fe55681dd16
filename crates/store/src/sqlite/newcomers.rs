//! People who joined guilds, and what is owed to them.

use kaiwa_domain::port::{Newcomers, Pending};
use kaiwa_domain::{Newcomer, RoleId, Scope, StoreError, Timestamp, UserId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::columns::{id, scope as read_scope, signed};
use super::journal::JournalError;

impl Newcomers for Sqlite {
    fn put_newcomer<'a>(&'a self, newcomer: &'a Newcomer) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_newcomer(newcomer).await?) })
    }

    fn newcomers(&self, scope: Scope) -> Pending<'_, Result<Vec<Newcomer>, StoreError>> {
        Box::pin(async move { Ok(self.read_newcomers(scope).await?) })
    }

    fn scopes_with_newcomers(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        Box::pin(async move { Ok(self.read_scopes_with_newcomers().await?) })
    }

    fn count_messages(
        &self,
        scope: Scope,
        user: UserId,
        messages: u32,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.add_messages(scope, user, messages).await?) })
    }

    fn forget_newcomer(&self, scope: Scope, user: UserId) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.delete_newcomer(scope, user).await?) })
    }
}

impl Sqlite {
    async fn write_newcomer(&self, newcomer: &Newcomer) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT OR REPLACE INTO newcomer
             (scope, user, joined_at, welcome_at, role, messages, promoted)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .bind(newcomer.scope.to_string())
        .bind(signed(newcomer.user.get()))
        .bind(newcomer.joined_at.as_millis())
        .bind(newcomer.welcome_at.map(Timestamp::as_millis))
        .bind(newcomer.role.map(|role| signed(role.get())))
        .bind(newcomer.messages)
        .bind(newcomer.promoted)
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_newcomers(&self, scope: Scope) -> Result<Vec<Newcomer>, JournalError> {
        let rows = sqlx::query(
            "SELECT * FROM newcomer WHERE scope = ?1
             AND (welcome_at IS NOT NULL OR role IS NOT NULL OR promoted = 0)
             ORDER BY joined_at, user",
        )
        .bind(scope.to_string())
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.iter().map(read_newcomer).collect::<Result<_, _>>()?)
    }

    async fn read_scopes_with_newcomers(&self) -> Result<Vec<Scope>, JournalError> {
        let rows = sqlx::query(
            "SELECT DISTINCT scope FROM newcomer
             WHERE welcome_at IS NOT NULL OR role IS NOT NULL OR promoted = 0 ORDER BY scope",
        )
        .fetch_all(&self.readers)
        .await?;
        let scopes = rows.iter().map(|row| read_scope(row.try_get("scope")?));
        Ok(scopes.collect::<Result<_, _>>()?)
    }

    async fn add_messages(
        &self,
        scope: Scope,
        user: UserId,
        messages: u32,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query(
            "UPDATE newcomer SET messages = min(messages + ?3, 1000000)
             WHERE scope = ?1 AND user = ?2",
        )
        .bind(scope.to_string())
        .bind(signed(user.get()))
        .bind(messages)
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn delete_newcomer(&self, scope: Scope, user: UserId) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query("DELETE FROM newcomer WHERE scope = ?1 AND user = ?2")
            .bind(scope.to_string())
            .bind(signed(user.get()))
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }
}

fn read_newcomer(row: &SqliteRow) -> Result<Newcomer, sqlx::Error> {
    let welcome_at: Option<i64> = row.try_get("welcome_at")?;
    let role: Option<i64> = row.try_get("role")?;
    Ok(Newcomer {
        scope: read_scope(row.try_get("scope")?)?,
        user: UserId::new(id(row, "user")?),
        joined_at: Timestamp::from_millis(row.try_get("joined_at")?),
        welcome_at: welcome_at.map(Timestamp::from_millis),
        role: role.map(|role| RoleId::new(role.cast_unsigned())),
        messages: row.try_get("messages")?,
        promoted: row.try_get("promoted")?,
    })
}
