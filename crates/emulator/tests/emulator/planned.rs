//! What a guild plans and opens: scheduled events, stages, and who speaks.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, managed};

fn tomorrow() -> String {
    in_hours(24)
}

fn in_hours(hours: i64) -> String {
    (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(hours)).to_string()
}

fn outing() -> Value {
    json!({
        "name": "Outing", "privacy_level": 2, "entity_type": 3,
        "scheduled_start_time": tomorrow(), "scheduled_end_time": in_hours(26),
        "entity_metadata": { "location": "The lake" },
    })
}

#[tokio::test]
async fn events_are_planned_joined_held_and_over() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let mut sees = bot.join(1 << 16).await;
    let events = format!("/guilds/{guild}/scheduled-events");
    let made = bot.post(&events, outing()).await.json;
    assert_eq!(made["entity_metadata"]["location"], "The lake");
    assert_eq!(
        (&made["status"], &made["channel_id"]),
        (&json!(1), &Value::Null)
    );
    let told = sees.event("GUILD_SCHEDULED_EVENT_CREATE").await;
    assert_eq!(told["id"], made["id"]);

    let event = format!("{events}/{}", made["id"].as_str().unwrap());
    let own = format!("{event}/users/@me");
    let ben = server.human("Ben");
    assert_eq!(ben.put(&own, Value::Null).await.status, 200);
    assert_eq!(bot.put(&own, Value::Null).await.outcome(), (403, 20001));
    let told = sees.event("GUILD_SCHEDULED_EVENT_USER_ADD").await;
    assert_eq!(
        (&told["user_id"], &told["guild_id"]),
        (&json!(ben.id), &json!(guild))
    );
    let people = bot
        .get(&format!("{event}/users?with_member=true"))
        .await
        .json;
    assert_eq!(people[0]["member"]["user"]["id"], ben.id);
    let counted = bot.get(&format!("{event}?with_user_count=true")).await.json;
    assert_eq!(
        (&counted["user_count"], &counted["creator"]["id"]),
        (&json!(1), &json!(bot.id))
    );
    assert_eq!(ben.delete(&own).await.status, 204);
    sees.event("GUILD_SCHEDULED_EVENT_USER_REMOVE").await;

    for (status, expected) in [
        (3, (400, 50035)),
        (2, (200, 0)),
        (4, (400, 50035)),
        (3, (200, 0)),
        (2, (400, 180_000)),
    ] {
        let reply = bot.patch(&event, json!({ "status": status })).await;
        assert_eq!(reply.outcome(), expected, "to {status}");
    }
    assert_eq!(
        bot.get(&events).await.json,
        json!([]),
        "those that are over are not listed"
    );
    sees.event("GUILD_SCHEDULED_EVENT_UPDATE").await;
    sees.event("GUILD_SCHEDULED_EVENT_UPDATE").await;
    assert_eq!(bot.delete(&event).await.status, 204);
    sees.event("GUILD_SCHEDULED_EVENT_DELETE").await;
    assert_eq!(bot.get(&event).await.outcome(), (404, 10070));
}

