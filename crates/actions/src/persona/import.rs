//! `/persona import`: a character card becomes a persona.

use kaiwa_card::{CardError, LeftOut, read, read_preset};
use kaiwa_domain::port::Pending;
use kaiwa_domain::{CARD_PIXELS, OptionChoice, Persona, PersonaId, Scope, ToolError, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{FileAddress, PersonaDesk, PersonaName, PersonaRefusal, declared, on_persona, settled};
use crate::phrase::Phrase;
use crate::{Action, Declaration, Done, Grant};

/// Reads cards.
pub struct ImportPersona(PersonaDesk);

impl ImportPersona {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// The file, and whom it is for.
#[derive(Deserialize, JsonSchema)]
pub struct ImportPersonaArguments {
    file: FileAddress,
    #[serde(default)]
    persona: Option<PersonaName>,
}

impl ImportPersona {
    async fn import(
        &self,
        grant: &Grant<'_>,
        arguments: &ImportPersonaArguments,
    ) -> Result<Done, PersonaRefusal> {
        let turn = grant.turn();
        let file = self.0.fetch(&arguments.file).await?;
        let into = match &arguments.persona {
            Some(name) => Some(self.0.find(turn.scope, name).await?),
            None => None,
        };
        let (persona, pictures, left_out) = match (self.read(file.clone()).await, &into) {
            (Err(CardError::Preset), Some(into)) => return self.preset(grant, &file, into).await,
            (read, _) => read?,
        };
        let persona = match &into {
            // The bot itself keeps its name.
            Some(into) if into.id == PersonaId::MAIN => Persona {
                id: into.id,
                name: into.name.clone(),
                ..persona
            },
            Some(into) => Persona {
                id: into.id,
                ..persona
            },
            None => persona,
        };
        match into {
            Some(_) => self.0.save(turn, &persona, &pictures).await?,
            None => self.0.add(turn, &persona, &pictures).await?,
        }
        let shown = match left_out.is_empty() {
            true => Phrase::new("persona-imported"),
            false => {
                let listed: Vec<String> = left_out.iter().map(ToString::to_string).collect();
                Phrase::new("persona-imported-partly").with("left-out", listed.join("; "))
            }
        };
        let shown = shown.with("name", persona.name.as_str());
        Ok(Done::new("imported").showing(shown))
    }

    /// Puts what a preset says in front of a personality.
    async fn preset(
        &self,
        grant: &Grant<'_>,
        file: &[u8],
        into: &Persona,
    ) -> Result<Done, PersonaRefusal> {
        let preset = read_preset(file)?;
        let persona = preset.before(into);
        persona.check()?;
        self.0.save(grant.turn(), &persona, &[]).await?;
        let shown = Phrase::new("preset-imported")
            .with("name", persona.name.as_str())
            .with("left-out", preset.left_out.join(", "));
        Ok(Done::new("imported").showing(shown))
    }

    /// Reads a file, with its pictures as they are kept.
    async fn read(&self, file: Vec<u8>) -> Result<FittedCard, CardError> {
        let portraits = self.0.portraits.clone();
        let read = tokio::task::spawn_blocking(move || {
            let card = read(&file)?;
            let mut pixels = CARD_PIXELS;
            Ok(card.fitted(|file| portraits.portrait(file, &mut pixels).ok()))
        });
        let lost = |_| CardError::Damaged {
            problem: "reading it failed".to_owned(),
        };
        read.await.unwrap_or_else(|error| Err(lost(error)))
    }
}

/// A persona, its pictures, and what was left out.
type FittedCard = (Persona, Vec<Vec<u8>>, Vec<LeftOut>);

impl Action for ImportPersona {
    type Arguments = ImportPersonaArguments;

    fn declaration(&self) -> Declaration {
        declared(
            "import_persona",
            "Makes a persona of a character card.",
            on_persona("persona import"),
        )
    }

    fn complete<'a>(
        &'a self,
        scope: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(self.0.complete(scope, typed))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: ImportPersonaArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move { settled(self.import(&grant, &arguments).await) })
    }
}
