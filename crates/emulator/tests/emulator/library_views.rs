//! What libraries read in answers although the documentation hardly mentions it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

/// hikari and serenity read the bot's id from its token.
#[tokio::test]
async fn tokens_begin_with_the_id_of_their_owner() {
    let server = TestEmulator::open().await;
    let ready = &server.ready;
    for (token, id) in [
        (&ready.bot.token, &ready.bot.id),
        (&ready.users[0].token, &ready.users[0].id),
    ] {
        let owner = token.split('.').next().unwrap();
        assert_eq!(STANDARD_NO_PAD.decode(owner).unwrap(), id.as_bytes());
    }
}

#[tokio::test]
async fn a_field_of_an_embed_says_that_it_is_not_inline() {
    let server = TestEmulator::open().await;
    let path = format!("/channels/{}/messages", server.channel("general"));
    let fields =
        json!([{ "name": "a", "value": "1" }, { "name": "b", "value": "2", "inline": true }]);
    let body = json!({ "embeds": [{ "fields": fields }] });
    let message = server.bot().post(&path, body).await.json;
    let inline: Vec<&Value> = message["embeds"][0]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| &field["inline"])
        .collect();
    assert_eq!(inline, [&json!(false), &json!(true)]);
}

#[tokio::test]
async fn the_flags_of_an_application_come_as_text_too() {
    let server = TestEmulator::open().await;
    let application = server.bot().get("/applications/@me").await.json;
    let text = application["flags"].as_u64().unwrap().to_string();
    assert_eq!(application["flags_new"], text);
    let mut gateway = Gateway::connect(&server, "").await;
    gateway.identify(&server.bot().token, ALL).await;
    let ready = gateway.until("READY").await;
    assert_eq!(ready["application"]["flags_new"], text);
}
