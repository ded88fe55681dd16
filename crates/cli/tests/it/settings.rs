//! `kaiwa settings`: on a data folder that no bot uses.

use std::fs;

use tempfile::TempDir;

use crate::terminal::{assert_failure, check_failure, kaiwa};

/// Runs `kaiwa settings` and returns what it prints: results, then words.
fn settings(folder: &TempDir, args: &str) -> (String, String) {
    let args: Vec<&str> = ["settings"].into_iter().chain(args.split(' ')).collect();
    let output = kaiwa(folder.path(), &args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// The line of a setting.
fn line(folder: &TempDir, args: &str, key: &str) -> String {
    let (printed, _) = settings(folder, &format!("list {args}"));
    let found = printed.lines().find(|line| line.starts_with(key));
    found
        .unwrap_or_else(|| panic!("no {key} in\n{printed}"))
        .to_owned()
}

#[test]
fn what_is_set_is_listed_with_where_it_comes_from() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("kaiwa.toml"),
        "delivery.degree = 2\ncontext.messages = 9\n",
    )
    .unwrap();
    let degree = |args: &str| line(&folder, args, "delivery.degree");
    assert_eq!(
        degree("--guild 7"),
        "delivery.degree = 2  # from the instance"
    );

    let (_, told) = settings(&folder, "set --guild 7 delivery.degree 0");
    assert_eq!(told, "delivery.degree = 0 for server 7\n");
    settings(&folder, "set --guild 7 --channel 70 delivery.degree 1");
    settings(&folder, "set --guild 7 --persona 3 delivery.degree 3");
    settings(&folder, "set --user 7 personality.text Arr!");
    for (args, expect) in [
        ("--guild 7", "0  # from the guild"),
        ("--guild 7 --channel 71", "0  # from the guild"),
        ("--guild 7 --channel 70", "1  # from the channel"),
        (
            "--guild 7 --channel 70 --persona 3",
            "3  # from the persona",
        ),
        ("--guild 8", "2  # from the instance"),
        ("--user 7", "2  # from the instance"),
    ] {
        assert_eq!(
            degree(args),
            format!("delivery.degree = {expect}"),
            "{args}"
        );
    }
    assert_eq!(
        line(&folder, "--user 7", "personality.text"),
        "personality.text = \"Arr!\"  # from the guild"
    );
    assert_eq!(
        line(&folder, "--guild 7", "# Pieces"),
        "# Pieces of an answer: a whole number from 0 to 4; for a guild, channel, persona; Manage Server"
    );
    assert_eq!(
        line(&folder, "--guild 7", "context.messages"),
        "context.messages = 9  # from the instance"
    );

    let (_, told) = settings(&folder, "unset --guild 7 delivery.degree");
    assert_eq!(told, "delivery.degree is no longer set for server 7\n");
    assert_eq!(
        degree("--guild 7"),
        "delivery.degree = 2  # from the instance"
    );
}

#[test]
fn what_cannot_be_set_says_what_can() {
    let folder = TempDir::new().unwrap();
    let cases: &[(&str, &str)] = &[
        (
            "set --guild 7 delivery.degree 9",
            "kaiwa: delivery.degree: 9 is out of range; allowed: a whole number from 0 to 4",
        ),
        (
            "set --guild 7 delivery.degree -1",
            "kaiwa: delivery.degree: -1 is out of range; allowed: a whole number from 0 to 4",
        ),
        (
            "set --guild 7 --channel 70 runtime.timezone UTC",
            "kaiwa: runtime.timezone cannot be set for a channel; it can be set for: guild",
        ),
        (
            "set --guild 7 runtime.timezone Mars/Olympus",
            "kaiwa: runtime.timezone: unknown time zone \"Mars/Olympus\"; allowed: an IANA name …",
        ),
        (
            "unset --guild 7 --channel 70 delivery.degree",
            "kaiwa: delivery.degree is not set for channel 70 of server 7: `kaiwa settings list` shows what is",
        ),
    ];
    for (args, expected) in cases {
        let args: Vec<&str> = ["settings"].into_iter().chain(args.split(' ')).collect();
        check_failure(folder.path(), &args, expected);
    }
    // The command line speaks first about what it cannot read.
    for (args, expected) in [
        ("list", "--guild <ID>|--user <ID>"),
        ("list --guild tea", "--guild <ID>"),
        (
            "set --guild 7 delivery.speed 1",
            "there is no such setting; there are personality.text, ",
        ),
        (
            "set --guild 7 --channel 1 --persona 2 delivery.degree 1",
            "cannot be used with",
        ),
    ] {
        let args: Vec<&str> = ["settings"].into_iter().chain(args.split(' ')).collect();
        let output = kaiwa(folder.path(), &args).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(expected), "{args:?}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_running_bot_keeps_its_settings_to_itself() {
    use crate::home::Home;
    use crate::terminal::Running;

    let home = Home::new();
    let mut run = Running::start(home.command(&["run"]));
    run.prints("Kaiwa is online");
    let args = ["settings", "set", "--guild", "7", "delivery.degree", "0"];
    let refused = home.command(&args).output().unwrap();
    assert_failure(
        &refused,
        "kaiwa: settings are read and changed here only while the bot is not running: another Kaiwa is using …kaiwa.db: stop it…",
    );
    run.stop();
    assert!(home.command(&args).output().unwrap().status.success());
}
