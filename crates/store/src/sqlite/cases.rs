//! What was done to members of guilds.

use kaiwa_domain::port::{CaseBook, Pending};
use kaiwa_domain::{Case, CaseKind, CaseState, NewCase, Scope, StoreError, Timestamp, UserId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::columns::{id, scope as read_scope, signed, unreadable};
use super::journal::{JournalError, of_turn};

/// A ban that may still last.
const OPEN: &str = "kind = 'ban' AND state IN ('asked', 'done')";

const COLUMNS: &str = "scope, number, kind, user, moderator, reason, at, until, state";

impl CaseBook for Sqlite {
    fn open_case<'a>(&'a self, case: &'a NewCase) -> Pending<'a, Result<Case, StoreError>> {
        Box::pin(async move { Ok(self.write_case(case).await?) })
    }

    fn settle_case(
        &self,
        scope: Scope,
        number: u32,
        state: CaseState,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.mark_case(scope, number, state, at).await?) })
    }

    fn cases(
        &self,
        scope: Scope,
        user: Option<UserId>,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Case>, StoreError>> {
        Box::pin(async move { Ok(self.read_cases(scope, user, limit).await?) })
    }

    fn open_bans(&self, scope: Scope) -> Pending<'_, Result<Vec<Case>, StoreError>> {
        Box::pin(async move { Ok(self.read_open_bans(scope).await?) })
    }

    fn lift_bans(
        &self,
        scope: Scope,
        user: UserId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.mark_lifted(scope, user, at).await?) })
    }

    fn scopes_with_bans(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        Box::pin(async move { Ok(self.read_scopes_with_bans().await?) })
    }
}

impl Sqlite {
    async fn write_case(&self, case: &NewCase) -> Result<Case, JournalError> {
        let mut tx = self.write().await?;
        of_turn(
            "INSERT INTO moderation_case (scope, trigger_kind, trigger, take, number, kind, user,
                 moderator, reason, at, until, state, updated_at)
             SELECT ?1, ?2, ?3, ?4, coalesce(max(number), 0) + 1, ?5, ?6, ?7, ?8, ?9, ?10,
                 'asked', ?9
             FROM moderation_case WHERE scope = ?1
             ON CONFLICT DO NOTHING",
            case.scope,
            case.turn,
        )
        .bind(case.kind.name())
        .bind(signed(case.user.get()))
        .bind(signed(case.moderator.get()))
        .bind(&case.reason)
        .bind(case.at.as_millis())
        .bind(case.until.map(Timestamp::as_millis))
        .execute(&mut *tx)
        .await?;
        let row = of_turn(
            "SELECT * FROM moderation_case WHERE scope = ?1 AND trigger_kind = ?2
             AND trigger = ?3 AND take = ?4 AND kind = ?5 AND user = ?6",
            case.scope,
            case.turn,
        )
        .bind(case.kind.name())
        .bind(signed(case.user.get()))
        .fetch_one(&mut *tx)
        .await?;
        let written = read_case(&row)?;
        tx.commit().await?;
        Ok(written)
    }

    async fn mark_case(
        &self,
        scope: Scope,
        number: u32,
        state: CaseState,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query(
            "UPDATE moderation_case SET state = ?3, updated_at = ?4
             WHERE scope = ?1 AND number = ?2 AND state <> 'lifted'",
        )
        .bind(scope.to_string())
        .bind(number)
        .bind(state.name())
        .bind(at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_cases(
        &self,
        scope: Scope,
        user: Option<UserId>,
        limit: u16,
    ) -> Result<Vec<Case>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM moderation_case
             WHERE scope = ?1 AND (?2 IS NULL OR user = ?2) ORDER BY number DESC LIMIT ?3"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(scope.to_string())
            .bind(user.map(|user| signed(user.get())))
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(read_case).collect::<Result<_, _>>()?)
    }

    async fn read_open_bans(&self, scope: Scope) -> Result<Vec<Case>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM moderation_case WHERE scope = ?1 AND {OPEN} ORDER BY number"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(scope.to_string())
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(read_case).collect::<Result<_, _>>()?)
    }

    async fn mark_lifted(
        &self,
        scope: Scope,
        user: UserId,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        let sql = format!(
            "UPDATE moderation_case SET state = 'lifted', updated_at = ?3
             WHERE scope = ?1 AND user = ?2 AND {OPEN}"
        );
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(scope.to_string())
            .bind(signed(user.get()))
            .bind(at.as_millis())
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    async fn read_scopes_with_bans(&self) -> Result<Vec<Scope>, JournalError> {
        let sql = format!(
            "SELECT DISTINCT scope FROM moderation_case
             WHERE {OPEN} AND until IS NOT NULL ORDER BY scope"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .fetch_all(&self.readers)
            .await?;
        let scopes = rows.iter().map(|row| read_scope(row.try_get("scope")?));
        Ok(scopes.collect::<Result<_, _>>()?)
    }
}

fn read_case(row: &SqliteRow) -> Result<Case, sqlx::Error> {
    let (kind, state) = (row.try_get("kind")?, row.try_get("state")?);
    let moderator: Option<i64> = row.try_get("moderator")?;
    let until: Option<i64> = row.try_get("until")?;
    Ok(Case {
        scope: read_scope(row.try_get("scope")?)?,
        number: row.try_get("number")?,
        kind: CaseKind::from_name(kind).ok_or_else(|| unreadable("kind", kind))?,
        user: UserId::new(id(row, "user")?),
        moderator: moderator.map(|user| UserId::new(user.cast_unsigned())),
        reason: row.try_get("reason")?,
        at: Timestamp::from_millis(row.try_get("at")?),
        until: until.map(Timestamp::from_millis),
        state: CaseState::from_name(state).ok_or_else(|| unreadable("state", state))?,
    })
}
