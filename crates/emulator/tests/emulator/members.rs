//! Members: found, renamed, silenced, kicked; those who come and go.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, managed};

const MEMBERS: u64 = 1 | 1 << 1;

fn in_hours(hours: i64) -> String {
    let at = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(hours);
    at.to_string()
}

#[tokio::test]
async fn who_may_change_whom() {
    let server = TestEmulator::of(managed()).await;
    let guild = &server.ready.guild_id;
    let (ok, missing, bad) = ((200, 0), (403, 50013), (400, 50035));
    let until = in_hours(1);
    let timeout = json!({ "communication_disabled_until": until });
    let nick = json!({ "nick": "Teapot" });
    let long = json!({ "nick": "x".repeat(33) });
    let far = json!({ "communication_disabled_until": in_hours(28 * 24 + 1) });
    let odd = json!({ "communication_disabled_until": "soon" });
    let muted = json!({ "mute": true });
    for (caller, target, body, expected) in [
        ("Ben", "Zoe", &nick, missing),
        ("Mod", "Ben", &nick, ok),
        ("Mod", "Mod", &nick, ok),
        ("Mod", "Chief", &nick, missing),
        ("Mod", "Boss", &nick, missing),
        ("bot", "Ben", &nick, ok),
        ("bot", "Chief", &nick, missing),
        ("bot", "Boss", &nick, missing),
        ("Boss", "Chief", &nick, ok),
        ("Mod", "Ben", &timeout, ok),
        ("Mod", "Mod", &timeout, missing),
        ("bot", "Mod", &timeout, ok),
        ("Boss", "Chief", &timeout, missing), // who administers
        ("bot", "Boss", &timeout, missing),
        ("bot", "Ben", &long, bad),
        ("bot", "Ben", &far, bad),
        ("bot", "Ben", &odd, bad),
        ("Ben", "Zoe", &muted, missing),
        ("bot", "Ben", &muted, (400, 40032)),
        ("bot", "Sue", &nick, (404, 10007)),
    ] {
        let who = match caller {
            "bot" => server.bot(),
            name => server.human(name),
        };
        let path = format!("/guilds/{guild}/members/{}", server.human(target).id);
        let reply = who.patch(&path, body.clone()).await;
        assert_eq!(
            reply.outcome(),
            expected,
            "{caller} does {body} to {target}"
        );
    }
}

#[tokio::test]
async fn who_is_timed_out_may_only_read() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let general = server.channel("general");
    let said = bot.say(general, "hello").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/guilds/{guild}/members/{}", ben.id);
    let mut sees = bot.join(MEMBERS).await;
    let until = in_hours(1);
    let body = json!({ "communication_disabled_until": until });
    assert_eq!(bot.patch(&path, body).await.status, 200);
    let told = sees.event("GUILD_MEMBER_UPDATE").await;
    assert!(told["communication_disabled_until"].is_string());
    let messages = format!("/channels/{general}/messages");
    let thumb = format!("{messages}/{said}/reactions/%F0%9F%91%8D/@me");
    for (method, path, body, expected) in [
        (Method::GET, messages.clone(), Value::Null, (200, 0)),
        (
            Method::POST,
            messages.clone(),
            json!({ "content": "x" }),
            (403, 50013),
        ),
        (Method::PUT, thumb, Value::Null, (403, 50013)),
        (
            Method::POST,
            format!("/channels/{general}/threads"),
            json!({ "name": "t", "type": 11 }),
            (403, 50013),
        ),
        (
            Method::PATCH,
            format!("/guilds/{guild}/members/@me"),
            json!({ "nick": "x" }),
            (403, 50013),
        ),
    ] {
        let reply = ben.call(method, &path, body).await;
        assert_eq!(reply.outcome(), expected, "{path}");
    }
    let over = json!({ "communication_disabled_until": null });
    assert_eq!(bot.patch(&path, over).await.status, 200);
    ben.say(general, "back").await;
}

