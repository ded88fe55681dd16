//! `calculate`: arithmetic, exact where it can be.

use kaiwa_domain::ToolError;
use kaiwa_domain::port::Pending;
use schemars::JsonSchema;
use serde::Deserialize;

use super::expression::{Value, evaluate};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Reckons.
pub struct Calculate;

/// What to reckon.
#[derive(Deserialize, JsonSchema)]
pub struct CalculateArguments {
    /// Arithmetic like (3 + 4) * 2^10, 15% of 80 or sqrt(2).
    #[schemars(with = "String", length(max = 300))]
    expression: Reckoned,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Reckoned {
    text: String,
    value: Value,
}

impl TryFrom<String> for Reckoned {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let value = evaluate(&text).map_err(|error| error.to_string())?;
        Ok(Self { text, value })
    }
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
        _: Grant<'a>,
        CalculateArguments { expression }: CalculateArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let Reckoned { text, value } = expression;
        let value = value.to_string();
        // An approximation says so itself.
        let equals = if value.starts_with('≈') { "" } else { "= " };
        // A backtick in it would end the code; no arithmetic has one.
        let shown = Phrase::new("calculate-done")
            .with("expression", text.trim())
            .with("value", format!("{equals}{value}"));
        let done = Done::new(value).showing(shown);
        Box::pin(std::future::ready(Ok(done)))
    }
}
