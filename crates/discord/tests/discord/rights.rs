//! What people may do: against the emulator, and against answers it never gives.

use std::time::Duration;

use kaiwa_domain::port::Permissions;
use kaiwa_domain::{ChannelId, ChatError, GuildId, Rights, Scope, UserId};
use kaiwa_emulator::World;
use serde_json::{Value, json};

use super::fake::{Fake, Reply};
use super::whole::Realm;

const WORLD: &str = r#"
    limits = "off"
    [guild]
    name = "Rules"
    owner = "Boss"
    [bot]
    name = "Bo"
    [[roles]]
    name = "Mute"
    [[roles]]
    name = "Chief"
    permissions = ["administrator"]
    [[users]]
    name = "Boss"
    [[users]]
    name = "Plain"
    [[users]]
    name = "Muted"
    roles = ["Mute"]
    [[users]]
    name = "Lead"
    roles = ["Chief", "Mute"]
    [[users]]
    name = "Guest"
    [[channels]]
    name = "hall"
    [[channels.overwrites]]
    role = "Mute"
    deny = ["add_reactions"]
    [[channels]]
    name = "news"
    [[channels.overwrites]]
    role = "@everyone"
    deny = ["add_reactions", "use_external_emojis"]
    [[channels.overwrites]]
    member = "Guest"
    allow = ["add_reactions"]
    [[guilds]]
    name = "Elsewhere"
    owner = "Plain"
    [[guilds.members]]
    name = "Plain"
    [[guilds.channels]]
    name = "yard"
"#;

const REACT: Rights = Rights::ADD_REACTIONS.with(Rights::VIEW_CHANNEL);

#[tokio::test]
async fn rights_come_from_roles_and_overwrites() {
    let realm = Realm::of(World::from_toml(WORLD).unwrap()).await;
    let user = |name: &str| -> UserId {
        let mut users = realm.ready.users.iter();
        let known = users.find(|user| user.name == name);
        known
            .map_or(&realm.ready.bot.id, |user| &user.id)
            .parse()
            .unwrap()
    };
    let guild: GuildId = realm.ready.guild_id.parse().unwrap();
    for (name, hall, news) in [
        ("Boss", true, true),
        ("Lead", true, true),
        ("Plain", true, false),
        ("Muted", false, false),
        ("Guest", true, true),
        ("Bo", true, false),
    ] {
        for (channel, reacts) in [("hall", hall), ("news", news)] {
            let id = realm.ready.channels[channel].parse().unwrap();
            let held = realm.rest.of(Scope::Guild(guild), id, user(name)).await;
            let held = held.unwrap();
            assert!(held.contains(Rights::VIEW_CHANNEL), "{name} in {channel}");
            assert_eq!(held.contains(REACT), reacts, "{name} in {channel}");
        }
    }
    let external = realm.ready.channels["news"].parse().unwrap();
    let held = realm
        .rest
        .of(Scope::Guild(guild), external, user("Guest"))
        .await;
    assert!(!held.unwrap().contains(Rights::USE_EXTERNAL_EMOJIS));
}

#[tokio::test]
async fn nobody_has_rights_where_they_are_not() {
    let realm = Realm::of(World::from_toml(WORLD).unwrap()).await;
    let [rules, elsewhere] = [0, 1].map(|at| &realm.ready.guilds[at]);
    let user = |at: usize| -> UserId { realm.ready.users[at].id.parse().unwrap() };
    let of = async |guild: &str, channel: &str, user: UserId| {
        let scope = Scope::Guild(guild.parse().unwrap());
        let channel = channel.parse().unwrap();
        realm.rest.of(scope, channel, user).await.unwrap()
    };
    let (boss, plain) = (user(0), user(1));
    let yard = &elsewhere.channels["yard"];
    assert_eq!(of(&elsewhere.id, yard, plain).await, Rights::ALL);
    assert_eq!(of(&elsewhere.id, yard, boss).await, Rights::NONE);
    // A channel of another guild than the scope's, whoever asks.
    assert_eq!(of(&rules.id, yard, boss).await, Rights::NONE);
    assert_eq!(of(&rules.id, yard, plain).await, Rights::NONE);
}

#[tokio::test]
async fn in_direct_messages_discord_is_not_asked() {
    let (fake, rest, _) = Fake::start([]).await;
    let user = UserId::new(4);
    let held = rest.of(Scope::Dm(user), ChannelId::new(5), user).await;
    assert_eq!(held, Ok(Rights::ALL));
    assert!(fake.requests().is_empty());
}

const SCOPE: Scope = Scope::Guild(GuildId::new(1));
const CHANNEL: ChannelId = ChannelId::new(5);
const USER: UserId = UserId::new(4);
const SEEN: Rights = Rights::VIEW_CHANNEL.with(Rights::READ_MESSAGE_HISTORY);

