//! What is written down, and what is not spent.

use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use kaiwa_domain::port::{ChatModel, Ledger, Pending};
use kaiwa_domain::{
    Bill, Brief, ChannelId, Delta, Expense, GuildId, MessageId, ModelError, Payer, Role, Scope,
    Spender, Spent, StoreError, Timestamp, TurnId, Usage, UserId,
};
use kaiwa_provider::{Budget, ModelRoute, Price, SpendLimit, UnknownPrice};

use crate::hand_clock::START;
use crate::scripted_server::{Behaviour, ScriptedServer, text, thought};
use crate::test_server::{brief, collect, show};

/// A dollar for a million tokens read, ten for as many written.
const PRICE: Price = Price {
    input: 1_000_000,
    cached: Some(100_000),
    output: 10_000_000,
};

const PAYER: Payer = Payer {
    turn: TurnId::of_message(MessageId::new(9)),
    scope: Scope::Guild(GuildId::new(1)),
    channel: ChannelId::new(2),
    user: UserId::new(3),
};

#[derive(Default)]
struct Book {
    expenses: Mutex<Vec<Expense>>,
    mood: Mood,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Mood {
    #[default]
    Well,
    Broken,
    Asleep,
}

impl Book {
    fn bills(&self) -> Vec<Bill> {
        let expenses = self.expenses.lock().unwrap();
        expenses
            .iter()
            .map(|expense| expense.bill.clone())
            .collect()
    }
}

impl Ledger for Book {
    fn record<'a>(&'a self, expense: &'a Expense) -> Pending<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.mood.suffer().await?;
            self.expenses.lock().unwrap().push(expense.clone());
            Ok(())
        })
    }

    fn spent(
        &self,
        scope: Scope,
        spender: Spender,
        since: Timestamp,
    ) -> Pending<'_, Result<Spent, StoreError>> {
        Box::pin(async move {
            self.mood.suffer().await?;
            let mut spent = Spent::default();
            for expense in &*self.expenses.lock().unwrap() {
                let his = match spender {
                    Spender::User(user) => expense.payer.user == user,
                    Spender::Everyone => true,
                };
                if his && expense.payer.scope == scope && expense.at >= since {
                    spent.tokens += expense.bill.usage.input + expense.bill.usage.output;
                    spent.cost += expense.bill.cost.unwrap_or(0);
                }
            }
            Ok(spent)
        })
    }

    fn bills(&self, _: TurnId) -> Pending<'_, Result<Vec<Bill>, StoreError>> {
        Box::pin(std::future::ready(Ok(Self::bills(self))))
    }
}

impl Mood {
    async fn suffer(self) -> Result<(), StoreError> {
        match self {
            Self::Well => Ok(()),
            Self::Broken => Err(StoreError::Transient {
                reason: "the disk is full".to_owned(),
            }),
            Self::Asleep => std::future::pending().await,
        }
    }
}

fn asked() -> Brief {
    Brief {
        payer: Some(PAYER),
        ..brief()
    }
}

/// What somebody spent before.
fn before(user: u64, tokens: u64, cost: u64, at: i64) -> Expense {
    Expense {
        payer: Payer {
            user: UserId::new(user),
            ..PAYER
        },
        bill: Bill {
            role: Role::Chat,
            model: "test/a".to_owned(),
            usage: Usage {
                input: tokens,
                ..Usage::default()
            },
            estimated: false,
            cost: Some(cost),
        },
        at: Timestamp::from_millis(at),
    }
}

async fn server(book: &Arc<Book>, script: &[(&str, &[Behaviour])]) -> ScriptedServer {
    ScriptedServer::with_ledger(script, Some(book.clone())).await
}

fn spent(seen: &[Result<Delta, ModelError>]) -> Vec<Bill> {
    let bill = |item: &Result<Delta, ModelError>| match item {
        Ok(Delta::Spent(bill)) => Some(bill.clone()),
        _ => None,
    };
    seen.iter().filter_map(bill).collect()
}

