//! A transaction whose connection is replaced unless it ended well.
//!
//! After a failed commit or rollback nobody can say what state a connection is
//! in. So a transaction that was not ended well, or was dropped in the middle,
//! takes its connection with it, and the next one gets a new connection.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqlitePool};

/// A transaction that may write.
pub(super) struct Tx {
    connection: PoolConnection<sqlx::Sqlite>,
    ended_well: bool,
}

impl Tx {
    /// Begins one. Taking the write lock at the start keeps two transactions
    /// from each waiting for the other to upgrade.
    pub(super) async fn begin(pool: &SqlitePool) -> Result<Self, sqlx::Error> {
        let mut tx = Self {
            connection: pool.acquire().await?,
            ended_well: false,
        };
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *tx).await?;
        Ok(tx)
    }

    /// Makes what was written last.
    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.end("COMMIT").await
    }

    /// Forgets what was written.
    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(statement).execute(&mut *self).await?;
        self.ended_well = true;
        Ok(())
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        if !self.ended_well {
            self.connection.close_on_drop();
        }
    }
}

impl Deref for Tx {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.connection
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}
