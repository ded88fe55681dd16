mod play;
mod mending;
mod resuming;
mod tools;
mod forever;
mod vision;

use std::time::Duration;

use expect_test::{Expect, expect};
use kaiwa_domain::{Abilities, Delta, Finish, ModelError};

use super::{Limits, ModelAbilities, News};
use play::{Play, call, finish, refusal, result, text, thought};

const ABLE: Abilities = Abilities {
    tools: true,
    vision: false,
    thinking: false,
};

const UNABLE: Abilities = Abilities {
    tools: false,
    ..ABLE
};

const ALONE: ModelAbilities = ModelAbilities {
    chat: ABLE,
    reasoner: None,
    vision: None,
};

fn with_reasoner(reasoner: Abilities) -> ModelAbilities {
    ModelAbilities {
        chat: ABLE,
        reasoner: Some(reasoner),
        vision: None,
    }
}

/// What is done when `news` comes, in this company.
fn check_in(company: ModelAbilities, news: impl IntoIterator<Item = News>, expected: &Expect) {
    let mut play = Play::new(company, Limits::default());
    for news in news {
        play.tell(news);
    }
    expected.assert_eq(&play.log());
}

fn check(news: impl IntoIterator<Item = News>, expected: &Expect) {
    check_in(ALONE, news, expected);
}

fn cut() -> News {
    News::Heard(Err(ModelError::Cut {
        reason: "eof".into(),
    }))
}

fn silent() -> News {
    News::Heard(Err(ModelError::Silent {
        waited: Duration::from_secs(20),
    }))
}

fn censored() -> News {
    News::Heard(Err(ModelError::Censored {
        message: "risk".into(),
    }))
}

fn end() -> News {
    finish(Finish::Stop)
}

fn tools() -> News {
    finish(Finish::Tool)
}

