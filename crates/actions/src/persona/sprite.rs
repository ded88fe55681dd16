//! `/persona sprite`: pictures that a persona may be shown with.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{OptionChoice, PictureId, Scope, Sprite, ToolError, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{FileAddress, PersonaDesk, PersonaName, PersonaRefusal, declared, on_persona, settled};
use crate::phrase::Phrase;
use crate::{Action, Declaration, Done, Grant};

/// Changes sprites.
pub struct EditSprite(PersonaDesk);

impl EditSprite {
    pub(super) const fn new(desk: PersonaDesk) -> Self {
        Self(desk)
    }
}

/// Which one, and what it is from now on.
#[derive(Deserialize, JsonSchema)]
pub struct EditSpriteArguments {
    persona: PersonaName,
    #[schemars(length(max = 64))]
    sprite: String,
    #[serde(default)]
    picture: Option<FileAddress>,
    #[serde(default)]
    #[schemars(length(max = 300))]
    usage: Option<String>,
    #[serde(default)]
    identity: Option<bool>,
    #[serde(default)]
    remove: Option<bool>,
}

impl EditSprite {
    async fn change(
        &self,
        grant: &Grant<'_>,
        arguments: &EditSpriteArguments,
    ) -> Result<Done, PersonaRefusal> {
        let turn = grant.turn();
        let mut persona = self.0.find(turn.scope, &arguments.persona).await?;
        let name = arguments.sprite.trim().to_owned();
        let before = persona.sprite(&name).cloned();
        let lower = name.to_lowercase();
        if arguments.remove == Some(true) {
            persona.sprites.retain(|it| it.name.to_lowercase() != lower);
            self.0.save(turn, &persona, &[]).await?;
            let shown = Phrase::new("sprite-removed").with("name", name);
            return Ok(Done::new("removed").showing(shown));
        }
        let mut pictures = Vec::new();
        let picture = match (&arguments.picture, &before) {
            (Some(file), _) => {
                let picture = self.0.portrait(self.0.fetch(file).await?).await?;
                let id = PictureId::of(&picture);
                pictures.push(picture);
                id
            }
            (None, Some(before)) => before.picture,
            (None, None) => return Err(PersonaRefusal::Told(Phrase::new("sprite-needs-picture"))),
        };
        let usage = arguments.usage.as_deref().map(str::trim).map(str::to_owned);
        let sprite = Sprite {
            name: name.clone(),
            picture,
            usage: usage
                .or_else(|| before.as_ref().map(|it| it.usage.clone()))
                .unwrap_or_default(),
            is_identity: arguments
                .identity
                .unwrap_or_else(|| before.as_ref().is_some_and(|it| it.is_identity)),
        };
        let place = persona
            .sprites
            .iter()
            .position(|it| it.name.to_lowercase() == lower);
        match place {
            Some(place) => persona.sprites[place] = sprite,
            None => persona.sprites.push(sprite),
        }
        persona.check()?;
        self.0.save(turn, &persona, &pictures).await?;
        let shown = Phrase::new("sprite-saved")
            .with("name", name)
            .with("persona", persona.name.as_str());
        Ok(Done::new("saved").showing(shown))
    }
}

impl Action for EditSprite {
    type Arguments = EditSpriteArguments;

    fn declaration(&self) -> Declaration {
        declared(
            "edit_sprite",
            "Changes a picture that a persona may be shown with.",
            on_persona("persona sprite"),
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
        arguments: EditSpriteArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move { settled(self.change(&grant, &arguments).await) })
    }
}
