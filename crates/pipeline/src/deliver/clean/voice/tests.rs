use proptest::prelude::*;

use super::*;
use crate::deliver::pack::Shape;
use crate::deliver::{Degree, DeliverySettings};

const OWN: [&str; 3] = ["Kaiwa", "Kai Wa", "Kai:Wa (2)"];
const OTHERS: [&str; 5] = ["Alice", "Bob Smith", "10", "アリス", "*[Bo]: x*"];

/// Keeps everything.
fn listener() -> Packer<'static> {
    let settings = DeliverySettings {
        degree: Degree::Whole,
        ..DeliverySettings::default()
    };
    Packer::new(Shape::of(&settings), false)
}

fn speech(own: &[&str], others: &[&str]) -> Speech {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Speech {
        own_names: names(own),
        other_names: names(others),
        ..Speech::default()
    }
}

fn run<'a>(deltas: impl IntoIterator<Item = &'a str>) -> (String, Vec<Change>, bool) {
    let mut voice = Voice::new(&speech(&OWN, &OTHERS));
    let mut out = listener();
    for delta in deltas {
        voice.push(delta, &mut out);
        let held = voice.held.chars().count();
        assert!(held <= voice.names.longest, "{voice:?}");
    }
    voice.finish(&mut out);
    let ended = voice.ended();
    (out.take_back(), voice.take_removals(), ended)
}

/// `shown`, followed by ` ⏹` if the answer was ended, however it is cut.
fn check(text: &str, expected: &str) {
    let whole = run([text]);
    let shown = format!("{}{}", whole.0, if whole.2 { " ⏹" } else { "" });
    assert_eq!(shown, expected, "{text:?}");
    let chars: Vec<String> = text.chars().map(String::from).collect();
    for size in 1..4 {
        let deltas: Vec<String> = chars.chunks(size).map(<[String]>::concat).collect();
        let cut = run(deltas.iter().map(String::as_str));
        assert_eq!(cut, whole, "{text:?} in pieces of {size}");
    }
}

#[test]
fn our_own_labels_go() {
    for text in [
        "Kaiwa: hi",
        "kaiwa: hi",
        "KAIWA:hi",
        "Kaiwa : hi",
        "Kaiwa： hi",
        "**Kaiwa:** hi",
        "**Kaiwa**: hi",
        "*Kaiwa*: hi",
        "__Kaiwa:__ hi",
        "[Kaiwa]: hi",
        "Kai Wa: hi",
        "Kaiwa (smiling): hi",
        "**Kaiwa (smiling):** hi",
        "{{char}}: hi",
        "{bot}: hi",
        "Kaiwa: Kaiwa: **Kaiwa:** hi",
        "Assistant: hi",
        "Alice: hi",
    ] {
        check(text, "hi");
    }
    check("  Kaiwa: hi", "  hi");
    check("a\nKaiwa: b\nKaiwa: c", "a\nb\nc");
    check("Kaiwa:\nhi", "\nhi");
    check("Kaiwa:", "");
    check("Sure.Kaiwa: hi", "Sure.\nhi");
    check("Sure! Kaiwa: hi", "Sure! \nhi");
    check("\"Sure!\" Kaiwa: hi", "\"Sure!\" \nhi");
    check("Hm <:wave:123> **Kaiwa:** hi", "Hm <:wave:123> \nhi");
    check("はい。Kaiwa: hi", "はい。\nhi");
}

#[test]
fn lines_of_others_end_the_answer() {
    check("hi\nAlice: what?\nmore", "hi\n ⏹");
    check("hi\n\n  alice : what?", "hi\n\n   ⏹");
    check("hi\n**Bob Smith:** what?", "hi\n ⏹");
    check("hi\nアリス：what?", "hi\n ⏹");
    check("hi\nAssistant: what?", "hi\n ⏹");
    check("hi\nKaiwa: yes\nAlice:", "hi\nyes\n ⏹");
    check(
        "Kaiwa: hi\n```\nAlice: x\n```\nAlice: y",
        "hi\n```\nAlice: x\n```\n ⏹",
    );
}

