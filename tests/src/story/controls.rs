//! What people do with the bot's controls, and what they alone see of it.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use futures_util::{SinkExt, StreamExt};
use kaiwa_domain::OptionKind;
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::Story;
use super::person::{Person, answered};
use crate::soon;

impl Story {
    /// What somebody sees on their own screen from now on.
    pub async fn screen_of(&self, name: &str) -> Screen {
        Screen::open(&self.ready.gateway_url, self.person(name).token).await
    }
}

impl Story {
    /// The names of all commands that the bot has, subcommands with the name of
    /// the whole.
    pub fn command_names(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for command in self.actions().commands() {
            let name = command.name.text;
            let subs = command.options.iter().filter_map(|it| match it.kind {
                OptionKind::Subcommand(_) => Some(format!("{name} {}", it.name.text)),
                OptionKind::Value { .. } => None,
            });
            let subs: Vec<String> = subs.collect();
            if subs.is_empty() {
                all.insert(name);
            } else {
                all.extend(subs);
            }
        }
        all
    }

    /// Waits until somebody can use as many commands as the bot has.
    pub async fn commands_are_registered(&self, name: &str) {
        let all = self.actions().commands().len();
        soon("the commands", async {
            while self.person(name).commands("general").await.len() < all {
                // Real time: the bot registers in its own.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    /// Whatever people did with controls is done and written down.
    pub async fn controls_are_done(&self) {
        let store = self.store.as_ref().expect("a database");
        soon("the controls to be done", async {
            while !store.unfinished_scopes().await.expect("scopes").is_empty() {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

/// One person's screen: what Discord tells their client.
pub struct Screen {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Screen {
    /// The screen of whoever has this token.
    pub async fn open(gateway_url: &str, token: &str) -> Self {
        let url = format!("{gateway_url}/?v=10&encoding=json");
        let (mut socket, _) = connect_async(url).await.expect("a gateway");
        let properties = json!({"os": "", "browser": "", "device": ""});
        let identify = json!({"op": 2, "d": {
            "token": token, "properties": properties, "intents": 0}});
        let frame = Frame::text(identify.to_string());
        socket.send(frame).await.expect("it is heard");
        let mut screen = Self { socket };
        screen.sees("READY", |_| true).await;
        screen
    }

    /// Waits for an event that fits.
    pub async fn sees(&mut self, kind: &str, fits: impl Fn(&Value) -> bool) -> Value {
        soon(kind, async {
            loop {
                let frame = self.socket.next().await.expect("a connection");
                let Frame::Text(text) = frame.expect("a frame") else {
                    continue;
                };
                let event: Value = serde_json::from_str(&text).expect("an event");
                if event["t"] == kind && fits(&event["d"]) {
                    return event["d"].clone();
                }
            }
        })
        .await
    }

    /// Waits for the answer to a command or a button: what the bot says once it
    /// has thought.
    pub async fn sees_answer(&mut self) -> Value {
        let said = |message: &Value| {
            let thinking = message["flags"].as_u64().unwrap_or(0) & 128 != 0;
            message["author"]["bot"] == true && !thinking
        };
        self.sees("MESSAGE_UPDATE", said).await
    }
}

impl Person<'_> {
    /// Uses a slash command: its name, with that of the subcommand if there is
    /// one, and its options.
    pub async fn uses(&self, channel: &str, command: &str, options: Value) {
        let status = self.tries(channel, command, options).await;
        assert_eq!(status, 204, "/{command}");
    }

    /// Uses a slash command with a file: the option whose value is 0.
    pub async fn uses_with_file(
        &self,
        channel: &str,
        command: &str,
        options: Value,
        file: (&str, &[u8]),
    ) {
        let channel = self.story.channel(channel);
        let mut data = self.command_data(&channel, command, options).await;
        data["attachments"] = json!([{ "id": "0", "filename": file.0 }]);
        let payload = self.interaction(&channel, 2, None, &data);
        let name = file.0;
        let mut body = format!(
            "--tea\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\
             content-type: application/json\r\n\r\n{payload}\r\n--tea\r\n\
             content-disposition: form-data; name=\"files[0]\"; filename=\"{name}\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file.1);
        body.extend_from_slice(b"\r\n--tea--\r\n");
        let request = self
            .request("interactions")
            .header("content-type", "multipart/form-data; boundary=tea")
            .body(body);
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status().as_u16(), 204, "/{command}");
    }

    /// The same, and what Discord says to it.
    pub async fn tries(&self, channel: &str, command: &str, options: Value) -> u16 {
        let channel = self.story.channel(channel);
        let data = self.command_data(&channel, command, options).await;
        self.interacts(&channel, 2, None, data).await
    }

    async fn command_data(&self, channel: &str, command: &str, options: Value) -> Value {
        let (name, sub) = match command.split_once(' ') {
            Some((name, sub)) => (name, Some(sub)),
            None => (command, None),
        };
        let registered = self.command(channel, name).await;
        let options: Vec<Value> = options
            .as_object()
            .map(|options| given(&registered, sub, options))
            .unwrap_or_default();
        let options = match sub {
            Some(sub) => json!([{"type": 1, "name": sub, "options": options}]),
            None => json!(options),
        };
        json!({
            "id": registered["id"], "version": registered["version"],
            "name": name, "type": 1, "options": options,
        })
    }

    /// Presses a button of a message.
    pub async fn presses(&self, message: &Value, label: &str) {
        let rows = message["components"].as_array().into_iter().flatten();
        let buttons = rows.flat_map(|row| row["components"].as_array().into_iter().flatten());
        let button = buttons
            .into_iter()
            .find(|button| button["label"] == label)
            .expect("such a button");
        let channel = message["channel_id"].as_str().expect("a channel");
        let data = json!({"component_type": 2, "custom_id": button["custom_id"]});
        let id = message["id"].as_str();
        let status = self.interacts(channel, 3, id, data).await;
        assert_eq!(status, 204, "{label}");
    }

    /// Fills in a form that is on the screen.
    pub async fn fills_in(&self, channel: &str, form: &Value, fields: &[(&str, &str)]) {
        let rows: Vec<Value> = fields
            .iter()
            .map(|(name, value)| {
                let field = json!({"type": 4, "custom_id": name, "value": value});
                json!({"type": 18, "component": field})
            })
            .collect();
        let data = json!({
            "id": form["id"], "custom_id": form["custom_id"], "components": rows,
        });
        let channel = self.story.channel(channel);
        let status = self.interacts(&channel, 5, None, data).await;
        assert_eq!(status, 204);
    }

    /// The names of the commands that can be used in a channel by now.
    pub async fn commands(&self, channel: &str) -> Vec<String> {
        let all = self.registered(&self.story.channel(channel)).await;
        let names = all.iter().filter_map(|it| it["name"].as_str());
        names.map(str::to_owned).collect()
    }

    async fn registered(&self, channel: &str) -> Vec<Value> {
        let path = format!("channels/{channel}/application-command-index");
        let index = answered(self.asks(Method::GET, &path)).await;
        let all = index["application_commands"].as_array().cloned();
        all.unwrap_or_default()
    }

    /// A command that can be used in a channel, once the bot has registered it.
    async fn command(&self, channel: &str, name: &str) -> Value {
        soon("the command", async {
            loop {
                let mut all = self.registered(channel).await.into_iter();
                if let Some(found) = all.find(|it| it["name"] == name) {
                    return found;
                }
                // Real time: the bot registers in its own.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
    }

    async fn interacts(&self, channel: &str, kind: u8, message: Option<&str>, data: Value) -> u16 {
        let body = self.interaction(channel, kind, message, &data);
        let response = self.request("interactions").json(&body).send().await;
        response.expect("an answer").status().as_u16()
    }

    fn interaction(&self, channel: &str, kind: u8, message: Option<&str>, data: &Value) -> Value {
        let mut body = json!({
            "type": kind,
            "application_id": self.story.ready.bot.application_id,
            "channel_id": channel,
            "session_id": "story",
            "data": data,
        });
        if let Some(message) = message {
            body["message_id"] = json!(message);
        }
        body
    }
}

/// Options as a client sends them: with their types.
fn given(registered: &Value, sub: Option<&str>, options: &Map<String, Value>) -> Vec<Value> {
    let declared = |name: &str| {
        let all = registered["options"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let all = match sub {
            Some(sub) => {
                let sub = all.into_iter().find(|it| it["name"] == sub);
                let inner = sub.map(|it| it["options"].clone()).unwrap_or_default();
                inner.as_array().cloned().unwrap_or_default()
            }
            None => all,
        };
        all.into_iter().find(|it| it["name"] == name)
    };
    options
        .iter()
        .map(|(name, value)| {
            let kind = declared(name).map(|it| it["type"].clone());
            json!({"name": name, "value": value, "type": kind.unwrap_or_else(|| json!(3))})
        })
        .collect()
}
