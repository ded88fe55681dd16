//! Files with very much in them: reading them takes little time and room, and
//! what is too much says what to do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this file is tests"
)]

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kaiwa_card::{FILE_BYTES, read, read_preset, write};
use kaiwa_domain::{CardFormat, Persona, PictureId};
use serde_json::json;

#[test]
fn much_of_anything_comes_to_an_end() {
    const MANY: usize = 20_000;
    let red = format!("data:image/png;base64,{}", STANDARD.encode(b"\x89PNG"));
    let name = |it: usize| format!("mood {it}");
    let assets = (0..MANY)
        .map(|it| json!({"type": "emotion", "name": name(it), "uri": if it < 100 { &red } else { "data:" }}));
    let sprites = (0..MANY).map(|it| json!({"name": name(it), "usage": it}));
    let kaiwa = json!({"sprites": sprites.collect::<Vec<_>>()});
    let card = json!({"data": {"name": "Kai", "assets": assets.collect::<Vec<_>>(),
        "extensions": {"kaiwa": kaiwa}}});
    let card = read(card.to_string().as_bytes()).unwrap();
    assert_eq!(card.sprites.len(), 50);
    assert_eq!(card.sprites[49].usage, "49");

    let prompts = (0..MANY).map(|it| json!({"identifier": name(it), "content": it}));
    let order = (0..MANY).chain(0..100);
    let order = order.map(|it| json!({"identifier": name(it)}));
    let preset = json!({"prompts": prompts.collect::<Vec<_>>(),
        "prompt_order": [{"order": order.collect::<Vec<_>>()}]});
    let preset = read_preset(preset.to_string().as_bytes()).unwrap();
    assert_eq!(
        preset.text.lines().filter(|it| !it.is_empty()).count(),
        MANY
    );
}

#[test]
fn too_many_values_are_refused_before_they_take_room() {
    let refused = |what: &str, file: &[u8]| {
        let told = read(file).map(|card| card.persona.name).expect_err(what);
        assert!(
            told.to_string().contains("too many values: take out"),
            "{what}: {told}"
        );
    };
    let within = |inner: String| format!(r#"{{"name": "Kai", "extensions": {{"x": [{inner}]}}}}"#);
    for (what, value, count) in [
        ("maps", r#"{"":0}"#, 60_000),
        ("lists", "[0]", 60_000),
        ("numbers", "0", 250_000),
    ] {
        let inner = vec![value; count].join(",");
        refused(what, within(inner).as_bytes());
    }
    assert!(read_preset(within(vec!["[]"; 60_000].join(",")).as_bytes()).is_err());
    // In a text they are letters.
    let text = format!(r#""\"{}""#, "{,[".repeat(200_000));
    assert!(read(within(text).as_bytes()).is_ok());

    refused(
        "tables",
        format!(
            "name = \"Kai\"\n{}",
            "[[lore]]\ntext = \"x\"\n".repeat(60_000)
        )
        .as_bytes(),
    );
    refused(
        "dots",
        format!("name = \"Kai\"\n{}", "a.b = 1\n".repeat(80_000)).as_bytes(),
    );
    for quotes in ["\"\"\"", "'''"] {
        let long = format!(
            "name = \"Kai\" # {{\ndialogues = [{quotes}a] # = \"{quotes}]\n[[lore]]\nkeys = ['a'] # {}\ntext = {quotes}{}{quotes}\n",
            "= \"".repeat(300_000),
            "=,\n".repeat(1_000)
        );
        let kai = read(long.as_bytes()).unwrap().persona;
        assert_eq!(kai.dialogues, ["a] # = \""]);
        assert!(kai.lore[0].text.starts_with("=,\n"));
    }
}

/// A persona with a picture of so many bytes.
fn painted(bytes: &[u8]) -> (Persona, HashMap<PictureId, Vec<u8>>) {
    let picture = [b"\x89PNG\r\n\x1a\n", bytes, b"\0\0\0\0IEND\xaeB`\x82"].concat();
    let id = PictureId::of(&picture);
    let persona = Persona {
        name: "Kai".to_owned(),
        avatar: Some(id),
        ..Persona::default()
    };
    (persona, HashMap::from([(id, picture)]))
}

#[test]
fn what_is_written_can_be_read_again_or_says_which_format_fits() {
    let (persona, pictures) = painted(&vec![0; 5 << 20]);
    for format in [CardFormat::V3, CardFormat::Toml, CardFormat::Charx] {
        let name = format.name();
        let file = write(&persona, &pictures, format).expect(name);
        let card = read(&file).expect(name);
        assert_eq!(card.avatar.as_ref(), pictures.values().next(), "{name}");
    }
    let (persona, pictures) = painted(&vec![0; 8 << 20]);
    let told = write(&persona, &pictures, CardFormat::V3).unwrap_err();
    assert!(
        told.to_string().contains("10 MB: export it as charx"),
        "{told}"
    );
    let file = write(&persona, &pictures, CardFormat::Charx).unwrap();
    assert!(read(&file).unwrap().avatar.is_some());

    // Nothing packs this any further.
    let mut noise = 1_u32;
    let noise = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.to_be_bytes()[0]
    });
    let noise: Vec<u8> = noise.take(FILE_BYTES).collect();
    let (persona, pictures) = painted(&noise);
    let told = write(&persona, &pictures, CardFormat::Charx);
    let told = told.unwrap_err().to_string();
    assert!(told.contains("10 MB") && !told.contains("charx"), "{told}");
}
