//! The listener, the guard at the door, and the way out.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    sync::atomic::{AtomicBool, Ordering},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{any, delete, get, post, put},
};
use kaiwa_server::serve_connections;
use serde::Deserialize;
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::{
    Emulator, TlsIdentity, bots, faults::control, gateway, limits, rest, snowflake::rfc3339,
    tls::ClientStream, traffic,
};

impl Emulator {
    /// Serves REST, gateway, attachments and `extra` until told to stop, then
    /// closes every websocket and lets open requests end. Connections and
    /// request heads have bounds, so that those who only hold connections open
    /// keep nobody out.
    ///
    /// `extra` must not claim `/api`, `/gateway`, `/cdn` or `/emulator`.
    ///
    /// # Errors
    ///
    /// When the listener has no address or fails.
    pub fn serve(
        self,
        listener: TcpListener,
        extra: Router,
        shutdown: CancellationToken,
    ) -> Pin<Box<dyn Future<Output = io::Result<()>> + Send>> {
        // Boxed, so that it is compiled here and not with the binary, which
        // comes last and alone.
        Box::pin(self.serve_until(listener, extra, shutdown))
    }

    async fn serve_until(
        self,
        listener: TcpListener,
        extra: Router,
        shutdown: CancellationToken,
    ) -> io::Result<()> {
        self.announce(listener.local_addr()?);
        let app = Router::new()
            .route("/gateway", get(gateway::open))
            .route("/gateway/", get(gateway::open))
            .route("/api/{*path}", any(rest::answer))
            .route(
                "/cdn/attachments/{channel}/{attachment}/{name}",
                get(rest::attachment),
            )
            .route("/cdn/emojis/{file}", get(rest::emoji_picture))
            .route("/cdn/{*path}", get(rest::picture))
            .route("/emulator/world", get(world))
            .route(
                "/emulator/faults",
                get(control::list).post(control::ask).delete(control::clear),
            )
            .route("/emulator/faults/{id}", delete(control::end))
            .route("/emulator/bots", post(bots::create))
            .route(
                "/emulator/bots/{bot}/guilds/{guild}",
                put(bots::join).delete(bots::leave),
            )
            .route("/emulator/snapshot", post(snapshot))
            .route("/emulator/traffic", get(traffic::feed))
            .route("/emulator/buckets", get(buckets))
            .route("/emulator/clock", get(clock).post(advance))
            .route("/emulator/transcript/{channel}", get(transcript))
            .route("/emulator/counts", get(counts))
            .layer(middleware::from_fn_with_state(
                self.clone(),
                traffic::observe,
            ))
            .with_state(self.clone())
            .merge(extra)
            .layer(middleware::from_fn_with_state(self.clone(), guard));

        let stop = self.stop().clone();
        let telling = async {
            shutdown.cancelled().await;
            stop.cancel();
        };
        let tls = self.tls().cloned();
        let open = move |stream| ClientIo::open(stream, tls.as_ref());
        let serving = serve_connections(listener, app, limits::SERVER, stop.clone(), open);
        // A connection that never finishes its request does not keep us.
        let passing = async {
            tokio::join!(
                rest::end_polls(self.clone()),
                rest::archive_threads(self.clone())
            )
        };
        tokio::join!(serving, telling, passing);
        self.tracker().close();
        let _ = timeout(limits::SHUTDOWN_PATIENCE, self.tracker().wait()).await;
        Ok(())
    }
}

async fn world(State(emulator): State<Emulator>) -> Response {
    Json(emulator.ready()).into_response()
}

