//! From what the model wrote to what is sent, through every stage.

use std::sync::Arc;

use kaiwa_domain::UserId;

use super::super::clean::{Emoji, EmojiBook, RecentEmoji, Roster};
use super::super::explain::Reason;
use super::*;

fn everything(degree: Degree, max: usize, seed: u64) -> DeliverySettings {
    let emoji = |name: &str, id| Emoji {
        name: name.to_owned(),
        id,
        animated: false,
    };
    let mut people = Roster::default();
    people.add(UserId::new(123_456_789_012_345_678), "Mia");
    DeliverySettings {
        degree,
        max,
        humanize: Some(seed),
        attach_code_above: (seed % 2 == 1).then_some(30),
        explain: true,
        speech: Speech {
            prefill: "Sure, here".to_owned(),
            own_names: vec!["Kaiwa".to_owned()],
            other_names: vec!["Ada".to_owned()],
            looks: looks(),
        },
        vocabulary: Some(Vocabulary {
            emoji: Arc::new(EmojiBook::new([emoji("wave", 11), emoji("old", 12)])),
            recent: Arc::new(RecentEmoji::in_messages(["<:old:12>"])),
            people: Arc::new(people),
        }),
        ..DeliverySettings::default()
    }
}

fn looks() -> Vec<SpeechLook> {
    let look = |name: &str, lasting| SpeechLook {
        name: name.to_owned(),
        lasting,
    };
    vec![look("Cross", true), look("Ada", false)]
}

/// What models write that does not stay as it is.
fn quirks() -> impl Strategy<Value = String> {
    let quirk = prop::sample::select(vec![
        "<think>hm\nso</think>",
        "<think>",
        "</think>",
        "<details><summary>a</summary>b</details>",
        "[system: x]",
        "<|im_end|>",
        "Kaiwa: ",
        "Ka<think>x</think>iwa: ",
        "\nKaiwa: ",
        "Good. Kaiwa: Hm",
        "\nKaiwa (cross): ",
        "Kaiwa (Ada): so\n",
        "Kaiwa (Cross): no</think>",
        "\n**kaiwa (bored):** ",
        "\nAda: ",
        "Sure, here",
        "\n#### A **deep** title\n",
        "\n---\n",
        "\n- [ ] task\n- [x] done\n",
        "![a](https://b.c/d)",
        "\n~~~py\na\n~~~\n",
        "\n````md\n```\nx\n```\n````\n",
        "a<br>b",
        "<b>a</b>",
        "&amp;",
        "\\(x^2\\)",
        "\n$$\na^2 \\\\\nb\n$$\n",
        "$x$",
        "\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        "| :wave: | @Mia |\n|---|---|\n| 1 | <br> |\n",
        ":wave:",
        " :old: ",
        ":none_such:",
        "<:old:12>",
        "@Mia",
        "@{Mia|1}",
        "@Nobody",
        "@everyone",
        "Yes, of course; why not? No! Well, then.",
        "Hello there, Mia. How, are, you, all? Fine, thanks!",
        "\n.",
        "\n..",
        "...",
    ]);
    let piece = prop_oneof![
        3 => quirk.prop_map(str::to_owned),
        1 => text(),
        2 => "[A-Z][a-z]{1,8}( [a-z,]{1,9}){1,12}[.!?;] ",
        1 => Just("\n".to_owned()),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The first law, end to end: several texts, as around a tool call, in
    /// random deltas, with every stage at work and holds given up now and then.
    #[test]
    fn explanations_lead_from_what_was_written_to_what_is_sent(
        texts in prop::collection::vec(quirks(), 1..3), degree in degree(), max in 40usize..2000, seed in 0u64..9,
        sizes in prop::collection::vec(1usize..90, 1..5), release in 0usize..20,
    ) {
        let mut deliverer = Deliverer::new(everything(degree, max, seed));
        let mut sent = Vec::new();
        let mut explained = Vec::new();
        let mut step = 0;
        for text in &texts {
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let size = sizes[step % sizes.len()];
                step += 1;
                let end = rest.char_indices().nth(size).map_or(rest.len(), |(at, _)| at);
                sent.extend(shown(deliverer.push(&rest[..end])));
                rest = &rest[end..];
                if step == release {
                    sent.extend(shown(deliverer.release()));
                }
            }
            sent.extend(shown(deliverer.finish()));
            explained.extend(deliverer.take_explained());
        }
        prop_assert_eq!(replay(&texts.concat(), &explained), sent);
    }

    #[test]
    fn explanations_do_not_depend_on_deltas(
        text in quirks(), degree in degree(), sizes in prop::collection::vec(1usize..90, 1..5),
    ) {
        let explained = |sizes: &[usize]| {
            let mut deliverer = Deliverer::new(everything(degree, 1950, 7));
            push_all(&mut deliverer, &text, sizes);
            deliverer.finish();
            deliverer.take_explained()
        };
        prop_assert_eq!(explained(&sizes), explained(&[usize::MAX]));
    }
}

