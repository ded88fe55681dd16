//! Who speaks, beside the bot itself.

use kaiwa_domain::port::{Clock, PersonaChange, Personas};
use kaiwa_domain::{Persona, PersonaId};
use reqwest::Method;
use serde_json::{Value, json};

use super::Story;
use super::person::{Person, answered};

impl Story {
    /// The tokens of the webhooks of a channel, as Discord knows them.
    pub async fn webhook_tokens(&self, channel: &str) -> Vec<String> {
        let webhooks = self.webhooks(channel).await.into_iter();
        let tokens = webhooks.filter_map(|it| Some(it["token"].as_str()?.to_owned()));
        tokens.collect()
    }

    /// Somebody deletes the webhooks of a channel.
    pub async fn webhooks_are_deleted(&self, channel: &str) {
        for webhook in self.webhooks(channel).await {
            let id = webhook["id"].as_str().expect("an id");
            self.ada().deletes_webhook(id).await;
        }
    }

    /// The bot's account makes a webhook, whatever the bot does.
    pub async fn bot_makes_webhook(&self, channel: &str) {
        let request = self.of_webhooks(Method::POST, channel);
        let name = json!({"name": "Kaiwa"});
        answered(request.json(&name)).await;
    }

    async fn webhooks(&self, channel: &str) -> Vec<Value> {
        let request = self.of_webhooks(Method::GET, channel);
        let webhooks = answered(request).await;
        webhooks.as_array().expect("a list").clone()
    }

    /// A request of the bot's account about the webhooks of a channel.
    fn of_webhooks(&self, method: Method, channel: &str) -> reqwest::RequestBuilder {
        let path = format!("channels/{}/webhooks", self.channel_id(channel));
        let bot = format!("Bot {}", self.ready.bot.token);
        let url = format!("{}/{path}", self.ready.api_url);
        self.http.request(method, url).header("authorization", bot)
    }

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

    /// Somebody deletes a persona of a guild.
    pub async fn loses_persona(&self, guild: &str, persona: PersonaId) {
        let personas = self.bot.as_ref().expect("a running bot").personas();
        let deleted = personas.delete_persona(self.guild(guild), persona).await;
        assert!(deleted.expect("a database"), "there was one");
    }
}

impl Person<'_> {
    /// Makes a webhook of a channel, and gives its id.
    pub async fn makes_webhook(&self, channel: &str, name: &str) -> String {
        let path = format!("channels/{}/webhooks", self.story.channel_id(channel));
        let webhook = answered(self.request(&path).json(&json!({"name": name}))).await;
        webhook["id"].as_str().expect("an id").to_owned()
    }

    /// Deletes a webhook.
    pub async fn deletes_webhook(&self, id: &str) {
        self.does(Method::DELETE, &format!("webhooks/{id}")).await;
    }
}
