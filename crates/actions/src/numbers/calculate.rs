//! `calculate`: arithmetic, exact where it can be.

use kaiwa_domain::ToolError;
use kaiwa_domain::port::Pending;
use schemars::JsonSchema;
use serde::Deserialize;

use super::expression::evaluate;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Reckons.
pub struct Calculate;

/// What to reckon.
#[derive(Deserialize, JsonSchema)]
pub struct CalculateArguments {
    /// Arithmetic like (3 + 4) * 2^10, 15% of 80 or sqrt(2).
    #[schemars(length(max = 300))]
    expression: String,
}

impl Action for Calculate {
    type Arguments = CalculateArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("calculate")),
            ..Declaration::reading(
                "calculate",
                "Reckons exactly. Use it for every calculation that is not trivial.",
            )
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        CalculateArguments { expression }: CalculateArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let value = match evaluate(&expression) {
            Ok(value) => value.to_string(),
            Err(error) => {
                let problem = error.phrase().text(grant.locale());
                let bad = ToolError::BadArguments { problem };
                return Box::pin(std::future::ready(Err(bad)));
            }
        };
        // An approximation says so itself.
        let equals = if value.starts_with('≈') { "" } else { "= " };
        // A backtick in it would end the code; no arithmetic has one.
        let shown = Phrase::new("calculate-done")
            .with(
                "expression",
                expression
                    .trim()
                    .trim_end_matches(['=', '?', '＝', '？', ' ']),
            )
            .with("value", format!("{equals}{value}"));
        let done = Done::new(value).showing(shown);
        Box::pin(std::future::ready(Ok(done)))
    }
}
