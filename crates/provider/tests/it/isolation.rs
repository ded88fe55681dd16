//! Nothing that is said in one guild changes how another is served.

use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{
    Brief, ChannelId, GuildId, Image, Line, MessageId, Payer, Scope, TurnId, UserId,
};

use crate::scripted_server::{Behaviour, ScriptedServer, finish, text};
use crate::test_server::{brief, collect, show};

const HELLO: Behaviour = Behaviour::Say("hello");
const BROKEN: Behaviour = Behaviour::Status(500, "{}");
const GREETED: &str = "text hello\nfinish Stop";

/// A question that is asked in a guild.
fn asked_in(guild: u64, words: &str) -> Brief {
    Brief {
        lines: vec![Line::user(format!("Ada: {words}"))],
        payer: Some(Payer {
            turn: TurnId::of_message(MessageId::new(guild)),
            scope: Scope::Guild(GuildId::new(guild)),
            channel: ChannelId::new(guild),
            user: UserId::new(guild),
        }),
        ..brief()
    }
}

/// Who is asked, and what is seen.
async fn ask(server: &ScriptedServer, usual: &[&str], brief: Brief) -> (String, String) {
    let seen = collect(server.router(usual, &[]).answer(brief)).await;
    (server.log(), show(&seen))
}

fn calls(many: usize) -> Behaviour {
    let call = |number: usize| {
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{number},\"id\":\"c{number}\",\"function\":{{\"name\":\"brew\",\"arguments\":\"{{}}\"}}}}]}}}}]}}\n\n"
        )
    };
    Behaviour::Events((0..many).map(call).collect::<String>() + &finish("tool_calls"))
}

