//! What was set for scopes, channels and personas.

use kaiwa_domain::port::{Pending, SettingsStore};
use kaiwa_domain::settings::{SETTINGS_PER_SCOPE, SettingKey, SettingPlace, StoredSetting};
use kaiwa_domain::{Scope, StoreError, Timestamp, UserId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::columns::{id, scope, signed, unreadable};
use super::journal::JournalError;
use crate::failure::store_error;

impl SettingsStore for Sqlite {
    fn settings(&self, scope: Scope) -> Pending<'_, Result<Vec<StoredSetting>, StoreError>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT scope, layer, target, name, value, changed_by, changed_at
                 FROM setting WHERE scope = ?1 ORDER BY layer, target, name",
            )
            .bind(scope.to_string())
            .fetch_all(&self.readers)
            .await;
            let read = rows.and_then(|rows| rows.iter().map(setting).collect());
            read.map_err(|error: sqlx::Error| store_error(&error))
        })
    }

    fn set<'a>(&'a self, setting: &'a StoredSetting) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_setting(setting).await?) })
    }

    fn unset(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(async move {
            self.delete_setting(scope, place, key)
                .await
                .map_err(|error| store_error(&error))
        })
    }
}

impl Sqlite {
    async fn write_setting(&self, setting: &StoredSetting) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO setting (scope, layer, target, name, value, changed_by, changed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (scope, layer, target, name) DO UPDATE SET
                 value = excluded.value,
                 changed_by = excluded.changed_by,
                 changed_at = excluded.changed_at",
        )
        .bind(setting.scope.to_string())
        .bind(setting.place.layer().name())
        .bind(signed(setting.place.target()))
        .bind(&setting.name)
        .bind(&setting.value)
        .bind(setting.changed_by.map(|user| signed(user.get())))
        .bind(setting.changed_at.as_millis())
        .execute(&mut *tx)
        .await?;
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM setting WHERE scope = ?1")
            .bind(setting.scope.to_string())
            .fetch_one(&mut *tx)
            .await?;
        if count > i64::from(SETTINGS_PER_SCOPE) {
            tx.rollback().await?;
            return Err(JournalError::TooManySettings);
        }
        Ok(tx.commit().await?)
    }

    async fn delete_setting(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
    ) -> Result<bool, sqlx::Error> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query(
            "DELETE FROM setting WHERE scope = ?1 AND layer = ?2 AND target = ?3 AND name = ?4",
        )
        .bind(scope.to_string())
        .bind(place.layer().name())
        .bind(signed(place.target()))
        .bind(key.name())
        .execute(&mut *tx)
        .await?
        .rows_affected();
        tx.commit().await?;
        Ok(deleted > 0)
    }
}

fn setting(row: &SqliteRow) -> Result<StoredSetting, sqlx::Error> {
    let (layer, target) = (row.try_get("layer")?, id(row, "target")?);
    let changed_by: Option<i64> = row.try_get("changed_by")?;
    Ok(StoredSetting {
        scope: scope(row.try_get("scope")?)?,
        place: SettingPlace::new(layer, target)
            .ok_or_else(|| unreadable("target", &format!("{target} of {layer}")))?,
        name: row.try_get("name")?,
        value: row.try_get("value")?,
        changed_by: changed_by.map(|user| UserId::new(user.cast_unsigned())),
        changed_at: Timestamp::from_millis(row.try_get("changed_at")?),
    })
}
