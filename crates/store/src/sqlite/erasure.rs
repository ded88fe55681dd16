//! Everything about somebody: shown, or deleted.
//!
//! [`TABLES`] says of every table and column whose data it is; a test compares
//! it with the tables that there are. An erasure is a row of its own before the
//! first row is deleted, so that one that was cut short is finished when the
//! database is opened next. It leaves no trace of whose it was.

use std::str::FromStr;

use kaiwa_domain::port::{Erasure, Pending};
use kaiwa_domain::{DataSubject, Export, ExportCell, ExportTable, Scope, StoreError, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row};

use super::Sqlite;
use super::columns::{signed, unreadable};
use super::journal::JournalError;
use super::keys::SealedRow;
use super::rotation::SEALED_TABLES;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Whose data the row is.
    Scope,
    /// A user's id: the row goes with the user.
    User,
    /// A user's id: the row stays and forgets it.
    Mention,
    /// A list of users' ids: the row goes with each of them.
    People,
    /// Another id of Discord.
    Id,
    /// A number or a word.
    Plain,
    /// A sealed text.
    Sealed,
    /// Which key, or a number without a meaning. Not shown.
    Internal,
}

/// How a table is dealt with.
pub(super) struct TableRule {
    pub(super) name: &'static str,
    pub(super) columns: &'static [(&'static str, Holds)],
    /// Which rows belong to a user by way of another table.
    by_way_of: Option<&'static str>,
    /// Which rows outlive the erasure of a user, but not that of their scope.
    outlives: Option<&'static str>,
}

