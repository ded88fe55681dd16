//! Answers that break off, are empty, are refused or go in circles.

use expect_test::expect;
use kaiwa_domain::Finish;

use super::play::{Play, finish, text};
use super::{ALONE, censored, check, cut, end, silent};
use crate::converse::{Limits, News};

#[test]
fn an_empty_answer_is_asked_for_once_more() {
    check(
        [text(" \n"), end(), text("a"), end()],
        &expect![[r#"
        say " \n"
        unsay
        ask chat with tools
          user: (Your answer was empty.…)
        say "a"
        pause
        end done
    "#]],
    );
    check(
        [end(), end()],
        &expect![[r#"
        ask chat with tools
          user: (Your answer was empty.…)
        end model_empty, notice model_empty
    "#]],
    );
    check(
        [finish(Finish::Length), text("a"), end()],
        &expect![[r#"
        ask chat with tools (0 tokens, Some(Off))
          user: (Your answer was empty.…)
        say "a"
        pause
        end done
    "#]],
    );
}

#[test]
fn what_breaks_off_unseen_is_asked_again_once() {
    check(
        [text("a"), cut(), text("b"), end()],
        &expect![[r#"
        say "a"
        unsay
        ask chat with tools
        say "b"
        pause
        end done
    "#]],
    );
    check(
        [text("a"), News::HungUp, text("b"), cut()],
        &expect![[r#"
        say "a"
        unsay
        ask chat with tools
        say "b"
        pause
        end answer_cut, notice answer_cut
    "#]],
    );
    check(
        [cut()],
        &expect![[r#"
        end model_unreachable, notice model_unreachable
    "#]],
    );
    check(
        [silent()],
        &expect![[r#"
        end model_silent, notice model_silent
    "#]],
    );
    check(
        [text("a"), silent(), text("b"), end()],
        &expect![[r#"
        say "a"
        unsay
        ask chat with tools
        say "b"
        pause
        end done
    "#]],
    );
}

#[test]
fn what_breaks_off_before_eyes_is_continued_once() {
    let so_far = || [text("One.\nTwo a"), News::Shown, cut()];
    check(
        so_far()
            .into_iter()
            .chain([text("wo a"), text("nd three."), end()]),
        &expect![[r#"
            say "One.\nTwo a"
            ask chat with tools
              we: One.
              Two a
              user: (The connection broke. Continue…)
            say "nd three."
            pause
            end done
        "#]],
    );
    check(
        so_far().into_iter().chain([text("nd"), cut()]),
        &expect![[r#"
            say "One.\nTwo a"
            ask chat with tools
              we: One.
              Two a
              user: (The connection broke. Continue…)
            say "nd"
            pause
            end answer_cut, notice answer_cut
        "#]],
    );
    check(
        so_far().into_iter().chain([end()]),
        &expect![[r#"
        say "One.\nTwo a"
        ask chat with tools
          we: One.
          Two a
          user: (The connection broke. Continue…)
        pause
        end answer_cut, notice answer_cut
    "#]],
    );
    check(
        [text("One.\nT"), News::Shown, censored()],
        &expect![[r#"
        say "One.\nT"
        pause
        end answer_cut, notice answer_cut
    "#]],
    );
}

#[test]
fn what_the_vendor_censors_is_declined_in_character() {
    check(
        [censored(), text("Not that one."), end()],
        &expect![[r#"
            ask chat within 15s (256 tokens, Some(Off)), without history
              user: (Somebody asked you for…)
            say "Not that one."
            pause
            end model_refused
        "#]],
    );
    check(
        [censored(), censored()],
        &expect![[r#"
            ask chat within 15s (256 tokens, Some(Off)), without history
              user: (Somebody asked you for…)
            end model_refused, notice model_refused
        "#]],
    );
    check(
        [finish(Finish::Refused), end()],
        &expect![[r#"
            ask chat within 15s (256 tokens, Some(Off)), without history
              user: (Somebody asked you for…)
            end model_refused, notice model_refused
        "#]],
    );
}

#[test]
fn circles_are_cut() {
    let circle = "again and ".repeat(200);
    check(
        [text(&circle), text("Sorry."), end()],
        &expect![[r#"
        say 2000 bytes
        unsay
        ask chat with tools
        say "Sorry."
        pause
        end done
    "#]],
    );
    let mut play = Play::new(ALONE, Limits::default());
    for news in [text("Well,\n"), News::Shown, text(&circle)] {
        play.tell(news);
    }
    expect!["end answer_looped, notice answer_looped"]
        .assert_eq(play.log().lines().last().unwrap());
}
