//! A bot hears of what it did before it is answered.

use reqwest::Method;
use serde_json::json;

use crate::{
    test_emulator::{TestEmulator, managed, soon},
    traffic::until,
};

#[tokio::test]
async fn events_come_before_the_answer() {
    let server = TestEmulator::of(managed()).await;
    server.emulator.keep_traffic();
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let path = format!("/guilds/{guild}/members/@me");
    let mut sees = bot.join(1 << 1).await;
    for number in 0..20 {
        let body = json!({ "nick": format!("Name {number}") });
        assert_eq!(bot.patch(&path, body).await.status, 200);
        sees.event("GUILD_MEMBER_UPDATE").await;
    }
    let last = |entry: &serde_json::Value| entry["body"]["nick"] == "Name 19";
    let kinds: Vec<_> = until(&server, last)
        .await
        .into_iter()
        .filter(|entry| entry["kind"] == "rest" || entry["frame"]["t"] == "GUILD_MEMBER_UPDATE")
        .map(|entry| entry["kind"] == "rest")
        .collect();
    assert_eq!(kinds, [false, true].repeat(20), "true is an answer");
}

/// The request has the token of the webhook and none of the bot's.
#[tokio::test]
async fn a_bot_hears_of_what_its_webhook_did_before_the_answer() {
    let server = TestEmulator::of(managed()).await;
    server.emulator.keep_traffic();
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let forum = json!({ "name": "ideas", "type": 15 });
    let forum = bot.post(&format!("/guilds/{guild}/channels"), forum).await;
    let hooks = format!("/channels/{}/webhooks", forum.json["id"].as_str().unwrap());
    let hook = bot.post(&hooks, json!({ "name": "Hook" })).await.json;
    let path = ["/webhooks", "id", "token"].map(|key| hook[key].as_str().unwrap_or(key));
    let path = format!("{}?wait=true", path.join("/"));
    let _sees = bot.join(1).await;
    for number in 0..10 {
        let body = json!({ "content": "x", "thread_name": format!("Idea {number}") });
        let request = server.request(Method::POST, &path).json(&body);
        assert_eq!(server.send(request).await.unwrap().status, 200);
    }
    let last = |entry: &serde_json::Value| entry["body"]["thread_name"] == "Idea 9";
    let kinds: Vec<_> = until(&server, last)
        .await
        .into_iter()
        .filter(|entry| {
            !entry["body"]["thread_name"].is_null() || entry["frame"]["t"] == "THREAD_CREATE"
        })
        .map(|entry| entry["kind"] == "rest")
        .collect();
    assert_eq!(kinds, [false, true].repeat(10), "true is an answer");
}

#[tokio::test]
async fn a_connection_that_is_held_up_holds_up_no_answer() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let _sees = bot.join(1 << 1).await;
    let faults = server.ready.page_url.clone() + "emulator/faults";
    let body = json!({ "deafen_gateway": { "user_id": bot.id } });
    let asked = server.http().post(faults).json(&body).send().await;
    assert_eq!(asked.unwrap().status(), 200);
    let path = format!("/guilds/{guild}/members/@me");
    let answered = soon("an answer", bot.patch(&path, json!({ "nick": "x" }))).await;
    assert_eq!(answered.status, 200);
}