#[test]
fn what_is_no_label_stays() {
    for text in [
        "It is\n10:30 now",
        "See\nhttps://alice.example: yes",
        "hi\n- Alice: likes cats\n* Kaiwa: likes you\n1. Kaiwa: a bot",
        "hi\n- likes. Kaiwa: a bot",
        "1. Good. Kaiwa: a bot",
        "> Alice: quoted",
        "hi\n# Alice: a portrait",
        "hi\n| Alice: | Kaiwa: |",
        "hi\n`Alice: x`",
        "Say `. Kaiwa: x` please",
        "```\nAlice: x\nKaiwa: y\n```",
        "~~~\nKaiwa: y\n~~~",
        "hi\nAlice is here: look",
        "hi\nAlices: none",
        "hi\nAlice::new() and Kaiwa::run()",
        "hi\nNobody: knows\nIngredients:\n- a",
        "Alice, Kaiwa: hi",
        "the bot (Kaiwa: a runtime)",
        "**Kaiwa: all bold**",
        "Kaiwa",
        "Kaiwa is here. kai",
        "** Kaiwa: x",
        "**",
        "hi\n:alice: waves",
        "hi\nAlice\n: odd",
        "kaiwa://settings",
    ] {
        check(text, text);
    }
}

/// A member with such a name, and an answer that uses the word as a label.
#[test]
fn a_label_word_is_nobodys_voice() {
    fn check(name: &str, line: &str, ends: bool) {
        let text = format!("hi\n{line}\nmore");
        let mut voice = Voice::new(&speech(&["Kaiwa"], &["Alice", name]));
        let mut out = listener();
        voice.push(&text, &mut out);
        voice.finish(&mut out);
        assert_eq!(voice.ended(), ends, "{name:?}");
        let expect = if ends { "hi\n" } else { &text };
        assert_eq!(out.take_back(), expect, "{name:?}");
    }
    for (name, line) in [
        ("Note", "Note: salt the water"),
        ("note", "Note: salt the water"),
        ("WARNING", "Warning: hot"),
        ("Tip", "tip: stir"),
        ("Notes", "Notes: none"),
        ("Note!", "Note!: careful"),
        ("✨Note✨", "✨Note✨: careful"),
        ("Pro Tip", "Pro tip: stir"),
        ("Final Answer", "Final answer: 42"),
        ("Step 1", "Step 1: boil"),
        ("Step", "Step: boil"),
        ("Example A", "Example A: tea"),
        ("TL;DR", "TL;DR: tea"),
        ("P.S.", "P.S.: tea"),
        ("Q", "Q: what is tea?"),
        ("A", "A: a leaf"),
        ("Ingredients", "Ingredients: leaves"),
        ("Python", "Python: easy to read"),
        ("Monday", "Monday: rest"),
        ("注意", "注意：小心烫"),
        ("答案", "答案：四十二"),
        ("提示", "提示: 先放茶叶"),
        ("注", "注：见下文"),
        ("例", "例：お茶"),
        ("警告", "警告：熱い"),
        ("まとめ", "まとめ: お茶"),
        ("참고", "참고: 뜨거움"),
        ("Nota", "Nota: está caliente"),
        ("Respuesta", "Respuesta: 42"),
        ("Atenção", "Atenção: quente"),
        ("Remarque", "Remarque : chaud"),
        ("Étape 2", "Étape 2 : infuser"),
        ("Hinweis", "Hinweis: heiß"),
        ("Beispiel", "Beispiel: Tee"),
        ("Примечание", "Примечание: горячо"),
        ("ВАЖНО", "Важно: горячо"),
        ("ملاحظة", "ملاحظة: ساخن"),
        ("नोट", "नोट: गरम"),
        ("Catatan", "Catatan: panas"),
        ("Lưu ý", "Lưu ý: nóng"),
        ("Uwaga", "Uwaga: gorące"),
        ("Not", "Not: sıcak"),
    ] {
        check(name, line, false);
    }
    // Names stay names, also where a label word is a part of them.
    for (name, line) in [
        ("Ada", "Ada: what?"),
        ("Notea", "Notea: what?"),
        ("Stepan", "Stepan: what?"),
        ("Ada Lovelace", "Ada Lovelace: what?"),
        ("Alice", "Alice: what?"),
        ("アリス", "アリス：what?"),
        ("Mr. Note Taker Jr", "Mr. Note Taker Jr: what?"),
    ] {
        check(name, line, true);
    }
}

