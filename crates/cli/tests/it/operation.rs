//! What those need who keep a bot running: exit codes, logs, ports, files.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::home::{Home, request};
use crate::server::{Reply, Server};
use crate::terminal::{Running, kaiwa};

fn unused_address() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn exit_codes_tell_what_may_pass_from_what_needs_a_person() {
    let home = Home::new();
    let here = home.folder.path();
    let locked = Server::start(|_| Reply::json(401, "{}"));
    let failing = Server::start(|_| Reply::json(500, "{}"));
    let more = format!(
        "[vendors.locked]\nbase_url = \"{}\"\nkey_env = \"KEY\"\n[vendors.failing]\nbase_url = \"{}\"\n[vendors.gone]\nbase_url = \"http://{}/v1\"\n",
        locked.base_url,
        failing.base_url,
        unused_address()
    );
    home.configure(&more);
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    write("bad.toml", "colour = 1\n");
    write(
        "no-discord.toml",
        &format!(
            "[discord]\napi_url = \"http://{}/api/v10\"\n[models]\nchat = \"mine/understudy\"\n[vendors.mine]\nbase_url = \"{}\"\n[web]\nlisten = \"off\"\n",
            unused_address(),
            home.understudy
        ),
    );
    write("not-ours", "");
    fs::create_dir(here.join("foreign")).unwrap();
    write("foreign/kaiwa.db", "this is no database at all");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();

    let check = |token: &str, args: &[&str], expect: i32| {
        let mut command = home.command(args);
        command.env("DISCORD_TOKEN", token).env("KEY", "sk-1");
        let output = command.output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(expect),
            "{args:?}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    };
    let token = home.token.as_str();
    check(token, &["doctor"], 0);
    check(token, &["--version"], 0);

    check(token, &["ask", "hi", "--model", "gone/m"], 1);
    check(token, &["ask", "hi", "--model", "failing/m"], 1);
    check(token, &["run", "--config", "no-discord.toml"], 1);
    check(token, &["doctor", "--config", "no-discord.toml"], 1);
    check(token, &["understudy", "--port", &port], 1);

    check(token, &["walk"], 2);
    check(token, &["run", "--config", "nowhere.toml"], 2);
    check(token, &["run", "--config", "bad.toml"], 2);
    check(token, &["doctor", "--config", "bad.toml"], 2);
    check(token, &["run", "--data", "not-ours"], 2);
    check(token, &["run", "--data", "foreign"], 2);
    check(token, &["ask", "hi", "--model", "locked/m"], 2);
    check(token, &["ask", "hi", "--model", "nobody/m"], 2);
    check(token, &["ask", " "], 2);
    check(token, &["ask", "hi", "--image", "nowhere.png"], 2);
    check(token, &["emulate", "--world", "bad.toml"], 2);
    check(
        token,
        &["provider", "replay", "--format", "openai-chat", "nowhere"],
        2,
    );
    check("", &["run"], 2);
    check("wrong", &["run"], 2);
    check("wrong", &["doctor"], 2);
}

#[test]
fn run_starts_while_its_model_is_down_and_says_so() {
    let home = Home::new();
    let config = format!(
        "[discord]\napi_url = \"{}\"\n[models]\nchat = \"mine/m\"\n[vendors.mine]\nbase_url = \"http://{}/v1\"\n[web]\nlisten = \"127.0.0.1:0\"\n",
        home.api_url,
        unused_address()
    );
    fs::write(home.folder.path().join("kaiwa.toml"), config).unwrap();
    let mut run = Running::start(home.command(&["run"]));
    run.prints("no connection to the model at http://");
    run.prints("Kaiwa is online");
    run.stop();
}

#[test]
fn a_key_that_is_refused_stops_run() {
    let home = Home::new();
    let locked = Server::start(|_| Reply::json(401, "{}"));
    let config = format!(
        "[discord]\napi_url = \"{}\"\n[models]\nchat = \"mine/m\"\n[vendors.mine]\nbase_url = \"{}\"\nkey_env = \"KEY\"\n",
        home.api_url, locked.base_url
    );
    fs::write(home.folder.path().join("kaiwa.toml"), config).unwrap();
    let output = home.command(&["run"]).env("KEY", "sk-1").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("refused the key (HTTP 401): check KEY"));
}

#[test]
fn doctor_beside_a_running_bot_finds_no_fault() {
    let home = Home::new();
    let address = unused_address();
    let listen = |address| {
        let path = home.folder.path().join("kaiwa.toml");
        home.configure("");
        let config = fs::read_to_string(&path).unwrap();
        let listening = format!("listen = \"{address}\"");
        fs::write(path, config.replace("listen = \"127.0.0.1:0\"", &listening)).unwrap();
    };
    listen(address);
    let doctor = || home.command(&["doctor"]).output().unwrap();
    let finds = |line: &str| {
        let output = doctor();
        let printed = stdout(&output);
        assert!(printed.contains(line), "{line:?} is not in\n{printed}");
        output.status.code()
    };
    assert_eq!(finds(&format!("✓ web: {address} is free")), Some(0));

    let mut run = Running::start(home.command(&["run"]));
    run.prints("Kaiwa is online");
    let code = finds("✓ database: a running Kaiwa is using ");
    assert_eq!(code, Some(0));
    finds(&format!("✓ web: a running Kaiwa serves http://{address}"));
    run.stop();

    let other = TcpListener::bind(address).unwrap();
    let code = finds(&format!("✗ web: {address} is taken"));
    assert_eq!(code, Some(1));
    drop(other);
}

