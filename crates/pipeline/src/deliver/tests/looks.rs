//! Looks: a remark after the own name says in which the speaker appears.

use super::*;

fn look(name: &str, lasting: bool) -> SpeechLook {
    let name = name.to_owned();
    SpeechLook { name, lasting }
}

fn settings(degree: Degree) -> DeliverySettings {
    DeliverySettings {
        degree,
        speech: Speech {
            own_names: vec!["Mia".to_owned()],
            other_names: vec!["Ada".to_owned(), "Bo".to_owned()],
            looks: vec![look("Cross", true), look("shy", true), look("Ada", false)],
            ..Speech::default()
        },
        ..DeliverySettings::default()
    }
}

const NAMES: [&str; 3] = ["cross", "shy", "ada"];

/// Each message with the look that it is said in.
type Said = Vec<(Option<usize>, String)>;

/// What is said of `text` in deltas of these sizes.
fn said(degree: Degree, sizes: &[usize], text: &str) -> Said {
    said_by(settings(degree), sizes, text)
}

fn said_by(settings: DeliverySettings, sizes: &[usize], text: &str) -> Said {
    let mut deliverer = Deliverer::new(settings);
    let (mut said, mut rest) = (Said::new(), text);
    let give = |out: Vec<String>, looks: Vec<Option<usize>>, said: &mut Said| {
        assert_eq!(out.len(), looks.len());
        said.extend(looks.into_iter().zip(out));
    };
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let end = rest
            .char_indices()
            .nth(size)
            .map_or(rest.len(), |(at, _)| at);
        let out = shown(deliverer.push(&rest[..end]));
        give(out, deliverer.take_looks(), &mut said);
        rest = &rest[end..];
    }
    let out = shown(deliverer.finish());
    give(out, deliverer.take_looks(), &mut said);
    said
}

fn check(degree: Degree, text: &str, expected: &[(&str, &str)]) {
    let expected: Said = expected
        .iter()
        .map(|(look, text)| {
            let look = NAMES.iter().position(|name| name == look);
            (look, (*text).to_owned())
        })
        .collect();
    for size in [1, 3, 7, 1000] {
        assert_eq!(said(degree, &[size], text), expected, "{size} {text:?}");
    }
}

#[test]
fn a_look_lasts_until_the_name_comes_again() {
    let text = "Hello.\nMia (cross): No!\nNever.\nMia: Well.\n**MIA (Shy):** Yes.";
    let expected = [
        ("", "Hello."),
        ("cross", "No!\n\nNever."),
        ("", "Well."),
        ("shy", "Yes."),
    ];
    check(Degree::Whole, text, &expected);
    let text = "Mia (cross): No!\nNever.\nMia: Well.";
    let expected = [("cross", "No!"), ("cross", "Never."), ("", "Well.")];
    check(Degree::Lines, text, &expected);
    // Within a line, after the end of a sentence.
    let text = "Yes. Mia (shy): Or no. Mia: Yes.";
    let expected = [("", "Yes."), ("shy", "Or no."), ("", "Yes.")];
    check(Degree::Whole, text, &expected);
}

#[test]
fn a_look_that_passes_ends_with_its_line() {
    let text = "Mia (cross): No!\nMia (Ada): I am Ada!\nNot really.";
    let expected = [("cross", "No!"), ("ada", "I am Ada!"), ("", "Not really.")];
    check(Degree::Whole, text, &expected);
    let text = "Mia (Ada): I am Ada. And still am.\n\n- one\n- two";
    let expected = [("ada", "I am Ada. And still am."), ("", "- one\n- two")];
    check(Degree::Whole, text, &expected);
    // Not in the middle of code.
    let text = "Mia (Ada): See ```\na\nb\n``` there.\nMia.";
    let expected = [("ada", "See ```\na\nb\n``` there."), ("", "Mia.")];
    check(Degree::Whole, text, &expected);
}

#[test]
fn other_remarks_and_other_people_change_nothing() {
    let text = "Mia (cross): No!\nMia (CROSS): Never.";
    check(Degree::Whole, text, &[("cross", "No!\n\nNever.")]);
    let text = "Mia (cross): No!\nMia (bored): Well.";
    check(Degree::Whole, text, &[("cross", "No!"), ("", "Well.")]);
    let text = "Note (cross): read this.";
    check(Degree::Whole, text, &[("", text)]);
    let text = "- Mia (cross): an item";
    check(Degree::Whole, text, &[("", text)]);
}

