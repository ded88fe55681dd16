use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &Expect) {
    let mut shown = String::new();
    for token in tokens(text) {
        shown.push_str(&format!("{:?} {:?}\n", token.kind, &text[token.range()]));
    }
    expected.assert_eq(&shown);
}

#[test]
fn words_and_atoms() {
    check(
        "Hi `a b` <:x:1> https://a.b/c_(d). [t](https://u) 1.2 don’t",
        &expect![[r#"
            Word "Hi"
            Space " "
            Code "`a b`"
            Space " "
            Tag(Emoji) "<:x:1>"
            Space " "
            Url "https://a.b/c_(d)"
            Ender "."
            Space " "
            Link "[t](https://u)"
            Space " "
            Word "1.2"
            Space " "
            Word "don’t"
        "#]],
    );
    check(
        "<@1> <@&2> <#3> <t:4:R> </go now:5> <https://x> :wave: 10:30 <b> a_b ![i](u)",
        &expect![[r#"
            Tag(User) "<@1>"
            Space " "
            Tag(Role) "<@&2>"
            Space " "
            Tag(Channel) "<#3>"
            Space " "
            Tag(Time) "<t:4:R>"
            Space " "
            Tag(Slash) "</go now:5>"
            Space " "
            AngleUrl "<https://x>"
            Space " "
            Shortcode ":wave:"
            Space " "
            Word "10:30"
            Space " "
            Word "<b>"
            Space " "
            Word "a_b"
            Space " "
            Image "![i](u)"
        "#]],
    );
}

#[test]
fn lines() {
    check(
        "# T\n- a\n1) b\n> ```js\n> x\n> ```\n| a | b |\n|---|---|\n1 | 2\n---\n-# s",
        &expect![[r##"
            Marker(Heading) "# "
            Word "T"
            Newline "\n"
            Marker(Item) "- "
            Word "a"
            Newline "\n"
            Marker(Item) "1) "
            Word "b"
            Newline "\n"
            Marker(Quote) "> "
            FenceOpen "```js"
            Newline "\n"
            CodeText "> x"
            Newline "\n"
            FenceClose "> ```"
            Newline "\n"
            Row "| a | b |"
            Newline "\n"
            Row "|---|---|"
            Newline "\n"
            Row "1 | 2"
            Newline "\n"
            Rule "---"
            Newline "\n"
            Marker(Subtext) "-# "
            Word "s"
        "##]],
    );
    check(
        "See: ```js\nlet a = `b`;\n``` ok ```x``` ````",
        &expect![[r#"
            Word "See:"
            Space " "
            FenceOpen "```js"
            Newline "\n"
            CodeText "let a = "
            CodeText "`"
            CodeText "b"
            CodeText "`"
            CodeText ";"
            Newline "\n"
            FenceClose "```"
            Space " "
            Word "ok"
            Space " "
            Code "```x```"
            Space " "
            Word "````"
        "#]],
    );
}

pub(in crate::deliver) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z]{1,12}",
        3 => Just(" ".to_owned()),
        2 => Just("\n".to_owned()),
        2 => prop::sample::select(vec![
            ".", "!", "?", "...", "…", "。", "、", "！」", "「", "」", "(", ")", "\"", "“", "”", "[", "]", "](", "*",
            "**", "***", "_", "__", "~~", "||", "|", "`", "``", "```", "````", "~~~", "```js\n", "\n```\n", "> ",
            "- ", "1. ", "# ", "-# ", "\\*", "<", ">", "<:a", "<:ab:1>", "<a:abc:22>", "<@1>", "<t:1:R>", ":smile:", ":",
            "http", "https://", "https://a.b/c(d)", "<https://x.y>", "[a](https://b.c)", "![i](u)", "| a | b |\n",
            "|---|---|\n", "---|---\n", "\n\n", "\r\n", "\r", "é", "👩‍💻", "日本語", "العربية", "ที่นี่", "1.5", "Dr.", "\u{3000}",
            "don’t", "\t", "    ", ":)", ":(", "***\n", "---\n", "\u{b}", "\0",
        ]).prop_map(str::to_owned),
        1 => "[a-z]{60,140}",
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn streamed(text: &str, sizes: &[usize]) -> Vec<Token> {
    let mut scanner = Scanner::default();
    let mut found = Vec::new();
    let (mut end, mut turn, mut base) = (0, 0, 0);
    while end < text.len() {
        let size = sizes[turn % sizes.len()];
        turn += 1;
        end += text[end..]
            .chars()
            .take(size)
            .map(char::len_utf8)
            .sum::<usize>();
        while let Some(token) = scanner.next(&text[base..end], base, false) {
            found.push(token);
        }
        base = text.floor_char_boundary(scanner.position().saturating_sub(1));
    }
    while let Some(token) = scanner.next(&text[base..], base, true) {
        found.push(token);
    }
    found
}

proptest! {
    #[test]
    fn what_is_known_at_a_glance_is_what_the_scanner_reads(text in text()) {
        for token in tokens(&text) {
            let known = super::atom::plain_atom(&text.as_bytes()[token.start..]);
            if let Some((kind, length)) = known.filter(|_| !token.kind.is_fenced() && token.kind != Kind::Row) {
                prop_assert_eq!((token.kind, token.end - token.start), (kind, length));
            }
        }
    }

    #[test]
    fn tokens_cover_the_text_and_do_not_depend_on_deltas(
        text in text(), sizes in prop::collection::vec(1usize..9, 1..6),
    ) {
        let whole: Vec<Token> = tokens(&text).collect();
        let mut at = 0;
        for token in &whole {
            prop_assert_eq!(token.start, at);
            prop_assert!(token.end > at);
            at = token.end;
        }
        prop_assert_eq!(at, text.len());
        prop_assert_eq!(&streamed(&text, &[1]), &whole);
        prop_assert_eq!(&streamed(&text, &[4]), &whole);
        prop_assert_eq!(&streamed(&text, &sizes), &whole);
    }
}
