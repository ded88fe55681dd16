//! `/persona list`: who speaks here.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Persona, PersonaId, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{PersonaDesk, PersonaRefusal, settled};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// How much of the list is shown, in characters.
const SHOWN: usize = 1_700;

/// Tells of personas.
pub struct ListPersonas(PersonaDesk);

impl ListPersonas {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct ListPersonasArguments {}

impl Action for ListPersonas {
    type Arguments = ListPersonasArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Reads,
            ..Declaration::reading("list_personas", "Who speaks here.")
                .as_command(CommandEntrance::private("persona list"))
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: ListPersonasArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let listed = async {
                let personas = self.0.personas.personas(grant.turn().scope).await?;
                let alters: Vec<&Persona> = personas
                    .iter()
                    .filter(|it| it.id != PersonaId::MAIN)
                    .collect();
                if alters.is_empty() {
                    let shown = Phrase::new("persona-none").with("main", self.0.main.as_str());
                    return Ok::<_, PersonaRefusal>(Done::new("none").showing(shown));
                }
                let mut lines = String::new();
                for alter in &alters {
                    let line = line(alter);
                    if lines.chars().count() + line.chars().count() > SHOWN {
                        lines.push('…');
                        break;
                    }
                    lines.push_str(&line);
                }
                let shown = Phrase::new("persona-list")
                    .with("main", self.0.main.as_str())
                    .with("count", alters.len())
                    .with("list", lines.trim_end());
                Ok(Done::new("listed").showing(shown))
            };
            settled(listed.await)
        })
    }
}

/// A persona in a line, in words that are the same everywhere.
fn line(persona: &Persona) -> String {
    let mut parts = Vec::new();
    if !persona.triggers.is_empty() {
        parts.push(persona.triggers.join(", "));
    }
    parts.extend(persona.degree.map(|degree| format!("degree {degree}")));
    parts.extend(persona.model.clone());
    if !persona.sprites.is_empty() {
        let names = persona.sprites.iter().map(|it| it.name.as_str());
        let names: Vec<&str> = names.take(8).collect();
        parts.push(format!("({})", names.join(", ")));
    }
    match parts.is_empty() {
        true => format!("- **{}**\n", persona.name),
        false => format!("- **{}**: {}\n", persona.name, parts.join(" · ")),
    }
}
