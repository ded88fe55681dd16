//! What is safe to show to a model stays as it is, nothing visible is lost, and
//! no line but the first begins like a speaker.
#![no_main]

use kaiwa_domain::UserId;
use kaiwa_pipeline::brief::sanitize::{is_visible, sanitize, speaker_name, unique_names};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let safe = sanitize(text);
    assert_eq!(safe.changed.is_empty(), safe.text == text);
    let again = sanitize(&safe.text);
    assert_eq!(again.text, safe.text, "not safe yet");
    assert!(again.changed.is_empty());
    let mut shown = safe.text.chars().filter(|c| is_visible(*c));
    for c in text.chars().filter(|c| is_visible(*c)) {
        assert!(shown.any(|other| other == c), "{c:?} is lost");
    }
    for token in [
        "<|",
        "<｜",
        "</｜",
        "[INST]",
        "[/INST]",
        "<s>",
        "</s>",
        "<|im_start|>",
    ] {
        assert!(!safe.text.contains(token), "{token}");
    }
    if !safe.text.contains("```") {
        for line in safe.text.split('\n') {
            let line = line.trim_start();
            assert!(
                !line.starts_with("system:") && !line.starts_with("Assistant:"),
                "a role"
            );
        }
        for line in safe.text.split('\n').skip(1) {
            assert!(!line.trim_start().starts_with("Ada:"), "a speaker");
        }
    }

    let name = speaker_name(text);
    assert!(name.chars().any(is_visible));
    assert!(!name.contains([':', '：', '\n', '\r', '\u{2028}', '[', '<']));
    let (first, second) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let people = [first, second, "Ada"]
        .into_iter()
        .zip([10_001, 20_001, 30_001]);
    let names = unique_names(&["Kaiwa"], people.map(|(name, id)| (UserId::new(id), name)));
    let mut names: Vec<&String> = names.values().collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "two people share a name");
    assert!(!names.iter().any(|name| *name == "Kaiwa"));
});
