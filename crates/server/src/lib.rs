//! A server that stands a hostile network: every wait and every size has a
//! bound.
//!
//! - Whoever does not send a whole request head in time is dropped, as is a
//!   connection that stays idle for as long.
//! - When all places are taken, the connection that has waited longest for a
//!   request makes way for a new one. A request that is being answered is never
//!   cut for that, so those who only hold connections open keep nobody out.
//! - A websocket gives its place back once it is open: whoever upgrades a
//!   connection bounds what comes of it.
//! - [`serve`] alone: where only this machine can connect, only its own names are served: a page
//!   from elsewhere cannot reach us by a name that it resolves to this machine.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use http_body_util::Limited;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinSet, yield_now};
use tokio_util::sync::CancellationToken;

/// The longest request head.
const HEAD_BYTES: usize = 16 * 1024;

/// How long to wait when the system gives out no more connections.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(100);

/// The bounds of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// How many connections are held at once.
    pub connections: usize,
    /// How long a request head may take.
    pub header_timeout: Duration,
    /// The longest request body.
    pub body_bytes: usize,
    /// How long requests may go on when the server is asked to end.
    pub shutdown_patience: Duration,
}

impl Default for ServerLimits {
    /// Plenty for a few probes and scrapers.
    fn default() -> Self {
        Self {
            connections: 128,
            header_timeout: Duration::from_secs(10),
            body_bytes: 16 * 1024,
            shutdown_patience: Duration::from_secs(1),
        }
    }
}

/// Serves `router` until told to stop, then lets open requests end for a
/// moment.
///
/// # Errors
/// When the listener has no address.
pub fn serve(
    listener: TcpListener,
    router: Router,
    limits: ServerLimits,
    shutdown: CancellationToken,
) -> Pin<Box<dyn Future<Output = io::Result<()>> + Send>> {
    // Boxed, so that it is compiled here and not with the binary, which comes
    // last and alone.
    Box::pin(async move {
        let address = listener.local_addr()?.ip();
        let router = match address.is_loopback() {
            true => router.layer(middleware::from_fn(move |request, next| {
                check_host(address, request, next)
            })),
            false => router,
        };
        serve_connections(listener, router, limits, shutdown, |stream| (stream, ())).await;
        Ok(())
    })
}

/// The same for any host, over connections that `open` prepares: what is read
/// and written, and what each of its requests has among its extensions.
pub async fn serve_connections<Io, Tag>(
    listener: TcpListener,
    router: Router,
    limits: ServerLimits,
    shutdown: CancellationToken,
    open: impl Fn(TcpStream) -> (Io, Tag),
) where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    Tag: Clone + Send + Sync + 'static,
{
    let places = Arc::new(ConnectionSlots::default());
    let mut tasks = JoinSet::new();
    while let Some(accepted) = shutdown.run_until_cancelled(listener.accept()).await {
        while tasks.try_join_next().is_some() {}
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // One connection that broke, or too many in the whole system.
                tracing::debug!("a connection was not accepted: {error}");
                tokio::time::sleep(EXHAUSTED_PAUSE).await;
                continue;
            }
        };
        if let Some(place) = places.take(limits.connections) {
            let ending = shutdown.clone();
            let (io, tag) = open(stream);
            tasks.spawn(attend(io, tag, router.clone(), limits, place, ending));
        }
        // Lets new connections be read before others push them out.
        yield_now().await;
    }
    drop(listener);
    let ended = async { while tasks.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(limits.shutdown_patience, ended).await;
}

/// One connection, request by request.
async fn attend<Io, Tag>(
    io: Io,
    tag: Tag,
    router: Router,
    limits: ServerLimits,
    place: ConnectionSlot,
    shutdown: CancellationToken,
) where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    Tag: Clone + Send + Sync + 'static,
{
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let busy = place.busy();
        let mut request =
            request.map(|body| Body::new(Limited::new(Body::new(body), limits.body_bytes)));
        request.extensions_mut().insert(tag.clone());
        let answer = hyper::service::Service::call(&router, request);
        async move {
            let answer: Result<Response, Infallible> = answer.await;
            drop(busy);
            answer
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(io), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // What goes wrong on the wire is the other side's affair.
        _ = connection.as_mut() => return,
        () = place.evicted.cancelled() => return,
        () = shutdown.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Who holds a connection.
#[derive(Default)]
struct ConnectionSlots(Mutex<Taken>);

#[derive(Default)]
struct Taken {
    /// Grows with every change, so that what is smaller is older.
    now: u64,
    by: HashMap<u64, Holder>,
}

struct Holder {
    /// Since when it waits for a request; absent while one is answered.
    waits_since: Option<u64>,
    evicted: CancellationToken,
}

/// The place of one connection, free again when dropped.
struct ConnectionSlot {
    id: u64,
    places: Arc<ConnectionSlots>,
    evicted: CancellationToken,
}

/// A request under way.
struct Busy {
    id: u64,
    places: Arc<ConnectionSlots>,
}

impl ConnectionSlots {
    /// A place among `most`; if all are taken, that of whoever has waited
    /// longest; none if nobody waits.
    fn take(self: &Arc<Self>, most: usize) -> Option<ConnectionSlot> {
        let evicted = CancellationToken::new();
        let id = self.with(|taken| {
            if taken.by.len() >= most {
                let waiting = taken
                    .by
                    .iter()
                    .filter_map(|(id, it)| Some((it.waits_since?, *id)));
                let (_, longest) = waiting.min()?;
                if let Some(holder) = taken.by.remove(&longest) {
                    holder.evicted.cancel();
                }
            }
            let holder = Holder {
                waits_since: Some(taken.now),
                evicted: evicted.clone(),
            };
            taken.by.insert(taken.now, holder);
            Some(taken.now)
        })?;
        Some(ConnectionSlot {
            id,
            places: Arc::clone(self),
            evicted,
        })
    }

    /// Works on who holds what, at a new point in time.
    fn with<T>(&self, work: impl FnOnce(&mut Taken) -> T) -> T {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.now += 1;
        work(&mut taken)
    }

    fn set_waiting(&self, id: u64, waits: bool) {
        self.with(|taken| {
            let since = waits.then_some(taken.now);
            if let Some(holder) = taken.by.get_mut(&id) {
                holder.waits_since = since;
            }
        });
    }
}

impl ConnectionSlot {
    /// Keeps the connection from being pushed out.
    fn busy(&self) -> Busy {
        self.places.set_waiting(self.id, false);
        Busy {
            id: self.id,
            places: Arc::clone(&self.places),
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.places.set_waiting(self.id, true);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.places.with(|taken| taken.by.remove(&self.id));
    }
}

/// Refuses requests for a name that is not this machine's own.
async fn check_host(address: IpAddr, request: Request, next: middleware::Next) -> Response {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    if is_local_name(host, address) {
        return next.run(request).await;
    }
    tracing::warn!(host, "refused a request for another host");
    (StatusCode::FORBIDDEN, "There is no such host here.\n").into_response()
}

/// Whether a `Host` can mean only this machine. Its port may be another's that
/// is forwarded here.
fn is_local_name(host: &str, address: IpAddr) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let literal = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost")
        || ["127.0.0.1", "[::1]"].contains(&name)
        || literal.unwrap_or(name).parse() == Ok(address)
}
