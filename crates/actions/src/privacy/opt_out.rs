//! `/privacy opt-out` and `/privacy opt-in`: whether somebody is read at all.

use std::sync::Arc;

use kaiwa_domain::port::{Clock, OptOuts, Pending};
use kaiwa_domain::{StoreError, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// Never reads somebody again.
pub struct OptOut {
    opt_outs: Arc<dyn OptOuts>,
    clock: Arc<dyn Clock>,
}

impl OptOut {
    /// As `opt_outs` has it.
    pub const fn new(opt_outs: Arc<dyn OptOuts>, clock: Arc<dyn Clock>) -> Self {
        Self { opt_outs, clock }
    }
}

/// Reads somebody again.
pub struct OptIn {
    opt_outs: Arc<dyn OptOuts>,
}

impl OptIn {
    /// As `opt_outs` has it.
    pub const fn new(opt_outs: Arc<dyn OptOuts>) -> Self {
        Self { opt_outs }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct OptOutArguments {}

const fn declaration(name: &'static str, command: &'static str) -> Declaration {
    Declaration {
        class: EffectClass::Changes,
        ..Declaration::reading(name, "Whether the asker is read at all.")
    }
    .as_command(CommandEntrance::private(command))
}

impl Action for OptOut {
    type Arguments = OptOutArguments;

    fn declaration(&self) -> Declaration {
        declaration("opt_out", "privacy opt-out")
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: OptOutArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let user = grant.turn().asker;
            let out = self.opt_outs.opt_out(user, self.clock.now()).await;
            out.map_err(failed)?;
            Ok(Done::new("opted out").showing(Phrase::new("opted-out")))
        })
    }
}

impl Action for OptIn {
    type Arguments = OptOutArguments;

    fn declaration(&self) -> Declaration {
        declaration("opt_in", "privacy opt-in")
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: OptOutArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let changed = self.opt_outs.opt_in(grant.turn().asker).await;
            changed.map_err(failed)?;
            Ok(Done::new("opted in").showing(Phrase::new("opted-in")))
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over")]
fn failed(error: StoreError) -> ToolError {
    ToolError::Failed {
        reason: error.to_string(),
    }
}
