//! What one call costs.

use std::sync::Arc;

use kaiwa_domain::port::Clock;
use kaiwa_domain::{Bill, Delta, Expense, ModelError, Payer, Role, Usage};

use crate::Price;

use super::accounts::{Accounts, Pledge};
use super::estimate::Weight;

/// On whose account a call is made, and what was set aside for it.
pub(super) struct Account {
    pub(super) accounts: Arc<Accounts>,
    pub(super) payer: Payer,
    pub(super) pledge: Pledge,
}

/// Listens to one call and writes its bill, whichever way it ends.
pub(super) struct Meter {
    role: Role,
    model: String,
    price: Option<Price>,
    /// The estimate of what the model reads.
    input: u64,
    heard: Weight,
    heard_bytes: usize,
    usage: Option<Usage>,
    clock: Arc<dyn Clock>,
    account: Option<Account>,
    /// Whether the bill is still to be written.
    open: bool,
}

impl Meter {
    pub(super) fn new(
        role: Role,
        (model, price): (String, Option<Price>),
        input: u64,
        clock: Arc<dyn Clock>,
        account: Option<Account>,
    ) -> Self {
        Self {
            role,
            model,
            price,
            input,
            heard: Weight::default(),
            heard_bytes: 0,
            usage: None,
            clock,
            account,
            open: true,
        }
    }

    /// Takes note of what the model says. Says how many bytes that was so far.
    pub(super) fn hear(&mut self, delta: &Delta) -> usize {
        let words = match delta {
            Delta::Text(words) | Delta::Refusal(words) => words,
            Delta::Thought(thought) => &thought.text,
            // The call that follows only repeats the pieces.
            Delta::ToolPiece(piece) => &piece.arguments,
            Delta::ToolCall(call) => &call.name,
            Delta::Usage(usage) => {
                self.usage = Some(*usage);
                return self.heard_bytes;
            }
            _ => return self.heard_bytes,
        };
        self.heard.add(words);
        self.heard_bytes += words.len();
        self.heard_bytes
    }

    /// The bill of a call that ended as told.
    pub(super) fn end(mut self, error: Option<&ModelError>) -> Bill {
        // Who refuses a question has not read it, as far as money goes.
        let read = match error {
            None | Some(ModelError::Silent { .. } | ModelError::Cut { .. }) => true,
            Some(_) => self.heard_bytes > 0,
        };
        self.write(read)
    }

    fn write(&mut self, read: bool) -> Bill {
        self.open = false;
        let told = self.usage.filter(|usage| usage.input + usage.output > 0);
        let usage = told.unwrap_or(Usage {
            input: if read { self.input } else { 0 },
            output: self.heard.tokens(),
            ..Usage::default()
        });
        let bill = Bill {
            role: self.role,
            model: self.model.clone(),
            usage,
            estimated: told.is_none(),
            cost: self.price.map(|price| cost(price, usage)),
        };
        if let Some(account) = self.account.take() {
            let expense = Expense {
                payer: account.payer,
                bill: bill.clone(),
                at: self.clock.now(),
            };
            account.accounts.book(expense, account.pledge);
        }
        bill
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.open {
            self.write(true);
        }
    }
}

/// What tokens cost, rounded up.
pub(super) fn cost(price: Price, usage: Usage) -> u64 {
    let cached = usage.cached.min(usage.input);
    let parts = [
        (usage.input - cached, price.input),
        (cached, price.cached.unwrap_or(price.input)),
        (usage.output, price.output),
    ];
    let product = |(tokens, price)| u128::from(tokens) * u128::from(price);
    let total: u128 = parts.into_iter().map(product).sum();
    u64::try_from(total.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_price() {
        fn check(cached_price: Option<u64>, usage: [u64; 3], expect: u64) {
            let price = Price {
                input: 3_000_000,
                cached: cached_price,
                output: 15_000_000,
            };
            let [input, cached, output] = usage;
            let usage = Usage {
                input,
                cached,
                output,
                thinking: output,
            };
            assert_eq!(cost(price, usage), expect, "{usage:?}");
        }
        check(None, [0, 0, 0], 0);
        // A million read and written: three dollars and fifteen.
        check(None, [1_000_000, 0, 1_000_000], 18_000_000);
        check(None, [1000, 1000, 0], 3000);
        check(Some(300_000), [1000, 1000, 0], 300);
        check(Some(300_000), [1000, 9000, 0], 300);
        check(Some(1), [1, 1, 0], 1);
        check(None, [u64::MAX, 0, u64::MAX], u64::MAX);
    }
}
