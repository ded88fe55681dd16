//! What is to be done at a certain time. The words are sealed.

use kaiwa_domain::port::{Pending, Schedules};
use kaiwa_domain::{
    ChannelId, NewSchedule, Recurrence, SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Schedule, ScheduleId,
    Scope, StoreError, TaskKind, Timestamp, UserId,
};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::Sqlite;
use super::columns::{id, scope as read_scope, signed, unreadable};
use super::journal::JournalError;
use super::keys::SealedRow;

impl Schedules for Sqlite {
    fn add_schedule<'a>(
        &'a self,
        schedule: &'a NewSchedule,
    ) -> Pending<'a, Result<ScheduleId, StoreError>> {
        Box::pin(async move { Ok(self.write_schedule(schedule).await?) })
    }

    fn schedules(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        Box::pin(async move { Ok(self.read_schedules(scope, user).await?) })
    }

    fn remove_schedule(
        &self,
        scope: Scope,
        user: UserId,
        schedule: ScheduleId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.delete_schedule(scope, user, schedule).await?) })
    }

    fn due_schedules(
        &self,
        now: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        Box::pin(async move { Ok(self.read_due(now, limit).await?) })
    }

    fn next_due(&self) -> Pending<'_, Result<Option<Timestamp>, StoreError>> {
        Box::pin(async move { Ok(self.read_next_due().await?) })
    }

    fn advance_schedule(
        &self,
        scope: Scope,
        schedule: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.move_schedule(scope, schedule, due, next).await?) })
    }
}

