//! Application commands: registered, checked, listed for people.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{Caller, TestEmulator};

pub(crate) struct Shop {
    server: TestEmulator,
}

impl Shop {
    pub(crate) async fn open() -> Self {
        let server = TestEmulator::open().await;
        Self { server }
    }

    pub(crate) fn path(&self) -> String {
        let id = &self.server.ready.bot.application_id;
        format!("/applications/{id}/commands")
    }

    fn guild_path(&self) -> String {
        let ready = &self.server.ready;
        let id = &ready.bot.application_id;
        format!("/applications/{id}/guilds/{}/commands", ready.guild_id)
    }

    pub(crate) fn bot(&self) -> Caller<'_> {
        self.server.bot()
    }

    /// What a person is offered in a channel.
    async fn offered(&self, who: &str, channel: &str) -> Vec<String> {
        let path = format!(
            "/channels/{}/application-command-index",
            self.server.channel(channel)
        );
        let index = self.server.human(who).get(&path).await;
        assert_eq!(index.status, 200, "{:?}", index.json);
        let commands = index.json["application_commands"].as_array().unwrap();
        let names = commands.iter().map(|it| it["name"].as_str().unwrap());
        names.map(str::to_owned).collect()
    }
}

pub(crate) fn slash(name: &str) -> Value {
    json!({ "name": name, "description": "Says something" })
}

#[tokio::test]
async fn commands_are_made_read_changed_and_deleted() {
    let shop = Shop::open().await;
    let bot = shop.bot();
    for path in [shop.path(), shop.guild_path()] {
        let made = bot.post(&path, slash("ping")).await;
        assert_eq!(made.status, 201, "{:?}", made.json);
        assert_eq!(made.json["type"], 1);
        assert_eq!(made.json["name"], "ping");
        assert_eq!(made.json["default_member_permissions"], Value::Null);
        assert_eq!(made.json["nsfw"], false);
        let id = made.json["id"].as_str().unwrap();
        let again = json!({ "name": "ping", "description": "Changed" });
        let again = bot.post(&path, again).await;
        assert_eq!(again.status, 200, "a name is taken over");
        assert_eq!(again.json["id"], id);
        assert_ne!(again.json["version"], made.json["version"]);
        let one = format!("{path}/{id}");
        assert_eq!(bot.get(&one).await.json["description"], "Changed");
        let patch = json!({ "name": "pong", "nsfw": true });
        let edited = bot.call(Method::PATCH, &one, patch).await;
        assert_eq!(edited.json["name"], "pong");
        assert_eq!(edited.json["nsfw"], true);
        assert_eq!(
            edited.json["description"], "Changed",
            "what is not named stays"
        );
        let listed = bot.get(&path).await;
        assert_eq!(listed.json.as_array().unwrap().len(), 1);
        let gone = bot.call(Method::DELETE, &one, Value::Null).await;
        assert_eq!(gone.status, 204);
        for method in [Method::GET, Method::PATCH, Method::DELETE] {
            let reply = bot.call(method, &one, json!({})).await;
            assert_eq!(
                (reply.status.as_u16(), &reply.json["code"]),
                (404, &json!(10063))
            );
        }
    }
}

#[tokio::test]
async fn a_list_replaces_all_commands_of_its_place() {
    let shop = Shop::open().await;
    let bot = shop.bot();
    let put = async |body: Value| bot.call(Method::PUT, &shop.path(), body).await;
    let first = put(json!([slash("a"), slash("b")])).await;
    assert_eq!(first.status, 200, "{:?}", first.json);
    let menu = json!({ "name": "Look At", "type": 2 });
    let second = put(json!([slash("b"), menu])).await;
    assert_eq!(second.json[0]["id"], first.json[1]["id"], "b stays");
    assert_eq!(second.json[0]["version"], first.json[1]["version"]);
    assert_eq!(second.json[1]["description"], "");
    let names: Vec<_> = bot
        .get(&shop.path())
        .await
        .json
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["b", "Look At"]);
    let twice = put(json!([slash("b"), slash("b")])).await;
    assert_eq!(twice.json["code"], 50035);
    let wrong = put(json!([slash("b"), slash("B")])).await;
    assert!(
        wrong.json["errors"]["1"]["name"]["_errors"].is_array(),
        "{:?}",
        wrong.json
    );
    assert_eq!(put(json!({})).await.json["code"], 50035);
    assert_eq!(put(json!([])).await.json, json!([]));
    let many: Vec<Value> = (0..101).map(|it| slash(&format!("c{it}"))).collect();
    assert_eq!(put(json!(many)).await.json["code"], 30032);
    assert_eq!(put(json!(many[..100])).await.status, 200);
    let more = bot.post(&shop.path(), slash("more")).await;
    assert_eq!(more.json["code"], 30032);
}

