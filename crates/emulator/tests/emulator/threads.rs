//! Threads and forum posts.

use std::time::Duration;

use kaiwa_emulator::World;
use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Caller, Reply, TestEmulator};

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

async fn thread_in(caller: &Caller<'_>, channel: &str, name: &str, kind: u8) -> Value {
    let body = json!({ "name": name, "type": kind });
    let reply = caller
        .post(&format!("/channels/{channel}/threads"), body)
        .await;
    assert_eq!(reply.status, 201, "{:?}", reply.json);
    reply.json
}

async fn patch(caller: &Caller<'_>, channel: &str, body: Value) -> Reply {
    let path = format!("/channels/{channel}");
    caller.call(Method::PATCH, &path, body).await
}

#[tokio::test]
async fn a_thread_hangs_on_a_message() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let mut sees = bot.join(ALL).await;
    let asked = ben.say(general, "which tea?").await;
    sees.event("MESSAGE_CREATE").await;
    let path = format!("/channels/{general}/messages/{}", id(&asked));
    let body = json!({ "name": " Teas ", "auto_archive_duration": 60 });
    let made = ben.post(&format!("{path}/threads"), body.clone()).await;
    assert_eq!(made.status, 201);
    let thread = made.json;
    assert_eq!(id(&thread), id(&asked), "it has the message's id");
    assert_eq!(
        (&thread["type"], &thread["name"], &thread["parent_id"]),
        (&json!(11), &json!("Teas"), &json!(general))
    );
    assert_eq!(thread["owner_id"], ben.id);
    assert_eq!(thread["thread_metadata"]["auto_archive_duration"], 60);
    assert_eq!(thread["thread_metadata"]["archived"], false);
    assert_eq!(thread["member"]["user_id"], ben.id);

    let created = sees.event("THREAD_CREATE").await;
    assert_eq!(
        (&created["newly_created"], &created["guild_id"]),
        (&json!(true), &json!(server.ready.guild_id))
    );
    assert_eq!(created.get("member"), None, "the bot is not in it");
    let update = sees.event("MESSAGE_UPDATE").await;
    assert_eq!(update["flags"], 1 << 5);
    assert_eq!(update["thread"]["id"], thread["id"]);
    assert_eq!(ben.get(&path).await.json["thread"]["name"], "Teas");
    let again = ben.post(&format!("{path}/threads"), body).await;
    assert_eq!(again.json["code"], 160_004);

    let thread = id(&thread);
    let first = ben.get(&format!("/channels/{thread}/messages")).await.json;
    assert_eq!(first[0]["type"], 21);
    assert_eq!(first[0]["referenced_message"]["content"], "which tea?");
    ben.say(&thread, "oolong?").await;
    let said = sees.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&said["channel_id"], &said["channel_type"]),
        (&json!(thread), &json!(11))
    );
    bot.say(&thread, "yes").await;
    let added = sees.event("THREAD_CREATE").await;
    assert_eq!(added["member"]["user_id"], bot.id);
    let joined = sees.event("THREAD_MEMBERS_UPDATE").await;
    assert_eq!(joined["added_members"][0]["user_id"], bot.id, "by writing");
    assert_eq!(joined["member_count"], 2);
    sees.event("MESSAGE_CREATE").await;
    let shown = bot.get(&format!("/channels/{thread}")).await.json;
    assert_eq!(
        (&shown["message_count"], &shown["total_message_sent"]),
        (&json!(2), &json!(2)),
        "the starter does not count"
    );
    sees.heartbeat().await;

    let active = format!("/guilds/{}/threads/active", server.ready.guild_id);
    let active = bot.get(&active).await.json;
    assert_eq!(active["threads"][0]["id"], *thread);
    assert_eq!(active["members"][0]["user_id"], bot.id);
    let channels = format!("/guilds/{}/channels", server.ready.guild_id);
    let listed = bot.get(&channels).await.json;
    let mut listed = listed.as_array().unwrap().iter();
    assert!(
        listed.all(|it| it["id"] != *thread),
        "no channel of the list"
    );
}

