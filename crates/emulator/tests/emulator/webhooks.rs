//! Webhooks: made, used, and what they leave.

use base64::{Engine, prelude::BASE64_STANDARD};
use kaiwa_emulator::World;
use reqwest::Method;
use serde_json::{Value, json};

use crate::pictures::{PNG, fetch};
use crate::test_emulator::{ALL, Caller, Reply, TestEmulator};

async fn make(caller: &Caller<'_>, channel: &str, name: &str) -> Reply {
    let path = format!("/channels/{channel}/webhooks");
    caller.post(&path, json!({ "name": name })).await
}

fn below(webhook: &Value) -> String {
    let text = |key: &str| webhook[key].as_str().unwrap();
    format!("/webhooks/{}/{}", text("id"), text("token"))
}

/// A request with nothing but the token in its path.
async fn by_token(server: &TestEmulator, method: Method, path: &str, body: Value) -> Reply {
    let mut request = server.request(method, path);
    if !body.is_null() {
        request = request.json(&body);
    }
    server.send(request).await.unwrap()
}

#[tokio::test]
async fn webhooks_are_made_read_changed_and_deleted() {
    let server = TestEmulator::open().await;
    let (bot, ben, ada) = (server.bot(), server.human("Ben"), server.human("Ada"));
    let mut gateway = bot.join(1 | 1 << 5).await;
    let channel = server.channel("general");
    let made = make(&bot, channel, "Crow").await;
    assert_eq!(made.status, 200, "{:?}", made.json);
    let update = gateway.until("WEBHOOKS_UPDATE").await;
    assert_eq!(
        update,
        json!({ "guild_id": server.ready.guild_id, "channel_id": channel })
    );
    let hook = made.json;
    assert_eq!((&hook["type"], &hook["name"]), (&json!(1), &json!("Crow")));
    assert_eq!(
        hook["application_id"],
        server.ready.bot.application_id.as_str()
    );
    assert_eq!(hook["user"]["id"], bot.id.as_str());
    let id = hook["id"].as_str().unwrap();
    let one = format!("/webhooks/{id}");
    assert_eq!(bot.get(&one).await.json["token"], hook["token"]);
    let seen = ada.get(&one).await.json;
    assert!(seen.get("token").is_none(), "it is the application's");
    let open = by_token(&server, Method::GET, &below(&hook), Value::Null).await;
    assert_eq!(open.json["token"], hook["token"]);
    assert!(open.json.get("user").is_none());
    for path in [
        format!("/channels/{channel}/webhooks"),
        format!("/guilds/{}/webhooks", server.ready.guild_id),
    ] {
        assert_eq!(bot.get(&path).await.json[0]["id"], id, "{path}");
        assert_eq!(ben.get(&path).await.json["code"], 50013, "{path}");
    }
    let random = server.channel("random");
    let no_picture = json!({ "avatar": "data:image/png;base64,AAAA" });
    let refused = bot.call(Method::PATCH, &one, no_picture).await;
    assert_eq!(refused.outcome(), (400, 50035));
    let patch = json!({ "name": "Raven", "channel_id": random, "avatar": PNG });
    let moved = bot.call(Method::PATCH, &one, patch).await.json;
    assert_eq!(
        (&moved["name"], &moved["channel_id"]),
        (&json!("Raven"), &json!(random))
    );
    let avatar = format!("/avatars/{id}/{}.png", moved["avatar"].as_str().unwrap());
    assert_eq!(fetch(&server, &avatar).await, (200, "image/png".into()));
    gateway.until("WEBHOOKS_UPDATE").await;
    gateway.until("WEBHOOKS_UPDATE").await;
    let patch = json!({ "name": "Jay", "channel_id": channel, "avatar": null });
    let kept = by_token(&server, Method::PATCH, &below(&hook), patch)
        .await
        .json;
    assert_eq!(
        (&kept["name"], &kept["channel_id"], &kept["avatar"]),
        (&json!("Jay"), &json!(random), &Value::Null)
    );
    assert_eq!(fetch(&server, &avatar).await.0, 404);
    let gone = by_token(&server, Method::DELETE, &below(&hook), Value::Null).await;
    assert_eq!(gone.status, 204);
    assert_eq!(bot.get(&one).await.json["code"], 10015);
    let unknown = by_token(
        &server,
        Method::POST,
        &below(&hook),
        json!({ "content": "x" }),
    )
    .await;
    assert_eq!(
        (unknown.status.as_u16(), &unknown.json["code"]),
        (404, &json!(10015))
    );
}

