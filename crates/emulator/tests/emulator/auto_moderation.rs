//! Rules that look at what people write.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, managed};

fn rule(actions: &Value) -> Value {
    json!({
        "name": "Manners", "event_type": 1, "trigger_type": 1, "enabled": true,
        "trigger_metadata": { "keyword_filter": ["bad*", "*rude*"], "allow_list": ["badge"] },
        "actions": actions,
    })
}

#[tokio::test]
async fn what_breaks_a_rule_is_blocked_shown_and_punished() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let rules = format!("/guilds/{guild}/auto-moderation/rules");
    let mut sees = bot
        .join(1 << 20 | 1 << 21 | 1 << 15 | 1 << 9 | 1 << 1)
        .await;
    let other = server.channel("other");
    let made = bot
        .post(
            &rules,
            rule(&json!([
                { "type": 1, "metadata": { "custom_message": "please" } },
                { "type": 2, "metadata": { "channel_id": other } },
                { "type": 3, "metadata": { "duration_seconds": 60 } },
            ])),
        )
        .await
        .json;
    assert_eq!(made["trigger_metadata"]["allow_list"], json!(["badge"]));
    assert_eq!(sees.event("AUTO_MODERATION_RULE_CREATE").await, made);

    let ben = server.human("Ben");
    let general = server.channel("general");
    ben.say(general, "my badge is not abad thing").await;
    sees.event("MESSAGE_CREATE").await;
    let path = format!("/channels/{general}/messages");
    let blocked = ben.post(&path, json!({ "content": "how RUDEly" })).await;
    assert_eq!(blocked.outcome(), (400, 200_000));
    let first = sees.event("AUTO_MODERATION_ACTION_EXECUTION").await;
    assert_eq!(
        (&first["user_id"], &first["rule_id"]),
        (&json!(ben.id), &made["id"])
    );
    assert_eq!(first["matched_keyword"], "*rude*");
    assert_eq!(first.get("message_id"), None, "it was never sent");
    let alert = sees.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&alert["type"], &alert["channel_id"]),
        (&json!(24), &json!(other))
    );
    assert_eq!(alert["embeds"][0]["description"], "how RUDEly");
    let second = sees.event("AUTO_MODERATION_ACTION_EXECUTION").await;
    assert_eq!(second["alert_system_message_id"], alert["id"]);
    let member = sees.event("GUILD_MEMBER_UPDATE").await;
    assert!(member["communication_disabled_until"].is_string());
    sees.event("AUTO_MODERATION_ACTION_EXECUTION").await;
    // Those who manage the guild, and bots, say what they like.
    server.human("Boss").say(general, "bad").await;
    bot.say(general, "bad").await;

    let one = format!("{rules}/{}", made["id"].as_str().unwrap());
    let off = bot.patch(&one, json!({ "enabled": false })).await.json;
    assert_eq!(off["enabled"], false);
    assert_eq!(sees.until("AUTO_MODERATION_RULE_UPDATE").await, off);
    server.human("Zoe").say(general, "bad").await;
    assert_eq!(bot.get(&rules).await.json, json!([off]));
    assert_eq!(bot.delete(&one).await.status, 204);
    sees.until("AUTO_MODERATION_RULE_DELETE").await;
    assert_eq!(bot.get(&one).await.outcome(), (404, 10120));
}

