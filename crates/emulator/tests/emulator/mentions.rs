//! Who is pinged.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::TestEmulator;
use kaiwa_emulator::World;

const WORLD: &str = "
    limits = \"off\"
    [guild]
    name = \"Loud\"
    owner = \"Boss\"
    [bot]
    name = \"Bo\"
    [[roles]]
    name = \"Open\"
    mentionable = true
    [[roles]]
    name = \"Closed\"
    [[users]]
    name = \"Boss\"
    [[users]]
    name = \"Ann\"
    [[channels]]
    name = \"a\"
";

#[tokio::test]
async fn mentions_follow_text_choice_and_permission() {
    let server = TestEmulator::of(World::from_toml(WORLD).unwrap()).await;
    let (boss, ann, bot) = (server.human("Boss"), server.human("Ann"), server.bot());
    let roles = boss
        .get(&format!("/guilds/{}/roles", server.ready.guild_id))
        .await
        .json;
    let role = |name: &str| {
        roles
            .as_array()
            .unwrap()
            .iter()
            .find(|r| r["name"] == name)
            .unwrap()["id"]
            .clone()
    };
    let (open, closed) = (role("Open"), role("Closed"));
    let (open_id, closed_id) = (open.as_str().unwrap(), closed.as_str().unwrap());
    let all = format!(
        "@everyone <@{}> <@!{}> <@&{open_id}> <@&{closed_id}> <@17>",
        ann.id, bot.id
    );
    let none: [&str; 0] = [];
    let people = [ann.id.as_str(), bot.id.as_str()];

    let check = async |caller: &crate::test_emulator::Caller<'_>,
                       text: &str,
                       allowed: Value,
                       everyone: bool,
                       users: &[&str],
                       roles: &[&str]| {
        let mut body = json!({ "content": text });
        if !allowed.is_null() {
            body["allowed_mentions"] = allowed.clone();
        }
        let message = caller
            .post(&format!("/channels/{}/messages", server.channel("a")), body)
            .await
            .json;
        let pinged: Vec<_> = message["mentions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|user| &user["id"])
            .collect();
        assert_eq!(message["mention_everyone"], everyone, "{text} {allowed}");
        assert_eq!(json!(pinged), json!(users), "{text} {allowed}");
        assert_eq!(message["mention_roles"], json!(roles), "{text} {allowed}");
    };
    // Everything named is pinged by default, within what the sender may do.
    check(
        &boss,
        &all,
        Value::Null,
        true,
        &people,
        &[open_id, closed_id],
    )
    .await;
    check(&bot, &all, Value::Null, false, &people, &[open_id]).await;
    check(&bot, &all, json!({}), false, &none, &none).await;
    check(&boss, &all, json!({ "parse": [] }), false, &none, &none).await;
    check(
        &boss,
        &all,
        json!({ "parse": ["everyone"] }),
        true,
        &none,
        &none,
    )
    .await;
    check(
        &boss,
        &all,
        json!({ "parse": ["users"] }),
        false,
        &people,
        &none,
    )
    .await;
    check(
        &boss,
        &all,
        json!({ "parse": ["roles"] }),
        false,
        &none,
        &[open_id, closed_id],
    )
    .await;
    check(
        &boss,
        &all,
        json!({ "users": [ann.id] }),
        false,
        &people[..1],
        &none,
    )
    .await;
    check(
        &boss,
        &all,
        json!({ "roles": [closed_id] }),
        false,
        &none,
        &[closed_id],
    )
    .await;
    check(&boss, "@here", Value::Null, true, &none, &none).await;
    // Code names nobody.
    let code = format!("`@everyone` ```<@{}>``` ``<@{}>``", ann.id, bot.id);
    check(&boss, &code, Value::Null, false, &none, &none).await;
    let open_tick = format!("` <@{}>", ann.id);
    check(&boss, &open_tick, Value::Null, false, &people[..1], &none).await;
}

#[tokio::test]
async fn a_reply_pings_its_author_only_if_allowed() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let question = ben.say(general, "why?").await["id"].clone();
    for (allowed, pinged) in [
        (json!({ "parse": [] }), 0),
        (json!({ "parse": [], "replied_user": true }), 1),
        (json!({ "parse": ["users"], "replied_user": false }), 0),
    ] {
        let body = json!({ "content": "x", "allowed_mentions": allowed, "message_reference": { "message_id": question } });
        let reply = bot
            .post(&format!("/channels/{general}/messages"), body)
            .await
            .json;
        assert_eq!(
            reply["mentions"].as_array().unwrap().len(),
            pinged,
            "{allowed}"
        );
    }
}

