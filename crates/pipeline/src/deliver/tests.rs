//! The laws, on generated markdown in random deltas.

use kaiwa_domain::Outgoing;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::scan::{Kind, lexemes};
use super::window::units;
use super::*;

mod conservation;
mod lifted;
mod looks;

fn shown(outgoing: Vec<Outgoing>) -> Vec<String> {
    outgoing
        .into_iter()
        .map(|outgoing| match outgoing {
            Outgoing::Say(text) | Outgoing::Rest(text) => text,
            Outgoing::Sticker(sticker) => sticker.name,
            Outgoing::Table(table) => table.source().to_owned(),
            Outgoing::File(file) => file.text().to_owned(),
        })
        .collect()
}

fn settings(degree: Degree, max: usize) -> DeliverySettings {
    DeliverySettings {
        degree,
        max,
        dialect: false,
        tables: false,
        ..DeliverySettings::default()
    }
}

/// Streams `text` in deltas of these many characters, over and over.
fn streamed(text: &str, settings: &DeliverySettings, sizes: &[usize]) -> Vec<String> {
    let mut deliverer = Deliverer::new(settings.clone());
    let mut out = push_all(&mut deliverer, text, sizes);
    out.extend(shown(deliverer.finish()));
    out
}

fn push_all(deliverer: &mut Deliverer, text: &str, sizes: &[usize]) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let end = rest
            .char_indices()
            .nth(size)
            .map_or(rest.len(), |(at, _)| at);
        out.extend(shown(deliverer.push(&rest[..end])));
        rest = &rest[end..];
    }
    out
}

/// What the explanations make of `text`.
fn replay(text: &str, explained: &[Change]) -> Vec<String> {
    let mut messages = Vec::new();
    let mut message = String::new();
    let mut at = 0;
    for entry in explained {
        message.push_str(&text[at..entry.at]);
        assert_eq!(
            &text[entry.at..entry.at + entry.removed.len()],
            entry.removed
        );
        message.push_str(&entry.inserted);
        at = entry.at + entry.removed.len();
        if entry.reason.ends_message() {
            messages.push(std::mem::take(&mut message));
        }
    }
    message.push_str(&text[at..]);
    if !message.is_empty() {
        messages.push(message);
    }
    messages
}

/// The text without white space and without what a cut may repeat.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !"`~*_|>#-".contains(*c))
        .collect()
}

fn degree() -> impl Strategy<Value = Degree> {
    prop::sample::select(vec![
        Degree::Whole,
        Degree::Lines,
        Degree::Typed,
        Degree::Sentences,
    ])
}

fn text() -> impl Strategy<Value = String> {
    let block = prop_oneof![
        scan::tests::text(),
        "([A-Z][a-z ]{5,60}[.!?] ){1,40}",
        "```rs\n([a-z ]{0,30}\n){1,40}```\n",
        "(- [a-z ]{1,60}\n){1,20}",
        "\\*\\*[a-z. ]{1,900}\\*\\*",
        signs(),
    ];
    prop::collection::vec(block, 1..5).prop_map(|blocks| blocks.join("\n"))
}

/// Words with signs and atoms among them.
fn signs() -> impl Strategy<Value = String> {
    let after = prop::sample::select(vec![
        " ",
        " ",
        " ",
        ". ",
        "! ",
        ".\" ",
        ".) ",
        "?\" (",
        ".** ",
        "\" ",
        " \"",
        " (",
        ") ",
        "** ",
        " **",
        "*",
        ": ",
        ", ",
        ".\n",
        "\n\n",
        "\n- ",
        "’s ",
        " — ",
        "… ",
        "。",
        "\\. ",
        " :) ",
        " `a_b` ",
        " `a b` ",
        " https://a.b/c_d. ",
        " [e](https://f.g/h) ",
        " [i j](k) ",
        " <@1> ",
        " <:l:2> ",
        " m_n ",
        " [",
        "] ",
        "![o](p) ",
    ]);
    let word = ("[A-Za-z]{1,9}|é{1,3}|1,000", after).prop_map(|(word, after)| word + after);
    prop::collection::vec(word, 1..160).prop_map(|words| words.concat())
}

