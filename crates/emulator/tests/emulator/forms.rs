//! Bodies as HTML forms write them, and values that come as text.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    interactions::{Scene, ping},
    test_emulator::{Reply, TestEmulator, managed},
};

const FORM: &str = "application/x-www-form-urlencoded";

/// A request whose token, if it needs one, is in its path.
async fn send(server: &TestEmulator, path: &str, content_type: &str, body: &str) -> Reply {
    let request = server
        .request(Method::POST, path)
        .header("content-type", content_type)
        .body(body.to_owned());
    server.send(request).await.unwrap()
}

async fn webhook(server: &TestEmulator) -> String {
    let path = format!("/channels/{}/webhooks", server.channel("general"));
    let made = server.bot().post(&path, json!({ "name": "Crow" })).await;
    let text = |key: &str| made.json[key].as_str().unwrap().to_owned();
    format!("/webhooks/{}/{}", text("id"), text("token"))
}

#[tokio::test]
async fn a_webhook_takes_a_form() {
    let server = TestEmulator::open().await;
    let path = format!("{}?wait=true", webhook(&server).await);
    let charset = format!("{FORM}; charset=utf-8");
    for (content_type, body, status, content) in [
        (FORM, "content=hi", 200, "hi"),
        (
            FORM,
            "content=one+cup%20of+caf%C3%A9%26+100%25&tts=false",
            200,
            "one cup of café& 100%",
        ),
        (
            &charset,
            "payload_json=%7B%22content%22%3A+%22%3Dhi%22%7D",
            200,
            "=hi",
        ),
        (
            FORM,
            "payload_json=%7B%22content%22%3A%22json%22%7D&content=plain",
            200,
            "json",
        ),
        (FORM, "payload_json=%7B", 400, ""),
        (FORM, "payload_json=%5B%5D", 400, ""),
        (FORM, "content=%FF", 400, ""),
        (FORM, "username=Owl", 400, ""),
        (FORM, "", 400, ""),
    ] {
        let reply = send(&server, &path, content_type, body).await;
        assert_eq!(reply.status, status, "{body}: {:?}", reply.json);
        if status == 200 {
            assert_eq!(reply.json["content"], content, "{body}");
        }
    }
}

#[tokio::test]
async fn an_interaction_is_answered_by_a_form() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let path = format!(
        "/interactions/{}/{}/callback",
        heard["id"].as_str().unwrap(),
        heard["token"].as_str().unwrap()
    );
    let body =
        "payload_json=%7B%22type%22%3A+4%2C+%22data%22%3A+%7B%22content%22%3A+%22pong%22%7D%7D";
    let reply = send(&server, &path, FORM, body).await;
    assert_eq!(reply.status, 204, "{:?}", reply.json);
    let seen = scene.to_ben.until("MESSAGE_CREATE").await;
    assert_eq!(seen["content"], "pong");
}

#[tokio::test]
async fn a_form_with_files_needs_no_json() {
    let server = TestEmulator::open().await;
    let path = format!("{}?wait=true", webhook(&server).await);
    let body = "--b\r\ncontent-disposition: form-data; name=\"content\"\r\n\r\nlook\r\n\
                --b\r\ncontent-disposition: form-data; name=\"tts\"\r\n\r\ntrue\r\n\
                --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n--b--\r\n";
    let reply = send(&server, &path, "multipart/form-data; boundary=b", body).await;
    assert_eq!(reply.status, 200, "{:?}", reply.json);
    assert_eq!(
        (
            &reply.json["content"],
            &reply.json["tts"],
            &reply.json["attachments"][0]["filename"]
        ),
        (&json!("look"), &json!(true), &json!("a.txt"))
    );
}

#[tokio::test]
async fn what_is_true_or_false_may_come_as_text_or_number() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let path = format!("/guilds/{guild}/roles");
    for (value, expected) in [
        (json!(true), Some(true)),
        (json!("true"), Some(true)),
        (json!("True"), Some(true)),
        (json!("1"), Some(true)),
        (json!(1), Some(true)),
        (json!("false"), Some(false)),
        (json!("0"), Some(false)),
        (json!(0), Some(false)),
        (json!("yes"), None),
        (json!(""), None),
        (json!(2), None),
        (json!([]), None),
    ] {
        let reply = bot
            .post(&path, json!({ "name": "r", "hoist": value }))
            .await;
        match expected {
            Some(expected) => assert_eq!(reply.json["hoist"], expected, "{value}"),
            None => {
                let code = &reply.json["errors"]["hoist"]["_errors"][0]["code"];
                assert_eq!(*code, "BOOLEAN_TYPE_CONVERT", "{value}");
            }
        }
    }
    let prune = json!({ "days": "30", "compute_prune_count": "false" });
    let pruned = bot.post(&format!("/guilds/{guild}/prune"), prune).await;
    assert_eq!(pruned.json, json!({ "pruned": Value::Null }));
}
