//! `/privacy export` and `/memory export`: what is kept about whoever asks, as
//! a file.
//!
//! Commands and no tools of the model's: the file is for one pair of eyes.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{PersonalFile, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Hands out what is kept.
pub struct ExportMe {
    facts_only: bool,
}

impl ExportMe {
    /// Everything.
    pub const fn everything() -> Self {
        Self { facts_only: false }
    }

    /// What is remembered.
    pub const fn facts() -> Self {
        Self { facts_only: true }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct ExportArguments {}

impl Action for ExportMe {
    type Arguments = ExportArguments;

    fn declaration(&self) -> Declaration {
        let (name, command) = match self.facts_only {
            false => ("export_me", "privacy export"),
            true => ("export_memory", "memory export"),
        };
        Declaration::reading(name, "What is kept about the asker, as a file.")
            .as_command(CommandEntrance::private(command))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: ExportArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let user = grant.turn().asker;
        let file = match self.facts_only {
            false => PersonalFile::Everything(user),
            true => PersonalFile::Facts(user),
        };
        let done = Done::new("handed out").showing(Phrase::new("export-done"));
        Box::pin(std::future::ready(Ok(done.with_file(file))))
    }
}