#[tokio::test]
async fn a_session_begins_with_the_active_threads() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let open = thread_in(&ben, general, "open", 11).await;
    let closed = thread_in(&ben, general, "closed", 11).await;
    assert_eq!(
        patch(&ben, &id(&closed), json!({ "archived": true }))
            .await
            .status,
        200
    );
    thread_in(&ben, general, "secret", 12).await;
    let mut gateway = crate::test_emulator::Gateway::connect(&server, "").await;
    gateway.identify(&bot.token, ALL).await;
    gateway.event("READY").await;
    let guild = gateway.event("GUILD_CREATE").await;
    let threads: Vec<_> = guild["threads"].as_array().unwrap().iter().collect();
    assert_eq!(threads.len(), 1, "{threads:?}");
    assert_eq!(threads[0]["id"], open["id"]);
    let archived = format!("/channels/{general}/threads/archived/public");
    let archived = bot.get(&archived).await.json;
    assert_eq!(archived["threads"][0]["id"], closed["id"]);
    assert_eq!(archived["has_more"], false);
}

#[tokio::test]
async fn a_thread_without_a_message_is_announced_where_it_hangs() {
    let server = TestEmulator::open().await;
    let (ben, bot) = (server.human("Ben"), server.bot());
    let mut sees = bot.join(ALL).await;
    let general = server.channel("general");
    let thread = thread_in(&ben, general, "Teas", 11).await;
    assert_eq!(sees.event("THREAD_CREATE").await["id"], thread["id"]);
    let notice = sees.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&notice["type"], &notice["content"], &notice["channel_id"]),
        (&json!(18), &json!("Teas"), &json!(general))
    );
    assert_eq!(notice["message_reference"]["channel_id"], thread["id"]);
    assert_eq!(notice["message_reference"].get("message_id"), None);

    let ada = server.human("Ada");
    let news = thread_in(&ada, server.channel("news"), "Today", 11).await;
    assert_eq!(news["type"], 10, "of an announcement channel");
}

#[tokio::test]
async fn private_threads_are_for_those_in_them() {
    let server = TestEmulator::open().await;
    let (ada, ben, mika) = (
        server.human("Ada"),
        server.human("Ben"),
        server.human("Mika"),
    );
    let bot = server.bot();
    let mut sees = bot.join(ALL).await;
    let general = server.channel("general");
    // Without a type it is private.
    let made = ben
        .post(
            &format!("/channels/{general}/threads"),
            json!({ "name": "us" }),
        )
        .await;
    assert_eq!(made.json["type"], 12);
    assert_eq!(made.json["thread_metadata"]["invitable"], true);
    let thread = id(&made.json);
    let path = format!("/channels/{thread}");
    assert_eq!(bot.get(&path).await.json["code"], 50001);
    assert_eq!(mika.get(&path).await.json["code"], 50001);
    assert_eq!(ada.get(&path).await.status, 200, "moderators see all");
    sees.heartbeat().await;

    ben.say(&thread, &format!("<@{}> come in", bot.id)).await;
    let created = sees.event("THREAD_CREATE").await;
    assert_eq!(created["member"]["user_id"], bot.id);
    assert_eq!(created.get("newly_created"), None);
    let members = sees.event("THREAD_MEMBERS_UPDATE").await;
    assert_eq!(members["added_members"][0]["user_id"], bot.id);
    assert_eq!(
        members["added_members"][0]["member"]["user"]["id"], bot.id,
        "with the guild's member"
    );
    sees.event("MESSAGE_CREATE").await;
    let list = format!("{path}/thread-members?with_member=true");
    let list = bot.get(&list).await.json;
    assert_eq!(list[1]["member"]["user"]["username"], "Kaiwa");

    let mine = format!("{path}/thread-members/@me");
    assert_eq!(bot.get(&mine).await.json["user_id"], bot.id);
    let left = ben
        .call(
            Method::DELETE,
            &format!("{path}/thread-members/{}", bot.id),
            Value::Null,
        )
        .await;
    assert_eq!(left.status, 204, "its owner may");
    assert_eq!(bot.get(&path).await.json["code"], 50001);
    let added = format!("{path}/thread-members/{}", mika.id);
    let added = ben.call(Method::PUT, &added, Value::Null).await;
    assert_eq!(added.status, 204);
    assert_eq!(mika.get(&path).await.status, 200);
}

