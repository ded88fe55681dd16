//! Cards as they are found: each is read, and is the same after every way out
//! and back in.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this file is tests"
)]

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use kaiwa_card::{CardError, CharacterCard, LeftOut, read, read_preset, write};
use kaiwa_domain::{CardFormat, LoreEntry, Persona, PictureId, Sprite};
use serde_json::{Value, json};

fn fixture(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn card(name: &str) -> CharacterCard {
    read(&fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The persona with its pictures, as whoever imports it has it.
fn whole(card: CharacterCard) -> (Persona, HashMap<PictureId, Vec<u8>>) {
    let mut pictures = HashMap::new();
    let mut keep = |bytes: Vec<u8>| {
        let id = PictureId::of(&bytes);
        pictures.insert(id, bytes);
        id
    };
    let sprites = card.sprites.into_iter().map(|sprite| Sprite {
        name: sprite.name,
        usage: sprite.usage,
        is_identity: sprite.is_identity,
        picture: keep(sprite.picture),
    });
    let sprites = sprites.collect();
    let avatar = card.avatar.map(&mut keep);
    let persona = Persona {
        avatar,
        sprites,
        ..card.persona
    };
    (persona, pictures)
}

fn data(persona: &Persona) -> Value {
    let card: Value = serde_json::from_str(persona.card.as_deref().unwrap()).unwrap();
    card["data"].clone()
}

const ALL: [&str; 18] = [
    "mina.v2.json",
    "rusty.v2.json",
    "flat.v1.json",
    "pygmalion.v1.json",
    "yuki.v3.json",
    "atlas.v3.json",
    "kaiwa.v3.json",
    "mina.png",
    "both.png",
    "itxt.png",
    "ztxt.png",
    "assets.png",
    "yuki.charx",
    "stored.charx",
    "jpeg.charx",
    "mina.toml",
    "short.toml",
    "painted.toml",
];

#[test]
fn every_card_comes_back_from_every_format() {
    for name in ALL {
        let (persona, pictures) = whole(card(name));
        for format in CardFormat::ALL {
            let told = format!("{name} as {}", format.name());
            let file = write(&persona, &pictures, format).expect(&told);
            let (again, _) = whole(read(&file).expect(&told));
            let has_pictures = format != CardFormat::V2;
            let expect = Persona {
                // A card of its own keeps what is beside the persona.
                card: again.card.clone(),
                avatar: match format {
                    CardFormat::V2 => None,
                    // A picture holds a card, so there is one.
                    CardFormat::Png => persona.avatar.or(again.avatar),
                    _ => persona.avatar,
                },
                sprites: match has_pictures {
                    true => persona.sprites.clone(),
                    false => Vec::new(),
                },
                ..persona.clone()
            };
            assert_eq!(again, expect, "{told}");
            // From then on nothing changes any more.
            let second = write(&again, &pictures, format).expect(&told);
            let third = write(&whole(read(&second).unwrap()).0, &pictures, format).unwrap();
            assert_eq!(second, third, "{told}");
        }
    }
}

#[test]
fn a_card_becomes_a_persona() {
    let mina = card("mina.v2.json").persona;
    assert_eq!(mina.name, "Mina");
    assert_eq!(
        mina.personality,
        "{{char}} keeps a small tea house by the harbour. She is twenty-nine and hums while she \
         works.\n\nPersonality: calm, dry humour, remembers what people drink\n\nScenario: \
         {{user}} comes in out of the rain."
    );
    assert_eq!(mina.dialogues.len(), 2);
    assert!(mina.dialogues[1].starts_with("{{user}}: What do you recommend?"));
    assert_eq!(mina.greetings.len(), 3);
    let lore = |keys: &[&str], text: &str, always| LoreEntry {
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        text: text.to_owned(),
        always,
    };
    assert_eq!(
        mina.lore,
        [
            lore(
                &["ferry", "boat"],
                "The ferry comes at eight and at five.",
                false
            ),
            lore(&[], "It rains most of the year.", true),
        ]
    );
    let tom = card("flat.v1.json").persona;
    assert_eq!(tom.dialogues, ["{{user}}: here kitty\n{{char}}: No."]);
    assert!(
        card("pygmalion.v1.json")
            .persona
            .personality
            .contains("airfield")
    );
    let atlas = card("atlas.v3.json").persona;
    assert!(
        atlas
            .personality
            .starts_with("Write as {{char}} would.\n\nKeeps maps.")
    );
    assert_eq!(atlas.lore[0].text, "The north is blank.");
    let pip = card("kaiwa.v3.json").persona;
    assert_eq!(pip.triggers, ["pip", "little one"]);
    assert_eq!(
        (pip.degree, pip.model.as_deref()),
        (Some(2), Some("ollama/small"))
    );
    let rusty = card("rusty.v2.json").persona;
    assert_eq!(
        rusty.personality,
        "A robot that repairs clocks.\nIt counts aloud."
    );

    let yuki = card("yuki.v3.json");
    assert_eq!(yuki.persona.triggers, ["Yuki"]);
    assert!(yuki.avatar.is_some());
    assert_eq!(yuki.sprites[0].name, "happy");
    assert!(
        !yuki.persona.card.unwrap().contains("base64"),
        "pictures are kept apart"
    );
    assert_eq!(card("both.png").persona.personality, "the newer one");
    assert_eq!(card("itxt.png").persona.name, "Überall");
    assert_eq!(card("ztxt.png").persona.personality.len(), 5000);
    assert_eq!(card("assets.png").sprites[0].name, "angry");
    assert_eq!(card("yuki.charx").sprites[0].name, "sad");
    assert!(card("painted.toml").sprites[0].is_identity);
    assert!(card("mina.png").left_out.is_empty());
}

#[test]
fn what_is_unknown_comes_back() {
    let (mut persona, pictures) = whole(card("mina.v2.json"));
    let before = data(&persona);
    persona.personality = "Louder now.".to_owned();
    persona.triggers = vec!["tea lady".to_owned()];
    for format in [
        CardFormat::V2,
        CardFormat::V3,
        CardFormat::Png,
        CardFormat::Charx,
    ] {
        let file = write(&persona, &pictures, format).unwrap();
        let again = read(&file).unwrap().persona;
        let data = data(&again);
        assert_eq!(
            data["extensions"]["depth_prompt"],
            before["extensions"]["depth_prompt"]
        );
        assert_eq!(data["extensions"]["fav"], json!(true));
        assert_eq!(data["creator"], "somebody");
        assert_eq!(data["tags"], before["tags"]);
        // What was not changed is as it was, down to what is switched off.
        assert_eq!(data["character_book"], before["character_book"]);
        assert_eq!(data["mes_example"], before["mes_example"]);
        assert_eq!(data["description"], "Louder now.");
        assert_eq!(again.personality, "Louder now.");
        assert_eq!(again.triggers, ["tea lady"]);
    }
    let (yuki, pictures) = whole(card("yuki.v3.json"));
    let file = write(&yuki, &pictures, CardFormat::Charx).unwrap();
    let data = data(&read(&file).unwrap().persona);
    assert_eq!(data["extensions"]["risuai"], json!({ "utilityBot": false }));
    assert_eq!(data["creation_date"], 1_700_000_000);
    assert_eq!(data["assets"][0]["name"], "library", "{data}");
}

#[test]
fn what_is_too_much_is_left_out_or_refused() {
    let with = |change: Value| {
        let mut data = json!({ "name": "Kai" });
        data.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        let card = json!({ "spec": "chara_card_v2", "data": data });
        read(card.to_string().as_bytes())
    };
    let entries: Vec<Value> = (0..250)
        .map(|number| json!({ "keys": ["tea"], "content": number.to_string() }))
        .collect();
    let many = with(json!({ "character_book": { "entries": entries } })).unwrap();
    assert_eq!(many.left_out, [LeftOut::Lore(50)]);
    let long = with(json!({ "name": "x".repeat(100) })).unwrap();
    assert_eq!(long.left_out, [LeftOut::Name]);
    let told = with(json!({ "description": "x".repeat(40_000) })).unwrap_err();
    assert!(told.to_string().contains("32000"), "{told}");
    let told = with(json!({ "junk": "x".repeat(600_000) })).unwrap_err();
    assert!(matches!(told, CardError::TooLarge { .. }), "{told}");

    let check = |file: &[u8], expect: &str| {
        let told = read(file).unwrap_err().to_string();
        assert!(told.contains(expect), "{told}");
    };
    check(&vec![b' '; 11 << 20], "10 MB");
    check(&vec![b' '; 5 << 20], "4 MB");
    check(b"{}", "no name");
    check(b"[1]", "no name");
    check(b"{\"name\": ", "no JSON");
    check(b"hello there", "line 1");
    check(b"nmae = \"Kai\"", "unknown field");
    check(b"\x00\xff\xfe\x80", "no character card");
    check(&fixture("chat.preset.json"), "preset");
    check(&fixture("words.preset.json"), "preset");
    let deep = format!("{}\"name\"", "{\"a\":".repeat(5000));
    check(deep.as_bytes(), "no JSON");
}

#[test]
fn damaged_files_say_what_to_do() {
    let check = |file: &[u8], expect: &str| {
        let told = read(file).unwrap_err().to_string();
        assert!(told.contains(expect), "{told}");
    };
    let mut plain = fixture("mina.png");
    let place = plain.windows(5).position(|it| it == b"chara").unwrap();
    plain[place] = b'k';
    check(&plain, "holds no character");
    let mut broken = fixture("mina.png");
    broken[place + 6] = b'*';
    check(&broken, "base64");
    // A checksum is no reason to refuse a card.
    let mut unchecked = fixture("mina.png");
    let end = unchecked.windows(4).position(|it| it == b"IDAT").unwrap();
    unchecked[end - 5] ^= 0xff;
    assert_eq!(read(&unchecked).unwrap().persona.name, "Mina");
    // A chunk that promises more than there is ends the file.
    let mut endless = fixture("mina.png");
    endless[8..12].copy_from_slice(&[0xff; 4]);
    check(&endless, "holds no character");
    let archive = fixture("yuki.charx");
    check(&archive[..archive.len() / 2], "no whole archive");
    check(&[0xff, 0xd8, 0xff, 0xe0], "holds no character");
    check(&fixture("jpeg.charx")[..30], "holds no character");
}

/// A text that unpacks to far more than it is.
#[test]
fn a_packed_text_does_not_explode() {
    use std::io::Write;
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let mut chunk = b"zTXtchara\0\0".to_vec();
    chunk.extend(packed.finish().unwrap());
    let mut file = fixture("mina.png")[..8].to_vec();
    file.extend(u32::try_from(chunk.len() - 4).unwrap().to_be_bytes());
    file.extend(chunk);
    file.extend([0; 4]);
    assert!(file.len() < 1 << 20);
    let told = read(&file).unwrap_err().to_string();
    assert!(told.contains("unpacked"), "{told}");
}

#[test]
fn a_preset_says_how_to_speak() {
    let chat = read_preset(&fixture("chat.preset.json")).unwrap();
    assert_eq!(
        chat.text,
        "Stay in character.\n\nWrite {{char}}'s next reply."
    );
    assert_eq!(chat.left_out, ["temperature", "top_p"]);
    let words = read_preset(&fixture("words.preset.json")).unwrap();
    assert_eq!(words.text, "You are {{char}}. Be brief.");
    assert!(read_preset(b"{\"temperature\": 1}").is_err());
    assert!(read_preset(b"nonsense").is_err());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Whatever is done to a file, reading it ends with a card that fits or
    /// with an error.
    #[test]
    fn broken_files_never_panic(
        which in 0..ALL.len(),
        damage in proptest::collection::vec(
            (proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>()),
            0..12,
        ),
        cut in proptest::prelude::any::<proptest::sample::Index>(),
    ) {
        let mut file = fixture(ALL[which]);
        for (place, byte) in damage {
            let place = place.index(file.len());
            file[place] = byte;
        }
        file.truncate(1 + cut.index(file.len()));
        if let Ok(card) = read(&file) {
            proptest::prop_assert_eq!(card.persona.check(), Ok(()));
        }
        let _ = read_preset(&file);
    }
}
