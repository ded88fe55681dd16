//! What is due, found in time and dealt with once.
//!
//! ```text
//! the next is due → the gate, a row for the turn → the schedule moves on → said, as an effect
//! ```
//!
//! The turn is named after the schedule and the moment it was due. A process
//! that dies before the schedule moves on finds it due again, and the turn that
//! was admitted before; so nothing is said twice, and nothing is forgotten.
//! What came due while nobody ran is told once, with how late it is.

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use kaiwa_domain::port::{Clock, Pending, Progress, Schedules};
use kaiwa_domain::{
    Ending, NewSchedule, Notice, Outgoing, Recurrence, Rights, Schedule, ScheduleId, ScheduledTask,
    Scope, StoreError, TaskKind, Timestamp, Turn, UserId,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use tokio::sync::Notify;

use crate::Bot;
use crate::outbox::{effect, say};
use crate::send::{Sender, Sent};
use crate::signals::Signals;
use crate::turn::end;

/// How many are taken at a time.
const AT_ONCE: u16 = 16;

/// How long nothing is looked at: clocks are put right.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How long to leave what could not be dealt with.
const PAUSE: Duration = Duration::from_secs(5);

/// What is told so long after it was due is late.
const LATE: Duration = Duration::from_secs(120);

/// What is so late is not answered any more, but told.
const TOO_LATE_TO_ANSWER: Duration = Duration::from_secs(300);

/// How long a reminder may wait for Discord.
pub(crate) const REMINDED_WITHIN: Duration = Duration::from_secs(24 * 3600);

/// The most missed occurrences that are skipped one by one.
const MOST_MISSED: usize = 100_000;

/// What is to be done at a certain time, and a bell that rings when that
/// changes. Clones share both.
#[derive(Clone)]
pub struct Scheduler {
    schedules: Arc<dyn Schedules>,
    clock: Arc<dyn Clock>,
    changed: Arc<Notify>,
}

impl Scheduler {
    /// With what is kept in `schedules`.
    pub fn new(schedules: Arc<dyn Schedules>, clock: Arc<dyn Clock>) -> Self {
        Self {
            schedules,
            clock,
            changed: Arc::default(),
        }
    }

    /// Waits until something is due. Dropping it forgets nothing.
    pub(crate) async fn due(&self) -> Vec<Schedule> {
        loop {
            let wait = match self.look().await {
                Ok(Ok(due)) => return due,
                Ok(Err(wait)) => wait,
                Err(error) => {
                    tracing::error!(%error, "what is due cannot be read");
                    PAUSE
                }
            };
            tokio::select! {
                () = self.clock.sleep(wait) => {}
                () = self.changed.notified() => {}
            }
        }
    }

    /// What is due, or how long to wait.
    async fn look(&self) -> Result<Result<Vec<Schedule>, Duration>, StoreError> {
        let now = self.clock.now();
        let due = self.schedules.due_schedules(now, AT_ONCE).await?;
        if !due.is_empty() {
            return Ok(Ok(due));
        }
        let next = self.schedules.next_due().await?;
        let wait = next.map_or(LONGEST_WAIT, |next| next.since(now));
        Ok(Err(wait.min(LONGEST_WAIT)))
    }

    /// Leaves alone for a while what could not be dealt with.
    pub(crate) async fn pause(&self) {
        self.clock.sleep(PAUSE).await;
    }
}

impl Schedules for Scheduler {
    fn add_schedule<'a>(
        &'a self,
        schedule: &'a NewSchedule,
    ) -> Pending<'a, Result<ScheduleId, StoreError>> {
        Box::pin(async move {
            let id = self.schedules.add_schedule(schedule).await?;
            self.changed.notify_one();
            Ok(id)
        })
    }

    fn schedules(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        self.schedules.schedules(scope, user)
    }

    fn remove_schedule(
        &self,
        scope: Scope,
        user: UserId,
        schedule: ScheduleId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.schedules.remove_schedule(scope, user, schedule)
    }

    fn due_schedules(
        &self,
        now: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Schedule>, StoreError>> {
        self.schedules.due_schedules(now, limit)
    }

    fn next_due(&self) -> Pending<'_, Result<Option<Timestamp>, StoreError>> {
        self.schedules.next_due()
    }

    fn advance_schedule(
        &self,
        scope: Scope,
        schedule: ScheduleId,
        due: Timestamp,
        next: Option<Timestamp>,
    ) -> Pending<'_, Result<bool, StoreError>> {
        self.schedules.advance_schedule(scope, schedule, due, next)
    }
}

