//! What is to be done at a certain time.

use kaiwa_domain::port::{Pending, Schedules};
use kaiwa_domain::{
    DataSubject, NewSchedule, SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Schedule, ScheduleId, Scope,
    StoreError, Timestamp, UserId,
};

use super::memory::{conflict, scope_of};
use super::{MemoryStore, State};

impl State {
    fn add_schedule(&mut self, new: &NewSchedule) -> Result<ScheduleId, StoreError> {
        if new.text.chars().count() > SCHEDULE_CHARS {
            return conflict("too long");
        }
        let here = |it: &&Schedule| it.set.scope == new.scope;
        let theirs = self
            .schedules
            .iter()
            .filter(|it| here(it) && it.set.user == new.user);
        if let Some(same) = theirs.clone().find(|it| it.set.mark == new.mark) {
            return Ok(same.id);
        }
        if theirs.count() >= SCHEDULES_PER_PERSON {
            return conflict("too many schedules");
        }
        let last = self
            .schedules
            .iter()
            .filter(here)
            .map(|it| it.id.get())
            .max();
        let id = ScheduleId::new(last.unwrap_or(0) + 1);
        self.schedules.push(Schedule {
            id,
            set: new.clone(),
        });
        Ok(id)
    }

    fn in_order(&self, fits: impl Fn(&Schedule) -> bool) -> Vec<Schedule> {
        let mut found: Vec<Schedule> = self
            .schedules
            .iter()
            .filter(|it| fits(it))
            .cloned()
            .collect();
        found.sort_by_key(|it| (it.set.due, it.set.scope.to_string(), it.id));
        found
    }

    fn advance_schedule(
        &mut self,
        scope: Scope,
        id: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> bool {
        let place = self
            .schedules
            .iter()
            .position(|it| it.set.scope == scope && it.id == id && it.set.due == due);
        let Some(place) = place else {
            return false;
        };
        match next {
            Some(next) => self.schedules[place].set.due = next,
            None => drop(self.schedules.remove(place)),
        }
        true
    }

    pub(super) fn erase_schedules(&mut self, subject: DataSubject) {
        let scope = scope_of(subject);
        self.schedules
            .retain(|it| it.set.scope != scope && subject != DataSubject::User(it.set.user));
    }
}

impl Schedules for MemoryStore {
    fn add_schedule<'a>(
        &'a self,
        schedule: &'a NewSchedule,
    ) -> Pending<'a, Result<ScheduleId, StoreError>> {
        self.call(move |state| state.add_schedule(schedule))
    }

    fn schedules(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        self.call(
            move |state| Ok(state.in_order(|it| it.set.scope == scope && it.set.user == user)),
        )
    }

    fn remove_schedule(
        &self,
        scope: Scope,
        user: UserId,
        schedule: ScheduleId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| {
            let before = state.schedules.len();
            state
                .schedules
                .retain(|it| it.set.scope != scope || it.set.user != user || it.id != schedule);
            Ok(state.schedules.len() < before)
        })
    }

    fn due_schedules(
        &self,
        now: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        self.call(move |state| {
            let mut due = state.in_order(|it| it.set.due <= now);
            due.truncate(limit.into());
            Ok(due)
        })
    }

    fn next_due(&self) -> Pending<'_, Result<Option<Timestamp>, StoreError>> {
        self.call(|state| Ok(state.schedules.iter().map(|it| it.set.due).min()))
    }

    fn advance_schedule(
        &self,
        scope: Scope,
        schedule: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.advance_schedule(scope, schedule, due, next)))
    }
}
