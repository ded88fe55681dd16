//! Worlds from files.

use kaiwa_emulator::{Emulator, World};

const SOUND: &str = "
[guild]
name = 'Small'
[bot]
name = 'Bo'
[[users]]
name = 'Ann'
[[channels]]
name = 'a'
";

#[test]
fn the_default_world_is_the_tea_house() {
    let ready = Emulator::new(World::default()).ready();
    let channels: Vec<_> = ready.channels.keys().map(String::as_str).collect();
    assert_eq!(
        channels,
        [
            "code", "general", "ideas", "lounge", "news", "random", "staff"
        ]
    );
    assert!(ready.guilds[0].roles.contains_key("Kaiwa"), "its own role");
    assert!(ready.guilds[0].emojis.contains_key("tea"));
    assert!(ready.guilds[0].stickers.contains_key("Cheers"));
    let people: Vec<_> = ready.users.iter().map(|user| user.name.as_str()).collect();
    assert_eq!(people, ["Ada", "Ben", "Mika", "Noor"]);
    let guilds: Vec<_> = ready.guilds.iter().map(|guild| &*guild.name).collect();
    assert_eq!(guilds, ["Tea House", "Reading Room"]);
    assert_eq!(ready.guilds[0].channels, ready.channels);
    assert_eq!(ready.guilds[0].id, ready.guild_id);
    let channels: Vec<_> = ready.guilds[1].channels.keys().collect();
    assert_eq!(channels, ["general", "quiet"]);
}

#[test]
fn ids_and_tokens_follow_from_the_names() {
    let first = Emulator::new(World::default()).ready();
    assert_eq!(
        first,
        Emulator::new(World::default()).ready(),
        "a restart keeps them"
    );
    let more = include_str!("../../src/world/tea_house.toml").to_owned()
        + "\n[[channels]]\nname = 'new'\n";
    let more = Emulator::new(World::from_toml(&more).unwrap()).ready();
    assert_eq!(
        first.channels["general"], more.channels["general"],
        "so does one more channel"
    );
    assert_eq!(first.users, more.users);
    let other = Emulator::new(World::from_toml(SOUND).unwrap()).ready();
    assert_ne!(first.guild_id, other.guild_id);
    for id in
        more.channels
            .values()
            .chain([&first.guild_id, &first.bot.id, &first.bot.application_id])
    {
        assert!(id.len() >= 18 && id.parse::<u64>().is_ok(), "{id}");
    }
}

/// Replaces a line of a sound world and expects the error to name it.
fn check(from: &str, to: &str, line: usize, key: &str, says: &str) {
    let text = SOUND.replacen(from, to, 1);
    assert_ne!(text, SOUND, "{from} is not there");
    let error = World::from_toml(&text).expect_err(to);
    assert_eq!((error.line, error.key.as_str()), (line, key), "{error}");
    assert!(error.problem.contains(says), "{error}");
    assert!(
        error
            .to_string()
            .starts_with(&format!("line {line}: `{key}`: ")),
        "{error}"
    );
}

