//! `/persona edit`: what is given is changed, the rest stays. Without anything,
//! a form shows what is there.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{OptionChoice, Persona, PersonaId, PictureId, Scope, ToolError, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    FileAddress, PersonaDesk, PersonaName, PersonaRefusal, declared, dialogues, listed, on_persona,
    settled,
};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Changes personas.
pub struct EditPersona(PersonaDesk);

impl EditPersona {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// What to change.
#[derive(Deserialize, JsonSchema)]
pub struct EditPersonaArguments {
    persona: PersonaName,
    #[serde(default)]
    #[schemars(length(max = 80))]
    rename: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 6000))]
    personality: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 700))]
    triggers: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 6000))]
    dialogues: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 4))]
    degree: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 200))]
    model: Option<String>,
    #[serde(default)]
    avatar: Option<FileAddress>,
}

impl EditPersonaArguments {
    /// Changes what is in words.
    fn apply(&self, persona: &mut Persona) -> Result<(), PersonaRefusal> {
        let some = |text: &Option<String>| text.as_deref().map(str::trim).map(str::to_owned);
        let is_none = |text: &str| text == "none";
        if let Some(name) = some(&self.rename).filter(|name| *name != persona.name) {
            if persona.id == PersonaId::MAIN {
                return Err(PersonaRefusal::Told(Phrase::new("persona-main-name")));
            }
            persona.name = name;
        }
        if let Some(text) = some(&self.personality) {
            persona.personality = if is_none(&text) { String::new() } else { text };
        }
        if let Some(text) = &self.triggers {
            persona.triggers = listed(text);
        }
        if let Some(text) = &self.dialogues {
            persona.dialogues = dialogues(text);
        }
        if let Some(text) = some(&self.degree) {
            persona.degree = match text.is_empty() || is_none(&text) {
                true => None,
                false => Some(text.parse().map_err(|_| kaiwa_domain::BadPersona::Degree)?),
            };
        }
        if let Some(model) = some(&self.model) {
            persona.model = (!is_none(&model)).then_some(model);
        }
        Ok(persona.check()?)
    }
}

impl Action for EditPersona {
    type Arguments = EditPersonaArguments;

    fn declaration(&self) -> Declaration {
        let command = CommandEntrance {
            fills_in: &["rename", "personality", "triggers", "dialogues", "degree"],
            ..on_persona("persona edit")
        };
        declared("edit_persona", "Changes a persona.", command)
    }

    fn complete<'a>(
        &'a self,
        scope: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(self.0.complete(scope, typed))
    }

    fn current<'a>(
        &'a self,
        scope: Scope,
        arguments: &'a EditPersonaArguments,
    ) -> Pending<'a, Vec<(&'static str, String)>> {
        Box::pin(async move {
            let Ok(persona) = self.0.find(scope, &arguments.persona).await else {
                return Vec::new();
            };
            let degree = persona.degree.map(|degree| degree.to_string());
            let mut current = vec![
                ("rename", persona.name),
                ("personality", persona.personality),
                ("degree", degree.unwrap_or_default()),
            ];
            // What would come back as something else is not asked for.
            let triggers = persona.triggers.join(", ");
            if listed(&triggers) == persona.triggers {
                current.push(("triggers", triggers));
            }
            let joined = persona.dialogues.join("\n\n");
            if dialogues(&joined) == persona.dialogues {
                current.push(("dialogues", joined));
            }
            current
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: EditPersonaArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let changed = async {
                let turn = grant.turn();
                let mut persona = self.0.find(turn.scope, &arguments.persona).await?;
                arguments.apply(&mut persona)?;
                let mut pictures = Vec::new();
                if let Some(file) = &arguments.avatar {
                    let picture = self.0.portrait(self.0.fetch(file).await?).await?;
                    persona.avatar = Some(PictureId::of(&picture));
                    pictures.push(picture);
                }
                self.0.save(turn, &persona, &pictures).await?;
                let shown = Phrase::new("persona-changed").with("name", persona.name.as_str());
                Ok::<_, PersonaRefusal>(Done::new("changed").showing(shown))
            };
            settled(changed.await)
        })
    }
}