const fn table(name: &'static str, columns: &'static [(&'static str, Holds)]) -> TableRule {
    TableRule {
        name,
        columns,
        by_way_of: None,
        outlives: None,
    }
}

/// The tables in the order in which they are emptied: what belongs to a user
/// by way of another table goes before that table.
pub(super) const TABLES: &[TableRule] = &[
    TableRule {
        name: "effect",
        columns: &[
            ("scope", Holds::Scope),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("idx", Holds::Plain),
            ("channel", Holds::Id),
            ("persona", Holds::Plain),
            ("kind", Holds::Plain),
            ("version", Holds::Plain),
            ("body", Holds::Plain),
            ("state", Holds::Plain),
            ("attempt", Holds::Plain),
            ("message", Holds::Id),
            ("code", Holds::Plain),
            ("queued_at", Holds::Plain),
            ("updated_at", Holds::Plain),
            ("identity", Holds::Plain),
        ],
        by_way_of: Some(
            "EXISTS (SELECT 1 FROM turn WHERE turn.scope = effect.scope
                AND turn.trigger_kind = effect.trigger_kind AND turn.trigger = effect.trigger
                AND turn.take = effect.take AND turn.asker = ?2)",
        ),
        outlives: None,
    },
    TableRule {
        name: "response_handle",
        columns: &[
            ("scope", Holds::Scope),
            ("interaction", Holds::Id),
            ("application", Holds::Internal),
            ("key", Holds::Internal),
            ("body", Holds::Internal),
            ("expires_at", Holds::Plain),
        ],
        by_way_of: Some(
            "EXISTS (SELECT 1 FROM turn WHERE turn.scope = response_handle.scope
                AND turn.trigger_kind IN ('interaction', 'component')
                AND turn.trigger = response_handle.interaction AND turn.asker = ?2)",
        ),
        outlives: None,
    },
    table(
        "turn",
        &[
            ("scope", Holds::Scope),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("channel", Holds::Id),
            ("asker", Holds::User),
            ("persona", Holds::Plain),
            ("text", Holds::Plain),
            ("state", Holds::Plain),
            ("attempt", Holds::Plain),
            ("ending", Holds::Plain),
            ("notice", Holds::Plain),
            ("admitted_at", Holds::Plain),
            ("updated_at", Holds::Plain),
        ],
    ),
    table(
        "offer",
        &[
            ("scope", Holds::Scope),
            ("id", Holds::Internal),
            ("kind", Holds::Plain),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("channel", Holds::Id),
            ("asker", Holds::User),
            ("action", Holds::Plain),
            ("arguments", Holds::Plain),
            ("made_at", Holds::Plain),
            ("until", Holds::Plain),
            ("message", Holds::Id),
            ("state", Holds::Plain),
            ("taken_by", Holds::Plain),
        ],
    ),
    table(
        "audit",
        &[
            ("scope", Holds::Scope),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("action", Holds::Plain),
            ("arguments", Holds::Plain),
            ("channel", Holds::Id),
            ("asker", Holds::User),
            ("outcome", Holds::Plain),
            ("result", Holds::Plain),
            ("at", Holds::Plain),
            ("told", Holds::Plain),
        ],
    ),
    table(
        "handled_event",
        &[
            ("scope", Holds::Scope),
            ("kind", Holds::Plain),
            ("id", Holds::Id),
            ("at", Holds::Plain),
        ],
    ),
    table(
        "take_request",
        &[
            ("scope", Holds::Scope),
            ("message", Holds::Id),
            ("user", Holds::User),
            ("edited_at", Holds::Plain),
            ("take", Holds::Plain),
            ("at", Holds::Plain),
        ],
    ),
    table(
        "message",
        &[
            ("scope", Holds::Scope),
            ("id", Holds::Id),
            ("channel", Holds::Id),
            ("persona", Holds::Plain),
            ("kind", Holds::Plain),
            ("sent_at", Holds::Plain),
            ("look", Holds::Plain),
        ],
    ),
    table(
        "webhook",
        &[
            ("scope", Holds::Scope),
            ("id", Holds::Id),
            ("channel", Holds::Id),
            ("key", Holds::Internal),
            ("body", Holds::Internal),
            ("made_at", Holds::Plain),
            ("gone_at", Holds::Plain),
        ],
    ),
    table(
        "webhook_refusal",
        &[
            ("scope", Holds::Scope),
            ("channel", Holds::Id),
            ("code", Holds::Plain),
            ("told", Holds::Plain),
            ("at", Holds::Plain),
        ],
    ),
    table(
        "expense",
        &[
            ("id", Holds::Plain),
            ("scope", Holds::Scope),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("channel", Holds::Id),
            ("user", Holds::User),
            ("role", Holds::Plain),
            ("model", Holds::Plain),
            ("input", Holds::Plain),
            ("cached", Holds::Plain),
            ("output", Holds::Plain),
            ("thinking", Holds::Plain),
            ("estimated", Holds::Plain),
            ("cost", Holds::Plain),
            ("at", Holds::Plain),
            ("trigger_kind", Holds::Plain),
        ],
    ),
    table(
        "setting",
        &[
            ("scope", Holds::Scope),
            ("layer", Holds::Plain),
            ("target", Holds::Id),
            ("name", Holds::Plain),
            ("value", Holds::Plain),
            ("changed_by", Holds::Mention),
            ("changed_at", Holds::Plain),
        ],
    ),
    table(
        "persona_picture",
        &[
            ("scope", Holds::Scope),
            ("persona", Holds::Plain),
            ("id", Holds::Plain),
            ("body", Holds::Internal),
        ],
    ),
    table(
        "persona",
        &[
            ("scope", Holds::Scope),
            ("id", Holds::Plain),
            ("key", Holds::Internal),
            ("body", Holds::Sealed),
            ("changed_by", Holds::Mention),
            ("changed_at", Holds::Plain),
        ],
    ),
    table(
        "fact",
        &[
            ("scope", Holds::Scope),
            ("id", Holds::Plain),
            ("about", Holds::User),
            ("audience", Holds::Id),
            ("author", Holds::User),
            ("source", Holds::Plain),
            ("channel", Holds::Id),
            ("message", Holds::Id),
            ("key", Holds::Internal),
            ("body", Holds::Sealed),
            ("mark", Holds::Internal),
            ("learned_at", Holds::Plain),
            ("expires_at", Holds::Plain),
        ],
    ),
    table(
        "note",
        &[
            ("scope", Holds::Scope),
            ("channel", Holds::Id),
            ("id", Holds::Plain),
            ("people", Holds::People),
            ("key", Holds::Internal),
            ("body", Holds::Sealed),
            ("at", Holds::Plain),
            ("expires_at", Holds::Plain),
            ("persona", Holds::Plain),
        ],
    ),
    table(
        "context_reset",
        &[
            ("scope", Holds::Scope),
            ("channel", Holds::Id),
            ("message", Holds::Id),
            ("at", Holds::Plain),
        ],
    ),
    table(
        "snapshot",
        &[
            ("scope", Holds::Scope),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("channel", Holds::Id),
            ("people", Holds::People),
            ("key", Holds::Internal),
            ("body", Holds::Sealed),
            ("at", Holds::Plain),
        ],
    ),
    table(
        "decision",
        &[
            ("scope", Holds::Scope),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("channel", Holds::Id),
            ("user", Holds::User),
            ("outcome", Holds::Plain),
            ("reason", Holds::Plain),
            ("at", Holds::Plain),
        ],
    ),
    TableRule {
        name: "moderation_case",
        columns: &[
            ("scope", Holds::Scope),
            ("number", Holds::Plain),
            ("trigger_kind", Holds::Plain),
            ("trigger", Holds::Id),
            ("take", Holds::Plain),
            ("kind", Holds::Plain),
            ("user", Holds::User),
            ("moderator", Holds::Mention),
            ("reason", Holds::Plain),
            ("at", Holds::Plain),
            ("until", Holds::Plain),
            ("state", Holds::Plain),
            ("updated_at", Holds::Plain),
        ],
        by_way_of: None,
        // Nobody else would remember to lift the ban.
        outlives: Some("kind = 'ban' AND state IN ('asked', 'done')"),
    },
    table(
        "newcomer",
        &[
            ("scope", Holds::Scope),
            ("user", Holds::User),
            ("joined_at", Holds::Plain),
            ("welcome_at", Holds::Plain),
            ("role", Holds::Id),
            ("messages", Holds::Plain),
            ("promoted", Holds::Plain),
        ],
    ),
    table(
        "schedule",
        &[
            ("scope", Holds::Scope),
            ("id", Holds::Plain),
            ("user", Holds::User),
            ("channel", Holds::Id),
            ("kind", Holds::Plain),
            ("key", Holds::Internal),
            ("body", Holds::Sealed),
            ("due", Holds::Plain),
            ("recurrence", Holds::Plain),
            ("zone", Holds::Plain),
            ("mark", Holds::Internal),
            ("created_at", Holds::Plain),
        ],
    ),
    table(
        "schedule_mark",
        &[
            ("scope", Holds::Scope),
            ("user", Holds::User),
            ("mark", Holds::Internal),
            ("schedule", Holds::Plain),
            ("at", Holds::Plain),
        ],
    ),
    table(
        "departure",
        &[("scope", Holds::Scope), ("at", Holds::Plain)],
    ),
    // Of the process, not of a guild or user.
    table(
        "session",
        &[
            ("shard", Holds::Internal),
            ("session_id", Holds::Internal),
            ("sequence", Holds::Internal),
            ("resume_url", Holds::Internal),
            ("shards", Holds::Internal),
            ("updated_at", Holds::Internal),
        ],
    ),
    table(
        "probe",
        &[
            ("id", Holds::Internal),
            ("at", Holds::Internal),
            ("epoch", Holds::Internal),
        ],
    ),
    table(
        "memory_key",
        &[("version", Holds::Internal), ("proof", Holds::Internal)],
    ),
    // Its subject is taken away when it is done.
    table(
        "erasure",
        &[
            ("id", Holds::Internal),
            ("subject", Holds::Internal),
            ("at", Holds::Internal),
        ],
    ),
];

