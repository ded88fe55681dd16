//! `/persona`: who speaks here, beside the bot itself.
//!
//! Commands and no tools of the model's: nobody becomes somebody else by being
//! told to. Whoever manages the server decides; in direct messages everybody
//! does for themselves.

mod create;
mod delete;
mod edit;
mod export;
mod import;
mod list;
mod sprite;

use std::sync::Arc;
use std::time::Duration;

use kaiwa_card::{CardError, FILE_BYTES};
use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::port::{Chat, Clock, PersonaChange, Personas, PortraitFitter, Unfit};
use kaiwa_domain::{
    Attachment, CARD_PIXELS, OptionChoice, Persona, PersonaId, Rights, Scope, StoreError,
    ToolError, Turn,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::phrase::Phrase;
use crate::{CommandEntrance, Declaration, Done, EffectClass, Registry};

pub use create::CreatePersona;
pub use delete::DeletePersona;
pub use edit::EditPersona;
pub use export::ExportPersona;
pub use import::ImportPersona;
pub use list::ListPersonas;
pub use sprite::EditSprite;

/// How long fetching and fitting pictures may take.
const WITH_FILES: Duration = Duration::from_secs(40);

/// What the actions on personas work with.
#[derive(Clone)]
pub struct PersonaDesk {
    /// Where personas are kept.
    pub personas: Arc<dyn Personas>,
    /// Where files come from.
    pub chat: Arc<dyn Chat>,
    /// What makes pictures fit.
    pub portraits: Arc<dyn PortraitFitter>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What the bot itself is called.
    pub main: String,
}

/// A persona, by its name.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct PersonaName(#[schemars(length(max = 80))] String);

/// A file that somebody attached, by its address.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("format" = crate::command::ATTACHMENT_FORMAT))]
pub(crate) struct FileAddress(String);

/// Why something was not done, in words for people.
enum PersonaRefusal {
    /// They are told.
    Told(Phrase),
    /// Something failed.
    Failed(ToolError),
}

impl From<StoreError> for PersonaRefusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict { reason } => {
                Self::Told(Phrase::new("persona-refused").with("reason", reason))
            }
            error => Self::Failed(ToolError::Failed {
                reason: error.to_string(),
            }),
        }
    }
}

impl From<CardError> for PersonaRefusal {
    fn from(error: CardError) -> Self {
        Self::Told(Phrase::new("card-refused").with("reason", error.to_string()))
    }
}

impl From<kaiwa_domain::BadPersona> for PersonaRefusal {
    fn from(error: kaiwa_domain::BadPersona) -> Self {
        Self::Told(Phrase::new("persona-refused").with("reason", error.to_string()))
    }
}

/// What became of a call.
fn settled(outcome: Result<Done, PersonaRefusal>) -> Result<Done, ToolError> {
    match outcome {
        Ok(done) => Ok(done),
        Err(PersonaRefusal::Told(phrase)) => Ok(Done::new("nothing was changed").showing(phrase)),
        Err(PersonaRefusal::Failed(error)) => Err(error),
    }
}

/// What all of them declare.
const fn declared(
    name: &'static str,
    summary: &'static str,
    command: CommandEntrance,
) -> Declaration {
    Declaration {
        asker_needs: Rights::MANAGE_GUILD,
        class: EffectClass::Changes,
        timeout: WITH_FILES,
        ..Declaration::reading(name, summary).as_command(command)
    }
}

/// A command whose option `persona` is completed.
const fn on_persona(name: &'static str) -> CommandEntrance {
    CommandEntrance {
        completes: Some("persona"),
        ..CommandEntrance::private(name)
    }
}

impl PersonaDesk {
    /// The actions.
    pub fn registry(self) -> Registry {
        Registry::new()
            .with(CreatePersona::new(self.clone()))
            .with(EditPersona::new(self.clone()))
            .with(ListPersonas::new(self.clone()))
            .with(DeletePersona::new(self.clone()))
            .with(ImportPersona::new(self.clone()))
            .with(ExportPersona::new(self.clone()))
            .with(EditSprite::new(self))
    }

    /// The persona that people mean by a name.
    async fn find(&self, scope: Scope, name: &PersonaName) -> Result<Persona, PersonaRefusal> {
        let personas = self.personas.personas(scope).await?;
        let found = personas.iter().find(|it| it.is_called(&name.0));
        if let Some(found) = found {
            return Ok(found.clone());
        }
        let is_main = self.main.to_lowercase() == name.0.trim().to_lowercase();
        let main = personas.into_iter().find(|it| it.id == PersonaId::MAIN);
        match is_main {
            true => Ok(main.unwrap_or_else(|| Persona {
                name: self.main.clone(),
                ..Persona::default()
            })),
            false => Err(PersonaRefusal::Told(
                Phrase::new("persona-unknown").with("name", name.0.as_str()),
            )),
        }
    }