/// Only Discord reads code that begins and ends in mid-line.
#[test]
fn code_in_mid_line_ends_where_it_does() {
    let text = "Use ```py\nprint(1)``` to print.\nYes.";
    let expected = ["Use", "```py\nprint(1)\n```", "to print.", "Yes."];
    for size in [1, 4, 100] {
        let settings = DeliverySettings::default();
        assert_eq!(streamed(text, &settings, &[size]), expected, "{size}");
    }
}

#[test]
fn what_waits_for_more_does_not_depend_on_deltas() {
    let emphasis = format!("**a {}", "word ".repeat(150));
    let blanks = format!("{}end.        so", "word ".repeat(238));
    for text in [
        "<:ab:1>?;<br>",
        "Hi <:ab:1>?,x",
        "<:ab:1>!: so",
        "<:ab:1>. é",
        &emphasis,
        &blanks,
    ] {
        for degree in [Degree::Whole, Degree::Lines, Degree::Sentences] {
            let settings = DeliverySettings {
                explain: true,
                ..settings(degree, 1950)
            };
            let explained = |size: usize| {
                let mut deliverer = Deliverer::new(settings.clone());
                let mut out = push_all(&mut deliverer, text, &[size]);
                out.extend(shown(deliverer.finish()));
                (out, deliverer.take_explained())
            };
            assert_eq!(explained(1), explained(usize::MAX), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn delta_invariance(
        text in text(), degree in degree(), max in 40usize..2000,
        sizes in prop::collection::vec(1usize..200, 1..5),
    ) {
        let settings = settings(degree, max);
        let whole = streamed(&text, &settings, &[usize::MAX]);
        prop_assert_eq!(&streamed(&text, &settings, &[1]), &whole);
        prop_assert_eq!(&streamed(&text, &settings, &[4]), &whole);
        prop_assert_eq!(&streamed(&text, &settings, &sizes), &whole);
    }

    #[test]
    fn limit(text in text(), degree in degree(), max in 16usize..2000) {
        let settings = settings(degree, max);
        let chunked = chunk(&text, &settings).messages;
        let streamed = streamed(&text, &settings, &[7]);
        let chunked = chunked.iter().map(AsRef::as_ref);
        for message in chunked.chain(streamed.iter().map(String::as_str)) {
            prop_assert!(units(message) <= max, "{} > {max}: {message:?}", units(message));
            prop_assert!(!message.trim().is_empty());
        }
    }

    #[test]
    fn order_and_conservation(text in text(), degree in degree(), max in 40usize..2000) {
        let settings = DeliverySettings { explain: true, ..settings(degree, max) };
        let chunked = chunk(&text, &settings);
        // A fence that is cut repeats its info string.
        if !text.contains("```") && !text.contains("~~~") {
            prop_assert_eq!(letters(&chunked.messages.join("\n")), letters(&text));
        }
        prop_assert_eq!(replay(&text, &chunked.explained), chunked.messages);
    }

    #[test]
    fn atoms(text in text(), degree in degree()) {
        let settings = settings(degree, 300);
        let chunked = chunk(&text, &settings).messages;
        for token in lexemes(&text) {
            let atom = &text[token.range()];
            if matches!(token.kind, Kind::Url | Kind::Tag | Kind::Emoji | Kind::Code | Kind::Link) && units(atom) <= 200 {
                prop_assert!(
                    chunked.iter().any(|message| message.contains(atom)),
                    "{atom:?} is cut",
                );
            }
        }
        for message in &chunked {
            if let Some(at) = text.find(message.as_ref()) {
                let whole: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
                prop_assert!(whole.binary_search(&at).is_ok(), "{message:?}");
            }
        }
    }

    #[test]
    fn balance(text in "```rs\n(    [a-z]{0,30}\n){1,90}```", max in 60usize..500, degree in degree()) {
        let messages = chunk(&text, &settings(degree, max)).messages;
        let mut code: Vec<&str> = Vec::new();
        for message in &messages {
            let lines: Vec<&str> = message.split('\n').collect();
            prop_assert_eq!(lines[0], "```rs");
            prop_assert_eq!(lines[lines.len() - 1], "```");
            code.extend(&lines[1..lines.len() - 1]);
        }
        let written: Vec<&str> = text.split('\n').collect();
        prop_assert_eq!(&code[..], &written[1..written.len() - 1]);
    }

    #[test]
    fn a_hold_is_bounded(opener in "[(\\[\"“「*_~|`<]{1,3}", degree in 1u64..4) {
        let settings = settings(Degree::from_number(degree).unwrap_or_default(), 1950);
        let mut deliverer = Deliverer::new(settings);
        let mut held = 0;
        for line in 0..400 {
            held += 20;
            let text = if line == 0 { opener.clone() } else { "Some words. Go on.\n".to_owned() };
            if !deliverer.push(&text).is_empty() {
                held = 0;
            }
            prop_assert!(held < 3000, "{opener:?} freezes the answer");
        }
    }
}

#[test]
fn many_short_lines_joined_with_blank_ones_fit() {
    let text = "\0\n!\n!;#\n!;\n!;#?\n!#?\n!\n!#?\n!#?\n!\n!\n?\n!;#\n??\n!\n!;#??\n!\n!;#??\n!;#?";
    for message in chunk(text, &settings(Degree::Whole, 80)).messages {
        assert!(units(&message) <= 80, "{message:?}");
    }
}

#[test]
fn a_row_longer_than_a_message_is_cut_between_words_after_much_text() {
    let text = format!(
        "{}\n\n|a|b|\n|-|-|\n|{}|\n\nword",
        "word ".repeat(800),
        "cell ".repeat(350)
    );
    let settings = settings(Degree::Whole, 300);
    for sizes in [4, usize::MAX] {
        let messages = streamed(&text, &settings, &[sizes]);
        assert_eq!(messages, chunk(&text, &settings).messages);
        for message in messages {
            let words = message.split(|c: char| !c.is_alphabetic());
            let cut = words.into_iter().find(|word| word.len() % 4 > 1);
            assert_eq!(cut, None, "{message:?}");
        }
    }
}

#[test]
fn release_gives_up_holds() {
    let mut deliverer = Deliverer::new(DeliverySettings::default());
    assert_eq!(deliverer.push("(one\ntwo\n- a\n- b\n- c"), []);
    assert_eq!(shown(deliverer.release()), ["(one", "two", "- a\n- b"]);
    assert_eq!(shown(deliverer.finish()), ["- c"]);

    let mut deliverer = Deliverer::new(DeliverySettings::default());
    assert_eq!(deliverer.push("a (thought\n"), []);
    assert_eq!(shown(deliverer.release()), ["a (thought"]);
    assert_eq!(deliverer.push("- and\n- on"), []);
    assert_eq!(shown(deliverer.finish()), ["- and\n- on"]);
}

#[test]
fn what_waits_is_packed_into_fewer_messages() {
    let waiting = ["One.", "Two.", "```\nx\n```", "Three."].map(str::to_owned);
    assert_eq!(merge(&waiting, 20), ["One.\nTwo.\n```\nx\n```", "Three."]);
    assert_eq!(merge(&waiting, 12), ["One.\nTwo.", "```\nx\n```", "Three."]);
    assert_eq!(merge(&[], 20), [""; 0]);
    // It quotes whatever stands below it in its message.
    let quoting = ["One.", ">>> Tea.", "Two.", "> Cake.", "Three."].map(str::to_owned);
    let expected = ["One.\n>>> Tea.", "Two.\n> Cake.\nThree."];
    assert_eq!(merge(&quoting, 60), expected);
}

#[test]
fn what_would_be_shown_so_far_ends_as_the_whole_does() {
    let text = "One **two\n\n```rs\nlet a = 1;\n``` :wave: three <think>hm</think>. Four.";
    let mut deliverer = Deliverer::new(settings(Degree::Whole, 40));
    let mut views = Vec::new();
    for delta in text.split_inclusive(' ') {
        assert_eq!(deliverer.push(delta), []);
        views.push(shown(deliverer.so_far()));
    }
    assert_eq!(views[0], ["One"]);
    assert_eq!(views[3], ["One **two\n\n```rs\nlet a = \n```"]);
    let last = views.pop().unwrap_or_default();
    assert_eq!(last, shown(deliverer.finish()));
}

#[test]
fn a_live_answer_shows_the_message_that_is_being_written() {
    let mut deliverer = Deliverer::live(settings(Degree::Whole, 40));
    let mut seen = Vec::new();
    for delta in [
        "One **two ",
        "and** three.\n",
        "Four five six ",
        "seven ```\nlet a",
        " = 1;",
    ] {
        for message in shown(deliverer.push(delta)) {
            seen.push(format!("whole: {message}"));
        }
        let view = deliverer.view().expect("a view");
        let (text, closing) = view.text.split_at(view.text.len() - view.closing);
        seen.push(format!("{text}[{closing}]"));
    }
    expect_test::expect![[r#"
        One **two[]
        --
        One **two and** three.[]
        --
        One **two and** three.

        Four five six[]
        --
        One **two and** three.[]
        --
        One **two and** three.[]"#]]
    .assert_eq(&seen.join("\n--\n"));
}

#[test]
fn what_may_become_a_table_or_a_file_is_told() {
    let check = |text: &str, expect: bool| {
        let mut deliverer = Deliverer::live(DeliverySettings {
            attach_code_above: Some(100),
            ..settings(Degree::Whole, 1950)
        });
        deliverer.push(text);
        let view = deliverer.view().expect("a view");
        assert_eq!(view.may_vanish, expect, "{text:?}");
    };
    check("| a | b |", true);
    check("```rs\nlet", true);
    check("Look:\n| a | b |", false);
    check("Look: ```rs\nlet", false);
}

proptest! {
    #[test]
    fn a_live_answer_ends_as_a_whole_one(text in text(), max in 40usize..400, size in 1usize..9) {
        // A thought that nobody opened may have been shown.
        prop_assume!(!text.contains("</"));
        let whole = streamed(&text, &settings(Degree::Whole, max), &[7]);
        let mut deliverer = Deliverer::live(settings(Degree::Whole, max));
        let mut said = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        for delta in chars.chunks(size) {
            said.extend(shown(deliverer.push(&delta.iter().collect::<String>())));
            deliverer.view();
        }
        said.extend(shown(deliverer.finish()));
        prop_assert_eq!(said, whole);
    }

    #[test]
    fn packing_keeps_order_and_the_limit(text in text(), max in 40usize..400) {
        let streamed = streamed(&text, &settings(Degree::Lines, max), &[7]);
        let merged = merge(&streamed, max);
        prop_assert_eq!(merged.join("\n"), streamed.join("\n"));
        for pair in merged.windows(2) {
            prop_assert!(units(&pair[0]) <= max);
        }
    }

    #[test]
    fn the_view_so_far_depends_on_the_text_alone(text in text(), max in 40usize..2000) {
        let mut deliverer = Deliverer::new(settings(Degree::Whole, max));
        push_all(&mut deliverer, &text, &[5]);
        let view = shown(deliverer.so_far());
        prop_assert_eq!(&shown(deliverer.so_far()), &view);
        for message in view {
            prop_assert!(units(&message) <= max);
        }
    }
}
