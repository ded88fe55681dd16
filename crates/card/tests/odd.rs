//! Cards that are odd and legal, as other people's programs write them: each is
//! read as what it means, or refused with what to do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this file is tests"
)]

use kaiwa_card::{CharacterCard, read, write};
use kaiwa_domain::{CardFormat, Persona};
use serde_json::{Value, json};

#[path = "odd/pictures.rs"]
mod pictures;

use pictures::zip;

fn utf16(text: &str, write: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(write).collect()
}

fn v2(data: &Value) -> Vec<u8> {
    let card = json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": data});
    card.to_string().into_bytes()
}

fn v3(data: &Value) -> Vec<u8> {
    let card = json!({"spec": "chara_card_v3", "spec_version": 3, "data": data});
    card.to_string().into_bytes()
}

/// What a persona is, in a line.
fn told(card: &CharacterCard) -> String {
    let Persona {
        name,
        personality,
        dialogues,
        greetings,
        lore,
        triggers,
        degree,
        ..
    } = &card.persona;
    let lore: Vec<String> = lore
        .iter()
        .map(|it| {
            format!(
                "{}={}{}",
                it.keys.join("+"),
                it.text,
                if it.always { "!" } else { "" }
            )
        })
        .collect();
    let sprites: Vec<&str> = card.sprites.iter().map(|it| &*it.name).collect();
    let parts = [
        ("d", dialogues.join("|")),
        ("g", greetings.join("|")),
        ("l", lore.join("|")),
        ("t", triggers.join("|")),
        ("s", sprites.join("|")),
        ("n", degree.map(|it| it.to_string()).unwrap_or_default()),
    ];
    let said = parts.iter().filter(|(_, text)| !text.is_empty());
    let said: Vec<String> = said.map(|(key, text)| format!(" {key}:{text}")).collect();
    format!("{name}: {personality}{}", said.concat()).replace('\n', "/")
}

/// What was left out, as people read it.
fn left_out(file: &[u8]) -> String {
    let named = read(file).unwrap().left_out;
    let named: Vec<String> = named.iter().map(ToString::to_string).collect();
    named.join("; ")
}

fn check(what: &str, file: &[u8], expect: &str) {
    let card = read(file).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(told(&card), expect, "{what}");
    // And it comes back.
    let pictures = std::collections::HashMap::new();
    for format in CardFormat::ALL {
        let again = write(&card.persona, &pictures, format).expect(what);
        let again = read(&again).unwrap_or_else(|error| panic!("{what}, again: {error}"));
        let again = Persona {
            card: card.persona.card.clone(),
            ..again.persona
        };
        assert_eq!(again, card.persona, "{what}");
    }
}