#[tokio::test]
async fn webhooks_have_rules() {
    let server = TestEmulator::open().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let general = server.channel("general");
    let check = async |name: &str, code: u64| {
        let reply = make(&bot, general, name).await;
        assert_eq!(reply.json["code"], code, "{name}");
    };
    check("", 50035).await;
    check(&"x".repeat(81), 50035).await;
    check("my DisCord hook", 50035).await;
    check("Clyde", 50035).await;
    let reply = bot
        .post(&format!("/channels/{general}/webhooks"), json!({}))
        .await;
    assert_eq!(
        reply.json["errors"]["name"]["_errors"][0]["code"],
        "BASE_TYPE_REQUIRED"
    );
    assert_eq!(make(&ben, general, "x").await.json["code"], 50013);
    let dm = ben.open_dm(&bot.id).await;
    assert_eq!(make(&ben, &dm, "x").await.json["code"], 50003);
    let mut last = Value::Null;
    for number in 0..15 {
        let made = make(&bot, general, &format!("h{number}")).await;
        assert_eq!(made.status, 200, "{:?}", made.json);
        last = made.json;
    }
    let full = make(&bot, general, "one more").await;
    assert_eq!(
        (full.status.as_u16(), &full.json["code"]),
        (400, &json!(30007))
    );
    let wrong = format!("/webhooks/{}/wrong", last["id"].as_str().unwrap());
    let wrong = by_token(&server, Method::POST, &wrong, json!({ "content": "x" })).await;
    assert_eq!(
        (wrong.status.as_u16(), &wrong.json["code"]),
        (401, &json!(50027))
    );
    let check = async |query: &str, body: Value, code: u64| {
        let path = format!("{}?wait=true&{query}", below(&last));
        let reply = by_token(&server, Method::POST, &path, body.clone()).await;
        assert_eq!(reply.json["code"], code, "{body} {:?}", reply.json);
    };
    check("", json!({}), 50006).await;
    check("", json!({ "content": "x", "username": "discord" }), 50035).await;
    check(
        "",
        json!({ "content": "x", "username": "u".repeat(81) }),
        50035,
    )
    .await;
    check(
        "",
        json!({ "content": "x", "avatar_url": "file:///x" }),
        50035,
    )
    .await;
    check("", json!({ "content": "x".repeat(2001) }), 50035).await;
    check("", json!({ "content": "x", "thread_name": "t" }), 220_003).await;
    check("thread_id=17", json!({ "content": "x" }), 10003).await;
    let made = server.human("Ada");
    let hook = make(&made, server.channel("random"), "Ada's").await.json;
    let row = json!([{ "type": 1, "components": [{ "type": 2, "style": 1, "label": "l", "custom_id": "c" }] }]);
    let path = format!("{}?with_components=true", below(&hook));
    let refused = by_token(
        &server,
        Method::POST,
        &path,
        json!({ "content": "x", "components": row }),
    )
    .await;
    assert_eq!(refused.json["code"], 50035, "nobody would answer");
    let link = json!([{ "type": 1, "components": [{ "type": 2, "style": 5, "label": "l", "url": "https://example.com" }] }]);
    let sent = by_token(
        &server,
        Method::POST,
        &path,
        json!({ "content": "x", "components": link }),
    )
    .await;
    assert_eq!(sent.status, 204, "{:?}", sent.json);
}

