//! The command line.

mod emulation;
mod personas;
mod remembered;

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use kaiwa_domain::settings::{SETTINGS, SettingKey, SettingPlace};
use kaiwa_domain::{ChannelId, GuildId, PersonaId, Scope, TurnId, UserId};
use kaiwa_provider::Format;

use crate::config::{BadModelName, ModelName};
use crate::{
    ask, console, doctor, emulate, exit, inspect, memory, persona, personal, play, prompt,
    provider, restore_backup, run, search, settings, text, understudy,
};

pub(crate) use emulation::EmulateArgs;
pub(crate) use personas::PersonaCommand;
pub(crate) use remembered::{EraseArgs, ExportArgs, MemoryCommand, PrivacyCommand, RestoreArgs};

/// The table of `exit`, in short.
const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 failed, but may work later (network, server, full disk, port in use);
2 fails until a person changes something (arguments, configuration, token, key); 130 Ctrl-C";

/// Kaiwa brings an AI that talks like a person to your Discord server.
///
/// New here? `kaiwa play` opens a Discord-like page with a bot that answers:
/// no token, no key, no database server.
#[derive(Debug, Parser)]
#[command(name = "kaiwa", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Try it in the browser, with everything in one process
    Play(PlayArgs),
    /// Run the bot on Discord
    Run(ConfigArgs),
    /// Run Discord in a box, for bots in any language
    ///
    /// Prints one line of JSON when it is ready: addresses, tokens, channels.
    /// GET /emulator/world gives it again, GET /emulator/transcript/CHANNEL
    /// what was said, GET /emulator/counts what was asked, GET
    /// /emulator/traffic what goes over the wire. POST /emulator/faults breaks
    /// connections, fails requests, sends 429s, cuts, stalls or deafens the
    /// gateway; POST /emulator/clock moves the time on: see docs/emulator.md.
    Emulate(EmulateArgs),
    /// Run the scripted model, which speaks the OpenAI wire format
    Understudy(UnderstudyArgs),
    /// Check configuration, token, intents, model and database
    Doctor(ConfigArgs),
    /// Try the text engine on JSON lines
    #[command(subcommand)]
    Text(TextCommand),
    /// Ask a model one question
    ///
    /// The answer goes to standard output as it comes, everything else to
    /// standard error. Without --model, the models of `[models]` chat are asked,
    /// or one that runs on this machine.
    Ask(AskArgs),
    /// See and change what a server, a channel or a persona has of its own
    ///
    /// The configuration file holds for everybody; what is set here holds for
    /// one server, one of its channels or one of its personas, and the most
    /// specific counts. The bot must not be running.
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// See what a model was told, and why messages were answered or not
    ///
    /// A turn is named as in the log: 1234-0 is the first answer to message
    /// 1234. While the bot runs it is asked at web.listen, if that is an address
    /// of this machine alone; otherwise its database is read.
    Inspect(InspectArgs),
    /// See and change what the bot remembers of a server or a person
    ///
    /// Memories are sealed in the database; the key is the file memory.key
    /// beside it. The bot must not be running.
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// See, import and export who speaks beside the bot itself
    ///
    /// Character cards of SillyTavern and others are read and written: PNG, JSON
    /// and charx, and Kaiwa's own TOML. The bot must not be running.
    #[command(subcommand)]
    Persona(PersonaCommand),
    /// Say whom the bot never reads
    ///
    /// What they write starts nothing and is shown to no model, in any server.
    /// The bot must not be running.
    #[command(subcommand)]
    Privacy(PrivacyCommand),
    /// Write down as JSON everything that is kept about a person or a server
    ///
    /// Ids are strings, times are milliseconds since 1970, and memories are
    /// written as they are, so keep the result to yourself. The bot must not be
    /// running.
    Export(ExportArgs),
    /// Delete everything that is kept about a person or a server
    ///
    /// Of a person: their direct messages and settings, and in every server their
    /// questions with the answers, what is remembered of them or by them, notes
    /// and prompts with their words, and what they cost. Once begun it is
    /// finished, also after a crash. That they opted out is kept. Messages on
    /// Discord and backups of yours are not touched. The bot must not be running.
    Erase(EraseArgs),
    /// Bring a backup back
    ///
    /// Without a name the backups are listed, and the newest is taken. It is read
    /// through first, and what was there before is kept in a folder beside it:
    /// replaced-1, replaced-2 and so on. Cut short, it is finished at the next
    /// start. The bot must not be running.
    Restore(RestoreArgs),
    /// Look at what models are told
    #[command(subcommand)]
    Prompt(PromptCommand),
    /// Look at the vendors of models, and at what their servers say
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// Read a PDF for the bot, which starts this by itself
    #[command(name = search::READ_PDF, hide = true)]
    ReadPdf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TextCommand {
    /// Cut whole texts: rows with `input` get an `output`
    ///
    /// `degree` (0 to 3, default 1) and `max` (default 1950) may be given in
    /// each row. Other fields pass through.
    Chunk(ChunkArgs),
    /// Deliver streamed answers: rows with `deltas` get `messages`
    ///
    /// Names in `self` and `speakers` are looked for at line starts; `degree`
    /// (0 to 3, default 1) and `max` (default 1950) may be given in each row.
    /// Other fields pass through.
    Stream(StreamArgs),
    /// Draw how a text becomes messages: its blocks, and where and why each
    /// degree cuts it
    Explain(ExplainArgs),
    /// Tell wishes to stop from other messages: rows with `text` get `stop`
    /// and `why`
    ///
    /// `addressed` (default true) says whether the message is said to the bot:
    /// by a mention, a reply, or by the person whose question is being
    /// answered. `name` is the bot's (default Kaiwa). The answer has `id`,
    /// `stop` and `why`.
    Stop,
    /// Make texts safe to show to a model: rows with `text` get it anew
    ///
    /// `changed` tells why. Other fields pass through.
    Sanitize,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The turn whose prompt to show
    #[arg(value_name = "TURN", required_unless_present = "channel")]
    pub(crate) turn: Option<TurnId>,
    /// The channel whose last decisions to show
    #[arg(long, value_name = "ID", conflicts_with = "turn")]
    pub(crate) channel: Option<ChannelId>,
    #[command(flatten)]
    pub(crate) home: DataHome,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The text, as a model would write it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The most UTF-16 units of a message
    #[arg(long, value_name = "UNITS", default_value_t = 1950, value_parser = clap::value_parser!(u16).range(2..=2000))]
    pub(crate) max: u16,
    /// How many characters arrive at a time
    #[arg(long, value_name = "CHARACTERS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) delta: u16,
}

