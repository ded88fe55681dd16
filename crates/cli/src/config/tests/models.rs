//! Models, vendors and budgets.

use super::*;

#[test]
fn what_is_said_of_models_is_what_is_used() {
    let config = parse(
        r#"
        [models]
        chat = ["openrouter/meta-llama/llama-3", "mine/m"]
        on_censored = "ollama/llama3.2"
        [vendors.mine]
        base_url = "http://127.0.0.1:8080/v1"
        format = "anthropic-messages"
        key_env = ["A", "B"]
        first_token_timeout = "5m"
        idle_timeout = "1500ms"
        [vendors.mine.models."m"]
        context = 8_192
        vision = true
        tools = false
        thinking = true
        input_price = 2
        output_price = 0.15
        [budget]
        user_tokens_per_day = 1000
        guild_dollars_per_day = 2.5
        "#,
    )
    .unwrap();
    let names =
        |list: &[ModelName]| -> Vec<String> { list.iter().map(ToString::to_string).collect() };
    let chat = config.models.of(Role::Chat);
    assert_eq!(names(chat), ["openrouter/meta-llama/llama-3", "mine/m"]);
    assert_eq!(chat[0].model, "meta-llama/llama-3");
    assert!(config.models.of(Role::Vision).is_empty());
    let uncensored = config.models.on_censored.as_deref().unwrap();
    assert_eq!(names(uncensored), ["ollama/llama3.2"]);
    assert_eq!(config.place("chat"), "kaiwa.toml:3: models.chat");

    let mine = &config.vendors["mine"];
    assert_eq!(mine.settings.format, Some(Format::AnthropicMessages));
    assert_eq!(
        mine.settings.first_token_timeout,
        Some(Duration::from_secs(300))
    );
    assert_eq!(
        mine.settings.idle_timeout,
        Some(Duration::from_millis(1500))
    );
    assert_eq!(config.key_variables("mine"), ["A", "B"]);
    let model = &mine.models["m"];
    assert_eq!(model.context, Some(8192));
    assert_eq!(
        (model.vision, model.tools, model.thinking),
        (Some(true), Some(false), Some(true))
    );
    assert_eq!(model.input_price, Some(2_000_000));
    assert_eq!(model.output_price, Some(150_000));
    assert_eq!(model.cached_price, None);
    assert_eq!(config.budget.user_tokens_per_day, Some(1000));
    assert_eq!(config.budget.guild_dollars_per_day, Some(2_500_000));
}

#[test]
fn a_comment_is_no_change() {
    let models = "[models]\nchat = \"ollama/a\"";
    let moved = format!("# moved\n{models}");
    assert_eq!(parse(models).unwrap(), parse(&moved).unwrap());
}

#[test]
fn a_role_that_nobody_can_play() {
    check(
        "models.chat = []",
        expect![[
            r#"kaiwa.toml:1: models.chat: no model is named; allowed: "vendor/model", or a list of 1 to 16 of them, the first choice first"#
        ]],
    );
    check(
        "models.chat = \"\"",
        expect![[
            r#"kaiwa.toml:1: models.chat: "" is not vendor/model, as in "ollama/llama3.2"; allowed: "vendor/model", or a list of 1 to 16 of them, the first choice first"#
        ]],
    );
    check(
        "models.chat = \"llama3.2\"",
        expect![[
            r#"kaiwa.toml:1: models.chat: "llama3.2" is not vendor/model, as in "ollama/llama3.2"; allowed: "vendor/model", or a list of 1 to 16 of them, the first choice first"#
        ]],
    );
    check(
        "models.chat = [\"ollama/a\", \"ollama/\"]",
        expect![[
            r#"kaiwa.toml:1: models.chat: "ollama/" is not vendor/model, as in "ollama/llama3.2"; allowed: "vendor/model", or a list of 1 to 16 of them, the first choice first"#
        ]],
    );
    check(
        "models.chat = 3",
        expect![[
            r#"kaiwa.toml:1: models.chat: expected a string or a list of strings, found an integer; allowed: "vendor/model", or a list of 1 to 16 of them, the first choice first"#
        ]],
    );
    check(
        "models.chat = [\"ollama/a\", 3]",
        expect![[
            r#"kaiwa.toml:1: models.chat: expected a string, found an integer; allowed: "vendor/model", or a list of 1 to 16 of them, the first choice first"#
        ]],
    );
    check(
        "[models]\n\nchat = \"opnai/gpt-5\"",
        expect![[
            r#"kaiwa.toml:3: models.chat: nobody serves "opnai/gpt-5"; did you mean `openai`? known vendors are openai, anthropic, google, deepseek, openrouter, groq, mistral, xai, together, ollama, llama.cpp, lmstudio, vllm; for a server of your own add [vendors.opnai] with its base_url"#
        ]],
    );
    check(
        "[models]\nchat = \"hal/9000\"",
        expect![[
            r#"kaiwa.toml:2: models.chat: nobody serves "hal/9000"; known vendors are openai, anthropic, google, deepseek, openrouter, groq, mistral, xai, together, ollama, llama.cpp, lmstudio, vllm; for a server of your own add [vendors.hal] with its base_url"#
        ]],
    );
    check(
        "[models]\nchat = \"custom/m\"",
        expect![[
            r#"kaiwa.toml:2: models.chat: nobody serves "custom/m"; known vendors are openai, anthropic, google, deepseek, openrouter, groq, mistral, xai, together, ollama, llama.cpp, lmstudio, vllm; for a server of your own add [vendors.custom] with its base_url"#
        ]],
    );
    check(
        "[models]\ntalk = \"ollama/a\"",
        expect![
            "kaiwa.toml:2: models.talk: unknown key; allowed here: chat, reasoner, vision, classifier, summarizer, on_censored, personas, first_word_within"
        ],
    );
    check(
        "models = \"ollama/a\"",
        expect!["kaiwa.toml:1: models: expected a section like [models], found a string"],
    );
}