#[tokio::test]
async fn an_archived_thread_opens_when_somebody_writes_unless_it_is_locked() {
    let server = TestEmulator::open().await;
    let (ada, ben, mika) = (
        server.human("Ada"),
        server.human("Ben"),
        server.human("Mika"),
    );
    let general = server.channel("general");
    let thread = id(&thread_in(&ben, general, "old", 11).await);
    let said = ben.say(&thread, "something").await;
    let message = format!("/channels/{thread}/messages/{}", id(&said));
    assert_eq!(
        patch(&mika, &thread, json!({ "archived": true }))
            .await
            .json["code"],
        50013
    );
    let mut sees = mika.join(ALL).await;
    patch(&ben, &thread, json!({ "archived": true })).await;
    let update = sees.event("THREAD_UPDATE").await;
    assert_eq!(update["thread_metadata"]["archived"], true);
    let edit = ben
        .call(Method::PATCH, &message, json!({ "content": "else" }))
        .await;
    assert_eq!(edit.json["code"], 50083);
    let react = format!("{message}/reactions/%F0%9F%8D%B5/@me");
    let react = ben.call(Method::PUT, &react, Value::Null).await;
    assert_eq!(react.json["code"], 50083);
    let join = format!("/channels/{thread}/thread-members/@me");
    assert_eq!(
        mika.call(Method::PUT, &join, Value::Null).await.json["code"],
        50083
    );
    mika.say(&thread, "still here").await;
    let update = sees.event("THREAD_UPDATE").await;
    assert_eq!(update["thread_metadata"]["archived"], false);

    assert_eq!(
        patch(&ben, &thread, json!({ "locked": true })).await.json["code"],
        50013
    );
    patch(&ada, &thread, json!({ "locked": true })).await;
    let refused = ben
        .post(
            &format!("/channels/{thread}/messages"),
            json!({ "content": "x" }),
        )
        .await;
    assert_eq!(refused.json["code"], 160_005);
    ada.say(&thread, "last word").await;

    let path = format!("/channels/{thread}");
    let gone = ben.call(Method::DELETE, &path, Value::Null).await;
    assert_eq!(gone.json["code"], 50013);
    let mut sees = mika.join(ALL).await;
    ada.call(Method::DELETE, &path, Value::Null).await;
    let deleted = sees.event("THREAD_DELETE").await;
    assert_eq!(
        deleted,
        json!({ "id": thread, "guild_id": server.ready.guild_id, "parent_id": general, "type": 11 })
    );
    assert_eq!(ada.get(&path).await.json["code"], 10003);
}

#[tokio::test]
async fn a_post_begins_with_its_message() {
    let server = TestEmulator::open().await;
    let (ben, bot) = (server.human("Ben"), server.bot());
    let mut sees = bot.join(ALL).await;
    let ideas = server.channel("ideas");
    let path = format!("/channels/{ideas}/threads");
    let body =
        json!({ "name": "More cups", "message": { "content": format!("<@{}>, ten?", bot.id) } });
    let made = ben.post(&path, body).await;
    assert_eq!(made.status, 201, "{:?}", made.json);
    assert_eq!(made.json["type"], 11);
    assert_eq!(made.json["applied_tags"], json!([]));
    assert_eq!(made.json["message"]["id"], made.json["id"]);
    let created = sees.event("THREAD_CREATE").await;
    assert_eq!(created["parent_id"], *ideas);
    sees.event("THREAD_CREATE").await;
    sees.event("THREAD_MEMBERS_UPDATE").await;
    let first = sees.event("MESSAGE_CREATE").await;
    assert_eq!(first["channel_id"], made.json["id"]);
    assert_eq!(first["mentions"][0]["id"], bot.id);

    let direct = ben
        .post(
            &format!("/channels/{ideas}/messages"),
            json!({ "content": "x" }),
        )
        .await;
    assert_eq!(direct.json["code"], 50008);
    let bare = ben.post(&path, json!({ "name": "Nothing" })).await;
    assert_eq!(
        bare.json["errors"]["message"]["_errors"][0]["code"],
        "BASE_TYPE_REQUIRED"
    );
    let empty = ben
        .post(&path, json!({ "name": "Nothing", "message": {} }))
        .await;
    assert_eq!(empty.json["code"], 50006);
}

