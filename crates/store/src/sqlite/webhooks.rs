//! The webhooks that personas speak by. Their tokens are sealed.

use kaiwa_domain::port::{Pending, Webhooks};
use kaiwa_domain::{ChannelId, Scope, StoreError, Timestamp, WebhookHandle, WebhookId};
use sqlx::Row;

use super::Sqlite;
use super::columns::{id, signed};
use super::journal::JournalError;
use super::keys::SealedRow;

impl Webhooks for Sqlite {
    fn webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<WebhookHandle>, StoreError>> {
        Box::pin(async move { Ok(self.read_webhook(scope, channel).await?) })
    }

    fn keep_webhook<'a>(
        &'a self,
        scope: Scope,
        channel: ChannelId,
        webhook: &'a WebhookHandle,
        at: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_webhook(scope, channel, webhook, at).await?) })
    }

    fn forget_webhook(
        &self,
        scope: Scope,
        webhook: WebhookId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.retire_webhook(scope, webhook, at).await?) })
    }

    fn our_webhooks<'a>(
        &'a self,
        scope: Scope,
        webhooks: &'a [WebhookId],
    ) -> Pending<'a, Result<Vec<WebhookId>, StoreError>> {
        Box::pin(async move { Ok(self.find_webhooks(scope, webhooks).await?) })
    }

    fn refuse_webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
        code: u32,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_refusal(scope, channel, code, at).await?) })
    }

    fn take_refusal(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<u32>, StoreError>> {
        Box::pin(async move { Ok(self.take_untold_refusal(scope, channel).await?) })
    }
}

impl Sqlite {
    async fn read_webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Result<Option<WebhookHandle>, JournalError> {
        let owner = scope.to_string();
        let row = sqlx::query(
            "SELECT id, key, body FROM webhook
             WHERE scope = ?1 AND channel = ?2 AND gone_at IS NULL
             ORDER BY made_at DESC, id DESC LIMIT 1",
        )
        .bind(&owner)
        .bind(signed(channel.get()))
        .fetch_optional(&self.readers)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let webhook = WebhookId::new(id(&row, "id")?);
        let token = self.unseal(&row, sealed_row(&owner, &sealed_name(channel, webhook)))?;
        Ok(Some(WebhookHandle::new(webhook, token)))
    }

    async fn write_webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
        webhook: &WebhookHandle,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let owner = scope.to_string();
        let name = sealed_name(channel, webhook.id());
        let mut tx = self.write().await?;
        // Not before: the key may change while we wait for the writer.
        let sealed = self
            .keys()
            .seal(sealed_row(&owner, &name), webhook.token().as_bytes())?;
        sqlx::query(
            "INSERT OR REPLACE INTO webhook (scope, id, channel, key, body, made_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&owner)
        .bind(signed(webhook.id().get()))
        .bind(signed(channel.get()))
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(at.as_millis())
        .execute(&mut *tx)
        .await?;
        sqlx::query("DELETE FROM webhook_refusal WHERE scope = ?1 AND channel = ?2")
            .bind(&owner)
            .bind(signed(channel.get()))
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    async fn retire_webhook(
        &self,
        scope: Scope,
        webhook: WebhookId,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query("UPDATE webhook SET gone_at = ?3 WHERE scope = ?1 AND id = ?2")
            .bind(scope.to_string())
            .bind(signed(webhook.get()))
            .bind(at.as_millis())
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    async fn find_webhooks(
        &self,
        scope: Scope,
        webhooks: &[WebhookId],
    ) -> Result<Vec<WebhookId>, JournalError> {
        let asked: Vec<i64> = webhooks.iter().map(|it| signed(it.get())).collect();
        let asked = serde_json::to_string(&asked).unwrap_or_default();
        let rows = sqlx::query(
            "SELECT id FROM webhook
             WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))",
        )
        .bind(scope.to_string())
        .bind(asked)
        .fetch_all(&self.readers)
        .await?;
        let ours = rows.iter().map(|row| Ok(WebhookId::new(id(row, "id")?)));
        let mut ours: Vec<WebhookId> = ours.collect::<Result<_, JournalError>>()?;
        // SQLite's numbers have a sign, and would be in another order.
        ours.sort_unstable();
        Ok(ours)
    }

    async fn write_refusal(
        &self,
        scope: Scope,
        channel: ChannelId,
        code: u32,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO webhook_refusal (scope, channel, code, told, at)
             VALUES (?1, ?2, ?3, 0, ?4) ON CONFLICT DO NOTHING",
        )
        .bind(scope.to_string())
        .bind(signed(channel.get()))
        .bind(code)
        .bind(at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn take_untold_refusal(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Result<Option<u32>, JournalError> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "UPDATE webhook_refusal SET told = 1
             WHERE scope = ?1 AND channel = ?2 AND told = 0 RETURNING code",
        )
        .bind(scope.to_string())
        .bind(signed(channel.get()))
        .fetch_optional(&mut *tx)
        .await?;
        tx.commit().await?;
        let code = row.map(|row| row.try_get("code"));
        Ok(code.transpose()?)
    }
}

/// What a token is bound to.
fn sealed_name(channel: ChannelId, webhook: WebhookId) -> String {
    format!("{channel}/{webhook}")
}

const fn sealed_row<'a>(scope: &'a str, name: &'a str) -> SealedRow<'a> {
    SealedRow {
        table: "webhook",
        scope,
        name,
    }
}
