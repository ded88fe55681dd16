//! Messages fit, are not blank, and say what the text says, in its order.
#![no_main]

use kaiwa_pipeline::deliver::{Degree, DeliverySettings, chunk};
use libfuzzer_sys::fuzz_target;

/// Markers that a cut may add.
const MARKERS: &str = "`~*_|>-#";

fuzz_target!(|input: (u8, u8, &str)| {
    let (degree, max, text) = input;
    let degree = Degree::from_number(u64::from(degree % 4)).unwrap_or_default();
    let settings = DeliverySettings {
        degree,
        max: 80 + usize::from(max),
        dialect: false,
        ..DeliverySettings::default()
    };
    let messages = chunk(text, &settings).messages;
    for message in &messages {
        assert!(message.encode_utf16().count() <= settings.max, "too long");
        assert!(!message.trim().is_empty(), "blank");
    }
    let said = letters(&messages.concat(), degree);
    let written = letters(text, degree);
    let mut rest = said.chars();
    for letter in written.chars() {
        assert!(rest.any(|said| said == letter), "lost or out of order");
    }
});

/// What must come out in order: everything but white space and markers, and at
/// degree 3 but full stops, which may end a message.
fn letters(text: &str, degree: Degree) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !MARKERS.contains(*c))
        .filter(|c| !matches!(c, '\u{200b}' | '\u{feff}'))
        .filter(|c| degree != Degree::Sentences || !matches!(c, '.' | '。' | '．' | '｡'))
        .collect()
}
