//! The audit log: what is noted, for whom, and how it is read.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Caller, TestEmulator, managed};

/// Calls with a reason.
async fn because(caller: &Caller<'_>, method: Method, path: &str, body: Value) -> Value {
    let request = caller
        .request(method, path)
        .header("x-audit-log-reason", "spring%20cleaning%20%F0%9F%A7%B9")
        .json(&body);
    let reply = caller.server.send(request).await.unwrap();
    assert!(reply.status.is_success(), "{path}: {:?}", reply.json);
    reply.json
}

#[tokio::test]
async fn every_change_is_noted_with_its_reason() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let general = server.channel("general");
    let said = ben.say(general, "x").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let role = because(
        &bot,
        Method::POST,
        &format!("/guilds/{guild}/roles"),
        json!({}),
    )
    .await;
    let role = role["id"].as_str().unwrap().to_owned();
    let body = json!({ "name": "room" });
    let room = because(
        &bot,
        Method::POST,
        &format!("/guilds/{guild}/channels"),
        body,
    )
    .await;
    let room = room["id"].as_str().unwrap().to_owned();
    let body = json!({ "name": "t", "type": 11 });
    let thread = because(
        &bot,
        Method::POST,
        &format!("/channels/{room}/threads"),
        body,
    )
    .await;
    let thread = thread["id"].as_str().unwrap().to_owned();
    let member = format!("/guilds/{guild}/members/{}", ben.id);
    let (put, patch, delete) = (Method::PUT, Method::PATCH, Method::DELETE);
    let rows = [
        (30, &role, Method::GET, String::new(), json!({})),
        (10, &room, Method::GET, String::new(), json!({})),
        (110, &thread, Method::GET, String::new(), json!({})),
        (
            1,
            guild,
            patch.clone(),
            format!("/guilds/{guild}"),
            json!({ "name": "New" }),
        ),
        (
            11,
            &room,
            patch.clone(),
            format!("/channels/{room}"),
            json!({ "topic": "tea" }),
        ),
        (
            13,
            &room,
            put.clone(),
            format!("/channels/{room}/permissions/{role}"),
            json!({ "type": 0 }),
        ),
        (
            14,
            &room,
            put.clone(),
            format!("/channels/{room}/permissions/{role}"),
            json!({ "type": 0, "deny": "64" }),
        ),
        (
            15,
            &room,
            delete.clone(),
            format!("/channels/{room}/permissions/{role}"),
            json!({}),
        ),
        (
            24,
            &ben.id,
            patch.clone(),
            member.clone(),
            json!({ "nick": "B" }),
        ),
        (
            25,
            &ben.id,
            put.clone(),
            format!("{member}/roles/{role}"),
            json!({}),
        ),
        (
            31,
            &role,
            patch.clone(),
            format!("/guilds/{guild}/roles/{role}"),
            json!({ "name": "R" }),
        ),
        (
            32,
            &role,
            delete.clone(),
            format!("/guilds/{guild}/roles/{role}"),
            json!({}),
        ),
        (
            74,
            &ben.id,
            put.clone(),
            format!("/channels/{general}/pins/{said}"),
            json!({}),
        ),
        (
            75,
            &ben.id,
            delete.clone(),
            format!("/channels/{general}/pins/{said}"),
            json!({}),
        ),
        (
            72,
            &ben.id,
            delete.clone(),
            format!("/channels/{general}/messages/{said}"),
            json!({}),
        ),
        (
            111,
            &thread,
            patch,
            format!("/channels/{thread}"),
            json!({ "locked": true }),
        ),
        (
            112,
            &thread,
            delete.clone(),
            format!("/channels/{thread}"),
            json!({}),
        ),
        (
            12,
            &room,
            delete.clone(),
            format!("/channels/{room}"),
            json!({}),
        ),
        (20, &ben.id, delete.clone(), member, json!({})),
        (
            22,
            &ben.id,
            put,
            format!("/guilds/{guild}/bans/{}", ben.id),
            json!({}),
        ),
        (
            23,
            &ben.id,
            delete,
            format!("/guilds/{guild}/bans/{}", ben.id),
            json!({}),
        ),
    ];
    let logs = format!("/guilds/{guild}/audit-logs");
    for (action, target, method, path, body) in rows {
        if method != Method::GET {
            because(&bot, method, &path, body).await;
        }
        let page = bot.get(&format!("{logs}?action_type={action}")).await.json;
        let entry = &page["audit_log_entries"][0];
        assert_eq!(entry["action_type"], action, "{path}");
        assert_eq!(
            (&entry["target_id"], &entry["user_id"]),
            (&json!(target), &json!(bot.id))
        );
        assert_eq!(entry["reason"], "spring cleaning 🧹");
        assert_eq!(
            page["audit_log_entries"].as_array().unwrap().len(),
            1,
            "{action}"
        );
    }
    let page = bot.get(&format!("{logs}?action_type=11")).await.json;
    let change = json!([{ "key": "topic", "new_value": "tea" }]);
    assert_eq!(page["audit_log_entries"][0]["changes"], change);
    let page = bot.get(&format!("{logs}?action_type=24")).await.json;
    let users = page["users"].as_array().unwrap();
    assert!(users.iter().any(|user| user["id"] == ben.id), "{users:?}");
}

