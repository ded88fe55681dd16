//! `/help`: what can be done, from the registry itself.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Localized, OptionKind, SlashCommand, ToolError};
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

/// How long the list may be, in characters: a message has 2000.
const LIST_CHARS: usize = 1800;

impl Help {
    /// A line for each command, as much as fits: with its subcommands, without
    /// them, or nothing but the names.
    fn lines(&self, locale: &str) -> Vec<String> {
        let fits = |lines: &[String]| {
            let chars = lines.iter().map(|line| line.chars().count() + 1);
            chars.sum::<usize>() <= LIST_CHARS
        };
        let whole: Vec<String> = self
            .commands
            .iter()
            .flat_map(|command| entries(command, locale))
            .collect();
        if fits(&whole) {
            return whole;
        }
        let short: Vec<String> = self
            .commands
            .iter()
            .map(|command| {
                let subs: Vec<&str> = subcommands(command).map(|(sub, _)| sub).collect();
                let subs = match subs.is_empty() {
                    true => String::new(),
                    false => format!(" {}", subs.join(" | ")),
                };
                let summary = in_language(&command.summary, locale);
                format!("`/{}{subs}` {summary}", command.name.text)
            })
            .collect();
        if fits(&short) {
            return short;
        }
        let names = self.commands.iter();
        let names: Vec<String> = names.map(|it| format!("`/{}`", it.name.text)).collect();
        vec![names.join(" ")]
    }
}

/// The subcommands of a command, and what they are for.
fn subcommands(command: &SlashCommand) -> impl Iterator<Item = (&str, &Localized)> {
    command.options.iter().filter_map(|option| {
        matches!(option.kind, OptionKind::Subcommand(_))
            .then_some((option.name.text.as_str(), &option.summary))
    })
}

/// The lines of a command with all that it is divided into.
fn entries(command: &SlashCommand, locale: &str) -> Vec<String> {
    let name = &command.name.text;
    let mut lines: Vec<String> = subcommands(command)
        .map(|(sub, summary)| format!("`/{name} {sub}` {}", in_language(summary, locale)))
        .collect();
    if lines.is_empty() {
        lines.push(format!(
            "`/{name}` {}",
            in_language(&command.summary, locale)
        ));
    }
    lines
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
        let lines = self.lines(grant.locale());
        let lines = lines.join("\n");
        let done = Done::new(lines.clone()).showing(Phrase::new("help-done").with("lines", lines));
        Box::pin(std::future::ready(Ok(done)))
    }
}