#[tokio::test]
async fn rules_spare_roles_and_channels_and_count_mentions() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let rules = format!("/guilds/{guild}/auto-moderation/rules");
    let (general, other) = (server.channel("general"), server.channel("other"));
    let mut body = rule(&json!([{ "type": 1 }]));
    body["exempt_roles"] = json!([server.guild("Managed").roles["Mod"]]);
    body["exempt_channels"] = json!([other]);
    assert_eq!(bot.post(&rules, body).await.status, 200);
    server.human("Mod").say(general, "bad").await;
    server.human("Ben").say(other, "bad").await;
    let path = format!("/channels/{general}/messages");
    let blocked = server
        .human("Ben")
        .post(&path, json!({ "content": "bad" }))
        .await;
    assert_eq!(blocked.outcome(), (400, 200_000));

    let mentions = json!({
        "name": "Mentions", "event_type": 1, "trigger_type": 5, "enabled": true,
        "trigger_metadata": { "mention_total_limit": 1 }, "actions": [{ "type": 1 }],
    });
    assert_eq!(bot.post(&rules, mentions.clone()).await.status, 200);
    let (boss, zoe) = (server.human("Boss").id, server.human("Zoe").id);
    server
        .human("Ben")
        .say(general, &format!("<@{boss}>"))
        .await;
    let many = json!({ "content": format!("<@{boss}> <@{zoe}>") });
    assert_eq!(
        server.human("Ben").post(&path, many).await.outcome(),
        (400, 200_000)
    );
    assert_eq!(
        bot.post(&rules, mentions).await.outcome(),
        (400, 30041),
        "one is enough"
    );
}

#[tokio::test]
async fn patterns_and_lists_hold_for_edits_and_posts_too() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let forum = json!({ "name": "ideas", "type": 15 });
    let forum = bot.post(&format!("/guilds/{guild}/channels"), forum).await;
    let posts = format!("/channels/{}/threads", forum.json["id"].as_str().unwrap());
    let rules = format!("/guilds/{guild}/auto-moderation/rules");
    let mut sees = bot.join(1 << 21).await;
    let mut body = rule(&json!([{ "type": 1 }]));
    body["trigger_metadata"] = json!({ "regex_patterns": ["h[ae]t+e"], "allow_list": ["hatter"] });
    assert_eq!(bot.post(&rules, body).await.status, 200);
    let preset = json!({
        "name": "Words", "event_type": 1, "trigger_type": 4, "enabled": true,
        "trigger_metadata": { "presets": [1, 3] }, "actions": [{ "type": 1 }],
    });
    assert_eq!(bot.post(&rules, preset).await.status, 200);

    let (ben, general) = (server.human("Ben"), server.channel("general"));
    let said = ben
        .say(general, "a mad hatter, emulated-sexual-content")
        .await;
    let path = format!("/channels/{general}/messages");
    let one = format!("{path}/{}", said["id"].as_str().unwrap());
    for (text, keyword, found) in [
        ("you HETTE me", "h[ae]t+e", "HETTE"),
        ("Emulated-Slur!", "emulated-slur", "Emulated-Slur"),
    ] {
        let body = json!({ "content": text });
        let post = json!({ "name": "an idea", "message": body });
        for blocked in [
            ben.post(&path, body.clone()).await,
            ben.patch(&one, body.clone()).await,
            ben.post(&posts, post).await,
        ] {
            assert_eq!(blocked.outcome(), (400, 200_000), "{text}");
            let told = sees.event("AUTO_MODERATION_ACTION_EXECUTION").await;
            assert_eq!(told["matched_keyword"], keyword);
            assert_eq!(told["matched_content"], found);
        }
    }
    let kept = bot.get(&path).await.json;
    assert_eq!(kept.as_array().map(Vec::len), Some(1));
    assert!(kept[0]["edited_timestamp"].is_null());
    assert_eq!(
        ben.patch(&one, json!({ "content": "mad" })).await.status,
        200
    );
}

#[tokio::test]
async fn what_stands_for_spam_is_found() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let spam = json!({
        "name": "Spam", "event_type": 1, "trigger_type": 3, "enabled": true,
        "actions": [{ "type": 1 }],
    });
    let rules = format!("/guilds/{guild}/auto-moderation/rules");
    assert_eq!(bot.post(&rules, spam).await.status, 200);
    let (ben, general) = (server.human("Ben"), server.channel("general"));
    ben.say(general, "no emulated-spammer").await;
    let path = format!("/channels/{general}/messages");
    let body = json!({ "content": "buy Emulated-Spam!" });
    assert_eq!(ben.post(&path, body).await.outcome(), (400, 200_000));
}

