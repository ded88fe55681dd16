//! The two journals: inbox and turns, outbox.

use std::collections::HashMap;

use kaiwa_domain::port::{Admission, OpenTurn, Pending, Store};
use kaiwa_domain::{Ending, Post, PostState, Scope, StoreError, Turn, TurnId};
use sqlx::Row;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection};

use super::Sqlite;
use super::columns::{
    PostColumns, PostRow, TurnRow, ending_columns, outgoing_columns, scope as read_scope, signed,
};
use crate::failure::store_error;

impl Store for Sqlite {
    fn admit<'a>(&'a self, turn: &'a Turn) -> Pending<'a, Result<Admission, StoreError>> {
        Box::pin(async move { Ok(self.admit_turn(turn).await?) })
    }

    fn think(&self, scope: Scope, turn: TurnId) -> Pending<'_, Result<u32, StoreError>> {
        Box::pin(async move { Ok(self.think_turn(scope, turn).await?) })
    }

    fn queue<'a>(&'a self, post: &'a Post) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.queue_post(post).await?) })
    }

    fn mark(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u32,
        state: PostState,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.mark_post(scope, turn, index, state).await?) })
    }

    fn end(
        &self,
        scope: Scope,
        turn: TurnId,
        ending: Ending,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move { Ok(self.end_turn(scope, turn, ending).await?) })
    }

    fn open_scopes(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        Box::pin(async move { Ok(self.scopes_with_open_turns().await?) })
    }

    fn open_turns(&self, scope: Scope) -> Pending<'_, Result<Vec<OpenTurn>, StoreError>> {
        Box::pin(async move { Ok(self.turns_not_ended(scope).await?) })
    }
}

impl Sqlite {
    /// The turn names the admission, so a second take of a message is new.
    async fn admit_turn(&self, turn: &Turn) -> Result<Admission, JournalError> {
        let mut tx = self.write().await?;
        let inserted = of_turn(
            "INSERT INTO turn (scope, trigger, take, channel, asker, state, admitted_at)
             VALUES (?1, ?2, ?3, ?4, ?5, 'admitted', ?6) ON CONFLICT DO NOTHING",
            turn.scope,
            turn.id,
        )
        .bind(signed(turn.channel.get()))
        .bind(signed(turn.asker.get()))
        .bind(turn.admitted_at.as_millis())
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if inserted == 0 {
            return Ok(Admission::Duplicate);
        }
        sqlx::query(
            "INSERT INTO inbox (scope, message_id, channel_id, author_id, received_at, turn)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        )
        .bind(turn.scope.to_string())
        .bind(signed(turn.id.trigger.get()))
        .bind(signed(turn.channel.get()))
        .bind(signed(turn.asker.get()))
        .bind(turn.admitted_at.as_millis())
        .bind(turn.id.to_string())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Admission::New)
    }

