//! How the text is cut into deltas does not change the messages, and what is
//! explained leads from the text to them.
#![no_main]

use kaiwa_domain::Outgoing;
use kaiwa_pipeline::deliver::explain::Change;
use kaiwa_pipeline::deliver::{Degree, Deliverer, DeliverySettings, Speech};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &str)| {
    let (options, step, text) = input;
    let (whole, explained) = delivered(options, [text]);
    let messages: Vec<&str> = whole
        .iter()
        .map(|outgoing| match outgoing {
            Outgoing::Say(text) | Outgoing::Rest(text) => text.as_str(),
            Outgoing::Sticker(sticker) => &sticker.name,
            Outgoing::Table(table) => table.source(),
            Outgoing::File(file) => file.text(),
        })
        .collect();
    assert_eq!(replay(text, &explained), messages);
    let step = 1 + usize::from(step % 9);
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let deltas = chars.chunks(step).map(|chars| {
        let (start, _) = chars[0];
        let (last, c) = chars[chars.len() - 1];
        &text[start..last + c.len_utf8()]
    });
    assert_eq!(delivered(options, deltas), (whole, explained));
});

fn delivered<'a>(
    options: u8,
    deltas: impl IntoIterator<Item = &'a str>,
) -> (Vec<Outgoing>, Vec<Change>) {
    let settings = DeliverySettings {
        degree: Degree::from_number(u64::from(options % 4)).unwrap_or_default(),
        dialect: options & 4 != 0,
        humanize: (options & 8 != 0).then_some(7),
        attach_code_above: (options & 16 != 0).then_some(20),
        explain: true,
        speech: Speech {
            own_names: vec!["Kaiwa".into()],
            other_names: vec!["Ada".into()],
            ..Speech::default()
        },
        ..DeliverySettings::default()
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
    (out, deliverer.take_explained())
}

/// What the explanations make of `text`.
fn replay(text: &str, explained: &[Change]) -> Vec<String> {
    let mut messages = Vec::new();
    let mut message = String::new();
    let mut at = 0;
    for entry in explained {
        message.push_str(&text[at..entry.at]);
        at = entry.at + entry.removed.len();
        assert_eq!(text[entry.at..at], entry.removed);
        message.push_str(&entry.inserted);
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