/// The reasons, with their offsets.
fn told(text: &str, settings: DeliverySettings) -> Vec<(usize, &'static str)> {
    let mut deliverer = Deliverer::new(settings);
    deliverer.push(text);
    deliverer.finish();
    let explained = deliverer.take_explained();
    explained
        .iter()
        .map(|entry| (entry.at, entry.reason.name()))
        .collect()
}

#[test]
fn everything_is_told_by_its_place_in_what_was_written() {
    let plain = |degree| DeliverySettings {
        humanize: None,
        ..everything(degree, 1950, 0)
    };
    for (text, degree, expected) in [
        (
            "<think>x</think>Hi :wave:\n#### T",
            Degree::Lines,
            &[
                (0, "thought"),
                (18, "emoji"),
                (19, "hold-emoji"),
                (19, "emoji-code"),
                (25, "line"),
                (26, "deep-heading"),
                (32, "deep-heading"),
                (32, "end"),
            ][..],
        ),
        (
            "(one.\ntwo.) three\nKaiwa: four",
            Degree::Lines,
            &[
                (5, "hold-pair"),
                (17, "line"),
                (18, "own-label"),
                (29, "end"),
            ],
        ),
        (
            "a\n```\nb\n```\n| c | d |\n|---|---|\n| 1 | 2 |",
            Degree::Lines,
            &[
                (1, "line"),
                (2, "hold-code"),
                (11, "line"),
                (12, "hold-table"),
                (41, "table"),
            ],
        ),
        (
            " ..\n",
            Degree::Lines,
            &[(0, "spacing"), (1, "stray-stop"), (3, "spacing")],
        ),
    ] {
        assert_eq!(told(text, plain(degree)), expected, "{text:?}");
    }
}

#[test]
fn a_lone_stop_is_removed_by_name() {
    let mut deliverer = Deliverer::new(DeliverySettings {
        explain: true,
        ..DeliverySettings::default()
    });
    deliverer.push("..");
    assert_eq!(shown(deliverer.finish()), [""; 0]);
    let mut removed = deliverer.take_explained();
    removed.retain(Change::is_removal);
    let removed = removed.pop().map(|r| (r.reason, r.removed));
    let dropped = (Reason::StrayStop, "..".to_owned());
    assert_eq!(removed, Some(dropped));
}

