//! Lexemes cover the text, in order, at character boundaries.
#![no_main]

use kaiwa_pipeline::deliver::scan;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut end = 0;
    for lexeme in scan::lexemes(text) {
        assert_eq!(lexeme.start, end, "a gap or an overlap");
        assert!(lexeme.end > end, "an empty lexeme");
        assert!(text.is_char_boundary(lexeme.end));
        end = lexeme.end;
    }
    assert_eq!(end, text.len());
});
