//! The table. Prices and sizes are those that the vendors publish; what is not
//! known for certain is absent, and configuration may say otherwise.

use kaiwa_domain::Abilities;

use super::{Auth, Card, Effort, Price, Quirks, Vendor};
use crate::Format;

/// Servers that follow the format to the letter.
const FAITHFUL: Quirks = Quirks {
    in_band: false,
    max_completion_tokens: false,
    stream_options: true,
    effort: Effort::None,
    summaries: true,
    wants_thoughts: false,
    short_ids: false,
    system_role: true,
    takes_turns: false,
    answers_tools: false,
};

/// Servers with open models behind them.
const OPEN: Quirks = Quirks {
    in_band: true,
    ..FAITHFUL
};

/// Whose models of which names refuse a system text.
pub(super) const WITHOUT_SYSTEM: [(&str, &str); 2] = [("google", "gemma-2"), ("google", "gemma-3")];

const PLAIN: Abilities = Abilities {
    tools: true,
    vision: false,
    thinking: false,
};

const SEEING: Abilities = Abilities {
    vision: true,
    ..PLAIN
};

const THINKING: Abilities = Abilities {
    thinking: true,
    ..PLAIN
};

const SEEING_AND_THINKING: Abilities = Abilities {
    vision: true,
    ..THINKING
};

const fn card(name: &'static str, context: u32, abilities: Abilities) -> Card {
    Card {
        name,
        context: Some(context),
        abilities,
        price: None,
    }
}

const fn unmeasured(name: &'static str, abilities: Abilities) -> Card {
    Card {
        name,
        context: None,
        abilities,
        price: None,
    }
}

impl Card {
    /// In thousandths of a dollar for a million tokens.
    const fn at(mut self, input: u64, output: u64) -> Self {
        self.price = Some(Price {
            input: input * 1000,
            cached: None,
            output: output * 1000,
        });
        self
    }

    const fn cached(mut self, cached: u64) -> Self {
        if let Some(price) = &mut self.price {
            price.cached = Some(cached * 1000);
        }
        self
    }
}

pub(super) const CUSTOM: Vendor = Vendor {
    name: "custom",
    title: "any other server",
    base_url: None,
    format: Format::OpenAiChat,
    auth: Auth::Bearer,
    key_env: None,
    quirks: OPEN,
    models: &[],
};