#[test]
fn a_vendor_that_cannot_be_asked() {
    check(
        "[vendors.mine]\n[vendors.custom]",
        expect![[r#"
        kaiwa.toml:1: vendors.mine: base_url is missing; a server of your own needs an address, as in base_url = "http://127.0.0.1:8080/v1"; for a known vendor correct the name (`kaiwa provider list` shows them)
        kaiwa.toml:2: vendors.custom: base_url is missing; a server of your own needs an address, as in base_url = "http://127.0.0.1:8080/v1"; for a known vendor correct the name (`kaiwa provider list` shows them)"#]],
    );
    check(
        "[vendors.openai]\nbaseurl = \"http://m\"",
        expect![
            "kaiwa.toml:2: vendors.openai.baseurl: unknown key; did you mean `base_url`? allowed here: base_url, format, key_env, first_token_timeout, idle_timeout, models"
        ],
    );
    check(
        "[vendors.mine]\nbase_url = \"http://me:hunter2@m\"",
        expect![
            "kaiwa.toml:2: vendors.mine.base_url: an address must not hold a user or a password; allowed: an address that begins with http:// or https://"
        ],
    );
    check(
        "[vendors.mine]\nbase_url = \"ftp://m\"",
        expect![
            "kaiwa.toml:2: vendors.mine.base_url: an address cannot begin with ftp: here; allowed: an address that begins with http:// or https://"
        ],
    );
    check(
        "[vendors.openai]\nformat = \"openai\"",
        expect![[
            r#"kaiwa.toml:2: vendors.openai.format: "openai" is not a choice; allowed: "openai-chat", "openai-responses", "anthropic-messages", "gemini-generateContent", "ollama-chat""#
        ]],
    );
    check(
        "[vendors.openai]\nkey_env = \"sk-hunter2\"",
        expect![
            "kaiwa.toml:2: vendors.openai.key_env: not the name of an environment variable (a secret itself never goes here); allowed: the name of an environment variable, in capitals, digits and _, or a list of up to 16 of them; [] if no key is wanted"
        ],
    );
    check(
        "[vendors.openai]\nkey_env = [\"A\", \"sk-hunter2\"]",
        expect![
            "kaiwa.toml:2: vendors.openai.key_env: not the name of an environment variable (a secret itself never goes here); allowed: the name of an environment variable, in capitals, digits and _, or a list of up to 16 of them; [] if no key is wanted"
        ],
    );
    check(
        "[vendors.openai]\nidle_timeout = \"2d\"",
        expect![[
            r#"kaiwa.toml:2: vendors.openai.idle_timeout: "2d" is out of range; allowed: a duration like "1500ms", "20s", "2m" or "7d", from 1ms to 1h"#
        ]],
    );
    check(
        "[vendors]\nopenai = 3",
        expect![
            "kaiwa.toml:2: vendors.openai: expected a section like [vendors.openai], found an integer"
        ],
    );
    check(
        "vendors = 3",
        expect![
            "kaiwa.toml:1: vendors: expected a section like [vendors.openai], found an integer"
        ],
    );
    check(
        "[vendors.\"a/b\"]\nbase_url = \"http://m\"",
        expect![[
            r#"kaiwa.toml:1: vendors."a/b": a vendor cannot be called that; the name is what stands before the slash in vendor/model"#
        ]],
    );
}

#[test]
fn a_model_that_cannot_be_so() {
    let model = |line: &str| format!("[vendors.openai.models.\"gpt-x/y\"]\n{line}");
    check(
        &model("contxt = 1"),
        expect![[
            r#"kaiwa.toml:2: vendors.openai.models."gpt-x/y".contxt: unknown key; did you mean `context`? allowed here: context, vision, tools, thinking, input_price, output_price, cached_price"#
        ]],
    );
    check(
        &model("context = 0"),
        expect![[
            r#"kaiwa.toml:2: vendors.openai.models."gpt-x/y".context: 0 is out of range; allowed: a whole number from 1 to 100000000"#
        ]],
    );
    check(
        &model("vision = 1"),
        expect![[
            r#"kaiwa.toml:2: vendors.openai.models."gpt-x/y".vision: expected true or false, found an integer; allowed: true or false"#
        ]],
    );
    check(
        &model("input_price = -1"),
        expect![[
            r#"kaiwa.toml:2: vendors.openai.models."gpt-x/y".input_price: -1 is no such amount; allowed: US dollars like 2 or 0.15, from 0 to 1000000, with up to six decimals"#
        ]],
    );
    check(
        &model("input_price = 1"),
        expect![[
            r#"kaiwa.toml:1: vendors.openai.models."gpt-x/y": half a price; give both input_price and output_price, or none"#
        ]],
    );
    check(
        &model("input_price = inf\noutput_price = 1e3"),
        expect![[r#"
        kaiwa.toml:2: vendors.openai.models."gpt-x/y".input_price: inf is no such amount; allowed: US dollars like 2 or 0.15, from 0 to 1000000, with up to six decimals
        kaiwa.toml:3: vendors.openai.models."gpt-x/y".output_price: 1e3 is no such amount; allowed: US dollars like 2 or 0.15, from 0 to 1000000, with up to six decimals"#]],
    );
    check(
        "[vendors.openai.models]\ngpt-5 = 3",
        expect![[
            r#"kaiwa.toml:2: vendors.openai.models.gpt-5: expected a section like [vendors.openai.models."gpt-5"], found an integer"#
        ]],
    );
    // What the table knows may be corrected by halves.
    let known = "[vendors.openai.models.gpt-5]\ninput_price = 1";
    assert!(parse(known).is_ok());
}

#[test]
fn a_budget_that_is_none() {
    check(
        "budget.user_tokens_per_day = 0",
        expect![
            "kaiwa.toml:1: budget.user_tokens_per_day: 0 is out of range; allowed: a whole number from 1 to 1000000000000"
        ],
    );
    check(
        "budget.user_dollars_per_day = \"1\"",
        expect![
            "kaiwa.toml:1: budget.user_dollars_per_day: expected a number, found a string; allowed: US dollars like 2 or 0.15, from 0 to 1000000, with up to six decimals"
        ],
    );
    check(
        "budget.unknown_price = \"maybe\"",
        expect![
            "kaiwa.toml:1: budget.unknown_price: \"maybe\" is not a choice; allowed: \"refuse\", \"free\", or US dollars like 2 or 0.15, from 0 to 1000000, with up to six decimals"
        ],
    );
    check(
        "budget.daily = 1",
        expect![
            "kaiwa.toml:1: budget.daily: unknown key; allowed here: user_tokens_per_day, user_dollars_per_day, guild_tokens_per_day, guild_dollars_per_day, unknown_price"
        ],
    );
}

#[test]
fn a_section_provider_is_told_what_to_write() {
    check(
        "[provider]",
        expect![[
            r#"kaiwa.toml:1: provider: there is no such section; write [models] chat = "ollama/llama3.2" instead"#
        ]],
    );
    check(
        "\n[provider]\nbase_url = \"http://127.0.0.1:11434/v1\"\nmodel = \"llama3.2\"",
        expect![[
            r#"kaiwa.toml:2: provider: there is no such section; write [models] chat = "custom/llama3.2" and [vendors.custom] base_url = "http://127.0.0.1:11434/v1" instead"#
        ]],
    );
    check(
        "[provider]\nbase_url = \"https://api.anthropic.com/v1\"\nmodel = \"claude-opus-4-5\"\nkey_env = \"KEY\"",
        expect![[
            r#"kaiwa.toml:1: provider: there is no such section; write [models] chat = "anthropic/claude-opus-4-5" and [vendors.anthropic] key_env = "KEY" instead"#
        ]],
    );
    check(
        "[provider]\nbase_url = \"http://me:hunter2@m\"\nmodel = \"m\"\nkey_env = \"sk-hunter2\"\nkey = \"hunter2\"",
        expect![[
            r#"kaiwa.toml:1: provider: there is no such section; write [models] chat = "ollama/m" instead"#
        ]],
    );
}