#[test]
fn a_bad_world_is_refused_with_line_key_and_what_is_allowed() {
    World::from_toml(SOUND).unwrap();
    let channel = "[[channels]]\nname = 'a'";
    check(
        "[guild]",
        "limit = 'off'\n[guild]",
        2,
        "limit",
        "expected one of `limits`, `identify_limits`",
    );
    check(
        "[guild]",
        "limits = 'some'\n[guild]",
        2,
        "limits",
        "expected `discord` or `off`",
    );
    check("[guild]", "limits = 3\n[guild]", 2, "limits", "");
    check("'Small'", "'Small", 3, "name", "");
    check("'Small'", "''", 3, "name", "2 to 100 characters");
    check(
        "'Small'",
        "'Small'\nowner = 'Zed'",
        4,
        "owner",
        "there are Ann, Bo",
    );
    check(
        "'Bo'",
        "'Bo'\nintents = ['all']",
        6,
        "intents",
        "message_content",
    );
    check(
        "'Bo'",
        "'Bo'\nroles = ['Keeper']",
        6,
        "roles",
        "there are none",
    );
    check("'Ann'", "'bo'", 7, "name", "already a person");
    check("'Ann'", "'a@b'", 7, "name", "no `@`");
    check("'Ann'", "'Ann'\nnickname = ''", 8, "nickname", "1 to 32");
    check("'Ann'", "'Ann'\nage = 3", 8, "age", "unknown field");
    check("[[users]]\nname = 'Ann'\n", "", 1, "file", "users");
    check(channel, "", 1, "file", "channels");
    check("'a'", "'A b'", 9, "name", "no spaces");
    check(
        "'a'",
        "'a'\n[[channels]]\nname = 'a'",
        11,
        "name",
        "already a channel",
    );
    check(
        "'a'",
        "'a'\n[[channels.overwrites]]\nallow = []",
        10,
        "channels.overwrites",
        "either `role` or `member`",
    );
    check(
        "'a'",
        "'a'\n[[channels.overwrites]]\nrole = 'X'",
        11,
        "role",
        "not among the roles",
    );
    check("'a'", "'a'\ntype = 'stage'", 10, "type", "`forum`");
    check(
        "'a'",
        "'a'\n[[emojis]]\nname = 'no-dash'",
        11,
        "name",
        "letters, digits",
    );
    check(
        "'a'",
        "'a'\n[[stickers]]\nname = 'x'",
        11,
        "name",
        "2 to 30",
    );
    check(
        "'a'",
        "'a'\n[[roles]]\nname = 'R'\npermissions = ['fly']",
        12,
        "permissions",
        "manage_messages",
    );
    check(
        "'a'",
        "'a'\n[[roles]]\nname = 'R'\ncolor = 0x1000000",
        12,
        "color",
        "0xffffff",
    );

    let more = "'a'\n[[guilds]]\nname = 'More'\n[[guilds.members]]\nname = 'Ann'\n[[guilds.channels]]\nname = 'a'";
    World::from_toml(&SOUND.replacen("'a'", more, 1)).unwrap();
    let with = |from: &str, to: &str| more.replacen(from, to, 1);
    check("'a'", &with("More", "small"), 11, "name", "already a guild");
    check("'a'", &with("Ann", "ann"), 13, "name", "already a person");
    check("'a'", &with("Ann", "Bo"), 13, "name", "already a person");
    let owner = "'More'\nowner = 'Cy'";
    check(
        "'a'",
        &with("'More'", owner),
        12,
        "owner",
        "there are Ann, Bo",
    );
    let roles = "'More'\nbot = { roles = ['R'] }";
    check("'a'", &with("'More'", roles), 12, "bot", "there are none");
    let empty = "'a'\n[[guilds]]\nname = 'More'\nmembers = []\nchannels = []";
    check("'a'", empty, 11, "members", "1 to 100 are allowed");
    let many: String = (0..10)
        .map(|n| format!("[[guilds]]\nname = 'G{n}'\nmembers = []\nchannels = []\n"))
        .collect();
    check(
        "'a'",
        &format!("'a'\n{many}"),
        10,
        "guilds",
        "0 to 9 are allowed",
    );

    let users: String = (0..101)
        .map(|n| format!("[[users]]\nname = 'User {n}'\n"))
        .collect();
    check(
        "[[users]]\nname = 'Ann'\n",
        &users,
        6,
        "users",
        "1 to 100 are allowed",
    );
    let long = format!("# {}\n{SOUND}", "x".repeat(1_100_000));
    assert_eq!(World::from_toml(&long).unwrap_err().key, "file");
    let none = SOUND.replace(channel, "") + "\n";
    let none = format!("channels = []\n{none}");
    assert_eq!(World::from_toml(&none).unwrap_err().key, "channels");
}
