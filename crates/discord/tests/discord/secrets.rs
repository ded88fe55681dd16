//! No token in any log.

use std::io;
use std::sync::{Arc, Mutex, Once};

use kaiwa_domain::ChannelId;
use kaiwa_domain::port::Chat;
use serde_json::json;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;

use super::fake::{Fake, Reply, TOKEN};
use super::peer::Server;
use super::rest::{post, show};

/// Everything our side logs on this thread while the guard lives, at every
/// level. The servers run here too, on libraries that we do not use.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

/// Whoever logs a line first decides for every thread whether anybody wants it,
/// and other tests log on threads where nobody listens.
static LISTENED_TO: Once = Once::new();

impl Log {
    pub fn capture() -> (Self, tracing::subscriber::DefaultGuard) {
        LISTENED_TO.call_once(|| {
            let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
        });
        let log = Self::default();
        let writer = log.clone();
        let ours = Targets::new()
            .with_default(LevelFilter::TRACE)
            .with_target("tungstenite", LevelFilter::OFF)
            .with_target("tokio_tungstenite", LevelFilter::OFF);
        let lines = tracing_subscriber::fmt::layer()
            .with_span_events(FmtSpan::FULL)
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(ours).with(lines);
        (log, tracing::subscriber::set_default(subscriber))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn requests_leave_no_token_and_no_text_in_the_log() {
    let (log, _guard) = Log::capture();
    let (_, rest, _) = Fake::start([
        Reply::json(200, &json!({"id": "77"})),
        Reply::json(403, &json!({"code": 50013})),
        Reply::json(401, &json!({})),
    ])
    .await;
    let _ = show(&rest, &post(5, None)).await;
    let _ = rest.typing(ChannelId::new(5)).await;
    let _ = rest.me().await;
    let log = log.text();
    assert!(log.contains("POST /channels/{channel}/messages"), "{log}");
    assert!(!log.contains(TOKEN), "{log}");
    assert!(!log.contains("hello @everyone"), "{log}");
}

#[tokio::test]
async fn a_session_leaves_no_token_and_no_text_in_the_log() {
    let (log, _guard) = Log::capture();
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.message(2, "a private word").await;
    bot.next_text().await;
    peer.dispatch("MESSAGE_CREATE", 3, json!({"content": "a private word"}))
        .await;
    peer.send(&json!({"op": 0, "t": "READY", "s": 4, "d": "a private word"}))
        .await;
    drop(peer);
    let mut peer = server.accept().await;
    peer.receive().await;
    peer.dispatch("RESUMED", 5, json!({})).await;
    bot.next_ready().await;
    bot.stop(peer).await;
    let log = log.text();
    assert!(log.contains("session started"), "{log}");
    assert!(log.contains("session resumed"), "{log}");
    assert!(!log.contains(TOKEN), "{log}");
    assert!(!log.contains("a private word"), "{log}");
}
