//! Invites, and those who come by them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{TestEmulator, managed};

const INVITES: u64 = 1 | 1 << 1 | 1 << 6;

#[tokio::test]
async fn somebody_comes_by_an_invite() {
    let server = TestEmulator::of(managed()).await;
    let (bot, sue, guild) = (server.bot(), server.human("Sue"), &server.ready.guild_id);
    let general = server.channel("general");
    let welcome = json!({ "system_channel_id": general });
    bot.patch(&format!("/guilds/{guild}"), welcome).await;
    let mut sees = bot.join(INVITES | 1 << 9).await;
    let mut seen_by_sue = sue.join(1).await;
    let path = format!("/channels/{general}/invites");
    let made = bot
        .post(&path, json!({ "max_uses": 1, "max_age": 0 }))
        .await;
    assert_eq!(made.status, 200, "{:?}", made.json);
    let invite = made.json;
    assert_eq!(
        (&invite["max_uses"], &invite["uses"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(
        (&invite["guild"]["id"], &invite["channel"]["id"]),
        (&json!(guild), &json!(general))
    );
    let code = invite["code"].as_str().unwrap();
    let told = sees.event("INVITE_CREATE").await;
    assert_eq!(
        (&told["code"], &told["channel_id"]),
        (&json!(code), &json!(general))
    );
    let shown = sue
        .get(&format!("/invites/{code}?with_counts=true"))
        .await
        .json;
    assert_eq!(shown["approximate_member_count"], 6);
    assert_eq!(shown.get("uses"), None, "not for everybody");

    let bots = bot.post(&format!("/invites/{code}"), Value::Null).await;
    assert_eq!(bots.outcome(), (403, 20001));
    let came = sue.post(&format!("/invites/{code}"), Value::Null).await;
    assert_eq!(came.json["new_member"], true);
    let joined = seen_by_sue.event("GUILD_CREATE").await;
    assert_eq!(joined["id"], *guild);
    let told = sees.event("GUILD_MEMBER_ADD").await;
    assert_eq!(
        (&told["user"]["id"], &told["guild_id"]),
        (&json!(sue.id), &json!(guild))
    );
    let notice = sees.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&notice["type"], &notice["author"]["id"]),
        (&json!(7), &json!(sue.id))
    );
    assert_eq!(
        sees.event("INVITE_DELETE").await["code"],
        code,
        "it is used up"
    );
    let again = sue.post(&format!("/invites/{code}"), Value::Null).await;
    assert_eq!(again.outcome(), (404, 10006));
    sue.say(general, "hello").await;
}

#[tokio::test]
async fn invites_are_listed_and_revoked_by_those_who_manage() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let general = server.channel("general");
    let of_channel = format!("/channels/{general}/invites");
    let of_guild = format!("/guilds/{guild}/invites");
    let made = ben.post(&of_channel, json!({})).await.json;
    assert_eq!(made["max_age"], 86_400);
    let like_it = ben.post(&of_channel, json!({})).await.json;
    assert_eq!(
        like_it["code"], made["code"],
        "one that is like it is used again"
    );
    let unique = ben.post(&of_channel, json!({ "unique": true })).await.json;
    assert_ne!(unique["code"], made["code"]);
    for (path, code) in [(&of_channel, 50013), (&of_guild, 50013)] {
        assert_eq!(ben.get(path).await.outcome(), (403, code));
        let listed = bot.get(path).await.json;
        assert_eq!(listed.as_array().unwrap().len(), 2);
    }
    let revoke = format!("/invites/{}", made["code"].as_str().unwrap());
    assert_eq!(ben.delete(&revoke).await.outcome(), (403, 50013));
    let mut sees = bot.join(INVITES).await;
    assert_eq!(bot.delete(&revoke).await.json["code"], made["code"]);
    assert_eq!(sees.event("INVITE_DELETE").await["code"], made["code"]);
    assert_eq!(bot.delete(&revoke).await.outcome(), (404, 10006));
    for body in [
        json!({ "max_age": 604_801 }),
        json!({ "max_uses": 101 }),
        json!({ "temporary": "no" }),
    ] {
        let refused = bot.post(&of_channel, body.clone()).await;
        assert_eq!(refused.outcome(), (400, 50035), "{body}");
    }
    // discord.py reads all of these from the log.
    let logs = bot
        .get(&format!("/guilds/{guild}/audit-logs?action_type=40"))
        .await;
    let changes = logs.json["audit_log_entries"][0]["changes"].clone();
    for key in [
        "code",
        "channel_id",
        "max_age",
        "max_uses",
        "uses",
        "temporary",
    ] {
        let mut changes = changes.as_array().unwrap().iter();
        assert!(changes.any(|change| change["key"] == key), "{key}");
    }
    let direct = bot.open_dm(&ben.id).await;
    let refused = bot
        .post(&format!("/channels/{direct}/invites"), json!({}))
        .await;
    assert_eq!(refused.outcome(), (403, 50003));
}

