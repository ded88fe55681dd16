//! Answers that an earlier process began.

use expect_test::{Expect, expect};
use kaiwa_domain::ToolCall;

use super::play::{Play, call, outcome, text};
use super::{cut, end};
use crate::converse::{Earlier, News};

fn check(text: &str, actions: Vec<ToolCall>, news: impl IntoIterator<Item = News>, log: &Expect) {
    let mut play = Play::resumed(Earlier {
        text: text.to_owned(),
        messages: text.lines().count() as u32,
        actions,
    });
    for news in news {
        play.tell(news);
    }
    log.assert_eq(&play.log());
}

fn kept() -> ToolCall {
    ToolCall {
        id: "kept-1".into(),
        name: "react".into(),
        arguments: r#"{"emoji":"👍"}"#.into(),
        signature: None,
    }
}

#[test]
fn what_was_said_is_continued_and_nothing_is_said_twice() {
    check(
        "One.\nTwo.\n",
        vec![],
        [text("Two.\nThree."), end()],
        &expect![[r#"
            ask chat with tools
              we: One.
              Two.
              user: (The connection broke. Continue…)
            say "Three."
            pause
            end done
        "#]],
    );
}

#[test]
fn an_answer_with_nothing_more_to_say_was_whole() {
    check(
        "One.\n",
        vec![],
        [end()],
        &expect![[r#"
        ask chat with tools
          we: One.
          user: (The connection broke. Continue…)
        pause
        end done
    "#]],
    );
}

#[test]
fn an_answer_that_cannot_be_continued_is_marked() {
    check(
        "One.\n",
        vec![],
        [cut(), cut()],
        &expect![[r#"
        ask chat with tools
          we: One.
          user: (The connection broke. Continue…)
        ask chat with tools
          we: One.
          user: (The connection broke. Continue…)
        pause
        end answer_cut, notice answer_cut
    "#]],
    );
}

#[test]
fn with_nothing_said_it_begins_anew_but_keeps_its_actions() {
    let again = call("7", "react", r#"{"emoji":"👍"}"#);
    check(
        "",
        vec![kept()],
        [
            text("Sure."),
            again,
            end(),
            News::Ran(vec![outcome("kept-1", Ok("reacted".into()))]),
        ],
        &expect![[r#"
            say "Sure."
            pause
            perform react#kept-1 {"emoji":"👍"}
            end done
        "#]],
    );
}
