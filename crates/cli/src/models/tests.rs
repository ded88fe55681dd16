//! From what the file says to who answers.

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt;
use kaiwa_domain::port::Clock;
use kaiwa_domain::{
    Brief, ChannelId, Delta, GuildId, Line, MessageId, ModelError, Payer, Scope, TurnId, UserId,
};
use kaiwa_runtime::SystemClock;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::*;

fn parse(file: &str) -> Config {
    Config::parse(Path::new("kaiwa.toml"), file).unwrap()
}

#[test]
fn a_name_becomes_an_endpoint() {
    fn check(file: &str, name: &str, expect: &str) {
        let candidate = candidate(&parse(file), &name.parse().unwrap()).unwrap();
        let Candidate {
            endpoint,
            price,
            context,
            ..
        } = candidate;
        let auth = match endpoint.auth {
            Auth::Bearer => "bearer",
            Auth::Header(name) => name,
        };
        let seen = format!(
            "{} of {} in {} by {auth}, {context:?}, sees: {}, {:?}",
            endpoint.model,
            endpoint.base_url,
            endpoint.format,
            endpoint.abilities.vision,
            price.map(|price| (price.input, price.cached, price.output)),
        );
        assert_eq!(seen, expect);
    }
    check(
        "",
        "ollama/hf.co/some/model",
        "hf.co/some/model of http://127.0.0.1:11434/ in ollama-chat by bearer, None, sees: false, None",
    );
    let keyless = "vendors.openai.key_env = []\n";
    check(
        keyless,
        "openai/gpt-4o-mini",
        "gpt-4o-mini of https://api.openai.com/v1 in openai-responses by bearer, Some(128000), sees: true, Some((150000, Some(75000), 600000))",
    );
    check(
        &format!(
            "{keyless}[vendors.openai.models.gpt-4o-mini]\nvision = false\ncontext = 7\noutput_price = 1"
        ),
        "openai/gpt-4o-mini",
        "gpt-4o-mini of https://api.openai.com/v1 in openai-responses by bearer, Some(7), sees: false, Some((150000, Some(75000), 1000000))",
    );
    let mine = "[vendors.mine]\nbase_url = \"http://m/v1\"\n";
    check(
        mine,
        "mine/m",
        "m of http://m/v1 in openai-chat by bearer, None, sees: false, None",
    );
    check(
        &format!("{mine}format = \"anthropic-messages\""),
        "mine/m",
        "m of http://m/v1 in anthropic-messages by x-api-key, None, sees: false, None",
    );
    check(
        &format!("{mine}format = \"gemini-generateContent\""),
        "mine/m",
        "m of http://m/v1 in gemini-generateContent by x-goog-api-key, None, sees: false, None",
    );
    check(
        "[vendors.proxy]\nbase_url = \"https://api.anthropic.com/v1\"",
        "proxy/m",
        "m of https://api.anthropic.com/v1 in anthropic-messages by x-api-key, None, sees: false, None",
    );
}

#[test]
fn patience_is_the_operators() {
    let file = "[vendors.ollama]\nfirst_token_timeout = \"5m\"\nidle_timeout = \"9s\"";
    let check = |file: &str, first: u64, idle: u64| {
        let name = "ollama/m".parse().unwrap();
        let endpoint = candidate(&parse(file), &name).unwrap().endpoint;
        let expect = (Duration::from_secs(first), Duration::from_secs(idle));
        assert_eq!(
            (endpoint.first_token_timeout, endpoint.idle_timeout),
            expect
        );
    };
    check(file, 300, 9);
    check("", 45, 30);
}

#[test]
fn people_wait_as_long_as_the_operator_says() {
    fn check(file: &str, names: &[&str], seconds: u64) {
        let config = parse(file);
        let candidates: Vec<_> = names
            .iter()
            .map(|name| candidate(&config, &name.parse().unwrap()).unwrap())
            .collect();
        let within = first_word_within(&config, &candidates);
        assert_eq!(within, Duration::from_secs(seconds), "{file}");
    }
    let slow = "[vendors.ollama]\nfirst_token_timeout = \"2m\"\n";
    let quick = "[vendors.vllm]\nfirst_token_timeout = \"5s\"\n";
    check("", &["ollama/m"], 45);
    check(slow, &["ollama/m"], 120);
    check(slow, &["vllm/m"], 45);
    check(quick, &["vllm/m"], 45);
    check(&format!("{slow}{quick}"), &["vllm/m", "ollama/m"], 120);
    let own = format!("[models]\nfirst_word_within = \"20s\"\n{slow}");
    check(&own, &["ollama/m"], 20);
}

