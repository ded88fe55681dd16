//! Facts, notes and where conversations begin. Texts are sealed.

use kaiwa_domain::port::{Memories, Pending, Recall};
use kaiwa_domain::{
    Audience, ChannelId, FACT_CHARS, FACTS_PER_PERSON, FACTS_PER_SCOPE, Fact, FactId, FactSource,
    MessageId, NOTE_CHARS, NOTES_PER_CHANNEL, NewFact, Note, PersonaId, Scope, StoreError,
    Timestamp, UserId,
};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::Sqlite;
use super::columns::{id, scope as read_scope, signed, unreadable};
use super::journal::JournalError;
use super::keys::{SealError, Sealed, SealedRow};

impl Memories for Sqlite {
    fn remember<'a>(&'a self, fact: &'a NewFact) -> Pending<'a, Result<FactId, StoreError>> {
        Box::pin(async move { Ok(self.write_fact(fact).await?) })
    }

    fn facts(&self, scope: Scope) -> Pending<'_, Result<Vec<Fact>, StoreError>> {
        Box::pin(async move { Ok(self.read_facts(scope).await?) })
    }

    fn forget(&self, scope: Scope, fact: FactId) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.delete_fact(scope, fact).await?) })
    }

    fn recall<'a>(&'a self, recall: &'a Recall<'a>) -> Pending<'a, Result<Vec<Fact>, StoreError>> {
        Box::pin(async move { Ok(self.find_facts(recall).await?) })
    }

    fn take_note<'a>(&'a self, note: &'a Note) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_note(note).await?) })
    }

    fn notes(
        &self,
        scope: Scope,
        channel: ChannelId,
        now: Timestamp,
    ) -> Pending<'_, Result<Vec<Note>, StoreError>> {
        Box::pin(async move { Ok(self.read_notes(scope, channel, now).await?) })
    }

    fn condense_notes<'a>(&'a self, summary: &'a Note) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.replace_notes(summary).await?) })
    }

    fn reset_context(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.write_reset(scope, channel, message, at).await?) })
    }

    fn context_start(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>> {
        Box::pin(async move { Ok(self.read_reset(scope, channel).await?) })
    }

    fn rotate_key(&self) -> Pending<'_, Result<u64, StoreError>> {
        Box::pin(async move { Ok(self.rotate_keys().await?) })
    }
}

impl Sqlite {
    async fn write_fact(&self, fact: &NewFact) -> Result<FactId, JournalError> {
        if fact.text.chars().count() > FACT_CHARS {
            return Err(JournalError::FactTooLong);
        }
        let mut tx = self.write().await?;
        match self.fact_within(&mut tx, fact).await {
            Ok(id) => {
                tx.commit().await?;
                Ok(id)
            }
            Err(error @ JournalError::Engine(_)) => Err(error),
            Err(error) => {
                tx.rollback().await?;
                Err(error)
            }
        }
    }

    async fn fact_within(
        &self,
        tx: &mut SqliteConnection,
        fact: &NewFact,
    ) -> Result<FactId, JournalError> {
        let scope = fact.scope.to_string();
        let counts = sqlx::query(
            "SELECT count(*) AS all_facts, ifnull(max(id), 0) + 1 AS next,
                    count(*) FILTER (WHERE about = ?2) AS about_them,
                    min(id) FILTER (WHERE about = ?2) AS oldest
             FROM fact WHERE scope = ?1",
        )
        .bind(&scope)
        .bind(fact.about.map(|user| signed(user.get())))
        .fetch_one(&mut *tx)
        .await?;
        let count = |column| Ok::<_, sqlx::Error>(counts.try_get::<i64, _>(column)?.unsigned_abs());
        if count("about_them")? >= FACTS_PER_PERSON as u64 {
            sqlx::query("DELETE FROM fact WHERE scope = ?1 AND id = ?2")
                .bind(&scope)
                .bind(counts.try_get::<i64, _>("oldest")?)
                .execute(&mut *tx)
                .await?;
        } else if count("all_facts")? >= FACTS_PER_SCOPE as u64 {
            return Err(JournalError::TooManyFacts);
        }
        let number: u32 = counts.try_get("next")?;
        let audience = match fact.audience {
            Audience::Scope => None,
            Audience::Channel(channel) => Some(signed(channel.get())),
        };
        let row = SealedRow {
            table: "fact",
            scope: &scope,
            name: &fact_name(number, audience),
        };
        let sealed = self.keys().seal(row, fact.text.as_bytes())?;
        sqlx::query(
            "INSERT INTO fact (scope, id, about, audience, author, source, channel, message,
                               key, body, mark, learned_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )
        .bind(&scope)
        .bind(number)
        .bind(fact.about.map(|user| signed(user.get())))
        .bind(audience)
        .bind(fact.author.map(|user| signed(user.get())))
        .bind(fact.source.name())
        .bind(fact.channel.map(|channel| signed(channel.get())))
        .bind(fact.message.map(|message| signed(message.get())))
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(mark()?)
        .bind(fact.learned_at.as_millis())
        .bind(fact.expires_at.map(Timestamp::as_millis))
        .execute(&mut *tx)
        .await?;
        Ok(FactId::new(number))
    }