#[tokio::test]
async fn every_call_is_written_down() {
    let told = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":50,\"prompt_tokens_details\":{\"cached_tokens\":400}}}\n\n";
    let answer = text("hi")
        + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        + told
        + "data: [DONE]\n\n";
    let book = Arc::new(Book::default());
    let script = [
        Behaviour::Status(500, "{}"),
        Behaviour::Break(thought("hmmm")),
        Behaviour::Events(answer),
    ];
    let server = server(&book, &[("a", &script)]).await;
    let mut route = server.route(&["a:k"], &[]);
    route.candidates[0].price = Some(PRICE);
    let router = server.pool.route(route).unwrap();
    let seen = collect(router.answer(asked())).await;
    assert!(matches!(seen.last(), Some(Ok(Delta::Finish { .. }))));
    server.pool.settle().await;

    let [failed, cut, whole] = book.bills().try_into().unwrap();
    assert_eq!(spent(&seen), [failed.clone(), cut.clone(), whole.clone()]);
    assert_eq!(
        whole,
        Bill {
            role: Role::Chat,
            model: "test/a".to_owned(),
            usage: Usage {
                input: 1000,
                cached: 400,
                output: 50,
                thinking: 0
            },
            estimated: false,
            cost: Some(600 + 40 + 500),
        }
    );
    // Who fails has not read it, as far as money goes.
    assert_eq!((failed.usage, failed.cost), (Usage::default(), Some(0)));
    assert!(cut.estimated && cut.usage.input > 10, "{cut:?}");
    assert_eq!(cut.usage.output, 1);
    let expenses = book.expenses.lock().unwrap();
    assert!(expenses.iter().all(|expense| expense.payer == PAYER));
}

#[tokio::test]
async fn what_nobody_counted_is_estimated() {
    let book = Arc::new(Book::default());
    let server = server(&book, &[("a", &[Behaviour::Say("今天天气很好我们去公园")])]).await;
    collect(server.router(&["a"], &[]).answer(asked())).await;
    server.pool.settle().await;
    let [bill] = book.bills().try_into().unwrap();
    assert!(bill.estimated);
    assert_eq!(bill.usage.output, 9);
    assert_eq!(bill.cost, None);
}

#[tokio::test]
async fn an_answer_that_was_dropped_is_paid_for() {
    let book = Arc::new(Book::default());
    let server = server(
        &book,
        &[(
            "a",
            &[Behaviour::Endless(
                "data: {\"choices\":[{\"delta\":{\"content\":\"four\"}}]}\n\n",
            )],
        )],
    )
    .await;
    let mut answer = server.router(&["a"], &[]).answer(asked());
    for _ in 0..7 {
        assert!(matches!(answer.next().await, Some(Ok(Delta::Text(_)))));
    }
    drop(answer);
    // What was never asked costs nothing.
    drop(server.router(&["a"], &[]).answer(asked()));
    server.pool.settle().await;
    let [bill] = book.bills().try_into().unwrap();
    assert!(bill.estimated && bill.usage.input > 10, "{bill:?}");
    assert_eq!(bill.usage.output, 7);
}

#[tokio::test]
async fn without_an_account_the_bill_is_only_told() {
    let book = Arc::new(Book::default());
    let server = server(&book, &[("a", &[Behaviour::Say("hi")])]).await;
    let seen = collect(server.router(&["a"], &[]).answer(brief())).await;
    server.pool.settle().await;
    assert_eq!(spent(&seen).len(), 1);
    assert_eq!(book.bills(), []);
}

const fn limit(tokens: Option<u64>, cost: Option<u64>) -> SpendLimit {
    SpendLimit { tokens, cost }
}

/// Asks along a route of three models: a dear one, a cheap one and a free one.
async fn ask(book: &Arc<Book>, names: &[&str], budget: Budget, brief: Brief) -> (String, String) {
    let hello: &[Behaviour] = &[Behaviour::Say("hello")];
    let server = server(
        book,
        &[
            ("dear", hello),
            ("cheap", hello),
            ("free", hello),
            ("unknown", hello),
        ],
    )
    .await;
    let mut route: ModelRoute = server.route(names, &[]);
    route.budget = budget;
    for candidate in &mut route.candidates {
        candidate.price = match candidate.endpoint.model.as_str() {
            "dear" => Some(PRICE),
            "cheap" => Some(Price {
                input: 1000,
                cached: None,
                output: 10_000,
            }),
            "free" => Some(Price {
                input: 0,
                cached: None,
                output: 0,
            }),
            _ => None,
        };
    }
    let router = server.pool.route(route).unwrap();
    let seen = show(&collect(router.answer(brief)).await);
    (server.log(), seen)
}

