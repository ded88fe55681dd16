//! Who receives which events, and what of them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};
use kaiwa_emulator::World;

#[tokio::test]
async fn everyone_who_may_see_a_channel_sees_its_messages() {
    let server = TestEmulator::open().await;
    let (ada, ben, bot) = (server.human("Ada"), server.human("Ben"), server.bot());
    let mut ada_sees = ada.join(ALL).await;
    let mut ben_sees = ben.join(ALL).await;
    let mut bot_sees = bot.join(ALL).await;
    ada.say(server.channel("staff"), "secret").await;
    ada.say(server.channel("general"), "public").await;
    assert_eq!(ada_sees.event("MESSAGE_CREATE").await["content"], "secret");
    let seen = ben_sees.event("MESSAGE_CREATE").await;
    assert_eq!(seen["content"], "public");
    assert_eq!(seen["guild_id"], server.ready.guild_id);
    assert_eq!(seen["member"]["nick"], Value::Null);
    assert_eq!(seen["author"]["global_name"], "Ada");
    assert_eq!(bot_sees.event("MESSAGE_CREATE").await["content"], "public");
}

#[tokio::test]
async fn bots_receive_what_they_asked_for() {
    let server = TestEmulator::open().await;
    let (ben, bot) = (server.human("Ben"), server.bot());
    let general = server.channel("general");
    let dm = ben.open_dm(&bot.id).await;
    let (guild, direct) = (general.to_owned(), dm);
    let cases = [
        (1 << 9, &guild, "MESSAGE_CREATE"),
        (1 << 10, &guild, "MESSAGE_REACTION_ADD"),
        (1 << 11, &guild, "TYPING_START"),
        (1 << 12, &direct, "MESSAGE_CREATE"),
        (1 << 13, &direct, "MESSAGE_REACTION_ADD"),
        (1 << 14, &direct, "TYPING_START"),
    ];
    for (intent, wanted, name) in cases {
        let mut gateway = bot.join(intent).await;
        for channel in [&guild, &direct] {
            ben.post(&format!("/channels/{channel}/typing"), Value::Null)
                .await;
            let message = ben.say(channel, "hello").await;
            let path = format!(
                "/channels/{channel}/messages/{}/reactions/%F0%9F%8D%B5/@me",
                message["id"].as_str().unwrap()
            );
            assert_eq!(ben.call(Method::PUT, &path, Value::Null).await.status, 204);
        }
        assert_eq!(gateway.event(name).await["channel_id"], **wanted);
        gateway.heartbeat().await;
    }
}

#[tokio::test]
async fn content_is_blanked_without_the_intent() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let dm = ben.open_dm(&bot.id).await;
    let mut gateway = bot.join(ALL & !(1 << 15)).await;
    let mention = format!("<@{}> hello", bot.id);

    let body = json!({ "content": "private", "embeds": [{ "title": "t" }] });
    let blank = ben
        .post(&format!("/channels/{general}/messages"), body)
        .await
        .json;
    let seen = gateway.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&seen["content"], &seen["embeds"]),
        (&json!(""), &json!([]))
    );

    ben.say(general, &mention).await;
    assert_eq!(gateway.event("MESSAGE_CREATE").await["content"], mention);
    ben.say(&dm, "hello").await;
    assert_eq!(gateway.event("MESSAGE_CREATE").await["content"], "hello");

    let answer = json!({ "content": "mine", "message_reference": { "message_id": blank["id"] } });
    bot.post(&format!("/channels/{general}/messages"), answer)
        .await;
    let seen = gateway.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&seen["content"], &seen["referenced_message"]["content"]),
        (&json!("mine"), &json!(""))
    );

    let history = bot.get(&format!("/channels/{general}/messages")).await.json;
    assert_eq!(
        history[2]["content"], "private",
        "REST asks the application, not the session"
    );
}

