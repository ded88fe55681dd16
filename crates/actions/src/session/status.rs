//! `/status`: how things stand.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Clock, Conversations, Ledger, Pending};
use kaiwa_domain::{Spender, Timestamp, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

use super::not_recorded;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Tells how things stand.
pub struct Status {
    conversations: Arc<dyn Conversations>,
    ledger: Arc<dyn Ledger>,
    clock: Arc<dyn Clock>,
    model: Box<dyn Fn(&Turn) -> String + Send + Sync>,
}

impl Status {
    /// With `conversations`; `model` names who answers a turn.
    pub fn new(
        conversations: Arc<dyn Conversations>,
        ledger: Arc<dyn Ledger>,
        clock: Arc<dyn Clock>,
        model: impl Fn(&Turn) -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            conversations,
            ledger,
            clock,
            model: Box::new(model),
        }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct StatusArguments {}

impl Action for Status {
    type Arguments = StatusArguments;

    fn declaration(&self) -> Declaration {
        Declaration::reading("status", "How things stand with the bot.")
            .as_command(CommandEntrance::private("status"))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: StatusArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let since = day_before(self.clock.now());
            let spent = self
                .ledger
                .spent(turn.scope, Spender::Everyone, since)
                .await
                .map_err(|error| not_recorded(&error))?;
            let status = self.conversations.status(turn.channel);
            let model = (self.model)(turn);
            let dollars = spent.cost / 1_000_000;
            let cents = spent.cost % 1_000_000 / 100;
            let phrase = Phrase::new("status-done")
                .with("model", model)
                .with(
                    "health",
                    if status.model_down.is_some() {
                        "down"
                    } else {
                        "up"
                    },
                )
                .with("latency", seconds(status.first_words))
                .with(
                    "tokens",
                    usize::try_from(spent.tokens).unwrap_or(usize::MAX),
                )
                .with("cost", format!("{dollars}.{cents:04}"))
                .with("waiting", status.waiting);
            Ok(Done::new("told").showing(phrase))
        })
    }
}

fn seconds(took: Option<Duration>) -> String {
    took.map_or_else(
        || "–".to_owned(),
        |took| format!("{:.1}", took.as_secs_f64()),
    )
}

fn day_before(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.as_millis() - 24 * 3600 * 1000)
}
