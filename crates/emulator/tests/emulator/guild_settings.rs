//! The guild as a whole.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{TestEmulator, managed};

#[tokio::test]
async fn a_guild_is_changed_by_those_who_manage_it() {
    let server = TestEmulator::of(managed()).await;
    let (bot, boss, guild) = (server.bot(), server.human("Boss"), &server.ready.guild_id);
    let path = format!("/guilds/{guild}");
    let (general, other) = (
        server.channel("general"),
        server.channel_of("Elsewhere", "hall"),
    );
    let mut sees = bot.join(1).await;
    let body = json!({
        "name": "Tea House", "description": "Tea", "verification_level": 2, "afk_timeout": 60,
        "system_channel_id": general, "preferred_locale": "de",
    });
    let changed = bot.patch(&path, body).await.json;
    assert_eq!(
        (&changed["name"], &changed["verification_level"]),
        (&json!("Tea House"), &json!(2))
    );
    assert_eq!(changed["system_channel_id"], general);
    assert_eq!(sees.event("GUILD_UPDATE").await["name"], "Tea House");
    assert_eq!(bot.get(&path).await.json["description"], "Tea");
    let (missing, bad) = ((403, 50013), (400, 50035));
    for (caller, body, expected) in [
        (&server.human("Mod"), json!({ "name": "Mine" }), missing),
        (&bot, json!({ "owner_id": bot.id }), missing),
        (&bot, json!({ "name": "x" }), bad),
        (&bot, json!({ "verification_level": 5 }), bad),
        (&bot, json!({ "afk_timeout": 61 }), bad),
        (&bot, json!({ "system_channel_id": other }), bad),
        (&bot, json!({ "afk_channel_id": general }), bad),
        (&bot, json!({ "icon": "tea" }), bad),
        (
            &boss,
            json!({ "owner_id": server.human("Ben").id }),
            (200, 0),
        ),
    ] {
        let reply = caller.patch(&path, body.clone()).await;
        assert_eq!(reply.outcome(), expected, "{body}");
    }
    assert_eq!(
        bot.get(&path).await.json["owner_id"],
        server.human("Ben").id
    );
    let gone = bot.delete(&format!("/channels/{general}")).await;
    assert_eq!(gone.status, 200);
    assert_eq!(bot.get(&path).await.json["system_channel_id"], Value::Null);
}

#[tokio::test]
async fn what_nobody_set_up_is_answered_as_discord_does() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let empty = json!([]);
    for (path, expected) in [
        ("scheduled-events", &empty),
        ("auto-moderation/rules", &empty),
        ("templates", &empty),
        ("soundboard-sounds", &json!({ "items": [] })),
        ("widget", &json!({ "enabled": false, "channel_id": null })),
        ("vanity-url", &json!({ "code": null, "uses": 0 })),
    ] {
        let reply = bot.get(&format!("/guilds/{guild}/{path}")).await;
        assert_eq!(reply.json, *expected, "{path}");
    }
    for (path, expected) in [
        ("welcome-screen", (404, 10069)),
        ("widget.json", (403, 50004)),
        ("voice-states/@me", (404, 10065)),
        ("preview", (200, 0)),
        ("onboarding", (200, 0)),
        ("regions", (200, 0)),
    ] {
        let reply = bot.get(&format!("/guilds/{guild}/{path}")).await;
        assert_eq!(reply.outcome(), expected, "{path}");
    }
    assert!(bot.get("/voice/regions").await.json[0]["id"].is_string());
    let counted = bot
        .get(&format!("/guilds/{guild}?with_counts=true"))
        .await
        .json;
    assert_eq!(counted["approximate_member_count"], 6);
    let shown = bot
        .patch(
            &format!("/guilds/{guild}/widget"),
            json!({ "enabled": true }),
        )
        .await;
    assert_eq!(shown.json["enabled"], true);
    assert_eq!(
        bot.get(&format!("/guilds/{guild}/widget.json")).await.json["id"],
        *guild
    );
}

#[tokio::test]
async fn silent_members_without_roles_are_pruned() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    server
        .human("Ben")
        .say(server.channel("general"), "here")
        .await;
    let path = format!("/guilds/{guild}/prune");
    let counted = bot.get(&format!("{path}?days=7")).await;
    assert_eq!(counted.json, json!({ "pruned": 1 }));
    let role = &server.guild("Managed").roles["Mod"];
    let counted = bot
        .get(&format!("{path}?days=7&include_roles={role}"))
        .await;
    assert_eq!(counted.json, json!({ "pruned": 2 }));
    for query in ["days=0", "days=31"] {
        let refused = bot.get(&format!("{path}?{query}")).await;
        assert_eq!(refused.outcome(), (400, 50035));
    }
    assert_eq!(server.human("Mod").get(&path).await.outcome(), (403, 50013));
    let done = bot.call(Method::POST, &path, json!({ "days": 7 })).await;
    assert_eq!(done.json, json!({ "pruned": 1 }));
    let zoe = format!("/guilds/{guild}/members/{}", server.human("Zoe").id);
    assert_eq!(bot.get(&zoe).await.outcome(), (404, 10007));
}

#[tokio::test]
async fn strangers_look_into_a_guild_by_its_widget() {
    let server = TestEmulator::of(managed()).await;
    let guild = &server.ready.guild_id;
    let url = |file: &str| format!("{}/guilds/{guild}/{file}", server.ready.api_url);
    for file in ["widget.png", "widget.json"] {
        let refused = server.http().get(url(file)).send().await.unwrap();
        assert_eq!(refused.status(), 403, "{file}");
    }
    let on = json!({ "enabled": true });
    server
        .bot()
        .patch(&format!("/guilds/{guild}/widget"), on)
        .await;
    for (file, kind) in [
        ("widget.png", "image/png"),
        ("widget.png?style=banner2", "image/png"),
        ("widget.json", "application/json"),
    ] {
        let shown = server.http().get(url(file)).send().await.unwrap();
        assert_eq!(shown.status(), 200, "{file}");
        assert_eq!(shown.headers()["content-type"], kind);
    }
}
