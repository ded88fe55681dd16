use expect_test::{Expect, expect};

use super::*;

/// The parts of `text`, each with what it covers.
fn check(text: &str, expected: &Expect) {
    let mut segmenter = Segmenter::whole(text);
    let mut shown = String::new();
    let mut at = 0;
    let mut tell = |part: Part| {
        let (name, end) = match part {
            Part::Text(end) => ("text", end),
            Part::Atom(end) => ("atom", end),
            Part::Code(end) => ("code", end),
            other => {
                shown.push_str(&format!("{other:?}\n"));
                if let Part::LineEnd(line) = other {
                    at = line.next;
                }
                return;
            }
        };
        shown.push_str(&format!("{name} {:?}\n", &text[at..end]));
        at = end;
    };
    while let Some(part) = segmenter.next() {
        tell(part);
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_bracket_is_told_with_the_text_that_follows() {
    check(
        "a (b ((`c`) {\n[",
        &expect![[r#"
        text "a "
        text "(b "
        atom "("
        atom "("
        atom "`c`"
        atom ")"
        text " "
        atom "{"
        LineEnd(LineEnd { end: 13, line_start: 14, next: 14, paragraph: false, follows: No, table_edge: false, plain: true, carried: false })
        atom "["
    "#]],
    );
}

#[test]
fn lines_and_blocks() {
    check(
        "# Title\nOne (two).\n- a\n- b\n\nEnd",
        &expect![[r##"
        atom "# "
        text "Title"
        LineEnd(LineEnd { end: 7, line_start: 8, next: 8, paragraph: false, follows: Block, table_edge: false, plain: false, carried: false })
        text "One "
        text "(two"
        atom ")"
        text "."
        LineEnd(LineEnd { end: 18, line_start: 19, next: 19, paragraph: false, follows: No, table_edge: false, plain: false, carried: false })
        atom "- "
        text "a"
        LineEnd(LineEnd { end: 22, line_start: 23, next: 23, paragraph: false, follows: Block, table_edge: false, plain: false, carried: false })
        atom "- "
        text "b"
        LineEnd(LineEnd { end: 26, line_start: 28, next: 28, paragraph: true, follows: No, table_edge: false, plain: false, carried: false })
        text "End"
    "##]],
    );
    check(
        "Hi! <:wave:1>\n! Yes\n```\nx\n```",
        &expect![[r#"
            text "Hi! "
            Edge { end: 3, next: 4, kind: Emoji }
            atom "<:wave:1>"
            Edge { end: 13, next: 14, kind: Emoji }
            LineEnd(LineEnd { end: 13, line_start: 14, next: 14, paragraph: false, follows: No, table_edge: false, plain: true, carried: true })
            text "!"
            Edge { end: 15, next: 16, kind: Carried(No) }
            text " Yes"
            LineEnd(LineEnd { end: 19, line_start: 20, next: 20, paragraph: false, follows: No, table_edge: false, plain: false, carried: false })
            BlockStart(20)
            code "```"
            CodeLineEnd { end: 23, next: 24, after_content: false }
            code "\nx"
            CodeLineEnd { end: 25, next: 26, after_content: true }
            code "\n```"
            CodeEnd { content: 25 }
        "#]],
    );
}

/// The break opportunities of a line, last first.
fn opportunities(text: &str) -> Vec<(&str, Rank)> {
    let mut segmenter = Segmenter::whole(text);
    while segmenter.next().is_some() {}
    let mut found = Vec::new();
    let mut at = text.len();
    while let Some((end, next, rank)) = segmenter.outline.find_back(at, 0) {
        found.push((&text[..end], rank));
        at = end - usize::from(end == next);
        at = text.floor_char_boundary(at);
    }
    found
}

#[test]
fn lines_are_cut_between_words_and_better_between_sentences() {
    use Rank::{Sentence, Word};
    assert_eq!(
        opportunities("Dr. No said \"so.\" `a b` Yes , no"),
        [
            ("Dr. No said \"so.\" `a b` Yes ,", Word),
            ("Dr. No said \"so.\" `a b`", Word),
            ("Dr. No said \"so.\"", Sentence),
            ("Dr. No said", Word),
            ("Dr. No", Word),
            ("Dr.", Word),
        ]
    );
    assert_eq!(
        opportunities("一、二。三！」四"),
        [("一、二。", Sentence), ("一、", Word)]
    );
}

/// Marks the bytes in code with `#`, however much is known of what follows.
fn check_code(text: &str, expected: &str) {
    let mut segmenter = Segmenter::default();
    let mut found = String::new();
    for (at, c) in text.char_indices() {
        let held = segmenter.is_code("", &text[at..], true);
        found.push(match held {
            _ if c == '\n' => '\n',
            Some(true) => '#',
            _ => '.',
        });
        // What another stage holds is known too.
        let next = text[at + c.len_utf8()..].chars().next();
        if let Some(next) = next {
            let after = &text[at + c.len_utf8()..];
            let ahead = segmenter.is_code(&text[at..at + c.len_utf8()], after, true);
            segmenter.push(&text[at..at + c.len_utf8()]);
            while segmenter.next().is_some() {}
            let now = segmenter.is_code("", after, true);
            assert_eq!(ahead, now, "{text:?} before {next:?}");
        }
    }
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn fences_and_inline_code() {
    check_code("a `b` c", "...##..");
    check_code("``a`b`` c", ".######..");
    check_code("a ` b\nc", ".....\n.");
    check_code("```\na\n```\nb", ".##\n#\n###\n.");
    check_code("```rs\na\n```\nb", ".####\n#\n###\n.");
    check_code("```a``` b", ".######..");
    check_code("~~~\n```\n~~~~\nb", ".##\n###\n####\n.");
    check_code("````\n```\n````\nb", ".###\n###\n####\n.");
    check_code("```\n``` x\n```\nb", ".##\n#####\n###\n.");
    check_code("> ```\n> a\nb", "...##\n###\n.");
    check_code("| `a` | b |\nc", "...##......\n.");
    check_code("[a `b`](c)", "....##....");
    check_code("a ~~~\nb", ".....\n.");
}

#[test]
fn what_may_not_be_code_is_known_at_once() {
    let mut segmenter = Segmenter::default();
    // What a bracket begins is not known yet, whoever holds it.
    assert_eq!(segmenter.is_code("[", "<", false), Some(false));
    assert_eq!(segmenter.is_code("`", "<", false), None);
    segmenter.push("[");
    assert_eq!(segmenter.is_code("", "<", false), Some(false));
}
