//! People use commands and components, and the bot answers.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Caller, Gateway, Reply, TestEmulator};

/// A bot that listens, a human who uses it, and one who looks on.
pub(crate) struct Scene<'a> {
    pub(crate) server: &'a TestEmulator,
    pub(crate) bot: Caller<'a>,
    pub(crate) ben: Caller<'a>,
    pub(crate) to_bot: Gateway,
    pub(crate) to_ben: Gateway,
    pub(crate) to_mika: Gateway,
    pub(crate) channel: String,
}

impl<'a> Scene<'a> {
    pub(crate) async fn set(server: &'a TestEmulator) -> Self {
        let (bot, ben) = (server.bot(), server.human("Ben"));
        Self {
            to_bot: bot.join(ALL).await,
            to_ben: ben.join(1).await,
            to_mika: server.human("Mika").join(1).await,
            channel: server.channel("general").to_owned(),
            bot,
            ben,
            server,
        }
    }

    pub(crate) fn application(&self) -> &str {
        &self.server.ready.bot.application_id
    }

    pub(crate) async fn command(&self, body: Value) -> Value {
        let path = format!("/applications/{}/commands", self.application());
        let made = self.bot.post(&path, body).await;
        assert!(made.status.is_success(), "{:?}", made.json);
        made.json
    }

    /// What a client sends when Ben does something.
    pub(crate) async fn ask(&self, kind: u64, message: Option<&Value>, data: Value) -> Reply {
        let mut body = json!({
            "type": kind, "application_id": self.application(), "nonce": "n1",
            "guild_id": self.server.ready.guild_id, "channel_id": self.channel,
            "session_id": "s", "data": data,
        });
        if let Some(message) = message {
            body["message_id"] = message["id"].clone();
        }
        self.ben.post("/interactions", body).await
    }

    /// The same, and what the bot hears of it.
    pub(crate) async fn asked(&mut self, kind: u64, message: Option<&Value>, data: Value) -> Value {
        let reply = self.ask(kind, message, data).await;
        assert_eq!(reply.status, 204, "{:?}", reply.json);
        let begun = self.to_ben.until("INTERACTION_CREATE").await;
        let heard = self.to_bot.until("INTERACTION_CREATE").await;
        assert_eq!(begun, json!({ "id": heard["id"], "nonce": "n1" }));
        heard
    }

    pub(crate) async fn used(&mut self, command: &Value, options: Value) -> Value {
        let data = json!({
            "id": command["id"], "name": command["name"], "type": 1,
            "version": command["version"], "options": options,
        });
        self.asked(2, None, data).await
    }

    /// The bot's first answer. It needs no token of the bot's.
    pub(crate) async fn answer(&self, heard: &Value, body: Value) -> Reply {
        let (id, token) = (&heard["id"], &heard["token"]);
        let path = format!(
            "/interactions/{}/{}/callback?with_response=true",
            id.as_str().unwrap(),
            token.as_str().unwrap()
        );
        let request = self.server.request(Method::POST, &path).json(&body);
        self.server.send(request).await.unwrap()
    }

    pub(crate) async fn hook(
        &self,
        heard: &Value,
        method: Method,
        below: &str,
        body: Value,
    ) -> Reply {
        let token = heard["token"].as_str().unwrap();
        let path = format!("/webhooks/{}/{token}{below}", self.application());
        let mut request = self.server.request(method, &path);
        if !body.is_null() {
            request = request.json(&body);
        }
        self.server.send(request).await.unwrap()
    }

    /// Both have seen all that was sent before.
    pub(crate) async fn history(&self) -> Vec<Value> {
        let path = format!("/channels/{}/messages", self.channel);
        let history = self.ben.get(&path).await.json;
        history.as_array().unwrap().clone()
    }
}

pub(crate) fn ping() -> Value {
    json!({ "name": "ping", "description": "Pong" })
}