#[derive(Debug, Args)]
pub(crate) struct ChunkArgs {
    /// Rewrite markdown that Discord does not show
    #[arg(long)]
    pub(crate) dialect: bool,
    /// At degree 3, make the text look typed by hand, by chance from this seed
    #[arg(long, value_name = "SEED")]
    pub(crate) humanize: Option<u64>,
    /// Add `explained`: everything that was done, where and why
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StreamArgs {
    /// Rewrite markdown that Discord does not show
    #[arg(long)]
    pub(crate) dialect: bool,
    /// Lift tables out of the text
    #[arg(long)]
    pub(crate) tables: bool,
    /// At degree 3, make the text look typed by hand, by chance from this seed
    #[arg(long, value_name = "SEED")]
    pub(crate) humanize: Option<u64>,
    /// Add `explained`: everything that was done, where and why
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProviderCommand {
    /// Hear a recorded answer again: its events, then what they amount to
    Replay(ReplayArgs),
    /// List the vendors, whether a key is set, their models and prices
    List(ListArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum PromptCommand {
    /// Print the template that system prompts are made from
    ///
    /// Save it, change it, and name the file as personality.template to use it.
    Show {
        /// Print an example of what becomes of it instead
        #[arg(long)]
        example: bool,
        /// Take personality and template from here [default: kaiwa.toml if it is there]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// List every setting with its value, where that comes from and what is allowed
    List {
        #[command(flatten)]
        home: SettingsHome,
        /// As it is in this channel
        #[arg(long, value_name = "ID")]
        channel: Option<ChannelId>,
        /// As it is for this persona; 0 is the bot itself
        #[arg(long, value_name = "N")]
        persona: Option<u32>,
    },
    /// Set one; `kaiwa settings list` shows what is allowed
    Set {
        #[command(flatten)]
        home: SettingsHome,
        #[command(flatten)]
        target: SettingsTarget,
        /// Which setting, like delivery.degree
        #[arg(value_name = "KEY", value_parser = setting_key)]
        key: SettingKey,
        /// Its value
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
    },
    /// Take one away, so that the server's or the configuration file's counts
    Unset {
        #[command(flatten)]
        home: SettingsHome,
        #[command(flatten)]
        target: SettingsTarget,
        /// Which setting, like delivery.degree
        #[arg(value_name = "KEY", value_parser = setting_key)]
        key: SettingKey,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SettingsHome {
    #[command(flatten)]
    pub(crate) scope: SettingsScope,
    #[command(flatten)]
    pub(crate) data: DataHome,
}

#[derive(Debug, Args)]
pub(crate) struct DataHome {
    /// Take the data folder and what holds for everybody from here [default: kaiwa.toml if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The folder of the bot's database, instead of storage.data
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SettingsScope {
    /// The server, by its id
    #[arg(long, value_name = "ID")]
    guild: Option<GuildId>,
    /// The direct messages of this user
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,
}

impl SettingsScope {
    pub(crate) fn scope(&self) -> anyhow::Result<Scope> {
        let guild = self.guild.map(Scope::Guild);
        let scope = guild.or(self.user.map(Scope::Dm));
        scope.ok_or_else(|| exit::needs_a_person("name a server with --guild"))
    }
}

#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct SettingsTarget {
    /// For this channel only
    #[arg(long, value_name = "ID")]
    channel: Option<ChannelId>,
    /// For this persona only; 0 is the bot itself
    #[arg(long, value_name = "N")]
    persona: Option<u32>,
}

impl SettingsTarget {
    pub(crate) fn place(&self) -> SettingPlace {
        let channel = self.channel.map(SettingPlace::Channel);
        let persona = self.persona.map(PersonaId::new).map(SettingPlace::Persona);
        channel.or(persona).unwrap_or(SettingPlace::Guild)
    }
}

fn setting_key(name: &str) -> Result<SettingKey, String> {
    SettingKey::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
        format!("there is no such setting; there are {}", names.join(", "))
    })
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Take vendors and models from here too [default: kaiwa.toml if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,
    /// Which model to ask, like ollama/llama3.2
    #[arg(long, value_name = "VENDOR/MODEL")]
    pub(crate) model: Option<ModelName>,
    /// An image that goes with the question; may be given more than once
    #[arg(long = "image", value_name = "FILE")]
    pub(crate) images: Vec<PathBuf>,
    /// Take models and vendors from here [default: kaiwa.toml if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The wire format, like openai-chat
    #[arg(long, value_name = "F")]
    pub(crate) format: Format,
    /// The body of the answer, as the server sent it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Cut the bytes into random pieces, the same ones for the same N
    #[arg(long, value_name = "N")]
    pub(crate) pieces: Option<u64>,
    /// Leave think tags and tool calls that stand in the text where they are
    #[arg(long)]
    pub(crate) verbatim: bool,
}

/// Who answers in `play`.
#[derive(Clone, Debug)]
pub(crate) enum PlayModel {
    /// The scripted model.
    Understudy,
    /// A real one.
    Model(ModelName),
}

impl FromStr for PlayModel {
    type Err = BadModelName;

    fn from_str(text: &str) -> Result<Self, BadModelName> {
        match text {
            "understudy" => Ok(Self::Understudy),
            name => name.parse().map(Self::Model),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Port of the page on 127.0.0.1; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = 7575)]
    pub(crate) port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Keep the bot's database here instead of in a temporary folder
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Which model answers: one like ollama/llama3.2, or `understudy`
    #[arg(long, value_name = "VENDOR/MODEL")]
    pub(crate) model: Option<PlayModel>,
    /// Take models and personality from here [default: kaiwa.toml if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// The configuration file
    #[arg(long, value_name = "FILE", default_value = "kaiwa.toml")]
    pub(crate) config: PathBuf,
    /// Keep the bot's database here instead of in storage.data
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct UnderstudyArgs {
    /// Port on 127.0.0.1; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = 7576)]
    pub(crate) port: u16,
    /// Milliseconds between two pieces of an answer
    #[arg(long, value_name = "MS", default_value_t = 40)]
    pub(crate) pace: u64,
}

/// Runs the command that was asked for.
pub fn main() -> ExitCode {
    let command = match Cli::parse().command {
        CliCommand::Text(command) => {
            return text::text(&command).unwrap_or_else(|error| console::fail(&error));
        }
        // Whatever else runs in this process could be harmed.
        CliCommand::ReadPdf => return kaiwa_actions::read_pdf_and_exit(),
        command => command,
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return console::fail(&error.into()),
    };
    let done = runtime.block_on(async {
        match command {
            CliCommand::Play(args) => play::play(args).await,
            CliCommand::Run(args) => run::run(args).await,
            CliCommand::Emulate(args) => emulate::emulate(args).await,
            CliCommand::Understudy(args) => understudy::understudy(args).await,
            CliCommand::Doctor(args) => doctor::doctor(args).await,
            // Answered above: they need no runtime.
            CliCommand::Text(_) | CliCommand::ReadPdf => Ok(()),
            CliCommand::Ask(args) => return ask::ask(args).await,
            CliCommand::Settings(command) => settings::settings(command).await,
            CliCommand::Inspect(args) => inspect::inspect(args).await,
            CliCommand::Memory(command) => memory::memory(command).await,
            CliCommand::Persona(command) => persona::persona(command).await,
            CliCommand::Privacy(command) => memory::privacy(command).await,
            CliCommand::Export(args) => personal::export(args).await,
            CliCommand::Erase(args) => personal::erase(args).await,
            CliCommand::Restore(args) => restore_backup::restore(args).await,
            CliCommand::Provider(command) => provider::provider(&command),
            CliCommand::Prompt(command) => prompt::prompt(&command),
        }
        .map(|()| ExitCode::SUCCESS)
    });
    // A blocking read or a lookup that hangs must not keep the process alive.
    runtime.shutdown_background();
    done.unwrap_or_else(|error| console::fail(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
