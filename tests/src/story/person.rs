//! The people of a story, and what they say.

use axum::http::Method;
use kaiwa_domain::Rights;
use serde_json::{Value, json};

use super::Story;

/// Somebody in the story.
pub struct Person<'a> {
    pub(super) story: &'a Story,
    pub(super) token: &'a str,
}

/// A message that somebody wrote.
#[derive(Clone, Debug)]
pub struct SentMessage {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub channel: String,
    /// What it says.
    pub text: String,
    /// The message it replies to.
    pub replies_to: Option<String>,
    /// What its first attachment is said to show.
    pub picture: Option<String>,
    /// The name of its first attachment, and where it can be had.
    pub file: Option<(String, String)>,
    /// Whom it pings: "everyone", and the ids of people and roles.
    pub pings: Vec<String>,
}

impl SentMessage {
    pub(super) fn of(message: &Value) -> Self {
        let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
        Self {
            id: text("id"),
            channel: text("channel_id"),
            text: text("content"),
            replies_to: message["message_reference"]["message_id"]
                .as_str()
                .map(str::to_owned),
            picture: message["attachments"][0]["description"]
                .as_str()
                .map(str::to_owned),
            file: message["attachments"].get(0).map(|file| {
                let text = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
                (text("filename"), text("url"))
            }),
            pings: pings(message),
        }
    }
}

fn pings(message: &Value) -> Vec<String> {
    let ids = |key: &str| message[key].as_array().cloned().unwrap_or_default();
    let users = ids("mentions").into_iter().map(|user| user["id"].clone());
    let all = users.chain(ids("mention_roles"));
    let all = all.filter_map(|id| Some(id.as_str()?.to_owned()));
    let everyone = message["mention_everyone"] == true;
    everyone
        .then(|| "everyone".to_owned())
        .into_iter()
        .chain(all)
        .collect()
}

impl Person<'_> {
    /// Says something in a channel. `@Kaiwa` becomes a mention.
    pub async fn says(&self, channel: &str, text: &str) -> SentMessage {
        self.post(&self.story.channel(channel), text, &json!({}))
            .await
    }

    /// Says something and shows a file.
    pub async fn shows(&self, channel: &str, text: &str, name: &str, file: &[u8]) -> SentMessage {
        let channel = self.story.channel(channel);
        let text = self.with_mention(text);
        let payload = json!({"content": text, "attachments": [{"id": 0, "filename": name}]});
        let mut body = format!(
            "--tea\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\
             content-type: application/json\r\n\r\n{payload}\r\n--tea\r\n\
             content-disposition: form-data; name=\"files[0]\"; filename=\"{name}\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--tea--\r\n");
        let request = self
            .request(&format!("channels/{channel}/messages"))
            .header("content-type", "multipart/form-data; boundary=tea")
            .body(body);
        SentMessage::of(&answered(request).await)
    }

    /// Replies to a message.
    pub async fn replies(&self, to: &SentMessage, text: &str) -> SentMessage {
        let reference = json!({"message_reference": {"message_id": to.id}});
        self.post(&to.channel, text, &reference).await
    }

    /// Replies to a message without pinging whoever wrote it.
    pub async fn replies_without_ping(&self, to: &SentMessage, text: &str) -> SentMessage {
        let reference = json!({
            "message_reference": {"message_id": to.id},
            "allowed_mentions": {"parse": [], "replied_user": false},
        });
        self.post(&to.channel, text, &reference).await
    }

    /// Says something to the bot in private.
    pub async fn whispers(&self, text: &str) -> SentMessage {
        let channel = self.direct_messages().await;
        self.post(&channel, text, &json!({})).await
    }

    /// The channel of this person and the bot alone.
    pub async fn direct_messages(&self) -> String {
        let body = json!({"recipient_id": self.story.ready.bot.id});
        let channel = answered(self.request("users/@me/channels").json(&body)).await;
        channel["id"].as_str().expect("a channel").to_owned()
    }

    /// Takes rights from somebody in a channel, as those who manage roles can.
    pub async fn forbids(&self, channel: &str, whom: &str, rights: Rights) {
        self.overwrites(channel, whom, Rights::NONE, rights).await;
    }

    /// Gives somebody rights in a channel.
    pub async fn allows(&self, channel: &str, whom: &str, rights: Rights) {
        self.overwrites(channel, whom, rights, Rights::NONE).await;
    }

    /// Hides a channel of the first guild from everybody who was not let in.
    pub async fn hides(&self, channel: &str) {
        let everyone = self.story.ready.guild_id.clone();
        let deny = Rights::VIEW_CHANNEL;
        self.overwrites_of(channel, (0, &everyone), Rights::NONE, deny)
            .await;
    }

    async fn overwrites(&self, channel: &str, whom: &str, allow: Rights, deny: Rights) {
        let ready = &self.story.ready;
        let mut users = ready.users.iter();
        let user = users.find(|user| user.name == whom);
        let id = user.map_or(&ready.bot.id, |user| &user.id);
        self.overwrites_of(channel, (1, id), allow, deny).await;
    }

    /// For a role (0) or a member (1).
    async fn overwrites_of(
        &self,
        channel: &str,
        (kind, id): (u8, &str),
        allow: Rights,
        deny: Rights,
    ) {
        let ready = &self.story.ready;
        let channel = self.story.channel(channel);
        let url = format!("{}/channels/{channel}/permissions/{id}", ready.api_url);
        let body = json!({
            "type": kind,
            "allow": allow.bits().to_string(),
            "deny": deny.bits().to_string(),
        });
        let request = self.story.http.put(url).json(&body);
        let request = request.header("authorization", self.token);
        let response = request.send().await.expect("an answer");
        assert!(response.status().is_success(), "{response:?}");
    }

    pub(super) async fn post(&self, channel: &str, text: &str, more: &Value) -> SentMessage {
        let mut body = more.clone();
        body["content"] = self.with_mention(text).into();
        let request = self.request(&format!("channels/{channel}/messages"));
        SentMessage::of(&answered(request.json(&body)).await)
    }

    pub(super) fn with_mention(&self, text: &str) -> String {
        text.replace("@Kaiwa", &format!("<@{}>", self.story.ready.bot.id))
    }

    pub(super) fn request(&self, path: &str) -> reqwest::RequestBuilder {
        self.asks(Method::POST, path)
    }

    pub(super) fn asks(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/{path}", self.story.ready.api_url);
        let request = self.story.http.request(method, url);
        request.header("authorization", self.token)
    }
}

pub(super) async fn answered(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.expect("an answer");
    assert!(response.status().is_success(), "{response:?}");
    response.json().await.expect("JSON")
}