#[test]
fn a_thought_that_was_never_opened_is_taken_back_if_nothing_was_shown() {
    for (text, degree, messages, thoughts) in [
        (
            "Hm, let me\nsee</think>Kaiwa: Yes.",
            Degree::Whole,
            &["Yes."][..],
            &["Hm, let me\nsee"][..],
        ),
        (
            "Hm, let me see</think>\n\nYes.",
            Degree::Lines,
            &["Yes."],
            &["Hm, let me see"],
        ),
        (
            "Hm, (let me\nsee</think>Yes.",
            Degree::Lines,
            &["Yes."],
            &["Hm, (let me\nsee"],
        ),
        (
            "Hm.\nLet me see.\nSo</think>Yes.",
            Degree::Lines,
            &["Hm.", "Let me see.", "SoYes."],
            &[],
        ),
        ("a</think>b</think>c", Degree::Lines, &["c"], &["a", "b"]),
        (
            "`</think>` is a tag",
            Degree::Lines,
            &["`</think>` is a tag"],
            &[],
        ),
    ] {
        for sizes in [&[1][..], &[4], &[usize::MAX]] {
            let mut deliverer = Deliverer::new(DeliverySettings {
                humanize: None,
                ..everything(degree, 1950, 0)
            });
            let mut sent = push_all(&mut deliverer, text, sizes);
            sent.extend(shown(deliverer.finish()));
            assert_eq!(sent, messages, "{text:?}");
            assert_eq!(deliverer.take_thoughts(), thoughts, "{text:?}");
            assert_eq!(replay(text, &deliverer.take_explained()), sent, "{text:?}");
        }
    }
}

#[test]
fn a_thought_of_several_messages_is_taken_back_while_they_wait_for_the_end() {
    let thought = "Hm, let me see. ".repeat(300);
    let text = format!("{thought}</think>Yes.");
    let mut deliverer = Deliverer::new(everything(Degree::Whole, 1950, 0));
    let mut sent = push_all(&mut deliverer, &text, &[7]);
    sent.extend(shown(deliverer.finish()));
    assert_eq!(sent, ["Yes."]);
    assert_eq!(deliverer.take_thoughts(), [thought.trim()]);
    assert_eq!(replay(&text, &deliverer.take_explained()), sent);
}

#[test]
fn blanks_that_are_no_spaces_are_told_too() {
    let settings = DeliverySettings {
        explain: true,
        ..settings(Degree::Whole, 1950)
    };
    let text = "\u{b}a\n\u{b}\n\u{b}";
    let chunked = chunk(text, &settings);
    assert_eq!(replay(text, &chunked.explained), chunked.messages);
}

#[test]
fn many_blanks_are_told_at_once() {
    let text = format!("{}[ y{{", " ".repeat(71));
    let explained = |sizes: &[usize]| {
        let mut deliverer = Deliverer::new(everything(Degree::Typed, 1950, 7));
        push_all(&mut deliverer, &text, sizes);
        deliverer.finish();
        deliverer.take_explained()
    };
    assert_eq!(explained(&[3]), explained(&[usize::MAX]));
    assert_eq!(explained(&[1]).len(), 2);
}

#[test]
fn a_heading_that_is_opened_again_for_blanks_alone_leaves_no_trace() {
    let text = "#### a b. \u{b}\n*\n\nc";
    let mut deliverer = Deliverer::new(everything(Degree::Sentences, 1950, 7));
    let mut sent = shown(deliverer.push(text));
    sent.extend(shown(deliverer.finish()));
    assert_eq!(replay(text, &deliverer.take_explained()), sent);
}

#[test]
fn long_code_becomes_a_file_if_asked_for() {
    let code = "let a = 1;\n".repeat(40);
    let text = format!("Look:\n```rust\n{code}```\nNice.");
    for degree in [Degree::Whole, Degree::Lines, Degree::Sentences] {
        for sizes in [&[1][..], &[7], &[usize::MAX]] {
            let mut deliverer = Deliverer::new(DeliverySettings {
                degree,
                attach_code_above: Some(400),
                explain: true,
                ..DeliverySettings::default()
            });
            let mut sent = push_all(&mut deliverer, &text, sizes);
            sent.extend(shown(deliverer.finish()));
            assert_eq!(sent, ["Look:", code.as_str(), "Nice."], "{degree:?}");
            let explained = deliverer.take_explained();
            assert_eq!(replay(&text, &explained), sent);
            let names: Vec<_> = explained.iter().map(|entry| entry.reason.name()).collect();
            assert_eq!(
                names[1..],
                ["hold-code", "unfenced", "file", "spacing", "end"]
            );
        }
    }
    let split = streamed(&text, &settings(Degree::Lines, 300), &[9]);
    assert!(
        split.len() > 3 && split[1].starts_with("```rust\n"),
        "{split:?}"
    );
}
