//! `kaiwa prompt`: what models are told.

use anyhow::Result;
use kaiwa_pipeline::brief::DEFAULT_TEMPLATE;

use crate::args::PromptCommand;
use crate::config::Config;
use crate::console;

pub(crate) fn prompt(command: &PromptCommand) -> Result<()> {
    let PromptCommand::Show { example, config } = command;
    let personality = Config::find(config.as_deref())?.personality;
    if *example {
        let shown = personality.prompt_template().example(personality.text());
        console::print(format_args!("{}", shown?));
    } else {
        let template = personality.template.as_deref().unwrap_or(DEFAULT_TEMPLATE);
        console::print(format_args!("{}", template.trim_end()));
    }
    Ok(())
}