/// Discord Docs/Auto Moderation, Event Types and Action Types; Discord
/// Docs/Guild, Guild Member Flags.
#[tokio::test]
async fn who_has_a_forbidden_name_may_only_read_until_they_have_another() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let mut sees = bot.join(1 << 21 | 1 << 1).await;
    let (general, other) = (server.channel("general"), server.channel("other"));
    let profiles = json!({
        "name": "Names", "event_type": 2, "trigger_type": 6, "enabled": true,
        "trigger_metadata": { "keyword_filter": ["*admin*"], "allow_list": ["badminton"] },
        "actions": [{ "type": 4 }, { "type": 2, "metadata": { "channel_id": other } }],
    });
    let rules = format!("/guilds/{guild}/auto-moderation/rules");
    let made = bot.post(&rules, profiles).await.json;
    let ben = server.human("Ben");
    let own = format!("/guilds/{guild}/members/@me");
    let named = |name: &str| json!({ "nick": name });
    ben.patch(&own, named("Badminton Ben")).await;
    assert_eq!(sees.event("GUILD_MEMBER_UPDATE").await["flags"], 0);
    ben.say(general, "hello").await;

    let answer = ben.patch(&own, named("The Admin")).await;
    assert_eq!(answer.json["flags"], 128);
    for action in [4, 2] {
        let told = sees.event("AUTO_MODERATION_ACTION_EXECUTION").await;
        assert_eq!(told["rule_id"], made["id"]);
        assert_eq!(told["action"]["type"], action);
        assert_eq!(
            (&told["user_id"], &told["content"], &told["matched_content"]),
            (&json!(ben.id), &json!("The Admin"), &json!("Admin"))
        );
        assert_eq!(told.get("channel_id"), None, "a name is written nowhere");
    }
    assert_eq!(sees.event("GUILD_MEMBER_UPDATE").await["flags"], 128);
    let path = format!("/channels/{general}/messages");
    let refused = ben.post(&path, json!({ "content": "hello" })).await;
    assert_eq!(refused.outcome(), (403, 50013));
    let log = format!("/guilds/{guild}/audit-logs?action_type=146");
    let log = bot.get(&log).await.json;
    assert_eq!(log["audit_log_entries"][0]["target_id"], json!(ben.id));

    // Somebody else gives them another name.
    let one = format!("/guilds/{guild}/members/{}", ben.id);
    assert_eq!(bot.patch(&one, named("Ben")).await.status, 200);
    assert_eq!(sees.event("GUILD_MEMBER_UPDATE").await["flags"], 0);
    ben.say(general, "hello").await;
    // Those who manage the guild are called what they like.
    let boss = server.human("Boss").patch(&own, named("Admin")).await;
    assert_eq!(boss.json["flags"], 0);
}

#[tokio::test]
async fn rules_have_their_limits() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let rules = format!("/guilds/{guild}/auto-moderation/rules");
    let block = json!([{ "type": 1 }]);
    let with = |key: &str, value: Value| {
        let mut body = rule(&block);
        body[key] = value;
        body
    };
    for (body, expected) in [
        (with("name", Value::Null), (400, 50035)),
        (with("trigger_type", json!(2)), (400, 50035)),
        (with("event_type", json!(3)), (400, 50035)),
        (with("trigger_metadata", Value::Null), (400, 50035)),
        (
            with(
                "trigger_metadata",
                json!({ "keyword_filter": ["x".repeat(61)] }),
            ),
            (400, 50035),
        ),
        (
            with("trigger_metadata", json!({ "regex_patterns": ["("] })),
            (400, 50035),
        ),
        (with("actions", json!([])), (400, 50035)),
        (
            with(
                "actions",
                json!([{ "type": 2, "metadata": { "channel_id": "1" } }]),
            ),
            (400, 50035),
        ),
        (with("actions", json!([{ "type": 3 }])), (400, 50035)),
        (with("exempt_roles", json!(["a"])), (400, 50035)),
        (rule(&block), (200, 0)),
    ] {
        let reply = bot.post(&rules, body.clone()).await;
        assert_eq!(reply.outcome(), expected, "{body}: {}", reply.json);
    }
    assert_eq!(
        server.human("Ben").get(&rules).await.outcome(),
        (403, 50013)
    );
    let mut sees = server.human("Ben").join(ALL).await;
    bot.post(&rules, rule(&block)).await;
    sees.heartbeat().await;
}
