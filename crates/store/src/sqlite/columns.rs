//! How the words of the domain are written in columns, and read back.
//!
//! A row that cannot be read back was written by something else: it is
//! reported as [`sqlx::Error::Decode`], never guessed at.

use kaiwa_domain::{
    ChannelId, Ending, File, MessageId, Notice, Outgoing, Post, PostState, Scope, Table, Timestamp,
    Turn, TurnId, TurnState, UserId,
};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};

/// Discord's ids are unsigned, SQLite's integers signed: the bits are kept.
pub(super) const fn signed(id: u64) -> i64 {
    id.cast_signed()
}

/// The columns of an ending: its word, and the notice of a failure.
pub(super) const fn ending_columns(ending: Ending) -> (&'static str, Option<&'static str>) {
    match ending {
        Ending::Done => ("done", None),
        Ending::Stopped => ("stopped", None),
        Ending::Failed(notice) => ("failed", Some(notice.name())),
        Ending::Stale => ("stale", None),
    }
}

/// The columns of an outgoing: its kind and its body.
pub(super) fn outgoing_columns(outgoing: &Outgoing) -> (&'static str, &str) {
    match outgoing {
        Outgoing::Say(text) => ("say", text),
        Outgoing::Table(table) => ("table", table.source()),
        Outgoing::File(file) => ("file", file.source()),
    }
}

/// The columns of a post's state.
pub(super) struct PostColumns {
    pub(super) state: &'static str,
    /// Kept as it was where the state does not tell.
    pub(super) attempt: Option<u32>,
    pub(super) sent_message_id: Option<i64>,
    pub(super) code: Option<u32>,
}

impl From<PostState> for PostColumns {
    fn from(state: PostState) -> Self {
        let bare = |state| Self {
            state,
            attempt: None,
            sent_message_id: None,
            code: None,
        };
        match state {
            PostState::Queued => bare("queued"),
            PostState::Started { attempt } => Self {
                attempt: Some(attempt),
                ..bare("started")
            },
            PostState::Sent(message) => Self {
                sent_message_id: Some(signed(message.get())),
                ..bare("sent")
            },
            PostState::Refused { code } => Self {
                code: Some(code),
                ..bare("refused")
            },
            PostState::Unknown => bare("unknown"),
            PostState::Abandoned => bare("abandoned"),
        }
    }
}

/// A row of `turn`.
pub(super) struct TurnRow(pub(super) Turn);

impl FromRow<'_, SqliteRow> for TurnRow {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let state = match row.try_get("state")? {
            "admitted" => TurnState::Admitted,
            "thinking" => TurnState::Thinking {
                attempt: row.try_get("attempt")?,
            },
            "speaking" => TurnState::Speaking,
            "ended" => TurnState::Ended(ending(row)?),
            other => return Err(unreadable("state", other)),
        };
        Ok(Self(Turn {
            id: turn_id(row)?,
            scope: scope(row.try_get("scope")?)?,
            channel: ChannelId::new(id(row, "channel")?),
            asker: UserId::new(id(row, "asker")?),
            state,
            admitted_at: Timestamp::from_millis(row.try_get("admitted_at")?),
        }))
    }
}

/// A row of `outbox`.
pub(super) struct PostRow(pub(super) Post);

impl FromRow<'_, SqliteRow> for PostRow {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let state = match row.try_get("state")? {
            "queued" => PostState::Queued,
            "started" => PostState::Started {
                attempt: row.try_get("attempt")?,
            },
            "sent" => PostState::Sent(MessageId::new(id(row, "sent_message_id")?)),
            "refused" => PostState::Refused {
                code: row.try_get("code")?,
            },
            "unknown" => PostState::Unknown,
            "abandoned" => PostState::Abandoned,
            other => return Err(unreadable("state", other)),
        };
        let outgoing = match row.try_get("kind")? {
            "say" => Outgoing::Say(row.try_get("body")?),
            "table" => {
                let source = row.try_get("body")?;
                let table = Table::parse(source).ok_or_else(|| unreadable("body", source))?;
                Outgoing::Table(table)
            }
            "file" => {
                let source = row.try_get("body")?;
                let file = File::parse(source).ok_or_else(|| unreadable("body", source))?;
                Outgoing::File(file)
            }
            other => return Err(unreadable("kind", other)),
        };
        let reply_to: Option<i64> = row.try_get("reply_to")?;
        Ok(Self(Post {
            turn: turn_id(row)?,
            index: row.try_get("idx")?,
            scope: scope(row.try_get("scope")?)?,
            channel: ChannelId::new(id(row, "channel")?),
            reply_to: reply_to.map(|id| MessageId::new(id.cast_unsigned())),
            outgoing,
            state,
            queued_at: Timestamp::from_millis(row.try_get("queued_at")?),
        }))
    }
}

pub(super) fn scope(text: &str) -> Result<Scope, sqlx::Error> {
    text.parse().map_err(|_| unreadable("scope", text))
}

fn turn_id(row: &SqliteRow) -> Result<TurnId, sqlx::Error> {
    Ok(TurnId {
        trigger: MessageId::new(id(row, "trigger")?),
        take: row.try_get("take")?,
    })
}

fn id(row: &SqliteRow, column: &str) -> Result<u64, sqlx::Error> {
    Ok(row.try_get::<i64, _>(column)?.cast_unsigned())
}

fn ending(row: &SqliteRow) -> Result<Ending, sqlx::Error> {
    match row.try_get("ending")? {
        "done" => Ok(Ending::Done),
        "stopped" => Ok(Ending::Stopped),
        "failed" => {
            let name = row.try_get("notice")?;
            Notice::from_name(name)
                .map(Ending::Failed)
                .ok_or_else(|| unreadable("notice", name))
        }
        "stale" => Ok(Ending::Stale),
        other => Err(unreadable("ending", other)),
    }
}

fn unreadable(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("column {column} holds {value:?}, which has no meaning").into())
}