#[tokio::test]
async fn an_event_has_a_time_to_come_and_a_place() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let events = format!("/guilds/{guild}/scheduled-events");
    let voice = bot
        .post(
            &format!("/guilds/{guild}/channels"),
            json!({ "name": "v", "type": 2 }),
        )
        .await
        .json;
    for (change, expected) in [
        (json!({}), (200, 0)),
        (json!({ "name": "" }), (400, 50035)),
        (json!({ "name": null }), (400, 50035)),
        (json!({ "privacy_level": 1 }), (400, 50035)),
        (json!({ "scheduled_start_time": "soon" }), (400, 50035)),
        (
            json!({ "scheduled_start_time": in_hours(-1) }),
            (400, 50035),
        ),
        (json!({ "scheduled_end_time": null }), (400, 50035)),
        (json!({ "entity_metadata": null }), (400, 50035)),
        (json!({ "entity_type": 2 }), (400, 50035)),
        (
            json!({ "entity_type": 2, "channel_id": server.channel("general") }),
            (400, 50035),
        ),
        (
            json!({ "entity_type": 1, "channel_id": voice["id"] }),
            (400, 50035),
        ),
        (
            json!({ "entity_type": 2, "channel_id": voice["id"] }),
            (200, 0),
        ),
        (
            json!({ "recurrence_rule": { "start": tomorrow(), "frequency": 2, "interval": 1, "by_weekday": [1] } }),
            (200, 0),
        ),
        (
            json!({ "recurrence_rule": { "frequency": 9 } }),
            (400, 50035),
        ),
    ] {
        let mut body = outing();
        for (key, value) in change.as_object().unwrap() {
            body[key] = value.clone();
        }
        let reply = bot.post(&events, body).await;
        assert_eq!(reply.outcome(), expected, "{change}: {}", reply.json);
    }
    let everyone = format!("/guilds/{0}/roles/{0}", server.ready.guild_id);
    bot.patch(&everyone, json!({ "permissions": "1024" })).await;
    let refused = server.human("Ben").post(&events, outing()).await;
    assert_eq!(refused.outcome(), (403, 50013));
    let mut joins = server.bot().join(0).await;
    joins.heartbeat().await;
    let mut gateway = crate::test_emulator::Gateway::connect(&server, "").await;
    gateway.identify(&server.ready.bot.token, 1).await;
    gateway.event("READY").await;
    let shown = gateway.event("GUILD_CREATE").await;
    assert_eq!(shown["guild_scheduled_events"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_stage_is_open_once_and_those_who_come_listen() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let channel = bot
        .post(
            &format!("/guilds/{guild}/channels"),
            json!({ "name": "s", "type": 13 }),
        )
        .await
        .json["id"]
        .clone();
    let stage = format!("/stage-instances/{}", channel.as_str().unwrap());
    let mut sees = bot.join(1 | 1 << 7).await;
    let body = json!({ "channel_id": channel, "topic": "Tea" });
    assert_eq!(bot.get(&stage).await.outcome(), (404, 10067));
    let ben = server.human("Ben");
    assert_eq!(
        ben.post("/stage-instances", body.clone()).await.outcome(),
        (403, 50013)
    );
    let made = bot.post("/stage-instances", body.clone()).await.json;
    assert_eq!(
        (&made["topic"], &made["guild_id"]),
        (&json!("Tea"), &json!(guild))
    );
    assert_eq!(sees.event("STAGE_INSTANCE_CREATE").await, made);
    assert_eq!(
        bot.post("/stage-instances", body).await.outcome(),
        (400, 150_006)
    );
    let elsewhere = json!({ "channel_id": server.channel("general"), "topic": "Tea" });
    assert_eq!(
        bot.post("/stage-instances", elsewhere).await.outcome(),
        (400, 50024)
    );
    let changed = bot.patch(&stage, json!({ "topic": "Coffee" })).await.json;
    assert_eq!(sees.event("STAGE_INSTANCE_UPDATE").await, changed);

    let mut human = ben.join(ALL).await;
    human
        .send(&json!({ "op": 4, "d": { "guild_id": guild, "channel_id": channel } }))
        .await;
    assert_eq!(sees.until("VOICE_STATE_UPDATE").await["suppress"], true);
    let own = format!("/guilds/{guild}/voice-states/@me");
    let bens = format!("/guilds/{guild}/voice-states/{}", ben.id);
    assert_eq!(bot.get(&bens).await.json["channel_id"], channel);
    assert_eq!(bot.get(&own).await.outcome(), (404, 10065));
    assert_eq!(
        ben.patch(&own, json!({ "suppress": false }))
            .await
            .outcome(),
        (403, 50013)
    );
    assert_eq!(
        bot.patch(&bens, json!({ "suppress": false })).await.status,
        204
    );
    assert_eq!(sees.event("VOICE_STATE_UPDATE").await["suppress"], false);
    assert_eq!(
        ben.patch(&own, json!({ "suppress": true })).await.status,
        204
    );
    sees.event("VOICE_STATE_UPDATE").await;

    assert_eq!(bot.delete(&stage).await.status, 204);
    assert_eq!(sees.event("STAGE_INSTANCE_DELETE").await["topic"], "Coffee");
}

#[tokio::test]
async fn a_stage_tells_its_channel_what_is_spoken_about() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let body = json!({ "name": "s", "type": 13 });
    let made = bot.post(&format!("/guilds/{guild}/channels"), body).await;
    let channel = made.json["id"].as_str().unwrap().to_owned();
    let stage = format!("/stage-instances/{channel}");
    let mut sees = bot.join(ALL).await;
    let opened = json!({ "channel_id": channel, "topic": "Tea" });
    bot.post("/stage-instances", opened).await;
    let mut told = vec![sees.until("MESSAGE_CREATE").await];
    bot.patch(&stage, json!({ "topic": "Coffee" })).await;
    told.push(sees.until("MESSAGE_CREATE").await);
    bot.patch(&stage, json!({ "topic": "Coffee" })).await;
    bot.delete(&stage).await;
    told.push(sees.until("MESSAGE_CREATE").await);
    for (message, (kind, topic)) in told
        .iter()
        .zip([(27, "Tea"), (31, "Coffee"), (28, "Coffee")])
    {
        assert_eq!(
            (&message["type"], &message["content"]),
            (&json!(kind), &json!(topic))
        );
        assert_eq!(message["channel_id"], channel);
        assert_eq!(message["author"]["id"], bot.id.as_str());
    }
}
