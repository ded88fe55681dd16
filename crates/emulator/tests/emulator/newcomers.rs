//! Bots that are made, added to guilds and taken out while the emulator runs.

use kaiwa_emulator::{Emulator, Recording, World};
use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

const APART: &str = "
limits = 'off'
[guild]
name = 'Small'
owner = 'Ann'
[bot]
name = 'Bo'
[[roles]]
name = 'Steward'
permissions = ['manage_guild', 'kick_members']
[[users]]
name = 'Ann'
[[users]]
name = 'Ben'
[[users]]
name = 'Stu'
roles = ['Steward']
[[channels]]
name = 'a'
[[guilds]]
name = 'Other'
owner = 'Ann'
bots = []
[[guilds.members]]
name = 'Ann'
[[guilds.members]]
name = 'Ben'
[[guilds.channels]]
name = 'b'
";

const ADMINISTRATOR: u64 = 1 << 3;
const MANAGE_GUILD: u64 = 1 << 5;

async fn apart() -> TestEmulator {
    TestEmulator::of(World::from_toml(APART).unwrap()).await
}

/// A call of the control API: its status, and the answer if there is one.
async fn control(server: &TestEmulator, method: Method, path: &str, body: Value) -> (u16, Value) {
    let page = server.ready.page_url.trim_end_matches('/');
    let request = server
        .http()
        .request(method, format!("{page}/emulator{path}"));
    let reply = request.json(&body).send().await.unwrap();
    let status = reply.status().as_u16();
    (status, reply.json().await.unwrap_or_default())
}

fn link(server: &TestEmulator) -> String {
    let id = &server.ready.bot.application_id;
    format!("/oauth2/authorize?client_id={id}&scope=bot+applications.commands")
}

#[tokio::test]
async fn whoever_manages_a_guild_adds_a_bot_to_it() {
    let server = apart().await;
    let other = server.guild("Other").id.clone();
    let (ann, bot) = (server.human("Ann"), server.bot());
    let mut bo = bot.join(ALL).await;
    let mut hers = ann.join(0).await;
    assert_eq!(
        bot.get(&format!("/guilds/{other}")).await.outcome(),
        (404, 10004)
    );

    let asked = ann.get(&link(&server)).await;
    assert_eq!(asked.json["bot"]["username"], "Bo");
    let names = asked.json["guilds"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|guild| guild["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Small", "Other"], "those that she manages");

    let yes =
        json!({ "guild_id": other, "permissions": MANAGE_GUILD.to_string(), "authorize": true });
    let done = ann.post(&link(&server), yes).await;
    assert_eq!(done.status, 200, "{}", done.json);
    assert!(
        done.json["location"]
            .as_str()
            .unwrap()
            .contains("authorized")
    );

    let told = bo.until("GUILD_CREATE").await;
    assert_eq!(told["id"], json!(other));
    assert_eq!(told["channels"][0]["name"], "b");
    assert_eq!(told["presences"].as_array().unwrap().len(), 1, "Ann");
    // By this libraries tell a guild that is new from one that is back.
    assert_eq!(told.get("unavailable"), None);
    let mut later = Gateway::connect(&server, "").await;
    later.identify(&bot.token, ALL).await;
    assert_eq!(later.until("GUILD_CREATE").await["unavailable"], false);
    let role = hers.until("GUILD_ROLE_CREATE").await["role"].clone();
    assert_eq!(role["name"], "Bo");
    assert_eq!(role["managed"], true);
    assert_eq!(role["tags"]["bot_id"], json!(server.ready.bot.id));
    assert_eq!(role["permissions"], json!(MANAGE_GUILD.to_string()));
    let member = hers.until("GUILD_MEMBER_ADD").await;
    assert_eq!(member["user"]["id"], json!(server.ready.bot.id));
    assert_eq!(member["roles"], json!([role["id"]]));
    let integration = hers.until("INTEGRATION_CREATE").await;
    assert_eq!(
        integration["application"]["id"],
        json!(server.ready.bot.application_id)
    );
    let entry = hers.until("GUILD_AUDIT_LOG_ENTRY_CREATE").await;
    assert_eq!(entry["action_type"], 28);
    assert_eq!(entry["target_id"], json!(server.ready.bot.id));
    let listed = bot.get(&format!("/guilds/{other}/integrations")).await;
    assert_eq!(listed.json[0]["name"], "Bo");
    bot.say(server.channel_of("Other", "b"), "Hello.").await;
}