/// What is to be done now about something that is due.
pub(crate) fn task(schedule: &Schedule, now: Timestamp) -> ScheduledTask {
    let set = &schedule.set;
    let too_late = now.since(set.due) > TOO_LATE_TO_ANSWER;
    ScheduledTask {
        schedule: schedule.id.get().into(),
        due: set.due,
        scope: set.scope,
        channel: set.channel,
        asker: set.user,
        kind: match set.kind {
            TaskKind::Answer if too_late => TaskKind::Remind,
            kind => kind,
        },
        text: set.text.clone(),
    }
}

/// When it is due next: the first time after now.
pub(crate) fn next(schedule: &Schedule, now: Timestamp) -> Option<Timestamp> {
    let set = &schedule.set;
    let recurrence = set.recurrence?;
    let zone = TimeZone::get(&set.zone).unwrap_or(TimeZone::UTC);
    let at = |at: Timestamp| jiff::Timestamp::from_millisecond(at.as_millis()).ok();
    let mut next = at(set.due)?.to_zoned(zone);
    let now = at(now)?;
    for _ in 0..MOST_MISSED {
        next = following(&next, recurrence)?;
        if next.timestamp() > now {
            return Some(Timestamp::from_millis(next.timestamp().as_millisecond()));
        }
    }
    None
}

/// The occurrence after one.
fn following(last: &Zoned, recurrence: Recurrence) -> Option<Zoned> {
    let at = |date: Date, minute: u16| {
        let (hour, minute) = (
            i8::try_from(minute / 60).ok()?,
            i8::try_from(minute % 60).ok()?,
        );
        let time = Time::new(hour, minute, 0, 0).ok()?;
        date.to_datetime(time)
            .to_zoned(last.time_zone().clone())
            .ok()
    };
    let on = |days: i64, minute: u16| at(last.date().checked_add(days.days()).ok()?, minute);
    match recurrence {
        Recurrence::Hours(hours) => last.checked_add(i64::from(hours.max(1)).hours()).ok(),
        Recurrence::Days { every, minute } => on(every.max(1).into(), minute),
        Recurrence::Weekdays { days, minute } => (1..=7).find_map(|ahead| {
            let next = on(ahead, minute)?;
            let bit = 1 << next.weekday().to_monday_zero_offset();
            (days & bit != 0).then_some(next)
        }),
        Recurrence::Months { every, day, minute } => {
            let first = last.date().first_of_month();
            let month = first.checked_add(i64::from(every.max(1)).months()).ok()?;
            let day = i8::try_from(day).ok()?.clamp(1, month.days_in_month());
            at(month.with().day(day).build().ok()?, minute)
        }
    }
}

/// Whether who set something may still write where it is due: nobody speaks
/// through us who could not. Whoever cannot even read there, or has left, is not
/// reminded again.
pub(crate) async fn may_still_write(bot: &Bot, task: &ScheduledTask) -> Result<bool, StoreError> {
    let Scope::Guild(_) = task.scope else {
        return Ok(true);
    };
    let held = bot
        .permissions
        .of(task.scope, task.channel, task.asker)
        .await;
    let Ok(held) = held else {
        // If nobody can tell, it is done.
        return Ok(true);
    };
    if !held.contains(Rights::VIEW_CHANNEL) {
        let schedule = ScheduleId::new(u32::try_from(task.schedule).unwrap_or_default());
        bot.persist(|| {
            bot.scheduler
                .remove_schedule(task.scope, task.asker, schedule)
        })
        .await?;
    }
    let may = held.contains(Rights::VIEW_CHANNEL.with(Rights::SEND_MESSAGES));
    if !may {
        tracing::info!(channel = %task.channel, "who set what is due may no longer write there");
    }
    Ok(may)
}

/// Says to somebody what they wanted to be reminded of.
pub(crate) async fn remind(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    task: &ScheduledTask,
) -> Result<(), StoreError> {
    let words = words(task, bot.clock.now());
    let said = effect(bot, turn, 0, say(turn, Outgoing::Say(words)));
    let effects = std::slice::from_ref(&said);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    failpoint::hit(Failpoint::EffectQueued);
    let settings = bot.settings_of(turn).await;
    let sender = Sender::new(bot, signals, turn, &settings).within(REMINDED_WITHIN);
    match sender.send(said).await? {
        Sent::Done => end(bot, turn, Ending::Done).await,
        Sent::Left => Ok(()),
        Sent::Stopped => end(bot, turn, Ending::Stopped).await,
        Sent::Refused | Sent::Closed | Sent::Expired => {
            end(bot, turn, Ending::Failed(Notice::AnswerBlocked)).await
        }
    }
}

