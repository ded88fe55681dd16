//! A transaction whose connection is replaced unless it ended well.
//!
//! After a failed commit or rollback nobody can say what state a connection is
//! in. So a transaction that was not ended well, or was dropped in the middle,
//! takes its connection with it, and the next one gets a new connection.

use std::ops::{Deref, DerefMut};

use sqlx::sqlite::SqliteConnection;
use tokio::sync::OwnedMappedMutexGuard;

use super::sync::LogSync;
use super::writer::{Lent, SoleWriter, WriterSlot};

/// A transaction that may write.
pub(super) struct Tx<'a> {
    lent: OwnedMappedMutexGuard<WriterSlot, Lent>,
    synced: Synced<'a>,
}

/// How what a transaction wrote comes to outlive a power cut.
#[derive(Clone, Copy)]
enum Synced<'a> {
    /// Its commit is the sync.
    Alone,
    /// By a sync that commits share.
    Shared(&'a LogSync),
    /// The same, and each statement is a transaction.
    Statement(&'a LogSync),
}

impl<'a> Tx<'a> {
    /// Begins one whose commit is synced by itself, and has changed nothing if
    /// that fails.
    ///
    /// Taking the write lock at the start keeps two transactions from each
    /// waiting for the other to upgrade.
    pub(super) async fn begin(writer: &SoleWriter) -> Result<Self, sqlx::Error> {
        let mut tx = Self::on(writer, Synced::Alone).await?;
        tx.exec("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
            .await?;
        Ok(tx)
    }

    /// Begins one whose commit shares its sync. If that fails, what was written
    /// may stay: only for what may be repeated.
    pub(super) async fn begin_shared(
        writer: &SoleWriter,
        sync: &'a LogSync,
    ) -> Result<Self, sqlx::Error> {
        let mut tx = Self::on(writer, Synced::Shared(sync)).await?;
        tx.exec("BEGIN IMMEDIATE").await?;
        Ok(tx)
    }

    /// The same for one statement that writes, which needs no more round trips
    /// to its thread than itself.
    pub(super) async fn statement(
        writer: &SoleWriter,
        sync: &'a LogSync,
    ) -> Result<Self, sqlx::Error> {
        Self::on(writer, Synced::Statement(sync)).await
    }

    async fn on(writer: &SoleWriter, synced: Synced<'a>) -> Result<Self, sqlx::Error> {
        let mut lent = writer.lend().await?;
        lent.spoilt = true;
        Ok(Self { lent, synced })
    }

    /// Makes what was written last.
    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self.settle().await? {
            Some(sync) => Ok(sync.wait().await?),
            None => Ok(()),
        }
    }

    /// Makes what was written outlive the process at once, and a power cut a
    /// moment later.
    pub(super) async fn commit_soon(self) -> Result<(), sqlx::Error> {
        if let Some(sync) = self.settle().await? {
            sync.request();
        }
        Ok(())
    }

    /// Makes what was written outlive the process at once, and a power cut from
    /// the next sync on.
    pub(super) async fn commit_unsynced(self) -> Result<(), sqlx::Error> {
        self.settle().await.map(drop)
    }

    /// Forgets what was written.
    pub(super) async fn rollback(self) -> Result<(), sqlx::Error> {
        let statement = match self.synced {
            Synced::Alone => "ROLLBACK; PRAGMA synchronous = NORMAL",
            Synced::Shared(_) => "ROLLBACK",
            Synced::Statement(_) => "",
        };
        self.end(statement).await
    }

    /// Commits, and says what is still to be waited for.
    async fn settle(self) -> Result<Option<&'a LogSync>, sqlx::Error> {
        let (statement, sync) = match self.synced {
            Synced::Alone => ("COMMIT; PRAGMA synchronous = NORMAL", None),
            Synced::Shared(sync) => ("COMMIT", Some(sync)),
            Synced::Statement(sync) => ("", Some(sync)),
        };
        self.end(statement).await?;
        Ok(sync)
    }

    async fn end(mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        if !statement.is_empty() {
            self.exec(statement).await?;
        }
        self.lent.spoilt = false;
        Ok(())
    }

    async fn exec(&mut self, statements: &'static str) -> Result<(), sqlx::Error> {
        let done = sqlx::raw_sql(statements).execute(&mut **self).await;
        done.map(drop)
    }
}

impl Deref for Tx<'_> {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.lent.connection
    }
}

impl DerefMut for Tx<'_> {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.lent.connection
    }
}
