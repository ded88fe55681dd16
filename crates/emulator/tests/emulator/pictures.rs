//! Emoji, stickers and other pictures: uploaded, listed and served.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{Caller, Reply, TestEmulator, managed};

const EXPRESSIONS: u64 = 1 | 1 << 3;
/// A PNG of one pixel.
pub(crate) const PNG: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub(crate) async fn fetch(server: &TestEmulator, path: &str) -> (u16, String) {
    let url = format!("{}{path}", server.ready.cdn_url);
    let response = server.http().get(url).send().await.unwrap();
    let kind = response.headers().get("content-type");
    let kind = kind.map(|it| it.to_str().unwrap().to_owned());
    (response.status().as_u16(), kind.unwrap_or_default())
}

#[tokio::test]
async fn emoji_come_change_and_go() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let emojis = format!("/guilds/{guild}/emojis");
    let mut sees = bot.join(EXPRESSIONS).await;
    let made = bot
        .post(&emojis, json!({ "name": "tea", "image": PNG }))
        .await;
    assert_eq!(made.status, 201, "{:?}", made.json);
    let id = made.json["id"].as_str().unwrap().to_owned();
    assert_eq!(made.json["user"]["id"], bot.id);
    let told = sees.event("GUILD_EMOJIS_UPDATE").await;
    assert_eq!(told["emojis"][0]["name"], "tea");
    let picture = fetch(&server, &format!("/emojis/{id}.png")).await;
    assert_eq!(picture, (200, "image/png".into()));
    let general = server.channel("general");
    let said = bot.say(general, "x").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let react = format!("/channels/{general}/messages/{said}/reactions/tea:{id}/@me");
    assert_eq!(bot.put(&react, Value::Null).await.status, 204);

    let path = format!("{emojis}/{id}");
    let renamed = bot.patch(&path, json!({ "name": "sencha" })).await.json;
    assert_eq!(renamed["name"], "sencha");
    sees.event("GUILD_EMOJIS_UPDATE").await;
    assert_eq!(bot.get(&path).await.json["name"], "sencha");
    for (caller, method, expected) in [
        (&ben, Method::PATCH, (403, 50013)),
        (&ben, Method::DELETE, (403, 50013)),
        (&bot, Method::DELETE, (204, 0)),
        (&bot, Method::DELETE, (404, 10014)),
    ] {
        let reply = caller.call(method, &path, json!({ "name": "mine" })).await;
        assert_eq!(reply.outcome(), expected);
    }
    assert_eq!(sees.event("GUILD_EMOJIS_UPDATE").await["emojis"], json!([]));
    assert_eq!(fetch(&server, &format!("/emojis/{id}.png")).await.0, 404);
}

#[tokio::test]
async fn emoji_have_limits() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let emojis = format!("/guilds/{guild}/emojis");
    let large = format!("data:image/png;base64,iVBORw0KGgo{}", "A".repeat(360_000));
    for body in [
        json!({ "image": PNG }),
        json!({ "name": "tea" }),
        json!({ "name": "t", "image": PNG }),
        json!({ "name": "green tea", "image": PNG }),
        json!({ "name": "x".repeat(33), "image": PNG }),
        json!({ "name": "tea", "image": "tea.png" }),
        json!({ "name": "tea", "image": "data:image/png;base64,dGVh" }),
        json!({ "name": "tea", "image": large }),
    ] {
        let refused = bot.post(&emojis, body.clone()).await;
        assert_eq!(refused.outcome(), (400, 50035));
    }
    let refused = ben
        .post(&emojis, json!({ "name": "tea", "image": PNG }))
        .await;
    assert_eq!(refused.outcome(), (403, 50013));
    for number in 0..50 {
        let body = json!({ "name": format!("tea{number}"), "image": PNG });
        assert_eq!(bot.post(&emojis, body).await.status, 201);
    }
    let more = bot
        .post(&emojis, json!({ "name": "tea", "image": PNG }))
        .await;
    assert_eq!(more.outcome(), (400, 30008));
}

