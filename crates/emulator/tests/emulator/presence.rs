//! Presence, voice states, and how often sessions may be started.

use std::time::Duration;

use kaiwa_emulator::World;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

const PRESENCES: u64 = 1 << 8;
const VOICE: u64 = 1 << 7;

fn presence(status: &str, activity: &str) -> Value {
    let activities = json!([{ "name": activity, "type": 2 }]);
    json!({ "op": 3, "d": { "since": null, "activities": activities, "status": status, "afk": false } })
}

#[tokio::test]
async fn presences_are_told_to_those_who_asked() {
    let server = TestEmulator::open().await;
    let (bot, ada) = (server.bot(), server.human("Ada"));
    let mut watching = bot.join(1 | PRESENCES).await;
    let mut blind = bot.join(1).await;
    let mut human = ada.join(ALL).await;
    // Ada is in both guilds.
    for guild in &server.ready.guilds {
        let update = watching.event("PRESENCE_UPDATE").await;
        assert_eq!(
            (&update["user"]["id"], &update["status"]),
            (&json!(ada.id), &json!("online"))
        );
        assert_eq!(update["guild_id"], guild.id);
        assert_eq!(update["client_status"], json!({ "desktop": "online" }));
    }
    human.send(&presence("dnd", "rain")).await;
    let update = watching.event("PRESENCE_UPDATE").await;
    assert_eq!(update["status"], "dnd");
    assert_eq!(update["activities"][0]["name"], "rain");
    watching.event("PRESENCE_UPDATE").await;

    let mut late = Gateway::connect(&server, "").await;
    late.identify(&bot.token, 1 | PRESENCES).await;
    late.event("READY").await;
    let guild = late.event("GUILD_CREATE").await;
    let shown = guild["presences"].as_array().unwrap();
    assert_eq!(
        shown.len(),
        1,
        "the viewer itself and who is offline are left out: {shown:?}"
    );
    assert_eq!(
        (&shown[0]["user"]["id"], &shown[0]["status"]),
        (&json!(ada.id), &json!("dnd"))
    );
    assert!(guild["members"].as_array().unwrap().len() > 1);

    // Eris has null for no activities.
    let idle = json!({ "since": null, "activities": null, "status": "idle", "afk": false });
    human.send(&json!({ "op": 3, "d": idle })).await;
    let update = watching.event("PRESENCE_UPDATE").await;
    assert_eq!(
        (&update["status"], &update["activities"]),
        (&json!("idle"), &json!([]))
    );
    watching.event("PRESENCE_UPDATE").await;

    human.send(&presence("invisible", "")).await;
    assert_eq!(watching.event("PRESENCE_UPDATE").await["status"], "offline");
    watching.event("PRESENCE_UPDATE").await;
    human.send(&presence("online", "x")).await;
    for _ in 0..2 {
        assert_eq!(watching.event("PRESENCE_UPDATE").await["status"], "online");
    }
    human.close(1000).await;
    for _ in 0..2 {
        let update = watching.event("PRESENCE_UPDATE").await;
        assert_eq!(
            (&update["status"], &update["client_status"]),
            (&json!("offline"), &json!({}))
        );
    }
    blind.heartbeat().await;
    assert_eq!(blind.seq, 3, "without the intent nothing came");
    blind.send(&presence("asleep", "x")).await;
    assert_eq!(blind.close_code().await, Some(4002));
}

