//! What people do besides writing: they change and delete what they wrote,
//! react, open threads, and send what is no text.

use axum::http::Method;
use serde_json::{Value, json};

use super::Story;
use super::person::{Person, SentMessage, answered};

/// A PNG of one pixel.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

impl Story {
    /// Waits until the bot has changed a message, and gives what it says then.
    pub async fn sees_changed(&mut self, message: &SentMessage) -> String {
        let id = message.id.clone();
        let changed = self
            .next("a message to be changed", |event| {
                event["t"] == "MESSAGE_UPDATE" && event["d"]["id"] == *id
            })
            .await;
        changed["d"]["content"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until a message is gone.
    pub async fn sees_gone(&mut self, message: &SentMessage) {
        let id = message.id.clone();
        self.next("a message to be deleted", |event| {
            event["t"] == "MESSAGE_DELETE" && event["d"]["id"] == *id
        })
        .await;
    }

    /// A message of the bot's, with all that is in it.
    pub async fn message(&self, message: &SentMessage) -> Value {
        let path = format!("channels/{}/messages/{}", message.channel, message.id);
        let reader = self.ready.users.first().expect("somebody");
        answered(self.person(&reader.name).asks(Method::GET, &path)).await
    }

    /// Whom a message of the bot's pings, as Discord has it now.
    pub async fn pings_of(&self, message: &SentMessage) -> Vec<String> {
        SentMessage::of(&self.message(message).await).pings
    }

    /// The id of a channel.
    pub fn channel_id(&self, channel: &str) -> String {
        self.channel(channel)
    }

    /// The bot's account posts the body of Create Message, whether or not the
    /// bot runs.
    pub fn bot_posts(&self, channel: &str, body: Value) -> SentMessage {
        let channel = self.channel(channel);
        let posted = self.emulator.post(&self.ready.bot.id, &channel, body);
        SentMessage::of(&posted.expect("a message"))
    }
}

impl Story {
    /// Waits until a message of the bot's was edited to say `text`, and gives
    /// all of it as it is then.
    pub async fn sees_edit(&mut self, of: &SentMessage, text: &str) -> Value {
        let what = format!("the bot to edit its message to {text:?}");
        let event = self
            .next(&what, |event| {
                event["t"] == "MESSAGE_UPDATE"
                    && event["d"]["id"] == *of.id
                    && event["d"]["content"] == text
            })
            .await;
        event["d"].clone()
    }

    /// Every text that a message of the bot's had so far, without repetition.
    pub fn versions(&mut self, of: &SentMessage) -> Vec<String> {
        self.catch_up();
        let mut texts: Vec<String> = Vec::new();
        for it in &self.log {
            let edited = it.event["t"] == "MESSAGE_UPDATE" || it.event["t"] == "MESSAGE_CREATE";
            let text = it.event["d"]["content"].as_str();
            if let Some(text) = text.filter(|_| edited && it.event["d"]["id"] == *of.id)
                && texts.last().map(String::as_str) != Some(text)
            {
                texts.push(text.to_owned());
            }
        }
        texts
    }
}

impl Person<'_> {
    /// Changes the text of one's own message.
    pub async fn edits(&self, message: &SentMessage, text: &str) -> SentMessage {
        let body = json!({"content": self.with_mention(text)});
        let request = self.asks(Method::PATCH, &path(message));
        SentMessage::of(&answered(request.json(&body)).await)
    }

    /// Deletes a message.
    pub async fn deletes(&self, message: &SentMessage) {
        self.does(Method::DELETE, &path(message)).await;
    }

    /// Deletes a channel.
    pub async fn deletes_channel(&self, channel: &str) {
        let channel = self.story.channel(channel);
        self.does(Method::DELETE, &format!("channels/{channel}"))
            .await;
    }

    /// Kicks the bot.
    pub async fn kicks_bot(&self) {
        let (guild, bot) = (&self.story.ready.guild_id, &self.story.ready.bot.id);
        self.does(Method::DELETE, &format!("guilds/{guild}/members/{bot}"))
            .await;
    }

    /// Reacts to a message, with an emoji or the name of one of a guild's.
    pub async fn reacts(&self, to: &SentMessage, emoji: &str) {
        self.does(Method::PUT, &self.reaction(to, emoji)).await;
    }

    /// Takes a reaction back.
    pub async fn unreacts(&self, to: &SentMessage, emoji: &str) {
        self.does(Method::DELETE, &self.reaction(to, emoji)).await;
    }

    /// Opens a thread that everybody sees in a channel, and gives its id.
    pub async fn opens_thread(&self, channel: &str, name: &str) -> String {
        let path = format!("channels/{}/threads", self.story.channel(channel));
        let body = json!({"name": name, "type": 11});
        id(&answered(self.request(&path).json(&body)).await)
    }

    /// Closes a thread to all but those who manage threads, or puts it away, or
    /// undoes that: `locked` or `archived`.
    pub async fn marks_thread(&self, thread: &str, mark: &str, set: bool) {
        let request = self.asks(Method::PATCH, &format!("channels/{thread}"));
        answered(request.json(&json!({mark: set}))).await;
    }

    /// Leaves a guild.
    pub async fn leaves_guild(&self, guild: &str) {
        let mut guilds = self.story.ready.guilds.iter();
        let id = &guilds.find(|it| it.name == guild).expect("a guild").id;
        self.does(Method::DELETE, &format!("users/@me/guilds/{id}"))
            .await;
    }

    /// Opens a thread for those who are asked into it, and gives its id.
    pub async fn opens_private_thread(&self, channel: &str, name: &str) -> String {
        let path = format!("channels/{}/threads", self.story.channel(channel));
        let body = json!({"name": name, "type": 12});
        id(&answered(self.request(&path).json(&body)).await)
    }

    /// Opens a thread on a message, and gives its id.
    pub async fn opens_thread_on(&self, message: &SentMessage, name: &str) -> String {
        let path = format!("{}/threads", path(message));
        let body = json!({"name": name});
        id(&answered(self.request(&path).json(&body)).await)
    }

    /// Begins a post in a forum. The message stands in the post.
    pub async fn begins_post(&self, forum: &str, title: &str, text: &str) -> SentMessage {
        let path = format!("channels/{}/threads", self.story.channel(forum));
        let body = json!({"name": title, "message": {"content": self.with_mention(text)}});
        let post = answered(self.request(&path).json(&body)).await;
        SentMessage::of(&post["message"])
    }

    /// Deletes a thread, as those who manage threads can.
    pub async fn closes(&self, thread: &str) {
        self.does(Method::DELETE, &format!("channels/{thread}"))
            .await;
    }

    /// Sends a box with a title and a text, as bots do.
    pub async fn embeds(&self, channel: &str, title: &str, text: &str) -> SentMessage {
        let embed = json!({"embeds": [{"title": title, "description": text}]});
        let channel = self.story.channel(channel);
        self.post(&channel, "", &embed).await
    }

    /// Says something to a role of the first guild, by the role's name.
    pub async fn says_to_role(&self, channel: &str, role: &str, text: &str) -> SentMessage {
        let guild = self.story.ready.guilds.first().expect("a guild");
        let id = &guild.roles[role];
        self.says(channel, &format!("<@&{id}> {text}")).await
    }

    /// Gives the first guild an emoji, and gives its id.
    pub async fn adds_emoji(&self, name: &str) -> String {
        let path = format!("guilds/{}/emojis", self.story.ready.guild_id);
        let body = json!({"name": name, "image": PICTURE});
        id(&answered(self.request(&path).json(&body)).await)
    }

    /// Takes an emoji from the first guild.
    pub async fn removes_emoji(&self, emoji: &str) {
        let guild = &self.story.ready.guild_id;
        self.does(Method::DELETE, &format!("guilds/{guild}/emojis/{emoji}"))
            .await;
    }

    /// Gives the first guild a sticker, and gives its id.
    pub async fn adds_sticker(&self, name: &str) -> String {
        let path = format!("guilds/{}/stickers", self.story.ready.guild_id);
        let mut body = Vec::new();
        for (field, value) in [("name", name), ("tags", "tea"), ("description", "Two cups")] {
            let field = format!("content-disposition: form-data; name=\"{field}\"");
            body.extend(format!("--tea\r\n{field}\r\n\r\n{value}\r\n").bytes());
        }
        let file = "content-disposition: form-data; name=\"file\"; filename=\"sticker.png\"";
        body.extend(format!("--tea\r\n{file}\r\n\r\n").bytes());
        body.extend(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01");
        body.extend(b"\r\n--tea--\r\n");
        let request = self
            .request(&path)
            .header("content-type", "multipart/form-data; boundary=tea")
            .body(body);
        id(&answered(request).await)
    }

    /// Takes a sticker from the first guild.
    pub async fn removes_sticker(&self, sticker: &str) {
        let guild = &self.story.ready.guild_id;
        self.does(
            Method::DELETE,
            &format!("guilds/{guild}/stickers/{sticker}"),
        )
        .await;
    }

    /// Sends a sticker of the first guild, by its name.
    pub async fn sends_sticker(&self, channel: &str, name: &str) -> SentMessage {
        let guild = self.story.ready.guilds.first().expect("a guild");
        let sticker = json!({"sticker_ids": [guild.stickers[name]]});
        let channel = self.story.channel(channel);
        self.post(&channel, "", &sticker).await
    }

    /// Asks everybody to choose.
    pub async fn polls(&self, channel: &str, question: &str, answers: &[&str]) -> SentMessage {
        let answers: Vec<Value> = answers
            .iter()
            .map(|text| json!({"poll_media": {"text": text}}))
            .collect();
        let poll = json!({"poll": {"question": {"text": question}, "answers": answers}});
        let channel = self.story.channel(channel);
        self.post(&channel, "", &poll).await
    }

    /// Forwards a message to a channel.
    pub async fn forwards(&self, message: &SentMessage, to: &str) -> SentMessage {
        let reference = json!({"message_reference": {
            "type": 1, "message_id": message.id, "channel_id": message.channel,
        }});
        let channel = self.story.channel(to);
        self.post(&channel, "", &reference).await
    }

    fn reaction(&self, to: &SentMessage, emoji: &str) -> String {
        let guilds = &self.story.ready.guilds;
        let of_a_guild = guilds.iter().find_map(|guild| guild.emojis.get(emoji));
        let emoji = match of_a_guild {
            Some(id) => format!("{emoji}:{id}"),
            None => emoji.to_owned(),
        };
        format!("{}/reactions/{emoji}/@me", path(to))
    }

    pub(super) async fn does(&self, method: Method, path: &str) {
        let response = self.asks(method, path).send().await.expect("an answer");
        assert!(response.status().is_success(), "{response:?}");
    }
}

fn path(message: &SentMessage) -> String {
    format!("channels/{}/messages/{}", message.channel, message.id)
}

fn id(channel: &Value) -> String {
    channel["id"].as_str().expect("a channel").to_owned()
}