#[tokio::test]
async fn a_slash_command_reaches_its_bot_and_the_answer_reaches_all() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    for (key, expected) in [
        ("type", json!(2)),
        ("version", json!(1)),
        ("application_id", json!(scene.application())),
        ("guild_id", json!(server.ready.guild_id)),
        ("channel_id", json!(scene.channel)),
        ("locale", json!("en-US")),
        ("guild_locale", json!("en-US")),
        ("context", json!(0)),
        ("entitlements", json!([])),
        (
            "authorizing_integration_owners",
            json!({ "0": server.ready.guild_id }),
        ),
        ("attachment_size_limit", json!(10 * 1024 * 1024)),
    ] {
        assert_eq!(heard[key], expected, "{key}");
    }
    assert_eq!(heard["member"]["user"]["id"], scene.ben.id.as_str());
    for key in [&heard["member"]["permissions"], &heard["app_permissions"]] {
        let bits: u64 = key.as_str().unwrap().parse().unwrap();
        assert!(bits & 1 << 11 != 0);
    }
    assert_eq!(heard["data"]["name"], "ping");
    assert_eq!(heard["channel"]["id"], scene.channel.as_str());
    assert!(heard.get("user").is_none());

    let body = json!({ "type": 4, "data": { "content": "pong", "tts": false } });
    let answer = scene.answer(&heard, body).await;
    assert_eq!(answer.status, 200, "{:?}", answer.json);
    assert_eq!(answer.json["interaction"]["id"], heard["id"]);
    assert_eq!(
        answer.json["interaction"]["response_message_ephemeral"],
        false
    );
    let message = &answer.json["resource"]["message"];
    assert_eq!(answer.json["resource"]["type"], 4);
    assert_eq!(message["type"], 20);
    assert_eq!(message["author"]["id"], scene.bot.id.as_str());
    assert_eq!(message["webhook_id"], scene.application());
    assert_eq!(message["application_id"], scene.application());
    let metadata = &message["interaction_metadata"];
    assert_eq!(metadata["id"], heard["id"]);
    assert_eq!(metadata["type"], 2);
    assert_eq!(metadata["user"]["id"], scene.ben.id.as_str());
    assert_eq!(message["interaction"]["name"], "ping");
    let success = scene.to_ben.until("INTERACTION_SUCCESS").await;
    assert_eq!(success, json!({ "id": heard["id"], "nonce": "n1" }));
    let seen = scene.to_mika.until("MESSAGE_CREATE").await;
    assert_eq!(seen["content"], "pong");
    assert_eq!(scene.history().await[0]["content"], "pong");

    let twice = scene
        .answer(&heard, json!({ "type": 4, "data": { "content": "x" } }))
        .await;
    assert_eq!(
        (twice.status.as_u16(), &twice.json["code"]),
        (400, &json!(40060))
    );
    let mut other = heard.clone();
    other["token"] = json!("wrong");
    let wrong = scene.answer(&other, json!({ "type": 5 })).await;
    assert_eq!(
        (wrong.status.as_u16(), &wrong.json["code"]),
        (404, &json!(10062))
    );
}

