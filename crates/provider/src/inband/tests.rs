//! Each table is read in one piece and letter by letter.

use kaiwa_domain::When;
use proptest::prelude::*;

use super::*;

fn tools() -> Vec<Tool> {
    vec![Tool {
        name: "brew".into(),
        description: "".into(),
        schema: r#"{"type":"object","properties":{
            "minutes":{"type":"integer"},"ratio":{"type":"number"},"hot":{"type":"boolean"},
            "tea":{"type":"string"},"cups":{"type":"array"},"note":{"type":["string","null"]}}}"#
            .into(),
        when: When::InLoop,
    }]
}

/// Everything that was found, neighbours of a kind joined.
fn read<'a>(tools: &[Tool], pieces: impl IntoIterator<Item = &'a str>) -> Vec<InBandPiece> {
    let mut in_band = InBand::new(tools);
    let mut out = Out::default();
    let mut take = |said: Vec<InBandPiece>| {
        for said in said {
            match said {
                InBandPiece::Text(text) => out.text(&text),
                InBandPiece::Thought(text) => out.thought(&text),
                InBandPiece::Call { name, arguments } => out.call(name, arguments),
            }
        }
    };
    for piece in pieces {
        take(in_band.push(piece));
    }
    take(in_band.end());
    out.0
}