#[tokio::test]
async fn rights_in_a_thread_are_those_of_its_parent_but_for_writing() {
    let world = "
        [guild]
        name = 'Hall'
        owner = 'Ann'
        [bot]
        name = 'Bo'
        [[users]]
        name = 'Ann'
        [[users]]
        name = 'Cy'
        [[users]]
        name = 'Di'
        [[channels]]
        name = 'read'
        [[channels.overwrites]]
        role = '@everyone'
        deny = ['send_messages', 'create_public_threads']
        [[channels]]
        name = 'talk'
        [[channels.overwrites]]
        role = '@everyone'
        deny = ['send_messages_in_threads']
        [[channels]]
        name = 'hidden'
        [[channels.overwrites]]
        member = 'Di'
        deny = ['view_channel']
        [[channels]]
        name = 'voice'
        type = 'voice'
        [[channels.overwrites]]
        member = 'Di'
        deny = ['connect']
    ";
    let server = TestEmulator::of(World::from_toml(world).unwrap().without_limits()).await;
    let (ann, cy, di) = (server.human("Ann"), server.human("Cy"), server.human("Di"));
    let say = async |who: &Caller<'_>, channel: &str| {
        let path = format!("/channels/{channel}/messages");
        let reply = who.post(&path, json!({ "content": "hello" })).await;
        (reply.status.as_u16(), reply.json["code"].clone())
    };
    let in_read = id(&thread_in(&ann, server.channel("read"), "a", 11).await);
    let in_talk = id(&thread_in(&ann, server.channel("talk"), "b", 11).await);
    let in_hidden = id(&thread_in(&ann, server.channel("hidden"), "c", 11).await);
    assert_eq!(say(&cy, server.channel("read")).await.0, 403);
    assert_eq!(say(&cy, &in_read).await.0, 200);
    assert_eq!(say(&cy, server.channel("talk")).await.0, 200);
    assert_eq!(say(&cy, &in_talk).await, (403, json!(50013)));
    assert_eq!(say(&di, &in_hidden).await, (403, json!(50001)));
    let path = format!("/channels/{}/threads", server.channel("read"));
    let refused = cy.post(&path, json!({ "name": "x", "type": 11 })).await;
    assert_eq!(refused.json["code"], 50013);
    assert_eq!(say(&cy, server.channel("voice")).await.0, 200);
    assert_eq!(
        say(&di, server.channel("voice")).await,
        (403, json!(50001)),
        "who may not connect sees no voice channel"
    );

    // Who is let in learns of the threads that are there.
    let mut sees = di.join(ALL).await;
    let hidden = server.channel("hidden");
    let path = format!("/channels/{hidden}/permissions/{}", di.id);
    ann.call(Method::DELETE, &path, Value::Null).await;
    sees.event("CHANNEL_CREATE").await;
    let sync = sees.event("THREAD_LIST_SYNC").await;
    assert_eq!(sync["channel_ids"], json!([hidden]));
    assert_eq!(sync["threads"][0]["id"], *in_hidden);
}

