//! Tokens cover the text, in order, at character boundaries.
#![no_main]

use kaiwa_pipeline::deliver::scan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut end = 0;
    for token in scan::tokens(text) {
        assert_eq!(token.start, end, "a gap or an overlap");
        assert!(token.end > end, "an empty token");
        assert!(text.is_char_boundary(token.end));
        end = token.end;
    }
    assert_eq!(end, text.len());
});
