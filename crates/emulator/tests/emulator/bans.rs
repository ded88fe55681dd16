//! Bans.

use serde_json::{Value, json};

use crate::test_emulator::{TestEmulator, managed};

const MODERATION: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 9;

#[tokio::test]
async fn a_ban_removes_silences_and_keeps_out() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let (general, other) = (server.channel("general"), server.channel("other"));
    let invite = bot
        .post(&format!("/channels/{general}/invites"), json!({}))
        .await
        .json;
    let invite = format!("/invites/{}", invite["code"].as_str().unwrap());
    ben.say(general, "one").await;
    bot.say(general, "kept").await;
    ben.say(other, "two").await;
    let path = format!("/guilds/{guild}/bans/{}", ben.id);
    assert_eq!(bot.get(&path).await.outcome(), (404, 10026));
    let mut sees = bot.join(MODERATION).await;
    let request = bot
        .request(reqwest::Method::PUT, &path)
        .header("x-audit-log-reason", "too%20loud")
        .json(&json!({ "delete_message_seconds": 3600 }));
    assert_eq!(server.send(request).await.unwrap().status, 204);
    sees.event("GUILD_MEMBER_REMOVE").await;
    assert_eq!(sees.event("GUILD_BAN_ADD").await["user"]["id"], ben.id);
    for _ in [general, other] {
        let gone = sees.event("MESSAGE_DELETE_BULK").await;
        assert_eq!(gone["ids"].as_array().unwrap().len(), 1);
    }
    let logged = sees.event("GUILD_AUDIT_LOG_ENTRY_CREATE").await;
    assert_eq!(
        (&logged["action_type"], &logged["reason"]),
        (&json!(22), &json!("too loud"))
    );
    assert_eq!(
        server.emulator.transcript(general),
        [("Bo".into(), "kept".into())]
    );
    let ban = bot.get(&path).await.json;
    assert_eq!(
        (&ban["reason"], &ban["user"]["id"]),
        (&json!("too loud"), &json!(ben.id))
    );
    assert_eq!(ben.post(&invite, Value::Null).await.outcome(), (403, 40007));
    assert_eq!(
        bot.put(&path, json!({})).await.status,
        204,
        "again changes nothing"
    );

    assert_eq!(bot.delete(&path).await.status, 204);
    assert_eq!(sees.event("GUILD_BAN_REMOVE").await["user"]["id"], ben.id);
    assert_eq!(bot.delete(&path).await.outcome(), (404, 10026));
    assert_eq!(ben.post(&invite, Value::Null).await.status, 200);
}

#[tokio::test]
async fn who_may_ban_whom() {
    let server = TestEmulator::of(managed()).await;
    let guild = &server.ready.guild_id;
    let missing = (403, 50013);
    for (caller, target, body, expected) in [
        ("Ben", "Zoe", json!({}), missing),
        ("Mod", "Ben", json!({}), missing), // kicks only
        ("bot", "Boss", json!({}), missing),
        ("bot", "Chief", json!({}), missing),
        (
            "bot",
            "Ben",
            json!({ "delete_message_seconds": 604_801 }),
            (400, 50035),
        ),
        (
            "bot",
            "Ben",
            json!({ "delete_message_days": 8 }),
            (400, 50035),
        ),
        ("bot", "Mod", json!({}), (204, 0)),
        ("bot", "Sue", json!({}), (204, 0)), // who is no member
        ("Boss", "Chief", json!({}), (204, 0)),
    ] {
        let who = match caller {
            "bot" => server.bot(),
            name => server.human(name),
        };
        let path = format!("/guilds/{guild}/bans/{}", server.human(target).id);
        let reply = who.put(&path, body.clone()).await;
        assert_eq!(reply.outcome(), expected, "{caller} bans {target} {body}");
    }
    let bot = server.bot();
    let unknown = bot
        .put(&format!("/guilds/{guild}/bans/77"), json!({}))
        .await;
    assert_eq!(unknown.outcome(), (404, 10013));
    let bans = format!("/guilds/{guild}/bans");
    let ids = |page: &Value| -> Vec<String> {
        let page = page.as_array().unwrap().iter();
        page.map(|ban| ban["user"]["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = ids(&bot.get(&bans).await.json);
    assert_eq!(all.len(), 3);
    let first = ids(&bot.get(&format!("{bans}?limit=1")).await.json);
    assert_eq!(first, all[..1]);
    let next = ids(&bot.get(&format!("{bans}?after={}", all[0])).await.json);
    assert_eq!(next, all[1..]);
    let last = ids(&bot
        .get(&format!("{bans}?before={}&limit=1", all[2]))
        .await
        .json);
    assert_eq!(last, all[1..2]);
    let refused = server.human("Ben").get(&bans).await;
    assert_eq!(refused.outcome(), missing);
}

#[tokio::test]
async fn many_are_banned_at_once() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let path = format!("/guilds/{guild}/bulk-ban");
    let id = |name: &str| server.human(name).id;
    let body = json!({ "user_ids": [id("Ben"), id("Boss"), id("Zoe")] });
    let done = bot.post(&path, body).await;
    assert_eq!(done.json["banned_users"], json!([id("Ben"), id("Zoe")]));
    assert_eq!(done.json["failed_users"], json!([id("Boss")]));
    let none = bot.post(&path, json!({ "user_ids": [id("Boss")] })).await;
    assert_eq!(none.outcome(), (400, 500_000));
    let many: Vec<String> = (1..=201).map(|n| n.to_string()).collect();
    for body in [json!({}), json!({ "user_ids": many })] {
        assert_eq!(bot.post(&path, body).await.outcome(), (400, 50035));
    }
    let mods = server
        .human("Mod")
        .post(&path, json!({ "user_ids": ["1"] }))
        .await;
    assert_eq!(mods.outcome(), (403, 50013));
}
