//! Many people who write at once.

use std::path::Path;

use serde_json::{Value, json};

use super::{SentMessage, Story};
use crate::soon;

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

    /// What was decided about a message, once it was: the outcome and why.
    pub async fn decided_on(&self, message: &SentMessage) -> (String, String) {
        let channel = message.channel.parse().expect("an id");
        let event: u64 = message.id.parse().expect("an id");
        soon("a decision", async {
            loop {
                let decided = self.decisions.of_channel(channel, usize::MAX);
                let found = decided.into_iter().find(|it| it.trigger.number() == event);
                if let Some(found) = found {
                    return (found.outcome, found.reason);
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }

    /// Waits for what the bot says to a question: a reply to it, or anything
    /// where nobody else talks with the bot.
    pub async fn sees_answer_to(&mut self, question: &SentMessage) -> SentMessage {
        let bot = self.ready.bot.id.clone();
        let crowded = self.channel("general");
        let event = self
            .next("an answer", |event| {
                let said = &event["d"];
                event["t"] == "MESSAGE_CREATE"
                    && said["author"]["id"] == *bot
                    && said["channel_id"] == *question.channel
                    && match said["message_reference"]["message_id"].as_str() {
                        Some(id) => id == question.id,
                        None => question.channel != crowded,
                    }
            })
            .await;
        SentMessage::of(&event["d"])
    }

    /// Where the bot keeps its data.
    pub fn folder(&self) -> &Path {
        self.data.path()
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