#[tokio::test]
async fn at_a_limit_somebody_cheaper_is_asked_or_nobody() {
    let (today, yesterday) = (START - 1000, START - 24 * 60 * 60 * 1000);
    let user = |user_per_day| Budget {
        user_per_day,
        ..Budget::default()
    };
    let guild = |guild_per_day| Budget {
        guild_per_day,
        ..Budget::default()
    };
    let all: &[&str] = &["dear", "cheap", "free"];
    let paid: &[&str] = &["dear", "cheap"];
    let (tokens, dollar) = (Some(2000), Some(1_000_000));
    let over = |limit: &str| format!("error OverBudget {{ limit: {limit:?} }}");
    let greeted = "text hello\nfinish Stop".to_owned();
    for (names, budget, spent, asked, seen) in [
        (
            all,
            Budget::default(),
            before(3, 1 << 30, 1 << 30, today),
            "dear",
            greeted.clone(),
        ),
        // Tokens: nobody needs fewer.
        (
            all,
            user(limit(tokens, None)),
            before(3, 1000, 0, today),
            "dear",
            greeted.clone(),
        ),
        (
            all,
            user(limit(tokens, None)),
            before(3, 1900, 0, today),
            "",
            over("2000 tokens a day for each user"),
        ),
        (
            all,
            guild(limit(tokens, None)),
            before(3, 1900, 0, today),
            "",
            over("2000 tokens a day for everybody on this server"),
        ),
        // Money: the next who can be paid for, or who is free.
        (
            all,
            user(limit(None, dollar)),
            before(3, 0, 990_000, today),
            "dear",
            greeted.clone(),
        ),
        (
            all,
            user(limit(None, dollar)),
            before(3, 0, 999_000, today),
            "cheap",
            greeted.clone(),
        ),
        (
            all,
            user(limit(None, dollar)),
            before(3, 0, 999_999, today),
            "free",
            greeted.clone(),
        ),
        (
            all,
            guild(limit(None, dollar)),
            before(3, 0, 2_000_000, today),
            "free",
            greeted.clone(),
        ),
        (
            paid,
            user(limit(None, dollar)),
            before(3, 0, 999_999, today),
            "",
            over("$1.00 a day for each user"),
        ),
        // Somebody else's, and another day's.
        (
            all,
            user(limit(tokens, dollar)),
            before(4, 1 << 30, 1 << 30, today),
            "dear",
            greeted.clone(),
        ),
        (
            all,
            guild(limit(tokens, None)),
            before(4, 1 << 30, 0, today),
            "",
            over("2000 tokens a day for everybody on this server"),
        ),
        (
            all,
            guild(limit(tokens, dollar)),
            before(3, 1 << 30, 1 << 30, yesterday),
            "dear",
            greeted.clone(),
        ),
    ] {
        let book = Arc::new(Book::default());
        book.expenses.lock().unwrap().push(spent.clone());
        let found = ask(&book, names, budget, self::asked()).await;
        assert_eq!(found, (asked.to_owned(), seen), "{budget:?} {spent:?}");
    }
    // Without an account there is no limit.
    let book = Arc::new(Book::default());
    let nothing = guild(limit(Some(0), Some(0)));
    assert_eq!(ask(&book, all, nothing, brief()).await.0, "dear");
    // Direct messages are a scope of their own.
    let mut alone = self::asked();
    alone.payer = Some(Payer {
        scope: Scope::Dm(PAYER.user),
        ..PAYER
    });
    let seen = "error LargerThanBudget { needed: \"about 525 tokens\", limit: \"0 tokens a day for these direct messages\" }".to_owned();
    assert_eq!(ask(&book, all, nothing, alone).await, (String::new(), seen));
}

#[tokio::test]
async fn a_model_without_a_price_costs_what_the_operator_says() {
    let dollar = SpendLimit {
        tokens: None,
        cost: Some(1_000_000),
    };
    let unpriced = "error Unpriced { model: \"test/unknown\" }";
    let greeted = "text hello\nfinish Stop";
    let per_million = |dollars: u64| {
        UnknownPrice::Assumed(Price {
            input: dollars * 1_000_000,
            cached: None,
            output: dollars * 1_000_000,
        })
    };
    let over = "error OverBudget { limit: \"$1.00 a day for each user\" }";
    let day = |user_per_day, unknown_price| Budget {
        user_per_day,
        unknown_price,
        ..Budget::default()
    };
    let everybodys = Budget {
        guild_per_day: dollar,
        ..Budget::default()
    };
    for (names, budget, spent, asked, seen) in [
        // Without a limit in dollars a price does not matter.
        (&["unknown"][..], Budget::default(), 0, "unknown", greeted),
        (
            &["unknown"],
            day(limit(Some(1 << 40), None), UnknownPrice::Refuse),
            0,
            "unknown",
            greeted,
        ),
        (
            &["unknown"],
            day(dollar, UnknownPrice::Refuse),
            0,
            "",
            unpriced,
        ),
        (&["unknown"], everybodys, 0, "", unpriced),
        (
            &["unknown", "dear"],
            day(dollar, UnknownPrice::Refuse),
            0,
            "dear",
            greeted,
        ),
        (
            &["unknown"],
            day(dollar, UnknownPrice::Free),
            9_000_000,
            "unknown",
            greeted,
        ),
        (
            &["unknown"],
            day(dollar, per_million(10)),
            0,
            "unknown",
            greeted,
        ),
        (
            &["unknown"],
            day(dollar, per_million(10)),
            999_999,
            "",
            over,
        ),
    ] {
        let book = Arc::new(Book::default());
        let before = before(3, 0, spent, START - 1000);
        book.expenses.lock().unwrap().push(before);
        let found = ask(&book, names, budget, self::asked()).await;
        assert_eq!(found, (asked.to_owned(), seen.to_owned()), "{budget:?}");
    }
    // What was assumed is written down, so it adds up.
    let book = Arc::new(Book::default());
    let server = server(&book, &[("a", &[Behaviour::Say("hello")])]).await;
    let mut route = server.route(&["a"], &[]);
    route.budget = day(dollar, per_million(10));
    collect(server.pool.route(route).unwrap().answer(asked())).await;
    server.pool.settle().await;
    assert!(book.bills()[0].cost.is_some_and(|cost| cost > 0));
}