#[tokio::test]
async fn an_invite_to_voice_may_show_a_stream_or_an_activity() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let made = json!({ "name": "Lounge", "type": 2 });
    let made = bot.post(&format!("/guilds/{guild}/channels"), made).await;
    let voice = made.json["id"].as_str().unwrap();
    let mut sees = bot.join(INVITES).await;
    let path = format!("/channels/{voice}/invites");
    let ben = server.human("Ben").id;
    let stream = json!({ "target_type": 1, "target_user_id": ben });
    let stream = bot.post(&path, stream).await.json;
    assert_eq!(stream["target_type"], 1);
    assert_eq!(stream["target_user"]["id"], json!(ben));
    assert_eq!(
        sees.event("INVITE_CREATE").await["target_user"]["id"],
        json!(ben)
    );
    let game = json!({ "target_type": 2, "target_application_id": "880218394199220334" });
    let game = bot.post(&path, game).await.json;
    assert_ne!(game["code"], stream["code"], "it shows something else");
    let known = format!("/invites/{}", game["code"].as_str().unwrap());
    let known = bot.get(&known).await.json;
    assert_eq!(known["target_application"]["id"], "880218394199220334");
    for body in [
        json!({ "target_type": 3 }),
        json!({ "target_type": 1 }),
        json!({ "target_type": 1, "target_user_id": "1" }),
        json!({ "target_type": 2 }),
    ] {
        let refused = bot.post(&path, body.clone()).await;
        assert_eq!(refused.outcome(), (400, 50035), "{body}");
    }
    let text = format!("/channels/{}/invites", server.channel("general"));
    let stream = json!({ "target_type": 1, "target_user_id": ben });
    assert_eq!(bot.post(&text, stream).await.outcome(), (400, 50035));
}

/// Discord's own pages show them to those who are not logged in, and hikari
/// asks for sticker packs without its token.
#[tokio::test]
async fn strangers_may_look_at_invites_templates_and_sticker_packs() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let path = format!("/channels/{}/invites", server.channel("general"));
    let invite = bot.post(&path, json!({})).await.json;
    let template = json!({ "name": "Tea" });
    let path = format!("/guilds/{guild}/templates");
    let template = bot.post(&path, template).await.json;
    let code = |it: &Value| it["code"].as_str().unwrap().to_owned();
    for path in [
        format!("/invites/{}", code(&invite)),
        format!("/guilds/templates/{}", code(&template)),
        "/sticker-packs".to_owned(),
    ] {
        let request = server.request(Method::GET, &path);
        let reply = server.send(request).await.unwrap();
        assert_eq!(reply.status, 200, "{path}: {}", reply.json);
        let wrong = server.request(Method::GET, &path);
        let wrong = wrong.header("authorization", "Bot nobody");
        let wrong = server.send(wrong).await.unwrap();
        assert_eq!(wrong.status, 401, "{path} with a token of nobody's");
    }
}

/// Discord Docs/Guild, Guild Member Flags: `DID_REJOIN`.
#[tokio::test]
async fn who_comes_again_is_known_to_have_been_here() {
    let server = TestEmulator::of(managed()).await;
    let (bot, sue, guild) = (server.bot(), server.human("Sue"), &server.ready.guild_id);
    let mut sees = bot.join(INVITES).await;
    let path = format!("/channels/{}/invites", server.channel("general"));
    let invite = bot.post(&path, json!({})).await.json;
    let accept = format!("/invites/{}", invite["code"].as_str().unwrap());
    for flags in [0, 1, 1] {
        assert_eq!(sue.post(&accept, json!({})).await.status, 200);
        assert_eq!(sees.until("GUILD_MEMBER_ADD").await["flags"], flags);
        let leave = format!("/users/@me/guilds/{guild}");
        assert_eq!(sue.delete(&leave).await.status, 204);
    }
}
