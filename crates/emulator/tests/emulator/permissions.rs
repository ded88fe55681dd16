//! Who may do what.

use kaiwa_emulator::World;
use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{Caller, TestEmulator};

#[tokio::test]
async fn permissions_come_from_roles_and_overwrites() {
    let world = "
        limits = \"off\"
        [guild]
        name = \"Rules\"
        owner = \"Boss\"
        [bot]
        name = \"Bo\"
        [[roles]]
        name = \"Mute\"
        [[roles]]
        name = \"Voice\"
        [[roles]]
        name = \"Chief\"
        permissions = [\"administrator\"]
        [[users]]
        name = \"Boss\"
        [[users]]
        name = \"Plain\"
        [[users]]
        name = \"Muted\"
        roles = [\"Mute\"]
        [[users]]
        name = \"Both\"
        roles = [\"Mute\", \"Voice\"]
        [[users]]
        name = \"Lead\"
        roles = [\"Chief\", \"Mute\"]
        [[users]]
        name = \"Guest\"
        [[channels]]
        name = \"hall\"
        [[channels.overwrites]]
        role = \"Mute\"
        deny = [\"send_messages\"]
        [[channels.overwrites]]
        role = \"Voice\"
        allow = [\"send_messages\"]
        [[channels]]
        name = \"vault\"
        [[channels.overwrites]]
        role = \"@everyone\"
        deny = [\"view_channel\"]
        [[channels.overwrites]]
        member = \"Guest\"
        allow = [\"view_channel\"]
        [[channels]]
        name = \"news\"
        [[channels.overwrites]]
        role = \"@everyone\"
        deny = [\"send_messages\"]
        [[channels.overwrites]]
        role = \"Voice\"
        allow = [\"send_messages\"]
    ";
    let server = TestEmulator::of(World::from_toml(world).unwrap()).await;
    let cases = [
        ("Boss", [0, 0, 0]),
        ("Lead", [0, 0, 0]),
        ("Plain", [0, 50001, 50013]),
        ("Muted", [50013, 50001, 50013]),
        ("Both", [0, 50001, 0]),
        ("Guest", [0, 0, 50013]),
    ];
    for (name, codes) in cases {
        let caller = server.human(name);
        for (channel, code) in ["hall", "vault", "news"].into_iter().zip(codes) {
            let path = format!("/channels/{}/messages", server.channel(channel));
            let reply = caller.post(&path, json!({ "content": "x" })).await;
            assert_eq!(
                reply.json["code"].as_u64().unwrap_or(0),
                code,
                "{name} in {channel}"
            );
        }
        let listed = caller
            .get(&format!("/guilds/{}/channels", server.ready.guild_id))
            .await
            .json;
        let hidden = usize::from(codes[1] == 50001);
        assert_eq!(
            listed.as_array().unwrap().len(),
            3 - hidden,
            "{name} is not shown what they cannot see"
        );
    }
}

const ADD_REACTIONS: u64 = 1 << 6;

#[tokio::test]
async fn overwrites_are_changed_by_those_who_manage_roles() {
    let server = TestEmulator::of(World::default().without_limits()).await;
    let general = server.channel("general");
    let user = |name: &str| {
        let mut users = server.ready.users.iter();
        users.find(|user| user.name == name).unwrap().id.clone()
    };
    let path = |target: &str| format!("/channels/{general}/permissions/{target}");
    let forbid = json!({"type": 1, "allow": "0", "deny": ADD_REACTIONS.to_string()});
    let (ada, ben) = (server.human("Ada"), server.human("Ben"));
    let said = ada.say(general, "hi").await;
    let thumb = format!(
        "/channels/{general}/messages/{}/reactions/%F0%9F%91%8D/@me",
        said["id"].as_str().unwrap()
    );
    let code = async |caller: &Caller<'_>, method: Method, path: &str, body: Value| {
        let reply = caller.call(method, path, body).await;
        (
            reply.status.as_u16(),
            reply.json["code"].as_u64().unwrap_or(0),
        )
    };
    let (put, delete) = (Method::PUT, Method::DELETE);
    let bens = path(&user("Ben"));
    // Who may not manage roles changes nothing.
    let refused = code(&ben, put.clone(), &path(&user("Ada")), forbid.clone()).await;
    assert_eq!(refused, (403, 50013));
    for (target, body, expected) in [
        (user("Ben"), json!({"type": 7}), (400, 50035)),
        (user("Ben"), json!({}), (400, 50035)),
        (user("Ben"), json!({"type": 1, "deny": "x"}), (400, 50035)),
        (user("Ben"), json!({"type": 0}), (404, 10011)),
        ("77".to_owned(), json!({"type": 1}), (404, 10007)),
    ] {
        let refused = code(&ada, put.clone(), &path(&target), body.clone()).await;
        assert_eq!(refused, expected, "{body}");
    }
    let unknown = code(&ada, delete.clone(), &bens, Value::Null).await;
    assert_eq!(unknown, (404, 10009));

    let mut gateway = server.bot().join(1).await;
    assert_eq!(code(&ada, put.clone(), &bens, forbid).await, (204, 0));
    let update = gateway.event("CHANNEL_UPDATE").await;
    let overwrites = &update["permission_overwrites"];
    assert_eq!(overwrites[0]["deny"], ADD_REACTIONS.to_string());
    let refused = code(&ben, put.clone(), &thumb, Value::Null).await;
    assert_eq!(refused, (403, 50013));
    assert_eq!(code(&ada, delete, &bens, Value::Null).await, (204, 0));
    assert_eq!(code(&ben, put.clone(), &thumb, Value::Null).await, (204, 0));

    let direct = ben.open_dm(&server.ready.bot.id).await;
    let path = format!("/channels/{direct}/permissions/{}", user("Ben"));
    let refused = code(&ben, put, &path, json!({"type": 1})).await;
    assert_eq!(refused, (403, 50003));
}