/// Every vendor, in the order in which they are shown.
pub static VENDORS: [Vendor; 14] = [
    Vendor {
        name: "openai",
        title: "OpenAI",
        base_url: Some("https://api.openai.com/v1"),
        format: Format::OpenAiResponses,
        auth: Auth::Bearer,
        key_env: Some("OPENAI_API_KEY"),
        quirks: Quirks {
            max_completion_tokens: true,
            effort: Effort::Name,
            ..FAITHFUL
        },
        models: &[
            unmeasured("gpt-5.4", SEEING_AND_THINKING)
                .at(2_500, 15_000)
                .cached(250),
            unmeasured("gpt-5.4-mini", SEEING_AND_THINKING)
                .at(750, 4_500)
                .cached(75),
            card("gpt-5", 400_000, SEEING_AND_THINKING)
                .at(1_250, 10_000)
                .cached(125),
            card("gpt-5-mini", 400_000, SEEING_AND_THINKING)
                .at(250, 2_000)
                .cached(25),
            card("gpt-5-nano", 400_000, SEEING_AND_THINKING)
                .at(50, 400)
                .cached(5),
            card("gpt-4.1", 1_047_576, SEEING)
                .at(2_000, 8_000)
                .cached(500),
            card("gpt-4.1-mini", 1_047_576, SEEING)
                .at(400, 1_600)
                .cached(100),
            card("gpt-4o", 128_000, SEEING)
                .at(2_500, 10_000)
                .cached(1_250),
            card("gpt-4o-mini", 128_000, SEEING).at(150, 600).cached(75),
        ],
    },
    Vendor {
        name: "anthropic",
        title: "Anthropic",
        base_url: Some("https://api.anthropic.com/v1"),
        format: Format::AnthropicMessages,
        auth: Auth::Header("x-api-key"),
        key_env: Some("ANTHROPIC_API_KEY"),
        quirks: FAITHFUL,
        models: &[
            card("claude-opus-5-5", 1_000_000, SEEING_AND_THINKING)
                .at(4_000, 20_000)
                .cached(200),
            card("claude-sonnet-5-5", 1_000_000, SEEING_AND_THINKING)
                .at(2_000, 10_000)
                .cached(200),
            card("claude-opus-5", 1_000_000, SEEING_AND_THINKING)
                .at(5_000, 25_000)
                .cached(500),
            card("claude-sonnet-5", 1_000_000, SEEING_AND_THINKING)
                .at(2_000, 10_000)
                .cached(200),
            card("claude-opus-4-5", 200_000, SEEING_AND_THINKING)
                .at(5_000, 25_000)
                .cached(500),
            card("claude-sonnet-4-5", 200_000, SEEING_AND_THINKING)
                .at(3_000, 15_000)
                .cached(300),
            card("claude-haiku-4-5", 200_000, SEEING_AND_THINKING)
                .at(1_000, 5_000)
                .cached(100),
        ],
    },
    Vendor {
        name: "google",
        title: "Google Gemini",
        base_url: Some("https://generativelanguage.googleapis.com/v1beta"),
        format: Format::GeminiGenerateContent,
        auth: Auth::Header("x-goog-api-key"),
        key_env: Some("GEMINI_API_KEY"),
        quirks: FAITHFUL,
        models: &[
            // The full price; half of it until the end of 2026.
            card("gemini-3.8-flash", 1_048_576, SEEING_AND_THINKING).at(1_500, 7_500),
            card("gemini-3-flash-preview", 1_048_576, SEEING_AND_THINKING).at(500, 3_000),
            card("gemini-2.5-pro", 1_048_576, SEEING_AND_THINKING).at(1_250, 10_000),
            card("gemini-2.5-flash", 1_048_576, SEEING_AND_THINKING).at(300, 2_500),
            card("gemini-2.5-flash-lite", 1_048_576, SEEING_AND_THINKING).at(100, 400),
        ],
    },
    Vendor {
        name: "deepseek",
        title: "DeepSeek",
        base_url: Some("https://api.deepseek.com"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: Some("DEEPSEEK_API_KEY"),
        quirks: Quirks {
            effort: Effort::Switch,
            wants_thoughts: true,
            ..OPEN
        },
        models: &[
            // The price at peak hours; half of it at others.
            card("deepseek-flash", 1_000_000, SEEING_AND_THINKING)
                .at(300, 1_200)
                .cached(6),
            card("deepseek-v4-pro", 1_000_000, THINKING)
                .at(1_320, 3_960)
                .cached(44),
        ],
    },
    Vendor {
        name: "openrouter",
        title: "OpenRouter",
        base_url: Some("https://openrouter.ai/api/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: Some("OPENROUTER_API_KEY"),
        quirks: Quirks {
            effort: Effort::Object,
            ..OPEN
        },
        models: &[unmeasured("openrouter/auto", PLAIN)],
    },
    Vendor {
        name: "groq",
        title: "Groq",
        base_url: Some("https://api.groq.com/openai/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: Some("GROQ_API_KEY"),
        quirks: Quirks {
            max_completion_tokens: true,
            effort: Effort::Name,
            ..OPEN
        },
        models: &[
            card("openai/gpt-oss-120b", 131_072, THINKING).at(150, 600),
            card("llama-3.3-70b-versatile", 131_072, PLAIN),
        ],
    },
    Vendor {
        name: "mistral",
        title: "Mistral",
        base_url: Some("https://api.mistral.ai/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: Some("MISTRAL_API_KEY"),
        // It refuses fields that it does not know, and tells the usage anyway.
        quirks: Quirks {
            stream_options: false,
            short_ids: true,
            answers_tools: true,
            ..FAITHFUL
        },
        models: &[
            unmeasured("mistral-medium-latest", SEEING)
                .at(1_500, 7_500)
                .cached(150),
            unmeasured("mistral-large-2512", SEEING)
                .at(500, 1_500)
                .cached(50),
            unmeasured("mistral-small-2603", SEEING)
                .at(150, 600)
                .cached(15),
        ],
    },
    Vendor {
        name: "xai",
        title: "xAI",
        base_url: Some("https://api.x.ai/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: Some("XAI_API_KEY"),
        quirks: Quirks {
            max_completion_tokens: true,
            effort: Effort::Name,
            ..FAITHFUL
        },
        models: &[
            // For requests of up to 200,000 tokens; twice as much beyond.
            card("grok-4.5", 500_000, SEEING_AND_THINKING)
                .at(2_000, 6_000)
                .cached(500),
            card("grok-4.3", 1_000_000, SEEING_AND_THINKING)
                .at(1_250, 2_500)
                .cached(200),
        ],
    },
    Vendor {
        name: "together",
        title: "Together",
        base_url: Some("https://api.together.xyz/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: Some("TOGETHER_API_KEY"),
        quirks: OPEN,
        models: &[
            card("openai/gpt-oss-120b", 131_072, THINKING).at(150, 600),
            card("meta-llama/Llama-3.3-70B-Instruct-Turbo", 131_072, PLAIN).at(880, 880),
        ],
    },
    Vendor {
        name: "ollama",
        title: "Ollama",
        base_url: Some("http://127.0.0.1:11434"),
        format: Format::OllamaChat,
        auth: Auth::Bearer,
        key_env: None,
        quirks: OPEN,
        models: &[],
    },
    Vendor {
        name: "llama.cpp",
        title: "llama.cpp",
        base_url: Some("http://127.0.0.1:8080/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: None,
        quirks: OPEN,
        models: &[],
    },
    Vendor {
        name: "lmstudio",
        title: "LM Studio",
        base_url: Some("http://127.0.0.1:1234/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: None,
        quirks: OPEN,
        models: &[],
    },
    Vendor {
        name: "vllm",
        title: "vLLM",
        base_url: Some("http://127.0.0.1:8000/v1"),
        format: Format::OpenAiChat,
        auth: Auth::Bearer,
        key_env: None,
        quirks: OPEN,
        models: &[],
    },
    CUSTOM,
];
