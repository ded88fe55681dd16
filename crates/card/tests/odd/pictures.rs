//! Pictures and archives, with cards in them and in cards.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::*;

/// The smallest PNG.
const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

/// A picture with these text chunks before its end.
fn png(chunks: &[(&str, &[u8])]) -> Vec<u8> {
    let end = RED.len() - 12;
    let mut file = RED[..end].to_vec();
    for (keyword, text) in chunks {
        let mut chunk = b"tEXt".to_vec();
        chunk.extend(keyword.as_bytes());
        chunk.push(0);
        chunk.extend(*text);
        file.extend(u32::try_from(chunk.len() - 4).unwrap().to_be_bytes());
        let mut sum = flate2::Crc::new();
        sum.update(&chunk);
        file.extend(chunk);
        file.extend(sum.sum().to_be_bytes());
    }
    file.extend(&RED[end..]);
    file
}

/// An archive with these files, as they are.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut index) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        let size = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend(sum.sum().to_le_bytes());
        head.extend(size);
        head.extend(size);
        head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend([0, 0]);
        let place = u32::try_from(out.len()).unwrap().to_le_bytes();
        index.extend(b"PK\x01\x02\x14\0");
        index.extend(&head);
        index.extend([0; 10]);
        index.extend(place);
        index.extend(name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(name.as_bytes());
        out.extend(*bytes);
    }
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let (size, place) = (index.len(), out.len());
    out.extend(index);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(u32::try_from(size).unwrap().to_le_bytes());
    out.extend(u32::try_from(place).unwrap().to_le_bytes());
    out.extend([0, 0]);
    out
}

