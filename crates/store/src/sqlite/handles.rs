//! What interactions can be answered with. Discord's tokens are sealed.

use kaiwa_domain::{InteractionId, ResponseHandle, Scope, Timestamp};

use super::Sqlite;
use super::columns::{id, signed};
use super::journal::JournalError;
use super::keys::SealedRow;

impl Sqlite {
    pub(super) async fn write_handle(
        &self,
        scope: Scope,
        interaction: InteractionId,
        handle: &ResponseHandle,
        until: Timestamp,
    ) -> Result<(), JournalError> {
        let owner = scope.to_string();
        let name = interaction.to_string();
        let mut tx = self.write().await?;
        // Not before: the key may change while we wait for the writer.
        let sealed = self
            .keys()
            .seal(sealed_row(&owner, &name), handle.token().as_bytes())?;
        sqlx::query(
            "INSERT INTO response_handle (scope, interaction, application, key, body, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        )
        .bind(&owner)
        .bind(signed(interaction.get()))
        .bind(signed(handle.application()))
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(until.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn read_handle(
        &self,
        scope: Scope,
        interaction: InteractionId,
        now: Timestamp,
    ) -> Result<Option<ResponseHandle>, JournalError> {
        let owner = scope.to_string();
        let row = sqlx::query(
            "SELECT application, key, body FROM response_handle
             WHERE scope = ?1 AND interaction = ?2 AND expires_at > ?3",
        )
        .bind(&owner)
        .bind(signed(interaction.get()))
        .bind(now.as_millis())
        .fetch_optional(&self.readers)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let name = interaction.to_string();
        let token = self.unseal(&row, sealed_row(&owner, &name))?;
        Ok(Some(ResponseHandle::new(id(&row, "application")?, token)))
    }
}

const fn sealed_row<'a>(scope: &'a str, interaction: &'a str) -> SealedRow<'a> {
    SealedRow {
        table: "response_handle",
        scope,
        name: interaction,
    }
}
