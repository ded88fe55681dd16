//! Roles: who may make, change, order, give and take them.

use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, managed};

const MANAGE_MESSAGES: &str = "8192";
const BAN_MEMBERS: &str = "4";

#[tokio::test]
async fn roles_come_change_and_go_and_all_are_told() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let roles = format!("/guilds/{guild}/roles");
    let mut sees = bot.join(1).await;
    let body = json!({ "name": "Tea", "color": 0xff_00ff, "hoist": true, "permissions": "1024" });
    let made = bot.post(&roles, body).await.json;
    assert_eq!(
        (&made["name"], &made["position"]),
        (&json!("Tea"), &json!(1))
    );
    assert_eq!(
        (&made["color"], &made["hoist"]),
        (&json!(0xff_00ff), &json!(true))
    );
    assert_eq!(made["permissions"], "1024");
    // Those above it make room, and say so first.
    for position in 2..=5 {
        let moved = sees.event("GUILD_ROLE_UPDATE").await;
        assert_eq!(moved["role"]["position"], position);
    }
    let told = sees.event("GUILD_ROLE_CREATE").await;
    assert_eq!((&told["role"], &told["guild_id"]), (&made, &json!(guild)));
    let plain = bot.post(&roles, Value::Null).await.json;
    assert_eq!(plain["name"], "new role");
    sees.until("GUILD_ROLE_CREATE").await;

    let tea = format!("{roles}/{}", made["id"].as_str().unwrap());
    let body = json!({ "name": "Green tea", "mentionable": true });
    let changed = bot.patch(&tea, body).await.json;
    assert_eq!(changed["name"], "Green tea");
    assert_eq!(changed["position"], 2, "the newer one went below it");
    assert_eq!(sees.event("GUILD_ROLE_UPDATE").await["role"], changed);
    assert_eq!(bot.get(&tea).await.json, changed);

    // To the top of what the bot may order.
    let moved = json!([{ "id": made["id"], "position": 3 }]);
    let order = bot.patch(&roles, moved).await.json;
    let position = |name: &str| {
        let mut all = order.as_array().unwrap().iter();
        all.find(|role| role["name"] == name).unwrap()["position"].clone()
    };
    assert_eq!(
        (position("Green tea"), position("Mod")),
        (json!(3), json!(2))
    );
    assert_eq!(position("@everyone"), 0);
    sees.event("GUILD_ROLE_UPDATE").await;
    sees.event("GUILD_ROLE_UPDATE").await;

    let ben = server.human("Ben").id;
    let given = format!(
        "/guilds/{guild}/members/{ben}/roles/{}",
        made["id"].as_str().unwrap()
    );
    assert_eq!(bot.put(&given, Value::Null).await.status, 204);
    let counts = bot.get(&format!("{roles}/member-counts")).await.json;
    assert_eq!(counts[made["id"].as_str().unwrap()], 1);
    assert_eq!(counts.get(guild), None, "not of @everyone");
    assert_eq!(bot.delete(&tea).await.status, 204);
    let told = sees.until("GUILD_ROLE_DELETE").await;
    assert_eq!(told["role_id"], made["id"]);
    let member = bot
        .get(&format!("/guilds/{guild}/members/{ben}"))
        .await
        .json;
    assert_eq!(member["roles"], json!([]));
    assert_eq!(bot.get(&tea).await.outcome(), (404, 10011));
}

