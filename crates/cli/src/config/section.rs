//! Every section and key, declared once: words, rule, default, effect.
//!
//! The doc comments are the manual that operators read in
//! `config.example.toml`. Keys that are the instance layer of a setting are
//! declared in `kaiwa_domain::settings`.

use kaiwa_domain::Role;
use kaiwa_pipeline::brief::Template;

use super::manual::sections;
use super::rule::{
    CertificateFile, CountOrNone, CountUpTo, Dollars, DurationBetween, DurationOrOff, EngineList,
    EngineName, EnvName, EnvNames, Folder, HttpUrl, Listen, LogFormat, LogLevel, ModelList,
    ModelName, OnOff, PriceIfUnknown, SocketUrl, TemplateFile, TextFile, WireFormat,
};

/// Bounds of spans, in milliseconds.
const INSTANT: u64 = 1;
const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const TWO_DAYS: u64 = 48 * HOUR;
const YEAR: u64 = 365 * 24 * HOUR;

/// Bounds of counts, in tokens.
const MOST_CONTEXT: u64 = 100_000_000;
const MOST_TOKENS: u64 = 1_000_000_000_000;

/// The bound of requests in a second.
const MOST_REQUESTS: u64 = 1_000_000;
/// The most backups that may be kept.
const MOST_BACKUPS: u16 = 365;
/// The most memory that a bound may name: a terabyte.
const MOST_MEGABYTES: u64 = 1 << 20;

