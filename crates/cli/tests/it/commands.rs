//! Starting, checking, reloading and stopping.

use std::fs;
use std::net::TcpListener;

use tempfile::TempDir;

use crate::home::Home;
use crate::terminal::{Running, assert_failure, check_failure, kaiwa};

#[test]
fn what_cannot_start_says_what_to_do() {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    let write = |name: &str, text: &[u8]| fs::write(here.join(name), text).unwrap();
    write("empty.toml", b"");
    write(
        "unknown.toml",
        b"[vendors.mine]\nbase_url = \"http://127.0.0.1:9/v1\"\ntemperature = 1\n",
    );
    write(
        "silent.toml",
        b"[models]\nchat = \"mine/m\"\n[vendors.mine]\nbase_url = \"http://127.0.0.1:9/v1\"\n",
    );
    write("keyless.toml", b"[models]\n\nchat = \"openai/gpt-5\"\n");
    write(
        "former.toml",
        b"[provider]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n",
    );
    write("latin1.toml", b"# caf\xe9\n");
    write("persona.toml", b"[personality]\nfile = \"nobody.md\"\n");
    write("world.toml", b"planet = \"Mars\"\n");
    write("file", b"");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();

    let cases: &[(&[&str], &str)] = &[
        (
            &["run"],
            "kaiwa: kaiwa.toml: there is no such file; make one from config.example.toml, or name another with --config",
        ),
        (
            &["run", "--config", "empty.toml"],
            "kaiwa: no model: write [models] with chat = \"vendor/model\" into empty.toml, as config.example.toml shows, or try `kaiwa play`",
        ),
        (
            &["run", "--config", "unknown.toml"],
            "kaiwa: unknown.toml:3: vendors.mine.temperature: unknown key; allowed here: base_url, format, key_env, first_token_timeout, idle_timeout, models",
        ),
        (
            &["run", "--config", "former.toml"],
            "kaiwa: former.toml:1: provider: there is no such section; write [models] chat = \"custom/m\" and [vendors.custom] base_url = \"http://127.0.0.1:9/v1\" instead",
        ),
        (
            &["run", "--config", "keyless.toml"],
            "kaiwa: keyless.toml:3: models.chat: no key for openai: set OPENAI_API_KEY in the environment, or set key_env in [vendors.openai] to the name of another variable, or to [] if no key is wanted",
        ),
        (
            &["play", "--no-open", "--port", "0", "--model", "mine/m"],
            "kaiwa: --model: there is no vendor \"mine\"; known vendors are …; for a server of your own add [vendors.mine] with its base_url",
        ),
        (
            &["run", "--config", "latin1.toml"],
            "kaiwa: latin1.toml:1: not UTF-8 text; save it as UTF-8",
        ),
        (
            &["run", "--config", "persona.toml"],
            "kaiwa: persona.toml:2: personality.file: …nobody.md…",
        ),
        (
            &["run", "--config", "silent.toml"],
            "kaiwa: no bot token: set DISCORD_TOKEN in the environment (create one at the developer portal under Bot)",
        ),
        (
            &["play", "--no-open", "--port", &port],
            "kaiwa: 127.0.0.1:… is taken: stop the other program or choose another with --port…",
        ),
        (
            &[
                "play",
                "--no-open",
                "--port",
                "0",
                "--model",
                "understudy",
                "--data",
                "file",
            ],
            "kaiwa: cannot write file (…): make it writable or choose another data folder with --data",
        ),
        (
            &["play", "--no-open", "--port", "0", "--config", "nope.toml"],
            "kaiwa: nope.toml: there is no such file…",
        ),
        (
            &["emulate", "--world", "nope.toml"],
            "kaiwa: nope.toml: there is no such file",
        ),
        (
            &["emulate", "--world", "latin1.toml"],
            "kaiwa: latin1.toml: not UTF-8 text (line 1)",
        ),
        (
            &["emulate", "--world", "world.toml"],
            "kaiwa: world.toml: line 1: `planet`: unknown field…",
        ),
        (
            &["doctor", "--config", "silent.toml"],
            "kaiwa: 2 problems found",
        ),
    ];
    for (args, expected) in cases {
        check_failure(here, args, expected);
    }
}

#[cfg(unix)]
#[test]
fn run_prints_the_invite_reloads_and_stops() {
    let home = Home::new();
    let mut run = Running::start(home.command(&["run"]));
    run.prints("oauth2/authorize?client_id=");
    run.prints("Kaiwa is online");

    home.configure("[context]\nmessages = \"many\"\n");
    run.signal("HUP");
    run.prints("kaiwa.toml:10: context.messages: expected a whole number, found a string");
    run.prints("the last good configuration stays");

    home.configure("[context]\nmessages = 5\n");
    run.prints("configuration reloaded");

    let second = home.command(&["run"]).output().unwrap();
    assert_failure(
        &second,
        "kaiwa: another Kaiwa is using …kaiwa.db: stop it or choose another data folder with --data",
    );

    let printed = run.stop();
    assert!(!printed.contains(&home.token), "the token was printed");
}