#[tokio::test]
async fn an_application_has_emoji_of_its_own() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let emojis = format!("/applications/{}/emojis", server.ready.bot.application_id);
    assert_eq!(bot.get(&emojis).await.json, json!({ "items": [] }));
    let made = bot
        .post(&emojis, json!({ "name": "tea", "image": PNG }))
        .await;
    assert_eq!(made.status, 201);
    let path = format!("{emojis}/{}", made.json["id"].as_str().unwrap());
    assert_eq!(
        bot.patch(&path, json!({ "name": "cup" })).await.json["name"],
        "cup"
    );
    assert_eq!(bot.get(&emojis).await.json["items"][0]["name"], "cup");
    assert_eq!(ben.get(&emojis).await.outcome(), (403, 20002));
    assert_eq!(
        bot.get("/applications/77/emojis").await.outcome(),
        (403, 50001)
    );
    assert_eq!(bot.delete(&path).await.status, 204);
    assert_eq!(bot.get(&path).await.outcome(), (404, 10014));
}

/// A form with plain fields and one file.
fn form(fields: &[(&str, &str)], file: (&str, &str, &[u8])) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, value) in fields {
        let head = format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n");
        form.extend(format!("{head}{value}\r\n").bytes());
    }
    let (name, filename, bytes) = file;
    let head = format!("content-disposition: form-data; name=\"{name}\"; filename=\"{filename}\"");
    form.extend(format!("--b\r\n{head}\r\n\r\n").bytes());
    form.extend(bytes);
    form.extend(b"\r\n--b--\r\n");
    form
}

async fn send_form(caller: &Caller<'_>, path: &str, form: Vec<u8>) -> Reply {
    let request = caller
        .request(Method::POST, path)
        .header("content-type", "multipart/form-data; boundary=b")
        .body(form);
    caller.server.send(request).await.unwrap()
}

async fn upload(caller: &Caller<'_>, guild: &str, name: &str, bytes: Vec<u8>) -> Reply {
    let fields = [("name", name), ("tags", "tea"), ("description", "Two cups")];
    let form = form(&fields, ("file", "sticker.png", &bytes));
    send_form(caller, &format!("/guilds/{guild}/stickers"), form).await
}

#[tokio::test]
async fn stickers_come_change_and_go() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01".to_vec();
    let mut sees = bot.join(EXPRESSIONS).await;
    let made = upload(&bot, guild, "Cheers", png.clone()).await;
    assert_eq!(made.status, 201, "{:?}", made.json);
    assert_eq!(
        (&made.json["tags"], &made.json["format_type"]),
        (&json!("tea"), &json!(1))
    );
    let id = made.json["id"].as_str().unwrap().to_owned();
    let told = sees.event("GUILD_STICKERS_UPDATE").await;
    assert_eq!(told["stickers"][0]["name"], "Cheers");
    let path = format!("/guilds/{guild}/stickers/{id}");
    let changed = bot
        .patch(&path, json!({ "name": "Salut", "description": null }))
        .await;
    assert_eq!(
        (&changed.json["name"], &changed.json["description"]),
        (&json!("Salut"), &json!(null))
    );
    assert_eq!(
        bot.get(&format!("/stickers/{id}")).await.json["name"],
        "Salut"
    );
    assert_eq!(bot.get(&path).await.json["user"]["id"], bot.id);
    assert_eq!(fetch(&server, &format!("/stickers/{id}.png")).await.0, 200);
    let general = server.channel("general");
    let sent = json!({ "sticker_ids": [id] });
    let sent = bot
        .post(&format!("/channels/{general}/messages"), sent)
        .await
        .json;
    assert_eq!(sent["sticker_items"][0]["name"], "Salut");
    for (name, bytes, expected) in [
        ("x", png.clone(), (400, 50035)),
        ("Text", b"tea".to_vec(), (400, 50046)),
        ("Said", b"\x89PNG\r\n\x1a\nand so on".to_vec(), (400, 50046)),
        (
            "Large",
            [png.clone(), vec![0; 512 * 1024]].concat(),
            (400, 50045),
        ),
    ] {
        assert_eq!(
            upload(&bot, guild, name, bytes).await.outcome(),
            expected,
            "{name}"
        );
    }
    assert_eq!(
        upload(&server.human("Ben"), guild, "Mine", png.clone())
            .await
            .outcome(),
        (403, 50013)
    );
    for number in 1..5 {
        upload(&bot, guild, &format!("More {number}"), png.clone()).await;
    }
    assert_eq!(
        upload(&bot, guild, "Sixth", png).await.outcome(),
        (400, 30039)
    );
    assert_eq!(bot.delete(&path).await.status, 204);
    assert_eq!(bot.get(&path).await.outcome(), (404, 10060));
    assert_eq!(
        bot.get("/sticker-packs").await.json,
        json!({ "sticker_packs": [] })
    );
}

