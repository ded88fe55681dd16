//! Worlds that are kept: snapshots, history, and the example.

use std::time::Duration;

use kaiwa_emulator::{Emulator, SnapshotError, World};
use reqwest::Method;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::pictures::{PNG, fetch};
use crate::test_emulator::{ALL, TestEmulator, managed, soon};

/// Every key of a TOML document, with the table it stands in.
fn keys(table: &toml::Table, name: &str, found: &mut Vec<(String, String)>) {
    for (key, value) in table {
        found.push((name.to_owned(), key.clone()));
        let inner: Vec<&toml::Table> = match value {
            toml::Value::Table(table) => vec![table],
            toml::Value::Array(values) => values.iter().filter_map(|it| it.as_table()).collect(),
            _ => continue,
        };
        for table in inner {
            keys(table, key, found);
        }
    }
}

#[test]
fn the_example_world_has_every_key_and_the_documentation_names_them() {
    World::from_toml(World::EXAMPLE).unwrap();
    let mut found = Vec::new();
    keys(&World::EXAMPLE.parse().unwrap(), "", &mut found);
    let manual = include_str!("../../../../docs/emulator.md");
    for (_, key) in &found {
        let written = [format!("{key} ="), format!("[{key}]"), format!(".{key}]")];
        let named = written.iter().any(|form| manual.contains(form));
        assert!(named, "docs/emulator.md does not name {key}");
    }
    // What is unknown is refused with a list of what is known.
    for table in [
        "guild",
        "bot",
        "roles",
        "users",
        "channels",
        "overwrites",
        "emojis",
        "stickers",
        "messages",
        "guilds",
    ] {
        let heading = World::EXAMPLE
            .lines()
            .find(|line| line.starts_with('[') && line.trim_matches(['[', ']']).ends_with(table))
            .unwrap();
        let text = World::EXAMPLE.replacen(
            &format!("\n{heading}"),
            &format!("\n{heading}\nnonsense = 1"),
            1,
        );
        let problem = World::from_toml(&text).unwrap_err().problem;
        let (_, known) = problem.split_once("expected").unwrap();
        for key in known.split('`').skip(1).step_by(2) {
            let there = found.iter().any(|(at, it)| at == table && it == key);
            assert!(there, "the example has no {table}.{key}");
        }
    }
}

#[tokio::test]
async fn history_is_there_from_the_beginning() {
    let server = TestEmulator::of(World::from_toml(World::EXAMPLE).unwrap()).await;
    let (iris, quay) = (server.human("Iris"), server.channel("quay"));
    let path = format!("/channels/{quay}/messages");
    let history = iris.get(&path).await.json;
    let said: Vec<_> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["content"])
        .collect();
    assert_eq!(said, ["I see the first.", "Two ships are due today."]);
    assert_eq!(history[1]["timestamp"], "2026-01-05T08:00:00.000000+00:00");
    assert_eq!(history[0]["timestamp"], "2026-01-05T08:01:00.000000+00:00");
    let next = iris.say(quay, "Welcome").await;
    let id = |message: &Value| message["id"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(id(&next) > id(&history[0]));
    let reply =
        json!({ "content": "Which?", "message_reference": { "message_id": history[0]["id"] } });
    assert_eq!(iris.post(&path, reply).await.status, 200);
    let other = server.channel_of("Lighthouse", "logbook");
    assert_eq!(server.emulator.transcript(other).len(), 1);

    let refused = [
        (
            "author = \"Otto\"\ncontent",
            "author = \"Odo\"\ncontent",
            "is not among the people",
        ),
        (
            "channel = \"quay\"\nauthor = \"Otto\"",
            "channel = \"charts\"\nauthor = \"Otto\"",
            "channels with messages",
        ),
        (
            "at = 2026-01-05T08:00:00Z",
            "at = 2026-01-05",
            "not a moment",
        ),
    ];
    for (from, to, says) in refused {
        let text = World::EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, World::EXAMPLE);
        let error = World::from_toml(&text).expect_err(to);
        assert!(error.problem.contains(says), "{error}");
    }
}

