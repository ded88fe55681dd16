//! What was spent, what may be, and writing it down.
//!
//! What a call may cost is set aside as a [`Pledge`] before it is made, and
//! given back when what it did cost is in the ledger. So calls that run at the
//! same time cannot each spend the last of a budget.
//!
//! Bills are written down by a task that lives as long as there are any: a
//! call that is dropped in the middle has nobody else to wait for the ledger.
//! The ledger never holds up an answer, whether it is slow or broken.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{Clock, Ledger, Pending};
use kaiwa_domain::{
    Expense, ModelError, Payer, Scope, Spender, Spent, StoreError, Timestamp, UserId,
};
use metrics::counter;
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use super::{Budget, SpendLimit};

/// How many bills may wait for the ledger. More are lost, and counted.
const MAX_WAITING: usize = 4096;

/// How long the ledger may take to answer.
const LEDGER_PATIENCE: Duration = Duration::from_secs(5);

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// One person's or everybody's account in a scope.
type Name = (Scope, Option<UserId>);

pub(super) struct Accounts {
    ledger: Arc<dyn Ledger>,
    clock: Arc<dyn Clock>,
    pledged: Mutex<HashMap<Name, Spent>>,
    waiting: Mutex<Waiting>,
    tasks: TaskTracker,
}

#[derive(Default)]
struct Waiting {
    bills: VecDeque<(Expense, Pledge)>,
    /// Whether a task writes them down.
    attended: bool,
}

/// What is set aside for one call, until dropped.
pub(super) struct Pledge {
    accounts: Arc<Accounts>,
    payer: Payer,
    amount: Spent,
}

impl Accounts {
    pub(super) fn new(ledger: Arc<dyn Ledger>, clock: Arc<dyn Clock>) -> Self {
        let tasks = TaskTracker::new();
        // Closed trackers take tasks too, and can be waited for.
        tasks.close();
        Self {
            ledger,
            clock,
            pledged: Mutex::default(),
            waiting: Mutex::default(),
            tasks,
        }
    }

    /// Sets aside what a call may cost.
    ///
    /// # Errors
    /// Which limit stands in the way.
    pub(super) async fn pledge(
        self: &Arc<Self>,
        payer: Payer,
        budget: Budget,
        amount: Spent,
    ) -> Result<Pledge, ModelError> {
        // Set aside first: whoever comes later sees it.
        let (before, pledge) = self.set_aside(payer, amount);
        let everybody = match payer.scope {
            Scope::Guild(_) => "everybody on this server",
            Scope::Dm(_) => "these direct messages",
        };
        let user = Spender::User(payer.user);
        for (limit, spender, pledged, whose) in [
            (budget.user_per_day, user, before.0, "each user"),
            (budget.guild_per_day, Spender::Everyone, before.1, everybody),
        ] {
            if limit == SpendLimit::default() {
                continue;
            }
            let Some(spent) = self.spent(payer.scope, spender).await else {
                continue;
            };
            let in_words = |limit: String| format!("{limit} a day for {whose}");
            if let Some((needed, limit)) = exceeded(limit, Spent::default(), amount) {
                return Err(ModelError::LargerThanBudget {
                    needed: format!("about {needed}"),
                    limit: in_words(limit),
                });
            }
            if let Some((_, limit)) = exceeded(limit, sum(spent, pledged), amount) {
                return Err(ModelError::OverBudget {
                    limit: in_words(limit),
                });
            }
        }
        Ok(pledge)
    }

    /// What was spent today; none if the ledger does not say.
    async fn spent(&self, scope: Scope, spender: Spender) -> Option<Spent> {
        let since = midnight(self.clock.now());
        let asked = self.ledger.spent(scope, spender, since);
        match self.in_time(asked).await {
            Ok(spent) => Some(spent),
            Err(error) => {
                tracing::warn!(%error, "a budget cannot be checked and is let pass");
                None
            }
        }
    }

    /// Has a bill written down and then gives back what was set aside for it.
    pub(super) fn book(self: &Arc<Self>, expense: Expense, mut pledge: Pledge) {
        let spent = Spent {
            tokens: expense.bill.usage.input + expense.bill.usage.output,
            cost: expense.bill.cost.unwrap_or(0),
        };
        pledge.change(spent);
        let mut waiting = self.waiting();
        if waiting.bills.len() == MAX_WAITING {
            drop(waiting);
            counter!("provider_lost_bills_total").increment(1);
            tracing::warn!("the ledger is too slow: a bill is lost");
            return;
        }
        waiting.bills.push_back((expense, pledge));
        if waiting.attended {
            return;
        }
        // Outside of a runtime the bill waits for the next one, or for the end.
        if let Ok(runtime) = Handle::try_current() {
            waiting.attended = true;
            drop(waiting);
            let attendant = Attendant::new(Arc::clone(self));
            self.tasks.spawn_on(attendant.attend(), &runtime);
        }
    }

    /// Completes when no bill waits.
    pub(super) async fn settle(self: &Arc<Self>) {
        self.tasks.wait().await;
        let unattended = !std::mem::replace(&mut self.waiting().attended, true);
        if unattended {
            Attendant::new(Arc::clone(self)).attend().await;
        }
    }

    async fn in_time<T>(&self, asked: Pending<'_, Result<T, StoreError>>) -> Result<T, StoreError> {
        tokio::select! {
            biased;
            answered = asked => answered,
            () = self.clock.sleep(LEDGER_PATIENCE) => Err(StoreError::Transient {
                reason: format!("no answer within {LEDGER_PATIENCE:?}"),
            }),
        }
    }

