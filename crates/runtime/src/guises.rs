//! How the persona of a turn appears.
//!
//! The bot itself speaks with its own voice, and by a webhook only in one of
//! its sprites. An alter always has a name of its own. A persona can also
//! appear as another persona of the server for a line; never as a person. What
//! is decided here is kept with each effect, so that it looks the same however
//! often it is tried.

use kaiwa_domain::{Effect, Identity, Persona, PersonaId, Portrait, Scope, Turn};
use kaiwa_pipeline::deliver::SpeechLook;

use crate::Bot;
use crate::personas::ScopePersonas;

/// The appearances of one persona.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Guises {
    /// As it usually is; `None` is the bot itself.
    usual: Option<Identity>,
    looks: Vec<Guise>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Guise {
    look: SpeechLook,
    identity: Identity,
}

impl Guises {
    /// Those of the persona of a turn. Direct messages have no webhooks.
    pub(crate) async fn of(bot: &Bot, turn: &Turn) -> Self {
        match turn.scope {
            Scope::Dm(_) => Self::default(),
            Scope::Guild(_) => {
                let personas = bot.personas.of(turn.scope).await;
                Self::among(&personas, turn.persona, &bot.me.name)
            }
        }
    }

    fn among(personas: &ScopePersonas, id: PersonaId, bot_name: &str) -> Self {
        let is_main = id == PersonaId::MAIN;
        let plain = Persona::default();
        let Some(persona) = personas.find(id).or(is_main.then_some(&plain)) else {
            return Self::default();
        };
        let name = if is_main { bot_name } else { &persona.name };
        let usual = Identity::new(name, usual_portrait(persona)).filter(|_| !is_main);
        let mut guises = Self {
            usual,
            looks: Vec::new(),
        };
        for (number, sprite) in (1..).zip(&persona.sprites) {
            let portrait = Some(Portrait {
                of: id,
                picture: sprite.picture,
            });
            let identity = match sprite.is_identity {
                true => Identity::disguised(&sprite.name, name, portrait)
                    .map(|it| it.told_as(&sprite.name)),
                false => Identity::new(name, portrait).map(|it| it.in_look(&sprite.name, number)),
            };
            guises.add(&sprite.name, true, identity);
        }
        let others = personas.alters().iter().filter(|alter| alter.id != id);
        for other in others.filter_map(|alter| personas.find(alter.id)) {
            let copied = Identity::disguised(&other.name, name, usual_portrait(other));
            guises.add(&other.name, false, copied.map(|it| it.told_as(&other.name)));
        }
        guises
    }

    /// One more look, unless there is one of that name.
    fn add(&mut self, name: &str, lasting: bool, identity: Option<Identity>) {
        let is_new = self.find(name).is_none();
        if let Some(identity) = identity.filter(|_| is_new) {
            let name = name.to_owned();
            let look = SpeechLook { name, lasting };
            self.looks.push(Guise { look, identity });
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        let mut looks = self.looks.iter();
        looks.position(|guise| guise.look.name.to_lowercase() == name)
    }

    /// Whether the persona has a name of its own.
    pub(crate) const fn has_name(&self) -> bool {
        self.usual.is_some()
    }

    /// The looks that the persona can put on.
    pub(crate) fn looks(&self) -> Vec<SpeechLook> {
        self.looks.iter().map(|guise| guise.look.clone()).collect()
    }

    /// How the persona appears in a look.
    pub(crate) fn identity(&self, look: Option<usize>) -> Option<&Identity> {
        let guise = look.and_then(|look| self.looks.get(look));
        guise.map(|it| &it.identity).or(self.usual.as_ref())
    }

    /// The look that an answer goes on in after these effects of it, if it
    /// lasts or the last of them still grows.
    pub(crate) fn left_in(&self, earlier: &[Effect], grows: bool) -> Option<usize> {
        let last = earlier.iter().rev().find(|it| it.body.is_shown())?;
        let look = self.find(last.identity.as_ref()?.look()?)?;
        (self.looks[look].look.lasting || grows).then_some(look)
    }
}

fn usual_portrait(persona: &Persona) -> Option<Portrait> {
    let picture = persona.avatar?;
    let of = persona.id;
    Some(Portrait { of, picture })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{PictureId, Sprite};

    fn personas(id: u32) -> ScopePersonas {
        let sprite = |name: &str, is_identity| Sprite {
            name: name.to_owned(),
            picture: PictureId::of(name.as_bytes()),
            usage: String::new(),
            is_identity,
        };
        let mira = Persona {
            id: PersonaId::new(id),
            name: "Mira".to_owned(),
            avatar: Some(PictureId::of(b"usual")),
            sprites: vec![sprite("Cross", false), sprite("Old Tom", true)],
            ..Persona::default()
        };
        let other = |id, name: &str| Persona {
            id: PersonaId::new(id),
            name: name.to_owned(),
            avatar: Some(PictureId::of(name.as_bytes())),
            ..Persona::default()
        };
        ScopePersonas::new(vec![mira, other(7, "Nils"), other(8, "cross")])
    }

    /// The name that people see, whose picture it is, and what the model is
    /// told.
    fn seen(guises: &Guises, look: Option<&str>) -> Option<(String, Portrait, Option<String>)> {
        let identity = guises.identity(look.map(|look| guises.find(look).unwrap()))?;
        let name = identity.name().to_owned();
        let look = identity.look().map(str::to_owned);
        Some((name, identity.portrait().unwrap(), look))
    }

    fn portrait(of: u32, picture: &str) -> Portrait {
        let (of, picture) = (PersonaId::new(of), PictureId::of(picture.as_bytes()));
        Portrait { of, picture }
    }

    #[test]
    fn sprites_change_the_picture_and_identity_sprites_the_name() {
        let alter = Guises::among(&personas(2), PersonaId::new(2), "Kaiwa");
        let usual = ("Mira".to_owned(), portrait(2, "usual"), None);
        assert_eq!(seen(&alter, None), Some(usual));
        let (name, shown, look) = seen(&alter, Some("CROSS")).unwrap();
        // It reads the same, and Discord does not draw it together.
        assert_ne!(name, "Mira");
        assert_eq!(name.chars().count(), 4);
        assert_eq!(shown, portrait(2, "Cross"));
        assert_eq!(look.as_deref(), Some("Cross"));
        let (name, shown, look) = seen(&alter, Some("old tom")).unwrap();
        assert_eq!(name, "Old Tom (Mira)");
        assert_eq!(shown, portrait(2, "Old Tom"));
        assert_eq!(look.as_deref(), Some("Old Tom"));

        // The bot itself needs a webhook for its sprites only.
        let main = Guises::among(&personas(0), PersonaId::MAIN, "Kaiwa");
        assert_eq!(seen(&main, None), None);
        assert_eq!(seen(&main, Some("old tom")).unwrap().0, "Old Tom (Kaiwa)");
    }

    #[test]
    fn other_personas_are_copied_for_a_line_unless_a_sprite_has_their_name() {
        let alter = Guises::among(&personas(2), PersonaId::new(2), "Kaiwa");
        let (name, shown, look) = seen(&alter, Some("nils")).unwrap();
        assert_eq!(name, "Nils (Mira)");
        assert_eq!(shown, portrait(7, "Nils"));
        assert_eq!(look.as_deref(), Some("Nils"));
        let lasting: Vec<bool> = alter.looks().iter().map(|look| look.lasting).collect();
        assert_eq!(lasting, [true, true, false]);
    }
}