/// The same archive, as programs write it that never know how large it becomes.
fn large(mut file: Vec<u8>) -> Vec<u8> {
    let end = file.split_off(file.len() - 22);
    let number = |at: usize| u32::from_le_bytes(end[at..at + 4].try_into().unwrap());
    let (size, place) = (u64::from(number(12)), u64::from(number(16)));
    let at = u64::try_from(file.len()).unwrap();
    file.extend(b"PK\x06\x06");
    file.extend(44_u64.to_le_bytes());
    file.extend([45, 0, 45, 0]);
    file.extend([0; 8]);
    for number in [1, 1, size, place] {
        file.extend(u64::to_le_bytes(number));
    }
    file.extend(b"PK\x06\x07\0\0\0\0");
    file.extend(at.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([0xff; 12]);
    file.extend([0, 0]);
    file
}

#[test]
fn pictures_hold_cards_in_many_ways() {
    let old = v2(&json!({"name": "Old", "description": "old"}));
    let new = v3(&json!({"name": "Kai", "description": "x"}));
    let (old, padded) = (STANDARD.encode(old), STANDARD.encode(&new));
    let chunk = |keyword, text| (keyword, str::as_bytes(text));
    let lines: String = padded
        .as_bytes()
        .chunks(76)
        .map(|line| format!("{}\r\n", std::str::from_utf8(line).unwrap()))
        .collect();
    let both = [chunk("chara", &old), chunk("ccv3", &padded)];
    check("both versions", &png(&both), "Kai: x");
    let turned = [chunk("ccv3", &padded), chunk("chara", &old)];
    check("both, the newer first", &png(&turned), "Kai: x");
    let twice = [chunk("chara", &old), chunk("chara", &padded)];
    check(
        "edited by a program that left the old one",
        &png(&twice),
        "Kai: x",
    );
    let broken = [chunk("chara", &padded), chunk("ccv3", "e30=")];
    check("the newer one says nothing", &png(&broken), "Kai: x");
    check(
        "a keyword in capitals",
        &png(&[chunk("Chara", &padded)]),
        "Kai: x",
    );
    check("in lines", &png(&[chunk("chara", &lines)]), "Kai: x");
    let bare = STANDARD_NO_PAD.encode(&new);
    check(
        "without what fills it up",
        &png(&[chunk("chara", &bare)]),
        "Kai: x",
    );
    let url = URL_SAFE_NO_PAD.encode(v2(&json!({"name": "Kai", "description": "??>>"})));
    check(
        "in letters for addresses",
        &png(&[chunk("chara", &url)]),
        "Kai: ??>>",
    );
    check("as it is", &png(&[("chara", &new)]), "Kai: x");
    let ended = [padded.as_bytes(), b"\0\n\0"].concat();
    check("NULs after it", &png(&[("chara", &ended)]), "Kai: x");
    let address = format!("data:application/json;base64,{padded}");
    check("as an address", &png(&[chunk("chara", &address)]), "Kai: x");
    let marked = ["\u{feff}".as_bytes(), &new, b"\0"].concat();
    check(
        "as it is, with a mark",
        &png(&[("chara", &marked)]),
        "Kai: x",
    );
    let latin = b"{\"name\": \"K\xe4i\", \"description\": \"x\"}";
    check("in Latin-1", &png(&[("chara", latin)]), "K\u{e4}i: x");
    let packed = STANDARD.encode(latin);
    let packed = png(&[chunk("chara", &packed)]);
    check("in Latin-1, packed", &packed, "K\u{e4}i: x");
    let broken = "{\"name\": \"Kai\", \"description\": \"茶会".as_bytes();
    let broken = STANDARD.encode([broken, b"\xf0\x9f\"}"].concat());
    let broken = png(&[chunk("chara", &broken)]);
    check("a broken letter", &broken, "Kai: 茶会\u{fffd}");
    let other = [chunk("Comment", "made by hand"), chunk("chara", &padded)];
    check("beside other texts", &png(&other), "Kai: x");
}

#[test]
fn archives_hold_cards_and_pictures() {
    let asset = |kind: &str, name: &str, uri: &str| json!({"type": kind, "name": name, "uri": uri, "ext": "png"});
    let card = v3(&json!({"name": "Kai", "description": "x", "assets": [
        asset("icon", "main", "embeded://assets/icon/main.png"),
        asset("emotion", "joy (big)", "embedded://assets/emotion/joy.png"),
        asset("emotion", "lost", "embeded://assets/nowhere.png"),
        asset("emotion", "far", "https://example.com/far.png"),
        asset("background", "sea", "embeded://assets/sea.png"),
        asset("icon", "other", "ccdefault:"),
    ]}));
    let files: [(&str, &[u8]); 5] = [
        ("readme.txt", b"hello"),
        ("card.json", &card),
        ("assets/icon/main.png", RED),
        ("assets/emotion/joy.png", RED),
        ("assets/sea.png", RED),
    ];
    let file = zip(&files);
    check("an archive", &file, "Kai: x s:joy big");
    assert!(read(&file).unwrap().avatar.is_some());
    assert_eq!(left_out(&file), "pictures: 3");
    let (path, back) = ("assets/joy.png", "assets\\joy.png");
    for (uri, name) in [
        (format!("EMBEDED://{path}"), path),
        (format!("Embedded://{path}"), path),
        (format!("__asset:{path}"), path),
        (format!("embeded://./{path}"), path),
        (format!("embeded:///{path}"), path),
        (format!("embeded://{path}"), back),
        (format!("embeded://{back}"), path),
        (format!("embeded://{path}"), "assets/Joy.PNG"),
    ] {
        let card = v3(&json!({"name": "Kai", "assets": [asset("emotion", "joy", &uri)]}));
        let file = zip(&[("card.json", &card), (name, RED)]);
        check(&format!("{uri} for {name}"), &file, "Kai:  s:joy");
    }
    let card = v3(&json!({"name": "Kai"}));
    check("a name in capitals", &zip(&[("Card.JSON", &card)]), "Kai: ");
    check("deeper folders", &zip(&[("a/b/card.json", &card)]), "Kai: ");
    // An end of an archive may be in its remark.
    for remark in [&b"PK\x05\x06"[..], &[&b"PK\x05\x06"[..], &[0; 40]].concat()] {
        let mut file = zip(&[("card.json", &card)]);
        let end = file.len();
        file[end - 2] = u8::try_from(remark.len()).unwrap();
        file.extend(remark);
        check("a remark", &file, "Kai: ");
    }
    check("large", &large(zip(&[("card.json", &card)])), "Kai: ");
    let module: [(&str, &[u8]); 2] = [("card.json", &card), ("module.risum", b"x")];
    assert_eq!(
        left_out(&zip(&module)),
        "what only other programs can use: module.risum"
    );
    let card = v3(&json!({"name": "Kai", "description": "x", "assets": []}));
    let top: Vec<(String, &[u8])> = files
        .iter()
        .map(|(name, bytes)| (format!("Kai's/{name}"), *bytes))
        .collect();
    let mut top: Vec<(&str, &[u8])> = top.iter().map(|(name, it)| (&**name, *it)).collect();
    top.push(("__MACOSX/Kai's/._card.json", b"x"));
    top.push(("__MACOSX/card.json", b"x"));
    let top = zip(&top);
    check("an archive of a folder", &top, "Kai: x s:joy big");
    assert!(read(&top).unwrap().avatar.is_some());
    let two: [(&str, &[u8]); 2] = [("a/card.json", &card), ("b/card.json", &card)];
    let told = read(&zip(&two)).unwrap_err().to_string();
    assert!(told.contains("unpack it"), "{told}");
    let marked = ["\u{feff}".as_bytes(), &card].concat();
    check("a mark in it", &zip(&[("card.json", &marked)]), "Kai: x");
}

#[test]
fn pictures_are_found_or_named() {
    let asset = |kind: &str, name: &str, uri: &str| json!({"type": kind, "name": name, "uri": uri});
    let card = |assets: Value| v3(&json!({"name": "Kai", "description": "x", "assets": assets}));
    let red = STANDARD.encode(RED);
    let inline = format!("data:image/png;base64,{red}");
    let avif = format!(
        "data:image/avif;base64,{}",
        STANDARD.encode(b"\0\0\0\x1cftypavif")
    );
    let file = card(json!([
        asset("emotion", "happy.png", &inline),
        asset("emotion", "very sad.WEBP", &inline),
        asset("emotion", "v1.5", &inline),
        asset("emotion", "happy", &inline),
        asset("emotion", "cross", &avif),
        asset("background", "sea", &inline),
        asset("background", "far", "https://example.com/far.png"),
        asset("icon", "main", "ccdefault:"),
    ]));
    check("inline", &file, "Kai: x s:happy|very sad|v1.5");
    assert_eq!(left_out(&file), "pictures: 3");

    let emotions = |keyword: &str| {
        let listed = json!([
            ["happy", "__asset:0"],
            ["sad.png", "__asset:1"],
            ["lost", "__asset:7"],
            3
        ]);
        let other = json!([["sea", "__asset:1", "png"]]);
        let risu = json!({"emotions": listed, "additionalAssets": other, "bias": [1]});
        let card = v2(&json!({"name": "Kai", "description": "x", "extensions": {"risuai": risu}}));
        let keywords = ["0", "1"].map(|number| format!("{keyword}{number}"));
        let card = STANDARD.encode(card);
        png(&[
            (&keywords[0], red.as_bytes()),
            (&keywords[1], red.as_bytes()),
            ("chara", card.as_bytes()),
        ])
    };
    for keyword in ["chara-ext-asset_:", "chara-ext-asset_"] {
        let file = emotions(keyword);
        check(keyword, &file, "Kai: x s:happy|sad");
        assert_eq!(left_out(&file), "pictures: 2");
        let card = read(&file).unwrap();
        let avatar = card.avatar.unwrap();
        assert_eq!(avatar, RED, "it is the picture alone");
        let kept: Value = serde_json::from_str(&card.persona.card.unwrap()).unwrap();
        let risu = &kept["data"]["extensions"]["risuai"];
        assert_eq!(risu, &json!({"bias": [1]}), "the pictures are kept apart");
    }
    for (avatar, expect) in [
        ("none", ""),
        ("Kai.png", ""),
        ("https://example.com/a.webp", "pictures: 1"),
    ] {
        let card = v2(&json!({"name": "Kai", "avatar": avatar, "extensions": {}}));
        assert_eq!(left_out(&card), expect, "{avatar}");
    }
    // Those that cannot be shown are named with the others.
    let (_, _, named) = read(&file).unwrap().fitted(|_| None);
    let named: Vec<String> = named.iter().map(ToString::to_string).collect();
    assert_eq!(
        named,
        [
            "pictures: 3",
            "pictures that are too large, damaged or of an unknown kind: 3"
        ]
    );
    let many: Vec<Value> = (0..20_000)
        .map(|it| asset("emotion", &it.to_string(), "__asset:0"))
        .collect();
    let many = STANDARD.encode(card(Value::from(many)));
    let large = STANDARD.encode([RED, &vec![0; 1 << 17]].concat());
    let many = png(&[
        ("chara-ext-asset_:0", large.as_bytes()),
        ("ccv3", many.as_bytes()),
    ]);
    assert_eq!(left_out(&many), "pictures: 19950");
}

#[test]
fn a_card_without_a_picture_stays_so_over_a_png() {
    let card = read(&v2(&json!({"name": "Kai", "description": "x"}))).unwrap();
    let file = write(
        &card.persona,
        &std::collections::HashMap::new(),
        CardFormat::Png,
    )
    .unwrap();
    assert_eq!(read(&file).unwrap().avatar, None);
    let card = STANDARD.encode(v2(&json!({"name": "Kai"})));
    let file = png(&[("chara", card.as_bytes())]);
    assert_eq!(read(&file).unwrap().avatar.unwrap(), RED);
}
