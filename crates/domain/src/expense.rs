//! What models cost, and whom.

use crate::{Payer, Role, Timestamp, Usage, UserId};

/// What one call to a model cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bill {
    /// What for.
    pub role: Role,
    /// Which model, as `vendor/model`.
    pub model: String,
    /// The tokens.
    pub usage: Usage,
    /// Whether the tokens are our estimate, because the vendor told none.
    pub estimated: bool,
    /// The price in millionths of a US dollar, if the model's prices are known.
    pub cost: Option<u64>,
}

/// A [`Bill`] on somebody's account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expense {
    /// On whose account.
    pub payer: Payer,
    /// What was paid for.
    pub bill: Bill,
    /// When the call ended.
    pub at: Timestamp,
}

/// Whose expenses to add up, within a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spender {
    /// One person's.
    User(UserId),
    /// Everybody's.
    Everyone,
}

/// Expenses, added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Tokens read and written.
    pub tokens: u64,
    /// Millionths of a US dollar, as far as prices are known.
    pub cost: u64,
}