/// The one table of people that an erasure leaves alone: without it, they would
/// be read again.
pub(super) const KEPT: TableRule = table("opt_out", &[("user", Holds::User), ("at", Holds::Plain)]);

impl TableRule {
    /// Which rows belong to the scope `?1` or the user `?2`.
    fn theirs(&self) -> Option<String> {
        let whose = self
            .columns
            .iter()
            .filter_map(|(column, holds)| match holds {
                Holds::Scope => Some(format!("{column} = ?1")),
                Holds::User => Some(format!("{column} = ?2")),
                Holds::People => Some(format!(
                    "EXISTS (SELECT 1 FROM json_each({column}) WHERE value = printf('%u', ?2))"
                )),
                _ => None,
            });
        let whose: Vec<String> = whose.chain(self.by_way_of.map(str::to_owned)).collect();
        (!whose.is_empty()).then(|| whose.join(" OR "))
    }

    /// Which rows mention the user `?2`.
    fn mentions(&self) -> impl Iterator<Item = &'static str> {
        let mentions = self.columns.iter();
        mentions.filter_map(|(column, holds)| (*holds == Holds::Mention).then_some(*column))
    }
}

impl Erasure for Sqlite {
    fn export(&self, subject: DataSubject) -> Pending<'_, Result<Export, StoreError>> {
        Box::pin(async move { Ok(self.export_rows(subject).await?) })
    }

    fn erase(&self, subject: DataSubject, at: Timestamp) -> Pending<'_, Result<u64, StoreError>> {
        Box::pin(async move { Ok(self.begin_erasure(subject, at).await?) })
    }
}