#[test]
fn plain_answers() {
    check(
        [text("a"), text("b"), end()],
        &expect![[r#"
        say "a"
        say "b"
        pause
        end done
    "#]],
    );
    check(
        [thought("hm"), text("a"), end()],
        &expect![[r#"
        say "a"
        pause
        end done
    "#]],
    );
    check(
        [refusal("no"), end()],
        &expect![[r#"
        say "no"
        pause
        end done
    "#]],
    );
    check(
        [text("a"), finish(Finish::Refused)],
        &expect![[r#"
        say "a"
        pause
        end done
    "#]],
    );
    check(
        [text("a"), finish(Finish::Length)],
        &expect![[r#"
        say "a"
        pause
        end answer_cut, notice answer_cut
    "#]],
    );
    check(
        [text("a"), News::Enough],
        &expect![[r#"
        say "a"
        pause
        end done
    "#]],
    );
    check(
        [text("a"), News::TimeUp],
        &expect![[r#"
        say "a"
        pause
        end answer_cut, notice answer_cut
    "#]],
    );
    check(
        [News::TimeUp],
        &expect![[r#"
        end model_silent, notice model_silent
    "#]],
    );
}

#[test]
fn a_hard_question_goes_to_the_reasoner() {
    let yes = || [text("Yes"), text("."), end()];
    let able = with_reasoner(ABLE);
    check_in(
        able,
        yes().into_iter().chain([text("42."), end()]),
        &expect![[r#"
            ask classifier within 5s (16 tokens, Some(Off)), without history
            ask reasoner with tools
            say "42."
            pause
            end done
        "#]],
    );
    for unsure in [
        text("yes and no"),
        text("yesterday"),
        text(&"no".repeat(99)),
        text(""),
    ] {
        let mut play = Play::new(able, Limits::default());
        play.tell(unsure);
        play.tell(end());
        assert!(!play.log().contains("ask reasoner"), "{}", play.log());
    }
    check_in(
        able,
        [silent(), text("Hi."), end()],
        &expect![[r#"
            ask classifier within 5s (16 tokens, Some(Off)), without history
            ask chat with tools
            say "Hi."
            pause
            end done
        "#]],
    );
    check_in(
        able,
        yes().into_iter().chain([silent(), text("Hi."), end()]),
        &expect![[r#"
            ask classifier within 5s (16 tokens, Some(Off)), without history
            ask reasoner with tools
            ask chat with tools
            say "Hi."
            pause
            end done
        "#]],
    );
}

#[test]
fn a_reasoner_without_tools_is_prepared_for() {
    let unable = with_reasoner(UNABLE);
    let yes = || [text("yes"), end()];
    check_in(
        unable,
        yes().into_iter().chain([
            call("1", "search", r#"{"query":"tea"}"#),
            call("2", "react", r#"{"emoji":"👍"}"#),
            tools(),
            result("1", "a drink"),
            text("ready"),
            end(),
            text("A drink."),
            end(),
            result("2", ""),
        ]),
        &expect![[r#"
            ask classifier within 5s (16 tokens, Some(Off)), without history
            ask chat with tools (256 tokens, Some(Off))
              user: (Somebody else will write…)
            keep react#2 {"emoji":"👍"}
            run search#1 {"query":"tea"}
            ask chat with tools (256 tokens, Some(Off))
              we:  [search#1] [react#2]
              tool#1: The tool search returned…
              | a drink
              tool#2: Noted: react runs after your reply was posted. It has not happened. Don't ask for it again.
              user: (Somebody else will write…)
            ask reasoner, the question last
              user: (Gathered for your answer…)
              The tool search returned…
              | a drink
              Noted: react runs after your reply was posted. It has not happened. Don't ask for it again.
            say "A drink."
            pause
            perform react#2 {"emoji":"👍"}
            end done
        "#]],
    );
    check_in(
        unable,
        yes().into_iter().chain([
            call("1", "react", r#"{"emoji":"👍"}"#),
            cut(),
            text("Fine."),
            end(),
            result("1", ""),
        ]),
        &expect![[r#"
            ask classifier within 5s (16 tokens, Some(Off)), without history
            ask chat with tools (256 tokens, Some(Off))
              user: (Somebody else will write…)
            keep react#1 {"emoji":"👍"}
            ask reasoner, the question last
              user: (Gathered for your answer…)
              Noted: react runs after your reply was posted. It has not happened. Don't ask for it again.
            say "Fine."
            pause
            perform react#1 {"emoji":"👍"}
            end done
        "#]],
    );
    check_in(
        unable,
        yes().into_iter().chain([silent(), text("Fine."), end()]),
        &expect![[r#"
            ask classifier within 5s (16 tokens, Some(Off)), without history
            ask chat with tools (256 tokens, Some(Off))
              user: (Somebody else will write…)
            ask reasoner
            say "Fine."
            pause
            end done
        "#]],
    );
}

#[test]
fn an_endless_answer_ends() {
    let limits = Limits {
        bytes: 10,
        messages: 2,
        ..Limits::default()
    };
    let mut play = Play::new(ALONE, limits);
    play.tell(text("12345"));
    play.tell(text("6789äöü"));
    expect![[r#"
        say "12345"
        say "6789"
        pause
        end answer_shortened, notice answer_shortened
    "#]]
    .assert_eq(&play.log());

    let mut play = Play::new(ALONE, limits);
    play.tell(text("a"));
    for room in [true, true, false] {
        assert_eq!(play.has_room(), room);
        play.tell(News::Shown);
    }
}

#[test]
fn other_news_is_ignored() {
    let noise = [
        News::Ran(Vec::new()),
        News::Heard(Ok(Delta::Heartbeat)),
        text("a"),
        News::Ran(Vec::new()),
        end(),
        end(),
        text("b"),
        cut(),
        News::TimeUp,
        News::Enough,
        News::Ran(Vec::new()),
    ];
    check(
        noise,
        &expect![[r#"
        say "a"
        pause
        end done
    "#]],
    );
}
