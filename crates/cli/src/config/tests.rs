//! Good files, bad files, and the committed example.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use expect_test::{Expect, expect, expect_file};
use kaiwa_domain::Role;
use kaiwa_domain::settings::{InstanceSettings, SettingKey};
use kaiwa_provider::Format;
use tracing::Level;

use super::*;

mod models;

fn parse(text: &str) -> Result<Config, ConfigErrors> {
    Config::parse(Path::new("kaiwa.toml"), text)
}

/// The problems of a file, as the operator reads them.
#[expect(
    clippy::needless_pass_by_value,
    reason = "expectations are written in place"
)]
fn check(text: &str, expected: Expect) {
    let problems = parse(text).unwrap_err().to_string();
    expected.assert_eq(&problems);
}

#[test]
fn config_example_is_fresh() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config.example.toml");
    let fresh = fs::read_to_string(committed).is_ok_and(|text| text == example());
    if !fresh {
        println!("config.example.toml is stale; refresh it with");
        println!("    UPDATE_EXPECT=1 cargo test -p kaiwa config_example");
    }
    expect_file![committed].assert_eq(&example());
}

#[test]
fn the_example_changes_nothing() {
    assert_eq!(parse(&example()).unwrap(), parse("").unwrap());
}

#[test]
fn every_key_of_the_example_may_be_uncommented() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("personality.md"), "I am me.").unwrap();
    fs::write(folder.path().join("prompt.jinja"), "{{ personality }}").unwrap();
    let authority = "-----BEGIN CERTIFICATE-----\n";
    fs::write(folder.path().join("company-ca.pem"), authority).unwrap();
    // A word right after the # is a key or a header; prose has a space there.
    let uncommented: Vec<String> = example()
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(rest) if !rest.starts_with(' ') && !rest.is_empty() => rest.to_owned(),
            _ => line.to_owned(),
        })
        .collect();
    let path = folder.path().join("kaiwa.toml");
    let config = Config::parse(&path, &uncommented.join("\n")).unwrap();
    assert_eq!(
        config.models.of(Role::Chat)[0].to_string(),
        "ollama/llama3.2"
    );
    assert_eq!(config.models.of(Role::Reasoner).len(), 2);
    let openai = &config.vendors["openai"];
    assert_eq!(openai.settings.format, Some(Format::OpenAiResponses));
    assert_eq!(openai.models["gpt-5"].input_price, Some(1_250_000));
    assert_eq!(config.budget.user_dollars_per_day, Some(500_000));
    assert!(config.discord.gateway_url.is_some());
    assert_eq!(config.personality.text(), "I am me.");
}

/// A setting is declared once: the file has a key for its instance layer, under
/// its name.
#[test]
fn the_file_and_the_other_layers_refuse_the_same() {
    for (name, toml, text) in [
        ("context.messages", "0", "0"),
        ("delivery.degree", "-1", "-1"),
        ("delivery.attach_code_above", "99", "99"),
        ("runtime.answer_within", "\"2d\"", "2d"),
        ("runtime.answer_within", "\"soon\"", "soon"),
        ("runtime.timezone", "\"a b\"", "a b"),
        ("context.view", "\"all\"", "all"),
        ("activation.always", "\"yes\"", "yes"),
        ("access.users_denied", "[\"@ada\"]", "@ada"),
    ] {
        let key = SettingKey::from_name(name).unwrap();
        let told = key.setting().parse(text).unwrap_err();
        let problems = parse(&format!("{name} = {toml}")).unwrap_err();
        assert_eq!(problems.to_string(), format!("kaiwa.toml:1: {told}"));
    }
}

#[test]
fn an_empty_file_gives_the_defaults() {
    let config = Config::parse(Path::new("etc/kaiwa.toml"), "").unwrap();
    assert_eq!(config.discord.token_env, "DISCORD_TOKEN");
    assert_eq!(
        config.discord.api_url.as_str(),
        "https://discord.com/api/v10"
    );
    assert_eq!(config.discord.gateway_url, None);
    assert!(config.discord.message_content);
    assert_eq!(config.models.roles().count(), 0);
    assert!(config.vendors.is_empty());
    assert_eq!(config.budget.guild_tokens_per_day, None);
    assert!(config.personality.text().starts_with("You are Kaiwa"));
    assert_eq!(config.storage.data, PathBuf::from("etc/data"));
    let listen: SocketAddr = "127.0.0.1:7577".parse().unwrap();
    assert_eq!(config.web.listen, Some(listen));
    assert_eq!(config.log.level, Level::INFO);
    assert_eq!(config.log.format, LogFormat::Text);
    assert_eq!(config.runtime.shutdown_grace, Duration::from_secs(7));
    assert_eq!(config.settings, InstanceSettings::default());
}

