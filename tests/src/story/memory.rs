//! What the bot remembers, changed by the operator while it is away.

use kaiwa_domain::port::{Clock, OptOuts};
use kaiwa_domain::{Audience, FACTS_PER_SCOPE, Fact, FactSource, NewFact, Scope, UserId};

use super::Story;

impl Story {
    /// The operator has the bot remember something: about somebody, or about
    /// the guild. `place` is a guild, or one of its channels if only its readers
    /// may know. The bot is away.
    pub async fn operator_teaches(&self, place: &str, about: Option<&str>, text: &str) {
        let (guild, channel) = match place.split_once('/') {
            Some((guild, _)) => (guild, Some(self.channel(place))),
            None => (place, None),
        };
        let scope = self.guild(guild);
        let audience = channel.map_or(Audience::Scope, |id| {
            Audience::Channel(id.parse().expect("an id"))
        });
        self.teach(scope, audience, about, text).await;
    }

    /// The same, for somebody's direct messages.
    pub async fn operator_teaches_in_whispers_of(&self, name: &str, text: &str) {
        let scope = Scope::Dm(self.user(name));
        self.teach(scope, Audience::Scope, None, text).await;
    }

    /// The operator teaches the bot as much about a guild as there is room for.
    /// The bot is away.
    pub async fn operator_teaches_all(&self, guild: &str) {
        let store = kaiwa::open(self.data.path()).await.expect("a database");
        for number in 0..FACTS_PER_SCOPE {
            let text = format!("cup {number} has a crack");
            let fact = self.taught(self.guild(guild), Audience::Scope, None, &text);
            store.remember(&fact).await.expect("a memory");
        }
        store.close().await.expect("it closes");
    }

    async fn teach(&self, scope: Scope, audience: Audience, about: Option<&str>, text: &str) {
        let fact = self.taught(scope, audience, about, text);
        let store = kaiwa::open(self.data.path()).await.expect("a database");
        store.remember(&fact).await.expect("a memory");
        store.close().await.expect("it closes");
    }

    fn taught(&self, scope: Scope, audience: Audience, about: Option<&str>, text: &str) -> NewFact {
        NewFact {
            scope,
            about: about.map(|name| self.user(name)),
            audience,
            author: None,
            source: FactSource::Operator,
            channel: None,
            message: None,
            text: text.to_owned(),
            learned_at: self.clock.now(),
            expires_at: None,
        }
    }

    /// The operator has the bot forget everything about a guild that holds this
    /// text. The bot is away.
    pub async fn operator_makes_forget(&self, guild: &str, text: &str) {
        let scope = self.guild(guild);
        let store = kaiwa::open(self.data.path()).await.expect("a database");
        let facts = store.facts(scope).await.expect("facts");
        let holds = |fact: &&Fact| fact.learned.text.contains(text);
        for fact in facts.iter().filter(holds) {
            store.forget(scope, fact.id).await.expect("it forgets");
        }
        store.close().await.expect("it closes");
    }

    /// Somebody opts out while the bot runs.
    pub async fn opts_out(&self, name: &str) {
        let memory = self.bot.as_ref().expect("a running bot").memory();
        let (user, now) = (self.user(name), self.clock.now());
        memory.opt_out(user, now).await.expect("it is kept");
    }

    pub(super) fn guild(&self, name: &str) -> Scope {
        let guild = self.ready.guilds.iter().find(|it| it.name == name);
        Scope::Guild(guild.expect("a guild").id.parse().expect("an id"))
    }

    fn user(&self, name: &str) -> UserId {
        let user = self.ready.users.iter().find(|user| user.name == name);
        user.expect("somebody of that name")
            .id
            .parse()
            .expect("an id")
    }
}