/// Log collectors choke on lines that are something else.
#[test]
fn a_json_log_is_json_and_nothing_else() {
    let home = Home::new();
    home.configure("[log]\nformat = \"json\"\n");
    let lines_of = |text: &str| {
        let mut messages = Vec::new();
        for line in text.lines() {
            let value: Result<serde_json::Value, _> = serde_json::from_str(line);
            let value = value.unwrap_or_else(|error| panic!("{error} in {line:?} of\n{text}"));
            messages.push(value["fields"]["message"].as_str().unwrap().to_owned());
        }
        messages
    };
    let mut run = home.command(&["run"]);
    run.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut text = String::new();
    while !text.contains("Kaiwa is online") {
        assert!(log.read_line(&mut text).unwrap() > 0, "it ended:\n{text}");
    }
    let second = home.command(&["run"]).output().unwrap();
    assert_eq!(stdout(&second), "");
    let said = lines_of(&stderr(&second));
    let last = said.last().unwrap();
    assert!(last.starts_with("another Kaiwa is using "), "{last}");

    let pid = child.id().to_string();
    Command::new("kill")
        .args(["-s", "TERM", &pid])
        .status()
        .unwrap();
    while log.read_line(&mut text).unwrap() > 0 {}
    assert!(child.wait().unwrap().success());
    let said = lines_of(&text);
    for expect in ["Invite it with https://", "Kaiwa is online", "stopping…"] {
        assert!(said.iter().any(|line| line.contains(expect)), "{said:?}");
    }
}

#[test]
fn a_reader_that_has_enough_ends_the_text_engine_quietly() {
    let folder = TempDir::new().unwrap();
    for (command, row) in [
        ("chunk", "{\"input\":\"tea\"}\n"),
        ("stream", "{\"deltas\":[\"tea\"]}\n"),
    ] {
        let mut child = kaiwa(folder.path(), &["text", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // It may leave before it has read everything.
        let _ = stdin.write_all(row.repeat(20_000).as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{command}");
        assert!(output.status.success(), "{command}: {}", output.status);
    }
}

#[test]
fn the_data_folder_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new();
    let mut run = Running::start(home.command(&["run"]));
    run.prints("Kaiwa is online");
    let mode = |path: &str| {
        let metadata = fs::metadata(home.folder.path().join(path)).unwrap();
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode("data"), 0o700);
    assert_eq!(mode("data/kaiwa.db"), 0o600);
    run.stop();
}

/// What was decided and told can be looked up while the bot runs, whether or
/// not it serves that.
#[test]
fn a_running_bot_that_cannot_be_asked_is_looked_into() {
    let home = Home::new();
    let path = home.folder.path().join("kaiwa.toml");
    let config = fs::read_to_string(&path).unwrap();
    let channel = home.world["channels"]["general"].as_str().unwrap();
    let bot = home.world["bot"]["id"].as_str().unwrap();
    let ada = home.world["users"][0]["token"].as_str().unwrap();
    let url = format!("{}/channels/{channel}/messages", home.api_url);
    for (listen, why) in [
        ("listen = \"off\"", "web.listen is off"),
        ("listen = \"0.0.0.0:0\"", "web.listen is 0.0.0.0:0"),
        ("listen = \"127.0.0.1:0\"", "nobody answers at 127.0.0.1:0"),
    ] {
        fs::write(&path, config.replace("listen = \"127.0.0.1:0\"", listen)).unwrap();
        let mut run = Running::start(home.command(&["run"]));
        run.prints("Kaiwa is online");
        let body = format!("{{\"content\":\"<@{bot}> hello\"}}");
        let (status, asked) = request("POST", &url, ada, &body);
        assert_eq!(status, 200, "{asked}");
        let question = asked["id"].as_str().unwrap();
        let decided = format!("{question}  by ");
        let inspect = |args: &[&str]| home.command(args).output().unwrap();
        let output = eventually(|| {
            let output = inspect(&["inspect", "--channel", channel]);
            stdout(&output).contains(&decided).then_some(output)
        });
        assert!(stdout(&output).contains("admitted, mention"), "{output:?}");
        let told = stderr(&output);
        assert!(
            told.contains(why) && told.contains("missing here"),
            "{told}"
        );
        let turn = format!("{question}-0");
        let prompt = eventually(|| {
            let output = inspect(&["inspect", &turn]);
            output.status.success().then_some(output)
        });
        assert!(stdout(&prompt).contains("== question"), "{prompt:?}");
        run.stop();
    }
}

/// Waits for something that another process is about to do.
fn eventually<T>(look: impl Fn() -> Option<T>) -> T {
    for _ in 0..200 {
        if let Some(found) = look() {
            return found;
        }
    }
    panic!("it never happens");
}