fn guild() -> Reply {
    let all = SEEN.with(REACT).bits().to_string();
    let roles = json!([{"id": "1", "permissions": all}]);
    Reply::json(200, &json!({"id": "1", "owner_id": "9", "roles": roles}))
}

fn channel(kind: u8, parent: Option<&str>, overwrites: &Value) -> Reply {
    let channel = json!({
        "id": "5",
        "type": kind,
        "guild_id": "1",
        "parent_id": parent,
        "permission_overwrites": overwrites,
    });
    Reply::json(200, &channel)
}

fn member(timeout: &Value) -> Reply {
    let member = json!({"roles": [], "communication_disabled_until": timeout});
    Reply::json(200, &member)
}

fn paths(fake: &Fake) -> Vec<String> {
    let requests = fake.requests().into_iter();
    requests.map(|it| it.path.replace("/api/v10", "")).collect()
}

#[tokio::test]
async fn a_timeout_leaves_reading_until_it_ends() {
    for (until, expected) in [
        (json!("2999-01-01T00:00:00.000000+00:00"), SEEN),
        (json!("1999-01-01T00:00:00.000000+00:00"), SEEN.with(REACT)),
        (Value::Null, SEEN.with(REACT)),
    ] {
        let (_, rest, _) =
            Fake::start([channel(0, None, &json!([])), guild(), member(&until)]).await;
        let held = rest.of(SCOPE, CHANNEL, USER).await;
        assert_eq!(held, Ok(expected), "{until}");
    }
}

#[tokio::test]
async fn a_thread_is_ruled_by_its_parent() {
    let denied = json!([{"id": "4", "type": 1, "allow": "0", "deny": "64"}]);
    let replies = [
        channel(11, Some("6"), &json!([])),
        channel(0, None, &denied),
        guild(),
        member(&Value::Null),
    ];
    let (fake, rest, _) = Fake::start(replies).await;
    assert_eq!(rest.of(SCOPE, CHANNEL, USER).await, Ok(SEEN));
    let expected = [
        "/channels/5",
        "/channels/6",
        "/guilds/1",
        "/guilds/1/members/4",
    ];
    assert_eq!(paths(&fake), expected);
}

/// The category of a channel is its parent too, and rules nothing.
#[tokio::test]
async fn a_category_rules_nothing() {
    let replies = [
        channel(0, Some("6"), &json!([])),
        guild(),
        member(&Value::Null),
    ];
    let (_, rest, _) = Fake::start(replies).await;
    assert_eq!(rest.of(SCOPE, CHANNEL, USER).await, Ok(SEEN.with(REACT)));
}

#[tokio::test]
async fn a_private_thread_is_for_those_who_were_added() {
    let gone = |code: u32| Reply::json(404, &json!({"code": code, "message": "Unknown"}));
    let here = || Reply::json(200, &json!({"id": "5", "user_id": "4", "flags": 0}));
    for (reply, expected) in [(gone(10007), Rights::NONE), (here(), SEEN.with(REACT))] {
        let replies = [
            channel(12, Some("6"), &json!([])),
            channel(0, None, &json!([])),
            guild(),
            member(&Value::Null),
            reply,
        ];
        let (fake, rest, _) = Fake::start(replies).await;
        assert_eq!(rest.of(SCOPE, CHANNEL, USER).await, Ok(expected));
        let last = paths(&fake).pop();
        assert_eq!(last.as_deref(), Some("/channels/5/thread-members/4"));
    }
}

#[tokio::test]
async fn who_has_left_may_do_nothing_and_other_failures_are_told() {
    let gone = Reply::json(404, &json!({"code": 10007, "message": "Unknown Member"}));
    let (_, rest, _) = Fake::start([channel(0, None, &json!([])), guild(), gone]).await;
    assert_eq!(rest.of(SCOPE, CHANNEL, USER).await, Ok(Rights::NONE));

    let hidden = Reply::json(403, &json!({"code": 50001, "message": "Missing Access"}));
    let (_, rest, _) = Fake::start([hidden]).await;
    let held = rest.of(SCOPE, CHANNEL, USER).await;
    assert!(
        matches!(held, Err(ChatError::Refused { code: 50001, .. })),
        "{held:?}"
    );
}

#[tokio::test]
async fn members_are_asked_for_each_time_and_places_every_other_second() {
    let place = || [channel(0, None, &json!([])), guild()];
    let somebody = || member(&Value::Null);
    let replies = place()
        .into_iter()
        .chain([somebody(), somebody()])
        .chain(place())
        .chain([somebody()]);
    let (fake, rest, clock) = Fake::start(replies).await;
    let of = async || assert_eq!(rest.of(SCOPE, CHANNEL, USER).await, Ok(SEEN.with(REACT)));
    of().await;
    of().await;
    clock.advance(Duration::from_secs(2));
    of().await;
    let (member, guild, channel) = ("/guilds/1/members/4", "/guilds/1", "/channels/5");
    let expected = [channel, guild, member, member, channel, guild, member];
    assert_eq!(paths(&fake), expected);
}