/// Who `own` is, the look, what is written, and what is said in that look, or
/// in none if there is nothing of a label left to see.
#[test]
fn names_may_hold_what_labels_are_made_of() {
    let (kanji, long) = ("怒".repeat(22), "a".repeat(64));
    let longest = "会".repeat(80);
    let lengthy = "話".repeat(64);
    for (own, look_name, label) in [
        ("NieR:2B", "cross", "NieR:2B (cross):"),
        ("NieR:2B", "cross", "**nier:2b (CROSS):**"),
        ("NieR：2B", "cross", "NieR：2B(cross)："),
        ("Zoë (the 2nd)", "cross", "Zoë (the 2nd) (cross):"),
        ("Zoë (the 2nd)", "cross", "__Zoë (the 2nd) (cross)__:"),
        ("Mia", "Zoë (the 2nd)", "Mia (Zoë (the 2nd)):"),
        ("Mia", "NieR:2B", "Mia ( NieR:2B ):"),
        ("a:(b)", "c:(d)", "a:(b) (c:(d)):"),
        ("[MOD] Ann", "cross", "[MOD] Ann (cross):"),
        ("[MOD] Ann", "cross", "[[MOD] Ann (cross)]:"),
        ("*Star*", "cross", "*Star* (cross):"),
        ("*Star*", "cross", "***Star* (cross):**"),
        ("Mia", "cross", "**Mia** (cross):"),
        ("Mia", &kanji, &format!("Mia ({kanji}):")),
        ("Mia", &long, &format!("Mia ({long}):")),
        ("Mia", &longest, &format!("Mia ({longest}):")),
        (&longest, "cross", &format!("{longest} (cross):")),
        (
            &longest,
            &lengthy,
            &format!("**{longest}   ( {lengthy} )**  :"),
        ),
        ("Mia", "very  cross", "Mia (very cross):"),
        ("Mia", "怒り　強", "Mia (怒り 強):"),
        ("ΟΔΥΣΣΕΥΣ", "ΟΡΓΗΣ", "Οδυσσευς (οργησ):"),
    ] {
        let settings = DeliverySettings {
            speech: Speech {
                own_names: vec![own.to_owned()],
                looks: vec![look("other", true), look(look_name, true)],
                ..Speech::default()
            },
            ..settings(Degree::Whole)
        };
        let text = format!("{label} No!\n`{label}`");
        let expected = vec![(Some(1), format!("No!\n\n`{label}`"))];
        for size in [1, 3, 1000] {
            let said = said_by(settings.clone(), &[size], &text);
            assert_eq!(said, expected, "{size} {text:?}");
        }
    }
}

#[test]
fn nothing_in_code_changes_a_look() {
    for text in [
        "```\nMia (cross): No!\n```",
        "Write `Mia (cross): No!` first.",
    ] {
        check(Degree::Whole, text, &[("", text)]);
    }
}

#[test]
fn a_thought_puts_on_no_look() {
    for degree in [Degree::Whole, Degree::Lines] {
        let text = "Mia (cross): so I think</think>Hello.";
        check(degree, text, &[("", "Hello.")]);
        check(degree, "<think>Mia (shy): x</think>Hi.", &[("", "Hi.")]);
    }
    let text = "One.\nMia (cross): so I think</think>Hello.";
    check(Degree::Whole, text, &[("", "Hello.")]);
}

/// Text with labels and code in it.
fn labelled() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Mia (cross): ",
        "\nMia (shy): ",
        "\nMia (Ada): ",
        "\nMia: ",
        "**Mia (cross):** ",
        "\nMia (bored): ",
        "Well. ",
        "No way! ",
        "\n",
        "\n\n",
        "- item\n",
        "`Mia (shy): x` ",
        "\n```\nMia (cross): x\n```\n",
        "```",
        "`",
        "</think>",
        "<think>hm</think>",
        "| a | b |\n",
    ]);
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Who says what in which look follows from the text alone.
    #[test]
    fn looks_do_not_depend_on_deltas(
        text in labelled(), degree in degree(), sizes in prop::collection::vec(1usize..40, 1..5),
    ) {
        prop_assert_eq!(said(degree, &sizes, &text), said(degree, &[usize::MAX], &text));
    }

    /// Apart from where messages end, looks change nothing.
    #[test]
    fn looks_leave_the_text_as_it_is(text in labelled()) {
        let plain = DeliverySettings {
            speech: Speech { looks: Vec::new(), ..settings(Degree::Whole).speech },
            ..settings(Degree::Whole)
        };
        let all: String = said(Degree::Whole, &[9], &text).into_iter().map(|(_, text)| text).collect();
        prop_assert_eq!(letters(&all), letters(&streamed(&text, &plain, &[9]).concat()));
    }
}