#[tokio::test]
async fn options_are_checked_and_resolved() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let option = |kind: u64, name: &str| json!({ "type": kind, "name": name, "description": "d" });
    let mut size = option(4, "size");
    size["min_value"] = json!(1);
    size["max_value"] = json!(9);
    let mut color = option(3, "color");
    color["choices"] = json!([{ "name": "Red", "value": "red" }]);
    let mut what = option(3, "what");
    what["required"] = json!(true);
    let command = json!({ "name": "all", "description": "d", "options": [
        { "type": 1, "name": "make", "description": "d", "options": [
            what, size, color, option(5, "sure"), option(6, "who"), option(7, "where"),
            option(8, "role"), option(9, "any"), option(10, "ratio"),
        ]},
    ]});
    let command = scene.command(command).await;
    let roles = &server.ready.guilds[0].roles;
    let inner = json!([
        { "type": 3, "name": "what", "value": "tea" },
        { "type": 4, "name": "size", "value": "3" },
        { "type": 3, "name": "color", "value": "red" },
        { "type": 5, "name": "sure", "value": true },
        { "type": 6, "name": "who", "value": scene.bot.id },
        { "type": 7, "name": "where", "value": server.channel("random") },
        { "type": 8, "name": "role", "value": roles["Keeper"] },
        { "type": 9, "name": "any", "value": scene.ben.id },
        { "type": 10, "name": "ratio", "value": 0.5 },
    ]);
    let given = json!([{ "type": 1, "name": "make", "options": inner }]);
    let heard = scene.used(&command, given).await;
    let make = &heard["data"]["options"][0];
    assert_eq!((&make["name"], &make["type"]), (&json!("make"), &json!(1)));
    assert_eq!(
        make["options"][1],
        json!({ "type": 4, "name": "size", "value": 3 })
    );
    let resolved = &heard["data"]["resolved"];
    let bot = scene.bot.id.as_str();
    assert_eq!(resolved["users"][bot]["bot"], true);
    assert!(resolved["members"][bot]["permissions"].is_string());
    assert!(resolved["members"][bot].get("user").is_none());
    assert_eq!(
        resolved["channels"][server.channel("random")]["name"],
        "random"
    );
    assert_eq!(resolved["roles"][&roles["Keeper"]]["name"], "Keeper");
    let refuse = async |options: Value| {
        let data = json!({ "id": command["id"], "name": "all", "type": 1, "options": options });
        let reply = scene.ask(2, None, data).await;
        assert_eq!(reply.json["code"], 50035, "{options}");
    };
    let make = |options: Value| json!([{ "type": 1, "name": "make", "options": options }]);
    let tea = json!({ "type": 3, "name": "what", "value": "tea" });
    refuse(json!([])).await;
    refuse(make(json!([]))).await;
    refuse(make(
        json!([tea, { "type": 4, "name": "size", "value": 10 }]),
    ))
    .await;
    refuse(make(
        json!([tea, { "type": 4, "name": "size", "value": 1.5 }]),
    ))
    .await;
    refuse(make(
        json!([tea, { "type": 3, "name": "color", "value": "blue" }]),
    ))
    .await;
    refuse(make(
        json!([tea, { "type": 6, "name": "who", "value": "17" }]),
    ))
    .await;
    refuse(make(
        json!([tea, { "type": 3, "name": "more", "value": "x" }]),
    ))
    .await;
    refuse(make(json!([tea, tea]))).await;
    let channel = json!([tea, { "type": 7, "name": "where", "value": server.channel("staff") }]);
    refuse(make(channel)).await;
}

#[tokio::test]
async fn autocomplete_goes_back_to_the_one_who_types() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = json!({ "name": "find", "description": "d", "options": [
        { "type": 3, "name": "q", "description": "d", "autocomplete": true, "required": true },
        { "type": 4, "name": "n", "description": "d", "required": false },
    ]});
    let command = scene.command(command).await;
    let data = json!({ "id": command["id"], "name": "find", "type": 1, "options": [
        { "type": 3, "name": "q", "value": "te", "focused": true },
    ]});
    let heard = scene.asked(4, None, data.clone()).await;
    assert_eq!(heard["type"], 4);
    let expected = json!({ "type": 3, "name": "q", "value": "te", "focused": true });
    assert_eq!(heard["data"]["options"][0], expected);
    let wrong = json!({ "type": 8, "data": { "choices": [{ "name": "", "value": "tea" }] } });
    let wrong = scene.answer(&heard, wrong).await;
    assert!(
        wrong.json["errors"]["data"]["choices"]["0"]["name"].is_object(),
        "{:?}",
        wrong.json
    );
    assert_eq!(
        scene
            .answer(&heard, json!({ "type": 4, "data": { "content": "x" } }))
            .await
            .json["code"],
        50035
    );
    let body = json!({ "type": 8, "data": { "choices": [{ "name": "Tea", "value": "tea" }] } });
    assert_eq!(scene.answer(&heard, body).await.status, 200);
    let told = scene
        .to_ben
        .until("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE")
        .await;
    assert_eq!(told["nonce"], "n1");
    assert_eq!(told["choices"][0]["value"], "tea");
    let mut unfocused = data;
    unfocused["options"][0]["focused"] = json!(false);
    assert_eq!(scene.ask(4, None, unfocused).await.json["code"], 50035);
}

