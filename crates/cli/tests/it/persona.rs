//! `kaiwa persona`: on a data folder that no bot uses.

use std::fs;

use tempfile::TempDir;

use crate::terminal::{assert_failure, kaiwa};

const CARDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../card/tests/cards");

/// Runs a command and returns what it prints: results, then words.
fn run(folder: &TempDir, args: &[&str]) -> (String, String) {
    let output = kaiwa(folder.path(), args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn cards_go_in_and_come_out() {
    let folder = TempDir::new().unwrap();
    let list = || run(&folder, &["persona", "list", "--guild", "7"]).0;
    assert_eq!(list(), "");
    for (card, name) in [
        ("mina.png", "Mina"),
        ("kaiwa.v3.json", "Pip"),
        ("yuki.charx", "Yuki"),
    ] {
        let card = format!("{CARDS}/{card}");
        let told = run(&folder, &["persona", "import", "--guild", "7", &card]).1;
        let left_out = match name {
            "Yuki" => "left out: what only other programs can use: module.risum\n",
            _ => "",
        };
        assert_eq!(told, format!("{name} speaks in server 7\n{left_out}"));
    }
    assert_eq!(
        list(),
        "1  Mina\n2  Pip  (pip, little one), degree 2, ollama/small\n3  Yuki\n"
    );
    for format in ["png", "v2", "v3", "charx", "toml"] {
        let out = folder.path().join(format!("yuki.{format}"));
        let out = out.to_str().unwrap();
        let export = [
            "persona", "export", "--guild", "7", "--format", format, "yuki", out,
        ];
        let told = run(&folder, &export).1;
        let hint = match format {
            "v2" => {
                "its pictures are not in it: version 2 has no place for them, and png, v3, charx and toml have\n"
            }
            _ => "",
        };
        assert_eq!(told, format!("Yuki is in {out}\n{hint}"));
        let import = ["persona", "import", "--guild", "8", out];
        run(&folder, &import);
        run(
            &folder,
            &[
                "persona",
                "import",
                "--guild",
                "8",
                "--replace",
                "Yuki",
                out,
            ],
        );
        let again = kaiwa(folder.path(), &import).output().unwrap();
        assert_failure(
            &again,
            "kaiwa: there is a persona \"Yuki\" in server 8 already: --replace \"Yuki\" puts the card in its place",
        );
        assert_eq!(again.status.code(), Some(2), "{again:?}");
        fs::remove_file(out).unwrap();
        // The next one takes its place.
        let erase = ["erase", "--guild", "8", "--yes"];
        run(&folder, &erase);
    }
}

#[test]
fn a_preset_becomes_part_of_a_persona() {
    let folder = TempDir::new().unwrap();
    let card = format!("{CARDS}/mina.png");
    run(&folder, &["persona", "import", "--guild", "7", &card]);
    let preset = format!("{CARDS}/chat.preset.json");
    let import = ["persona", "import", "--guild", "7"];
    let into = [&import[..], &["--replace", "mina", &preset]].concat();
    for _ in 0..2 {
        let told = run(&folder, &into).1;
        assert_eq!(
            told,
            "what the preset says is part of Mina now\nleft out: temperature, top_p\n"
        );
    }
    let out = folder.path().join("mina.toml");
    let out = out.to_str().unwrap();
    let export = [
        "persona", "export", "--guild", "7", "--format", "toml", "Mina", out,
    ];
    run(&folder, &export);
    let text = fs::read_to_string(out).unwrap();
    assert_eq!(text.matches("Stay in character.").count(), 1, "{text}");
    assert!(text.contains("keeps a small tea house"), "{text}");

    let nobody = [&import[..], &["--replace", "Nobody", &preset]].concat();
    let output = kaiwa(folder.path(), &nobody).output().unwrap();
    assert_failure(
        &output,
        "kaiwa: there is no persona \"Nobody\" of server 7: `kaiwa persona list` shows those there are",
    );
    let alone = [&import[..], &[&preset]].concat();
    let output = kaiwa(folder.path(), &alone).output().unwrap();
    assert_failure(
        &output,
        &format!(
            "kaiwa: the card {preset} cannot be used: it is a preset, not a character: say which \
             persona it is for, with --replace NAME"
        ),
    );
}

#[test]
fn what_is_no_card_is_refused_with_what_to_do() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("notes.txt");
    let path = file.to_str().unwrap();
    let check = |content: &[u8], expect: &str| {
        fs::write(&file, content).unwrap();
        let args = ["persona", "import", "--guild", "7", path];
        let output = kaiwa(folder.path(), &args).output().unwrap();
        assert_failure(
            &output,
            &format!("kaiwa: the card {path} cannot be used: {expect}"),
        );
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    };
    check(b"{}", "it is no character card: there is no name in it");
    check(
        b"\x89PNG\r\n\x1a\n",
        "the picture is cut off: download it again",
    );
    check(
        b"RIFF\x64\0\0\0WEBPVP8X",
        "it is a WebP picture, of which no character can be made: give a PNG, JSON, charx or TOML file",
    );
    check(
        b"name: Ooba\ngreeting: hi\n",
        "it is YAML, of which no character can be made: give a PNG, JSON, charx or TOML file",
    );
    let nobody = ["persona", "export", "--guild", "7", "Nobody", path];
    let output = kaiwa(folder.path(), &nobody).output().unwrap();
    assert_failure(
        &output,
        "kaiwa: there is no persona \"Nobody\" of server 7: `kaiwa persona list` shows those there are",
    );
}