#[tokio::test]
async fn only_the_bot_registers_and_only_where_it_is() {
    let shop = Shop::open().await;
    let app = &shop.server.ready.bot.application_id;
    let check = async |caller: &Caller<'_>, path: &str, status: u16, code: u64| {
        let reply = caller.post(path, slash("x")).await;
        let got = (reply.status.as_u16(), reply.json["code"].as_u64());
        assert_eq!(got, (status, Some(code)), "{path}");
    };
    let ada = shop.server.human("Ada");
    check(&ada, &shop.path(), 403, 20012).await;
    check(&shop.bot(), "/applications/17/commands", 404, 10002).await;
    check(
        &shop.bot(),
        &format!("/applications/{app}/guilds/17/commands"),
        404,
        10004,
    )
    .await;
    check(
        &shop.bot(),
        &format!("/applications/{app}/guilds/x/commands"),
        400,
        50035,
    )
    .await;
    let index = format!(
        "/channels/{}/application-command-index",
        shop.server.channel("general")
    );
    let refused = shop.bot().get(&index).await;
    assert_eq!(refused.json["code"], 20001);
}

#[tokio::test]
async fn people_are_offered_what_they_may_use() {
    let shop = Shop::open().await;
    let bot = shop.bot();
    let mut admin = slash("admin");
    admin["default_member_permissions"] = json!("0");
    let mut manage = slash("manage");
    manage["default_member_permissions"] = json!((1_u64 << 13).to_string());
    let mut private = slash("private");
    private["contexts"] = json!([1]);
    let all = json!([slash("all"), admin, manage, private]);
    bot.call(Method::PUT, &shop.path(), all).await;
    bot.post(&shop.guild_path(), slash("here")).await;
    assert_eq!(shop.offered("Ben", "general").await, ["all", "here"]);
    let keeper = ["all", "admin", "manage", "here"];
    assert_eq!(shop.offered("Ada", "general").await, keeper);
    let ready = &shop.server.ready;
    let guild = format!("/guilds/{}/application-command-index", ready.guild_id);
    let index = shop.server.human("Ben").get(&guild).await;
    assert_eq!(
        index.json["application_commands"].as_array().unwrap().len(),
        2
    );
    assert_eq!(
        index.json["applications"][0]["id"],
        ready.bot.application_id.as_str()
    );
    let dm = shop.server.human("Ben").open_dm(&bot.id).await;
    let index = format!("/channels/{dm}/application-command-index");
    let index = shop.server.human("Ben").get(&index).await;
    let names: Vec<_> = index.json["application_commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["all", "admin", "manage", "private"]);
}

#[tokio::test]
async fn people_who_manage_a_guild_make_exceptions() {
    let shop = Shop::open().await;
    let (bot, ada, ben) = (
        shop.bot(),
        shop.server.human("Ada"),
        shop.server.human("Ben"),
    );
    let mut gateway = bot.join(1).await;
    let made = bot.post(&shop.path(), slash("ask")).await;
    let id = made.json["id"].as_str().unwrap();
    let one = format!("{}/{id}/permissions", shop.guild_path());
    let missing = bot.get(&one).await;
    assert_eq!(
        (missing.status.as_u16(), &missing.json["code"]),
        (404, &json!(10066))
    );
    let body = json!({ "permissions": [{ "id": ben.id, "type": 2, "permission": false }] });
    for (caller, code) in [(&bot, 20001), (&ben, 50013)] {
        let refused = caller.call(Method::PUT, &one, body.clone()).await;
        assert_eq!(refused.json["code"], code);
    }
    let put = ada.call(Method::PUT, &one, body).await;
    assert_eq!(put.status, 200, "{:?}", put.json);
    let event = gateway
        .until("APPLICATION_COMMAND_PERMISSIONS_UPDATE")
        .await;
    assert_eq!(event, put.json);
    assert_eq!(bot.get(&one).await.json, put.json);
    let all = bot.get(&format!("{}/permissions", shop.guild_path())).await;
    assert_eq!(all.json, json!([put.json]));
    assert!(shop.offered("Ben", "general").await.is_empty());
    assert_eq!(shop.offered("Mika", "general").await, ["ask"]);
    let guild = &shop.server.ready.guild_id;
    let everywhere = guild.parse::<u64>().unwrap() - 1;
    let nowhere_but = json!({ "permissions": [
        { "id": everywhere.to_string(), "type": 3, "permission": false },
        { "id": shop.server.channel("random"), "type": 3, "permission": true },
        { "id": guild, "type": 1, "permission": true },
    ]});
    ada.call(Method::PUT, &one, nowhere_but).await;
    assert!(shop.offered("Mika", "general").await.is_empty());
    assert_eq!(shop.offered("Ben", "random").await, ["ask"]);
    let unknown = json!({ "permissions": [{ "id": "17", "type": 1, "permission": true }] });
    assert_eq!(
        ada.call(Method::PUT, &one, unknown).await.json["code"],
        50035
    );
}
