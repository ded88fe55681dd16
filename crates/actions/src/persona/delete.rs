//! `/persona delete`: somebody who spoke here is gone.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{OptionChoice, Scope, ToolError, Turn, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{PersonaDesk, PersonaName, PersonaRefusal, declared, on_persona, settled};
use crate::phrase::{Phrase, plain};
use crate::{Action, Declaration, Description, Done, EffectClass, Grant};

/// Deletes personas.
pub struct DeletePersona(PersonaDesk);

impl DeletePersona {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// Which one.
#[derive(Deserialize, JsonSchema)]
pub struct DeletePersonaArguments {
    persona: PersonaName,
}

impl Action for DeletePersona {
    type Arguments = DeletePersonaArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Dangerous,
            ..declared(
                "delete_persona",
                "Deletes a persona with its pictures.",
                on_persona("persona delete"),
            )
        }
    }

    fn complete<'a>(
        &'a self,
        scope: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(self.0.complete(scope, typed))
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a DeletePersonaArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        let phrase = Phrase::new("persona-delete").with("name", plain(&arguments.persona.0));
        Box::pin(std::future::ready(Ok(Some(Description::new(phrase)))))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        DeletePersonaArguments { persona }: DeletePersonaArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let deleted = async {
                let scope = grant.turn().scope;
                let found = self.0.find(scope, &persona).await?;
                self.0.personas.delete_persona(scope, found.id).await?;
                let shown = Phrase::new("persona-deleted").with("name", found.name.as_str());
                Ok::<_, PersonaRefusal>(Done::new("deleted").showing(shown))
            };
            settled(deleted.await)
        })
    }
}
