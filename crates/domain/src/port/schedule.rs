//! What is to be done at a certain time.

use super::Pending;
use crate::{NewSchedule, Schedule, ScheduleId, Scope, StoreError, Timestamp, UserId};

/// What is to be done, until it is. The words are for nobody but the scope, and
/// never on disk as they are.
pub trait Schedules: Send + Sync {
    /// Sets something. Setting the same twice, by its
    /// [mark](NewSchedule::mark), changes nothing, also when the first is over
    /// by then. Words longer than
    /// [`SCHEDULE_CHARS`](crate::SCHEDULE_CHARS), or one more than
    /// [`SCHEDULES_PER_PERSON`](crate::SCHEDULES_PER_PERSON), are a
    /// [`Conflict`](StoreError::Conflict).
    fn add_schedule<'a>(
        &'a self,
        schedule: &'a NewSchedule,
    ) -> Pending<'a, Result<ScheduleId, StoreError>>;

    /// What somebody has set in a scope, the next first.
    fn schedules(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>>;

    /// Takes back what somebody has set. False if there was no such thing.
    fn remove_schedule(
        &self,
        scope: Scope,
        user: UserId,
        schedule: ScheduleId,
    ) -> Pending<'_, Result<bool, StoreError>>;

    /// What is due by now, the oldest first. For the scheduler: it looks in
    /// every scope.
    fn due_schedules(
        &self,
        now: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>>;

    /// When the next is due, in any scope.
    fn next_due(&self) -> Pending<'_, Result<Option<Timestamp>, StoreError>>;

    /// What was due is dealt with: it is due next at another moment, or never
    /// again. False if it was not due then: somebody took it back, or it was
    /// dealt with before.
    fn advance_schedule(
        &self,
        scope: Scope,
        schedule: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> Pending<'_, Result<bool, StoreError>>;
}
