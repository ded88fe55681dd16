//! What is to be done at a certain time.

use std::collections::BTreeMap;

use kaiwa_domain::port::{Pending, Retention, Schedules};
use kaiwa_domain::{
    DataSubject, NewSchedule, SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Schedule, ScheduleId, Scope,
    StoreError, Timestamp, UserId,
};

use super::MemoryStore;
use super::memory::{conflict, scope_of};

#[derive(Default)]
pub(super) struct ScheduleTables {
    rows: Vec<Schedule>,
    /// Which request set what, and when.
    marks: BTreeMap<(Scope, UserId, u64), (ScheduleId, Timestamp)>,
}

impl ScheduleTables {
    fn add(&mut self, new: &NewSchedule) -> Result<ScheduleId, StoreError> {
        if new.text.chars().count() > SCHEDULE_CHARS {
            return conflict("too long");
        }
        let mark = (new.scope, new.user, new.mark);
        if let Some((same, _)) = self.marks.get(&mark) {
            return Ok(*same);
        }
        let here = self.rows.iter().filter(|it| it.set.scope == new.scope);
        let theirs = here.clone().filter(|it| it.set.user == new.user);
        if theirs.count() >= SCHEDULES_PER_PERSON {
            return conflict("too many schedules");
        }
        let last = here.map(|it| it.id.get()).max();
        let id = ScheduleId::new(last.unwrap_or(0) + 1);
        self.rows.push(Schedule {
            id,
            set: new.clone(),
        });
        self.marks.insert(mark, (id, new.created_at));
        Ok(id)
    }

    fn in_order(&self, fits: impl Fn(&Schedule) -> bool) -> Vec<Schedule> {
        let mut found: Vec<Schedule> = self.rows.iter().filter(|it| fits(it)).cloned().collect();
        found.sort_by_key(|it| (it.set.due, it.set.scope.to_string(), it.id));
        found
    }

    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.rows.iter().map(|it| it.set.due).min()
    }

    fn advance(
        &mut self,
        scope: Scope,
        id: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> bool {
        let place = self
            .rows
            .iter()
            .position(|it| it.set.scope == scope && it.id == id && it.set.due == due);
        let Some(place) = place else {
            return false;
        };
        match next {
            Some(next) => self.rows[place].set.due = next,
            None => drop(self.rows.remove(place)),
        }
        true
    }

    pub(super) fn sweep(&mut self, retention: &Retention, now: Timestamp) {
        self.marks
            .retain(|_, (_, at)| now.since(*at) <= retention.turns);
    }

    pub(super) fn erase(&mut self, subject: DataSubject) {
        let here = scope_of(subject);
        let stays =
            |scope: Scope, user: UserId| scope != here && subject != DataSubject::User(user);
        self.rows.retain(|it| stays(it.set.scope, it.set.user));
        self.marks
            .retain(|(scope, user, _), _| stays(*scope, *user));
    }

    pub(super) fn row_counts(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("schedule", self.rows.len()),
            ("schedule_mark", self.marks.len()),
        ]
    }
}

impl Schedules for MemoryStore {
    fn add_schedule<'a>(
        &'a self,
        schedule: &'a NewSchedule,
    ) -> Pending<'a, Result<ScheduleId, StoreError>> {
        self.call(move |state| state.schedules.add(schedule))
    }

    fn schedules(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        let theirs = move |it: &Schedule| it.set.scope == scope && it.set.user == user;
        self.call(move |state| Ok(state.schedules.in_order(theirs)))
    }

    fn remove_schedule(
        &self,
        scope: Scope,
        user: UserId,
        schedule: ScheduleId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| {
            let rows = &mut state.schedules.rows;
            let before = rows.len();
            rows.retain(|it| it.set.scope != scope || it.set.user != user || it.id != schedule);
            Ok(rows.len() < before)
        })
    }

    fn due_schedules(
        &self,
        now: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        self.call(move |state| {
            let mut due = state.schedules.in_order(|it| it.set.due <= now);
            due.truncate(limit.into());
            Ok(due)
        })
    }

    fn next_due(&self) -> Pending<'_, Result<Option<Timestamp>, StoreError>> {
        self.call(|state| Ok(state.schedules.next_due()))
    }

    fn advance_schedule(
        &self,
        scope: Scope,
        schedule: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.schedules.advance(scope, schedule, due, next)))
    }
}
