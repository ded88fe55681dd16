//! What the operator's log says, and what it never says.

use std::io;
use std::sync::{Arc, Mutex, Once};

use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{Brief, Line, Role};
use kaiwa_provider::{Budget, Candidate, FIRST_WORD_WITHIN, Format, ModelPool, ModelRoute};
use tracing::Level;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt;

use crate::scripted_server::{Behaviour, ScriptedServer, text, thought};
use crate::test_server::{TestServer, brief, collect, reply, show};

/// Everything that is logged in this thread while it lives.
pub(crate) struct Log {
    lines: Arc<Mutex<Vec<u8>>>,
    _guard: DefaultGuard,
}

/// Whoever logs a line first decides for every thread whether anybody wants it,
/// and other tests log on threads where nobody listens.
static LISTENED_TO: Once = Once::new();

impl Log {
    pub(crate) fn new() -> Self {
        LISTENED_TO.call_once(|| {
            let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
        });
        let lines = Arc::new(Mutex::new(Vec::new()));
        let writer = Writer(lines.clone());
        let subscriber = fmt()
            .with_writer(move || writer.clone())
            .with_max_level(Level::TRACE)
            .with_ansi(false)
            .without_time()
            .finish();
        Self {
            lines,
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    /// The lines of this crate that hold `words`.
    pub(crate) fn lines(&self, words: &str) -> Vec<String> {
        let all = String::from_utf8(self.lines.lock().unwrap().clone()).unwrap();
        let ours = all.lines().filter(|line| line.contains("kaiwa_provider"));
        ours.filter(|line| line.contains(words))
            .map(str::to_owned)
            .collect()
    }
}

#[derive(Clone)]
struct Writer(Arc<Mutex<Vec<u8>>>);

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const SECRET: &str = "Ada: my door code is 4711 and the key lies under the mat";

fn question() -> Brief {
    Brief {
        lines: vec![Line::user(SECRET.to_owned())],
        ..brief()
    }
}

#[tokio::test]
async fn what_people_wrote_is_not_logged() {
    let escape = "\\u001b[2J\\u001b]0;owned\\u0007\\u0000\\r\\u202e";
    let message = format!("{escape}cannot handle '{SECRET}' in messages[0]");
    let body = format!(r#"{{"error":{{"message":"{message}","type":"invalid_request_error"}}}}"#);
    let page = format!("\u{1b}[31mnot json\u{1b}[0m: {SECRET}");
    let refused = |status| Behaviour::Status(status, body.clone().leak());
    for act in [
        refused(400),
        refused(403),
        refused(404),
        refused(413),
        refused(422),
        refused(429),
        refused(500),
        Behaviour::Status(502, page.leak()),
        Behaviour::Events(format!("data: {body}\n\n")),
        Behaviour::Events(thought("hm") + &format!("data: {body}\n\n")),
        Behaviour::Events(text("hi") + &format!("data: {body}\n\n")),
    ] {
        let log = Log::new();
        let server = ScriptedServer::new(&[("a", &[act.clone(), act.clone(), act.clone()])]).await;
        let seen = show(&collect(server.router(&["a:k"], &[]).answer(question())).await);
        let lines = log.lines("");
        assert!(!lines.is_empty());
        for line in lines.iter().chain([&seen]) {
            for piece in ["4711", "door", "under the mat"] {
                assert!(!line.contains(piece), "{act:?}: {line}");
            }
            let shown = |c: char| !c.is_control() && c != '\u{202e}';
            assert!(
                line.replace('\n', "").chars().all(shown),
                "{act:?}: {line:?}"
            );
            assert!(line.chars().count() < 700, "{line}");
        }
        if matches!(act, Behaviour::Status(400, _)) {
            let told = log.lines("cannot handle '[…]' in messages[0]");
            assert_eq!(told.len(), 1, "the operator needs the rest");
        }
    }
}

#[tokio::test]
async fn the_reason_for_a_withheld_answer_is_not_taken_as_it_is() {
    let reason = format!("\\u001b[2J{}", "x".repeat(2000));
    let blocked = format!("data: {{\"promptFeedback\":{{\"blockReason\":\"{reason}\"}}}}\n\n");
    let replies = [
        reply(200, "text/event-stream", blocked),
        reply(404, "application/json", "{}"),
    ];
    let server = TestServer::new(replies).await;
    let candidate = Candidate {
        name: "test/tea".to_owned(),
        endpoint: server.endpoint_of(Format::GeminiGenerateContent),
        keys: Vec::new(),
        price: None,
        context: None,
    };
    let route = ModelRoute {
        role: Role::Chat,
        candidates: vec![candidate.clone()],
        on_censored: vec![candidate],
        budget: Budget::default(),
        first_word_within: FIRST_WORD_WITHIN,
    };
    let log = Log::new();
    let pool = ModelPool::new(server.clock.clone(), None);
    collect(pool.route(route).unwrap().answer(question())).await;
    let withheld = log.lines("the answer was withheld");
    assert_eq!(withheld.len(), 1);
    assert!(!withheld[0].contains('\u{1b}') && withheld[0].len() < 700);
}