/// New words, and a choice alone, decide anew who is mentioned; what else is
/// edited does not.
#[tokio::test]
async fn an_edit_decides_anew_by_its_words_or_its_choice() {
    let server = TestEmulator::of(World::from_toml(WORLD).unwrap()).await;
    let (boss, ann, channel) = (
        server.human("Boss"),
        server.human("Ann"),
        server.channel("a"),
    );
    let text = format!("@everyone <@{}>", ann.id);
    let hook = boss
        .post(
            &format!("/channels/{channel}/webhooks"),
            json!({ "name": "Owl" }),
        )
        .await
        .json;
    let hook = format!(
        "/webhooks/{}/{}",
        hook["id"].as_str().unwrap(),
        hook["token"].as_str().unwrap()
    );
    for (create, below) in [
        (
            format!("/channels/{channel}/messages"),
            format!("/channels/{channel}/messages"),
        ),
        (format!("{hook}?wait=true"), format!("{hook}/messages")),
    ] {
        let by_webhook = create.contains("webhooks");
        for (edit, kept, everyone) in [
            (json!({ "components": [] }), 1, true),
            (json!({ "embeds": [{ "title": "x" }] }), 1, true),
            (json!({ "allowed_mentions": { "parse": [] } }), 0, false),
            (
                json!({ "content": text, "allowed_mentions": { "parse": ["users"] } }),
                1,
                false,
            ),
            // Without a choice, webhooks ping users alone.
            (json!({ "content": text }), 1, !by_webhook),
        ] {
            let body =
                json!({ "content": text, "allowed_mentions": { "parse": ["users", "everyone"] } });
            let said = boss.post(&create, body).await.json;
            assert_eq!(said["mention_everyone"], true);
            let one = format!("{below}/{}", said["id"].as_str().unwrap());
            let edited = boss.call(Method::PATCH, &one, edit.clone()).await.json;
            assert_eq!(edited["mention_everyone"], everyone, "{create} {edit}");
            let mentions = edited["mentions"].as_array().unwrap().len();
            assert_eq!(mentions, kept, "{create} {edit}");
        }
    }
}

#[tokio::test]
async fn what_a_bot_leaves_open_is_counted() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let own = bot
        .post(
            &path,
            json!({ "content": "x", "allowed_mentions": { "parse": [] } }),
        )
        .await;
    let one = format!("{path}/{}", own.json["id"].as_str().unwrap());
    let hook = bot
        .post(
            &format!("/channels/{general}/webhooks"),
            json!({ "name": "Owl" }),
        )
        .await
        .json;
    let hook = format!(
        "/webhooks/{}/{}",
        hook["id"].as_str().unwrap(),
        hook["token"].as_str().unwrap()
    );
    let counted = || server.emulator.counts().open_mentions;
    for (caller, method, path, body, counts) in [
        (&bot, Method::POST, &path, json!({ "content": "x" }), 1),
        (
            &bot,
            Method::POST,
            &path,
            json!({ "content": "x", "allowed_mentions": null }),
            1,
        ),
        (
            &bot,
            Method::POST,
            &path,
            json!({ "content": "x", "allowed_mentions": {} }),
            0,
        ),
        (
            &bot,
            Method::POST,
            &path,
            json!({ "embeds": [{ "title": "x" }] }),
            1,
        ),
        (&bot, Method::PATCH, &one, json!({ "content": "y" }), 1),
        (&bot, Method::PATCH, &one, json!({ "components": [] }), 0),
        (&bot, Method::POST, &hook, json!({ "content": "x" }), 1),
        // People are none of our business.
        (&ben, Method::POST, &path, json!({ "content": "x" }), 0),
    ] {
        let before = counted();
        let answer = caller.call(method, path, body.clone()).await;
        assert!(answer.status.is_success(), "{}", answer.json);
        assert_eq!(counted() - before, counts, "{path} {body}");
    }
}

#[tokio::test]
async fn a_choice_that_contradicts_itself_is_refused() {
    let server = TestEmulator::open().await;
    let many: Vec<String> = (1..=101).map(|id: u64| id.to_string()).collect();
    let cases = [
        (
            json!({ "parse": ["users"], "users": ["1"] }),
            "/allowed_mentions/_errors/0/code",
        ),
        (
            json!({ "parse": ["roles"], "roles": ["1"] }),
            "/allowed_mentions/_errors/0/code",
        ),
        (
            json!({ "parse": ["me"] }),
            "/allowed_mentions/parse/0/_errors/0/code",
        ),
        (
            json!({ "users": many }),
            "/allowed_mentions/users/_errors/0/code",
        ),
        (
            json!({ "users": ["x"] }),
            "/allowed_mentions/users/0/_errors/0/code",
        ),
        (
            json!({ "users": ["1", "1"] }),
            "/allowed_mentions/users/_errors/0/code",
        ),
        (json!([]), "/allowed_mentions/_errors/0/code"),
    ];
    for (allowed, place) in cases {
        let body = json!({ "content": "x", "allowed_mentions": allowed });
        let reply = server
            .bot()
            .post(
                &format!("/channels/{}/messages", server.channel("general")),
                body,
            )
            .await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json["code"]),
            (400, &json!(50035)),
            "{allowed}"
        );
        assert!(
            reply.json["errors"].pointer(place).is_some(),
            "{}",
            reply.json
        );
    }
}
