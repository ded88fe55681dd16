//! Who opened the database last is the one that speaks.
//!
//! The lock file keeps a second process away. Where the file system does not
//! keep its locks, as some do over a network, both would answer. So each opening
//! counts itself in the file, and the engine refuses what begins an answer
//! (questions, effects, starts, newer texts, the probe) from whoever was counted
//! earlier. That costs no trip of its own: it is a trigger of the connection.
//! What was done may still be written down.

use std::sync::OnceLock;

use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteConnection;

/// How the engine's refusal begins.
const WORDS: &str = "another process has opened it since";

/// What an earlier process may no longer do.
const FENCED: [(&str, &str); 4] = [
    ("INSERT ON turn", "1"),
    ("INSERT ON effect", "1"),
    (
        "UPDATE OF state, body ON effect",
        "NEW.state IN ('queued', 'started')",
    ),
    ("UPDATE OF at ON probe", "1"),
];

/// The number of this opening, once it is known.
#[derive(Debug, Default)]
pub(super) struct EpochFence(OnceLock<i64>);

impl EpochFence {
    /// Counts this opening.
    pub(super) async fn raise(&self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let epoch: i64 = sqlx::query_scalar(
            "INSERT INTO probe (id, at, epoch) VALUES (1, 0, 1)
             ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1
             RETURNING epoch",
        )
        .fetch_one(&mut *connection)
        .await?;
        let _ = self.0.set(epoch);
        self.guard(connection).await
    }

    /// Has a connection ask whether this opening is still the last. One that is
    /// made before it is counted asks nothing.
    pub(super) async fn guard(&self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let Some(epoch) = self.0.get() else {
            return Ok(());
        };
        for (number, (event, when)) in FENCED.iter().enumerate() {
            let trigger = format!(
                "CREATE TEMP TRIGGER IF NOT EXISTS fence_{number} BEFORE {event}
                 WHEN {when} AND (SELECT epoch FROM probe) <> {epoch}
                 BEGIN SELECT RAISE(ABORT, '{WORDS}'); END"
            );
            sqlx::query(AssertSqlSafe(trigger))
                .execute(&mut *connection)
                .await?;
        }
        Ok(())
    }
}
