//! Many people who write at once.

use serde_json::{Value, json};

use super::Story;

/// After so many messages the story looks at what happened, so that it misses
/// nothing, and others get their turn.
const AT_ONCE: usize = 200;

impl Story {
    /// `count` messages in a channel as fast as the emulator takes them, its
    /// writers taking turns. `@Kaiwa` becomes a mention; `text` is told which
    /// message it is.
    pub async fn crowd_writes(
        &mut self,
        people: &[&str],
        channel: &str,
        count: usize,
        text: impl Fn(usize) -> String,
    ) {
        let channel = self.channel(channel);
        let mention = format!("<@{}>", self.ready.bot.id);
        let ids: Vec<String> = people.iter().map(|name| self.person_id(name)).collect();
        for number in 0..count {
            let body = json!({"content": text(number).replace("@Kaiwa", &mention)});
            let posted = self.emulator.post(&ids[number % ids.len()], &channel, body);
            posted.expect("a message");
            if number % AT_ONCE == AT_ONCE - 1 {
                self.catch_up();
                tokio::task::yield_now().await;
            }
        }
        self.catch_up();
    }

    /// The id of somebody.
    pub fn person_id(&self, name: &str) -> String {
        let mut users = self.ready.users.iter();
        let user = users.find(|user| user.name == name);
        user.expect("somebody of that name").id.clone()
    }

    /// Every event of a kind so far, as an observer sees it.
    pub fn events(&mut self, kind: &str) -> Vec<Value> {
        self.catch_up();
        let fits = self.log.iter().filter(|it| it.event["t"] == kind);
        fits.map(|it| it.event["d"].clone()).collect()
    }
}
