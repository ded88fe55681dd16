//! Announcement channels that are followed, and what each kind of channel has.

use serde_json::{Value, json};

use crate::test_emulator::{TestEmulator, managed};

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