#[tokio::test]
async fn members_come_with_presences_on_request() {
    let server = TestEmulator::of(World::default()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let _ada = server.human("Ada").join(ALL).await;
    let mut gateway = bot.join(ALL).await;
    let ask = json!({ "op": 8, "d": { "guild_id": guild, "query": "", "limit": 0, "presences": true, "nonce": "n" } });
    gateway.send(&ask).await;
    let chunk = gateway.event("GUILD_MEMBERS_CHUNK").await;
    let online = chunk["presences"].as_array().unwrap();
    assert_eq!(online.len(), 2, "{online:?}");
    // All members at once may be asked for twice a minute.
    gateway.send(&ask).await;
    let limited = gateway.event("RATE_LIMITED").await;
    assert_eq!(
        (&limited["opcode"], &limited["meta"]),
        (&json!(8), &json!({ "guild_id": guild, "nonce": "n" }))
    );
    let wait = limited["retry_after"].as_f64().unwrap();
    assert!(wait > 20.0 && wait <= 30.0, "{wait}");
    server.emulator.advance(Duration::from_secs(30));
    gateway.send(&ask).await;
    gateway.event("GUILD_MEMBERS_CHUNK").await;

    let mut plain = bot.join(1 | 2).await;
    plain.send(&ask).await;
    assert_eq!(
        plain.close_code().await,
        Some(4014),
        "presences need their intent"
    );
}

#[tokio::test]
async fn voice_states_are_told() {
    let server = TestEmulator::open().await;
    let (bot, ada) = (server.bot(), server.human("Ada"));
    let (guild, lounge) = (&server.ready.guild_id, server.channel("lounge"));
    let mut listener = bot.join(1 | VOICE).await;
    let mut human = ada.join(ALL).await;
    let go = |channel: Value| json!({ "op": 4, "d": { "guild_id": guild, "channel_id": channel, "self_mute": true, "self_deaf": false } });
    human.send(&go(json!(server.channel("general")))).await;
    human.heartbeat().await;
    human.send(&go(json!(lounge))).await;
    let state = human.event("VOICE_STATE_UPDATE").await;
    assert_eq!(state["session_id"], human.session);
    let server_update = human.event("VOICE_SERVER_UPDATE").await;
    assert_eq!(server_update["guild_id"], *guild);
    assert!(
        server_update["endpoint"]
            .as_str()
            .unwrap()
            .contains(".invalid"),
        "no voice server yet"
    );
    let told = listener.event("VOICE_STATE_UPDATE").await;
    assert_eq!(
        (&told["channel_id"], &told["user_id"]),
        (&json!(lounge), &json!(ada.id))
    );
    assert_eq!(
        (&told["self_mute"], &told["member"]["user"]["id"]),
        (&json!(true), &json!(ada.id))
    );

    let mut late = Gateway::connect(&server, "").await;
    late.identify(&bot.token, 1).await;
    late.event("READY").await;
    let created = late.event("GUILD_CREATE").await;
    assert_eq!(created["voice_states"][0]["channel_id"], lounge);
    // Those in voice are shown as members without any intent for it.
    let shown = created["members"].as_array().unwrap().iter();
    let shown: Vec<&Value> = shown.map(|it| &it["user"]["id"]).collect();
    let speaker = &created["voice_states"][0]["user_id"];
    assert!(shown.len() == 2 && shown.contains(&speaker), "{shown:?}");
    assert!(created["voice_states"][0].get("guild_id").is_none());

    human.send(&go(Value::Null)).await;
    assert_eq!(
        listener.event("VOICE_STATE_UPDATE").await["channel_id"],
        Value::Null
    );
    human.send(&go(json!(lounge))).await;
    assert_eq!(
        listener.event("VOICE_STATE_UPDATE").await["channel_id"],
        lounge
    );
    human.close(1000).await;
    let left = listener.event("VOICE_STATE_UPDATE").await;
    assert_eq!(
        left["channel_id"],
        Value::Null,
        "who goes is no longer in it"
    );
    listener
        .send(&json!({ "op": 4, "d": { "guild_id": true } }))
        .await;
    assert_eq!(listener.close_code().await, Some(4002));
}

/// The Tea House with the gateway's own limits.
fn limited(more: &str) -> World {
    let text = include_str!("../../src/world/tea_house.toml");
    let head = format!("identify_limits = \"discord\"\n{more}\n");
    World::from_toml(&(head + text)).unwrap()
}

async fn start(server: &TestEmulator, shard: u64) -> u64 {
    let mut gateway = Gateway::connect(server, "").await;
    let token = &server.ready.bot.token;
    let identify = json!({ "op": 2, "d": { "token": token, "intents": 0, "shard": [shard, 4], "properties": {} } });
    gateway.send(&identify).await;
    let frame = gateway.frame().await;
    if frame["op"] == 9 {
        assert_eq!(frame["d"], false);
    }
    frame["op"].as_u64().unwrap()
}

#[tokio::test]
async fn sessions_are_started_one_by_one() {
    let server = TestEmulator::of(limited("shards = 4\nmax_concurrency = 2")).await;
    let told = server.bot().get("/gateway/bot").await.json;
    assert_eq!(told["shards"], 4);
    assert_eq!(told["session_start_limit"]["max_concurrency"], 2);
    assert_eq!(told["session_start_limit"]["remaining"], 1000);
    assert_eq!(start(&server, 0).await, 0);
    assert_eq!(start(&server, 1).await, 0, "the other half");
    assert_eq!(start(&server, 2).await, 9, "the same half, too early");
    server.emulator.advance(Duration::from_secs(5));
    assert_eq!(start(&server, 2).await, 0);
    let told = server.bot().get("/gateway/bot").await.json;
    let limit = &told["session_start_limit"];
    assert_eq!(limit["remaining"], 996);
    let root = server.ready.api_url.replace("/api/v10", "/emulator");
    let ask = json!({ "use_session_starts": { "user_id": server.ready.bot.id, "times": 990 } });
    let request = server.http().post(format!("{root}/faults")).json(&ask);
    assert_eq!(server.send(request).await.unwrap().status, 200);
    let told = server.bot().get("/gateway/bot").await.json;
    assert_eq!(told["session_start_limit"]["remaining"], 6);
    assert!(limit["reset_after"].as_u64().unwrap() <= 24 * 3600 * 1000 - 5000);
    server.emulator.advance(Duration::from_secs(24 * 3600));
    let told = server.bot().get("/gateway/bot").await.json;
    assert_eq!(told["session_start_limit"]["remaining"], 1000);
}

#[tokio::test]
async fn shards_see_their_guilds_and_the_first_sees_direct_messages() {
    let server = TestEmulator::open().await;
    let (bot, ada) = (server.bot(), server.human("Ada"));
    let dm = ada.open_dm(&bot.id).await;
    let token = &server.ready.bot.token;
    for shard in 0..3u64 {
        let mut gateway = Gateway::connect(&server, "zlib-stream").await;
        let identify = json!({ "op": 2, "d": { "token": token, "intents": 1 | 1 << 12, "shard": [shard, 3], "properties": {} } });
        gateway.send(&identify).await;
        let ready = gateway.event("READY").await;
        let expect: Vec<_> = server
            .ready
            .guilds
            .iter()
            .filter(|guild| (guild.id.parse::<u64>().unwrap() >> 22) % 3 == shard)
            .map(|guild| json!({ "id": guild.id, "unavailable": true }))
            .collect();
        assert_eq!(ready["guilds"], json!(expect));
        for _ in expect {
            gateway.event("GUILD_CREATE").await;
        }
        ada.say(&dm, "psst").await;
        if shard == 0 {
            gateway.event("MESSAGE_CREATE").await;
        }
        gateway.heartbeat().await;
    }
}

/// Each guild tells of it.
async fn shown_as(gateway: &mut Gateway, status: &str) -> Value {
    loop {
        let shown = gateway.until("PRESENCE_UPDATE").await;
        if shown["status"] == status {
            return shown;
        }
    }
}

/// discord.py says so when its client was given an activity, and no status.
#[tokio::test]
async fn a_session_may_begin_with_an_activity_and_no_status() {
    let server = TestEmulator::open().await;
    let mut sees = server.human("Ada").join(0).await;
    for status in [json!({ "status": null }), json!({})] {
        let mut presence = json!({
            "game": { "type": 4, "state": "Brewing", "name": "Custom Status" },
            "since": 0,
            "afk": false,
        });
        presence
            .as_object_mut()
            .unwrap()
            .extend(status.as_object().unwrap().clone());
        let ask = json!({
            "token": server.bot().token,
            "intents": 1,
            "properties": {},
            "presence": presence,
        });
        let mut bot = Gateway::connect(&server, "").await;
        bot.send(&json!({ "op": 2, "d": ask })).await;
        bot.until("READY").await;
        let shown = shown_as(&mut sees, "online").await;
        assert_eq!(shown["activities"][0]["state"], "Brewing");
        bot.close(1000).await;
        shown_as(&mut sees, "offline").await;
    }
}
