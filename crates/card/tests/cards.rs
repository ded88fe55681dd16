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

const ALL: [&str; 19] = [
    "mina.v2.json",
    "rusty.v2.json",
    "olga.v2.json",
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
                avatar: persona.avatar.filter(|_| has_pictures),
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
         {{user}} comes in out of the rain.\n\nstay brief"
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

    let olga = card("olga.v2.json").persona;
    assert!(olga.personality.contains("Never hurry."));
    assert_eq!(olga.lore.len(), 2);
    assert_eq!(data(&olga)["extensions"]["other/program"]["kept"][2], "x");

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
        // It is part of the personality, which says something else now.
        let note = json!({ "prompt": "", "depth": 4 });
        assert_eq!(data["extensions"]["depth_prompt"], note);
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

/// A card that says this beside a name.
fn with(change: Value) -> CharacterCard {
    let mut data = json!({ "name": "Kai" });
    let Value::Object(change) = change else {
        panic!("{change} has no fields");
    };
    data.as_object_mut().unwrap().extend(change);
    let card = json!({ "spec": "chara_card_v2", "data": data });
    read(card.to_string().as_bytes()).unwrap()
}

/// What was left out, as people read it.
fn named(card: &CharacterCard) -> String {
    let named: Vec<String> = card.left_out.iter().map(LeftOut::to_string).collect();
    named.join("; ")
}

fn entry(number: usize, text: &str) -> Value {
    json!({
        "id": number,
        "keys": [format!("key {number}")],
        "secondary_keys": ["second"],
        "comment": format!("comment {number}"),
        "content": text,
        "constant": false,
        "selective": true,
        "insertion_order": number,
        "enabled": !number.is_multiple_of(5),
        "position": "after_char",
        "extensions": { "depth": 4 },
    })
}

fn book(entries: impl Iterator<Item = Value>) -> Value {
    let entries: Vec<Value> = entries.collect();
    json!({ "character_book": { "name": "Sea", "entries": entries, "extensions": {} } })
}

#[test]
fn what_is_too_long_is_left_out_and_named() {
    let plain = |number: usize, text: String| json!({ "keys": [number.to_string()], "content": text, "extensions": {} });
    let many = with(book((0..250).map(|it| plain(it, "tea".to_owned()))));
    assert_eq!(named(&many), "lore entries: 50");
    let long = with(json!({ "name": "x".repeat(100) }));
    assert_eq!(named(&long), "the end of the name");

    let greetings = json!({ "first_mes": "y ".repeat(4_500), "alternate_greetings": ["hi"] });
    let greetings = with(greetings);
    assert_eq!(greetings.persona.greetings, ["hi"]);
    assert_eq!(named(&greetings), "greetings: 1");
    let lore = with(book([plain(0, "Wet sand. ".repeat(500))].into_iter()));
    let text = &lore.persona.lore[0].text;
    assert!(text.ends_with("sand.") && text.len() > 3_900, "{text}");
    assert_eq!(named(&lore), "the ends of lore entries: 1");
    let keys: Vec<String> = (0..50).map(|it| format!("k{it}")).collect();
    let keys = with(book(
        [
            json!({ "keys": ["k".repeat(70), "short"], "content": "a" }),
            json!({ "keys": ["k".repeat(70)], "content": "b" }),
            json!({ "keys": keys, "content": "c" }),
        ]
        .into_iter(),
    ));
    assert_eq!(keys.persona.lore.len(), 2);
    assert_eq!(named(&keys), "lore entries: 1; keys of lore entries: 21");
    let triggers = json!({ "kaiwa": { "triggers": ["t".repeat(70), "fish\tday"] } });
    let triggers = with(json!({ "extensions": triggers }));
    assert_eq!(triggers.persona.triggers, ["fish day"]);
    assert_eq!(named(&triggers), "trigger words: 1");
}

#[test]
fn a_long_personality_ends_with_a_paragraph() {
    let check = |text: &str, expect: usize| {
        let card = with(json!({ "description": text, "scenario": "Rain." }));
        let personality = &card.persona.personality;
        let kept = personality.strip_suffix("\n\nScenario: Rain.").unwrap();
        assert!(text.starts_with(kept));
        assert_eq!(kept.chars().count(), expect);
        let untold = "the middle of the personality, whenever the model is told it (10000 tokens";
        assert!(named(&card).starts_with("the end of the personality"));
        assert_eq!(named(&card).contains(untold), text.starts_with('会'));
    };
    check(&format!("{}\n\n", "a".repeat(998)).repeat(33), 30_998);
    check(&"word ".repeat(6_600), 31_979);
    check(&"Wet sand. ".repeat(4_000), 31_979);
    check(&"会".repeat(40_000), 31_983);
    let both = json!({ "description": "a".repeat(60_000), "system_prompt": "b".repeat(50_000) });
    let both = with(both);
    assert!(both.persona.personality.contains("b\n\na"));
}

#[test]
fn a_long_dialogue_is_split_at_its_turns() {
    let turns = "{{user}}: what now?\n{{char}}: I will tell you of the sea, friend.\n";
    for (before, count) in [("", 150), ("<START>\n", 150), ("Rain.\n", 300)] {
        let text = format!("{before}{}", turns.repeat(count));
        let card = with(json!({ "mes_example": text }));
        let dialogues = &card.persona.dialogues;
        assert_eq!(named(&card), "");
        assert!(
            dialogues[1..]
                .iter()
                .all(|it| it.starts_with("{{user}}: what"))
        );
        assert!(dialogues.iter().all(|it| it.ends_with("friend.")));
        assert_eq!(dialogues.len(), count.div_ceil(118), "{before}");
    }
    let mut turns = "{{user}}: hi\n{{char}}: tea?\n".to_owned();
    turns.push_str(&format!("{{{{char}}}}: {}\n", "x".repeat(9_000)));
    turns.push_str("{{char}}: more?");
    let card = with(json!({ "mes_example": turns }));
    let expect = ["{{user}}: hi\n{{char}}: tea?", "{{char}}: more?"];
    assert_eq!(card.persona.dialogues, expect);
    assert_eq!(named(&card), "sample dialogues: 1");
}

#[test]
fn a_large_card_is_kept_in_part() {
    let kept = |card: &CharacterCard| data(&card.persona);
    let card = with(
        json!({ "junk": "x".repeat(600_000), "small": 1, "tags": ["sea"],
        "extensions": { "one": "y".repeat(300_000), "two": 2 } }),
    );
    assert_eq!(named(&card), "the card's junk, for exports");
    assert_eq!(kept(&card)["small"], 1);
    assert_eq!(kept(&card)["extensions"]["two"], 2);
    let card = with(json!({ "extensions": { "one": "y".repeat(600_000), "two": 2 } }));
    assert_eq!(named(&card), "the card's extensions.one, for exports");
    assert_eq!(kept(&card)["extensions"], json!({ "two": 2 }));

    let large = with(book((1..180).map(|it| entry(it, &"x".repeat(3_900)))));
    assert_eq!(large.persona.lore.len(), 144);
    let named = named(&large);
    assert!(
        named.ends_with("the card's character_book, for exports"),
        "{named}"
    );
    for format in CardFormat::ALL {
        let file = write(&large.persona, &HashMap::new(), format).unwrap();
        assert_eq!(read(&file).unwrap().persona.lore, large.persona.lore);
    }

    // What stands twice in a card is kept once.
    let notes = "x".repeat(300_000);
    let flat = json!({ "name": "Kai", "description": "x", "creator_notes": notes });
    let flat = read(flat.to_string().as_bytes()).unwrap();
    assert!(flat.left_out.is_empty(), "{:?}", flat.left_out);
    let twice = json!({ "name": "Kai", "description": "x", "creatorcomment": notes,
        "data": { "name": "Kai", "description": "x", "creator_notes": notes } });
    let twice = read(twice.to_string().as_bytes()).unwrap();
    assert!(twice.left_out.is_empty(), "{:?}", twice.left_out);
    assert_eq!(kept(&twice)["creator_notes"], notes);
}

#[test]
fn what_was_not_changed_is_written_as_it_was() {
    let alternates: Vec<String> = (0..40).map(|it| format!("greeting {it}")).collect();
    let mut change = book((0..320).map(|it| entry(it, &format!("text {it}"))));
    let long = json!({ "first_mes": "hi", "alternate_greetings": alternates, "name": "K".repeat(99),
        "description": "word ".repeat(9_000), "mes_example": "x".repeat(9_000), "nickname": "Kai",
        "personality": "{{char}} is calm.", "tags": ["sea"], "creator": "somebody" });
    let all = change.as_object_mut().unwrap();
    all.extend(long.as_object().unwrap().clone());
    let before = change.clone();
    let card = with(change);
    for format in [
        CardFormat::V2,
        CardFormat::V3,
        CardFormat::Png,
        CardFormat::Charx,
    ] {
        let file = write(&card.persona, &HashMap::new(), format).unwrap();
        let again = read(&file).unwrap();
        assert_eq!(again.left_out, card.left_out);
        let after = data(&again.persona);
        for (key, value) in before.as_object().unwrap() {
            assert!(&after[key] == value, "{key} as {}", format.name());
        }
    }
}

#[test]
fn changed_lore_takes_the_place_of_what_it_was() {
    let mut persona = with(book(
        (0..10).map(|it| entry(it, &format!("@@depth 4\ntext {it}"))),
    ))
    .persona;
    assert_eq!(persona.lore.len(), 8);
    let edited = |persona: &Persona| {
        let file = write(persona, &HashMap::new(), CardFormat::V2).unwrap();
        let again = read(&file).unwrap().persona;
        assert_eq!(again.lore, persona.lore);
        data(&again)["character_book"].clone()
    };
    persona.lore[0].text = "new text".to_owned();
    persona.lore[1].keys = vec!["new key".to_owned()];
    persona.lore[2].always = true;
    persona.lore.remove(3);
    let new = LoreEntry {
        keys: vec!["salt".to_owned()],
        text: "New.".to_owned(),
        always: false,
    };
    persona.lore.insert(0, new);
    let book = edited(&persona);
    assert_eq!(book["name"], "Sea");
    let entries = book["entries"].as_array().unwrap();
    let find = |id: usize| entries.iter().find(|it| it["id"] == id);
    let same = |id: usize, key: &str, value: Value| {
        let mut expect = entry(id, &format!("@@depth 4\ntext {id}"));
        if !key.is_empty() {
            expect[key] = value;
        }
        assert_eq!(find(id), Some(&expect));
    };
    same(1, "content", json!("@@depth 4\nnew text"));
    same(2, "keys", json!(["new key"]));
    same(3, "constant", json!(true));
    assert_eq!(find(4), None);
    for untouched in [0, 5, 6, 7, 8, 9] {
        same(untouched, "", Value::Null);
    }
    assert_eq!(entries.len(), 10);
    // And in another order.
    persona.lore.reverse();
    edited(&persona);
    persona.lore.clear();
    let off = edited(&persona);
    assert_eq!(off["entries"].as_array().unwrap().len(), 2);
}

#[test]
fn a_changed_personality_keeps_what_is_the_same() {
    let parts = json!({ "system_prompt": "Be Kai.", "description": "A fisher.", "personality": "calm",
        "post_history_instructions": "Be brief.",
        "extensions": { "depth_prompt": { "prompt": "Never lie.", "depth": 4 } } });
    let mut persona = with(parts).persona;
    let whole = "Be Kai.\n\nA fisher.\n\nPersonality: calm\n\nBe brief.\n\nNever lie.";
    assert_eq!(persona.personality, whole);
    let mut check = |personality: &str, expect: [&str; 5]| {
        persona.personality = personality.to_owned();
        let file = write(&persona, &HashMap::new(), CardFormat::V3).unwrap();
        let again = read(&file).unwrap().persona;
        assert_eq!(again.personality, personality);
        let data = data(&again);
        let note = &data["extensions"]["depth_prompt"];
        assert_eq!(note["depth"], 4);
        let parts = [
            &data["system_prompt"],
            &data["description"],
            &data["personality"],
            &data["post_history_instructions"],
            &note["prompt"],
        ];
        assert_eq!(parts, expect);
    };
    check(
        &whole.replace("A fisher", "A sailor"),
        ["Be Kai.", "A sailor.", "calm", "Be brief.", "Never lie."],
    );
    check(
        &format!("Now:\n\n{whole}"),
        [
            "",
            "Now:\n\nBe Kai.\n\nA fisher.",
            "calm",
            "Be brief.",
            "Never lie.",
        ],
    );
    check("Louder.", ["", "Louder.", "", "", ""]);
    check("", ["", "", "", "", ""]);
}

#[test]
fn a_nickname_does_not_hide_what_is_the_same() {
    let parts = json!({ "name": "Bartholomew", "nickname": "Bart", "system_prompt": "Be {{char}}.",
        "description": "{{char}} fishes.", "personality": "calm", "scenario": "{{char}} rows." });
    let mut persona = with(parts).persona;
    let check = |persona: &Persona, expect: [&str; 4]| {
        let file = write(persona, &HashMap::new(), CardFormat::V2).unwrap();
        let again = read(&file).unwrap().persona;
        assert_eq!(again.personality, persona.personality);
        let data = data(&again);
        let parts = ["system_prompt", "description", "personality", "scenario"];
        assert_eq!(parts.map(|it| &data[it]), expect);
    };
    persona.personality = persona.personality.replace("calm", "LOUD");
    check(
        &persona,
        ["Be {{char}}.", "{{char}} fishes.", "LOUD", "{{char}} rows."],
    );
    persona.personality = persona.personality.replace("fishes", "sleeps");
    check(
        &persona,
        [
            "Be {{char}}.",
            "Bart sleeps.\n\nPersonality: LOUD",
            "",
            "{{char}} rows.",
        ],
    );
}

#[test]
fn what_is_no_card_is_refused() {
    let small = CardError::TooLarge { most: 512 << 10 };
    assert!(small.to_string().contains("than 512 KB"), "{small}");
    let check = |file: &[u8], expect: &str| {
        let told = read(file).unwrap_err().to_string();
        assert!(told.contains(expect), "{told}");
    };
    check(&vec![b' '; 11 << 20], "10 MB");
    check(b"{}", "no name");
    check(b"[1]", "no name");
    check(b"{\"name\": ", "no JSON");
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
    check(&endless, "cut off: download it again");
    check(&fixture("mina.png")[..place + 200], "cut off");
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
    assert!(told.contains("larger than 10 MB"), "{told}");
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
    let master = read_preset(&fixture("master.preset.json")).unwrap();
    assert_eq!(
        master.text,
        "Write {{char}} as somebody who writes letters.\n\nEnd with a greeting."
    );
    assert_eq!(master.left_out, ["context", "instruct", "preset"]);
    let spoken = json!({ "temperature": 1, "prompts": [
        { "identifier": "main", "role": "system", "content": "Be kind." },
        { "identifier": "jb", "name": "Jail  break", "role": "user", "content": "Obey." },
        { "identifier": "pre", "role": "assistant", "content": "Sure:" },
        { "identifier": "empty", "role": "user", "content": " " },
        { "identifier": "off", "role": "user", "content": "Off." },
    ], "prompt_order": [{ "order": [{ "identifier": "main" }, { "identifier": "jb" },
        { "identifier": "pre" }, { "identifier": "empty" },
        { "identifier": "off", "enabled": false }] }] });
    let spoken = read_preset(spoken.to_string().as_bytes()).unwrap();
    assert_eq!(spoken.text, "Be kind.");
    let expect = [
        "the prompt Jail break (user)",
        "the prompt pre (assistant)",
        "temperature",
    ];
    assert_eq!(spoken.left_out, expect);
    let risu = json!({ "mainPrompt": "Be {{char}}.", "jailbreak": "", "globalNote": "Be brief." });
    let risu = read_preset(risu.to_string().as_bytes()).unwrap();
    assert_eq!(risu.text, "Be {{char}}.\n\nBe brief.");
    assert_eq!(risu.left_out, [""; 0]);
    for wordless in [
        json!({ "temperature": 1 }),
        json!({ "input_sequence": "<I>", "wrap": true }),
    ] {
        let told = read_preset(wordless.to_string().as_bytes()).unwrap_err();
        assert!(told.to_string().contains("has no words"), "{told}");
    }
    assert!(read_preset(b"nonsense").is_err());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Whatever is done to a file, reading it ends with a card that fits and
    /// comes back from every format, or with an error.
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
            for format in CardFormat::ALL {
                let again = write(&card.persona, &HashMap::new(), format).unwrap();
                let again = read(&again).unwrap().persona;
                let expect = Persona { card: again.card.clone(), ..card.persona.clone() };
                proptest::prop_assert_eq!(again, expect);
            }
        }
        let _ = read_preset(&file);
    }
}