/// Whose names hold what labels are made of.
#[test]
fn the_longest_name_is_whose_line_it_is() {
    let longest = "会".repeat(80);
    let check = |text: &str, expected: &str| {
        let others = ["NieR:2B", "Mia (smiling)", "[AFK] Bo", "_x_", &longest];
        let run = |deltas: &[&str]| {
            let mut voice = Voice::new(&speech(&["NieR", "Mia"], &others));
            let mut out = listener();
            for delta in deltas {
                voice.push(delta, &mut out);
                assert!(
                    voice.held.chars().count() <= voice.names.longest,
                    "{voice:?}"
                );
            }
            voice.finish(&mut out);
            let end = if voice.ended() { " ⏹" } else { "" };
            format!("{}{end}", out.take_back())
        };
        assert_eq!(run(&[text]), expected, "{text:?}");
        let chars: Vec<&str> = text.split_inclusive(|_| true).collect();
        assert_eq!(run(&chars), expected, "{text:?}");
    };
    check("NieR:2 hi", "2 hi");
    check("hi\nNieR:2B: hi", "hi\n ⏹");
    check("hi\nNieR:2B", "hi\n2B");
    check("hi\nNieR: 2B: hi", "hi\n2B: hi");
    check("hi\n[AFK] Bo: what?", "hi\n ⏹");
    check("hi\n[[AFK] Bo]: what?", "hi\n ⏹");
    check("hi\n_x_: what?", "hi\n ⏹");
    check("hi\n___x_: what?__", "hi\n___x_: what?__");
    check(&format!("hi\n{longest}： what?"), "hi\n ⏹");
    // Nobody ends our answers by a name that is ours with a remark.
    check("hi\nMia (smiling): well", "hi\nwell");
    // What is too long is no remark, and not held for ever.
    let remark = "x".repeat(81);
    let text = format!("hi\nMia ({remark}): well");
    check(&text, &text);
    let text = format!("hi\nMia {}: well", " ".repeat(1000));
    check(&text, &text);
    for text in [
        "Mia (): well",
        "Mia (a: b): well",
        "Mia (a [b]): well",
        "Mia (a",
    ] {
        check(text, text);
    }
}

#[test]
fn without_names_only_the_assistant_is_known() {
    let mut voice = Voice::new(&Speech::default());
    let mut out = listener();
    voice.push("a. b: c\nAlice: d\nAssistant: e", &mut out);
    assert_eq!(out.take_back(), "a. b: c\nAlice: d\n");
    assert!(voice.ended());
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        1 => "[a-zA-K :.*_\n`1\\[\\]()é]{0,6}",
        3 => proptest::sample::select(&[
            "Kaiwa", "kai wa", "Alice", "Assistant", ":", ": ", "：", "**", "\n", "\n\n", ". ", "。",
            "```\n", "`", "- ", "1. ", "> ", "<:a:1>", "(x)", "アリス", "Carol", "10", "{{char}}",
            "Kai:Wa (2)", "Kai:", "Kai:Wa (", "*[Bo]: x*", "*[Bo]: ", " (x)",
        ][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn laws(text in text(), cuts in proptest::collection::vec(1usize..9, 1..20)) {
        let whole = run([text.as_str()]);

        let mut left = String::new();
        let mut at = 0;
        for removal in &whole.1 {
            prop_assert_eq!(&text[removal.at..removal.end()], &removal.removed);
            left.push_str(&text[at..removal.at]);
            left.push_str(&removal.inserted);
            at = removal.end();
        }
        left.push_str(&text[at..]);
        prop_assert_eq!(&left, &whole.0);

        let mut deltas = Vec::new();
        let mut rest = text.as_str();
        for size in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (delta, after) = rest.split_at(rest.ceil_char_boundary((*size).min(rest.len())));
            deltas.push(delta);
            rest = after;
        }
        prop_assert_eq!(run(deltas), whole);
    }
}