#[tokio::test]
async fn a_bot_without_the_grant_reads_no_content_over_rest() {
    let world = "
        limits = \"off\"
        [guild]
        name = \"Quiet\"
        [bot]
        name = \"Bo\"
        intents = [\"guild_members\"]
        [[users]]
        name = \"Ann\"
        [[channels]]
        name = \"a\"
    ";
    let server = TestEmulator::of(World::from_toml(world).unwrap()).await;
    server
        .human("Ann")
        .say(server.channel("a"), "private")
        .await;
    let history = server
        .bot()
        .get(&format!("/channels/{}/messages", server.channel("a")))
        .await
        .json;
    assert_eq!(history[0]["content"], "");
    assert_eq!(
        server.bot().get("/applications/@me").await.json["flags"],
        1 << 15
    );
}

#[tokio::test]
async fn shards_divide_guilds_and_the_first_has_the_direct_messages() {
    let server = TestEmulator::open().await;
    let (ben, bot, general) = (server.human("Ben"), server.bot(), server.channel("general"));
    let dm = ben.open_dm(&bot.id).await;
    let guild: u64 = server.ready.guild_id.parse().unwrap();
    // A count for which the guild is not on the first shard.
    let shards = (2..).find(|n| !(guild >> 22).is_multiple_of(*n)).unwrap();
    let mine = (guild >> 22) % shards;
    let mut seen = Vec::new();
    for shard in [0, mine] {
        let mut gateway = Gateway::connect(&server, "").await;
        let identify = json!({ "token": bot.token, "intents": ALL, "properties": {}, "shard": [shard, shards] });
        gateway.send(&json!({ "op": 2, "d": identify })).await;
        let ready = gateway.event("READY").await;
        assert_eq!(ready["shard"], json!([shard, shards]));
        assert_eq!(
            ready["guilds"].as_array().unwrap().len(),
            usize::from(shard == mine)
        );
        if shard == mine {
            gateway.event("GUILD_CREATE").await;
        }
        seen.push(gateway);
    }
    ben.say(&dm, "direct").await;
    ben.say(general, "guild").await;
    assert_eq!(seen[0].event("MESSAGE_CREATE").await["content"], "direct");
    assert_eq!(seen[1].event("MESSAGE_CREATE").await["content"], "guild");
    seen[0].heartbeat().await;

    // One of them can be deaf alone.
    let faults = server.emulator.faults();
    assert_eq!(faults.deafen_shard(&bot.id, mine), 1);
    ben.say(&dm, "direct again").await;
    ben.say(general, "unheard").await;
    let heard = seen[0].event("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "direct again");
    seen[1].heartbeat().await;
    assert_eq!(faults.undeafen_gateway(&bot.id), 2);
    let heard = seen[1].event("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "unheard");
    let root = server.ready.api_url.replace("/api/v10", "/emulator");
    let ask = json!({ "deafen_gateway": { "user_id": bot.id, "shard": mine } });
    let request = server.http().post(format!("{root}/faults")).json(&ask);
    assert_eq!(server.send(request).await.unwrap().json["cut"], 1);
}

#[tokio::test]
async fn direct_messages_stay_between_two() {
    let server = TestEmulator::open().await;
    let (ada, ben, bot) = (server.human("Ada"), server.human("Ben"), server.bot());
    let mut ada_sees = ada.join(ALL).await;
    let mut ben_sees = ben.join(ALL).await;
    let dm = ben.open_dm(&bot.id).await;
    assert_eq!(
        ben_sees.event("CHANNEL_CREATE").await["recipients"][0]["id"],
        bot.id
    );
    assert_eq!(bot.open_dm(&ben.id).await, dm, "both open the same");
    bot.say(&dm, "psst").await;
    let seen = ben_sees.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&seen["content"], seen.get("guild_id"), seen.get("member")),
        (&json!("psst"), None, None)
    );
    ada_sees.heartbeat().await;
    assert_eq!(
        ada.get(&format!("/channels/{dm}")).await.json["code"],
        50001
    );
    assert_eq!(
        ada.post(
            &format!("/channels/{dm}/messages"),
            json!({ "content": "x" })
        )
        .await
        .json["code"],
        50001
    );
}

#[tokio::test]
async fn typing_edits_deletes_and_reactions_are_seen() {
    let server = TestEmulator::open().await;
    let (ben, ada, bot, general) = (
        server.human("Ben"),
        server.human("Ada"),
        server.bot(),
        server.channel("general"),
    );
    let mut sees = ben.join(ALL).await;
    bot.post(&format!("/channels/{general}/typing"), Value::Null)
        .await;
    let typing = sees.event("TYPING_START").await;
    assert_eq!(
        (&typing["user_id"], &typing["member"]["user"]["username"]),
        (&json!(bot.id), &json!("Kaiwa"))
    );

    let message = bot.say(general, "draft").await;
    let id = message["id"].as_str().unwrap();
    sees.event("MESSAGE_CREATE").await;
    let path = format!("/channels/{general}/messages/{id}");
    bot.call(Method::PATCH, &path, json!({ "content": "final" }))
        .await;
    let update = sees.event("MESSAGE_UPDATE").await;
    assert_eq!(update["content"], "final");
    assert!(
        update["edited_timestamp"]
            .as_str()
            .unwrap()
            .ends_with("+00:00")
    );

    let tea = format!("{path}/reactions/%F0%9F%8D%B5");
    for caller in [&ben, &ada, &ben] {
        assert_eq!(
            caller
                .call(Method::PUT, &format!("{tea}/@me"), Value::Null)
                .await
                .status,
            204
        );
    }
    assert_eq!(
        sees.event("MESSAGE_REACTION_ADD").await["emoji"],
        json!({ "id": null, "name": "🍵" })
    );
    assert_eq!(
        sees.event("MESSAGE_REACTION_ADD").await["user_id"],
        ada.id,
        "a second time changes nothing"
    );
    let reaction = &ben.get(&path).await.json["reactions"][0];
    assert_eq!(
        (&reaction["count"], &reaction["me"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(bot.get(&path).await.json["reactions"][0]["me"], false);
    assert_eq!(bot.get(&tea).await.json.as_array().unwrap().len(), 2);
    let bursts = bot.get(&format!("{tea}?type=1")).await.json;
    assert_eq!(bursts, json!([]), "nobody paid for one");

    assert_eq!(
        ben.call(Method::DELETE, &format!("{tea}/{}", ada.id), Value::Null)
            .await
            .json["code"],
        50013
    );
    ben.call(Method::DELETE, &format!("{tea}/@me"), Value::Null)
        .await;
    assert_eq!(
        sees.event("MESSAGE_REACTION_REMOVE").await["user_id"],
        ben.id
    );
    let kettle = &server.guild("Tea House").emojis["kettle"];
    let of_the_guild = format!("{path}/reactions/anything:{kettle}/@me");
    ben.call(Method::PUT, &of_the_guild, Value::Null).await;
    assert_eq!(
        sees.event("MESSAGE_REACTION_ADD").await["emoji"],
        json!({ "id": kettle, "name": "kettle" })
    );
    let strange = format!("{path}/reactions/kaiwa:41771983429993937/@me");
    let refused = ben.call(Method::PUT, &strange, Value::Null).await;
    assert_eq!(refused.json["code"], 10014);
    ada.call(Method::DELETE, &tea, Value::Null).await;
    assert_eq!(
        sees.event("MESSAGE_REACTION_REMOVE_EMOJI").await["emoji"]["name"],
        "🍵"
    );
    ada.call(Method::DELETE, &format!("{path}/reactions"), Value::Null)
        .await;
    sees.event("MESSAGE_REACTION_REMOVE_ALL").await;
    assert_eq!(ben.get(&path).await.json.get("reactions"), None);

    assert_eq!(
        bot.call(Method::DELETE, &path, Value::Null).await.status,
        204
    );
    assert_eq!(sees.event("MESSAGE_DELETE").await["id"], id);
}