#[tokio::test]
async fn a_question_that_alone_is_too_large_is_told_so() {
    let mut long = asked();
    long.lines = vec![kaiwa_domain::Line::user("word ".repeat(2000))];
    for (tokens, cost, needed, limit) in [
        (
            Some(2000),
            None,
            "about 3012 tokens",
            "2000 tokens a day for each user",
        ),
        (
            None,
            Some(6000),
            "about $0.007512",
            "$0.006 a day for each user",
        ),
    ] {
        let budget = Budget {
            user_per_day: SpendLimit { tokens, cost },
            ..Budget::default()
        };
        let book = Arc::new(Book::default());
        let (asked, seen) = ask(&book, &["dear"], budget, long.clone()).await;
        let expect = format!("error LargerThanBudget {{ needed: {needed:?}, limit: {limit:?} }}");
        assert_eq!((asked.as_str(), seen), ("", expect));
        // A smaller one is answered.
        let small = ask(&book, &["dear"], budget, self::asked()).await;
        assert_eq!(small.0, "dear");
    }
}

#[tokio::test]
async fn the_ledger_never_stops_an_answer() {
    for mood in [Mood::Broken, Mood::Asleep] {
        let book = Arc::new(Book {
            mood,
            ..Book::default()
        });
        let nothing = limit(Some(0), Some(0));
        let budget = Budget {
            user_per_day: nothing,
            guild_per_day: nothing,
            ..Budget::default()
        };
        assert_eq!(ask(&book, &["dear"], budget, asked()).await.0, "dear");
    }
}

#[tokio::test]
async fn the_limit_is_looked_at_before_each_call() {
    let book = Arc::new(Book::default());
    // Nine hundred tokens of thought, for nothing.
    let mused = thought(&"hmm ".repeat(900));
    let server = server(
        &book,
        &[("a", &[Behaviour::Break(mused), Behaviour::Say("hi")])],
    )
    .await;
    let mut route = server.route(&["a"], &[]);
    route.budget.user_per_day.tokens = Some(1400);
    let seen = collect(server.pool.route(route).unwrap().answer(asked())).await;
    assert_eq!(server.log(), "a");
    let over = ModelError::OverBudget {
        limit: "1400 tokens a day for each user".to_owned(),
    };
    assert_eq!(seen.last(), Some(&Err(over)));
}

#[tokio::test]
async fn two_at_once_do_not_both_spend_the_last_of_it() {
    let book = Arc::new(Book::default());
    let endless =
        Behaviour::Endless("data: {\"choices\":[{\"delta\":{\"content\":\"four\"}}]}\n\n");
    let server = server(&book, &[("a", &[endless, Behaviour::Say("hi")])]).await;
    let mut route = server.route(&["a"], &[]);
    // Enough for one expected answer.
    route.budget.guild_per_day.tokens = Some(800);
    let router = server.pool.route(route).unwrap();
    let mut first = router.answer(asked());
    assert!(matches!(first.next().await, Some(Ok(Delta::Text(_)))));
    let second = collect(router.answer(asked())).await;
    assert!(
        matches!(second[..], [Err(ModelError::OverBudget { .. })]),
        "{second:?}"
    );
    // What the first did not use is there again.
    drop(first);
    server.pool.settle().await;
    let third = collect(router.answer(asked())).await;
    assert_eq!(show(&third), "text hi\nfinish Stop");
    assert_eq!(server.log(), "a a");
}
