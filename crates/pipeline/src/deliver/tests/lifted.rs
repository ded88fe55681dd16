//! Long code as files, and formulas of several lines.

use super::*;

/// What becomes of `text` at degree 0, with files in brackets.
fn check_files(text: &str, above: usize, expected: &str) {
    for size in [1, 3, usize::MAX] {
        let mut deliverer = Deliverer::new(DeliverySettings {
            attach_code_above: Some(above),
            explain: true,
            ..settings(Degree::Whole, 1950)
        });
        push_all(&mut deliverer, text, &[size]);
        let sent = deliverer.finish();
        let found: Vec<_> = sent
            .iter()
            .map(|outgoing| match outgoing {
                Outgoing::Say(text) => text.clone(),
                Outgoing::File(file) => format!("[{}:{}]", file.name(), file.text()),
                Outgoing::Table(_) | Outgoing::Rest(_) | Outgoing::Sticker(_) => String::new(),
            })
            .collect();
        assert_eq!(found.join("+"), expected, "{text:?} by {size}");
        assert_eq!(replay(text, &deliverer.take_explained()), shown(sent));
    }
}

#[test]
fn long_blocks_become_files() {
    for (text, files) in [
        ("a\n```rust\nlong\n```\nb", "a+[code.rs:long\n]+b"),
        ("a\n```rust\nlong\n```", "a+[code.rs:long\n]"),
        ("a\n```rust\nlong", "a+[code.rs:long]"),
        ("  ~~~c++ x\nlong\n  ~~~\nb", "[code.cpp:long\n]+b"),
        (
            "```\nlong\n```\n\n```py\nlong\n```\n",
            "[code.txt:long\n]+[code-2.py:long\n]",
        ),
        (
            "````md\n```\nlong\n```\n````\nb",
            "[code.md:```\nlong\n```\n]+b",
        ),
        ("```<b>\nlong\n```\nb", "[code.txt:long\n]+b"),
        ("a\r\n```c\r\nlong\r\n```\r\nb", "a+[code.c:long\r\n]+b"),
    ] {
        check_files(text, 3, files);
    }
    for text in [
        "```rust\nshort\n```\nb",
        "a ```\nlong long long\n```\nb long long long",
        "> ```\n> long long long\n> ```\nb",
        "- ```\n  long long long\n  ```",
        "```not code``` a long line of text",
        "```\n                    \n```\nb",
    ] {
        check_files(text, 10, text);
    }
}

#[test]
fn very_long_code_goes_on_in_another_file() {
    let line = "é".repeat(49) + "\n";
    let written = line.repeat(500) + &"y".repeat(60_000);
    let text = format!("```c\n{written}\n```\nb");
    for sizes in [&[5000][..], &[usize::MAX]] {
        let mut deliverer = Deliverer::new(DeliverySettings {
            attach_code_above: Some(1000),
            explain: true,
            ..settings(Degree::Lines, 1950)
        });
        let mut sent = push_all(&mut deliverer, &text, sizes);
        sent.extend(shown(deliverer.finish()));
        assert_eq!(sent.pop().as_deref(), Some("b"));
        let lengths: Vec<_> = sent.iter().map(String::len).collect();
        assert!(sent.concat().trim_end() == written, "{lengths:?}");
        assert!(sent.len() > 5 && sent[0].ends_with('\n'), "{lengths:?}");
        sent.push("b".to_owned());
        assert!(replay(&text, &deliverer.take_explained()) == sent);
    }
}

/// What is sent of a text with formulas, at degree 1.
fn check_formula(text: &str, expected: &[&str]) {
    for size in [1, 3, 5, usize::MAX] {
        let settings = DeliverySettings {
            dialect: true,
            ..settings(Degree::Lines, 1950)
        };
        let sent = streamed(text, &settings, &[size]);
        assert_eq!(sent, expected, "{text:?} by {size}");
    }
}

#[test]
fn formulas_of_several_lines_stay_together() {
    check_formula("so\n$$\nE = mc^2\n$$\nok", &["so", "E = mc²", "ok"]);
    check_formula("\\[\n\\frac{a}{b}\n\\]", &["a/b"]);
    check_formula(
        "\\[\na &= b \\\\\nc &= d\n\\]\nok",
        &["```\na = b\nc = d\n```", "ok"],
    );
    check_formula("a\n  $$a \\\\\nb$$ is it", &["a", "a; b is it"]);
    check_formula("$$\na\n$$\n$$\nb\n$$", &["a", "b"]);
    for text in [
        "$",
        "$$",
        "\\*not bold\\*",
        "$$never closed",
        "```\n$$\na\n$$\n```",
        "$PATH",
    ] {
        check_formula(text, &[text]);
    }
    check_formula("a $$\nb\n$$ c", &["a $$", "b", "$$ c"]);
    check_formula("$$\nnever\n\nclosed", &["$$\nnever", "closed"]);
    let long = format!("$$\n{}", "word and ".repeat(400));
    let messages = streamed(&long, &settings(Degree::Lines, 1950), &[9]);
    assert!(messages[0].starts_with("$$\nword"), "{messages:?}");
}
