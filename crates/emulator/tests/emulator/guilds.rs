//! Several guilds side by side: what is of one is not of the other.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, Caller, Gateway, TestEmulator};

#[tokio::test]
async fn people_see_the_guilds_they_are_in_and_no_others() {
    let server = TestEmulator::open().await;
    let check = async |who: &Caller<'_>, expect: &[&str]| {
        let mut gateway = Gateway::connect(&server, "").await;
        gateway.identify(&who.token, ALL).await;
        gateway.event("READY").await;
        for name in expect {
            assert_eq!(gateway.event("GUILD_CREATE").await["name"], *name);
        }
        gateway.heartbeat().await;
        let listed = who.get("/users/@me/guilds").await.json;
        let mut names: Vec<_> = listed.as_array().unwrap().iter().collect();
        names.sort_by_key(|guild| guild["name"] != "Tea House");
        let names: Vec<_> = names.iter().map(|guild| &guild["name"]).collect();
        assert_eq!(names, expect, "the list of {}", who.id);
        for guild in &server.ready.guilds {
            let inside = expect.contains(&&*guild.name);
            let status = if inside { 200 } else { 404 };
            for route in ["", "/channels", "/roles", "/members?limit=9"] {
                let path = format!("/guilds/{}{route}", guild.id);
                assert_eq!(who.get(&path).await.status, status, "{path}");
            }
            for channel in guild.channels.values() {
                let path = format!("/channels/{channel}/messages");
                let allowed = who.get(&path).await.status == 200;
                assert!(inside || !allowed, "{path} of {}", guild.name);
            }
        }
    };
    check(&server.bot(), &["Tea House", "Reading Room"]).await;
    check(&server.human("Ada"), &["Tea House", "Reading Room"]).await;
    check(&server.human("Ben"), &["Tea House"]).await;
    check(&server.human("Noor"), &["Reading Room"]).await;
}

#[tokio::test]
async fn a_list_of_guilds_is_paged() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let mut ids: Vec<u64> = server
        .ready
        .guilds
        .iter()
        .map(|guild| guild.id.parse().unwrap())
        .collect();
    ids.sort_unstable();
    let check = async |query: &str, expect: &[u64]| {
        let page = bot.get(&format!("/users/@me/guilds{query}")).await.json;
        let expect: Vec<Value> = expect.iter().map(|id| json!(id.to_string())).collect();
        let page: Vec<_> = page
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["id"])
            .collect();
        assert_eq!(page, expect.iter().collect::<Vec<_>>(), "{query}");
    };
    check("", &ids).await;
    check("?limit=1", &ids[..1]).await;
    check(&format!("?after={}", ids[0]), &ids[1..]).await;
    check(&format!("?before={}", ids[1]), &ids[..1]).await;
}

#[tokio::test]
async fn messages_and_typing_stay_in_their_guild() {
    let server = TestEmulator::open().await;
    let (ada, ben, noor) = (
        server.human("Ada"),
        server.human("Ben"),
        server.human("Noor"),
    );
    let mut ada_sees = ada.join(ALL).await;
    let mut ben_sees = ben.join(ALL).await;
    let mut noor_sees = noor.join(ALL).await;
    let reading = server.channel_of("Reading Room", "general");
    ada.post(&format!("/channels/{reading}/typing"), Value::Null)
        .await;
    ada.say(reading, "a book").await;
    let guild = &server.guild("Reading Room").id;
    for gateway in [&mut ada_sees, &mut noor_sees] {
        let typing = gateway.event("TYPING_START").await;
        let message = gateway.event("MESSAGE_CREATE").await;
        for event in [typing, message] {
            assert_eq!(event["guild_id"], **guild);
            assert_eq!(event["member"]["nick"], "Countess", "{event}");
        }
    }
    ben_sees.heartbeat().await;
    ada.say(server.channel("general"), "tea").await;
    let message = ben_sees.event("MESSAGE_CREATE").await;
    assert_eq!(message["guild_id"], server.ready.guild_id);
    assert_eq!(message["member"]["nick"], Value::Null);
    noor_sees.heartbeat().await;
}

#[tokio::test]
async fn roles_and_ownership_count_in_their_own_guild_only() {
    let server = TestEmulator::open().await;
    let (ada, noor) = (server.human("Ada"), server.human("Noor"));
    let reading = server.channel_of("Reading Room", "general");
    // Ada owns the Tea House and keeps it; in the Reading Room she is a guest.
    let message = noor.say(reading, "mine").await;
    let path = format!(
        "/channels/{reading}/messages/{}",
        message["id"].as_str().unwrap()
    );
    let delete = reqwest::Method::DELETE;
    let refused = ada.call(delete.clone(), &path, Value::Null).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json["code"]),
        (403, &json!(50013))
    );
    let message = ada.say(reading, "hers").await;
    let path = format!(
        "/channels/{reading}/messages/{}",
        message["id"].as_str().unwrap()
    );
    assert_eq!(noor.call(delete, &path, Value::Null).await.status, 204);

    let tea = &server.guild("Tea House").id;
    let roles = ada.get(&format!("/guilds/{tea}/roles")).await.json;
    let mut roles = roles.as_array().unwrap().iter();
    let keeper = roles.find(|role| role["name"] == "Keeper").unwrap();
    let keeper = keeper["id"].as_str().unwrap();
    let said = noor.say(reading, &format!("<@&{keeper}>")).await;
    assert_eq!(said["mention_roles"], json!([]), "no role of another guild");
}

#[tokio::test]
async fn members_are_asked_for_by_guild() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let mut gateway = bot.join(ALL).await;
    let mut ask = async |guild: &str| {
        let request = json!({ "guild_id": server.guild(guild).id, "query": "", "limit": 0 });
        gateway.send(&json!({ "op": 8, "d": request })).await;
        let chunk = gateway.event("GUILD_MEMBERS_CHUNK").await;
        assert_eq!(chunk["guild_id"], server.guild(guild).id);
        chunk["members"].as_array().unwrap().len()
    };
    assert_eq!(ask("Tea House").await, 4);
    assert_eq!(ask("Reading Room").await, 3);
    let (ben, room) = (server.human("Ben").id, &server.guild("Reading Room").id);
    let path = format!("/guilds/{room}/members/{ben}");
    assert_eq!(bot.get(&path).await.json["code"], 10007);
}
