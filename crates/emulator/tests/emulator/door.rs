//! What is shown to those who may come in, and who may not.

use serde_json::{Value, json};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::test_emulator::{TestEmulator, soon};

#[tokio::test]
async fn what_exists_can_be_read() {
    let server = TestEmulator::open().await;
    let (bot, guild) = (server.bot(), server.ready.guild_id.clone());
    let user = bot.get("/users/@me").await.json;
    assert_eq!(
        (&user["id"], &user["username"]),
        (&json!(bot.id), &json!("Kaiwa"))
    );
    assert_eq!(
        bot.get(&format!("/users/{}", server.human("Mika").id))
            .await
            .json["global_name"],
        "Mika"
    );
    let guilds = bot.get("/users/@me/guilds").await.json;
    let mut guilds = guilds.as_array().unwrap().iter();
    assert!(guilds.any(|it| it["id"] == guild));
    assert_eq!(
        bot.get(&format!("/guilds/{guild}?with_counts=true"))
            .await
            .json["approximate_member_count"],
        4
    );
    assert_eq!(
        bot.get(&format!("/guilds/{guild}/roles")).await.json[0]["id"],
        guild,
        "@everyone shares the guild's id"
    );
    let start = bot.get("/gateway/bot").await.json;
    assert_eq!(
        (
            &start["shards"],
            &start["session_start_limit"]["max_concurrency"]
        ),
        (&json!(1), &json!(1))
    );
    for path in ["/applications/@me", "/oauth2/applications/@me"] {
        assert_eq!(
            bot.get(path).await.json["id"],
            server.ready.bot.application_id
        );
    }

    let mut seen = Vec::new();
    let mut after = "0".to_owned();
    loop {
        let page = bot
            .get(&format!("/guilds/{guild}/members?limit=3&after={after}"))
            .await
            .json;
        let ids: Vec<String> = page
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["user"]["id"].as_str().unwrap().to_owned())
            .collect();
        let Some(last) = ids.last() else { break };
        after = last.clone();
        seen.extend(ids);
    }
    assert_eq!(seen.len(), 4);
}

#[tokio::test]
async fn strangers_are_turned_away_at_the_door() {
    let server = TestEmulator::open().await;
    let port = server
        .ready
        .api_url
        .split(':')
        .nth(2)
        .unwrap()
        .split('/')
        .next()
        .unwrap()
        .to_owned();
    let url = format!("http://127.0.0.1:{port}/emulator/world");
    let check = async |name: &str, value: String, status: u16| {
        let reply = server
            .http()
            .get(&url)
            .header(name, &value)
            .send()
            .await
            .unwrap();
        assert_eq!(reply.status(), status, "{name}: {value}");
        assert!(reply.headers().get("access-control-allow-origin").is_none());
    };
    check("host", format!("127.0.0.1:{port}"), 200).await;
    check("host", format!("localhost:{port}"), 200).await;
    check("host", format!("[::1]:{port}"), 200).await;
    check("host", "127.0.0.1".into(), 403).await;
    check("host", format!("evil.example:{port}"), 403).await;
    check("host", format!("127.0.0.1.evil.example:{port}"), 403).await;
    check("origin", format!("http://127.0.0.1:{port}"), 200).await;
    check("origin", "http://evil.example".into(), 403).await;
    check("origin", "null".into(), 403).await;
    let world: Value = server
        .http()
        .get(&url)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(world, serde_json::to_value(&server.ready).unwrap());
}

/// Those who only hold connections open keep nobody out, and are let go.
#[tokio::test]
async fn half_open_requests_make_way_for_whole_ones() {
    let server = TestEmulator::open().await;
    let address = server.ready.api_url.strip_prefix("http://").unwrap();
    let address = address.split('/').next().unwrap();
    let mut open = Vec::new();
    for _ in 0..400 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /api/v10/users").await.unwrap();
        open.push(stream);
    }
    assert_eq!(server.bot().get("/users/@me").await.status, 200);
    let mut heard = Vec::new();
    let oldest = open[0].read_to_end(&mut heard);
    // A reset ends it as well.
    let _ = soon("the oldest to be let go", oldest).await;
    assert_eq!(heard, b"");
    // A websocket needs no place once it is open.
    let mut gateway = server.bot().join(1).await;
    gateway.heartbeat().await;
}