/// Does a little of everything, and gives the channels to look at.
async fn live(server: &TestEmulator) -> Vec<String> {
    let (ada, bot) = (server.human("Ada"), server.bot());
    let general = server.channel("general").to_owned();
    let path = format!("/channels/{general}/messages");
    let first = ada.say(&general, "hello <@&1> \u{1f375}").await;
    let id = first["id"].as_str().unwrap();
    let reply = json!({
        "content": "hi", "message_reference": { "message_id": id }, "nonce": "n",
        "embeds": [{ "title": "t", "fields": [{ "name": "a", "value": "b" }] }],
    });
    let answer = bot.post(&path, reply).await.json;
    let edit = format!("{path}/{}", answer["id"].as_str().unwrap());
    bot.call(Method::PATCH, &edit, json!({ "content": "hi there" }))
        .await;
    let react = format!("{path}/{id}/reactions/%F0%9F%91%8D/@me");
    assert_eq!(bot.call(Method::PUT, &react, Value::Null).await.status, 204);
    assert_eq!(
        ada.upload(&general, "a file", "a.bin", &[7; 300])
            .await
            .status,
        200
    );
    let thread = ada
        .post(&format!("{path}/{id}/threads"), json!({ "name": "aside" }))
        .await
        .json;
    let thread = thread["id"].as_str().unwrap().to_owned();
    bot.say(&thread, "in the thread").await;
    let dm = bot.open_dm(&ada.id).await;
    bot.say(&dm, "psst").await;
    let mute = format!("/channels/{general}/permissions/{}", server.human("Ben").id);
    ada.call(Method::PUT, &mute, json!({ "type": 1, "deny": "2048" }))
        .await;
    vec![general, thread, dm]
}

async fn serve(emulator: Emulator) -> (TestEmulator, CancellationToken) {
    let server = TestEmulator::serving(emulator).await;
    let stop = server.stop.clone();
    (server, stop)
}

#[tokio::test]
async fn a_snapshot_restores_all_that_clients_see() {
    let server = TestEmulator::open().await;
    let channels = live(&server).await;
    let asked = server
        .ready
        .api_url
        .replace("/api/v10", "/emulator/snapshot");
    let snapshot = server
        .http()
        .post(&asked)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    let world = World::default().without_limits();
    let restored = Emulator::restore(world.clone(), &snapshot).unwrap();
    let (restored, _stop) = serve(restored).await;
    assert_eq!(restored.ready.users, server.ready.users);
    assert_eq!(restored.ready.guilds, server.ready.guilds);
    for channel in &channels {
        let path = format!("/channels/{channel}/messages");
        for path in [path, format!("/channels/{channel}")] {
            let [before, after] = [
                server.human("Ada").get(&path).await.json,
                restored.human("Ada").get(&path).await.json,
            ];
            let from = server.ready.cdn_url.as_str();
            let before = before.to_string().replace(from, &restored.ready.cdn_url);
            assert_eq!(before, after.to_string(), "{path}");
        }
    }
    let general = &channels[0];
    let page = restored
        .human("Ada")
        .get(&format!("/channels/{general}/messages"))
        .await
        .json;
    let with_file = page
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["content"] == "a file")
        .unwrap();
    let url = with_file["attachments"][0]["url"].as_str().unwrap();
    let bytes = restored
        .http()
        .get(url)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    assert_eq!(
        bytes.len(),
        300,
        "files are kept, and served where the emulator now is"
    );
    let ben = restored.human("Ben");
    let path = format!("/channels/{general}/messages");
    let refused = ben.post(&path, json!({ "content": "x" }));
    assert_eq!(refused.await.json["code"], 50013, "overwrites are kept");
    let mut gateway = restored.bot().join(ALL).await;
    let said = restored.human("Ada").say(general, "on it goes").await;
    assert_eq!(gateway.event("MESSAGE_CREATE").await["id"], said["id"]);
}

