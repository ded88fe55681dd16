//! The edits that cleaning and the dialect report lead to what they return.
#![no_main]

use kaiwa_pipeline::deliver::clean::{EmojiBook, Glossary, RecentEmoji, Roster, clean};
use kaiwa_pipeline::deliver::dialect::dialect;
use kaiwa_pipeline::deliver::edit::{Edited, Rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let book = EmojiBook::default();
    let recent = RecentEmoji::default();
    let roster = Roster::default();
    let glossary = Glossary {
        emoji: &book,
        recent: &recent,
        people: &roster,
    };
    check(text, &clean(text, glossary, Rules::default()));
    check(text, &dialect(text, Rules::default()));
});

fn check(text: &str, edited: &Edited) {
    let mut rebuilt = String::new();
    let mut from = 0;
    for edit in &edited.edits {
        assert!(edit.range.start >= from, "edits overlap or go back");
        rebuilt.push_str(&text[from..edit.range.start]);
        rebuilt.push_str(&edit.with);
        from = edit.range.end;
    }
    rebuilt.push_str(&text[from..]);
    assert_eq!(rebuilt, edited.text);
}