#[tokio::test]
async fn a_webhook_speaks_with_a_name_of_its_own() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let general = server.channel("general");
    let mut gateway = bot.join(ALL).await;
    let hook = make(&bot, general, "Crow").await.json;
    gateway.until("WEBHOOKS_UPDATE").await;
    let path = format!("{}?wait=true", below(&hook));
    let ben = server.human("Ben").id;
    let body = json!({
        "content": format!("@everyone <@{ben}> caw"), "username": "Old Crow",
        "avatar_url": "https://example.com/a.png", "embeds": [{ "title": "t" }],
        "flags": 1 << 12,
    });
    let said = by_token(&server, Method::POST, &path, body).await;
    assert_eq!(said.status, 200, "{:?}", said.json);
    let message = said.json;
    assert_eq!(message["webhook_id"], hook["id"]);
    assert_eq!(message["application_id"], hook["application_id"]);
    let author = &message["author"];
    assert_eq!(
        (&author["id"], &author["username"], &author["bot"]),
        (&hook["id"], &json!("Old Crow"), &json!(true))
    );
    assert_eq!(author["discriminator"], "0000");
    assert!(author["avatar"].is_string());
    assert_eq!(message["mention_everyone"], false, "users alone are pinged");
    assert_eq!(message["mentions"][0]["id"], ben.as_str());
    assert_eq!(message["flags"], 1 << 12);
    let heard = gateway.until("MESSAGE_CREATE").await;
    assert_eq!(heard["author"], message["author"]);
    assert!(heard.get("member").is_none());
    let plain = by_token(
        &server,
        Method::POST,
        &below(&hook),
        json!({ "content": "plain" }),
    )
    .await;
    assert_eq!(plain.status, 204, "without waiting");
    let heard = gateway.until("MESSAGE_CREATE").await;
    assert_eq!(heard["author"]["username"], "Crow");
    let all = json!({ "content": "@everyone", "allowed_mentions": { "parse": ["everyone"] } });
    assert_eq!(
        by_token(&server, Method::POST, &path, all).await.json["mention_everyone"],
        true
    );

    let one = format!(
        "{}/messages/{}",
        below(&hook),
        message["id"].as_str().unwrap()
    );
    let read = by_token(&server, Method::GET, &one, Value::Null).await.json;
    assert_eq!(read["author"]["username"], "Old Crow");
    let edited = by_token(&server, Method::PATCH, &one, json!({ "content": "edited" }))
        .await
        .json;
    assert_eq!(
        (&edited["content"], &edited["author"]["username"]),
        (&json!("edited"), &json!("Old Crow"))
    );
    assert_eq!(gateway.until("MESSAGE_UPDATE").await["content"], "edited");
    let gone = by_token(&server, Method::DELETE, &one, Value::Null).await;
    assert_eq!(gone.status, 204);
    assert_eq!(gateway.until("MESSAGE_DELETE").await["id"], message["id"]);
    assert_eq!(
        by_token(&server, Method::GET, &one, Value::Null).await.json["code"],
        10008
    );
    let by_bot = bot.say(general, "mine").await;
    let other = format!(
        "{}/messages/{}",
        below(&hook),
        by_bot["id"].as_str().unwrap()
    );
    let refused = by_token(&server, Method::PATCH, &other, json!({ "content": "x" })).await;
    assert_eq!(refused.json["code"], 10008, "not its own");
}

#[tokio::test]
async fn a_webhook_writes_in_threads_and_opens_posts() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let general = server.channel("general");
    let hook = make(&bot, general, "Crow").await.json;
    let thread = bot
        .post(
            &format!("/channels/{general}/threads"),
            json!({ "name": "t", "type": 11 }),
        )
        .await
        .json;
    let thread = thread["id"].as_str().unwrap();
    bot.call(
        Method::PATCH,
        &format!("/channels/{thread}"),
        json!({ "archived": true }),
    )
    .await;
    let path = format!("{}?wait=true&thread_id={thread}", below(&hook));
    let said = by_token(
        &server,
        Method::POST,
        &path,
        json!({ "content": "in there" }),
    )
    .await;
    assert_eq!(said.json["channel_id"], thread, "{:?}", said.json);
    let shown = bot.get(&format!("/channels/{thread}")).await.json;
    assert_eq!(shown["thread_metadata"]["archived"], false);
    let one = format!(
        "{}/messages/{}",
        below(&hook),
        said.json["id"].as_str().unwrap()
    );
    assert_eq!(
        by_token(&server, Method::GET, &one, Value::Null).await.json["code"],
        10008
    );
    let one = format!("{one}?thread_id={thread}");
    assert_eq!(
        by_token(&server, Method::GET, &one, Value::Null).await.json["content"],
        "in there"
    );

    let forum = make(&bot, server.channel("ideas"), "Muse").await.json;
    let path = format!("{}?wait=true", below(&forum));
    let needs = by_token(&server, Method::POST, &path, json!({ "content": "x" })).await;
    assert_eq!(needs.json["code"], 220_001);
    let body = json!({ "content": "x", "thread_name": "An idea" });
    let posted = by_token(&server, Method::POST, &path, body.clone())
        .await
        .json;
    assert_eq!(posted["id"], posted["channel_id"], "{posted}");
    let post = bot
        .get(&format!(
            "/channels/{}",
            posted["channel_id"].as_str().unwrap()
        ))
        .await
        .json;
    assert_eq!(
        (&post["name"], &post["member_count"]),
        (&json!("An idea"), &json!(0))
    );
    let both = format!(
        "{path}&thread_id={}",
        posted["channel_id"].as_str().unwrap()
    );
    assert_eq!(
        by_token(&server, Method::POST, &both, body).await.json["code"],
        220_002
    );
}

#[tokio::test]
async fn webhooks_have_an_allowance_each_and_one_for_the_channel() {
    let server = TestEmulator::of(World::default()).await;
    let ada = server.human("Ada");
    let random = server.channel("random");
    let mut hooks = Vec::new();
    for number in 0..7 {
        hooks.push(make(&ada, random, &format!("h{number}")).await.json);
    }
    let say = async |hook: &Value| {
        by_token(
            &server,
            Method::POST,
            &below(hook),
            json!({ "content": "x" }),
        )
        .await
    };
    for _ in 0..5 {
        assert_eq!(say(&hooks[0]).await.status, 204);
    }
    let refused = say(&hooks[0]).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.headers["x-ratelimit-scope"], "user");
    for hook in &hooks[1..6] {
        for _ in 0..5 {
            assert_eq!(say(hook).await.status, 204, "each has its own");
        }
    }
    let shared = say(&hooks[6]).await;
    assert_eq!(shared.status, 429, "thirty a minute in all");
    assert_eq!(shared.headers["x-ratelimit-scope"], "shared");
    let wait = shared.json["retry_after"].as_f64().unwrap();
    assert!(wait > 10.0, "{wait}");
}