impl Sqlite {
    async fn write_schedule(&self, schedule: &NewSchedule) -> Result<ScheduleId, JournalError> {
        if schedule.text.chars().count() > SCHEDULE_CHARS {
            return Err(JournalError::ScheduleTooLong);
        }
        let mut tx = self.write().await?;
        match self.schedule_within(&mut tx, schedule).await {
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

    async fn schedule_within(
        &self,
        tx: &mut SqliteConnection,
        schedule: &NewSchedule,
    ) -> Result<ScheduleId, JournalError> {
        let scope = schedule.scope.to_string();
        let user = signed(schedule.user.get());
        let mark = signed(schedule.mark);
        let known = sqlx::query(
            "SELECT ifnull(max(id), 0) + 1 AS next,
                    count(*) FILTER (WHERE user = ?2) AS theirs,
                    (SELECT schedule FROM schedule_mark
                     WHERE scope = ?1 AND user = ?2 AND mark = ?3) AS same
             FROM schedule WHERE scope = ?1",
        )
        .bind(&scope)
        .bind(user)
        .bind(mark)
        .fetch_one(&mut *tx)
        .await?;
        if let Some(same) = known.try_get::<Option<u32>, _>("same")? {
            return Ok(ScheduleId::new(same));
        }
        if known.try_get::<i64, _>("theirs")?.unsigned_abs() >= SCHEDULES_PER_PERSON as u64 {
            return Err(JournalError::TooManySchedules);
        }
        let number: u32 = known.try_get("next")?;
        let name = number.to_string();
        let sealed = self
            .keys()
            .seal(sealed_row(&scope, &name), schedule.text.as_bytes())?;
        sqlx::query(
            "INSERT INTO schedule (scope, id, user, channel, kind, key, body, due, recurrence,
                                   zone, mark, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )
        .bind(&scope)
        .bind(number)
        .bind(user)
        .bind(signed(schedule.channel.get()))
        .bind(schedule.kind.name())
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(schedule.due.as_millis())
        .bind(schedule.recurrence.map(|it| it.to_string()))
        .bind(&schedule.zone)
        .bind(mark)
        .bind(schedule.created_at.as_millis())
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO schedule_mark (scope, user, mark, schedule, at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .bind(&scope)
        .bind(user)
        .bind(mark)
        .bind(number)
        .bind(schedule.created_at.as_millis())
        .execute(&mut *tx)
        .await?;
        Ok(ScheduleId::new(number))
    }

    async fn read_schedules(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Result<Vec<Schedule>, JournalError> {
        let rows =
            sqlx::query("SELECT * FROM schedule WHERE scope = ?1 AND user = ?2 ORDER BY due, id")
                .bind(scope.to_string())
                .bind(signed(user.get()))
                .fetch_all(&self.readers)
                .await?;
        rows.iter().map(|row| self.schedule(row)).collect()
    }

    async fn read_due(&self, now: Timestamp, limit: u16) -> Result<Vec<Schedule>, JournalError> {
        let rows =
            sqlx::query("SELECT * FROM schedule WHERE due <= ?1 ORDER BY due, scope, id LIMIT ?2")
                .bind(now.as_millis())
                .bind(limit)
                .fetch_all(&self.readers)
                .await?;
        rows.iter().map(|row| self.schedule(row)).collect()
    }

    async fn read_next_due(&self) -> Result<Option<Timestamp>, JournalError> {
        let due: Option<i64> = sqlx::query_scalar("SELECT min(due) FROM schedule")
            .fetch_one(&self.readers)
            .await?;
        Ok(due.map(Timestamp::from_millis))
    }

    fn schedule(&self, row: &SqliteRow) -> Result<Schedule, JournalError> {
        let scope: &str = row.try_get("scope")?;
        let number: u32 = row.try_get("id")?;
        let kind: &str = row.try_get("kind")?;
        let recurrence: Option<&str> = row.try_get("recurrence")?;
        let recurrence: Option<Recurrence> = recurrence
            .map(|text| text.parse().map_err(|_| unreadable("recurrence", text)))
            .transpose()?;
        Ok(Schedule {
            id: ScheduleId::new(number),
            set: NewSchedule {
                scope: read_scope(scope)?,
                channel: ChannelId::new(id(row, "channel")?),
                user: UserId::new(id(row, "user")?),
                kind: TaskKind::from_name(kind).ok_or_else(|| unreadable("kind", kind))?,
                text: self.unseal(row, sealed_row(scope, &number.to_string()))?,
                due: Timestamp::from_millis(row.try_get("due")?),
                recurrence,
                zone: row.try_get("zone")?,
                mark: id(row, "mark")?,
                created_at: Timestamp::from_millis(row.try_get("created_at")?),
            },
        })
    }

    async fn delete_schedule(
        &self,
        scope: Scope,
        user: UserId,
        schedule: ScheduleId,
    ) -> Result<bool, JournalError> {
        let mut tx = self.write().await?;
        let deleted =
            sqlx::query("DELETE FROM schedule WHERE scope = ?1 AND user = ?2 AND id = ?3")
                .bind(scope.to_string())
                .bind(signed(user.get()))
                .bind(schedule.get())
                .execute(&mut *tx)
                .await?
                .rows_affected();
        tx.commit().await?;
        Ok(deleted > 0)
    }

    async fn move_schedule(
        &self,
        scope: Scope,
        schedule: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> Result<bool, JournalError> {
        let mut tx = self.write().await?;
        let moved = match next {
            Some(next) => {
                sqlx::query(
                    "UPDATE schedule SET due = ?4 WHERE scope = ?1 AND id = ?2 AND due = ?3",
                )
                .bind(scope.to_string())
                .bind(schedule.get())
                .bind(due.as_millis())
                .bind(next.as_millis())
                .execute(&mut *tx)
                .await?
            }
            None => {
                sqlx::query("DELETE FROM schedule WHERE scope = ?1 AND id = ?2 AND due = ?3")
                    .bind(scope.to_string())
                    .bind(schedule.get())
                    .bind(due.as_millis())
                    .execute(&mut *tx)
                    .await?
            }
        };
        tx.commit().await?;
        Ok(moved.rows_affected() > 0)
    }
}

const fn sealed_row<'a>(scope: &'a str, number: &'a str) -> SealedRow<'a> {
    SealedRow {
        table: "schedule",
        scope,
        name: number,
    }
}