    /// The names that fit what is typed.
    async fn complete(&self, scope: Scope, typed: &str) -> Vec<OptionChoice> {
        let typed = typed.to_lowercase();
        let personas = self.personas.personas(scope).await.unwrap_or_default();
        let alters = personas.into_iter().filter(|it| it.id != PersonaId::MAIN);
        let names = std::iter::once(self.main.clone()).chain(alters.map(|it| it.name));
        names
            .filter(|name| name.to_lowercase().contains(&typed))
            .map(|name| OptionChoice {
                value: name.clone(),
                name,
            })
            .take(CHOICES)
            .collect()
    }

    /// Keeps a persona as it is from now on.
    async fn save(
        &self,
        turn: &Turn,
        persona: &Persona,
        pictures: &[Vec<u8>],
    ) -> Result<(), PersonaRefusal> {
        let change = self.change(turn, persona, pictures);
        match self.personas.save_persona(&change).await? {
            true => Ok(()),
            false => Err(PersonaRefusal::Told(
                Phrase::new("persona-unknown").with("name", persona.name.as_str()),
            )),
        }
    }

    /// Adds a persona. The same one again is no other.
    async fn add(
        &self,
        turn: &Turn,
        persona: &Persona,
        pictures: &[Vec<u8>],
    ) -> Result<(), PersonaRefusal> {
        if self.main.to_lowercase() == persona.name.trim().to_lowercase() {
            let phrase = Phrase::new("persona-is-main").with("name", persona.name.as_str());
            return Err(PersonaRefusal::Told(phrase));
        }
        let known = self.personas.personas(turn.scope).await?;
        let same = known.iter().any(|it| {
            let id = it.id;
            *it == Persona {
                id,
                ..persona.clone()
            }
        });
        if !same {
            let change = self.change(turn, persona, pictures);
            self.personas.add_persona(&change).await?;
        }
        Ok(())
    }

    fn change<'a>(
        &self,
        turn: &Turn,
        persona: &'a Persona,
        pictures: &'a [Vec<u8>],
    ) -> PersonaChange<'a> {
        PersonaChange {
            scope: turn.scope,
            persona,
            pictures,
            by: Some(turn.asker),
            at: self.clock.now(),
        }
    }

    /// Fetches a file that came with a command.
    async fn fetch(&self, file: &FileAddress) -> Result<Vec<u8>, PersonaRefusal> {
        let attachment = Attachment {
            name: String::new(),
            url: file.0.clone(),
            bytes: 0,
            media_type: None,
            description: None,
        };
        let fetched = self.chat.download(&attachment, FILE_BYTES).await;
        fetched.map_err(|error| {
            tracing::info!(%error, "a file that came with a command cannot be fetched");
            PersonaRefusal::Told(Phrase::new("file-not-fetched"))
        })
    }

    /// A picture as it is kept.
    async fn portrait(&self, file: Vec<u8>) -> Result<Vec<u8>, PersonaRefusal> {
        let portraits = self.portraits.clone();
        let fitted = tokio::task::spawn_blocking(move || {
            let mut pixels = CARD_PIXELS;
            portraits.portrait(&file, &mut pixels)
        });
        match fitted.await {
            Ok(Ok(picture)) => Ok(picture),
            Ok(Err(Unfit::TooLarge)) => Err(PersonaRefusal::Told(Phrase::new("picture-too-large"))),
            Ok(Err(Unfit::Unreadable)) | Err(_) => {
                Err(PersonaRefusal::Told(Phrase::new("picture-unreadable")))
            }
        }
    }
}

/// What somebody wrote between commas or on lines; nothing for "none".
fn listed(text: &str) -> Vec<String> {
    if text.trim() == "none" {
        return Vec::new();
    }
    let items = text.split([',', '、', '\n']).map(str::trim);
    let items = items.filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

/// Sample dialogues, with an empty line or a mark between; nothing for "none".
fn dialogues(text: &str) -> Vec<String> {
    if text.trim() == "none" {
        return Vec::new();
    }
    let text = text.replace("\r\n", "\n").replace("<START>", "\n\n");
    let blocks = text.split("\n\n").map(str::trim);
    let blocks = blocks.filter(|block| !block.is_empty());
    blocks.map(str::to_owned).collect()
}
