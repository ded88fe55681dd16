use std::sync::Arc;

use kaiwa_domain::UserId;
use proptest::prelude::*;

use super::super::edit::tests::apply;
use super::super::explain::Reason;
use super::*;

const MIA: u64 = 123_456_789_012_345_678;

struct World(Vocabulary);

impl World {
    fn new() -> Self {
        let emoji = |name: &str, id, animated| Emoji {
            name: name.to_owned(),
            id,
            animated,
        };
        let mut people = Roster::default();
        people.add(UserId::new(MIA), "Mia");
        people.add(UserId::new(MIA), "mia_k");
        people.add(UserId::new(MIA + 1), "José Núñez");
        people.add(UserId::new(MIA + 2), "Sam");
        people.add(UserId::new(MIA + 3), "sam");
        people.add(UserId::new(MIA + 4), "everyone");
        people.add(UserId::new(MIA + 5), "Jane Doe");
        people.add(UserId::new(MIA + 6), "Jane");
        people.add(UserId::new(MIA + 7), "✨ Star ✨");
        Self(Vocabulary {
            emoji: Arc::new(EmojiBook::new([
                emoji("Wave", 11, false),
                emoji("party", 22, true),
                emoji("old", 33, false),
                emoji("new_one", 44, false),
            ])),
            recent: Arc::new(RecentEmoji::in_messages([
                "hi <:old:33>",
                "so <a:Gone:99>",
                "`:wave:`",
            ])),
            people: Arc::new(people),
        })
    }

    fn clean(&self, text: &str) -> Edited {
        clean(text, &self.0)
    }
}

fn check(text: &str, expected: &str) {
    let edited = World::new().clean(text);
    assert_eq!(edited.text, expected, "{text:?}");
    assert_eq!(apply(text, &edited.changes), edited.text);
}

#[test]
fn emoji_become_tags() {
    check("hi :wave: there", "hi <:Wave:11> there");
    check(":WAVE::party:", "<:Wave:11><a:party:22>");
    check("hi <:wave:999>", "hi <:Wave:11>");
    check("hi <:wave:> there", "hi <:Wave:11> there");
    check("nice :tada:", "nice 🎉");
    check("a :nonsense_emote: b", "a b");
    check("hi <:wave", "hi <:Wave:11>");
    check("hi <:wave:", "hi <:Wave:11>");
    check("hi <:wave:123 there", "hi <:Wave:11> there");
    check("hi <a:party", "hi <a:party:22>");
    check("hi <a:party:22 there", "hi <a:party:22> there");
    check("hi :wave:123456789012345678> there", "hi <:Wave:11> there");
    check("hi <:no_such", "hi");
    check("hi <:no_such:77 there", "hi there");
    check("hi <a:no_such:", "hi");
    check("hi <:no_such:> there", "hi there");
    check(":nonsense_emote:", "");
    check("a\n:nonsense_emote: b\nc", "a\nb\nc");
    for text in [
        "`:wave:`",
        "```\n:wave:\n```",
        "https://a.b/:wave:/c",
        "at 10:30:45",
        "std::wave::x",
        "<:other:77>",
        "a:nonsense:b",
        "<:3 <:( <: < a:b",
        "```py :nonsense_emote:\na",
        "x<:b>y",
        "if a <:b then",
        "| :wave: | b |\n|---|---|\n| c | d |",
    ] {
        check(text, text);
    }
}

#[test]
fn emoji_used_lately_go() {
    check("hi :old: there", "hi there");
    check("hi <:old:33> there", "hi there");
    check("hi <a:gone:99>\n\nthere :old:!", "hi\n\nthere!");
    check(":old: hi\n:old: you", "hi\nyou");
    check("hi :old: :old:\nyou", "hi\nyou");
    check("a :old: :wave: b", "a <:Wave:11> b");
    // Only punctuation would remain.
    check(":old:", "<:old:33>");
    check("<:old:33> !", "<:old:33> !");
    check(":old:\n…", "<:old:33>\n…");
    check("`:old:` hi", "`:old:` hi");
}

