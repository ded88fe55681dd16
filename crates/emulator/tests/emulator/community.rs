//! What a guild sets up for its people, and what an application says of itself.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::test_emulator::{TestEmulator, managed};

fn sound() -> String {
    let bytes = [b"ID3\x04".as_slice(), &[0; 60]].concat();
    format!("data:audio/mpeg;base64,{}", BASE64_STANDARD.encode(bytes))
}

#[tokio::test]
async fn sounds_are_kept_asked_for_and_heard() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let sounds = format!("/guilds/{guild}/soundboard-sounds");
    let mut sees = bot.join(1 << 3 | 1 << 7).await;
    let body = json!({ "name": "boing", "sound": sound(), "volume": 0.5, "emoji_name": "🔔" });
    let made = bot.post(&sounds, body.clone()).await.json;
    assert_eq!(
        (&made["volume"], &made["emoji_name"]),
        (&json!(0.5), &json!("🔔"))
    );
    assert_eq!(sees.event("GUILD_SOUNDBOARD_SOUND_CREATE").await, made);
    let id = made["sound_id"].as_str().unwrap();
    let heard = format!("{}/soundboard-sounds/{id}", server.ready.cdn_url);
    let heard = server.http().get(heard).send().await.unwrap();
    assert_eq!(heard.headers()["content-type"], "audio/mpeg");

    sees.send(&json!({ "op": 31, "d": { "guild_ids": [guild, "1"] } }))
        .await;
    let told = sees.event("SOUNDBOARD_SOUNDS").await;
    assert_eq!(told["soundboard_sounds"], json!([made]));
    sees.send(&json!({ "op": 31, "d": {} })).await;
    assert_eq!(sees.close_code().await, Some(4002));

    for (key, value) in [
        ("name", json!("x")),
        ("volume", json!(2)),
        ("sound", json!("data:,")),
    ] {
        let mut wrong = body.clone();
        wrong[key] = value;
        assert_eq!(
            bot.post(&sounds, wrong).await.outcome(),
            (400, 50035),
            "{key}"
        );
    }
    for _ in 1..8 {
        assert_eq!(bot.post(&sounds, body.clone()).await.status, 201);
    }
    assert_eq!(
        bot.post(&sounds, body.clone()).await.outcome(),
        (400, 30045)
    );
    let ben = server.human("Ben");
    assert_eq!(ben.post(&sounds, body).await.outcome(), (403, 50013));
    let one = format!("{sounds}/{id}");
    assert_eq!(
        bot.patch(&one, json!({ "name": "bong" })).await.json["name"],
        "bong"
    );
    assert_eq!(bot.delete(&one).await.status, 204);
    assert_eq!(bot.get(&one).await.outcome(), (404, 10097));
    assert_eq!(
        bot.get("/soundboard-default-sounds").await.json[0]["sound_id"],
        "1"
    );
    let play = format!(
        "/channels/{}/send-soundboard-sound",
        server.channel("general")
    );
    assert_eq!(
        bot.post(&play, json!({ "sound_id": "1" })).await.outcome(),
        (400, 40032)
    );
}

#[tokio::test]
async fn a_template_keeps_the_guild_as_it_was() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let templates = format!("/guilds/{guild}/templates");
    let made = bot.post(&templates, json!({ "name": "Base" })).await.json;
    let shown = &made["serialized_source_guild"];
    let names: Vec<&Value> = shown["channels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["general", "other"]);
    assert_eq!(
        (&shown["roles"][0]["id"], &made["is_dirty"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(
        bot.post(&templates, json!({ "name": "More" }))
            .await
            .outcome(),
        (400, 30031)
    );
    let code = made["code"].as_str().unwrap();
    bot.post(
        &format!("/guilds/{guild}/channels"),
        json!({ "name": "new" }),
    )
    .await;
    let stranger = server
        .human("Sue")
        .get(&format!("/guilds/templates/{code}"))
        .await
        .json;
    assert_eq!(
        (&stranger["name"], &stranger["is_dirty"]),
        (&json!("Base"), &json!(true))
    );
    let own = format!("{templates}/{code}");
    let synced = bot.put(&own, Value::Null).await.json;
    assert_eq!(
        synced["serialized_source_guild"]["channels"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(
        bot.patch(&own, json!({ "name": "Best" })).await.json["name"],
        "Best"
    );
    assert_eq!(
        server.human("Ben").delete(&own).await.outcome(),
        (403, 50013)
    );
    assert_eq!(bot.delete(&own).await.json["code"], code);
    assert_eq!(
        bot.get(&format!("/guilds/templates/{code}"))
            .await
            .outcome(),
        (404, 10057)
    );
}

#[tokio::test]
async fn those_who_come_are_welcomed_and_asked() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let general = server.channel("general");
    let screen = format!("/guilds/{guild}/welcome-screen");
    let body = json!({ "description": "Hello", "welcome_channels": [
        { "channel_id": general, "description": "Talk", "emoji_name": "👋" },
    ]});
    let set = bot.patch(&screen, body).await.json;
    assert_eq!(set["welcome_channels"][0]["emoji_name"], "👋");
    let ben = server.human("Ben");
    assert_eq!(
        ben.get(&screen).await.outcome(),
        (404, 10069),
        "it is not shown yet"
    );
    assert_eq!(
        bot.patch(&screen, json!({ "enabled": true })).await.json,
        set
    );
    assert_eq!(ben.get(&screen).await.json, set);
    let wrong = json!({ "welcome_channels": [{ "channel_id": "1", "description": "" }] });
    assert_eq!(bot.patch(&screen, wrong).await.outcome(), (400, 50035));

    let onboarding = format!("/guilds/{guild}/onboarding");
    let prompts = json!([{ "id": "0", "title": "What?", "options": [
        { "id": "0", "title": "Tea", "emoji_name": "🍵", "channel_ids": [general] },
    ]}]);
    let body = json!({ "prompts": prompts, "default_channel_ids": [general], "mode": 1 });
    let set = bot.put(&onboarding, body).await.json;
    assert_eq!(set["prompts"][0]["options"][0]["emoji"]["name"], "🍵");
    assert_ne!(set["prompts"][0]["id"], "0");
    assert_eq!(bot.get(&onboarding).await.json, set);
    let refused = bot.put(&onboarding, json!({ "enabled": true })).await;
    assert_eq!(refused.outcome(), (400, 350_000), "one channel is too few");
}

#[tokio::test]
async fn features_are_turned_on_by_those_who_manage_the_guild() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), format!("/guilds/{}", server.ready.guild_id));
    let community = json!({ "features": ["COMMUNITY", "VERIFIED"] });
    assert_eq!(
        bot.patch(&guild, community.clone()).await.outcome(),
        (400, 50035),
        "it needs channels"
    );
    let mut whole = community;
    whole["rules_channel_id"] = json!(server.channel("general"));
    whole["public_updates_channel_id"] = json!(server.channel("other"));
    assert_eq!(
        bot.patch(&guild, whole).await.json["features"],
        json!(["COMMUNITY"])
    );
    let until = json!({ "invites_disabled_until": "2126-01-01T00:00:00Z" });
    let set = bot
        .put(&format!("{guild}/incident-actions"), until)
        .await
        .json;
    assert_eq!(set["dms_disabled_until"], Value::Null);
    assert_eq!(bot.get(&guild).await.json["incidents_data"], set);
}

#[tokio::test]
async fn the_bots_of_a_guild_are_its_integrations() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let path = format!("/guilds/{guild}/integrations");
    let shown = bot.get(&path).await.json;
    assert_eq!(shown[0]["application"]["bot"]["id"], bot.id);
    assert_eq!(server.human("Ben").get(&path).await.outcome(), (403, 50013));
    let one = format!("{path}/{}", server.ready.bot.application_id);
    assert_eq!(server.human("Boss").delete(&one).await.status, 204);
    assert_eq!(
        bot.get(&format!("/guilds/{guild}")).await.outcome(),
        (404, 10004)
    );
}