#[tokio::test]
async fn the_hierarchy_decides_who_touches_which_role() {
    let server = TestEmulator::of(managed()).await;
    let guild = &server.ready.guild_id;
    let role = |name: &str| server.guild("Managed").roles[name].clone();
    let ben = server.human("Ben").id;
    let (moderator, bot, boss, plain) = (
        server.human("Mod"),
        server.bot(),
        server.human("Boss"),
        server.human("Ben"),
    );
    let ok = (200, 0);
    let missing = (403, 50013);
    for (caller, name, expected) in [
        (&plain, "Mod", missing),
        (&moderator, "Mod", missing),
        (&moderator, "Admin", missing),
        (&bot, "Mod", ok),
        (&bot, "Admin", ok),
        (&bot, "Bo", missing),
        (&bot, "Chief", missing),
        (&boss, "Chief", ok),
    ] {
        let path = format!("/guilds/{guild}/roles/{}", role(name));
        let reply = caller.patch(&path, json!({ "hoist": true })).await;
        assert_eq!(reply.outcome(), expected, "{} edits {name}", caller.id);
        let path = format!("/guilds/{guild}/members/{ben}/roles/{}", role(name));
        let reply = caller.put(&path, Value::Null).await;
        let given = if expected == ok { (204, 0) } else { expected };
        assert_eq!(reply.outcome(), given, "{} gives {name}", caller.id);
        if expected == ok {
            assert_eq!(caller.delete(&path).await.status, 204);
        }
    }
    // What one does not hold cannot be given to a role.
    let roles = format!("/guilds/{guild}/roles");
    for (permissions, expected) in [(MANAGE_MESSAGES, ok), (BAN_MEMBERS, missing)] {
        let reply = moderator
            .post(&roles, json!({ "permissions": permissions }))
            .await;
        assert_eq!(reply.outcome(), expected, "{permissions}");
    }
    // Neither @everyone nor a role that Discord manages can be deleted or given.
    let everyone = format!("{roles}/{guild}");
    assert_eq!(boss.delete(&everyone).await.outcome(), (400, 50028));
    let managed = format!("{roles}/{}", role("Bo"));
    assert_eq!(boss.delete(&managed).await.outcome(), (400, 50028));
    let give = |role: &str| format!("/guilds/{guild}/members/{ben}/roles/{role}");
    assert_eq!(
        boss.put(&give(&role("Bo")), Value::Null).await.outcome(),
        missing
    );
    assert_eq!(
        boss.put(&give(guild), Value::Null).await.outcome(),
        (400, 50028)
    );
    assert_eq!(
        boss.put(&give("77"), Value::Null).await.outcome(),
        (404, 10011)
    );
    let moved = json!([{ "id": role("Mod"), "position": 5 }]);
    assert_eq!(
        bot.patch(&roles, moved).await.outcome(),
        missing,
        "above itself"
    );
    let moved = json!([{ "id": role("Chief"), "position": 1 }]);
    assert_eq!(bot.patch(&roles, moved).await.outcome(), missing);
    // discord.js names every role, also those that stay where they are.
    let all = json!([
        { "id": role("Admin"), "position": 1 },
        { "id": role("Mod"), "position": 2 },
        { "id": role("Bo"), "position": 4 },
        { "id": role("Chief"), "position": 5 },
    ]);
    let order = bot.get(&roles).await.json;
    let place = |order: &Value, name: &str| {
        let mut all = order.as_array().unwrap().iter();
        all.find(|role| role["name"] == name).unwrap()["position"].clone()
    };
    assert_eq!(
        (place(&order, "Bo"), place(&order, "Chief")),
        (json!(4), json!(5))
    );
    let moved = bot.patch(&roles, all).await;
    assert_eq!(moved.outcome(), ok, "{:?}", moved.json);
    assert_eq!(place(&moved.json, "Admin"), 1);
}

#[tokio::test]
async fn roles_have_limits() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    let roles = format!("/guilds/{guild}/roles");
    for (body, expected) in [
        (json!({ "name": "x".repeat(101) }), (400, 50035)),
        (json!({ "color": 0x100_0000 }), (400, 50035)),
        (json!({ "permissions": "many" }), (400, 50035)),
        (json!({ "hoist": "high" }), (400, 50035)),
        (json!({ "unicode_emoji": "🍵" }), (403, 50101)),
        (
            json!({ "colors": { "primary_color": 1, "secondary_color": 2 } }),
            (403, 50101),
        ),
        (json!({ "colors": { "primary_color": 1 } }), (200, 0)),
    ] {
        let reply = bot.post(&roles, body.clone()).await;
        assert_eq!(reply.outcome(), expected, "{body}");
    }
    let before = bot.get(&roles).await.json.as_array().unwrap().len();
    for _ in before..250 {
        assert_eq!(bot.post(&roles, Value::Null).await.status, 200);
    }
    let more = bot.post(&roles, Value::Null).await;
    assert_eq!(more.outcome(), (400, 30005));
}