impl Sqlite {
    async fn begin_erasure(
        &self,
        subject: DataSubject,
        at: Timestamp,
    ) -> Result<u64, JournalError> {
        let mut tx = self.write().await?;
        sqlx::query("INSERT INTO erasure (subject, at) VALUES (?1, ?2)")
            .bind(written(subject))
            .bind(at.as_millis())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        self.finish_erasures().await
    }

    /// Deletes what was to be deleted, and says how many rows.
    pub(super) async fn finish_erasures(&self) -> Result<u64, JournalError> {
        let rows = {
            let mut lent = self.writer.lend().await?;
            sqlx::query("SELECT id, subject, at FROM erasure WHERE subject IS NOT NULL")
                .fetch_all(&mut lent.connection)
                .await?
        };
        let mut deleted = 0;
        for row in &rows {
            let subject: &str = row.try_get("subject")?;
            let subject = read_subject(subject).ok_or_else(|| unreadable("subject", subject))?;
            deleted += self.erase_rows(subject, row.try_get("at")?).await?;
            let mut tx = self.write().await?;
            sqlx::query("UPDATE erasure SET subject = NULL WHERE id = ?1")
                .bind(row.try_get::<i64, _>("id")?)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        if !rows.is_empty() {
            self.indexes.clear();
            // Deleted rows are overwritten in the file, but stay in the log
            // until that is folded in.
            self.fold.whole().await?;
            tracing::info!(rows = deleted, "somebody's data was erased");
        }
        Ok(deleted)
    }

    async fn erase_rows(&self, subject: DataSubject, at: i64) -> Result<u64, JournalError> {
        let (scope, user) = parameters(subject);
        let mut deleted = 0;
        // Discord may tell us again of what was asked: that it was dealt with
        // is known, but not who asked.
        let mut tx = self.write().await?;
        sqlx::query(
            "INSERT INTO handled_event (scope, kind, id, at)
             SELECT scope, trigger_kind, trigger, ?3 FROM turn WHERE asker = ?2 AND scope <> ?1
             ON CONFLICT DO NOTHING",
        )
        .bind(&scope)
        .bind(user)
        .bind(at)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        for table in TABLES {
            let name = table.name;
            let mut tx = self.write().await?;
            if let Some(theirs) = table.theirs() {
                let kept = match table.outlives {
                    Some(rows) => format!(" AND (scope = ?1 OR NOT ({rows}))"),
                    None => String::new(),
                };
                let delete = format!("DELETE FROM {name} WHERE ({theirs}){kept}");
                deleted += sqlx::query(AssertSqlSafe(delete))
                    .bind(&scope)
                    .bind(user)
                    .execute(&mut *tx)
                    .await?
                    .rows_affected();
            }
            for column in table.mentions() {
                let forget = format!("UPDATE {name} SET {column} = NULL WHERE {column} = ?1");
                sqlx::query(AssertSqlSafe(forget))
                    .bind(user)
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
        }
        Ok(deleted)
    }

    async fn export_rows(&self, subject: DataSubject) -> Result<Export, JournalError> {
        let (scope, user) = parameters(subject);
        let mut export = Export::default();
        for table in TABLES.iter().chain([&KEPT]) {
            let mentions = table.mentions().map(|column| format!("{column} = ?2"));
            let theirs: Vec<String> = table.theirs().into_iter().chain(mentions).collect();
            if theirs.is_empty() {
                continue;
            }
            let columns: Vec<(&str, Holds)> = table.columns.to_vec();
            let select = format!(
                "SELECT *{} FROM {} WHERE {}",
                match SEALED_TABLES.iter().find(|(name, _)| *name == table.name) {
                    Some((_, name)) => format!(", {name} AS sealed_as"),
                    None => String::new(),
                },
                table.name,
                theirs.join(" OR ")
            );
            let rows = sqlx::query(AssertSqlSafe(select))
                .bind(&scope)
                .bind(user)
                .fetch_all(&self.readers)
                .await?;
            let shown = columns
                .iter()
                .filter(|(_, holds)| *holds != Holds::Internal);
            let rows: Result<Vec<_>, JournalError> = rows
                .iter()
                .map(|row| {
                    let cells = shown.clone();
                    cells
                        .map(|(column, holds)| self.cell(table.name, row, column, *holds))
                        .collect()
                })
                .collect();
            let rows: Vec<Vec<ExportCell>> = rows?;
            if !rows.is_empty() {
                export.tables.push(ExportTable {
                    name: table.name.to_owned(),
                    columns: shown.map(|(column, _)| (*column).to_owned()).collect(),
                    rows,
                });
            }
        }
        Ok(export)
    }

    fn cell(
        &self,
        table: &'static str,
        row: &SqliteRow,
        column: &str,
        holds: Holds,
    ) -> Result<ExportCell, JournalError> {
        if holds == Holds::Sealed {
            let place = SealedRow {
                table,
                scope: row.try_get("scope")?,
                name: row.try_get("sealed_as")?,
            };
            return Ok(ExportCell::Text(self.unseal(row, place)?));
        }
        let is_id = matches!(holds, Holds::Id | Holds::User | Holds::Mention);
        if let Ok(number) = row.try_get::<Option<i64>, _>(column) {
            return Ok(match number {
                None => ExportCell::Empty,
                Some(number) if is_id => ExportCell::Id(number.cast_unsigned()),
                Some(number) => ExportCell::Number(number),
            });
        }
        Ok(ExportCell::Text(row.try_get(column)?))
    }
}

/// The scope and the user whose rows are meant.
fn parameters(subject: DataSubject) -> (String, Option<i64>) {
    match subject {
        DataSubject::User(user) => (Scope::Dm(user).to_string(), Some(signed(user.get()))),
        DataSubject::Guild(guild) => (Scope::Guild(guild).to_string(), None),
    }
}

fn written(subject: DataSubject) -> String {
    match subject {
        DataSubject::User(user) => format!("user:{user}"),
        DataSubject::Guild(guild) => format!("guild:{guild}"),
    }
}

fn read_subject(text: &str) -> Option<DataSubject> {
    fn number<T: FromStr>(text: &str) -> Option<T> {
        text.parse().ok()
    }
    match text.split_once(':')? {
        ("user", id) => number(id).map(DataSubject::User),
        ("guild", id) => number(id).map(DataSubject::Guild),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Whoever adds a table or a column says here whose data it holds.
    #[tokio::test]
    async fn every_column_says_whose_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("kaiwa.db")).await.unwrap();
        let rows = sqlx::query(
            "SELECT t.name AS tbl, c.name AS col FROM sqlite_schema t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> '_sqlx_migrations'",
        )
        .fetch_all(&store.readers)
        .await
        .unwrap();
        let mut there: Vec<(String, String)> = rows
            .iter()
            .map(|row| (row.get("tbl"), row.get("col")))
            .collect();
        let mut declared: Vec<(String, String)> = TABLES
            .iter()
            .chain([&KEPT])
            .flat_map(|table| {
                table
                    .columns
                    .iter()
                    .map(|(column, _)| (table.name, *column))
            })
            .map(|(table, column)| (table.to_owned(), column.to_owned()))
            .collect();
        there.sort();
        declared.sort();
        assert_eq!(there, declared);
        // A name that means a person or a scope elsewhere means it everywhere.
        for table in TABLES {
            for (column, holds) in table.columns {
                let is_whose = [
                    "scope",
                    "user",
                    "asker",
                    "author",
                    "about",
                    "people",
                    "changed_by",
                    "moderator",
                ]
                .contains(column);
                let says = matches!(
                    holds,
                    Holds::Scope | Holds::User | Holds::People | Holds::Mention
                );
                assert_eq!(is_whose, says, "{}.{column}", table.name);
            }
        }
    }
}
