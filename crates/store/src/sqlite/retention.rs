//! What is deleted, and when; and the proof that the file can be written.
//!
//! | table | rule |
//! |---|---|
//! | `turn`, `effect` | a while after the turn was admitted, once it has ended: its effects expire long before |
//! | `handled_event` | as long as turns |
//! | `take_request` | as long as sessions: what repeats it comes within minutes |
//! | `message` | a while after it was sent |
//! | `expense` | a while after the call; two days at least, for budgets |
//! | `session` | two days: Discord forgets sessions within minutes |
//! | `probe` | one row, which also counts how often the file was opened |
//! | `setting` | until somebody unsets it; a scope has a thousand at most |
//! | `persona`, `persona_picture` | until somebody deletes them; a scope has a hundred personas at most, with two hundred pictures |
//! | `fact` | when it expires, or until somebody forgets it; a scope has a thousand at most |
//! | `note` | when it expires |
//! | `schedule` | until it was done for the last time, or is taken back; a person has 25 at most in a scope |
//! | `schedule_mark` | as long as turns, counted from when the schedule was set |
//! | `context_reset` | as long as messages: what is older is not looked at |
//! | `snapshot` | a while after the turn |
//! | `response_handle` | when Discord forgets it, fifteen minutes after the interaction |
//! | `offer` | as long as turns, counted from the moment when it expires |
//! | `audit` | as long as expenses |
//! | `decision` | as long as turns |
//! | `moderation_case` | a year after its last change; that of a ban once it is lifted |
//! | `newcomer` | when they leave, or 400 days after they joined |
//! | `webhook` | as long as turns, once it no longer works; one in use for each channel |
//! | `webhook_refusal` | thirty days: then somebody is told again |
//! | `departure` | until we are in the guild again, or it is erased; one row a guild |
//! | `opt_out` | until they opt in again; one row a person |
//! | `erasure` | as long as expenses, once it is done |
//! | `memory_key` | one row for each key; there are two at most |

use std::time::Duration;

use kaiwa_domain::Timestamp;
use kaiwa_domain::port::Retention;

use super::Sqlite;
use super::journal::JournalError;

/// Budgets look at one UTC day, and clocks differ.
const EXPENSES_AT_LEAST: Duration = Duration::from_secs(2 * 24 * 3600);

/// Moderators look back this far.
const CASES: Duration = Duration::from_secs(365 * 24 * 3600);

/// Roles for staying come within a year.
const NEWCOMERS: Duration = Duration::from_secs(400 * 24 * 3600);

/// Who was told that we may have no webhook will have forgotten.
const REFUSALS: Duration = Duration::from_secs(30 * 24 * 3600);

const SESSIONS: Duration = Duration::from_secs(2 * 24 * 3600);

impl Sqlite {
    pub(super) async fn delete_old_rows(
        &self,
        retention: &Retention,
        now: Timestamp,
    ) -> Result<u64, JournalError> {
        let before = |age: Duration| now.as_millis().saturating_sub_unsigned(millis(age));
        let rules = [
            (
                "DELETE FROM turn WHERE admitted_at < ?1 AND state = 'ended'",
                retention.turns,
            ),
            ("DELETE FROM handled_event WHERE at < ?1", retention.turns),
            ("DELETE FROM message WHERE sent_at < ?1", retention.messages),
            (
                "DELETE FROM expense WHERE at < ?1",
                retention.expenses.max(EXPENSES_AT_LEAST),
            ),
            ("DELETE FROM session WHERE updated_at < ?1", SESSIONS),
            ("DELETE FROM take_request WHERE at < ?1", SESSIONS),
            ("DELETE FROM fact WHERE expires_at <= ?1", Duration::ZERO),
            ("DELETE FROM note WHERE expires_at <= ?1", Duration::ZERO),
            (
                "DELETE FROM context_reset WHERE at < ?1",
                retention.messages,
            ),
            ("DELETE FROM schedule_mark WHERE at < ?1", retention.turns),
            ("DELETE FROM snapshot WHERE at < ?1", retention.snapshots),
            (
                "DELETE FROM response_handle WHERE expires_at <= ?1",
                Duration::ZERO,
            ),
            ("DELETE FROM offer WHERE until < ?1", retention.turns),
            ("DELETE FROM audit WHERE at < ?1", retention.expenses),
            ("DELETE FROM decision WHERE at < ?1", retention.turns),
            (
                "DELETE FROM moderation_case WHERE updated_at < ?1
                 AND NOT (kind = 'ban' AND state IN ('asked', 'done'))",
                CASES,
            ),
            ("DELETE FROM newcomer WHERE joined_at < ?1", NEWCOMERS),
            ("DELETE FROM webhook WHERE gone_at < ?1", retention.turns),
            ("DELETE FROM webhook_refusal WHERE at < ?1", REFUSALS),
            (
                "DELETE FROM erasure WHERE at < ?1 AND subject IS NULL",
                retention.expenses,
            ),
        ];
        self.indexes.drop_idle(now);
        let mut deleted = 0;
        for (sql, age) in rules {
            // One transaction each: people wait for the writer meanwhile.
            let mut tx = self.write().await?;
            let query = sqlx::query(sql).bind(before(age));
            deleted += query.execute(&mut *tx).await?.rows_affected();
            tx.commit().await?;
        }
        Ok(deleted)
    }

    pub(super) async fn write_probe(&self) -> Result<(), JournalError> {
        if !self.is_in_place() {
            return Err(JournalError::Moved);
        }
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO probe (id, at) VALUES (1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
             ON CONFLICT (id) DO UPDATE SET at = excluded.at",
        )
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }
}

fn millis(age: Duration) -> u64 {
    u64::try_from(age.as_millis()).unwrap_or(u64::MAX)
}