#[test]
fn odd_cards_are_read_as_what_they_mean() {
    let plain = json!({"name": "Kai", "description": "A fisher."});
    let flat = r#"{"name": "Kai", "description": "A fisher.", "personality": null}"#;
    check("version 1", flat.as_bytes(), "Kai: A fisher.");
    check(
        "a mark before it",
        format!("\u{feff}\n\t {flat}").as_bytes(),
        "Kai: A fisher.",
    );
    check(
        "UTF-16 LE",
        &utf16(flat, u16::to_le_bytes),
        "Kai: A fisher.",
    );
    check(
        "UTF-16 BE",
        &utf16(flat, u16::to_be_bytes),
        "Kai: A fisher.",
    );
    let half = [utf16(flat, u16::to_le_bytes), vec![b'\n']].concat();
    check("half a letter at the end", &half, "Kai: A fisher.");
    check("version 2", &v2(&plain), "Kai: A fisher.");
    check("version 3", &v3(&plain), "Kai: A fisher.");
    let both = json!({"name": "Old", "description": "old", "data": plain, "spec": "chara_card_v2"});
    check("both ways", both.to_string().as_bytes(), "Kai: A fisher.");
    let empty = json!({"name": "Kai", "description": "A fisher.", "data": {}, "spec": null});
    check(
        "data without anything",
        empty.to_string().as_bytes(),
        "Kai: A fisher.",
    );
    let text = json!({"name": "Kai", "description": "A fisher.", "data": "later"});
    check(
        "data that is text",
        text.to_string().as_bytes(),
        "Kai: A fisher.",
    );
    check("a name alone", br#"{"name": "Kai"}"#, "Kai: ");
    check(
        "an old name",
        br#"{"char_name": "Kai", "char_persona": "x"}"#,
        "Kai: x",
    );
    let odd = json!({"name": "  Kai\r\n the\u{7} fisher ", "description": "a\r\nb\u{0}"});
    check("letters that nobody sees", &v2(&odd), "Kai the fisher: a/b");
    check(
        "a number for a name",
        br#"{"name": 9, "description": 1.5}"#,
        "9: 1.5",
    );
    let turned = json!({"name": "\u{200b}a\u{202e}gnp\u{2060}.exe", "description": "x"});
    check("letters that turn others", &v2(&turned), "agnp.exe: x");
    for (name, triggers, is_told) in [
        ("🍵👨\u{200d}👩\u{200d}👧", json!([]), true),
        ("```", json!(["!!"]), true),
        ("🍵", json!(["tea"]), false),
        ("茶", json!([]), false),
    ] {
        let card = v2(&json!({"name": name, "extensions": {"kaiwa": {"triggers": triggers}}}));
        let told = left_out(&card);
        let expect =
            "its name as a word that calls it, which has no letters: give it a trigger word";
        assert_eq!(told, if is_told { expect } else { "" }, "{name}");
    }
    let outside = json!({"spec": "chara_card_v2", "name": "Kai", "description": "old",
        "data": {"description": "A fisher.", "tags": []}});
    check(
        "a name outside",
        outside.to_string().as_bytes(),
        "Kai: A fisher.",
    );
    let trailing = format!("{flat}\r\n\0\u{feff}\0");
    check(
        "a mark and NULs after it",
        trailing.as_bytes(),
        "Kai: A fisher.",
    );
    for write in [u16::to_le_bytes, u16::to_be_bytes] {
        let bare = utf16(flat, write).split_off(2);
        check("UTF-16 without a mark", &bare, "Kai: A fisher.");
    }
    let doubled = br#"{"name": "Old", "name": "Kai", "description": "x"}"#;
    check("a field twice", doubled, "Kai: x");
}

#[test]
fn halves_of_letters_become_marks() {
    let with = |text: &str| format!(r#"{{"name": "Kai", "description": "{text}"}}"#);
    for (text, expect) in [
        (r"cut \ud83d", "cut \u{fffd}"),
        (r"\ud83d\ude00", "\u{1f600}"),
        (r"\uD83D\uDE00 \uDE00", "\u{1f600} \u{fffd}"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}"),
        (r"\ud83d\u0041", "\u{fffd}A"),
        (r"\ud83d\n", "\u{fffd}"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d.", "\\\u{fffd}."),
    ] {
        check(text, with(text).as_bytes(), &format!("Kai: {expect}"));
    }
    let whole = with("茶会 caf");
    let broken = [&whole.as_bytes()[..whole.len() - 2], b"\xf0\x9f\"}"].concat();
    check("a broken letter", &broken, "Kai: 茶会 caf\u{fffd}");
    let mut half = utf16(&with("x"), u16::to_le_bytes);
    let end = half.len() - 6;
    half[end..end + 2].copy_from_slice(&0xd83d_u16.to_le_bytes());
    check("half a letter in UTF-16", &half, "Kai: \u{fffd}");
    let many = with(&r"\ud83d".repeat(400_000));
    assert!(read(many.as_bytes()).is_ok());
}

#[test]
fn fields_of_the_wrong_kind_are_read_as_well_as_can_be() {
    let with = |change: Value| {
        let mut data = json!({"name": "Kai", "description": "x"});
        let all = data.as_object_mut().unwrap();
        all.extend(change.as_object().unwrap().clone());
        v2(&data)
    };
    let nulls = json!({"personality": null, "alternate_greetings": null, "extensions": null,
        "character_book": null, "tags": null, "assets": null, "mes_example": null});
    check("nothing in them", &with(nulls), "Kai: x");
    let lists = json!({"description": ["a", "b"], "alternate_greetings": "hi", "extensions": [],
        "tags": "one", "assets": "none", "character_book": "none"});
    check("lists and texts", &with(lists), "Kai: a/b g:hi");
    let greetings = json!({"first_mes": "", "alternate_greetings": ["", null, 7, "hello"]});
    check(
        "greetings of all kinds",
        &with(greetings),
        "Kai: x g:7|hello",
    );
    let dialogues = json!({"mes_example": "a\n<start>\nb\r\n<START>\n\n<Start>c"});
    check("marks in any case", &with(dialogues), "Kai: x d:a|b|c");
    let degree = json!({"extensions": {"kaiwa": {"degree": "4", "triggers": "fish"}}});
    check("numbers as texts", &with(degree), "Kai: x t:fish n:4");
    let degree = json!({"extensions": {"kaiwa": {"degree": 9, "triggers": [1]}}});
    check("numbers that are none", &with(degree), "Kai: x t:1");
    let odd = json!({"name": 9, "scenario": null, "creator": 7, "character_version": 1.5, "tags": null,
        "system_prompt": ["a", "b"], "alternate_greetings": [null, 3], "character_book": null,
        "nickname": null, "creator_notes": true, "first_mes": 4});
    let odd = read(&with(odd)).unwrap().persona;
    for format in [CardFormat::V2, CardFormat::V3] {
        let file = write(&odd, &std::collections::HashMap::new(), format).unwrap();
        let file: Value = serde_json::from_slice(&file).unwrap();
        let mut data = file["data"].clone();
        let all = data.as_object_mut().unwrap();
        all.remove("group_only_greetings");
        let expect = json!({"name": "9", "description": "x", "personality": "", "scenario": "",
            "creator": "7", "character_version": "1.5", "tags": [], "system_prompt": "a\nb",
            "alternate_greetings": ["3"], "creator_notes": "true", "first_mes": "4",
            "mes_example": "", "post_history_instructions": "", "extensions": {}});
        assert_eq!(data, expect);
    }
    let original = json!({"system_prompt": "{{original}}\nBe Kai.", "scenario": "rain"});
    check(
        "what others would say",
        &with(original),
        "Kai: Be Kai.//x//Scenario: rain",
    );
}

#[test]
fn lore_is_found_however_it_is_written() {
    let with =
        |book: Value| v3(&json!({"name": "Kai", "description": "x", "character_book": book}));
    let listed = json!({"entries": [
        {"keys": ["sea", "salt"], "content": "Wet.", "enabled": true},
        {"keys": "tide, ebb", "content": "Twice a day.", "insertion_order": "5"},
        {"keys": [], "content": "Always.", "constant": "true"},
        {"keys": ["gone"], "content": "x", "enabled": "false"},
        {"keys": ["empty"], "content": ""},
        {"keys": [], "content": "Never."},
        "no entry", null,
    ]});
    let expect = "Kai: x l:sea+salt=Wet.|tide+ebb=Twice a day.|=Always.!";
    check("a book", &with(listed), expect);
    let numbered = json!({"entries": {
        "0": {"key": ["sea"], "content": "Wet.", "disable": 0},
        "1": {"key": ["gone"], "content": "x", "disable": 1},
    }});
    check("a book of its own", &with(numbered), "Kai: x l:sea=Wet.");
    let bare = json!([{"keys": ["sea"], "content": "@@depth 4\nWet."}]);
    check("a list without a book", &with(bare), "Kai: x l:sea=Wet.");
    let ordered = json!({"entries": [
        {"keys": ["c"], "content": "3", "insertion_order": 30},
        {"keys": ["d"], "content": "4"},
        {"keys": ["a"], "content": "1", "insertion_order": -1.5},
        {"keys": ["b"], "content": "2", "insertion_order": "7"},
    ]});
    check("an order", &with(ordered), "Kai: x l:a=1|b=2|c=3|d=4");
    let numbers = |it: usize| {
        (
            it.to_string(),
            json!({"key": [format!("k{it}")], "content": it}),
        )
    };
    let numbers: serde_json::Map<String, Value> = (8..12).map(numbers).collect();
    check(
        "numbers that are counted",
        &with(json!({"entries": numbers})),
        "Kai: x l:k8=8|k9=9|k10=10|k11=11",
    );
    let marked = json!([
        {"keys": [], "content": "@@constant\n@@depth 2\nWet."},
        {"keys": ["a"], "content": "@@activate\nSalty."},
        {"keys": ["b"], "content": "@@dont_activate\nNever."},
    ]);
    check(
        "marks for programs",
        &with(marked),
        "Kai: x l:=Wet.!|a=Salty.!",
    );
    let patterns = json!([
        {"keys": ["/sea|salt/i"], "content": "1"},
        {"keys": ["/\\b(?:tide|ebb)\\b/"], "content": "2"},
        {"keys": ["/^wave{1,2}s$/", "wave"], "content": "3"},
        {"keys": ["(reef|shoal)"], "use_regex": true, "content": "4"},
        {"keys": ["and/or", "/"], "content": "5"},
        {"keys": ["/[a-z]+/"], "content": "6"},
    ]);
    let patterns = with(patterns);
    let expect = "Kai: x l:sea+salt=1|tide+ebb=2|wave=3|reef+shoal=4|and/or+/=5";
    check("patterns of words", &patterns, expect);
    assert_eq!(
        left_out(&patterns),
        "lore entries: 1; keys of lore entries: 1"
    );
    let conditions = with(json!([
        {"keys": ["a"], "secondary_keys": ["b"], "selective": true, "content": "1"},
        {"keys": ["a"], "secondary_keys": ["b"], "selective": false, "content": "2"},
        {"keys": ["a"], "secondary_keys": [], "selective": true, "content": "3"},
        {"keys": ["a"], "content": "@@exclude_keys b\n4"},
    ]));
    check("conditions", &conditions, "Kai: x l:a=1|a=2|a=3|a=4");
    assert_eq!(
        left_out(&conditions),
        "further conditions of lore entries: 2"
    );
    let both = json!([
        {"keys": ["a"], "content": "@@dont_activate\n@@activate\n1"},
        {"keys": ["b"], "content": "@@other_program 4\n@@@constant\n2"},
        {"keys": ["c"], "content": "@@constant\n@@@dont_activate\n3"},
        {"keys": ["d"], "content": "@@other\n@@@another\n@@@activate\n4"},
        {"keys": ["e"], "content": "@@other\n@@@constant\n@@@dont_activate\n5"},
        {"keys": ["f"], "content": "@@@constant\n6"},
    ]);
    let expect = "Kai: x l:a=1!|b=2!|c=3!|d=4!|e=5!|f=6";
    check("marks that count if others do not", &with(both), expect);
    let conditions = json!([
        {"keys": ["a"], "extensions": {"probability": 5, "useProbability": true}},
        {"keys": ["a"], "extensions": {"probability": 5, "useProbability": false}},
        {"keys": ["a"], "extensions": {"probability": 100, "useProbability": true, "group": "",
            "sticky": 0, "cooldown": null, "delay": "0", "case_sensitive": null}},
        {"keys": ["a"], "probability": "50"},
        {"keys": ["a"], "extensions": {"sticky": 3}},
        {"keys": ["a"], "cooldown": 3},
        {"keys": ["a"], "extensions": {"delay": 2}},
        {"keys": ["a"], "extensions": {"group": "g"}},
        {"keys": ["a"], "case_sensitive": true},
        {"keys": ["a"], "case_sensitive": false, "selectiveLogic": 0},
        {"keys": ["a"], "caseSensitive": true},
        {"key": ["a"], "keysecondary": ["b"], "selective": true},
        {"key": ["a"], "keysecondary": ["b"], "selective": false},
        {"key": ["a"], "keysecondary": []},
    ]);
    let mut conditions = conditions.as_array().unwrap().clone();
    for entry in &mut conditions {
        entry["content"] = "x".into();
    }
    let conditions = with(json!({"entries": conditions}));
    let expect = format!("Kai: x l:{}", ["a=x"; 14].join("|"));
    check("conditions of other programs", &conditions, &expect);
    assert_eq!(
        left_out(&conditions),
        "further conditions of lore entries: 9"
    );
    let commas = json!([
        {"keys": ["Smith, John", "a\nb"], "content": "1"},
        {"keys": "tide, ebb", "content": "2"},
    ]);
    let expect = "Kai: x l:Smith, John+a+b=1|tide+ebb=2";
    check("keys with commas", &with(commas), expect);
    check(
        "a book without entries",
        &with(json!({"name": "sea"})),
        "Kai: x",
    );
}

#[test]
fn cards_of_agnai_are_read() {
    let with = |kind: &str, attributes: Value| {
        let card = json!({
            "kind": "character", "_id": "x", "name": "Kai", "description": "A short blurb",
            "appearance": "tall", "persona": {"kind": kind, "attributes": attributes},
            "greeting": "Ahoy.", "sampleChat": "{{user}}: hi\n{{char}}: Ahoy.",
            "scenario": "A boat.", "alternateGreetings": ["Hm?"], "systemPrompt": "Be Kai.",
            "postHistoryInstructions": "Be brief.", "tags": ["sea"],
            "insert": {"prompt": "Never lie.", "depth": 3},
            "characterBook": {"kind": "memory", "name": "b", "entries": [
                {"name": "e", "entry": "Wet.", "keywords": ["sea"], "priority": 1, "weight": 2, "enabled": true},
                {"name": "f", "entry": "Salty.", "keywords": ["salt"], "weight": 1, "enabled": true},
                {"name": "g", "entry": "Off.", "keywords": ["off"], "enabled": false},
            ]},
        });
        card.to_string().into_bytes()
    };
    let expect = |who: &str| {
        format!(
            "Kai: Be Kai.//{who}//Scenario: A boat.//Be brief.//Never lie. d:{{{{user}}}}: \
             hi/{{{{char}}}}: Ahoy. g:Ahoy.|Hm? l:salt=Salty.|sea=Wet."
        )
    };
    let text = with("text", json!({"text": ["A fisher."]}));
    check("Agnai's texts", &text, &expect("A fisher."));
    for kind in ["boostyle", "wpp", "sbf", "attributes"] {
        let lists = json!({"trade": ["fisher", "smith"], "mood": ["calm"], "none": []});
        let expect = expect("mood: calm/trade: fisher, smith");
        check(kind, &with(kind, lists), &expect);
    }
    let card = read(&text).unwrap().persona;
    let file = write(&card, &std::collections::HashMap::new(), CardFormat::V2).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let data = &file["data"];
    assert_eq!(data["creator_notes"], "A short blurb");
    assert_eq!(data["description"], "A fisher.");
    assert_eq!(data["first_mes"], "Ahoy.");
    assert_eq!(data["appearance"], "tall");
    assert_eq!(data["character_book"]["entries"][0]["keys"], json!(["sea"]));
    assert_eq!(data["character_book"]["entries"][0]["priority"], 1);
}

#[test]
fn a_nickname_is_what_it_is_called() {
    let card = v3(&json!({
        "name": "Bartholomew", "nickname": "Bart", "description": "{{char}} and <BOT>, {{user}}.",
        "mes_example": "{{user}}: hi {{char}}\n{{char}}: {{Char}} is here.",
        "first_mes": "I am {{char}}.",
        "character_book": {"entries": [{"keys": ["tea"], "content": "{{char}} likes it."}]},
    }));
    check(
        "a nickname",
        &card,
        "Bartholomew: Bart and Bart, {{user}}. d:{{user}}: hi Bart/{{char}}: Bart is here. \
         g:I am {{char}}. l:tea=Bart likes it. t:Bart",
    );
    let long = v3(&json!({"name": "Kai", "nickname": "n".repeat(90_000),
        "description": "{{char}}".repeat(9_000)}));
    assert!(
        read(&long)
            .unwrap()
            .persona
            .personality
            .starts_with("{{char}}")
    );
}

#[test]
fn what_only_other_programs_can_use_is_named() {
    let with = |change: Value| {
        let mut data = json!({"name": "Kai", "description": "x"});
        let all = data.as_object_mut().unwrap();
        all.extend(change.as_object().unwrap().clone());
        left_out(&v2(&data))
    };
    let script = json!([{"scriptName": "s", "findRegex": "/x/"}]);
    let book = json!({"entries": [{"keys": ["a"], "content": "b"}]});
    for (change, expect) in [
        (
            json!({"extensions": {"regex_scripts": script}}),
            "regex_scripts",
        ),
        (
            json!({"extensions": {"regex_scripts": [], "world": " "}}),
            "",
        ),
        (json!({"extensions": {"world": "Sea"}}), "world"),
        (
            json!({"extensions": {"world": "Sea"}, "character_book": book}),
            "",
        ),
        (
            json!({"extensions": {"world": "Sea", "regex_scripts": script,
            "risuai": {"triggerscript": script, "customScripts": [], "bias": [1]}}}),
            "regex_scripts, world, risuai.triggerscript",
        ),
    ] {
        let expect = match expect {
            "" => String::new(),
            expect => format!("what only other programs can use: {expect}"),
        };
        assert_eq!(with(change), expect);
    }
}

#[test]
fn what_is_no_card_says_what_to_do() {
    let check = |what: &str, file: &[u8], expect: &str| {
        let told = read(file).map(|card| told(&card)).expect_err(what);
        let told = told.to_string();
        assert!(told.contains(expect), "{what}: {told}");
    };
    let data = |change: Value| {
        let mut data = json!({"name": "Kai", "description": "x"});
        let all = data.as_object_mut().unwrap();
        all.extend(change.as_object().unwrap().clone());
        v2(&data)
    };
    let book = br#"{"name": "Sea", "entries": {"0": {"key": ["sea"], "content": "Wet."}}}"#;
    check("a lorebook", book, "lorebook, not a character");
    let book = json!({"spec": "lorebook_v3", "data": {"name": "Sea", "entries": [
        {"keys": ["a"], "content": "x", "enabled": true}]}});
    let book = book.to_string();
    check("a lorebook 3", book.as_bytes(), "lorebook, not a character");
    let book = json!({"kind": "memory", "name": "Sea", "description": "", "entries": [
        {"entry": "x", "keywords": ["a"]}]});
    let book = book.to_string();
    check("Agnai's book", book.as_bytes(), "lorebook, not a character");
    let template = br#"{"story_string": "{{system}}", "chat_start": "***", "name": "Default"}"#;
    check(
        "a context template",
        template,
        "a context template of SillyTavern",
    );
    let template =
        br#"{"name": "Deep", "prefix": "<think>", "suffix": "</think>", "separator": ""}"#;
    check(
        "a reasoning template",
        template,
        "a reasoning template of SillyTavern",
    );
    let instruct = br#"{"input_sequence": "<I>", "output_sequence": "<R>", "name": "A"}"#;
    check("an instruct template", instruct, "preset");
    let risu = br#"{"mainPrompt": "Be {{char}}.", "name": "A"}"#;
    check("a preset of RisuAI", risu, "preset");
    let package = br#"{"name": "left-pad", "version": "1.0.0", "scripts": {}}"#;
    check("a package", package, "says nothing of anybody");
    let webp = b"RIFF\x64\0\0\0WEBPVP8X\0\0\0\0";
    check("a WebP", webp, "a WebP picture");
    check("a GIF", b"GIF89a\0\0", "a GIF picture");
    let avif = b"\0\0\0\x1cftypavif\0\0\0\0";
    check("an AVIF", avif, "an AVIF picture");
    check("YAML", b"name: Kai\ngreeting: hi\n", "YAML");
    check("YAML with a mark", b"---\n# Kai\nname: Kai\n", "YAML");
    check(
        "a mistake in TOML",
        b"name = \"Kai\"\npersonality: x\n",
        "line 2",
    );
    let backyard: [(&str, &[u8]); 2] = [
        ("manifest.json", b"{}"),
        ("characters/x/character.json", b"{}"),
    ];
    check("Backyard's", &zip(&backyard), "Backyard AI");
    check("nobody", &data(json!({"name": " \n "})), "no name");
    let unseen = json!({"name": "\u{200b}\u{200b}"});
    check("nobody to be seen", &data(unseen), "no name");
    let filler = json!({"name": "\u{3164}"});
    check("nobody to be seen", &data(filler), "needs a name");
    let mention = json!({"name": "<@123456789012345678>"});
    check(
        "somebody else",
        &data(mention),
        "the name holds a mention: write it in letters",
    );
    for page in [
        "<!DOCTYPE html><p>404",
        "\n<html>",
        "\u{feff} <?xml version=\"1.0\"?>",
    ] {
        check(
            "a web page",
            page.as_bytes(),
            "a web page: download the card itself",
        );
    }
    for empty in [&b""[..], b" \n ", b"\0\0", "\u{feff}".as_bytes()] {
        check("nothing", empty, "is empty: download or export it again");
    }
    for other in [
        "null",
        "\"{}\"",
        "hello there",
        "```json\n{}\n```",
        "# a remark",
    ] {
        check(
            "something else",
            other.as_bytes(),
            "no character card: give a PNG",
        );
    }
    check("half a card", br#"{"name": "Kai", "descr"#, "no JSON");
    let cyrillic = b"{\"name\": \"\xd2\xb8\xf3\xe8\xef\xeb\xee\"}";
    check("yet another alphabet", cyrillic, "UTF-8");
    check("another alphabet", b"{\"name\": \"K\xe4i\"}", "UTF-8");
    check(
        "no archive of ours",
        &zip(&[("a.txt", b"x")]),
        "an archive without a card.json",
    );
    for file in ["a.png", "b/Kai.JSON", "c.charx"] {
        check(
            "an archive of cards",
            &zip(&[(file, b"x")]),
            "unpack it, and import",
        );
    }
    let files: Vec<String> = (0..2_001).map(|it| it.to_string()).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|it| (&**it, &b""[..])).collect();
    check("many files", &zip(&files), "more than 2000 files: pack");
    let mut locked = zip(&[("card.json", br#"{"name": "Kai"}"#)]);
    for mark in [b"PK\x03\x04\x14\0", b"PK\x01\x02\x14\0"] {
        let at = locked.windows(6).position(|it| it == mark).unwrap();
        let flags = at + if mark[2] == 3 { 6 } else { 8 };
        locked[flags] |= 1;
    }
    assert!(read(&locked).is_ok(), "it only says that it has one");
    let at = locked.windows(5).position(|it| it == b"\"Kai\"").unwrap();
    locked[at] ^= 1;
    check("a password", &locked, "has a password: pack it again");
}
