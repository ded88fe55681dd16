//! `/persona create`: a form asks for who it is.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Persona, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{PersonaDesk, PersonaRefusal, declared, dialogues, listed, settled};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Makes personas.
pub struct CreatePersona(PersonaDesk);

impl CreatePersona {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// Who it is.
#[derive(Deserialize, JsonSchema)]
pub struct CreatePersonaArguments {
    #[schemars(length(max = 80))]
    called: String,
    #[schemars(length(max = 4000))]
    personality: String,
    #[serde(default)]
    #[schemars(length(max = 200))]
    triggers: String,
    #[serde(default)]
    #[schemars(length(max = 4000))]
    dialogues: String,
}

impl Action for CreatePersona {
    type Arguments = CreatePersonaArguments;

    fn declaration(&self) -> Declaration {
        declared(
            "create_persona",
            "Makes a persona that answers here.",
            CommandEntrance {
                form: &["called", "personality", "triggers", "dialogues"],
                ..CommandEntrance::private("persona create")
            },
        )
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: CreatePersonaArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let made = async {
                let persona = Persona {
                    name: arguments.called.trim().to_owned(),
                    personality: arguments.personality.trim().to_owned(),
                    triggers: listed(&arguments.triggers),
                    dialogues: dialogues(&arguments.dialogues),
                    ..Persona::default()
                };
                persona.check()?;
                self.0.add(grant.turn(), &persona, &[]).await?;
                let shown = Phrase::new("persona-created").with("name", persona.name.as_str());
                Ok::<_, PersonaRefusal>(Done::new("created").showing(shown))
            };
            settled(made.await)
        })
    }
}