/// What a question may make a server do.
fn provoked() -> Vec<Behaviour> {
    vec![
        calls(200),
        Behaviour::Status(400, "{}"),
        Behaviour::Status(413, "{}"),
        Behaviour::Status(422, "{}"),
        Behaviour::Status(403, "<html>blocked by the firewall</html>"),
        Behaviour::Status(500, "{}"),
        Behaviour::Status(400, r#"{"error":{"message":"Content Exists Risk"}}"#),
        Behaviour::Status(
            400,
            r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
        ),
        Behaviour::Status(
            429,
            r#"{"error":{"code":"rate_limit_exceeded","message":"Request too large for tea on tokens per min (TPM): Limit 30000, Requested 43210."}}"#,
        ),
        Behaviour::Status(
            402,
            r#"{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65535 tokens, but can only afford 2000."}}"#,
        ),
        Behaviour::Break(text("well")),
        Behaviour::Events("data: nonsense\n\n".repeat(40)),
    ]
}

#[tokio::test]
async fn what_a_question_provokes_stays_in_its_guild() {
    for act in provoked() {
        let script = vec![act.clone(); 30];
        let server = ScriptedServer::new(&[("a", &script), ("b", &[HELLO; 8])]).await;
        for _ in 0..6 {
            ask(&server, &["a:k"], asked_in(2, "tea?")).await;
        }
        server.act("a", &[HELLO; 2]);
        for usual in [&["a:k"][..], &["a:k", "b"]] {
            let (asked, seen) = ask(&server, usual, asked_in(1, "tea?")).await;
            assert_eq!(asked, "a:k", "{act:?}");
            assert_eq!(seen, GREETED, "{act:?}");
        }
    }
}

#[tokio::test]
async fn what_fails_for_several_guilds_is_left_alone_for_all() {
    let server = ScriptedServer::new(&[("a", &[BROKEN; 20]), ("b", &[HELLO; 9])]).await;
    let usual: &[&str] = &["a", "b"];
    assert_eq!(ask(&server, usual, asked_in(2, "tea?")).await.0, "a a a b");
    assert_eq!(ask(&server, usual, asked_in(2, "tea?")).await.0, "a a b");
    assert_eq!(ask(&server, usual, asked_in(2, "tea?")).await.0, "b");
    assert_eq!(ask(&server, usual, asked_in(1, "tea?")).await.0, "a b");
    assert_eq!(ask(&server, usual, asked_in(1, "tea?")).await.0, "b");
    assert_eq!(ask(&server, usual, asked_in(3, "tea?")).await.0, "b");
}

/// Servers that repeat the question when they refuse it.
#[tokio::test]
async fn an_echo_of_the_question_is_no_word_of_the_server() {
    for words in [
        "incorrect api key provided",
        "api key not valid",
        "credit balance is too low",
        "insufficient balance",
    ] {
        let body = format!(
            r#"{{"error":{{"message":"cannot read your message 'Ada: {words}' here","type":"invalid_request_error"}}}}"#
        );
        let refusal = Behaviour::Status(400, body.clone().leak());
        let in_stream = Behaviour::Events(format!("data: {body}\n\n"));
        for act in [refusal, in_stream] {
            let server = ScriptedServer::new(&[("a", &[act.clone(), HELLO, HELLO])]).await;
            ask(&server, &["a:k"], asked_in(2, words)).await;
            let (asked, seen) = ask(&server, &["a:k"], asked_in(1, "tea?")).await;
            assert_eq!((&*asked, &*seen), ("a:k", GREETED), "{act:?}");
            // The same words from the server itself are about the key.
            let said = format!(r#"{{"error":{{"message":"{words}"}}}}"#);
            let server =
                ScriptedServer::new(&[("a", &[Behaviour::Status(400, said.leak()), HELLO])]).await;
            ask(&server, &["a:k"], asked_in(2, "tea?")).await;
            assert_eq!(ask(&server, &["a:k"], asked_in(1, "tea?")).await.0, "");
        }
    }
}

#[tokio::test]
async fn what_a_model_will_not_take_of_a_question_is_still_offered_elsewhere() {
    fn seeing(guild: u64) -> Brief {
        let image = Image {
            media_type: "image/png",
            bytes: std::sync::Arc::from(*b"png"),
        };
        let mut brief = asked_in(guild, "tea?");
        brief.lines = vec![Line::User {
            text: "Ada: tea?".to_owned(),
            images: vec![image; 2],
        }];
        brief
    }
    let told = async |server: &ScriptedServer, brief: Brief| {
        let mut route = server.route(&["a"], &[]);
        route.candidates[0].endpoint.abilities.vision = true;
        let router = server.pool.route(route).unwrap();
        collect(router.answer(brief)).await;
        let asked = server.asked().into_iter();
        let sees = asked.map(|asked| asked.body.to_string().contains("image_url"));
        sees.collect::<Vec<_>>()
    };
    // About this question, and about the model.
    for (refusal, again) in [
        (
            "at most 1 images are supported in a request",
            vec![true, false],
        ),
        ("image input is not supported by this model", vec![false]),
    ] {
        let body = format!(r#"{{"error":{{"message":"{refusal}"}}}}"#);
        let refused = Behaviour::Status(400, body.leak());
        let script = [refused.clone(), HELLO, HELLO, HELLO];
        let server = ScriptedServer::new(&[("a", &script)]).await;
        assert_eq!(told(&server, seeing(2)).await, [true, false], "{refusal}");
        assert_eq!(told(&server, seeing(1)).await, [true], "{refusal}");
        server.act("a", &[refused, HELLO]);
        let house_again = told(&server, seeing(2)).await;
        assert_eq!(house_again, again, "{refusal}");
    }
    // A parameter of ours is of no guild.
    let refused = Behaviour::Status(
        400,
        r#"{"error":{"message":"Unsupported parameter: 'temperature'"}}"#,
    );
    let server = ScriptedServer::new(&[("a", &[refused, HELLO, HELLO])]).await;
    for (guild, expect) in [(2, vec![true, false]), (1, vec![false])] {
        let mut brief = asked_in(guild, "tea?");
        brief.manner.temperature = Some(0.5);
        collect(server.router(&["a"], &[]).answer(brief)).await;
        let asked = server.asked().into_iter();
        let sent = asked.map(|asked| asked.body.get("temperature").is_some());
        assert_eq!(sent.collect::<Vec<_>>(), expect);
    }
}

#[tokio::test]
async fn an_echo_teaches_nothing_about_the_model() {
    let words = "temperature is not supported and tools are unknown";
    let body = format!(r#"{{"error":{{"message":"bad message: 'Ada: {words}'"}}}}"#);
    let server =
        ScriptedServer::new(&[("a", &[Behaviour::Status(400, body.leak()), HELLO, HELLO])]).await;
    let mut brief = asked_in(2, words);
    brief.manner.temperature = Some(0.5);
    collect(server.router(&["a"], &[]).answer(brief)).await;
    server.asked();
    let mut brief = asked_in(1, "tea?");
    brief.manner.temperature = Some(0.5);
    collect(server.router(&["a"], &[]).answer(brief)).await;
    let asked = server.asked();
    assert!(asked[0].body.get("temperature").is_some());
}
