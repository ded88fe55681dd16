//! `list_reminders` and `delete_reminder`: what somebody has set for later.

use std::sync::Arc;

use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::port::{Pending, Schedules};
use kaiwa_domain::{
    OptionChoice, Schedule, ScheduleId, Scope, StoreError, ToolError, Turn, UserId,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::remind::repeats;
use crate::listing::{LIST_UTF16, cut};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// How much of each is shown, in characters.
const SHOWN_CHARS: usize = 60;

/// Lists what somebody has set.
pub struct ListReminders {
    schedules: Arc<dyn Schedules>,
}

impl ListReminders {
    /// In `schedules`.
    pub const fn new(schedules: Arc<dyn Schedules>) -> Self {
        Self { schedules }
    }
}

/// Takes back what somebody has set.
pub struct DeleteReminder {
    schedules: Arc<dyn Schedules>,
}

impl DeleteReminder {
    /// In `schedules`.
    pub const fn new(schedules: Arc<dyn Schedules>) -> Self {
        Self { schedules }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct ListRemindersArguments {}

/// Which one.
#[derive(Deserialize, JsonSchema)]
pub struct DeleteReminderArguments {
    /// The number of the reminder, as it is listed.
    #[schemars(length(max = 10))]
    reminder: String,
}

/// The number of a reminder, as it is listed.
fn reminder_number(text: &str) -> Option<ScheduleId> {
    text.trim().trim_start_matches('#').parse().ok()
}

impl Action for ListReminders {
    type Arguments = ListRemindersArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::private("reminders list")),
            class: EffectClass::ReadsPrivate,
            ..Declaration::reading(
                "list_reminders",
                "The reminders that who asks has set here, with their numbers.",
            )
        }
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        _: &'a ListRemindersArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move { Ok(Some(Description::new(Phrase::new("describe-reminders")))) })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: ListRemindersArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let set = self.schedules.schedules(turn.scope, turn.asker).await;
            let set = set.map_err(failed)?;
            if set.is_empty() {
                let done = Done::new("they have set no reminders");
                return Ok(done.showing(Phrase::new("reminders-none")));
            }
            let lines =
                |locale: &str| -> Vec<String> { set.iter().map(|it| line(it, locale)).collect() };
            let (shown, _) = cut(&lines(grant.locale()), LIST_UTF16);
            let shown = Phrase::new("reminders-done").with("lines", shown);
            Ok(Done::new(lines("").join(
                "
",
            ))
            .showing(shown))
        })
    }
}

impl Action for DeleteReminder {
    type Arguments = DeleteReminderArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance {
                completes: Some("reminder"),
                ..CommandEntrance::private("reminders delete")
            }),
            class: EffectClass::Changes,
            ..Declaration::reading(
                "delete_reminder",
                "Takes back a reminder that who asks has set here.",
            )
        }
    }

    fn complete<'a>(
        &'a self,
        scope: Scope,
        user: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(async move {
            let set = self.schedules.schedules(scope, user).await;
            let typed = typed.to_lowercase();
            set.unwrap_or_default()
                .iter()
                .map(|it| OptionChoice {
                    name: format!("#{} {}", it.id, short(&it.set.text)),
                    value: it.id.to_string(),
                })
                .filter(|it| it.name.to_lowercase().contains(&typed))
                .take(CHOICES)
                .collect()
        })
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a DeleteReminderArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let set = self.schedules.schedules(turn.scope, turn.asker).await;
            let set = set.map_err(failed)?;
            let number = reminder_number(&arguments.reminder);
            let found = set.iter().find(|it| Some(it.id) == number);
            let phrase = Phrase::new("describe-reminder-delete")
                .with("number", plain(&arguments.reminder))
                .with(
                    "text",
                    found.map_or("–".to_owned(), |it| plain(&it.set.text)),
                );
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        DeleteReminderArguments { reminder }: DeleteReminderArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let number = reminder_number(&reminder).ok_or_else(|| ToolError::BadArguments {
                problem: Phrase::new("reminder-number").text(grant.locale()),
            })?;
            let deleted = self
                .schedules
                .remove_schedule(turn.scope, turn.asker, number)
                .await
                .map_err(failed)?;
            Ok(match deleted {
                true => Done::new("deleted").showing(Phrase::new("reminder-deleted")),
                false => {
                    Done::new("they have no such reminder").showing(Phrase::new("reminder-unknown"))
                }
            })
        })
    }
}

fn line(schedule: &Schedule, locale: &str) -> String {
    let set = &schedule.set;
    let due = set.due.as_millis() / 1000;
    let again = match set.recurrence {
        Some(recurrence) => format!(" ({})", repeats(recurrence, locale)),
        None => String::new(),
    };
    format!("#{} <t:{due}:f>{again}: {}", schedule.id, short(&set.text))
}

fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over")]
fn failed(error: StoreError) -> ToolError {
    ToolError::Failed {
        reason: error.to_string(),
    }
}