#[tokio::test]
async fn a_bot_is_added_only_by_those_who_manage_the_guild() {
    let server = apart().await;
    let (small, other) = (
        server.guild("Small").id.clone(),
        server.guild("Other").id.clone(),
    );
    let link = link(&server);
    let check = async |who: &str, path: &str, body: Value, expected: (u16, u64)| {
        let reply = server.human(who).post(path, body.clone()).await;
        assert_eq!(
            reply.outcome(),
            expected,
            "{who} {path} {body}: {}",
            reply.json
        );
    };
    check("Ben", &link, json!({ "guild_id": other }), (403, 50013)).await;
    check("Stu", &link, json!({ "guild_id": other }), (404, 10004)).await;
    check("Ann", &link, json!({}), (400, 50035)).await;
    check("Ann", &link, json!({ "guild_id": "x" }), (400, 50035)).await;
    check(
        "Ann",
        "/oauth2/authorize?scope=bot",
        json!({}),
        (400, 50035),
    )
    .await;
    check(
        "Ann",
        "/oauth2/authorize?scope=bot&client_id=1",
        json!({}),
        (404, 10002),
    )
    .await;
    let identify = link.replace("bot+applications.commands", "identify");
    check("Ann", &identify, json!({ "guild_id": other }), (400, 50035)).await;
    let by_bot = server.bot().post(&link, json!({ "guild_id": other })).await;
    assert_eq!(by_bot.outcome(), (403, 20001));

    let no = json!({ "guild_id": other, "authorize": false });
    let no = server.human("Ann").post(&link, no).await;
    assert!(
        no.json["location"]
            .as_str()
            .unwrap()
            .contains("access_denied")
    );
    let members = server
        .human("Ann")
        .get(&format!("/guilds/{other}/members?limit=9"))
        .await;
    assert_eq!(members.json.as_array().unwrap().len(), 2);

    // Stu manages the guild, but is no administrator, so that the bot becomes none.
    let more =
        json!({ "guild_id": small, "permissions": (ADMINISTRATOR | MANAGE_GUILD).to_string() });
    let mut hers = server.human("Ann").join(0).await;
    assert_eq!(server.human("Stu").post(&link, more).await.status, 200);
    let role = hers.until("GUILD_ROLE_UPDATE").await["role"].clone();
    assert_eq!(
        role["permissions"],
        json!(MANAGE_GUILD.to_string()),
        "that which it had"
    );

    let path = format!("/guilds/{other}/bans/{}", server.ready.bot.id);
    assert_eq!(server.human("Ann").put(&path, json!({})).await.status, 204);
    check("Ann", &link, json!({ "guild_id": other }), (403, 40007)).await;
}

#[tokio::test]
async fn a_bot_that_leaves_or_is_kicked_is_told_and_may_come_again() {
    let server = apart().await;
    let other = server.guild("Other").id.clone();
    let (ann, bot) = (server.human("Ann"), server.bot());
    let mut bo = bot.join(ALL).await;
    let mut hers = ann.join(0).await;
    let yes = json!({ "guild_id": other, "permissions": "1024", "authorize": true });
    let kick = format!("/guilds/{other}/members/{}", server.ready.bot.id);
    let leave = format!("/users/@me/guilds/{other}");
    for (who, path) in [(&ann, &kick), (&bot, &leave)] {
        assert_eq!(ann.post(&link(&server), yes.clone()).await.status, 200);
        let role = hers.until("GUILD_ROLE_CREATE").await["role"]["id"].clone();
        bo.until("GUILD_CREATE").await;
        assert_eq!(who.delete(path).await.status, 204);
        let gone = bo.until("GUILD_DELETE").await;
        assert_eq!(gone, json!({ "id": other }), "not `unavailable`");
        hers.until("GUILD_MEMBER_REMOVE").await;
        assert_eq!(hers.until("GUILD_ROLE_DELETE").await["role_id"], role);
        let integration = hers.until("INTEGRATION_DELETE").await;
        assert_eq!(
            integration["application_id"],
            json!(server.ready.bot.application_id)
        );
        assert_eq!(
            bot.get(&format!("/guilds/{other}")).await.outcome(),
            (404, 10004)
        );
    }
}

