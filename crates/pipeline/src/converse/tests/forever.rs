//! Whatever happens in whatever order, it ends, and says nothing twice.

use std::collections::HashSet;
use std::time::Duration;

use kaiwa_domain::{Abilities, Delta, Finish, ModelError, ToolCall, ToolError};
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::{Config, TestRunner};

use super::play::{brief, call, finish, outcome, sealed, text, thought};
use crate::converse::{Act, Conversation, Limits, ModelAbilities, News};

/// The most questions that one conversation may take: sorting, three rounds of
/// preparation, four of answering, and each remedy once.
const QUESTIONS: usize = 16;

fn news() -> impl Strategy<Value = News> {
    let errors = prop_oneof![
        Just(ModelError::Cut {
            reason: String::new()
        }),
        Just(ModelError::Silent {
            waited: Duration::ZERO
        }),
        Just(ModelError::Censored {
            message: String::new()
        }),
        Just(ModelError::TooLong {
            message: String::new()
        }),
        Just(ModelError::OverBudget {
            limit: String::new()
        }),
        Just(ModelError::Busy { retry_after: None }),
    ];
    let finishes = prop_oneof![
        Just(Finish::Stop),
        Just(Finish::Length),
        Just(Finish::Tool),
        Just(Finish::Refused),
    ];
    let calls = prop_oneof![
        Just(("search", r#"{"query":"x"}"#)),
        Just(("search", r#"{"query":1}"#)),
        Just(("react", r#"{"emoji":"x"}"#)),
        Just(("react", r#"{"emoji":"y"}"#)),
        Just(("serch", "{}")),
    ];
    let ran = prop::collection::vec((0..4_u8, any::<bool>()), 0..3).prop_map(|ran| {
        let outcomes = ran.into_iter().map(|(id, good)| {
            let failure = ToolError::Failed {
                reason: String::new(),
            };
            outcome(&id.to_string(), good.then(String::new).ok_or(failure))
        });
        News::Ran(outcomes.collect())
    });
    prop_oneof![
        6 => Just(text("?")),
        1 => Just(text("yes")),
        1 => Just(text(" ")),
        3 => finishes.prop_map(finish),
        3 => (0..4_u8, calls).prop_map(|(id, (name, arguments))| call(&id.to_string(), name, arguments)),
        2 => errors.prop_map(|error| News::Heard(Err(error))),
        2 => ran,
        1 => Just(thought("hm")),
        1 => Just(sealed("s")),
        1 => Just(News::HungUp),
        2 => Just(News::Shown),
        1 => Just(News::Enough),
        1 => Just(News::Heard(Ok(Delta::Anew))),
    ]
}

/// What was done so far.
#[derive(Default)]
struct Record {
    /// The words that stand, up to the last pause and since.
    stands: Vec<String>,
    since: Vec<String>,
    /// Whether somebody saw any of those since.
    seen: bool,
    questions: usize,
    rounds: u32,
    kept: Vec<ToolCall>,
    performed: usize,
    ran: usize,
    ended: bool,
}

impl Record {
    fn act(&mut self, act: Act, limits: &Limits) {
        assert!(!self.ended, "{act:?} after the end");
        match act {
            Act::Ask { brief, .. } => {
                self.questions += 1;
                assert!(self.questions <= QUESTIONS);
                assert!(!brief.lines.is_empty());
            }
            Act::Say(text) => self.since.push(text),
            Act::Unsay => {
                assert!(!self.seen, "what was seen cannot be unsaid");
                self.since.clear();
            }
            Act::Pause => {
                self.stands.append(&mut self.since);
                self.seen = false;
            }
            Act::Run(calls) => {
                self.rounds += 1;
                self.ran += calls.len();
                assert!(self.rounds <= limits.rounds);
            }
            Act::Keep(call) => self.kept.push(call),
            Act::Perform(calls) => {
                assert_eq!(self.kept, calls, "what runs was kept before");
                self.performed += 1;
                self.ran += calls.len();
                assert!(self.performed <= 1 && !calls.is_empty());
                let each: HashSet<_> = calls.iter().map(|call| &call.arguments).collect();
                assert_eq!(each.len(), calls.len(), "an action runs once");
            }
            Act::End(_) => {
                self.ended = true;
                assert!(self.since.is_empty(), "everything said is shown");
            }
        }
        assert!(self.ran <= limits.calls);
    }
}

fn check(company: ModelAbilities, limits: &Limits, news: Vec<News>) {
    let mut conversation = Conversation::new(brief(), company, *limits);
    let mut record = Record::default();
    let exhausted = [News::HungUp, News::Ran(Vec::new())];
    let ending = exhausted.iter().cycle().take(8 * QUESTIONS).cloned();
    for (at, news) in news.into_iter().chain(ending).enumerate() {
        while let Some(act) = conversation.next_act() {
            record.act(act, limits);
        }
        let news = match news {
            News::Heard(Ok(Delta::Text(text))) if text == "?" => super::text(&format!("w{at} ")),
            News::Shown => {
                // Only what is there can be shown.
                if record.since.is_empty() || !conversation.has_room() {
                    continue;
                }
                record.seen = true;
                News::Shown
            }
            news => news,
        };
        conversation.tell(news);
    }
    while let Some(act) = conversation.next_act() {
        record.act(act, limits);
    }
    assert!(record.ended, "it ends");
    let words: Vec<&str> = record
        .stands
        .iter()
        .flat_map(|text| text.split(' '))
        .collect();
    let marked = words.iter().filter(|word| word.starts_with('w'));
    let each: HashSet<_> = marked.clone().collect();
    assert_eq!(each.len(), marked.count(), "twice: {words:?}");
    let bytes: usize = record.stands.iter().map(String::len).sum();
    assert!(bytes <= limits.bytes);
}

#[test]
fn it_ends_within_its_limits_and_says_nothing_twice() {
    let able = |tools| Abilities {
        tools,
        vision: false,
        thinking: false,
    };
    let company =
        (any::<bool>(), prop::option::of(any::<bool>())).prop_map(move |(chat, reasoner)| {
            ModelAbilities {
                chat: able(chat),
                reasoner: reasoner.map(able),
                vision: None,
            }
        });
    let limits = (0..4_u32, 0..6_usize, 1..4_u32, 1..200_usize, 1..9_u32).prop_map(
        |(rounds, calls, failures, bytes, messages)| Limits {
            rounds,
            calls,
            failures,
            bytes,
            messages,
            ..Limits::default()
        },
    );
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        cases: 1500,
        ..Config::default()
    });
    let scripts = prop::collection::vec(news(), 0..60);
    runner
        .run(&(company, limits, scripts), |(company, limits, news)| {
            check(company, &limits, news);
            Ok(())
        })
        .unwrap();
}
