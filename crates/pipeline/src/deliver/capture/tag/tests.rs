use super::*;
use Reason::{ControlToken as Turn, Details, SystemNote as Note, Thought};
use TagMark::{Close, Open, Token};

#[test]
fn marks() {
    for (text, mark) in [
        ("<think>", Open(Thought, 7)),
        ("<THINK>x", Open(Thought, 7)),
        ("<seed:think>", Open(Thought, 12)),
        ("</thinking>", Close(Thought, 11)),
        ("</think >", Close(Thought, 9)),
        ("<details open>", Open(Details, 14)),
        ("</Details>", Close(Details, 10)),
        ("[system: hello]", Open(Note, 8)),
        ("[ System note : x]", Open(Note, 15)),
        ("<|im_end|>", Token(10)),
        ("<|im_start|>assistant\nHi", Token(22)),
        ("<|im_start|>user\nHi", Open(Turn, 17)),
        ("<|im_start|>Hi", Token(12)),
        ("<start_of_turn>model\n", Token(21)),
        ("<｜end▁of▁sentence｜>", Token(27)),
        ("<|endoftext|>", Token(13)),
        ("</s>", Token(4)),
        ("[/INST]", Token(7)),
        ("<<SYS>>", Token(7)),
    ] {
        assert_eq!(read(text, true), Ok(mark), "{text}");
    }
}

#[test]
fn no_marks() {
    for text in [
        "<",
        "<thin",
        "<thinker>",
        "<think",
        "<:think:1>",
        "<a:think:1>",
        "<@1>",
        "< think>",
        "<sub>",
        "<details\n>",
        "<x:details>",
        "[systems: a]",
        "[system]",
        "[x]",
        "<| b |>",
        "<||>",
        "<|>",
        "a",
        "<br>",
        "<strong>",
        "<https://a.b>",
    ] {
        assert_eq!(read(text, true), Err(Miss::Differs), "{text}");
    }
    let long = format!("<details {}>", "a".repeat(LONGEST));
    assert_eq!(read(&long, true), Err(Miss::Differs));
    assert_eq!(
        read(&format!("<|{}|>", "a".repeat(80)), true),
        Err(Miss::Differs)
    );
}

#[test]
fn more_text_never_changes_a_verdict() {
    for text in [
        "<think>",
        "</ns:think>",
        "<details open>",
        "[system note: x",
        "<|im_start|>user\n",
        "<|im_start|>us",
        "<｜end▁of▁sentence｜>",
        "</s>",
        "<</SYS>>",
        "<a:b:12>",
        "<start_of_turn>x",
    ] {
        let full = read(text, false);
        for (cut, _) in text.char_indices() {
            let part = read(&text[..cut], false);
            assert!(
                part == Err(Miss::Ended) || part == full,
                "{text} cut at {cut}: {part:?}"
            );
        }
    }
}
