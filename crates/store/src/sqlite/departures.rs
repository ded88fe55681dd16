//! Guilds that we are no longer in.

use std::collections::BTreeSet;

use kaiwa_domain::port::{Departure, Departures, Pending};
use kaiwa_domain::{GuildId, Scope, StoreError, Timestamp};
use sqlx::{AssertSqlSafe, Row};

use super::Sqlite;
use super::columns::scope as read_scope;
use super::erasure::{Holds, TABLES};
use super::journal::JournalError;

impl Departures for Sqlite {
    fn guilds_on_record(&self) -> Pending<'_, Result<Vec<GuildId>, StoreError>> {
        Box::pin(async move { Ok(self.read_guilds_on_record().await?) })
    }

    fn depart(&self, guild: GuildId, at: Timestamp) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_departure(guild, at).await?) })
    }

    fn come_back(&self, guild: GuildId) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.delete_departure(guild).await?) })
    }

    fn departures(&self) -> Pending<'_, Result<Vec<Departure>, StoreError>> {
        Box::pin(async move { Ok(self.read_departures().await?) })
    }
}

impl Sqlite {
    /// Every table is asked for its next scope until there is none: that takes
    /// one step of an index for each guild, however many rows it has.
    async fn read_guilds_on_record(&self) -> Result<Vec<GuildId>, JournalError> {
        let mut guilds = BTreeSet::new();
        let scoped = TABLES
            .iter()
            .filter(|table| table.columns.iter().any(|(_, it)| *it == Holds::Scope));
        for table in scoped {
            let name = table.name;
            let select = format!(
                "WITH RECURSIVE known (scope) AS (
                     SELECT min(scope) FROM {name} WHERE scope >= 'guild:'
                     UNION ALL
                     SELECT (SELECT min(scope) FROM {name} WHERE scope > known.scope)
                     FROM known WHERE known.scope IS NOT NULL
                 )
                 SELECT scope FROM known WHERE scope IS NOT NULL"
            );
            let rows = sqlx::query(AssertSqlSafe(select))
                .fetch_all(&self.readers)
                .await?;
            for row in &rows {
                if let Scope::Guild(guild) = read_scope(row.try_get("scope")?)? {
                    guilds.insert(guild);
                }
            }
        }
        Ok(guilds.into_iter().collect())
    }

    async fn write_departure(&self, guild: GuildId, at: Timestamp) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query("INSERT INTO departure (scope, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
            .bind(Scope::Guild(guild).to_string())
            .bind(at.as_millis())
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    async fn delete_departure(&self, guild: GuildId) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query("DELETE FROM departure WHERE scope = ?1")
            .bind(Scope::Guild(guild).to_string())
            .execute(&mut *tx)
            .await?;
        Ok(tx.commit().await?)
    }

    async fn read_departures(&self) -> Result<Vec<Departure>, JournalError> {
        let rows = sqlx::query("SELECT scope, at FROM departure ORDER BY at, scope")
            .fetch_all(&self.readers)
            .await?;
        let mut departures = Vec::new();
        for row in &rows {
            if let Scope::Guild(guild) = read_scope(row.try_get("scope")?)? {
                let at = Timestamp::from_millis(row.try_get("at")?);
                departures.push(Departure { guild, at });
            }
        }
        Ok(departures)
    }
}