#[test]
fn roles_are_cast_as_the_file_says() {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let model_pool = ModelPool::new(clock, None);
    let config = parse("[models]\nchat = \"ollama/a\"\nvision = [\"ollama/b\", \"ollama/c\"]");
    let chat = candidates(&config, Role::Chat).unwrap();
    let models = role_models(&config, &model_pool, chat).unwrap();
    assert!(models.vision.is_some());
    assert!(models.reasoner.is_none());
    assert!(models.classifier.is_none());
    assert!(models.summarizer.is_none());
}

/// What a model says to somebody, or why not.
async fn answer(models: &RoleModels, user: u64) -> Result<String, ModelError> {
    let guild = GuildId::new(1);
    let brief = Brief {
        lines: vec![Line::user("hello".to_owned())],
        payer: Some(Payer {
            turn: TurnId {
                trigger: kaiwa_domain::Trigger::Message(MessageId::new(5)),
                take: 0,
            },
            scope: Scope::Guild(guild),
            channel: ChannelId::new(2),
            user: UserId::new(user),
        }),
        ..Brief::default()
    };
    let mut answer = models.chat.answer(brief);
    let mut said = String::new();
    while let Some(delta) = answer.next().await {
        if let Delta::Text(text) = delta? {
            said.push_str(&text);
        }
    }
    Ok(said)
}

/// A model whose every answer takes a million tokens.
async fn greedy(listener: TcpListener) {
    let stream = concat!(
        "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}],",
        "\"usage\":{\"prompt_tokens\":1000000,\"completion_tokens\":0}}\n\ndata: [DONE]\n\n",
    );
    let reply = move || async move { ([("content-type", "text/event-stream")], stream) };
    let router = axum::Router::new().fallback(reply);
    axum::serve(listener, router).await.unwrap();
}

#[tokio::test]
async fn budgets_are_kept_over_an_edit() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let mut server = JoinSet::new();
    server.spawn(greedy(listener));

    let folder = tempfile::tempdir().unwrap();
    let store = crate::assembly::open(folder.path()).await.unwrap();
    let model_pool = ModelPool::new(Arc::new(SystemClock), Some(store));
    // As an edit of the file has it.
    let models = |budget: &str| {
        let file = format!(
            "[models]\nchat = \"mine/m\"\n[vendors.mine]\nbase_url = \"{base_url}\"\n[vendors.mine.models.m]\ninput_price = 1\noutput_price = 1\n[budget]\n{budget}"
        );
        let config = parse(&file);
        let chat = candidates(&config, Role::Chat).unwrap();
        super::role_models(&config, &model_pool, chat).unwrap()
    };
    let yes = Ok("yes".to_owned());
    let over = |limit: &str| {
        Err(ModelError::OverBudget {
            limit: limit.to_owned(),
        })
    };

    assert_eq!(answer(&models(""), 7).await, yes);
    let tokens = models("user_tokens_per_day = 1_000_000");
    assert_eq!(
        answer(&tokens, 7).await,
        over("1000000 tokens a day for each user")
    );
    assert_eq!(answer(&tokens, 8).await, yes, "somebody else");
    let dollars = models("user_dollars_per_day = 0.5");
    assert_eq!(answer(&dollars, 8).await, over("$0.50 a day for each user"));
    assert_eq!(answer(&dollars, 9).await, yes, "somebody else");
    let shared = models("guild_tokens_per_day = 3_000_000");
    assert_eq!(
        answer(&shared, 10).await,
        over("3000000 tokens a day for everybody on this server")
    );
    let shared = models("guild_dollars_per_day = 3");
    assert_eq!(
        answer(&shared, 10).await,
        over("$3.00 a day for everybody on this server")
    );
    // A bill counts twice while it is being written down.
    model_pool.settle().await;
    assert_eq!(answer(&models("guild_dollars_per_day = 4"), 10).await, yes);
}
