use proptest::prelude::*;

use super::super::edit::tests::apply;
use super::super::explain::Reason;
use super::*;

fn check(text: &str, expected: &str) {
    let edited = dialect(text);
    assert_eq!(edited.text, expected, "{text:?}");
    assert_eq!(apply(text, &edited.changes), edited.text);
}

#[test]
fn blocks() {
    check("#### Title\ntext", "**Title**\ntext");
    check("###### Title ##  ", "**Title**");
    check("#### **Bold** title", "**Bold title**");
    check("#### **Bold**", "**Bold**");
    check("#### Use `a**b`", "**Use `a**b`**");
    check("#### C#", "**C#**");
    check("a\n\n---\n\nb", "a\n\n──────────\n\nb");
    check("***", "──────────");
    check(
        "- [ ] a\n- [x] b\n* [X] c\n1. [ ] d",
        "- ☐ a\n- ☑ b\n* ☑ c\n1. ☐ d",
    );
    check("~~~py\na\n~~~\nb", "```py\na\n```\nb");
    check(
        "````md\n```\na\n```\n````",
        "```md\n`\u{200b}``\na\n`\u{200b}``\n```",
    );
    check("```rust,ignore\na\n```", "```rust\na\n```");
    check("``` py \na\n```", "```py\na\n```");
    check("~~~  py title=a\nb\n~~~", "```py\nb\n```");
    // A block that began in mid-line may end so.
    check("```py\na()```", "```py\na()\n```");
    check("```py\na```b```", "```py\na`\u{200b}``b\n```");
    for text in [
        "# One\n## Two\n### Three",
        "#### ",
        "####",
        "####no",
        "#hashtag",
        "```\n#### a\n---\n- [ ] b\n<br> &amp; \\(x^2\\)\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "- [link](https://a.b)",
        "[ ] a",
        "- []",
        "a --- b",
        "- a",
    ] {
        check(text, text);
    }
}

#[test]
fn pictures_and_html() {
    check(
        "see ![a cat](https://a.b/c.png)!",
        "see [a cat](https://a.b/c.png)!",
    );
    check("![](https://a.b/c.png)", "https://a.b/c.png");
    check("a<br>b<BR/>c<br />d", "a\nb\nc\nd");
    check("a<br>\nb", "a\nb");
    check("- a<br>b", "- a\n  b");
    check("> a<br>b", "> a\n> b");
    check("#### a<br>b", "**a b**");
    check(
        "| a<br>b | c |\n|---|---|\n| d<br/>e | f |",
        "| a b | c |\n|---|---|\n| d e | f |",
    );
    check("<b>a</b> <i>b</i> <STRONG>c</STRONG>", "**a** *b* **c**");
    check("press <kbd>Ctrl</kbd>+<kbd>C</kbd>", "press `Ctrl`+`C`");
    check(
        "a &lt; b &amp;&amp; c &#39;d&#39; &nbsp;e",
        "a < b && c 'd'  e",
    );
    for text in [
        "`<br>` and `&amp;` and `<b>a</b>`",
        "<b>a",
        "a</b>",
        "<b>a\nb</b>",
        "<brown> fox",
        "AT&T; R&D",
        "&#64;everyone &#7; &nothing;",
        "https://a.b/?x=1&amp;y=2",
        "[a](https://a.b) <https://a.b> <:b:123456>",
        "x < y > z",
    ] {
        check(text, text);
    }
}

#[test]
fn formulas() {
    for (text, expected) in [
        (r"so \(x^2 + y_1\) is", "so x² + y₁ is"),
        (r"\[ E = mc^{2} \]", "E = mc²"),
        (r"\(\frac{1}{2}\)", "1/2"),
        (r"\(\frac{a+b}{2c}\)", "(a+b)/2c"),
        (r"\(\frac12\)", "1/2"),
        (
            r"$$\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$$",
            "∑ᵢ₌₁ⁿ i = (n(n+1))/2",
        ),
        (r"\(2 \times 3 \leq \pi \cdot \alpha\)", "2 × 3 ≤ π · α"),
        (
            r"\(\sqrt{x}\) \(\sqrt{x+1}\) \(\sqrt[3]{8}\)",
            "√x √(x+1) ∛8",
        ),
        (r"\(x^{a+q}\) \(x_{max}\)", "x^(a+q) xₘₐₓ"),
        (r"\(\left( a \right)\) \(\text{if } b\)", "( a ) if b"),
        (r"\(90^\circ\)", "90°"),
        (r"is $x^2$ and $n$.", "is x² and n."),
        (r"\(a * b * c\)", "a ∗ b ∗ c"),
        (r"\(50\% \{a\}\)", "50% {a}"),
        (r"\(\unknown x\)", r"\unknown x"),
        ("\\[\na \\\\\nb\n\\]", "```\na\nb\n```"),
        ("so \\[a \\\\ b\\]", "so a; b"),
        (r"\begin{x} stays", r"\begin{x} stays"),
        (r"**\(x^2\)**", "**x²**"),
        ("CO$_2$, H$_2$O, 10$^{-3}$", "CO₂, H₂O, 10⁻³"),
    ] {
        check(text, expected);
    }
    for text in [
        "costs $5 and $10",
        "from $5-$10",
        "$PATH:$HOME",
        "US$ a_b $",
        "a$_b$c",
        r"`\(x^2\)`",
        "```\n\\(x^2\\)\n$x^2$\n```",
        r"\(unclosed",
        r"\*not bold\*",
        r"C:\times\new",
        "$$",
        "$$ $$",
        "\\(a\n\nb\\)",
        r"\[\]",
    ] {
        check(text, text);
    }
}

#[test]
fn changes_are_told_by_their_rules() {
    let text =
        "#### a\n---\n![b](https://c.d)\n- [ ] e<br><b>f</b> &amp; \\(g^2\\)\n~~~\nx```\n~~~";
    for rule in [
        Reason::DeepHeading,
        Reason::PageRule,
        Reason::Picture,
        Reason::Fence,
        Reason::NestedFence,
        Reason::Task,
        Reason::LineBreak,
        Reason::HtmlTag,
        Reason::Entity,
        Reason::Formula,
    ] {
        let changes = dialect(text).changes;
        let acted = changes.iter().any(|edit| edit.reason == rule);
        assert!(acted, "{rule:?}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => "[a-z #*`<>&;$~\\\\\n{}^_!()\\[\\]1é-]{0,6}",
        3 => proptest::sample::select(&[
            "#### ", "# ", "\n", "\n\n", "---\n", "![a](https://b.c)", "![](", "~~~\n", "````\n", "```\n", "- [ ] ",
            "- [x] ", "<br>", "<b>", "</b>", "&amp;", "&#39;", "\\(", "\\)", "\\[", "\\]", "$$", "$", "\\frac", "{", "}",
            "^2", "\\alpha", "> ", "**", "`", "| a | b |\n", "|---|---|\n", "日本", "word",
        ][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn laws(text in text()) {
        let edited = dialect(&text);
        prop_assert_eq!(&apply(&text, &edited.changes), &edited.text);
        prop_assert!(edited.text.len() <= 4 * text.len() + 60 * edited.changes.len());
    }

    #[test]
    fn what_discord_shows_already_stays(text in "[a-z .,!?\n]{0,200}") {
        prop_assert_eq!(dialect(&text).changes, vec![]);
    }

    #[test]
    fn formulas_never_panic(source in "[a-z\\\\{}^_ \\[\\]&é]{0,60}") {
        formula::readable(&source);
        formula::readable(&"{".repeat(source.len() * 50));
        formula::readable(&"^".repeat(source.len() * 50));
        formula::readable(&"\\frac".repeat(source.len() * 50));
    }
}