#[tokio::test]
async fn avatars_and_icons_are_served() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let me = bot.patch("/users/@me", json!({ "avatar": PNG })).await.json;
    let path = format!("/avatars/{}/{}.png", bot.id, me["avatar"].as_str().unwrap());
    assert_eq!(fetch(&server, &path).await, (200, "image/png".into()));
    let shown = bot
        .patch(&format!("/guilds/{guild}"), json!({ "icon": PNG }))
        .await
        .json;
    let path = format!("/icons/{guild}/{}.png", shown["icon"].as_str().unwrap());
    assert_eq!(fetch(&server, &path).await.0, 200);
    let bare = bot
        .patch("/users/@me", json!({ "avatar": null }))
        .await
        .json;
    assert_eq!(bare["avatar"], Value::Null);
}

#[tokio::test]
async fn attachments_are_for_those_with_a_signed_url() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let form = form(&[], ("files[0]", "a.txt", b"tea"));
    let path = format!("/channels/{general}/messages");
    let sent = send_form(&bot, &path, form).await.json;
    let url = sent["attachments"][0]["url"].as_str().unwrap().to_owned();
    let (plain, query) = url.split_once('?').unwrap();
    for part in ["ex=", "&is=", "&hm="] {
        assert!(query.contains(part), "{query}");
    }
    let status = async |url: String| {
        server
            .http()
            .get(url)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    let forged = query.replace("ex=", "ex=f");
    let expired = "ex=1&is=1&hm=1";
    assert_eq!(status(url.clone()).await, 200);
    for query in ["", &forged, expired] {
        assert_eq!(status(format!("{plain}?{query}")).await, 404, "{query}");
    }
    let asked = json!({ "attachment_urls": [plain, "https://elsewhere.example/a.txt"] });
    let refreshed = bot.post("/attachments/refresh-urls", asked).await.json;
    let anew = refreshed["refreshed_urls"][0]["refreshed"]
        .as_str()
        .unwrap();
    assert_eq!(status(anew.to_owned()).await, 200);
    assert_eq!(refreshed["refreshed_urls"][1]["refreshed"], Value::Null);
}

#[tokio::test]
async fn those_without_a_picture_have_one_by_default() {
    let server = TestEmulator::open().await;
    let mut seen = Vec::new();
    for number in 0..=5 {
        let path = format!("/embed/avatars/{number}.png");
        let (status, kind) = fetch(&server, &path).await;
        assert_eq!((status, kind.as_str()), (200, "image/png"), "{number}");
        let url = format!("{}{path}?size=128", server.ready.cdn_url);
        let bytes = server.http().get(url).send().await.unwrap().bytes();
        let bytes = bytes.await.unwrap();
        assert!(!seen.contains(&bytes), "{number} is one of those before");
        seen.push(bytes);
    }
    for none in ["6.png", "x.png", "-1.png"] {
        assert_eq!(
            fetch(&server, &format!("/embed/avatars/{none}")).await.0,
            404
        );
    }
}