/// The channel for one who judges it from another process: an array of
/// [messages](crate::TranscriptMessage), oldest first.
async fn transcript(State(emulator): State<Emulator>, Path(channel): Path<String>) -> Response {
    match emulator.messages(&channel) {
        Some(said) => Json(said).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What is left of each allowance that was touched.
async fn buckets(State(emulator): State<Emulator>) -> Response {
    let buckets = emulator.state().buckets.list();
    Json(json!({ "buckets": buckets })).into_response()
}

/// Everything there is, as `kaiwa emulate --snapshot` keeps it.
async fn snapshot(State(emulator): State<Emulator>) -> Response {
    match emulator.snapshot() {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// What `POST /emulator/clock` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockAdvance {
    advance_ms: u64,
}

/// The emulator's time, and how far it was moved on in all.
async fn clock(State(emulator): State<Emulator>) -> Response {
    let clock = emulator.clock();
    let advanced = u64::try_from(clock.advanced().as_millis()).unwrap_or(u64::MAX);
    let now = rfc3339(clock.now());
    Json(json!({ "now": now, "advanced_ms": advanced })).into_response()
}

/// Moves the clock on and shows it.
async fn advance(State(emulator): State<Emulator>, Json(ask): Json<ClockAdvance>) -> Response {
    emulator.advance(Duration::from_millis(ask.advance_ms));
    clock(State(emulator)).await
}

async fn counts(State(emulator): State<Emulator>) -> Response {
    Json(emulator.counts()).into_response()
}

/// Tokens are no secret here, so a page from elsewhere must not reach us:
/// neither by a name that it resolves to this machine, nor by a websocket.
async fn guard(State(emulator): State<Emulator>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let (scheme, usual) = match emulator.tls() {
        Some(_) => ("https://", 443),
        None => ("http://", 80),
    };
    let host = text(header::HOST).unwrap_or_default();
    let own_host = is_ours(host, emulator.address(), usual);
    let own_origin = text(header::ORIGIN).is_none_or(|origin| {
        let host = origin.strip_prefix(scheme);
        host.is_some_and(|host| is_ours(host, emulator.address(), usual))
    });
    if own_host && own_origin {
        return next.run(request).await;
    }
    tracing::warn!(
        host,
        "refused a request for another host or from another origin"
    );
    (
        StatusCode::FORBIDDEN,
        HeaderMap::new(),
        "This is not the host you are looking for.\n",
    )
        .into_response()
}

/// Whether a host is this server; nobody names the port that is usual.
fn is_ours(host: &str, address: SocketAddr, usual: u16) -> bool {
    let port = address.port();
    let named = match host.strip_suffix(&format!(":{port}")) {
        Some(name) => name,
        None if port == usual => host,
        None => return false,
    };
    if ["localhost", "127.0.0.1", "[::1]"].contains(&named) {
        return true;
    }
    let literal = named
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(named);
    match literal.parse::<std::net::IpAddr>() {
        // A name is needed to rebind; an address cannot be.
        Ok(ip) => ip == address.ip() || address.ip().is_unspecified(),
        Err(_) => false,
    }
}

/// One TCP connection, which a fault may cut.
#[derive(Clone, Debug)]
pub(crate) struct ClientConnection {
    cut: Arc<AtomicBool>,
}

impl ClientConnection {
    pub(crate) fn of(request: &Request) -> Option<Self> {
        request.extensions().get::<Self>().cloned()
    }

    /// Everything after this fails, beginning with the answer.
    pub(crate) fn cut(&self) {
        self.cut.store(true, Ordering::Release);
    }
}

struct ClientIo {
    stream: ClientStream,
    line: ClientConnection,
}

impl ClientIo {
    fn open(stream: TcpStream, tls: Option<&TlsIdentity>) -> (Self, ClientConnection) {
        // Without it, small frames wait for each other.
        let _ = stream.set_nodelay(true);
        let stream = match tls {
            Some(identity) => identity.accept(stream),
            None => ClientStream::Plain(stream),
        };
        let line = ClientConnection {
            cut: Arc::default(),
        };
        let io = Self {
            stream,
            line: line.clone(),
        };
        (io, line)
    }

    fn check(&self) -> io::Result<()> {
        if self.line.cut.load(Ordering::Acquire) {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl AsyncRead for ClientIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for ClientIo {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_port_is_left_out_of_a_host() {
        let check = |host: &str, port: u16, usual: u16, expected: bool| {
            let address = SocketAddr::from(([127, 0, 0, 1], port));
            assert_eq!(
                is_ours(host, address, usual),
                expected,
                "{host} {port} {usual}"
            );
        };
        check("127.0.0.1", 443, 443, true);
        check("localhost:443", 443, 443, true);
        check("localhost", 80, 80, true);
        check("localhost", 443, 80, false);
        check("localhost", 8080, 80, false);
        check("evil.example", 443, 443, false);
    }
}
