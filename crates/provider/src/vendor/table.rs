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
};

/// Servers with open models behind them.
const OPEN: Quirks = Quirks {
    in_band: true,
    ..FAITHFUL
};

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
            card("gemini-2.5-pro", 1_048_576, SEEING_AND_THINKING).at(1_250, 10_000),
            card("gemini-2.5-flash", 1_048_576, SEEING_AND_THINKING).at(300, 2_500),
            card("gemini-2.5-flash-lite", 1_048_576, SEEING_AND_THINKING).at(100, 400),
            unmeasured("gemini-3-flash-preview", SEEING_AND_THINKING),
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
            ..OPEN
        },
        models: &[
            unmeasured("deepseek-v4-flash", THINKING),
            unmeasured("deepseek-v4-pro", THINKING),
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
            card("llama-3.3-70b-versatile", 131_072, PLAIN).at(590, 790),
            card("openai/gpt-oss-120b", 131_072, THINKING),
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
            ..FAITHFUL
        },
        models: &[
            unmeasured("mistral-large-latest", SEEING),
            unmeasured("mistral-small-latest", SEEING),
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
            ..FAITHFUL
        },
        models: &[
            card("grok-4", 256_000, SEEING_AND_THINKING).at(3_000, 15_000),
            card("grok-3", 131_072, PLAIN).at(3_000, 15_000),
            card("grok-3-mini", 131_072, THINKING).at(300, 500),
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
        models: &[card("meta-llama/Llama-3.3-70B-Instruct-Turbo", 131_072, PLAIN).at(880, 880)],
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
