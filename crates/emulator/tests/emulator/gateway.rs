//! Logging in, and being refused.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};
use kaiwa_emulator::World;

#[tokio::test]
async fn a_bot_logs_in_and_receives_its_guild() {
    let server = TestEmulator::open().await;
    for compress in ["", "zlib-stream", "zstd-stream"] {
        for token in [
            server.ready.bot.token.clone(),
            format!("Bot {}", server.ready.bot.token),
        ] {
            let mut gateway = Gateway::connect(&server, compress).await;
            gateway.identify(&token, ALL).await;
            let ready = gateway.event("READY").await;
            assert_eq!(ready["v"], 10);
            assert_eq!(ready["user"]["id"], server.ready.bot.id);
            assert_eq!(ready["user"]["bot"], true);
            assert_eq!(ready["application"]["id"], server.ready.bot.application_id);
            assert_eq!(ready["application"]["flags"], 1 << 13 | 1 << 15 | 1 << 19);
            assert_eq!(ready["resume_gateway_url"], server.ready.gateway_url);
            let guilds = server.ready.guilds.iter();
            let unavailable = guilds.map(|guild| json!({ "id": guild.id, "unavailable": true }));
            assert_eq!(ready["guilds"], unavailable.collect::<Value>());

            let guild = gateway.event("GUILD_CREATE").await;
            assert_eq!(guild["name"], "Tea House");
            assert_eq!(guild["unavailable"], false);
            let channels: Vec<_> = guild["channels"]
                .as_array()
                .unwrap()
                .iter()
                .map(|c| &c["name"])
                .collect();
            assert_eq!(
                channels,
                ["general", "random", "code", "news", "ideas", "lounge"],
                "staff is hidden from a plain member"
            );
            assert_eq!(guild["members"].as_array().unwrap().len(), 4);
            let guild = gateway.event("GUILD_CREATE").await;
            assert_eq!(guild["name"], "Reading Room");
            gateway.heartbeat().await;
        }
    }
    assert_eq!(server.emulator.counts().identifies, 6);
    assert_eq!(server.emulator.counts().heartbeats, 6);
}

#[tokio::test]
async fn a_human_logs_in_without_intents() {
    let server = TestEmulator::open().await;
    let ada = server.human("Ada");
    let dm = ada.open_dm(&server.ready.bot.id).await;
    let mut gateway = Gateway::connect(&server, "").await;
    gateway
        .send(&json!({ "op": 2, "d": { "token": ada.token, "properties": {} } }))
        .await;
    let ready = gateway.event("READY").await;
    assert_eq!(ready["user"]["global_name"], "Ada");
    assert_eq!(ready["private_channels"][0]["id"], dm);
    assert_eq!(
        ready["private_channels"][0]["recipients"][0]["id"],
        server.ready.bot.id
    );
    let guild = gateway.event("GUILD_CREATE").await;
    assert_eq!(
        guild["channels"].as_array().unwrap().len(),
        7,
        "the owner sees staff"
    );
}

#[tokio::test]
async fn members_come_with_the_guild_only_for_those_who_ask_for_presences() {
    let server = TestEmulator::open().await;
    let mut gateway = Gateway::connect(&server, "").await;
    gateway.identify(&server.ready.bot.token, 1).await;
    gateway.event("READY").await;
    let guild = gateway.event("GUILD_CREATE").await;
    assert_eq!(guild["members"].as_array().unwrap().len(), 1);
    assert_eq!(guild["member_count"], 4);
}

#[tokio::test]
async fn refusals_carry_discords_close_codes() {
    let world = "
        [guild]
        name = \"Small\"
        [bot]
        name = \"Bo\"
        intents = []
        [[users]]
        name = \"Ann\"
        [[channels]]
        name = \"a\"
    ";
    let server = TestEmulator::of(World::from_toml(world).unwrap()).await;
    let token = &server.ready.bot.token;
    let long = "x".repeat(4097);
    let cases = [
        (
            json!({ "op": 2, "d": { "token": "nobody", "intents": 1, "properties": {} } })
                .to_string(),
            4004,
        ),
        (
            json!({ "op": 2, "d": { "token": token, "intents": 1 << 15, "properties": {} } })
                .to_string(),
            4014,
        ),
        (
            json!({ "op": 2, "d": { "token": token, "intents": 1 << 26, "properties": {} } })
                .to_string(),
            4013,
        ),
        (
            json!({ "op": 2, "d": { "token": token, "properties": {} } }).to_string(),
            4013,
        ),
        (
            json!({ "op": 2, "d": { "token": token, "intents": 1, "shard": [1, 1] } }).to_string(),
            4010,
        ),
        (
            json!({ "op": 6, "d": { "token": "nobody", "session_id": "", "seq": 0 } }).to_string(),
            4004,
        ),
        (json!({ "op": 3, "d": {} }).to_string(), 4003),
        (json!({ "op": 99, "d": {} }).to_string(), 4001),
        ("{".to_owned(), 4002),
        (json!({ "op": 2, "d": {} }).to_string(), 4002),
        (json!({ "op": 1, "d": long }).to_string(), 4002),
    ];
    for (payload, code) in cases {
        let mut gateway = Gateway::connect(&server, "").await;
        gateway.send_text(&payload).await;
        assert_eq!(gateway.close_code().await, Some(code), "{payload}");
    }
    for (query, code) in [
        ("v=8&encoding=json", 4012),
        ("v=11&encoding=json", 4012),
        ("v=10&encoding=etf", 4002),
        ("v=10&compress=lzma", 4002),
    ] {
        let mut gateway = Gateway::connect_with(&server, query).await;
        assert_eq!(gateway.close_code().await, Some(code), "{query}");
    }
    let mut gateway = server.bot().join(1).await;
    gateway.identify(token, 1).await;
    assert_eq!(gateway.close_code().await, Some(4005));
}