#[tokio::test]
async fn each_message_of_a_webhook_has_its_own_picture() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let bytes = BASE64_STANDARD
        .decode(PNG.split_once(',').unwrap().1)
        .unwrap();
    let uploaded = bot.upload(general, "a face", "face.png", &bytes).await.json;
    let face = &uploaded["attachments"][0]["url"];
    let hook = make(&bot, general, "Crow").await.json;
    let path = format!("{}?wait=true", below(&hook));
    let mut hashes = Vec::new();
    for url in [
        face,
        &json!("https://a.example/b.png"),
        &json!("https://a.example/c.png"),
    ] {
        let body = json!({ "content": "caw", "avatar_url": url });
        let said = by_token(&server, Method::POST, &path, body).await.json;
        let hash = said["author"]["avatar"].as_str().unwrap().to_owned();
        let picture = format!("/avatars/{}/{hash}.png", hook["id"].as_str().unwrap());
        assert_eq!(fetch(&server, &picture).await, (200, "image/png".into()));
        hashes.push(hash);
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 3);
    let unknown = format!(
        "/avatars/{}/{}.png",
        hook["id"].as_str().unwrap(),
        "0".repeat(32)
    );
    assert_eq!(fetch(&server, &unknown).await.0, 404);
}

#[tokio::test]
async fn github_tells_a_channel_what_happened() {
    let server = TestEmulator::open().await;
    let hook = make(&server.bot(), server.channel("general"), "Crow")
        .await
        .json;
    let path = format!("{}/github", below(&hook));
    let repository = json!({ "full_name": "tea/pot", "html_url": "https://example.com/tea/pot" });
    let sender = json!({ "login": "ada", "html_url": "https://example.com/ada", "avatar_url": "https://example.com/ada.png" });
    for (event, mut body, title) in [
        (
            "push",
            json!({ "ref": "refs/heads/main", "compare": "https://example.com/c", "commits": [
                { "id": "0123456789abcdef", "message": "warm the pot\n\nfirst", "url": "https://example.com/1", "author": { "name": "Ada" } },
            ] }),
            Some("[tea/pot:main] 1 new commit"),
        ),
        (
            "issues",
            json!({ "action": "opened", "issue": { "number": 7, "title": "Cold", "body": "tea", "html_url": "https://example.com/7" } }),
            Some("[tea/pot] Issue opened: #7 Cold"),
        ),
        (
            "pull_request",
            json!({ "action": "closed", "number": 8, "pull_request": { "number": 8, "title": "Hot", "html_url": "https://example.com/8" } }),
            Some("[tea/pot] Pull request closed: #8 Hot"),
        ),
        (
            "release",
            json!({ "action": "published", "release": { "tag_name": "v1", "name": "One", "html_url": "https://example.com/v1" } }),
            Some("[tea/pot] New release published: One"),
        ),
        (
            "watch",
            json!({ "action": "started" }),
            Some("[tea/pot] New star added"),
        ),
        ("ping", json!({ "zen": "Keep it simple." }), None),
        (
            "issues",
            json!({ "action": "labeled", "issue": { "number": 7, "title": "Cold" } }),
            None,
        ),
        (
            "push",
            json!({ "ref": "refs/heads/main", "commits": [] }),
            None,
        ),
        ("issues", json!({ "action": 3 }), None),
    ] {
        body["repository"] = repository.clone();
        body["sender"] = sender.clone();
        let request = server
            .request(Method::POST, &path)
            .header("x-github-event", event);
        let reply = server.send(request.json(&body)).await.unwrap();
        assert_eq!(reply.status, 204, "{event}: {:?}", reply.json);
        let history = format!("/channels/{}/messages?limit=1", server.channel("general"));
        let last = server.bot().get(&history).await.json;
        if let Some(title) = title {
            let embed = &last[0]["embeds"][0];
            assert_eq!(embed["title"], title);
            assert_eq!(embed["author"]["name"], "ada");
        } else {
            assert_eq!(
                last[0]["embeds"][0]["title"], "[tea/pot] New star added",
                "{event}"
            );
        }
    }
    let strange = server.request(Method::POST, &path).json(&json!({}));
    assert_eq!(
        server.send(strange).await.unwrap().status,
        400,
        "without the event's name"
    );
}