#[tokio::test]
async fn members_with_a_new_role_see_what_it_shows() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let role = bot
        .post(&format!("/guilds/{guild}/roles"), json!({ "name": "In" }))
        .await
        .json;
    let role = role["id"].as_str().unwrap().to_owned();
    let hidden = json!({ "name": "club", "permission_overwrites": [
        { "id": guild, "type": 0, "deny": "1024" },
        { "id": role, "type": 0, "allow": "1024" },
    ]});
    let club = bot
        .post(&format!("/guilds/{guild}/channels"), hidden)
        .await
        .json;
    let club = format!("/channels/{}", club["id"].as_str().unwrap());
    assert_eq!(ben.get(&club).await.outcome(), (403, 50001));
    let mut sees = bot.join(ALL).await;
    let mut seen_by_ben = ben.join(1).await;
    let give = format!("/guilds/{guild}/members/{}/roles/{role}", ben.id);
    bot.put(&give, Value::Null).await;
    let told = sees.event("GUILD_MEMBER_UPDATE").await;
    assert_eq!(
        (&told["roles"], &told["user"]["id"]),
        (&json!([role]), &json!(ben.id))
    );
    assert_eq!(ben.get(&club).await.status, 200);
    seen_by_ben.event("GUILD_MEMBER_UPDATE").await;
    let came = seen_by_ben.event("CHANNEL_CREATE").await;
    assert_eq!(came["name"], "club", "clients learn what they see now");
    bot.delete(&give).await;
    seen_by_ben.event("GUILD_MEMBER_UPDATE").await;
    let went = seen_by_ben.event("CHANNEL_DELETE").await;
    assert_eq!(went["name"], "club");
    assert_eq!(ben.get(&club).await.outcome(), (403, 50001));
}

/// Discord Docs/Permissions, Bitwise Permission Flags.
#[tokio::test]
async fn everyone_may_do_in_a_new_guild_what_discord_lets_them() {
    let server = TestEmulator::of(managed()).await;
    let roles = format!("/guilds/{}/roles", server.ready.guild_id);
    let roles = server.bot().get(&roles).await.json;
    let held: u64 = roles[0]["permissions"].as_str().unwrap().parse().unwrap();
    let given = [9, 21, 25, 32, 37, 39, 42, 44, 46, 50];
    for bit in given {
        assert!(held & 1 << bit != 0, "bit {bit}");
    }
    assert_eq!(
        held & 1 << 17,
        0,
        "pinging everybody is left to those who are trusted"
    );
}

#[tokio::test]
async fn permissions_that_nobody_knows_are_left_out() {
    let server = TestEmulator::of(managed()).await;
    let (bot, boss, guild) = (server.bot(), server.human("Boss"), &server.ready.guild_id);
    let (unknown, known) = ((1_u64 << 47 | 1 << 60 | 1 << 10).to_string(), "1024");
    for caller in [&bot, &boss] {
        let body = json!({ "name": "r", "permissions": unknown });
        let made = caller.post(&format!("/guilds/{guild}/roles"), body).await;
        assert_eq!(made.json["permissions"], known, "{:?}", made.json);
        let path = format!(
            "/guilds/{guild}/roles/{}",
            made.json["id"].as_str().unwrap()
        );
        let changed = caller.patch(&path, json!({ "permissions": unknown })).await;
        assert_eq!(changed.json["permissions"], known, "{:?}", changed.json);
        let general = server.channel("general");
        let path = format!("/channels/{general}/permissions/{}", server.human("Ben").id);
        let body = json!({ "type": 1, "allow": unknown, "deny": (1_u64 << 61).to_string() });
        let put = caller.put(&path, body).await;
        assert_eq!(put.status, 204, "{:?}", put.json);
        let shown = caller.get(&format!("/channels/{general}")).await.json;
        let overwrite = &shown["permission_overwrites"][0];
        assert_eq!(
            (&overwrite["allow"], &overwrite["deny"]),
            (&json!(known), &json!("0"))
        );
    }
}