#[tokio::test]
async fn the_log_is_read_by_those_who_may_and_in_pages() {
    let server = TestEmulator::of(managed()).await;
    let (bot, boss, guild) = (server.bot(), server.human("Boss"), &server.ready.guild_id);
    let logs = format!("/guilds/{guild}/audit-logs");
    let roles = format!("/guilds/{guild}/roles");
    for name in ["a", "b", "c"] {
        bot.post(&roles, json!({ "name": name })).await;
    }
    boss.post(&roles, json!({ "name": "d" })).await;
    let names = |page: &Value| -> Vec<String> {
        let entries = page["audit_log_entries"].as_array().unwrap().iter();
        let name = |entry: &Value| {
            entry["changes"][0]["new_value"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        entries.map(name).collect()
    };
    let all = bot.get(&logs).await.json;
    assert_eq!(names(&all), ["d", "c", "b", "a"]);
    let id = |at: usize| {
        all["audit_log_entries"][at]["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for (query, expected) in [
        ("limit=2".to_owned(), vec!["d", "c"]),
        (format!("before={}", id(1)), vec!["b", "a"]),
        (format!("after={}", id(2)), vec!["c", "d"]),
        (format!("user_id={}", boss.id), vec!["d"]),
        ("action_type=22".to_owned(), vec![]),
    ] {
        let page = bot.get(&format!("{logs}?{query}")).await.json;
        assert_eq!(names(&page), expected, "{query}");
    }
    assert_eq!(server.human("Mod").get(&logs).await.outcome(), (403, 50013));
    let mut sees = bot.join(1 << 2).await;
    let mut unseen = server.human("Mod").join(0).await;
    bot.post(&roles, json!({ "name": "e" })).await;
    let told = sees.event("GUILD_AUDIT_LOG_ENTRY_CREATE").await;
    assert_eq!(
        (&told["guild_id"], &told["action_type"]),
        (&json!(guild), &json!(30))
    );
    for _ in server.ready.guilds.iter().take(1) {
        unseen.event("GUILD_CREATE").await;
    }
    unseen.until("GUILD_ROLE_CREATE").await;
    unseen.heartbeat().await;
    let long = bot
        .request(Method::POST, &roles)
        .header("x-audit-log-reason", "x".repeat(513))
        .json(&json!({}));
    assert_eq!(server.send(long).await.unwrap().outcome(), (400, 50035));
}

#[tokio::test]
async fn those_who_are_moved_and_muted_in_voice_are_noted() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let mut rooms = Vec::new();
    for name in ["here", "there"] {
        let body = json!({ "name": name, "type": 2 });
        let room = bot.post(&format!("/guilds/{guild}/channels"), body).await;
        rooms.push(room.json["id"].clone());
    }
    let mut human = ben.join(ALL).await;
    human
        .send(&json!({ "op": 4, "d": { "guild_id": guild, "channel_id": rooms[0] } }))
        .await;
    human.until("VOICE_STATE_UPDATE").await;
    let member = format!("/guilds/{guild}/members/{}", ben.id);
    let change =
        |key: &str, new: bool| json!([{ "key": key, "old_value": !new, "new_value": new }]);
    for (body, action, target, options, changes) in [
        (
            json!({ "mute": true }),
            24,
            json!(ben.id),
            json!(null),
            change("mute", true),
        ),
        (
            json!({ "deaf": true }),
            24,
            json!(ben.id),
            json!(null),
            change("deaf", true),
        ),
        (
            json!({ "mute": false }),
            24,
            json!(ben.id),
            json!(null),
            change("mute", false),
        ),
        (
            json!({ "channel_id": rooms[1] }),
            26,
            json!(null),
            json!({ "channel_id": rooms[1], "count": "1" }),
            json!(null),
        ),
        (
            json!({ "channel_id": null }),
            27,
            json!(null),
            json!({ "count": "1" }),
            json!(null),
        ),
    ] {
        let changed = because(&bot, Method::PATCH, &member, body.clone()).await;
        assert_eq!(changed["user"]["id"], ben.id.as_str());
        let log = format!("/guilds/{guild}/audit-logs?limit=1");
        let entry = &bot.get(&log).await.json["audit_log_entries"][0];
        assert_eq!(entry["action_type"], action, "{body}: {entry}");
        assert_eq!(entry["target_id"], target);
        assert_eq!(entry["options"], options);
        assert_eq!(entry["changes"], changes);
        assert_eq!(entry["reason"], "spring cleaning 🧹");
    }
}