#[tokio::test]
async fn members_are_found_and_rename_themselves() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let members = format!("/guilds/{guild}/members");
    let page = bot.get(&format!("{members}?limit=3")).await.json;
    let last = page[2]["user"]["id"].as_str().unwrap().to_owned();
    let rest = bot
        .get(&format!("{members}?limit=1000&after={last}"))
        .await
        .json;
    let counts = [
        page.as_array().unwrap().len(),
        rest.as_array().unwrap().len(),
    ];
    assert_eq!(counts, [3, 3]);
    assert_eq!(
        bot.get(&format!("{members}?limit=1001")).await.outcome(),
        (400, 50035)
    );

    let renamed = ben
        .patch(&format!("{members}/@me"), json!({ "nick": "Teapot" }))
        .await;
    assert_eq!(renamed.json["nick"], "Teapot");
    for (query, found) in [("tea", 1), ("BEN", 1), ("pot", 0)] {
        let path = format!("{members}/search?query={query}&limit=10");
        let hits = bot.get(&path).await.json;
        assert_eq!(hits.as_array().unwrap().len(), found, "{query}");
    }
    assert_eq!(
        bot.get(&format!("{members}/search")).await.outcome(),
        (400, 50035)
    );
    let own = ben
        .get(&format!("/users/@me/guilds/{guild}/member"))
        .await
        .json;
    assert_eq!(own["nick"], "Teapot");
    let guilds = ben.get("/users/@me/guilds?limit=1").await.json;
    let after = guilds[0]["id"].as_str().unwrap();
    let next = ben
        .get(&format!("/users/@me/guilds?after={after}"))
        .await
        .json;
    assert_eq!(next.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn roles_of_a_member_are_set_at_once() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let role = |name: &str| server.guild("Managed").roles[name].clone();
    let path = format!("/guilds/{guild}/members/{}", server.human("Ben").id);
    let body = json!({ "roles": [role("Mod")] });
    assert_eq!(
        bot.patch(&path, body).await.json["roles"],
        json!([role("Mod")])
    );
    for (roles, expected) in [
        (json!([role("Chief")]), (403, 50013)),
        (json!([role("Bo")]), (403, 50013)),
        (json!(["77"]), (404, 10011)),
        (json!("Mod"), (400, 50035)),
        (json!([]), (200, 0)),
    ] {
        let reply = bot.patch(&path, json!({ "roles": roles })).await;
        assert_eq!(reply.outcome(), expected, "{roles}");
    }
}

#[tokio::test]
async fn a_kick_is_told_to_both_sides() {
    let server = TestEmulator::of(managed()).await;
    let guild = &server.ready.guild_id;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let path = |name: &str| format!("/guilds/{guild}/members/{}", server.human(name).id);
    let missing = (403, 50013);
    for (caller, target, expected) in [
        ("Ben", "Zoe", missing),
        ("Mod", "Chief", missing),
        ("Mod", "Boss", missing),
        ("Mod", "Mod", missing),
        ("Mod", "Sue", (404, 10007)),
        ("Mod", "Zoe", (204, 0)),
    ] {
        let reply = server.human(caller).delete(&path(target)).await;
        assert_eq!(reply.outcome(), expected, "{caller} kicks {target}");
    }
    let mut sees = bot.join(MEMBERS).await;
    let mut seen_by_ben = ben.join(1).await;
    assert_eq!(bot.delete(&path("Ben")).await.status, 204);
    let told = sees.event("GUILD_MEMBER_REMOVE").await;
    assert_eq!(
        (&told["user"]["id"], &told["guild_id"]),
        (&json!(ben.id), &json!(guild))
    );
    assert_eq!(seen_by_ben.event("GUILD_DELETE").await["id"], *guild);
    assert_eq!(
        ben.get(&format!("/guilds/{guild}")).await.outcome(),
        (404, 10004)
    );
    let general = server.channel("general");
    let messages = format!("/channels/{general}/messages");
    assert_eq!(ben.get(&messages).await.outcome(), (403, 50001));
}

#[tokio::test]
async fn owners_stay_and_others_leave() {
    let server = TestEmulator::of(managed()).await;
    let guild = &server.ready.guild_id;
    let path = format!("/users/@me/guilds/{guild}");
    let boss = server.human("Boss");
    assert_eq!(boss.delete(&path).await.outcome(), (400, 50055));
    let mut sees = server.human("Ben").join(1).await;
    let bot = server.bot();
    assert_eq!(bot.delete(&path).await.status, 204);
    let told = sees.event("GUILD_MEMBER_REMOVE").await;
    assert_eq!(told["user"]["id"], bot.id);
    assert_eq!(bot.delete(&path).await.outcome(), (404, 10004));
    let left = bot.get("/users/@me/guilds").await.json;
    assert_eq!(left.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_bot_renames_itself() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let mut sees = bot.join(ALL).await;
    let renamed = bot
        .patch("/users/@me", json!({ "username": "Sencha" }))
        .await;
    assert_eq!(renamed.json["username"], "Sencha");
    assert_eq!(sees.event("USER_UPDATE").await["username"], "Sencha");
    for (body, at) in [
        (json!({ "username": "x" }), "username"),
        (json!({ "avatar": "data:image/png;base64,AAAA" }), "avatar"),
    ] {
        let refused = bot.patch("/users/@me", body).await;
        assert_eq!(refused.outcome(), (400, 50035));
        assert!(refused.json["errors"][at].is_object());
    }
}
