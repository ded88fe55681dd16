//! A bot hears of what it did before it is answered.

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