#[test]
fn what_is_no_snapshot_is_refused() {
    let text = Emulator::new(World::default()).snapshot().unwrap();
    let text = String::from_utf8(text).unwrap();
    for bad in [
        "",
        "{}",
        "[]",
        "{\"version\":1}",
        &text[..text.len() - 1],
        &text.replacen("\"version\":1", "\"version\":2", 1),
    ] {
        let refused = Emulator::restore(World::default(), bad.as_bytes());
        assert!(
            matches!(refused, Err(SnapshotError::Format(_))),
            "{bad:.60}"
        );
    }
}

#[tokio::test]
async fn a_file_is_kept_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.json");
    let world = || World::default().without_limits();
    let emulator = Emulator::open(world(), &path).unwrap();
    let stop = CancellationToken::new();
    let keeping = emulator.clone().keep_snapshot(path.clone(), stop.clone());
    let general = emulator.ready().channels["general"].clone();
    let ada = emulator.ready().users[0].id.clone();
    let writing = async {
        // Not at the end, but while it runs.
        emulator
            .post(&ada, &general, json!({ "content": "kept" }))
            .unwrap();
        while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains("kept")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        emulator
            .post(&ada, &general, json!({ "content": "at last" }))
            .unwrap();
        stop.cancel();
    };
    let (kept, ()) = soon("the file", async { tokio::join!(keeping, writing) }).await;
    kept.unwrap();
    let again = Emulator::open(world(), &path).unwrap();
    let said: Vec<_> = again
        .transcript(&general)
        .into_iter()
        .map(|(_, said)| said)
        .collect();
    assert_eq!(said, ["kept", "at last"]);
    std::fs::write(&path, "torn").unwrap();
    assert!(
        Emulator::open(world(), &path).is_err(),
        "nothing is thrown away silently"
    );
}

/// Pictures that were uploaded, and a poll that runs out after the restart.
#[tokio::test]
async fn pictures_and_polls_survive_a_restart() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild, general) = (
        server.bot(),
        &server.ready.guild_id,
        server.channel("general"),
    );
    let emoji = json!({ "name": "tea", "image": PNG });
    let emoji = bot
        .post(&format!("/guilds/{guild}/emojis"), emoji)
        .await
        .json;
    let hook = json!({ "name": "Raven", "avatar": PNG });
    let hook = bot
        .post(&format!("/channels/{general}/webhooks"), hook)
        .await
        .json;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pictures = [
        format!("/emojis/{}.png", text(&emoji["id"])),
        format!(
            "/avatars/{}/{}.png",
            text(&hook["id"]),
            text(&hook["avatar"])
        ),
    ];
    let poll = json!({ "poll": {
        "question": { "text": "Which tea?" },
        "answers": [{ "poll_media": { "text": "green" } }],
        "duration": 1,
    }});
    let poll = bot
        .post(&format!("/channels/{general}/messages"), poll)
        .await
        .json;

    let snapshot = server.emulator.snapshot().unwrap();
    let (restored, _stop) = serve(Emulator::restore(managed(), &snapshot).unwrap()).await;
    for picture in &pictures {
        let before = fetch(&server, picture).await;
        assert_eq!(before, (200, "image/png".into()), "{picture}");
        assert_eq!(fetch(&restored, picture).await, before, "{picture}");
    }
    let mut sees = restored.emulator.watch();
    restored.emulator.advance(Duration::from_secs(3600));
    soon("the end", sees.recv()).await.unwrap();
    let result = soon("the result", sees.recv()).await.unwrap();
    assert_eq!(result["d"]["message_reference"]["message_id"], poll["id"]);
    // It is not told again after another restart.
    let snapshot = restored.emulator.snapshot().unwrap();
    let again = Emulator::restore(managed(), &snapshot).unwrap();
    let mut sees = again.watch();
    let (again, _stop) = serve(again).await;
    again.human("Ben").say(general, "hello again").await;
    let next = soon("the next message", sees.recv()).await.unwrap();
    assert_eq!(next["d"]["content"], "hello again");
}
