//! `/privacy erase`: deletes everything that is kept about whoever asks.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Clock, Erasure, Pending};
use kaiwa_domain::{DataSubject, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// The word that has to be typed.
const WORD: &str = "erase";

/// Deletes what is kept about somebody.
pub struct EraseMe {
    erasure: Arc<dyn Erasure>,
    clock: Arc<dyn Clock>,
}

impl EraseMe {
    /// From `erasure`.
    pub const fn new(erasure: Arc<dyn Erasure>, clock: Arc<dyn Clock>) -> Self {
        Self { erasure, clock }
    }
}

/// That they mean it.
#[derive(Deserialize, JsonSchema)]
pub struct EraseArguments {
    /// The word "erase", as a sign that it is meant.
    #[schemars(length(max = 20))]
    confirmation: String,
}

impl Action for EraseMe {
    type Arguments = EraseArguments;

    fn declaration(&self) -> Declaration {
        let entrance = CommandEntrance {
            form: &["confirmation"],
            ..CommandEntrance::private("privacy erase")
        };
        Declaration {
            class: EffectClass::Changes,
            // Nothing is left of whoever asked.
            on_record: false,
            timeout: Duration::from_secs(60),
            ..Declaration::reading("erase_me", "Deletes what is kept about the asker.")
        }
        .as_command(entrance)
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        EraseArguments { confirmation }: EraseArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            if !confirmation.trim().eq_ignore_ascii_case(WORD) {
                return Ok(Done::new("not confirmed").showing(Phrase::new("erase-unconfirmed")));
            }
            let subject = DataSubject::User(grant.turn().asker);
            let rows = self.erasure.erase(subject, self.clock.now()).await;
            let rows = rows.map_err(|error| ToolError::Failed {
                reason: error.to_string(),
            })?;
            let rows = usize::try_from(rows).unwrap_or(usize::MAX);
            Ok(Done::new("erased").showing(Phrase::new("erase-done").with("rows", rows)))
        })
    }
}