#[test]
fn handles_become_mentions() {
    let mia = format!("<@{MIA}>");
    let jose = format!("<@{}>", MIA + 1);
    for (text, expected) in [
        ("hi @Mia!", format!("hi {mia}!")),
        ("@mia_k: hi", format!("{mia}: hi")),
        ("hi @mia.", format!("hi {mia}.")),
        ("@{José Núñez} hi", format!("{jose} hi")),
        ("@(Mia) @[Mia]", format!("{mia} {mia}")),
        ("@{Somebody|123456789012345678}", mia.clone()),
        ("@{123456789012345678}", mia.clone()),
        ("@Mia|123456789012345678 x", format!("{mia} x")),
        ("@Other|123456789012345678 x", format!("{mia} x")),
        ("@{Mia|99999999999999999}", mia.clone()),
        ("**@Mia**", format!("**{mia}**")),
        ("@Jane Doe, hi", format!("<@{}>, hi", MIA + 5)),
        ("@jane doe's", format!("<@{}>'s", MIA + 5)),
        ("@Jane Doering", format!("<@{}> Doering", MIA + 6)),
        ("@Jane", format!("<@{}>", MIA + 6)),
        ("@José Núñez!", format!("{jose}!")),
        ("@✨ Star ✨ hi", format!("<@{}> hi", MIA + 7)),
        ("@Jane\nDoe", format!("<@{}>\nDoe", MIA + 6)),
        ("@Nobody hi", "Nobody hi".to_owned()),
        ("@{No Body} hi", "No Body hi".to_owned()),
        ("@{No Body|99999999999999999} hi", "No Body hi".to_owned()),
        ("@Sam hi", "Sam hi".to_owned()),
        ("@everyone hi", "@\u{200b}everyone hi".to_owned()),
        ("@Here hi", "@\u{200b}Here hi".to_owned()),
        ("@{everyone} hi", "everyone hi".to_owned()),
        ("@{@here} hi", "here hi".to_owned()),
        ("@{x @everyone} hi", "x @\u{200b}everyone hi".to_owned()),
    ] {
        check(text, &expected);
    }
    for text in [
        "`@Mia`",
        "```\n@Mia\n```",
        "mia@Mia.example",
        "https://a.b/@Mia",
        "<@123456789012345678>",
        "npm i @types/node",
        "@-@-@--al",
        "``` @Nobody",
        "a @ b",
        "@{",
        "@{}",
        "@{Mia\n}",
        "[@Mia](https://a.b)",
    ] {
        check(text, text);
    }
}

#[test]
fn changes_are_told_by_their_rules() {
    let text = "hi :old: :wave: <:wave:9> :nonsense_emote: @Mia @Nobody @here";
    let world = World::new();
    for (rule, keeps) in [
        (Reason::DuplicateEmoji, "hi <:old:33>"),
        (Reason::EmojiCode, ":wave:"),
        (Reason::EmojiTag, "<:wave:9>"),
        (Reason::UnknownEmoji, ":nonsense_emote:"),
        (Reason::Mention, "@Mia"),
        (Reason::UnknownMention, "@Nobody"),
        (Reason::MassMention, "@here"),
    ] {
        let on = world.clean(text);
        assert!(!on.text.contains(keeps), "{rule:?}: {}", on.text);
        assert!(
            on.changes.iter().any(|edit| edit.reason == rule),
            "{rule:?}"
        );
    }
}

#[test]
fn the_table_of_standard_emoji_is_sorted() {
    check(":blush: :joy: :wink: :heart:", "😊 😂 😉 ❤️");
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        1 => "[a-z @:<>{}()|\n`1é]{0,6}",
        3 => proptest::sample::select(&[
            ":old:", ":wave:", "<:old:33>", "<:wave:9>", ":zzz_q:", "@Mia", "@{Mia|", "@{", "}", "@x", "@everyone",
            " ", "\n", "`", "```\n", "https://a.b/", "!", "123456789012345678", "|", "日本", "<:", ":>", "<:wave", "<a:party:22", "@Jane Doe", "<:zz_q:",
        ][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn laws(text in text()) {
        let world = World::new();
        let edited = world.clean(&text);
        prop_assert_eq!(&apply(&text, &edited.changes), &edited.text);
        // Line ends are never flattened.
        prop_assert_eq!(edited.text.matches('\n').count(), text.matches('\n').count());
        // What is clean stays as it is.
        let again = world.clean(&edited.text);
        prop_assert_eq!(&again.text, &edited.text);
    }
}

#[test]
fn halves_in_halves_are_taken_out_one_by_one() {
    let world = World::new();
    let text = format!("{}Yb{}", "<:".repeat(14), "@ub".repeat(13));
    let cleaned = world.clean(&text);
    let again = world.clean(&cleaned.text);
    assert_eq!(again.text, cleaned.text);
}