#[test]
fn what_is_written_is_what_is_used() {
    let config = parse(
        r#"
        [storage]
        data = "/var/lib/kaiwa"
        [web]
        listen = "off"
        [log]
        level = "debug"
        format = "json"
        "#,
    )
    .unwrap();
    assert_eq!(config.storage.data, PathBuf::from("/var/lib/kaiwa"));
    assert_eq!(config.web.listen, None);
    assert_eq!(config.log.level, Level::DEBUG);
    assert_eq!(config.log.format, LogFormat::Json);
}

#[test]
fn search_engines_are_named_and_found() {
    check(
        "[search]\nengines = [\"duckduckgo\", \"searxng\"]",
        expect![[
            r#"kaiwa.toml:2: search.engines: it is not known where your SearXNG is; set searxng_url too, as in "http://127.0.0.1:8888""#
        ]],
    );
    check(
        "[search]\nengines = [\"askjeeves\"]",
        expect![[
            r#"kaiwa.toml:2: search.engines: "askjeeves" is not a choice; allowed: one of "searxng", "brave", "tavily", "duckduckgo", or a list of them"#
        ]],
    );
    check(
        "[search]\nkey = \"secret\"",
        expect![
            "kaiwa.toml:2: search.key: a secret never stands in this file; remove it and set it in the environment"
        ],
    );
    for (text, engines, reads) in [
        ("", 0, false),
        ("read_pages = true", 0, true),
        ("engines = \"duckduckgo\"", 1, true),
        ("engines = \"duckduckgo\"\nread_pages = false", 1, false),
        ("engines = [\"brave\", \"tavily\", \"brave\"]", 2, true),
        ("engines = []", 0, false),
    ] {
        let search = parse(&format!("[search]\n{text}")).unwrap().search;
        assert_eq!(search.engines().len(), engines, "{text}");
        assert_eq!(search.reads_pages(), reads, "{text}");
    }
}

