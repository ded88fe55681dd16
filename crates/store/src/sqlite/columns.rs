//! How the words of the domain are written in columns, and read back.
//!
//! A row that cannot be read back was written by something else: it is
//! reported as [`sqlx::Error::Decode`], never guessed at.

use kaiwa_domain::{
    ChannelId, Effect, EffectState, Ending, MessageId, Notice, PersonaId, Pings, Scope, Timestamp,
    Trigger, Turn, TurnId, TurnState, UserId,
};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};

use super::body;

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

/// The columns of an effect's state.
#[derive(Default)]
pub(super) struct StateColumns {
    pub(super) state: &'static str,
    /// Kept as it was where the state does not tell.
    pub(super) attempt: Option<u32>,
    pub(super) message: Option<i64>,
    pub(super) code: Option<u32>,
}

impl From<EffectState> for StateColumns {
    fn from(state: EffectState) -> Self {
        let bare = |state| Self {
            state,
            ..Self::default()
        };
        match state {
            EffectState::Queued => bare("queued"),
            EffectState::Started { attempt } => Self {
                attempt: Some(attempt),
                ..bare("started")
            },
            EffectState::Done { message } => Self {
                message: message.map(|id| signed(id.get())),
                ..bare("done")
            },
            EffectState::Refused { code } => Self {
                code: Some(code),
                ..bare("refused")
            },
            EffectState::Unknown => bare("unknown"),
            EffectState::Expired => bare("expired"),
        }
    }
}

/// A row of `turn`.
pub(super) struct TurnRow {
    pub(super) turn: Turn,
    pub(super) text: Option<String>,
}

impl FromRow<'_, SqliteRow> for TurnRow {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let state = match row.try_get("state")? {
            "admitted" => TurnState::Admitted,
            "thinking" => TurnState::Thinking {
                attempt: row.try_get("attempt")?,
            },
            "speaking" => TurnState::Speaking,
            "settling" => TurnState::Settling,
            "ended" => TurnState::Ended(ending(row)?),
            other => return Err(unreadable("state", other)),
        };
        let turn = Turn {
            id: turn_id(row)?,
            scope: scope(row.try_get("scope")?)?,
            channel: ChannelId::new(id(row, "channel")?),
            asker: UserId::new(id(row, "asker")?),
            persona: PersonaId::new(row.try_get("persona")?),
            state,
            admitted_at: Timestamp::from_millis(row.try_get("admitted_at")?),
        };
        Ok(Self {
            turn,
            text: row.try_get("text")?,
        })
    }
}

/// A row of `effect`.
pub(super) struct EffectRow(pub(super) Effect);

impl FromRow<'_, SqliteRow> for EffectRow {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let state = match row.try_get("state")? {
            "queued" => EffectState::Queued,
            "started" => EffectState::Started {
                attempt: row.try_get("attempt")?,
            },
            "done" => {
                let message: Option<i64> = row.try_get("message")?;
                EffectState::Done {
                    message: message.map(|id| MessageId::new(id.cast_unsigned())),
                }
            }
            "refused" => EffectState::Refused {
                code: row.try_get("code")?,
            },
            "unknown" => EffectState::Unknown,
            "expired" => EffectState::Expired,
            other => return Err(unreadable("state", other)),
        };
        let (kind, version) = (row.try_get("kind")?, row.try_get("version")?);
        let body = body::read(kind, version, row.try_get("body")?)
            .ok_or_else(|| unreadable("body", &format!("{kind} in version {version}")))?;
        let identity: Option<&str> = row.try_get("identity")?;
        let identity = identity.map(|text| {
            body::read_identity(text).ok_or_else(|| unreadable("identity", "of an effect"))
        });
        Ok(Self(Effect {
            turn: turn_id(row)?,
            index: row.try_get("idx")?,
            scope: scope(row.try_get("scope")?)?,
            channel: ChannelId::new(id(row, "channel")?),
            persona: PersonaId::new(row.try_get("persona")?),
            identity: identity.transpose()?,
            body,
            state,
            queued_at: Timestamp::from_millis(row.try_get("queued_at")?),
            pings: Pings::default(),
        }))
    }
}

pub(super) fn scope(text: &str) -> Result<Scope, sqlx::Error> {
    text.parse().map_err(|_| unreadable("scope", text))
}

pub(super) fn turn_id(row: &SqliteRow) -> Result<TurnId, sqlx::Error> {
    let kind = row.try_get("trigger_kind")?;
    let trigger = Trigger::new(kind, id(row, "trigger")?);
    Ok(TurnId {
        trigger: trigger.ok_or_else(|| unreadable("trigger_kind", kind))?,
        take: row.try_get("take")?,
    })
}

pub(super) fn id(row: &SqliteRow, column: &str) -> Result<u64, sqlx::Error> {
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

pub(super) fn unreadable(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("column {column} holds {value:?}, which has no meaning").into())
}
