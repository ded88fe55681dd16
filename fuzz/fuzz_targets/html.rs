//! Any page is read: its text holds nothing that people would not see, is
//! bounded, and no mark of a chat template; any page of results too.
#![no_main]

use kaiwa_actions::read_html;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| {
    let (text, results) = read_html(html);
    assert!(text.len() <= 2 * html.len() + 16, "text out of nothing");
    assert!(results <= 8, "too many results");
    for c in text.chars() {
        let seen = matches!(c, '\n' | '\t') || !c.is_control();
        assert!(
            seen && !matches!(c, '\u{200b}' | '\u{202e}' | '\u{e0041}'),
            "{c:?}"
        );
    }
    for mark in ["<|", "<｜", "[INST]", "[/INST]"] {
        assert!(!text.contains(mark), "{mark}");
    }
});
