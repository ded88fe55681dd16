//! What models cost.

use kaiwa_domain::port::{Ledger, Pending};
use kaiwa_domain::{
    Bill, Expense, Role, Scope, Spender, Spent, StoreError, Timestamp, TurnId, Usage,
};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::columns::{signed, unreadable};
use crate::failure::store_error;

/// The largest number of one bill that is believed, so that sums of them stay
/// within SQLite's integers.
const MOST: u64 = 1 << 40;

/// Adds up the expenses of a scope since a moment, of whomever else it says.
macro_rules! sum {
    ($whose:literal) => {
        concat!(
            "SELECT COALESCE(SUM(input + output), 0), COALESCE(SUM(cost), 0)
             FROM expense WHERE scope = ?1 AND at >= ?2",
            $whose
        )
    };
}

impl Ledger for Sqlite {
    fn record<'a>(&'a self, expense: &'a Expense) -> Pending<'a, Result<(), StoreError>> {
        let expense = expense.clone();
        self.on_thread(|store| async move { Ok(store.record_expense(&expense).await?) })
    }

    fn spent(
        &self,
        scope: Scope,
        spender: Spender,
        since: Timestamp,
    ) -> Pending<'_, Result<Spent, StoreError>> {
        Box::pin(async move {
            self.sum_expenses(scope, spender, since)
                .await
                .map_err(|error| store_error(&error))
        })
    }

    fn bills(&self, turn: TurnId) -> Pending<'_, Result<Vec<Bill>, StoreError>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT * FROM expense WHERE trigger = ?1 AND trigger_kind = ?2 AND take = ?3
                 ORDER BY id",
            )
            .bind(signed(turn.trigger.number()))
            .bind(turn.trigger.kind())
            .bind(turn.take)
            .fetch_all(&self.readers)
            .await;
            let bills = rows.and_then(|rows| rows.iter().map(bill).collect());
            bills.map_err(|error: sqlx::Error| store_error(&error))
        })
    }
}

fn bill(row: &SqliteRow) -> Result<Bill, sqlx::Error> {
    let number = |column: &str| row.try_get::<i64, _>(column).map(i64::cast_unsigned);
    let role: &str = row.try_get("role")?;
    let known = Role::ALL.into_iter().find(|it| it.name() == role);
    Ok(Bill {
        role: known.ok_or_else(|| unreadable("role", role))?,
        model: row.try_get("model")?,
        usage: Usage {
            input: number("input")?,
            cached: number("cached")?,
            output: number("output")?,
            thinking: number("thinking")?,
        },
        estimated: row.try_get("estimated")?,
        cost: row
            .try_get::<Option<i64>, _>("cost")?
            .map(i64::cast_unsigned),
    })
}

impl Sqlite {
    async fn record_expense(&self, expense: &Expense) -> Result<(), sqlx::Error> {
        let (payer, bill) = (&expense.payer, &expense.bill);
        let number = |number: u64| signed(number.min(MOST));
        let mut tx = self.write_once().await?;
        sqlx::query(
            "INSERT INTO expense (scope, trigger_kind, trigger, take, channel, user, role, model,
                                  input, cached, output, thinking, estimated, cost, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        )
        .bind(payer.scope.to_string())
        .bind(payer.turn.trigger.kind())
        .bind(signed(payer.turn.trigger.number()))
        .bind(payer.turn.take)
        .bind(signed(payer.channel.get()))
        .bind(signed(payer.user.get()))
        .bind(bill.role.name())
        .bind(&bill.model)
        .bind(number(bill.usage.input))
        .bind(number(bill.usage.cached))
        .bind(number(bill.usage.output))
        .bind(number(bill.usage.thinking))
        .bind(bill.estimated)
        .bind(bill.cost.map(number))
        .bind(expense.at.as_millis())
        .execute(&mut *tx)
        .await?;
        tx.commit_unsynced().await
    }

    async fn sum_expenses(
        &self,
        scope: Scope,
        spender: Spender,
        since: Timestamp,
    ) -> Result<Spent, sqlx::Error> {
        let (sql, id) = match spender {
            Spender::User(id) => (sum!(" AND user = ?3"), Some(id.get())),
            Spender::Everyone => (sum!(""), None),
        };
        let mut query = sqlx::query(sql)
            .bind(scope.to_string())
            .bind(since.as_millis());
        if let Some(id) = id {
            query = query.bind(signed(id));
        }
        let row = query.fetch_one(&self.readers).await?;
        Ok(Spent {
            tokens: row.try_get::<i64, _>(0)?.cast_unsigned(),
            cost: row.try_get::<i64, _>(1)?.cast_unsigned(),
        })
    }
}