#[tokio::test]
async fn an_application_says_what_it_is_and_sells_nothing() {
    let server = TestEmulator::of(managed()).await;
    let bot = server.bot();
    let id = &server.ready.bot.application_id;
    assert_eq!(*id, bot.id, "as with every application that is not old");
    let changed = bot
        .patch(
            "/applications/@me",
            json!({ "description": "Makes tea", "tags": ["tea"] }),
        )
        .await;
    assert_eq!(
        (&changed.json["description"], &changed.json["tags"]),
        (&json!("Makes tea"), &json!(["tea"]))
    );
    assert_eq!(changed.json.get("install_params"), None);
    let records =
        json!([{ "type": 7, "key": "likes_tea", "name": "Tea", "description": "Likes tea" }]);
    let path = format!("/applications/{id}/role-connections/metadata");
    assert_eq!(bot.put(&path, records.clone()).await.json, records);
    assert_eq!(bot.get(&path).await.json, records);
    assert_eq!(
        bot.put(&path, json!([{ "type": 9 }])).await.outcome(),
        (400, 50035)
    );
    for (path, expected) in [
        ("skus", (200, 0)),
        ("entitlements", (200, 0)),
        ("entitlements/1", (404, 10029)),
    ] {
        let reply = bot.get(&format!("/applications/{id}/{path}")).await;
        assert_eq!(reply.outcome(), expected, "{path}");
    }
    let test = json!({ "sku_id": "1", "owner_id": "1", "owner_type": 1 });
    let reply = bot
        .post(&format!("/applications/{id}/entitlements"), test)
        .await;
    assert_eq!(reply.outcome(), (404, 10027));
    assert_eq!(
        bot.get("/applications/1/skus").await.outcome(),
        (403, 20012)
    );
}

#[tokio::test]
async fn messages_are_searched_in_what_one_may_read() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let (general, other) = (server.channel("general"), server.channel("other"));
    let ben = server.human("Ben");
    ben.say(general, "green tea").await;
    server.human("Zoe").say(general, "black TEA").await;
    bot.say(other, "tea https://tea.example").await;
    let hidden = json!({ "type": 0, "deny": "1024" });
    assert_eq!(
        bot.put(&format!("/channels/{other}/permissions/{guild}"), hidden)
            .await
            .status,
        204
    );
    let search = async |who: &crate::test_emulator::Caller<'_>, query: &str| {
        let path = format!("/guilds/{guild}/messages/search?{query}");
        let found = who.get(&path).await.json;
        let hits = found["messages"].as_array().unwrap().iter();
        let texts: Vec<Value> = hits.map(|hit| hit[0]["content"].clone()).collect();
        (found["total_results"].clone(), texts)
    };
    let all = search(&bot, "content=tea").await;
    assert_eq!(
        all,
        (
            json!(3),
            vec![
                json!("tea https://tea.example"),
                json!("black TEA"),
                json!("green tea")
            ]
        )
    );
    assert_eq!(search(&ben, "content=tea").await.0, 2);
    assert_eq!(
        search(&bot, &format!("author_id={}&author_id={}", ben.id, bot.id))
            .await
            .0,
        2
    );
    assert_eq!(search(&bot, "has=link").await.0, 1);
    assert_eq!(
        search(&bot, "content=tea&limit=1&offset=1&sort_order=asc")
            .await
            .1,
        ["black TEA"]
    );
    assert_eq!(
        search(&bot, &format!("content=tea&channel_id={general}"))
            .await
            .0,
        2
    );
}
