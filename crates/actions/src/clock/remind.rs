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
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

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

impl Remind {
    /// When somebody is to be reminded.
    fn timing(
        &self,
        turn: &Turn,
        arguments: &RemindArguments,
        locale: &str,
    ) -> Result<when::Timing, ToolError> {
        let zone = zone_or(arguments.zone.as_deref(), || (self.home)(turn));
        let zone = zone.map_err(|it| bad(&it.phrase(), locale))?;
        let here = zoned(self.clock.now(), zone);
        when::read(&arguments.when, &here).map_err(|it| bad(&it.phrase(), locale))
    }
}

fn bad(problem: &Phrase, locale: &str) -> ToolError {
    ToolError::BadArguments {
        problem: problem.text(locale),
    }
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

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a RemindArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let timing = self.timing(turn, arguments, "")?;
            let phrase = Phrase::new(match arguments.answer {
                true => "describe-remind-answer",
                false => "describe-remind",
            });
            let phrase = phrase
                .with("when", plain(&arguments.when))
                .with(
                    "time",
                    format!("<t:{}:f>", timing.first.timestamp().as_second()),
                )
                .with("text", plain(&arguments.text));
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: RemindArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let text = arguments.text.trim();
            if text.is_empty() || text.chars().count() > SCHEDULE_CHARS {
                let problem = Phrase::new("remind-text").with("most", SCHEDULE_CHARS);
                return Err(bad(&problem, grant.locale()));
            }
            let now = self.clock.now();
            let timing = self.timing(turn, &arguments, grant.locale())?;
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
                Some(again) => format!(", and {}", repeats(again, "")),
                None => String::new(),
            };
            let seconds = due.as_millis() / 1000;
            let shown = match timing.again {
                Some(again) => {
                    Phrase::new("remind-done-again").with("again", repeats(again, grant.locale()))
                }
                None => Phrase::new("remind-done"),
            };
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

/// How something happens again, in the language of `locale`.
pub(super) fn repeats(recurrence: Recurrence, locale: &str) -> String {
    let phrase = match recurrence {
        Recurrence::Hours(hours) => Phrase::new("repeats-hours").with("many", usize::from(hours)),
        Recurrence::Days { every, .. } if every % 7 == 0 => {
            Phrase::new("repeats-weeks").with("many", usize::from(every / 7))
        }
        Recurrence::Days { every, .. } => {
            Phrase::new("repeats-days").with("many", usize::from(every))
        }
        Recurrence::Weekdays { days, .. } => {
            let named = WEEKDAYS
                .iter()
                .enumerate()
                .filter(|(day, _)| days & (1 << day) != 0)
                .map(|(_, name)| Phrase::new(name).text(locale));
            let named: Vec<String> = named.collect();
            Phrase::new("repeats-weekdays").with("days", named.join(", "))
        }
        Recurrence::Months { every, .. } if every % 12 == 0 => {
            Phrase::new("repeats-years").with("many", usize::from(every / 12))
        }
        Recurrence::Months { every, day, .. } => Phrase::new("repeats-months")
            .with("many", usize::from(every))
            .with("day", usize::from(day)),
    };
    phrase.text(locale)
}

/// From Monday on.
const WEEKDAYS: [&str; 7] = [
    "weekday-monday",
    "weekday-tuesday",
    "weekday-wednesday",
    "weekday-thursday",
    "weekday-friday",
    "weekday-saturday",
    "weekday-sunday",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_how_something_happens_again() {
        for (stored, english, japanese) in [
            ("hours 1", "every hour", "1時間ごと"),
            ("hours 3", "every 3 hours", "3時間ごと"),
            ("days 1 540", "every day", "毎日"),
            ("days 2 540", "every 2 days", "2日ごと"),
            ("days 7 540", "every week", "毎週"),
            ("days 14 540", "every 2 weeks", "2週間ごと"),
            ("weekdays 17 540", "every Mon, Fri", "毎週 月, 金"),
            ("months 1 15 540", "every month on day 15", "毎月15日"),
            ("months 1 31 540", "every month on its last day", "毎月末日"),
            (
                "months 3 1 540",
                "every 3 months on day 1",
                "3か月ごとの1日",
            ),
            (
                "months 3 31 540",
                "every 3 months on the last day",
                "3か月ごとの末日",
            ),
            ("months 12 24 540", "every year", "毎年"),
            ("months 24 24 540", "every 2 years", "2年ごと"),
        ] {
            let recurrence: Recurrence = stored.parse().unwrap();
            assert_eq!(repeats(recurrence, ""), english);
            assert_eq!(repeats(recurrence, "ja"), japanese);
        }
    }
}