#[tokio::test]
async fn context_menus_name_their_target() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let look = scene.command(json!({ "name": "Look At", "type": 2 })).await;
    let keep = scene.command(json!({ "name": "Keep", "type": 3 })).await;
    let said = server.human("Mika").say(&scene.channel, "keep this").await;
    let data = json!({ "id": look["id"], "name": "Look At", "type": 2, "target_id": scene.bot.id });
    let heard = scene.asked(2, None, data).await;
    assert_eq!(heard["data"]["target_id"], scene.bot.id.as_str());
    let users = &heard["data"]["resolved"]["users"];
    assert_eq!(users[scene.bot.id.as_str()]["bot"], true);
    let data = json!({ "id": keep["id"], "name": "Keep", "type": 3, "target_id": said["id"] });
    let heard = scene.asked(2, None, data).await;
    let messages = &heard["data"]["resolved"]["messages"];
    assert_eq!(
        messages[said["id"].as_str().unwrap()]["content"],
        "keep this"
    );
    let answer = scene
        .answer(&heard, json!({ "type": 4, "data": { "content": "kept" } }))
        .await;
    let message = &answer.json["resource"]["message"];
    assert_eq!(message["type"], 23);
    assert_eq!(
        message["interaction_metadata"]["target_message_id"],
        said["id"]
    );
    let data = json!({ "id": keep["id"], "name": "Keep", "type": 3, "target_id": "17" });
    assert_eq!(scene.ask(2, None, data).await.json["code"], 50035);
}

#[tokio::test]
async fn bots_ask_nothing_and_the_right_bot_hears() {
    let world =
        include_str!("../../src/world/tea_house.toml").to_owned() + "\n[[bots]]\nname = 'Dice'\n";
    let world = kaiwa_emulator::World::from_toml(&world).unwrap();
    let server = TestEmulator::of(world.without_limits()).await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let mut to_dice = server.bot_named("Dice").join(ALL).await;
    scene.used(&command, json!([])).await;
    to_dice.heartbeat().await;
    let body = json!({ "type": 2 });
    let refused = scene.bot.post("/interactions", body).await;
    assert_eq!(refused.json["code"], 20001);
    let dice = &server.ready.bots[1].application_id;
    let body = json!({ "type": 2, "application_id": dice, "channel_id": scene.channel,
        "data": { "id": command["id"], "name": "ping", "type": 1 } });
    let wrong = scene.ben.post("/interactions", body).await;
    assert_eq!(wrong.json["code"], 10063, "it is another bot's command");
    let outdated = json!({ "id": command["id"], "name": "ping", "type": 1, "version": "17" });
    assert_eq!(scene.ask(2, None, outdated).await.json["code"], 50035);
    assert_eq!(scene.ask(7, None, json!({})).await.json["code"], 50035);
    let dm = scene.ben.open_dm(&scene.bot.id).await;
    let body = json!({ "type": 2, "application_id": scene.application(), "channel_id": dm,
        "data": { "id": command["id"], "name": "ping", "type": 1 } });
    assert_eq!(scene.ben.post("/interactions", body).await.status, 204);
    let heard = scene.to_bot.until("INTERACTION_CREATE").await;
    assert_eq!(heard["user"]["id"], scene.ben.id.as_str());
    assert_eq!((&heard["context"], heard.get("member")), (&json!(1), None));
}

#[tokio::test]
async fn a_file_given_to_a_command_can_be_fetched() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let option = json!({ "type": 11, "name": "file", "description": "A file", "required": true });
    let body = json!({ "name": "read", "description": "Reads", "options": [option] });
    let command = scene.command(body).await;
    let ask = json!({
        "type": 2, "application_id": scene.application(), "nonce": "n1",
        "guild_id": server.ready.guild_id, "channel_id": scene.channel, "session_id": "s",
        "data": {
            "id": command["id"], "name": "read", "type": 1, "version": command["version"],
            "options": [{ "type": 11, "name": "file", "value": "0" }],
            "attachments": [{ "id": "0", "filename": "tea.txt" }],
        },
    });
    let form = format!(
        "--b\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\r\n{ask}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"files[0]\"; filename=\"tea.txt\"\r\n\r\ngreen\r\n--b--\r\n"
    );
    let request = scene.ben.request(Method::POST, "/interactions");
    let request = request.header("content-type", "multipart/form-data; boundary=b");
    assert_eq!(server.send(request.body(form)).await.unwrap().status, 204);
    let heard = scene.to_bot.until("INTERACTION_CREATE").await;
    let id = heard["data"]["options"][0]["value"].as_str().unwrap();
    let file = &heard["data"]["resolved"]["attachments"][id];
    assert_eq!(
        (&file["filename"], &file["size"]),
        (&json!("tea.txt"), &json!(5))
    );
    let url = file["url"].as_str().unwrap();
    let read = server.http().get(url).send().await.unwrap();
    assert_eq!(read.text().await.unwrap(), "green");
}