sections! {
    /// The bot on Discord.
    section [discord] Discord, one {
        /// The environment variable that holds the bot token.
        token_env: EnvName, default("DISCORD_TOKEN"), restart;

        /// Where Discord's REST interface is. Any compatible server will do.
        api_url: HttpUrl, default("https://discord.com/api/v10"), restart;

        /// Where Discord's gateway is. Without it, the REST interface is asked.
        gateway_url: SocketUrl, optional("wss://gateway.discord.gg"), restart;

        /// Whether to ask for the text of messages that do not address the bot.
        /// It makes for better answers and has to be switched on for the bot too:
        /// "Message Content Intent" at the developer portal under Bot.
        message_content: OnOff, default(true), restart;

        /// Whether to hear who joins and leaves, as greetings need. It has to be
        /// switched on for the bot too: "Server Members Intent" at the developer
        /// portal under Bot.
        guild_members: OnOff, default(false), restart;

        /// A PEM file with certificate authorities to trust beside those of the
        /// public web, if Discord is reached through a proxy that opens TLS, or
        /// is a server of your own. SSL_CERT_FILE does the same.
        extra_ca: CertificateFile, optional("company-ca.pem"), restart;

        /// How many requests Discord takes from the bot in a second. Discord
        /// raises it for very large bots.
        requests_per_second: CountUpTo<MOST_REQUESTS>, default(50), restart;
    }

    /// Who answers. Each role has a model, or a list of models of which the next
    /// is asked when one fails: `vendor/model`, as in "ollama/llama3.2".
    /// `kaiwa provider list` shows the vendors. `kaiwa run` needs `chat`.
    section [models] Models, one {
        /// Who talks, and does whatever has nobody else.
        chat: ModelList, optional("ollama/llama3.2"), reload;

        /// Who is asked what takes thinking.
        reasoner: ModelList, optional(["deepseek/deepseek-v4-pro", "openai/gpt-5"]), reload;

        /// Who looks at images, if who talks cannot see.
        vision: ModelList, optional("google/gemini-2.5-flash"), reload;

        /// Who decides what takes thinking, in one word: a small model will do.
        classifier: ModelList, optional("ollama/llama3.2"), reload;

        /// Who makes long things short. No part of this version asks for that.
        summarizer: ModelList, optional("ollama/llama3.2"), reload;

        /// Who is asked when a vendor's filter would not have it.
        on_censored: ModelList, optional("mistral/mistral-large-latest"), reload;

        /// Those that personas may have in the place of `chat`. Whoever manages a
        /// server names one of them for a persona, as it is written here.
        personas: ModelList, optional(["ollama/llama3.2", "openai/gpt-5"]), reload;

        /// How long people wait for the first word of an answer, over all models,
        /// keys and attempts. Then they are told. If not set it is 45 seconds, or
        /// the longest first_token_timeout that you set for one of the models.
        first_word_within: DurationBetween<SECOND, HOUR>, optional("45s"), reload;
    }

    /// A vendor of models: one of those that `kaiwa provider list` shows, or a
    /// server of your own under a name of your own.
    section [vendors.openai] VendorSettings, named {
        /// Where it is, without the paths of its format. A server of your own
        /// needs it.
        base_url: HttpUrl, optional("https://api.openai.com/v1"), reload;

        /// The wire format. A server of your own speaks openai-chat if not set.
        format: WireFormat, optional("openai-responses"), reload;

        /// The environment variables that hold the keys. Several keys take turns
        /// when one is refused or limited. A known vendor has its own if not set.
        key_env: EnvNames, optional(["OPENAI_API_KEY", "OPENAI_API_KEY_2"]), reload;

        /// How long the first word of an answer may take: 30 seconds if not set, or
        /// 45 for a server on this machine. A model that has to be loaded first, or
        /// that thinks in silence, may need more.
        first_token_timeout: DurationBetween<INSTANT, HOUR>, optional("2m"), reload;

        /// How long an answer that has begun may pause, 30 seconds if not set.
        idle_timeout: DurationBetween<INSTANT, HOUR>, optional("30s"), reload;
    }

    /// What is known of a model, where `kaiwa provider list` knows nothing or is
    /// wrong. Prices are in US dollars for a million tokens.
    section [vendors.openai.models."gpt-5"] ModelSettings, named {
        /// How many tokens it can see at once.
        context: CountUpTo<MOST_CONTEXT>, optional(400_000), reload;

        /// Whether it can see images.
        vision: OnOff, optional(true), reload;

        /// Whether it can ask for tools.
        tools: OnOff, optional(true), reload;

        /// Whether it can think before it speaks.
        thinking: OnOff, optional(true), reload;

        /// What it costs to have it read.
        input_price: Dollars, optional(1.25), reload;

        /// What it costs to have it write.
        output_price: Dollars, optional(10.0), reload;

        /// What it costs to have it read again what the vendor remembers; as
        /// input_price if not known.
        cached_price: Dollars, optional(0.125), reload;
    }

    /// What may be spent from midnight to midnight, UTC. At a limit cheaper models
    /// of the same list are asked; where there are none, people are told.
    section [budget] Budget, one {
        /// By one person in one server, in tokens.
        user_tokens_per_day: CountUpTo<MOST_TOKENS>, optional(200_000), reload;

        /// By one person in one server, in US dollars.
        user_dollars_per_day: Dollars, optional(0.5), reload;

        /// By everybody in one server, in tokens.
        guild_tokens_per_day: CountUpTo<MOST_TOKENS>, optional(2_000_000), reload;

        /// By everybody in one server, in US dollars.
        guild_dollars_per_day: Dollars, optional(5.0), reload;

        /// What to do with a model whose price is not known while dollars are
        /// limited: "refuse" does not ask it, "free" asks it without limit, and a
        /// number is taken for its price, in US dollars for a million tokens. What
        /// Ollama, llama.cpp, LM Studio and vLLM run on this machine is free.
        unknown_price: PriceIfUnknown, default("refuse"), reload;
    }

    /// The open web. Without an engine the bot neither searches nor reads pages.
    /// What it finds was written by strangers, and is treated so.
    section [search] Search, one {
        /// Which search engines to ask, the first choice first; the next is asked when
        /// one fails. "duckduckgo" needs nothing but finds pages only, "searxng" needs
        /// an address, "brave" and "tavily" a key.
        engines: EngineList, optional(["duckduckgo"]), restart;

        /// Where your SearXNG is. It may be inside your network, and needs `json`
        /// among search.formats in its settings.yml.
        searxng_url: HttpUrl, optional("http://127.0.0.1:8888"), restart;

        /// Where Brave's interface is.
        brave_url: HttpUrl, default("https://api.search.brave.com/res/v1"), restart;

        /// The environment variable that holds the key for Brave.
        brave_key_env: EnvName, default("BRAVE_API_KEY"), restart;

        /// Where Tavily's interface is.
        tavily_url: HttpUrl, default("https://api.tavily.com"), restart;

        /// The environment variable that holds the key for Tavily.
        tavily_key_env: EnvName, default("TAVILY_API_KEY"), restart;

        /// Where DuckDuckGo's page for browsers without scripts is.
        duckduckgo_url: HttpUrl, default("https://html.duckduckgo.com/html/"), restart;

        /// Whether the bot may read pages. If not set it may if there is an engine.
        read_pages: OnOff, optional(true), restart;
    }

    /// Who the bot is in conversation.
    section [personality] Personality, one {
        /// A file that tells the model who it is, beside this file unless the path
        /// is absolute. Without it, the bot is friendly, brief and honest. Servers,
        /// channels and personas may have a text of their own: personality.text.
        file: TextFile, optional("personality.md"), reload;

        /// A file with a template of your own for all that the model is told about
        /// itself, beside this file unless the path is absolute. `kaiwa prompt show`
        /// prints the one that is used if there is none.
        template: TemplateFile, optional("prompt.jinja"), reload;
    }

    /// Where things are kept.
    section [storage] Storage, one {
        /// The folder of the database, beside this file unless the path is
        /// absolute. It is made if it is missing.
        data: Folder, default("data"), restart;

        /// How long answers that are over stay in the journal.
        keep_turns: DurationBetween<HOUR, YEAR>, default("7d"), reload;

        /// How long it is known which of its messages the bot said as whom.
        keep_messages: DurationBetween<HOUR, YEAR>, default("30d"), reload;

        /// How long it is known what models cost. Budgets need two days.
        keep_expenses: DurationBetween<TWO_DAYS, YEAR>, default("90d"), reload;

        /// How long what the model was told is kept, encrypted, so that an answer can
        /// be explained.
        keep_snapshots: DurationBetween<HOUR, YEAR>, default("7d"), reload;

        /// How long a server's settings, personas, memories and all else are kept
        /// after the bot was removed from it. If it is invited again by then, it
        /// goes on as before. "off" keeps them for ever.
        keep_left_servers: DurationOrOff<HOUR, YEAR>, default("30d"), reload;

        /// How many backups of the database are kept in the folder "backups" beside
        /// it. One is made each day; 0 makes none, and leaves those that there are.
        backups: CountOrNone<MOST_BACKUPS>, default(3), reload;
    }

    /// The pages for those who run the bot.
    section [web] Web, one {
        /// Where `kaiwa run` serves /healthz and /metrics. There is no password, so
        /// think before you open it to others.
        listen: Listen, default("127.0.0.1:7577"), restart;
    }

    /// The log, on standard error.
    section [log] Log, one {
        /// The least important messages to show.
        level: LogLevel, default("info"), restart;

        /// Text for people, or one JSON object on each line.
        format: LogFormat, default("text"), restart;
    }

    /// How the process behaves.
    section [runtime] Runtime, one {
        /// How long answers under way may go on when the process is asked to stop.
        /// What takes longer is marked, and goes on after the next start. Container
        /// runtimes kill a process after ten seconds.
        shutdown_grace: DurationBetween<0, HOUR>, default("7s"), reload;

        /// From how many MB of memory on the process forgets what it can read again.
        /// Best well above what an idle bot has.
        memory_soft_mb: CountUpTo<MOST_MEGABYTES>, optional(512), reload;

        /// From how many MB of memory on the process ends as if it was asked to
        /// stop, with code 1, so that whatever starts it starts it anew.
        memory_hard_mb: CountUpTo<MOST_MEGABYTES>, optional(1024), reload;
    }
}