    /// Sets something aside. Says what was set aside before, by the payer and
    /// by everybody.
    fn set_aside(self: &Arc<Self>, payer: Payer, amount: Spent) -> ((Spent, Spent), Pledge) {
        let mut pledged = self.pledged();
        let before = names(payer).map(|name| {
            let total = pledged.entry(name).or_default();
            let before = *total;
            *total = sum(before, amount);
            before
        });
        drop(pledged);
        let pledge = Pledge {
            accounts: Arc::clone(self),
            payer,
            amount,
        };
        (before.into(), pledge)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pledged(&self) -> MutexGuard<'_, HashMap<Name, Spent>> {
        self.pledged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes bills down until there are none.
struct Attendant {
    accounts: Arc<Accounts>,
    /// Whether somebody has to come after it.
    needed: bool,
}

impl Attendant {
    const fn new(accounts: Arc<Accounts>) -> Self {
        Self {
            accounts,
            needed: true,
        }
    }

    async fn attend(mut self) {
        while let Some((expense, pledge)) = self.next() {
            let written = self.accounts.ledger.record(&expense);
            if let Err(error) = self.accounts.in_time(written).await {
                counter!("provider_lost_bills_total").increment(1);
                tracing::warn!(%error, turn = %expense.payer.turn, "a bill could not be written down");
            }
            drop(pledge);
        }
    }

    /// The next bill. With none left the work is over.
    fn next(&mut self) -> Option<(Expense, Pledge)> {
        let mut waiting = self.accounts.waiting();
        let next = waiting.bills.pop_front();
        self.needed = next.is_some();
        waiting.attended = self.needed;
        next
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        // The runtime ends, or the ledger panicked.
        if self.needed {
            self.accounts.waiting().attended = false;
        }
    }
}

impl Pledge {
    /// What the call did cost.
    fn change(&mut self, amount: Spent) {
        let (_, new) = self.accounts.set_aside(self.payer, amount);
        // The old amount is given back with the old pledge.
        *self = new;
    }
}

impl Drop for Pledge {
    fn drop(&mut self) {
        let mut pledged = self.accounts.pledged();
        for name in names(self.payer) {
            if let Some(total) = pledged.get_mut(&name) {
                total.tokens = total.tokens.saturating_sub(self.amount.tokens);
                total.cost = total.cost.saturating_sub(self.amount.cost);
                if *total == Spent::default() {
                    pledged.remove(&name);
                }
            }
        }
    }
}

const fn names(payer: Payer) -> [Name; 2] {
    [(payer.scope, Some(payer.user)), (payer.scope, None)]
}

const fn sum(one: Spent, other: Spent) -> Spent {
    Spent {
        tokens: one.tokens.saturating_add(other.tokens),
        cost: one.cost.saturating_add(other.cost),
    }
}

/// The total and the limit that it exceeds with `more`, in words. What costs
/// nothing fits any budget of money.
fn exceeded(limit: SpendLimit, spent: Spent, more: Spent) -> Option<(String, String)> {
    let total = sum(spent, more);
    if let Some(tokens) = limit.tokens.filter(|&tokens| total.tokens > tokens) {
        let in_words = |tokens: u64| format!("{tokens} tokens");
        return Some((in_words(total.tokens), in_words(tokens)));
    }
    let cost = limit
        .cost
        .filter(|&cost| more.cost > 0 && total.cost > cost)?;
    Some((dollars(total.cost), dollars(cost)))
}

/// Millionths of a dollar, to the cent, or as far as they go.
fn dollars(millionths: u64) -> String {
    let (whole, rest) = (millionths / 1_000_000, millionths % 1_000_000);
    match rest % 10_000 {
        0 => format!("${whole}.{:02}", rest / 10_000),
        _ => format!("${whole}.{rest:06}")
            .trim_end_matches('0')
            .to_owned(),
    }
}

/// When the UTC day began.
const fn midnight(now: Timestamp) -> Timestamp {
    let now = now.as_millis();
    Timestamp::from_millis(now - now.rem_euclid(DAY_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_exceeded_by_what_they_limit() {
        fn check(limit: [Option<u64>; 2], spent: [u64; 2], more: [u64; 2], expect: Option<&str>) {
            let [tokens, cost] = limit;
            let spent_of = |[tokens, cost]: [u64; 2]| Spent { tokens, cost };
            let found = exceeded(SpendLimit { tokens, cost }, spent_of(spent), spent_of(more));
            let found = found.as_ref().map(|(_, limit)| limit.as_str());
            assert_eq!(found, expect, "{limit:?} {spent:?} {more:?}");
        }
        check([None, None], [u64::MAX, u64::MAX], [9, 9], None);
        check([Some(100), None], [90, 0], [10, 9], None);
        check([Some(100), None], [90, 0], [11, 9], Some("100 tokens"));
        check([None, Some(500_000)], [90, 499_000], [10, 1000], None);
        check(
            [None, Some(500_000)],
            [90, 499_000],
            [10, 1001],
            Some("$0.50"),
        );
        check([None, Some(1_500_000)], [9, 9_000_000], [10, 0], None);
        check(
            [None, Some(1_000_500)],
            [9, 9_000_000],
            [10, 1],
            Some("$1.0005"),
        );
    }

    #[test]
    fn days_begin_at_midnight() {
        fn check(now: i64, expect: i64) {
            let midnight = midnight(Timestamp::from_millis(now));
            assert_eq!(midnight, Timestamp::from_millis(expect));
        }
        check(0, 0);
        check(DAY_MS - 1, 0);
        check(DAY_MS, DAY_MS);
        check(784_111_740_000, 784_080_000_000);
        check(-1, -DAY_MS);
    }
}