#[test]
fn a_name_that_is_not_in_the_manual() {
    check(
        "[context]\nmesages = 3",
        expect![
            "kaiwa.toml:2: context.mesages: unknown key; did you mean `messages`? allowed here: messages, age, view, around, tokens, forget_on_restart, skip, shorten_circles, emoji"
        ],
    );
    check(
        "[modles]\nchat = \"a/b\"",
        expect![
            "kaiwa.toml:1: modles: unknown section; did you mean `models`? allowed here: discord, models, vendors, budget, search, personality, activation, access, limits, conversation, context, memory, joins, personas, delivery, actions, storage, web, log, runtime"
        ],
    );
    check(
        "[wbe]",
        expect![
            "kaiwa.toml:1: wbe: unknown section; did you mean `web`? allowed here: discord, models, vendors, budget, search, personality, activation, access, limits, conversation, context, memory, joins, personas, delivery, actions, storage, web, log, runtime"
        ],
    );
    check(
        "colour = 1",
        expect![
            "kaiwa.toml:1: colour: unknown key outside of any section; allowed here: discord, models, vendors, budget, search, personality, activation, access, limits, conversation, context, memory, joins, personas, delivery, actions, storage, web, log, runtime"
        ],
    );
    check(
        "[weather]\n[discord]\n\"a\\nb\" = 1",
        expect![[r#"
            kaiwa.toml:1: weather: unknown section; allowed here: discord, models, vendors, budget, search, personality, activation, access, limits, conversation, context, memory, joins, personas, delivery, actions, storage, web, log, runtime
            kaiwa.toml:3: discord.a\nb: unknown key; allowed here: token_env, api_url, gateway_url, message_content, guild_members, extra_ca, requests_per_second"#]],
    );
}

#[test]
fn long_code_is_attached_only_if_asked_for() {
    let above = |text| {
        let settings = parse(text).unwrap().settings;
        settings.value(SettingKey::AttachCodeAbove).to_string()
    };
    assert_eq!(above(""), "off");
    assert_eq!(above("delivery.attach_code_above = \"off\""), "off");
    assert_eq!(above("delivery.attach_code_above = 6000"), "6000");
    check(
        "delivery.attach_code_above = 5",
        expect![[
            r#"kaiwa.toml:1: delivery.attach_code_above: 5 is out of range; allowed: a whole number from 100 to 20000, or "off""#
        ]],
    );
}

#[test]
fn a_value_of_the_wrong_type() {
    check(
        "context.messages = \"many\"",
        expect![
            "kaiwa.toml:1: context.messages: expected a whole number, found a string; allowed: a whole number from 1 to 100"
        ],
    );
    check(
        "[log]\nlevel = 3",
        expect![[
            r#"kaiwa.toml:2: log.level: expected a string, found an integer; allowed: "error", "warn", "info", "debug", "trace""#
        ]],
    );
    check(
        "discord.message_content = \"yes\"",
        expect![
            "kaiwa.toml:1: discord.message_content: expected true or false, found a string; allowed: true or false"
        ],
    );
    check(
        "discord = 3",
        expect!["kaiwa.toml:1: discord: expected a section like [discord], found an integer"],
    );
    check(
        "[[web]]\nlisten = \"off\"",
        expect!["kaiwa.toml:1: web: expected a section like [web], found an array"],
    );
    check(
        "storage.data = { path = \"x\" }",
        expect![
            "kaiwa.toml:1: storage.data: expected a string, found a table; allowed: the path of a folder"
        ],
    );
}

#[test]
fn a_value_out_of_bounds() {
    check(
        "context.messages = 0",
        expect![
            "kaiwa.toml:1: context.messages: 0 is out of range; allowed: a whole number from 1 to 100"
        ],
    );
    check(
        "context.messages = -1",
        expect![
            "kaiwa.toml:1: context.messages: -1 is out of range; allowed: a whole number from 1 to 100"
        ],
    );
    check(
        "context.messages = 99999999999999999999",
        expect![
            "kaiwa.toml:1: context.messages: 99999999999999999999 is out of range; allowed: a whole number from 1 to 100"
        ],
    );
    check(
        "runtime.answer_within = \"25h\"",
        expect![[
            r#"kaiwa.toml:1: runtime.answer_within: "25h" is out of range; allowed: a duration like "1500ms", "20s", "2m" or "7d", from 1s to 1d"#
        ]],
    );
    check(
        "runtime.answer_within = \"soon\"",
        expect![[
            r#"kaiwa.toml:1: runtime.answer_within: "soon" is not a duration; allowed: a duration like "1500ms", "20s", "2m" or "7d", from 1s to 1d"#
        ]],
    );
    check(
        "runtime.shutdown_grace = \"99999999999999999999s\"",
        expect![[
            r#"kaiwa.toml:1: runtime.shutdown_grace: "99999999999999999999s" is not a duration; allowed: a duration like "1500ms", "20s", "2m" or "7d", from 0s to 1h"#
        ]],
    );
    check(
        "runtime.shutdown_grace = \"20\"",
        expect![[
            r#"kaiwa.toml:1: runtime.shutdown_grace: "20" is not a duration; allowed: a duration like "1500ms", "20s", "2m" or "7d", from 0s to 1h"#
        ]],
    );
    check(
        "runtime.timezone = \"Mars/Phobos\"",
        expect![[
            r#"kaiwa.toml:1: runtime.timezone: unknown time zone "Mars/Phobos"; allowed: an IANA name like "Europe/Berlin" that this system's tzdata knows, or "UTC""#
        ]],
    );
    check(
        "web.listen = \"localhost\"",
        expect![[
            r#"kaiwa.toml:1: web.listen: "localhost" is not an IP address with a port; allowed: an IP address with a port, like "127.0.0.1:7577" or "[::1]:7577", or "off""#
        ]],
    );
    check(
        "log.format = \"xml\"",
        expect![[r#"kaiwa.toml:1: log.format: "xml" is not a choice; allowed: "text", "json""#]],
    );
    check(
        "storage.data = \"\"",
        expect!["kaiwa.toml:1: storage.data: the path is empty; allowed: the path of a folder"],
    );
}

#[test]
fn an_address_that_cannot_be_used() {
    let api_url = |url: &str| format!("discord.api_url = \"{url}\"");
    check(
        &api_url("ftp://m"),
        expect![
            "kaiwa.toml:1: discord.api_url: an address cannot begin with ftp: here; allowed: an address that begins with http:// or https://"
        ],
    );
    check(
        &api_url("m"),
        expect![
            "kaiwa.toml:1: discord.api_url: not an address (relative URL without a base); allowed: an address that begins with http:// or https://"
        ],
    );
    check(
        &api_url("http://me:hunter2@m"),
        expect![
            "kaiwa.toml:1: discord.api_url: an address must not hold a user or a password; allowed: an address that begins with http:// or https://"
        ],
    );
    check(
        "discord.gateway_url = \"https://gateway\"",
        expect![
            "kaiwa.toml:1: discord.gateway_url: an address cannot begin with https: here; allowed: an address that begins with ws:// or wss://"
        ],
    );
}

#[test]
fn a_secret_in_the_file() {
    check(
        "[discord]\ntoken = \"hunter2\"",
        expect![
            "kaiwa.toml:2: discord.token: a secret never stands in this file; remove it and set DISCORD_TOKEN in the environment"
        ],
    );
    check(
        "[vendors.openai]\napi_key = \"hunter2\"",
        expect![[
            r#"kaiwa.toml:2: vendors.openai.api_key: a secret never stands in this file; remove it, set it in the environment and name the variable in the vendor's section, as in key_env = "OPENAI_API_KEY""#
        ]],
    );
    check(
        "token = \"hunter2\"",
        expect![
            "kaiwa.toml:1: token: a secret never stands in this file; remove it and set it in the environment"
        ],
    );
    check(
        "[discord]\ntoken_env = \"hunter2.abc-def\"",
        expect![
            "kaiwa.toml:2: discord.token_env: not the name of an environment variable (a secret itself never goes here); allowed: the name of an environment variable, in capitals, digits and _"
        ],
    );
}

#[test]
fn text_that_is_not_toml() {
    check(
        "[discord]\ntoken_env = \"A",
        expect![[r#"kaiwa.toml:2: not TOML: invalid basic string, expected `"`"#]],
    );
    check(
        "[discord\n",
        expect!["kaiwa.toml:1: not TOML: unclosed table, expected `]`"],
    );
    check(
        "[log]\nlevel = \"info\"\nlevel = \"warn\"",
        expect!["kaiwa.toml:3: not TOML: duplicate key"],
    );
    check(
        "log.level = info",
        expect!["kaiwa.toml:1: not TOML: invalid float, expected `inf`"],
    );
}

#[test]
fn all_problems_are_told_in_the_order_of_the_file() {
    check(
        "[web]\nlisten = 1\n[discord]\nnope = 1\napi_url = \"x\"\n[context]\nmessages = 0",
        expect![[r#"
            kaiwa.toml:2: web.listen: expected a string, found an integer; allowed: an IP address with a port, like "127.0.0.1:7577" or "[::1]:7577", or "off"
            kaiwa.toml:4: discord.nope: unknown key; allowed here: token_env, api_url, gateway_url, message_content, guild_members, extra_ca, requests_per_second
            kaiwa.toml:5: discord.api_url: not an address (relative URL without a base); allowed: an address that begins with http:// or https://
            kaiwa.toml:7: context.messages: 0 is out of range; allowed: a whole number from 1 to 100"#]],
    );
    let many: String = (0..50).map(|n| format!("k{n} = 1\n")).collect();
    let told = parse(&many).unwrap_err().to_string();
    assert_eq!(told.lines().count(), 21);
    assert!(told.ends_with("\nand 30 more problems"), "{told}");
}

#[test]
fn a_place_is_a_line_and_a_column() {
    let errors = parse("# 会話\nlog.level = \"会話\"").unwrap_err();
    let place = errors.iter().next().unwrap().place.unwrap();
    assert_eq!((place.line, place.column), (2, 13));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("latin1"), b"# ok\n# caf\xe9\n").unwrap();
    fs::write(file("long"), vec![b'#'; (1 << 20) + 1]).unwrap();
    fs::write(file("full"), vec![b'#'; 1 << 20]).unwrap();
    let check = |name: &str, expected: Expect| {
        let told = Config::load(&file(name)).unwrap_err().to_string();
        let told = told.replace(&folder.path().display().to_string(), "DIR");
        expected.assert_eq(&told);
    };
    check(
        "missing",
        expect![
            "DIR/missing: there is no such file; make one from config.example.toml, or name another with --config"
        ],
    );
    check(
        "latin1",
        expect!["DIR/latin1:2: not UTF-8 text; save it as UTF-8"],
    );
    check(
        "long",
        expect!["DIR/long: longer than 1024 KiB; name another with --config"],
    );
    check(
        "",
        expect!["DIR/: this is not a file; name another with --config"],
    );
    assert!(Config::load(&file("full")).is_ok(), "just within the limit");
}

#[test]
fn personalities_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("latin1"), b"caf\xe9").unwrap();
    fs::write(file("long"), vec![b'a'; (32 << 10) + 1]).unwrap();
    fs::write(file("full"), vec![b'a'; 32 << 10]).unwrap();
    fs::write(file("empty"), " \n").unwrap();
    let load = |name: &str| {
        let text = format!("[personality]\nfile = {name:?}");
        Config::parse(&file("kaiwa.toml"), &text)
    };
    let check = |name: &str, expected: Expect| {
        let told = load(name).unwrap_err().to_string();
        let told = told.replace(&folder.path().display().to_string(), "DIR");
        expected.assert_eq(&told);
    };
    check(
        "missing",
        expect![[
            r#"DIR/kaiwa.toml:2: personality.file: "DIR/missing": there is no such file; allowed: the path of a text file in UTF-8, at most 32 KiB"#
        ]],
    );
    check(
        "latin1",
        expect![[
            r#"DIR/kaiwa.toml:2: personality.file: "DIR/latin1": not UTF-8 text (line 1); allowed: the path of a text file in UTF-8, at most 32 KiB"#
        ]],
    );
    check(
        "long",
        expect![[
            r#"DIR/kaiwa.toml:2: personality.file: "DIR/long": longer than 32 KiB; allowed: the path of a text file in UTF-8, at most 32 KiB"#
        ]],
    );
    check(
        "empty",
        expect![[
            r#"DIR/kaiwa.toml:2: personality.file: "DIR/empty": the file is empty; allowed: the path of a text file in UTF-8, at most 32 KiB"#
        ]],
    );
    check(
        ".",
        expect![[
            r#"DIR/kaiwa.toml:2: personality.file: "DIR/.": this is not a file; allowed: the path of a text file in UTF-8, at most 32 KiB"#
        ]],
    );
    assert_eq!(load("full").unwrap().personality.text().len(), 32 << 10);
}

#[test]
fn a_template_is_tried_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("good"), "{{ char }} talks to {{ user }}.").unwrap();
    fs::write(file("bad"), "You are\n{{ charr }}.").unwrap();
    let load = |name: &str| {
        let text = format!("[personality]\ntemplate = {name:?}");
        Config::parse(&file("kaiwa.toml"), &text)
    };
    let told = load("bad").unwrap_err().to_string();
    let told = told.replace(&folder.path().display().to_string(), "DIR");
    expect![[r#"DIR/kaiwa.toml:2: personality.template: "DIR/bad": line 2: undefined value; allowed: the path of a template, at most 32 KiB; `kaiwa prompt show` prints one"#]].assert_eq(&told);
    let template = load("good").unwrap().personality.prompt_template();
    assert_eq!(template.example("").unwrap(), "Kaiwa talks to Ada.");
}

#[test]
fn some_changes_wait_for_a_restart() {
    let check = |old: &str, new: &str, expected: &[&str]| {
        let (old, new) = (parse(old).unwrap(), parse(new).unwrap());
        assert_eq!(Config::changes_needing_restart(&old, &new), expected);
    };
    check("", "", &[]);
    check("", "context.messages = 1", &[]);
    check(
        "",
        "log.format = \"json\"\ndiscord.message_content = false",
        &["discord.message_content", "log.format"],
    );
    let models = "[models]\nchat = \"openai/a\"\n[vendors.openai.models.a]\ncontext = 1";
    check(models, &models.replace("openai", "groq"), &[]);
    check("", models, &[]);
    check(models, &models.replace('1', "2"), &[]);
    check("", "budget.user_tokens_per_day = 1", &[]);
}
