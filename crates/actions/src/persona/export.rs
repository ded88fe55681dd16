//! `/persona export`: a persona as a character card.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{CardFormat, OptionChoice, PersonalFile, Scope, ToolError, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{PersonaDesk, PersonaName, PersonaRefusal, declared, on_persona, settled};
use crate::phrase::Phrase;
use crate::{Action, Declaration, Done, EffectClass, Grant};

/// Hands out cards.
pub struct ExportPersona(PersonaDesk);

impl ExportPersona {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// Which one, and how.
#[derive(Deserialize, JsonSchema)]
pub struct ExportPersonaArguments {
    persona: PersonaName,
    #[serde(default)]
    format: ExportFormat,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ExportFormat {
    #[default]
    Png,
    V2,
    V3,
    Charx,
    Toml,
}

impl ExportFormat {
    const fn card(self) -> CardFormat {
        match self {
            Self::Png => CardFormat::Png,
            Self::V2 => CardFormat::V2,
            Self::V3 => CardFormat::V3,
            Self::Charx => CardFormat::Charx,
            Self::Toml => CardFormat::Toml,
        }
    }
}

impl Action for ExportPersona {
    type Arguments = ExportPersonaArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::ReadsPrivate,
            ..declared(
                "export_persona",
                "A persona as a character card.",
                on_persona("persona export"),
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

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        ExportPersonaArguments { persona, format }: ExportPersonaArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let exported = async {
                let found = self.0.find(grant.turn().scope, &persona).await?;
                let format = format.card();
                let has_pictures = found.pictures().next().is_some();
                let phrase = match format == CardFormat::V2 && has_pictures {
                    true => "persona-exported-without-pictures",
                    false => "persona-exported",
                };
                let shown = Phrase::new(phrase).with("name", found.name.as_str());
                let done = Done::new("handed out").showing(shown);
                Ok::<_, PersonaRefusal>(done.with_file(PersonalFile::Card(found.id, format)))
            };
            settled(exported.await)
        })
    }
}