fn show(said: &[InBandPiece]) -> String {
    let line = |said: &InBandPiece| match said {
        InBandPiece::Text(text) => format!("text {text:?}"),
        InBandPiece::Thought(text) => format!("thought {text:?}"),
        InBandPiece::Call { name, arguments } => format!("call {name} {arguments}"),
    };
    said.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn letters(text: &str) -> impl Iterator<Item = &str> {
    text.split("").filter(|letter| !letter.is_empty())
}

fn check(text: &str, expect: &str) {
    let expect: Vec<&str> = expect.lines().map(str::trim).collect();
    let expect = expect.join("\n");
    let tools = tools();
    assert_eq!(show(&read(&tools, [text])), expect.trim(), "{text}");
    assert_eq!(show(&read(&tools, letters(text))), expect.trim(), "{text}");
}

/// The text stays as it is.
fn check_text(text: &str) {
    check(text, &format!("text {text:?}"));
}

#[test]
fn thoughts_stand_between_think_tags() {
    check("<think>hm</think>\n\nTea.", "thought \"hm\"\ntext \"Tea.\"");
    check(
        "Hello <think>x</think>y",
        "text \"Hello \"\nthought \"x\"\ntext \"y\"",
    );
    check(
        "a <think>x</think>\nb",
        "text \"a \"\nthought \"x\"\ntext \"\\nb\"",
    );
    check(
        "<Thinking>a < b <b></THINKING>c",
        "thought \"a < b <b>\"\ntext \"c\"",
    );
    check("<ant:think>x</ant:think>y", "thought \"x\"\ntext \"y\"");
    check("<think>never ends", "thought \"never ends\"");
    check("</think>\nTea.", "text \"Tea.\"");
    check(
        "<think>x<｜end▁of▁thinking｜>y",
        "thought \"x\"\ntext \"y\"",
    );
}

#[test]
fn what_only_looks_like_it_stays_text() {
    for text in [
        "a < b, a<b>c</b>, <3, </, <thinker>, <thoughts>, <",
        "`<think>` opens a thought and ``</think>`` closes it",
        "```xml\n<think>x</think>\n<tool_call>{\"name\":\"a\"}</tool_call>\n```\nSo.",
        "~~~\n<｜DSML｜invoke name=\"a\"></｜DSML｜invoke>\n~~~",
        "```\n``` a\n<think>x</think>\n```",
        "> ```\n> <think>x</think>\n> ```",
        "<tool_call>is how Hermes calls</tool_call>",
        "<tool_call>{\"tool\": \"no name\"}</tool_call>",
        "<tool_call>{\"name\": \"cut",
        "<tool_call>[]",
        "｜列｜表｜ and ｜DSML｜ and <｜DSML｜> and <|im_end|>",
        "<｜DSML｜invoke name=\"cut\"><｜DSML｜parameter name=\"a\">b",
        "<｜DSML｜tool_calls>\nno call</｜DSML｜tool_calls>",
        "<｜DSML｜unknown name=\"a\">",
        "<｜tool▁call▁begin｜>brew<｜tool▁sep｜>no json<｜tool▁call▁end｜>",
    ] {
        check_text(text);
    }
}

#[test]
fn code_that_has_ended_hides_nothing() {
    for code in [
        "```a``` is code\n",
        "```a``` ",
        "> ```\n> x\n",
        "```py\nx\n```",
        "  ~~~\nx\n~~~~\n",
    ] {
        let expect = format!("text {code:?}\nthought \"x\"\ntext \"Tea.\"");
        check(&format!("{code}<think>x</think>Tea."), &expect);
    }
}

#[test]
fn every_form_of_dsml_is_a_call() {
    let body = |open: &str, close: &str| {
        format!(
            "{open}invoke name=\"brew\">\n{open}parameter name=\"tea\" string=\"true\">oolong{close}parameter>\n\
             {open}parameter name=\"minutes\" string=\"false\">3{close}parameter>\n{close}invoke>"
        )
    };
    let call = r#"call brew {"tea":"oolong","minutes":3}"#;
    for (open, close) in [
        ("<｜DSML｜", "</｜DSML｜"),
        ("<｜DSML｜", "<｜DSML｜/"),
        ("<｜DSML｜", "<｜DSML｜"),
        ("<｜｜DSML｜｜", "</｜｜DSML｜｜"),
        ("<|DSML|", "</|DSML|"),
        ("<｜DSML｜ ", "</｜DSML｜ "),
        ("｜DSML｜", "</｜DSML｜"),
    ] {
        let inner = body(open, close);
        check(&inner, call);
        for wrapper in ["function_calls", "tool_calls", "calls"] {
            let text =
                format!("Well.\n\n{open}{wrapper}>\n{inner}\n{inner}\n{close}{wrapper}>\nBye");
            check(
                &text,
                &format!("text \"Well.\\n\\n\"\n{call}\n{call}\ntext \"Bye\""),
            );
        }
    }
    // Closers that are missing.
    check(
        "<｜DSML｜tool_calls><｜DSML｜invoke name='brew'><｜DSML｜parameter name='tea'>green</｜DSML｜tool_calls>",
        r#"call brew {"tea":"green"}"#,
    );
    check(
        "<｜DSML｜tool_calls><｜DSML｜invoke name=\"a\"><｜DSML｜invoke name=\"b\"></｜DSML｜invoke>And so on",
        "call a {}\ncall b {}\ntext \"And so on\"",
    );
    check(
        "<｜DSML｜invoke name=\"a\">{\"x\": [1, 2]}</｜DSML｜invoke>",
        r#"call a {"x":[1,2]}"#,
    );
}

#[test]
fn a_block_without_its_opening_is_no_prose() {
    let parameter = "<｜DSML｜parameter name=\"tea\" string=\"true\">oolong</｜DSML｜parameter>";
    let ends = [
        "</｜DSML｜invoke></｜DSML｜tool_calls>",
        "\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
        "\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        "</｜DSML｜tool_calls>",
        "</｜DSML｜invoke>",
        "<｜DSML｜/invoke><｜DSML｜/tool_calls>",
    ];
    for end in ends {
        check(&format!("{parameter}{end}"), "");
        check(&format!("{parameter}\n{parameter}{end}"), "");
        check(
            &format!("Well.\n{parameter}{end}\nBye"),
            "text \"Well.\\nBye\"",
        );
    }
    // Its own closing tag is missing too.
    check(
        "<｜DSML｜parameter name=\"tea\">oolong</｜DSML｜tool_calls>Bye",
        "text \"Bye\"",
    );
    // The calls after it are whole.
    for between in ["</｜DSML｜invoke>\n", "\n", ""] {
        check(
            &format!(
                "{parameter}{between}<｜DSML｜invoke name=\"brew\">{parameter}</｜DSML｜invoke></｜DSML｜tool_calls>"
            ),
            r#"call brew {"tea":"oolong"}"#,
        );
    }
    // Only the inner opening is missing, and the call after it is cut.
    let cut = "<｜DSML｜invoke name=\"brew\">";
    check(
        &format!("<｜DSML｜tool_calls>{parameter}</｜DSML｜invoke></｜DSML｜tool_calls>Bye"),
        "text \"Bye\"",
    );
    check(
        &format!("<｜DSML｜tool_calls>{parameter}{cut}"),
        &format!("text {cut:?}"),
    );
    // What is not closed, or goes on as prose, stays.
    for text in [
        parameter.to_owned(),
        "<｜DSML｜parameter name=\"tea\">oolong".to_owned(),
        format!("{parameter} is how a parameter is written"),
        format!("{parameter} is written before</｜DSML｜invoke>"),
        format!("`{parameter}</｜DSML｜invoke>`"),
        format!("```\n{parameter}</｜DSML｜invoke></｜DSML｜tool_calls>\n```"),
    ] {
        check_text(&text);
    }
}

#[test]
fn arguments_are_typed_by_the_schema() {
    fn argument(name: &str, attribute: &str, value: &str, expect: &str) {
        let text = format!(
            "<｜DSML｜invoke name=\"brew\"><｜DSML｜parameter name=\"{name}\"{attribute}>{value}</｜DSML｜parameter></｜DSML｜invoke>"
        );
        check(&text, &format!("call brew {{\"{name}\":{expect}}}"));
    }
    argument("minutes", "", "3", "3");
    argument("minutes", " string=\"true\"", "3", "3");
    argument("minutes", "", "soon", "\"soon\"");
    argument("minutes", "", "3.5", "\"3.5\"");
    argument("ratio", "", " 0.50 ", "0.50");
    argument("hot", "", "true", "true");
    argument("tea", "", "3", "\"3\"");
    argument("tea", " string=\"true\"", " \"a\" ", r#"" \"a\" ""#);
    argument("tea", " string=\"false\"", "\"a\"", "\"a\"");
    argument("cups", "", "[1, 2]", "[1,2]");
    argument("note", "", "null", "null");
    // Not in the schema: what the model says about it.
    argument("other", "", "3", "\"3\"");
    argument("other", " string=\"false\"", "3", "3");
    argument("other", " string=\"true\"", "3", "\"3\"");
    argument("other", " string=\"false\"", "no json", "\"no json\"");
}

#[test]
fn older_tokens_and_hermes_are_calls() {
    check(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>brew\n```json\n{\"minutes\": 3}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>pour<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "call brew {\"minutes\":3}\ncall pour {}",
    );
    check(
        "Sure.\n<tool_call>\n{\"name\": \"brew\", \"arguments\": {\"tea\": \"</tool_call>\"}}\n</tool_call>\n<tool_call>{\"name\":\"pour\"}</tool_call>",
        "text \"Sure.\\n\"\ncall brew {\"tea\":\"</tool_call>\"}\ncall pour {}",
    );
    check(
        "<tool_call>{\"name\":\"pour\",\"arguments\":\"{}\"}",
        "call pour {}",
    );
    check(
        "<tool_call>[{\"name\":\"a\"},{\"name\":\"b\",\"parameters\":{}}]</tool_call>",
        "call a {}\ncall b {}",
    );
}

proptest! {
    #[test]
    fn cuts_change_nothing_and_text_is_never_lost(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "<", "｜", "|", "DSML", "/", ">", "invoke", " name=\"a\"", "parameter", "tool_calls",
                "<｜DSML｜", "</｜DSML｜", "<think>", "</think>", "<tool_call>", "</tool_call>",
                "{\"name\":\"a\"}", "{", "}", "\"", "`", "```", "~~~", "\n", " ", "x", "会",
                "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>",
            ]),
            0..40,
        ),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let text = parts.concat();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.retain(|cut| text.is_char_boundary(*cut));
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        let whole = read(&[], [text.as_str()]);
        prop_assert_eq!(&read(&[], pieces), &whole);
        prop_assert_eq!(&read(&[], letters(&text)), &whole);
        // What is neither thought nor call stays, in order.
        let only_text = whole.iter().all(|said| matches!(said, InBandPiece::Text(_)));
        // A block without its opening is dropped, too.
        if only_text && !text.contains("think>") && !text.contains("parameter") {
            prop_assert_eq!(show(&whole), show(&read_verbatim(&text)));
        }
    }
}

fn read_verbatim(text: &str) -> Vec<InBandPiece> {
    let mut out = Out::default();
    out.text(text);
    out.0
}
