//! `/help`: what can be done, from the registry itself.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{OptionKind, SlashCommand, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{commands, in_language};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant, Registry};

/// Lists the commands.
pub struct Help {
    commands: Vec<SlashCommand>,
}

impl Help {
    /// Those of `registry`, in which it need not be itself.
    pub fn new(registry: &Registry) -> Self {
        Self {
            commands: commands(registry),
        }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct HelpArguments {}

impl Action for Help {
    type Arguments = HelpArguments;

    fn declaration(&self) -> Declaration {
        Declaration::reading("help", "What the bot can do.")
            .as_command(CommandEntrance::private("help"))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: HelpArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let mut lines = Vec::new();
        for command in &self.commands {
            let subcommands = command.options.iter().filter_map(|option| {
                matches!(option.kind, OptionKind::Subcommand(_))
                    .then_some((Some(&option.name), &option.summary))
            });
            let subcommands: Vec<_> = subcommands.collect();
            let entries = match subcommands.is_empty() {
                true => vec![(None, &command.summary)],
                false => subcommands,
            };
            for (sub, summary) in entries {
                let sub = sub.map(|it| format!(" {}", it.text)).unwrap_or_default();
                let summary = in_language(summary, grant.locale());
                lines.push(format!("`/{}{sub}` {summary}", command.name.text));
            }
        }
        let lines = lines.join("\n");
        let done = Done::new(lines.clone()).showing(Phrase::new("help-done").with("lines", lines));
        Box::pin(std::future::ready(Ok(done)))
    }
}
