//! Pins, by both families of routes.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, managed};

#[tokio::test]
async fn a_pin_is_told_three_times() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let said = ben.say(general, "rules").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for route in ["messages/pins", "pins"] {
        let path = format!("/channels/{general}/{route}/{said}");
        let mut sees = bot.join(1 | 1 << 9).await;
        assert_eq!(ben.put(&path, Value::Null).await.outcome(), (403, 50013));
        assert_eq!(bot.put(&path, Value::Null).await.status, 204);
        assert_eq!(sees.event("MESSAGE_UPDATE").await["pinned"], true);
        let update = sees.event("CHANNEL_PINS_UPDATE").await;
        assert_eq!(update["channel_id"], general);
        assert!(update["last_pin_timestamp"].is_string());
        let notice = sees.event("MESSAGE_CREATE").await;
        assert_eq!(
            (&notice["type"], &notice["author"]["id"]),
            (&json!(6), &json!(bot.id))
        );
        assert_eq!(notice["message_reference"]["message_id"], said);
        assert_eq!(
            bot.put(&path, Value::Null).await.status,
            204,
            "again is no news"
        );
        let system = format!(
            "/channels/{general}/{route}/{}",
            notice["id"].as_str().unwrap()
        );
        assert_eq!(bot.put(&system, Value::Null).await.outcome(), (403, 50021));
        sees.heartbeat().await;

        let page = bot
            .get(&format!("/channels/{general}/messages/pins"))
            .await
            .json;
        assert_eq!(page["has_more"], false);
        assert_eq!(page["items"][0]["message"]["id"], said);
        assert!(page["items"][0]["pinned_at"].is_string());
        let old = ben.get(&format!("/channels/{general}/pins")).await.json;
        assert_eq!(
            (&old[0]["id"], &old[0]["pinned"]),
            (&json!(said), &json!(true))
        );
        let channel = bot.get(&format!("/channels/{general}")).await.json;
        assert!(channel["last_pin_timestamp"].is_string());

        assert_eq!(bot.delete(&path).await.status, 204);
        assert_eq!(sees.event("MESSAGE_UPDATE").await["pinned"], false);
        sees.event("CHANNEL_PINS_UPDATE").await;
        let page = bot
            .get(&format!("/channels/{general}/messages/pins"))
            .await
            .json;
        assert_eq!(page["items"], json!([]));
    }
    let unknown = bot
        .put(&format!("/channels/{general}/pins/77"), Value::Null)
        .await;
    assert_eq!(unknown.outcome(), (404, 10008));
}

#[tokio::test]
async fn pins_are_paged_and_limited() {
    let server = TestEmulator::of(managed()).await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let pins = format!("/channels/{general}/messages/pins");
    for number in 0..250 {
        let body = json!({ "content": number.to_string() });
        let said = server.emulator.post(&bot.id, general, body).unwrap();
        let path = format!("{pins}/{}", said["id"].as_str().unwrap());
        assert_eq!(bot.put(&path, Value::Null).await.status, 204);
    }
    let more = bot.say(general, "one more").await;
    let more = bot
        .put(
            &format!("{pins}/{}", more["id"].as_str().unwrap()),
            Value::Null,
        )
        .await;
    assert_eq!(more.outcome(), (400, 30003));
    let page = bot.get(&pins).await.json;
    assert_eq!(page["items"].as_array().unwrap().len(), 50);
    assert_eq!(
        (&page["has_more"], &page["items"][0]["message"]["content"]),
        (&json!(true), &json!("249"))
    );
    let last = page["items"][49]["pinned_at"]
        .as_str()
        .unwrap()
        .replace('+', "%2B");
    let next = bot.get(&format!("{pins}?limit=2&before={last}")).await.json;
    assert_eq!(next["items"].as_array().unwrap().len(), 2);
    let first: u32 = next["items"][0]["message"]["content"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(first < 200, "{first}");
    for query in ["limit=51", "limit=0", "before=yesterday"] {
        let refused = bot.get(&format!("{pins}?{query}")).await;
        assert_eq!(refused.outcome(), (400, 50035), "{query}");
    }
}

#[tokio::test]
async fn both_pin_in_a_direct_message() {
    let server = TestEmulator::open().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let direct = bot.open_dm(&ben.id).await;
    let said = ben.say(&direct, "x").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut sees = bot.join(ALL).await;
    let path = format!("/channels/{direct}/pins/{said}");
    assert_eq!(bot.put(&path, Value::Null).await.status, 204);
    sees.event("MESSAGE_UPDATE").await;
    let told = sees.event("CHANNEL_PINS_UPDATE").await;
    assert_eq!(told.get("guild_id"), None);
}
