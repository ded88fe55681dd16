use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Vendor;

/// A vendor whose parts say what they are.
struct Plain;

impl Wording for Plain {
    const MODEL: &'static str = "model";

    fn text(words: &str) -> Value {
        words.into()
    }

    fn image(_: &Image) -> Value {
        "image".into()
    }

    fn said(&self, _: usize, words: &str, _: &[&str], calls: &[AnsweredCall<'_>]) -> Vec<Value> {
        let words = (!words.is_empty()).then(|| words.into());
        let calls = calls.iter().map(|call| format!("ask {}", call.id).into());
        words.into_iter().chain(calls).collect()
    }

    fn result(call: &AnsweredCall<'_>) -> Value {
        format!("answer {}", call.id).into()
    }
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]",
        Just(String::new()),
        Just("call00001".to_owned()),
        Just("茶.".to_owned())
    ]
}

fn line() -> impl Strategy<Value = Line> {
    let text = prop_oneof!["[a-z ]{0,3}", Just("\n".to_owned())];
    let call = id().prop_map(|id| ToolCall {
        id,
        name: "brew".to_owned(),
        arguments: "{".to_owned(),
        signature: Some("x".to_owned()),
    });
    let result = (id(), any::<bool>()).prop_map(|(call, failed)| ToolResult {
        call,
        name: "brew".to_owned(),
        text: String::new(),
        failed,
    });
    prop_oneof![
        text.clone().prop_map(Line::user),
        (text, vec(call, 0..4)).prop_map(|(text, calls)| Line::Assistant {
            text,
            thoughts: Vec::new(),
            calls,
        }),
        result.prop_map(Line::Tool),
    ]
}

proptest! {
    #[test]
    fn whatever_was_said_makes_a_dialogue(lines in vec(line(), 0..12), mistral in any::<bool>()) {
        let vendor = Vendor::named(if mistral { "mistral" } else { "anthropic" }).unwrap();
        let url = "https://example.org".parse().unwrap();
        let endpoint = Endpoint::at(vendor, url, "tea".to_owned());
        let brief = Brief { lines, ..Brief::default() };
        let turns = turns(&endpoint, &brief);
        let messages = dialogue(&turns, &Plain);
        let mut seen = HashSet::new();
        for (place, (side, parts)) in messages.iter().enumerate() {
            prop_assert_eq!(*side, ["user", "model"][place % 2]);
            prop_assert!(!parts.is_empty());
            prop_assert!(parts.iter().all(|part| !part.as_str().unwrap().trim().is_empty()));
            let asked: Vec<String> = parts
                .iter()
                .filter_map(|part| part.as_str()?.strip_prefix("ask ").map(str::to_owned))
                .collect();
            let answered = messages.get(place + 1).map_or(&[][..], |(_, parts)| parts);
            for (id, answer) in asked.iter().zip(answered) {
                prop_assert_eq!(answer, &format!("answer {id}"));
                prop_assert!(seen.insert(id.clone()), "{} is there twice", id);
                prop_assert!(!mistral || id.len() == 9);
            }
            prop_assert!(answered.len() >= asked.len());
        }
    }
}
