//! Announcement channels that are followed, and what each kind of channel has.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, managed};

#[tokio::test]
async fn an_announcement_channel_is_followed_by_a_webhook() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let (guild, general) = (&server.ready.guild_id, server.channel("general"));
    let news = json!({ "name": "news", "type": 5 });
    let news = bot.post(&format!("/guilds/{guild}/channels"), news).await;
    let news = news.json["id"].as_str().unwrap().to_owned();
    let path = format!("/channels/{news}/followers");
    let target = json!({ "webhook_channel_id": general });

    assert_eq!(
        ben.post(&path, target.clone()).await.outcome(),
        (403, 50013)
    );
    assert_eq!(bot.post(&path, json!({})).await.outcome(), (400, 50035));
    let of_text = format!("/channels/{general}/followers");
    let refused = bot.post(&of_text, target.clone()).await;
    assert_eq!(refused.outcome(), (400, 50024));

    let followed = bot.post(&path, target).await;
    assert_eq!(followed.status, 200, "{:?}", followed.json);
    assert_eq!(followed.json["channel_id"], news.as_str());
    let listed = bot.get(&format!("/channels/{general}/webhooks")).await.json;
    let hook = &listed[0];
    assert_eq!(hook["id"], followed.json["webhook_id"]);
    assert_eq!(hook["type"], 2);
    assert_eq!(hook["source_guild"]["id"], guild.as_str());
    assert_eq!(
        hook["source_channel"],
        json!({ "id": news, "name": "news" })
    );
    assert!(hook.get("token").is_none(), "{hook}");
}

#[tokio::test]
async fn channels_have_the_fields_of_their_kind() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let fields = [
        "topic",
        "last_pin_timestamp",
        "last_message_id",
        "rate_limit_per_user",
        "bitrate",
    ];
    for (kind, expected) in [
        (0, [true, true, true, true, false]),
        (2, [false, false, true, true, true]),
        (4, [false, false, false, false, false]),
        (5, [true, true, true, true, false]),
        (13, [false, false, true, true, true]),
    ] {
        let body = json!({ "name": "tea", "type": kind });
        let made = bot.post(&format!("/guilds/{guild}/channels"), body).await;
        let has = fields.map(|field| made.json.get(field).is_some());
        assert_eq!(has, expected, "{kind}: {:?}", made.json);
        assert_eq!(made.json["parent_id"], Value::Null);
    }
}

#[tokio::test]
async fn what_is_published_comes_to_those_who_follow() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let (general, other) = (server.channel("general"), server.channel("other"));
    let body = json!({ "name": "news", "type": 5 });
    let news = bot.post(&format!("/guilds/{guild}/channels"), body).await;
    let news = news.json["id"].as_str().unwrap().to_owned();
    let mut sees = bot.join(ALL).await;
    let mut hooks = Vec::new();
    for target in [general, other] {
        let target = json!({ "webhook_channel_id": target });
        let followed = bot
            .post(&format!("/channels/{news}/followers"), target)
            .await;
        hooks.push(followed.json["webhook_id"].clone());
        let told = sees.until("MESSAGE_CREATE").await;
        assert_eq!(
            (&told["type"], &told["content"]),
            (&json!(12), &json!("Managed #news"))
        );
        assert_eq!(told["author"]["id"], bot.id.as_str());
        assert_eq!(
            told["message_reference"],
            json!({ "type": 0, "channel_id": news, "guild_id": guild })
        );
    }
    let said = bot.say(&news, "tea is served").await;
    sees.until("MESSAGE_CREATE").await;
    let path = format!("/channels/{news}/messages/{}", said["id"].as_str().unwrap());
    let published = bot.post(&format!("{path}/crosspost"), json!({})).await;
    assert_eq!(published.json["flags"], 1);
    assert_eq!(sees.until("MESSAGE_UPDATE").await["flags"], 1);
    for (place, hook) in [general, other].into_iter().zip(&hooks) {
        let copy = sees.event("MESSAGE_CREATE").await;
        assert_eq!(copy["channel_id"], place);
        assert_eq!(
            (&copy["content"], &copy["flags"]),
            (&json!("tea is served"), &json!(2))
        );
        assert_eq!((&copy["webhook_id"], &copy["type"]), (hook, &json!(0)));
        assert_eq!(copy["author"]["username"], "Managed #news");
        assert_eq!(
            copy["message_reference"],
            json!({ "type": 0, "channel_id": news, "guild_id": guild, "message_id": said["id"] })
        );
        let one = format!(
            "/channels/{place}/messages/{}",
            copy["id"].as_str().unwrap()
        );
        assert_eq!(bot.get(&one).await.json["flags"], 2);
    }
}
