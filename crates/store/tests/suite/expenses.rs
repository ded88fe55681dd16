//! What models cost.

use kaiwa_domain::port::Ledger;
use kaiwa_domain::{
    Bill, ChannelId, Expense, MessageId, Payer, Role, Spender, Spent, Timestamp, TurnId, Usage,
    UserId,
};

use super::{AWAY, Engine, HOME};

/// A bill of `HOME`'s user 30 in channel 20.
pub(super) fn expense(at: i64, input: u64, output: u64, cost: Option<u64>) -> Expense {
    Expense {
        payer: Payer {
            turn: TurnId::of_message(MessageId::new(1)),
            scope: HOME,
            channel: ChannelId::new(20),
            user: UserId::new(30),
        },
        bill: Bill {
            role: Role::Chat,
            model: "tea/green".to_owned(),
            usage: Usage {
                input,
                cached: input / 2,
                output,
                thinking: output / 2,
            },
            estimated: cost.is_none(),
            cost,
        },
        at: Timestamp::from_millis(at),
    }
}

pub(super) async fn expenses_add_up<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut elsewhere = expense(2_000, 10_000, 0, Some(10_000));
    elsewhere.payer.channel = ChannelId::new(21);
    let mut somebody = expense(2_000, 100_000, 0, None);
    somebody.payer.user = UserId::new(u64::MAX);
    let mut away = expense(2_000, 1_000_000, 0, Some(1));
    away.payer.scope = AWAY;
    for expense in [
        expense(999, 1, 0, Some(1)),
        expense(1_000, 10, 5, Some(10)),
        expense(2_000, 100, 50, None),
        expense(2_000, 100, 50, Some(100)),
        elsewhere,
        somebody,
        away,
    ] {
        store.record(&expense).await.unwrap();
    }
    engine.close(store).await;

    let store = engine.open().await;
    let user = |id| Spender::User(UserId::new(id));
    for (scope, spender, since, tokens, cost) in [
        (HOME, user(30), 1_000, 10_315, 10_110),
        (HOME, user(30), 999, 10_316, 10_111),
        (HOME, user(30), 2_001, 0, 0),
        (HOME, user(u64::MAX), 0, 100_000, 0),
        (HOME, user(31), 0, 0, 0),
        (HOME, Spender::Everyone, 1_000, 110_315, 10_110),
        (AWAY, Spender::Everyone, 1_000, 1_000_000, 1),
        (AWAY, user(30), 1_000, 1_000_000, 1),
    ] {
        let since = Timestamp::from_millis(since);
        let spent = store.spent(scope, spender, since).await;
        let expected = Spent { tokens, cost };
        assert_eq!(spent, Ok(expected), "{scope} {spender:?} {since:?}");
    }
}

pub(super) async fn a_bill_beyond_belief_breaks_no_sum<E: Engine>(engine: E) {
    let store = engine.open().await;
    for _ in 0..3 {
        let bill = expense(1, u64::MAX, u64::MAX, Some(u64::MAX));
        store.record(&bill).await.unwrap();
    }
    let spent = store.spent(HOME, Spender::Everyone, Timestamp::from_millis(0));
    let spent = spent.await.unwrap();
    assert!(spent.tokens > 1 << 40 && spent.cost > 1 << 40, "{spent:?}");
}

pub(super) async fn a_turn_has_its_bills<E: Engine>(engine: E) {
    let store = engine.open().await;
    let first = expense(2, 10, 5, Some(10));
    let mut second = expense(1, 100, 50, None);
    second.bill.role = Role::Vision;
    let mut other = expense(3, 1, 1, None);
    other.payer.turn = TurnId::of_message(MessageId::new(2));
    for expense in [&first, &other, &second] {
        store.record(expense).await.unwrap();
    }
    for (turn, expected) in [
        (first.payer.turn, vec![first.bill, second.bill]),
        (other.payer.turn, vec![other.bill]),
        (TurnId::of_message(MessageId::new(3)), vec![]),
    ] {
        assert_eq!(store.bills(turn).await, Ok(expected), "{turn}");
    }
}