    pub(super) async fn read_facts(&self, scope: Scope) -> Result<Vec<Fact>, JournalError> {
        let rows = sqlx::query("SELECT * FROM fact WHERE scope = ?1 ORDER BY id")
            .bind(scope.to_string())
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| self.fact(row)).collect()
    }

    fn fact(&self, row: &SqliteRow) -> Result<Fact, JournalError> {
        let scope: &str = row.try_get("scope")?;
        let number: u32 = row.try_get("id")?;
        let audience: Option<i64> = row.try_get("audience")?;
        let source: &str = row.try_get("source")?;
        let sealed = SealedRow {
            table: "fact",
            scope,
            name: &fact_name(number, audience),
        };
        let some = |column| optional(row, column);
        Ok(Fact {
            id: FactId::new(number),
            learned: NewFact {
                scope: read_scope(scope)?,
                about: some("about")?.map(UserId::new),
                audience: match some("audience")? {
                    None => Audience::Scope,
                    Some(channel) => Audience::Channel(ChannelId::new(channel)),
                },
                author: some("author")?.map(UserId::new),
                source: FactSource::from_name(source)
                    .ok_or_else(|| unreadable("source", source))?,
                channel: some("channel")?.map(ChannelId::new),
                message: some("message")?.map(MessageId::new),
                text: self.unseal(row, sealed)?,
                learned_at: Timestamp::from_millis(row.try_get("learned_at")?),
                expires_at: row
                    .try_get::<Option<i64>, _>("expires_at")?
                    .map(Timestamp::from_millis),
            },
        })
    }

    async fn delete_fact(&self, scope: Scope, fact: FactId) -> Result<bool, JournalError> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query("DELETE FROM fact WHERE scope = ?1 AND id = ?2")
            .bind(scope.to_string())
            .bind(fact.get())
            .execute(&mut *tx)
            .await?
            .rows_affected();
        tx.commit().await?;
        Ok(deleted > 0)
    }

    async fn write_note(&self, note: &Note) -> Result<(), JournalError> {
        if note.text.chars().count() > NOTE_CHARS {
            return Err(JournalError::NoteTooLong);
        }
        let mut tx = self.write().await?;
        sqlx::query(
            "DELETE FROM note WHERE scope = ?1 AND channel = ?2 AND persona = ?4 AND id NOT IN
                (SELECT id FROM note WHERE scope = ?1 AND channel = ?2 AND persona = ?4
                 ORDER BY id DESC LIMIT ?3)",
        )
        .bind(note.scope.to_string())
        .bind(signed(note.channel.get()))
        .bind(NOTES_PER_CHANNEL as i64 - 1)
        .bind(note.persona.get())
        .execute(&mut *tx)
        .await?;
        let last: i64 = sqlx::query_scalar(
            "SELECT ifnull(max(id), 0) FROM note WHERE scope = ?1 AND channel = ?2",
        )
        .bind(note.scope.to_string())
        .bind(signed(note.channel.get()))
        .fetch_one(&mut *tx)
        .await?;
        self.insert_note(&mut tx, note, last + 1).await?;
        Ok(tx.commit().await?)
    }

    async fn insert_note(
        &self,
        tx: &mut SqliteConnection,
        note: &Note,
        number: i64,
    ) -> Result<(), JournalError> {
        let scope = note.scope.to_string();
        let channel = signed(note.channel.get());
        let row = SealedRow {
            table: "note",
            scope: &scope,
            name: &note_name(channel, number),
        };
        let sealed = self.keys().seal(row, note.text.as_bytes())?;
        sqlx::query(
            "INSERT INTO note (scope, channel, id, people, key, body, at, expires_at, persona)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )
        .bind(&scope)
        .bind(channel)
        .bind(number)
        .bind(people_column(&note.people))
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(note.at.as_millis())
        .bind(note.expires_at.as_millis())
        .bind(note.persona.get())
        .execute(tx)
        .await?;
        Ok(())
    }

    async fn read_notes(
        &self,
        scope: Scope,
        channel: ChannelId,
        now: Timestamp,
    ) -> Result<Vec<Note>, JournalError> {
        let rows = sqlx::query(
            "SELECT * FROM note WHERE scope = ?1 AND channel = ?2 AND expires_at > ?3 ORDER BY id",
        )
        .bind(scope.to_string())
        .bind(signed(channel.get()))
        .bind(now.as_millis())
        .fetch_all(&self.readers)
        .await?;
        rows.iter()
            .map(|row| {
                let scope: &str = row.try_get("scope")?;
                let channel: i64 = row.try_get("channel")?;
                let sealed = SealedRow {
                    table: "note",
                    scope,
                    name: &note_name(channel, row.try_get("id")?),
                };
                Ok(Note {
                    scope: read_scope(scope)?,
                    channel: ChannelId::new(channel.cast_unsigned()),
                    persona: PersonaId::new(row.try_get("persona")?),
                    people: read_people(row)?,
                    text: self.unseal(row, sealed)?,
                    at: Timestamp::from_millis(row.try_get("at")?),
                    expires_at: Timestamp::from_millis(row.try_get("expires_at")?),
                })
            })
            .collect()
    }

    async fn replace_notes(&self, summary: &Note) -> Result<(), JournalError> {
        if summary.text.chars().count() > NOTE_CHARS {
            return Err(JournalError::NoteTooLong);
        }
        let mut tx = self.write().await?;
        let first: Option<i64> = sqlx::query_scalar(
            "SELECT min(id) FROM note
             WHERE scope = ?1 AND channel = ?2 AND at <= ?3 AND persona = ?4",
        )
        .bind(summary.scope.to_string())
        .bind(signed(summary.channel.get()))
        .bind(summary.at.as_millis())
        .bind(summary.persona.get())
        .fetch_one(&mut *tx)
        .await?;
        // Nothing to sum up: it was forgotten meanwhile, and so is the summary.
        let Some(first) = first else {
            return Ok(tx.rollback().await?);
        };
        sqlx::query(
            "DELETE FROM note WHERE scope = ?1 AND channel = ?2 AND at <= ?3 AND persona = ?4",
        )
        .bind(summary.scope.to_string())
        .bind(signed(summary.channel.get()))
        .bind(summary.at.as_millis())
        .bind(summary.persona.get())
        .execute(&mut *tx)
        .await?;
        self.insert_note(&mut tx, summary, first).await?;
        Ok(tx.commit().await?)
    }

    async fn write_reset(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        sqlx::query("DELETE FROM note WHERE scope = ?1 AND channel = ?2")
            .bind(scope.to_string())
            .bind(signed(channel.get()))
            .execute(&mut *tx)
            .await?;
        sqlx::query(
            "INSERT INTO context_reset (scope, channel, message, at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (scope, channel) DO UPDATE SET
                 message = max(message, excluded.message), at = excluded.at",
        )
        .bind(scope.to_string())
        .bind(signed(channel.get()))
        .bind(signed(message.get()))
        .bind(at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_reset(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Result<Option<MessageId>, JournalError> {
        let row =
            sqlx::query("SELECT message FROM context_reset WHERE scope = ?1 AND channel = ?2")
                .bind(scope.to_string())
                .bind(signed(channel.get()))
                .fetch_optional(&self.readers)
                .await?;
        let message = row.map(|row| id(&row, "message")).transpose()?;
        Ok(message.map(MessageId::new))
    }

    /// The text of a row's body.
    pub(super) fn unseal(
        &self,
        row: &SqliteRow,
        place: SealedRow<'_>,
    ) -> Result<String, JournalError> {
        let sealed = Sealed {
            key: row.try_get("key")?,
            body: row.try_get("body")?,
        };
        let body = self.keys().open(place, &sealed)?;
        String::from_utf8(body).map_err(|_| SealError::DoesNotOpen.into())
    }
}

/// What the body of a fact is bound to: its number, and who may hear of it.
pub(super) fn fact_name(number: u32, audience: Option<i64>) -> String {
    match audience {
        Some(channel) => format!("{number}/{channel}"),
        None => format!("{number}/-"),
    }
}

fn note_name(channel: i64, number: i64) -> String {
    format!("{channel}/{number}")
}

/// A number by chance, small enough that a thousand of them add up.
fn mark() -> Result<u32, SealError> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|_| SealError::NoRandomness)?;
    Ok(u32::from_le_bytes(bytes))
}

fn optional(row: &SqliteRow, column: &str) -> Result<Option<u64>, sqlx::Error> {
    let value: Option<i64> = row.try_get(column)?;
    Ok(value.map(i64::cast_unsigned))
}

pub(super) fn people_column(people: &[UserId]) -> String {
    let ids: Vec<String> = people.iter().map(UserId::to_string).collect();
    serde_json::to_string(&ids).unwrap_or_default()
}

pub(super) fn read_people(row: &SqliteRow) -> Result<Vec<UserId>, sqlx::Error> {
    let text: &str = row.try_get("people")?;
    let ids: Vec<String> = serde_json::from_str(text).map_err(|_| unreadable("people", text))?;
    ids.iter()
        .map(|id| id.parse().map_err(|_| unreadable("people", text)))
        .collect()
}