    async fn think_turn(&self, scope: Scope, turn: TurnId) -> Result<u32, JournalError> {
        let mut tx = self.write().await?;
        let attempt = of_turn(
            "UPDATE turn SET state = 'thinking', attempt = attempt + 1,
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger = ?2 AND take = ?3 AND state IN ('admitted', 'thinking')
             RETURNING attempt",
            scope,
            turn,
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = attempt else {
            return Err(match turn_state(&mut tx, scope, turn).await?.as_str() {
                "speaking" => JournalError::SpokeAlready(turn),
                _ => JournalError::TurnOver(turn),
            });
        };
        let attempt = row.try_get("attempt")?;
        tx.commit().await?;
        Ok(attempt)
    }

    async fn queue_post(&self, post: &Post) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        if let Some(queued) = post_at(&mut tx, post.scope, post.turn, post.index).await? {
            let same = queued.channel == post.channel
                && queued.reply_to == post.reply_to
                && queued.outgoing == post.outgoing;
            return if same {
                Ok(())
            } else {
                Err(JournalError::PlaceTaken(post.turn, post.index))
            };
        }
        if turn_state(&mut tx, post.scope, post.turn).await? == "ended" {
            return Err(JournalError::TurnOver(post.turn));
        }
        let (kind, body) = outgoing_columns(&post.outgoing);
        of_turn(
            "INSERT INTO outbox
             (scope, trigger, take, idx, channel, reply_to, kind, body, state, queued_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'queued', ?9)",
            post.scope,
            post.turn,
        )
        .bind(post.index)
        .bind(signed(post.channel.get()))
        .bind(post.reply_to.map(|id| signed(id.get())))
        .bind(kind)
        .bind(body.to_owned())
        .bind(post.queued_at.as_millis())
        .execute(&mut *tx)
        .await?;
        of_turn(
            "UPDATE turn SET state = 'speaking',
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger = ?2 AND take = ?3",
            post.scope,
            post.turn,
        )
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    /// A post that was sent stays sent, and one that was refused or abandoned
    /// only gives way to the news that it was sent after all: a late mark of a
    /// race between stopping and sending changes nothing.
    async fn mark_post(
        &self,
        scope: Scope,
        turn: TurnId,
        index: u32,
        state: PostState,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        let columns = PostColumns::from(state);
        let updated = of_turn(
            "UPDATE outbox SET state = ?5, attempt = coalesce(?6, attempt),
                    sent_message_id = ?7, code = ?8,
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger = ?2 AND take = ?3 AND idx = ?4
               AND (state IN ('queued', 'started', 'unknown') OR (state <> 'sent' AND ?5 = 'sent'))",
            scope,
            turn,
        )
        .bind(index)
        .bind(columns.state)
        .bind(columns.attempt)
        .bind(columns.sent_message_id)
        .bind(columns.code)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if updated == 0 && post_at(&mut tx, scope, turn, index).await?.is_none() {
            return Err(JournalError::NoSuchPost(turn, index));
        }
        Ok(tx.commit().await?)
    }

    async fn end_turn(
        &self,
        scope: Scope,
        turn: TurnId,
        ending: Ending,
    ) -> Result<(), JournalError> {
        let mut tx = self.write().await?;
        let (word, notice) = ending_columns(ending);
        let updated = of_turn(
            "UPDATE turn SET state = 'ended', ending = ?4, notice = ?5,
                    updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
             WHERE scope = ?1 AND trigger = ?2 AND take = ?3 AND state <> 'ended'",
            scope,
            turn,
        )
        .bind(word)
        .bind(notice)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        if updated == 0 {
            // Only to tell a turn that ended before from one that never was.
            turn_state(&mut tx, scope, turn).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn scopes_with_open_turns(&self) -> Result<Vec<Scope>, JournalError> {
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT scope FROM turn WHERE state <> 'ended' ORDER BY scope",
        )
        .fetch_all(&self.readers)
        .await?;
        let scopes: Result<Vec<Scope>, sqlx::Error> =
            names.iter().map(|name| read_scope(name)).collect();
        Ok(scopes?)
    }

    async fn turns_not_ended(&self, scope: Scope) -> Result<Vec<OpenTurn>, JournalError> {
        // One transaction, so that turns and posts are of the same moment.
        let mut tx = self.readers.begin().await?;
        let turns: Vec<TurnRow> = sqlx::query_as(
            "SELECT * FROM turn WHERE scope = ?1 AND state <> 'ended'
             ORDER BY admitted_at, trigger, take",
        )
        .bind(scope.to_string())
        .fetch_all(&mut *tx)
        .await?;
        let posts: Vec<PostRow> = sqlx::query_as(
            "SELECT outbox.* FROM turn JOIN outbox USING (scope, trigger, take)
             WHERE turn.scope = ?1 AND turn.state <> 'ended' ORDER BY idx",
        )
        .bind(scope.to_string())
        .fetch_all(&mut *tx)
        .await?;

        let mut posts_of: HashMap<TurnId, Vec<Post>> = HashMap::new();
        for PostRow(post) in posts {
            posts_of.entry(post.turn).or_default().push(post);
        }
        Ok(turns
            .into_iter()
            .map(|TurnRow(turn)| OpenTurn {
                posts: posts_of.remove(&turn.id).unwrap_or_default(),
                turn,
            })
            .collect())
    }
}

/// A statement whose first three parameters name a turn.
fn of_turn(
    sql: &'static str,
    scope: Scope,
    turn: TurnId,
) -> Query<'static, sqlx::Sqlite, SqliteArguments> {
    sqlx::query(sql)
        .bind(scope.to_string())
        .bind(signed(turn.trigger.get()))
        .bind(turn.take)
}

async fn turn_state(
    connection: &mut SqliteConnection,
    scope: Scope,
    turn: TurnId,
) -> Result<String, JournalError> {
    sqlx::query_scalar("SELECT state FROM turn WHERE scope = ?1 AND trigger = ?2 AND take = ?3")
        .bind(scope.to_string())
        .bind(signed(turn.trigger.get()))
        .bind(turn.take)
        .fetch_optional(connection)
        .await?
        .ok_or(JournalError::NoSuchTurn(turn))
}

async fn post_at(
    connection: &mut SqliteConnection,
    scope: Scope,
    turn: TurnId,
    index: u32,
) -> Result<Option<Post>, sqlx::Error> {
    let row: Option<PostRow> = sqlx::query_as(
        "SELECT * FROM outbox WHERE scope = ?1 AND trigger = ?2 AND take = ?3 AND idx = ?4",
    )
    .bind(scope.to_string())
    .bind(signed(turn.trigger.get()))
    .bind(turn.take)
    .bind(index)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|PostRow(post)| post))
}

/// Why a call on the journal was not obeyed. All but the first are mistakes of
/// the caller, refused before they reach the file.
#[derive(Debug, thiserror::Error)]
enum JournalError {
    #[error(transparent)]
    Engine(#[from] sqlx::Error),
    #[error("there is no turn {0} in this scope")]
    NoSuchTurn(TurnId),
    #[error("there is no post {1} of turn {0} in this scope")]
    NoSuchPost(TurnId, u32),
    #[error("turn {0} has posts already and is never run again")]
    SpokeAlready(TurnId),
    #[error("turn {0} has ended")]
    TurnOver(TurnId),
    #[error("post {1} of turn {0} was queued before with other content")]
    PlaceTaken(TurnId, u32),
}

impl From<JournalError> for StoreError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Engine(error) => store_error(&error),
            other => Self {
                reason: other.to_string(),
            },
        }
    }
}
