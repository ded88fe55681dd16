//! A transaction whose connection is replaced unless it ended well.
//!
//! After a failed commit or rollback nobody can say what state a connection is
//! in. So a transaction that was not ended well, or was dropped in the middle,
//! takes its connection with it, and the next one gets a new connection.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqlitePool};

use super::sync::LogSync;

/// A transaction that may write.
pub(super) struct Tx<'a> {
    connection: PoolConnection<sqlx::Sqlite>,
    ended_well: bool,
    /// The sync that its commit shares with others; without one, the commit is
    /// the sync.
    shared: Option<&'a LogSync>,
}

impl<'a> Tx<'a> {
    /// Begins one whose commit is synced by itself, and has changed nothing if
    /// that fails.
    ///
    /// Taking the write lock at the start keeps two transactions from each
    /// waiting for the other to upgrade.
    pub(super) async fn begin(pool: &SqlitePool) -> Result<Self, sqlx::Error> {
        Self::begin_with(pool, "PRAGMA synchronous = FULL; BEGIN IMMEDIATE", None).await
    }

    /// Begins one whose commit shares its sync. If that fails, what was written
    /// may stay: only for what may be repeated.
    pub(super) async fn begin_shared(
        pool: &SqlitePool,
        sync: &'a LogSync,
    ) -> Result<Self, sqlx::Error> {
        Self::begin_with(
            pool,
            "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
            Some(sync),
        )
        .await
    }

    async fn begin_with(
        pool: &SqlitePool,
        statements: &'static str,
        shared: Option<&'a LogSync>,
    ) -> Result<Self, sqlx::Error> {
        let mut tx = Self {
            connection: pool.acquire().await?,
            ended_well: false,
            shared,
        };
        sqlx::raw_sql(statements).execute(&mut *tx).await?;
        Ok(tx)
    }

    /// Makes what was written last.
    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        let shared = self.shared;
        self.end("COMMIT").await?;
        match shared {
            Some(sync) => Ok(sync.wait().await?),
            None => Ok(()),
        }
    }

    /// Makes what was written outlive the process at once, and a power cut from
    /// the next sync on.
    pub(super) async fn commit_unsynced(self) -> Result<(), sqlx::Error> {
        self.end("COMMIT").await
    }

    /// Forgets what was written.
    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        sqlx::raw_sql(statement).execute(&mut *self).await?;
        self.ended_well = true;
        Ok(())
    }
}

impl Drop for Tx<'_> {
    fn drop(&mut self) {
        if !self.ended_well {
            self.connection.close_on_drop();
        }
    }
}

impl Deref for Tx<'_> {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.connection
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}