#[cfg(unix)]
#[test]
fn doctor_finds_everything_in_order_or_says_what_is_not() {
    let home = Home::new();
    let output = home.command(&["doctor"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}");
    for line in [
        "✓ configuration: kaiwa.toml",
        "✓ database: ",
        "✓ backup: none yet",
        "✓ models.chat: mine/understudy at http://",
        "✓ token: you are Kaiwa",
        "✓ clock: in step with Discord's",
        "✓ intents: everything asked for is allowed",
        "✓ gateway: ",
        "✓ guilds: Tea House: every permission is there",
        "✓ guilds: Reading Room: every permission is there",
        "everything is in order",
    ] {
        assert!(
            printed.lines().any(|it| it.starts_with(line)),
            "{line:?} is not in\n{printed}"
        );
    }

    let refused = home
        .command(&["run"])
        .env("DISCORD_TOKEN", "wrong")
        .output()
        .unwrap();
    assert_failure(
        &refused,
        "kaiwa: Discord refused the token: check DISCORD_TOKEN and create a new one under Bot in the developer portal",
    );
    let output = home
        .command(&["doctor"])
        .env("DISCORD_TOKEN", "wrong")
        .output()
        .unwrap();
    assert_failure(&output, "kaiwa: 1 problem found");
}

#[cfg(unix)]
#[test]
fn missing_intents_are_named() {
    let mut home = Home::new();
    let world = "[guild]\nname = \"Tea House\"\nowner = \"Ada\"\n[bot]\nname = \"Kaiwa\"\nintents = []\n[[users]]\nname = \"Ada\"\n[[channels]]\nname = \"general\"\n";
    fs::write(home.folder.path().join("world.toml"), world).unwrap();
    let mut strict = Running::start(kaiwa(
        home.folder.path(),
        &["emulate", "--world", "world.toml"],
    ));
    let ready: serde_json::Value = serde_json::from_str(&strict.prints("api_url")).unwrap();
    home.api_url = ready["api_url"].as_str().unwrap().to_owned();
    home.token = ready["bot"]["token"].as_str().unwrap().to_owned();
    home.configure("");

    let output = home.command(&["run"]).output().unwrap();
    assert_failure(
        &output,
        "kaiwa: Discord refused the Message Content Intent: turn it on under Bot at … or set discord.message_content = false",
    );
    let output = home.command(&["doctor"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("✗ intents: the Message Content Intent is off"),
        "{printed}"
    );

    // So is each of two.
    let path = home.folder.path().join("kaiwa.toml");
    let config = fs::read_to_string(&path).unwrap();
    let asking = config.replace("[discord]\n", "[discord]\nguild_members = true\n");
    fs::write(&path, asking).unwrap();
    let output = home.command(&["doctor"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    for off in ["Message Content", "Server Members"] {
        let line = format!("✗ intents: the {off} Intent is off");
        assert!(printed.contains(&line), "{printed}");
    }
    fs::write(&path, config).unwrap();

    // Without it the bot runs all the same, and says in which way.
    let config = fs::read_to_string(&path).unwrap();
    let config = config.replace("[discord]\n", "[discord]\nmessage_content = false\n");
    fs::write(&path, config).unwrap();
    let output = home.command(&["doctor"]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("✓ intents: mention-only mode"),
        "{printed}"
    );
    let mut run = Running::start(home.command(&["run"]));
    run.prints("mention-only mode (discord.message_content = false)");
    run.prints("Kaiwa is online");
    run.stop();
}

#[cfg(unix)]
#[test]
fn play_starts_and_stops_cleanly() {
    let folder = TempDir::new().unwrap();
    let args = [
        "play",
        "--no-open",
        "--port",
        "0",
        "--model",
        "understudy",
        "--data",
        "mine",
    ];
    let mut play = Running::start(kaiwa(folder.path(), &args));
    play.prints("the understudy, a script");
    play.prints("Kaiwa is ready:  http://127.0.0.1:");
    play.prints("Ctrl-C stops it.");
    let printed = play.stop();
    assert!(printed.contains("stopping…"), "{printed}");
    assert!(folder.path().join("mine/kaiwa.db").exists());
}

#[test]
fn a_recorded_answer_is_heard_again() {
    let folder = TempDir::new().unwrap();
    let stream = concat!(
        "data: {\"choices\":[{\"delta\":{\"content\":\"<think>hm</think>茶\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    );
    fs::write(folder.path().join("tea.sse"), stream).unwrap();
    let replay = |more: &[&str]| {
        let args = [
            &["provider", "replay", "--format", "openai-chat", "tea.sse"],
            more,
        ]
        .concat();
        let output = kaiwa(folder.path(), &args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = replay(&[]);
    assert_eq!(whole.lines().count(), 4, "{whole}");
    let last: serde_json::Value = serde_json::from_str(whole.lines().last().unwrap()).unwrap();
    let expect = serde_json::json!({
        "text": "茶", "thinking": "hm", "tool_calls": [], "refusal": "", "finish_reason": "stop",
        "finish": "stop", "usage": null, "error": null, "terminated": true,
    });
    assert_eq!(last, expect);
    assert_eq!(replay(&["--pieces", "7"]), whole);
    assert!(replay(&["--verbatim"]).contains("<think>hm</think>茶"));
    check_failure(
        folder.path(),
        &["provider", "replay", "--format", "openai-chat", "no.sse"],
        "kaiwa: cannot read no.sse: …",
    );
}