#[tokio::test]
async fn threads_are_refused_with_discords_codes() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let dm = ben.open_dm(&bot.id).await;
    let asked = id(&ben.say(general, "x").await);
    let thread = id(&thread_in(&ben, general, "t", 11).await);
    let lounge = server.channel("lounge");
    let cases = [
        (format!("/channels/{general}/threads"), json!({}), 50035),
        (
            format!("/channels/{general}/threads"),
            json!({ "name": "x".repeat(101), "type": 11 }),
            50035,
        ),
        (
            format!("/channels/{general}/threads"),
            json!({ "name": "x", "type": 15 }),
            50035,
        ),
        (
            format!("/channels/{general}/threads"),
            json!({ "name": "x", "auto_archive_duration": 61 }),
            50035,
        ),
        (
            format!("/channels/{general}/threads"),
            json!({ "name": {}, "type": [] }),
            50035,
        ),
        (
            format!("/channels/{general}/threads"),
            json!(["name"]),
            50035,
        ),
        (
            format!("/channels/{dm}/threads"),
            json!({ "name": "x" }),
            50024,
        ),
        (
            format!("/channels/{lounge}/threads"),
            json!({ "name": "x" }),
            50024,
        ),
        (
            format!("/channels/{thread}/threads"),
            json!({ "name": "x" }),
            50024,
        ),
        (
            format!("/channels/{general}/messages/17/threads"),
            json!({ "name": "x" }),
            10008,
        ),
        (
            format!("/channels/{general}/messages/{asked}/threads"),
            json!({ "name": "" }),
            50035,
        ),
    ];
    for (path, body, code) in cases {
        let reply = ben.post(&path, body.clone()).await;
        assert_eq!(reply.json["code"], code, "{path} {body} {:?}", reply.json);
    }
    for path in [
        format!("/channels/{general}/threads"),
        format!("/channels/{general}/messages/{asked}/threads"),
    ] {
        for (body, code) in [
            ("{\"name\": ".to_owned(), 50109),
            ("\u{0}".to_owned(), 50109),
            (format!("{{\"name\": \"{}\"}}", "x".repeat(2 << 20)), 40005),
        ] {
            let request = ben
                .request(Method::POST, &path)
                .header("content-type", "application/json")
                .body(body);
            let reply = server.send(request).await.unwrap();
            assert_eq!(reply.json["code"], code, "{path}");
        }
    }
    let path = format!("/channels/{general}/thread-members/@me");
    let wrong = ben.call(Method::PUT, &path, Value::Null).await;
    assert_eq!(wrong.json["code"], 50024);
    let wrong = patch(&ben, &thread, json!({ "name": "" })).await;
    assert_eq!(wrong.json["code"], 50035);
}

#[tokio::test]
async fn messages_of_a_thread_have_a_position() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let mut sees = bot.join(ALL).await;
    let asked = ben.say(general, "which tea?").await;
    assert_eq!(asked.get("position"), None);
    let path = format!("/channels/{general}/messages/{}/threads", id(&asked));
    let thread = id(&ben.post(&path, json!({ "name": "t" })).await.json);
    for position in [1, 2] {
        let said = ben.say(&thread, "x").await;
        assert_eq!(said["position"], position);
        let told = sees.until("MESSAGE_CREATE").await;
        let told = match told["channel_id"] == general {
            true => sees.until("MESSAGE_CREATE").await,
            false => told,
        };
        assert_eq!(told["position"], position);
    }
    let history = ben.get(&format!("/channels/{thread}/messages")).await.json;
    let positions: Vec<_> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["position"])
        .collect();
    assert_eq!(positions, [2, 1, 0]);
}

#[tokio::test]
async fn a_thread_in_which_nothing_is_said_is_archived() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let body = json!({ "name": "t", "type": 11, "auto_archive_duration": 60 });
    let thread = ben
        .post(&format!("/channels/{general}/threads"), body)
        .await;
    let thread = id(&thread.json);
    let long = id(&thread_in(&ben, general, "long", 11).await);
    let mut sees = bot.join(ALL).await;
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    server.emulator.advance(minutes(40));
    ben.say(&thread, "still here").await;
    server.emulator.advance(minutes(59));
    sees.until("MESSAGE_CREATE").await;
    sees.heartbeat().await;
    server.emulator.advance(minutes(2));
    let active = format!("/guilds/{}/threads/active", server.ready.guild_id);
    let active = bot.get(&active).await.json;
    assert_eq!(active["threads"].as_array().unwrap().len(), 1);
    assert_eq!(active["threads"][0]["id"], long);
    let told = sees.event("THREAD_UPDATE").await;
    assert_eq!(told["id"], thread);
    assert_eq!(told["thread_metadata"]["archived"], true);
    ben.say(&thread, "again").await;
    let told = sees.event("THREAD_UPDATE").await;
    assert_eq!(told["thread_metadata"]["archived"], false);
}