impl Models {
    /// Every key with the models it names.
    pub fn roles(&self) -> impl Iterator<Item = (&'static str, &[ModelName])> {
        let Self {
            chat,
            reasoner,
            vision,
            classifier,
            summarizer,
            on_censored,
            personas,
            first_word_within: _,
        } = self;
        let lists = [
            chat,
            reasoner,
            vision,
            classifier,
            summarizer,
            on_censored,
            personas,
        ];
        let names = Self::MANUAL.keys.iter().map(|key| key.name);
        let named = names.zip(lists);
        named.filter_map(|(name, list)| Some((name, list.as_deref()?)))
    }

    /// Who is asked for a role; nobody if the operator names nobody.
    pub fn of(&self, role: Role) -> &[ModelName] {
        let list = match role {
            Role::Chat => &self.chat,
            Role::Reasoner => &self.reasoner,
            Role::Vision => &self.vision,
            Role::Classifier => &self.classifier,
            Role::Summarizer => &self.summarizer,
        };
        list.as_deref().unwrap_or_default()
    }
}

impl Search {
    /// The engines, the first choice first; none if nothing is searched.
    pub fn engines(&self) -> &[EngineName] {
        self.engines.as_deref().unwrap_or_default()
    }

    /// Whether pages may be read.
    pub fn reads_pages(&self) -> bool {
        self.read_pages.unwrap_or(!self.engines().is_empty())
    }
}

impl Personality {
    /// What system prompts are made from.
    pub fn prompt_template(&self) -> Template {
        let own = self.template.as_deref().map(Template::new);
        // The file was tried when it was read.
        own.and_then(Result::ok).unwrap_or_default()
    }

    /// Who the model is told to be.
    pub fn text(&self) -> &str {
        self.file
            .as_deref()
            .unwrap_or(include_str!("../../assets/personality.md"))
    }
}
