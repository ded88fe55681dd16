//! The edits that cleaning and the dialect report lead to what they return, and
//! what is clean stays as it is.
#![no_main]

use std::sync::Arc;

use kaiwa_domain::UserId;
use kaiwa_pipeline::deliver::Vocabulary;
use kaiwa_pipeline::deliver::clean::{Emoji, EmojiBook, RecentEmoji, Roster, clean};
use kaiwa_pipeline::deliver::dialect::dialect;
use kaiwa_pipeline::deliver::edit::Edited;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let book = EmojiBook::new([("ab", 1), ("old", 2)].map(|(name, id)| Emoji {
        name: name.to_owned(),
        id,
        animated: id == 2,
    }));
    let recent = RecentEmoji::in_messages(["<a:old:2>"]);
    let mut roster = Roster::default();
    roster.add(UserId::new(7), "Al");
    roster.add(UserId::new(8), "Al B");
    let vocabulary = Vocabulary {
        emoji: Arc::new(book),
        recent: Arc::new(recent),
        people: Arc::new(roster),
    };
    let cleaned = clean(text, &vocabulary);
    check(text, &cleaned);
    // Halves of tags within halves are not taken out forever.
    if text.matches('<').count() <= 14 {
        let again = clean(&cleaned.text, &vocabulary);
        assert_eq!(again.text, cleaned.text, "not clean yet");
    }
    check(text, &dialect(text));
});

fn check(text: &str, edited: &Edited) {
    let mut rebuilt = String::new();
    let mut from = 0;
    for change in &edited.changes {
        assert!(change.at >= from, "edits overlap or go back");
        rebuilt.push_str(&text[from..change.at]);
        rebuilt.push_str(&change.inserted);
        from = change.end();
    }
    rebuilt.push_str(&text[from..]);
    assert_eq!(rebuilt, edited.text);
}
