use proptest::prelude::*;

use super::*;
use crate::deliver::segment::Segmenter;

#[derive(PartialEq, Debug)]
struct Outcome {
    visible: String,
    thoughts: Vec<String>,
    details: Vec<String>,
    removals: Vec<Change>,
}

/// Keeps what is visible, and has it read for code.
#[derive(Default)]
struct Page {
    text: String,
    segmenter: Segmenter<'static>,
}

impl Visible for Page {
    fn show(&mut self, text: &str) {
        self.text.push_str(text);
        self.segmenter.push(text);
        while self.segmenter.next().is_some() {}
    }

    fn take_back(&mut self) -> Option<String> {
        None
    }

    fn is_code(&mut self, next: &str, last: bool) -> Option<bool> {
        self.segmenter.is_code("", next, last)
    }
}

fn run<'a>(deltas: impl IntoIterator<Item = &'a str>) -> Outcome {
    let mut capture = Capture::default();
    let mut visible = Page::default();
    for delta in deltas {
        capture.push(delta, &mut visible);
        // A hold is bounded, unless a block is open.
        let bound = LONGEST_WAIT + 8;
        let held = capture.held.len();
        assert!(held <= bound || capture.inside.is_some(), "{capture:?}");
    }
    capture.finish(&mut visible);
    Outcome {
        visible: visible.text,
        thoughts: std::mem::take(&mut capture.thoughts),
        details: std::mem::take(&mut capture.details),
        removals: capture.take_removals(),
    }
}

/// `visible | thoughts | details`, however the text is cut.
fn check(text: &str, expected: &str) {
    let whole = run([text]);
    let shown = format!(
        "{} | {} | {}",
        whole.visible,
        whole.thoughts.join("+"),
        whole.details.join("+")
    );
    assert_eq!(shown, expected, "{text:?}");
    let chars: Vec<String> = text.chars().map(String::from).collect();
    for size in 1..4 {
        let deltas: Vec<String> = chars.chunks(size).map(<[String]>::concat).collect();
        let cut = run(deltas.iter().map(String::as_str));
        assert_eq!(cut, whole, "{text:?} in pieces of {size}");
    }
}

#[test]
fn marks_before_other_text_close_no_fence() {
    check(
        "```\n``` x\n<think>a</think>\n```",
        "```\n``` x\n<think>a</think>\n``` |  | ",
    );
}

#[test]
fn blocks_leave_from_where_they_stand() {
    check("Hello <think>x</think>world", "Hello world | x | ");
    check("<think>\na\n</think>\n\nHi", "\n\nHi | a | ");
    check("<THINK>a</Think>b", "b | a | ");
    check("<seed:think>a</seed:think>b", "b | a | ");
    check("a<think>b</think>c<thinking>d</thinking>e", "ace | b+d | ");
    check("a<think>b <think> c</think>d", "ad | b <think> c | ");
    check("a<think></think>b", "ab |  | ");
    check(
        "a<details open><summary>s</summary>b</details>c",
        "ac |  | b",
    );
    check("<details>\nb\n</details>", " |  | b");
    check("<think>a</details>b</think>c", "c | a</details>b | ");
}

#[test]
fn open_blocks_and_stray_tags() {
    check("a<think>b", "a | b | ");
    check("a<details>b <i", "a |  | b <i");
    check("a</think>b", "ab |  | ");
    check("a</details>b", "ab |  | ");
    check("a <thi", "a <thi |  | ");
    check("a <", "a < |  | ");
}

#[test]
fn tokens_and_notes() {
    check("Hi<|im_end|>", "Hi |  | ");
    check("<|im_start|>assistant\nHi</s>", "Hi |  | ");
    check("Hi<|im_end|>\n<|im_start|>user\nWhat?", "Hi\n |  | ");
    check("a [system: b [c] d] e", "a  e |  | ");
    check("a [System: b\nc] d", "a  d |  | ");
    check("a [system: b\n\nc", "a \nc |  | ");
    check(
        "a [system: b](https://c.d) e",
        "a [system: b](https://c.d) e |  | ",
    );
    check("a [system: b]", "a  |  | ");
    check("<s>a</s> < b [c]", "a < b [c] |  | ");
}

#[test]
fn code_is_left_alone() {
    for text in [
        "```\n<think>a</think>\n```\nb",
        "```html\n<details>\n</s>\n```",
        "use `<think>` and `</think>` here",
        "the ``<|im_end|> ` `` token",
        "```<think>\na\n```",
        "~~~\n[system: a]\n~~~",
        "a <:think:123> <a:details:456> <@1> <t:1:R> <https://think.ing>",
        "1 < 2 and [a](b) and [ ] and <b>c</b>",
    ] {
        check(text, &format!("{text} |  | "));
    }
    // A lone backtick hides nothing.
    check("a ` b <think>c</think>d\n`e`", "a ` b d\n`e` | c | ");
    check("a ` b <think>c</think>d", "a ` b d | c | ");
    let far = format!("` <think>{}`", "x".repeat(LONGEST_WAIT));
    assert_eq!(run([far.as_str()]).visible, "` ");
    check("```\na\n```\n<think>b</think>c", "```\na\n```\nc | b | ");
    check(
        "<think>b</think>```\n<think>\n```",
        "```\n<think>\n``` | b | ",
    );
}

#[test]
fn the_turn_of_a_user_ends_the_answer() {
    let mut capture = Capture::default();
    let mut visible = Page::default();
    capture.push("Hi<|im_end|><|im_start|>use", &mut visible);
    assert!(!capture.ended());
    capture.push("r\nWhat", &mut visible);
    assert!(capture.ended());
}

#[test]
fn the_first_summary_goes() {
    for (body, left) in [
        ("a", "a"),
        ("<summary>s</summary>a", "a"),
        ("x<Summary class=b>s</SUMMARY >a", "xa"),
        (
            "<summary>s</summary>a<summary>t</summary>",
            "a<summary>t</summary>",
        ),
        ("<summary>s", "<summary>s"),
        ("É<summary>é</summary>ß", "Éß"),
    ] {
        assert_eq!(without_summary(body), left, "{body}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z <>/\\[\\]:`~\n|é]{0,6}",
        1 => proptest::sample::select(&[
            "<think>", "</think>", "<ns:Think>", "<details>", "</details>", "<summary>", "`", "``",
            "```\n", "```rs\n", "\n", "\n\n", "> ", "~~~\n", "[system: ", "]", "(", "<|im_end|>",
            "<|im_start|>", "user", "assistant", "</s>", "<｜", "｜>", "日本", "<:a:1>", "<det",
        ][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The text with its removals put through by hand.
pub(super) fn apply(text: &str, removals: &[Change]) -> String {
    let mut left = String::new();
    let mut at = 0;
    for removal in removals {
        assert_eq!(&text[removal.at..removal.end()], removal.removed);
        left.push_str(&text[at..removal.at]);
        left.push_str(&removal.inserted);
        at = removal.end();
    }
    left.push_str(&text[at..]);
    left
}

proptest! {
    #[test]
    fn laws(text in text(), cuts in proptest::collection::vec(1usize..9, 1..20)) {
        let whole = run([text.as_str()]);
        prop_assert_eq!(&apply(&text, &whole.removals), &whole.visible);

        let mut deltas = Vec::new();
        let mut rest = text.as_str();
        for size in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (delta, after) = rest.split_at(rest.ceil_char_boundary((*size).min(rest.len())));
            deltas.push(delta);
            rest = after;
        }
        prop_assert_eq!(run(deltas), whole);
    }
}
