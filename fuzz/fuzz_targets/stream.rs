//! How the text is cut into deltas does not change the messages.
#![no_main]

use kaiwa_domain::Outgoing;
use kaiwa_pipeline::deliver::{Degree, Deliverer, Settings};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &str)| {
    let (degree, step, text) = input;
    let degree = Degree::from_number(u64::from(degree % 4)).unwrap_or_default();
    let whole = delivered(degree, [text]);
    let step = 1 + usize::from(step % 9);
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let deltas = chars.chunks(step).map(|chars| {
        let (start, _) = chars[0];
        let (last, c) = chars[chars.len() - 1];
        &text[start..last + c.len_utf8()]
    });
    assert_eq!(delivered(degree, deltas), whole);
});

fn delivered<'a>(degree: Degree, deltas: impl IntoIterator<Item = &'a str>) -> Vec<Outgoing> {
    let settings = Settings {
        degree,
        tables: true,
        own_names: vec!["Kaiwa".into()],
        other_names: vec!["Ada".into()],
        ..Settings::default()
    };
    let mut deliverer = Deliverer::new(settings);
    let mut out = Vec::new();
    for delta in deltas {
        out.extend(deliverer.push(delta));
    }
    out.extend(deliverer.finish());
    for outgoing in &out {
        if let Outgoing::Say(text) = outgoing {
            assert!(text.encode_utf16().count() <= 2000, "too long");
        }
    }
    out
}
