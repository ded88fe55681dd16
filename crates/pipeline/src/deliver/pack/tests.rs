use expect_test::{Expect, expect};
use kaiwa_domain::Outgoing;
use proptest::prelude::*;

use crate::deliver::{Degree, Deliverer, DeliverySettings, chunk, scan};

fn settings(degree: Degree, max: usize) -> DeliverySettings {
    DeliverySettings {
        degree,
        max,
        dialect: false,
        tables: false,
        ..DeliverySettings::default()
    }
}

fn check(text: &str, degree: Degree, max: usize, expected: &Expect) {
    let mut shown = String::new();
    for message in chunk(text, &settings(degree, max)).messages {
        shown.push_str(&message);
        shown.push_str("\n----\n");
    }
    expected.assert_eq(&shown);
}

#[test]
fn full_width_points_within_numbers_end_no_sentence() {
    // A bar stands where a message ends.
    for marked in [
        "合計は１２３．４５円です。|次へ。",
        "値は123．45です。|終わり",
        "版は１．２．３だ。|以上",
        "見よ．|次の文．|終わり",
        "第１章．|２つ目",
    ] {
        let text = marked.replace('|', "");
        let whole = chunk(&text, &settings(Degree::Sentences, 200)).messages;
        assert_eq!(whole.join("|"), marked);
        // As it streams: what follows the point decides.
        let mut deliverer = Deliverer::new(settings(Degree::Sentences, 200));
        let mut shown = Vec::new();
        for letter in text.split_inclusive(|_: char| true) {
            shown.extend(deliverer.push(letter));
        }
        shown.extend(deliverer.finish());
        let shown: Vec<_> = shown
            .into_iter()
            .map(|outgoing| match outgoing {
                Outgoing::Say(text) => text,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(shown.join("|"), marked);
    }
}

#[test]
fn punctuation_that_something_is_glued_to_stays_in_its_line() {
    for text in ["Hi\n!important", "Hi\n.5 of it", "Hi\n?a b"] {
        let whole = chunk(text, &settings(Degree::Lines, 200)).messages;
        assert_eq!(whole.join("\n"), text);
        assert_eq!(whole.len(), 2, "{text:?}");
    }
    let carried = chunk("Hi\n! b", &settings(Degree::Lines, 200)).messages;
    assert_eq!(carried, ["Hi\n!", "b"]);
}

#[test]
fn degrees() {
    let text = "One. Two.\nThree\n- a\n- b\n\nFour";
    check(
        text,
        Degree::Whole,
        200,
        &expect![[r#"
        One. Two.

        Three
        - a
        - b

        Four
        ----
    "#]],
    );
    check(
        text,
        Degree::Lines,
        200,
        &expect![[r#"
        One. Two.
        ----
        Three
        ----
        - a
        - b
        ----
        Four
        ----
    "#]],
    );
    check(
        text,
        Degree::Sentences,
        200,
        &expect![[r#"
        One.
        ----
        Two.
        ----
        Three
        ----
        - a
        ----
        - b
        ----
        Four
        ----
    "#]],
    );
}

#[test]
fn pairs_hold_and_lone_signs_do_not() {
    check(
        "(one.\ntwo.) three. \"Four. Five.\" six. (seven. eight.",
        Degree::Sentences,
        200,
        &expect![[r#"
        (one.
        two.) three.
        ----
        "Four. Five." six.
        ----
        (seven.
        ----
        eight.
        ----
    "#]],
    );
    check(
        "**a\n\nb** c\n5\" x. y :( z. w",
        Degree::Sentences,
        200,
        &expect![[r#"
        **a

        b** c
        ----
        5" x.
        ----
        y :( z.
        ----
        w
        ----
    "#]],
    );
}

#[test]
fn emoji_stand_alone() {
    check(
        "Hi! <:wave:1>\nI like <:soup:1>, do you?\n- <:soup:1> soup\n<:joe_1:1> <:joe_2:2><:kek:3>!",
        Degree::Lines,
        200,
        &expect![[r#"
        Hi!
        ----
        <:wave:1>
        ----
        I like <:soup:1>, do you?
        ----
        - <:soup:1> soup
        ----
        <:joe_1:1> <:joe_2:2>
        ----
        <:kek:3>!
        ----
    "#]],
    );
}

#[test]
fn cuts() {
    check(
        "**aaa bbb ccc ddd eee fff ggg hhh** end",
        Degree::Lines,
        24,
        &expect![[r#"
        **aaa bbb ccc ddd eee**
        ----
        **fff ggg hhh** end
        ----
    "#]],
    );
    check(
        "> aaa bbb ccc ddd eee fff ggg hhh",
        Degree::Lines,
        24,
        &expect![[r#"
        > aaa bbb ccc ddd eee
        ----
        > fff ggg hhh
        ----
    "#]],
    );
    check(
        "Look:\n```rust\nlet first = 1;\n\nlet second = 2;\n```\nDone.",
        Degree::Whole,
        40,
        &expect![[r#"
        Look:
        ```rust
        let first = 1;

        ```
        ----
        ```rust
        let second = 2;
        ```
        Done.
        ----
    "#]],
    );
    check(
        "aaaa bbbb\n\ncccc dddd. eeee ffff gggg",
        Degree::Whole,
        30,
        &expect![[r#"
        aaaa bbbb
        ----
        cccc dddd. eeee ffff gggg
        ----
    "#]],
    );
}

#[test]
fn punctuation_is_never_alone() {
    check(
        "hello\n.\nworld\n, yes\n...\nbye\n!",
        Degree::Lines,
        200,
        &expect![[r#"
        hello
        .
        ----
        world
        ,
        ----
        yes
        ----
        ...
        bye
        !
        ----
    "#]],
    );
    check(
        "wait\n...",
        Degree::Lines,
        200,
        &expect![[r#"
        wait
        ...
        ----
    "#]],
    );
}

#[test]
fn what_is_put_in_counts() {
    // Line ends made even where no line may be cut off, and quoted code closed.
    for text in [
        "a\n!\n!;#\n!;\n!;#?\n!#?\n!\n!#?\n!#?\n!\n!\n?\n!;#\n??\n!",
        "> ```\n        \n        some words that go on and on",
        ">>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> ```rs\nsome words",
    ] {
        let settings = DeliverySettings {
            degree: Degree::Whole,
            max: 40,
            ..DeliverySettings::default()
        };
        for message in chunk(text, &settings).messages {
            assert!(super::units(&message) <= 40, "{message:?}");
        }
    }
}

/// The messages that are complete once `text` has arrived in deltas of `size`
/// characters.
fn arrived(text: &str, degree: Degree, size: usize) -> Vec<Outgoing> {
    let mut deliverer = Deliverer::new(DeliverySettings {
        degree,
        ..DeliverySettings::default()
    });
    let chars: Vec<char> = text.chars().collect();
    let deltas = chars.chunks(size).map(String::from_iter);
    deltas.flat_map(|delta| deliverer.push(&delta)).collect()
}

#[test]
fn text_in_the_line_that_closes_code_is_a_message_of_its_own() {
    let text = "See: ```rs\nlet a = 1;\n``` Done now. And (more) of it.\nBye.";
    check(
        text,
        Degree::Lines,
        1950,
        &expect![[r#"
            See:
            ----
            ```rs
            let a = 1;
            ```
            ----
            Done now. And (more) of it.
            ----
            Bye.
            ----
        "#]],
    );
    let whole = arrived(text, Degree::Lines, usize::MAX);
    for size in 1..8 {
        assert_eq!(arrived(text, Degree::Lines, size), whole, "{size}");
    }
}

#[test]
fn blanks_after_code_are_no_message() {
    let text = format!("```rs\n\n\nlet a = 1;\n\n```{}", "\t".repeat(90));
    for max in 20..90 {
        let settings = DeliverySettings {
            degree: Degree::Whole,
            max,
            ..DeliverySettings::default()
        };
        for message in chunk(&text, &settings).messages {
            assert!(!message.trim().is_empty(), "{max}");
        }
    }
}

proptest! {
    #[test]
    fn plain_deltas_delay_nothing(
        text in prop::collection::vec(
            prop_oneof![scan::tests::text(), "([a-z]{1,9}[.,]? ){1,90}"], 1..6,
        ),
        degree in 1u64..4,
    ) {
        let text = text.concat();
        let degree = Degree::from_number(degree).unwrap_or_default();
        let whole = arrived(&text, degree, usize::MAX);
        prop_assert_eq!(&arrived(&text, degree, 1), &whole);
        prop_assert_eq!(&arrived(&text, degree, 4), &whole);
    }
}

#[test]
fn an_escaped_stop_ends_no_sentence() {
    check(
        "one two three four five\\. six seven eight nine ten",
        Degree::Whole,
        40,
        &expect![[r#"
            one two three four five\. six seven
            ----
            eight nine ten
            ----
        "#]],
    );
}

#[test]
fn a_sentence_ends_with_its_quotation() {
    for after in ["Eee", "E_f", "`e f`", "(eee"] {
        let text = format!("Aaa \"bbb ccc ddd.\" {after} ggg hhh iii jjj kkk");
        let settings = settings(Degree::Whole, 30);
        assert_eq!(
            chunk(&text, &settings).messages[0],
            "Aaa \"bbb ccc ddd.\"",
            "{text:?}"
        );
    }
}

#[test]
fn sentences_end_in_every_script() {
    for text in [
        "مرحبا.|كيف حالك؟|حسنا.",
        "آپ کیسے ہیں؟|میں ٹھیک ہوں۔|شکریہ۔",
        "आप कैसे हैं?|ठीक है।|धन्यवाद!",
        "Բարև։|Լավ եմ։|Այո։",
        "ሰላም።|ደህና ነኝ።|አዎ።",
        "សួស្តី។|ខ្ញុំសុខសប្បាយ។|បាទ។",
        "မင်္ဂလာပါ။|နေကောင်းပါတယ်။|ဟုတ်ကဲ့။",
    ] {
        let settings = settings(Degree::Sentences, 200);
        let messages = chunk(&text.replace('|', " "), &settings).messages.join("|");
        assert_eq!(messages, text);
    }
}

#[test]
fn emphasis_that_was_cut_ends_before_code_and_tables() {
    let long = "word ".repeat(200);
    for block in ["```py\nx = 1\n```", "| a | b |\n|---|---|\n| 1 | 2 |"] {
        for degree in [Degree::Whole, Degree::Lines, Degree::Sentences] {
            let settings = settings(degree, 600);
            let text = format!("**{long}\n\n{block}");
            let chunked = chunk(&text, &settings).messages;
            let Some(message) = chunked.iter().find(|message| message.contains(&block[..5])) else {
                panic!("{chunked:?}");
            };
            assert!(
                message.starts_with(block) || message.contains(&format!("\n{block}")),
                "{message:?}"
            );
        }
    }
}

#[test]
fn no_emphasis_goes_on_over_code() {
    let (long, code) = ("word ".repeat(200), "line\n".repeat(200));
    let text = format!("**{long}\n\n```\n{code}```\n\n{long}");
    let settings = settings(Degree::Whole, 600);
    for message in chunk(&text, &settings).messages {
        assert!(!message.contains("```**"), "{message:?}");
        assert!(!message.contains("**```"), "{message:?}");
        if message.starts_with("```") {
            assert_eq!(message.matches("**").count(), 0, "{message:?}");
        }
    }
}

#[test]
fn no_message_is_blank_though_something_is_put_in_later() {
    let text = format!("{}a\n\n> ```\n> x\ny", "\u{b}".repeat(90));
    let settings = settings(Degree::Whole, 80);
    for message in chunk(&text, &settings).messages {
        assert!(!message.trim().is_empty(), "{message:?}");
    }
}

#[test]
fn every_pair_of_brackets_holds() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("\"", "\""),
        ("「", "」"),
    ] {
        let held = format!("See {open}one.\nTwo{close} now.");
        let text = format!("{held}\nThen.");
        let messages = chunk(&text, &settings(Degree::Lines, 200)).messages;
        assert_eq!(messages, [held.as_str(), "Then."]);
    }
}

#[test]
fn a_long_emphasis_is_closed_and_opened_again() {
    for (before, after, marks) in [
        ("**", "**", "**"),
        ("***", "***", "***"),
        ("___", "___", "___"),
        ("**a *", "***", "***"),
        ("*a **", "***", "***"),
        ("***a** ", "*", "*"),
        ("***a* ", "**", "**"),
    ] {
        let text = format!("{before}{}end{after}", "word ".repeat(100));
        let messages = chunk(&text, &settings(Degree::Lines, 200)).messages;
        let (closed, opened) = (format!("word{marks}"), format!("{marks}word "));
        assert!(messages[0].ends_with(&closed), "{messages:?}");
        let [_, within @ .., last] = &*messages else {
            panic!("{messages:?}");
        };
        for message in within {
            assert!(message.ends_with(&closed), "{messages:?}");
            assert!(message.starts_with(&opened), "{messages:?}");
        }
        assert!(last.starts_with(&opened), "{messages:?}");
        assert!(last.ends_with(after), "{messages:?}");
    }
}

#[test]
fn units_are_counted_and_not_bytes() {
    let messages = arrived(&"静かな朝。".repeat(600), Degree::Lines, 4);
    let lengths: Vec<_> = messages
        .iter()
        .map(|said| said.source().chars().count())
        .collect();
    assert_eq!(lengths, [1000, 1000]);
}