/// What is said to somebody. Each reader's client tells how long ago it was
/// due, in their language.
fn words(task: &ScheduledTask, now: Timestamp) -> String {
    let text = task.text.trim();
    let mut words = match task.scope {
        Scope::Guild(_) => format!("⏰ <@{}> {text}", task.asker),
        Scope::Dm(_) => format!("⏰ {text}"),
    };
    if now.since(task.due) > LATE {
        let due = task.due.as_millis() / 1000;
        words += &format!("\n-# This was due <t:{due}:R>.");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{ChannelId, GuildId};

    fn schedule(due: &str, recurrence: &str) -> Schedule {
        let due: Zoned = due.parse().unwrap();
        Schedule {
            id: ScheduleId::new(1),
            set: NewSchedule {
                scope: Scope::Guild(GuildId::new(3)),
                channel: ChannelId::new(4),
                user: UserId::new(2),
                kind: TaskKind::Remind,
                text: " tea ".to_owned(),
                due: Timestamp::from_millis(due.timestamp().as_millisecond()),
                recurrence: recurrence.parse().ok(),
                zone: due.time_zone().iana_name().unwrap_or("UTC").to_owned(),
                mark: 0,
                created_at: Timestamp::from_millis(0),
            },
        }
    }

    #[test]
    fn what_recurs_is_due_next_after_now() {
        for (due, recurrence, now, expected) in [
            (
                "2026-11-17T09:00[Europe/Paris]",
                "",
                "2026-11-17T09:00[Europe/Paris]",
                None,
            ),
            (
                "2026-11-17T09:00[Europe/Paris]",
                "hours 3",
                "2026-11-17T09:00[Europe/Paris]",
                Some("2026-11-17T12:00"),
            ),
            (
                "2026-11-17T09:00[Europe/Paris]",
                "days 1 540",
                "2026-11-20T10:00[Europe/Paris]",
                Some("2026-11-21T09:00"),
            ),
            // Friday is followed by Monday.
            (
                "2026-11-20T09:00[Europe/Paris]",
                "weekdays 31 540",
                "2026-11-20T09:00[Europe/Paris]",
                Some("2026-11-23T09:00"),
            ),
            // The 31st is the last day of shorter months, and only of those.
            (
                "2027-01-31T09:00[Europe/Paris]",
                "months 1 31 540",
                "2027-01-31T09:00[Europe/Paris]",
                Some("2027-02-28T09:00"),
            ),
            (
                "2027-02-28T09:00[Europe/Paris]",
                "months 1 31 540",
                "2027-02-28T09:00[Europe/Paris]",
                Some("2027-03-31T09:00"),
            ),
            (
                "2024-02-29T09:00[Europe/Paris]",
                "months 12 29 540",
                "2026-11-17T09:00[Europe/Paris]",
                Some("2027-02-28T09:00"),
            ),
            // The hour that is skipped in March is an hour later once, and not
            // ever after.
            (
                "2027-03-27T02:30[Europe/Paris]",
                "days 1 150",
                "2027-03-27T03:00[Europe/Paris]",
                Some("2027-03-28T03:30"),
            ),
            (
                "2027-03-28T03:30[Europe/Paris]",
                "days 1 150",
                "2027-03-28T04:00[Europe/Paris]",
                Some("2027-03-29T02:30"),
            ),
        ] {
            let schedule = schedule(due, recurrence);
            let now: Zoned = now.parse().unwrap();
            let found = next(
                &schedule,
                Timestamp::from_millis(now.timestamp().as_millisecond()),
            );
            let found = found.map(|at| {
                let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap();
                let at = at.to_zoned(now.time_zone().clone());
                at.strftime("%Y-%m-%dT%H:%M").to_string()
            });
            assert_eq!(found.as_deref(), expected, "{due} {recurrence}");
        }
    }

    #[test]
    fn what_is_late_says_so() {
        let schedule = schedule("2026-11-17T09:00[UTC]", "");
        let due = schedule.set.due;
        let after = |seconds: i64| Timestamp::from_millis(due.as_millis() + seconds * 1000);
        let told = |seconds| words(&task(&schedule, after(seconds)), after(seconds));
        assert_eq!(told(5), "⏰ <@2> tea");
        let late = format!(
            "⏰ <@2> tea\n-# This was due <t:{}:R>.",
            due.as_millis() / 1000
        );
        assert_eq!(told(3 * 3600), late);
        let mut asked = schedule.clone();
        asked.set.kind = TaskKind::Answer;
        assert_eq!(task(&asked, after(1)).kind, TaskKind::Answer);
        assert_eq!(task(&asked, after(3600)).kind, TaskKind::Remind);
    }
}
