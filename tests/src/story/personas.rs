//! Who speaks, beside the bot itself.

use kaiwa_domain::port::{Clock, PersonaChange, Personas};
use kaiwa_domain::{Persona, PersonaId};

use super::Story;

impl Story {
    /// A guild has one more persona from now on.
    pub async fn has_persona(&self, guild: &str, persona: Persona) -> PersonaId {
        self.has_portrayed(guild, persona, &[]).await
    }

    /// The same with pictures.
    pub async fn has_portrayed(
        &self,
        guild: &str,
        persona: Persona,
        pictures: &[Vec<u8>],
    ) -> PersonaId {
        let personas = self.bot.as_ref().expect("a running bot").personas();
        let change = PersonaChange {
            scope: self.guild(guild),
            persona: &persona,
            pictures,
            by: None,
            at: self.clock.now(),
        };
        personas.add_persona(&change).await.expect("a persona")
    }
}
