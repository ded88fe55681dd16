//! Discord's own errors.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{Caller, TestEmulator};

#[tokio::test]
async fn refusals_carry_discords_codes() {
    let server = TestEmulator::open().await;
    let (bot, ben, ada) = (server.bot(), server.human("Ben"), server.human("Ada"));
    let (general, staff) = (server.channel("general"), server.channel("staff"));
    let by_ada = ada.say(general, "mine").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let dm = ben.open_dm(&bot.id).await;
    let by_bot = bot.say(&dm, "hi").await["id"].as_str().unwrap().to_owned();
    let guild = &server.ready.guild_id;
    let text = |chars: usize| json!({ "content": "é".repeat(chars) });
    let messages = format!("/channels/{general}/messages");

    let check = async |caller: &Caller<'_>,
                       method: Method,
                       path: &str,
                       body: Value,
                       status: u16,
                       code: u64| {
        let reply = caller.call(method.clone(), path, body).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json["code"]),
            (status, &json!(code)),
            "{method} {path} {:?}",
            reply.json
        );
        assert!(reply.json["message"].is_string(), "{method} {path}");
    };
    let (get, post, patch, delete) = (Method::GET, Method::POST, Method::PATCH, Method::DELETE);
    check(&bot, get.clone(), "/nowhere", Value::Null, 404, 0).await;
    check(
        &bot,
        get.clone(),
        "/../v8/users/@me",
        Value::Null,
        400,
        50041,
    )
    .await;
    check(&bot, delete.clone(), "/users/@me", Value::Null, 405, 0).await;
    check(&bot, get.clone(), "/channels/17", Value::Null, 404, 10003).await;
    check(&bot, get.clone(), "/channels/x", Value::Null, 400, 50035).await;
    check(&bot, get.clone(), "/guilds/17", Value::Null, 404, 10004).await;
    check(
        &bot,
        get.clone(),
        &format!("/guilds/{guild}/members/17"),
        Value::Null,
        404,
        10007,
    )
    .await;
    check(
        &bot,
        get.clone(),
        &format!("{messages}/17"),
        Value::Null,
        404,
        10008,
    )
    .await;
    check(&bot, get.clone(), "/users/17", Value::Null, 404, 10013).await;
    check(
        &bot,
        get.clone(),
        &format!("/channels/{staff}"),
        Value::Null,
        403,
        50001,
    )
    .await;
    check(
        &ben,
        get.clone(),
        &format!("/channels/{staff}/messages"),
        Value::Null,
        403,
        50001,
    )
    .await;
    check(
        &ben,
        post.clone(),
        &format!("/channels/{staff}/typing"),
        Value::Null,
        403,
        50001,
    )
    .await;
    check(&bot, post.clone(), &messages, json!({}), 400, 50006).await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "content": " \n " }),
        400,
        50006,
    )
    .await;
    check(&bot, post.clone(), &messages, text(2001), 400, 50035).await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "content": ["x"] }),
        400,
        50035,
    )
    .await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "content": "x", "nonce": "n".repeat(26) }),
        400,
        50035,
    )
    .await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "content": "x", "tts": true }),
        403,
        50013,
    )
    .await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "content": "x", "flags": 1 << 15 }),
        400,
        50035,
    )
    .await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "embeds": vec![json!({}); 11] }),
        400,
        50035,
    )
    .await;
    check(
        &bot,
        post.clone(),
        &messages,
        json!({ "embeds": [{ "title": "t".repeat(257) }] }),
        400,
        50035,
    )
    .await;
    check(&bot, post.clone(), &messages, json!([]), 400, 50035).await;
    check(
        &bot,
        patch.clone(),
        &format!("{messages}/{by_ada}"),
        json!({ "content": "x" }),
        403,
        50005,
    )
    .await;
    check(
        &ada,
        patch.clone(),
        &format!("{messages}/{by_ada}"),
        text(2001),
        400,
        50035,
    )
    .await;
    check(
        &bot,
        delete.clone(),
        &format!("{messages}/{by_ada}"),
        Value::Null,
        403,
        50013,
    )
    .await;
    check(
        &ben,
        delete.clone(),
        &format!("/channels/{dm}/messages/{by_bot}"),
        Value::Null,
        403,
        50003,
    )
    .await;
    check(
        &bot,
        post.clone(),
        &format!("/channels/{dm}/messages/bulk-delete"),
        json!({ "messages": [] }),
        403,
        50003,
    )
    .await;
    check(
        &bot,
        Method::PUT,
        &format!("{messages}/{by_ada}/reactions/word/@me"),
        Value::Null,
        400,
        10014,
    )
    .await;
    check(
        &bot,
        delete.clone(),
        &format!("{messages}/{by_ada}/reactions/%F0%9F%8D%B5/@me"),
        Value::Null,
        400,
        10014,
    )
    .await;
    check(
        &bot,
        post.clone(),
        "/users/@me/channels",
        json!({ "recipient_id": "17" }),
        400,
        50033,
    )
    .await;
    check(
        &bot,
        post.clone(),
        "/users/@me/channels",
        json!({ "recipient_id": bot.id }),
        400,
        50033,
    )
    .await;
    check(
        &bot,
        post.clone(),
        "/users/@me/channels",
        json!({}),
        400,
        50035,
    )
    .await;
    check(&ben, get.clone(), "/gateway/bot", Value::Null, 401, 0).await;

    // Characters are counted, not bytes, and 2000 of them fit.
    assert_eq!(bot.post(&messages, text(2000)).await.status, 200);
    let long = bot.post(&messages, text(2001)).await.json;
    let expect = json!({ "content": { "_errors": [
        { "code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length." },
    ] } });
    assert_eq!(long["errors"], expect);
}

#[tokio::test]
async fn broken_bodies_and_tokens_are_refused() {
    let server = TestEmulator::open().await;
    let path = format!("/channels/{}/messages", server.channel("general"));
    let send = async |body: String| {
        let request = server
            .bot()
            .request(Method::POST, &path)
            .header("content-type", "application/json")
            .body(body);
        let reply = server.send(request).await.unwrap();
        (reply.status.as_u16(), reply.json["code"].as_u64().unwrap())
    };
    assert_eq!(send("{".into()).await, (400, 50109));
    assert_eq!(send("[".repeat(200_000)).await, (400, 50109));
    assert_eq!(
        send(format!("{{\"content\":\"{}\"}}", "x".repeat(1 << 20))).await,
        (413, 40005)
    );

    let (bot, ben) = (&server.ready.bot.token, server.human("Ben").token);
    for wrong in [
        "",
        "Bot",
        "Bot nobody",
        bot,
        &format!("Bot {ben}"),
        &format!("Bearer {bot}"),
    ] {
        let request = server
            .request(Method::GET, "/users/@me")
            .header("authorization", wrong);
        let reply = server.send(request).await.unwrap();
        assert_eq!(reply.status, 401, "{wrong}");
        assert_eq!(
            reply.json,
            json!({ "message": "401: Unauthorized", "code": 0 })
        );
    }
    let open = server
        .send(server.request(Method::GET, "/gateway"))
        .await
        .unwrap();
    assert_eq!(
        open.json,
        json!({ "url": server.ready.gateway_url }),
        "this one needs no token"
    );
}
