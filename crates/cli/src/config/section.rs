//! Every section and key, declared once: words, rule, default, effect.
//!
//! The doc comments are the manual that operators read in
//! `config.example.toml`.

use super::manual::sections;
use super::rule::{
    EnvName, Flag, Folder, HttpUrl, Listen, LogFormat, LogLevel, Name, SocketUrl, Span, TextFile,
    Whole, Zone,
};

/// Bounds of spans, in milliseconds.
const INSTANT: u64 = 1;
const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;

sections! {
    /// The bot on Discord.
    [discord] Discord, always {
        /// The environment variable that holds the bot token.
        token_env: EnvName, default("DISCORD_TOKEN"), restart;

        /// Where Discord's REST interface is. Any compatible server will do.
        api_url: HttpUrl, default("https://discord.com/api/v10"), restart;

        /// Where Discord's gateway is. Without it, the REST interface is asked.
        gateway_url: SocketUrl, optional("wss://gateway.discord.gg"), restart;

        /// Whether to ask for the text of messages that do not address the bot.
        /// It makes for better answers and has to be switched on for the bot too:
        /// "Message Content Intent" at the developer portal under Bot.
        message_content: Flag, default(true), restart;
    }

    /// The language model. Anything that speaks OpenAI's chat format will do:
    /// a vendor, Ollama, llama.cpp, LM Studio. `kaiwa run` needs this section.
    [provider] Provider, optional {
        /// The address that /chat/completions is put after.
        base_url: HttpUrl, required("http://127.0.0.1:11434/v1"), reload;

        /// The name of the model at that server.
        model: Name, required("llama3.2"), reload;

        /// The environment variable that holds the key, if the server wants one.
        key_env: EnvName, optional("OPENAI_API_KEY"), reload;

        /// How long the first word of an answer may take. A local model may have
        /// to be loaded first.
        first_token_timeout: Span<INSTANT, HOUR>, default("60s"), reload;

        /// How long an answer that has begun may pause.
        idle_timeout: Span<INSTANT, HOUR>, default("30s"), reload;
    }

    /// Who the bot is in conversation.
    [personality] Personality, always {
        /// A file that tells the model who it is, beside this file unless the path
        /// is absolute. Without it, the bot is friendly, brief and honest.
        file: TextFile, optional("personality.md"), reload;
    }

    /// What the model gets to see.
    [context] Context, always {
        /// How many of the channel's latest messages the model is shown.
        messages: Whole<1, 100>, default(30), reload;
    }

    /// How answers arrive.
    [delivery] Delivery, always {
        /// How finely an answer is cut into messages: 0 whole, when it is complete;
        /// 1 line by line; 2 line by line as if typed; 3 sentence by sentence as if
        /// typed by a person in a hurry.
        degree: Whole<0, 3>, default(1), reload;
        /// Code longer than this many characters is sent as a file. Without it, long
        /// code is cut into messages, each with its own code block.
        attach_code_above: Whole<100, 20000>, optional(6000), reload;
    }

    /// Where things are kept.
    [storage] Storage, always {
        /// The folder of the database, beside this file unless the path is
        /// absolute. It is made if it is missing.
        data: Folder, default("data"), restart;
    }

    /// The pages for those who run the bot.
    [web] Web, always {
        /// Where `kaiwa run` serves /healthz and /metrics. There is no password, so
        /// think before you open it to others.
        listen: Listen, default("127.0.0.1:8080"), restart;
    }

    /// The log, on standard error.
    [log] Log, always {
        /// The least important messages to show.
        level: LogLevel, default("info"), restart;

        /// Text for people, or one JSON object on each line.
        format: LogFormat, default("text"), restart;
    }

    /// How the process behaves.
    [runtime] Runtime, always {
        /// How long answers under way may go on when the process is asked to stop.
        shutdown_grace: Span<0, HOUR>, default("20s"), reload;

        /// How old a message may be and still get an answer. A stale answer is
        /// worse than none.
        answer_within: Span<SECOND, { 24 * HOUR }>, default("10m"), reload;

        /// The time zone of the date that the model is told.
        timezone: Zone, default("UTC"), reload;
    }
}

impl Personality {
    /// Who the model is told to be.
    pub fn text(&self) -> &str {
        self.file
            .as_deref()
            .unwrap_or(include_str!("../../assets/personality.md"))
    }
}
