//! Requests for another take of an answer.

use kaiwa_domain::{MessageId, Scope, TakeRequest, Timestamp, UserId};

use super::Sqlite;
use super::columns::signed;
use super::journal::JournalError;

impl Sqlite {
    pub(super) async fn write_take_request(
        &self,
        request: &TakeRequest,
        take: u16,
        at: Timestamp,
    ) -> Result<u16, JournalError> {
        let mut tx = self.write_once().await?;
        let take = sqlx::query_scalar(
            "INSERT INTO take_request (scope, message, user, edited_at, take, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO UPDATE SET take = take_request.take
             RETURNING take",
        )
        .bind(request.scope.to_string())
        .bind(signed(request.message.get()))
        .bind(signed(request.user.get()))
        .bind(request.edited_at.map_or(0, Timestamp::as_millis))
        .bind(take)
        .bind(at.as_millis())
        .fetch_all(&mut *tx)
        .await?
        .first()
        .copied()
        .unwrap_or(take);
        // The turn is written down after it, and is lost with it.
        tx.commit_unsynced().await?;
        Ok(take)
    }

    pub(super) async fn delete_take_requests(
        &self,
        scope: Scope,
        message: MessageId,
        user: Option<UserId>,
    ) -> Result<(), JournalError> {
        let mut tx = self.write_once().await?;
        sqlx::query(
            "DELETE FROM take_request
             WHERE scope = ?1 AND message = ?2 AND edited_at = 0 AND (?3 IS NULL OR user = ?3)",
        )
        .bind(scope.to_string())
        .bind(signed(message.get()))
        .bind(user.map(|user| signed(user.get())))
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit_soon().await?)
    }
}
