//! Who may do what.

use kaiwa_emulator::World;
use serde_json::json;

use crate::house::House;

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
    let house = House::of(World::from_toml(world).unwrap()).await;
    let cases = [
        ("Boss", [0, 0, 0]),
        ("Lead", [0, 0, 0]),
        ("Plain", [0, 50001, 50013]),
        ("Muted", [50013, 50001, 50013]),
        ("Both", [0, 50001, 0]),
        ("Guest", [0, 0, 50013]),
    ];
    for (name, codes) in cases {
        let caller = house.human(name);
        for (channel, code) in ["hall", "vault", "news"].into_iter().zip(codes) {
            let path = format!("/channels/{}/messages", house.channel(channel));
            let reply = caller.post(&path, json!({ "content": "x" })).await;
            assert_eq!(
                reply.json["code"].as_u64().unwrap_or(0),
                code,
                "{name} in {channel}"
            );
        }
        let listed = caller
            .get(&format!("/guilds/{}/channels", house.ready.guild_id))
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
