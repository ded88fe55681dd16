//! Channels: made, changed, ordered and deleted.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Caller, TestEmulator, managed};

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

async fn create(caller: &Caller<'_>, guild: &str, body: Value) -> Value {
    let made = caller
        .post(&format!("/guilds/{guild}/channels"), body)
        .await;
    assert_eq!(made.status, 201, "{:?}", made.json);
    made.json
}

#[tokio::test]
async fn every_kind_of_channel_is_made_and_told() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let mut sees = bot.join(ALL).await;
    for (kind, name, kept) in [
        (0, "Tea Time", "tea-time"),
        (2, "Tea Time", "Tea Time"),
        (4, "Quiet Rooms", "Quiet Rooms"),
        (5, "News", "news"),
        (13, "Stage One", "Stage One"),
        (15, "Questions", "questions"),
        (16, "Pictures", "pictures"),
    ] {
        let made = create(&bot, guild, json!({ "name": name, "type": kind })).await;
        assert_eq!((&made["type"], &made["name"]), (&json!(kind), &json!(kept)));
        let told = sees.event("CHANNEL_CREATE").await;
        assert_eq!(told, made);
        sees.event("GUILD_AUDIT_LOG_ENTRY_CREATE").await;
        let read = bot.get(&format!("/channels/{}", id(&made))).await;
        assert_eq!(read.json, made);
        let sent = bot
            .post(
                &format!("/channels/{}/messages", id(&made)),
                json!({ "content": "x" }),
            )
            .await;
        let code = sent.json["code"].as_u64().unwrap_or(0);
        let holds_messages = ![4, 15, 16].contains(&kind);
        assert_eq!(code, if holds_messages { 0 } else { 50008 }, "{kind}");
        if holds_messages {
            sees.event("MESSAGE_CREATE").await;
        }
    }
}

#[tokio::test]
async fn what_a_channel_may_not_be_is_refused() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let general = server.channel("general");
    let (over, tags): (String, Vec<Value>) = (
        "x".repeat(1025),
        (0..21).map(|n| json!({ "name": n.to_string() })).collect(),
    );
    for (body, at) in [
        (json!({}), "name"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": "x".repeat(101) }), "name"),
        (json!({ "name": "x", "type": 3 }), "type"),
        (json!({ "name": "x", "topic": over }), "topic"),
        (
            json!({ "name": "x", "rate_limit_per_user": 21_601 }),
            "rate_limit_per_user",
        ),
        (
            json!({ "name": "x", "type": 2, "bitrate": 7999 }),
            "bitrate",
        ),
        (
            json!({ "name": "x", "type": 2, "user_limit": 100 }),
            "user_limit",
        ),
        (json!({ "name": "x", "parent_id": general }), "parent_id"),
        (json!({ "name": "x", "parent_id": "77" }), "parent_id"),
        (
            json!({ "name": "x", "default_auto_archive_duration": 61 }),
            "default_auto_archive_duration",
        ),
        (
            json!({ "name": "x", "type": 15, "available_tags": tags }),
            "available_tags",
        ),
        (json!({ "name": "x", "nsfw": "perhaps" }), "nsfw"),
        (
            json!({ "name": "x", "permission_overwrites": 7 }),
            "permission_overwrites",
        ),
    ] {
        let path = format!("/guilds/{guild}/channels");
        let refused = bot.post(&path, body.clone()).await;
        assert_eq!(refused.json["code"], 50035, "{body}");
        assert!(refused.json["errors"][at].is_object(), "{:?}", refused.json);
    }
    let body = json!({ "name": "mine" });
    let refused = ben.post(&format!("/guilds/{guild}/channels"), body).await;
    assert_eq!(refused.json["code"], 50013);
    let list = bot
        .post(&format!("/guilds/{guild}/channels"), json!([]))
        .await;
    assert_eq!(list.json["code"], 50035, "an object is due");
}

#[tokio::test]
async fn channels_change_within_their_limits() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let category = id(&create(&bot, guild, json!({ "name": "Rooms", "type": 4 })).await);
    let room = id(&create(&bot, guild, json!({ "name": "room" })).await);
    let mut sees = bot.join(1).await;
    let body = json!({
        "name": "New Room", "topic": "Tea", "nsfw": true, "rate_limit_per_user": 5,
        "parent_id": category, "default_auto_archive_duration": 60, "position": 9,
        "default_thread_rate_limit_per_user": 7,
    });
    let path = format!("/channels/{room}");
    let changed = bot.patch(&path, body).await.json;
    assert_eq!(changed["name"], "new-room");
    assert_eq!(
        (&changed["topic"], &changed["nsfw"]),
        (&json!("Tea"), &json!(true))
    );
    assert_eq!(changed["rate_limit_per_user"], 5);
    assert_eq!(changed["parent_id"], category);
    assert_eq!(changed["default_auto_archive_duration"], 60);
    assert_eq!(changed["default_thread_rate_limit_per_user"], 7);
    assert_eq!(sees.event("CHANNEL_UPDATE").await, changed);
    // Text and announcement channels become each other, and no other kind.
    for (kind, expected) in [(5, 5), (0, 0), (2, 0), (4, 0)] {
        bot.patch(&path, json!({ "type": kind })).await;
        assert_eq!(bot.get(&path).await.json["type"], expected, "{kind}");
    }
    let emptied = json!({ "topic": null, "parent_id": null });
    let changed = bot.patch(&path, emptied).await.json;
    assert_eq!(
        (&changed["topic"], &changed["parent_id"]),
        (&json!(null), &json!(null))
    );
}