#[tokio::test]
async fn a_bot_without_permissions_has_no_role_of_its_own() {
    let server = apart().await;
    let other = server.guild("Other").id.clone();
    let ann = server.human("Ann");
    assert_eq!(
        ann.post(&link(&server), json!({ "guild_id": other }))
            .await
            .status,
        200
    );
    let roles = ann.get(&format!("/guilds/{other}/roles")).await;
    assert_eq!(roles.json.as_array().unwrap().len(), 1, "@everyone alone");
    // Asked again with permissions, it gets one.
    let again = json!({ "guild_id": other, "permissions": "8" });
    assert_eq!(ann.post(&link(&server), again).await.status, 200);
    let member = ann
        .get(&format!("/guilds/{other}/members/{}", server.ready.bot.id))
        .await;
    assert_eq!(member.json["roles"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_application_is_made_while_the_emulator_runs() {
    let server = apart().await;
    let (small, other) = (
        server.guild("Small").id.clone(),
        server.guild("Other").id.clone(),
    );
    let mut bo = server.bot().join(ALL).await;
    let ask = json!({ "name": "Dice", "intents": ["message_content"], "guilds": [small], "permissions": "2048" });
    let (status, dice) = control(&server, Method::POST, "/bots", ask.clone()).await;
    assert_eq!(status, 201, "{dice}");
    let came = bo.until("GUILD_MEMBER_ADD").await;
    assert_eq!(came["user"]["id"], dice["id"]);
    assert_eq!(came["user"]["bot"], true);

    let mut gateway = Gateway::connect(&server, "").await;
    gateway
        .identify(dice["token"].as_str().unwrap(), 1 | 1 << 9 | 1 << 15)
        .await;
    assert_eq!(gateway.until("READY").await["user"]["username"], "Dice");
    assert_eq!(gateway.until("GUILD_CREATE").await["id"], json!(small));
    server
        .bot()
        .say(server.channel("a"), "Two bots meet.")
        .await;
    assert_eq!(
        gateway.until("MESSAGE_CREATE").await["content"],
        "Two bots meet."
    );

    let place = format!(
        "/bots/{}/guilds/{other}",
        dice["application_id"].as_str().unwrap()
    );
    let (status, _) = control(&server, Method::PUT, &place, json!({ "permissions": "8" })).await;
    assert_eq!(status, 204);
    assert_eq!(gateway.until("GUILD_CREATE").await["id"], json!(other));
    let (status, _) = control(&server, Method::DELETE, &place, Value::Null).await;
    assert_eq!(status, 204);
    assert_eq!(gateway.until("GUILD_DELETE").await["id"], json!(other));
    let (status, error) = control(&server, Method::DELETE, &place, Value::Null).await;
    assert_eq!((status, &error["code"]), (404, &json!(10007)));

    let (_, world) = control(&server, Method::GET, "/world", Value::Null).await;
    assert_eq!(world["bots"][1], dice);
    assert_eq!(world["bot"]["name"], "Bo");
    let refused = [
        (ask, 50035),
        (json!({ "name": "ann" }), 50035),
        (json!({ "name": "x" }), 50035),
        (json!({ "name": "Cube", "guilds": ["1"] }), 10004),
    ];
    for (ask, code) in refused {
        let (_, error) = control(&server, Method::POST, "/bots", ask.clone()).await;
        assert_eq!(error["code"], json!(code), "{ask}: {error}");
    }
    let nobody = format!("/bots/1/guilds/{other}");
    let (status, error) = control(&server, Method::PUT, &nobody, json!({})).await;
    assert_eq!((status, &error["code"]), (404, &json!(10002)));
}

/// The token follows from the name, as in a world file.
#[tokio::test]
async fn a_new_bot_has_the_same_token_in_every_run() {
    let mut made = Vec::new();
    for _ in 0..2 {
        let server = apart().await;
        let (_, dice) = control(&server, Method::POST, "/bots", json!({ "name": "Dice" })).await;
        made.push(dice);
    }
    assert_eq!(made[0], made[1]);
}

#[tokio::test]
async fn a_recording_has_the_bots_that_came() {
    let seeded = || World::from_toml(APART).unwrap().with_seed(5);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let emulator = Emulator::new(seeded());
    emulator.record(&path).unwrap();
    let server = TestEmulator::serving(emulator).await;
    let (small, other) = (
        server.guild("Small").id.clone(),
        server.guild("Other").id.clone(),
    );
    let ask = json!({ "name": "Dice", "guilds": [small], "permissions": "2048" });
    let (_, dice) = control(&server, Method::POST, "/bots", ask).await;
    let id = dice["application_id"].as_str().unwrap();
    for (method, place) in [
        (Method::PUT, &other),
        (Method::DELETE, &small),
        (Method::DELETE, &small),
    ] {
        control(
            &server,
            method,
            &format!("/bots/{id}/guilds/{place}"),
            json!({}),
        )
        .await;
    }
    let ann = server.human("Ann");
    for guild in [&small, &other] {
        ann.get(&format!("/guilds/{guild}/members?limit=9")).await;
        ann.get(&format!("/guilds/{guild}/roles")).await;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let replayed = Recording::read(&text).unwrap().replay(seeded()).await;
    assert_eq!((&*replayed.differences, replayed.left_out), (&[][..], 0));
    assert_eq!(replayed.requests, 8);
}