#[tokio::test]
async fn a_client_that_sends_too_much_is_closed() {
    let server = TestEmulator::open().await;
    let mut gateway = server.bot().join(ALL).await;
    for _ in 0..120 {
        gateway.send(&json!({ "op": 1, "d": null })).await;
    }
    assert_eq!(gateway.close_code().await, Some(4008));
}

#[tokio::test]
async fn members_are_sent_on_request() {
    let server = TestEmulator::open().await;
    let (guild, ada) = (&server.ready.guild_id, server.human("Ada").id);
    let number = |id: &str| id.parse::<u64>().unwrap();
    let mut gateway = server.bot().join(ALL).await;
    let check = [
        (json!({ "query": "", "limit": 0 }), 4, 0),
        (json!({ "query": "mi", "limit": 10 }), 1, 0),
        (json!({ "query": "", "limit": 2 }), 2, 0),
        (json!({ "user_ids": ada }), 1, 0),
        (json!({ "user_ids": [ada, "17"] }), 1, 1),
        (json!({ "user_ids": [number(&ada), 17] }), 1, 1),
        (json!({ "guild_id": number(guild), "limit": 0 }), 4, 0),
    ];
    for (mut ask, members, missing) in check {
        if ask["guild_id"].is_null() {
            ask["guild_id"] = json!(guild);
        }
        ask["nonce"] = json!("n");
        gateway.send(&json!({ "op": 8, "d": ask })).await;
        let chunk = gateway.event("GUILD_MEMBERS_CHUNK").await;
        assert_eq!(chunk["members"].as_array().unwrap().len(), members, "{ask}");
        assert_eq!(
            chunk["not_found"].as_array().unwrap().len(),
            missing,
            "{ask}"
        );
        assert_eq!(
            (
                &chunk["chunk_index"],
                &chunk["chunk_count"],
                &chunk["nonce"]
            ),
            (&json!(0), &json!(1), &json!("n"))
        );
    }
}

#[tokio::test]
async fn presence_and_voice_updates_are_accepted() {
    let server = TestEmulator::open().await;
    let mut gateway = server.bot().join(ALL).await;
    gateway.send(&json!({ "op": 3, "d": { "since": null, "activities": [], "status": "idle", "afk": false } })).await;
    gateway
        .send(&json!({ "op": 4, "d": { "guild_id": server.ready.guild_id, "channel_id": null } }))
        .await;
    gateway.heartbeat().await;
}

#[tokio::test]
async fn shutdown_closes_every_websocket_and_ends() {
    let server = TestEmulator::open().await;
    let mut bot = server.bot().join(ALL).await;
    let mut idle = Gateway::connect(&server, "").await;
    server.stop.cancel();
    assert_eq!(bot.close_code().await, Some(1001));
    assert_eq!(idle.close_code().await, Some(1001));
    server.tasks.close();
    crate::test_emulator::soon("the server", server.tasks.wait()).await;
}

#[tokio::test]
async fn the_version_before_is_served_alike() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    for query in ["v=10", "v=9&encoding=json", "encoding=json"] {
        let mut gateway = Gateway::connect_with(&server, query).await;
        assert_eq!(gateway.frame().await["op"], 10, "{query}");
        gateway.identify(&bot.token, 1).await;
        gateway.event("READY").await;
    }
    let root = server.ready.api_url.strip_suffix("/v10").unwrap();
    for (version, status) in [
        ("/v10", 200),
        ("/v9", 200),
        ("", 200),
        ("/v8", 400),
        ("/v11", 400),
        ("/vx", 404),
    ] {
        let request = server.http().get(format!("{root}{version}/users/@me"));
        let request = request.header("authorization", &bot.authorization);
        let reply = server.send(request).await.unwrap();
        assert_eq!(reply.status, status, "{version}");
        match status {
            200 => assert_eq!(reply.json["id"], bot.id.as_str()),
            400 => assert_eq!(reply.json["code"], 50041),
            _ => {}
        }
    }
}
