//! What Discord tells of by itself: notices in threads, and people who are no
//! longer in voice because they, or the channel, are gone.

use kaiwa_emulator::World;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

const CLUB: &str = "
limits = 'off'
[guild]
name = 'Club'
[bot]
name = 'Bo'
roles = ['Host']
[[roles]]
name = 'Host'
permissions = ['administrator']
[[users]]
name = 'Ann'
[[users]]
name = 'Ben'
[[channels]]
name = 'general'
[[channels]]
name = 'lounge'
type = 'voice'
";

async fn club() -> TestEmulator {
    TestEmulator::of(World::from_toml(CLUB).unwrap()).await
}

async fn thread(server: &TestEmulator, kind: u64) -> String {
    let path = format!("/channels/{}/threads", server.channel("general"));
    let body = json!({ "name": "old", "type": kind });
    let made = server.bot().post(&path, body).await;
    made.json["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_thread_tells_that_it_has_another_name() {
    let server = club().await;
    let (bot, thread) = (server.bot(), thread(&server, 11).await);
    let mut sees = bot.join(ALL).await;
    let path = format!("/channels/{thread}");
    bot.patch(&path, json!({ "name": "new" })).await;
    let notice = sees.until("MESSAGE_CREATE").await;
    assert_eq!(notice["type"], 4);
    assert_eq!(notice["content"], "new");
    assert_eq!(notice["channel_id"], json!(thread));
    assert_eq!(notice["author"]["id"], json!(bot.id));
    let own = format!("{path}/messages/{}", notice["id"].as_str().unwrap());
    let edited = bot.patch(&own, json!({ "content": "newer" })).await;
    assert_eq!(edited.outcome(), (403, 50021), "nobody wrote it");
    bot.patch(&path, json!({ "name": "new", "archived": true }))
        .await;
    let said = bot.get(&format!("{path}/messages")).await;
    assert_eq!(
        said.json.as_array().unwrap().len(),
        1,
        "the same name again"
    );
}

#[tokio::test]
async fn a_thread_tells_whom_somebody_added_or_took_out() {
    let server = club().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let mut sees = bot.join(ALL).await;
    for kind in [11, 12] {
        let thread = thread(&server, kind).await;
        let path = format!("/channels/{thread}/thread-members/{}", ben.id);
        let told = |notice: &Value, kind: u64| {
            assert_eq!(notice["type"], kind);
            assert_eq!(notice["channel_id"], json!(thread));
            assert_eq!(notice["author"]["id"], json!(bot.id));
            assert_eq!(notice["mentions"][0]["id"], json!(ben.id));
        };
        assert_eq!(bot.put(&path, Value::Null).await.status, 204);
        loop {
            let notice = sees.until("MESSAGE_CREATE").await;
            // The parent of a public one is told of it.
            if notice["type"] != 18 {
                told(&notice, 1);
                break;
            }
        }
        assert_eq!(bot.put(&path, Value::Null).await.status, 204, "is there");
        assert_eq!(bot.delete(&path).await.status, 204);
        told(&sees.until("MESSAGE_CREATE").await, 2);
        assert_eq!(bot.delete(&path).await.status, 204, "is not there");
        let own = format!("/channels/{thread}/thread-members/@me");
        assert_eq!(bot.delete(&own).await.status, 204);
        assert_eq!(bot.put(&own, Value::Null).await.status, 204);
        let said = bot.get(&format!("/channels/{thread}/messages")).await;
        assert_eq!(said.json.as_array().unwrap().len(), 2, "{}", said.json);
    }
}

/// Goes to a voice channel, and waits until that is known.
async fn speak(gateway: &mut Gateway, guild: &str, channel: &str) {
    let place =
        json!({ "guild_id": guild, "channel_id": channel, "self_mute": false, "self_deaf": false });
    gateway.send(&json!({ "op": 4, "d": place })).await;
    gateway.until("VOICE_STATE_UPDATE").await;
}

#[tokio::test]
async fn whoever_is_removed_from_a_guild_is_no_longer_in_voice() {
    let server = club().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let guild = &server.ready.guild_id;
    let mut his = ben.join(ALL).await;
    speak(&mut his, guild, server.channel("lounge")).await;
    let mut sees = bot.join(ALL).await;
    let path = format!("/guilds/{guild}/members/{}", ben.id);
    assert_eq!(bot.delete(&path).await.status, 204);
    let gone = sees.until("VOICE_STATE_UPDATE").await;
    assert_eq!(gone["user_id"], json!(ben.id));
    assert_eq!(gone["channel_id"], Value::Null);
    let mut again = Gateway::connect(&server, "").await;
    again.identify(&bot.token, ALL).await;
    let shown = again.until("GUILD_CREATE").await;
    assert_eq!(shown["voice_states"], json!([]));
}

#[tokio::test]
async fn nobody_is_in_a_voice_channel_that_is_gone() {
    let server = club().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let guild = &server.ready.guild_id;
    let stage = json!({ "name": "Stage", "type": 13 });
    let stage = bot.post(&format!("/guilds/{guild}/channels"), stage).await;
    let stage = stage.json["id"].as_str().unwrap();
    let open = json!({ "channel_id": stage, "topic": "Tea" });
    assert_eq!(bot.post("/stage-instances", open).await.status, 200);
    let mut his = ben.join(ALL).await;
    speak(&mut his, guild, stage).await;
    let mut sees = bot.join(ALL).await;
    assert_eq!(bot.delete(&format!("/channels/{stage}")).await.status, 200);
    let over = sees.until("STAGE_INSTANCE_DELETE").await;
    assert_eq!(over["channel_id"], json!(stage));
    let gone = sees.until("VOICE_STATE_UPDATE").await;
    assert_eq!(gone["user_id"], json!(ben.id));
    assert_eq!(gone["channel_id"], Value::Null);
    let path = format!("/guilds/{guild}/voice-states/{}", ben.id);
    assert_eq!(bot.get(&path).await.outcome(), (404, 10065));
}