#[tokio::test]
async fn a_channel_without_overwrites_has_those_of_its_category() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let hidden = json!([{ "id": guild, "type": 0, "deny": "1024", "allow": "0" }]);
    let body = json!({ "name": "Staff", "type": 4, "permission_overwrites": hidden });
    let category = id(&create(&bot, guild, body).await);
    let inside = create(&bot, guild, json!({ "name": "in", "parent_id": category })).await;
    assert_eq!(inside["permission_overwrites"][0]["deny"], "1024");
    let path = format!("/channels/{}", id(&inside));
    assert_eq!(ben.get(&path).await.json["code"], 50001);
    let body = json!({ "name": "own", "parent_id": category,
        "permission_overwrites": [{ "id": server.ready.guild_id, "type": 0, "allow": "1024", "deny": "0" }] });
    let own = id(&create(&bot, guild, body).await);
    assert_eq!(ben.get(&format!("/channels/{own}")).await.status, 200);
    // Moved with its permissions locked, it is like its category again.
    let rows =
        json!([{ "id": own, "position": 3, "parent_id": category, "lock_permissions": true }]);
    let moved = bot
        .call(Method::PATCH, &format!("/guilds/{guild}/channels"), rows)
        .await;
    assert_eq!(moved.status, 204);
    assert_eq!(
        ben.get(&format!("/channels/{own}")).await.json["code"],
        50001
    );
    // The channels outlive their category.
    let gone = bot.delete(&format!("/channels/{category}")).await;
    assert_eq!(gone.json["id"], category);
    assert_eq!(bot.get(&path).await.json["parent_id"], Value::Null);
}

#[tokio::test]
async fn nobody_hands_on_what_they_do_not_hold() {
    let server = TestEmulator::of(managed()).await;
    let (mod_, guild) = (server.human("Mod"), &server.ready.guild_id);
    let general = server.channel("general");
    let grant = |bits: u64| {
        json!({ "permission_overwrites":
            [{ "id": guild, "type": 0, "allow": bits.to_string(), "deny": "0" }] })
    };
    let path = format!("/channels/{general}");
    // Mod manages channels, roles and messages, and bans nobody.
    for (bits, code) in [(1 << 13, 0), (1 << 2, 50013), (1 << 28, 50013)] {
        let reply = mod_.patch(&path, grant(bits)).await;
        let found = reply.json["code"].as_u64().unwrap_or(0);
        assert_eq!(found, code, "{bits}: {:?}", reply.json);
    }
    let ban = json!({ "type": 0, "allow": "4", "deny": "0" });
    let target = format!("{path}/permissions/{guild}");
    let refused = mod_.call(Method::PUT, &target, ban).await;
    assert_eq!(refused.json["code"], 50013);
}

#[tokio::test]
async fn slow_mode_holds_humans_who_may_not_bypass_it() {
    let server = TestEmulator::of(managed()).await;
    let general = server.channel("general");
    let path = format!("/channels/{general}");
    let slow = json!({ "rate_limit_per_user": 600 });
    server.bot().call(Method::PATCH, &path, slow).await;
    let say = format!("{path}/messages");
    for (caller, code) in [
        (server.human("Ben"), 20016),
        (server.human("Boss"), 0),
        (server.bot(), 0),
    ] {
        caller.say(general, "one").await;
        let second = caller.post(&say, json!({ "content": "two" })).await;
        let found = second.json["code"].as_u64().unwrap_or(0);
        assert_eq!(found, code, "{}", caller.id);
        if code != 0 {
            assert_eq!(second.status, 429);
            let wait = second.json["retry_after"].as_f64().unwrap();
            assert!((590.0..=600.0).contains(&wait), "{wait}");
        }
    }
}

#[tokio::test]
async fn direct_messages_are_opened_in_both_forms() {
    let server = TestEmulator::open().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let open = async |body: Value| bot.post("/users/@me/channels", body).await;
    let one = open(json!({ "recipient_id": ben.id })).await.json;
    let listed = open(json!({ "recipients": [ben.id] })).await.json;
    assert_eq!(one["id"], listed["id"]);
    assert_eq!(one["recipients"][0]["id"], ben.id);
    let many = open(json!({ "recipients": [ben.id, server.human("Ada").id] })).await;
    assert_eq!(many.json["code"], 50033);
    assert_eq!(open(json!({})).await.json["code"], 50035);
    let direct = id(&one);
    let closed = bot.delete(&format!("/channels/{direct}")).await;
    assert_eq!(closed.json["id"], direct);
    assert_eq!(ben.open_dm(&bot.id).await, direct);
}

#[tokio::test]
async fn announcements_are_published_once() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let news = id(&create(&bot, guild, json!({ "name": "news", "type": 5 })).await);
    let said = id(&bot.say(&news, "open again").await);
    let path = format!("/channels/{news}/messages/{said}/crosspost");
    assert_eq!(ben.post(&path, Value::Null).await.json["code"], 50013);
    let mut sees = bot.join(ALL).await;
    let sent = bot.post(&path, Value::Null).await;
    assert_eq!(sent.json["flags"], 1);
    assert_eq!(sees.event("MESSAGE_UPDATE").await["flags"], 1);
    assert_eq!(bot.post(&path, Value::Null).await.json["code"], 40033);
    let general = server.channel("general");
    let said = id(&bot.say(general, "x").await);
    let path = format!("/channels/{general}/messages/{said}/crosspost");
    assert_eq!(bot.post(&path, Value::Null).await.json["code"], 50024);
}
