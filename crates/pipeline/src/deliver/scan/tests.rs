use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &Expect) {
    let mut shown = String::new();
    for token in lexemes(text) {
        shown.push_str(&format!("{:?} {:?}\n", token.kind, &text[token.range()]));
    }
    expected.assert_eq(&shown);
}

#[test]
fn words_and_atoms() {
    check(
        "Hi `a b` <:x:1> https://a.b/c_(d). [t](https://u) 1.2 don’t",
        &expect![[r#"
            Text "Hi "
            Code "`a b`"
            Text " "
            Emoji "<:x:1>"
            Text " "
            Url "https://a.b/c_(d)"
            Text ". "
            Link "[t](https://u)"
            Text " 1.2 don’t"
        "#]],
    );
    check(
        "<@1> <@&2> <#3> <t:4:R> </go now:5> <https://x> :wave: 10:30 <b> a_b ![i](u)",
        &expect![[r#"
            Tag "<@1>"
            Text " "
            Tag "<@&2>"
            Text " "
            Tag "<#3>"
            Text " "
            Tag "<t:4:R>"
            Text " "
            Tag "</go now:5>"
            Text " "
            AngleUrl "<https://x>"
            Text " "
            Shortcode ":wave:"
            Text " 10:30 "
            Text "<b> a_b "
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
            Text "T"
            Newline "\n"
            Marker(List) "- "
            Text "a"
            Newline "\n"
            Marker(List) "1) "
            Text "b"
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
            Text "s"
        "##]],
    );
    check(
        "See: ```js\nlet a = `b`;\n``` ok ```x``` ````",
        &expect![[r#"
            Text "See: "
            FenceOpen "```js"
            Newline "\n"
            CodeText "let a = "
            CodeText "`"
            CodeText "b"
            CodeText "`"
            CodeText ";"
            Newline "\n"
            FenceClose "```"
            Text " ok "
            Code "```x```"
            Text " "
            Text "````"
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

fn streamed(text: &str, sizes: &[usize]) -> Vec<Lexeme> {
    let (mut scanner, mut window) = (Scanner::default(), TextWindow::default());
    let mut found = Vec::new();
    let mut rest = text;
    for size in sizes.iter().cycle() {
        let ends = rest.char_indices().map(|(at, _)| at);
        let (delta, after) =
            rest.split_at(ends.chain([rest.len()]).nth(*size).unwrap_or(rest.len()));
        window.push(delta);
        window.over = after.is_empty();
        while let Some(lexeme) = scanner.next(&window) {
            add(&mut found, lexeme);
        }
        window.drop_before(scanner.start, 1);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    found
}

/// Adds a lexeme; pieces of text or code become one.
fn add(found: &mut Vec<Lexeme>, lexeme: Lexeme) {
    match found.last_mut() {
        Some(last)
            if last.kind == lexeme.kind && matches!(lexeme.kind, Kind::Text | Kind::CodeText) =>
        {
            last.end = lexeme.end;
        }
        _ => found.push(lexeme),
    }
}

proptest! {
    #[test]
    fn lexemes_cover_the_text_and_do_not_depend_on_deltas(
        text in text(), sizes in prop::collection::vec(1usize..9, 1..6),
    ) {
        let mut whole = Vec::new();
        lexemes(&text).for_each(|lexeme| add(&mut whole, lexeme));
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
