//! Forms: they ask for what a call lacks, or begin with what is there.
//!
//! One is opened for whoever may do what it is for: all that decides about a
//! call is asked for before, and once more when the form comes back. Whoever may
//! not goes the way without a form, and is told so there.

use kaiwa_domain::limits::INTERACTION_ACK_WITHIN;
use kaiwa_domain::port::Entrance;
use kaiwa_domain::{Form, Interaction, InteractionKind, Scope, ToolCall, Turn};
use serde_json::{Map, Value};

use super::{Door, arguments};
use crate::CommandEntrance;
use crate::command::{field, form, form_of};
use crate::registry::RegisteredAction;

impl Door {
    /// The form that somebody gets for a control, if there is one and they may.
    pub(super) async fn form(
        &self,
        turn: &Turn,
        entry: &RegisteredAction,
        interaction: &Interaction,
        known: &Map<String, Value>,
    ) -> Option<Form> {
        let locale = interaction.locale.as_str();
        // Discord takes no form as the answer to one.
        let opens = !matches!(interaction.kind, InteractionKind::Form { .. });
        let blank = form(entry, known, locale).filter(|_| opens);
        let command = entry.declaration.command?;
        let fills_in = opens && fills_in(&command, known);
        if blank.is_none() && !fills_in {
            return None;
        }
        let declaration = &entry.declaration;
        let opened = async {
            let entrance = Entrance::Control { locale };
            self.open(turn, declaration, entrance).await.ok()?;
            self.admits(turn, declaration).await.ok()?;
            match fills_in {
                true => fill(turn.scope, entry, &command, known, locale).await,
                false => blank.clone(),
            }
        };
        tokio::select! {
            biased;
            form = opened => form,
            // Discord waits for no form. An empty one tells nobody anything.
            () = self.ports.clock.sleep(INTERACTION_ACK_WITHIN / 2) => blank.clone(),
        }
    }
}

/// Whether a call was made without the form that asks for what it lacks.
pub(super) fn lacks_form(entry: &RegisteredAction, call: &ToolCall) -> bool {
    let known = arguments(&call.arguments, None);
    known.is_some_and(|known| form(entry, &known, "").is_some())
}

/// Whether a command without more is about changing what is there.
fn fills_in(command: &CommandEntrance, known: &Map<String, Value>) -> bool {
    let is_named = |name: &String| Some(name.as_str()) == command.completes;
    !command.fills_in.is_empty() && !known.is_empty() && known.keys().all(is_named)
}

/// The form with what is there.
async fn fill(
    scope: Scope,
    entry: &RegisteredAction,
    command: &CommandEntrance,
    known: &Map<String, Value>,
    locale: &str,
) -> Option<Form> {
    let arguments = Value::Object(known.clone()).to_string();
    let typed = entry.action.read(&arguments).ok()?;
    let current = typed.current(scope).await;
    let fields = command.fills_in.iter().filter_map(|name| {
        let (_, value) = current.iter().find(|(known, _)| known == name)?;
        let mut field = field(entry, command.name, name, locale)?;
        field.value.clone_from(value);
        // What does not fit would be lost.
        (value.encode_utf16().count() <= usize::from(field.most)).then_some(field)
    });
    form_of(entry, known, fields.collect(), locale)
}

#[cfg(test)]
mod tests;
