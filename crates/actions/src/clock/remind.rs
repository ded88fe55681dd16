//! `remind`: says something to somebody later, once or again and again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use jiff::tz::TimeZone;
use kaiwa_domain::port::{Clock, Pending, Schedules};
use kaiwa_domain::{
    NewSchedule, OptionChoice, Recurrence, Rights, SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Scope,
    StoreError, TaskKind, Timestamp, ToolError, Turn, UserId,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{when, zone_or, zoned, zones_like};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// Reminds people.
pub struct Remind {
    schedules: Arc<dyn Schedules>,
    clock: Arc<dyn Clock>,
    home: Box<dyn Fn(&Turn) -> TimeZone + Send + Sync>,
}

impl Remind {
    /// As `schedules` has it; `home` is the bot's own time zone in a turn.
    pub fn new(
        schedules: Arc<dyn Schedules>,
        clock: Arc<dyn Clock>,
        home: impl Fn(&Turn) -> TimeZone + Send + Sync + 'static,
    ) -> Self {
        Self {
            schedules,
            clock,
            home: Box::new(home),
        }
    }
}

/// When, and of what.
#[derive(Deserialize, JsonSchema)]
pub struct RemindArguments {
    /// When, in the words of who asks: in 20 minutes, tomorrow at 9, next
    /// friday 18:00, every monday at 8, or 2030-12-24 18:00.
    #[schemars(length(max = 100))]
    when: String,
    /// What to remind them of.
    #[schemars(length(max = 1000))]
    text: String,
    /// The time zone of who asks, like Asia/Tokyo or JST. Yours if absent.
    #[serde(default)]
    #[schemars(length(max = 64))]
    zone: Option<String>,
    /// Whether the text is a question or a task that you answer then, instead
    /// of repeating it.
    #[serde(default)]
    answer: bool,
}

impl Action for Remind {
    type Arguments = RemindArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance {
                completes: Some("zone"),
                ..CommandEntrance::private("remind")
            }),
            attended: true,
            // It is said here, for everybody to read.
            asker_needs: Rights::VIEW_CHANNEL.with(Rights::SEND_MESSAGES),
            class: EffectClass::Changes,
            ..Declaration::reading(
                "remind",
                "Reminds who asks of something in this channel, once or again and again. The \
                 only way to do something later.",
            )
        }
    }

    fn complete<'a>(
        &'a self,
        _: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(std::future::ready(zones_like(typed)))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: RemindArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let bad = |problem: Phrase| ToolError::BadArguments {
                problem: problem.text(grant.locale()),
            };
            let text = arguments.text.trim();
            if text.is_empty() || text.chars().count() > SCHEDULE_CHARS {
                let problem = Phrase::new("remind-text").with("most", SCHEDULE_CHARS);
                return Err(bad(problem));
            }
            let zone = zone_or(arguments.zone.as_deref(), || (self.home)(turn));
            let now = self.clock.now();
            let here = zoned(now, zone.map_err(|it| bad(it.phrase()))?);
            let timing = when::read(&arguments.when, &here).map_err(|it| bad(it.phrase()))?;
            // It may have named another zone.
            let zone = timing.first.time_zone();
            let due = Timestamp::from_millis(timing.first.timestamp().as_millisecond());
            let schedule = NewSchedule {
                scope: turn.scope,
                channel: turn.channel,
                user: turn.asker,
                kind: match arguments.answer {
                    true => TaskKind::Answer,
                    false => TaskKind::Remind,
                },
                text: text.to_owned(),
                due,
                recurrence: timing.again,
                zone: zone.iana_name().unwrap_or("UTC").to_owned(),
                mark: mark(turn, &arguments.when, text),
                created_at: now,
            };
            match self.schedules.add_schedule(&schedule).await {
                Ok(_) => {}
                Err(StoreError::Conflict { .. }) => {
                    let most = SCHEDULES_PER_PERSON;
                    let told = format!("nothing was set: they have {most} reminders already");
                    let shown = Phrase::new("remind-too-many").with("most", most);
                    return Ok(Done::new(told).showing(shown));
                }
                Err(error) => {
                    return Err(ToolError::Failed {
                        reason: error.to_string(),
                    });
                }
            }
            let written = timing.first.strftime("%A, %-d %B %Y, %H:%M %Z");
            let again = match timing.again {
                Some(again) => format!(", and {}", repeats(again)),
                None => String::new(),
            };
            let seconds = due.as_millis() / 1000;
            let shown = Phrase::new(match timing.again {
                Some(_) => "remind-done-again",
                None => "remind-done",
            });
            let shown = shown
                .with("time", format!("<t:{seconds}:F>"))
                .with("until", format!("<t:{seconds}:R>"));
            Ok(Done::new(format!("set for {written}{again}")).showing(shown))
        })
    }
}

/// What a request is known by if it comes again.
fn mark(turn: &Turn, when: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (turn.id.to_string(), when, text).hash(&mut hasher);
    hasher.finish()
}

/// How something happens again, for the model.
pub(super) fn repeats(recurrence: Recurrence) -> String {
    match recurrence {
        Recurrence::Hours(1) => "every hour".to_owned(),
        Recurrence::Hours(hours) => format!("every {hours} hours"),
        Recurrence::Days { every: 1, .. } => "every day".to_owned(),
        Recurrence::Days { every, .. } => format!("every {every} days"),
        Recurrence::Months { every: 1, day, .. } => format!("every month on day {day}"),
        Recurrence::Months { every: 12, .. } => "every year".to_owned(),
        Recurrence::Months { every, day, .. } => format!("every {every} months on day {day}"),
        Recurrence::Weekdays { days, .. } => {
            let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
            let named = names
                .iter()
                .enumerate()
                .filter(|(day, _)| days & (1 << day) != 0);
            let named: Vec<&str> = named.map(|(_, name)| *name).collect();
            format!("every {}", named.join(", "))
        }
    }
}
