use kaiwa_domain::SeededDice;
use proptest::prelude::*;

use super::super::edit::tests::apply;
use super::super::explain::Reason;
use super::*;

/// Dice that always show the same number.
struct Always(u32);

impl Dice for Always {
    fn roll(&mut self, _: u32) -> u32 {
        self.0
    }
}

const DROP: u32 = 0;
const BREAK: u32 = 45;
const KEEP: u32 = 99;

fn humanize(text: &str, roll: u32) -> Edited {
    Humanizer::new(["Kaiwa", "Bob Smith"]).humanize(text, &mut Always(roll))
}

/// The pieces joined by ` / `.
fn check(roll: u32, text: &str, expected: &str) {
    let found = humanize(text, roll);
    assert_eq!(found.messages().join(" / "), expected, "{text:?}");
    assert_eq!(apply(text, &found.changes), found.text);
}

#[test]
fn sentences_begin_small() {
    check(
        KEEP,
        "Hello there. How are you?",
        "hello there. how are you?",
    );
    check(KEEP, "First\nSecond", "first\nsecond");
    check(
        KEEP,
        "Ça va. Été. Привет. 日本。",
        "ça va. été. привет. 日本。",
    );
    for text in [
        "I think. A dog. I'm. I’ll.",
        "NASA is. OK. GitHub. McDonald is. JavaScript runs.",
        "Kaiwa is. Smith left. Bob too.",
        "i like Paris. Paris is far. we met Ann.",
        "we saw Dr. Jones and Mr. Brown, e.g. Jones, J. R. Tolkien, the U.S. Army",
        "so said St. Nicholas. Nicholas is old.",
        "Kaiwa's here. Bob’s too. Kaiwa-chan is.",
        "# Title here",
        "- Item, with a comma; and more",
        "> Quoted, of course",
        "Node.js is. Note: this",
        "`Code` is. https://A.b/C is",
        "```\nCode, is; code! Yes\n```",
        "| A, b | C |\n|---|---|\n| D | E |",
        "İstanbul",
    ] {
        check(KEEP, text, text);
    }
}

#[test]
fn a_name_is_remembered_for_the_rest_of_the_answer() {
    let mut humanizer = Humanizer::new(["Kaiwa"]);
    let mut humanize = |text: &str| humanizer.humanize(text, &mut Always(KEEP)).text;
    assert_eq!(humanize("London is far."), "london is far.");
    assert_eq!(humanize("I like London."), "I like London.");
    assert_eq!(
        humanize("London is far. The end."),
        "London is far. the end."
    );
}

#[test]
fn commas_and_semicolons() {
    check(DROP, "well, yes, no", "well yes no");
    check(BREAK, "well, yes, no", "well / yes / no");
    check(KEEP, "well, yes; no", "well, yes no");
    check(KEEP, "a；b", "ab");
    check(DROP, "はい、そう", "はい そう");
    check(BREAK, "はい、そう", "はい / そう");
    for roll in [DROP, BREAK, KEEP] {
        for text in [
            "it costs 1,000 or 2,5 now",
            "1, 2, 3",
            "a,b ;) x;y &amp; z",
            "he said \"well, yes\" and (so, so) and **a, b** and ||c, d||",
            "「はい、そう」",
            "`a, b` <:a:123456> https://a.b/c,d [a, b](https://c.d)",
            "- a, b! c",
            "> a, b",
        ] {
            check(roll, text, text);
        }
    }
    // A comma that nothing follows is no place to end a message.
    check(BREAK, "well, ", "well, ");
    check(BREAK, "well, `x`", "well, `x`");
}

#[test]
fn shouts_and_questions_end_messages() {
    check(BREAK, "what? no! yes", "what? / no! / yes");
    check(BREAK, "what?! no", "what?! / no");
    check(BREAK, "何？いや！うん", "何？ / いや！ / うん");
    check(BREAK, "what?", "what?");
    check(
        BREAK,
        "a?b (what? no) \"no! yes\"",
        "a?b (what? no) \"no! yes\"",
    );
    check(KEEP, "what? no", "what? no");
}

#[test]
fn changes_are_told_by_their_rules() {
    let text = "Well, yes; no? Yes, no";
    for (rule, roll) in [
        (Reason::LowerCase, KEEP),
        (Reason::Semicolon, KEEP),
        (Reason::Comma, DROP),
        (Reason::Break, BREAK),
    ] {
        let found = Humanizer::new([""; 0]).humanize(text, &mut Always(roll));
        let mut changes = found.changes.iter();
        let acted = changes.any(|edit| edit.reason == rule);
        assert!(acted, "{rule:?}");
    }
}

#[test]
fn the_odds_are_as_stated() {
    let text = "aa, bb ".repeat(4000);
    let mut humanizer = Humanizer::new([""; 0]);
    let found = humanizer.humanize(&text, &mut SeededDice::new(5));
    let count = |rule| {
        found
            .changes
            .iter()
            .filter(|edit| edit.reason == rule)
            .count()
    };
    assert!(
        (1450..1750).contains(&count(Reason::Comma)),
        "{}",
        count(Reason::Comma)
    );
    assert!(
        (700..900).contains(&count(Reason::Break)),
        "{}",
        count(Reason::Break)
    );
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[A-Ga-g ,;!?.\"(1é]{0,8}",
        2 => proptest::sample::select(&[
            "Hello, ", "Yes! ", "What? ", "\n", "**", "*", "||", "\"", "(", ")", "「", "」", "、", "！", "`", "```\n", "- ", "> ",
            "1,000 ", "https://a.b/C,d ", "<@1234567> ", "Kaiwa ", "a, ", "b; ", "İ", "ǅ", "日本",
        ][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn laws(text in text(), seed: u64) {
        let mut humanizer = Humanizer::new(["Kaiwa"]);
        let found = humanizer.humanize(&text, &mut SeededDice::new(seed));
        prop_assert_eq!(&apply(&text, &found.changes), &found.text);
        prop_assert_eq!(&humanizer.humanize(&text, &mut SeededDice::new(seed)), &found);
        // It never grows, nor does any part of it.
        let length = |text: &str| text.encode_utf16().count();
        prop_assert!(length(&found.text) <= length(&text));
        for piece in found.messages() {
            prop_assert!(length(piece) <= length(&text));
        }
        // Only letters' case, commas, semicolons and blanks change.
        let gist = |text: &str| -> String {
            text.to_lowercase().chars().filter(|c| !c.is_whitespace() && !",;、；，".contains(*c)).collect()
        };
        prop_assert_eq!(gist(&found.text), gist(&text));
        let said = found.messages().concat();
        prop_assert_eq!(gist(&said), gist(&text));
        if !text.trim().is_empty() {
            prop_assert!(found.messages().iter().all(|message| !message.trim().is_empty()));
        }
        // What must not change is still there.
        for kept in ["1,000", "https://a.b/C,d", "<@1234567>", "Kaiwa"] {
            let count = |text: &str| text.matches(kept).count();
            prop_assert!(count(&found.text) >= count(&text), "{kept}");
        }
    }
}
