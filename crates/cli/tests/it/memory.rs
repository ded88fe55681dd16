//! `kaiwa memory`, `privacy`, `export` and `erase`: on a data folder that no bot
//! uses.

use std::fs;

use tempfile::TempDir;

use crate::terminal::{assert_failure, kaiwa};

/// Runs a command and returns what it prints: results, then words.
fn run(folder: &TempDir, args: &[&str]) -> (String, String) {
    let output = kaiwa(folder.path(), args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// The command fails with this code, and prints that last.
fn check_failure(folder: &TempDir, args: &[&str], code: i32, expect: &str) {
    let output = kaiwa(folder.path(), args).output().unwrap();
    assert_failure(&output, expect);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

fn add(folder: &TempDir, more: &[&str]) -> String {
    let args: Vec<&str> = ["memory", "add"].iter().chain(more).copied().collect();
    run(folder, &args).1
}

#[test]
fn facts_are_added_listed_and_forgotten() {
    let folder = TempDir::new().unwrap();
    let guild = ["--guild", "7"];
    let list = || run(&folder, &[&["memory", "list"], &guild[..]].concat()).0;
    assert_eq!(list(), "");
    let told = add(&folder, &["--guild", "7", "Game night is on Friday"]);
    assert_eq!(told, "fact 1 of server 7 is remembered\n");
    add(
        &folder,
        &[
            "--guild",
            "7",
            "--about",
            "30",
            "--channel",
            "70",
            "two\nlines",
        ],
    );
    add(&folder, &["--user", "30", "likes tea"]);
    let listed = list();
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 2, "{listed}");
    let ends = [
        "about the server, for everybody, operator: Game night is on Friday",
        "about 30, for channel 70, operator: two lines",
    ];
    for (line, end) in lines.iter().zip(ends) {
        assert!(line.ends_with(end), "{line}");
    }
    let told = run(&folder, &["memory", "forget", "--guild", "7", "1"]).1;
    assert_eq!(told, "fact 1 of server 7 is forgotten\n");
    assert_eq!(list().lines().count(), 1);
    let told = run(&folder, &["memory", "rotate-key"]).1;
    assert!(told.contains("2 rows are sealed with a new key"), "{told}");
    assert_eq!(list().lines().count(), 1);

    for (args, expect) in [
        (
            &["memory", "forget", "--guild", "7", "9"][..],
            "kaiwa: there is no fact 9 of server 7: `kaiwa memory list` shows those there are",
        ),
        (
            &["memory", "add", "--guild", "7", " "],
            "kaiwa: the fact is empty",
        ),
    ] {
        check_failure(&folder, args, 2, expect);
    }
}

#[test]
fn without_its_key_nothing_is_opened() {
    let folder = TempDir::new().unwrap();
    add(&folder, &["--guild", "7", "Game night is on Friday"]);
    let key = folder.path().join("data/memory.key");
    let right = fs::read(&key).unwrap();
    let list = ["memory", "list", "--guild", "7"];
    fs::remove_file(&key).unwrap();
    check_failure(
        &folder,
        &list,
        2,
        "kaiwa: …memory.key is missing, and the memories in …kaiwa.db are sealed with it: put it back from a backup. If it is lost, they are too; then move the database away to start afresh",
    );
    assert!(!key.exists());

    let other = TempDir::new().unwrap();
    add(&other, &["--guild", "7", "x"]);
    fs::copy(other.path().join("data/memory.key"), &key).unwrap();
    check_failure(
        &folder,
        &list,
        2,
        "kaiwa: …memory.key does not open the memories in …kaiwa.db: put the file back that belongs to this database",
    );
    fs::write(&key, right).unwrap();
    run(&folder, &list);
}

/// A bot that began anyway would forget everybody, and seal what it learns with
/// a key that opens nothing of before.
#[cfg(unix)]
#[test]
fn without_its_key_no_bot_starts() {
    use crate::home::Home;

    let home = Home::new();
    add(&home.folder, &["--guild", "7", "Game night is on Friday"]);
    let key = home.folder.path().join("data/memory.key");
    let right = fs::read(&key).unwrap();
    let other = TempDir::new().unwrap();
    add(&other, &["--guild", "7", "x"]);
    let other = fs::read(other.path().join("data/memory.key")).unwrap();
    let play = "play --no-open --port 0 --model understudy --data data";
    let play: Vec<&str> = play.split(' ').collect();
    for (content, expected) in [
        (
            None,
            "kaiwa: …memory.key is missing, and the memories in …kaiwa.db are sealed with it: …",
        ),
        (
            Some(&other[..]),
            "kaiwa: …memory.key does not open the memories in …kaiwa.db: …",
        ),
        (
            Some(b"garbage"),
            "kaiwa: cannot read the key file …memory.key (it is not as Kaiwa wrote it): …",
        ),
    ] {
        let _ = fs::remove_file(&key);
        if let Some(content) = content {
            fs::write(&key, content).unwrap();
        }
        for args in [&["run"][..], &play] {
            let output = home.command(args).output().unwrap();
            assert_failure(&output, expected);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert_eq!(fs::read(&key).ok().as_deref(), content, "no key is made");
        }
    }
    fs::write(&key, right).unwrap();
    let (listed, _) = run(&home.folder, &["memory", "list", "--guild", "7"]);
    assert!(listed.contains("Game night"), "{listed}");
}

#[test]
fn a_person_is_exported_erased_and_opted_out() {
    let folder = TempDir::new().unwrap();
    let person = "1234567890123456789";
    add(&folder, &["--guild", "7", "--about", person, "likes tea"]);
    add(&folder, &["--guild", "7", "Game night"]);
    add(&folder, &["--user", person, "has a cat"]);

    let (json, _) = run(&folder, &["export", "--user", person]);
    let export: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(export["subject"], format!("user {person}"));
    let facts = export["tables"]["fact"].as_array().unwrap();
    let texts: Vec<_> = facts.iter().map(|fact| &fact["body"]).collect();
    assert_eq!(texts, ["likes tea", "has a cat"]);
    assert_eq!(facts[0]["about"], person);
    let out = folder.path().join("ada.json");
    let to_file = ["export", "--user", person, "--out", "ada.json"];
    run(&folder, &to_file);
    assert_eq!(fs::read_to_string(&out).unwrap(), json);
    check_failure(
        &folder,
        &to_file,
        1,
        "kaiwa: cannot write ada.json: File exists…",
    );

    check_failure(
        &folder,
        &["erase", "--user", person],
        2,
        &format!(
            "kaiwa: this deletes everything about user {person} for good: say --yes to do it, `kaiwa export` shows what it is"
        ),
    );
    let told = run(&folder, &["erase", "--user", person, "--yes"]).1;
    assert!(
        told.contains(&format!("user {person} is erased: 2 rows")),
        "{told}"
    );
    let (json, _) = run(&folder, &["export", "--user", person]);
    assert!(!json.contains("tea"), "{json}");
    let (listed, _) = run(&folder, &["memory", "list", "--guild", "7"]);
    assert!(listed.ends_with("Game night\n"), "{listed}");

    let (_, told) = run(&folder, &["privacy", "opt-out", person]);
    assert!(told.contains("is never read again"), "{told}");
    assert_eq!(run(&folder, &["privacy", "list"]).0, format!("{person}\n"));
    run(&folder, &["erase", "--user", person, "--yes"]);
    assert_eq!(run(&folder, &["privacy", "list"]).0, format!("{person}\n"));
    let (_, told) = run(&folder, &["privacy", "opt-in", person]);
    assert_eq!(told, format!("{person} is read again\n"));
    assert_eq!(run(&folder, &["privacy", "list"]).0, "");
}
